"""``reviewbot analyze``: one upstream change in, one record out."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.analyst import milliseconds_since, open_analyst, read_change
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.formats import Format, print_analysis
from reviewbot.cli.output import Output, complain
from reviewbot.cli.progress import progress_bar
from reviewbot.cli.settings import load, output_for
from reviewbot.cli.writing import WriterChoice, WriterOption, failure_of, open_chosen_writer, told_failure
from reviewbot.errors import OptionsError

if TYPE_CHECKING:
    from reviewbot.errors import WriterError
    from reviewbot.models import Analysis
    from reviewbot.settings import Settings
    from reviewbot.settings_sources import LoadedSettings

Source = Annotated[str, typer.Argument(metavar="SOURCE", help=words.ARGUMENT_SOURCE)]
About = Annotated[Path | None, typer.Option("--about", metavar="FILE", help=words.OPTION_ABOUT)]
Explain = Annotated[bool, typer.Option("--explain", help=words.OPTION_EXPLAIN)]
FormatOption = Annotated[Format | None, typer.Option("--format", metavar="FORMAT", help=words.OPTION_FORMAT)]
Save = Annotated[bool, typer.Option("--save/--no-save", help=words.OPTION_SAVE)]


def analyze(
    source: Source,
    downstream: options.Downstream = None,
    downstream_rev: options.DownstreamRevision = None,
    upstream: options.Upstream = None,
    base: options.Base = None,
    head: options.Head = None,
    upstream_base: options.UpstreamBase = None,
    upstream_head: options.UpstreamHead = None,
    about: About = None,
    explain: Explain = False,
    json: options.Json = False,
    form: FormatOption = None,
    save: Save = True,
    writer: WriterOption = None,
    limit: options.Limit = None,
    jobs: options.Jobs = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    chosen = chosen_format(form, json=json, explain=explain)
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
    analysis, failure = _analysed(source, about, writer, loaded, output)
    number, problem = _saved(analysis, loaded.settings) if save else (None, None)
    print_analysis(output, analysis, chosen, explain=explain, number=number)
    if problem is not None:
        # After the result: a database that fails must not cost the user what was just computed.
        complain(str(problem))
        return ExitCode.STORE
    if failure is not None:
        from reviewbot.render.scrub import clean

        output.note(clean(words.written_instead(str(failure))))
        return ExitCode.WRITER
    return exit_code_for(analysis)


def chosen_format(form: Format | None, *, json: bool, explain: bool) -> Format:
    """The format that the options ask for together. Raises ``OptionsError`` when they disagree."""
    if json and form not in {None, Format.JSON}:
        raise OptionsError(
            shared.options_conflict("--json", f"--format {form}", words.ONE_FORMAT), ("--json", "--format")
        )
    chosen = Format.JSON if json else form or Format.TERMINAL
    if explain and chosen not in {Format.TERMINAL, Format.JSON}:
        raise OptionsError(words.EXPLAIN_IS_FOR_PEOPLE, ("--explain", "--format"))
    return chosen


def exit_code_for(analysis: Analysis) -> ExitCode:
    """How an analysis ended, as an exit code."""
    from reviewbot.models import AnalysisState

    codes = {AnalysisState.DONE: ExitCode.OK, AnalysisState.FAILED: ExitCode.FAILED}
    return codes.get(analysis.state, ExitCode.UNSETTLED)


def _analysed(
    source: str, about: Path | None, choice: WriterChoice | None, loaded: LoadedSettings, output: Output
) -> tuple[Analysis, WriterError | None]:
    from reviewbot.workspace import upstream_in_force

    settings, upstream = loaded.settings, upstream_in_force(loaded)
    started = perf_counter()
    change = read_change(source, upstream.clone, about)
    change_ms = milliseconds_since(started)
    with (
        open_chosen_writer(choice, settings, output) as writer,
        open_analyst(settings, upstream, output) as analyst,
        progress_bar(output, words.BUILDING_UPSTREAM) as report,
    ):
        analysis = analyst.analyse(change, writer, change_ms=change_ms, progress=report)
        failure = failure_of(writer)
    return analysis if failure is None else told_failure(analysis, failure), failure


def _saved(analysis: Analysis, settings: Settings) -> tuple[int | None, Exception | None]:
    from reviewbot.errors import StoreError
    from reviewbot.store import open_store

    try:
        with open_store(settings.store.url) as store:
            return store.save(analysis), None
    except StoreError as error:
        return None, error
