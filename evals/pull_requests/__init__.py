"""The true diffs of upstream pull requests, fetched from GitHub once and kept: what a reconstruction stands in for."""
