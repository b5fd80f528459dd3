"""Python and JavaScript prove the same about deals: who plays them, in which seats, and with whose decks."""

from collections.abc import Callable, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import DealEnded, GameStarted
from server.game.formats import Format, as_deals
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest
from tests.verify.in_javascript import Prover

DEALS = 7


@pytest.mark.parametrize("bots", [2, 3, 6, 9, 14])
@pytest.mark.parametrize("contest", [QUICK_DRAW_FORMAT, ACPC_FORMAT], ids=lambda each: each.contest)
def test_deals_of_any_number_of_bots_are_proved(contest: Format, bots: int, prover: Prover) -> None:
    entries = play_contest(bots, bots, as_deals(contest, DEALS, hands=2))
    verdict = prover.entries(entries)
    assert verdict["holds"], verdict
    counted = {claim["of"]: claim["count"] for claim in verdict["claims"]}
    assert counted["draws"] == verify(entries).deals == (DEALS if bots <= 6 else 2 * DEALS)


def changed(entries: Sequence[Entry], number: int, **changes: object) -> list[Entry]:
    return [
        replace(entry, event=replace(entry.event, **changes))
        if isinstance(entry.event, GameStarted) and entry.event.game == number
        else entry
        for entry in entries
    ]


def without_a_table(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without the last table of the first deal."""
    starts = [at for at, entry in enumerate(entries) if isinstance(entry.event, GameStarted)]
    end = next(at for at, entry in enumerate(entries) if isinstance(entry.event, DealEnded))
    return [*entries[: starts[5]], *entries[end:]]


def with_another_group(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, in which the second deal is played by the bots of the first."""
    first = next(entry.event for entry in entries if isinstance(entry.event, GameStarted))
    return changed(entries, 7, seats=first.seats)


@pytest.mark.parametrize(
    "forge",
    [
        lambda entries: changed(entries, 2, seats=seats_of(entries, 2)[::-1]),
        lambda entries: changed(entries, 2, seats=seats_of(entries, 1)),
        lambda entries: changed(entries, 3, dealt_as=UNSET),
        lambda entries: changed(entries, 8, dealt_as=1),
        lambda entries: changed(entries, 1, draw_key=""),
        without_a_table,
        with_another_group,
    ],
    ids=["other seats", "same seats twice", "own decks", "decks of another deal", "no draw", "no table", "no lot"],
)
def test_deals_that_were_not_the_same_for_all_are_refuted(
    forge: Callable[[Sequence[Entry]], list[Entry]], prover: Prover
) -> None:
    forged = forge(play_contest(9, 9, as_deals(QUICK_DRAW_FORMAT, DEALS)))
    with pytest.raises(Refuted):
        verify(forged)
    assert not prover.entries(forged)["holds"]


def seats_of(entries: Sequence[Entry], number: int) -> tuple[int, ...]:
    return next(
        entry.event.seats for entry in entries if isinstance(entry.event, GameStarted) and entry.event.game == number
    )
