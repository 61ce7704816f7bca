"""Keeps a change from making drafts worse: fails only when a score falls by more than chance can explain."""
