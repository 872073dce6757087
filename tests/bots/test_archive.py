"""What strangers hand in becomes a folder of ours with a name, or is refused in a sentence."""

import contextlib
import gzip
import io
import multiprocessing
import os
import socket
import stat
import tarfile
import tempfile
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arena.base.errors import ArenaError, Mistake
from arena.base.harmless import harmless, harmless_cell
from arena.bots import intake
from arena.bots.archive import extract
from arena.bots.intake import SUBMISSION, take_in, unpack
from arena.bots.manifest import content_hash, read_bot
from arena.bots.names import (
    LONGEST_NAME,
    equal_name,
    free_name,
    mistake_in_name,
    mistake_in_words,
    name_key,
)
from arena.bots.tree import Room, content
from tests.support.hostile import HOSTILE, NAMES

MANIFEST = b'name = "x"\nversion = "1"\nauthor = "x"\nrun = ["./x"]\n'
SECRET = b"the organiser's own"
LINKS = (tarfile.SYMTYPE, tarfile.LNKTYPE)
FOLDER, LINK = tarfile.DIRTYPE, tarfile.SYMTYPE


class Member(NamedTuple):
    """A member of an archive; `data` is the target of a link."""

    name: str
    data: bytes = b""
    kind: bytes = tarfile.REGTYPE
    mode: int = 0o644


def packed(how: str, *members: Member) -> bytes:
    """An archive: "zip", "w" (a tar) or "w:gz"."""
    whole = io.BytesIO()
    if how == "zip":
        with zipfile.ZipFile(whole, "w") as zipped:
            for name, data, kind, mode in members:
                at = zipfile.ZipInfo(name.encode("utf-8", "replace").decode())
                at.external_attr = (stat.S_IFLNK * (kind in LINKS) | mode) << 16
                zipped.writestr(at, data, zipfile.ZIP_DEFLATED)
        return whole.getvalue()
    with tarfile.open(fileobj=whole, mode=how) as tarred:  # type: ignore[call-overload]  # any mode
        for name, data, kind, mode in members:
            info = tarfile.TarInfo(name)
            info.type, info.mode = kind, mode
            info.linkname = "" if kind == tarfile.REGTYPE else os.fsdecode(data)
            info.size = len(data) if kind == tarfile.REGTYPE else 0
            tarred.addfile(info, io.BytesIO(data))
    return whole.getvalue()


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(MANIFEST)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An empty folder; beside it lies one that nothing may change."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("before")
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def told(source: Path, out: Path, most: Room = SUBMISSION) -> list[str]:
    with pytest.raises(ArenaError) as caught:
        take_in(source, out, most)
    return [str(mistake) for mistake in caught.value.mistakes]


def refusal(archive: bytes, out: Path, most: Room = SUBMISSION) -> str:
    """Why an archive is not unpacked; it has changed nothing outside of its folder."""
    path = out.with_name("archive")
    path.write_bytes(archive)
    with pytest.raises(ArenaError) as caught:
        extract(path, out, most)
    assert {it.name for it in out.parent.iterdir()} <= {"archive", "out", "outside"}
    outside = {it.name: it.read_text() for it in (out.parent / "outside").iterdir()}
    assert outside == {"file": "before"}
    return caught.value.mistakes[0].what


@pytest.mark.parametrize(
    ("how", "above"), [("w", "bot/"), ("w:gz", "bot/"), ("w:gz", ""), ("zip", "bot/"), ("zip", "")]
)
def test_an_archive_with_the_manifest_on_top_or_in_its_only_folder_is_the_bot(
    tmp_path: Path, out: Path, how: str, above: str
) -> None:
    members = (
        Member(f"{above}bot.toml", MANIFEST),
        Member(f"{above}src/run", b"#!/bin/sh\n", mode=0o755),
        Member(f"{above}same", b"src/run", LINK),
    )
    (tmp_path / "archive").write_bytes(packed(how, *members))
    taken, digest = take_in(tmp_path / "archive", out)
    folder = Path(taken.folder)
    assert (digest, folder) == (content_hash(folder), out / above)
    assert (folder / "bot.toml").read_bytes() == MANIFEST
    runs = [os.access(folder / name, os.X_OK) for name in ("src/run", "bot.toml")]
    assert (runs, os.readlink(folder / "same")) == ([True, False], "src/run")


NO_ARCHIVE = "it cannot be unpacked as a zip, tar or tar.gz: "
NO_FILE = "is neither a file nor a folder nor a link"
THROUGH = "would be written through a link"
WAY = Member("way", b"OUTSIDE", LINK)
THERE, NOT_THERE = (Member("way", b"OUTSIDE/" + name, LINK) for name in (b"file", b"new"))
FILES = [Member(str(number)) for number in range(6)]


@pytest.mark.parametrize(
    ("how", "members", "room", "what"),
    [
        ("tar", [Member("../outside")], SUBMISSION, "'../outside' leads out of the archive"),
        ("tar", [Member("/tmp/outside")], SUBMISSION, "'/tmp/outside' leads out of the archive"),
        ("tar", [Member("a/../../x")], SUBMISSION, "'a/../../x' leads out of the archive"),
        ("zip", [Member("..\\x")], SUBMISSION, "'..\\\\x' leads out of the archive"),
        ("tar", [Member("pipe", kind=tarfile.FIFOTYPE)], SUBMISSION, f"pipe {NO_FILE}"),
        ("tar", [Member("device", kind=tarfile.CHRTYPE)], SUBMISSION, f"device {NO_FILE}"),
        ("tar", [Member("hard", b"/etc/passwd", tarfile.LNKTYPE)], SUBMISSION, f"hard {NO_FILE}"),
        # The machine's error names no path.
        ("tar", [Member("x" * 300)], SUBMISSION, f"{NO_ARCHIVE}File name too long"),
        ("tar", [Member("/".join("d" * 60))], SUBMISSION, f"'{'d/' * 30}'… is nested too deeply"),
        ("tar", [Member("x" * 1200)], SUBMISSION, f"'{'x' * 60}'… is nested too deeply"),
        (
            "zip",
            [Member("a", bytes(1 << 19)), Member("b", bytes(1 << 20))],
            Room(1, 9),
            "it holds more than 1 MiB",
        ),
        ("zip", FILES, Room(1, 5), "it holds more than 5 files"),
        ("tar", [WAY, Member("way/file", b"x")], SUBMISSION, f"'way/file' {THROUGH}"),
        ("tar", [THERE, Member("way", b"x")], SUBMISSION, f"'way' {THROUGH}"),
        ("tar", [NOT_THERE, Member("way", b"x")], SUBMISSION, f"'way' {THROUGH}"),
        ("zip", [WAY, Member("way/file", b"x")], SUBMISSION, f"'way/file' {THROUGH}"),
        ("zip", [THERE, Member("./way", b"x")], SUBMISSION, f"'./way' {THROUGH}"),
        ("zip", [NOT_THERE, Member("./way", b"x")], SUBMISSION, f"'./way' {THROUGH}"),
    ],
)
def test_what_leads_out_of_an_archive_or_is_no_file_or_has_no_bounds_is_refused(
    out: Path, how: str, members: list[Member], room: Room, what: str
) -> None:
    outside = os.fsencode(out.parent / "outside")
    led = [it._replace(data=it.data.replace(b"OUTSIDE", outside)) for it in members]
    archive = packed(how.replace("tar", "w:gz"), *led)
    assert len(archive) < 10_000
    assert refusal(archive, out, room) == what


@pytest.mark.parametrize(
    ("how", "spoil"),
    [
        ("w", lambda whole: b""),
        ("w", lambda whole: b"hello"),
        ("w", lambda whole: b"PK\x03\x04 but no zip"),
        ("w:gz", lambda whole: whole[:9000]),
        ("w:gz", lambda whole: whole[: len(whole) // 2] + bytes(len(whole) // 2)),
    ],
    ids=["empty", "text", "no zip", "cut", "damaged"],
)
def test_what_is_no_whole_archive_is_refused(
    out: Path, how: str, spoil: Callable[[bytes], bytes]
) -> None:
    whole = packed(how, Member("bot.toml", os.urandom(20000)))
    assert refusal(spoil(whole), out).startswith(NO_ARCHIVE)


def test_the_target_of_a_link_in_a_zip_does_not_fill_the_memory(out: Path) -> None:
    """Those of a tar, which the child's memory bounds, are tested with the child."""
    archive = packed("zip", Member("link", b"a" * (8 << 20), LINK))
    tracemalloc.start()
    assert refusal(archive, out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize(
    ("folders", "what"),
    [
        ("", "there is nothing in it"),
        ("ab", "there is no bot.toml at its top or in its only folder"),
    ],
)
def test_an_archive_without_a_bot_says_where_one_would_be(
    tmp_path: Path, out: Path, folders: str, what: str
) -> None:
    members = (Member(f"{name}/bot.toml", MANIFEST) for name in folders)
    (tmp_path / "bot.tar").write_bytes(packed("w", *members))
    assert what in told(tmp_path / "bot.tar", out)[0]


def test_a_chain_of_links_is_never_followed(tmp_path: Path, out: Path) -> None:
    """It is longer than links are followed by the kernel, and than Python recurses."""
    links = (Member(f"{number}", b"%d" % (number + 1), LINK) for number in range(1100))
    (tmp_path / "chain.tar").write_bytes(packed("w", Member("bot.toml", MANIFEST), *links))
    assert take_in(tmp_path / "chain.tar", out)[0].name == "x"


def test_a_copy_has_the_files_links_and_programs_of_the_folder_and_its_hash(
    bot: Path, out: Path
) -> None:
    program = bot / "é\udcff" / "in" / "run"
    for folder in (program.parent, bot / "__pycache__", bot / ".git"):
        folder.mkdir(parents=True)
        (folder / "run").write_text("#!/bin/sh\n")
    program.chmod(0o700)
    (bot / "same").symlink_to("bot.toml")
    taken, digest = take_in(bot, out)
    folder = Path(taken.folder)
    assert digest == content_hash(bot) == content_hash(folder)
    assert os.readlink(folder / "same") == "bot.toml"
    assert os.access(folder / "é\udcff" / "in" / "run", os.X_OK)
    assert sorted(path.name for path in folder.iterdir()) == ["bot.toml", "same", "é\udcff"]


def test_links_that_lead_out_are_reported_at_once(bot: Path, out: Path) -> None:
    for name, target in {"out": "../..", "round": "round", "whole": "/x", "\udcff": ".."}.items():
        (bot / name).symlink_to(target)
    assert told(bot, out) == [
        f"{bot}/out: this link leads out of the bot: ../..",
        f"{bot}/whole: this link leads out of the bot: /x",
        f"{bot}/\\udcff: this link leads out of the bot: ..",
    ]


@pytest.mark.parametrize(
    ("target", "leads_out"),
    [
        ("..", False),
        ("../bot.toml", False),
        ("./../a//b", False),
        ("../..", True),
        ("../a/../..", True),
        ("x/../y", True),
        ("/bot.toml", True),
    ],
)
def test_a_link_goes_up_at_its_beginning_alone_and_no_further_than_to_the_top(
    bot: Path, target: str, leads_out: bool
) -> None:
    (bot / "a").mkdir()
    (bot / "a" / "link").symlink_to(target)
    assert [target for _, target in content(bot).links_out] == [target] * leads_out


@pytest.mark.parametrize(
    "end", ["os.kill(os.getpid(), 9)", "sys.exit(3)", "print('{')", "print('[]')", "print('{}')"]
)
def test_however_the_child_ends_the_bot_is_refused(
    bot: Path, out: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(intake, "_CHILD", f"import os, sys; {end}")
    [said] = told(bot, out)
    assert said.startswith(f"{bot}: ")
    assert "tak" in said


@pytest.mark.parametrize(
    ("name", "size", "room", "what"),
    [
        ("large", 2 << 20, Room(1, 9), "it holds more than 1 MiB"),
        ("large", 2 << 20, Room(9, 1), "it holds more than 1 files"),
        ("sparse", 1 << 40, SUBMISSION, "it holds more than 64 MiB"),
    ],
)
def test_too_much_is_refused(
    bot: Path, out: Path, name: str, size: int, room: Room, what: str
) -> None:
    with (bot / name).open("wb") as file:
        file.truncate(size)
    assert told(bot, out, room) == [f"{bot}: {what}; leave out what the build makes"]


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made, contextlib.chdir(path.parent):
        made.bind(path.name)


def _device(path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root makes devices")
    os.mknod(path, 0o020666, os.makedev(1, 5))  # /dev/zero, which never ends


@pytest.mark.parametrize("make", [os.mkfifo, _socket, _device])
@pytest.mark.parametrize("name", ["pipe", "bot.toml"])
def test_what_is_no_file_is_an_error_at_once(
    bot: Path, out: Path, make: Callable[[Path], None], name: str
) -> None:
    (bot / name).unlink(missing_ok=True)
    make(bot / name)
    assert told(bot, out) == [f"{bot}/{name}: this is neither a file nor a folder nor a link"]
    if name == "bot.toml":
        with pytest.raises(ArenaError, match=r"bot\.toml: this is not a file"):
            read_bot(bot)


def test_deep_folders_are_refused(bot: Path, out: Path) -> None:
    (bot / "/".join("d" * 60)).mkdir(parents=True)
    assert "folders are nested more than 50 deep" in told(bot, out)[0]


@pytest.mark.slow
def test_an_archive_that_computes_for_long_ends_with_its_child(tmp_path: Path, out: Path) -> None:
    info = tarfile.TarInfo("folder")
    info.type = tarfile.DIRTYPE
    path = tmp_path / "bot.tgz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(400):
            file.write(info.tobuf() * 1000)
    with pytest.raises(ArenaError, match="needs more than 1 s or 512 MiB"):
        unpack(path, out, Room(1000, 10**9, seconds=1))


@pytest.mark.slow
def test_headers_that_need_much_memory_end_with_their_child(tmp_path: Path, out: Path) -> None:
    info = tarfile.TarInfo("bot.toml")
    info.pax_headers = {"comment": "x" * (300 << 20)}
    path = tmp_path / "bot.tar"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, compresslevel=1) as file:
        file.addfile(info)
    with pytest.raises(ArenaError, match="needs more than "):
        unpack(path, out, Room(1000, 9))


def test_a_folder_swapped_for_a_link_during_the_copy_gives_nothing_away(
    bot: Path, tmp_path: Path
) -> None:
    """No copy has the organiser's file, and each copy is what its hash says."""
    folders = {tmp_path / "home": SECRET, **{bot / f"{n}": b"the author's" for n in range(6)}}
    for folder, text in folders.items():
        folder.mkdir()
        (folder / "file").write_bytes(text)
    fork = multiprocessing.get_context("fork").Process
    process = fork(target=_swap, args=(bot, tmp_path / "home"), daemon=True)
    process.start()
    held: list[Path] = []
    try:
        for number in range(60):
            target = tmp_path / f"copy{number}"
            target.mkdir()
            digest = ""
            with contextlib.suppress(Exception):
                digest = content(bot, target).digest
            assert not digest or content_hash(target) == digest
            for path in target.rglob("*"):
                inside = not any(above.is_symlink() for above in (path, *path.parents))
                if inside and path.is_file() and path.read_bytes() == SECRET:
                    held.append(path)
    finally:
        process.kill()
        process.join()
    assert held == []


def _swap(bot: Path, home: Path) -> None:
    aside, link = bot.with_name("aside"), bot.with_name("link")
    link.symlink_to(home)
    while True:
        for number in range(6):
            folder = bot / f"{number}"
            folder.rename(aside)
            link.rename(folder)
            folder.rename(link)
            aside.rename(folder)


GOOD = (
    *("careful", "a", "7", "C++", "bot 2", "v1.2_b-3", "Bērziņš", "Ёж", "Σοφός", "Հայ", "მელა"),
    *("日本ボット", "李小龍", "한국", "שלום", "कवि", "mixedЁж", "x" * LONGEST_NAME),
)
WRONG = {
    "": "has 0 characters",
    "x" * 41: "has 41 characters",
    "careful\n": "has \\n in it",
    "care\tful": "has \\t in it",
    " careful": "a space too many",
    "careful ": "a space too many",
    "care  ful": "a space too many",
    "-rf": "begins with a sign",
    ".": "begins with a sign",
    "=1+1": "has = in it",
    "a/b": "has / in it",
    "a\\b": "has \\ in it",
    "a;b": "has ; in it",
    "a$b": "has $ in it",
    "e\u0301t\u00e9": "composed form",
    "ev\u200bil": "in it",
    "a\u3164b": "invisible characters",
    "😀": "in it",
}
EQUAL = (("careful", "Careful"), ("stra\u00dfe", "STRASSE"), ("kāzā", "KA\u0304ZA\u0304"))
DIFFERENT = (("ai", "al"), ("a", "b"), ("bot.2", "bot.3"), ("a-b", "a_b"), ("kaza", "kāzā"))


@pytest.mark.parametrize("name", GOOD)
def test_names_of_any_script_are_good(name: str) -> None:
    assert mistake_in_name(name) == ""


@pytest.mark.parametrize("name", WRONG, ids=ascii)
def test_a_name_is_refused_by_what_is_wrong_with_it(name: str) -> None:
    assert WRONG[name] in harmless(mistake_in_name(name))


@pytest.mark.parametrize("name", [*NAMES, *(f"a{sign}b" for sign in HOSTILE)], ids=ascii)
def test_no_hostile_name_is_let_in(name: str) -> None:
    assert mistake_in_name(name)


@pytest.mark.parametrize(
    ("pairs", "equal"), [(EQUAL, True), (DIFFERENT, False)], ids=["equal", "different"]
)
def test_names_that_differ_in_case_or_composition_alone_are_equal(
    pairs: Iterable[tuple[str, str]], equal: bool
) -> None:
    for one, other in pairs:
        assert equal_name(one, ["x", other]) == (other if equal else None), one
        assert equal_name(other, [one]) == (one if equal else None), one


def test_a_taken_name_gets_the_first_free_number_and_authors_with_equal_names_are_one() -> None:
    assert (free_name("a", []), free_name("a", ["A", "a.2"])) == ("a", "a.3")
    assert name_key("Jānis") == name_key("JĀNIS") == name_key("Ja\u0304nis")
    assert name_key("Jānis") != name_key("Janis")


@pytest.mark.parametrize("text", ["", "1.0-rc+2", "Jānis Bērziņš (RTU), שלום"])
def test_plain_words_make_a_version_and_an_author(text: str) -> None:
    assert mistake_in_words(text) == ""


@pytest.mark.parametrize("text", ["1\n", "a\u202eb", " 1", "a  b"])
def test_other_words_are_refused(text: str) -> None:
    assert "is not plain words" in mistake_in_words(text)


@given(st.text(max_size=50))
def test_a_name_that_is_let_in_is_fit_for_terminals_sheets_and_files(name: str) -> None:
    if not mistake_in_name(name):
        assert harmless(name) == name == unicodedata.normalize("NFC", name)
        assert harmless_cell(name) == name
        assert "/" not in name
        assert name.strip() == name
        assert equal_name(name, [name.upper(), name.casefold()]) is not None


ROOM = Room(1, 50, 5)
PARTS = st.sampled_from(
    ["a", "b", "..", ".", "", "é", "\udcff", "C:", "a\\b", "n" * 300, "\n", "-"]
)
PLACES = st.lists(PARTS, min_size=1, max_size=6).map("/".join)
KINDS = st.sampled_from(
    [
        *(tarfile.REGTYPE, FOLDER, LINK, tarfile.LNKTYPE, tarfile.FIFOTYPE),
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
    st.just(MANIFEST),
    st.lists(st.tuples(KEYS, VALUES).map(" = ".join), max_size=8).map(
        lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass")
    ),
    st.binary(max_size=200),
)
MEMBERS = st.lists(
    st.tuples(PLACES, PLACES.map(os.fsencode), KINDS).map(lambda drawn: Member(*drawn)),
    max_size=12,
)


def archives(data: DataObject) -> bytes:
    """A drawn archive, whole or spoilt."""
    members = [Member("bot.toml", data.draw(MANIFESTS)), *data.draw(MEMBERS)]
    whole = packed(data.draw(st.sampled_from(["w", "w:gz", "zip"])), *members)
    at = data.draw(st.integers(0, len(whole)))
    return data.draw(st.sampled_from([whole, whole[:at], whole[:at] + whole[at + 1 :]]))


def laid_out(members: Iterable[Member], folder: Path) -> None:
    """What an archive holds as a folder, as far as a file system can hold it."""
    for name, data, kind, _ in members:
        path = folder / name.replace("..", "up").lstrip("/")
        if not Path(os.path.realpath(path.parent)).is_relative_to(folder):  # there may be loops
            continue  # a link that was laid out before leads elsewhere
        with contextlib.suppress(OSError, ValueError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind in LINKS:
                path.symlink_to(os.fsdecode(data))
            elif kind == FOLDER:
                path.mkdir()
            else:
                path.touch(exist_ok=False)  # never through a link


def taken(data: DataObject) -> None:
    """Take in what was drawn; nothing of it may lie outside of the folder that it was given."""
    with tempfile.TemporaryDirectory() as made:
        base = os.path.realpath(made)
        out, source = Path(base, "out"), Path(base, "upload")
        out.mkdir()
        if data.draw(st.booleans()):
            source.write_bytes(archives(data))
        else:
            source.mkdir()
            (source / "bot.toml").write_bytes(data.draw(MANIFESTS))
            laid_out(data.draw(MEMBERS), source)
        wrong: tuple[Mistake, ...] = ()
        try:
            bot, digest = take_in(source, out, ROOM)
            assert Path(bot.folder).is_relative_to(out.resolve())
            assert len(digest) == 64
        except ArenaError as refused:
            wrong = refused.mistakes
        assert all(each.what for each in wrong)
        assert sorted(path.name for path in Path(base).iterdir()) == ["out", "upload"]


@pytest.mark.filterwarnings("ignore:Duplicate name")  # as strangers may write them
@pytest.mark.parametrize("uploads", [40, pytest.param(3000, marks=pytest.mark.slow)])
def test_any_upload_is_taken_or_refused(uploads: int) -> None:
    settings(max_examples=uploads)(given(st.data())(taken))()
