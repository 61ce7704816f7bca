"""A run by what people call it: the name of one under the runs folder, its folder, or a file that holds all of it."""

from __future__ import annotations

from pathlib import Path

from evals.run import words
from evals.run.documents import parse_document
from evals.run.errors import RunFolderError
from evals.run.folder import RUNS, RunFolder
from evals.run.models import Run


def find_folder(name: str | Path, runs: Path = RUNS) -> RunFolder | None:
    """The folder of a run that exists, given by name or path; None when ``name`` is no such thing."""
    for path in (runs / name, Path(name)):
        if (path / "manifest.json").is_file():
            return RunFolder(path.absolute().parent, path.absolute().name)
    return None


def load_run(name: str | Path, runs: Path = RUNS) -> Run:
    """The run called ``name`` below ``runs``, or the one in the folder or portable file ``name``.

    Raises RunFolderError when there is none, it is damaged, or a newer version wrote it.
    """
    folder = find_folder(name, runs)
    if folder is not None:
        return folder.run()
    if Path(name).is_file():
        return parse_document(Path(name), Run)
    known = sorted(path.parent.name for path in runs.glob("*/manifest.json"))
    raise RunFolderError(str(name), words.no_such_run(str(runs), known))


def save_portable(run: Run, path: Path) -> None:
    """Writes the run as one file, fit for version control: keys in a fixed order, one outcome a line."""
    outcomes = ",\n".join(outcome.model_dump_json() for outcome in run.outcomes)
    text = f'{{"manifest": {run.manifest.model_dump_json(indent=1)},\n"outcomes": [\n{outcomes}\n]}}\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunFolderError(str(path), words.unwritable(error)) from error
