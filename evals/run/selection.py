"""Which records a run takes: a split, then perhaps a sample of it.

Splits are batches, listed in ``evals/records/splits.toml``: a table per split (``[design] batches = ["b01", ...]``).
What no table names is the split ``unread``. Beside those stand ``usable`` (every record with a diff) and ``all``.
Only ``all`` holds records without a diff; there they end as input errors, which is what they are.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from evals.records import LabelledRecord
from evals.run import words
from evals.run.errors import SelectionError

ALL, USABLE, UNREAD = "all", "usable", "unread"

Splits = Mapping[str, frozenset[str]]  # name → batches
#: Whether a record has a diff, reconstructed or fetched.
HasDiff = Callable[[LabelledRecord], bool]


def load_splits(path: Path | None = None) -> Splits:
    """The splits of ``path``, by default those that ship with the records. Raises SelectionError for a bad file."""
    if path is None:
        with as_file(files("evals.records").joinpath("splits.toml")) as shipped:
            return load_splits(shipped)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SelectionError(words.bad_splits(str(path), str(error))) from error
    return {name: _batches(path, name, table) for name, table in tables.items()}


def _batches(path: Path, name: str, table: object) -> frozenset[str]:
    batches = table.get("batches") if isinstance(table, dict) else None
    if not isinstance(batches, list) or not all(isinstance(one, str) for one in batches):
        raise SelectionError(words.bad_splits(str(path), words.split_needs_batches(name)))
    if name in {ALL, USABLE, UNREAD}:
        raise SelectionError(words.bad_splits(str(path), words.reserved_split(name)))
    return frozenset(batches)


def select(
    records: Sequence[LabelledRecord], split: str, size: int | None, seed: int, has_diff: HasDiff
) -> tuple[LabelledRecord, ...]:
    """A sample of a split, the splits being those that ship with the records."""
    splits = {} if split in (ALL, USABLE) else load_splits()
    return sample(of_split(records, split, splits, has_diff), size, seed)


def of_split(
    records: Sequence[LabelledRecord], split: str, splits: Splits, has_diff: HasDiff
) -> tuple[LabelledRecord, ...]:
    """The records of a split, in file order. Raises SelectionError for an unknown split or one without a record."""
    named = frozenset().union(*splits.values())
    with_diff = tuple(record for record in records if has_diff(record))
    match split:
        case "all":
            chosen = tuple(records)
        case "usable":
            chosen = with_diff
        case "unread":
            chosen = tuple(record for record in with_diff if record.batch not in named)
        case _ if split in splits:
            chosen = tuple(record for record in with_diff if record.batch in splits[split])
        case _:
            raise SelectionError(words.no_such_split(split, [ALL, USABLE, *splits, UNREAD]))
    if not chosen:
        raise SelectionError(words.empty_split(split))
    return chosen


def sample(records: Sequence[LabelledRecord], size: int | None, seed: int) -> tuple[LabelledRecord, ...]:
    """``size`` records drawn without replacement, in file order; all of them when there are no more.

    The draw depends on ids and seed alone, not on the order of the file.
    """
    if size is None or size >= len(records):
        return tuple(records)
    drawn = set(random.Random(seed).sample(sorted(record.id for record in records), size))
    return tuple(record for record in records if record.id in drawn)
