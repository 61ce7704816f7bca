"""The page: whole, self-contained, safe against what it shows, and its numbers are those of the scores."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from markupsafe import Markup

from evals.report import numbers, words
from evals.report.beating import MAIN_KEYS, sum_of_rates
from evals.report.building import Report, build_report
from evals.report.page import words as page_words
from evals.report.page.figures import draw_figures
from evals.report.page.html import as_html, linked
from evals.run.judging import scoring_of
from evals.scores.keys import Topic, definition
from tests.evals.report_scene import FALSE_SENTENCE, OBJECTION, Scene

VOID = {"meta", "input", "br", "link", "img", "hr"}
HOSTILE = "</script><script>alert(1)</script>\x00\u202egnp.exe\u2066 \" onclick='x' & <b> {{ 7 * 7 }} $x^2$"


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self) -> list[Element]:
        return [self, *(below for child in self.children for below in child.all())]

    def find(self, tag: str, **attributes: str) -> list[Element]:
        """By tag and attributes; ``data_x`` stands for ``data-x``, ``class_`` for one of the classes."""
        return [one for one in self.all() if one.tag == tag and all(map(one.has, attributes, attributes.values()))]

    def has(self, name: str, value: str) -> bool:
        if name == "class_":
            return value in self.attributes.get("class", "").split()
        return self.attributes.get(name.replace("_", "-")) == value


class Reader(HTMLParser):
    """A tree that fails on tags that do not match; ``text`` of an element holds that of its children."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def read(page: str) -> Element:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [reader.root]
    return reader.root


@pytest.fixture(scope="module")
def report() -> Report:
    return Scene().report()


@pytest.fixture(scope="module")
def figures(report: Report) -> Mapping[str, Markup]:
    drawn = draw_figures(report.scoring, report.points)
    assert drawn is not None
    return drawn


@pytest.fixture(scope="module")
def page(report: Report, figures: Mapping[str, Markup]) -> str:
    return as_html(report, figures)


@pytest.fixture(scope="module")
def tree(page: str) -> Element:
    return read(page)


def cells(row: Element) -> list[str]:
    return [child.text.strip() for child in row.children if child.tag in {"td", "th"}]


def test_the_page_needs_nothing_from_anywhere(page: str, tree: Element) -> None:
    for element in tree.all():
        for name in ("src", "href", "xlink:href", "action", "srcset", "data", "poster"):
            assert element.attributes.get(name, "#").startswith("#"), (element.tag, element.attributes)
    assert not re.search(r"@import|url\((?!#)", page)
    assert "default-src 'none'" in tree.find("meta", http_equiv="Content-Security-Policy")[0].attributes["content"]
    assert tree.find("meta", charset="utf-8")


def test_ids_are_unique_and_every_link_leads_somewhere(tree: Element) -> None:
    ids = Counter(one.attributes["id"] for one in tree.all() if "id" in one.attributes)
    assert [name for name, count in ids.items() if count > 1] == []
    links = [one.attributes["href"][1:] for one in tree.find("a")]
    assert len(links) > len(Scene().records)
    assert not set(links) - set(ids)


def test_every_record_has_a_section_with_what_filters_and_order_need(tree: Element, report: Report) -> None:
    sections = tree.find("details", class_="record")
    assert [one.attributes["id"] for one in sections] == [row.record.id for row in report.rows]
    told = {one.attributes["id"]: one.attributes for one in sections}
    assert {name: one["data-standing"] for name, one in told.items()} == {
        "r001": "missed",
        "r002": "false_alarm",
        "r003": "agreed",
        "r004": "agreed",
        "r005": "error",
        "r006": "pending",
    }
    assert (told["r001"]["data-score"], told["r005"]["data-score"]) == ("0.25", "")
    assert told["r001"]["data-wrong"] == "risk"
    assert told["r004"]["data-state"] == "evidence_insufficient"
    assert (told["r001"]["data-batch"], told["r001"]["data-verdict"], told["r001"]["data-draft"]) == (
        "b00",
        "Check",
        "Check",
    )
    assert "open" not in told["r001"], "sixty open sections are no list"


def test_every_filter_offers_the_values_that_sections_have(tree: Element) -> None:
    script = files("evals.report.page").joinpath("templates", "filters.js").read_text(encoding="utf-8")
    exact = re.search(r"const exact = \[(.*?)\]", script)
    assert exact is not None
    selects = {one.attributes["name"]: one for one in tree.find("select")}
    sections = tree.find("details", class_="record")
    for name, select in selects.items():
        if name == "sort":
            assert all(f"{one.attributes['value']}:" in script for one in select.find("option"))
            continue
        assert f'"{name}"' in exact[1]
        offered = {one.attributes["value"] for one in select.find("option")} - {""}
        assert offered <= {one.attributes[f"data-{name}"] for one in sections}
        assert len(offered) > 1
    assert {"standing", "state", "batch"} <= set(selects)
    assert "hidden" in tree.find("form", id="filters")[0].attributes, "without the script there is nothing to filter"


def test_the_page_allows_exactly_its_own_script(tree: Element) -> None:
    (script,) = tree.find("script")
    policy = tree.find("meta", http_equiv="Content-Security-Policy")[0].attributes["content"]
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy


def test_the_numbers_are_those_of_the_scores(tree: Element, report: Report) -> None:
    (table,) = tree.find("table", data_table="scores")
    told = {row.attributes["data-key"]: cells(row) for row in table.find("tr") if "data-key" in row.attributes}
    measured = [one for one in report.sheet.scores if definition(one.key).topic is not Topic.COST]
    assert list(told) == [one.key for one in measured]
    for score in measured:
        assert told[score.key][1] == numbers.value_text(score)
        assert told[score.key][2] == numbers.interval_text(score)
        assert told[score.key][4] == numbers.count_text(score)
    assert told["miss_rate"][1:5:3] == ["50%", "1/2"]
    assert told["chrf"][1] == words.ABSENT, "no text of the team's is at hand: that is no zero"
    assert page_words.WEAK in told["chrf"][0]
    cards = {one.attributes["data-key"] for one in tree.find("li") if "data-key" in one.attributes}
    assert cards == set(MAIN_KEYS)


def test_costs_have_a_table_of_their_own(tree: Element, report: Report) -> None:
    (table,) = tree.find("table", data_table="cost")
    told = {cell.attributes["data-key"]: cell.text for cell in table.find("td")}
    assert told == {
        one.key: numbers.value_text(one) for one in report.sheet.scores if definition(one.key).topic is Topic.COST
    }
    assert told["seconds_sum"] == "1.5"


def test_every_baseline_stands_beside_the_run(tree: Element, report: Report) -> None:
    (table,) = tree.find("table", data_table="baselines")
    told = {
        row.attributes["data-baseline"]: cells(row) for row in table.find("tr") if "data-baseline" in row.attributes
    }
    assert list(told) == [one.name for one in report.scoring.baselines]
    for sheet, one in zip(report.scoring.baselines, report.comparisons, strict=True):
        values = [numbers.value_text(sheet.score(key)) for key in MAIN_KEYS]
        values.append(numbers.percent(sum_of_rates(sheet)))
        assert told[sheet.name][1:] == [*values, words.compared(one.contest, doubtful=not one.certain)]


def test_batches_rare_cases_states_and_errors_are_counted(tree: Element, report: Report) -> None:
    (batches,) = tree.find("table", data_table="batches")
    assert {row.attributes["data-batch"] for row in batches.find("tr") if "data-batch" in row.attributes} == {
        one.batch for one in report.sheet.batches
    }
    assert cells(batches.find("tr", class_="total")[0])[1:] == ["4", "4", "4", "2", "1", "1"]
    (rare,) = tree.find("table", data_table="rare")
    assert len(rare.find("tbody")[0].children) == len(report.sheet.rare)
    (states,) = tree.find("table", data_table="states")
    counted = {cells(row)[0]: cells(row)[1] for row in states.find("tr")[1:]}
    assert counted == {"完成": "3", "证据不足": "1", "出错：没有草稿": "1", words.PENDING_ROW: "1"}


def test_a_record_shows_change_ledger_prior_draft_and_what_was_removed(tree: Element) -> None:
    (section,) = tree.find("details", id="r001")
    labels = {row.attributes["data-label"]: cells(row) for row in section.find("tr") if "data-label" in row.attributes}
    assert labels["risk"] == ["风险", "medium", "low", "low", "medium"]
    for text in (
        "改了 spin",
        "mill_npu/gears.py:12 引用 spin。",
        FALSE_SENTENCE,
        OBJECTION,
        "标签与文字不符",
        "test-used",
    ):
        assert text in section.text
    assert {row.attributes["data-place"] for row in section.find("tr") if "data-place" in row.attributes} == {
        "cited",
        "shown",
        "unseen",
        "absent",
    }
    assert section.find("tr", id="r001:E2")
    assert section.find("tr", id="r001:Z1")
    assert "+new line" in section.find("ins")[0].text
    assert page_words.NO_TEAM_TEXT in section.text
    assert page_words.NO_WHOLE in tree.find("details", id="r003")[0].text


def test_hostile_text_stays_text() -> None:
    scene = Scene(title=HOSTILE, batch=HOSTILE, name="try", parameters={"model": HOSTILE})
    report = scene.report()
    page = as_html(report, draw_figures(report.scoring, report.points))
    tree = read(page)
    assert len(tree.find("script")) == 1
    assert not [one for one in tree.all() if any(name.startswith("on") for name in one.attributes)]
    assert not set("\x00\u202e\u2066") & set(page)
    assert "{{ 7 * 7 }}" in page
    title = tree.find("details", id="r003")[0].find("span", class_="title")[0].text
    assert title == HOSTILE.translate(dict.fromkeys(map(ord, "\x00\u202e\u2066")))
    drawn = [one for one in tree.find("figure")[-1].find("text") if one.text.startswith("</script>")]
    assert drawn, "the batch's name stands under its bars, as text"
    batch = tree.find("details", id="r003")[0].attributes["data-batch"]
    assert batch in {one.attributes["value"] for one in tree.find("option")}, "the filter still finds it"


def test_without_matplotlib_tables_stand_in(monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    figures = draw_figures(report.scoring, report.points)
    assert figures is None
    tree = read(as_html(report, figures))
    assert not tree.find("svg", class_="figure")
    assert words.NO_FIGURES in tree.text
    for name in ("points", "reliability", "confusion-verdict", "batches"):
        (table,) = tree.find("table", data_table=name)
        assert len(table.find("tr")) > 1
    folded = [one for one in tree.find("details") if one.has("class_", "numbers")]
    assert not folded, "what replaces a figure is not folded away"


def test_figures_bring_their_counts_and_follow_the_page(report: Report, figures: Mapping[str, Markup]) -> None:
    labels = set(report.sheet.confusions)
    assert set(figures) == {"curve", "reliability", "batches", *(f"confusion-{label}" for label in labels)}
    for name, figure in figures.items():
        (drawn,) = read(figure).find("svg")
        assert drawn.attributes["role"] == "img"
        assert "viewbox" in drawn.attributes
        assert not re.search(r"#0[1-7]{5}", figure), f"{name} keeps a stand-in for a colour"
        assert "font-family" not in figure
        assert "<style" not in figure
    texts = [one.text.strip() for one in read(figures["confusion-risk"]).find("text")]
    counts = [str(count) for row in report.sheet.confusions["risk"].counts for count in row]
    assert [text for text in texts if text.isdigit()] == counts
    assert "n=1" in read(figures["reliability"]).text


def test_a_run_without_a_single_answer_is_a_page_all_the_same() -> None:
    scene = Scene()
    run = scene.run.model_copy(update={"outcomes": scene.outcomes[-1:]})
    report = build_report(run, scoring_of(run, scene.records), scene.records, {})
    tree = read(as_html(report, draw_figures(report.scoring, report.points)))
    assert len(tree.find("details", class_="record")) == len(scene.records)
    assert words.NOTHING_TO_COMPARE in tree.text


def test_ids_in_a_sentence_link_to_the_ledger_and_the_rest_is_escaped() -> None:
    assert linked("a<b [E1][E2.3, Z1] & c", "r1") == (
        'a&lt;b [<a href="#r1:E1">E1</a>][<a href="#r1:E2">E2.3</a>, <a href="#r1:Z1">Z1</a>] &amp; c'
    )


def test_templates_hold_no_text_of_their_own() -> None:
    wrong = [
        path.name
        for path in files("evals.report.page").joinpath("templates").iterdir()
        if re.search(r"[\u3400-\u9fff]", path.read_text(encoding="utf-8"))
    ]
    assert not wrong
