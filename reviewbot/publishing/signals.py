"""What a review shows beside its comment: one label per verdict, and a check run where the forge has such."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.forges.models import CheckState, PullRequest
from reviewbot.forges.protocol import Forge
from reviewbot.models import Verdict
from reviewbot.publishing import words
from reviewbot.publishing.shown import ShownSubject, tally, worst_verdict
from reviewbot.render.scrub import scrub_line
from reviewbot.service.models import Review, ReviewState
from reviewbot.settings_service import ReviewSettings


def label_pull(forge: Forge, pull: PullRequest, shown: Sequence[ShownSubject], settings: ReviewSettings) -> None:
    """The label of the worst verdict; of the others only our own three are removed. Nothing where labels are off or
    nothing came to a verdict, and no call where the pull request bears the right one already.
    """
    worst = worst_verdict(shown)
    if not settings.labels or worst is None:
        return
    ours = {
        Verdict.CHECK: settings.label_check,
        Verdict.TEST: settings.label_test,
        Verdict.SHIM: settings.label_shim,
    }
    wanted = ours[worst]
    present = set(pull.labels)
    add = () if wanted in present else (wanted,)
    remove = tuple(name for name in dict.fromkeys(ours.values()) if name != wanted and name in present)
    if add or remove:
        forge.set_labels(pull.thread, add, remove)


def check(forge: Forge, review: Review, shown: Sequence[ShownSubject] = ()) -> bool:
    """Report how the review stands at its head; False where the forge shows none or the review is of no thread."""
    if review.thread is None or not review.head_sha:
        return False
    worst = worst_verdict(shown)
    summary = words.title_many(*tally(shown)) if shown else words.TITLE_MANY
    if review.state is ReviewState.FAILED:
        state, summary = CheckState.FAILED, scrub_line(words.state(review.state, review.reason))
    else:
        state = CheckState.NEUTRAL if shown or review.state.ended else CheckState.RUNNING
    return forge.report_check(review.thread.repository, review.head_sha, state, words.check_title(worst), summary)
