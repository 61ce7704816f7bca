"""Where the facts cache lies: places that cannot be used, and a file for each version of the extractor."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.cache_files import cache_file
from retrieval.errors import IndexCacheError
from retrieval.extraction import extractor_version
from tests.support.processes import ROOT, python
from tests.support.tree import memory_index

FILES = {"mill_npu/a.py": "from torch._mill import gears\n\ngears.spin(1)\n"}


def test_a_directory_in_place_of_the_cache_is_told(tmp_path: Path) -> None:
    cache_file(tmp_path).mkdir()
    with pytest.raises(IndexCacheError, match="事实缓存无法读写"):
        memory_index(FILES, tmp_path)


def test_a_file_in_place_of_the_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "facts").write_text("x")
    with pytest.raises(IndexCacheError, match="事实缓存无法读写"):
        memory_index(FILES, tmp_path / "facts")


FORBIDDEN = """
import os, sys
from pathlib import Path
from retrieval.errors import IndexCacheError
from retrieval.fact_cache import FactCache
from retrieval.cache_files import cache_file
path = cache_file(Path(sys.argv[1]))
if os.getuid() == 0:  # to whom nothing is forbidden
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    FactCache(path)
except IndexCacheError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("existing", [True, False], ids=["with a cache", "empty"])
def test_a_read_only_directory_is_told(existing: bool, tmp_path: Path) -> None:
    folder = tmp_path / "facts"
    folder.mkdir()
    if existing:
        memory_index(FILES, folder).close()
        cache_file(folder).chmod(0o444)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    builder = python(FORBIDDEN, str(folder))
    output, error = builder.communicate()
    folder.chmod(0o755)
    assert output.decode().startswith("IndexCacheError"), error
    assert "事实缓存无法读写" in output.decode()


VERSION = "from retrieval.extraction import extractor_version; print(extractor_version())"


def test_the_version_follows_the_code_that_extracts(tmp_path: Path) -> None:
    copy = tmp_path / "retrieval"
    shutil.copytree(ROOT / "retrieval", copy, ignore=shutil.ignore_patterns("__pycache__"))

    def version() -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", VERSION]
        done = subprocess.run(command, env=environment, capture_output=True, check=True, cwd=tmp_path)
        return done.stdout.decode().strip()

    first = version()
    assert first == extractor_version()
    seen = {first}
    for name in ("coupling/patch.py", "syntax.py", "word_search.py", "extraction.py"):
        with (copy / name).open("a") as file:
            file.write("\n# changed\n")
        seen.add(version())
    assert len(seen) == 5
    with (copy / "rank.py").open("a") as file:
        file.write("\n# changed\n")
    assert version() in seen


def test_the_version_names_the_file(tmp_path: Path) -> None:
    assert extractor_version() in cache_file(tmp_path).name
