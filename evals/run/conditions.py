"""Under which conditions a run's answers come about, and how two sets of them differ. Pure.

What may differ between two sittings of one run: when it began, and the commit, since ``versions["code"]`` already holds
what an answer depends on; a commit that changes a page of documentation interrupts nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evals.run import words
from evals.run.models import Manifest

_MAY_DIFFER = {"created", "commit", "dirty", "format"}


def differences(old: Manifest, new: Manifest) -> tuple[str, ...]:
    """One Chinese phrase for each condition that is not the same; empty when ``new`` continues ``old``."""
    return tuple(_phrases(old, new))


def _phrases(old: Manifest, new: Manifest) -> Iterator[str]:
    for field in Manifest.model_fields:
        before, after = getattr(old, field), getattr(new, field)
        if field in _MAY_DIFFER or before == after:
            continue
        if field == "records":
            yield words.records_differ(len(before), len(after))
        elif field == "pulled":
            yield words.differs(field, len(before), len(after))
        elif isinstance(before, Mapping):
            for key in sorted({*before, *after}):
                if before.get(key) != after.get(key):
                    yield words.differs(f"{field}.{key}", before.get(key), after.get(key))
        elif field == "revisions":
            for key in type(before).model_fields:
                if getattr(before, key) != getattr(after, key):
                    yield words.differs(key, getattr(before, key), getattr(after, key))
        else:
            yield words.differs(field, before, after)
