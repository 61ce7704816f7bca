"""What a forge tells by webhook, as values: a delivery comes in as bytes and goes on as one event."""
