"""Answers the end of the first deal, which asks nothing."""

import play

play.run(lambda *_: b'{"type":"play","id":5,"card":"QC"}\n', at="deal_end")
