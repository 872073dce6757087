"""Answers with lists 30,000 deep in a field that nobody knows."""

import play

play.run(
    lambda message, answer: (
        play.line_of(answer)[:-2] + b',"x":' + b"[" * 30000 + b"]" * 30000 + b"}\n"
    )
)
