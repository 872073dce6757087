"""What every package uses: mistakes and how they are told, TOML files, limits, marks of makers."""
