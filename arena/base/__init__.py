"""What every package may use: mistakes, TOML files, resource limits."""
