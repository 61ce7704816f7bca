"""Tests of the deliveries as events."""
