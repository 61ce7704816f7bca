"""What the one comment of a thread says: a pure function of the review, its subjects and the state of the thread.

Contract: at most ``limit`` characters, the first line is the marker. Room is made by showing less of the evidence, then
by leaving whole details out (each still linked under the API where the service has an address), then rows of the table.
Everything from outside passes ``reviewbot.render.scrub`` by way of ``reviewbot.render.markdown``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from reviewbot import words as common
from reviewbot.conversation import help_text
from reviewbot.forges.models import PullRequest
from reviewbot.models import Analysis
from reviewbot.publishing import words
from reviewbot.publishing.marker import marker
from reviewbot.publishing.shown import Links, ShownSubject, by_urgency, tally
from reviewbot.render import words as render_words
from reviewbot.render.comment import LEAST, LIMIT, content, cut
from reviewbot.render.labels import label_cells
from reviewbot.render.markdown import clip, code, fold, prose_line, table
from reviewbot.render.scrub import scrub_line
from reviewbot.service.models import Correction, CorrectionKind, Review, ReviewState, SubjectKind, ThreadState

_TOLD_STATES = frozenset({ReviewState.SUPERSEDED, ReviewState.CANCELLED, ReviewState.FAILED})
_SHORT_SHA = 12
_CELL = 300
_NAME = 120


def body_of(
    review: Review,
    pull: PullRequest | None,
    shown: tuple[ShownSubject, ...],
    state: ThreadState,
    links: Links,
    at: datetime,
    *,
    most_subjects: int = 50,
    limit: int = LIMIT,
) -> str:
    """The whole comment. ``pull`` is the pull request as it is now, None for an issue of the feed."""
    ordered = by_urgency(shown)
    head = [marker(state.thread, review.subject), _title(ordered), *_above(review, pull, state, ordered)]
    text = ""
    for rest in _shrinking(ordered, review, links, at, most_subjects):
        text = "\n\n".join([*head, *rest]) + "\n"
        if len(text) <= limit:
            return text
    return cut(text, limit)


def shorter(body: str, limit: int = 4_000) -> str:
    """A body that a forge's filter may let through: no folds, for these hold the code; at most ``limit`` characters."""
    parts = [part for part in body.split("\n\n") if part]
    depth, kept = 0, []
    for part in parts:
        opened = part.count("<details>")
        if not depth and not opened:
            kept.append(part)
        depth += opened - part.count("</details>")
    return cut("\n\n".join([*kept, render_words.COMMENT_TRUNCATED]) + "\n", limit)


def _shrinking(
    shown: tuple[ShownSubject, ...], review: Review, links: Links, at: datetime, most: int
) -> Iterator[list[str]]:
    if not shown:
        yield [words.NO_SUBJECT] if review.state not in _TOLD_STATES else []
        return
    if len(shown) == 1:
        for level in range(LEAST + 1):
            yield [_details(shown[0], level, at), *_linked(links.analysis(shown[0].outcome.analysis))]
        return
    rows = shown if len(shown) <= most else tuple(one for one in shown if one.needs_work)
    notes = [words.too_many(len(shown), most, len(rows))] if len(shown) > most else []
    notes += _linked(links.review(review.id), words.LINK_REVIEW) if notes else []
    detailed = tuple(one for one in rows if one.analysis) if not notes else ()
    for level in range(LEAST + 1) if detailed else ():
        yield [*notes, _table(rows, links), *(_folded(one, level, at) for one in detailed)]
    for kept in (len(detailed) // 2, len(detailed) // 4, 0) if detailed else ():
        folds = [_folded(one, LEAST, at) for one in detailed[:kept]]
        yield [*notes, _table(rows, links), *folds, words.details_left_out(len(detailed) - kept)]
    count = len(rows)
    yield [*notes, _table(rows, links)]
    while count > 1:
        count //= 2
        yield [*notes, _table(rows[:count], links), words.rows_left_out(len(rows) - count)]


# --- above the subjects -----------------------------------------------------------------------------------------------


def _title(shown: tuple[ShownSubject, ...]) -> str:
    if len(shown) > 1:
        return f"## {words.title_many(*tally(shown))}"
    labels = shown[0].labels if shown else None
    return f"## {render_words.comment_title(labels.verdict) if labels else words.TITLE_MANY}"


def _above(
    review: Review, pull: PullRequest | None, state: ThreadState, shown: tuple[ShownSubject, ...]
) -> Iterator[str]:
    if state.notice is not None:
        yield from _notice(state, shown)
    if state.paused:
        yield f"> {prose_line(words.paused(state.paused_by))}"
    if review.state in _TOLD_STATES:
        yield f"> {prose_line(words.state(review.state, clip(review.reason, _CELL, render_words.CLIPPED)))}"
    if pull is not None and review.head_sha and pull.head_sha != review.head_sha:
        yield f"> {words.head_moved(_sha(review.head_sha), _sha(pull.head_sha))}"
    if line := words.reviewed(_sha(review.head_sha), _sha(review.base_sha)):
        yield line
    if len(shown) > 1 and (unsettled := sum(one.labels is None for one in shown)):
        yield words.unsettled(unsettled)


def _notice(state: ThreadState, shown: tuple[ShownSubject, ...]) -> Iterator[str]:
    notice = state.notice
    if notice is None:
        return
    yield "\n".join(f"> {prose_line(line)}" for line in words.notice(notice.author, notice.text).splitlines())
    if help_text.wants_help(notice.command):
        yield fold(help_text.HEADING, help_text.MARKDOWN)
    if help_text.wants_explanation(notice.command):
        yield from (_explained(one, one.analysis) for one in shown if one.analysis)


def _explained(one: ShownSubject, analysis: Analysis) -> str:
    rules = [
        (code(rule.id), prose_line(rule.reason), prose_line(_cell(common.LIST_COMMA.join(rule.because))))
        for rule in analysis.prior.rules
    ]
    prior = render_words.prior_line(analysis.prior.track, analysis.prior.decision)
    return fold(
        words.explained(_summary_name(one)), f"{prior}\n\n{table(render_words.RULE_COLUMNS, rules)}" if rules else prior
    )


def _sha(sha: str) -> str:
    return code(sha[:_SHORT_SHA])


# --- subjects ---------------------------------------------------------------------------------------------------------


def _table(shown: tuple[ShownSubject, ...], links: Links) -> str:
    return table(words.SUBJECT_COLUMNS, [_row(one, links) for one in shown]) if shown else ""


def _row(one: ShownSubject, links: Links) -> tuple[str, ...]:
    link = "".join(f" {part}" for part in _linked(links.analysis(one.outcome.analysis)))
    absent = render_words.ABSENT
    if one.labels is None:
        return code(_name(one)), absent, absent, absent, prose_line(_cell(_why(one))) + link
    summary = "" if one.analysis is None else one.analysis.draft.summary
    labels = one.labels
    return code(_name(one)), labels.verdict, labels.risk, labels.needs_adaptation, prose_line(_cell(summary)) + link


def _folded(one: ShownSubject, level: int, at: datetime) -> str:
    verdict = one.labels.verdict if one.labels else render_words.ABSENT
    return fold(f"{_summary_name(one)} {verdict}", _details(one, level, at))


def _details(one: ShownSubject, level: int, at: datetime) -> str:
    if one.analysis is None or one.labels is None:
        return f"{code(_name(one))}{render_words.COLON}{prose_line(_cell(_why(one)))}"
    draft = one.analysis.draft.model_copy(update={"labels": one.labels})
    told = content(one.analysis.model_copy(update={"draft": draft}), level, at)
    if one.correction is None:
        return told
    return f"> {prose_line(_correction(one.correction, one.analysis))}\n\n{told}"


def _correction(correction: Correction, analysis: Analysis) -> str:
    day = correction.at.date().isoformat()
    if correction.kind is CorrectionKind.ACCEPTED:
        return words.accepted(correction.author, day)
    pairs = zip(label_cells(analysis.draft.labels), label_cells(correction.labels), strict=True)
    changes = [words.changed(name, old, new) for (name, old), (_, new) in pairs if old != new]
    return words.corrected(correction.author, day, changes, clip(correction.note, _CELL, render_words.CLIPPED))


def _why(one: ShownSubject) -> str:
    if one.outcome.state is None:
        return one.outcome.reason or words.MISSING_ANALYSIS
    return render_words.state_line(one.outcome.state, one.outcome.reason)


def _name(one: ShownSubject) -> str:
    subject = one.outcome.subject
    if subject.kind is SubjectKind.COMMIT:
        return subject.name[:_SHORT_SHA]
    return clip(words.SUBJECT_NAMES.get(subject.kind, subject.name), _NAME, render_words.CLIPPED)


def _summary_name(one: ShownSubject) -> str:
    """In HTML, where Markdown is not read: as code, or the forge would link the upstream pull request back to us."""
    return f"<code>{scrub_line(_name(one))}</code>"


def _linked(url: str, name: str = words.LINK_ANALYSIS) -> list[str]:
    return [f"[{name}]({url})"] if url else []


def _cell(text: str) -> str:
    return clip(text, _CELL, render_words.CLIPPED)
