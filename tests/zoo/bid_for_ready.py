"""Bids in place of its ready."""

import play

play.run(lambda *_: b'{"type":"bid","id":0,"bid":"pass"}\n', at="hello")
