"""Golden playthroughs: whole deals of each preset, each step with all that the rules tell."""

import random

from arena.zole import view
from arena.zole.cards import NAMES, names
from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, legal, may_offer, may_surrender, offer, start
from arena.zole.rules import Rules, Settings, preset, preset_names
from arena.zole.scoring import Pools, settle
from arena.zole.state import Action, Choose, Discard, Play, Say, SayBlind, State

POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}

PLAYTHROUGHS: dict[str, Rules] = {
    **{name: preset(name) for name in preset_names()},
    "pagat_pools_4": preset("pagat", {**POOLS, "players": 4}),
    "piedalies_pools": preset("piedalies", POOLS),
    "lzsf_5": preset("lzsf", {"players": 5}),
    "pagat_ranked": preset(
        "pagat", {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
    ),
    "gamerules_3_tricks": preset("gamerules", {"play": {"tricks": 3}}),
}

DEALS = 4


def playthrough(name: str) -> bytes:
    """The text of a playthrough: some deals by chance, as a session."""
    rules = PLAYTHROUGHS[name]
    chance = random.Random(name)
    lines = [f"# {name}: {DEALS} deals by chance"]
    pools = Pools()
    for number in range(DEALS):
        deal = from_deck(shuffled(f"playthrough {number}"), rules, number % rules.players)
        state = start(rules, deal)
        talon = " ".join(NAMES[card] for card in deal.talon)
        lines += ["", f"## Deal {number}: dealer {deal.dealer}, talon {talon}"]
        while state.phase != "over":
            lines += told(state)
            if may_offer(state) and chance.random() < 0.03:
                accepted = chance.random() < 0.5
                lines.append(f"> offer by {state.turn}, {'accepted' if accepted else 'refused'}")
                state = offer(state, accepted)
                continue
            action = chosen(state, chance)
            lines.append(f"> {state.turn}: {word(action)}")
            state = apply(state, action)
        settlement = settle(state, pools)
        pools = settlement.pools
        lines += told(state)
        lines.append(f"= {settlement.level}: {settlement.payments}, {pools}")
    return "\n".join(lines).encode() + b"\n"


def chosen(state: State, chance: random.Random) -> Action:
    """By chance, but with fewer wild games than chance alone would give."""
    choices = legal(state)
    if isinstance(choices[0], SayBlind):
        return SayBlind(chance.random() < 0.1)
    if isinstance(choices[0], Say):
        return choices[chance.choice([0, 0, *range(len(choices))])]
    return chance.choice(choices)


def told(state: State) -> list[str]:
    """A state in words: what happened, what may be done, what each seat may know."""
    order = " ".join("talon" if seat is None else str(seat) for seat in state.order)
    lines = [
        f"{state.phase}, turn {state.turn}, declarer {state.declarer}, contract {state.contract}, "
        f"trick {state.completed + 1} [{order}]: {' '.join(NAMES[card] for card in state.trick)}",
        f"  tricks {state.tricks} + {state.talon_tricks}, points {state.points} + "
        f"{state.talon_points}, discards {' '.join(names(state.discards))}",
    ]
    if state.phase != "over":
        choices = legal(state)
        few = [word(action) for action in choices]
        shown = f"{len(few)} pairs" if isinstance(choices[0], Discard) else " ".join(few)
        extra = " surrender" * may_surrender(state) + " offer" * may_offer(state)
        lines.append(f"  legal: {shown}{extra}")
    for seat in state.active:
        hand = " ".join(view.hand(state, seat)) or "nothing"
        talon = " ".join(view.talon(state, seat))
        hidden = view.hidden(state, seat).bit_count()
        lines.append(f"  {seat} knows {hand}{' and ' + talon if talon else ''}, {hidden} hidden")
    return lines


def word(action: Action) -> str:
    match action:
        case Play(card):
            return NAMES[card]
        case Say(bid):
            return bid
        case Choose(choice):
            return choice
        case SayBlind(blind):
            return "blind" if blind else "see"
        case Discard(cards):
            return " ".join(names(cards))
