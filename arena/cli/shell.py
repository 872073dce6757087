"""What a shell and `man` are told of the commands: completion, and a page for each command."""

from pathlib import Path

import click

from arena.cli.options import FILE, print_text, say

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog="Example:  arena completion bash", no_args_is_help=True)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands, options and files.

    It works where the command is called arena. To have it in every new shell:

    \b
      bash   eval "$(arena completion bash)"     in ~/.bashrc
      zsh    eval "$(arena completion zsh)"      in ~/.zshrc, after compinit
      fish   arena completion fish | source      in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    print_text(made(ctx.find_root().command, {}, "arena", "_ARENA_COMPLETE").source())


@click.command(epilog="Example:  arena man ~/.local/share/man")
@click.argument("folder", type=FILE)
@click.pass_context
def man(ctx: click.Context, folder: Path) -> None:
    """Write the manual pages of all commands into man1 in FOLDER.

    Afterwards `man arena` and `man arena-league` show them, if FOLDER is among those that `manpath`
    lists, as ~/.local/share/man is on most systems.
    """
    from arena.reports.manual import manual_pages

    place = folder / "man1"
    place.mkdir(parents=True, exist_ok=True)
    pages = manual_pages(ctx.find_root())
    for name, text in pages.items():
        (place / f"{name}.1").write_text(text, encoding="utf-8")
    say(f"{place} has {len(pages)} pages")
