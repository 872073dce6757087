"""Starts a program at the chosen level of isolation."""

import os
import resource
from collections.abc import Mapping
from itertools import count

from arena.sandbox import landlock, seccomp
from arena.sandbox.box import Box, NoBox, Setting
from arena.sandbox.bubble import die_with_parent, kernel_limits, spawn, start_bubble
from arena.sandbox.cgroup import Group, homes
from arena.sandbox.isolation import Isolation
from arena.sandbox.root import SYSTEM, settings


def start_box(isolation: Isolation, setting: Setting) -> Box:
    """Start a program with three pipes from the calling thread.

    Raises OSError if that fails, `NoBox` if the machine is at fault.
    """
    if isolation.level == "bubblewrap":
        try:
            return start_bubble(isolation, setting)
        except OSError as error:  # then bubblewrap itself failed to start
            raise NoBox(f"a bot could not be started: {error}") from None
    environment = _environment(os.environ, setting.scratch)
    if isolation.level == "landlock":
        return _start_reduced(isolation, setting, environment)
    # Processes that outlive a killed worker are found by `sweep`: to have the kernel end them
    # would take a fork of the whole arena, which costs several times a bot's own start.
    return Box(spawn(setting.run, setting.folder, environment, None, None), setting.scratch)


def _start_reduced(isolation: Isolation, setting: Setting, environment: dict[str, str]) -> Box:
    uid = None if isolation.uid is None else isolation.uid + setting.seat
    if uid is not None:
        os.chown(setting.scratch, uid, uid)
    environment["PATH"] = ":".join(isolation.runtimes.path)
    readable = [*SYSTEM, *settings(), *isolation.runtimes.folders, setting.folder]
    program = seccomp.filter_path("reduced").read_bytes()
    limits = list(kernel_limits(setting.resources, own_tasks=uid is not None))
    try:
        group = Group(homes(), next(_number), setting.resources) if homes() else None
        doors = [] if group is None else group.doors()
    except OSError as error:
        raise NoBox(f"no control group can be made: {error}") from None
    rules = landlock.ruleset(readable, [setting.scratch])

    def before() -> None:
        for door in doors:
            os.write(door, b"0")
        die_with_parent()
        for limit, value in limits:
            resource.setrlimit(limit, (value, value))
        landlock.restrict(rules)
        seccomp.install_filter(program)

    try:
        popen = spawn(setting.run, setting.folder, environment, uid, before)
    except BaseException:
        if group is not None:
            group.close()
        raise
    finally:
        for fd in (rules, *doors):
            os.close(fd)
    return Box(popen, setting.scratch, group)


_number = count()
"""Numbers that tell the control groups of this process's programs apart."""


def _environment(ours: Mapping[str, str], scratch: str) -> dict[str, str]:
    """A bot's environment: the folders of programs, and its own folder to write in."""
    kept = {key: ours[key] for key in ("PATH", "LANG", "LC_ALL", "TZ") if key in ours}
    return {**kept, "HOME": scratch, "TMPDIR": scratch}
