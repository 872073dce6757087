"""Answers its second request before it is asked, guessing the id."""

import play

GUESS = b'{"type":"talon","id":1,"choice":"take"}\n'

play.run(lambda _, answer: play.line_of(answer) + GUESS)
