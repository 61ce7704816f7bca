"""Is one run better than another, on the same records, by more than chance? Paired, so that hard records cancel out."""
