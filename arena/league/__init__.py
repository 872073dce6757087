"""A league on paper: its file, format, schedule, draw and terms.

May import base, zole, match, stats and bots.
"""
