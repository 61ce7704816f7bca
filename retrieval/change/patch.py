"""A diff or patch file as changed files, or as a whole change with what its mail headers say."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval import words
from retrieval.change.diff_lines import DiffLines, read_lines
from retrieval.change.diff_parser import ParsedDiff, parse_sections
from retrieval.change.mail_header import Message, Part, split_parts
from retrieval.change.message import split_number
from retrieval.change.series import net_files
from retrieval.errors import ChangeError
from retrieval.models import ChangedFile, UpstreamChange


def parse_diff(data: bytes, source: str) -> tuple[ChangedFile, ...]:
    """The net changed files of ``data``; ``source`` names it in errors. Nothing but ``ChangeError`` is raised."""
    return parse_patch(data, source).files


def parse_patch(data: bytes, source: str) -> UpstreamChange:
    """The change that a patch file describes; several mails are one change.

    Title, body, date and number come from the mails when there are any: the title of the first, the date and commit of
    the last. Empty input is an empty change; text without any diff and without a mail header is a ``ChangeError``.
    ``merged`` stays False: a patch does not prove that it landed.
    """
    text = read_lines(data, source)
    parts = split_parts(text)
    diffs = [parse_sections(part.diff) for part in parts]
    messages = [part.message for part in parts if part.message is not None]
    if not any(diff.sections for diff in diffs) and not messages:
        _refuse_prose(text)
    return change_from_parts(parts, diffs, source)


def change_from_parts(parts: Sequence[Part], diffs: Sequence[ParsedDiff], source: str) -> UpstreamChange:
    messages = [part.message for part in parts if part.message is not None]
    title, body = _joined(messages)
    title, number = split_number(title, body)
    return UpstreamChange(
        number=number,
        title=title,
        body=body,
        date=next((message.date for message in reversed(messages) if message.date), None),
        base_sha=next((message.base_commit for message in messages if message.base_commit), None),
        head_sha=next((message.commit for message in reversed(messages) if message.commit), None),
        source=source,
        files=net_files((diff.sections for diff in diffs), source),
        diff_complete=not any(diff.incomplete for diff in diffs),
    )


def _joined(messages: Sequence[Message]) -> tuple[str, str]:
    """Title of the first message; its body followed by the later messages in full."""
    if not messages:
        return "", ""
    later = [f"{message.title}\n\n{message.body}".strip() for message in messages[1:]]
    return messages[0].title, "\n\n".join(text for text in (messages[0].body, *later) if text)


def _refuse_prose(text: DiffLines) -> None:
    """Says what a text without a diff looks like; empty text is fine."""
    if not any(line.strip() for line in text.lines):
        return
    if any("\x1b[" in line for line in text.lines[:200]):
        reason = words.PATCH_COLOURED
    elif any(line.startswith("***************") for line in text.lines):
        reason = words.PATCH_CONTEXT_FORMAT
    else:
        reason = words.PATCH_WITHOUT_DIFF
    raise ChangeError(text.source, reason, 1)
