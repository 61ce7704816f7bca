"""``reviewbot records``: the team's table into records, into other forms, and what is wrong with it.

``--json`` prints one record a line and nothing else on standard output; what there is to say about rows goes to
standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot.cli import options
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.output import Output, write
from reviewbot.cli.records import words
from reviewbot.cli.settings import load, output_for
from reviewbot.errors import InputFileError, OptionsError
from reviewbot.records.forms import Form, form_by_suffix

if TYPE_CHECKING:
    from reviewbot.records.models import Imported, Problem, TeamRecord

Table = Annotated[str, typer.Argument(metavar="FILE", help=words.ARGUMENT_TABLE)]
SourceForm = Annotated[Form | None, typer.Option("--form", metavar="FORM", help=words.OPTION_TABLE_FORM)]
FromForm = Annotated[Form | None, typer.Option("--from", metavar="FORM", help=words.OPTION_TABLE_FORM)]
TargetForm = Annotated[Form | None, typer.Option("--form", metavar="FORM", help=words.OPTION_TARGET_FORM)]
PrList = Annotated[Path | None, typer.Option("--pr-list", metavar="FILE", help=words.OPTION_PR_LIST)]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help=words.OPTION_IMPORT_OUT)]
Target = Annotated[Path | None, typer.Option("--out", metavar="FILE", help=words.OPTION_EXPORT_OUT)]
JsonLines = Annotated[bool, typer.Option("--json", help=words.OPTION_JSON_RECORDS)]
JsonRows = Annotated[bool, typer.Option("--json", help=words.OPTION_JSON_ROWS)]
JsonExport = Annotated[bool, typer.Option("--json", help=words.OPTION_JSON_EXPORT)]


def import_(
    table: Table,
    form: SourceForm = None,
    pr_list: PrList = None,
    json: JsonLines = False,
    out: Out = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    output = output_for(load(config))
    imported = _read(table, form, pr_list)
    if out is not None:
        _save(imported.records, form_by_suffix(out.name) or Form.JSONL, out, table)
    if json:
        _print_bytes(imported.records, Form.JSONL)
        _say(output, imported.problems)
    else:
        _print_import(output, table, imported, out)
    return ExitCode.OK if imported.rows or not imported.problems else ExitCode.INPUT


def export(
    table: Table,
    form: TargetForm = None,
    out: Target = None,
    source: FromForm = None,
    pr_list: PrList = None,
    json: JsonExport = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from reviewbot.records.rows import column_name
    from reviewbot.records.writing import lost_in

    chosen = _target_form(form, out, json=json)
    output = output_for(load(config))
    imported = _read(table, source, pr_list)
    if out is None:
        _print_bytes(imported.records, chosen)
    else:
        _save(imported.records, chosen, out, table)
        output.line(words.table_written(str(out), chosen, len(imported.rows)))
    _say(output, _lost_on_the_way(imported))
    if lost := lost_in(imported.records, chosen):
        output.note(words.columns_lost(chosen, [column_name(column) for column in lost]))
    return ExitCode.OK if imported.rows or not imported.problems else ExitCode.INPUT


def validate(
    table: Table,
    form: SourceForm = None,
    pr_list: PrList = None,
    json: JsonRows = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from reviewbot.records.consistency import inconsistencies
    from reviewbot.records.models import Severity

    output = output_for(load(config))
    imported = _read(table, form, pr_list)
    problems = sorted((*imported.problems, *inconsistencies(imported.rows)), key=lambda problem: problem.line)
    if json:
        _print_rows(output, imported, problems)
    else:
        output.line(words.table_read(table, imported.form, len(imported.rows)))
        _print_problems(output, problems)
        if not problems:
            output.line(words.TABLE_SOUND, style="green")
    return ExitCode.INPUT if imported.of(Severity.MALFORMED) else ExitCode.OK


def _target_form(form: Form | None, out: Path | None, *, json: bool) -> Form:
    if json and (out is not None or form not in {None, Form.JSONL}):
        raise OptionsError(words.JSON_IS_JSONL, ("--json", "--form", "--out"))
    chosen = Form.JSONL if json else form or (form_by_suffix(out.name) if out is not None else None)
    if chosen is None:
        raise OptionsError(words.NO_TARGET_FORM, ("--form",))
    if chosen is Form.XLSX and out is None:
        raise OptionsError(words.XLSX_NEEDS_OUT, ("--out",))
    return chosen


def _read(table: str, form: Form | None, pr_list: Path | None) -> Imported:
    from reviewbot.records.reading import read_pr_list, read_table

    numbers = None if pr_list is None else read_pr_list(_content(str(pr_list)), str(pr_list))
    name = words.STANDARD_INPUT if table == "-" else table
    return read_table(_content(table), name, form, numbers)


def _content(file: str) -> bytes:
    """The bytes of a file, no more than one over what is read at most; ``-`` is standard input."""
    from reviewbot.records.reading import MOST_BYTES

    try:
        if file == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(file).open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputFileError(file, error.strerror or str(error)) from error


def _bytes(records: Sequence[TeamRecord], form: Form, name: str) -> bytes:
    from reviewbot.records.rows import TableError
    from reviewbot.records.writing import write_table

    try:
        return write_table(records, form)
    except TableError as error:
        raise OptionsError(words.not_written(name, str(error)), ("--form",)) from error


def _print_bytes(records: Sequence[TeamRecord], form: Form) -> None:
    write(_bytes(records, form, form.value).decode("utf-8"))


def _save(records: Sequence[TeamRecord], form: Form, out: Path, source: str) -> None:
    """Whole or not at all, and never over the table it was read from."""
    if source != "-" and out.exists() and out.samefile(source):
        raise OptionsError(words.OUT_IS_SOURCE, ("--out",))
    content = _bytes(records, form, str(out))
    part = out.with_name(f".{out.name}.part")
    try:
        part.write_bytes(content)
        part.replace(out)
    except OSError as error:
        raise OptionsError(words.not_written(str(out), error.strerror or str(error)), ("--out",)) from error
    finally:
        part.unlink(missing_ok=True)


def _say(output: Output, problems: Sequence[Problem]) -> None:
    for problem in problems:
        output.note(words.table_problem(problem.line, problem.severity, problem.reason))


def _lost_on_the_way(imported: Imported) -> list[Problem]:
    """What an export has to tell of. A summary that is not there loses nothing, one whose end did not show may."""
    from reviewbot.records.models import Severity

    legacy = imported.form is Form.LEGACY
    return [problem for problem in imported.problems if legacy or problem.severity is not Severity.UNDECIDED]


def _print_import(output: Output, table: str, imported: Imported, out: Path | None) -> None:
    output.line(words.table_read(table, imported.form, len(imported.rows)))
    if imported.rows:
        output.line()
        output.table(words.COUNT_COLUMNS, _counts(imported.records))
    _print_problems(output, imported.problems)
    if out is not None:
        output.line()
        output.line(words.table_written(str(out), form_by_suffix(out.name) or Form.JSONL, len(imported.rows)))


def _counts(records: Sequence[TeamRecord]) -> list[tuple[str, ...]]:
    """One row per verdict that occurs and one for all: how many, by risk, and by flag."""
    from reviewbot.models import NeedsAdaptation, Risk, Verdict, YesNo

    counted = (
        *(("risk", risk) for risk in Risk),
        *(("needs_adaptation", value) for value in (NeedsAdaptation.YES, NeedsAdaptation.UNCLEAR)),
        *((flag, YesNo.YES) for flag in ("needs_cann", "npu_affected")),
    )
    rows = []
    for verdict in (*Verdict, None):
        chosen = [record.labels.model_dump() for record in records if verdict in (None, record.labels.verdict)]
        if chosen:
            counts = (sum(labels[name] == value for labels in chosen) for name, value in counted)
            rows.append((verdict or words.COUNT_TOTAL, str(len(chosen)), *map(str, counts)))
    return rows


def _print_problems(output: Output, problems: Sequence[Problem]) -> None:
    for severity, title in words.PROBLEM_TITLES.items():
        chosen = [problem for problem in problems if problem.severity == severity]
        if chosen:
            output.line()
            output.line(words.problem_section(title, len(chosen)), style="bold")
            rows = [(str(problem.line), problem.reason) for problem in chosen]
            output.table(words.PROBLEM_COLUMNS, rows, fold=(1,))


def _print_rows(output: Output, imported: Imported, problems: Sequence[Problem]) -> None:
    """Shape of ``validate --json``: ``line``, ``record`` (null when the row could not be read), ``problems``."""
    import json

    records = {row.line: row.record for row in imported.rows}
    for line in sorted(records.keys() | {problem.line for problem in problems}):
        said = [problem.model_dump(mode="json", exclude={"line"}) for problem in problems if problem.line == line]
        record = records[line].model_dump(mode="json") if line in records else None
        output.raw(json.dumps({"line": line, "record": record, "problems": said}, ensure_ascii=False))
