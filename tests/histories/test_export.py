"""What we export: pokerkit replays hands of the usual rules to the same stacks, and house rules say that they are."""

import random
import tomllib
from typing import Any

import pytest
from pokerkit import HandHistory

from server.game.contests import CONTESTS
from server.game.events import ActionTaken
from server.game.rules import Rules
from server.histories.importing import import_hands
from server.histories.recorded import Recorded, recorded_hands
from server.histories.text import text_of
from server.histories.unusual import unusual
from server.histories.writing import phh, phhs
from tests.contests import play_contest
from tests.histories.recordings import BEGUN, USUAL, dice_hands, stacks_elsewhere

HANDS = 201
ENTRANTS = {"quick-draw": 12, "enova": 8, "upac": 2, "arena": 12}


def contest_hands(contest: str) -> list[Recorded]:
    return list(recorded_hands(play_contest(1, ENTRANTS[contest], CONTESTS[contest])))


@pytest.mark.parametrize("antes", USUAL)
def test_hands_of_the_usual_rules_replay_in_pokerkit_to_the_same_stacks(antes: str) -> None:
    hands = dice_hands(random.Random(antes), USUAL[antes], HANDS // len(USUAL))
    assert not [reason for hand in hands for reason in unusual(hand)]
    text = "\n".join(f"[{number}]\n{phh(hand, BEGUN)}\n" for number, hand in enumerate(hands, 1))
    assert stacks_elsewhere(text) == [[hand.ended.stacks[seat] for seat in hand.players] for hand in hands]


@pytest.mark.parametrize("contest", CONTESTS)
def test_hands_of_a_contest_are_marked_wherever_pokerkit_refuses_them(contest: str) -> None:
    hands = contest_hands(contest)
    usual = [hand for hand in hands if not unusual(hand)]
    right = [[hand.ended.stacks[seat] for seat in hand.players] for hand in usual]
    assert stacks_elsewhere("\n".join(phhs(usual, BEGUN))) == right
    assert len(usual) < len(hands)


@pytest.mark.parametrize("contest", CONTESTS)
def test_our_own_hands_come_back_as_they_were(contest: str) -> None:
    """But for the deck, which a file cannot prove, and the seats, of which empty ones are left out."""
    hands = [hand for hand in contest_hands(contest) if "somebody left the table" not in "".join(unusual(hand))]
    told = import_hands("\n".join(phhs(hands, BEGUN)).encode())
    assert not told.remarks
    again = list(recorded_hands(told.entries))
    assert [_story(hand) for hand in again] == [_story(hand) for hand in hands]


def _story(hand: Recorded) -> list[Any]:
    number = {seat: player for player, seat in enumerate(hand.players, 1)}
    acts = [
        (number[act.seat], act.act, act.amount, act.bet, act.all_in, act.think_ms, act.fault)
        for act in hand.events
        if isinstance(act, ActionTaken)
    ]
    stacks = [hand.ended.stacks[seat] for seat in hand.players]
    names = [hand.names[seat] for seat in hand.players]
    return [acts, stacks, names, hand.board, len(hand.events)]


def test_the_small_blind_is_player_1_and_keeps_its_seat() -> None:
    hand = next(hand for hand in contest_hands("quick-draw") if len(hand.players) == 6)
    told = fields(hand)
    small = next(event.seat for event in hand.blinds if event.blind == "small")
    assert told["seats"][0] == small + 1
    assert told["players"][0] == hand.names[small]
    assert sorted(told["seats"]) == [1, 2, 3, 4, 5, 6]
    assert told["starting_stacks"][0] == hand.started.stacks[small]


def test_heads_up_the_big_blind_is_player_1() -> None:
    hand = contest_hands("upac")[0]
    big = next(event.seat for event in hand.blinds if event.blind == "big")
    assert fields(hand)["seats"][0] == big + 1


def test_what_the_format_lacks_stands_behind_an_underscore() -> None:
    entries = play_contest(1)
    hands = list(recorded_hands(entries))
    told = [fields(hand) for hand in hands]
    assert {"_contest", "_stage", "_game", "_hand", "_think_ms", "_rules", "_deck_commitment", "_deck_key"} <= {
        *told[0]
    }
    assert told[0]["_deck_key"] == hands[0].ended.deck_key
    faults = [fault for each in told for fault in each.get("_faults", []) if fault]
    assert faults == [act.fault for hand in hands for act in hand.acts if act.fault]
    assert [chat["text"] for each in told for chat in each.get("_chat", [])] == [
        chat.text for hand in hands for chat in hand.chats
    ]
    assert faults
    assert any(hand.chats for hand in hands)


def test_a_name_may_hold_anything_and_the_file_is_still_toml() -> None:
    (hand,) = dice_hands(random.Random(1), Rules(), 1)
    name = 'Tab\t "quoted" \\ \x7f\x1b[2J \u202e Señor 🤠'
    entrants = tuple(type(bot)(bot.bot, name) for bot in hand.opened.entrants)
    opened = type(hand.opened)("practice", name, hand.opened.rules, 5000, entrants, "")
    strange = Recorded(opened, hand.stage, hand.game, 1, 0, hand.events)
    text = phh(strange, BEGUN)
    assert tomllib.loads(text)["players"] == [name] * len(hand.players)
    assert all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")  # of pokerkit's own making
def test_the_text_is_read_by_who_reads_pokerstars() -> None:
    hands = [hand for hand in dice_hands(random.Random(5), USUAL["no ante"], 30) if len(hand.players) > 2]
    for hand in hands:
        (read,) = HandHistory.from_pokerstars(text_of(hand, BEGUN), error_status=True)
        assert read.starting_stacks == [hand.started.stacks[seat] for seat in hand.players]
        assert read.players == [hand.names[seat] for seat in hand.players]
        acts = [action for action in read.actions if action[0] == "p" and " sm" not in action]
        assert len(acts) == len(hand.acts)


def fields(hand: Recorded) -> dict[str, Any]:
    return tomllib.loads(phh(hand, BEGUN))
