"""Answers with the id 1e400, which no float can hold."""

import play

play.run(lambda message, answer: b'{"type":"bid","id":1e400,"bid":"pass"}\n')
