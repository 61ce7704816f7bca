"""The about file: typed, closed, and merged into the change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.change import About, apply_about, load_about, parse_patch
from retrieval.errors import ChangeError
from retrieval.models import ChangedFile, UpstreamChange
from tests.retrieval.hostile.cases import text

FULL = {
    "number": 12,
    "title": "标题",
    "body": "正文",
    "labels": ["ciflow/trunk", "Merged"],
    "merged": True,
    "reverted": False,
    "date": "2026-06-29",
    "paths": ["torch/csrc/x.cpp"],
    "tests": ["TestX.test_y"],
    "diff_complete": False,
}


def _load(tmp_path: Path, content: object) -> About:
    path = tmp_path / "about.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return load_about(path)


def test_every_key(tmp_path: Path) -> None:
    about = _load(tmp_path, FULL)
    assert set(About.model_fields) == set(FULL)
    assert about.model_dump(mode="json") == FULL
    assert _load(tmp_path, {}) == About()
    assert _load(tmp_path, dict.fromkeys(("number", "title", "date", "merged"))) == About()
    assert _load(tmp_path, b"\xef\xbb\xbf{}") == About()
    assert _load(tmp_path, {"date": "2026-06-29T12:00:00Z"}).date == "2026-06-29"
    assert _load(tmp_path, {"paths": ["./torch//x.py"]}).paths == ("torch/x.py",)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"titel": "x"}, "不认识的键 titel，是否想写 title？"),
        ({"qqqq": 1}, "不认识的键 qqqq，可用的键：number、title"),
        ({"number": "12"}, "键 number 的值不对，应为正整数"),
        ({"number": True}, "number"),
        ({"number": 0}, "number"),
        ({"number": 1.5}, "number"),
        ({"title": 5}, "键 title 的值不对，应为字符串"),
        ({"labels": "Merged"}, "键 labels 的值不对，应为字符串数组"),
        ({"labels": [1]}, "labels"),
        ({"labels": None}, "labels"),
        ({"merged": "yes"}, "键 merged 的值不对，应为 true 或 false"),
        ({"reverted": 1}, "reverted"),
        ({"date": "29.06.2026"}, "键 date 的值不对，应为 ISO 8601 日期"),
        ({"date": "2026-02-30"}, "date"),
        ({"date": 20260629}, "date"),
        ({"paths": ["/etc/passwd"]}, "键 paths 的值不对，应为仓库内相对路径"),
        ({"paths": ["a/../../b"]}, "paths"),
        ({"tests": [""]}, "tests"),
        ({"diff_complete": "false"}, "diff_complete"),
        ([], "应为一个 JSON 对象"),
        ("text", "应为一个 JSON 对象"),
        (b"[" * 100_000, "应为一个 JSON 对象"),
        (b'{"number": ' + b"9" * 5000 + b"}", "应为一个 JSON 对象|number"),
        (b'{"number": 1, "number": 2}', "键 number 出现了两次"),
        (b'{"title": "\xe9"}', "不是 UTF-8"),
        (b'{\n  "number": 1,\n}', r"about.json:3：不是合法的 JSON"),
        (b"", r"about.json:1：不是合法的 JSON"),
    ],
)
def test_mistakes_are_one_sentence(tmp_path: Path, content: object, words: str) -> None:
    with pytest.raises(ChangeError, match=words) as caught:
        _load(tmp_path, content)
    assert "about.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ChangeError, match="无法读取"):
        load_about(tmp_path / "none.json")
    with pytest.raises(ChangeError, match="无法读取"):
        load_about(tmp_path)


def test_it_completes_the_change() -> None:
    change = UpstreamChange(
        number=1,
        title="old",
        body="kept",
        labels=("a",),
        date="2026-01-01",
        files=(ChangedFile(path="x.py"),),
        other_paths=("y.py",),
    )
    about = About(number=2, title="new", labels=("a", "b"), paths=("x.py", "y.py", "z.py"), tests=("T.t",))
    done = apply_about(change, about)
    assert (done.number, done.title, done.body, done.date) == (2, "new", "kept", "2026-01-01")
    assert done.labels == ("a", "b")
    assert done.other_paths == ("y.py", "z.py"), "a path that the diff shows is not another path"
    assert done.test_names == ("T.t",)
    assert (done.merged, done.reverted, done.diff_complete) == (False, False, True)
    assert apply_about(change, About()) == change


def test_labels_speak_unless_the_file_does() -> None:
    labels = ("Merged", "Reverted")
    done = apply_about(UpstreamChange(), About(labels=labels))
    assert (done.merged, done.reverted) == (True, True)
    again = apply_about(UpstreamChange(), About(labels=labels, reverted=False))
    assert (again.merged, again.reverted) == (True, False)
    assert not apply_about(UpstreamChange(merged=True), About(merged=False)).merged


def test_a_partial_diff_stays_partial() -> None:
    assert not apply_about(UpstreamChange(), About(diff_complete=False)).diff_complete
    combined = parse_patch(text("diff --cc x", "index 1,2..3"), "x.diff")
    assert not apply_about(combined, About(diff_complete=True)).diff_complete
