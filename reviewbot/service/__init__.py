"""Values of the service: what was delivered, what was ordered, what was posted."""
