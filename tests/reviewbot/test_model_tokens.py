"""Counting tokens without a network: an encoding that is at hand, or characters; never a panic, never a download."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiktoken

from reviewbot.drafting.model import tokens
from reviewbot.drafting.model.tokens import Counter, counter_for, estimated_tokens, in_chunks


@pytest.fixture(autouse=True)
def forgotten() -> None:
    tokens._o200k.cache_clear()


def byte_encoding() -> tiktoken.Encoding:
    """A real encoding in which every byte is a token."""
    return tiktoken.Encoding(
        "bytes", pat_str=r"\s+|\S+", mergeable_ranks={bytes([n]): n for n in range(256)}, special_tokens={}
    )


@pytest.mark.parametrize("content", [None, b"", b"not the encoding"])
def test_without_a_sound_encoding_characters_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    file = tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    counter = counter_for("gpt-5")
    assert counter.count("x" * 33) == 10
    assert counter.most("x" * 33) == 14, "an estimate needs room, for OpenAI's models as well"
    assert file.is_file() is (content is not None), "tiktoken would have removed it and asked the network"


def test_a_cache_that_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert counter_for(None).count is estimated_tokens


@pytest.mark.parametrize(
    ("model", "factor"),
    [
        ("gpt-5-mini", 1.0),
        ("o4-mini", 1.0),
        ("openai/gpt-4o", 1.0),
        ("deepseek-chat", 1.4),
        ("qwen3-max", 1.4),
        (None, 1.4),
    ],
)
def test_other_tokenizers_get_room(monkeypatch: pytest.MonkeyPatch, model: str | None, factor: float) -> None:
    monkeypatch.setattr(tokens, "_o200k", lambda: len)
    assert counter_for(model) == Counter(len, factor)


def test_long_runs_of_blanks_do_not_panic() -> None:
    """The encoder itself does: a StackOverflow that is no ``Exception``."""
    count = in_chunks(byte_encoding().encode_ordinary)
    assert count(" " * 1_200_000) == 1_200_000
    assert count("") == 0


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("def spin(x, *, quiet=False):\n    return x\n", 10, 16), ("判断它对下游的影响。", 6, 10), ("", 0, 0)],
)
def test_estimates(text: str, least: int, most: int) -> None:
    assert least <= estimated_tokens(text) <= most
