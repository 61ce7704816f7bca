"""The report as one HTML file that needs nothing else: styles, script and figures are inside.

Every value from outside passes two gates on its way into the page: ``clean`` (nothing invisible, no secret) and Jinja's
autoescape. Only three things are trusted as they are: our style sheet, our script, and the figures, whose texts
matplotlib escapes. The page's own policy allows that one script by its hash and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evals.judge import view as judge_view
from evals.judge import words as judge_words
from evals.report import numbers, words
from evals.report.beating import MAIN_KEYS, sum_of_rates
from evals.report.building import Report
from evals.report.explaining import explain, label_values
from evals.report.page import words as page_words
from evals.report.reproducing import facts, run_command
from evals.report.rows import RecordRow, Standing
from evals.scores import words as score_words
from evals.scores.keys import Definition, Topic, definition
from evals.scores.label_values import VALUES
from evals.scores.models import Score
from retrieval.models import DefinitionChange
from reviewbot.citations import ID, ID_GROUP, cite_item
from reviewbot.models import needs_work
from reviewbot.precedents import CitedPlace
from reviewbot.render import places
from reviewbot.render import words as render_words
from reviewbot.render.labels import LABEL_ORDER
from reviewbot.render.scrub import clean

#: Value, what people read, and how many records have it.
Choice = tuple[str, str, int]


def as_html(report: Report, figures: Mapping[str, Markup] | None) -> str:
    """The page. ``figures`` are those of `draw_figures`, None without matplotlib: then tables stand in."""
    script = _shipped("filters.js")
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            report=report,
            figures=figures,
            style=_shipped("style.css"),
            script=script,
            script_hash=_hash(script),
            sections=[one for one in _SECTIONS if one[0] != "judge" or any(report.judge)],
            main_keys=MAIN_KEYS,
            main_names=[score_words.NAMES[key] for key in MAIN_KEYS],
            topics=_topics(report.sheet.scores),
            filters=_filters(report.rows),
            pending=len(report.of(Standing.PENDING)),
            command=run_command(report.manifest),
            manifest=[(words.manifest_name(key), value) for key, value in facts(report.manifest)],
        )
    )


_SECTIONS = (
    ("summary", page_words.SUMMARY),
    ("baselines", words.BASELINES),
    ("figures", page_words.FIGURES),
    ("batches", words.BATCHES),
    ("scores", words.SCORES),
    ("cost", page_words.COST),
    ("judge", judge_words.SUMMARY),
    ("rare", words.RARE),
    ("states", words.STATES),
    ("records", page_words.RECORDS),
    ("reproduce", words.REPRODUCE),
)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evals.report.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_cleaned,
    )
    environment.globals |= {
        "words": words,
        "page_words": page_words,
        "score_words": score_words,
        "judge_view": judge_view,
        "judge_words": judge_words,
        "render_words": render_words,
        "names": score_words.NAMES,
        "label_words": render_words.LABEL_WORDS,
        "label_order": LABEL_ORDER,
        "scored_labels": tuple(VALUES),
        "numbers": numbers,
        "places": places,
        "cite_item": cite_item,
        "explain": explain,
        "label_values": label_values,
        "needs_work": needs_work,
        "linked": linked,
        "sum_of_rates": sum_of_rates,
        "definition_words": _definition_words,
        "place_set": _place_set,
    }
    return environment


def _cleaned(value: Any) -> Any:
    """The first gate: text from outside, but not markup that we made."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _shipped(name: str) -> Markup:
    return Markup(files("evals.report.page").joinpath("templates", name).read_text(encoding="utf-8"))


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _topics(scores: Sequence[Score]) -> list[tuple[Topic, list[tuple[Score, Definition]]]]:
    """Scores with their definitions, by topic, in the sheet's order; costs have a table of their own."""
    defined = [(score, definition(score.key)) for score in scores if definition(score.key).topic is not Topic.COST]
    return [(topic, list(held)) for topic, held in groupby(defined, key=lambda pair: pair[1].topic)]


def _filters(rows: Sequence[RecordRow]) -> list[tuple[str, str, list[Choice]]]:
    """Name of the data attribute, text of "any", and the values that occur; one value alone needs no filter."""
    answered = [row.answer for row in rows if row.answer is not None]
    states = render_words.STATE_WORDS
    filters = [
        ("standing", page_words.FILTER_ANY_STANDING, _choices([row.standing for row in rows], words.STANDINGS)),
        ("state", page_words.FILTER_ANY_STATE, _choices([answer.state for answer in answered], states)),
        ("batch", page_words.FILTER_ANY_BATCH, _choices(sorted(row.record.batch for row in rows))),
        ("verdict", page_words.FILTER_ANY_VERDICT, _choices([row.record.labels.verdict for row in rows])),
        ("draft", page_words.FILTER_ANY_DRAFT, _choices([answer.labels.verdict for answer in answered])),
    ]
    return [one for one in filters if len(one[2]) > 1]


def _choices(values: Sequence[str], names: Mapping[str, str] | None = None) -> list[Choice]:
    """In the order of ``names``, else of first appearance."""
    counted = Counter(values)
    order = [value for value in names if value in counted] if names else list(counted)
    return [(value, names[value] if names else value, counted[value]) for value in order]


def linked(text: str, record: str) -> Markup:
    """``text`` with each ledger id in brackets as a link to its row in the record's ledger."""
    pieces, end = [], 0
    for group in ID_GROUP.finditer(text):
        for one in ID.finditer(text, *group.span(1)):
            pieces.append(Markup("{}").format(clean(text[end : one.start()])))
            pieces.append(Markup('<a href="#{}:{}">{}</a>').format(record, one[0].partition(".")[0], one[0]))
            end = one.end()
    return Markup("").join([*pieces, clean(text[end:])])


def _definition_words(change: DefinitionChange) -> str:
    return page_words.definition_change(change.kind, [one.words for one in change.signature_changes])


def _place_set(cited: Sequence[CitedPlace]) -> frozenset[tuple[str, str]]:
    return frozenset((one.path, one.scope) for one in cited)
