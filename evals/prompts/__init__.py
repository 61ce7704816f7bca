"""Measures prompts: how long they are, what they hold of the evidence and the change, how many need not be sent."""
