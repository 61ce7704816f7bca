"""``reviewbot eval report``. Exit codes: 0 done · 1 a run, record file or destination that cannot be used."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evals.report import words
from reviewbot.cli import options
from reviewbot.cli.output import Output

if TYPE_CHECKING:
    from evals.report.building import Report


class ReportFormat(StrEnum):
    HTML = "html"
    MD = "md"
    JSON = "json"
    JUNIT = "junit"


Run = Annotated[str, typer.Argument(metavar="NAME|PATH", help=words.ARGUMENT_RUN)]
FormatOption = Annotated[ReportFormat, typer.Option("--format", metavar="FORMAT", help=words.OPTION_FORMAT)]
Out = Annotated[str | None, typer.Option("--out", metavar="FILE", help=words.OPTION_OUT)]
Runs = Annotated[Path, typer.Option("--runs", metavar="DIR", help=words.OPTION_RUNS)]
Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=words.OPTION_RECORDS)]
Texts = Annotated[Path | None, typer.Option("--texts", metavar="FILE", help=words.OPTION_TEXTS)]

_STDOUT = "-"


def report(
    run: Run,
    form: FormatOption = ReportFormat.HTML,
    out: Out = None,
    runs: Runs = Path("runs"),
    records: Records = None,
    texts: Texts = None,
    debug: options.Debug = False,
) -> None:
    from evals.report.loading import load_report
    from evals.run.loading import find_folder

    output = Output()
    told = load_report(run, runs, records, texts, output.note)
    text = written(told, form, output)
    if out is None and form is ReportFormat.HTML:
        folder = find_folder(run, runs)
        out = str(folder.path / "report.html" if folder else Path(run).with_suffix(".html"))
    if out in (None, _STDOUT):
        output.raw(text)
        return
    _write(Path(out), text)
    output.line(out)


def written(told: Report, form: ReportFormat, output: Output) -> str:
    """The report in one format, as text."""
    match form:
        case ReportFormat.HTML:
            from evals.report.page.figures import draw_figures
            from evals.report.page.html import as_html

            figures = draw_figures(told.scoring, told.points)
            if figures is None:
                output.note(words.NO_FIGURES)
            return as_html(told, figures)
        case ReportFormat.MD:
            from evals.report.markdown import as_markdown

            return as_markdown(told)
        case ReportFormat.JSON:
            import json

            from evals.report.document import as_document

            return json.dumps(as_document(told), ensure_ascii=False, indent=2)
        case ReportFormat.JUNIT:
            from evals.report.junit import as_junit

            return as_junit(told)


def _write(path: Path, text: str) -> None:
    """Raises RunFolderError when the disk refuses."""
    from evals.run.errors import RunFolderError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise RunFolderError(str(path), words.unwritable(error)) from error
