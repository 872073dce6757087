"""Matches played on other machines."""
