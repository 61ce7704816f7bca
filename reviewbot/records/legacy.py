"""The team's old export: plain text whose cells are separated by single blanks, so that position and shape must tell.

    verdict [summary ]analysis risk needs_adaptation [needs_cann ]npu_affected[ compile_stage：X]

* A row begins with a verdict at the start of a line and ends with risk and two (old columns) or three flags (new ones).
* A cell with a line break is quoted, its own quotes doubled; any cell may be. A single quote mark inside an unquoted
  cell means itself. A quoted needs_cann carries its text below the flag: ``"是⏎• …"``.
* The summary ends at the first ``。`` followed by a blank, or before a quoted cell. Where neither shows its end, all
  text is the analysis and the summary None.

Traps: a quote left open would swallow the rows below, so a row that fails ends where the next one begins; two records
run together on one line would read as one with a strange analysis, so they are refused. The text knows no number,
title, date, analyst or batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reviewbot.models import CompileStage, NeedsAdaptation, Risk, Verdict, YesNo
from reviewbot.records import words
from reviewbot.records.decoding import line_end
from reviewbot.records.models import Problem, ReadRow, Severity, TeamRecord
from reviewbot.records.rows import STAGE, RowError, cells_of, clipped, column_name, flag_with_note, record_of


def _any(values: Iterable[str]) -> str:
    return "|".join(map(re.escape, values))


_QUOTED = r'"(?:[^"]++|"")*+"'
_YES_NO = _any(YesNo)
_LAST_CELLS = (
    rf" (?P<risk>{_any(Risk)}) (?P<needs_adaptation>{_any(NeedsAdaptation)})"
    rf"(?: (?P<needs_cann>{_YES_NO}|{_QUOTED})| )?? (?P<npu_affected>{_YES_NO})"
    rf"(?: {STAGE}[：:](?P<compile_stage>{_any(CompileStage)}))?"
)
_TAIL = re.compile(rf"{_LAST_CELLS} *(?=\n|\Z)")
_PLAIN = re.compile(rf"(?P<text>[^\n]*){_LAST_CELLS} *(?=\n|\Z)")
_CELL = re.compile(_QUOTED)
_START = re.compile(rf"(?P<verdict>{_any(Verdict)}) ")
#: A second record on the line of the first.
_SECOND = re.compile(rf"{_LAST_CELLS} (?:{_any(Verdict)}) ")
#: What the end of a row looks like when its values may be wrong: something, flags, a stage.
_FLAG = _any(NeedsAdaptation)
_LOOSE_TAIL = re.compile(rf" (?P<risk>[^\s\"]+)(?P<flags>(?: (?:{_FLAG}))+)(?: {STAGE}[：:](?P<stage>\S*))? *\Z")


def read_legacy(text: str) -> Iterator[ReadRow | Problem]:
    """Rows in the order of the text; a summary whose end does not show is told of by whoever reads (`read_table`)."""
    position, line = 0, 1
    while position < len(text):
        end = line_end(text, position)
        if text[position:end].strip():
            try:
                cells, end = _row(text, position)
            except RowError as error:
                end = _broken_row_end(text, position)
                yield Problem(line=line, severity=Severity.MALFORMED, reason=str(error))
            else:
                yield _record(cells, line)
        line += text.count("\n", position, end) + 1
        position = end + 1


def _record(cells: dict[str, str], line: int) -> ReadRow | Problem:
    try:
        return ReadRow(line=line, record=record_of(cells))
    except RowError as error:
        return Problem(line=line, severity=Severity.MALFORMED, reason=str(error))


def _row(text: str, position: int) -> tuple[dict[str, str], int]:
    """The cells of the row that begins at ``position``, and where it ends. Raises `RowError`."""
    start = _START.match(text, position)
    if start is None:
        line = text[position : line_end(text, position)]
        raise RowError(words.wrong_start(clipped(line.split(maxsplit=1)[0]), [value.value for value in Verdict]))
    if _START.match(text, start.end()):
        raise RowError(words.TWO_VERDICTS)
    found = _quoted_first(text, start.end()) or _divided(text, start.end())
    if found is None:
        raise RowError(_fault(text, position))
    summary, analysis, tail = found
    cells = {name: value for name, value in tail.groupdict().items() if value is not None and name != "text"}
    if cells.get("needs_cann", "").startswith('"'):
        cells["needs_cann"] = _unquoted(cells["needs_cann"])
    return {"verdict": start["verdict"], "summary": summary, "analysis": analysis, **cells}, tail.end()


_Found = tuple[str, str, re.Match[str]]  # summary, analysis, the match of the last cells


def _quoted_first(text: str, position: int) -> _Found | None:
    """The first cell is quoted: the analysis when the row ends after it, else the summary."""
    first = _CELL.match(text, position)
    if first is None:
        return None
    if tail := _TAIL.match(text, first.end()):
        return "", _unquoted(first[0]), tail
    if not text.startswith(" ", first.end()):
        return None
    rest = _analysis(text, first.end() + 1)
    return None if rest is None else (_unquoted(first[0]), *rest)


def _divided(text: str, position: int) -> _Found | None:
    """The first cell is not quoted: it ends at the first full stop, or before a quoted cell, or does not show."""
    end = line_end(text, position)
    stop = text.find(words.SENTENCE_END, position, end)
    quoted = _last_quoted(text, position, end)
    if stop >= 0 and (quoted is None or stop < quoted.start()):
        after = stop + len(words.SENTENCE_END)
        if rest := _analysis(text, after):
            return (text[position : after - 1], *rest)
    if quoted is not None and (tail := _TAIL.match(text, quoted.end())):
        return text[position : quoted.start() - 1], _unquoted(quoted[0]), tail
    rest = _analysis(text, position)
    return None if rest is None else ("", *rest)


def _last_quoted(text: str, position: int, end: int) -> re.Match[str] | None:
    """A quoted cell that begins on this line and is followed by the last cells of the row.

    On a line that is a whole row by itself it has to end there: a lone quote mark must not reach into the next rows.
    """
    reach = end if _PLAIN.match(text, position, end) else len(text)
    while (position := text.find(' "', position, end)) >= 0:
        cell = _CELL.match(text, position + 1, reach)
        if cell is not None and _TAIL.match(text, cell.end()):
            return cell
        position += 1
    return None


def _analysis(text: str, position: int) -> tuple[str, re.Match[str]] | None:
    """The analysis that begins at ``position``, quoted or up to the last cells on its line, and those cells."""
    cell = _CELL.match(text, position)
    if cell is not None and (tail := _TAIL.match(text, cell.end())):
        return _unquoted(cell[0]), tail
    plain = _PLAIN.match(text, position)
    if plain is None or _SECOND.search(plain["text"]):
        return None
    return plain["text"], plain


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"')


def _broken_row_end(text: str, position: int) -> int:
    """A row that cannot be read ends with what looks like last cells, or before the next line that begins like one."""
    end = line_end(text, position)
    while not _LOOSE_TAIL.search(text, position, end) and end < len(text) and not _START.match(text, end + 1):
        position, end = end + 1, line_end(text, end + 1)
    return end


def _fault(text: str, position: int) -> str:
    """Why the row that begins at ``position`` with a verdict is none."""
    line = text[position : line_end(text, position)]
    whole = text[position : _broken_row_end(text, position)]
    plain = _PLAIN.match(line, line.index(" ") + 1)
    if plain is not None:
        return words.TWO_ROWS
    tail = _LOOSE_TAIL.search(whole)
    if ' "' in line and (tail is None or whole[: tail.start()].count('"') % 2):
        return words.OPEN_QUOTE
    if tail is None:
        return words.NO_FLAGS
    if tail["risk"] not in set(Risk):
        return words.wrong_value(column_name("risk"), clipped(tail["risk"]), [value.value for value in Risk])
    flags = tail["flags"].split()
    if len(flags) not in (2, 3):
        return words.wrong_flag_count(len(flags))
    if tail["stage"] is not None and tail["stage"] not in set(CompileStage):
        expected = [value.value for value in CompileStage]
        return words.wrong_value(column_name("compile_stage"), clipped(tail["stage"]), expected)
    column = "npu_affected" if flags[-1] not in set(YesNo) else "needs_cann"
    wrong = flags[-1] if column == "npu_affected" else flags[-2]
    return words.wrong_value(column_name(column), wrong, [value.value for value in YesNo])


def write_legacy(records: Iterable[TeamRecord]) -> bytes:
    """Rows that read back as they are; what the layout has no place for is left out."""
    return "".join(f"{_written(record)}\n" for record in records).encode()


def _written(record: TeamRecord) -> str:
    """The row with as few quotes as the team writes: the first of three ways that reads back."""
    cells = cells_of(record)
    summary, analysis = cells["summary"], cells["analysis"]
    bodies = []
    if not (summary or analysis).startswith('"') and not analysis.startswith('"'):
        bodies.append(f"{summary} {analysis}" if summary else analysis)
    half = f"{summary} {_quoted(analysis)}" if summary else _quoted(analysis)
    last = [cells["risk"], cells["needs_adaptation"], cells["needs_cann"], cells["npu_affected"]]
    if cells["cann_note"]:
        last[2] = _quoted(flag_with_note(cells["needs_cann"], cells["cann_note"]))
    if cells["compile_stage"]:
        last.append(words.stage(cells["compile_stage"]))
    end = " ".join(cell for cell in last if cell)
    wanted = {name: cells[name] for name in ("summary", "analysis", "cann_note")}
    row = ""
    for body in (*bodies, half, f"{_quoted(summary)} {_quoted(analysis)}"):
        row = f"{cells['verdict']} {body} {end}"
        if _reads_back(row, wanted):
            return row
    return row


def _reads_back(row: str, wanted: dict[str, str]) -> bool:
    try:
        cells, end = _row(row, 0)
        read = cells_of(record_of(cells))
    except RowError:
        return False
    return end == len(row) and all(read[name] == value for name, value in wanted.items())


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'
