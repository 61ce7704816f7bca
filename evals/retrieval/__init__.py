"""``python -m evals.retrieval``: evidence recall on the labelled records, and what stands in its way.

``oracle`` says how much a search for names could reach at best, ``ablation`` what each kind of evidence contributes,
``misses`` why a cited place is not in the ledger. All three are pure; files are read at the edge, in ``__main__``.
"""
