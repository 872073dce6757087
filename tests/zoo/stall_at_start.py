"""Says ready two seconds too late."""

import time

import play

play.run(lambda *_: time.sleep(11), at="hello")
