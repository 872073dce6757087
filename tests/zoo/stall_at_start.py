"""Never says that it is ready."""

import play

play.run(lambda *_: play.hold(), at="hello")
