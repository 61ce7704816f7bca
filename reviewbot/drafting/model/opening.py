"""Opens the writer that the settings describe; what they lack or contradict is one sentence for each key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reviewbot.drafting.model import words
from reviewbot.drafting.model.memory import FILE_NAME, Memory
from reviewbot.drafting.model.sparing import SparingWriter
from reviewbot.drafting.model.tokens import counter_for
from reviewbot.drafting.model.writer import ModelWriter, budget_of
from reviewbot.drafting.writer import Writer
from reviewbot.errors import SettingProblem, SettingsError
from reviewbot.settings import ModelSettings, Settings
from reviewbot.settings_secrets import secret_of

#: Below this not even the brief prefix and a short diff fit.
_LEAST_PROMPT = 500


@contextmanager
def open_writer(settings: Settings) -> Iterator[Writer]:
    """The model writer of ``settings.model``, its memory in the cache directory; plain cases spared if they say so.

    Raises ``SettingsError`` when no model is set, the key file cannot be read, or a cap has no price to hold it to.
    """
    model = settings.model
    if problems := tuple(problems_of(model)):
        raise SettingsError(problems)
    memory = Memory(settings.cache.dir / FILE_NAME)
    with ModelWriter(model, memory, key=key_of(model)) as writer:
        yield SparingWriter(writer) if model.spare_plain_cases else writer


def problems_of(model: ModelSettings) -> Iterator[SettingProblem]:
    """What the settings lack or contradict before a model can be asked, one sentence for each key."""
    if model.name is None:
        yield SettingProblem("model.name", "", words.MODEL_UNSET)
    caps = [name for name in ("cost_per_analysis", "cost_per_day") if getattr(model, name) is not None]
    if caps and (model.price_in is None or model.price_out is None):
        yield SettingProblem(f"model.{caps[0]}", "", words.CAP_WITHOUT_PRICE)
    if budget_of(model, counter_for(model.name)) < _LEAST_PROMPT:
        sentence = words.context_too_small(model.context_tokens, model.max_output_tokens)
        yield SettingProblem("model.context_tokens", "", sentence)


def key_of(model: ModelSettings) -> str:
    """The key as set, else that of the key file, else none."""
    return secret_of(model.api_key, model.api_key_file, "model.api_key_file")
