"""Tests of the web process."""
