"""A league on disk: storing, reading, exporting, merging, summing up its record; no processes."""
