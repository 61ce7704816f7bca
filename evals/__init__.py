"""Measures reviewbot on labelled records and real trees. Imports ``reviewbot`` and ``retrieval``; never the reverse."""
