"""Functions for programs that import the arena: views, matches, records."""
