"""Duplicates are games with the same cards, in which every bot plays once from each seat."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.game.events import Event, GameStarted, HandStarted, HoleDealt, StreetDealt
from server.game.formats import Format, StagePlan
from server.game.rules import Rules
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest
from tests.verify.in_javascript import Prover

HANDS = 8
PLAN = StagePlan("Duplicates", games=0, hands=HANDS, seats=6, draw=False, duplicate=True)
SET = Format("practice", "Duplicates", Rules(edition=2, hand_cap=2000), 2000 * HANDS * 6, (PLAN,))


@pytest.mark.parametrize(("bots", "orders"), [(2, 2), (3, 6), (5, 5)])
def test_every_game_has_the_same_cards_and_other_seats_and_is_proved(bots: int, orders: int, prover: Prover) -> None:
    entries, games = play_contest(1, bots, SET), list[list[Event]]()
    for entry in entries:
        if isinstance(entry.event, GameStarted):
            games.append([])
        if games:
            games[-1].append(entry.event)
    started = [game[0] for game in games if isinstance(game[0], GameStarted)]
    assert len({each.seats for each in started}) == orders
    assert [each.dealt_as for each in started] == [UNSET, *[1] * (orders - 1)]
    hole = [[event.cards for event in game if isinstance(event, HoleDealt)] for game in games]
    assert all(cards == hole[0] for cards in hole)
    boards = [{(event.street, event.cards) for event in game if isinstance(event, StreetDealt)} for game in games]
    assert len(set.union(*boards)) <= 3 * HANDS
    sealed = [[event.deck_commitment for event in game if isinstance(event, HandStarted)] for game in games]
    assert all(seals == sealed[0] for seals in sealed)
    assert verify(entries).finished
    assert prover.entries(entries)["holds"]


@pytest.mark.parametrize(
    ("number", "changes"),
    [(2, {"dealt_as": UNSET}), (1, {"dealt_as": 1}), (2, {"seats": (1, 2)})],
    ids=["game with new decks", "first game marked as a duplicate", "same seats twice"],
)
def test_a_set_of_duplicates_with_other_cards_or_seats_is_refuted(
    number: int, changes: dict[str, object], prover: Prover
) -> None:
    forged = [
        Entry(entry.seq, entry.at_ms, replace(entry.event, **changes))
        if isinstance(entry.event, GameStarted) and entry.event.game == number
        else entry
        for entry in play_contest(1, 2, SET)
    ]
    with pytest.raises(Refuted):
        verify(forged)
    if number == 2 and "dealt_as" in changes:  # in other cases the cards are right, and the page checks nothing else
        assert not prover.entries(forged)["holds"]
