"""Shapes of secrets, and their removal.

Shapes, not lengths: tokens change their length without notice. A private key is taken to its end mark, or to the end of
the text when that is missing, since a cut key is still a key.
"""

from __future__ import annotations

import re

from reviewbot.render import words

_SHAPES = (
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{8,}",
    r"(?<![A-Za-z0-9])gh[opsur]_[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-]){7,}",
    r"(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|cbt|ft|soat)-[A-Za-z0-9_.-]{8,}",
    r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}",
    r"(?<![A-Za-z0-9_-])sk-[A-Za-z0-9](?:[A-Za-z0-9_-]{14,})",
    r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{8,}",
    r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{20,}",
    r"(?<![A-Za-z0-9])(?:hf|npm|pypi)_[A-Za-z0-9_-]{16,}",
    r"(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{16,}",
    r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
)
_SECRET = re.compile("|".join(f"(?:{shape})" for shape in _SHAPES), re.DOTALL)

#: Values behind a name that says they are secret; the name stays.
_NAMED = re.compile(
    r"(?P<name>(?:authorization\s*[:=]\s*(?:bearer|basic|token)|private-token\s*[:=]|access_token\s*=|bearer)\s*)"
    r"(?P<value>[A-Za-z0-9._~+/=-]{8,})",
    re.IGNORECASE,
)
_URL_LOGIN = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)[^\s/@:<>\"']+:[^\s/@<>\"']*@")


def redact(text: str) -> str:
    """``text`` with every secret replaced by a mark; redacting twice changes nothing."""
    text = _SECRET.sub(words.SECRET, text)
    text = _URL_LOGIN.sub(lambda match: f"{match['scheme']}{words.SECRET}", text)
    return _NAMED.sub(lambda match: f"{match['name']}{words.SECRET}", text)
