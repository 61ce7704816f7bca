"""Which thread an address names."""

from __future__ import annotations

import pytest

from reviewbot.cli.service.address import thread_at
from reviewbot.settings import Settings
from reviewbot.settings_service import GithubSettings

SETTINGS = Settings()
ENTERPRISE = Settings(github=GithubSettings(api_url="https://git.mill.example:8443/api/v3"))


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://github.com/mill/gears/pull/7", "github:mill/gears#pull/7"),
        ("github.com/mill/gears/pull/7/files?w=1#diff", "github:mill/gears#pull/7"),
        ("https://github.com/mill/gears/issues/7", "github:mill/gears#issue/7"),
        ("https://gitcode.com/Mill/gears/pull/7", "atomgit:Mill/gears#pull/7"),
        ("https://gitcode.com/Mill/gears/pulls/7", "atomgit:Mill/gears#pull/7"),
        ("https://atomgit.com/Mill/gears/merge_requests/7", "atomgit:Mill/gears#pull/7"),
        ("https://atomgit.com/org/sub/gears/-/merge_requests/7", "atomgit:org/sub/gears#pull/7"),
        ("local:mill/gears#pull/7", "local:mill/gears#pull/7"),
    ],
)
def test_addresses(address: str, key: str) -> None:
    found = thread_at(address, SETTINGS)
    assert found is not None
    assert found.key == key


def test_an_enterprise_host_takes_the_place_of_github() -> None:
    found = thread_at("https://git.mill.example:8443/mill/gears/pull/7", ENTERPRISE)
    assert found is not None
    assert found.key == "github:mill/gears#pull/7"
    assert thread_at("https://github.com/mill/gears/pull/7", ENTERPRISE) is None


@pytest.mark.parametrize(
    "address",
    [
        "",
        "7",
        "https://github.com/mill/gears",
        "https://github.com/mill/gears/pull/0",
        "https://github.com/mill/gears/pull/7x",
        "https://github.com.evil.example/mill/gears/pull/7",
        "https://github.com@evil.example/mill/gears/pull/7",
        "ftp://github.com/mill/gears/pull/7",
        "https://[github.com/mill/gears/pull/7",
        "gitlab:mill/gears#pull/7",
        "local:mill/gears#pull/0",
    ],
)
def test_what_names_no_thread(address: str) -> None:
    assert thread_at(address, SETTINGS) is None
