"""An independent check of printed records: every ``path:line``, every ``0 命中``, every relation word.

It shares no code with the index, the ranking or the verifier: it reads the tree as plain files (or a wheel as a zip),
searches words with its own scanner and derives Python facts with ``ast``. A mistake of the product can therefore not
excuse itself. What it takes from the product is the export under test, and nothing else.
"""

from __future__ import annotations

from evals.audit.checking import Audited, Auditor
from evals.audit.export import ExportedRecord, parse_record, read_export
from evals.audit.faults import Fault, FaultKind
from evals.audit.tree_text import TreeText

__all__ = ["Audited", "Auditor", "ExportedRecord", "Fault", "FaultKind", "TreeText", "parse_record", "read_export"]
