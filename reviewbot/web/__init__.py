"""The web process: takes deliveries in, tells how it is, and nothing slow. Only ``serve`` imports it."""
