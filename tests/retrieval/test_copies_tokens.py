"""Normalised tokens: what a copy is free to change leaves no trace, what it says does."""

from __future__ import annotations

import pytest

from retrieval.copies.tokens import code_tokens, is_telling, keys_of, size_of
from retrieval.models import Language

PLAIN = "def spin(gear, speed=1):\n    return gear.turn(speed)\n"

FREE = {
    "white space": "def  spin( gear,speed = 1 ) :\n\treturn gear . turn (speed)\n",
    "a comment": "def spin(gear, speed=1):  # def other(\n    return gear.turn(speed)\n",
    "a docstring": 'def spin(gear, speed=1):\n    """Turn "it" round."""\n    return gear.turn(speed)\n',
    "annotations": "def spin(gear: Gear[int, str], speed: int = 1) -> dict[str, int]:\n    return gear.turn(speed)\n",
    "a decorator": "@register(lambda x: x)\ndef spin(gear, speed=1):\n    return gear.turn(speed)\n",
    "the name": "def other(gear, speed=1):\n    return gear.turn(speed)\n",
    "the names of locals": "def spin(wheel, pace=1):\n    return wheel.turn(pace)\n",
    "a literal": "def spin(gear, speed=42):\n    return gear.turn(speed)\n",
    "a trailing comma": "def spin(\n    gear,\n    speed=1,\n):\n    return gear.turn(\n        speed,\n    )\n",
    "line ends in brackets": "def spin(gear, speed=1):\n    return gear.turn(\n        speed)\n",
}

TOLD = {
    "an attribute": PLAIN.replace(".turn", ".stop"),
    "a call": PLAIN.replace("gear.turn(speed)", "turn(gear, speed)"),
    "a class": PLAIN.replace("gear.turn", "Gear.turn"),
    "a keyword": PLAIN.replace("return", "yield"),
    "an operator": PLAIN.replace("(speed)", "(-speed)"),
}


@pytest.mark.parametrize("text", FREE.values(), ids=FREE.keys())
def test_what_a_copy_is_free_to_change(text: str) -> None:
    assert keys_of(text, Language.PYTHON) == keys_of(PLAIN, Language.PYTHON)


@pytest.mark.parametrize("text", TOLD.values(), ids=TOLD.keys())
def test_what_tells_code_apart(text: str) -> None:
    assert keys_of(text, Language.PYTHON) != keys_of(PLAIN, Language.PYTHON)


def test_tokens_keep_names_and_lines() -> None:
    tokens = code_tokens(
        "@x\ndef spin(gear: Gear,\n         speed):\n\n    # turn\n    return gear.turn(speed)\n", Language.PYTHON
    )
    assert [(token.text, token.line) for token in tokens] == [
        ("def", 2), ("(", 2), ("gear", 2), ("speed", 3), (")", 3), (":", 3),
        ("return", 6), ("gear", 6), (".turn(", 6), ("speed", 6), (")", 6),
    ]  # fmt: skip
    assert [token.key for token in tokens] == keys_of(PLAIN.replace("=1", ""), Language.PYTHON)


def test_nested_definitions_lose_their_annotations_and_keep_their_names() -> None:
    inner = "def spin(gear):\n    def turn(x: int = 1) -> int: return x\n    return turn\n"
    assert keys_of(inner, Language.PYTHON) == keys_of(
        inner.replace(": int", "").replace(" -> int", ""), Language.PYTHON
    )
    assert keys_of(inner, Language.PYTHON) != keys_of(inner.replace("turn(", "stop("), Language.PYTHON)


def test_a_parameter_behind_an_annotated_one_is_kept() -> None:
    assert size_of("gear, speed", Language.PYTHON) == 2
    keys = keys_of("def spin(a: int, b, *, c: str = 'x', d): pass\n", Language.PYTHON)
    assert keys.count("_") == 4


def test_cpp_has_comments_and_names_of_its_own() -> None:
    plain = "Tensor spin(const Tensor& gear) { return at::turn(gear, 1); }"
    free = "Tensor other(const Tensor& wheel)\n{\n  // turn\n  return at::turn(wheel, /* once */ 2);\n}"
    assert keys_of(plain, Language.CPP) == keys_of(free, Language.CPP)
    assert keys_of(plain, Language.CPP) != keys_of(plain.replace("::turn", "::stop"), Language.CPP)


@pytest.mark.parametrize(("key", "telling"), [(".size", True), ("turn(", True), ("Gear", True), ("::turn(", True)])
def test_telling_words(key: str, telling: bool) -> None:
    assert is_telling(key) is telling


@pytest.mark.parametrize("key", ["_", "(", "return", "->", "0", '"', "==", "..."])
def test_words_that_tell_nothing(key: str) -> None:
    assert not is_telling(key)


@pytest.mark.parametrize(
    "text", ["", "def", "def f", 'x = """open', "'", "def f(a: (", "\ud800x".encode("utf-8", "replace").decode()]
)
@pytest.mark.parametrize("language", [Language.PYTHON, Language.CPP])
def test_broken_text_is_no_error(text: str, language: Language) -> None:
    assert len(keys_of(text, language)) == len(code_tokens(text, language))
