"""Bots as running processes, and the workers that play matches with them."""
