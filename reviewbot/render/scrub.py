"""The one way out for text from outside: titles, bodies, paths, snippets, commands in comments, a model's sentences.

Contract: ``scrub`` returns text that mentions nobody, obeys no bot, holds no HTML, no live link, no secret and no
character that can't be seen; scrubbing twice changes nothing. ``clean`` does the part that holds for data, too (secrets
and invisible characters). Neutralised characters become their full-width twins (＠ ＜ ＆ ／), which read the same in
Markdown, in a terminal and in a spreadsheet, so there is one form for all of them; entities would have to be undone.

The trap is order: invisible characters go first, or they would split a token or a mention that the later steps look
for; commands come last, because only then is every line what a bot will read.
"""

from __future__ import annotations

import re
import unicodedata

from reviewbot.render.secrets import redact

_AMPERSAND, _AT, _LESS, _SLASH, _TILDE = "\uff06", "\uff20", "\uff1c", "\uff0f", "\uff5e"

_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_KEPT_CONTROLS = "\n\t"
#: Blank or combining characters that show nothing and are no format characters by category.
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: Text of these alone needs no look at each character: printable ASCII, Chinese, full-width forms.
_PLAIN = re.compile(r"[\n\t -~\u3001-\u303f\u4e00-\u9fff\uff01-\uff5e]*")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})

_ENTITY = re.compile(r"&(?=#|[A-Za-z][A-Za-z0-9]*;)")
_TAG = re.compile(r"<(?=[A-Za-z/!?@\uff20])")
_MENTION = re.compile(r"@(?=[\w\\-])")
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<host>[^\s/?#<>\"'`|()\[\]\u3000-\u303f\uff00-\uff1f]*)")
_BARE_HOST = re.compile(r"(?<![:\w/\]])//(?=[\w-]+\.)")
_WWW = re.compile(r"(?<![\w.])www\.", re.IGNORECASE)
_LINK = re.compile(r"\](?=[(\[])")
_FENCE = re.compile(r"`{3,}")
_TILDES = re.compile(r"^(\s*)~{3,}", re.MULTILINE)

#: What may stand before a command on its line: white space, quote, list and emphasis marks.
_LEAD = r"^(?P<lead>[\s>*+\-|`_#.)\d]*)"
_SLASH_COMMAND = re.compile(_LEAD + r"/(?=[A-Za-z][\w-]*(?:[^\w/.-]|[.](?:\s|$)|$))", re.MULTILINE)
_WORD_COMMANDS = (
    "compile",
    "retry",
    "stop",
    "get-log",
    "check-cla",
    "check-pr",
    "recheck",
    "retest",
    "rebuild",
    "rerun",
    "merge",
    "lgtm",
    "approve",
    "bors",
    "ok to test",
    "test this please",
)
_WORD_COMMAND = re.compile(
    _LEAD + r"(?P<line>(?:" + "|".join(_WORD_COMMANDS) + r")(?:[ \t]+[\w./:#+-]+){0,2}[ \t]*[.!`*_]*)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)


def clean(text: str) -> str:
    """Line ends made ``\\n``, everything that can't be seen removed, secrets masked."""
    if _PLAIN.fullmatch(text):
        return redact(text)
    text = _LINE_ENDS.sub("\n", text)
    text = _BLANKS.sub("", text)
    seen = (char for char in text if char in _KEPT_CONTROLS or unicodedata.category(char) not in _INVISIBLE_CATEGORIES)
    return redact("".join(seen))


def scrub(text: str) -> str:
    """Text that can be posted, stored in a table or printed; see the module docstring."""
    text = clean(text)
    text = _ENTITY.sub(_AMPERSAND, text)
    text = _MENTION.sub(_AT, text)
    text = _TAG.sub(_LESS, text)
    text = _URL.sub(_defang, text)
    text = _BARE_HOST.sub("/ /", text)
    text = _WWW.sub("www[.]", text)
    text = _LINK.sub("] ", text)
    text = _FENCE.sub("'''", text)
    text = _TILDES.sub(rf"\1{_TILDE * 3}", text)
    return _disarm(text)


def scrub_line(text: str) -> str:
    """One line: white space folded, then ``scrub``."""
    return scrub(" ".join(clean(text).split()))


def _defang(match: re.Match[str]) -> str:
    return f"{match['scheme']}[:]//{match['host'].replace('.', '[.]')}"


def _disarm(text: str) -> str:
    """No line is a command any more: ／lgtm, 「retry」."""
    text = _SLASH_COMMAND.sub(rf"\g<lead>{_SLASH}", text)
    return _WORD_COMMAND.sub(lambda match: f"{match['lead']}\u300c{match['line'].rstrip()}\u300d", text)
