"""Matches played on other machines, by way of Dask.

May import base, bots, match, sandbox, engine and tasks.
"""
