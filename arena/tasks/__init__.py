"""What a person asks for: a season, a comparison, a check, a rerun."""
