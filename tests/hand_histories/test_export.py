"""Exported hands under the usual rules end with the same stacks in pokerkit. Hands under other rules are marked."""

import random
import tomllib
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from pokerkit import HandHistory

from server.contests import CONTESTS
from server.game.events import ActionTaken, SeatVacated, StreetDealt
from server.game.rules import Rules
from server.hand_histories.from_recording import HandRecord, recorded_hands
from server.hand_histories.import_hands import import_hands
from server.hand_histories.phh_writer import phh_text, phhs_texts
from server.hand_histories.pokerstars_writer import pokerstars_text
from server.hand_histories.rules import unusual_reasons
from tests.hand_histories.recordings import BEGUN, USUAL, dice_hands, stacks_in_pokerkit
from tests.support.bots.misbehaving_bots import Refusing
from tests.support.games.contests import DiceBot, play_contest

HANDS = 201
ENTRANTS = {"quick-draw": 12, "enova": 8, "upac": 2, "arena": 12}
"""The number of bots in each contest whose rules are unusual."""


@cache
def contest_hands(contest: str, kind: type[DiceBot] = DiceBot) -> list[HandRecord]:
    return list(recorded_hands(play_contest(1, ENTRANTS.get(contest, 6), CONTESTS[contest].format, kind=kind)))


def stacks_of(hands: Iterable[HandRecord]) -> list[list[int]]:
    return [[hand.ended.stacks[seat] for seat in hand.dealt_seats] for hand in hands]


@pytest.mark.parametrize("antes", USUAL)
def test_pokerkit_computes_the_same_final_stacks_for_hands_under_the_usual_rules(antes: str) -> None:
    hands = dice_hands(random.Random(antes), USUAL[antes], HANDS // len(USUAL))
    assert not [reason for hand in hands for reason in unusual_reasons(hand)]
    text = "\n".join(f"[{number}]\n{phh_text(hand, BEGUN)}\n" for number, hand in enumerate(hands, 1))
    assert stacks_in_pokerkit(text) == stacks_of(hands)


@pytest.mark.parametrize("contest", CONTESTS)
def test_hands_of_a_contest_are_marked_if_pokerkit_refuses_them(contest: str) -> None:
    hands = contest_hands(contest)
    usual = [hand for hand in hands if not unusual_reasons(hand)]
    assert stacks_in_pokerkit("\n".join(phhs_texts(usual, BEGUN))) == stacks_of(usual)
    assert len(usual) < len(hands) or contest not in ENTRANTS


def test_hands_in_which_a_bot_refuses_a_blind_are_marked() -> None:
    """In pokerkit, some of these hands end with other stacks, without an error."""
    hands = contest_hands("enova", Refusing)
    left = [hand for hand in hands if any(isinstance(event, SeatVacated) for event in hand.events)]
    (reason,) = {unusual_reasons(hand)[0] for hand in left}
    assert reason == "somebody left the table because of a blind that was not posted"


@pytest.mark.parametrize("contest", CONTESTS)
def test_an_exported_hand_is_imported_unchanged(contest: str) -> None:
    """Only two things may differ: the deck, which a file cannot prove, and empty seats, which a file omits."""
    hands = [hand for hand in contest_hands(contest) if "somebody left the table" not in "".join(unusual_reasons(hand))]
    imported = import_hands("\n".join(phhs_texts(hands, BEGUN)).encode())
    assert not imported.remarks
    again = list(recorded_hands(imported.entries))
    assert [_story(hand) for hand in again] == [_story(hand) for hand in hands]


def _story(hand: HandRecord) -> list[Any]:
    number = {seat: player for player, seat in enumerate(hand.dealt_seats, 1)}
    acts = [
        (number[act.seat], act.act, act.amount, act.bet, act.all_in, act.think_ms, act.fault)
        for act in hand.events
        if isinstance(act, ActionTaken)
    ]
    names = [hand.names[seat] for seat in hand.dealt_seats]
    board = [event.cards for event in hand.events if isinstance(event, StreetDealt)]
    return [acts, *stacks_of([hand]), names, board, len(hand.events)]


def test_our_own_fields_begin_with_an_underscore() -> None:
    hands = list(recorded_hands(play_contest(1)))
    written = [tomllib.loads(phh_text(hand, BEGUN)) for hand in hands]
    assert {"_contest", "_stage", "_game", "_hand", "_think_ms", "_rules", "_deck_commitment"} <= {*written[0]}
    assert written[0]["_deck_key"] == hands[0].ended.deck_key
    chats = [chat.text for hand in hands for chat in hand.chats]
    assert [chat["text"] for each in written for chat in each.get("_chat", [])] == chats
    assert chats


def hand_of_bots_named(name: str, title: str = "By dice") -> HandRecord:
    (hand,) = dice_hands(random.Random(1), Rules(), 1)
    entrants = tuple(replace(bot, name=name) for bot in hand.opened.entrants)
    return replace(hand, opened=replace(hand.opened, title=title, entrants=entrants))


def test_exported_files_are_valid_and_printable_whatever_a_name_contains() -> None:
    name = 'Tab\t "quoted" \\ \x7f\x1b[2J \u202e Señor 🤠'
    hand = hand_of_bots_named(name, title=name)
    text = phh_text(hand, BEGUN)
    assert tomllib.loads(text)["players"] == [name] * len(hand.dealt_seats)
    assert all(char.isprintable() or char == "\n" for char in text)
    text = pokerstars_text(hand_of_bots_named("Tab\t \x1b[2J\n\u202e \x9b Señor"), BEGUN)
    assert "Seat 1: Tab__?[2J_?_?_Señor (" in text
    assert all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")  # pokerkit itself writes that field
@pytest.mark.parametrize("contest", CONTESTS)
def test_pokerkit_reads_the_text_of_usual_hands_as_pokerstars_text(contest: str) -> None:
    for hand in [hand for hand in contest_hands(contest) if not unusual_reasons(hand)]:
        (read,) = HandHistory.from_pokerstars(pokerstars_text(hand, BEGUN), error_status=True)
        stacks = dict(zip(read.players or (), read.starting_stacks, strict=True))
        names = {seat: name.replace(" ", "_") for seat, name in hand.names.items()}
        assert stacks == {names[seat]: hand.started.stacks[seat] for seat in hand.dealt_seats}
        acts = [action for action in read.actions if action[0] == "p" and " sm" not in action]
        assert len(acts) == len(hand.acts)


@pytest.mark.parametrize(
    ("begun", "written"),
    [
        ("2026-06-22T20:00:00.000+00:00", "2026/06/22 20:00:00 UTC [2026/06/22 16:00:00 ET]"),
        ("2026-12-22T03:00:00.000+00:00", "2026/12/22 3:00:00 UTC [2026/12/21 22:00:00 ET]"),
        ("2026-03-08T07:00:00.000+00:00", "2026/03/08 7:00:00 UTC [2026/03/08 3:00:00 ET]"),
        ("2026-11-01T05:59:59.000+00:00", "2026/11/01 5:59:59 UTC [2026/11/01 1:59:59 ET]"),
        ("2026-06-22T22:00:00.000+02:00", "2026/06/22 20:00:00 UTC [2026/06/22 16:00:00 ET]"),
        ("", "1970/01/01 0:00:00 UTC [1969/12/31 19:00:00 ET]"),
    ],
)
def test_the_heading_also_has_the_time_in_new_york(begun: str, written: str) -> None:
    (hand,) = dice_hands(random.Random(1), Rules(), 1)
    assert pokerstars_text(replace(hand, at_ms=0), begun).partition("\n")[0].endswith(f" - {written}")
