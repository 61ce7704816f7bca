"""The writer that needs no model: delta, ledger and prior put into one Chinese paragraph, in the rubric's order."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.models import Delta, Ledger, UpstreamChange
from reviewbot.drafting.brief import Brief
from reviewbot.drafting.consequences import consequences
from reviewbot.drafting.hits import findings
from reviewbot.drafting.phrases import load_phrases, template_version
from reviewbot.drafting.piece import ESSENTIAL, LONGEST, as_text, fitted, rendered_length
from reviewbot.drafting.upstream import opening, summary
from reviewbot.drafting.writer import Dossier, Written
from reviewbot.models import Draft, Finding, Prior
from reviewbot.rubric.situation import Situation

WRITER = "template"
#: What an analysis stores, so that a text can be told from one that another set of phrases would give.
TEMPLATE_VERSION = template_version()

#: How many clauses say what the change does, tried from the first until all that is essential fits.
_ACTS = (4, 2, 1, 0)


class TemplateWriter:
    """Writes every draft from phrases; costs nothing and has nothing to repair."""

    name = WRITER

    @property
    def versions(self) -> dict[str, str]:
        return {"template": TEMPLATE_VERSION}

    def write(self, dossier: Dossier) -> Written:
        return Written(draft=write_draft(dossier.change, dossier.delta, dossier.ledger, dossier.prior))

    def repair(self, dossier: Dossier, written: Written, findings: Sequence[Finding]) -> None:
        """The same facts give the same sentences: there is no second draft."""


def write_draft(change: UpstreamChange, delta: Delta, ledger: Ledger, prior: Prior) -> Draft:
    """A draft with the labels of ``prior``; the paragraph cites ledger ids and, rendered, stays under 900 characters.

    It cites the top item of a ledger that has one and states a counted miss of one that has none.
    """
    brief = Brief(Situation(change, delta, ledger), prior, load_phrases())
    return Draft(
        labels=prior.labels,
        needs_work_score=prior.needs_work_score,
        summary=summary(brief),
        analysis=_paragraph(brief),
        writer=WRITER,
    )


def _paragraph(brief: Brief) -> str:
    end = brief.phrases.say("sentence", text="")
    rest = [*findings(brief), *consequences(brief)]
    for most_acts in _ACTS:
        pieces = [*opening(brief, most_acts), *rest]
        if rendered_length([one for one in pieces if one.weight >= ESSENTIAL], brief.ledger, end) <= LONGEST:
            break
    return as_text(fitted(pieces, brief.ledger, end), end)
