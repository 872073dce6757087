"""Faults in a terminal, in a line each or with all that is kept of them; and a bot asked again."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count, deal_name, deal_number, deal_on_wire, forfeited_text
from arena.match.commands import Failed, Fault, Said
from arena.match.log import answer_line, answer_text
from arena.match.logged import Answered
from arena.match.record import ends_program
from arena.match.wire import FaultKind, Ready, encode
from arena.record.faults import Bundle, bundles
from arena.record.matches import seen
from arena.reports.table import Column, Table
from arena.reports.terminal import answer_as_text, console, show_lines, show_prose, show_table

if TYPE_CHECKING:
    from arena.tasks.rerun import Answers, Wanted

_LONGEST = 1000
_STDERR = 15
_NUMBER = re.compile(r"[0-9]+")

_COLUMNS: Final[tuple[Column[tuple[Bundle, int]], ...]] = (
    Column("match", "match", format=lambda it: it[0].match),
    Column("deal", "deal", format=lambda it: deal_number(it[0].deal), priority=3),
    Column("ply", "ply", format=lambda it: it[0].ply, priority=1),
    Column("seat", "seat", format=lambda it: it[0].seat, priority=2),
    Column("bot", "bot", format=lambda it: it[0].bot, wraps=True),
    Column("fault", "fault", format=lambda it: it[0].kind, wraps=True),
    Column(
        "detail", "detail", format=lambda it: f"{it[0].detail}{forfeited_text(it[1])}", wraps=True
    ),
)


def show_faults(found: Sequence[Bundle]) -> None:
    """Print all faults, a line each."""
    show_table(Table(_COLUMNS, [*folded(found)], none="no faults"))
    if found:
        show_prose("A ply is a step of a deal, such as a card; arena replay counts them, too.")


def folded(bundles: Sequence[Bundle], alike: bool = False) -> Iterator[tuple[Bundle, int]]:
    """Faults, each with the number of those that followed from it alone: a program stays ended.

    With `alike`, faults of a seat that differ only in numbers are one, too.
    """
    groups: dict[tuple[object, ...], list[Bundle]] = {}
    for number, each in enumerate(bundles):
        key: tuple[object, ...] = (number,)
        if alike or _stays(each):
            key = each.match, each.seat, each.kind, _NUMBER.sub("0", each.detail)
        groups.setdefault(key, []).append(each)
    for first, *rest in groups.values():
        yield first, len(rest)


def show_bundle(bundle: Bundle, more: int) -> None:
    """Print a fault with its last lines, stderr and the commands that lead back to it.

    `more` others are like it, or were lost by it alone.
    """
    why = "it was never ready" if bundle.unready else "it had ended"
    lost = f"  and {count(more, 'more deal')} forfeited, since {why}"
    also = lost if _stays(bundle) else f"  and {more} more like it"
    show_lines(*bundle_lines(bundle), *([also] if more else []), "")


def bundle_lines(bundle: Bundle) -> list[Text]:
    """A fault as lines of text."""
    place = f"match {bundle.match}, {deal_on_wire(bundle.deal)}"
    asked = f"after {bundle.seconds:.6f} s, at its answer {bundle.request}"
    exchanged = (
        Text(f"  {sign} {harmless(_short(line))}")
        for each in bundle.lines
        for sign, line in (("→", each.to_bot), ("←", each.from_bot))
        if line is not None
    )
    stderr = bundle.stderr.splitlines()
    end = "the end of its" if len(stderr) > _STDERR else "its"
    apart = "it played at several tables; a rerun goes deal by deal and may differ"
    return [
        Text(
            f"{bundle.bot}: {bundle.kind} in {place}, ply {bundle.ply}, seat {bundle.seat}", "bold"
        ),
        *([Text(f"  {harmless(bundle.detail)}")] if bundle.detail else []),
        Text(f"  {'it was never ready, so it was asked nothing' if bundle.unready else asked}"),
        *exchanged,
        *([Text(f"  {end} stderr in the match:")] if stderr else []),
        *(Text(f"  | {harmless(line)}", "dim") for line in stderr[-_STDERR:]),
        Text(f"  look: {bundle.replay}"),
        Text(f"  again: {bundle.rerun}"),
        *([Text(f"  ({apart})")] if bundle.tables > 1 else []),
    ]


# Whether each further deal of the match is forfeited
def _stays(bundle: Bundle) -> bool:
    return bundle.unready or ends_program(Fault(bundle.seat, bundle.kind, bundle.detail))


def tell_sitter(bots: Sequence[str], seat: int, name: str | None) -> None:
    """Print on standard error whose lines a bot is fed, and where it sat itself.

    Without a `name` it is the copy that played; of a bot of the same name nothing is said.
    """
    if name == bots[seat]:
        return
    own = [str(other) for other, bot in enumerate(bots) if bot == name]
    also = f"; {name} sat in seat {' and '.join(own)}" if own else ""
    line = f"seat {seat} was {bots[seat]}, {name} is fed its lines{also}"
    played = f"this is {bots[seat]} as it played; --bot FOLDER asks the bot as it is now"
    show_prose(played if name is None else line, console(stderr=True))


def show_answers(answers: "Answers", lines: bool) -> None:
    """Print one answer then and now; `lines` shows the line to the bot, too."""
    asked, now = Text(f"→ {encode(answers.line).decode().rstrip()}", "dim"), answers.now
    if lines:
        sent = isinstance(now, Said) and now.line and Text(f"← {answer_line(now)}", "dim")
        show_lines(asked, *([sent] if sent else []))
    deal = (deal_on_wire if lines or not answers.same else deal_name)(answers.deal)
    where = f"{deal}, answer {answers.number}" if answers.number else "hello"
    if answers.same:
        show_lines(Text.assemble(f"{where}: ", _word(now)))
    else:
        differs = Text.assemble((where, "bold red"), ": ", _word(now))
        show_lines(Text.assemble(differs, " (log: ", _word(answers.then), ")"))
        show_lines(*([] if lines else [asked]))


def show_rerun(wanted: "Wanted", answers: "Sequence[Answers]", stderr: str) -> None:
    """Print the end of stderr, and how many answers are as logged.

    Of the seat's logged faults, those are told whose requests the bot was asked again.
    """
    if stderr:
        end = (Text(f"| {line}", "dim") for line in stderr.splitlines()[-_STDERR:])
        show_lines(Text(f"stderr of {wanted.program.name}:", "bold"), *end)
    same = sum(each.same for each in answers)
    show_lines(f"{same} of {len(answers)} answers as logged, ready included")
    for line in _logged_faults(wanted, answers):
        show_prose(line)


# The first logged fault of each kind that recurred, and the first that did not
def _logged_faults(wanted: "Wanted", answers: "Sequence[Answers]") -> Iterator[str]:
    same = {each.number: each.same for each in answers}
    found: dict[tuple[FaultKind, bool], list[Bundle]] = {}
    for each in bundles(wanted.match, seen(wanted.match), ""):
        if each.seat == wanted.seat and each.request in same:
            found.setdefault((each.kind, same[each.request]), []).append(each)
    for (kind, recurred), (first, *more) in found.items():
        deal, last = deal_name(first.deal), deal_name([first, *more][-1].deal)
        also = f" ({len(more)} more by {last})" if more else ""
        told = f"fault of {first.bot} in {deal}, as logged: {kind}: {harmless(first.detail)}{also}"
        others = f", nor did {count(len(more), 'later one')}" if more else ""
        yield told if recurred else f"The logged fault in {deal} did not recur{others}."


def _word(answered: Answered) -> Text:
    match answered:
        case Failed(kind, detail):
            return Text(f"{kind}: {harmless(detail)}", "red")
        case Ready():
            asks = f", asks for {' and '.join(answered.asks)}" if answered.asks else ""
            return Text(f"ready{asks}")
        case None:
            return Text("nothing")
    return answer_as_text(answer_text(answered.reply))


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line)} characters)"
