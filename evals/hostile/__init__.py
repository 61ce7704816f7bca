"""Hostile drafts: true sentences about real ledgers, made false one way at a time, against the verifier.

Claims, phrasings and mutations know nothing of ``reviewbot.verification`` and ``reviewbot.drafting``: they are made
from the ledger alone, in wordings of their own, and whether a mutated claim is false is settled by ``evals.audit``,
which reads the tree as plain text. Only ``trial`` and ``driving`` meet the verifier.
"""
