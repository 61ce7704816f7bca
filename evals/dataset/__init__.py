"""The data set of labelled records: getting a team's table in, finding what is wrong with it, and what one record may
show of earlier ones.

``importing`` and ``cited_places`` bring rows in, ``findings`` and ``likeness`` look for faults, ``precedents`` gives an
evaluated record its archive and ``leaks`` proves that nothing in it gives the answer away.
"""
