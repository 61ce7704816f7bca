"""GitHub's recorded deliveries: the npm package @octokit/webhooks-examples, pinned by version and hash.

They are fetched once by the ``npm`` client into the cache directory of the settings. Without client or network the
tests skip and say why, unless ``REQUIRE_REAL_DATA`` is set: then they fail.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from reviewbot.settings_sources import load_settings

_PACKAGE = "@octokit/webhooks-examples@7.6.1"
_FILE = "octokit-webhooks-examples-7.6.1.tgz"
_SHA256 = "89e6cb1c6345d32e3dd775617fa54effbdc26c859e514898d7728e95e9738280"
_MEMBER = "package/api.github.com/index.json"


class Example(NamedTuple):
    event: str
    action: str
    payload: dict[str, Any]


def examples() -> tuple[Example, ...]:
    """All of them, in the order of the package."""
    with tarfile.open(_tarball()) as archive:
        member = archive.extractfile(_MEMBER)
        assert member is not None
        events = json.load(member)
    return tuple(_of(events))


def _of(events: list[dict[str, Any]]) -> Iterator[Example]:
    for event in events:
        for payload in event["examples"]:
            yield Example(event["name"], payload.get("action") or "", payload)


def _tarball() -> Path:
    kept = load_settings().settings.cache.dir / "webhook-examples" / _FILE
    if not _is_pinned(kept):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            fetched = _fetched(Path(folder))
            assert _is_pinned(fetched), f"{_FILE} is not the one that was pinned"
            fetched.replace(kept)
    return kept


def _fetched(folder: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        _missing("there is no npm client")
    command = [npm, "pack", "--silent", _PACKAGE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        _missing(f"npm pack failed: {done.stderr.strip()[-300:]}")
    return folder / _FILE


def _is_pinned(file: Path) -> bool:
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == _SHA256


def _missing(why: str) -> NoReturn:
    reason = f"no recorded deliveries of GitHub: {why}"
    if os.environ.get("REQUIRE_REAL_DATA"):
        pytest.fail(reason)
    pytest.skip(reason)
