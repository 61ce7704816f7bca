"""``reviewbot analyze``: one upstream change in, one record out."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from reviewbot import words as shared
from reviewbot.cli import options, words
from reviewbot.cli.exit_codes import ExitCode
from reviewbot.cli.formats import Format, print_analysis
from reviewbot.cli.output import Output, complain
from reviewbot.cli.settings import load, output_for
from reviewbot.errors import OptionsError

if TYPE_CHECKING:
    from retrieval.models import UpstreamChange
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
    analysis = _analysed(source, about, loaded, output)
    number, problem = _saved(analysis, loaded.settings) if save else (None, None)
    print_analysis(output, analysis, chosen, explain=explain, number=number)
    if problem is not None:
        # After the result: a database that fails must not cost the user what was just computed.
        complain(str(problem))
        return ExitCode.STORE
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


def _analysed(source: str, about: Path | None, loaded: LoadedSettings, output: Output) -> Analysis:
    from reviewbot.cli.progress import progress_bar
    from reviewbot.pipeline import AnalysisRequest, analyse
    from reviewbot.rubric import load_rubric
    from reviewbot.workspace import open_downstream, open_upstream, open_upstream_code, upstream_in_force

    upstream = upstream_in_force(loaded)
    started = perf_counter()
    change = _change(source, upstream.clone, about)
    read = perf_counter()
    ledger = loaded.settings.ledger
    with ExitStack() as stack:
        with progress_bar(output, words.BUILDING_INDEX) as report:
            index = stack.enter_context(open_downstream(loaded.settings, report))
        base, head = stack.enter_context(open_upstream(upstream, change))
        with progress_bar(output, words.BUILDING_UPSTREAM) as report:
            code = stack.enter_context(open_upstream_code(loaded.settings, base, report))
        indexed = perf_counter()
        return analyse(
            AnalysisRequest(
                change=change,
                index=index,
                rubric=load_rubric(),
                base=base,
                head=head,
                upstream=code,
                limit=ledger.limit,
                token_budget=ledger.token_budget,
                change_ms=round((read - started) * 1000, 3),
                index_ms=round((indexed - read) * 1000, 3),
            )
        )


def _change(source: str, clone: Path | None, about: Path | None) -> UpstreamChange:
    from retrieval.change import apply_about, load_about, load_change

    stdin = sys.stdin.buffer.read() if source == "-" else None
    change = load_change(source, clone=clone, stdin=stdin)
    return change if about is None else apply_about(change, load_about(about))


def _saved(analysis: Analysis, settings: Settings) -> tuple[int | None, Exception | None]:
    from reviewbot.errors import StoreError
    from reviewbot.store import open_store

    try:
        with open_store(settings.store.url) as store:
            return store.save(analysis), None
    except StoreError as error:
        return None, error
