"""The web process shuts itself in, once it listens: what it can reach is what it needs."""

from arena.site.config import Site


def confine(site: Site) -> tuple[str, ...]:
    """Give up all that is not needed; tell what of that this machine has no means for."""
    return ()
