"""The forge that the settings describe: one set of buckets per process, and one sentence for what is missing."""

from __future__ import annotations

import pytest

from reviewbot.errors import SettingsError
from reviewbot.forges.models import ForgeKind
from reviewbot.forges.opening import open_forge
from reviewbot.forges.pacing import Bucket
from reviewbot.settings import Settings


def buckets(held: object) -> list[int]:
    """The identities of all buckets in an adapter and its client."""
    found = []
    for value in vars(held).values():
        if isinstance(value, Bucket):
            found.append(id(value))
        elif type(value).__module__.startswith("reviewbot.forges") and hasattr(value, "__dict__"):
            found += buckets(value)
    return found


@pytest.mark.parametrize(("kind", "count"), [(ForgeKind.GITHUB, 2), (ForgeKind.ATOMGIT, 1)])
def test_forges_of_a_process_share_their_buckets(kind: ForgeKind, count: int) -> None:
    settings = Settings.model_validate({"github": {"token": "t"}, "atomgit": {"token": "t"}})
    first, second = open_forge(kind, settings), open_forge(kind, settings)
    assert buckets(first) == buckets(second)
    assert len(set(buckets(first))) == count
    first.close()
    second.close()


@pytest.mark.parametrize(
    ("kind", "given", "key"),
    [
        (ForgeKind.GITHUB, {"github": {"app_id": 1}}, "github.app_key_file"),
        (ForgeKind.ATOMGIT, {}, "atomgit.token"),
        (ForgeKind.LOCAL, {}, "local.dir"),
    ],
)
def test_what_is_missing_is_named(kind: ForgeKind, given: dict[str, object], key: str) -> None:
    with pytest.raises(SettingsError, match=key.replace(".", r"\.")):
        open_forge(kind, Settings.model_validate(given))
