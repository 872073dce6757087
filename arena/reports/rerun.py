"""A rerun in a terminal: answers then and now, the first difference, how the deal went on."""

from typing import TYPE_CHECKING

from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import deal_name
from arena.match.commands import Failed
from arena.match.log import answer_text
from arena.match.logged import Answered
from arena.match.record import DealFault
from arena.match.wire import FaultKind, Ready, encode
from arena.reports.cards import show_answer
from arena.reports.terminal import console, show_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.tasks.rerun import Answers, Rerun, Wanted


def tell_sitter(bots: "Sequence[str]", seat: int, name: str | None) -> None:
    """Print on standard error whose lines a bot is fed, and where it sat itself.

    Without a `name` it is the copy that played; of a bot of the same name nothing is said.
    """
    if name is None:
        line = f"this is {bots[seat]} as it played; --bot FOLDER asks the bot as it is now"
    elif name != bots[seat]:
        own = [str(other) for other, bot in enumerate(bots) if bot == name]
        more = f"; {name} sat in seat {' and '.join(own)}" if own else ""
        line = f"seat {seat} was {bots[seat]}, {name} is fed its lines{more}"
    else:
        return
    show_prose(console(stderr=True), line)


def show_answers(answers: "Answers", lines: bool) -> None:
    """Print one answer then and now; `lines` shows the line to the bot, too."""
    out = console()
    if lines:
        out.print(Text(f"→ {encode(answers.line).decode().rstrip()}", "dim"), soft_wrap=True)
        if answers.sent:
            out.print(Text(f"← {harmless(answers.sent)}", "dim"), soft_wrap=True)
    where = f"{deal_name(answers.deal)}, answer {answers.number}" if answers.number else "hello"
    now = _word(answers.now)
    if answers.then is None:
        out.print(Text.assemble(f"{where}: ", now, "   (new)"), soft_wrap=True)
    elif answers.same:
        out.print(Text.assemble(f"{where}: ", now), soft_wrap=True)
    else:
        line = Text.assemble(f"{where}: ", now, ", logged was ", _word(answers.then))
        line.stylize("bold red", 0, len(where))
        out.print(line, soft_wrap=True)
        if not lines:
            out.print(Text(f"→ {encode(answers.line).decode().rstrip()}", "dim"), soft_wrap=True)


def show_rerun(wanted: "Wanted", deal: int, result: "Rerun") -> None:
    """Print the end of stderr, how many answers are as logged, and how a deal played on ended.

    `deal` is that of the last answer: the faults of the seat up to it are repeated, by their kinds.
    """
    out = console()
    program = wanted.programs[wanted.seat]
    bot = wanted.match.bots[wanted.seat] if program is None else program.name
    if result.stderr:
        out.print(Text(f"stderr of {bot}:", "bold"))
        for line in result.stderr.splitlines()[-15:]:
            out.print(Text(f"| {harmless(line)}", "dim"), soft_wrap=True)
    same = result.compared - result.different
    out.print(Text(f"{same} of {result.compared} answers as logged, ready included"))
    faults: dict[FaultKind, list[DealFault]] = {}
    for entry in wanted.match.record.results.faults:
        if entry.deal <= deal and entry.fault.seat == wanted.seat:
            faults.setdefault(entry.fault.kind, []).append(entry)
    for kind, (first, *more) in faults.items():
        whose = f"fault of {wanted.match.bots[wanted.seat]} in {deal_name(first.deal)}, as logged"
        also = f" ({len(more)} more by {deal_name(deal)})" if more else ""
        show_prose(out, f"{whose}: {kind}: {harmless(first.fault.detail)}{also}")
    if result.game is not None:
        number = result.game.number
        logged = wanted.match.record.results.payments[number]
        paid = result.game.result.payments
        out.print(Text(f"{deal_name(number)} now ends with stakes {_stakes(wanted, paid)}"))
        out.print(Text(f"            it ended with {_stakes(wanted, logged)}"))


def _stakes(wanted: "Wanted", payments: tuple[int, ...]) -> str:
    pairs = zip(wanted.match.bots, payments, strict=True)
    return ", ".join(f"{bot} {stakes:+d}" for bot, stakes in pairs)


def _word(answered: Answered) -> Text:
    match answered:
        case Failed(kind, detail):
            return Text(f"{kind}: {harmless(detail)}", "red")
        case Ready():
            asks = f", asks for {' and '.join(answered.asks)}" if answered.asks else ""
            return Text(f"ready{asks}")
        case None:
            return Text("nothing")
    return show_answer(answer_text(answered))
