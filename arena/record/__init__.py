"""The record of a league on disk: storing, reading, exporting, merging, summing up.

No processes.
"""
