"""Where the time of a decision goes: each part by itself, beside a whole match at one table.

Run it from the project's folder: `.venv/bin/python -m benchmarks.parts`. It needs a C compiler.
"""

import argparse
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from arena.engine.worker import play_match
from arena.match.commands import MatchPlan, Outcome, PlayedDeal, Question, Said, Tell
from arena.match.log import LogWriter
from arena.match.logged import LoggedMatch, replay
from arena.match.match import Match, play_through
from arena.match.wire import AnyReply, Ready, decode, encode, reply_to
from arena.sandbox.isolation import choose_isolation
from benchmarks.speed import build, match_of

DEALS = 1000


def main() -> None:
    """Measure in turn; print the median of each part, in microseconds a decision, and its share."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7, help="times each is measured")
    chosen = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(build("bot", folder))
        job = match_of(bot, DEALS, choose_isolation())
        record = play_match(job)
        plan, count = job.plan, record.results.decisions
        exchanged = list(LoggedMatch(plan, record.log).commands())
        asked = [(said, it) for said, it in exchanged if isinstance(said, Question)]
        told = [said for said, _ in exchanged if isinstance(said, Tell)]
        replies = [it.reply for _, it in asked if isinstance(it, Said)]
        requests = [encode(question.line) for question, _ in asked]
        lines = [as_written(reply) for reply in replies]
        games = list(replay(plan, record.log))
        with Bots(bot, plan.rules.players) as bots:
            parts: dict[str, Callable[[], object]] = {
                "the pipes and the bots": lambda: bots.exchange(requests),
                "referee and rules": lambda: conducted(plan, replies),
                "requests to JSON": lambda: [encode(question.line) for question, _ in asked],
                "other lines to JSON": lambda: [encode(tell.line) for tell in told],
                "answers from JSON": lambda: [
                    reply_to(question.request, decode(line))
                    for (question, _), line in zip(asked, lines, strict=True)
                ],
                "log": lambda: logged(games),
                "a whole match": lambda: play_match(job),
            }
            spent: dict[str, list[float]] = {name: [] for name in parts}
            for _ in range(chosen.rounds):
                for name, part in parts.items():
                    began = perf_counter()
                    part()
                    spent[name].append((perf_counter() - began) / count * 1e6)
    each = {name: median(times) for name, times in spent.items()}
    whole = each.pop("a whole match")
    each["the rest"] = whole - sum(each.values())
    for name, us in (*each.items(), ("a whole match", whole)):
        print(f"{name:24s}{us:7.2f} us   {us / whole:6.1%}")


class Bots:
    """Bots at a table, asked in turn with nothing looked at."""

    def __init__(self, program: Path, count: int) -> None:
        self._running = [
            subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            for _ in range(count)
        ]
        pipes = [(bot.stdin, bot.stdout) for bot in self._running]
        self._fds = [(to.fileno(), of.fileno()) for to, of in pipes if to is not None and of]

    def __enter__(self) -> "Bots":
        return self

    def __exit__(self, *_: object) -> None:
        for bot in self._running:
            bot.kill()
            bot.communicate()

    def exchange(self, requests: Sequence[bytes]) -> None:
        """Write each line to the next bot and read what it answers."""
        for number, line in enumerate(requests):
            to, of = self._fds[number % len(self._fds)]
            os.write(to, line)
            os.read(of, 65536)


def as_written(reply: AnyReply) -> bytes:
    """An answer as a bot writes it, without what it left out."""
    fields = {key: value for key, value in msgspec.structs.asdict(reply).items() if value}
    kind = reply.__struct_config__.tag
    return msgspec.json.encode({"type": kind, "id": reply.id, **fields}) + b"\n"


def conducted(plan: MatchPlan, replies: Sequence[AnyReply]) -> None:
    """The match again by its answers, with nobody there."""
    coming = iter(replies)

    def answered(question: Question) -> Outcome:
        return Said(next(coming), 0)

    for _ in play_through(Match(plan), (Ready(1),) * plan.rules.players, answered):
        pass


def logged(games: Sequence[PlayedDeal]) -> None:
    """The log of some deals."""
    log = LogWriter()
    for game in games:
        log.deal(game)
    log.close()


if __name__ == "__main__":
    main()
