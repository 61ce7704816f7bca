"""What a judge reads: the form, then the change, its delta and hunks, the ledger and the paragraph. Pure.

Contract: nothing in it comes from people's labels, the rules or the draft's own labels: a judge sees what a person with
the sheet, the pull request and torch_npu at hand would see. All but the form enters by `outside`.
"""

from __future__ import annotations

from functools import cache

from evals.judge import words
from evals.judge.cases import Case
from evals.judge.form import form_text, judge_prompt
from retrieval.models import ChangedFile, Ledger, UpstreamChange
from reviewbot.citations import cite_item
from reviewbot.couplings import citable
from reviewbot.drafting.model import words as model_words
from reviewbot.drafting.model.change_text import change_text, delta_text, manifest_text
from reviewbot.drafting.model.hunks import hunks_text
from reviewbot.drafting.model.ledger_text import ledger_text
from reviewbot.drafting.model.outside import block, told, told_line
from reviewbot.drafting.model.prompt import PER_MESSAGE, Message
from reviewbot.drafting.model.tokens import Count
from reviewbot.render.export import AnalysisExport, ChangeExport
from reviewbot.rubric.situation import Situation

#: Shares of the room that form, change, files and paragraph leave; hunks get the rest.
_LEDGER_SHARE, _DELTA_SHARE = 0.5, 0.15


@cache
def prefix() -> str:
    """The same for every paragraph, so that providers cache it."""
    return judge_prompt().filled(form=form_text())


def messages_for(case: Case, room: int, count: Count) -> tuple[Message, ...]:
    """One question in about ``room`` tokens, as far as the parts that must be there allow."""
    analysis = case.analysis
    change = change_of(analysis.change)
    ledger = cited_first(analysis.ledger, analysis.draft.cited)
    situation = Situation(change, analysis.delta, ledger)
    head = [
        block(model_words.CHANGE, change_text(change, count)),
        block(model_words.MANIFEST, manifest_text(change)),
    ]
    end = [
        block(words.PLACES, _places(analysis)),
        block(words.PARAGRAPH, told(case.paragraph)),
    ]
    left = room - count(prefix()) - sum(map(count, (*head, *end))) - 2 * PER_MESSAGE
    places = ledger_text(ledger, int(left * _LEDGER_SHARE), count)
    delta = delta_text(situation, int(left * _DELTA_SHARE), count)
    hunks = hunks_text(situation, left - count(places.text) - count(delta), count)
    middle = [
        block(model_words.DELTA, delta),
        block(model_words.HUNKS, hunks.text),
        block(model_words.LEDGER, places.text),
    ]
    return Message("system", prefix()), Message("user", "\n\n".join([*head, *middle, *end]))


def change_of(told: ChangeExport) -> UpstreamChange:
    """The change of a kept analysis, with the hunks that were kept."""
    files = tuple(
        ChangedFile(**file.model_dump(exclude={"added", "removed", "hunks"}), hunks=file.hunks or ())
        for file in told.files
    )
    return UpstreamChange(**told.model_dump(exclude={"files", "added", "removed"}), files=files)


def cited_first(ledger: Ledger, cited: tuple[str, ...]) -> Ledger:
    """What the paragraph rests on is not what a short prompt leaves out: the end of the ledger goes first."""
    relied_on = {one.partition(".")[0] for one in cited}
    items = sorted(ledger.items, key=lambda item: item.id not in relied_on)
    return ledger.model_copy(update={"items": tuple(items)})


def _places(analysis: AnalysisExport) -> str:
    """How the printed places and the ids of the ledger go together."""
    places = {one: cite_item(item) for one, item in citable(analysis.ledger).items()}
    lines = [words.printed_place(one, told_line(places[one])) for one in analysis.draft.cited if one in places]
    return "\n".join(lines) or words.NO_PLACES
