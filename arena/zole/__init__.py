"""The game as pure values: cards, rules and their sources, deals, auction, play, scoring, view."""
