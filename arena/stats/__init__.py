"""Numbers over the sets of a league: strengths, Elo, standings, tests."""
