"""What a record rests on, line by line: revisions, coverage of the diff, removals, cost, versions, time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePath

from reviewbot.models import Analysis
from reviewbot.render import words

#: The version that a writer with a model states (`reviewbot.drafting.model.writer.versions_of`).
MODEL = "model"


def basis_lines(analysis: Analysis, at: datetime | None = None) -> Iterator[str]:
    """Plain Chinese lines, unescaped; the caller scrubs them for its medium."""
    change, ledger = analysis.change, analysis.ledger
    source = PurePath(change.source).name if change.source.startswith("/") else change.source
    yield words.basis_upstream(change.base_sha, change.head_sha, source)
    yield words.basis_downstream(ledger.downstream, ledger.revision, ledger.totals.files_searched)
    yield coverage(analysis)
    yield words.basis_removed(len(analysis.draft.removed))
    if analysis.usage.calls or MODEL in analysis.versions:
        yield writing(analysis)
    if analysis.versions:
        yield words.basis_versions(sorted(analysis.versions.items()))
    yield words.basis_time(analysis.timing.total, at.isoformat(timespec="seconds") if at else None)


def writing(analysis: Analysis) -> str:
    """Who wrote the draft and what it took: requests, tokens, money. A failed model is in it with what it cost."""
    usage = analysis.usage
    return words.basis_writing(
        analysis.draft.writer,
        usage.calls,
        (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens),
        "" if usage.cost is None else words.basis_cost(usage.cost, usage.currency),
        usage.seconds,
    )


def coverage(analysis: Analysis) -> str:
    """How much of the change was read: whole files, hunks alone, files without text, paths without a diff."""
    change, delta = analysis.change, analysis.delta
    touched = {file.path for file in change.files}
    # The delta also lists paths that only `other_paths` names: nothing of them was read.
    read = {file.path: file.complete for file in delta.files if file.path in touched}
    return words.basis_coverage(
        full=sum(read.values()),
        hunks=sum(not complete for complete in read.values()),
        skipped=sum(file.path not in read for file in change.files),
        unseen=len(change.other_paths),
        complete=change.diff_complete,
    )
