"""What a site's organiser does on the command line, while the site runs or not."""

import fcntl
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from time import time

import pytest

from arena.base.refusals import Conflict, Missing, Refusal
from arena.site.registry import Registry
from arena.site.registry.accounts import Account, accept, account_of, accounts
from arena.site.registry.bots import bots
from arena.site.registry.jobs import FILE_REQUESTS, ChangeBot, take
from arena.site.registry.organiser import announcements, stops
from tests.support.command import run
from tests.support.records import small_record
from tests.support.registry import enter, opened, taken

JOIN = "https://zole.example/join/"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.toml"
    path.write_text('league = "league.toml"\naddress = "https://zole.example"\n')
    return path


@pytest.fixture
def registry(site: Path) -> Iterator[Registry]:
    with closing(Registry.open(site.with_suffix(".site") / "registry" / "registry.db")) as registry:
        yield registry


def told(*words: str | Path) -> str:
    """What a command prints that succeeds."""
    done = run("serve", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def invited(site: Path, registry: Registry, name: str) -> Account:
    return accept(registry, told("invite", site, name).strip().removeprefix(JOIN)).account


def test_a_link_is_told_once_and_lets_somebody_in(site: Path, registry: Registry) -> None:
    done = run("serve", "invite", site, "Anna")
    assert done.stdout.startswith(JOIN)
    assert "the link lets Anna in, until " in done.stderr
    assert accept(registry, done.stdout.strip().removeprefix(JOIN)).account.name == "Anna"
    made = json.loads(told("invite", site, "Juris", "--json"))
    assert accept(registry, made["link"].removeprefix(JOIN)).account.name == "Juris"


def test_a_class_comes_by_one_link_under_names_of_their_choice(
    site: Path, registry: Registry
) -> None:
    done = run("serve", "invite", site, "--places", "2", "--team", "Blue")
    assert "the link lets 2 people in, until " in done.stderr
    code = done.stdout.strip().removeprefix(JOIN)
    assert re.search("anyone: 2 places +Blue +20", told("accounts", site))
    for wrong in ("", "house", "a/b"):
        with pytest.raises(Refusal):
            accept(registry, code, wrong)
    assert accept(registry, code, "Anna").account.name == "Anna"
    with pytest.raises(Conflict, match="Anna is a name in use, which equals ANNA but for case"):
        accept(registry, code, "ANNA")
    told("invite", site, "Juris")
    with pytest.raises(Conflict, match="Juris is a name in use"):
        accept(registry, code, "Juris")
    assert "anyone: 1 place" in told("accounts", site)
    assert accept(registry, code, "Berta").account.team == "Blue"
    with pytest.raises(Missing):
        accept(registry, code, "Karlis")
    told("invite", site, "--places", "9")
    assert run("serve", "revoke", site, "--links").stderr.startswith("the links for")
    assert "anyone:" not in told("accounts", site)
    assert "either an account or --links" in run("serve", "revoke", site).stderr


def test_names_from_a_list_get_a_link_each(site: Path, registry: Registry, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Anna\n\n  Berta \n")
    done = run("serve", "invite", site, "Juris", "--from", names)
    assert done.stderr.startswith("each link lets one person in, until ")
    lines = done.stdout.splitlines()
    assert [line.split("  ")[1] for line in lines] == ["Juris", "Anna", "Berta"]
    for line in lines:
        link, _, name = line.partition("  ")
        assert accept(registry, link.removeprefix(JOIN)).account.name == name
    some = run("serve", "invite", site, "Karlis", "house", "--json")
    assert some.returncode == 2
    assert [each["name"] for each in json.loads(some.stdout)] == ["Karlis"]
    assert "house: no account may be called house; choose another name" in some.stderr
    for words in ((), ("Anna", "--places", "3")):
        assert "either names or --places" in run("serve", "invite", site, *words).stderr


def test_teams_come_by_link_by_list_and_by_command(
    site: Path, registry: Registry, tmp_path: Path
) -> None:
    (tmp_path / "names.txt").write_text("Anna, Blue\nBerta,Blue\nClara\n")
    words = ("--from", tmp_path / "names.txt", "--team", "Red")
    for line in told("invite", site, *words).splitlines():
        accept(registry, line.split("  ")[0].removeprefix(JOIN))
    shown = told("accounts", site)
    assert "team" in shown.splitlines()[0]
    teams = {each.name: each.team for each in accounts(registry)}
    assert teams == {"Anna": "Blue", "Berta": "Blue", "Clara": "Red"}
    done = run("serve", "accounts", site, "Clara", "Anna", "--team", "Green")
    assert done.stderr == "Clara, Anna: team Green\n"
    done = run("serve", "accounts", site, "Clara", "--team", "")
    assert done.stderr == "Clara: team none\n"
    for unclear in (("Anna",), ("--team", "Blue")):
        assert "go together" in run("serve", "accounts", site, *unclear).stderr
    wrong = run("serve", "accounts", site, "Nobody", "--team", "Blue")
    assert (wrong.returncode, "there is no account Nobody" in wrong.stderr) == (2, True)


def test_announcements_are_made_listed_and_taken_back(
    site: Path, registry: Registry, tmp_path: Path
) -> None:
    (tmp_path / "more.md").write_text("*All* of them.\n")
    done = run("serve", "announce", site, "Uploads end on Friday", "--text", tmp_path / "more.md")
    assert done.stderr == "announced: https://zole.example/about#announcement-1\n"
    told("announce", site, "Come")
    found = announcements(registry)
    assert [(each.title, each.text) for each in found] == [
        ("Come", ""),
        ("Uploads end on Friday", "*All* of them.\n"),
    ]
    site.with_name("league.toml").write_text('time_zone = "Europe/Riga"\n')
    [line] = told("announce", site, "--remove", "2").splitlines()
    assert re.fullmatch(r" +1  [-\d]+ [\d:]+ EES?T  Uploads end on Friday", line)
    assert "there is no announcement 2" in run("serve", "announce", site, "--remove", "2").stderr
    assert run("serve", "announce", site, " ").returncode == 2
    assert "either a title" in run("serve", "announce", site, "x", "--remove", "1").stderr


def test_what_a_site_does_is_told(site: Path, registry: Registry) -> None:
    folder = site.with_suffix(".site") / "state"
    folder.mkdir(exist_ok=True)

    def state(name: str, **keys: object) -> None:
        now = {"name": name, "pid": 1, "at": time(), "doing": {"part": "waits"}, **keys}
        (folder / f"{name}.json").write_text(json.dumps(now))

    def silent() -> list[str]:
        done = run("serve", "status", site)
        found = [line.split()[0] for line in done.stdout.splitlines() if "does not run" in line]
        assert done.returncode == bool(found)
        return found

    names = ("work", "play", "tables")
    with ExitStack() as locks:
        running = {}
        for name in names:
            running[name] = locks.enter_context((folder / f"{name}.lock").open("w"))
            fcntl.flock(running[name], fcntl.LOCK_EX)
            print(1, file=running[name], flush=True)
            state(name)
        told("pause", site, "uploads", "--why", "exams")
        shown = told("status", site)
        assert "site: https://zole.example" in shown
        assert "paused: uploads, exams" in shown
        assert "waits" in shown
        assert silent() == []
        state("work", at=time() - 500)
        running["play"].close()
        assert silent() == ["play", "work"]
    shown = run("serve", "status", site).stdout
    assert shown.count("not running") == 1
    assert "does not run" not in shown


def test_the_organiser_sees_who_came_and_who_was_invited(site: Path, registry: Registry) -> None:
    assert told("accounts", site) == ""
    anna = invited(site, registry, "Anna")
    enter(registry, taken(registry, anna), "bot", "bot")
    told("invite", site, "Juris")
    shown = told("accounts", site)
    assert [line.split()[0] for line in shown.splitlines()] == [
        *("account", "Anna", "invited", "Juris"),
    ]
    assert "bot" in shown.splitlines()[1]
    found = json.loads(told("accounts", site, "--json"))
    assert found["accounts"][0]["bots"] == ["bot"]
    assert found["invitations"][0]["name"] == "Juris"


def test_who_is_shut_out_is_so_with_all_bots_if_asked(site: Path, registry: Registry) -> None:
    came = accept(registry, told("invite", site, "Anna").strip().removeprefix(JOIN))
    anna, token = came.account, came.token
    enter(registry, taken(registry, anna), "bot", "bot")
    told("revoke", site, "Anna", "--why", "spam", "--bots")
    assert account_of(registry, token) is None
    held = take(registry, FILE_REQUESTS)
    assert held is not None
    assert held.about == ChangeBot("bot", "withdraw")
    assert "shut out: spam" in told("accounts", site)
    assert [each.name for each in bots(registry, anna)] == ["bot"]
    done = run("serve", "revoke", site, "Liga")
    assert (done.returncode, "there is no account Liga" in done.stderr) == (2, True)


def test_a_bot_is_benched_with_a_reason_and_resumed(played_league: Path) -> None:
    site = played_league.with_name("site.toml")
    site.write_text('league = "league.toml"\n')
    with opened(site.with_suffix(".site") / "registry") as registry:
        told("pause", site, "--bot", "a", "--why", "a copy of b")
        assert stops(registry, "part") == {}
        assert stops(registry, "bot") == {"a": "a copy of b"}
        done = run("serve", "pause", site, "--bot", "nobody")
        assert (done.returncode, "no bot is called nobody" in done.stderr) == (2, True)
        told("resume", site, "--bot", "a")
        assert stops(registry, "bot") == {}
        done = run("serve", "resume", site, "--bot", "a")
        assert (done.returncode, "was not benched" in done.stderr) == (2, True)


def test_a_site_is_paused_as_a_whole_or_in_part(site: Path, registry: Registry) -> None:
    told("pause", site, "play", "--why", "repairs")
    assert stops(registry, "part") == {"play": "repairs"}
    assert run("serve", "resume", site, "play").stderr == "resumed: play\n"
    assert stops(registry, "part") == {}
    told("pause", site)
    assert stops(registry, "part") == {"play": "", "uploads": ""}
    assert run("serve", "resume", site, "uploads").stderr == "resumed: uploads\n"
    assert stops(registry, "part") == {"play": ""}
    told("pause", site)
    assert "resumed: uploads, play" in run("serve", "resume", site).stderr
    assert stops(registry, "part") == {}
    assert "nothing was paused" in run("serve", "resume", site).stderr


def test_the_audit_tells_all_of_it(site: Path, registry: Registry) -> None:
    invited(site, registry, "Anna")
    told("pause", site, "play")
    lines = told("audit", site).splitlines()
    assert [line.split("  ")[-1] for line in lines] == [
        "the organiser: stopped a part play",
        "Anna: came in by invitation",
        "the organiser: invited Anna",
    ]
    assert len(told("audit", site, "--who", "Anna").splitlines()) == 1
    newest = json.loads(told("audit", site, "--json", "--most", "1"))
    assert newest[0]["what"] == "stopped a part"


@pytest.mark.parametrize("number", ["1", "99"])
def test_accounts_that_another_arena_wrote_are_refused(
    number: str, site: Path, registry: Registry
) -> None:
    with registry.writing() as sql:
        sql.execute("UPDATE facts SET value = ? WHERE key = 'format'", (number,))
    done = run("serve", "accounts", site)
    assert done.returncode != 0
    assert f"has format {number}, this arena opens format 7" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("invite", "SITE", "Anna"),
        ("accounts", "SITE"),
        ("revoke", "SITE", "Anna"),
        ("resume", "SITE"),
        ("pause", "SITE"),
        ("audit", "SITE"),
        ("backup", "SITE", "place"),
    ],
    ids=lambda words: words[0],
)
def test_a_mistake_in_the_site_is_told_by_every_command(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "site.toml").write_text("leage = 1\n")
    done = run("serve", *(word.replace("SITE", "site.toml") for word in words), cwd=tmp_path)
    assert done.returncode == 2
    assert "site.toml:1: unknown key leage; did you mean league?" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["site.toml"]


def test_a_command_that_there_is_not_is_no_site(site: Path) -> None:
    done = run("serve", "invte", site, "Anna")
    assert done.returncode == 2
    assert "No such command 'invte'" in done.stderr


def test_a_list_of_names_has_comments_and_each_name_once(
    site: Path, registry: Registry, tmp_path: Path
) -> None:
    names = tmp_path / "names.txt"
    invited(site, registry, "Anna")
    names.write_text("# class 9b\nAnna\nBert, Blue # late\n")
    done = run("serve", "invite", site, "--from", names)
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["Anna", "Bert"]
    assert (
        "here already, so the link only lets them in again, as what they are: Anna" in done.stderr
    )
    names.write_text("Ivars\nVitols, Blue\nivars\nVitols, Red\n")
    done = run("serve", "invite", site, "--from", names)
    assert done.returncode == 2
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["Ivars", "Vitols"]
    assert done.stderr.count("this name comes twice") == 2


def test_a_league_is_shown_and_hidden(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    record = small_record(tmp_path / "elsewhere")
    done = run("serve", "show", site, record, "--name", "spring")
    assert done.stderr == "shown: https://zole.example/leagues/spring/\n"
    told("show", site, record, "--name", "spring")
    for words, why in (
        ((record, "--name", "Cup"), "no league can be shown as Cup"),
        ((record, "--name", "../cup"), "no league can be shown as"),
        ((record, "--name", "cup", "--hide"), "no league is shown as cup; there are spring"),
        ((tmp_path / "nowhere.toml",), "nowhere.db"),
    ):
        done = run("serve", "show", site, *words)
        assert (done.returncode, why in done.stderr) == (2, True), done.stderr
    assert run("serve", "show", site, "spring", "--hide").stderr == "hidden: spring\n"
    assert "none is shown" in run("serve", "show", site, "spring", "--hide").stderr
