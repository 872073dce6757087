"""What a bot says to its author alone (notes, stderr, details of faults) reaches nobody else."""

import contextlib
import io
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest

from arena.match import projection
from arena.match.commands import FAULT_WORDS
from arena.match.projection import keep_private_text_of, public, seen_by
from arena.match.replay import SeenMatch
from arena.record.export import TABLES, public_log, seat_log, whole_log
from arena.record.faults import bundles
from arena.record.matches import ReplayedMatch, seen
from arena.record.store import Store
from arena.reports.page import replay_page
from arena.reports.played import bundle_lines, show_deal
from arena.zole.rules import preset
from tests.support.alike import BOTS, CANARY, mixed, played, stored
from tests.support.records import record_of
from tests.support.scripted import plan_of

SEATS = range(3)
SHOWN = ("moves", "faults", "games")


@cache
def matches() -> list[ReplayedMatch]:
    """Matches in which every bot has faulted and was refused something, and all wrote notes."""
    return [match_with(corrections) for corrections in (0, 1)]


def match_with(corrections: int) -> ReplayedMatch:
    plan = plan_of(preset("pagat", {"conduct": {"corrections": corrections}}), 12)
    dice = Random(corrections)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    return stored(plan, log)


def canaries(text: str) -> set[str]:
    """Whose private words are in a text."""
    return {bot for bot in BOTS[:3] if f"{CANARY}{bot}" in text}


def document(found: SeenMatch) -> str:
    return msgspec.json.encode(found).decode()


def printed(found: SeenMatch) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for deal in found.deals:
            show_deal(found, deal)
    return out.getvalue()


def bundled(match: ReplayedMatch) -> str:
    kept = bundles(match, "L")
    return "\n".join(line.plain for each in kept for line in bundle_lines(each))


def tables(match: ReplayedMatch, private: bool, folder: Path) -> str:
    """All tables of an export, from a record of the match alone."""
    with closing(Store.open(record_of(match, folder))) as store:
        return "\n".join(str(row) for what in SHOWN for row in TABLES[what](store, None, private))


def test_the_organiser_reads_all(tmp_path: Path) -> None:
    for match in matches():
        found = seen(match)
        for text in (
            document(found),
            printed(found),
            replay_page(found),
            bundled(match),
            tables(match, True, tmp_path),
            whole_log(match, private=True),
        ):
            assert canaries(text) == set(BOTS[:3])


def public_texts(match: ReplayedMatch, folder: Path) -> list[str]:
    """All that the public may be shown of a match."""
    found = public(seen(match))
    return [
        document(found),
        printed(found),
        replay_page(found),
        tables(match, False, folder),
        whole_log(match, private=False),
        public_log(match),
        *(seat_log(match, seat, private=False) for seat in SEATS),
    ]


def test_the_public_reads_none(tmp_path: Path) -> None:
    for match in matches():
        assert [canaries(text) for text in public_texts(match, tmp_path)] == [set()] * 9


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_and_an_author_read_their_own(seat: int) -> None:
    own = {BOTS[seat]}
    for match in matches():
        found = seen(match)
        assert canaries(document(seen_by(found, seat))) == own
        assert canaries(document(keep_private_text_of(found, (seat,)))) == own
        assert canaries(printed(seen_by(found, seat))) == own
        assert canaries(seat_log(match, seat, private=True)) == own


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_reads_of_others_faults_in_the_arenas_own_words(seat: int) -> None:
    for match in matches():
        moments = [each for deal in seen_by(seen(match), seat).deals for each in deal.moments]
        of_others = [each.fault for each in moments if each.fault and each.seat != seat]
        assert of_others
        assert all(each.detail == FAULT_WORDS[each.kind] for each in of_others)
        assert not any(each.refused for each in moments if each.seat != seat)


def test_a_copy_for_the_public_tells_a_refusal_in_the_arenas_own_words() -> None:
    found = matches()[1]
    refused = [each.refused for deal in seen(found).deals for each in deal.moments if each.refused]
    told = [
        each.refused for deal in public(seen(found)).deals for each in deal.moments if each.refused
    ]
    assert [each.kind for each in told] == [each.kind for each in refused]
    assert all(each.detail == FAULT_WORDS[each.kind] for each in told)
    assert any(each.detail != FAULT_WORDS[each.kind] for each in refused)


def test_a_refusal_leaves_a_public_document_and_seats_view_without_its_reason() -> None:
    match = matches()[1]
    reasons = {
        each.refused.detail
        for deal in seen(match).deals
        for each in deal.moments
        if each.refused and "is not one of" in each.refused.detail
    }
    assert reasons
    assert not any(reason in document(public(seen(match))) for reason in reasons)
    for seat in SEATS:
        text = seat_log(match, seat, private=False)
        assert not any(reason in text for reason in reasons)
    assert all(
        any(reason in seat_log(match, seat, private=True) for seat in SEATS) for reason in reasons
    )


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("_without_words", lambda moment: moment),
        ("exchange_without_words", lambda line, came: (line, came)),
    ],
)
def test_private_words_that_are_left_in_would_be_seen(
    name: str, instead: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches()
    monkeypatch.setattr(projection, name, instead)
    exchange = projection.exchange_without_words
    monkeypatch.setattr("arena.record.export.exchange_without_words", exchange)
    assert any(canaries(text) for match in matches() for text in public_texts(match, tmp_path))
