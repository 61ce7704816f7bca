"""Why a record is wrong, in sentences: what differs, which rule spoke, what became of the team's places and of drafted
sentences. Every sentence restates stored values; none is a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from evals.report import words
from evals.report.rows import PlaceStanding, RecordRow, Standing, differing_labels
from evals.run.models import Answer, CaseError
from reviewbot.models import AnalysisState, FiredRule, Labels, NeedsAdaptation, Risk, RuleGroup, Verdict, needs_work
from reviewbot.render import words as render_words
from reviewbot.words import WRITER_FAULTS


def explain(row: RecordRow) -> tuple[str, ...]:
    """Sentences in the order in which a reader asks; for a record that is right, what stands beside it."""
    return tuple(_sentences(row))


def work_grounds(labels: Labels) -> tuple[str, ...]:
    """The labels that make a record need work, in words; empty for one that does not."""
    found = []
    if labels.verdict is Verdict.SHIM:
        found.append("verdict")
    if labels.needs_adaptation is not NeedsAdaptation.NO:
        found.append("needs_adaptation")
    if labels.risk is not Risk.LOW:
        found.append("risk")
    values = label_values(labels)
    return tuple(words.ground(render_words.LABEL_WORDS[name], values[name]) for name in found)


def label_values(labels: Labels) -> Mapping[str, str]:
    """By field name; an absent value is a dash."""
    return {name: value or words.ABSENT for name, value in labels.model_dump(mode="json").items()}


def _sentences(row: RecordRow) -> Iterator[str]:
    if row.error is not None:
        yield _failed(row.error)
    if row.standing is Standing.PENDING:
        yield words.WHY_PENDING
    answer = row.answer
    if answer is None:
        return
    if answer.state is not AnalysisState.DONE:
        reason = row.whole.reason if row.whole else ""
        yield words.why_state(render_words.STATE_WORDS[answer.state], reason)
    yield from _standing(row, answer)
    team, draft = label_values(row.record.labels), label_values(answer.labels)
    for name in row.differing:
        yield words.why_label(render_words.LABEL_WORDS[name], team[name], draft[name])
    if row.wrong:
        yield from _rules(row, answer)
    yield from _verification(answer)
    if row.places:
        counts = Counter(one.standing for one in row.places)
        yield words.why_places(len(row.places), [(one, counts[one]) for one in PlaceStanding])
    if row.removed:
        yield words.why_removed(len(row.removed))


def _failed(error: CaseError) -> str:
    return words.why_error(error.kind, WRITER_FAULTS[error.fault] if error.fault else "", error.message)


def _standing(row: RecordRow, answer: Answer) -> Iterator[str]:
    """The one question that counts, and whether the prior had it right."""
    if row.standing is Standing.AGREED:
        return
    if row.standing is Standing.MISSED:
        yield words.why_missed(work_grounds(row.record.labels))
    else:
        yield words.why_false_alarm(work_grounds(answer.labels))
    if answer.labels == answer.prior:
        yield words.WHY_PRIOR_KEPT
    elif needs_work(answer.prior) is needs_work(row.record.labels):
        yield words.WHY_PRIOR_RIGHT
    else:
        yield words.WHY_PRIOR_WRONG


def _rules(row: RecordRow, answer: Answer) -> Iterator[str]:
    """The rule of the verdict and the adjustment; without the whole analysis, the ids that the answer keeps."""
    if row.whole is None:
        if answer.rules:
            yield words.why_rule(words.join(answer.rules), "")
        return
    told = {RuleGroup.VERDICT: words.why_rule, RuleGroup.ADJUST: words.why_adjusted}
    for rule in row.whole.prior.rules:
        if rule.group in told:
            yield told[rule.group](rule.id, _grounds(rule))


def _grounds(rule: FiredRule) -> str:
    return words.clauses((rule.reason, *rule.because))


def _verification(answer: Answer) -> Iterator[str]:
    changed = differing_labels(answer.proposed, answer.labels)
    if changed:
        before, after = label_values(answer.proposed), label_values(answer.labels)
        yield words.why_verification(
            [words.label_change(render_words.LABEL_WORDS[name], before[name], after[name]) for name in changed]
        )
