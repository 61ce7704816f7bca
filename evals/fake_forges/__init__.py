"""Forges to try things on: one world in memory, and servers that tell of it as GitHub does, failures included."""
