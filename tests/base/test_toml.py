"""A user's mistakes are found all at once, each at its line and with a suggestion."""

import tomllib
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as some

from arena.base.errors import ArenaError
from arena.base.toml import TomlFile
from arena.bots.manifest import read_bot
from arena.bots.names import NAME_RULE
from arena.bots.tree import MANIFEST
from arena.league.config import ClosedConfig
from arena.league.file import read_league, rules_from
from arena.match.wire import Limits
from arena.zole.rules import Settings, preset
from tests.support.bots import write_league


def mistakes_of(path: Path, text: str) -> list[str]:
    path.write_text(text)
    with pytest.raises(ArenaError) as caught:
        read_bot(path.parent) if path.name == MANIFEST else read_league(path)
    return [str(mistake).replace(str(path), "F") for mistake in caught.value.mistakes]


def manifest_mistakes(folder: Path, text: str) -> list[str]:
    return mistakes_of(folder / MANIFEST, text)


def test_every_mistake_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    told = mistakes_of(
        path,
        """# a league
deels = 5
bots = ["a", "b", "nowhere"]

[rules]
preset = "pagat"
all_pass = "tabel"

[rules.auction]
contracts = ["ordinary", "sole"]

[limits]
move_s = "long"
memry_mb = 7
""",
    )
    assert told == [
        "F:2: unknown key deels; did you mean deals?",
        f"F:3: the bot nowhere cannot play; {tmp_path}/nowhere: there is no such folder; "
        "a bot is a folder",
        'F:7: "tabel" is not a value of all_pass; did you mean table?',
        'F:10: "sole" is not a value of contracts; did you mean solo?',
        'F:13: move_s must be a number, not "long"',
        "F:14: unknown key memry_mb in [limits]; did you mean memory_mib?",
    ]


BOTS = 'bots = ["a", "b", "c"]\n'


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        (
            f"{BOTS}[limits]\nmov_s = 3\n",
            ["F:3: unknown key mov_s in [limits]; did you mean move_s?"],
        ),
        ('bots = ["a"]', ["F:1: a table of 3 needs 2 or more bots, here are 1"]),
        (f"rules.players = 4\n{BOTS}", ["F:2: a table of 4 needs 4 or more bots, here are 3"]),
        (
            'bots = [\n  "a",\n  "b",\n  "a",\n]',
            [
                "F:1: the name a is taken by another bot, a; "
                'give it another: { path = "a", name = "…" }'
            ],
        ),
        (
            '\nbots = [{path="a",name="Z"}, {path="b",name="z"}, {path="c",name="=1\\n"}]',
            [
                "F:2: the name z is taken by another bot, Z; "
                'give it another: { path = "b", name = "…" }',
                f"F:2: the name =1\\n has = in it; {NAME_RULE}",
            ],
        ),
        (
            f'{BOTS}always = ["a", "b", "x"]\n',
            [
                "F:2: at a table of 3 at most 2 different bots can always sit",
                "F:2: no bot is called x; known are a, b, c",
            ],
        ),
        (
            f'{BOTS}[sandbox]\nread_only = ["opt/x", "/usr"]',
            ["F:3: opt/x is not a folder; write the full path of a folder"],
        ),
        (
            f"{BOTS}[limits]\nmove_s = inf\n",
            ["F:3: move_s must be a number of at most 1000000000, not inf"],
        ),
        (
            f"{BOTS}[limits]\nmove_s = -inf\n",
            ["F:3: move_s must be a number of more than 0, not -inf"],
        ),
        (
            f"{BOTS}[limits]\nmove_s = nan\n",
            ["F:3: move_s must be a number of more than 0, not nan"],
        ),
        (
            f"{BOTS}[limits]\nmemory_mib = 1000000001\n",
            ["F:3: memory_mib must be a whole number of at most 1000000000, not 1000000001"],
        ),
    ],
)
def test_the_mistakes_of_a_league_are_reported(
    tmp_path: Path, text: str, mistakes: list[str]
) -> None:
    assert mistakes_of(write_league(tmp_path), text) == mistakes


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("rules = 7", "rules must be a text or a table, not 7"),
        ('bots = "x"', 'bots must be a list of texts or tables, not "x"'),
        ("bots = [3]", "bots, item 1, must be a text or a table, not 3"),
        ('deals = "many"', 'deals must be a whole number, not "many"'),
        ("deals = 0", "deals must be a whole number of at least 1, not 0"),
        ("deals = 200001", "deals must be a whole number of at most 200000, not 200001"),
        ("name = 5", "name must be a text, not 5"),
        ("format = []", "[] is not a value of format; known are closed, open, tournament"),
        ("rules.preset = []", "unknown preset []"),
        ("limits = 3", "limits must be a table, not 3"),
        ("seed = -1", "seed must be a whole number of at least 0, not -1"),
        ("rules.players = true", "players must be a whole number, not true"),
        ("rules.surrender.defender = 1", "defender must be true or false, not 1"),
        ("rules.auction.contracts = [1]", "contracts, item 1, must be a text, not 1"),
    ],
)
def test_a_value_of_the_wrong_kind_is_reported_in_words(
    tmp_path: Path, line: str, told: str
) -> None:
    mistakes = mistakes_of(write_league(tmp_path), f"{line}\n")
    assert any(mistake.startswith(f"F:1: {told}") for mistake in mistakes), mistakes


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("players = 6", "F:2: 6 is out of range; players must be 3 to 5"),
        (
            "[rules.pools]\nenabled = true",
            'F:3: pools never begin with all_pass = "table"; set all_pass = "pool"',
        ),
        ('all_pass = "pool"', 'F:2: all_pass = "pool" needs pools; set pools.enabled = true'),
        ("[rules.play]\ntricks = 9", "F:3: 9 is out of range; play.tricks must be 1 to 8"),
        (
            "[rules.scoring]\nordinary = [3, 2]",
            "F:3: ordinary must be a list of length 6, not [3, 2]",
        ),
        (
            "[rules.scoring]\nsolo = [6, 5, 4, 5, 6, 7]",
            "F:3: wins must be positive and losses negative; the first 3 are wins",
        ),
        (
            '[rules.auction]\ncontracts = ["solo"]',
            "F:3: ordinary is missing; every source has the ordinary game",
        ),
        ('preset = "pagatt"', "F:2: unknown preset pagatt; did you mean pagat?"),
    ],
)
def test_rules_that_contradict_their_sources_are_refused(
    tmp_path: Path, rules: str, told: str
) -> None:
    found = mistakes_of(write_league(tmp_path), f"[rules]\n{rules}\n")
    assert [mistake for mistake in found if "bots" not in mistake] == [told]


def test_rules_of_a_file_are_those_of_its_preset_with_its_changes(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text('preset = "piedalies"\nplayers = 4\n[table]\nstake = 3\n')
    changes: Settings = {"players": 4, "table": {"stake": 3}}
    assert rules_from(str(path)) == preset("piedalies", changes)


def test_what_is_no_toml_missing_files_and_unknown_rules_are_reported(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    assert mistakes_of(path, "deals = 3\nbots = [\n")[0].startswith("F:3: this is not TOML")
    assert mistakes_of(path, "deals = = 3\n")[0].startswith("F:1: this is not TOML")
    with pytest.raises(ArenaError, match=r"leagues/winter\.toml: there is no such file"):
        read_league(Path("leagues/winter.toml"))
    with pytest.raises(ArenaError, match="unknown rules pagaat; did you mean pagat"):
        rules_from("pagaat")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f'name = "a b "\nversion = "{"1" * 41}"\nauthor = "\\u202e"\nrun = ["x"]\n',
            [
                f"F:1: the name a b  begins with a sign, or has a space too many; {NAME_RULE}",
                f'F:2: version must be a text of length at most 40, not "{"1" * 41}"',
                "F:3: author: \\u202e is not plain words with single spaces and without "
                "invisible characters",
            ],
        ),
        (
            'name = "a"\nversion = "1"\nauthor = "a"\nrun = []\n',
            ["F:4: run must be a list of length at least 1, not []"],
        ),
        *(
            (
                f'name = "a"\nversion = "1"\nauthor = "b"\nrun = ["{program}", "../argument"]\n',
                ["F:4: run: the program's path must not contain ..; name it from the bot's folder"],
            )
            for program in ("./../../etc/passwd", "../bot", "/usr/../home/x")  # there or not
        ),
        ("# long\n" + "a." * 100_000 + "a = 1", ["F:2: this line has too many dots"]),
    ],
    ids=range(6),
)
def test_the_mistakes_of_a_manifest_are_reported(
    tmp_path: Path, text: str, told: list[str]
) -> None:
    assert manifest_mistakes(tmp_path, text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"limits.memory_mib = 0x{'f' * 5000}", "F: cannot be read: Exceeds the limit"),
        (f"limits.memory_mib = {'9' * 5000}", "F: cannot be read: Exceeds the limit"),
        (
            f"limits.memory_mib = {'9' * 4000}",
            f"F:1: memory_mib must be a whole number of at most 1000000000, not {'9' * 60}…",
        ),
        (f"{'k' * 9999} = 1", f"F:1: unknown key {'k' * 60}…; known are"),
        (f'run = "{"0" * 999}"', f'F:1: run must be a list, not "{"0" * 60}…"'),
    ],
    ids=["hexadecimal", "unreadable", "readable", "key", "value"],
)
def test_what_is_too_long_is_refused_and_its_beginning_alone_is_quoted(
    tmp_path: Path, text: str, told: str
) -> None:
    assert manifest_mistakes(tmp_path, text)[-1].startswith(told)


def test_a_bad_manifest_is_reported_with_its_own_place_whatever_name_it_is_given(
    tmp_path: Path,
) -> None:
    path = write_league(tmp_path)
    (tmp_path / "b/bot.toml").write_text('name = "b "\nverison = "1"\nrun = []\n')
    told = mistakes_of(path, 'bots = ["a", {path = "b", name = "good"}, "c"]\n')[0]
    for part in ("bot.toml:2: unknown key verison; did you mean version?", "author is missing"):
        assert part in told


def test_a_bot_that_asks_for_more_than_the_league_allows_is_refused(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    with (tmp_path / "b/bot.toml").open("a") as manifest:
        manifest.write("[limits]\nmemory_mib = 1000\ntasks = 2\n")
    assert mistakes_of(path, BOTS) == [
        "F:1: the bot b asks for too much: memory_mib is 1000, the most allowed is 512; "
        "raise the league's [limits], or leave the bot out"
    ]
    path.write_text(f"{BOTS}[limits]\nmemory_mib = 2000\n")
    assert read_league(path)[0].resources.memory_mib == 2000


MISLEADING = """# [a]
text = '''
[b]
key = 1
'''
more = "# [c] = \\" " # [d]
list = [  # [
  "]", [1],
  { key = 2 },
]
"quoted [" = 3
[ e . f ]
key.below = 4
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            'a.b = 1\nc = [\n  1,\n  2,\n]\n\n# note\nd = {e = """\nx\n"""}\n[[f]]\ng=1\n',
            {("a", "b"): 1, ("c",): 2, ("d", "e"): 8, ("f", 0, "g"): 12, ("f", 0, "h"): 11},
        ),
        (
            MISLEADING.replace("\n", "\r\n"),
            {
                ("text",): 2,
                ("b", "key"): 0,
                ("key",): 0,
                ("more",): 6,
                ("list", 1): 7,
                ("quoted [",): 0,
                ("e",): 12,
                ("e", "f", "key", "below"): 13,
                ("e", "f", "quoted"): 12,
            },
        ),
    ],
)
def test_a_key_is_found_however_it_is_written(
    tmp_path: Path, text: str, lines: dict[tuple[str | int, ...], int]
) -> None:
    (tmp_path / "x.toml").write_text(text)
    document = TomlFile(tmp_path / "x.toml")
    assert {key: document.line_of(key) for key in lines} == lines


@given(some.text("[]{}=,.#\"'\\a \n\r1é"))
def test_any_text_is_read_or_refused(text: str) -> None:
    with TemporaryDirectory() as folder, suppress(ArenaError):
        path = Path(folder, "x.toml")
        path.write_text(text)
        document = TomlFile(path)
        assert all(document.line_of((key,)) <= text.count("\n") + 1 for key in document.data)


def test_a_file_with_thousands_of_mistakes_is_parsed_once_and_twenty_are_reported(
    tmp_path: Path,
) -> None:
    text = "".join(f"[unknown_{place}]\nmany_words_{place} = [\n  1,\n]\n" for place in range(5000))
    assert len(text) > 200_000
    with mock.patch.object(tomllib, "loads", wraps=tomllib.loads) as loads:
        told = manifest_mistakes(tmp_path, 'run = [""]\n' + text)
    assert loads.call_count == 1
    begins = [
        *(f"F: {key} is missing" for key in ("name", "version", "author")),
        "F:1: run, item 1, must be a text",
        *(f"F:{2 + 4 * place}: unknown key unknown_{place};" for place in range(16)),
        "and 4984 more",
    ]
    assert [line[: len(begin)] for line, begin in zip(told, begins, strict=True)] == begins
    keys = 'name = "a"\nversion = "1"\nauthor = "a"\nrun = ["a"]\n'
    bad = [f"k{place} = 1\n" for place in range(21)]
    assert len(manifest_mistakes(tmp_path, keys + "".join(bad[:20]))) == 20
    assert manifest_mistakes(tmp_path, keys + "".join(bad))[20:] == ["and 1 more"]


def test_a_league_is_read_with_its_defaults(tmp_path: Path) -> None:
    config, bots = read_league(write_league(tmp_path, "ab", 7, "seed = 3\n", sandbox=""))
    assert isinstance(config, ClosedConfig)
    assert (config.name, config.deals, config.seed) == ("league", 7, 3)
    assert (config.match_limits, config.max_faults) == (Limits(60.0, 10.0, 65536), 50)
    assert [bot.name for bot in bots] == ["a", "b"]
