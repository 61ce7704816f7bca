"""The prose of a description: without quotations, code and the template's hidden remarks.

What stands in those was not written to say what the pull request is about: a quoted reply, a log, an example of the
template. Commit messages have none of these forms and are read whole.
"""

from __future__ import annotations

import re

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ \t]{0,3}(?P=fence)|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"^[ \t]{0,3}>.*$", re.MULTILINE)


def prose_of(markdown: str) -> str:
    return _QUOTED.sub("", _FENCE.sub("", _HIDDEN.sub("", markdown)))
