"""How text from outside enters a prompt: as data between marks that it cannot write.

A block is ``<资料 名称="diff">`` … ``</资料>``. Inside it every ``<资料`` and ``</资料``, and every mark by which a
chat template tells one speaker from another (``<|im_start|>``, ``[INST]``), is turned into its full-width twin, so
nothing inside can end its block or begin a turn. Invisible characters and secrets go first (`clean`), or they would
split what is looked for.

What this cannot do is keep a model from believing what it reads: that is what verification and guards are for.
"""

from __future__ import annotations

import re

from reviewbot.drafting.model import words
from reviewbot.render.scrub import clean

_LESS, _BRACKET = "\uff1c", "\uff3b"
_OWN_MARK = re.compile(rf"<(?=\s*/?\s*{words.BLOCK_TAG})")
#: Turn marks of chat templates: ChatML and its kin, DeepSeek, Gemma, Llama 2, Mistral.
_TURN = re.compile(
    r"<(?=[|\uff5c]|/?s>|/?(?:start|end)_of_turn>|<SYS>>|</SYS>>|/?think>|/?tool_call>)|\[(?=/?INST\]|/?SYSTEM_PROMPT\])"
)


def told(text: str) -> str:
    """Text of several lines as it may stand inside a block."""
    text = _OWN_MARK.sub(_LESS, clean(text))
    return _TURN.sub(lambda match: _LESS if match.group() == "<" else _BRACKET, text)


def told_line(text: str) -> str:
    """The same on one line: a file name with a line end cannot start a line of its own."""
    return " ".join(told(text).split())


def block(name: str, body: str) -> str:
    """``body``, which went through `told` part by part, between the marks of a block called ``name``."""
    return f"{words.block_open(name)}\n{body.rstrip()}\n{words.BLOCK_CLOSE}"
