"""``reviewbot eval data``: import, complete, check, schema. Exit codes: 0 · 1 unusable file, or ``--strict``."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evals.dataset import words
from reviewbot.cli import options
from reviewbot.cli.output import Output

if TYPE_CHECKING:
    from evals.dataset.cited_places import TreePlaces
    from evals.pull_requests.folder import PullRequestFolder
    from evals.records import LabelledRecord

Table = Annotated[Path, typer.Argument(metavar="TABLE", help=words.ARGUMENT_TABLE)]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help=words.OPTION_OUT)]
Numbers = Annotated[Path | None, typer.Option("--pr-list", metavar="FILE", help=words.OPTION_PR_LIST)]
Batch = Annotated[str | None, typer.Option("--batch", metavar="NAME", help=words.OPTION_BATCH)]
Analyst = Annotated[str | None, typer.Option("--analyst", metavar="NAME", help=words.OPTION_ANALYST)]
Downstream = Annotated[Path | None, typer.Option("--downstream", metavar="PATH", help=words.OPTION_DOWNSTREAM)]
CheckedTree = Annotated[Path | None, typer.Option("--downstream", metavar="PATH", help=words.OPTION_DOWNSTREAM_CHECK)]
Revision = Annotated[str | None, typer.Option("--downstream-rev", metavar="REV", help=words.OPTION_REVISION)]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=words.OPTION_RECORDS)]
Completed = Annotated[Path, typer.Option("--records", metavar="FILE", help=words.OPTION_COMPLETED)]
Strict = Annotated[bool, typer.Option("--strict", help=words.OPTION_STRICT)]


def import_table(
    table: Table,
    out: Out,
    pr_list: Numbers = None,
    batch: Batch = None,
    analyst: Analyst = None,
    downstream: Downstream = None,
    downstream_rev: Revision = None,
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    from evals.dataset.importing import Origin, join, write_records
    from evals.records import load_records
    from reviewbot.records.reading import read_pr_list, read_table

    existing: tuple[LabelledRecord, ...] = load_records(out) if out.exists() else ()
    numbers = read_pr_list(_content(pr_list), str(pr_list)) if pr_list else None
    read = read_table(_content(table), str(table), pr_list=numbers)
    with ExitStack() as stack:
        places = _opened(stack, downstream, downstream_rev)
        joined = join(existing, read.rows, Origin(table.stem, batch, analyst), places)
    if joined.added:
        write_records(out, joined.records)
    cited = sum(record.evidence.cited for record in joined.added)
    verified = sum(record.evidence.verified for record in joined.added)
    said = [words.row_problem(problem.line, problem.reason) for problem in read.problems]
    output = Output()
    if json:
        output.json(
            {
                "file": str(out),
                "records": len(joined.records),
                "added": [record.id for record in joined.added],
                "known": joined.known,
                "rows_without_number": list(joined.nameless),
                "problems": said,
                "cited": cited,
                "verified": verified,
                "revision": places.revision if places else None,
                "unresolved": [{"record": name, **one._asdict()} for name, one in joined.unresolved],
            }
        )
        return
    for sentence in (*said, *map(words.row_without_number, joined.nameless)):
        output.note(sentence)
    for name, one in joined.unresolved:
        output.note(words.citation_unresolved(name, one.path, one.lines))
    output.line(words.imported(len(joined.added), joined.known, len(joined.records), str(out)))
    if cited:
        output.line(words.citations_counted(cited, verified, places.revision if places else None))


def complete(records: Completed, json: options.Json = False, debug: options.Debug = False) -> None:
    from evals.dataset.completing import completed
    from evals.dataset.importing import write_records
    from evals.records import load_records

    labelled = load_records(records)
    filled = completed(labelled, _pulls().get)
    changed = [after.id for before, after in zip(labelled, filled, strict=True) if before != after]
    if changed:
        write_records(records, filled)
    output = Output()
    if json:
        output.json({"file": str(records), "records": len(filled), "completed": changed})
    else:
        output.line(words.completed(len(changed), len(filled), str(records)))


def check(
    records: Records = None,
    downstream: CheckedTree = None,
    downstream_rev: Revision = None,
    strict: Strict = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    from evals.dataset.findings import findings
    from evals.dataset.view import show_findings
    from evals.real_data import RealData, default_root
    from evals.records import load_records
    from reviewbot.cli.progress import progress_bar

    labelled = load_records(records)
    pulls, laid = _pulls(), RealData(default_root()).downstream
    output = Output()
    if downstream is None and laid.is_dir():
        downstream = laid
    with ExitStack() as stack, progress_bar(output, words.CHECKED_CITATIONS) as report:
        places = _opened(stack, downstream, downstream_rev)
        found = findings(labelled, places, lambda number: pulls.get(number) is not None, report)
    if json:
        output.json(found.model_dump(mode="json"))
    else:
        show_findings(output, str(records) if records else words.SHIPPED, found)
    return 1 if strict and found.problems else 0


def schema(debug: options.Debug = False) -> None:
    from evals.records import LabelledRecord

    Output().json(LabelledRecord.model_json_schema())


def _pulls() -> PullRequestFolder:
    """Where ``reviewbot eval cases fetch`` keeps what it fetched."""
    from evals.pull_requests.folder import PullRequestFolder
    from evals.real_data import default_root

    return PullRequestFolder(default_root() / "pull-requests")


def _content(path: Path) -> bytes:
    from reviewbot.errors import InputFileError

    try:
        return path.read_bytes()
    except OSError as error:
        raise InputFileError(str(path), error.strerror or str(error)) from error


def _opened(stack: ExitStack, location: Path | None, revision: str | None) -> TreePlaces | None:
    from evals.dataset.cited_places import TreePlaces
    from retrieval.source_tree import open_tree
    from reviewbot.errors import OptionsError

    if location is not None:
        return TreePlaces(stack.enter_context(open_tree(location, revision)))
    if revision is not None:
        raise OptionsError(words.REVISION_WITHOUT_TREE, ("--downstream-rev", "--downstream"))
    return None
