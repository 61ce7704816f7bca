"""The help that a comment folds out, in Chinese and English; and which notices unfold what."""

from __future__ import annotations

from reviewbot.conversation import words
from reviewbot.conversation.grammar import NAME, Verb, optional_fields
from reviewbot.records.rows import LABELS
from reviewbot.render.markdown import table

HEADING = words.HELP_HEADING
#: The command of a notice that answers wrong input.
WRONG = "wrong"


def _markdown() -> str:
    rows = [(f"`{f'/{NAME} {how}'.strip()}`", zh, en) for how, zh, en in (words.HELP_ROWS[verb] for verb in Verb)]
    fields = [(name, [value.value for value in kind]) for name, kind in LABELS.items()]
    return "\n\n".join(
        (words.HELP_INTRO, table(words.HELP_COLUMNS, rows), words.help_fields(fields, optional_fields()))
    )


MARKDOWN = _markdown()


def wants_help(command: str) -> bool:
    return command in {Verb.HELP, WRONG}


def wants_explanation(command: str) -> bool:
    return command == Verb.EXPLAIN
