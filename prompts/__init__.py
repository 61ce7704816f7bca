"""Data only: rule table, vocabulary, texts for a model, and the phrases of the template writer.

A package so that the files ship in the wheel and are read with ``importlib.resources``.
"""
