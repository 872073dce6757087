"""Uploads as `work` checks and `play` enters them: steps, ends, and what a kill leaves."""

import hashlib
import os
import socket
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import DEFAULT, Mock, patch

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
from arena.site.config import make_folders, read_site
from arena.site.pages.templates import site_templates
from arena.site.process import SitePart, SiteProcess
from arena.site.registry import Registry
from arena.site.registry.accounts import Account, revoke
from arena.site.registry.bots import bots, quotas
from arena.site.registry.jobs import (
    LATE,
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
from arena.tasks import submissions
from arena.tasks.check import Conditions
from tests.bots.test_archive import MANIFEST, Member, packed
from tests.support.bots import OPEN
from tests.support.patience import until
from tests.support.registry import comes_in, refused
from tests.support.whole_site import write_author_bot, write_site


class Killed(BaseException):
    pass


def check_here(asked: Any, longest_s: float, wanted: Callable[[], bool]) -> tuple[str, str]:
    """In place of the child that checks: do so in this process. No check opens the record."""
    assert wanted()
    with patch.object(Store, "_open", side_effect=Killed("it opens the record")):
        return work.check_upload(asked, 0)


class Desk:
    """The processes of a site by which a bot enters, and an author."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.site = folder, read_site(write_site(folder, ""))
        make_folders(self.site)
        self.registry = Registry.open(self.site.registry)
        self.anna = comes_in(self.registry, "Anna")
        self.part = SitePart(SiteProcess(self.site, "work"), "work")
        self.child: Any = Mock(call=check_here)

    def send_bot(self, name: str = "mine", more: str = "", who: Account | None = None) -> str:
        bot = write_author_bot(self.folder / name, "somebody else", more=more)
        return self.send(pack(bot), who)

    def send(self, data: bytes, who: Account | None = None) -> str:
        about, account = Archive(hashlib.sha256(data).hexdigest()), who or self.anna
        (self.site.spool / spool_file(account, about.digest)).write_bytes(data)
        return ask_for(self.registry, account, about)[0].id

    def done(self, id: str, who: Account | None = None) -> SiteJob:
        """Check the next upload, and enter what was checked; what became of one."""
        work.check_next(self.part, self.registry, self.child)
        while answers.enter_next(self.part, self.registry):
            pass
        return find_job(self.registry, who or self.anna, id)

    def playing(self) -> list[tuple[str, str]]:
        with closing(Store.open(self.site.league.with_suffix(".db"))) as store:
            return [(it.name, it.manifest.author) for it in playing(store.submissions())]


@pytest.fixture(name="desk")
def _desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk at which bots are copied, but play no match; those called bad fail."""

    def check(folder: Path, by: Conditions) -> Iterator[CheckStep]:
        bot = read_bot(folder)
        bot = msgspec.structs.replace(bot, author=by.author or bot.author)
        yield CheckStep("manifest", True, f"{bot.name} {bot.version} by {bot.author}")
        by.prepared(bot, by.isolation)
        if bot.name == "bad":
            yield CheckStep("declaring", False, f"it ended; see {folder}/bot", (str(folder),))

    monkeypatch.setattr(submissions, "check", check)
    desk = Desk(tmp_path)
    with closing(desk.registry):
        yield desk


def test_an_upload_enters_by_the_name_of_its_account_and_replaces_nobody_elses_bot(
    desk: Desk,
) -> None:
    done = desk.done(desk.send_bot())
    assert (done.state, done.name) == ("done", "mine")
    assert [(step.name, step.finding) for step in done.steps] == [
        ("manifest", "mine 1 by Anna"),
        ("entered", "as mine"),
    ]
    bert = comes_in(desk.registry, "Bert")
    done = desk.done(desk.send_bot(more="deterministic = true\n", who=bert), bert)
    assert done.answer.endswith("mine is taken by Anna; change it in bot.toml")
    assert desk.playing() == [("mine", "Anna")]
    assert [[it.name for it in bots(desk.registry, who)] for who in (desk.anna, bert)] == [
        *(["mine"], [])
    ]
    with closing(Store.write(desk.site.league.with_suffix(".db"))) as record:
        record.append([Closed(1, ("a", "b", "c"))])
    assert desk.done(desk.send_bot(more="# 3")).answer == (
        "season 1 is closed: its bots neither come nor go any more; "
        "bots can be submitted again once the organiser has begun the next season"
    )


def test_an_upload_after_the_deadline_waits_beside_the_version_that_plays(desk: Desk) -> None:
    desk.done(desk.send_bot())
    late = desk.site.league.read_text().replace(
        '"open"', '"open"\nsubmit_until = 2020-01-01T12:00:00'
    )
    desk.site.league.write_text(late)
    for more, name in (("# 1", "mine.2"), ("# 2", "mine.3")):
        done = desk.done(desk.send_bot(more=more))
        assert (done.state, done.name, done.answer) == ("done", name, LATE)
        assert done.steps[-1].finding == f"as {name}; {LATE}"
    assert desk.playing() == [("mine", "Anna")]
    found = {bot.name: bot.state for bot in bots(desk.registry, desk.anna)}
    assert found == {"mine": "playing", "mine.2": "replaced", "mine.3": "next_season"}
    left = quotas(desk.registry, desk.anna)
    assert left["bots"].left == 1
    page = site_templates("Zole", "https://zole.example", "en").draw(
        "upload.html", upload=done, quotas=left
    )
    assert "after the deadline and is <bdi>mine.3</bdi> in the next season" in page


def test_an_upload_that_a_busy_registry_or_a_full_disk_holds_up_waits_and_is_entered(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.site.disk._REST_S", 0.0)
    full, busy = refused(NoRoom, sqlite3.SQLITE_FULL), refused(Busy, sqlite3.SQLITE_BUSY)
    fails = [full, busy] * MOST_TRIES
    monkeypatch.setattr(work, "may_enter", Mock(wraps=may_enter, side_effect=[*fails, DEFAULT]))
    sent = desk.send_bot()
    assert [desk.done(sent).state for _ in (*fails, None)] == ["waiting"] * len(fails) + ["done"]


def test_who_is_shut_out_while_the_bot_enters_leaves_none_in_the_field(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.done(desk.send_bot("old"))

    def shut_out(*given: Any) -> Any:
        revoke(desk.registry, "Anna", "rude")
        return submissions.enter(*given)

    monkeypatch.setattr(answers, "enter", shut_out)
    assert desk.done(desk.send_bot()).answer == "the account was revoked"
    assert desk.playing() == [("old", "Anna")]


@pytest.mark.parametrize(
    ("module", "where"),
    [
        *((work, each) for each in ("submit", "add_step", "passed")),
        *((answers, each) for each in ("enter", "add_step", "entered")),
    ],
)
def test_killed_at_any_point_it_is_taken_up_again_and_nothing_is_doubled(
    desk: Desk, module: Any, where: str
) -> None:
    id = desk.send_bot()
    with patch.object(module, where, side_effect=Killed), pytest.raises(Killed):
        desk.done(id)
    assert find_job(desk.registry, desk.anna, id).state == "taken"
    assert len(take_back(desk.registry, (Archive,))) == (module is work)
    done = desk.done(id)
    assert (done.state, done.name) == ("done", "mine")
    assert desk.playing() == [("mine", "Anna")]
    assert [bot.name for bot in bots(desk.registry, desk.anna)] == ["mine"]


def test_a_child_that_dies_is_followed_by_another_and_then_the_upload_is_given_up(
    desk: Desk,
) -> None:
    desk.child.call = Mock(side_effect=MatchVoid("its worker died"))
    id = desk.send_bot()
    assert [desk.done(id).state for _ in range(3)] == ["waiting", "waiting", "failed"]


def test_told_to_end_it_leaves_the_upload_as_it_was(desk: Desk) -> None:
    id = desk.send_bot()
    before = find_job(desk.registry, desk.anna, id)
    with (
        patch.object(work, "submit", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        desk.done(id)
    assert find_job(desk.registry, desk.anna, id) == before


def test_a_registry_that_a_stranger_has_written_enters_no_bot_by_a_name_that_is_none(
    desk: Desk,
) -> None:
    id = desk.send_bot()
    with desk.registry.writing() as sql:
        bot = Bot("../mine", "1", "somebody", ("./bot",))
        left = msgspec.json.encode(Passed(bot, "c" * 64)).decode()
        sql.execute("UPDATE jobs SET state = 'checked', passed = ?", (left,))
    assert "has / in it" in desk.done(id).answer


def test_an_archive_goes_once_nobody_needs_it_also_while_none_is_checked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "SPOOLED_S", 10_000.0)  # more than a clock is set ahead
    monkeypatch.setattr(work, "_SWEEP_S", 0.0)
    left, folder = desk.site.spool / "9-stray", desk.site.spool / "1-folder"
    left.touch()
    work.remove_unneeded(desk.site, desk.registry)
    assert left.exists()
    folder.mkdir()
    for each in (left, folder):
        os.utime(each, (0, 0))
    monkeypatch.setattr(work, "check_next", Mock(side_effect=[False, False, KeyboardInterrupt]))
    with pytest.raises(KeyboardInterrupt):
        work.check_uploads(desk.part)
    assert not left.exists()


def test_a_link_in_the_spool_is_not_followed(desk: Desk) -> None:
    id = desk.send_bot()
    [sent] = desk.site.spool.iterdir()
    sent.symlink_to(sent.rename(desk.folder / "elsewhere"))
    assert desk.done(id).answer == "the archive is gone; send it again"


@pytest.mark.slow
def test_the_child_checks_by_itself(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with closing(desk.registry), closing(work.Child(None, 0, work.check_upload)) as desk.child:
        done = desk.done(desk.send_bot())
        assert done.state == "done", done.answer


# Archives by which a stranger might write elsewhere, or without end; the last is a bot that fails.
ATTACKS: dict[str, Any] = {
    "none": b"junk",
    "leads out": [("../outside", b"x", 0o644)],
    "absolute": [("/zole-outside", b"x", 0o644)],
    "link out": [("way", b"/etc", 0o120777), ("way/x", b"x", 0o644)],
    "device": [("null", b"", 0o020666)],
    "bomb": [(f"{n}", bytes(8 << 20), 0o644) for n in range(9)],
    "many": [(f"{n}", b"", 0o644) for n in range(20_001)],
    "a name without end": [("n" * 5000, b"x", 0o644)],
    "a manifest without end": [("bot.toml", b"#" * (2 << 20), 0o644)],
    "a name that is no text": packed(
        "w:gz",
        Member("bot.toml", MANIFEST),
        Member(os.fsdecode(b"\xff"), b"/etc/passwd", tarfile.SYMTYPE),
    ),
    "a bot that fails": None,
}
SAID = {
    "a name that is no text": r"\udcff: this link leads out of the bot: /etc/passwd",
    "a bot that fails": "declaring: it ended; see bot",
}
DEAR = ("bomb", "many", "a manifest without end")


@pytest.mark.parametrize(
    "attack",
    [pytest.param(each, marks=pytest.mark.slow) if each in DEAR else each for each in ATTACKS],
)
def test_no_archive_leaves_anything_but_words_that_name_no_path_of_the_machine(
    desk: Desk, attack: str
) -> None:
    def there() -> set[Path]:
        state = desk.site.state
        found = {path for path in desk.folder.rglob("*") if path.parent != state}
        return {path for path in found if path.suffix not in (".db-wal", ".db-shm")}

    data = ATTACKS[attack]
    if isinstance(data, list):
        data = packed("zip", *(Member(name, it, mode=mode) for name, it, mode in data))
    upload = desk.send_bot("bad") if data is None else desk.send(data)
    before = there()
    done = desk.done(upload)
    assert done.state == "failed"
    assert done.answer == SAID.get(attack, done.answer) != ""
    assert not [each for each in (str(desk.folder), "/tmp") if each in repr(done)]
    record, home = (desk.site.league.with_suffix(each) for each in (".db", ".bots"))
    assert there() - before <= {record, home, home / ".lock"}
    assert not Path("/zole-outside").exists()
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
        mark = f"zole-stays-{os.getpid()}"
        given = (str(tmp_path), f"/tmp/{mark}", mark, os.getpid(), server.getsockname()[1])
        write_author_bot(tmp_path / "evil", "me").joinpath("build.py").write_text(
            LOOT.format(*given)
        )
        done = desk.done(desk.send_bot("evil", 'build = ["python3", "build.py"]\n'))
        assert any(step.name == "build" for step in done.steps), done.answer
        assert not [path.read_text() for path in tmp_path.rglob("looted")]
        assert not Path(f"/tmp/{mark}").exists()
        until(lambda: not any(_has(each, mark) for each in Path("/proc").glob("[0-9]*/cmdline")))


def _has(path: Path, word: str) -> bool:
    try:
        return word.encode() in path.read_bytes()
    except OSError:
        return False
