"""Statistics over the sets of a league: strengths, Elo, standings and tests."""
