"""Signatures: the documented example, both names of a backend, secrets in rotation, and everything that is refused."""

from __future__ import annotations

import pytest

from reviewbot.events.signatures import SignatureFault, sign, signature_fault
from reviewbot.forges.models import ForgeKind

GITHUB, ATOMGIT = ForgeKind.GITHUB, ForgeKind.ATOMGIT
BODY = b'{"a": 1}'


def test_the_example_of_github_s_documentation() -> None:
    signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert sign("It's a Secret to Everybody", b"Hello, World!") == signature


@pytest.mark.parametrize(
    ("forge", "header"),
    [
        (GITHUB, "x-hub-signature-256"),
        (ATOMGIT, "x-gitcode-signature-256"),
        (ATOMGIT, "x-atomgit-signature-256"),
    ],
)
@pytest.mark.parametrize("secret", ["new", "old"])
def test_any_secret_in_rotation_opens(forge: ForgeKind, header: str, secret: str) -> None:
    headers = {header: sign(secret, BODY)}
    assert signature_fault(forge, headers, BODY, ("new", "old")) is None
    assert signature_fault(forge, headers, BODY + b" ", ("new", "old")) is SignatureFault.WRONG
    assert signature_fault(forge, headers, BODY, ("newer",)) is SignatureFault.WRONG


@pytest.mark.parametrize(
    ("headers", "fault"),
    [
        ({}, SignatureFault.MISSING),
        ({"x-hub-signature": "sha1=00"}, SignatureFault.MISSING),
        ({"x-gitcode-signature-256": sign("s", BODY)}, SignatureFault.MISSING),
        ({"x-hub-signature-256": ""}, SignatureFault.MALFORMED),
        ({"x-hub-signature-256": "sha256=é"}, SignatureFault.MALFORMED),
        ({"x-hub-signature-256": sign("s", BODY).removeprefix("sha256=")}, SignatureFault.MALFORMED),
        ({"x-hub-signature-256": sign("s", BODY)[:-1]}, SignatureFault.MALFORMED),
    ],
)
def test_what_is_no_signature(headers: dict[str, str], fault: SignatureFault) -> None:
    assert signature_fault(GITHUB, headers, BODY, ("s",)) is fault


def test_a_password_in_clear_is_refused_even_when_it_is_right() -> None:
    assert signature_fault(ATOMGIT, {"x-gitcode-token": "s"}, BODY, ("s",)) is SignatureFault.PASSWORD


def test_an_empty_secret_opens_to_nobody() -> None:
    assert signature_fault(GITHUB, {"x-hub-signature-256": sign("", BODY)}, BODY, ("",)) is SignatureFault.WRONG
