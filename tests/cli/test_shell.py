"""Shells complete commands and options by what Click prints for them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from tests.support.command import PROJECT
from tests.support.needs import need

ASKED = {
    "bash": """eval "$(_ARENA_COMPLETE=bash_source arena)"
        COMP_WORDS=(arena stand) COMP_CWORD=1; _arena_completion arena
        printf '%s\\n' "${COMPREPLY[@]}"
        COMPREPLY=() COMP_WORDS=(arena standings --j) COMP_CWORD=2; _arena_completion arena
        printf '%s\\n' "${COMPREPLY[@]}" """,
    "zsh": """autoload() { :; }; compdef() { :; }; compadd() { print -l -- ${(P)@[-1]}; }
        _describe() { shift 2; print -l -- ${(P)1}; }
        eval "$(_ARENA_COMPLETE=zsh_source arena)"
        words=(arena stand) CURRENT=2; _arena_completion
        words=(arena standings --j) CURRENT=3; _arena_completion""",
    "fish": """_ARENA_COMPLETE=fish_source arena | source
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
