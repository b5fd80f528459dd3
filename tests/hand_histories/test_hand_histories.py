"""Hands that we export or import end with the right stacks. Unusual rules are marked. Bad files are refused."""

import json
import random
import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pokerkit import HandHistory

from broadcast.odds.calculator import odds_of
from server.contests import CONTESTS
from server.game.events import HandShown, HoleDealt, SeatVacated, StreetDealt, TournamentOpened
from server.game.rules import Rules
from server.hand_histories.formats import MAX_BYTES
from server.hand_histories.from_recording import HandRecord, recorded_hands
from server.hand_histories.import_hands import ImportedRecording, import_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.phh_writer import phh_text, phhs_texts
from server.hand_histories.pokerstars_writer import pokerstars_text
from server.hand_histories.rules import unusual_reasons
from server.verify.published_hands import is_published, prove_published  # `prove_published` replays each hand
from tests.hand_histories.recordings import (
    START_TIME,
    USUAL_RULES,
    damaged_files,
    hands_of,
    play_random_hands,
    stacks_in_pokerkit,
)
from tests.support.bots.misbehaving_bots import RefusingBot
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.hand_events import at_table
from tests.support.games.recordings import of_kind

BOT_COUNTS = {"quick-draw": 12, "enova": 8, "upac": 2, "arena": 12}
"""The contests with unusual rules, and how many bots play each of them here. All other contests have 6 bots."""


@cache
def contest_hands(contest: str, bot_type: type[DiceBot] = DiceBot) -> list[HandRecord]:
    return list(recorded_hands(play_contest(1, BOT_COUNTS.get(contest, 6), CONTESTS[contest].format, kind=bot_type)))


def stacks_of(hands: Iterable[HandRecord]) -> list[list[int]]:
    return [[hand.ended.stacks[seat] for seat in hand.dealt_seats] for hand in hands]


@pytest.mark.parametrize("name", USUAL_RULES)
def test_pokerkit_agrees_on_final_stacks_under_the_usual_rules(name: str) -> None:
    hands = play_random_hands(random.Random(name), USUAL_RULES[name], 50)
    assert not [reason for hand in hands for reason in unusual_reasons(hand)]
    text = "\n".join(f"[{number}]\n{phh_text(hand, START_TIME)}\n" for number, hand in enumerate(hands, 1))
    assert stacks_in_pokerkit(text) == stacks_of(hands)


@pytest.mark.parametrize("contest", CONTESTS)
def test_hands_of_a_contest_are_marked_if_pokerkit_refuses_them(contest: str) -> None:
    hands = contest_hands(contest)
    usual_hands = [hand for hand in hands if not unusual_reasons(hand)]
    assert stacks_in_pokerkit("\n".join(phhs_texts(usual_hands, START_TIME))) == stacks_of(usual_hands)
    assert len(usual_hands) < len(hands) or contest not in BOT_COUNTS


def test_hands_in_which_a_bot_refuses_a_blind_are_marked() -> None:
    """pokerkit accepts some of these hands, but computes different final stacks. So a mark must warn readers."""
    hands = contest_hands("enova", RefusingBot)
    with_refusal = [hand for hand in hands if any(isinstance(event, SeatVacated) for event in hand.events)]
    (reason,) = {unusual_reasons(hand)[0] for hand in with_refusal}
    assert reason == "somebody left the table because of a blind that was not posted"


@pytest.mark.parametrize("contest", CONTESTS)
def test_exported_hand_is_imported_unchanged(contest: str) -> None:
    """Only two things may differ: the proof of the deck, which is not imported, and empty seats, which a file omits."""
    hands = [hand for hand in contest_hands(contest) if "somebody left the table" not in "".join(unusual_reasons(hand))]
    imported = import_hands("\n".join(phhs_texts(hands, START_TIME)).encode())
    assert not imported.remarks
    assert [_facts_of(hand) for hand in recorded_hands(imported.entries)] == [_facts_of(hand) for hand in hands]


def _facts_of(hand: HandRecord) -> list[Any]:
    players = {seat: player for player, seat in enumerate(hand.dealt_seats, 1)}
    acts = [replace(act, seat=players[act.seat]) for act in hand.acts]
    names = [hand.names[seat] for seat in hand.dealt_seats]
    board = [event.cards for event in hand.events if isinstance(event, StreetDealt)]
    return [acts, *stacks_of([hand]), names, board, len(hand.events)]


def test_our_own_fields_begin_with_an_underscore() -> None:
    hands = list(recorded_hands(play_contest(1)))
    files = [tomllib.loads(phh_text(hand, START_TIME)) for hand in hands]
    assert {"_contest", "_stage", "_game", "_hand", "_think_ms", "_rules", "_deck_commitment"} <= {*files[0]}
    assert files[0]["_deck_key"] == hands[0].ended.deck_key
    chats = [chat.text for hand in hands for chat in hand.chats]
    assert [chat["text"] for file in files for chat in file.get("_chat", [])] == chats != []


def hand_of_bots_named(name: str, title: str = "By dice") -> HandRecord:
    (hand,) = play_random_hands(random.Random(1), Rules(), 1)
    entrants = tuple(replace(bot, name=name) for bot in hand.opened.entrants)
    return replace(hand, opened=replace(hand.opened, title=title, entrants=entrants))


def test_exported_files_are_valid_and_printable_with_any_name() -> None:
    name = 'Tab\t "quoted" \\ \x7f\x1b[2J \u202e Señor 🤠'
    hand = hand_of_bots_named(name, title=name)
    text = phh_text(hand, START_TIME)
    assert tomllib.loads(text)["players"] == [name] * len(hand.dealt_seats)
    assert all(char.isprintable() or char == "\n" for char in text)
    text = pokerstars_text(hand_of_bots_named("Tab\t \x1b[2J\n\u202e \x9b Señor"), START_TIME)
    assert "Seat 1: Tab__?[2J_?_?_Señor (" in text
    assert all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")  # pokerkit itself sets this field.
@pytest.mark.parametrize("contest", CONTESTS)
def test_pokerkit_reads_exported_pokerstars_text(contest: str) -> None:
    for hand in [hand for hand in contest_hands(contest) if not unusual_reasons(hand)]:
        (history,) = HandHistory.from_pokerstars(pokerstars_text(hand, START_TIME), error_status=True)
        stacks = dict(zip(history.players or (), history.starting_stacks, strict=True))
        names = {seat: name.replace(" ", "_") for seat, name in hand.names.items()}
        assert stacks == {names[seat]: hand.started.stacks[seat] for seat in hand.dealt_seats}
        acts = [action for action in history.actions if action[0] == "p" and " sm" not in action]
        assert len(acts) == len(hand.acts)


@pytest.mark.parametrize(("start_time", "heading"), [
    ("2026-06-22T20:00:00.000+00:00", "2026/06/22 20:00:00 UTC [2026/06/22 16:00:00 ET]"),
    ("2026-03-08T07:00:00.000+00:00", "2026/03/08 7:00:00 UTC [2026/03/08 3:00:00 ET]"),
    ("2026-11-01T05:59:59.000+00:00", "2026/11/01 5:59:59 UTC [2026/11/01 1:59:59 ET]"),
    ("2026-06-22T22:00:00.000+02:00", "2026/06/22 20:00:00 UTC [2026/06/22 16:00:00 ET]"),
    ("", "1970/01/01 0:00:00 UTC [1969/12/31 19:00:00 ET]"),
])  # fmt: skip
def test_heading_also_has_the_time_in_new_york(start_time: str, heading: str) -> None:
    (hand,) = play_random_hands(random.Random(1), Rules(), 1)
    assert pokerstars_text(replace(hand, at_ms=0), start_time).partition("\n")[0].endswith(f" - {heading}")


DATA = Path(__file__).parents[1] / "data"
PHH_FILES = sorted((DATA / "phh").glob("*.phh"))  # PHH: poker hand histories in TOML
POKERSTARS = (DATA / "sites" / "pokerstars.txt").read_text()
OHH: dict[str, Any] = json.loads((DATA / "sites" / "open-hand-history.json").read_text())


def test_published_hand_ends_with_its_published_stacks() -> None:
    recordings = [import_hands(path.read_bytes()) for path in PHH_FILES]
    assert len(recordings) == 201
    assert sum(bool(hands_of(path.read_bytes())[0].finishing_stacks) for path in PHH_FILES) == 200
    assert not [recording for recording in recordings if "finishing stacks" in " ".join(recording.remarks)]
    assert all(prove_published(recording.entries).hands == 1 for recording in recordings)
    doubled_recordings = [recording for recording in recordings if "multiplied by 2" in " ".join(recording.remarks)]
    assert len(doubled_recordings) == 8
    (opened,) = of_kind(doubled_recordings[0].entries, TournamentOpened)
    assert opened.title.endswith("(amounts x2)")
    assert opened.rules.levels[0].big == 200


def test_unknown_cards_stay_unknown() -> None:
    recording = import_hands((DATA / "phh/dwan-ivey-2009.phh").read_bytes())
    assert [event.cards for event in of_kind(recording.entries, HoleDealt)] == [("Ac", "2d"), ("", ""), ("7h", "6h")]
    assert {event.seat for event in of_kind(recording.entries, HandShown)} == {0, 2}
    assert prove_published(recording.entries).concealed_hands == 1
    (hand,) = recorded_hands(recording.entries)
    entries = at_table(hand.events)
    assert entries[-1].table.seats[1].cards == ()
    # No odds may be computed while a bot with unknown cards is in the hand.
    assert all({*situation.seats} == {0, 2} for situation in odds_of(entries))


CHECKED_HAND = b"""
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
"""A hand without bets or raises. The cards of player 2 are unknown."""


def test_unknown_cards_lose_a_showdown_if_other_cards_are_known() -> None:
    (hand,) = recorded_hands(import_hands(CHECKED_HAND).entries)
    assert [hand.ended.stacks[seat] for seat in hand.dealt_seats] == [1100, 900]
    with pytest.raises(BadHistory, match="nobody's cards at the showdown are known"):
        import_hands(CHECKED_HAND.replace(b"Tc2d", b"????"))
    with pytest.raises(BadHistory, match="it is incomplete"):
        import_hands(CHECKED_HAND.replace(b"Tc2d", b"????").partition(b'"d db Qs"')[0] + b"]")


def test_hands_of_one_table_make_one_recording_with_the_same_seats() -> None:
    hands = [path.read_text() for path in PHH_FILES if path.stem.startswith("wsop-2023-43-5-6")]
    recording = import_hands("\n".join(f"[{number}]\n{text}" for number, text in enumerate(hands, 1)).encode())
    recorded = list(recorded_hands(recording.entries))
    assert len(recorded) == len(hands) == 7
    assert len({hand.game.game for hand in recorded}) == 1
    assert [hand.started.button for hand in recorded] == [(4 + step) % 5 for step in range(7)]
    assert is_published(recording.entries)
    assert prove_published(recording.entries).hands == 7


def write_ohh(*hands: dict[str, Any]) -> str:
    return "\n\n".join(json.dumps({"ohh": hand}) for hand in hands)


def final_chips(recording: ImportedRecording) -> dict[str, float]:
    """Returns each player's final chips in a recording of one hand, in the file's own currency."""
    (hand,) = recorded_hands(recording.entries)
    scale = hand.opened.scale if isinstance(hand.opened.scale, int) else 1
    return {name: hand.ended.stacks[seat] / scale for seat, name in hand.names.items()}


def test_pokerstars_text_is_replayed() -> None:
    recording = import_hands(POKERSTARS.encode())
    assert final_chips(recording) == {"Anna: A.": 99.5, "Anna": 1204.5 + 31.5, "O'Brien [x]": 0}
    assert "the site kept a rake" in " ".join(recording.remarks)
    assert recording.start_time == "2024-01-06T12:23:59+00:00"
    dealt = {event.cards for event in of_kind(recording.entries, HoleDealt)}
    assert dealt == {("Ah", "Ad"), ("Tc", "9c"), ("", "")}
    assert prove_published(recording.entries).hands == 1


def test_open_hand_history_is_replayed() -> None:
    recording = import_hands(write_ohh(OHH, OHH).encode())
    assert (recording.hands, recording.remarks[1:]) == (2, ())
    assert prove_published(recording.entries).hands == 2
    assert final_chips(import_hands(json.dumps([{"ohh": OHH}]).encode())) == {"Small": 19.5, "Big": 43.0, "Button": 0}


SAVED_FILES: dict[str, bytes | str] = {
    "numbered": "*********** # 1 **************\n" + POKERSTARS,
    "transcript": "Transcript for your last 1 hands requested by Anna\n\n" + POKERSTARS,
    "rupees": POKERSTARS.replace("$", "₹").replace("USD", "INR"),
    "two hands known": POKERSTARS.replace("to Anna [Ah Ad]", "to Anna [Ah Ad]\nDealt to O'Brien [x] [Tc 9c]"),
    "Windows": POKERSTARS.replace("Anna: bets $40", "Anna has timed out\nAnna: bets $40").replace("\n", "\r\n"),
    "disconnected": POKERSTARS.replace("Anna: bets $40", "Anna is disconnected\nAnna: bets $40"),
    "UTF-16 without a mark": POKERSTARS.encode("utf-16-le"),
    "old encoding": POKERSTARS.replace("$", "€").encode("cp1252"),
    "a line that is too long": POKERSTARS.replace("away: sits out", "Seat 1: " + "(1 in chips " * 8_000),
}


@pytest.mark.parametrize("file", SAVED_FILES.values(), ids=SAVED_FILES)
def test_pokerstars_text_is_read_however_it_was_saved(file: str | bytes) -> None:
    recording = import_hands(file if isinstance(file, bytes) else file.encode())
    assert final_chips(recording) == {"Anna: A.": 99.5, "Anna": 1236.0, "O'Brien [x]": 0}
    joined = import_hands(2 * ("\ufeff" + POKERSTARS + "\n\n").encode())
    assert joined.hands == 2, "byte order marks between joined files must be accepted"


@pytest.mark.parametrize("rules", USUAL_RULES.values(), ids=USUAL_RULES)
def test_exported_text_can_be_imported_with_the_same_stacks(rules: Rules) -> None:
    hands = play_random_hands(random.Random(7), rules, 60)
    recording = import_hands("".join(pokerstars_text(hand, START_TIME) for hand in hands).encode())
    assert (recording.remarks, recording.skipped_hands) == ((), ())
    stacks = [sorted(filter(None, hand.ended.stacks)) for hand in recorded_hands(recording.entries)]
    assert stacks == [sorted(filter(None, hand.ended.stacks)) for hand in hands]


@pytest.mark.parametrize(("text", "replacement", "fault"), [
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
])  # fmt: skip
def test_text_that_cannot_be_played_is_refused_with_its_fault(text: str, replacement: str, fault: str) -> None:
    assert text in POKERSTARS
    with pytest.raises(BadHistory, match=rf"^hand #2101: .*{re.escape(fault.removeprefix('hand #2101: '))}"):
        import_hands(POKERSTARS.replace(text, replacement).encode())


NOT_JSON = ('{"ohh": {"a": }', write_ohh(OHH)[:-40], '{"ohh": {"a": [1, ', '{"ohh": "' + "x" * 150_000)
NOT_NUMBERS = ("1e99999999999999999999", "-1", "9" * 5000, '"x"', "1e400", "NaN", "[]")


@pytest.mark.parametrize(("bad_hand", "reason"), [
    *((text, "hand 2: it is not valid JSON") for text in NOT_JSON),
    *((write_ohh(OHH).replace('_stack": 30.0', f'_stack": {text}'), "hand 2") for text in NOT_NUMBERS),
    (write_ohh(OHH).replace("Post SB", "Straddle"), "hand 2: somebody posts out of turn (Straddle)"),
])  # fmt: skip
def test_only_the_bad_hand_of_an_open_hand_history_is_left_out(bad_hand: str, reason: str) -> None:
    recording = import_hands(f"{write_ohh(OHH)}\n{bad_hand}\n{write_ohh(OHH, OHH)}".encode())
    assert (recording.hands, len(recording.skipped_hands)) == (3, 1)
    assert recording.skipped_hands[0].startswith(reason)
    assert import_hands(write_ohh(OHH, OHH)[:-9].encode()).hands == 1, "only the incomplete last hand may be left out"


def test_open_hand_history_of_other_programs_is_read() -> None:
    missing_fields: tuple[dict[str, Any], ...] = ({"pots": None}, {"table_name": None}, {"start_date_utc": None})
    for change in (*missing_fields, {"small_blind_amount": 0.1 + 0.2 + 0.2}):
        recording = import_hands(write_ohh(OHH | change).encode())
        assert recording.hands == 1
        assert "finishing stacks" not in " ".join(recording.remarks)


def test_file_of_hands_without_wrappers_is_searched_only_once() -> None:
    """A reader that searched to the end of the file after each hand would take hours."""
    two_hands = f"{json.dumps(OHH)}, {json.dumps(OHH)}"
    assert import_hands(f"[{two_hands}, {', '.join(['{}'] * 20_000)}, {'[]' * 10_000_000}]".encode()).hands == 2


PHH_HAND = PHH_FILES[1].read_text()


def fault_of(text: str | bytes) -> str:
    """Returns the reason why a file is refused. Fails if the file is accepted, or if the reason is not a short line."""
    with pytest.raises(BadHistory) as refusal:
        import_hands(text if isinstance(text, bytes) else text.encode())
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400
    return str(refusal.value)


@pytest.mark.parametrize("files", [PHH_FILES, sorted((DATA / "sites").iterdir())], ids=["PHH", "other formats"])
def test_damaged_file_is_refused_or_its_recording_is_proved(files: Sequence[Path]) -> None:
    contents = [path.read_bytes() for path in files]
    random_hands = play_random_hands(random.Random(1), USUAL_RULES["antes"], 3)
    contents.append("\n".join(phhs_texts(random_hands, START_TIME)).encode())
    refusals = 0
    for content in damaged_files(random.Random(2), contents, 1_000):
        try:
            recording = import_hands(content)
        except BadHistory:
            refusals += 1
            fault_of(content)
        else:
            assert prove_published(recording.entries).hands == recording.hands
    assert 0 < refusals < 1_000


@pytest.mark.parametrize(("text", "replacement", "fault"), [
    ("'NT'", "'FT'", "'FT' is not no-limit hold'em (NT), the only game that can be shown"),
    ("min_bet = 100", "min_bet = 50", "the smallest bet is 50"),
    ("[50, 100, 0, 0, 0, 0]", "[50, 100, 200, 0, 0, 0]", "somebody straddles"),
    ("[50, 100, 0, 0, 0, 0]", "[50, 100]", "'blinds_or_straddles' needs one value for each of the 6 players"),
    ("antes = [0, 0, 0, 0, 0, 0]", "antes = [0, 0, 5, 0, 0, 0]", "some pay an ante and some do not"),
    ("[10000, 10000,", "[inf, 10000,", "a starting stack is not a number"),
    ("[10000, 10000,", "[0, 10000,", "somebody has no chips to start with"),
    ("[10000, 10000,", "[true, 10000,", "a starting stack is not an amount of chips"),
    ("[10000, 10000,", "[1e300, 10000,", "a starting stack is not between 0 and 1,000,000,000"),
    ("[10000, 10000,", "[0.00001, 10000,", "a starting stack has more than 4 decimal places"),
    ("'p3 f'", "'p4 f'", "'p4 f' is out of turn: it is p3's turn"),
    ("'p3 f'", "'p3 cbr 150'", "'p3 cbr 150' is against the rules: a raise must be to 200..10000, not 150"),
    ("'p3 f'", "'p3 pb'", "the action 'p3 pb': means nothing in hold'em"),
    ("'p3 f'", "'p9 f'", "the action 'p9 f': names player 9, but there are only 6 players"),
    ("'d db 7hKdQh'", "'d db 7hKdQ'", "not a card: 'Q'"),
    ("'d db 7hKdQh'", "'d db AsKdQh'", "the card As occurs twice"),
    ("'d db 5c'", "'d db 5c2d'", "more than five cards are on the board"),
    ("'d db 7hKdQh', ", "", "at 'p1 cbr 1300' 0 cards are on the board, not 3"),
    ("'d db 5c', 'p1 cc', 'p5 cc', 'p1 sm AsJc', 'p5 sm AhTh'", "", "it is incomplete"),
    ("'p1 sm AsJc'", "'p1 sm AsJd'", "'p1 sm AsJd' contradicts the player's earlier cards"),
    ("'p5 sm AhTh'", "'p5 sm AhTh', 'p2 f'", "'p2 f' comes after the end of the hand"),
    ("actions = [", "actions = 7 #", "Expected `array`, got `int` - at `$.actions`"),
    ("hand = 20", "_rules = {wild = 2}", "'_rules': there is no rule 'wild'"),
])  # fmt: skip
def test_bad_hand_is_refused_with_its_fault(text: str, replacement: str, fault: str) -> None:
    assert text in PHH_HAND
    assert fault in fault_of(PHH_HAND.replace(text, replacement))


def test_files_of_another_kind_are_refused() -> None:
    assert "neither the field 'variant'" in fault_of("")
    assert "neither the field 'variant'" in fault_of("title = 'a shopping list'")
    assert "byte 1 is not UTF-8" in fault_of(b"\xff\xd8\xff\xe0 a picture")
    assert "it is a High Noon recording already" in fault_of('{"journal":"high-noon/1","begun":""}')
    poker_888, hand_123 = "***** 888poker Hand History for Game 1 *****", "Hand #123 - Holdem(No Limit) - $1/$2"
    for foreign in (poker_888, hand_123, "entry,at,order\n", "<!doctype html>", "{'ohh': 1}", "\0\0"):
        assert "its format is unknown; these formats can be read: PHH" in fault_of(f"# a comment\n\n{foreign}")
    assert "in English" in fault_of("PokerStars - Mano n.º 2101: Hold'em No Limit ($1/$2 USD)\n")
    assert "it is not valid JSON" in fault_of('{"ohh": {"spec_version": ')


def test_hostile_files_are_refused_quickly() -> None:
    """Without limits, regular expressions would take days. Parsed JSON would take 25 times the memory of its text."""
    long_line = "Seat 1: " + "(1 in chips " * 1_000_000
    assert "too many for one hand" in fault_of(POKERSTARS.replace("away: sits out", long_line))
    seats = "Seat 1: a ($5 in chips)\n" * 3_000
    assert "3003 seats (at most 12)" in fault_of(POKERSTARS.replace("away: sits out", seats))
    empty_lists = '[{"ohh": [' + "[]," * 1_000_000 + "[]]}]"
    assert "longer than the 100,000 characters allowed for a hand" in fault_of(empty_lists)
    dotted_name = ".".join("a" * 40_000)
    for name in (f"{dotted_name} = 1", f"[{dotted_name}]", f"x = {{{dotted_name} = 1}}"):
        assert "a name of more than 6 parts" in fault_of(name)
    for nested in ("x = " + "[" * 90_000, "x = " + "{a = " * 18_000, '{"ohh": ' + "[" * 200_000):
        assert "nested too deeply" in fault_of(nested)
    assert "too many for one hand" in fault_of("[" + " " * 200_000)
    assert "too many" in fault_of(b"#" * (MAX_BYTES + 1))
    assert "more than 12 starting stacks" in fault_of(PHH_HAND.replace("stacks = [", "stacks = [" + "1," * 10_000, 1))
    assert "more than 1,000 actions" in fault_of(PHH_HAND.replace("actions = [", "actions = [" + "'p1 cc'," * 10_000))
    assert "too many for one hand" in fault_of(PHH_HAND + "#" * 100_000)
    assert "more than 50,000 hands" in fault_of("[1]\n" * 50_001)


def test_only_hands_that_cannot_be_shown_are_left_out() -> None:
    bad_hands = (
        PHH_HAND.replace("[50, 100, 0, 0, 0, 0]", "[50, 100, 100, 0, 0, 0]"),  # two big blinds
        PHH_HAND.replace("'NT'", "'PO'"),  # another game
        PHH_HAND.replace("actions = [", "actions = [["),  # not TOML
        PHH_HAND.replace("'p3 f'", "'p3 cbr 150'"),  # a raise against the rules
        f"{PHH_HAND}\n_rules = {{min_raise = 'one_chip'}}",  # other rules
    )
    hands = [PHH_HAND, *(hand for bad_hand in bad_hands for hand in (bad_hand, PHH_HAND))]
    numbered = "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, 1))
    recording = import_hands(f"\ufeff{numbered}".encode())
    assert recording.hands == len(bad_hands) + 1, "only bad hands may be left out, even after a byte order mark"
    skipped = [reason.partition(":")[0] for reason in recording.skipped_hands]
    assert skipped == ["hand 2", "hand 4", "hand 6", "hand 8", "hand 10"]
    assert prove_published(recording.entries).hands == recording.hands


def test_names_are_made_harmless_without_splitting_emojis() -> None:
    (players,) = re.findall(r"players = \[.*\]", PHH_HAND)
    flag, family = "\U0001f3f4\U000e0067\U000e0062\U000e007f Joe", "x" * 26 + "👨‍👩‍👧‍👦"
    for names, shown_names in (
        (("\\u202eevil", "x", "x", "", "<b>", "y"), ["evil", "x", "x (3)", "Player 4", "<b>", "y"]),
        ((flag, family, "z" * 5000, "a", "b", "c"), ["\U0001f3f4 Joe", "x" * 26 + "…", "z" * 29 + "…", "a", "b", "c"]),
    ):
        listed_names = ", ".join(f'"{name}"' for name in names)
        recording = import_hands(PHH_HAND.replace(players, f"players = [{listed_names}]").encode())
        (opened,) = of_kind(recording.entries, TournamentOpened)
        assert [entrant.name for entrant in opened.entrants] == shown_names
        assert prove_published(recording.entries).hands == 1
