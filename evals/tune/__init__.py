"""``python -m evals.tune``: fits the numbers of the ranking table to the labelled records, and reports honestly.

Every figure printed is of records whose batch the fit did not see (leave one batch out). What is fitted are weights per
kind and relation: nothing that could name a record, a file or a symbol.

``weights_file`` reads and writes the table, ``examples`` ranks records under trial weights, ``search`` climbs,
``folds`` leaves batches out, ``report`` shows. The trap: weights that were fitted once must not be where the next fit
starts from, or the batch left out has had its say; so the table keeps the hand-set value beside each fitted one.
"""
