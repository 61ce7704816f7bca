"""Checks what the program needs around it: git, grammars, settings, trees, cache, database, model.

Contract: one ``Check`` per thing, in the order a person would fix them; a check never raises for what it checks, and a
check that is not ``ok`` says in one line how to get there. Nothing is created or changed.

``FAILED`` means that analyses will not run as configured; ``NOTICE`` that something optional is absent.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from retrieval.errors import RetrievalError
from retrieval.models import Language
from retrieval.source_tree import SourceTree, open_tree
from reviewbot import words
from reviewbot.errors import ReviewbotError, SettingsError, StoreError
from reviewbot.settings import Settings
from reviewbot.settings_sources import LoadedSettings, search_places

#: ``rev-parse --end-of-options``, which keeps a revision from being read as an option, works from here on.
OLDEST_GIT = (2, 30)
TESTED_PYTHON = ((3, 11), (3, 13))
_GIT_SECONDS = 10


class CheckState(StrEnum):
    OK = "ok"
    NOTICE = "notice"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """``name`` is stable and for programs, the texts are Chinese; ``remedy`` is empty when nothing is to be done."""

    name: str
    state: CheckState
    found: str
    remedy: str = ""


def examine(load: Callable[[], LoadedSettings], *, online: bool = False) -> tuple[Check, ...]:
    """All checks. ``load`` reads the settings; when they are wrong, what depends on them is not checked.

    Nothing is asked of the network unless ``online``.
    """
    from reviewbot.doctor_model import check_model

    checks = [_python(), _git(), _grammars(), _rubric()]
    try:
        loaded = load()
    except SettingsError as error:
        checks.append(Check("settings", CheckState.FAILED, str(error), words.DOCTOR_FIX_SETTINGS))
        return tuple(checks)
    settings = loaded.settings
    around = (_cache(settings.cache.dir), _store(settings.store.url), check_model(settings, online=online))
    return (*checks, _settings(loaded), *_trees(settings), *around)


def _python() -> Check:
    version = platform.python_version()
    oldest, newest = TESTED_PYTHON
    if oldest <= tuple(map(int, platform.python_version_tuple()[:2])) <= newest:
        return Check("python", CheckState.OK, version)
    return Check("python", CheckState.NOTICE, version, words.doctor_python(oldest, newest))


def _git() -> Check:
    place = shutil.which("git")
    if place is None:
        return Check("git", CheckState.FAILED, words.DOCTOR_ABSENT, words.DOCTOR_GET_GIT)
    try:
        done = subprocess.run([place, "--version"], capture_output=True, check=True, timeout=_GIT_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        return Check("git", CheckState.FAILED, words.doctor_git_broken(place, str(error)), words.DOCTOR_GET_GIT)
    text = done.stdout.decode("utf-8", "replace").strip()
    version = re.search(r"(\d+)\.(\d+)[\w.]*", text)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_GIT:
        return Check("git", CheckState.FAILED, words.doctor_program(text, place), words.doctor_old_git(OLDEST_GIT))
    return Check("git", CheckState.OK, words.doctor_program(version[0], place))


def _grammars() -> Check:
    try:
        from retrieval.syntax import parse_source  # imports the grammars' compiled libraries

        parse_source(b"def f(): pass\n", Language.PYTHON)
        parse_source(b"int f() { return 0; }\n", Language.CPP)
    except (ImportError, OSError, ValueError) as error:
        return Check("grammars", CheckState.FAILED, str(error), words.DOCTOR_REINSTALL)
    return Check("grammars", CheckState.OK, "Python, C++")


def _rubric() -> Check:
    from reviewbot.rubric import load_rubric

    try:
        rubric = load_rubric()
    except (ReviewbotError, OSError, ImportError) as error:
        return Check("rubric", CheckState.FAILED, str(error), words.DOCTOR_REINSTALL)
    return Check("rubric", CheckState.OK, words.doctor_rubric(len(rubric.rules), rubric.version))


def _settings(loaded: LoadedSettings) -> Check:
    if loaded.file is not None:
        return Check("settings", CheckState.OK, str(loaded.file))
    places = [str(place) for place in search_places(Path.cwd())]
    return Check("settings", CheckState.OK, words.doctor_no_settings_file(places))


def _trees(settings: Settings) -> Iterator[Check]:
    downstream, upstream = settings.downstream, settings.upstream
    yield _tree("downstream", downstream.path, downstream.revision, "torch_npu", words.DOCTOR_SET_DOWNSTREAM)
    if upstream.base_dir or upstream.head_dir:
        yield _tree("upstream.base_dir", upstream.base_dir, None, "torch", words.DOCTOR_SET_UPSTREAM)
        yield _tree("upstream.head_dir", upstream.head_dir, None, "torch", words.DOCTOR_SET_UPSTREAM)
    else:
        yield _tree("upstream", upstream.clone, upstream.base, "torch", words.DOCTOR_SET_UPSTREAM)


def _tree(name: str, path: Path | None, revision: str | None, package: str, remedy: str) -> Check:
    if path is None:
        return Check(name, CheckState.NOTICE, words.DOCTOR_UNSET, remedy)
    try:
        with open_tree(path, revision) as tree:
            return _described(name, tree, path, package)
    except RetrievalError as error:
        return Check(name, CheckState.FAILED, str(error), words.DOCTOR_FIX_TREE)


def _described(name: str, tree: SourceTree, path: Path, package: str) -> Check:
    files = tree.files()
    found = words.doctor_tree(str(path), tree.revision, len(files))
    if any(file.path.startswith(f"{package}/") for file in files):
        return Check(name, CheckState.OK, found)
    return Check(name, CheckState.NOTICE, found, words.doctor_other_tree(package))


def _cache(folder: Path) -> Check:
    """Writable, or able to be made: the nearest folder that exists decides."""
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Check("cache", CheckState.FAILED, words.doctor_unwritable(str(folder)), words.DOCTOR_FIX_CACHE)
    found = words.doctor_cache(str(folder), _size(folder), shutil.disk_usage(existing).free)
    return Check("cache", CheckState.OK, found)


def _size(folder: Path) -> int:
    """Bytes of all files below; one that goes away meanwhile counts nothing."""
    size = 0
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):
            size += file.stat().st_size if file.is_file() else 0
    return size


def _store(url: str) -> Check:
    from reviewbot.store.inspection import inspect_store  # SQLAlchemy is slow to import

    try:
        report = inspect_store(url)
    except StoreError as error:
        return Check("store", CheckState.FAILED, str(error), words.DOCTOR_FIX_STORE)
    if report.state is None:
        return Check("store", CheckState.OK, words.doctor_store_absent(str(report.path)))
    return Check("store", CheckState.OK, words.doctor_store(str(report.path), report.state.value, report.analyses))
