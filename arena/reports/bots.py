"""Bots in a terminal: their isolation, checks, matches, comparisons and reruns."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name, deal_on_wire
from arena.match.commands import Failed, Said
from arena.match.wire import Ready, encode
from arena.reports.terminal import answer_as_text, console, show_lines, show_prose, show_table

if TYPE_CHECKING:  # the first match of a run waits for none of these
    from arena.base.check_step import CheckStep
    from arena.match.logged import Answered
    from arena.match.wire import Limits
    from arena.sandbox.isolation import Isolation
    from arena.tasks.compare import ComparisonResult
    from arena.tasks.doctor import SandboxReport
    from arena.tasks.match import BotMatch
    from arena.tasks.match_results import Total, Trouble
    from arena.tasks.positions import TestedPosition
    from arena.tasks.rerun import Answers

_LONGEST = 1000  # characters of a line that are shown

_DOUBTS: Final[dict[str, str]] = {
    "few runs": "there are too few sets to tell how much the gaps vary",
    "skew": "some of their gaps are large and have come too seldom",
    "rare gaps": "large gaps, which are too rare to have come yet, could change this",
}


def warn_about_isolation(isolation: "Isolation") -> None:
    """Print on standard error a warning if bots could be isolated better."""
    if isolation.level != "bubblewrap":
        from arena.sandbox.isolation import HELD  # who shows the steps of a site loads no sandbox

        why = f" ({isolation.why})" if isolation.why else ""
        line = f"isolation {isolation.level}: {HELD[isolation.level]}{why}"
        show_prose(Text(line, "yellow"), console(stderr=True))


def show_sandbox_report(report: "SandboxReport") -> None:
    """Print the levels of isolation, the control groups, the clock, and the level used here."""
    from arena.sandbox.isolation import HELD

    level = report.level
    parts = dict[str, str](**report.levels) | {
        "memory by control groups": report.groups,
        "clock": report.clock or "a bot is not charged for waiting for its core",
        "bots play at": f"{level} ({HELD[level]})" if level else "no level but --isolation none",
    }
    for name, how in parts.items():
        show_prose(f"{name}: {how}")


def show_clock(limits: "Limits", more_time: str) -> None:
    """Print the bot's time on standard error, and how it gets more."""
    if more_time:
        line = f"{limits.move_s:g} s an answer, {limits.start_s:g} s to start; {more_time}"
        show_prose(Text(line, "dim"), console(stderr=True))


def show_step(number: int, step: "CheckStep") -> None:
    """Print a step: number, verdict, name and finding, or a remark; and a build's output."""
    verdict, said = Text("ok    ", "green"), f"{step.name}: {step.finding}"
    if step.failed:
        verdict = Text("FAILED", "bold red")
    elif not step.passed:
        verdict = Text("remark", "yellow")
    first, *more = said.split("\n")
    show_prose(Text.assemble(f"{number:2d} ", verdict, f" {first}"), hanging=10)
    show_lines(*more)


def show_transcript(step: "CheckStep") -> None:
    """Print the lines before a failure or remark, and the bot's standard error."""
    if step.asked:
        show_lines("", f"{step.name}: {step.asked}")
    if step.show:
        lines = map(shortened, step.show)
        show_lines("", f"The last lines of {step.name} (> to the bot, < from it):", *lines)
    if step.stderr:
        show_lines("", "What it wrote to standard error:", *step.stderr.splitlines())
    if step.again:
        show_lines("", "Again:", *(f"  {command}" for command in step.again))


def shortened(line: str) -> str:
    """A line of a transcript, of a long one the beginning and its length."""
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"


def show_match(match: "BotMatch", totals: "Sequence[Total]", troubles: "Sequence[Trouble]") -> None:
    """Print a line for each bot, what was played by which seed, and each bot's faults."""
    from arena.reports.tables import Column, Table, faults_text, signed

    columns: tuple[Column[Total], ...] = (
        Column("bot", "bot", wraps=True),
        Column("stakes", "stakes", format=lambda it: f"{it.stakes:+d}"),
        Column("stakes_per_deal", "stakes/deal", format=lambda it: signed(it.stakes_per_deal)),
        Column("games", "games", priority=1),
        Column("faults", "faults", format=lambda it: faults_text(it.faults), wraps=True),
    )
    if totals:
        show_table(Table(columns, totals))
    deals = count(match.terms.deals, "deal")
    seatings = count(sum(map(match.terms.games_of, match.terms.lineups)), "seating")
    line = f"{deals} in {seatings}, seed {match.seeds[0]}"
    show_prose(f"{line}, isolation {match.roster.isolation.level}")
    for each in troubles:
        first = f"{each.count} {each.kind}, the first in {deal_name(each.deal)}: {each.detail}"
        show_prose(f"{each.bot}: {first}. Look closer: {each.look}")


def show_comparison(result: "ComparisonResult") -> None:
    """Print the verdict, the figures behind it, and what to do if there is none."""
    from arena.reports.tables import faults_text

    decision, (lower, upper), asked = result.decision, result.bounds, result.hypotheses
    new, old, sets = result.new, result.old, count(decision.sets, "set")
    verdict = {
        "better": f"{new} is better than {old}",
        "not better": f"{new} is not better than {old} by {asked.delta:g} stakes/deal",
        "undecided": f"undecided whether {new} is better than {old}",
    }[decision.verdict]
    if decision.verdict == "not better" and decision.ci95 and decision.ci95.high < 0:
        verdict = f"{new} is worse than {old}"
    if decision.identical:
        verdict += f": identical on {count(decision.sets, 'deal')}"
    elif decision.doubt:
        verdict += f": {_DOUBTS[decision.doubt]}"
    ci95 = "no interval yet"
    if decision.ci95:
        ci95 = f"{decision.ci95.low:+z.3f} to {decision.ci95.high:+z.3f}, 95 % at any stop"
    llr = "none yet" if decision.llr is None else f"{decision.llr:+z.3f}"
    bounds = f"bounds {lower:+z.3f} and {upper:+z.3f}"
    more = f"{'about' if decision.llr else 'at least'} {count(decision.more_sets or 0, 'set')} more"
    seed = f"Seed: {result.seed}, " if result.seed else ""
    any_faults = any(result.faults.values())
    lines = {
        verdict: True,
        f"Gap: {decision.gap or 0:+z.3f} stakes/deal ({ci95}) after {sets}": decision.sets,
        f"Test: 0 or less against {asked.delta:g} or more, alpha {asked.alpha:g}, beta"
        f" {asked.beta:g}; log likelihood ratio (LLR) {llr}, {bounds}": True,
        "The interval holds 0, as it is wider than the test needs; the verdict stands": (
            decision.verdict == "better" and decision.ci95 and decision.ci95.low <= 0
        ),
        f"To decide it takes {more}: raise --max-sets": decision.more_sets and not any_faults,
        "Correct the faults first: a deal that is forfeited does not show how a bot plays": (
            any_faults and decision.verdict == "undecided"
        ),
        f"Sets that do not count: {result.void_sets} with a bot disqualified,"
        f" {result.later_sets} after it was decided": result.void_sets + result.later_sets,
        **{f"Faults of {bot}: {faults_text(it)}": True for bot, it in result.faults.items()},
        f"{seed}SHA-256 of the seed: {result.commitment}": True,
        f"Record: {result.record}   Check it: {shlex.join(('arena', 'verify', result.record))}": 1,
    }
    for line, holds in lines.items():
        if holds:
            show_prose(line)


def show_tested(tested: "TestedPosition") -> None:
    """Print a position, the bot's answer, and whether it changed since the last test."""
    verdict = Text("ok   ", "green") if tested.right else Text("WRONG", "bold red")
    answer = answer_as_text(tested.answer)
    line = Text.assemble(f"{tested.number:2d} ", verdict, f" {tested.ask} ", answer)
    if not tested.right:
        line.append(", expected ")
        for word in tested.expect.split():
            line.append_text(Text.assemble(answer_as_text(word), " "))
    if tested.before not in (None, tested.answer):
        line.append(f" (before {tested.before})", "yellow")
    line.append(f"   {tested.place}", "dim")
    show_lines(line, *(Text(f"   | {harmless(it)}", "dim") for it in tested.stderr.splitlines()))


def show_answers(answers: "Answers", lines: bool) -> None:
    """Print one answer then and now; `lines` shows the line to the bot, too."""
    where = f"{deal_on_wire(answers.deal)}, answer {answers.number}" if answers.number else "hello"
    if lines or not answers.same:
        show_lines(Text(f"→ {encode(answers.line).decode().rstrip()}", "dim"))
    if answers.same:
        show_lines(Text.assemble(f"{where}: ", _word(answers.now)))
    else:
        differs = Text.assemble((where, "bold red"), ": ", _word(answers.now))
        show_lines(Text.assemble(differs, " (log: ", _word(answers.then), ")"))
    if isinstance(answers.now, Said | Failed):
        if isinstance(answers.now, Said) and answers.now.reply.note is not None:
            show_lines(Text(f"  note: {answers.now.reply.note!r}", "cyan"))
        show_lines(*(Text(f"  | {harmless(it)}", "dim") for it in answers.now.stderr.splitlines()))


def show_rerun(answers: "Sequence[Answers]", bot: str, stderr: str) -> None:
    """Print the end of the bot's stderr, and how many answers are as logged."""
    if stderr:
        end = (Text(f"| {line}", "dim") for line in stderr.splitlines()[-15:])
        show_lines(Text(f"stderr of {bot}:", "bold"), *end)
    same = sum(each.same for each in answers)
    show_lines(f"{same} of {len(answers)} answers as logged, ready included")
    if answers and isinstance(answers[-1].now, Failed) and answers[-1].same:
        show_lines("the last of them is the fault, which is still there")


def _word(answered: "Answered") -> Text:
    from arena.match.log import answer_text  # a league that is played needs none of it

    match answered:
        case Failed(kind, detail):
            return Text(f"{kind}: {harmless(detail)}", "red")
        case Ready():
            asks = f", asks for {' and '.join(answered.asks)}" if answered.asks else ""
            return Text(f"ready{asks}")
        case None:
            return Text("nothing")
    return answer_as_text(answer_text(answered.reply))
