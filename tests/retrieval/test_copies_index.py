"""What the index answers when it is asked for functions that resemble one."""

from __future__ import annotations

from retrieval.copies.sketch import ASKED, sketch
from retrieval.models import Language
from tests.retrieval.test_copies_alignment import SPIN
from tests.support.tree import IndexOf

ASK = sketch(SPIN.encode(), Language.PYTHON, ASKED)
OTHER = "def other(self):\n    for key in self.table.keys():\n        self.write(Key.of(key), self.close())\n"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def test_functions_that_share_code_under_any_name(index_of: IndexOf) -> None:
    copy = SPIN.replace("def spin", "def turn")
    index = index_of({"a.py": f"{OTHER}\n\n@register\n{copy}", "b.py": f"class Mill:\n{indented(SPIN)}", "c.py": OTHER})
    found = [(one.path, one.fact.scope, one.fact.span) for one in index.resembling(ASK, Language.PYTHON)]
    assert found == [("a.py", "turn", (6, 15)), ("b.py", "Mill.spin", (2, 10))]
    assert index.resembling((), Language.PYTHON) == []


def test_equal_files_are_two_places(index_of: IndexOf) -> None:
    index = index_of({"a.py": SPIN, "b.py": SPIN})
    assert [one.path for one in index.resembling(ASK, Language.PYTHON)] == ["a.py", "b.py"]


def test_only_this_tree_counts_though_the_cache_knows_more(index_of: IndexOf) -> None:
    index_of({"old.py": SPIN})
    assert index_of({"new.py": OTHER}).resembling(ASK, Language.PYTHON) == []


def test_byte_order_mark_and_line_ends_do_not_matter(index_of: IndexOf) -> None:
    index = index_of({"a.py": b"\xef\xbb\xbf" + SPIN.replace("\n", "\r\n").encode()})
    assert [one.fact.scope for one in index.resembling(ASK, Language.PYTHON)] == ["spin"]


def test_only_one_language_counts(index_of: IndexOf) -> None:
    index = index_of({"a.py": SPIN, "b.cpp": f"void spin() {{\n{SPIN.replace('def spin', 'call')}}}\n"})
    assert [one.path for one in index.resembling(ASK, Language.PYTHON)] == ["a.py"]
    assert [one.path for one in index.resembling(ASK, Language.CPP)] == ["b.cpp"]
