"""A program plays matches of bots, functions and policies, and reads records and views.

The examples of docs/python.md print what stands below them, and it explains every public name.
"""

import contextlib
import io
import json
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np
import pytest

import arena
from arena import AnyRequest, AskBid, AskDiscard, AskPlay
from arena.library.record import TableName
from arena.training.actions import ACTIONS
from arena.training.observation import HISTORY_SIZE, OBSERVATION_SIZE
from arena.training.tables import Tables
from arena.zole.rules import preset_names
from tests.support.command import output
from tests.support.present import present
from tests.support.stored_league import stored_league
from tests.test_documents import ROOT, Block, blocks

PAGE = "docs/python.md"
SAMPLES = ROOT / "sample_bots"


def by_chance(seed: int) -> arena.Player:
    dice = random.Random(seed)

    def answer(request: AnyRequest) -> object:
        match request:
            case AskPlay():
                return "offer" if request.may_offer else dice.choice(request.legal)
            case AskBid() | arena.AskTalon():
                return dice.choice(request.legal)
            case AskDiscard():
                return dice.sample(request.hand, 2)
        return dice.random() < 0.2

    return answer


def passes(request: AnyRequest) -> object:
    return "pass" if isinstance(request, AskBid) else by_chance(2)(request)


def cheat(request: AnyRequest) -> object:
    return "QC" if isinstance(request, AskBid) else by_chance(1)(request)


@pytest.mark.parametrize("name", preset_names())
def test_functions_play_deals_by_every_preset_without_a_fault(name: str) -> None:
    for players in (3, 4, 5):
        rules = arena.preset(name, {"players": players, "pools": {"enabled": False}})
        dealt = arena.deals(rules, "functions", 8)
        document = arena.play(
            [by_chance(seat) for seat in range(players)], dealt, rules, asks=("surrender", "offer")
        )
        assert document.rules == rules
        for deal, game in zip(dealt, document.games, strict=True):
            assert (game.faults, game.dealer) == ((), deal.dealer)
            assert game.result.hands == tuple(arena.names(hand) for hand in deal.hands)
            assert sum(game.payments) == 0 or rules.sitout.scoring == "none"


def test_a_function_a_policy_and_a_bot_sit_at_one_table_in_all_seatings() -> None:
    def first_legal(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert seen.shape == (1, OBSERVATION_SIZE + HISTORY_SIZE)
        return np.asarray(masks.argmax(axis=1))

    players: list[Path | arena.Player] = [
        by_chance(1),
        SAMPLES / "careful",
        arena.policy_player(first_legal, history=True),
    ]
    document = arena.play(players, 2, seed=1, all_seatings=True, isolation="none")
    games = document.games
    assert [total.bot for total in document.totals] == ["answer", "careful", "first_legal"]
    assert (len(games), len({game.bots for game in games})) == (12, 6)
    assert not any(game.faults for game in games)
    dealt = arena.deals(document.rules, 1, 2, games[0].bots)
    hands = [game.result.hands[0] for game in games[:2]]
    assert hands == [arena.names(deal.hands[0]) for deal in dealt]


def test_a_policy_decides_as_at_the_tables_for_training() -> None:
    rules, tables = arena.preset(), Tables(arena.preset(), 6, 0)
    dealt = arena.deals(rules, "policy", 6)
    weights = np.random.default_rng(3).standard_normal((OBSERVATION_SIZE, len(ACTIONS)))

    def policy(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.asarray(np.where(masks, seen @ weights, -np.inf).argmax(axis=1))

    tables.deal(dealt)
    while not tables.over.all():
        tables.step(policy(tables.observations(), tables.masks()))
    document = arena.play([arena.policy_player(policy)] * 3, dealt, rules)
    paid = [list(game.payments) for game in document.games]
    assert paid == tables.payments().tolist()


def test_a_record_keeps_the_games_of_functions(tmp_path: Path) -> None:
    path = tmp_path / "mine.db"
    arena.play([by_chance(seat) for seat in range(3)], 2, seed=5, record=path)
    with arena.Record(path) as record:
        [match] = record.matches()
        assert record.bots == ("answer", "answer.2", "answer.3")
        assert record.summary().seed == "5"
        dealt = arena.deals(record.rules, "5", 2, match.bots, match.first)
        assert [each.deal for each in match.deals] == list(dealt)


def test_an_evaluation_has_the_gap_to_each_other_with_its_interval() -> None:
    [alone] = arena.evaluate(passes, [by_chance(1)], 12, seed=1)
    met = present(alone.met)
    assert (alone.bot, alone.other, alone.sets) == ("passes", "answer", 12)
    assert met.pm is not None
    document = arena.play([passes, by_chance(1)], 12, seed=1, all_seatings=True)
    means = [total.stakes_per_deal for total in document.totals]
    assert met.stakes_per_deal == pytest.approx(9 / 8 * (means[0] - means[1]), abs=1e-5)
    first, second = arena.evaluate(by_chance(1), [passes, SAMPLES / "lazy"], 1, isolation="none")
    assert {first.other, second.other} == {"passes", "lazy"}
    assert present(first.met).pm is None


@pytest.mark.parametrize("answer", [None, 7, True, ("QC", "QS"), arena.Say("pass")])
def test_an_answer_that_cannot_be_one_is_the_programs_mistake(answer: object) -> None:
    with pytest.raises(TypeError, match="is not an answer to bid"):
        arena.play([lambda request: answer] * 3, 1, seed=1)


def fails(request: AnyRequest) -> object:
    raise KeyError("mine")


def is_interrupted(request: AnyRequest) -> object:
    signal.raise_signal(signal.SIGINT)  # which no other thread can take
    return "pass"


@pytest.mark.parametrize(
    ("player", "error"), [(fails, KeyError), (is_interrupted, KeyboardInterrupt)]
)
def test_an_exception_of_a_function_and_ctrl_c_are_raised_in_a_match_with_bots(
    player: arena.Player, error: type[BaseException]
) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it off for jobs
    try:
        with pytest.raises(error, match="mine" if player is fails else None):
            arena.play([player, SAMPLES / "lazy", SAMPLES / "lazy"], 1, isolation="none")
    finally:
        signal.signal(signal.SIGINT, before)


def play_dealt(players: int, *deals: arena.Deal) -> object:
    return arena.play([by_chance(1)] * players, deals, arena.preset())


DEALS = arena.deals(arena.preset(), 1, 1)
FOUR = arena.preset("pagat", {"players": 4})


def rows(folder: Path, table: Any) -> object:
    with arena.Record(stored_league(folder)) as record:
        return record.rows(table)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda at: play_dealt(4, *DEALS), "a table of 3 needs 3 bots, not 4"),
        (lambda at: play_dealt(3), "at least one deal"),
        (
            lambda at: play_dealt(3, arena.Deal(0, (0, 0, 0), (1, 2))),
            "seat 0 must hold 8 cards, not 0",
        ),
        (lambda at: play_dealt(3, *arena.deals(FOUR, 1, 1)), "deals at a table of 4, not 3"),
        (lambda at: arena.Record(at / "nothing.db"), "no such record"),
        (lambda at: rows(at, "gams"), "there is no table gams; did you mean games?"),
        (lambda at: arena.play([at / "nowhere"] * 3, isolation="none"), "nowhere"),
        (
            lambda at: arena.play([by_chance(1)] * 3, 1, record=at / "mine"),
            "the name of a record must end in",
        ),
        (
            lambda at: arena.evaluate(
                cheat, [by_chance(1)], 20, arena.preset("pagat", {"conduct": {"max_faults": 1}})
            ),
            "cheat was disqualified",
        ),
    ],
    ids=range(9),
)
def test_what_cannot_be_played_or_read_is_refused_in_words(
    tmp_path: Path, act: Callable[[Path], object], why: str
) -> None:
    with pytest.raises(arena.ArenaError, match=why):
        act(tmp_path)


def test_a_record_that_an_earlier_arena_wrote_has_its_bots_rules_standings_and_matches(
    tmp_path: Path,
) -> None:
    with arena.Record(stored_league(tmp_path)) as record:
        found = list(record.matches())
        one = record.match(found[0].number)
        assert (one.bots, one.deals) == (found[0].bots, found[0].deals)
        assert {line.bot for line in record.standings()} == {*record.bots} != set()
        for match in found:
            paid = tuple(deal.result.payments for deal in match.deals)
            assert paid == match.record.results.payments
            assert len(match.bots) == len({*match.bots} & {*record.bots}) == record.rules.players
        with pytest.raises(arena.ArenaError, match="99"):
            record.match(99)


@pytest.mark.parametrize("table", [it for it in get_args(TableName) if it != "reviews"])
def test_a_records_rows_are_those_of_the_command(table: TableName, tmp_path: Path) -> None:
    path = stored_league(tmp_path)
    with arena.Record(path) as record:
        rows = record.rows(table)
    lines = output("export", path, table, "--format", "jsonl").splitlines()
    assert json.loads(msgspec.json.encode(rows)) == [*map(json.loads, lines)]
    assert rows or table == "faults"


def test_a_view_has_the_cards_that_the_seat_may_know_and_what_it_may_do() -> None:
    (deal,) = arena.deals(FOUR, 1, 1)
    state = arena.apply(arena.start(FOUR, deal), arena.Say("ordinary"))
    declarer, defender = (arena.view_of(state, seat) for seat in state.active[:2])
    assert {*declarer.talon} == {arena.NAMES[card] for card in deal.talon} < {*declarer.hand}
    assert [len(each.hand) for each in (declarer, defender)] == [10, 8]
    assert [len(each.hidden) for each in (declarer, defender)] == [16, 18]
    assert len(declarer.legal) == 45
    assert (defender.legal, defender.talon) == ((), ())
    state = arena.apply(state, arena.legal(state)[0])
    discards = [arena.view_of(state, seat).discards for seat in state.active]
    assert discards == [arena.names(state.discards), (), ()]
    with pytest.raises(ValueError, match="sits out"):
        arena.view_of(state, deal.dealer)


def plays_bots(block: Block) -> bool:
    return '"sample_bots/' in block.text or "Record(" in block.text


def own_blocks() -> list[Block]:
    """The examples that need nothing else: pandas, polars and matplotlib are a user's."""
    return [block for block in blocks(PAGE) if "pandas" not in block.text]


def run(examples: list[Block]) -> None:
    """Run examples one after another, as one program; compare what each prints."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    for block in examples:
        if block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(block.text, f"{PAGE}:{block.line}", "exec"), scope)
        else:
            assert printed.getvalue() == block.text, f"{PAGE}:{block.line}"


def test_every_example_without_bots_prints_what_the_page_says() -> None:
    found = own_blocks()
    programs = [block for block in found if block.language == "python"]
    assert len(programs) > sum(map(plays_bots, programs)) == 3
    alone, skipping = list[Block](), False
    for block in found:
        skipping = plays_bots(block) if block.language == "python" else skipping
        alone += [] if skipping else [block]
    run(alone)


@pytest.mark.slow
def test_every_example_runs_as_one_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    run(own_blocks())


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    assert {*arena.__all__} <= {*dir(arena)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = arena.nothing  # type: ignore[attr-defined]  # that is the claim


def test_the_package_is_typed_with_the_same_names_from_the_same_modules() -> None:
    assert (ROOT / "arena/py.typed").exists()
    stub = (ROOT / "arena/__init__.pyi").read_text(encoding="utf-8")
    found = sorted((name, it) for it, name in re.findall(r"from (\S+) import (\w+) as \2\n", stub))
    assert [name for name, _ in found] == arena.__all__
    for name, module in found:
        assert getattr(arena, name) is getattr(import_module(module), name)


def test_importing_the_arena_loads_nothing_else_of_it() -> None:
    code = "import sys, arena; print([each for each in sys.modules if each.startswith('arena.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
