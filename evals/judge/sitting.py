"""Puts many paragraphs to a judge, several at once, keeps each answer as it comes, stops for money or on demand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from evals.judge.cases import Case
from evals.judge.models import JudgedParagraph
from evals.run.runner import Ending, Tally, Watch


def sit(
    waiting: Iterable[Case],
    judged: Callable[[Case], JudgedParagraph],
    keep: Callable[[JudgedParagraph], None],
    begin: Tally,
    watch: Watch,
    on_interrupt: Callable[[int], None],
    jobs: int,
) -> Ending:
    """``begin`` is where the sitting starts. ``keep`` runs in the worker that got the answer, so that what is under way
    at an interrupt (``on_interrupt`` gets how many) is waited for and kept. Raises what ``judged`` and ``keep`` raise.
    """
    queue, tally = deque(waiting), begin
    under_way: set[Future[JudgedParagraph]] = set()

    def work(case: Case) -> JudgedParagraph:
        line = judged(case)
        keep(line)
        return line

    watch(tally)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while queue or under_way:
                while queue and len(under_way) < jobs and tally.budget.admits(len(under_way)):
                    under_way.add(pool.submit(work, queue.popleft()))
                if not under_way:
                    return Ending.CAP
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for one in done:
                    tally = _after(tally, one.result())
                    watch(tally)
        except KeyboardInterrupt:
            on_interrupt(sum(not one.done() for one in under_way))
            return Ending.INTERRUPTED
    return Ending.COMPLETE


def _after(tally: Tally, line: JudgedParagraph) -> Tally:
    return Tally(
        total=tally.total,
        done=tally.done + 1,
        errors=tally.errors + (line.error is not None),
        budget=tally.budget.after(line.usage.cost),
    )
