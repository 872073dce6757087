"""What everybody on this machine may reach."""

from pathlib import Path

import pytest

from arena.sandbox.root import reachable


def test_a_folder_in_one_that_is_closed_is_out_of_reach_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    inner = closed / "outer" / "inner"
    inner.mkdir(parents=True)
    closed.chmod(0o700)
    monkeypatch.chdir(inner.parent)
    assert not reachable(str(inner))
    assert not reachable("inner")
