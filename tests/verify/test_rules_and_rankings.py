"""The browser's prover plays by whatever rules a recording announces, and ranks hands as the engine does."""

import random
from itertools import pairwise

import pytest
from msgspec.structs import replace

from server.game.cards import DECK
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.ranking import best_five, ranking_name, strength
from server.game.rules import Level, Rules
from server.game.tournament import Contest
from server.game.view import View
from server.verify.recording import Proof, verify
from tests.support.contests import DiceBot, play_contest
from tests.support.in_node import Node
from tests.support.recordings import SMALL
from tests.verify.in_javascript import Prover

BLINDS = ((1, 2), (5, 10), (50, 100), (25, 51), (10, 10), (1, 100))
_RANK = """async (hands, load) => {
  const { rankingOf } = await load("/static/js/verify/rules/ranking.js");
  return hands.map((cards) => rankingOf(cards));
}"""


class Reckless(DiceBot):
    """Often all-in, rarely folding: side pots and odd chips come of it."""

    def _decide(self, view: View) -> Decision:
        turn, dice = view.hand.turn, self._dice
        assert turn is not None, "it is asked when it is its turn"
        if turn.blind:
            return Fold() if dice.random() < 0.05 else PostBlind(turn.to_call)
        if turn.max_raise_to and dice.random() < 0.35:
            return RaiseTo(dice.choice([turn.min_raise_to, turn.max_raise_to]))
        return Fold() if turn.to_call and dice.random() < 0.2 else Call()


def contest_of(dice: random.Random) -> Contest:
    """A contest by rules that nobody plays by."""
    pick = dice.choice
    rules = Rules(
        levels=tuple(Level(*pick(BLINDS), pick((0, 0, 1, 7, 30))) for _ in range(pick((1, 2, 3)))),
        hands_per_level=pick((0, 1, 2)),
        later_streets_from=pick(("button", "big_blind")),
        heads_up_button_posts=pick(("small", "big")),
        blinds=pick(("posted", "posted", "asked")),
        ante_from=pick(("everyone", "big_blind")),
        min_raise=pick(("last_raise", "one_chip")),
        raise_laps=pick((0, 1, 2, 5)),
        raise_out_of_range=pick(("refuse", "refuse_low", "clamp")),
        bet_cap=pick(("stack", "stack", "shortest_stack")),
        odd_chips=pick(("first_in_order", "last_in_order")),
        show=pick(("all", "showdown", "winners", "loser_if_aggressor")),
    )
    rules = replace(rules, ask_when_all_in=rules.blinds == "posted" and pick((False, True)))
    trials, final = SMALL.stages
    stages = (
        replace(trials, games=2, hands=4, seats=pick((2, 3, 6, 9, 12)), even=pick((False, True))),
        replace(final, hands=6, carry=pick((False, True))),
    )
    return replace(SMALL, rules=rules, starting_stack=pick((7, 100, 333, 1001)), stages=stages)


def counted(proof: Proof) -> dict[str, int]:
    """What the server counted, as the page names it; what there is nothing of is left out."""
    play = proof.play
    counts = {
        "entries": proof.entries, "decks": proof.hands, "cards": play.cards, "decisions": play.decisions,
        "hands": proof.hands, "showdowns": play.showdowns, "draws": proof.draws, "lots": proof.lots, "out": proof.out,
        "places": len(proof.placings), "prizes": sum(each.prize_cents > 0 for each in proof.placings),
    }  # fmt: skip
    return {of: count for of, count in counts.items() if count}


def test_contests_by_any_rules_are_proved_with_the_same_counts(prover: Prover) -> None:
    sides = odd = 0
    for number in range(16):
        dice = random.Random(f"rules {number}")
        entries = play_contest(number, dice.choice((3, 7, 12)), contest_of(dice), kind=Reckless)
        proof, verdict = verify(entries), prover.entries(entries)
        assert verdict["holds"], (number, verdict["where"], verdict["fault"])
        assert {claim["of"]: claim["count"] for claim in verdict["claims"]} == counted(proof)
        sides, odd = sides + proof.play.sides, odd + proof.play.odd
    assert min(sides, odd) > 2, "there was something to divide"


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_hands_are_ranked_named_and_picked_alike(cards: int, node: Node) -> None:
    dice = random.Random(cards)
    hands = [dice.sample(DECK[:24] if number % 2 else DECK, cards) for number in range(4000)]
    rankings = node.evaluate(_RANK, hands)
    for hand, theirs in zip(hands, rankings, strict=True):
        assert (theirs["name"], theirs["best"]) == (ranking_name(strength(hand)), list(best_five(hand)))
    by_ours = sorted(range(len(hands)), key=lambda at: strength(hands[at]))
    for lower, higher in pairwise(by_ours):
        equal = strength(hands[lower]) == strength(hands[higher])
        assert equal is (rankings[lower]["score"] == rankings[higher]["score"])
        assert rankings[lower]["score"] <= rankings[higher]["score"]
    assert len({theirs["name"].split(",")[0] for theirs in rankings}) > 15
