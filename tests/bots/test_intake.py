"""What strangers hand in becomes a folder of ours with a name: bounded, and nothing else in it."""

import contextlib
import gzip
import io
import multiprocessing
import os
import socket
import tarfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.base.errors import ArenaError
from arena.base.harmless import harmless, harmless_cell
from arena.bots import intake
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

MANIFEST = 'name = "x"\nversion = "1"\nauthor = "x"\nrun = ["./x"]\n'
SECRET = b"the organiser's own"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def told(source: Path, out: Path, most: Room = SUBMISSION) -> list[str]:
    with pytest.raises(ArenaError) as caught:
        take_in(source, out, most)
    return [str(mistake) for mistake in caught.value.mistakes]


def tar(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w") as file:
        for member in members:
            file.addfile(member, io.BytesIO(MANIFEST.encode()))
    return path


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
    members = (tarfile.TarInfo(f"{name}/bot.toml") for name in folders)
    assert what in told(tar(tmp_path / "bot.tar", *members), out)[0]


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


def test_a_chain_of_links_is_never_followed(tmp_path: Path, out: Path) -> None:
    """It is longer than links are followed by the kernel, and than Python recurses."""
    links = [tarfile.TarInfo(f"{number}") for number in range(1100)]
    for number, link in enumerate(links, 1):
        link.type, link.linkname = tarfile.SYMTYPE, f"{number}"
    manifest = tarfile.TarInfo("bot.toml")
    manifest.size = len(MANIFEST)
    taken, _ = take_in(tar(tmp_path / "chain.tar", manifest, *links), out)
    assert taken.name == "x"


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
    process = multiprocessing.get_context("fork").Process(
        target=_swap, args=(bot, tmp_path / "home"), daemon=True
    )
    process.start()
    held: list[Path] = []
    try:
        for number in range(60):
            target = tmp_path / f"copy{number}"
            target.mkdir()
            with contextlib.suppress(Exception):
                digest = content(bot, target).digest
                assert content_hash(target) == digest
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


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=ascii)
def test_names_that_differ_in_case_or_composition_are_equal(one: str, other: str) -> None:
    assert equal_name(one, ["x", other]) == other
    assert equal_name(other, [one]) == one


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_names_are_different(one: str, other: str) -> None:
    assert equal_name(one, [other]) is None


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("a", []) == "a"
    assert free_name("a", ["A", "a.2"]) == "a.3"


def test_authors_with_equal_names_are_one() -> None:
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
