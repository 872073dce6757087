"""Looking for the cause of a silence never does more than add to what is told."""

import msgspec
import trio

from arena.engine.silence import because
from arena.match.commands import Failed
from tests.support.inner_bots import InnerBot, process_of


async def test_what_can_no_longer_be_looked_at_is_told_without_its_cause() -> None:
    async with trio.open_nursery() as nursery:
        bot = InnerBot(nursery, lambda bot: trio.sleep_forever())
        process = process_of(bot)
        process.release()
        late = Failed("timeout", "no answer within 5 s")
        assert because(late, process) == late
        given = msgspec.structs.replace(late, withheld_us=3_400_000)
        told = "no answer within 5 s; it was given 3.4 s more, since others used its core"
        assert because(given, process).detail == told
        bot.kill()


async def test_an_error_of_a_program_that_goes_on_is_told() -> None:
    async with trio.open_nursery() as nursery:
        bot = InnerBot(nursery, lambda bot: trio.sleep_forever())
        process = process_of(bot)
        process.stderr.add(b"Traceback (most recent call last):\n  ...\nKeyError: 'lgeal'\n")
        told = because(Failed("timeout", "no answer within 5 s"), process).detail
        assert told.endswith("; its standard error names an error: KeyError: 'lgeal'")
        bot.kill()
        process.release()
