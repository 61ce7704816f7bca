"""Proves a draft sentence by sentence against change, delta and ledger; what is not proved goes.

Contract: ``verify`` never adds a claim. It removes sentences and lists them in ``removed``, keeps every objection in
``findings``, and replaces a summary that does not hold by one made of facts alone. ``final_state`` decides how the
analysis ends: with flags or floor unproved it ends as ``evidence_insufficient``, ``needs_adaptation`` becomes 待确认,
and sentences that contradict the new label go, too.

What it can't see, since no code can: whether an upstream-only statement is a fair summary, whether a cited place really
behaves as a verb outside the lexicon says, and whether a true, cited place matters.
"""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.models import Delta, Ledger, UpstreamChange
from reviewbot.citations import cited_ids, render_citations
from reviewbot.legible import legible
from reviewbot.models import AnalysisState, CheckedDraft, Draft, Finding, FindingKind, Labels, NeedsAdaptation
from reviewbot.verification import words
from reviewbot.verification.checks import SENTENCE_CHECKS
from reviewbot.verification.checks.flags import against_flags, unproved_flags
from reviewbot.verification.checks.language import MAX_ANALYSIS, MAX_SUMMARY, TEXT_SHARE, chinese_share
from reviewbot.verification.context import Context
from reviewbot.verification.names import ChangeNames, NameLookup
from reviewbot.verification.reading import Sentence
from reviewbot.verification.sentences import split_sentences


def verify(draft: Draft, change: UpstreamChange, delta: Delta, ledger: Ledger, names: NameLookup) -> CheckedDraft:
    """``draft`` with every unproved sentence gone; see the module docstring for what that means."""
    draft = draft.model_copy(update={"summary": legible(draft.summary), "analysis": legible(draft.analysis)})
    context = Context(change=change, delta=delta, ledger=ledger, labels=draft.labels, names=names)
    findings: list[Finding] = []
    removed: list[str] = []
    analysis = _prove(read_all(draft.analysis, context), context, findings, removed)
    analysis = _chinese_as_a_whole(analysis, findings, removed)
    analysis = _within_length(analysis, ledger, findings, removed)
    summary = _prove_summary(draft.summary, context, findings, removed)
    findings += unproved_flags(summary, analysis, context)
    cited = cited_ids(_text(analysis))
    findings += _floor(cited, ledger)
    return CheckedDraft(
        labels=draft.labels,
        needs_work_score=draft.needs_work_score,
        summary=_text(summary).strip(),
        analysis=_text(analysis).strip(),
        writer=draft.writer,
        findings=tuple(findings),
        removed=tuple(removed),
        cited=cited,
    )


def read_all(text: str, context: Context) -> list[Sentence]:
    return [context.read(sentence) for sentence in split_sentences(text)]


def _text(sentences: Iterable[Sentence]) -> str:
    return "".join(sentence.text for sentence in sentences)


def objections(sentence: Sentence, context: Context) -> tuple[Finding, ...]:
    """Every finding of every sentence check, duplicates dropped."""
    return tuple(dict.fromkeys(finding for check in SENTENCE_CHECKS for finding in check(sentence, context)))


def _prove(sentences: list[Sentence], context: Context, findings: list[Finding], removed: list[str]) -> list[Sentence]:
    kept: list[Sentence] = []
    for sentence in sentences:
        found = objections(sentence, context)
        findings += found
        if found:
            removed.append(sentence.text.strip())
        else:
            kept.append(sentence)
    return kept


# --- the text as a whole ----------------------------------------------------------------------------------------------


def _chinese_as_a_whole(sentences: list[Sentence], findings: list[Finding], removed: list[str]) -> list[Sentence]:
    """Each sentence may lean on English, all of them together may not: the least Chinese go first."""
    kept = list(sentences)
    while kept and (share := chinese_share(*kept)) is not None and share < TEXT_SHARE:
        worst = min(kept, key=lambda sentence: chinese_share(sentence) or 1.0)
        kept.remove(worst)
        findings.append(Finding(kind=FindingKind.NOT_CHINESE, sentence=worst.text, message=words.not_chinese()))
        removed.append(worst.text.strip())
    return kept


def _within_length(
    sentences: list[Sentence], ledger: Ledger, findings: list[Finding], removed: list[str]
) -> list[Sentence]:
    """Cut from the end, sentences without a citation first; the opening and the first to cite the top item stay."""
    kept = list(sentences)
    top = ledger.items[0].id if ledger.items else None
    while (length := len(render_citations(_text(kept).strip(), ledger))) > MAX_ANALYSIS and len(kept) > 1:
        stay = _staying(kept, top)
        free = [one for one in reversed(kept) if not any(one is other for other in stay)]
        if not free:
            break
        worst = next((one for one in free if not one.cited), free[0])
        kept = [one for one in kept if one is not worst]
        message = words.too_long(length, MAX_ANALYSIS)
        findings.append(Finding(kind=FindingKind.LENGTH, sentence=worst.text, message=message))
        removed.append(worst.text.strip())
    return kept


def _staying(sentences: list[Sentence], top: str | None) -> tuple[Sentence, ...]:
    """The opening, where a warning stands, and the first sentence that cites the top item."""
    return sentences[0], next((one for one in sentences if top in one.cited), sentences[0])


# --- summary ----------------------------------------------------------------------------------------------------------


def _prove_summary(text: str, context: Context, findings: list[Finding], removed: list[str]) -> list[Sentence]:
    """The drafted summary when it is one proved sentence in bounds and without ids, else one of facts alone."""
    sentences = read_all(text.strip(), context)
    found = [finding for sentence in sentences for finding in objections(sentence, context)]
    if set(cited_ids(text)) <= context.items.keys() | context.misses.keys():
        length = len(render_citations(text.strip(), context.ledger))
        if length > MAX_SUMMARY:
            message = words.summary_too_long(length, MAX_SUMMARY)
            found.append(Finding(kind=FindingKind.LENGTH, sentence=text, message=message))
    if ids := cited_ids(text):
        message = words.summary_cites(list(ids))
        found.append(Finding(kind=FindingKind.LENGTH, sentence=text, message=message))
    if len(sentences) != 1:
        message = words.summary_not_one(len(sentences))
        found.append(Finding(kind=FindingKind.LENGTH, sentence=text, message=message))
    if not found:
        return sentences
    findings += found
    if text.strip():
        removed.append(text.strip())
    return read_all(fact_summary(context.change), context)


def fact_summary(change: UpstreamChange) -> str:
    """One sentence that holds by construction: number, files, revert."""
    paths = [file.path for file in change.files] or list(change.other_paths)
    text = words.fallback_summary(change.number, paths[:1], len(paths) if change.diff_complete else 1)
    if change.reverted:
        text = text[:-1] + words.FALLBACK_REVERTED + text[-1:]
    return text


# --- how it ends ------------------------------------------------------------------------------------------------------


def _floor(cited: tuple[str, ...], ledger: Ledger) -> list[Finding]:
    """A record with places cites the first of them; one without states a counted miss."""
    if ledger.items:
        top = ledger.items[0].id
        if top in cited:
            return []
        message = words.top_not_cited(top)
    else:
        if any(one.startswith("Z") for one in cited):
            return []
        message = words.no_miss_cited()
    return [Finding(kind=FindingKind.UNCITED_CLAIM, sentence="", message=message)]


def final_state(checked: CheckedDraft, ledger: Ledger) -> tuple[CheckedDraft, AnalysisState, str]:
    """How the analysis ends: the draft to print, the state and, unless ``done``, the reason (Chinese).

    An insufficient draft asks for a person: ``needs_adaptation`` becomes 待确认, and what says otherwise goes.
    """
    reason = insufficiency(checked, ledger)
    if reason is None:
        return checked, AnalysisState.DONE, ""
    return _unsettled(checked, ledger), AnalysisState.EVIDENCE_INSUFFICIENT, reason


def insufficiency(checked: CheckedDraft, ledger: Ledger) -> str | None:
    """Why the proved part does not carry a record (Chinese), floor first, then flags; None when it does."""
    if not checked.analysis:
        return words.INSUFFICIENT_EMPTY
    if ledger.items:
        if not any(one.startswith("E") for one in checked.cited):
            return words.INSUFFICIENT_NO_HIT
        if ledger.items[0].id not in checked.cited:
            return words.INSUFFICIENT_NO_TOP
    elif not any(one.startswith("Z") for one in checked.cited):
        return words.INSUFFICIENT_NO_MISS
    flags = [finding.message for finding in checked.findings if finding.kind is FindingKind.INCONSISTENT_FLAGS]
    return words.insufficient_flags(list(dict.fromkeys(flags))) if flags else None


def _unsettled(checked: CheckedDraft, ledger: Ledger) -> CheckedDraft:
    labels = checked.labels.model_copy(update={"needs_adaptation": NeedsAdaptation.UNCLEAR})
    context = _labels_only(labels, ledger)
    kept: list[Sentence] = []
    removed: list[str] = []
    for sentence in read_all(checked.analysis, context):
        if any(against_flags(sentence, context)):
            removed.append(sentence.text.strip())
        else:
            kept.append(sentence)
    summary = checked.summary
    if any(finding for sentence in read_all(summary, context) for finding in against_flags(sentence, context)):
        removed.append(summary)
        summary = words.NO_PROVED_SENTENCE
    analysis = _text(kept).strip() or words.NO_PROVED_SENTENCE
    changed = {"labels": labels, "summary": summary, "analysis": analysis, "cited": cited_ids(analysis)}
    return checked.model_copy(update={**changed, "removed": (*checked.removed, *removed)})


def _labels_only(labels: Labels, ledger: Ledger) -> Context:
    """A context for sentences that were proved before: only the labels are new, so the change is not asked again."""
    change, delta = UpstreamChange(reverted=True), Delta()
    return Context(change=change, delta=delta, ledger=ledger, labels=labels, names=ChangeNames(change, delta, ledger))
