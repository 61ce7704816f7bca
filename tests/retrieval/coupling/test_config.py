"""`config`: flags of an upstream config module that downstream reads or sets."""

from __future__ import annotations

import pytest

from retrieval.models import EvidenceKind, Relation
from tests.support.tree import IndexOf, felt
from tests.support.values import config

KIND = EvidenceKind.CONFIG
TURBO = config("torch._mill.config.turbo")
DEEP = config("torch._mill.config.gears.turbo")
IMPORT = "from torch._mill import config\n"

FORMS = {
    "read": ("if config.turbo: ...\n", "<module>", (2,), "read"),
    "read in full": ("import torch\nx = torch._mill.config.turbo\n", "<module>", (3,), "read"),
    "read under an alias": ("import torch._mill.config as c\nx = c.turbo\n", "<module>", (3,), "read"),
    "read by name": ("from torch._mill.config import turbo\nx = turbo\n", "<module>", (3,), "read"),
    "read in a function": ("def f():\n    return config.turbo\n", "f", (3,), "read"),
    "read in a decorator": ("@d(config.turbo)\ndef f(): ...\n", "f", (2,), "read"),
    "read in an f-string": ("x = f'{config.turbo}'\n", "<module>", (2,), "read"),
    "read over lines": ("x = (config\n     .turbo)\n", "<module>", (3,), "read"),
    "set": ("config.turbo = False\n", "<module>", (2,), "set"),
    "set with an annotation": ("config.turbo: bool = False\n", "<module>", (2,), "set"),
    "set in a chain": ("x = config.turbo = False\n", "<module>", (2,), "set"),
    "set in a function": ("def f():\n    from torch._mill import config as c\n    c.turbo = 1\n", "f", (4,), "set"),
    "setattr": ("setattr(config, 'turbo', False)\n", "<module>", (2,), "set"),
    "patched by keyword": ("config.patch(turbo=False)\n", "<module>", (2,), "set"),
    "patched behind a longer keyword": ("config.patch(super_turbo=1,\n    turbo=False)\n", "<module>", (3,), "set"),
    "patched by name": ("config.patch('turbo', False)\n", "<module>", (2,), "set"),
    "patched by a dictionary": ("config.patch({'other': 1,\n    'turbo': False})\n", "<module>", (3,), "set"),
    "patched as a decorator": ("@config.patch(turbo=False)\ndef f(): ...\n", "f", (2,), "set"),
    "patched in full": ("import torch\ntorch._mill.config.patch(turbo=1)\n", "<module>", (3,), "set"),
    "with carriage returns": ("config.turbo = False\r\n", "<module>", (2,), "set"),
}


@pytest.mark.parametrize(("source", "scope", "lines", "access"), FORMS.values(), ids=FORMS.keys())
def test_forms_of_a_flag(index_of: IndexOf, source: str, scope: str, lines: tuple[int, ...], access: str) -> None:
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURBO)
    assert (found.scope, found.lines, found.token, found.relation) == (scope, lines, "turbo", Relation.SAME_FLAG)
    assert found.detail.access == access


@pytest.mark.parametrize(
    ("source", "access"),
    [
        ("config.gears.turbo = 1\n", "set"),
        ("config.patch({'gears.turbo': 1})\n", "set"),
        ("config.patch('gears.turbo', 1)\n", "set"),
        ("from torch._mill.config import gears\nx = gears.turbo\n", "read"),
        ("setattr(config.gears, 'turbo', 1)\n", "set"),
    ],
)
def test_a_flag_of_a_group(index_of: IndexOf, source: str, access: str) -> None:
    index = index_of({"mill_npu/a.py": IMPORT + source})
    assert [one.detail.access for one in felt(index, KIND, DEEP)] == [access]
    assert felt(index, KIND, TURBO) == []


LOOK_ALIKES = {
    "a comment": "# config.turbo = 1\n",
    "a string": "x = 'config.turbo'\n",
    "another flag": "config.turbo_mode = 1\nconfig.super_turbo\n",
    "another config module": "from torch._fan import config\nconfig.turbo = 1\n",
    "an own module": "from . import config\nconfig.turbo = 1\n",
    "a parameter": "def f(config):\n    config.turbo = 1\n",
    "a local": "def f():\n    config = load()\n    config.turbo = 1\n",
    "a member": "class C:\n    def m(self):\n        self.config.turbo = 1\n",
    "a keyword of another call": "config.load(turbo=1)\n",
    "a value of a dictionary": "config.patch({'other': 'turbo', 'more': {'turbo': 1}})\n",
    "a value of a keyword": "config.patch(other='turbo')\n",
    "a formatted key": "config.patch({f'turbo{x}': 1})\n",
    "next to Chinese": "config.创建turbo = 1\nconfig.turbo选项 = 1\n",
    "a mock": "mock.patch(turbo=1)\n",
    "a value read before": "def f(old):\n    return old\nx = f(config.other)\ny = x.turbo\n",
    "an import alone": "from torch._mill.config import turbo\n",
}


@pytest.mark.parametrize("source", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_look_alikes_of_a_flag(index_of: IndexOf, source: str) -> None:
    assert felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURBO) == []


def test_the_config_module_may_be_taken_from_a_module_of_its_package(index_of: IndexOf) -> None:
    files = {
        "mill_npu/a.py": "from torch._mill.codegen.gears import config\nconfig.turbo = 1\n",
        "mill_npu/b.py": "from torch._mill.codegen import gears\nx = gears.config.turbo\n",
        "mill_npu/c.py": "from torch._fan.codegen.gears import config\nconfig.turbo = 1\n",
        "mill_npu/d.py": "from torch._mill.codegen.gears import config\nconfig.gears.turbo = 1\n",
    }
    assert [one.path for one in felt(index_of(files), KIND, TURBO)] == ["mill_npu/a.py", "mill_npu/b.py"]


def test_reads_and_writes_of_one_scope_are_told_apart(index_of: IndexOf) -> None:
    source = "def f():\n    config.turbo = not config.turbo\n    return config.turbo\n"
    found = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURBO)
    assert sorted((one.detail.access or "", one.lines) for one in found) == [("read", (3, 4)), ("set", (3,))]


def test_a_value_that_was_read_is_not_read_again(index_of: IndexOf) -> None:
    source = "old = config.turbo\nprint(old)\n"
    (found,) = felt(index_of({"mill_npu/a.py": IMPORT + source}), KIND, TURBO)
    assert found.lines == (2,)


def test_a_reexported_config_module_is_the_same(index_of: IndexOf) -> None:
    files = {
        "mill_npu/_compat.py": "from torch._mill import config as mill_config\n",
        "mill_npu/a.py": "from ._compat import mill_config\nmill_config.turbo = 1\n",
    }
    found = felt(index_of(files), KIND, TURBO)
    assert [(one.path, one.lines) for one in found] == [("mill_npu/a.py", (2,))]
