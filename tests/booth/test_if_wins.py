"""What the pot on air means for each bot that can win it, from the chips that viewers see."""

from broadcast.booth.if_wins import IfWins, if_wins
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from server.game.events import HandEnded, TurnStarted
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.house_contests import play_house_contest


def before_the_call(acts: str, stacks: tuple[int, ...], advance: int = 0) -> list[IfWins]:
    """What follows at the last turn of a hand."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=1 if not advance else 15, advance=advance)
    script.game(tuple(range(1, len(stacks) + 1)), stacks).hand(acts)
    state, found = State(), list[IfWins]()
    for entry in script.entries:
        state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
        if isinstance(entry.event, TurnStarted):
            found = if_wins(state)
    return found


ALL_IN = "raise:1000 raise:3000 call"


def test_each_bot_that_can_win_has_its_place_and_who_would_be_out() -> None:
    doc, bayes = "2nd, 800 behind Calamity Bayes; Billy the Kid is out", "5,200 chips"
    billy = "2nd, 2,800 behind Calamity Bayes"
    assert [each.text for each in before_the_call(ALL_IN, (1000, 3000, 5000))] == [billy, doc, bayes], (
        "Calamity Bayes has put in 100, and somebody else would win the rest"
    )
    assert before_the_call(ALL_IN, (1000, 3000, 5000), advance=2)[0].text == f"{billy}, 100 above the line"


def test_every_claim_comes_true_if_nobody_bets_any_more() -> None:
    """At the last turn of a hand that is called, the winner's stack is what was said."""
    state, said, checked = State(), list[IfWins](), 0
    for entry in play_house_contest("arena", 3, 6):
        before = state
        state = reduce(state, entry.seq, entry.at_ms, 0, entry.event)
        if state.hand and not state.hand.over and not state.awards:
            said = if_wins(state)
        if isinstance(entry.event, HandEnded) and said:
            winners = [at for at, seat in enumerate(before.seats) if seat.won]
            text = next((each.text for each in said if winners == [each.seat]), "")
            stacks = {seat.bot: seat.stack for seat in state.seats}
            if text.startswith("1st by"):
                mine = stacks.pop(state.seats[winners[0]].bot)
                assert int(text.split(";")[0].removeprefix("1st by ").replace(",", "")) == mine - max(stacks.values())
                checked += 1
            elif "behind" in text:
                mine = stacks[state.seats[winners[0]].bot]
                gap = int(text.partition(", ")[2].split(" behind")[0].replace(",", ""))
                assert mine + gap in stacks.values()
                checked += 1
    assert checked > 20
