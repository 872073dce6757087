"""Any upload is taken in or refused with a sentence; nothing else happens."""

import io
import stat
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arena.base.errors import ArenaError, Mistake
from arena.bots.intake import take_in
from arena.bots.tree import MANIFEST, Room

GOOD = b'name = "x"\nversion = "1"\nauthor = "x"\nrun = ["./x"]\n'
ROOM = Room(1, 50, 5)

PARTS = st.sampled_from(
    ["a", "b", "..", ".", "", "é", "\udcff", "C:", "a\\b", "n" * 300, "\n", "-"]
)
PLACES = st.lists(PARTS, min_size=1, max_size=6).map("/".join)
KINDS = st.sampled_from(
    [
        *(tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE),
        *(tarfile.CHRTYPE, tarfile.GNUTYPE_SPARSE, b"Z"),
    ]
)
VALUES = st.one_of(
    st.text(max_size=8).map(repr),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(["[]", "{}", '["./x"]', "true", "1979-05-27", "0xff", "[[1]]", '"\\u0000"']),
)
KEYS = st.sampled_from(
    ["name", "version", "author", "run", "build", "limits", "limits.tasks", "guests", "a.b", "'é'"]
)
MANIFESTS = st.one_of(
    st.just(GOOD),
    st.lists(st.tuples(KEYS, VALUES).map(" = ".join), max_size=8).map(
        lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass")
    ),
    st.binary(max_size=200),
)
ENTRIES = st.lists(st.tuples(PLACES, KINDS, PLACES), max_size=12)


def tarred(manifest: bytes, entries: list[tuple[str, bytes, str]], mode: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as file:  # type: ignore[call-overload]  # any mode
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(manifest)
        file.addfile(info, io.BytesIO(manifest))
        for name, kind, target in entries:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            file.addfile(info)
    return packed.getvalue()


def zipped(manifest: bytes, entries: list[tuple[str, bytes, str]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(MANIFEST, manifest)
        for name, kind, target in entries:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode())
            link = kind in (tarfile.SYMTYPE, tarfile.LNKTYPE)
            info.external_attr = (stat.S_IFLNK if link else stat.S_IFREG | 0o644) << 16
            file.writestr(info, target.encode("utf-8", "replace"))
    return packed.getvalue()


def laid_out(manifest: bytes, entries: list[tuple[str, bytes, str]], folder: Path) -> None:
    """The same as a folder, as far as a file system can hold it."""
    (folder / MANIFEST).write_bytes(manifest)
    for name, kind, target in entries:
        path = folder / name.replace("..", "up").lstrip("/")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                path.symlink_to(target)
            elif kind == tarfile.DIRTYPE:
                path.mkdir()
            else:
                path.touch(exist_ok=False)  # never through a link
        except (OSError, ValueError):
            continue


def archives(data: DataObject) -> bytes:
    """A drawn archive, whole or spoilt."""
    manifest, entries = data.draw(MANIFESTS), data.draw(ENTRIES)
    how = data.draw(st.sampled_from(["w", "w:gz", "zip"]))
    packed = zipped(manifest, entries) if how == "zip" else tarred(manifest, entries, how)
    at = data.draw(st.integers(0, len(packed)))
    return data.draw(st.sampled_from([packed, packed[:at], packed[:at] + packed[at + 1 :]]))


def taken(data: DataObject, base: Path) -> None:
    """Take in what was drawn; nothing of it may lie outside of the folder that it was given."""
    out, source = base / "out", base / "upload"
    out.mkdir()
    if data.draw(st.booleans()):
        source.write_bytes(archives(data))
    else:
        source.mkdir()
        laid_out(data.draw(MANIFESTS), data.draw(ENTRIES), source)
    wrong: tuple[Mistake, ...] = ()
    try:
        bot, digest = take_in(source, out, ROOM)
        assert Path(bot.folder).is_relative_to(out.resolve())
        assert len(digest) == 64
    except ArenaError as refused:
        wrong = refused.mistakes
    assert all(each.what for each in wrong)
    assert sorted(path.name for path in base.iterdir()) == ["out", "upload"]


@pytest.mark.filterwarnings("ignore:Duplicate name")  # as strangers may write them
@given(data=st.data())
@settings(max_examples=40)
def test_any_upload_is_taken_or_refused(data: DataObject) -> None:
    with tempfile.TemporaryDirectory() as base:
        taken(data, Path(base))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(data=st.data())
@settings(max_examples=3000)
def test_any_of_thousands_of_uploads_is_taken_or_refused(data: DataObject) -> None:
    with tempfile.TemporaryDirectory() as base:
        taken(data, Path(base))
