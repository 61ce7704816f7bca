"""``reviewbot batch export`` and ``reviewbot batch import``: what is read, printed and written around the two ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewbot import words as shared
from reviewbot.cli import options
from reviewbot.cli import words as cli_words
from reviewbot.cli.batch import words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.formats import Format, print_analysis
from reviewbot.cli.output import Output
from reviewbot.cli.progress import progress_bar
from reviewbot.cli.settings import load, output_for
from reviewbot.errors import InputFileError, OptionsError, SettingProblem, SettingsError

if TYPE_CHECKING:
    from reviewbot.cli.batch.exporting import Exported
    from reviewbot.cli.batch.importing import Imported, Outcome
    from reviewbot.models import Analysis

Sources = Annotated[list[str], typer.Argument(metavar="SOURCE…", help=words.ARGUMENT_SOURCES)]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help=words.OPTION_OUT)]
Answers = Annotated[Path, typer.Argument(metavar="FILE", help=words.ARGUMENT_ANSWERS)]
Requests = Annotated[Path, typer.Option("--requests", metavar="FILE", help=words.OPTION_REQUESTS)]
FormatOption = Annotated[Format | None, typer.Option("--format", metavar="FORMAT", help=words.OPTION_FORMAT)]


def export(
    sources: Sources,
    out: Out,
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    upstream: options.Upstream = None,
    base: options.Base = None,
    head: options.Head = None,
    upstream_base: options.UpstreamBase = None,
    upstream_head: options.UpstreamHead = None,
    limit: options.Limit = None,
    jobs: options.Jobs = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from reviewbot.cli.analyst import open_analyst
    from reviewbot.cli.batch.exporting import export_all
    from reviewbot.workspace import upstream_in_force

    loaded = load(
        config,
        downstream=downstream,
        downstream_rev=downstream_rev,
        upstream=upstream,
        base=base,
        head=head,
        upstream_base=upstream_base,
        upstream_head=upstream_head,
        limit=limit,
        jobs=jobs,
    )
    output, settings = output_for(loaded), loaded.settings
    if settings.model.name is None:
        raise SettingsError((SettingProblem("model.name", "", words.NEEDS_MODEL),))
    if any(Path(source).is_file() and out.exists() and out.samefile(source) for source in sources):
        raise OptionsError(words.OUT_IS_INPUT, ("--out",))
    with (
        open_analyst(settings, upstream_in_force(loaded), output) as analyst,
        progress_bar(output, words.EXPORTING) as report,
    ):
        exported = list(export_all(sources, analyst, report))
    _complain_of(exported, output)
    if not any(one.planned for one in exported):
        output.note(words.NOTHING_TO_WRITE)
        return ExitCode.INPUT
    _write_export(exported, out)
    _print_export(exported, out, settings.model.currency, output, json=json)
    return ExitCode.INPUT if any(one.problem for one in exported) else ExitCode.OK


def import_(
    answers: Answers,
    requests: Requests,
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    upstream: options.Upstream = None,
    base: options.Base = None,
    head: options.Head = None,
    upstream_base: options.UpstreamBase = None,
    upstream_head: options.UpstreamHead = None,
    limit: options.Limit = None,
    jobs: options.Jobs = None,
    form: FormatOption = None,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from reviewbot.cli.analyst import open_analyst
    from reviewbot.cli.batch.importing import import_answers
    from reviewbot.cli.batch.plan import plan_beside, read_plan
    from reviewbot.render.scrub import clean
    from reviewbot.store import open_store
    from reviewbot.workspace import upstream_in_force

    if json and form is not None:
        raise OptionsError(shared.options_conflict("--json", "--format", words.ONE_FORMAT), ("--json", "--format"))
    loaded = load(
        config,
        downstream=downstream,
        downstream_rev=downstream_rev,
        upstream=upstream,
        base=base,
        head=head,
        upstream_base=upstream_base,
        upstream_head=upstream_head,
        limit=limit,
        jobs=jobs,
    )
    output = output_for(loaded)
    plan, lines = read_plan(plan_beside(requests)), _lines(answers)
    with (
        open_analyst(loaded.settings, upstream_in_force(loaded), output) as analyst,
        open_store(loaded.settings.store.url) as store,
        progress_bar(output, words.IMPORTING) as report,
    ):
        outcome = import_answers(lines, plan, analyst, store, report)
    if json:
        output.json(_import_json(outcome))
    else:
        _print_import(outcome.done, form, output)
    for sentence in _sentences(outcome, str(answers)):
        output.note(clean(sentence))  # ids and messages in the file are from outside
    if not json:
        known = sum(one.known for one in outcome.done)
        output.note(words.imported(len(outcome.done) - known, known, len(outcome.failed)), style="bold")
    return ExitCode.WRITER if outcome.failed else ExitCode.OK


# --- export -----------------------------------------------------------------------------------------------------------


def _complain_of(exported: Iterable[Exported], output: Output) -> None:
    for one in exported:
        if one.problem:
            output.note(words.not_analysed(one.problem))
        elif one.same_as:
            output.note(words.twice(one.source, one.same_as))


def _write_export(exported: Sequence[Exported], out: Path) -> None:
    """The plan first: a file of requests is never without one."""
    from reviewbot.cli.batch.plan import plan_beside, plan_text

    _write(plan_beside(out), plan_text(one.planned for one in exported if one.planned))
    _write(out, "".join(f"{one.line}\n" for one in exported if one.line))


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        raise OptionsError(words.unwritable(str(path), error.strerror or str(error)), ("--out",)) from error
    finally:
        part.unlink(missing_ok=True)


def _print_export(exported: Sequence[Exported], out: Path, currency: str, output: Output, *, json: bool) -> None:
    from reviewbot.cli.batch.plan import plan_beside

    asked = [one for one in exported if one.line]
    plain = sum(one.planned is not None and not one.line for one in exported)
    tokens = sum(one.tokens for one in asked)
    costs = [one.most for one in asked if one.most is not None]
    most = sum(costs) if costs else None
    if json:
        failed = [{"source": one.source, "reason": one.problem} for one in exported if one.problem]
        counted = {"requests": len(asked), "plain": plain, "prompt_tokens": tokens}
        money = {"most": most, "currency": currency}
        output.json({"file": str(out), "plan": str(plan_beside(out)), **counted, **money, "problems": failed})
        return
    output.line(words.exported(str(out), len(asked), tokens, most, currency))
    if plain:
        output.line(words.plain_cases(plain))
    output.line(words.next_step(str(out)), style="dim")


# --- import -----------------------------------------------------------------------------------------------------------


def _lines(path: Path) -> list[str]:
    """Lines end with a line feed and nothing else: JSON may hold other line ends."""
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputFileError(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise InputFileError(str(path), words.NOT_UTF8) from error


def _sentences(outcome: Outcome, answers: str) -> Iterator[str]:
    for problem in outcome.unread:
        yield words.line_in(answers, problem)
    for one in (*outcome.failed, *outcome.loose):
        if one.line is None:
            yield words.change_problem(one.name, one.reason)
        else:
            yield words.line_problem(answers, one.line, one.name, one.reason)


def _print_import(done: Sequence[Imported], form: Format | None, output: Output) -> None:
    if form is not None:
        _print_all([one.analysis for one in done], form, output)
    elif done:
        output.list(words.IMPORT_COLUMNS, [_row(one) for one in done])


def _print_all(analyses: Sequence[Analysis], form: Format, output: Output) -> None:
    """Tables with one head, one JSON document; the other formats one after the other."""
    from reviewbot import render

    match form:
        case Format.CSV:
            output.raw(render.as_csv(analyses))
        case Format.JSON:
            output.json([render.as_json(one) for one in analyses])
        case _:
            for one in analyses:
                print_analysis(output, one, form, explain=False, number=None)


def _row(one: Imported) -> tuple[str, ...]:
    from reviewbot.render.scrub import scrub_line

    draft, change = one.analysis.draft, one.analysis.change
    labels = draft.labels
    return (
        str(one.number),
        "" if change.number is None else f"#{change.number}",
        labels.verdict.value,
        labels.risk.value,
        labels.needs_adaptation.value,
        f"{draft.needs_work_score:.2f}",
        cli_words.writer_name(draft.writer),
        scrub_line(change.title or draft.summary),
    )


def _import_json(outcome: Outcome) -> dict[str, Any]:
    imported = [
        {
            "number": one.number,
            "known": one.known,
            "custom_id": one.planned.custom_id,
            "source": one.planned.source,
            "upstream_pr": one.analysis.change.number,
            "state": one.analysis.state.value,
            "labels": one.analysis.draft.labels.model_dump(mode="json"),
            "needs_work_score": one.analysis.draft.needs_work_score,
            "writer": one.analysis.draft.writer,
        }
        for one in outcome.done
    ]
    problems = [asdict(one) for one in (*outcome.failed, *outcome.loose)]
    return {"imported": imported, "problems": problems, "unreadable": list(outcome.unread)}
