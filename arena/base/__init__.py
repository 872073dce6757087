"""Shared by all packages: errors and how they are reported, TOML files, limits, marks of owners."""
