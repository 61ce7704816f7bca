"""Where pull requests live: one protocol, an adapter for each forge."""
