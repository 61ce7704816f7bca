"""Proves every claim of a draft by code, before anyone sees it. Start reading at ``verify.py``."""
