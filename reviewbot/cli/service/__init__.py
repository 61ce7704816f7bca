"""Commands of the service: what runs it, what looks at it, and one review without it."""
