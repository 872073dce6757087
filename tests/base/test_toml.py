"""A user's mistakes are found all at once, each at its line and with a suggestion."""

import tomllib
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as some

from arena.base.errors import ArenaError
from arena.base.toml import TomlFile
from arena.bots.manifest import read_bot
from arena.bots.names import NAME_RULE
from arena.league.config import ClosedConfig
from arena.league.file import read_league, rules_from
from arena.match.wire import Limits
from tests.support.bots import write_league


def mistakes_of(path: Path, text: str) -> list[str]:
    path.write_text(text)
    with pytest.raises(ArenaError) as caught:
        read_league(path)
    return [str(mistake).replace(str(path), "F") for mistake in caught.value.mistakes]


def manifest_mistakes(folder: Path, text: str) -> list[str]:
    path = folder / "bot.toml"
    path.write_text(text)
    with pytest.raises(ArenaError) as caught:
        read_bot(folder)
    return [str(mistake).replace(str(path), "F") for mistake in caught.value.mistakes]


def test_every_mistake_of_a_file_is_told_at_once(tmp_path: Path) -> None:
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


def test_a_suggestion_is_made_for_a_misspelt_limit(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    told = mistakes_of(path, 'bots = ["a", "b", "c"]\n[limits]\nmov_s = 3\n')
    assert told == ["F:3: unknown key mov_s in [limits]; did you mean move_s?"]


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
def test_a_value_of_the_wrong_kind_is_told_in_words(tmp_path: Path, line: str, told: str) -> None:
    mistakes = mistakes_of(write_league(tmp_path), f"{line}\n")
    assert any(mistake.startswith(f"F:1: {told}") for mistake in mistakes), mistakes


def test_what_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    assert mistakes_of(path, "deals = 3\nbots = [\n")[0].startswith("F:3: this is not TOML")
    assert mistakes_of(path, "deals = = 3\n")[0].startswith("F:1: this is not TOML")


def test_a_missing_file_is_told() -> None:
    with pytest.raises(ArenaError, match=r"leagues/winter\.toml: there is no such file"):
        read_league(Path("leagues/winter.toml"))


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
def test_rules_that_cannot_stand_are_refused(tmp_path: Path, rules: str, told: str) -> None:
    path = write_league(tmp_path)
    extra = [line for line in mistakes_of(path, f"[rules]\n{rules}\n") if "bots" not in line]
    assert extra == [told]


def test_rules_of_a_file_are_those_of_its_preset_with_its_changes(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text('preset = "piedalies"\nplayers = 4\n[table]\nstake = 3\n')
    rules = rules_from(str(path))
    assert (rules.players, rules.table.stake) == (4, 3)
    assert rules.auction.contracts == ("ordinary", "solo", "small_solo")


def test_unknown_rules_are_told_with_a_suggestion() -> None:
    with pytest.raises(ArenaError, match="unknown rules pagaat; did you mean pagat"):
        rules_from("pagaat")


def test_too_few_bots_are_refused(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    assert mistakes_of(path, 'bots = ["a"]') == [
        "F:1: a table of 3 needs 2 or more bots, here are 1"
    ]
    of_four = 'rules.players = 4\nbots = ["a", "b", "c"]'
    assert mistakes_of(path, of_four) == ["F:2: a table of 4 needs 4 or more bots, here are 3"]


def test_two_bots_of_one_name_are_refused(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    assert mistakes_of(path, 'bots = [\n  "a",\n  "b",\n  "a",\n]') == [
        'F:1: the name a is taken by another bot, a; give it another: { path = "a", name = "…" }'
    ]


def test_names_out_of_the_grammar_or_like_another_are_told_where_they_stand(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    bots = 'bots = [{path="a",name="Z"}, {path="b",name="z"}, {path="c",name="=1\\n"}]'
    assert mistakes_of(path, f"\n{bots}") == [
        'F:2: the name z is taken by another bot, Z; give it another: { path = "b", name = "…" }',
        f"F:2: the name =1\\n has = in it; {NAME_RULE}",
    ]


def test_a_manifest_s_name_version_and_author_are_bounded(tmp_path: Path) -> None:
    folder = write_league(tmp_path).parent / "a"
    text = f'name = "a b "\nversion = "{"1" * 41}"\nauthor = "\\u202e"\nrun = ["x"]\n'
    assert manifest_mistakes(folder, text) == [
        f"F:1: the name a b  begins with a sign, or has a space too many; {NAME_RULE}",
        f'F:2: version must be a text of length at most 40, not "{"1" * 41}"',
        "F:3: author: \\u202e is not plain words with single spaces and without "
        "invisible characters",
    ]
    with pytest.raises(ArenaError, match="version must be a text of length at most 40"):
        read_bot(folder, "good")


@pytest.mark.parametrize("program", ["./../../etc/passwd", "../bot", "/usr/../home/x"])
def test_a_program_outside_by_two_dots_is_refused_whether_it_exists_or_not(
    tmp_path: Path, program: str
) -> None:
    text = f'name = "a"\nversion = "1"\nauthor = "b"\nrun = ["{program}", "../argument"]\n'
    (told,) = manifest_mistakes(tmp_path, text)
    assert told == "F:4: run: the program's path must not contain ..; name it from the bot's folder"


def test_a_bot_that_asks_for_more_than_the_league_allows_is_refused(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    with (tmp_path / "b/bot.toml").open("a") as manifest:
        manifest.write("[limits]\nmemory_mib = 1000\ntasks = 2\n")
    assert mistakes_of(path, 'bots = ["a", "b", "c"]') == [
        "F:1: the bot b asks for too much: memory_mib is 1000, the most allowed is 512; "
        "raise the league's [limits], or leave the bot out"
    ]
    path.write_text('bots = ["a", "b", "c"]\n[limits]\nmemory_mib = 2000\n')
    assert read_league(path)[0].resources.memory_mib == 2000


def test_who_can_always_sit_is_said(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    assert mistakes_of(path, 'bots = ["a", "b", "c"]\nalways = ["a", "b", "x"]\n') == [
        "F:2: at a table of 3 at most 2 different bots can always sit",
        "F:2: no bot is called x; known are a, b, c",
    ]


def test_folders_to_show_must_be_there(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    told = mistakes_of(path, 'bots = ["a", "b", "c"]\n[sandbox]\nread_only = ["opt/x", "/usr"]')
    assert told == ["F:3: opt/x is not a folder; write the full path of a folder"]


def test_a_bad_manifest_is_told_with_its_own_place(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    (tmp_path / "b/bot.toml").write_text('name = "b"\nverison = "1"\nrun = []\n')
    [told] = mistakes_of(path, 'bots = ["a", "b", "c"]')
    for part in ("bot.toml:2: unknown key verison; did you mean version?", "author is missing"):
        assert part in told


def test_a_key_is_found_however_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('a.b = 1\nc = [\n  1,\n  2,\n]\n\n# note\nd = {e = """\nx\n"""}\n[[f]]\ng=1\n')
    document = TomlFile(path)
    for where, line in (
        (("a", "b"), 1),
        (("c",), 2),
        (("d", "e"), 8),
        (("f", 0, "g"), 12),
        (("f", 0, "h"), 11),
    ):
        assert document.line_of(where) == line


def test_strings_comments_and_lists_of_many_lines_do_not_mislead(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(
        """# [a]
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
""".replace("\n", "\r\n")
    )
    document = TomlFile(path)
    for where, line in (
        (("text",), 2),
        (("b", "key"), 0),
        (("key",), 0),
        (("more",), 6),
        (("list", 1), 7),
        (("quoted [",), 0),
        (("e",), 12),
        (("e", "f", "key", "below"), 13),
        (("e", "f", "quoted"), 12),
    ):
        assert document.line_of(where) == line


@given(some.text("[]{}=,.#\"'\\a \n\r1é"))
def test_any_text_is_read_or_refused(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "x.toml")
        path.write_text(text)
        with suppress(ArenaError):
            document = TomlFile(path)
            assert all(document.line_of((key,)) <= text.count("\n") + 1 for key in document.data)


def test_a_file_with_thousands_of_mistakes_is_parsed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    loads = tomllib.loads

    def counted(text: str) -> dict[str, object]:
        parsed.append(text)
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    text = "".join(f"[unknown_{place}]\nmany_words_{place} = [\n  1,\n]\n" for place in range(5000))
    told = manifest_mistakes(tmp_path, 'run = [""]\n' + text)
    assert len(parsed[0]) > 200_000
    assert len(parsed) == 1
    assert told[:3] == [f"F: {key} is missing" for key in ("name", "version", "author")]
    assert told[3].startswith("F:1: run, item 1, must be a text")
    assert told[4].startswith("F:2: unknown key unknown_0;")
    assert told[19].startswith("F:62: unknown key unknown_15;")
    assert told[20:] == ["and 4984 more"]


def test_twenty_mistakes_are_all_told(tmp_path: Path) -> None:
    keys = 'version = "1"\nauthor = "a"\nrun = ["a"]\n'
    bad = [f"k{place} = 1\n" for place in range(21)]
    assert len(manifest_mistakes(tmp_path, 'name = "a"\n' + keys + "".join(bad[:20]))) == 20
    told = manifest_mistakes(tmp_path, 'name = "a"\n' + keys + "".join(bad))
    assert told[20:] == ["and 1 more"]


def test_a_key_of_very_many_parts_is_refused(tmp_path: Path) -> None:
    told = manifest_mistakes(tmp_path, "# long\n" + "a." * 100_000 + "a = 1")
    assert told == ["F:2: this line has too many dots"]


def test_a_message_quotes_only_the_beginning_of_what_is_long(tmp_path: Path) -> None:
    *_, key, value = manifest_mistakes(tmp_path, f'{"k" * 9999} = 1\nrun = "{"0" * 999}"\n')
    assert key.startswith(f"F:1: unknown key {'k' * 60}…; known are")
    assert value.endswith(f'not "{"0" * 60}…"')


def test_a_number_that_is_too_large_is_refused(tmp_path: Path) -> None:
    for number, told in (
        ("0x" + "f" * 5000, "F: cannot be read: Exceeds the limit"),
        ("9" * 5000, "F: cannot be read: Exceeds the limit"),
        ("9" * 4000, "F:1: memory_mib must be a whole number of at most 1000000000, not 999"),
    ):
        assert manifest_mistakes(tmp_path, f"limits.memory_mib = {number}\n")[-1].startswith(told)


@pytest.mark.parametrize(
    ("value", "bound"),
    [("inf", "at most 1000000000"), ("-inf", "more than 0"), ("nan", "more than 0")],
)
def test_a_limit_that_json_cannot_say_is_refused(tmp_path: Path, value: str, bound: str) -> None:
    text = f'bots = ["a", "b", "c"]\n[limits]\nmove_s = {value}\n'
    told = mistakes_of(write_league(tmp_path), text)
    assert told == [f"F:3: move_s must be a number of {bound}, not {value}"]


def test_a_limit_beyond_what_the_kernel_counts_is_refused(tmp_path: Path) -> None:
    text = 'bots = ["a", "b", "c"]\n[limits]\nmemory_mib = 1000000001\n'
    assert mistakes_of(write_league(tmp_path), text) == [
        "F:3: memory_mib must be a whole number of at most 1000000000, not 1000000001"
    ]


def test_a_command_without_words_is_refused(tmp_path: Path) -> None:
    told = manifest_mistakes(tmp_path, 'name = "a"\nversion = "1"\nauthor = "a"\nrun = []\n')
    assert told == ["F:4: run must be a list of length at least 1, not []"]


def test_a_league_is_read_with_its_defaults(tmp_path: Path) -> None:
    path = write_league(tmp_path, "ab", deals=7, more="seed = 3\n", sandbox="")
    config, bots = read_league(path)
    assert isinstance(config, ClosedConfig)
    assert (config.name, config.deals, config.seed) == ("league", 7, 3)
    assert (config.match_limits, config.max_faults) == (Limits(60.0, 10.0, 65536), 50)
    assert [bot.name for bot in bots] == ["a", "b"]
