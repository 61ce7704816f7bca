"""Chinese that the reader of labelled records says; the older sentences stand in ``evals.words``."""

from __future__ import annotations


def newer_schema(found: int, known: int) -> str:
    return f"这一行是第 {found} 版格式，这个程序只认到第 {known} 版；请升级 reviewbot"
