"""Language and length: Chinese for readers, code kept verbatim, bounds of the record.

Code-like tokens (paths, symbols, ids, quoted code) do not count. Of the rest, Han characters are weighed against words
in other scripts, because PyTorch prose keeps English terms: 将 lowering 的 fallback 改为… is Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewbot.models import Finding, FindingKind
from reviewbot.verification import words
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence

#: Of Han characters and foreign words together; a sentence may lean on English terms more than a paragraph may.
SENTENCE_SHARE = 0.35
TEXT_SHARE = 0.6
#: Characters as rendered, ids resolved.
MAX_ANALYSIS = 900
MAX_SUMMARY = 120

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_FOREIGN = re.compile(r"[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]+")


def chinese_share(*sentences: Sentence) -> float | None:
    """Han characters over Han characters and foreign words of the prose; None when there is no prose."""
    han = sum(len(_HAN.findall(sentence.masked)) for sentence in sentences)
    foreign = sum(len(_FOREIGN.findall(sentence.masked)) for sentence in sentences)
    return han / (han + foreign) if han + foreign else None


def not_chinese(sentence: Sentence, context: Context) -> Iterator[Finding]:
    """NOT_CHINESE for a sentence mostly in another language, or in characters that no pattern of the lexicon knows."""
    share = chinese_share(sentence)
    if share is not None and share < SENTENCE_SHARE:
        yield Finding(kind=FindingKind.NOT_CHINESE, sentence=sentence.text, message=words.not_chinese())
    irregular = "".join(dict.fromkeys(char for char in _HAN.findall(sentence.masked) if not _is_regular(char, context)))
    if irregular:
        yield Finding(kind=FindingKind.NOT_CHINESE, sentence=sentence.text, message=words.irregular(irregular))


def _is_regular(char: str, context: Context) -> bool:
    """In GB 2312, the character set of simplified Chinese, or in a word of the lexicon's own."""
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return any(char in word for word in context.lexicon.raw.downstream)
    return True
