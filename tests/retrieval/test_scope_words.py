"""Words by scope: what belongs to which, and what is no code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.coupling.cpp.cpp_file import CppFile
from retrieval.coupling.cpp.extraction import extract_cpp_facts
from retrieval.coupling.python_source import PythonSource
from retrieval.scope_words import ScopeWords, cpp_scope_words, python_scope_words
from tests.support.tree import code


def python(text: str) -> list[ScopeWords]:
    return python_scope_words(PythonSource(code(text).encode()))


def cpp(text: str) -> list[ScopeWords]:
    data = code(text).encode()
    file = CppFile(data)
    return cpp_scope_words(file, extract_cpp_facts(file))


def words(found: list[ScopeWords]) -> dict[str, dict[str, int]]:
    return {scope.qualname: scope.pieces for scope in found}


NESTED = """
    import mill

    @register(oil)
    def grind(wheel, belt=tooth):
        def turn():
            return wheel_turn
        return turn(belt)

    class Gear(Cog):
        teeth = 12

        def spin(self):
            return rattle

    lamp = mill.lamp
    """


def test_a_word_belongs_to_the_innermost_scope_and_a_header_to_the_scope_it_opens() -> None:
    assert words(python(NESTED)) == {
        "<module>": {"mill": 2, "lamp": 2},
        "grind": {"register": 1, "oil": 1, "grind": 1, "wheel": 1, "belt": 2, "tooth": 1, "turn": 1},
        "grind.turn": {"turn": 2, "wheel": 1},
        "Gear": {"gear": 1, "cog": 1, "teeth": 1},
        "Gear.spin": {"spin": 1, "rattle": 1},
    }


def test_comments_and_docstrings_are_prose_and_other_strings_code() -> None:
    text = '''
        """Grease of the module."""
        # grease
        def grind():  # grease
            r"""Grease.

            grease
            """
            "grease"
            return emit("oil_can", f"rattle {belt}")
        '''
    assert words(python(text)) == {
        "grind": {"grind": 1, "emit": 1, "oil": 1, "can": 1, "rattle": 1, "belt": 1},
    }


def test_a_word_next_to_chinese_is_found() -> None:
    assert words(python("x = '创建Gear选项' + 齿轮grind\n")) == {"<module>": {"gear": 1, "grind": 1}}
    assert words(cpp('void spin() { check("创建Gear选项"); }\n'))["spin"] == {
        "void": 1,
        "spin": 1,
        "check": 1,
        "gear": 1,
    }


def test_scopes_without_a_word_are_left_out() -> None:
    assert python("") == []
    assert python("# grease\n") == []
    assert words(python("class C:\n    def f(self): ...\n\n")) == {}


def test_a_file_with_an_error_yields_what_could_be_read() -> None:
    assert "rattle" in {
        piece for scope in python("def (:\n    pass\ndef g():\n    rattle()\n") for piece in scope.pieces
    }


def test_marks_and_carriage_returns_change_nothing() -> None:
    plain = code(NESTED).encode()
    odd = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")
    assert python_scope_words(PythonSource(odd)) == python_scope_words(PythonSource(plain))


PROSE = st.sampled_from(["# grease", "# 齿轮grease的说明", '"""grease"""', "r'''grease\n# '''", ""])
BEFORE = st.sampled_from([(0, ""), (1, "    "), (3, ""), (4, "    "), (6, ""), (7, "")])  # a line, its indentation


@given(st.lists(st.tuples(BEFORE, PROSE), max_size=6))
def test_prose_between_the_lines_changes_no_word(added: list[tuple[tuple[int, str], str]]) -> None:
    """Pieces are what affinity is made of: to comment code moves no place."""
    lines = ["def grind():", "    oil = 1", "", "class Gear:", "    teeth = 12", "", "lamp = grind()", ""]
    expected = words(python("\n".join(lines)))
    for (before, indentation), prose in sorted(added, reverse=True):
        lines.insert(before, indentation + prose)
    assert words(python("\n".join(lines))) == expected


# --- C++ --------------------------------------------------------------------------------------------------------------

CPP = """
    #include <mill/gears.h>
    namespace mill {
    // grease
    int grind(int belt) {
      /* grease
         grease */
      auto turn = [&](int oil) { return oil_can; };
      return turn(belt); // grease
    }
    }  // namespace mill
    static lamp_t lamp;
    """


def test_functions_of_cpp_are_scopes() -> None:
    found = words(cpp(CPP))
    assert found["<module>"]["lamp"] == 2
    (grind,) = [pieces for name, pieces in found.items() if name.endswith("grind")]
    assert grind["belt"] == 2
    assert "can" in grind
    assert not any("greas" in pieces or "grease" in pieces for pieces in found.values())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('x = "https://rattle"; belt;', True),
        ('x = "/tmp/*"; rattle; y = "*/";', True),
        ('x = "\\"// "; rattle;', True),
        ('// "\nrattle;', True),
        ("'\"'; rattle; '\"';", True),
        ('/* " */ rattle;', True),
        ("// rattle", False),
        ("/* rattle */", False),
        ("/* rattle", False),
        ('/* " rattle " */', False),
    ],
)
def test_comments_of_cpp_are_told_from_strings(text: str, kept: bool) -> None:
    pieces = {piece for scope in cpp_scope_words(CppFile(text.encode()), ()) for piece in scope.pieces}
    assert ("rattle" in pieces) is kept


def test_words_of_cpp_stay_in_their_scope_behind_a_comment() -> None:
    data = b"/* one\n two */\nvoid grind() {\n  oil();\n}\n"
    (found,) = [
        one for one in cpp_scope_words(CppFile(data), extract_cpp_facts(CppFile(data))) if one.qualname != "<module>"
    ]
    assert found.pieces == {"void": 1, "grind": 1, "oil": 1}
