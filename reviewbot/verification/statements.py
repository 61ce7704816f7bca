"""What a sentence says that the flags also say: must change, need not change, reaches NPU, reverted, verdict, risk.

Contract: ``read_statements`` looks at prose with code removed. A condition (若 NPU 接入则需修改) and a question
(需确认是否修改) state nothing; 无需修改 is the opposite of 需修改 though it contains it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewbot.verification.context import Context
from reviewbot.verification.lexicon import Lexicon
from reviewbot.verification.reading import BLANK, Sentence
from reviewbot.verification.subject import speaks_of_upstream


@dataclass(frozen=True)
class Statements:
    must_change: bool = False
    no_change_needed: bool = False
    npu_affected: bool = False
    npu_unaffected: bool = False
    cann_change: bool = False
    reverted: bool = False
    verdict: str | None = None
    risk: str | None = None


_STOP = "\ufffd"


def read_statements(sentence: Sentence, context: Context) -> Statements:
    lexicon = context.lexicon
    prose = sentence.masked.replace(BLANK, "")
    conditional = lexicon["conditionals"].search(prose)
    firm = prose[: conditional.start()] if conditional else prose
    upstream = speaks_of_upstream(sentence, context)
    verdict = lexicon["verdict_said"].search(_plain_verdicts(sentence))
    return Statements(
        must_change=_must_change(firm, lexicon) and not upstream,
        no_change_needed=_no_change(prose, lexicon, upstream=upstream),
        npu_affected=_npu_affected(firm, lexicon),
        npu_unaffected=lexicon["npu_unaffected"].search(firm) is not None,
        cann_change=_cann_change(firm, lexicon),
        reverted=lexicon["reverted"].search(prose) is not None,
        verdict=next((group for group in verdict.groups() if group), None) if verdict else None,
        risk=_risk(prose, lexicon),
    )


def _plain_verdicts(sentence: Sentence) -> str:
    """Quoted verdicts count too: the prose with backticks, not the mask."""
    return re.sub(r"[`\u300c\u300d\u201c\u201d\"]", "", sentence.text)


def _must_change(prose: str, lexicon: Lexicon) -> bool:
    plain = lexicon["not_needed"].sub(_STOP, prose)
    plain = lexicon["must_look_alikes"].sub(_STOP, plain)
    return lexicon["must_change"].search(plain) is not None


def _no_change(prose: str, lexicon: Lexicon, *, upstream: bool) -> bool:
    """无需修改 …, unless what need not change is an interface, a test or upstream's code; 无需适配 is always ours."""
    for match in lexicon["no_change_needed"].finditer(prose):
        if upstream and not lexicon["adaptation_words"].search(match.group()):
            continue
        if not lexicon["no_change_object"].match(prose, match.end()) and not lexicon["no_change_object"].search(
            match.group()
        ):
            return True
    return False


def _npu_affected(prose: str, lexicon: Lexicon) -> bool:
    """影响 NPU 用户 that no 不 or 未 denies and no 可能 weakens."""
    for match in lexicon["npu_affected"].finditer(prose):
        before = prose[max(0, match.start() - 6) : match.start()]
        if not re.search(lexicon["affected_denials"].pattern, before):
            return True
    return False


def _cann_change(prose: str, lexicon: Lexicon) -> bool:
    return lexicon["cann_change"].search(lexicon["cann_look_alikes"].sub(_STOP, prose)) is not None


def _risk(prose: str, lexicon: Lexicon) -> str | None:
    match = lexicon["risk_said"].search(prose)
    if match is None:
        return None
    word = next(group for group in match.groups() if group)
    return lexicon.raw.risk_levels[word]
