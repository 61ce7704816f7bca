"""Builds the settings from defaults < ``reviewbot.toml`` < environment < flags, and knows where each value came from.

The file is the first that exists of: ``--config``, ``$REVIEWBOT_CONFIG`` (these two must exist), ``./reviewbot.toml``,
``reviewbot.toml`` in the user's configuration directory. Files are not merged: one place to look at.

Environment: ``REVIEWBOT_SECTION__KEY`` (``REVIEWBOT_LEDGER__LIMIT``); an empty variable counts as not given; lists and
tables are written in JSON. Relative paths mean: in the file, relative to the file; elsewhere, to the working directory.

A revision belongs to the path beside it: a stronger source that names another path sets aside the revision that stands
with the old path in the weaker one.

An unknown key is refused wherever it stands, with the nearest right name; all problems are collected before raising.

Trap: Kubernetes gives every container of a namespace with a Service called ``reviewbot`` variables such as
``REVIEWBOT_PORT_8000_TCP_ADDR``. They are not ours and are left alone.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

import platformdirs

from reviewbot import words
from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.settings import APPLICATION, Settings, setting_fields
from reviewbot.settings_values import Refusal, read_text, read_toml, read_typed

FILE_NAME = "reviewbot.toml"
PREFIX = "REVIEWBOT_"
#: Names the settings file instead of a key.
CONFIG_VARIABLE = "REVIEWBOT_CONFIG"
_OWNERS = {
    "downstream.revision": "downstream.path",
    "upstream.base": "upstream.clone",
    "upstream.head": "upstream.clone",
}
_KUBERNETES = re.compile(r"REVIEWBOT_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)")


class OriginKind(StrEnum):
    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from. ``name`` is the file's path, the variable or the option; empty for a default."""

    kind: OriginKind
    name: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A value given on the command line. ``option`` is the option as typed, ``--limit``."""

    option: str
    value: object


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """``origins`` has an entry for every key; ``file`` is the settings file that was read, if any."""

    settings: Settings
    origins: Mapping[str, Origin]
    file: Path | None


@dataclass(frozen=True, slots=True)
class _Given:
    """One value before validation."""

    key: str
    value: object
    origin: Origin


def load_settings(
    *,
    config: Path | None = None,
    flags: Mapping[str, Flag] | None = None,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> LoadedSettings:
    """Read all sources. ``flags`` maps dotted keys to values, a value of None meaning "not given".

    Raises ``SettingsError`` with one sentence for each key at fault.
    """
    environ = os.environ if environ is None else environ
    cwd = Path.cwd() if cwd is None else cwd
    file = find_file(config, environ, cwd)
    problems: list[SettingProblem] = []
    given = [
        *(_from_file(file, problems) if file else ()),
        *_from_environment(environ, problems),
        *(_Given(key, flag.value, Origin(OriginKind.FLAG, flag.option)) for key, flag in (flags or {}).items()),
    ]
    given = [item for item in given if item.value is not None]
    fields = dict(setting_fields())
    origins = dict.fromkeys(fields, Origin(OriginKind.DEFAULT))
    sections: dict[str, dict[str, object]] = {section: {} for section in Settings.model_fields}
    for item in _without_orphans(given):
        read = {OriginKind.FILE: read_toml, OriginKind.ENVIRONMENT: read_text}.get(item.origin.kind, read_typed)
        base = file.parent if file and item.origin.kind is OriginKind.FILE else cwd
        result = read(fields[item.key], item.value, base)
        if isinstance(result, Refusal):
            problems.append(_problem(item, result))
            continue
        section, _, name = item.key.partition(".")
        sections[section][name] = result
        origins[item.key] = item.origin
    if problems:
        raise SettingsError(tuple(problems))
    return LoadedSettings(Settings.model_validate(sections), origins, file)


def find_file(config: Path | None, environ: Mapping[str, str], cwd: Path) -> Path | None:
    """The settings file in use, absolute. A file that was named and does not exist is an error, not a default."""
    named = config or (Path(environ[CONFIG_VARIABLE]) if environ.get(CONFIG_VARIABLE) else None)
    if named is None:
        return next((place for place in search_places(cwd) if place.is_file()), None)
    path = cwd / named.expanduser()
    if not path.is_file():
        source = "--config" if config else CONFIG_VARIABLE
        raise SettingsError((SettingProblem("", source, words.settings_file_absent(source, str(path))),))
    return path


def search_places(cwd: Path) -> tuple[Path, ...]:
    """Where a settings file is looked for when none is named, first hit wins."""
    return cwd / FILE_NAME, Path(platformdirs.user_config_dir(APPLICATION, appauthor=False)) / FILE_NAME


def variable_of(key: str) -> str:
    """``ledger.limit`` → ``REVIEWBOT_LEDGER__LIMIT``."""
    return PREFIX + key.replace(".", "__").upper()


def _without_orphans(given: Sequence[_Given]) -> Iterator[_Given]:
    strength = list(OriginKind).index
    for item in given:
        owner = _OWNERS.get(item.key)
        kinds = [other.origin.kind for other in given if other.key == owner]
        if item.origin.kind not in kinds or max(map(strength, kinds)) == strength(item.origin.kind):
            yield item


def _from_file(path: Path, problems: list[SettingProblem]) -> Iterator[_Given]:
    known = [key for key, _ in setting_fields()]
    for section, table in _parse(path).items():
        if not isinstance(table, dict) or section not in Settings.model_fields:
            names = [f"{section}.{name}" for name in table] if isinstance(table, dict) and table else [section]
            for name in names:
                problems.append(_unknown(name, str(path), known))
            continue
        for name, value in table.items():
            key = f"{section}.{name}"
            if key in known:
                yield _Given(key, value, Origin(OriginKind.FILE, str(path)))
            else:
                problems.append(_unknown(key, str(path), known))


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        sentence = words.settings_file_unreadable(str(path), error.strerror or str(error))
    except UnicodeDecodeError:
        sentence = words.settings_file_not_utf8(str(path))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        sentence = words.settings_file_not_toml(str(path), (place[1], place[2]) if place else None)
    raise SettingsError((SettingProblem("", str(path), sentence),))


def _from_environment(environ: Mapping[str, str], problems: list[SettingProblem]) -> Iterator[_Given]:
    keys = {variable_of(key): key for key, _ in setting_fields()}
    for variable, text in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE or _KUBERNETES.fullmatch(variable):
            continue
        if variable in keys:
            yield _Given(keys[variable], text or None, Origin(OriginKind.ENVIRONMENT, variable))
        else:
            nearest = get_close_matches(variable, [*keys, CONFIG_VARIABLE], n=1)
            sentence = words.unknown_variable(variable, nearest[0] if nearest else None)
            problems.append(SettingProblem(variable, variable, sentence))


def _unknown(key: str, source: str, known: list[str]) -> SettingProblem:
    """The nearest right name: the same name in another section first, then the most similar spelling."""
    last = key.rpartition(".")[2]
    same = [name for name in known if name.rpartition(".")[2] == last]
    nearest = same if len(same) == 1 else get_close_matches(key, known, n=1)
    return SettingProblem(key, source, words.unknown_setting(key, source, nearest[0] if nearest else None))


def _problem(item: _Given, refusal: Refusal) -> SettingProblem:
    kind, name = item.origin.kind.value, item.origin.name
    return SettingProblem(item.key, name, words.wrong_setting(kind, name, item.key, refusal.expected, refusal.shown))
