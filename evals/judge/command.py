"""``reviewbot eval judge run | form | calibrate``. Exit codes of ``run`` are those of ``reviewbot eval run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals.judge import words
from evals.run import words as run_words
from reviewbot.cli import options
from reviewbot.cli.output import Output
from reviewbot.cli.settings import load, output_for

RunName = Annotated[str, typer.Argument(metavar="RUN", help=words.ARGUMENT_RUN)]
Model = Annotated[str, typer.Option("--model", metavar="NAME", help=words.OPTION_MODEL)]
CalibratedModel = Annotated[str | None, typer.Option("--model", metavar="NAME", help=words.OPTION_CALIBRATED_MODEL)]
Sample = Annotated[int | None, typer.Option("--sample", metavar="N", min=1, help=words.OPTION_SAMPLE)]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help=words.OPTION_SEED)]
SameModel = Annotated[bool, typer.Option("--same-model", help=words.OPTION_SAME_MODEL)]
LimitCost = Annotated[float | None, typer.Option("--limit-cost", metavar="AMOUNT", min=0, help=words.OPTION_LIMIT)]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help=words.OPTION_JOBS)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=words.OPTION_YES)]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help=run_words.OPTION_RUNS)]
Size = Annotated[int, typer.Option("--n", metavar="N", min=1, help=words.OPTION_N)]
Out = Annotated[Path, typer.Option("--out", metavar="FILE.csv", help=words.OPTION_OUT)]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=run_words.OPTION_RECORDS)]
Grades = Annotated[Path, typer.Option("--grades", metavar="FILE.csv", help=words.OPTION_GRADES)]


def run(
    name: RunName,
    model: Model,
    sample: Sample = None,
    seed: Seed = 0,
    same_model: SameModel = False,
    limit_cost: LimitCost = None,
    jobs: Jobs = 4,
    yes: Yes = False,
    runs: Runs = Path("runs"),
    config: options.Config = None,
    debug: options.Debug = False,
) -> int:
    from evals.judge.driving import Order, drive

    loaded = load(config)
    order = Order(
        run=name,
        model=model,
        sample=sample,
        seed=seed,
        same_model=same_model,
        limit_cost=limit_cost,
        jobs=jobs,
        yes=yes,
        runs=runs,
    )
    return drive(order, loaded.settings, output_for(loaded))


def form(
    name: RunName,
    out: Out,
    size: Size = 20,
    seed: Seed = 0,
    records: Records = None,
    runs: Runs = Path("runs"),
    debug: options.Debug = False,
) -> None:
    from evals.judge.cases import folder_of
    from evals.judge.errors import JudgeError
    from evals.judge.form import form_text
    from evals.judge.sheet import drawn, rows_of, sheet
    from evals.records import load_records

    rows = drawn(rows_of(folder_of(name, runs).run(), load_records(records)), size, seed)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("xb") as stream:
            stream.write(sheet(rows))
    except FileExistsError as error:
        raise JudgeError(words.file_exists(str(out))) from error
    except OSError as error:
        raise JudgeError(words.file_unwritable(str(out), error)) from error
    output = Output()
    if len(rows) < size:
        output.note(words.fewer_paragraphs(size, len(rows)))
    output.line(words.form_written(len(rows), str(out), name))
    output.line(form_text())


def calibrate(
    name: RunName,
    grades: Grades,
    model: CalibratedModel = None,
    runs: Runs = Path("runs"),
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    from evals.judge.calibration import calibrate as calibrated
    from evals.judge.calibration import chosen_judge
    from evals.judge.cases import folder_of, paragraphs_of
    from evals.judge.grades import read_grades
    from evals.judge.storage import Judgements, save_calibration, standing
    from evals.judge.view import show_calibration
    from evals.run.provenance import digest_of_file

    folder, output = folder_of(name, runs), Output()
    paragraphs = paragraphs_of(folder.run())
    lines = Judgements(folder).read()
    judge = chosen_judge(lines, model, name)
    judged = {one: line.judgement for one, line in standing(lines, judge, paragraphs).items() if line.judgement}
    result = calibrated(judge, judged, read_grades(grades, paragraphs), digest_of_file(grades))
    with folder.writing():
        path = save_calibration(folder, result)
    if json:
        output.json(result.model_dump(mode="json"))
    else:
        show_calibration(output, result)
        output.line(words.stored(path))
