"""Tables at which guests play against bots, hosted apart from the league."""
