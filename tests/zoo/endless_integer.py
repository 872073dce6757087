"""Answers with an id of 60,000 digits."""

import play

play.run(lambda message, answer: b'{"type":"bid","id":' + b"9" * 60000 + b',"bid":"pass"}\n')
