"""A league on paper: its file, format, schedule, draw and terms."""
