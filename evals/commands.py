"""``reviewbot eval …``: the commands of ``evals``, joined to ``reviewbot`` through the group ``reviewbot.commands``.

Command modules stay light: they import what they run with inside the function, so that help pages stay quick.
"""

from __future__ import annotations

from collections.abc import Callable

import typer

from evals import words
from evals.compare import command as compare
from evals.compare import words as compare_words
from evals.dataset import command as dataset
from evals.dataset import words as dataset_words
from evals.gate import command as gate
from evals.gate import words as gate_words
from evals.hostile import command as hostile
from evals.hostile import words as hostile_words
from evals.judge import command as judging
from evals.judge import words as judge_words
from evals.prompts import command as prompts
from evals.prompts import words as prompt_words
from evals.pull_requests import command as pull_requests
from evals.pull_requests import words as pull_request_words
from evals.report import command as report
from evals.report import words as report_words
from evals.run import command as run
from evals.run import rescore_command as rescore
from evals.run import words as run_words
from reviewbot.cli.help import ChineseCommand, ChineseGroup


def _group(help_text: str) -> typer.Typer:
    return typer.Typer(cls=ChineseGroup, help=help_text, no_args_is_help=True, add_completion=False)


def _add(group: typer.Typer, name: str, help_text: str, function: Callable[..., object]) -> None:
    group.command(name, help=help_text, cls=ChineseCommand)(function)


app = _group(words.HELP_EVAL)
_add(app, "run", run_words.HELP_RUN, run.run)
_add(app, "rescore", run_words.HELP_RESCORE, rescore.rescore)
_add(app, "report", report_words.HELP_REPORT, report.report)
_add(app, "compare", compare_words.HELP, compare.compare)
_add(app, "gate", gate_words.HELP, gate.gate)

_add(app, "hostile", hostile_words.HELP, hostile.hostile)
_add(app, "prompts", prompt_words.HELP, prompts.prompts)

data = _group(dataset_words.HELP_DATA)
_add(data, "import", dataset_words.HELP_IMPORT, dataset.import_table)
_add(data, "complete", dataset_words.HELP_COMPLETE, dataset.complete)
_add(data, "check", dataset_words.HELP_CHECK, dataset.check)
_add(data, "schema", dataset_words.HELP_SCHEMA, dataset.schema)
app.add_typer(data, name="data")

cases = _group(pull_request_words.HELP_CASES)
_add(cases, "fetch", pull_request_words.HELP_FETCH, pull_requests.fetch)
app.add_typer(cases, name="cases")

judge = _group(judge_words.HELP_JUDGE)
_add(judge, "run", judge_words.HELP_RUN, judging.run)
_add(judge, "form", judge_words.HELP_FORM, judging.form)
_add(judge, "calibrate", judge_words.HELP_CALIBRATE, judging.calibrate)
app.add_typer(judge, name="judge")
