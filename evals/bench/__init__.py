"""How fast the coupling index is: measured, printed beside its targets, never asserted.

One run measures everything on one machine, because ratios decide where machines differ: look-up against ``git grep``
on the same revision of the same bare repository, for the same names. ``python -m evals.bench`` prints one table per
topic. Real trees are used where they lie on disk; nothing is fetched.
"""
