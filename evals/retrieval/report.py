"""What the command shows of its results: tables and lines for people. Every figure stands beside its counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from rich.table import Table

from evals.measuring import LONG, SHORT, Measured
from evals.recall import Ratio, Recall
from evals.retrieval import words
from evals.retrieval.ablation import Ablation
from evals.retrieval.misses import Missed, MissReason
from evals.retrieval.oracle import Level, OracleRow


def recall_table(title: str, recalls: Sequence[Recall]) -> Table:
    columns = (words.COLUMN_DEPTH, words.COLUMN_SCOPE, words.COLUMN_NAMED, words.COLUMN_FILE, words.COLUMN_MACRO)
    table = _table(title, columns, left=0)
    for recall in recalls:
        macro = "—" if recall.macro is None else f"{recall.macro:.3f} ({recall.records})"
        ratios = (recall.scope, recall.named_scope, recall.file)
        table.add_row(str(recall.k), *(shown(ratio) for ratio in ratios), macro)
    return table


def shown(ratio: Ratio) -> str:
    return "—" if ratio.value is None else f"{ratio.value:.3f} ({ratio.hits}/{ratio.total})"


def cost_lines(measured: Sequence[Measured], opening_seconds: float) -> Iterator[str]:
    delta_ms, ledger_ms = (median(getattr(one, name) for one in measured) for name in ("delta_ms", "ledger_ms"))
    yield words.costs(len(measured), opening_seconds, delta_ms, ledger_ms)
    tokens = [one.tokens for one in measured]
    yield words.tokens(SHORT, LONG, median(tokens), max(tokens), sum(one.cut_by_tokens for one in measured))


def oracle_table(rows: Sequence[OracleRow], recalls: Sequence[Recall]) -> Table:
    depths = [recall.k for recall in recalls]
    columns = [words.COLUMN_LEVEL, words.COLUMN_NAMES, words.COLUMN_ORACLE, *map(words.column_recall, depths)]
    table = _table(words.ORACLE_TITLE, [*columns, words.column_share(SHORT), words.column_both(SHORT)], left=2)
    for row in rows:
        reach = row.at[SHORT]
        recall = [shown(Ratio(row.at[k].hits, reach.oracle.total)) for k in depths]
        level, names = words.LEVELS[row.level], words.NAME_SETS[row.names]
        table.add_row(level, names, shown(reach.oracle), *recall, shown(reach.share), shown(reach.both))
    return table


def ablation_table(rows: Sequence[Ablation]) -> Table:
    columns = (
        words.COLUMN_PART,
        words.COLUMN_TAKEN,
        words.LEVELS[Level.SCOPE],
        words.COLUMN_LOSS,
        words.LEVELS[Level.FILE],
    )
    table = _table(words.ablation_title(SHORT), (*columns, words.COLUMN_LOSS), left=1)
    whole = rows[0].recall
    for row in rows:
        losses = (whole.scope.hits - row.recall.scope.hits, whole.file.hits - row.recall.file.hits)
        scope, file = ("" if row.part is None else _loss(loss) for loss in losses)
        name = words.WHOLE if row.part is None else str(row.part)
        table.add_row(name, str(row.taken or ""), shown(row.recall.scope), scope, shown(row.recall.file), file)
    return table


def miss_lines(missed: Sequence[Missed]) -> Iterator[str]:
    """The counts by reason, then every place."""
    counts = {reason: sum(one.reason is reason for one in missed) for reason in MissReason}
    yield words.miss_counts(
        {str(reason): count for reason, count in counts.items() if count}, sum(one.file_found for one in missed)
    )
    for one in missed:
        details = [words.rank_of(one.rank)] if one.rank is not None else []
        details += [words.name_in_files(name.word, name.files) for name in one.names]
        details.append(words.FILE_FOUND if one.file_found else words.FILE_MISSED)
        yield words.missed_place(one.record, *one.place, words.REASONS[one.reason], details)


def _loss(hits: int) -> str:
    """Hits that are gone; a part whose absence lets others move up costs less than nothing."""
    return f"{-hits:+d}" if hits else "0"


def _table(title: str, columns: Sequence[str], *, left: int) -> Table:
    """The first ``left`` columns are words, the others figures."""
    table = Table(title=title)
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number < left else "right")
    return table
