"""The pages of `man`, made from the help of the commands, in the macros of man(7)."""

import inspect
import re
from collections.abc import Iterator

import click

from arena import __version__


def manual_pages(root: click.Context) -> dict[str, str]:
    """For the root command and all below it, the page by its name: `arena-season-close`."""
    return {"-".join(ctx.command_path.split()): _page(ctx) for ctx in _contexts(root)}


def _contexts(ctx: click.Context) -> Iterator[click.Context]:
    yield ctx
    if isinstance(ctx.command, click.Group):
        for name in ctx.command.list_commands(ctx):
            command = ctx.command.get_command(ctx, name)
            if command is not None and not command.hidden:
                yield from _contexts(click.Context(command, ctx, info_name=name))


def _page(ctx: click.Context) -> str:
    command, name = ctx.command, "-".join(ctx.command_path.split())
    pieces = " ".join(command.collect_usage_pieces(ctx))
    lines = [
        f'.TH "{name.upper()}" "1" "" "Zole Arena {__version__}" "Zole Arena"',
        ".SH NAME",
        f"{_plain(name)} \\- {_plain(command.get_short_help_str(200).rstrip('.'))}",
        ".SH SYNOPSIS",
        f"\\fB{_plain(ctx.command_path)}\\fR {_plain(pieces)}",
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
    ]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for each in _contexts(ctx):
            if each.parent is ctx:
                what = each.command.get_short_help_str(200)
                page = "-".join(each.command_path.split())
                lines += [".TP", f"\\fB{_plain(page)}\\fR(1)", _plain(what)]
    told = (each.get_help_record(ctx) for each in command.get_params(ctx))
    lines.append(".SH OPTIONS")
    for option, what in (each for each in told if each and each[1]):
        lines += [".TP", f"\\fB{_plain(option)}\\fR", _plain(what)]
    if command.epilog:
        lines += [".SH EXAMPLE", ".nf", _plain(command.epilog.partition(":")[2].strip()), ".fi"]
    if ctx.parent is not None:
        above = "-".join(ctx.parent.command_path.split())
        lines += [".SH SEE ALSO", f"\\fB{_plain(above)}\\fR(1)"]
    return "\n".join(lines) + "\n"


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs as click folds them; those marked by a line of \\b stay as they are."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        kept = paragraph.startswith("\b")
        yield from (".PP", *([".nf"] if kept else []))
        yield _plain(paragraph.lstrip("\b\n")) if kept else _plain(" ".join(paragraph.split()))
        if kept:
            yield ".fi"


def _plain(text: str) -> str:
    """Text that troff takes for nothing else: a backslash or a point at a line's beginning."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^\.", "\\&.", text, flags=re.MULTILINE)
