"""Shared by all packages: mistakes and how they are told, TOML files, limits, marks of makers."""
