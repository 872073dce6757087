"""Tables of guests against bots, hosted apart from the league."""
