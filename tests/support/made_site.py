"""Documents of a site that no league has made; with hostile words wherever any fit, if asked."""

import hashlib
import random
from datetime import UTC, datetime
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import msgspec

from arena.base.check_step import CheckStep
from arena.league.config import OpenConfig
from arena.league.ledger import Line, Ordered
from arena.league.played import SeasonFinal, StakesBySeat, TravellerLine
from arena.match.wire import FaultShown, Result, Tally
from arena.reports.language import Phrase
from arena.reports.sentences import disqualified
from arena.site.documents import (
    AboutDocument,
    BotDocument,
    BotFault,
    CrosstableDocument,
    DealResult,
    Hand,
    LeagueDocument,
    MatchDocument,
    MatchLine,
    Numbers,
    OrderLine,
    Proof,
    Rule,
    RulesDocument,
    ShownDeal,
    ShownLeague,
    StandingLine,
    Standings,
    TablesDocument,
    Television,
    TravellerDocument,
    Version,
)
from arena.site.pages.public import ROWS
from arena.site.registry.accounts import Account
from arena.site.registry.bots import Allowed, OwnBot, QuotaName
from arena.site.registry.jobs import Archive, Challenge, Challenged, JobState, SiteJob
from arena.site.registry.organiser import Announcement
from arena.stats.figures import (
    Company,
    Gap,
    HeadToHead,
    Interval,
    Proportion,
    Role,
    SeatLine,
    Share,
    Times,
)
from arena.zole.rules import preset
from arena.zole.scoring import Pools

NOW = 1_795_348_800.0
NAMES = (
    *(
        "mēness",
        "careful",
        "Trīs āsi",
        "bold",
        "sampler-0.4",
        "lazy",
        "Pīķa dāma",
        "queen.of.clubs",
    ),
    *("kaklasaite", "rand", "zole_net", "W" * 40, "tournesol", "ābols+7", "random", "mēness.2"),
)
DECK = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H".split()


def ledger_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class MadeSource:
    """What is published of a made site, with some documents changed, and none of those missing."""

    def __init__(self, made: "MadeSite", **changed: object) -> None:
        self.documents: dict[str, object] = {
            "league": made.league(),
            "numbers": made.numbers(),
            "standings": made.standings(),
            "crosstable": made.crosstable(),
            "now": made.tables(),
            "bots/x": made.bot(),
            "matches/1": made.match(),
            "deals/1/1": made.deal(),
            "proof": made.proof(),
            "rules": made.rules(),
            "about": made.about(),
            "tv": made.tv(),
            **changed,
        }
        self._lists: dict[str, list[tuple[int, object]]] = {
            "matches": [(line.match, line) for line in made.match_lines(ROWS)],
            "ledger": [(line.number, line) for line in made.ledger()],
        }

    def document(self, key: str) -> bytes | None:
        found = self.documents.get(key)
        return None if found is None else msgspec.json.encode(found)

    def before(self, name: str, before: int | None, most: int) -> list[tuple[int, bytes]]:
        return [(number, msgspec.json.encode(row)) for number, row in self._lists[name]]


class MadeSite:
    """All documents of one site. With `said`, every text of a stranger is that one."""

    def __init__(self, said: str | None = None, seed: int = 7) -> None:
        self.said = said
        self.random = random.Random(seed)
        self.names = NAMES if said is None else tuple(f"{said}{n}" for n in range(len(NAMES)))
        self.strengths = sorted((self.random.gauss(0, 0.5) for _ in NAMES), reverse=True)

    def text(self, plain: str) -> str:
        return plain if self.said is None else self.said

    def league(self) -> LeagueDocument:
        return LeagueDocument(
            name=self.text("Zoles trepes"),
            practice=False,
            state="playing",
            paused=self.text("") and self.text(""),
            publish="at_once",
            announced=self.announcements()[0],
        )

    def numbers(self) -> Numbers:
        return Numbers(
            at=NOW,
            lines=2841,
            hash=sha("head"),
            orders=2790,
            matches=16_738,
            games=167_380,
            decisions=4_911_204,
        )

    def announcements(self) -> tuple[Announcement, ...]:
        text = self.text("Send it **before**:\n\n- by `arena submit`\n- or [here](/me)\n")
        title = self.text("Uploads end on Friday")
        return Announcement(2, NOW - 4000, title, text), Announcement(1, NOW - 90_000, title)

    def about(self) -> AboutDocument:
        return AboutDocument(
            text=self.text("# The class of 2026\n\nSixty bots, one cup.\n\n## Rules\n\nBe kind.\n"),
            announcements=self.announcements(),
            leagues=(
                ShownLeague(name="cup", title=self.text("The cup"), bots=9, matches=12),
                ShownLeague(
                    name="spring",
                    title=self.text("Pavasara kauss"),
                    bots=21,
                    matches=420,
                    best={name: rank for rank, name in enumerate(self.names[:3], 1)},
                    ended=NOW - 1e6,
                ),
            ),
        )

    def standing(self, place: int) -> StandingLine:
        left, new = place >= 14, place == 13
        strength = self.strengths[place]
        wide = 0.12 + 0.04 * place if not new else 2.4
        at_one_look = Interval(strength - wide / 1.5, strength + wide / 1.5)
        return StandingLine(
            bot=self.names[place],
            author=self.text(("Anna", "Jānis B.", "Ilze", "Līga un Pēteris")[place % 4]),
            team=self.text("Blue") if place == 2 else "",
            house=place in (1, 5),
            state="left" if left else "benched" if place == 9 else "playing",
            why=self.text("three of its last ten tables were void") if place == 9 else "",
            rank=place - 13 if left else place + 1,
            ranks=None if left else (max(1, place - 1), min(14, place + 3)),
            part=1,
            strength=strength,
            strength_ci95=None if left else at_one_look,
            anytime_ci95=None if left else Interval(strength - wide, strength + wide),
            anytime_ranks=None if left else (max(1, place - 1), min(14, place + 3)),
            stakes_per_deal=strength * 0.9,
            ci95=at_one_look,
            elo=1500 + 120 * strength,
            elo_pm=20.0,
            elo_bound=None,
            left=left,
            void_sets=0,
            disqualified=0,
            games=60 * (200 - 10 * place),
            sets=10 * (200 - 10 * place),
            faults={self.text("timeout"): 3, "illegal": 1} if place in (4, 9) else {},
            joined=NOW - 86400 * (place + 1),
            rank_before=None if new or left else 14 - place,
        )

    def standings(self) -> Standings:
        lines = tuple(map(self.standing, range(len(NAMES))))
        return Standings(
            at=NOW - 40,
            lines=lines,
            final=None
            if self.said is None
            else SeasonFinal(
                season=1,
                sets=9,
                sets_played=4,
                sets_void=0,
                equal_schedule=True,
                standings=[*lines[:3]],
            ),
            remarks=(
                Phrase(
                    "set-is-void",
                    {
                        "disqualified": disqualified(
                            dict.fromkeys(map(self.text, ("careful", "bold")), 3), 6
                        )
                    },
                ),
            ),
            identical=((self.names[5], self.names[14]),),
        )

    def seats(self) -> tuple[str, ...]:
        return tuple(self.random.sample(self.names[:14], 3))

    def match_line(self, number: int) -> MatchLine:
        one, other = self.random.randint(-14, 14), self.random.randint(-14, 14)
        return MatchLine(
            match=number,
            order=number // 6,
            at=NOW - 50 * (16_738 - number) - 20,
            bots=self.seats(),
            stakes=(one, other, -one - other),
            first=30,
            deals=10,
            faults=int(number % 7 == 0),
            decisions=287,
            isolation="bubblewrap",
            disqualified=(1,) if number % 21 == 0 else (),
            counts="void" if number % 21 == 0 else "waiting" if number > 16_736 else "counts",
            shown=number % 2 == 0,
        )

    def match_lines(self, count: int = 12) -> tuple[MatchLine, ...]:
        return tuple(self.match_line(16_738 - each) for each in range(count))

    def tables(self) -> TablesDocument:
        now = (
            OrderLine(
                order=Ordered(2785 + each, self.seats(), 10 * each, 10, 16_700, "table"),
                at=NOW - 60,
                played=(5, 3, 2, 0)[each],
                matches=6,
            )
            for each in range(4)
        )
        return TablesDocument(at=NOW, now=tuple(now), last=self.match_lines())

    def match(self) -> MatchDocument:
        return MatchDocument(
            line=self.match_line(16_700),
            deals=tuple(
                DealResult(
                    deal=30 + number,
                    dealer=number % 3,
                    contract=("ordinary", "solo", "table", None)[number % 4],
                    declarer=number % 3 if number % 4 < 2 else None,
                    payments=(2, -1, -1) if number % 2 else (-4, 2, 2),
                    fault=FaultShown(1, "timeout") if number == 4 else None,
                )
                for number in range(10)
            ),
            seatings=tuple(range(16_698, 16_704)),
            moves=(90, 99, 98),
            seconds=(0.4, 2.75, 31.0),
        )

    def deal(self) -> TravellerDocument:
        cards = self.random.sample(DECK, len(DECK))
        hands = tuple(tuple(sorted(cards[8 * s : 8 * s + 8], key=DECK.index)) for s in range(3))
        bots = self.seats()
        results = [
            Result(
                hands=hands,
                talon=tuple(cards[24:]),
                discards=tuple(cards[24:]) if turn < 4 else (),
                contract="ordinary" if turn < 4 else "table",
                declarer=turn % 2 if turn < 4 else None,
                points=Tally(74, 46, (40, 34, 46), 0),
                tricks=Tally(5, 3, (5, 2, 1), 0),
                level=None,
                payments=(4, -2, -2) if turn % 2 else (-2, 4, -2),
                pools=Pools(),
                fault=FaultShown(0, "illegal") if turn == 2 else None,
            )
            for turn in range(6)
        ]
        return TravellerDocument(
            order=2783,
            deal=34,
            first=30,
            deals=10,
            league=self.text("Zoles trepes"),
            lineup=bots,
            dealer=2,
            active=(0, 1, 2),
            cut_short=() if self.said is None else (16_703,),
            disqualified={} if self.said is None else {self.said: 1},
            has_pools=False,
            hands=hands,
            talon=tuple(cards[24:]),
            lines=tuple(
                TravellerLine(
                    match=16_698 + turn,
                    deal=4,
                    bots=tuple(bots[(seat + turn) % 3] for seat in range(3)),
                    contract=result.contract,
                    declarer=result.declarer,
                    payments=result.payments,
                    fault=result.fault,
                    forfeited=turn == 2,
                    result=result,
                )
                for turn, result in enumerate(results)
            ),
            stakes=tuple(StakesBySeat(bot, (1.0, -2.0, 0.5), -0.17) for bot in bots),
            seatings=6,
        )

    def bot(self) -> BotDocument:
        line, mean = self.standing(4), Share(-0.42, 0.11, 900)
        share = Proportion(0.31, 0.02, 2000, Interval(0.29, 0.33))
        contracts = {"ordinary": 812, self.text("small_solo"): 9}
        usual = Proportion(0.24, 0.02, 9000, Interval(0.23, 0.25))
        hands = tuple(
            Hand(
                order=2700 + each,
                deal=30 + each,
                seat=each % 3,
                lineup=self.seats(),
                stakes=-6.0 + each,
                others=2.0,
                gap=each - 8.0,
                games=2,
                declared=2,
                other_games=4,
                others_declared=1,
            )
            for each in range(4)
        )
        return BotDocument(
            at=NOW,
            line=line,
            version=self.text("0.4"),
            content=sha("bot"),
            versions=(
                Version(
                    bot=line.bot,
                    version=self.text("0.4"),
                    content=sha("bot"),
                    joined=NOW - 9e5,
                    was=line,
                ),
                Version(
                    bot=self.names[15],
                    version=self.text("0.3"),
                    content=sha("old"),
                    joined=NOW - 3e6,
                    left=NOW - 9e5,
                    why=self.text("replaced"),
                    was=self.standing(15),
                ),
            ),
            against=tuple(
                HeadToHead(
                    line.bot,
                    name,
                    200 - 10 * place,
                    200 - 10 * place,
                    None
                    if place == 12
                    else Gap(
                        0.9 - 0.25 * place,
                        0.3 + 0.02 * place,
                        max(0.0002, min(0.9999, 1.1 - 0.11 * place)),
                    ),
                    Gap(0.0, 0.1, 0.5),
                    place == 11,
                )
                for place, name in enumerate(self.names[:13])
                if place != 3
            ),
            roles=(
                Role(
                    line.bot, share, share, mean, mean, mean, mean, {**contracts, "solo": 20}, mean
                ),
                Role(None, usual, share, mean, mean, mean, mean, {**contracts, "solo": 60}, mean),
            ),
            seats=tuple(SeatLine(bot, mean, mean, mean, mean) for bot in (line.bot, None)),
            times=Times(line.bot, 48_210, 0.0213, 0.31, 4.2),
            faults=tuple(
                BotFault(
                    match=900 + each,
                    number=each,
                    order=150,
                    deal=30 + each,
                    kind=self.text("timeout"),
                    shown=each > 1,
                )
                for each in range(4)
            ),
            best=tuple(
                msgspec.structs.replace(it, stakes=8.0, others=-2.0, shown=True) for it in hands
            ),
            worst=hands,
            best_at=(16_700, 3),
            at_tables=self.names[4],
            matches=self.match_lines(8),
        )

    def crosstable(self) -> CrosstableDocument:
        bots, mean = self.names[:13], Share(-0.42, 0.11, 900)
        share = Proportion(0.31, 0.02, 2000, Interval(0.29, 0.33))
        contracts = {"ordinary": 812, self.text("small_solo"): 9}
        return CrosstableDocument(
            at=NOW,
            bots=bots,
            pairs=tuple(
                HeadToHead(
                    one,
                    other,
                    90 * (place % 9),
                    90 * (place % 9),
                    Gap(0.9 - 0.02 * place, 0.3, 1.0 - place / 80) if place % 9 else None,
                    Gap(0.1, 0.1, 0.975),
                    place == 7,
                )
                for place, (one, other) in enumerate(combinations(bots, 2))
            ),
            roles=tuple(
                Role(bot, share, share, mean, mean, mean, mean, contracts) for bot in (*bots, None)
            ),
            seats=tuple(SeatLine(bot, mean, mean, mean, mean) for bot in (*bots, None)),
            times=tuple(Times(bot, 48_210, 0.0213, 0.31, 4.2) for bot in bots),
            company=(
                Company("Anna", self.text("Bert"), 320, 0.71, 0.4, 0.0004),
                Company("Carl", "Anna", 9, 0.2, None, 1.0),
            ),
        )

    def proof(self) -> Proof:
        return Proof(
            commitment=sha(sha("secret")),
            committed_at=ledger_time(NOW - 1e6),
            secret=sha("secret"),
            sealed_at=ledger_time(NOW - 4e5),
            orders=1410,
        )

    def ledger(self) -> tuple[Line, ...]:
        entry = '{"at":"2026-11-22T13:30:01+00:00","entry":{"type":"ordered","order":2790}}'
        lines = (Line(2841 - each, self.text(entry), sha(f"{each}")) for each in range(12))
        return tuple(lines)

    def rules(self) -> RulesDocument:
        return RulesDocument(
            preset="pagat",
            title="pagat.com, Zole (2019)",
            players=3,
            rules=(
                Rule(
                    key="all_pass",
                    value=self.text("table"),
                ),
                Rule(key="auction.mode", value="first_offer", changed=True),
                Rule(key="auction.contracts", value="ordinary, solo, small_solo"),
                Rule(key="table.settlement", value="most_tricks_pays"),
                Rule(key="table.stake", value="2"),
                Rule(key="pools.enabled", value="true"),
            ),
            levels=("all_tricks", "ge91", "ge61", "31_60", "le30", "no_tricks"),
            payments={
                "ordinary": (3, 2, 1, -2, -3, -4),
                "solo": (4, 3, 2, -3, -4, -5),
                "small_solo": (6, -7),
            },
            limits={"move_s": "60", "memory_mib": "512", "max_faults": self.text("50")},
            open=OpenConfig(rules=preset()),
        )

    def tv(self) -> Television:
        return Television(
            deals=tuple(
                ShownDeal(
                    match=16_700 - each,
                    number=each,
                    bots=self.seats(),
                    stakes=40 - each,
                    contract="solo",
                    declarer=self.text("bold"),
                )
                for each in range(5)
            )
        )

    def choice(self) -> dict[str, Any]:
        bot = SimpleNamespace(bot=SimpleNamespace(folder="x/careful", author=self.text("Anna")))
        copies = dict.fromkeys(self.names[:6], bot)
        terms = SimpleNamespace(copies=copies, levels={"bold": "strong"})
        return {
            "terms": terms,
            "seats": 2,
            "deals": 6,
            "minutes": 2,
            "free": True,
            "own": None,
            "named": "",
            "day": "",
            "advises": "yes",
        }

    # --- what an author sees ---

    def quotas(self) -> dict[QuotaName, Allowed]:
        return {
            "bots": Allowed(0, 2),
            "uploads": Allowed(0, 5, 7260),
            "build_minutes": Allowed(28, 30),
            "challenges": Allowed(20, 20),
        }

    def account(self) -> Account:
        return Account(1, self.text("Anna"), NOW - 1e6, None, "", "")

    def upload(self, state: JobState = "taken") -> SiteJob:
        has_failed = state == "failed"
        why = self.text("it did not answer a bid within two seconds")
        odd = self.text("two games of one seed differ")
        line, printed = self.text('> {"type":"bid","id":3}'), self.text("Traceback\n  line 3")
        steps = (
            CheckStep("unpacked", True, self.text("14 files, 220 KiB")),
            CheckStep("manifest", True, self.text("mēness 0.5 by Anna")),
            CheckStep("build", True, self.text("make: 3.2 s")),
            CheckStep("deterministic", False, odd, required=False),
            *([CheckStep("first deal", False, why, (line,), printed)] if has_failed else []),
        )
        return SiteJob(
            id="u5cXy",
            number=9,
            owner=self.account(),
            about=Archive(sha("archive")),
            state=state,
            at=NOW - 90,
            ended=NOW if state in ("failed", "done") else None,
            place=2 if state == "waiting" else 1 if state == "taken" else None,
            answer=why if has_failed else "",
            name=self.names[0] if state == "done" else "",
            steps=() if state == "waiting" else steps,
        )

    def own_bots(self) -> tuple[OwnBot, ...]:
        return (
            OwnBot(self.names[0], self.names[0], "playing", "", NOW - 1e5),
            OwnBot(
                self.names[9],
                self.names[9],
                "benched",
                self.text("three failed starts in a row"),
                NOW - 2e5,
            ),
            OwnBot(self.names[15], self.names[0], "replaced", "", NOW - 1e5),
        )

    def challenges(self) -> tuple[SiteJob, ...]:
        bots, failed = self.names[:3], self.text("no bot called x plays now")
        answer = Challenged(10, 6, dict(zip(bots, (4, -6, 2), strict=True)), dict.fromkeys(bots, 0))
        about = Challenge(bots)
        made = SiteJob("c1", 1, self.account(), about, "done", NOW - 500, NOW, result=answer)
        return (
            made,
            msgspec.structs.replace(made, state="failed", answer=failed, result=None),
            msgspec.structs.replace(made, state="waiting", result=None),
        )


MADE = MadeSite()
# All that is published of a site.
PUBLISHED = MadeSource(MADE).documents
