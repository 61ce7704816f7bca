"""Markdown, JSON and JUnit say what the page says, each in its own form, and cannot be broken by what they quote."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from evals.report import numbers, words
from evals.report.beating import Contest
from evals.report.document import as_document
from evals.report.junit import as_junit
from evals.report.markdown import as_markdown
from evals.report.page import words as page_words
from evals.report.reproducing import facts, run_command
from evals.report.rows import PlaceStanding, Standing
from evals.run.models import Engine
from evals.scores.models import Scoring
from retrieval.models import ChangeKind, FileStatus
from reviewbot.models import FindingKind
from tests.evals.report_scene import FALSE_SENTENCE, OBJECTION, Scene

HOSTILE = "a | b `c` @team\n/lgtm\n<script> https://x.example \x00\u202e"


def test_json_holds_manifest_scoring_and_a_row_per_record() -> None:
    report = Scene().report()
    document = json.loads(json.dumps(as_document(report), ensure_ascii=False, allow_nan=False))
    assert document["report_version"] == 1
    assert document["manifest"]["name"] == "try"
    assert Scoring.model_validate(document["scoring"]) == report.scoring
    assert document["headline"] == list(report.headline)
    assert len(document["comparisons"]) == len(document["scoring"]["baselines"])
    rows = {row["id"]: row for row in document["records"]}
    assert list(rows) == [row.record.id for row in report.rows]
    missed = rows["r001"]
    assert (missed["standing"], missed["needs_work_score"], missed["differing"]) == ("missed", 0.25, ["risk"])
    assert missed["needs_work"] == {"team": True, "draft": False, "prior": True}
    assert missed["labels"]["team"]["risk"] == "medium"
    assert missed["removed"] == [{"sentence": FALSE_SENTENCE, "messages": [OBJECTION]}]
    assert [place["standing"] for place in missed["places"]] == ["cited", "shown", "unseen", "absent"]
    assert rows["r005"]["error"]["fault"] == "timeout"
    assert rows["r005"]["labels"]["draft"] is None
    assert rows["r006"]["standing"] == "pending"


def test_junit_asks_of_every_record_whether_it_needs_work() -> None:
    report = Scene().report()
    root = ElementTree.fromstring(as_junit(report))
    (suite,) = root
    for element in (root, suite):
        assert {name: element.get(name) for name in ("name", "tests", "failures", "errors", "skipped")} == {
            "name": "try",
            "tests": "6",
            "failures": "2",
            "errors": "1",
            "skipped": "1",
        }
    assert [one.tag for one in suite] == ["properties"] + ["testcase"] * 6
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [f"r00{number} Turn the gears" for number in range(1, 7)]
    assert [case.get("classname") for case in cases] == ["b00", "b00", "b01", "b01", "b01", "b01"]
    assert [[one.tag for one in case] for case in cases] == [["failure"], ["failure"], [], [], ["error"], ["skipped"]]
    failure, error = cases[0][0], cases[4][0]
    assert failure.get("type") == "missed"
    assert words.why_missed(["风险 medium"]) in str(failure.text)
    assert error.get("type") == "writer"
    assert "等了 60 秒" in str(error.get("message"))
    assert float(str(suite.get("time"))) == sum(float(str(case.get("time"))) for case in cases) == 1.5
    properties = {one.get("name"): one.get("value") for one in suite.find("properties") or ()}
    assert properties == dict(facts(report.manifest))
    assert properties["version.rubric"] == "rubric-0"


def test_junit_is_xml_whatever_a_title_holds() -> None:
    root = ElementTree.fromstring(as_junit(Scene(title=HOSTILE).report()))
    assert "<script>" in str(root[0][1].get("name"))


def test_markdown_has_the_figures_and_lists_what_went_wrong() -> None:
    report = Scene().report()
    page = as_markdown(report)
    for sentence in report.headline:
        assert sentence in page
    main = next(line for line in page.splitlines() if line.startswith(f"| {words.RUN_ROW} |"))
    assert main.split(" | ")[1:3] == [
        numbers.value_text(report.sheet.score(key)) for key in ("miss_rate", "false_alarm_rate")
    ]
    assert "| 同批多数 |" in page
    assert "| r001 | 1 | Turn the gears | Check/medium | Check/low | 0.25 |" in page
    assert "| r002 | 2 | Turn the gears | Check/low | Check/medium | 0.75 |" in page
    assert "| r005 | 5 | Turn the gears | Check/low | 等了 60 秒 | — |" in page
    assert "| r003 |" not in page.partition(words.MD_MISSED)[2]
    assert run_command(report.manifest) in page
    assert page.count("<details>") == page.count("</details>")


def test_markdown_keeps_every_row_in_its_table() -> None:
    page = as_markdown(Scene(title=HOSTILE, batch="b|1").report())
    width = None
    for line in page.splitlines():
        if not line.startswith("|"):
            width = None
            continue
        columns = len(re.findall(r"(?<!\\)\|", line))
        assert width in (None, columns), line
        width = columns
    assert "@team" not in page
    assert "<script" not in page
    assert "https://" not in page
    assert not re.search(r"^/lgtm", page, re.MULTILINE)


def test_the_command_and_the_facts_bring_the_run_back() -> None:
    manifest = Scene().run.manifest
    assert run_command(manifest) == (
        "reviewbot eval run --name try --engine model --split usable --sample 6 --seed 7 --no-pull-requests"
    )
    told = dict(facts(manifest))
    assert told["commit"] == f"abcdef{words.DIRTY}"
    assert told["parameter.model"] == "told"
    assert all(words.manifest_name(key) for key in told)
    bare = manifest.model_copy(update={"commit": None, "sample": None, "split": None, "pulled": ("r001",)})
    assert dict(facts(bare))["pulled"] == "1"
    assert not {"commit", "sample", "split"} & set(dict(facts(bare)))
    assert run_command(bare) == "reviewbot eval run --name try --engine model"


def test_every_value_has_its_word() -> None:
    assert set(words.ENGINES) == set(Engine)
    assert set(words.STANDINGS) == set(Standing)
    assert set(words.PLACE_STANDINGS) == set(PlaceStanding)
    assert set(page_words.FINDINGS) == set(FindingKind)
    assert set(page_words.CHANGES) == set(ChangeKind)
    assert set(page_words.FILE_STATUSES) == set(FileStatus)
    assert set(words.CONTESTS) == set(words.CONTESTS_SHORT) == set(Contest)
