"""One prompt measured: its tokens, and what of ledger, citations and change a reader finds in its text.

What is in a prompt is read from its text, not from what the assembler says of itself: a place counts where a line
begins with its id and names its path, a file where the block of changed files names it, a hunk where its head stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import basename, dirname

from evals.places import existing_places
from evals.recall import Place
from evals.records import LabelledRecord
from evals.run.changes import Changes
from evals.run.requests_file import Listener
from evals.workbench import Workbench
from retrieval.models import ChangedFile, EvidenceItem
from reviewbot.drafting.model import words as prompt_words
from reviewbot.drafting.model.batch import request_for
from reviewbot.drafting.model.outside import told_line
from reviewbot.drafting.model.prompt import Prompt
from reviewbot.drafting.model.sparing import is_plain
from reviewbot.drafting.model.tokens import Counter
from reviewbot.drafting.writer import Dossier
from reviewbot.models import Decision
from reviewbot.pipeline import AnalysisRequest, analyse
from reviewbot.precedents import Archive
from reviewbot.settings import ModelSettings

ArchiveOf = Callable[[LabelledRecord], Archive]


@dataclass(frozen=True, slots=True)
class Measured:
    """One record's prompt. ``places`` counts those of its ledger, ``missing`` are ids of them that the text lacks.

    ``expected`` are places that people cited and that exist in the tree, ``cited`` those of them in the ledger,
    ``cited_told`` those in the text. ``unread`` hunks hold product code. ``decided``: by the rules; ``plain``: and no
    model is asked.
    """

    record: str
    tokens: int
    prefix_tokens: int
    places: int
    missing: tuple[str, ...]
    expected: frozenset[Place]
    cited: frozenset[Place]
    cited_told: frozenset[Place]
    files: int
    files_told: int
    hunks: int
    hunks_told: int
    unread: int
    decided: bool
    plain: bool
    past: bool


def measure_all(
    records: Iterable[LabelledRecord],
    changes: Changes,
    bench: Workbench,
    downstream: Path,
    settings: ModelSettings,
    counter: Counter,
    archive_of: ArchiveOf | None,
) -> Iterator[Measured]:
    """In order; every record has a diff. ``downstream`` is the folder of the workbench's index, ``archive_of`` what a
    prompt shows of others.
    """
    for record in records:
        listener = Listener()
        request = AnalysisRequest(
            change=changes.change(record),
            index=bench.index,
            rubric=bench.rubric,
            base=bench.base,
            upstream=bench.upstream,
            writer=listener,
            archive=archive_of(record) if archive_of else None,
        )
        analyse(request)
        assert listener.dossier is not None
        prompt = request_for(listener.dossier, settings, counter)
        yield measured(record.id, listener.dossier, prompt, existing_places(record, downstream))


def measured(record: str, dossier: Dossier, prompt: Prompt, expected: frozenset[Place]) -> Measured:
    """``expected`` are the places that people cited for this change."""
    text = prompt.messages[-1].content
    lines = _block(text, prompt_words.LEDGER)
    items = dossier.ledger.items
    told = {item.id for item in items if _is_told(item, lines)}
    cited = frozenset(Place(item.path, item.scope) for item in items) & expected
    cited_told = frozenset(Place(item.path, item.scope) for item in items if item.id in told) & expected
    files, manifest = dossier.change.files, _block(text, prompt_words.MANIFEST)
    return Measured(
        record=record,
        tokens=prompt.tokens,
        prefix_tokens=prompt.prefix_tokens,
        places=len(items),
        missing=tuple(item.id for item in items if item.id not in told),
        expected=expected,
        cited=cited,
        cited_told=cited_told,
        files=len(files),
        files_told=sum(_is_listed(file, manifest) for file in files),
        hunks=sum(len(file.hunks) for file in files),
        hunks_told=sum(line.startswith("@@") for line in _block(text, prompt_words.HUNKS)),
        unread=prompt.left_out.hunks,
        decided=dossier.prior.decision is Decision.DECIDED,
        plain=is_plain(dossier),
        past=bool(_block(text, prompt_words.PAST)),
    )


def _block(text: str, name: str) -> list[str]:
    """The lines between the marks of a block; none when it is not there."""
    _, _, after = text.partition(f"{prompt_words.block_open(name)}\n")
    return after.partition(f"\n{prompt_words.BLOCK_CLOSE}")[0].split("\n") if after else []


def _is_told(item: EvidenceItem, lines: Iterable[str]) -> bool:
    return any(line.startswith(f"{item.id} ") and told_line(item.path) in line for line in lines)


def _is_listed(file: ChangedFile, manifest: Iterable[str]) -> bool:
    """By its whole path, or by its name on the line of its folder."""
    path, folder = told_line(file.path), f"{told_line(dirname(file.path))}/ "
    name = told_line(basename(file.path))
    return any(path in line or (line.startswith(folder) and name in line) for line in manifest)
