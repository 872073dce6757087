"""A rerun in a terminal: answers then and now, and the first difference."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name, deal_on_wire
from arena.match.commands import Failed, Said
from arena.match.log import answer_line, answer_text
from arena.match.logged import Answered
from arena.match.wire import FaultKind, Ready, encode
from arena.record.faults import Bundle, bundles
from arena.record.matches import seen
from arena.reports.cards import show_answer
from arena.reports.terminal import console, show_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.tasks.rerun import Answers, Wanted


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
        if isinstance(answers.now, Said) and answers.now.line:
            out.print(Text(f"← {harmless(answer_line(answers.now))}", "dim"), soft_wrap=True)
    shows_line = lines or not answers.same
    deal = (deal_on_wire if shows_line else deal_name)(answers.deal)
    where = f"{deal}, answer {answers.number}" if answers.number else "hello"
    now = _word(answers.now)
    if answers.same:
        out.print(Text.assemble(f"{where}: ", now), soft_wrap=True)
    else:
        line = Text.assemble(f"{where}: ", now, ", logged was ", _word(answers.then))
        line.stylize("bold red", 0, len(where))
        out.print(line, soft_wrap=True)
        if not lines:
            out.print(Text(f"→ {encode(answers.line).decode().rstrip()}", "dim"), soft_wrap=True)


def show_rerun(wanted: "Wanted", answers: "Sequence[Answers]", stderr: str) -> None:
    """Print the end of stderr, and how many answers are as logged.

    Of the seat's logged faults, those are told whose requests the bot was asked again.
    """
    out = console()
    if stderr:
        out.print(Text(f"stderr of {wanted.program.name}:", "bold"))
        for line in stderr.splitlines()[-15:]:
            out.print(Text(f"| {harmless(line)}", "dim"), soft_wrap=True)
    same = sum(each.same for each in answers)
    out.print(Text(f"{same} of {len(answers)} answers as logged, ready included"))
    for line in _logged_faults(wanted, answers):
        show_prose(out, line)


def _logged_faults(wanted: "Wanted", answers: "Sequence[Answers]") -> Iterator[str]:
    """The first logged fault of each kind that recurred, and the first that did not."""
    same = {each.number: each.same for each in answers}
    asked = [
        each
        for each in bundles(wanted.match, seen(wanted.match), "")
        if each.seat == wanted.seat and each.request in same
    ]
    found: dict[tuple[FaultKind, bool], list[Bundle]] = {}
    for each in asked:
        found.setdefault((each.kind, same[each.request]), []).append(each)
    for (kind, recurred), (first, *more) in found.items():
        deal = deal_name(first.deal)
        if recurred:
            also = f" ({len(more)} more by {deal_name(more[-1].deal)})" if more else ""
            whose = f"fault of {first.bot} in {deal}, as logged"
            yield f"{whose}: {kind}: {harmless(first.detail)}{also}"
        else:
            also = f", nor did {count(len(more), 'later one')}" if more else ""
            yield f"The logged fault in {deal} did not recur{also}."


def _word(answered: Answered) -> Text:
    match answered:
        case Failed(kind, detail):
            return Text(f"{kind}: {harmless(detail)}", "red")
        case Ready():
            asks = f", asks for {' and '.join(answered.asks)}" if answered.asks else ""
            return Text(f"ready{asks}")
        case None:
            return Text("nothing")
    return show_answer(answer_text(answered.reply))
