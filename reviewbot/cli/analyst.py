"""One set-up for any number of changes: downstream index, rule table and settings; a change in, an analysis out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from reviewbot.cli import words
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar

if TYPE_CHECKING:
    from retrieval.index import Index, Progress
    from retrieval.models import UpstreamChange
    from reviewbot.drafting.writer import Writer
    from reviewbot.models import Analysis
    from reviewbot.precedents import Archive
    from reviewbot.rubric import Rubric
    from reviewbot.settings import Settings, UpstreamSettings


@dataclass(frozen=True, slots=True)
class Analyst:
    """``upstream`` are the upstream settings in force, ``archive`` the similar records that a model is shown.
    ``opening_ms`` is what opening the index took.
    """

    settings: Settings
    upstream: UpstreamSettings
    index: Index
    rubric: Rubric
    opening_ms: float
    archive: Archive | None = None

    def analyse(
        self, change: UpstreamChange, writer: Writer, *, change_ms: float = 0.0, progress: Progress | None = None
    ) -> Analysis:
        """Raises what `reviewbot.pipeline.analyse` raises. ``progress`` is that of indexing the upstream code."""
        from reviewbot.pipeline import AnalysisRequest, analyse
        from reviewbot.workspace import open_upstream, open_upstream_code

        ledger, started = self.settings.ledger, perf_counter()
        with ExitStack() as stack:
            base, head = stack.enter_context(open_upstream(self.upstream, change))
            code = stack.enter_context(open_upstream_code(self.settings, base, progress))
            request = AnalysisRequest(
                change=change,
                index=self.index,
                rubric=self.rubric,
                base=base,
                head=head,
                upstream=code,
                writer=writer,
                archive=self.archive,
                limit=ledger.limit,
                token_budget=ledger.token_budget,
                change_ms=change_ms,
                index_ms=self.opening_ms + milliseconds_since(started),
            )
            return analyse(request)


@contextmanager
def open_analyst(settings: Settings, upstream: UpstreamSettings, output: Output) -> Iterator[Analyst]:
    """Opens the downstream index, with a progress bar while it is built. Raises as `reviewbot.workspace` does, and
    ``InputFileError`` or ``StoreError`` for similar records that are wanted and cannot be read.
    """
    from reviewbot.precedents.opening import open_team_archive
    from reviewbot.rubric import load_rubric
    from reviewbot.workspace import open_downstream

    archive = None if settings.model.name is None else open_team_archive(settings)
    started = perf_counter()
    with ExitStack() as stack:
        with progress_bar(output, words.BUILDING_INDEX) as report:
            index = stack.enter_context(open_downstream(settings, report))
        yield Analyst(settings, upstream, index, load_rubric(), milliseconds_since(started), archive)


def read_change(source: str, clone: Path | None, about: Path | None = None) -> UpstreamChange:
    """The change that SOURCE names, standard input for ``-``. Raises ``ChangeError`` or ``SourceTreeError``."""
    from retrieval.change import apply_about, load_about, load_change

    stdin = sys.stdin.buffer.read() if source == "-" else None
    change = load_change(source, clone=clone, stdin=stdin)
    return change if about is None else apply_about(change, load_about(about))


def milliseconds_since(started: float) -> float:
    return round((perf_counter() - started) * 1000, 3)
