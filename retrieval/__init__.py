"""Facts about an upstream change and a downstream tree: pure, typed, no language model, no forge, no service."""
