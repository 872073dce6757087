"""What all reports in a terminal share: the console, a bot's words made harmless, faults."""

from rich.console import Console

_NARROWEST = 100


def console(stderr: bool = False) -> Console:
    """A console that does not fold tables where there is no terminal."""
    out = Console(stderr=stderr, highlight=False)
    return out if out.is_terminal else Console(stderr=stderr, highlight=False, width=_NARROWEST)


def harmless(text: str) -> str:
    """A bot's words with every sign escaped that a terminal would obey or turn around."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def faults_text(faults: dict[str, int]) -> str:
    """Faults by kind, in a table's cell."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"
