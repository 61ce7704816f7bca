"""``reviewbot eval …``: the commands of ``evals``, joined to ``reviewbot`` through the group ``reviewbot.commands``.

Command modules stay light: they import what they run with inside the function, so that help pages stay quick.
"""

from __future__ import annotations

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
from reviewbot.cli.groups import add, group

app = group(words.HELP_EVAL)
add(app, "run", run_words.HELP_RUN, run.run)
add(app, "rescore", run_words.HELP_RESCORE, rescore.rescore)
add(app, "report", report_words.HELP_REPORT, report.report)
add(app, "compare", compare_words.HELP, compare.compare)
add(app, "gate", gate_words.HELP, gate.gate)
add(app, "hostile", hostile_words.HELP, hostile.hostile)
add(app, "prompts", prompt_words.HELP, prompts.prompts)

data = group(dataset_words.HELP_DATA)
add(data, "import", dataset_words.HELP_IMPORT, dataset.import_table)
add(data, "complete", dataset_words.HELP_COMPLETE, dataset.complete)
add(data, "check", dataset_words.HELP_CHECK, dataset.check)
add(data, "schema", dataset_words.HELP_SCHEMA, dataset.schema)
app.add_typer(data, name="data")

cases = group(pull_request_words.HELP_CASES)
add(cases, "fetch", pull_request_words.HELP_FETCH, pull_requests.fetch)
app.add_typer(cases, name="cases")

judge = group(judge_words.HELP_JUDGE)
add(judge, "run", judge_words.HELP_RUN, judging.run)
add(judge, "form", judge_words.HELP_FORM, judging.form)
add(judge, "calibrate", judge_words.HELP_CALIBRATE, judging.calibrate)
app.add_typer(judge, name="judge")
