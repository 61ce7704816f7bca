"""Who sent it: HMAC-SHA256 over the raw bytes, with a secret that only the forge and we know.

``X-Hub-Signature-256`` (GitHub), ``X-GitCode-Signature-256`` and ``X-AtomGit-Signature-256`` (the same backend under
two names) all carry ``sha256=<hex>``. Header names are compared in any case.

``X-GitCode-Token`` carries a password in clear instead. It is refused: it travels with every delivery, ends up in the
logs of every proxy on the way, and vouches for no byte of the body. The hook is told to use a signature key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from reviewbot.forges.models import ForgeKind

HEADERS = {
    ForgeKind.GITHUB: ("x-hub-signature-256",),
    ForgeKind.ATOMGIT: ("x-gitcode-signature-256", "x-atomgit-signature-256"),
}
_PASSWORDS = {ForgeKind.GITHUB: (), ForgeKind.ATOMGIT: ("x-gitcode-token", "x-atomgit-token")}
_SIGNATURE = re.compile(r"sha256=(?P<digest>[0-9a-fA-F]{64})")


class SignatureFault(StrEnum):
    MISSING = "missing"
    MALFORMED = "malformed"
    WRONG = "wrong"
    PASSWORD = "password"  # a password in clear and no signature


def sign(secret: str, body: bytes) -> str:
    """The header's value for ``body``."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def signature_fault(
    forge: ForgeKind, headers: Mapping[str, str], body: bytes, secrets: Sequence[str]
) -> SignatureFault | None:
    """None when one of ``secrets`` signed ``body``; ``headers`` have names in lower case.

    Every secret is tried whatever the others gave, so the time says nothing of which one it was. An empty secret never
    counts: everybody knows it.
    """
    said = [headers[name] for name in HEADERS[forge] if name in headers]
    if not said:
        password = any(name in headers for name in _PASSWORDS[forge])
        return SignatureFault.PASSWORD if password else SignatureFault.MISSING
    digests = [match["digest"].lower() for value in said if (match := _SIGNATURE.fullmatch(value.strip()))]
    if not digests:
        return SignatureFault.MALFORMED
    expected = [sign(secret, body).removeprefix("sha256=") for secret in secrets if secret]
    right = [hmac.compare_digest(digest, other) for digest in digests for other in expected]
    return None if any(right) else SignatureFault.WRONG
