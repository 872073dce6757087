"""Says that it speaks protocol 2."""

import play

play.run(lambda _, answer: play.line_of({**answer, "protocol": 2}), at="hello")
