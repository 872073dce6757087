"""A league on disk: what was stored and what can be read from it."""
