"""The report as JUnit XML, so that a CI page lists records as tests.

A test case asks one thing of a record: does the draft see whether it needs work? A miss or a false alarm is a failure,
a record without an answer an error, one that the run has not come to is skipped. Other labels fail nothing: they are
scored, with intervals, and a single one of them is within what people themselves disagree on.
"""

from __future__ import annotations

from xml.etree import ElementTree

from evals.report import words
from evals.report.building import Report
from evals.report.explaining import explain
from evals.report.reproducing import facts
from evals.report.rows import RecordRow, Standing
from reviewbot.render.scrub import clean

_FAILURES = frozenset({Standing.MISSED, Standing.FALSE_ALARM})


def as_junit(report: Report) -> str:
    """One suite, named after the run; test cases in the order of the run's records, so that two runs line up."""
    place = {one: at for at, one in enumerate(report.manifest.records)}
    rows = sorted(report.rows, key=lambda row: place[row.record.id])
    counts = {
        "tests": len(rows),
        "failures": sum(row.standing in _FAILURES for row in rows),
        "errors": len(report.of(Standing.ERROR)),
        "skipped": len(report.of(Standing.PENDING)),
    }
    attributes = {"name": clean(report.manifest.name)} | {name: str(count) for name, count in counts.items()}
    attributes["time"] = f"{sum(_seconds(row) for row in rows):.3f}"
    root = ElementTree.Element("testsuites", attributes)
    created = report.manifest.created.replace(microsecond=0).isoformat()
    suite = ElementTree.SubElement(root, "testsuite", attributes | {"timestamp": created})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in facts(report.manifest):
        ElementTree.SubElement(properties, "property", name=clean(name), value=clean(value))
    for row in rows:
        _add_case(suite, row)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, row: RecordRow) -> None:
    record = row.record
    name = clean(f"{record.id} {record.title}".strip())
    case = ElementTree.SubElement(
        suite, "testcase", classname=clean(record.batch), name=name, time=f"{_seconds(row):.3f}"
    )
    sentences = [clean(sentence) for sentence in explain(row)]
    if row.standing is Standing.PENDING:
        ElementTree.SubElement(case, "skipped", message=words.WHY_PENDING)
    elif row.error is not None:
        error = ElementTree.SubElement(case, "error", type=row.error.kind, message=sentences[0])
        error.text = sentences[0]
    elif row.standing in _FAILURES:
        failure = ElementTree.SubElement(case, "failure", type=row.standing, message=words.STANDINGS[row.standing])
        failure.text = "\n".join(sentences)


def _seconds(row: RecordRow) -> float:
    return row.answer.seconds if row.answer else 0.0
