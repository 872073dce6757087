"""Archives are unpacked without trusting anything in them."""

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.bots.archive import extract
from arena.bots.intake import SUBMISSION, take_in
from arena.bots.manifest import content_hash
from arena.bots.tree import Room

MANIFEST = b'name = "x"\nversion = "1"\nauthor = "x"\nrun = ["./x"]\n'


def tar(path: Path, *members: tuple[tarfile.TarInfo, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as file:  # type: ignore[call-overload]
        for info, data in members:
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
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


def refusal(path: Path, tmp_path: Path, most: Room = SUBMISSION) -> str:
    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(ArenaError) as caught:
        extract(path, folder, most)
    assert {found.name for found in tmp_path.iterdir()} <= {"out", path.name, "outside"}
    return caught.value.mistakes[0].what


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_with_its_only_folder_is_the_bot(tmp_path: Path, mode: str) -> None:
    members = (
        (entry("bot", tarfile.DIRTYPE), b""),
        (entry("bot/bot.toml"), MANIFEST),
        (entry("bot/run", mode=0o755), b"#!/bin/sh\n"),
        (entry("bot/same", tarfile.SYMTYPE, "run"), b""),
    )
    path = tar(tmp_path / "bot.tar", *members, mode=mode)
    (tmp_path / "out").mkdir()
    taken, digest = take_in(path, tmp_path / "out")
    folder = Path(taken.folder)
    assert digest == content_hash(folder)
    assert folder.name == "bot"
    assert (folder / "bot.toml").read_bytes() == MANIFEST
    assert os.access(folder / "run", os.X_OK)
    assert not os.access(folder / "bot.toml", os.X_OK)
    assert os.readlink(folder / "same") == "run"


def test_a_zip_with_the_manifest_on_top_is_the_bot(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bot.zip", ("bot.toml", MANIFEST, 0o644), ("src/run", b"x", 0o755))
    (tmp_path / "out").mkdir()
    folder = extract(path, tmp_path / "out", SUBMISSION)
    assert folder == tmp_path / "out"
    assert os.access(folder / "src/run", os.X_OK)


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
    ],
)
def test_what_leads_out_of_a_tar_is_refused(
    tmp_path: Path, member: tarfile.TarInfo, what: str
) -> None:
    assert refusal(tar(tmp_path / "bot.tar", (member, b"")), tmp_path) == what


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    members = (
        (entry("way", tarfile.SYMTYPE, str(tmp_path / "outside")), b""),
        (entry("way/file"), b"x"),
    )
    path = tar(tmp_path / "bot.tar", *members)
    assert refusal(path, tmp_path) == "'way/file' would be written through a link"
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.parametrize("there", [True, False])
def test_a_member_named_like_an_earlier_link_writes_nothing_outside(
    tmp_path: Path, kind: str, there: bool
) -> None:
    (tmp_path / "outside").mkdir()
    outside = tmp_path / "outside/file"
    if there:
        outside.write_text("before")
    if kind == "tar":
        path = tar(
            tmp_path / "bot.tar",
            (entry("way", tarfile.SYMTYPE, str(outside)), b""),
            (entry("way"), b"after"),
        )
    else:
        link = ("way", str(outside).encode(), 0o120777)
        path = zipped(tmp_path / "bot.zip", link, ("./way", b"after", 0o644))
    assert refusal(path, tmp_path).endswith("way' would be written through a link")
    assert not there or outside.read_text() == "before"
    assert outside.exists() is there


def test_names_of_a_zip_are_no_way_out_either(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bot.zip", ("..\\outside", b"x", 0o644))
    assert refusal(path, tmp_path) == "'..\\\\outside' leads out of the archive"


def test_an_archive_that_grows_without_bounds_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", ("a", bytes(1 << 19), 0o644), ("b", bytes(1 << 20), 0o644))
    assert path.stat().st_size < 10_000
    assert refusal(path, tmp_path, Room(1, 9)) == "it holds more than 1 MiB"


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bot.zip", *((str(number), b"", 0o644) for number in range(6)))
    assert refusal(path, tmp_path, Room(1, 5)) == "it holds more than 5 files"


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04 but no zip"])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bot.zip"
    path.write_bytes(data)
    assert "it cannot be unpacked as a zip, tar or tar.gz: " in refusal(path, tmp_path)


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    whole = tar(tmp_path / "bot.tar", (entry("bot.toml"), os.urandom(20000)))
    whole.write_bytes(whole.read_bytes()[:9000])
    assert "it cannot be unpacked as a zip, tar or tar.gz: " in refusal(whole, tmp_path)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    plain = tar(tmp_path / "bot.tar", (entry("bot.toml"), os.urandom(20000)), mode="w")
    packed = bytearray(gzip.compress(plain.read_bytes()))
    packed[len(packed) // 2 :] = bytes(len(packed) - len(packed) // 2)
    plain.write_bytes(packed)
    assert "it cannot be unpacked as a zip, tar or tar.gz: " in refusal(plain, tmp_path)


def test_the_target_of_a_link_in_a_zip_does_not_fill_the_memory(tmp_path: Path) -> None:
    """Those of a tar, which the child's memory bounds, are tested with the child."""
    link = zipped(tmp_path / "bot.zip", ("link", b"a" * (8 << 20), 0o120777))
    (tmp_path / "zip").mkdir()
    tracemalloc.start()
    with pytest.raises(ArenaError):
        extract(link, tmp_path / "zip", SUBMISSION)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize("name", ["/".join("d" * 60), "x" * 1200])
def test_what_lies_too_deep_is_refused(tmp_path: Path, name: str) -> None:
    assert "is nested too deeply" in refusal(
        tar(tmp_path / "bot.tar", (entry(name), b"")), tmp_path
    )


def test_what_the_machine_refuses_names_no_place_of_it(tmp_path: Path) -> None:
    said = refusal(tar(tmp_path / "bot.tar", (entry("x" * 300), b"")), tmp_path)
    assert said == "it cannot be unpacked as a zip, tar or tar.gz: File name too long"
