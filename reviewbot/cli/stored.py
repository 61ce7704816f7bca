"""``reviewbot show`` and ``reviewbot history``: analyses that were saved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewbot.cli import options, words
from reviewbot.cli.analyze import Explain, FormatOption, chosen_format, exit_code_for
from reviewbot.cli.formats import print_analysis
from reviewbot.cli.settings import load, output_for

if TYPE_CHECKING:
    from reviewbot.store import StoredAnalysis

Number = Annotated[int | None, typer.Argument(metavar="[NUMBER]", help=words.ARGUMENT_NUMBER)]
PullRequest = Annotated[int | None, typer.Argument(metavar="[PR]", help=words.ARGUMENT_PR)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help=words.OPTION_HISTORY_LIMIT, show_default="20")]

ByScore = Annotated[bool, typer.Option("--by-score", help=words.OPTION_BY_SCORE)]


def show(
    number: Number = None,
    explain: Explain = False,
    json: options.Json = False,
    form: FormatOption = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from reviewbot.store import open_store

    chosen = chosen_format(form, json=json, explain=explain)
    loaded = load(config)
    output = output_for(loaded)
    with open_store(loaded.settings.store.url) as store:
        if number is None:
            newest = store.newest()
            if newest is None:
                output.note(words.NOTHING_SAVED)
                return 0
            number = newest.number
        analysis = store.load(number)
    print_analysis(output, analysis, chosen, explain=explain, number=number)
    return exit_code_for(analysis)


def history(
    upstream_pr: PullRequest = None,
    by_score: ByScore = False,
    limit: Limit = 20,
    json: options.Json = False,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    from reviewbot.store import open_store

    loaded = load(config)
    output = output_for(loaded)
    with open_store(loaded.settings.store.url) as store:
        entries = store.history(upstream_pr, limit=limit, by_score=by_score)
    if json:
        output.json([_as_json(entry) for entry in entries])
    elif not entries:
        output.note(words.NOTHING_SAVED)
    else:
        output.list(words.HISTORY_COLUMNS, [_row(entry) for entry in entries])


def _as_json(entry: StoredAnalysis) -> dict[str, Any]:
    return {
        "number": entry.number,
        "created_at": entry.created_at.isoformat(timespec="seconds"),
        "state": entry.state.value,
        "upstream_pr": entry.upstream_pr,
        "title": entry.title,
        "change_key": entry.change_key,
        "downstream": entry.downstream,
        "revision": entry.revision,
        "labels": entry.labels.model_dump(mode="json"),
        "needs_work_score": entry.needs_work_score,
        "summary": entry.summary,
        "writer": entry.writer,
    }


def _row(entry: StoredAnalysis) -> tuple[str, ...]:
    from reviewbot.render.scrub import clean

    return (
        str(entry.number),
        entry.created_at.astimezone().strftime("%Y-%m-%d %H:%M"),
        "" if entry.upstream_pr is None else f"#{entry.upstream_pr}",
        entry.labels.verdict.value,
        entry.labels.risk.value,
        f"{entry.needs_work_score:.2f}",
        _short(entry.revision),
        " ".join(clean(entry.title or entry.summary).split()),
    )


def _short(revision: str) -> str:
    """A commit id is as good at ten digits; other revisions are shown whole."""
    return revision[:10] if re.fullmatch(r"[0-9a-f]{40,64}", revision) else revision
