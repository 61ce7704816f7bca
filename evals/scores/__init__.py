"""How close drafts come to what people decided, each figure with what it can bear. Pure; no files, no engine."""
