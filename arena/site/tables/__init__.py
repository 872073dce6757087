"""Guests' tables: an HTTP service of its own, whose seats are those of `arena play`."""
