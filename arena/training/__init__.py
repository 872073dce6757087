"""The game for programs that learn: actions and observations as numbers, environments, N tables."""
