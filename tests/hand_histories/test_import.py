"""Published hands, in PHH, PokerStars text and Open Hand History, are replayed and end with the right stacks.

Unknown cards stay unknown. The hands and their licence are in `tests/data/phh`.
"""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from broadcast.odds.calculator import odds_of
from server.game.events import HandShown, HoleDealt, TournamentOpened
from server.game.rules import Rules
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.import_hands import Imported, import_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.pokerstars_writer import pokerstars_text
from server.verify.published_hands import is_published, prove_published
from tests.hand_histories.recordings import BEGUN, USUAL, dice_hands, hands_of
from tests.support.games.hand_events import at_table
from tests.support.games.recordings import of_kind

DATA = Path(__file__).parents[1] / "data"
FILES = sorted((DATA / "phh").glob("*.phh"))
DWAN = next(path for path in FILES if path.stem == "dwan-ivey-2009").read_bytes()
OTHER_STACKS = "finishing stacks"
CASH = (DATA / "sites" / "pokerstars.txt").read_text()
OHH: dict[str, Any] = json.loads((DATA / "sites" / "open-hand-history.json").read_text())


def test_published_hand_ends_with_its_published_stacks_which_are_doubled_if_it_has_half_chips() -> None:
    recordings = {path.stem: import_hands(path.read_bytes()) for path in FILES}
    assert len(recordings) == 201
    assert sum(bool(hands_of(path.read_bytes())[0].finishing) for path in FILES) == 200
    assert not [name for name, found in recordings.items() if any(OTHER_STACKS in remark for remark in found.remarks)]
    assert all(prove_published(found.entries).hands == 1 for found in recordings.values())
    doubled = [found for found in recordings.values() if any("multiplied by 2" in remark for remark in found.remarks)]
    assert len(doubled) == 8
    (opened,) = of_kind(doubled[0].entries, TournamentOpened)
    assert opened.title.endswith("(amounts x2)")
    assert opened.rules.levels[0].big == 200


def test_unknown_cards_stay_unknown() -> None:
    found = import_hands(DWAN)
    assert [event.cards for event in of_kind(found.entries, HoleDealt)] == [("Ac", "2d"), ("", ""), ("7h", "6h")]
    assert {event.seat for event in of_kind(found.entries, HandShown)} == {0, 2}
    assert prove_published(found.entries).concealed == 1
    (hand,) = recorded_hands(found.entries)
    entries = at_table(hand.events)
    assert entries[-1].table.seats[1].cards == ()
    assert all({*situation.seats} == {0, 2} for situation in odds_of(entries)), (
        "no odds may be computed while a bot with unknown cards is in the hand"
    )


CHECKED = b"""
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
actions = [
    "d dh p1 Tc2d", "d dh p2 ????", "p2 cc", "p1 cc", "d db 4h5hTs", "p1 cc", "p2 cc", "d db Jd", "p1 cc", "p2 cc",
    "d db Qs", "p1 cc", "p2 cc", "p2 sm",
]
"""
"""A hand in which all players check. The cards of player 2 are unknown."""


def test_unknown_cards_lose_a_showdown_unless_no_cards_are_known() -> None:
    (hand,) = recorded_hands(import_hands(CHECKED).entries)
    assert [hand.ended.stacks[seat] for seat in hand.players] == [1100, 900]
    with pytest.raises(BadHistory, match="nobody's cards at the showdown are known"):
        import_hands(CHECKED.replace(b"Tc2d", b"????"))


def test_hands_of_one_table_make_one_recording_with_the_same_seats() -> None:
    hands = [path.read_text() for path in FILES if path.stem.startswith("wsop-2023-43-5-6")]
    found = import_hands("\n".join(f"[{number}]\n{text}" for number, text in enumerate(hands, 1)).encode())
    recorded = list(recorded_hands(found.entries))
    assert len(recorded) == len(hands) == 7
    assert len({hand.game.game for hand in recorded}) == 1
    assert [hand.started.button for hand in recorded] == [(4 + step) % 5 for step in range(7)]
    assert is_published(found.entries)
    assert prove_published(found.entries).hands == 7


def ohh(*hands: dict[str, Any]) -> str:
    return "\n\n".join(json.dumps({"ohh": hand}) for hand in hands)


def stacks(found: Imported) -> dict[str, float]:
    """Returns the final chips of each player in a recording of one hand, in the unit of the file."""
    (hand,) = recorded_hands(found.entries)
    scale = hand.opened.scale if isinstance(hand.opened.scale, int) else 1
    return {name: hand.ended.stacks[seat] / scale for seat, name in hand.names.items()}


def test_pokerstars_text_is_replayed() -> None:
    found = import_hands(CASH.encode())
    assert stacks(found) == {"Anna: A.": 99.5, "Anna": 1204.5 + 31.5, "O'Brien [x]": 0}
    assert "the site kept a rake" in " ".join(found.remarks)
    assert found.begun == "2024-01-06T12:23:59+00:00"
    dealt = {event.cards for event in of_kind(found.entries, HoleDealt)}
    assert dealt == {("Ah", "Ad"), ("Tc", "9c"), ("", "")}
    assert prove_published(found.entries).hands == 1


def test_open_hand_history_is_replayed() -> None:
    found = import_hands(ohh(OHH, OHH).encode())
    assert (found.hands, found.remarks[1:]) == (2, ())
    assert prove_published(found.entries).hands == 2
    assert stacks(import_hands(json.dumps([{"ohh": OHH}]).encode())) == {"Small": 19.5, "Big": 43.0, "Button": 0}


@pytest.mark.parametrize(
    "written",
    [
        "*********** # 1 **************\n" + CASH,
        "Transcript for your last 1 hands requested by Anna\n\n" + CASH,
        CASH.replace("$", "₹").replace("USD", "INR"),
        CASH.replace("Dealt to Anna [Ah Ad]", "Dealt to Anna [Ah Ad]\nDealt to O'Brien [x] [Tc 9c]"),
        CASH.replace("Anna: bets $40", "Anna has timed out\nAnna: bets $40").replace("\n", "\r\n"),
        CASH.replace("Anna: bets $40", "Anna is disconnected\nAnna: bets $40"),
        CASH.encode("utf-16-le"),
        CASH.replace("$", "€").encode("cp1252"),
    ],
    ids=[
        "numbered",
        "transcript",
        "rupees",
        "two hands known",
        "Windows",
        "disconnected",
        "UTF-16 without a mark",
        "old encoding",
    ],
)
def test_pokerstars_text_is_read_however_it_was_saved(written: str | bytes) -> None:
    found = import_hands(written if isinstance(written, bytes) else written.encode())
    assert stacks(found) == {"Anna: A.": 99.5, "Anna": 1236.0, "O'Brien [x]": 0}
    joined = import_hands(2 * ("\ufeff" + CASH + "\n\n").encode())
    assert joined.hands == 2, "byte order marks between joined files must be accepted"


@pytest.mark.parametrize("rules", USUAL.values(), ids=USUAL)
def test_exported_text_is_read_with_the_same_final_stacks(rules: Rules) -> None:
    hands = dice_hands(random.Random(7), rules, 60)
    found = import_hands("".join(pokerstars_text(hand, BEGUN) for hand in hands).encode())
    assert (found.remarks, found.left_out) == ((), ())
    chips = [sorted(filter(None, hand.ended.stacks)) for hand in recorded_hands(found.entries)]
    assert chips == [sorted(filter(None, hand.ended.stacks)) for hand in hands]


@pytest.mark.parametrize(
    ("written", "wrong", "fault"),
    [
        ("Hold'em No Limit", "Omaha Pot Limit", "hand #2101: it is not no-limit hold'em"),
        ("O'Brien [x]: raises $2 to $3", "O'Brien [x]: posts big blind $1", "two players post a big blind"),
        ("O'Brien [x]: raises $2 to $3", "O'Brien [x]: posts small & big blinds $1.50", "High Noon does not support"),
        ("Anna: A.: posts small blind $0.50\n", "", "nobody posts the small blind"),
        ("Hold'em No Limit", "6+ Hold'em No Limit", "hand #2101: it is not no-limit hold'em"),
        ("$1.00 USD)", "$1.00 USD, $30.00 USD Cap)", "hand #2101: it is not no-limit hold'em"),
        ("Seat ", "Platz ", "it names no seat, such as 'Seat 1: Anna (1500 in chips)'"),
        ("$1,204.50", "$1,204.12345", "'1204.12345' has more than 4 decimal places"),
        ("*** FLOP *** [2c 7d Ts]", "*** FLOP *** [2c 7d", "its flop names no cards"),
        ("*** FLOP ***", "*** FIRST FLOP ***", "its board was dealt twice"),
        ("Anna: raises $6 to $9", "Anna: raises $1 to $4", "a raise must be to"),
    ],
)
def test_text_that_cannot_be_played_is_refused_with_its_fault(written: str, wrong: str, fault: str) -> None:
    assert written in CASH
    with pytest.raises(BadHistory, match=r"^hand #2101: ") as refused:
        import_hands(CASH.replace(written, wrong).encode())
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("hostile", "fault"),
    [
        (CASH.replace("away: sits out", "Seat 1: " + "(1 in chips " * 1_000_000), "too many for one hand"),
        (CASH.replace("away: sits out", "Seat 1: someone ($5 in chips)\n" * 3_000), "3003 seats (at most 12)"),
        ('[{"ohh": [' + "[]," * 1_000_000 + "[]]}]", "longer than the 100,000 characters allowed for a hand"),
    ],
    ids=["a long line", "many seats", "a long hand in JSON"],
)
def test_the_size_of_hostile_text_is_limited_before_it_is_read(hostile: str, fault: str) -> None:
    """Without a limit, the patterns would take days for the first line, and JSON 25 times its size in memory."""
    with pytest.raises(BadHistory, match=re.escape(fault)):
        import_hands(hostile.encode())


def test_a_line_that_is_too_long_is_skipped() -> None:
    assert import_hands(CASH.replace("away: sits out", "Seat 1: " + "(1 in chips " * 8_000).encode()).hands == 1


NOT_JSON = ('{"ohh": {"a": }', ohh(OHH)[:-40], '{"ohh": {"a": [1, ', '{"ohh": "' + "x" * 150_000)
NOT_NUMBERS = ("1e99999999999999999999", "-1", "9" * 5000, '"x"', "1e400", "NaN", "[]")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        *((text, "hand 2: it is not valid JSON") for text in NOT_JSON),
        *((ohh(OHH).replace('"starting_stack": 30.0', f'"starting_stack": {each}'), "hand 2") for each in NOT_NUMBERS),
        (ohh(OHH).replace("Post SB", "Straddle"), "hand 2: somebody posts out of turn (Straddle)"),
    ],
)
def test_only_the_bad_hand_of_an_open_hand_history_is_left_out(bad: str, why: str) -> None:
    found = import_hands(f"{ohh(OHH)}\n{bad}\n{ohh(OHH, OHH)}".encode())
    assert (found.hands, len(found.left_out)) == (3, 1)
    assert found.left_out[0].startswith(why)
    assert import_hands(ohh(OHH, OHH)[:-9].encode()).hands == 1, "only the incomplete last hand may be left out"


@pytest.mark.parametrize(
    ("field", "value"),
    [("pots", None), ("table_name", None), ("start_date_utc", None), ("small_blind_amount", 0.1 + 0.2 + 0.2)],
)
def test_fields_as_other_programs_write_them_are_read(field: str, value: object) -> None:
    found = import_hands(ohh(OHH | {field: value}).encode())
    assert found.hands == 1
    assert "finishing stacks" not in " ".join(found.remarks)


def test_a_file_of_hands_without_wrappers_is_searched_only_once() -> None:
    """A search to the end of the file after each hand would take hours."""
    two = f"{json.dumps(OHH)}, {json.dumps(OHH)}"
    assert import_hands(f"[{two}, {', '.join(['{}'] * 20_000)}, {'[]' * 10_000_000}]".encode()).hands == 2
