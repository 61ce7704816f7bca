"""What a file and a whole change amount to: by path, by content, by device."""

from __future__ import annotations

import pytest

from retrieval.delta.path_kinds import device_of_path, is_test_path, nature_of_path
from retrieval.models import Nature
from tests.support.two_sides import PATH, delta_of

SOURCE = """\
import os
from torch._mill import b, a


def turn(gear):
    assert gear
    return gear.teeth
"""


def natures(old: str, new: str, path: str = PATH) -> tuple[Nature, ...]:
    return delta_of({path: (old, new)}).natures


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return gear.teeth", "return gear.cogs", Nature.CODE),
        ("    assert gear\n", "    # must be\n    assert gear\n", Nature.COMMENT),
        ("import os", "# what\nimport os", Nature.COMMENT),
        ("import os", "import os\n\n", Nature.FORMAT),
        ("import b, a", "import (\n    a,\n    b,\n)", Nature.FORMAT),
        ("assert gear", "if not gear:\n        raise AssertionError('no gear')", Nature.FORMAT),
        ("import os", "import os\nfrom typing import Any", Nature.TYPING),
        ("import os", "from __future__ import annotations\n\nimport os", Nature.TYPING),
        ("import os", "import os\n\nif TYPE_CHECKING:\n    from x import y", Nature.TYPING),
        ("def turn(gear)", "def turn(gear: Gear) -> int", Nature.TYPING),
        ("import os", "import os\nT = TypeVar('T')", Nature.TYPING),
        ("return gear.teeth", "log.info(gear)\n    return gear.teeth", Nature.LOGGING),
        ("import os", "import logging\nimport os\n\nlog = logging.getLogger(__name__)", Nature.LOGGING),
        ("import os", "import os\nimport sys", Nature.CODE),
        ("import b, a", "import b", Nature.CODE),
        ("import os", "import os\nregister(os)", Nature.CODE),
    ],
)
def test_nature_of_a_change(old: str, new: str, expected: Nature) -> None:
    assert natures(SOURCE, SOURCE.replace(old, new)) == (expected,)


def test_a_file_is_as_much_as_its_strongest_part() -> None:
    new = SOURCE.replace("import os", "# what\nimport os").replace("gear.teeth", "gear.cogs")
    assert natures(SOURCE, new) == (Nature.CODE,)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test/inductor/test_mill.py", Nature.TEST),
        ("test/expect/mill.txt", Nature.TEST),
        ("torch/testing/_internal/mill.py", Nature.TEST),
        ("torch/_mill/tests/helper.py", Nature.TEST),
        ("aten/src/ATen/test/mill.cpp", Nature.TEST),
        ("c10/mill_test.cpp", Nature.TEST),
        ("benchmarks/dynamo/expected.csv", Nature.TEST),
        ("docs/source/mill.py", Nature.DOCS),
        ("README.md", Nature.DOCS),
        (".github/workflows/mill.yml", Nature.BUILD),
        (".ci/pytorch/build.sh", Nature.BUILD),
        ("cmake/Mill.cmake", Nature.BUILD),
        ("torch/CMakeLists.txt", Nature.BUILD),
        ("setup.py", Nature.BUILD),
        ("requirements-build.txt", Nature.BUILD),
        ("third_party/mill.txt", Nature.BUILD),
        ("torch/_inductor/codegen/cuda/mill.py", Nature.DEVICE),
        ("torch/_inductor/ir.py", None),
        ("aten/src/ATen/native/native_functions.yaml", None),
    ],
)
def test_nature_of_a_path(path: str, expected: Nature | None) -> None:
    assert nature_of_path(path) is expected
    assert is_test_path(path) is (expected is Nature.TEST)


@pytest.mark.parametrize(
    ("path", "device"),
    [
        ("torch/cuda/streams.py", "cuda"),
        ("torch/_inductor/codegen/rocm/kernel.py", "rocm"),
        ("aten/src/ATen/native/cudnn/Conv.cpp", "cuda"),
        ("torch/_inductor/codegen/mps.py", "mps"),
        ("torch/_inductor/mkldnn_lowerings.py", "cpu"),
        ("torch/_inductor/codegen/xpu/device_op_overrides.py", "xpu"),
        ("aten/src/ATen/native/cpu/Sum.cpp", "cpu"),
        ("torch/_inductor/cpu_vec_isa.py", "cpu"),
        ("torch/_inductor/codegen/cpp_wrapper_cpu.py", None),
        ("torch/_inductor/codegen/cpp_wrapper_gpu.py", None),
        ("torch/_inductor/cudagraph_trees.py", None),
        ("torch/cuda/mps/mixed.py", None),
        ("torch/chips.py", None),
    ],
)
def test_device_of_a_path(path: str, device: str | None) -> None:
    assert device_of_path(path) == device


def test_a_change_of_one_device_alone() -> None:
    delta = delta_of(
        {
            "torch/cuda/mill.py": (SOURCE, SOURCE.replace("gear.teeth", "gear.cogs")),
            "test/test_cuda_mill.py": ("x = 1\n", "x = 2\n"),
        }
    )
    assert (delta.natures, delta.devices) == ((Nature.TEST, Nature.DEVICE), ("cuda",))
    assert {change.nature for change in delta.definitions} == {Nature.TEST, Nature.DEVICE}


def test_shared_code_beside_it_makes_it_everybodys() -> None:
    new = SOURCE.replace("gear.teeth", "gear.cogs")
    delta = delta_of({"torch/cuda/mill.py": (SOURCE, new), PATH: (SOURCE, new)})
    assert (delta.natures, delta.devices) == ((Nature.DEVICE, Nature.CODE), ())


def test_a_comment_in_a_device_file_is_a_comment() -> None:
    delta = delta_of({"torch/cuda/mill.py": (SOURCE, SOURCE.replace("import os", "# why\nimport os"))})
    assert (delta.natures, delta.devices) == ((Nature.COMMENT,), ())


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("XPUGear", "xpu"),
        ("gear_for_mps", "mps"),
        ("CUDAGear", "cuda"),
        ("CpuGear", "cpu"),
        ("GearCpu", None),
        ("CUDAGraphGear", None),
        ("GpuGear", None),
        ("Shipment", None),
        ("cuda_to_xpu", None),
    ],
)
def test_the_name_of_a_definition_says_whose_it_is(name: str, device: str | None) -> None:
    old = f"class {name}:\n    def f(self):\n        return 1\n"
    delta = delta_of({PATH: (old, old.replace("return 1", "return 2"))})
    assert delta.devices == (() if device is None else (device,))


BRANCHES = """\
def turn(x):
    if x.device.type == "xpu":
        y = 1
    elif x.is_mps and y:
        y = 2
    else:
        y = 3
    if x.device.type == "cuda" or z:
        y = 4
    return y
"""


@pytest.mark.parametrize(
    ("old", "devices"),
    [("y = 1", ("xpu",)), ("y = 2", ("mps",)), ("y = 3", ()), ("y = 4", ()), ("return y", ())],
)
def test_branches_for_one_device(old: str, devices: tuple[str, ...]) -> None:
    delta = delta_of({PATH: (BRANCHES, BRANCHES.replace(old, f"{old} + 1"))})
    assert delta.devices == devices


def test_the_innermost_branch_decides() -> None:
    old = 'def f(x):\n    if x.type == "xpu":\n        g()\n        if y.type == "mps":\n            h(1)\n'
    assert delta_of({PATH: (old, old.replace("h(1)", "h(2)"))}).devices == ("mps",)


def test_a_new_branch_for_one_device() -> None:
    new = BRANCHES.replace("    return y", "    if torch.version.hip is not None:\n        y = 5\n    return y")
    assert delta_of({PATH: (BRANCHES, new)}).devices == ("rocm",)


def test_further_paths_of_the_change_count_as_files() -> None:
    delta = delta_of(
        {PATH: (SOURCE, SOURCE.replace("teeth", "cogs"))},
        other_paths=("torch/_mill/b.py", "test/test_mill.py", PATH, "aten/src/ATen/mps/Mill.mm"),
    )
    assert [(file.path, file.nature, file.added, file.removed, file.complete) for file in delta.files] == [
        (PATH, Nature.CODE, 1, 1, True),
        ("torch/_mill/b.py", Nature.CODE, 0, 0, False),
        ("test/test_mill.py", Nature.TEST, 0, 0, False),
        ("aten/src/ATen/mps/Mill.mm", Nature.DEVICE, 0, 0, False),
    ]
    assert delta.modules == ("torch._mill.gears", "torch._mill.b")
    assert delta.natures == (Nature.TEST, Nature.DEVICE, Nature.CODE)
