"""Archives and any other upload are taken or refused with a sentence; nothing else happens."""

import io
import os
import stat
import tarfile
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arena.base.errors import ArenaError, Mistake
from arena.bots.archive import extract
from arena.bots.intake import SUBMISSION, take_in
from arena.bots.manifest import content_hash
from arena.bots.tree import MANIFEST as FILE
from arena.bots.tree import Room

MANIFEST = b'name = "x"\nversion = "1"\nauthor = "x"\nrun = ["./x"]\n'


NO_ARCHIVE = "it cannot be unpacked as a zip, tar or tar.gz: "


def tarred(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as file:  # type: ignore[call-overload]  # any mode
        for info, data in members:
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def tar(path: Path, *members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> Path:
    path.write_bytes(tarred(*members, mode=mode))
    return path


def entry(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, link, mode
    return info


def zipped(path: Path, *members: tuple[str, bytes, int]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            file.writestr(info, data, zipfile.ZIP_DEFLATED)
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def refusal(path: Path, out: Path, most: Room = SUBMISSION) -> str:
    with pytest.raises(ArenaError) as caught:
        extract(path, out, most)
    assert {found.name for found in out.parent.iterdir()} <= {"out", path.name, "outside"}
    return caught.value.mistakes[0].what


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_with_its_only_folder_is_the_bot(tmp_path: Path, out: Path, mode: str) -> None:
    members = (
        (entry("bot", tarfile.DIRTYPE), b""),
        (entry("bot/bot.toml"), MANIFEST),
        (entry("bot/run", mode=0o755), b"#!/bin/sh\n"),
        (entry("bot/same", tarfile.SYMTYPE, "run"), b""),
    )
    taken, digest = take_in(tar(tmp_path / "bot.tar", *members, mode=mode), out)
    folder = Path(taken.folder)
    assert digest == content_hash(folder)
    assert folder.name == "bot"
    assert (folder / "bot.toml").read_bytes() == MANIFEST
    assert [os.access(folder / name, os.X_OK) for name in ("run", "bot.toml")] == [True, False]
    assert os.readlink(folder / "same") == "run"


def test_a_zip_with_the_manifest_on_top_is_the_bot(tmp_path: Path, out: Path) -> None:
    path = zipped(tmp_path / "bot.zip", ("bot.toml", MANIFEST, 0o644), ("src/run", b"x", 0o755))
    assert extract(path, out, SUBMISSION) == out
    assert os.access(out / "src/run", os.X_OK)


@pytest.mark.parametrize(
    ("member", "what"),
    [
        (entry("../outside"), "'../outside' leads out of the archive"),
        (entry("/tmp/outside"), "'/tmp/outside' leads out of the archive"),
        (entry("a/../../outside"), "'a/../../outside' leads out of the archive"),
        (entry("pipe", tarfile.FIFOTYPE), "pipe is neither a file nor a folder nor a link"),
        (entry("device", tarfile.CHRTYPE), "device is neither a file nor a folder nor a link"),
        (
            entry("hard", tarfile.LNKTYPE, "/etc/passwd"),
            "hard is neither a file nor a folder nor a link",
        ),
        # The machine's error names no path.
        (entry("x" * 300), f"{NO_ARCHIVE}File name too long"),
    ],
)
def test_what_leads_out_of_a_tar_or_cannot_be_a_file_is_refused(
    tmp_path: Path, out: Path, member: tarfile.TarInfo, what: str
) -> None:
    assert refusal(tar(tmp_path / "bot.tar", (member, b"")), out) == what


@pytest.mark.parametrize(
    ("members", "room", "what"),
    [
        (
            [("..\\outside", b"x", 0o644)],
            SUBMISSION,
            "'..\\\\outside' leads out of the archive",
        ),
        (
            [("a", bytes(1 << 19), 0o644), ("b", bytes(1 << 20), 0o644)],
            Room(1, 9),
            "it holds more than 1 MiB",
        ),
        (
            [(str(number), b"", 0o644) for number in range(6)],
            Room(1, 5),
            "it holds more than 5 files",
        ),
    ],
    ids=["leads out", "bomb", "many files"],
)
def test_a_zip_that_leads_out_or_has_no_bounds_is_refused(
    tmp_path: Path, out: Path, members: list[tuple[str, bytes, int]], room: Room, what: str
) -> None:
    path = zipped(tmp_path / "bot.zip", *members)
    assert path.stat().st_size < 10_000
    assert refusal(path, out, room) == what


@pytest.mark.parametrize(
    ("mode", "spoil"),
    [
        ("w", lambda packed: b""),
        ("w", lambda packed: b"hello"),
        ("w", lambda packed: b"PK\x03\x04 but no zip"),
        ("w:gz", lambda packed: packed[:9000]),
        ("w:gz", lambda packed: packed[: len(packed) // 2] + bytes(len(packed) // 2)),
    ],
    ids=["empty", "text", "no zip", "cut", "damaged"],
)
def test_what_is_no_whole_archive_is_refused(
    tmp_path: Path, out: Path, mode: str, spoil: Callable[[bytes], bytes]
) -> None:
    path = tar(tmp_path / "bot.tar", (entry("bot.toml"), os.urandom(20000)), mode=mode)
    path.write_bytes(spoil(path.read_bytes()))
    assert refusal(path, out).startswith(NO_ARCHIVE)


def test_nothing_is_written_through_a_link(tmp_path: Path, out: Path) -> None:
    (tmp_path / "outside").mkdir()
    link = entry("way", tarfile.SYMTYPE, str(tmp_path / "outside"))
    path = tar(tmp_path / "bot.tar", (link, b""), (entry("way/file"), b"x"))
    assert refusal(path, out) == "'way/file' would be written through a link"
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.parametrize("there", [True, False])
def test_a_member_named_like_an_earlier_link_writes_nothing_outside(
    tmp_path: Path, out: Path, kind: str, there: bool
) -> None:
    outside = tmp_path / "outside/file"
    outside.parent.mkdir()
    if there:
        outside.write_text("before")
    if kind == "tar":
        link = entry("way", tarfile.SYMTYPE, str(outside))
        path = tar(tmp_path / "bot.tar", (link, b""), (entry("way"), b"after"))
    else:
        way = ("way", str(outside).encode(), 0o120777)
        path = zipped(tmp_path / "bot.zip", way, ("./way", b"after", 0o644))
    assert refusal(path, out).endswith("way' would be written through a link")
    assert [each.read_text() for each in outside.parent.iterdir()] == ["before"] * there


def test_the_target_of_a_link_in_a_zip_does_not_fill_the_memory(tmp_path: Path, out: Path) -> None:
    """Those of a tar, which the child's memory bounds, are tested with the child."""
    link = zipped(tmp_path / "bot.zip", ("link", b"a" * (8 << 20), 0o120777))
    tracemalloc.start()
    with pytest.raises(ArenaError):
        extract(link, out, SUBMISSION)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize("name", ["/".join("d" * 60), "x" * 1200])
def test_a_file_nested_too_deeply_is_refused(tmp_path: Path, out: Path, name: str) -> None:
    path = tar(tmp_path / "bot.tar", (entry(name), b""))
    assert "is nested too deeply" in refusal(path, out)


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


def zip_of(manifest: bytes, entries: list[tuple[str, bytes, str]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(FILE, manifest)
        for name, kind, target in entries:
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode())
            link = kind in (tarfile.SYMTYPE, tarfile.LNKTYPE)
            info.external_attr = (stat.S_IFLNK if link else stat.S_IFREG | 0o644) << 16
            file.writestr(info, target.encode("utf-8", "replace"))
    return packed.getvalue()


def laid_out(manifest: bytes, entries: list[tuple[str, bytes, str]], folder: Path) -> None:
    """The same as a folder, as far as a file system can hold it."""
    (folder / FILE).write_bytes(manifest)
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
    if how == "zip":
        packed = zip_of(manifest, entries)
    else:
        links = ((entry(name, kind, target), b"") for name, kind, target in entries)
        packed = tarred((entry(FILE), manifest), *links, mode=how)
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
