"""Sketches: copies share grams with what they were copied from, and nothing but that."""

from __future__ import annotations

import subprocess
import sys

from retrieval.copies.candidates import COMMON_GRAM, rarest_first
from retrieval.copies.sketch import ASKED, KEPT, sketch
from retrieval.models import Language
from tests.retrieval.test_copies_alignment import SPIN

TEXT = SPIN.encode()


def shared(one: bytes, other: bytes) -> int:
    return len(set(sketch(one, Language.PYTHON, ASKED)) & set(sketch(other, Language.PYTHON)))


def test_a_sketch_is_small_and_sorted() -> None:
    long = TEXT + b"".join(b"    gear.turn_%d(Speed.of_%d)\n" % (n, n) for n in range(200))
    grams = sketch(long, Language.PYTHON)
    assert len(grams) == KEPT
    assert list(grams) == sorted(grams)
    assert grams == sketch(long, Language.PYTHON, ASKED)[:KEPT]


def test_layout_comments_names_and_decorators_are_free() -> None:
    other = (
        SPIN.replace("gear", "wheel").replace("def spin", "@register(Kind.A)\ndef turn").replace("\n", "  # Gear(x)\n")
    )
    assert sketch(other.encode(), Language.PYTHON) == sketch(TEXT, Language.PYTHON)


def test_a_copy_with_edits_shares_most_grams() -> None:
    assert shared(TEXT, SPIN.replace("promote(", "npu_promote(").encode()) >= KEPT - 3


def test_a_longer_search_finds_what_a_shorter_copy_kept() -> None:
    long = SPIN + "".join(f"    gear.turn_{n}(Speed.of_{n})\n" for n in range(20))
    assert shared(long.encode(), TEXT) >= KEPT - 2


def test_others_share_nothing() -> None:
    other = b"def other(self):\n    for key in self.table.keys():\n        self.write(Key.of(key), self.close())\n"
    assert shared(TEXT, other) == 0


def test_what_says_too_little_has_no_sketch() -> None:
    assert sketch(b"def name(self):\n    return self._name\n", Language.PYTHON) == ()
    assert sketch(b"", Language.PYTHON) == ()
    assert sketch(b"def f(a, b):\n    # Gear.turn(Gear.stop())\n    return a + b\n", Language.PYTHON) == ()


def test_grams_are_the_same_in_every_process() -> None:
    script = f"from retrieval.copies.sketch import sketch, Language; print(sketch({TEXT!r}, Language.PYTHON))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sketch(TEXT, Language.PYTHON))


def test_cpp_is_read_as_cpp() -> None:
    text = b"Tensor spin(const Tensor& gear) { // a.b(C)\n  return at::turn(gear.promote(), Kind::FREE); }"
    assert sketch(text, Language.CPP)
    assert sketch(text.replace(b"gear", b"wheel"), Language.CPP) == sketch(text, Language.CPP)


def test_rare_grams_decide() -> None:
    holders = [["common", "other"], ["rare"], ["common", "other", "rare"], [str(n) for n in range(COMMON_GRAM + 1)]]
    assert rarest_first(holders, str) == ["rare", "common", "other"]
    assert rarest_first(holders, str, 1) == ["rare"]
    assert rarest_first([], str) == []


def test_between_equals_the_place_decides() -> None:
    names = ["e", "d", "c", "b", "a"]
    assert rarest_first([names, names[:1]], str, 3) == rarest_first([names[::-1], names[:1]], str, 3) == ["e", "a", "b"]
