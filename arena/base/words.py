"""Words for numbers, counted things and the wire's terms in sentences; numbers as people type."""

from typing import Final

NO_TABLE: Final = "no table can be formed"
"""The beginning of the sentence naming the rule that keeps an open league from playing."""


def count(number: int, noun: str) -> str:
    """`1 deal`, `2 deals`, `3 matches`; thousands have no separator."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


def whole_number(text: str) -> int | None:
    """The number that ASCII digits spell, at most 18 of them; None for any other text.

    `str.isdigit` also takes "²", and `int` refuses thousands of digits.
    """
    plain = text.isascii() and text.isdigit() and len(text) <= 18
    return int(text) if plain else None


def in_words(word: str) -> str:
    """A word of the wire in plain English: `small solo` by `small_solo`."""
    return word.replace("_", " ")


def is_or_are(number: int) -> str:
    """The verb for a number of things: `is`, or `are`."""
    return "is" if number == 1 else "are"


def deal_number(deal: int) -> int:
    """The number of a deal for people, who count from 1; programs count deals from 0."""
    return deal + 1


def deal_name(deal: int) -> str:
    """`deal 17` by 16."""
    return f"deal {deal_number(deal)}"


def deal_on_wire(deal: int) -> str:
    """`deal 17 ("deal": 16)` by 16, for texts with lines of the wire: there deals count from 0."""
    return f'{deal_name(deal)} ("deal": {deal})'


def deal_numbers(first: int, deals: int) -> str:
    """`3`, or `3 to 7`: the numbers of some deals from the first on."""
    begin, end = deal_number(first), deal_number(first + deals - 1)
    return f"{begin}" if deals == 1 else f"{begin} to {end}"


def deal_names(first: int, deals: int) -> str:
    """`deal 3`, or `deals 3 to 7`."""
    return f"deal{'' if deals == 1 else 's'} {deal_numbers(first, deals)}"


def forfeited_text(deals: int) -> str:
    """The further deals that a fault cost, in brackets after it; nothing for none."""
    return f" ({count(deals, 'more deal')} forfeited)" if deals else ""


def duration(seconds: float) -> str:
    """`42 s`, `3 min 20 s`, `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def stopping(patience_s: float, what: str = "matches") -> str:
    """The message for a user who interrupts a run; with 0 seconds, of work that is not stored."""
    if not patience_s:
        return "stopping …"
    return f"stopping … {what} under way have {patience_s:g} s, a second Ctrl-C ends them"
