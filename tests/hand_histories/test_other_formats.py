"""Hands in PokerStars text and in Open Hand History are replayed, and end with the right stacks."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from server.game.events import HoleDealt
from server.game.rules import Rules
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.import_hands import Imported, import_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.pokerstars_writer import pokerstars_text
from server.verify.published_hands import prove_published
from tests.hand_histories.recordings import BEGUN, USUAL, dice_hands

SITES = Path(__file__).parents[1] / "data" / "sites"
CASH = (SITES / "pokerstars.txt").read_text()
OHH: dict[str, Any] = json.loads((SITES / "open-hand-history.json").read_text())


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
    dealt = {entry.event.cards for entry in found.entries if isinstance(entry.event, HoleDealt)}
    assert dealt == {("Ah", "Ad"), ("Tc", "9c"), ("", "")}
    assert prove_published(found.entries).hands == 1


def test_open_hand_history_is_replayed() -> None:
    found = import_hands(ohh(OHH, OHH).encode())
    assert found.hands == 2
    assert not found.remarks[1:]
    assert prove_published(found.entries).hands == 2
    assert stacks(import_hands(json.dumps([{"ohh": OHH}]).encode())) == {"Small": 19.5, "Big": 43.0, "Button": 0}


@pytest.mark.parametrize(
    "written",
    [
        "*********** # 1 **************\n" + CASH,
        "Transcript for your last 1 hands requested by Anna\n\n" + CASH,
        CASH.replace("$", "₹").replace("USD", "INR"),
        CASH.replace("Dealt to Anna [Ah Ad]", "Dealt to Anna [Ah Ad]\nDealt to O'Brien [x] [Tc 9c]"),
        CASH.replace("Anna: bets $40", "Anna has timed out\nAnna is disconnected\nAnna: bets $40").replace(
            "\n", "\r\n"
        ),
        CASH.encode("utf-16-le"),
        CASH.replace("$", "€").encode("cp1252"),
    ],
    ids=["numbered", "transcript", "rupees", "two hands known", "Windows", "UTF-16 without a mark", "old encoding"],
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
        ("Seat 1: " + "(1 in chips " * 1_000_000, "too many for one hand"),
        ("Seat 1: " + "(1 in chips " * 8_000, ""),  # a line that is too long is skipped
        ("Seat 1: someone ($5 in chips)\n" * 3_000, "3003 seats (at most 12)"),
    ],
)
def test_the_size_of_hostile_text_is_limited_before_it_is_read(hostile: str, fault: str) -> None:
    """Without a limit, the patterns would take days for the first line alone."""
    text = CASH.replace("away: sits out", hostile.strip()).encode()
    if not fault:
        assert import_hands(text).hands == 1
        return
    with pytest.raises(BadHistory, match=re.escape(fault)):
        import_hands(text)


def test_hostile_json_is_read_hand_by_hand() -> None:
    """Parsed as a whole, the file would need 25 times its size in memory."""
    with pytest.raises(BadHistory, match="longer than the 100,000 characters allowed for a hand"):
        import_hands(b'[{"ohh": [' + b"[]," * 1_000_000 + b"[]]}]")


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
