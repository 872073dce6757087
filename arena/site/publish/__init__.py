"""Makes documents of what is public of a league's record."""
