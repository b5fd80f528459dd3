"""Computes what is at stake for the bot to act, for each possible outcome of the hand. No I/O.

The bot may play for its place, its rating, the title, or its side of the line. The line is the cut in the standings:
bots above it advance to the next stage. Uses only what has been on air: bets, chips and open cards.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.contest_state import ContestState
from broadcast.odds.play_out import Case, possible_endings
from broadcast.on_air.events import StakesShown
from broadcast.on_air.shared_types import Outcome
from server.game.decisions import IllegalAction
from server.game.events import Event, StageStarted, TurnStarted
from server.game.hand import Hand
from server.game.ratings import rate_game
from server.game.tournament import busted_bots
from server.text.grammar import count_text, ordinal, rating_text

LARGE_CALL = 0.3
"""The stakes are always shown if a call costs at least this fraction of the caller's stack."""
MIN_POT_IN_STACKS = 0.5
"""For a cheaper call, the stakes are shown only if the pot has at least this fraction of an average stack. The outcome
must also decide the bot's place or its side of the line.
"""


class _Standing(Struct, frozen=True):
    """The standing of the acting bot after one possible ending of the hand.

    `places` are the bot's best and worst possible place. They differ only if lots are drawn. `side` is the bot's
    position relative to the line: "above", "below" or "level". It is "out" if the bot is eliminated, and "" if the
    stage has no line. `text` describes the standing. `rival` is the bot whose name follows `text`, or 0. `title` is the
    bot's chance of the title in tenths of a percent, or None.
    """

    places: tuple[int, int]
    side: str
    text: str
    rival: int = 0
    title: int | None = None


def stakes_events(contest: ContestState, event: Event) -> list[Event]:
    """Returns at most one event: what is at stake for the bot to act. `contest` has already applied `event`."""
    hand, stage = contest.hand, contest.stage
    if not isinstance(event, TurnStarted) or hand is None or stage is None or not _may_show_stakes(hand, event):
        return []
    if stage.deals:  # several tables play the same cards, and a bot's place depends on its chips at all of them
        return []
    try:
        cases = {
            case: [_standing_after(contest, stage, hand, each) for each in stacks]
            for case, stacks in possible_endings(hand).items()
        }
    except (IllegalAction, LookupError, ValueError):  # a forged recording is shown without stakes
        return []
    results = {(each.places, each.side) for standings in cases.values() for each in standings}
    if not _is_large(hand, event) and len(results) < 2:
        return []
    outcomes = tuple(_outcome(case, standings) for case, standings in cases.items())
    return [StakesShown(event.seat, outcomes)]


def _may_show_stakes(hand: Hand, turn: TurnStarted) -> bool:
    """Whether the stakes of a turn may be shown. No stakes are shown when the bot posts a blind or can check."""
    if turn.blind or not turn.to_call or turn.seat >= len(hand.seats):
        return False
    stacks = [seat.stack + seat.committed for seat in hand.seats if seat.dealt_in]
    pot = sum(seat.committed for seat in hand.seats) + turn.to_call
    return _is_large(hand, turn) or pot * len(stacks) >= MIN_POT_IN_STACKS * sum(stacks)


def _is_large(hand: Hand, turn: TurnStarted) -> bool:
    return turn.to_call >= LARGE_CALL * hand.seats[turn.seat].stack


def _standing_after(contest: ContestState, stage: StageStarted, hand: Hand, stacks: Sequence[int]) -> _Standing:
    """Returns the standing of the acting bot if the hand ends with `stacks`, which are in seat order."""
    assert hand.turn is not None, "a bot is to act"
    bot, chips = contest.seats[hand.turn.seat], contest.chips(stacks)
    if contest.is_rated:
        return _rated_standing(contest, bot, stacks)
    if not chips[bot]:
        return _eliminated_standing(contest, bot, stacks)
    left = [each for each, stack in chips.items() if stack]
    others = sorted((each for each in left if each != bot), key=lambda each: -chips[each])
    if len(left) <= max(stage.advance, 1):
        return _standing_at_stage_end(stage, bot, chips, others)
    chances = contest.title_chances(chips, hand.number)
    standing = (
        _standing_at_line(stage, bot, chips, others)
        if stage.advance and stage.games
        else _standing_in_chips(bot, chips, others)
    )
    return standing if chances is None else replace(standing, title=chances[bot])


def _rated_standing(contest: ContestState, bot: int, stacks: Sequence[int]) -> _Standing:
    """Returns the bot's rating if the game ends with these stacks."""
    assert contest.opened is not None, "a contest is on"
    assert contest.tournament.game is not None, "a game is on"
    entrants = {entrant.bot: entrant for entrant in contest.opened.entrants}
    rated = next(each for each in rate_game(entrants, contest.tournament.game, stacks) if each.bot == bot)
    bot_chips = stacks[contest.seats.index(bot)]
    place = 1 + sum(stack > bot_chips for stack in stacks)
    change = rated.rating - rated.was
    rating = f"rated {rating_text(rated.rating)} ({'-' if change < 0 else '+'}{rating_text(abs(change))})"
    result = "" if all(stacks) else "wins the game: " if bot_chips else "loses the game: "
    return _Standing((place, place), "", f"{result}{rating}")


def _eliminated_standing(contest: ContestState, bot: int, stacks: Sequence[int]) -> _Standing:
    """Returns the place of an eliminated bot. If several bots with equal stacks are eliminated at once, lots decide."""
    busted = busted_bots(contest.seats, contest.starting_stacks, stacks)
    possible_draws = [
        lambda bots, _, first=first: sorted(bots, key=lambda each: (each == bot) != first) for first in (True, False)
    ]
    places = sorted(dict(contest.tournament.elimination_places(busted, lot))[bot] for lot in possible_draws)
    best, worst = places[0], places[-1]
    return _Standing((best, worst), "out", f"out in {_places_text(best, worst)} place")


def _standing_at_stage_end(stage: StageStarted, bot: int, chips: Mapping[int, int], others: Sequence[int]) -> _Standing:
    """Returns the bot's standing if so few bots are left that the stage, or the game of a series, is over."""
    place = 1 + sum(chips[each] > chips[bot] for each in others)
    if not stage.advance:
        return _Standing((1, 1), "", "wins the game" if stage.series else "wins it all")
    return _Standing((place, place), "above", f"rides on to {stage.next_title or 'High Noon'}")


def _standing_at_line(stage: StageStarted, bot: int, chips: Mapping[int, int], others: Sequence[int]) -> _Standing:
    """Returns the bot's place, and its distance in chips from the line."""
    place, gap = 1 + sum(chips[each] > chips[bot] for each in others), chips[bot] - chips[others[stage.advance - 1]]
    side = "above" if gap > 0 else "below" if gap < 0 else "level"
    where = f"{count_text(abs(gap), 'chip')} {side} the line" if gap else "level at the line"
    return _Standing((place, place), side, f"{ordinal(place)}, {where}")


def _standing_in_chips(bot: int, chips: Mapping[int, int], others: Sequence[int]) -> _Standing:
    """Returns the bot's place, and how many chips it is behind the next better bot. A leader is compared with the
    second bot.
    """
    better = [each for each in others if chips[each] > chips[bot]]
    level = [each for each in others if chips[each] == chips[bot]]
    place = 1 + len(better)
    if level:
        return _Standing((place, place), "", f"{ordinal(place)}, level with", level[0])
    if better:
        return _Standing((place, place), "", f"{ordinal(place)}, {chips[better[-1]] - chips[bot]:,} behind", better[-1])
    return _Standing((1, 1), "", f"1st by {chips[bot] - chips[others[0]]:,}")


def _outcome(case: Case, standings: Sequence[_Standing]) -> Outcome:
    """Sums up the standings after all endings of one `case` (the bot wins, loses, shares a pot or folds)."""
    first, titles = standings[0], {each.title for each in standings}
    title = first.title if len(titles) == 1 else None
    if len({(each.text, each.rival) for each in standings}) == 1:
        return Outcome(case, first.text, first.rival, title)
    best, worst = min(each.places[0] for each in standings), max(each.places[1] for each in standings)
    side = first.side if len({each.side for each in standings}) == 1 else ""
    where = f", {side} the line" if side in ("above", "below") else ""
    places = f"{_places_text(best, worst)}{where}"
    return Outcome(case, f"out in {_places_text(best, worst)} place" if side == "out" else places, 0, title)


def _places_text(best: int, worst: int) -> str:
    """Names a range of places: "3rd", "3rd or 4th", "3rd to 6th"."""
    if best == worst:
        return ordinal(best)
    return f"{ordinal(best)} {'or' if worst == best + 1 else 'to'} {ordinal(worst)}"
