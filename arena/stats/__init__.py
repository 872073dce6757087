"""Numbers over the sets of a league."""
