"""Words for numbers, counted things and the wire's terms in sentences."""


def count(number: int, noun: str) -> str:
    """`1 deal`, `2 deals`, `3 matches`; thousands have no separator."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


def in_words(word: str) -> str:
    """A word of the wire in plain English: `small solo` by `small_solo`."""
    return word.replace("_", " ")


def are(number: int) -> str:
    """The verb for a number of things: `is`, or `are`."""
    return "is" if number == 1 else "are"


def span(noun: str, first: int, number: int) -> str:
    """`deal 3`, or `deals 3 to 7`: a number of things from the first on."""
    return f"{noun} {first}" if number == 1 else f"{noun}s {first} to {first + number - 1}"


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
