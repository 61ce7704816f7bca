"""The wheel is whole: what users install works away from the checkout, with the data that its code reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Data files of the packages; every one of them has to be in the wheel.
DATA = ("prompts", "evals/gate", "evals/records", "evals/report/page/templates", "reviewbot/store/migrations")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_code_and_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    packages = ("retrieval", "reviewbot", "evals", "prompts")
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == wanted
    for folder in DATA:
        assert any(name.startswith(f"{folder}/") for name in packed), folder


def test_the_wheel_names_its_command_and_pythons(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.partition(".dist-info/")[2]: name for name in archive.namelist()}
        metadata = archive.read(names["METADATA"]).decode()
        commands = archive.read(names["entry_points.txt"]).decode()
    assert "Requires-Python: <3.14,>=3.11" in metadata
    assert "reviewbot = reviewbot.cli.app:main" in commands


SAMPLE = """\
diff --git a/torch/_mill/gears.py b/torch/_mill/gears.py
--- a/torch/_mill/gears.py
+++ b/torch/_mill/gears.py
@@ -1,2 +1,2 @@
-def spin(x):
+def spin(x, *, quiet=False):
     return x
"""

DOWNSTREAM = """\
import torch._mill.gears


def spin_npu(x):
    return x


torch._mill.gears.spin = spin_npu
"""


@pytest.mark.full
def test_the_installed_wheel_analyses_a_patch_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "REVIEWBOT_", "VIRTUAL_ENV"))
    } | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "share")}
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    install = [str(programs / "python"), "-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([*install, str(wheel)], check=True, cwd=tmp_path, env=environment)
    (tmp_path / "sample.patch").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "npu" / "mill_npu").mkdir(parents=True)
    (tmp_path / "npu" / "mill_npu" / "gears.py").write_text(DOWNSTREAM, encoding="utf-8")
    command = [str(programs / "reviewbot"), "analyze", "sample.patch", "--downstream", "npu", "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    places = {(item["path"], item["scope"]) for item in json.loads(done.stdout)["ledger"]["items"]}
    assert ("mill_npu/gears.py", "<module>") in places
