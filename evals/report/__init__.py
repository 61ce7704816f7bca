"""A run told to people: one HTML file that works offline, a page of Markdown, JSON for programs, JUnit for CI.

    run · labelled records · scoring ─▶ record rows ─▶ report ─▶ html | md | json | junit

Everything is computed before a format is chosen, so the four say the same; only `command` and `loading` touch files.
"""
