"""Says ready twice."""

import play

play.run(lambda _, answer: play.line_of(answer) * 2, at="hello")
