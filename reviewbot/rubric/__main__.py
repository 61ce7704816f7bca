"""``python -m reviewbot.rubric``: does ``prompts/rubric.md`` agree with the rule table? ``--write`` makes it so.

Works on the checkout it is run from; exits with 1 when the text is stale and ``--write`` was not given.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import prompts
from reviewbot.rubric import words
from reviewbot.rubric.table import load_rubric
from reviewbot.rubric.text import filled


def main(arguments: list[str] | None = None, path: Path | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m reviewbot.rubric", description=words.RUBRIC_COMMAND)
    parser.add_argument("--write", action="store_true", help=words.RUBRIC_COMMAND_WRITE)
    write = parser.parse_args(arguments).write
    target = path or Path(str(prompts.__file__)).with_name("rubric.md")
    text = target.read_text(encoding="utf-8")
    fresh = filled(text, load_rubric())
    if fresh == text:
        return 0
    if not write:
        print(words.rubric_stale(target.name))
        return 1
    target.write_text(fresh, encoding="utf-8")
    print(words.rubric_written(target.name))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
