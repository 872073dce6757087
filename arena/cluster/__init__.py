"""Matches played on other machines through Dask."""
