"""``reviewbot eval hostile``, also ``python -m evals.hostile``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals import words as shared_words
from evals.hostile import words
from reviewbot.cli import options

FAULTY = 11

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help=shared_words.DATA_HELP)]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=shared_words.CASES_RECORDS_HELP)]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help=words.OPTION_SEED)]
Samples = Annotated[int, typer.Option("--samples", metavar="N", min=1, help=words.OPTION_SAMPLES)]
Leaks = Annotated[bool, typer.Option("--leaks", help=words.OPTION_LEAKS)]


def hostile(
    data: Data = None,
    records: Records = None,
    seed: Seed = 0,
    samples: Samples = 3,
    leaks: Leaks = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    from evals.hostile.driving import drive
    from evals.hostile.report import as_document, holds, show
    from evals.real_data import RealData, default_root
    from evals.records import load_records, usable_records
    from evals.running import say
    from reviewbot.cli.output import Output
    from reviewbot.settings_sources import load_settings

    labelled = load_records(records)
    real = RealData(data or default_root())
    real.prepare(labelled, say)
    cache = load_settings().settings.cache.dir
    tally = drive(real, usable_records(labelled), cache, seed=seed, samples=samples)
    output = Output()
    if json:
        output.json(as_document(tally, seed=seed, samples=samples))
    else:
        show(output, tally, leaks=leaks)
    return 0 if holds(tally) else FAULTY
