"""Raises an error that nobody catches at its first request."""

import play

play.run(lambda message, _: message["no such key"])
