"""What a site's organiser does on the command line, while the site runs or not."""

import fcntl
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from time import time

import pytest

from arena.site.registry import Registry
from arena.site.registry.accounts import Accepted, accept, account_of, accounts
from arena.site.registry.bots import bots
from arena.site.registry.jobs import FILE_REQUESTS, ChangeBot, take
from arena.site.registry.organiser import announcements, pauses
from tests.support.command import document, output, refusal, run
from tests.support.present import present
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


def serve(*words: str | Path) -> str:
    return output("serve", *words)


def messages(*words: str | Path) -> str:
    done = run("serve", *words)
    assert done.returncode == 0, done.stderr
    return done.stderr


def code_in(line: str) -> str:
    return line.split()[0].removeprefix(JOIN)


def invite(site: Path, registry: Registry, name: str) -> Accepted:
    return accept(registry, code_in(serve("invite", site, name)))


def test_an_invitation_is_a_link_for_one_person_or_for_a_class_in_a_team(
    site: Path, registry: Registry
) -> None:
    assert "the link lets Anna in, until " in messages("invite", site, "Anna")
    made = document("serve", "invite", site, "Juris")
    assert accept(registry, code_in(made["link"])).account.name == "Juris"
    done = run("serve", "invite", site, "--places", "2", "--team", "Blue")
    assert "the link lets 2 people in, until " in done.stderr
    assert re.search("anyone: 2 places +Blue +20", serve("accounts", site))
    berta = accept(registry, code_in(done.stdout), "Berta").account
    assert (berta.name, berta.team) == ("Berta", "Blue")
    assert "anyone: 1 place" in serve("accounts", site)
    assert messages("revoke", site, "--links").startswith("the links for")
    assert "anyone:" not in serve("accounts", site)


def test_each_name_of_a_list_gets_a_link_and_a_team_that_may_be_changed(
    site: Path, registry: Registry, tmp_path: Path
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("# class 9b\nAnna, Blue # late\n\n  Berta,Blue \nJuris\n")
    invite(site, registry, "Juris")
    done = run("serve", "invite", site, "Clara", "--from", names, "--team", "Red")
    assert done.stderr.startswith("each link lets one person in, until ")
    known = "here already, so the link only lets them in again, as what they are: Juris"
    assert known in done.stderr
    came = {}
    for line in done.stdout.splitlines():
        account = accept(registry, code_in(line)).account
        came[line.split()[1]] = (account.name, account.team)
    teams = {"Clara": "Red", "Anna": "Blue", "Berta": "Blue", "Juris": ""}
    assert came == {name: (name, team) for name, team in teams.items()}
    changed = messages("accounts", site, "Clara", "Anna", "--team", "Green")
    assert changed == "Clara, Anna: team Green\n"
    assert messages("accounts", site, "Clara", "--team", "") == "Clara: team none\n"
    changed_teams = {each.name: each.team for each in accounts(registry)}
    assert changed_teams == teams | {"Clara": "", "Anna": "Green"}


def test_names_that_cannot_be_invited_leave_the_others_invited(site: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ivars\nVitols, Blue\nivars\nhouse\nVitols, Red\n")
    done = run("serve", "invite", site, "--from", names, "--json")
    invited = [each["name"] for each in json.loads(done.stdout)]
    assert (done.returncode, invited) == (2, ["Ivars", "Vitols"])
    assert "house: no account may be called house; choose another name" in done.stderr
    assert done.stderr.count("this name comes twice") == 2


def test_announcements_are_made_listed_and_removed(
    site: Path, registry: Registry, tmp_path: Path
) -> None:
    (tmp_path / "more.md").write_text("*All* of them.\n")
    text = ("--text", tmp_path / "more.md")
    announced = messages("announce", site, "Uploads end on Friday", *text)
    assert announced == "announced: https://zole.example/about#announcement-1\n"
    serve("announce", site, "Come")
    found = [(each.title, each.text) for each in announcements(registry)]
    assert found == [("Come", ""), ("Uploads end on Friday", "*All* of them.\n")]
    site.with_name("league.toml").write_text('time_zone = "Europe/Riga"\n')
    [line] = serve("announce", site, "--remove", "2").splitlines()
    assert re.fullmatch(r" +1  [-\d]+ [\d:]+ EES?T  Uploads end on Friday", line)
    refusal("serve", "announce", site, " ")


@pytest.mark.parametrize(
    ("command", "more", "why"),
    [
        ("invite", "", "either names or --places"),
        ("invite", "Anna --places 3", "either names or --places"),
        ("revoke", "", "either an account or --links"),
        ("revoke", "Liga", "there is no account Liga"),
        ("accounts", "Anna", "go together"),
        ("accounts", "--team Blue", "go together"),
        ("accounts", "Nobody --team Blue", "there is no account Nobody"),
        ("announce", "--remove 2", "there is no announcement 2"),
        ("announce", "x --remove 1", "either a title"),
        ("show", "nowhere.toml", "nowhere.db"),
        ("invte", "Anna", "No such command 'invte'"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(
    site: Path, command: str, more: str, why: str
) -> None:
    assert why in refusal("serve", command, site, *more.split())


def test_status_shows_which_processes_run(site: Path, registry: Registry) -> None:
    folder = site.with_suffix(".site") / "state"
    folder.mkdir(exist_ok=True)

    def report(name: str, at: float) -> None:
        now = {"name": name, "pid": 1, "at": at, "doing": {"part": "waits"}}
        (folder / f"{name}.json").write_text(json.dumps(now))

    def silent() -> list[str]:
        done = run("serve", "status", site)
        found = [line.split()[0] for line in done.stdout.splitlines() if "does not run" in line]
        assert done.returncode == bool(found)
        return found

    with ExitStack() as locks:
        for name in ("work", "tables", "play"):
            running = locks.enter_context((folder / f"{name}.lock").open("w"))
            fcntl.flock(running, fcntl.LOCK_EX)
            print(1, file=running, flush=True)
            report(name, time())
        serve("pause", site, "uploads", "--why", "exams")
        shown = serve("status", site)
        parts = ("league: https://zole.example", "paused: uploads, exams", "waits")
        assert [part for part in parts if part not in shown] == []
        assert silent() == []
        report("work", time() - 500)
        running.close()
        assert silent() == ["play", "work"]
    shown = run("serve", "status", site).stdout
    assert (shown.count("not running"), shown.count("does not run")) == (1, 0)


def test_the_organiser_sees_accounts_and_shuts_one_out_with_its_bots(
    site: Path, registry: Registry
) -> None:
    assert serve("accounts", site) == ""
    anna = invite(site, registry, "Anna")
    enter(registry, taken(registry, anna.account), "bot", "bot")
    serve("invite", site, "Juris")
    lines = [line.split() for line in serve("accounts", site).splitlines()]
    assert [line[0] for line in lines] == ["account", "Anna", "invited", "Juris"]
    found = document("serve", "accounts", site)
    shown = found["accounts"][0]["bots"], found["invitations"][0]["name"], "bot" in lines[1]
    assert shown == (["bot"], "Juris", True)
    serve("revoke", site, "Anna", "--why", "spam", "--bots")
    assert account_of(registry, anna.token) is None
    assert present(take(registry, FILE_REQUESTS)).about == ChangeBot("bot", "withdraw")
    assert "shut out: spam" in serve("accounts", site)
    assert [each.name for each in bots(registry, anna.account)] == ["bot"]


def test_a_bot_is_benched_with_a_reason_and_resumed(played_league: Path) -> None:
    site = played_league.with_name("site.toml")
    site.write_text('league = "league.toml"\n')
    with opened(site.with_suffix(".site") / "registry") as registry:
        serve("pause", site, "--bot", "a", "--why", "a copy of b")
        assert pauses(registry, "part") == {}
        assert pauses(registry, "bot") == {"a": "a copy of b"}
        assert "no bot is called nobody" in refusal("serve", "pause", site, "--bot", "nobody")
        serve("resume", site, "--bot", "a")
        assert pauses(registry, "bot") == {}
        assert "was not benched" in refusal("serve", "resume", site, "--bot", "a")


def test_a_site_is_paused_as_a_whole_or_in_part(site: Path, registry: Registry) -> None:
    for words, message, paused in (
        ("pause play --why repairs", "", {"play": "repairs"}),
        ("resume play", "resumed: play\n", {}),
        ("pause", "", {"play": "", "uploads": ""}),
        ("resume uploads", "resumed: uploads\n", {"play": ""}),
        ("pause", "", {"play": "", "uploads": ""}),
        ("resume", "resumed: uploads, play\n", {}),
        ("resume", "nothing was paused", {}),
    ):
        command, *more = words.split()
        assert message in messages(command, site, *more)
        assert pauses(registry, "part") == paused


def test_the_audit_lists_what_was_done(site: Path, registry: Registry) -> None:
    invite(site, registry, "Anna")
    serve("pause", site, "play")
    assert [line.split("  ")[-1] for line in serve("audit", site).splitlines()] == [
        "the organiser: stopped a part play",
        "Anna: came in by invitation",
        "the organiser: invited Anna",
    ]
    assert len(serve("audit", site, "--who", "Anna").splitlines()) == 1
    assert document("serve", "audit", site, "--most", "1")[0]["what"] == "stopped a part"


@pytest.mark.parametrize(
    "words",
    [
        *("invite SITE Anna", "accounts SITE", "revoke SITE Anna", "resume SITE"),
        *("pause SITE", "audit SITE", "backup SITE place"),
    ],
)
def test_every_command_reports_an_error_in_the_file_of_the_site(words: str, tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text("leage = 1\n")
    assert "site.toml:1: unknown key leage; did you mean league?" in refusal(
        "serve", *words.replace("SITE", "site.toml").split(), cwd=tmp_path
    )
    assert [path.name for path in tmp_path.iterdir()] == ["site.toml"]


def test_a_league_is_shown_and_hidden(site: Path, tmp_path: Path) -> None:
    record = small_record(tmp_path / "elsewhere")
    shown = ("show", site, record, "--name", "spring")
    assert messages(*shown) == "shown: https://zole.example/leagues/spring/\n"
    serve(*shown)
    for more, why in (
        (("Cup",), "no league can be shown as Cup"),
        (("../cup",), "no league can be shown as"),
        (("cup", "--hide"), "no league is shown as cup; there are spring"),
    ):
        assert why in refusal("serve", "show", site, record, "--name", *more)
    assert messages("show", site, "spring", "--hide") == "hidden: spring\n"
    assert "none is shown" in run("serve", "show", site, "spring", "--hide").stderr
