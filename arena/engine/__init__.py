"""Bots as processes: matches played with them, and the workers and runner that play many."""
