"""Matches played on other machines through Dask.

May import base, bots, match, sandbox, engine and tasks.
"""
