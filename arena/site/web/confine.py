"""Confines the web process, once it listens, to what it needs."""

import os
import sys
from pathlib import Path

import arena
from arena.sandbox import landlock
from arena.sandbox.seccomp import filter_path, install_filter
from arena.site.config import Site


def confine(site: Site) -> tuple[str, ...]:
    """Give up all that is not needed, for good; return what of this is impossible on this machine.

    From now on the process reads its own program and what is published, writes the registry
    and the spool, sees the names and sizes of other files of the site, starts no program and makes
    no connection. It must not have started a thread yet: that would not be confined.
    """
    missing = []
    problem = landlock.hindrance()
    if problem is not None:
        missing.append(problem.what)
    else:
        readable = [*_program(), str(site.published.parent), str(site.state)]
        writable = [str(site.registry.parent), str(site.spool)]
        counted = [str(site.folder), str(site.league.parent)]
        rules = landlock.ruleset(readable, writable, counted)
        try:
            landlock.restrict(rules)
        finally:
            os.close(rules)
    try:
        program = filter_path("server").read_bytes()
    except FileNotFoundError as error:
        missing.append(str(error))
    else:
        install_filter(program)
    return tuple(missing)


def _program() -> list[str]:
    """Return the folders of this program and its imports, without the one it was started in."""
    folders = {
        "/lib",
        "/lib64",
        "/usr/lib",
        str(Path(arena.__file__).parent),
        sys.prefix,
        sys.base_prefix,
    }
    folders |= {each for each in sys.path if each.endswith("-packages")}
    return sorted(folders)
