"""Writes every generated file of the project anew: `.venv/bin/python -m tools.golden`.

Each has a test that compares it, so a difference is never an accident.
"""

import ctypes
import errno
import os
from collections.abc import Callable
from ctypes.util import find_library
from functools import partial
from pathlib import Path

import click
import msgspec

from arena.base.resources import STANDARD
from arena.cli import SECTIONS, arena
from arena.match.wire import schema
from arena.sandbox.limits import LIMIT_ROWS
from arena.sandbox.seccomp import CALL_RULES, MACHINE, FilterKind
from tests.support.lessons import lessons_file
from tests.support.perft import counted
from tests.support.playthroughs import PLAYTHROUGHS, playthrough
from tests.support.transcripts import TRANSCRIPTS, transcript
from tools import floors
from tools.rules_page import rules_page
from tools.solver import SOLVER, compiled, compiler

ROOT = Path(__file__).parents[1]
FILTERS: tuple[FilterKind, ...] = ("box", "reduced", "server")
LIBSECCOMP = (2, 5, 4)
"""The library that made the filters; others may order the same rules otherwise."""

REMEDY = "if this change was meant: .venv/bin/python -m tools.golden, then read git diff"


def schema_file() -> bytes:
    return (
        msgspec.json.format(msgspec.json.encode(schema(), order="deterministic"), indent=2) + b"\n"
    )


def perft_file() -> bytes:
    return msgspec.json.format(msgspec.json.encode(counted()), indent=1) + b"\n"


def written(page: str, name: str, lines: list[str]) -> bytes:
    """A page in which these lines stand between the comments that name a part."""
    text = (ROOT / page).read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: written by tools.golden -->\n", f"<!-- end of {name} -->"
    head, _, rest = text.partition(begin)
    return "".join(
        (head, begin, *(f"{line}\n" for line in lines), end, rest.partition(end)[2])
    ).encode()


def limits_table() -> list[str]:
    rows = ["| key, or figure | default | what is limited | held by |", "| --- | --- | --- | --- |"]
    for key, what, held_by in LIMIT_ROWS:
        is_key = key in STANDARD.__struct_fields__
        default = (getattr(STANDARD, key) or "none") if is_key else "for all"
        rows.append(f"| {f'`{key}`' if is_key else key} | {default} | {what} | {held_by} |")
    return rows


def commands_tables() -> list[str]:
    """A table for each section of commands: usage, purpose, options."""
    lines, context = [], click.Context(arena, info_name="arena", **arena.context_settings)
    for title, names in SECTIONS.items():
        lines += [f"## {title}", "", "| command | purpose | options |", "| --- | --- | --- |"]
        for name in names:
            lines += command_rows(arena, name, context)
        lines.append("")
    return lines


def command_rows(group: click.Group, name: str, parent: click.Context) -> list[str]:
    """The row of a command of a group, then those of its subcommands."""
    command = group.get_command(parent, name)
    assert command is not None
    context = click.Context(command, parent=parent, info_name=name)
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)[1:]))
    options = [each for each in command.params if isinstance(each, click.Option)]
    named = [each.opts[-1] for each in options if not each.hidden]
    cells = (
        f"`{usage}`".replace("|", r"\|"),
        command.get_short_help_str(200),
        " ".join(f"`{each}`" for each in named),
    )
    rows = [f"| {' | '.join(cells)} |"]
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            rows += command_rows(command, each, context)
    return rows


def libseccomp() -> tuple[int, ...] | None:
    """The version of this system's libseccomp; None where there is none."""
    path = find_library("seccomp")
    if path is None:
        return None
    library = ctypes.CDLL(path)
    library.seccomp_version.restype = ctypes.POINTER(ctypes.c_uint * 3)
    return tuple(library.seccomp_version().contents)


def filter_file(kind: FilterKind) -> bytes:
    """The filter as libseccomp makes it from the table. Needs pyseccomp."""
    import pyseccomp as sec

    rules = sec.SyscallFilter(sec.ERRNO(errno.ENOSYS))
    rules.set_attr(sec.Attr.ACT_BADARCH, sec.KILL_PROCESS)
    rules.set_attr(sec.Attr.CTL_OPTIMIZE, 2)
    actions = {"pass": sec.ALLOW, "done": sec.ERRNO(0)}
    for rule in CALL_RULES:
        answer = getattr(rule, kind)
        if answer == "ENOSYS":  # as all that has no rule
            continue
        action = actions.get(answer) or sec.ERRNO(getattr(errno, answer))
        for call in rule.calls.split():
            for arguments in rule.arguments:
                each = [
                    sec.Arg(place, sec.NE, value)
                    if bits is None
                    else sec.Arg(place, sec.MASKED_EQ, bits, value)
                    for place, bits, value in arguments
                ]
                rules.add_rule(action, call, *each)
    read, write = os.pipe()
    with open(read, "rb") as program, open(write, "wb") as file:
        rules.export_bpf(file)
        file.close()
        return program.read()


def files() -> dict[str, Callable[[], bytes]]:
    """Each generated file's path in the project, and what makes it."""
    made: dict[str, Callable[[], bytes]] = {
        "protocol/schema.json": schema_file,
        "tests/data/perft.json": perft_file,
        "arena/viewer/src/play/lessons.json": lessons_file,
        "docs/rules.md": lambda: rules_page().encode(),
        "docs/sandbox.md": lambda: written("docs/sandbox.md", "limits", limits_table()),
        "docs/commands.md": lambda: written("docs/commands.md", "commands", commands_tables()),
        "docs/pictures/architecture.svg": floors.picture,
    }
    if compiler() is not None:
        made[SOLVER] = compiled
    for kind in FILTERS:
        made[f"arena/sandbox/filters/{kind}-{MACHINE}.bpf"] = partial(filter_file, kind)
    for name in TRANSCRIPTS:
        made[f"protocol/transcripts/{name}.jsonl"] = partial(transcript, name)
    for name in PLAYTHROUGHS:
        made[f"tests/data/playthroughs/{name}.txt"] = partial(playthrough, name)
    return made


def main() -> None:
    for path, make in files().items():
        file, content = ROOT / path, make()
        same = file.exists() and file.read_bytes() == content
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
        print(path, "as before" if same else "changed")


if __name__ == "__main__":
    main()
