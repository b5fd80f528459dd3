"""Python and JavaScript prove the same about deals and duplicates: who plays, in which seats, and with whose decks.

Duplicates are games with the same cards, in which every bot plays once from each seat.
"""

from collections.abc import Callable, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import DealEnded, GameEnded, GameStarted, HandStarted, HoleDealt, StreetDealt
from server.game.formats import Format, StagePlan, as_deals
from server.game.rules import Rules
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.contests import play_contest
from tests.support.games.recordings import of_kind
from tests.verify.alterations import first_of, with_first
from tests.verify.conftest import Prover

DEALS = 7
HANDS = 8
PLAN = StagePlan("Duplicates", games=0, hands=HANDS, seats=6, draws_seats=False, duplicate=True)
SET = Format("practice", "Duplicates", Rules(edition=2, hand_cap=2000), 2000 * HANDS * 6, (PLAN,))


@pytest.fixture(scope="module")
def earned() -> list[Entry]:
    """A contest that is decided by what bots earn."""
    return play_contest(9, 9, as_deals(QUICK_DRAW_FORMAT, DEALS, hands=3, decided_by="earned"))


@pytest.mark.parametrize("bots", [2, 3, 6, 9, 14])
@pytest.mark.parametrize("contest", [QUICK_DRAW_FORMAT, ACPC_FORMAT], ids=lambda each: each.contest)
def test_deals_of_any_number_of_bots_are_proved(contest: Format, bots: int, prover: Prover) -> None:
    entries = play_contest(bots, bots, as_deals(contest, DEALS, hands=2))
    verdict = prover.entries(entries)
    assert verdict["holds"], verdict
    counted = {claim["of"]: claim["count"] for claim in verdict["claims"]}
    assert counted["draws"] == verify(entries).deals == (DEALS if bots <= 6 else 2 * DEALS)


def changed(entries: Sequence[Entry], number: int, **changes: object) -> list[Entry]:
    """The entries with other values at the start of game `number`."""
    started = of_kind(entries, GameStarted)[number - 1]
    return [replace(entry, event=replace(started, **changes)) if entry.event is started else entry for entry in entries]


def without_a_table(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without the last table of the first deal."""
    starts = [at for at, entry in enumerate(entries) if isinstance(entry.event, GameStarted)]
    return [*entries[: starts[5]], *entries[first_of(entries, DealEnded) :]]


def seats_of(entries: Sequence[Entry], number: int) -> tuple[int, ...]:
    return of_kind(entries, GameStarted)[number - 1].seats


def other_luck(entries: Sequence[Entry], kind: type[GameEnded | DealEnded]) -> list[Entry]:
    """The entries, but at the first end of this kind, a chip of luck has gone from one bot to another."""
    one, other, *rest = of_kind(entries, kind)[0].luck
    return with_first(entries, kind, luck=(one + 1, other - 1, *rest))


FORGED: dict[str, tuple[Callable[[Sequence[Entry]], list[Entry]], str]] = {
    "other seats": (lambda entries: changed(entries, 2, seats=seats_of(entries, 2)[::-1]), "the bots drawn"),
    "the same seats twice": (lambda entries: changed(entries, 2, seats=seats_of(entries, 1)), "the bots drawn"),
    "own decks": (lambda entries: changed(entries, 3, dealt_as=UNSET), "the game whose decks are dealt again"),
    "decks of another deal": (lambda entries: changed(entries, 8, dealt_as=1), "the game whose decks are dealt again"),
    "no draw": (lambda entries: changed(entries, 1, draw_key=""), "were not drawn"),
    "no table": (without_a_table, "has won in the deal"),
    "bots of another deal": (lambda entries: changed(entries, 7, seats=seats_of(entries, 1)), "the bots drawn"),
    "other winnings": (
        lambda entries: with_first(entries, DealEnded, won=of_kind(entries, DealEnded)[0].won[::-1]),
        "has won in the deal",
    ),
    "an early end": (lambda entries: with_first(entries, DealEnded, decided=True), "has won in the deal"),
    "other stacks": (lambda entries: changed(entries, 3, stacks=(1, *(5000,) * 5)), "the stacks at the start"),
    "other luck of a game": (lambda entries: other_luck(entries, GameEnded), "the luck of the board at the table"),
    "other luck of a deal": (lambda entries: other_luck(entries, DealEnded), "has won in the deal"),
}
SEATS_AND_DECKS = [*FORGED][:7]
"""The forgeries that the page notices, too: it proves neither winnings nor luck."""


@pytest.mark.parametrize("forgery", FORGED)
def test_deals_that_were_not_the_same_for_all_or_have_other_results_are_refuted(
    forgery: str, earned: list[Entry], prover: Prover
) -> None:
    forge, fault = FORGED[forgery]
    forged = forge(earned)
    with pytest.raises(Refuted, match=fault):
        verify(forged)
    assert prover.entries(forged)["holds"] is (forgery not in SEATS_AND_DECKS)


@pytest.mark.parametrize(("bots", "orders"), [(2, 2), (3, 6), (5, 5)])
def test_every_game_has_the_same_cards_and_other_seats_and_is_proved(bots: int, orders: int, prover: Prover) -> None:
    entries = play_contest(1, bots, SET)
    started, hands = of_kind(entries, GameStarted), of_kind(entries, HandStarted)
    assert len({each.seats for each in started}) == orders
    assert [each.dealt_as for each in started] == [UNSET, *[1] * (orders - 1)]
    hole, seals = of_kind(entries, HoleDealt), [hand.deck_commitment for hand in hands]
    first = [each.cards for each in hole[: len(hole) // orders]]
    assert [each.cards for each in hole] == first * orders
    assert len({(each.street, each.cards) for each in of_kind(entries, StreetDealt)}) <= 3 * HANDS
    assert seals == seals[:HANDS] * orders
    assert verify(entries).finished
    assert prover.entries(entries)["holds"]
