"""Durable work: deliveries and reviews go through queues that survive the process."""
