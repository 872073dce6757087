"""Answers with half of a surrogate pair as its choice."""

import play

play.run(lambda _, answer: play.line_of({**answer, list(answer)[-1]: "\ud800"}))
