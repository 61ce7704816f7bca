"""Runs an engine over labelled records and keeps every answer, so that scores can be computed again without it."""
