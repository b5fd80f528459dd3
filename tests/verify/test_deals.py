"""The page proves that all tables of a deal had the same cards, and that the bots went round the seats."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import GameStarted
from server.game.tournament import as_deals
from server.journal.journal import Entry
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.contests import play_contest
from tests.verify.in_javascript import Prover


@pytest.fixture(scope="module", params=[6, 9])
def entries(request: pytest.FixtureRequest) -> list[Entry]:
    return play_contest(5, request.param, as_deals(QUICK_DRAW_FORMAT, 5))


def test_page_proves_deals_whether_or_not_all_bots_have_a_seat(entries: list[Entry], prover: Prover) -> None:
    assert verify(entries).finished
    assert prover.entries(entries)["holds"]


@pytest.mark.parametrize(
    "change",
    [
        lambda game: replace(game, seats=(game.seats[1], game.seats[0], *game.seats[2:])),
        lambda game: replace(game, dealt_as=2),
    ],
    ids=["other seats", "other cards"],
)
@pytest.mark.parametrize("number", [1, 3])
def test_page_refutes_a_table_with_other_seats_or_cards(
    entries: list[Entry], number: int, change: Callable[[GameStarted], GameStarted], prover: Prover
) -> None:
    forged = [
        Entry(entry.seq, entry.at_ms, change(entry.event))
        if isinstance(entry.event, GameStarted) and entry.event.game == number
        else entry
        for entry in entries
    ]
    with pytest.raises(Refuted):
        verify(forged)
    assert not prover.entries(forged)["holds"]
