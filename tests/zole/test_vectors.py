"""Every worked case of the sources, through the public rules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.schedule import league_deals
from arena.zole.cards import INDEX, NAMES, POINTS, SUIT_OF, mask, members, names, playable, winner
from arena.zole.deal import Deal, active_seats, from_deck, high_card, shuffled
from arena.zole.play import apply, forfeit, legal, may_offer, may_surrender, offer, start, surrender
from arena.zole.rules import Contract, Rules, Settings, preset
from arena.zole.scoring import (
    Pools,
    contract_payments,
    level_of,
    settle,
    sides,
    table_payments,
)
from arena.zole.state import Ended, Illegal, Play, Say, State

Fields = dict[str, Any]

VECTORS = json.loads((Path(__file__).parents[1] / "data/vectors.json").read_text())["vectors"]
DECK = tuple(range(26))


def rules_of(vector: Fields) -> Rules:
    given, needs = vector["input"], vector["needs"]
    name = "gamerules" if "payoff_gamerules" in needs else "pagat"
    changes: Settings = {"players": given.get("players", 3)}
    if "pools" in given or "all_pass_pool" in needs:
        changes |= {"all_pass": "pool", "pools": {"enabled": True}}
    if given.get("pool_variant") == "piedalies":
        name = "piedalies"
    if "sitout_scoring" in given:
        changes["sitout"] = {"scoring": given["sitout_scoring"]}
    if "settlement" in given:
        changes["table"] = {"settlement": given["settlement"], "stake": given["stake"]}
    if "contracts" in given:
        changes["auction"] = {"contracts": given["contracts"], "mode": given["auction"]}
    if "packets" in given:
        changes["deal"] = {"packets": given["packets"]}
    return preset(name, changes)


def by_seat(payments: tuple[int, ...]) -> dict[str, int]:
    return {str(seat): paid for seat, paid in enumerate(payments)}


def cards(words: list[str]) -> list[int]:
    return [INDEX[word] for word in words]


def contract_case(vector: Fields) -> Fields:
    """A contract with counted points and tricks, or with a level given."""
    given, rules = vector["input"], rules_of(vector)
    contract: Contract = given["contract"]
    own = given.get("declarer_points", given.get("declarer_trick_points", 0))
    theirs = given.get("opponent_points", given.get("opponent_trick_points", 0))
    own += given.get("discard_points", 0)
    theirs += given.get("talon_points", 0)
    level = given.get("level") or level_of(rules, contract, own, given["declarer_tricks"])
    tokens = given.get("pools", {"collective": 0, "personal": []})
    pools = Pools(tokens["collective"], tuple(tokens["personal"]))
    active = active_seats(rules.players, given["dealer"])
    paid, after = contract_payments(rules, active, given["declarer"], contract, level, pools)
    return {
        "payments": by_seat(paid),
        "sum": sum(paid),
        "declarer_points": own,
        "opponent_points": theirs,
        "pools_after": tokens_of(after),
    }


def tokens_of(pools: Pools) -> Fields:
    return {"collective": pools.collective, "personal": list(pools.personal)}


def next_dealer(players: int, dealer: int) -> int:
    """The dealer after this one in the deals of a league, whatever happens in a deal."""
    deals = league_deals(preset("pagat", {"players": players}), "7", ("a",), 0, 2 * players)
    dealers = [deal.dealer for deal in deals]
    return dealers[dealers.index(dealer) + 1]


def session_case(vector: Fields) -> Fields:
    given, rules = vector["input"], rules_of(vector)
    pools, dealer, balance = Pools(), given["first_dealer"], [0] * rules.players
    seen: Fields = {"dealers": [], "payments": [], "pools_after": []}
    for each in given["deals"]:
        if each == "all_pass":
            settlement = settle(passed(rules, DECK, dealer), pools)
            paid, pools = settlement.payments, settlement.pools
        else:
            active = active_seats(rules.players, dealer)
            paid, pools = contract_payments(
                rules, active, each["declarer"], each["contract"], each["level"], pools
            )
        seen["dealers"].append(dealer)
        seen["payments"].append(by_seat(paid))
        seen["pools_after"].append(tokens_of(pools))
        balance = [a + b for a, b in zip(balance, paid, strict=True)]
        dealer = next_dealer(rules.players, dealer)
    return {**seen, "balance": by_seat(tuple(balance))}


def pool_case(vector: Fields) -> Fields:
    return session_case(vector) if "deals" in vector["input"] else contract_case(vector)


def trick_case(vector: Fields) -> Fields:
    plays = vector["input"]["plays"]
    trick = tuple(INDEX[card] for _, card in plays)
    points = sum(POINTS[card] for card in trick)
    return {"winner": plays[winner(trick)][0], "points": points}


def legal_case(vector: Fields) -> Fields:
    hand, lead = vector["input"]["hand"], vector["input"]["lead"]
    return {"legal": sorted(names(playable(mask(cards(hand)), (INDEX[lead],))))}


def table_case(vector: Fields) -> Fields:
    given, rules = vector["input"], rules_of(vector)
    tricks, points = (
        tuple(given[what].get(str(seat), 0) for seat in range(rules.players))
        for what in ("tricks", "points")
    )
    active = active_seats(rules.players, given["dealer"])
    return {"payments": by_seat(table_payments(rules, active, tricks, points))}


def seats_case(vector: Fields) -> Fields:
    given = vector["input"]
    players, dealer = given["players"], given["dealer"]
    active = active_seats(players, dealer)
    return {
        "active": list(active),
        "sitting_out": [seat for seat in range(players) if seat not in active],
        "forehand": active[0],
        "next_dealer": next_dealer(players, dealer),
    }


def deal_case(vector: Fields) -> Fields:
    given, rules = vector["input"], rules_of(vector)
    deal = from_deck(tuple(cards(given["deck"])), rules, given["dealer"])
    hands = {str(seat): list(names(hand)) for seat, hand in enumerate(deal.hands) if hand}
    return {
        "hands": {seat: sorted(hand) for seat, hand in hands.items()},
        "talon": [NAMES[card] for card in deal.talon],
    }


def auction_case(vector: Fields) -> Fields:
    given, rules = vector["input"], rules_of(vector)
    state = start(rules, from_deck(DECK, rules, given["dealer"]))
    asked = []
    for bid in given["bids"]:
        asked.append(state.turn)
        state = apply(state, Say(bid))
    return {"asked": asked, "declarer": state.declarer, "contract": state.contract}


def rotation_case(vector: Fields) -> Fields:
    given = vector["input"]
    return {"next_dealer": next_dealer(given["players"], given["dealer"])}


def first_dealer_case(vector: Fields) -> Fields:
    return {"dealer": high_card(tuple(cards(vector["input"]["draws"])))}


def lead_case(vector: Fields) -> Fields:
    given, rules = vector["input"], rules_of(vector)
    state = start(rules, from_deck(DECK, rules, given["dealer"]))
    while state.turn != given["declarer"]:
        state = apply(state, Say("pass"))
    return {"first_lead": apply(state, Say("solo")).turn}


def in_play(contract: str = "solo", completed: int = 0, laid: int = 0) -> State:
    """Seat 0, which is forehand, plays a contract; some tricks and cards have been played."""
    rules = preset()
    state = apply(start(rules, from_deck(DECK, rules, 2)), Say(contract))  # type: ignore[arg-type]
    while state.phase != "play":
        state = apply(state, legal(state)[0])
    for _ in range(3 * completed + laid):
        state = apply(state, legal(state)[0])
    return state


def surrender_case(vector: Fields) -> Fields:
    given = vector["input"]
    contract = given.get("contract", "ordinary")
    laid = given.get("cards_in_current_trick", 0)
    state = in_play(contract, given.get("completed_tricks", 0), laid)
    if given["by"] != "declarer":
        return offer_case(given, contract, state)
    if "declarer_so_far" in given:
        own = given["declarer_so_far"]
        counts = {"points": (own["points"], 0, 0), "tricks": (own["tricks"], 0, 0)}
        state = msgspec.structs.replace(state, **counts)
    if not may_surrender(state):
        return {"allowed": False}
    return {"allowed": True, "payments": by_seat(settle(surrender(state), Pools()).payments)}


def offer_case(given: Fields, contract: Contract, state: State) -> Fields:
    """The defenders offer to concede; the declarer accepts, or the deal is played out."""
    while state.turn == state.declarer:
        state = apply(state, legal(state)[0])
    accepted, refused = offer(state, True), offer(state, False)
    paid = settle(accepted, Pools()).payments
    if "final_declarer_points" in given:
        final = given["final_declarer_points"], given["final_declarer_tricks"]
        level = level_of(state.rules, contract, *final)
        paid, _ = contract_payments(state.rules, state.active, 0, contract, level, Pools())
    return {
        "allowed": may_offer(state),
        "declarer_must_answer": ["accept", "play_on"],
        "binding_on_partner": accepted.phase == "over",
        "deal_continues": refused.phase == "play" and refused.turn == state.turn,
        "payments": by_seat(paid),
    }


def revoke_case(vector: Fields) -> Fields:
    given = vector["input"]
    if "to_move" in given:
        # A card out of turn never enters the trick: it is not in the hand of the seat to move.
        state = in_play("solo", 0, given["to_move"])
        assert state.turn == given["to_move"]
        with pytest.raises(Illegal):
            apply(state, Play(members(state.hands[given["bot_playing"]])[0]))
        return {"accepted": False}
    before = given["before_revoke"]
    state = msgspec.structs.replace(
        in_play("ordinary"),
        points=(before["declarer_points"], before["opponent_points"], 0),
        tricks=(before["declarer_tricks"], 1, 0),
        discards=0,
    )
    guilty = 0 if given["revoking_side"] == "declarer" else 1
    settlement = settle(forfeit(state, guilty), Pools())
    return {"level": settlement.level, "payments": by_seat(settlement.payments)}


def talon_case(vector: Fields) -> Fields:
    """The talon plays in the first two tricks of a table game."""
    given = vector["input"]
    changes: Settings = {"table": {"talon": "first_two_tricks"}}
    rules = preset("pagat", changes)
    [step] = given["steps"]
    if "leader" in step:
        state = passed(rules, DECK)
        deal = 0
        while state.completed < step["trick"] - 1 or state.order[0] != step["leader"]:
            if state.completed == step["trick"] - 1:  # another leads: try the next deal
                deal += 1
                state = passed(rules, shuffled(str(deal)))
            state = apply(state, legal(state)[0])
        return {"order": list(state.order)}
    plays = step["plays"]
    first = [INDEX[card] for who, card in plays if who != "talon"]
    [talon] = [INDEX[card] for who, card in plays if who == "talon"]
    left = [card for card in DECK if card not in (*first, talon)]
    rest = sorted(left, key=lambda card: SUIT_OF[card] != SUIT_OF[first[0]])  # the leader's suit
    hands = [mask([card, *rest[7 * seat : 7 * seat + 7]]) for seat, card in enumerate(first)]
    dealt = Deal(2, tuple(hands), (talon, rest[21]))
    state = passed_by(start(rules, dealt))
    for card in first:
        state = apply(state, Play(card))
    took = state.talon_tricks == 1
    return {
        "winner": "talon" if took else state.turn,
        "points": state.talon_points + sum(state.points),
        "next_leader": "talon" if state.order[0] is None else state.order[0],
        "credited_to": None if took and not any(state.tricks) else state.turn,
    }


def passed(rules: Rules, deck: tuple[int, ...], dealer: int = 2) -> State:
    """A deal in which all three passed."""
    return passed_by(start(rules, from_deck(deck, rules, dealer)))


def passed_by(state: State) -> State:
    for _ in range(3):
        state = apply(state, Say("pass"))
    return state


AREAS: dict[str, Callable[[Fields], Fields]] = {
    "scoring": contract_case,
    "grid": contract_case,
    "sitout": contract_case,
    "pools": pool_case,
    "trick": trick_case,
    "legal": legal_case,
    "table": table_case,
    "seats": seats_case,
    "deal": deal_case,
    "auction": auction_case,
    "rotation": rotation_case,
    "first_dealer": first_dealer_case,
    "lead": lead_case,
    "surrender": surrender_case,
    "revoke": revoke_case,
    "talon_in_tricks": talon_case,
}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_a_worked_case_comes_out_as_the_source_says(vector: Fields) -> None:
    seen = AREAS[vector["area"]](vector)
    expected = dict(vector["expected"])
    expected.pop("event", None)  # a name for what the pools show
    if "hands" in expected:
        expected["hands"] = {seat: sorted(hand) for seat, hand in expected["hands"].items()}
    if "legal" in expected:
        expected["legal"] = sorted(expected["legal"])
    assert expected
    assert {key: seen[key] for key in expected} == expected


def test_the_worked_cases_cover_every_area_and_have_their_own_names() -> None:
    assert {vector["area"] for vector in VECTORS} == set(AREAS)
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS) == 75


def test_a_forfeit_ends_the_deal_for_good() -> None:
    state = forfeit(in_play(), 1)
    assert (state.phase, state.turn, state.ended) == ("over", None, Ended("fault", 1))
    assert legal(state) == ()
    assert sides(state).declarer_tricks == 0
