"""The comparison of a deal finds the decision that mattered most, and who made most and least of the cards."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest

from broadcast.commentary.deals.comparison import compare
from broadcast.commentary.deals.positions import position_of
from broadcast.on_air.deal_tables import DealTable, MainTables
from broadcast.on_air.events import CaptionSpoken
from broadcast.on_air.facts import SeatAct
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import DealEnded, Event
from server.game.hand import evolve
from tests.overlay.support.scripted_deals import Deals
from tests.overlay.support.scripted_show import rig_deck
from tests.support.deals import play_deals

STACKS = (5000, 5000, 5000)
BLINDS = ("on the button", "in the small blind", "in the big blind")


def table(game: int, seats: tuple[int, ...], *acts: Decision) -> DealTable:
    """A table at which the seats act in turn, beginning with the button. The first seat has the best cards."""
    deck = rig_deck(STACKS, 0, {0: "As Ah", 1: "7c 2d", 2: "9s 8s"}, "Kh 4c 5d Jc 2h")
    hand, happened = start_hand(QUICK_DRAW, 1, 0, STACKS, deck)
    happened = list[Event](happened)
    for act in acts:
        _, follows = take_turn(hand, act, think_ms=0)
        for event in follows:
            hand = evolve(hand, event)
        happened += follows
    assert hand.over
    return DealTable(game, seats, tuple(happened), tuple(seat.stack - 5000 for seat in hand.seats))


def test_deciding_point_is_where_different_actions_made_the_largest_difference() -> None:
    all_in = table(1, (1, 2, 3), RaiseTo(5000), Fold(), Call())
    folded = table(2, (2, 3, 1), Fold(), Fold())
    stolen = table(3, (3, 1, 2), RaiseTo(5000), Fold(), Fold())
    deal = compare(7, [all_in, folded, stolen])
    assert (deal.deal, deal.alike, deal.seat, deal.street) == (7, False, 0, "preflop")
    assert deal.position == "on the button"
    assert deal.cards == ("As", "Ah")
    assert deal.board == ("Kh", "4c", "5d", "Jc", "2h"), "the board must be from the table that saw most of it"
    assert (deal.best, deal.worst) == (1, 2), "bot 1 raised and won most; bot 3 also raised but won less; bot 2 folded"
    assert [(each.bot, each.acts[each.at]) for each in deal.held] == [
        (1, SeatAct("preflop", "raise", 5000)),
        (3, SeatAct("preflop", "raise", 5000)),
        (2, SeatAct("preflop", "fold", 0)),
    ]
    assert all(one.won >= other.won for one, other in pairwise(deal.held))


def test_bots_after_other_betting_do_not_count_at_the_deciding_point() -> None:
    called = table(1, (1, 2, 3), RaiseTo(5000), Fold(), Call())
    folded = table(2, (2, 3, 1), RaiseTo(5000), Fold(), Fold())
    elsewhere = table(3, (3, 1, 2), Fold(), RaiseTo(5000), Call())
    deal = compare(1, [called, folded, elsewhere])
    third = [(each.bot, each.at) for each in deal.held if each.bot == elsewhere.seats[deal.seat]]
    assert deal.seat == 0 or third == [(elsewhere.seats[deal.seat], -1)]
    assert {deal.best, deal.worst} <= {each.bot for each in deal.held if each.at >= 0}


def test_deal_with_equal_results_at_all_tables_has_no_deciding_point() -> None:
    tables = [table(game, seats, Fold(), Fold()) for game, seats in enumerate([(1, 2, 3), (2, 3, 1), (3, 1, 2)], 1)]
    assert compare(1, tables).alike
    raised = table(3, (3, 1, 2), RaiseTo(200), Fold(), Fold())
    also = table(1, (1, 2, 3), RaiseTo(300), Fold(), Fold())
    assert compare(1, [raised, also]).alike, "different raises with the same result are no difference"


@pytest.mark.parametrize(
    ("seats", "names"),
    [
        (2, ["on the button", "in the small blind"]),
        (3, [*BLINDS]),
        (4, [*BLINDS, "under the gun"]),
        (6, [*BLINDS, "under the gun", "in the hijack", "in the cutoff"]),
        (
            9,
            [
                *BLINDS,
                *("under the gun", "under the gun plus one", "under the gun plus two"),
                *("in the lojack", "in the hijack", "in the cutoff"),
            ],
        ),
    ],
)
def test_seats_have_the_names_that_players_use(seats: int, names: Sequence[str]) -> None:
    stacks = (5000,) * seats
    _, happened = start_hand(QUICK_DRAW, 1, 1, stacks, rig_deck(stacks, 1, {}, "Kh 4c 5d Jc 2h"))
    assert [position_of(happened, 1, (1 + at) % seats) for at in range(seats)] == names, (
        "the names must be in the order of the seats, from the button"
    )


def test_tables_of_a_deal_pair_every_bot_with_every_seat() -> None:
    main, seen = MainTables(), 0
    for entry in play_deals(4, 5):
        main.shows(entry)
        if isinstance(entry.event, DealEnded):
            tables = main.take()
            assert sorted(tables[0].seats) == [1, 2, 3, 4]
            won = dict.fromkeys(entry.event.bots, 0)
            for each in tables:
                for bot, chips in zip(each.seats, each.won, strict=True):
                    won[bot] += chips
            assert tuple(won.values()) == entry.event.won
            seen += 1
    assert seen == 5


def test_caption_tells_profit_and_what_was_earned_if_their_signs_differ() -> None:
    """Kings called the aces' all-in and hit a third king."""
    holes = {0: "7c 2d", 1: "As Ah", 2: "Ks Kd"}

    def caption(*acts: str) -> str:
        show = Deals(("Doc", "Tess", "Jo"), decided_by="earned").deal(*acts, holes=holes, board="Kh 9h 4c 3c 2h")
        compared = next(at for at, entry in enumerate(show.entries) if isinstance(entry.event, DealEnded))
        return next(each.event.text for each in show.entries[compared:] if isinstance(each.event, CaptionSpoken))

    called = "fold raise:5000 call"
    unlucky = (
        r"At another table, Jo folded in the small blind\. "
        r"Same seat, same cards here, and Tess played it well, got unlucky and lost 5,000\."
    )
    assert re.fullmatch(unlucky, caption(called, "fold fold", "fold fold"))
    lucky = (
        r"Jo called from the big blind, played it badly, got lucky and won 5,000\."
        r" Same seat, same cards at another table, and Doc lost only 100 with luck taken out\."
    )
    assert re.fullmatch(lucky, caption(called, "fold raise:5000 fold", "fold raise:5000 fold"))
