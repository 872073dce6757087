"""Shells complete the commands, and `man` shows each of them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shlex import quote

import click
import pytest

from arena.cli import arena
from arena.reports.manual import manual_pages
from tests.support.command import PROJECT, run
from tests.support.needs import need

ASKED = {
    "bash": """eval "$(arena completion bash)"
        COMP_WORDS=(arena stand) COMP_CWORD=1; _arena_completion arena
        printf '%s\\n' "${COMPREPLY[@]}"
        COMPREPLY=() COMP_WORDS=(arena standings --j) COMP_CWORD=2; _arena_completion arena
        printf '%s\\n' "${COMPREPLY[@]}" """,
    "zsh": """autoload() { :; }; compdef() { :; }; compadd() { :; }
        _describe() { shift 2; print -l -- ${(P)1}; }
        eval "$(arena completion zsh)"
        words=(arena stand) CURRENT=2; _arena_completion
        words=(arena standings --j) CURRENT=3; _arena_completion""",
    "fish": """arena completion fish | source
        complete -C 'arena stand'; complete -C 'arena standings --j'""",
}
"""For each shell a script that has it complete a command and an option."""


@pytest.mark.parametrize("shell", ASKED)
def test_a_shell_completes_commands_and_options(shell: str, tmp_path: Path) -> None:
    need(shell)
    program = tmp_path / "arena"
    program.write_text(f'#!/bin/sh\nexec {quote(sys.executable)} -m arena "$@"\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        (shell, "-c", ASKED[shell]), capture_output=True, text=True, check=False,
        env={"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": PROJECT, "LANG": "C.UTF-8"},
    )  # fmt: skip
    found = [re.split(r"[\t:]", line)[0] for line in done.stdout.splitlines()]
    assert found == ["standings", "--json"], done


def test_every_command_has_a_page() -> None:
    pages = manual_pages(click.Context(arena, info_name="arena"))
    assert {f"arena-{name}" for name in arena.list_commands(click.Context(arena))} < {*pages}
    assert "arena-season-close" in pages
    assert "\\fBarena\\-league\\fR(1)" in pages["arena"]
    assert "\\-\\-json" in pages["arena-standings"]
    assert "arena standings" in pages["arena-standings"].partition(".SH EXAMPLE")[2]


def test_man_reads_the_pages_without_a_warning(tmp_path: Path) -> None:
    need("groff")
    done = run("man", str(tmp_path / "man"))
    assert done.returncode == 0
    pages = sorted(tmp_path.glob("man/man1/*.1"))
    assert len(pages) > 50
    for page in pages:
        told = subprocess.run(
            ("groff", "-K", "utf8", "-man", "-ww", "-Tutf8", "-z", page),
            capture_output=True,
            check=False,
        )
        assert (told.returncode, told.stderr) == (0, b""), page
