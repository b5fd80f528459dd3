"""Published hands, replayed: every recorded action must be the next seat's and legal, and every stack must come out.

Eight of them end in half chips, which no table has: all amounts are doubled, so that half chips are whole ones.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from server.game.cards import Card, parse_cards
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.rules import Level, Rules
from tests.game.table import Table, stacked_deck

HANDS = sorted((Path(__file__).parents[1] / "data" / "phh").glob("*.phh"))
BIG_BLIND_PAYS = "the big blind pays the ante for everybody, which none of our contests knows"


@pytest.mark.parametrize("path", HANDS, ids=lambda path: path.stem)
def test_a_published_hand_ends_in_the_published_stacks(path: Path) -> None:
    published = tomllib.loads(path.read_text())
    if reason := beyond_us(published):
        pytest.skip(reason)
    assert replay(published).stacks == [2 * stack for stack in finishing_stacks(published)]


def test_all_but_11_of_201_published_hands_can_be_played() -> None:
    reasons = [beyond_us(tomllib.loads(path.read_text())) for path in HANDS]
    assert (len(HANDS), reasons.count(""), reasons.count(BIG_BLIND_PAYS)) == (201, 190, 11)


def beyond_us(published: dict[str, Any]) -> str:
    """Why our rules cannot play this hand; "" if they can."""
    antes, (_, big, *straddles) = published["antes"], published["blinds_or_straddles"]
    if len(set(antes)) > 1:
        return BIG_BLIND_PAYS
    if any(straddles) or published["min_bet"] != big:
        return "there is a straddle, or a bet that is not the big blind"
    return ""


def finishing_stacks(published: dict[str, Any]) -> list[float]:
    """As published, or, for the one hand without, what its story tells: Dwan wins all that he and Ivey put in."""
    if published.get("event") == "Full Tilt Million Dollar Cash Game S4E12":
        return [1125600 - 553500, 2000000 - 2500, 2 * 553500 + 2500]
    stacks: list[float] = published["finishing_stacks"]
    return stacks


def replay(published: dict[str, Any]) -> Table:
    """The hand as its actions went, with every amount doubled. Player 1 has the small blind."""
    stacks = [2 * stack for stack in published["starting_stacks"]]
    small, big, *_ = published["blinds_or_straddles"]
    rules = Rules(levels=(Level(2 * small, 2 * big, 2 * published["antes"][0]),))
    button = len(stacks) - 1
    table = Table(rules, 1, button, stacks, stacked_deck(button, stacks, *dealt(published, len(stacks))))
    for action in published["actions"]:
        match action.split():
            case ["d", _, *_] | [_, "sm", *_]:
                continue
            case [player, verb, *amount]:
                assert table.turn.seat == int(player.removeprefix("p")) - 1
                table.take(decision(verb, amount))
    assert table.hand.over
    return table


def dealt(published: dict[str, Any], players: int) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Hole cards by seat, () where they were never seen, and the board."""
    holes: list[tuple[Card, ...]] = [()] * players
    board = ""
    for action in published["actions"]:
        match action.split():
            case ["d", "dh", player, cards] if "?" not in cards:
                holes[int(player.removeprefix("p")) - 1] = parse_cards(cards)
            case ["d", "db", cards]:
                board += cards
    return holes, parse_cards(board)


def decision(verb: str, amount: list[str]) -> Decision:
    match verb:
        case "f":
            return Fold()
        case "cc":
            return Call()
        case "cbr":
            return RaiseTo(2 * int(amount[0]))
    raise ValueError(f"no action is called {verb!r}")
