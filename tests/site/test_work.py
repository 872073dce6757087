"""Uploads as `work` checks and `play` enters them: steps, ends, and what a kill leaves."""

import hashlib
import io
import os
import socket
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import DEFAULT, Mock

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.base.refusals import Busy, NoRoom
from arena.bots.archive import pack
from arena.bots.manifest import Bot, read_bot
from arena.league.ledger import Closed
from arena.match.commands import MatchVoid
from arena.record.store import Store
from arena.record.submissions import playing
from arena.site import answers, work
from arena.site.answers import enter_next
from arena.site.config import UPLOADS, Site, make_folders, read_site
from arena.site.pages.templates import site_templates
from arena.site.process import SitePart, SiteProcess
from arena.site.registry import Registry
from arena.site.registry.accounts import Account, revoke
from arena.site.registry.bots import bots, quotas
from arena.site.registry.jobs import (
    MOST_TRIES,
    Archive,
    Passed,
    SiteJob,
    ask_for,
    find_job,
    may_enter,
    spool_file,
    take_back,
)
from arena.site.registry.organiser import pause
from arena.site.work import check_next, check_upload, remove_unneeded
from arena.tasks import submissions
from arena.tasks.check import Conditions
from arena.tasks.submissions import enter
from tests.support.bots import OPEN
from tests.support.patience import until
from tests.support.registry import comes_in, refused
from tests.support.whole_site import write_author_bot, write_site


class Here:
    """In place of the child that checks: it does so in this process."""

    def call(self, asked: Any, longest_s: float, wanted: Callable[[], bool]) -> tuple[str, str]:
        assert wanted()
        return check_upload(asked, 0)

    def close(self) -> None:
        """Nothing was started."""


class Desk:
    """The processes of a site by which a bot enters, and an author."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site: Site = read_site(write_site(folder, ""))
        make_folders(self.site)
        self.registry = Registry.open(self.site.registry)
        self.anna = comes_in(self.registry, "Anna")
        self.part = SitePart(SiteProcess(self.site, "work"), "work")
        self.child: Any = Here()

    def send_bot(self, name: str = "mine") -> str:
        """Send a new bot of a name, written by somebody else; the id of the upload."""
        return self.send(write_author_bot(self.folder / name, "somebody else"))

    def send(self, folder: Path, who: Account | None = None) -> str:
        return self.send_archive(pack(folder), who)

    def send_archive(self, data: bytes, who: Account | None = None) -> str:
        digest = hashlib.sha256(data).hexdigest()
        account = who or self.anna
        (self.site.spool / spool_file(account, digest)).write_bytes(data)
        return ask_for(self.registry, account, Archive(digest))[0].id

    def done(self, id: str, who: Account | None = None) -> SiteJob:
        self.go_on()
        return find_job(self.registry, who or self.anna, id)

    def go_on(self) -> bool:
        """Check the next upload, and enter what was checked."""
        checked = check_next(self.part, self.registry, self.child)
        while enter_next(self.part, self.registry):
            pass
        return checked

    def playing(self) -> list[str]:
        with closing(Store.open(self.site.league.with_suffix(".db"))) as store:
            return [each.name for each in playing(store.submissions())]


@pytest.fixture(name="desk")
def _desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk at which bots are copied, but play no match; those called bad fail."""

    def check(folder: Path, by: Conditions) -> Iterator[CheckStep]:
        bot = read_bot(folder)
        bot = msgspec.structs.replace(bot, author=by.author or bot.author)
        yield CheckStep("manifest", True, f"{bot.name} {bot.version} by {bot.author}")
        by.prepared(bot, by.isolation)
        yield CheckStep("build", True, "nothing to build")
        if bot.name == "bad":
            yield CheckStep("declaring", False, f"it ended; see {folder}/bot", (str(folder),))

    monkeypatch.setattr(submissions, "check", check)
    desk = Desk(tmp_path)
    yield desk
    desk.registry.close()


def test_an_upload_enters_by_the_name_of_its_account(desk: Desk) -> None:
    done = desk.done(desk.send_bot())
    assert (done.state, done.name) == ("done", "mine")
    assert [step.name for step in done.steps] == ["manifest", "build", "entered"]
    assert done.steps[0].finding == "mine 1 by Anna"
    with closing(Store.open(desk.site.league.with_suffix(".db"))) as store:
        [entry] = store.submissions()
    assert entry.manifest.author == "Anna"
    assert [bot.name for bot in bots(desk.registry, desk.anna)] == ["mine"]


def test_an_upload_after_the_deadline_waits_beside_the_version_that_plays(desk: Desk) -> None:
    mine = write_author_bot(desk.folder / "mine", "x")
    desk.done(desk.send(mine))
    text = desk.site.league.read_text()
    desk.site.league.write_text(
        text.replace('"open"', '"open"\nsubmit_until = 2020-01-01T12:00:00')
    )
    for number, name in ((1, "mine.2"), (2, "mine.3")):
        (mine / "note").write_text(str(number))
        done = desk.done(desk.send(mine))
        assert (done.state, done.name) == ("done", name)
        assert done.answer == "it came after the deadline and waits for the next season"
        assert done.steps[-1].finding == f"as {name}; {done.answer}"
        assert desk.playing() == ["mine"]
    found = {bot.name: bot.state for bot in bots(desk.registry, desk.anna)}
    assert found == {"mine": "playing", "mine.2": "replaced", "mine.3": "next_season"}
    assert quotas(desk.registry, desk.anna)["bots"].left == 1
    templates = site_templates("Zole", "https://zole.example", "en")
    page = templates.draw("upload.html", upload=done, quotas=quotas(desk.registry, desk.anna))
    assert "after the deadline and is <bdi>mine.3</bdi> in the next season" in page


def test_an_upload_to_a_season_that_is_over_hears_when_to_send_it_again(desk: Desk) -> None:
    mine = write_author_bot(desk.folder / "mine", "x")
    desk.done(desk.send(mine))
    with closing(Store.write(desk.site.league.with_suffix(".db"))) as record:
        record.append([Closed(1, ("a", "b", "c"))])
    (mine / "note").write_text("another")
    done = desk.done(desk.send(mine))
    assert done.answer == (
        "season 1 is closed: its bots neither come nor go any more; "
        "bots can be submitted again once the organiser has begun the next season"
    )


def test_an_upload_that_fails_says_where_and_names_no_path_of_the_machine(desk: Desk) -> None:
    done = desk.done(desk.send_bot("bad"))
    assert (done.state, done.answer[:19]) == ("failed", "declaring: it ended")
    assert not [each for each in (str(desk.folder), "/tmp") if each in repr(done)]


def test_an_upload_that_a_busy_registry_or_a_full_disk_holds_up_waits_and_is_entered(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.site.disk._REST_S", 0.0)
    full, busy = refused(NoRoom, sqlite3.SQLITE_FULL), refused(Busy, sqlite3.SQLITE_BUSY)
    fails = [full, busy] * MOST_TRIES
    monkeypatch.setattr(work, "may_enter", Mock(wraps=may_enter, side_effect=[*fails, DEFAULT]))
    sent = desk.send_bot()
    for _ in fails:
        assert desk.done(sent).ended is None
    assert desk.done(sent).state == "done"


def test_who_is_shut_out_while_the_bot_enters_leaves_none_in_the_field(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.done(desk.send_bot("old"))

    def shut_out(*given: Any) -> Any:
        revoke(desk.registry, "Anna", "rude")
        return enter(*given)

    monkeypatch.setattr(answers, "enter", shut_out)
    assert desk.done(desk.send_bot()).answer == "the account was revoked"
    assert desk.playing() == ["old"]


def test_a_name_that_is_no_text_is_told_all_the_same(desk: Desk) -> None:
    link = tarfile.TarInfo(os.fsdecode(b"\xff"))
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    packed = io.BytesIO(pack(write_author_bot(desk.folder / "mine", "x")))
    with tarfile.open(fileobj=packed, mode="a") as file:
        file.addfile(link)
    done = desk.done(desk.send_archive(packed.getvalue()))
    assert done.answer == r"\udcff: this link leads out of the bot: /etc/passwd"


def test_nobody_replaces_the_bot_of_another_account(desk: Desk) -> None:
    bert = comes_in(desk.registry, "Bert")
    desk.done(desk.send_bot())
    again = write_author_bot(desk.folder / "b" / "mine", "Anna", more="deterministic = true\n")
    done = desk.done(desk.send(again, bert), bert)
    assert done.state == "failed"
    assert done.answer.endswith("mine is taken by Anna; change it in bot.toml")
    assert desk.playing() == ["mine"]


class Killed(BaseException):
    pass


@pytest.mark.parametrize(
    ("module", "where"),
    [
        *((work, each) for each in ("submit", "add_step", "passed")),
        *((answers, each) for each in ("enter", "add_step", "entered")),
    ],
)
def test_killed_at_any_point_it_is_taken_up_again_and_nothing_is_doubled(
    desk: Desk, module: Any, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = desk.send_bot()
    with monkeypatch.context() as patched:
        patched.setattr(module, where, Mock(side_effect=Killed))
        with pytest.raises(Killed):
            desk.go_on()
    assert find_job(desk.registry, desk.anna, id).state == "taken"
    assert len(take_back(desk.registry, (Archive,))) == (module is work)
    done = desk.done(id)
    assert (done.state, done.name) == ("done", "mine")
    assert desk.playing() == ["mine"]
    assert [bot.name for bot in bots(desk.registry, desk.anna)] == ["mine"]


def test_a_child_that_dies_is_followed_by_another_and_then_the_upload_is_given_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk.child, "call", Mock(side_effect=MatchVoid("its worker died")))
    id = desk.send_bot()
    for state in ("waiting", "waiting", "failed"):
        assert desk.done(id).state == state


@pytest.mark.parametrize("name", ["mine", "bad"])
def test_a_check_opens_no_record(desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.done(desk.send_bot("first"))
    id = desk.send(write_author_bot(desk.folder / name, "x"))
    with monkeypatch.context() as patched:
        patched.setattr(Store, "_open", Mock(side_effect=Killed("it opens the record")))
        assert check_next(desk.part, desk.registry, desk.child)
    assert desk.done(id).state == ("failed" if name == "bad" else "done")


@pytest.mark.slow
def test_the_child_checks_by_itself(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with closing(desk.registry), closing(work.Child(None, 0, check_upload)) as child:
        desk.child = child
        done = desk.done(desk.send(write_author_bot(tmp_path / "mine", "x")))
        assert done.state == "done", done.answer


def test_told_to_end_it_leaves_the_upload_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = desk.send_bot()
    with monkeypatch.context() as patched:
        patched.setattr(work, "submit", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            desk.go_on()
    found = find_job(desk.registry, desk.anna, id)
    assert (found.state, found.place, found.steps) == ("waiting", 1, ())


def test_a_registry_that_a_stranger_has_written_enters_no_bot_by_a_name_that_is_none(
    desk: Desk,
) -> None:
    id = desk.send_bot()
    with desk.registry.writing() as sql:
        bot = Bot("../mine", "1", "somebody", ("./bot",))
        left = msgspec.json.encode(Passed(bot, "c" * 64)).decode()
        sql.execute("UPDATE jobs SET state = 'checked', passed = ?", (left,))
    assert enter_next(desk.part, desk.registry)
    assert find_job(desk.registry, desk.anna, id).state == "failed"


def test_paused_it_takes_nothing(desk: Desk) -> None:
    id = desk.send_bot()
    pause(desk.registry, "part", UPLOADS, "moving house")
    assert desk.done(id).state == "waiting"


def test_an_archive_goes_once_nobody_needs_it_also_while_none_is_checked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "SPOOLED_S", 10_000.0)  # more than a clock is set ahead
    monkeypatch.setattr(work, "_SWEEP_S", 0.0)
    desk.done(desk.send_bot())
    left, folder = desk.site.spool / "9-stray", desk.site.spool / "1-folder"
    left.touch()
    remove_unneeded(desk.site, desk.registry)
    assert left.exists()
    folder.mkdir()
    for each in (left, folder):
        os.utime(each, (0, 0))
    check_next = Mock(side_effect=[False, False, KeyboardInterrupt])
    monkeypatch.setattr(work, "check_next", check_next)
    with pytest.raises(KeyboardInterrupt):
        work.check_uploads(desk.part)
    assert not left.exists()


def test_a_link_in_the_spool_is_not_followed(desk: Desk) -> None:
    id = desk.send_bot()
    [sent] = desk.site.spool.iterdir()
    sent.rename(desk.folder / "elsewhere")
    sent.symlink_to(desk.folder / "elsewhere")
    done = desk.done(id)
    assert (done.state, done.answer.partition(";")[0]) == ("failed", "the archive is gone")


def zip_of(*members: tuple[str, bytes, int]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            file.writestr(info, content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


# Archives by which a stranger might write elsewhere, or without end.
ATTACKS = {
    "none": b"junk",
    "leads out": zip_of(("../outside", b"x", 0o644)),
    "absolute": zip_of(("/tmp/zole-outside", b"x", 0o644)),
    "link out": zip_of(("way", b"/etc", 0o120777), ("way/x", b"x", 0o644)),
    "device": zip_of(("null", b"", 0o020666)),
    "bomb": zip_of(*((f"{n}", bytes(8 << 20), 0o644) for n in range(9))),
    "many": zip_of(*((f"{n}", b"", 0o644) for n in range(20_001))),
    "a name without end": zip_of(("n" * 5000, b"x", 0o644)),
    "a manifest without end": zip_of(("bot.toml", b"#" * (2 << 20), 0o644)),
}


DEAR = ("bomb", "many", "a manifest without end")


@pytest.mark.parametrize(
    "attack",
    [pytest.param(each, marks=pytest.mark.slow) if each in DEAR else each for each in ATTACKS],
)
def test_no_archive_leaves_anything_but_words(desk: Desk, attack: str) -> None:
    def there() -> set[Path]:
        state = desk.site.state
        found = {path for path in desk.folder.rglob("*") if path.parent != state}
        return {path for path in found if path.suffix not in (".db-wal", ".db-shm")}

    upload = desk.send_archive(ATTACKS[attack])
    before = there()
    done = desk.done(upload)
    assert (done.state, bool(done.answer)) == ("failed", True)
    assert str(desk.folder) not in done.answer
    record = desk.site.league.with_suffix(".db")
    assert there() - before <= {record, record.with_suffix(".bots")}
    assert not Path("/tmp/zole-outside").exists()
    assert desk.done(desk.send_bot()).state == "done"


LOOT = """
import os, socket, subprocess, sys
site, outside, mark, intake, port = {!r}, {!r}, {!r}, {!r}, {!r}
found = []
def tried(what, do):
    try:
        found.append(what + " " + repr(do())[:200])
    except BaseException as error:
        pass
for folder, _, names in os.walk(site):
    for name in names:
        if name.endswith(".db"):
            tried(name, lambda: open(os.path.join(folder, name), "rb").read(16))
try:
    open(outside, "w").write("x")  # in a scratch folder of its own it may
except OSError:
    pass
tried("a stranger's process", lambda: os.kill(intake, 0))
tried("a connection", lambda: socket.create_connection(("127.0.0.1", port), 60))
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", mark])
if found:
    open("looted", "w").write("\\n".join(found))
"""


@pytest.mark.slow
def test_a_hostile_build_finds_nothing_and_stays_nowhere(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with closing(desk.registry), socket.create_server(("127.0.0.1", 0)) as server:
        league = desk.site.league
        league.write_text(league.read_text().replace(OPEN, ""))
        folder = write_author_bot(tmp_path / "evil", "me")
        mark = f"zole-stays-{os.getpid()}"
        given = (str(tmp_path), f"/tmp/{mark}", mark, os.getpid(), server.getsockname()[1])
        (folder / "build.py").write_text(LOOT.format(*given))
        with (folder / "bot.toml").open("a") as manifest:
            manifest.write('build = ["python3", "build.py"]\n')
        done = desk.done(desk.send(folder))
        assert any(step.name == "build" for step in done.steps), done.answer
        assert not [path.read_text() for path in tmp_path.rglob("looted")]
        assert not Path(f"/tmp/{mark}").exists()
        until(lambda: not any(_has(each, mark) for each in Path("/proc").glob("[0-9]*/cmdline")))
        assert desk.go_on() is False, "it goes on"


def _has(path: Path, word: str) -> bool:
    try:
        return word.encode() in path.read_bytes()
    except OSError:
        return False
