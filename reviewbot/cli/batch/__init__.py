"""``reviewbot batch``: requests for a batch service in a file, its answers from a file, and a plan that joins them."""
