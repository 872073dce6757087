"""A league on disk: what was stored, read, exported, merged and summed up; no process."""
