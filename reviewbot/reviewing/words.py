"""Chinese words of a review."""

from __future__ import annotations

NOTHING = "标题、描述和提交中没有提到上游 PR 或提交，改动也不涉及上游目录"
