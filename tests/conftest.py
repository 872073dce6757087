"""What holds for all tests: no example of Hypothesis is held to a time."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
