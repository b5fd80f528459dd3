"""Our engine replays published hands to the right final stacks, and unknown cards stay unknown.

The hands and their licence are in `tests/data/phh`.
"""

from pathlib import Path

import pytest

from broadcast.odds.calculator import odds_of
from server.game.events import HandShown, HoleDealt, TournamentOpened
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.import_hands import Imported, import_hands
from server.hand_histories.phh_reader import BadHistory
from server.verify.published_hands import is_published, prove_published
from tests.hand_histories.recordings import hands_of
from tests.support.hand_events import at_table

FILES = sorted((Path(__file__).parents[1] / "data" / "phh").glob("*.phh"))
DWAN = next(path for path in FILES if path.stem == "dwan-ivey-2009").read_text()
OTHER_STACKS = "finishing stacks"


def imported(text: str) -> Imported:
    return import_hands(text.encode())


def test_published_hand_ends_with_its_published_stacks_which_are_doubled_if_it_has_half_chips() -> None:
    recordings = {path.stem: import_hands(path.read_bytes()) for path in FILES}
    assert len(recordings) == 201
    assert sum(bool(hands_of(path.read_bytes())[0].finishing) for path in FILES) == 200
    assert not [name for name, found in recordings.items() if any(OTHER_STACKS in remark for remark in found.remarks)]
    assert all(prove_published(found.entries).hands == 1 for found in recordings.values())
    doubled = [found for found in recordings.values() if any("multiplied by 2" in remark for remark in found.remarks)]
    assert len(doubled) == 8
    opened = doubled[0].entries[0].event
    assert isinstance(opened, TournamentOpened)
    assert opened.title.endswith("(amounts x2)")
    assert opened.rules.levels[0].big == 200


def test_unknown_cards_stay_unknown() -> None:
    found = imported(DWAN)
    events = [entry.event for entry in found.entries]
    dealt = [event.cards for event in events if isinstance(event, HoleDealt)]
    assert dealt == [("Ac", "2d"), ("", ""), ("7h", "6h")]
    assert {event.seat for event in events if isinstance(event, HandShown)} == {0, 2}
    assert prove_published(found.entries).concealed == 1
    (hand,) = recorded_hands(found.entries)
    entries = at_table(hand.events)
    assert entries[-1].table.seats[1].cards == ()
    assert all({*situation.seats} == {0, 2} for situation in odds_of(entries)), (
        "no odds may be computed while a bot with unknown cards is in the hand"
    )


def test_unknown_cards_lose_a_showdown() -> None:
    (hand,) = recorded_hands(imported(heads_up('"d dh p1 Tc2d"', '"p2 sm"')).entries)
    assert [hand.ended.stacks[seat] for seat in hand.players] == [1100, 900]


def test_showdown_with_only_unknown_cards_is_refused() -> None:
    with pytest.raises(BadHistory, match="nobody's cards at the showdown are known"):
        imported(heads_up('"d dh p1 ????"', '"p2 sm"'))


def heads_up(first: str, last: str) -> str:
    """Returns a hand in which all players check. The cards of player 2 are unknown."""
    actions = (
        f'{first}, "d dh p2 ????", "p2 cc", "p1 cc", "d db 4h5hTs", "p1 cc", "p2 cc", "d db Jd", "p1 cc", "p2 cc", '
        f'"d db Qs", "p1 cc", "p2 cc", {last}'
    )
    return f"""
        variant = "NT"
        antes = [0, 0]
        blinds_or_straddles = [50, 100]
        min_bet = 100
        starting_stacks = [1000, 1000]
        actions = [{actions}]
    """


def test_hands_of_one_table_make_one_recording_with_the_same_seats() -> None:
    hands = [path.read_text() for path in FILES if path.stem.startswith("wsop-2023-43-5-6")]
    found = imported("\n".join(f"[{number}]\n{text}" for number, text in enumerate(hands, 1)))
    recorded = list(recorded_hands(found.entries))
    assert len(recorded) == len(hands) == 7
    assert len({hand.game.game for hand in recorded}) == 1
    assert [hand.started.button for hand in recorded] == [(4 + step) % 5 for step in range(7)]
    assert is_published(found.entries)
    assert prove_published(found.entries).hands == 7
