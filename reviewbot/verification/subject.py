"""Tells whether a sentence speaks about the code of torch_npu, and therefore has to cite.

Contract: ``needs_citation`` errs on the side of asking. A relation word, a hit count or a statement on signatures is
about torch_npu unless the sentence speaks of upstream alone; to mention torch_npu, 下游 or NPU 侧 is enough by itself,
except in a sentence that only says how to verify or what could go wrong. The trap is the lead 验证方法：, behind which
a plain assertion could hide: such a sentence must say what to run, and name no downstream place.
"""

from __future__ import annotations

import re

from reviewbot.verification.claims import find_claims
from reviewbot.verification.context import Context
from reviewbot.verification.reading import Sentence

_LEAD = re.compile(r"\s*[^\uff1a:]*[\uff1a:]")
_NPU_IN_NAME = re.compile(r"npu", re.IGNORECASE)
_COLONS = ("\uff1a", ":")
_DETAIL_PATTERNS = ("calls_original", "signature_same", "signature_differs")


def mentions_downstream(sentence: Sentence, context: Context) -> bool:
    """torch_npu, the name of the tree, 下游, NPU 侧 and the like stand in the prose."""
    if any(context.is_plain(name.name) and _NPU_IN_NAME.search(name.name) for name in sentence.names):
        named = [name.name for name in sentence.names]
        if "torch_npu" in named or context.ledger.downstream in named:
            return True
    return context.lexicon["downstream"].search(sentence.masked) is not None


def names_downstream_code(sentence: Sentence, context: Context) -> bool:
    """A path of the downstream tree, or a symbol with ``npu`` in it that the change does not have."""
    if any(context.is_downstream(mention.path) for mention in sentence.paths):
        return True
    return any(
        _NPU_IN_NAME.search(name.name) and not context.is_plain(name.name) and not context.known.in_change(name.name)
        for name in sentence.names
    )


def speaks_of_upstream(sentence: Sentence, context: Context) -> bool:
    """Upstream is the subject: it is named (上游, 本 PR), or only its files are, and torch_npu is not mentioned."""
    if mentions_downstream(sentence, context) or names_downstream_code(sentence, context):
        return False
    if context.cited_items(sentence.cited):
        return False
    if context.lexicon["upstream"].search(sentence.masked):
        return True
    return any(context.in_change(mention.path) for mention in sentence.paths)


def states_coupling(sentence: Sentence, context: Context) -> bool:
    """A relation word, a hit, or a statement on signature or call-back stands in the prose."""
    if find_claims(sentence):
        return True
    return any(context.lexicon[name].search(sentence.masked) for name in _DETAIL_PATTERNS)


def needs_citation(sentence: Sentence, context: Context) -> bool:
    """True when the sentence states a fact about torch_npu's code."""
    if names_downstream_code(sentence, context):
        return True
    advice = advises(sentence, context)
    if states_coupling(sentence, context) and not speaks_of_upstream(sentence, context) and not advice:
        return True
    if not mentions_downstream(sentence, context):
        return False
    if advice is None:
        return True
    body = sentence.masked[_lead_end(sentence.masked) :]
    return context.lexicon[f"{advice}_verbs"].search(body) is None


def _lead_end(prose: str) -> int:
    lead = _LEAD.match(prose)
    return lead.end() if lead else 0


def advises(sentence: Sentence, context: Context) -> str | None:
    """``verification``, ``risk`` or ``impact`` when the sentence is led by such a word and a colon.

    What such a sentence says of couplings is general (覆写若依赖旧约定，会出错) and is held against the whole ledger.
    """
    prose = sentence.masked.lstrip()
    for kind in ("verification", "risk", "impact"):
        lead = context.lexicon[f"{kind}_leads"].match(prose)
        if lead and prose[lead.end() : lead.end() + 1] in _COLONS:
            return kind
    return None
