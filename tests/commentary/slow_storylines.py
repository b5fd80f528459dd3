"""A slow, independent check of a storyline: it reads the sentence and goes through all events."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from server.game.events import (
    ActionTaken,
    BotEliminated,
    Event,
    GameStarted,
    HandEnded,
    HandShown,
    HandStarted,
    PotAwarded,
    StageStarted,
    StreetDealt,
    TournamentOpened,
)


class Hand(Struct):
    """One hand of the journal; its tables are keyed by bot."""

    game: int
    number: int
    began: dict[int, int]
    won: dict[int, int] = {}
    shown: dict[int, str] = {}
    folded: set[int] = set()
    bettor: int = 0
    thoughts: list[tuple[int, int]] = []
    ended: dict[int, int] = {}
    key: str = ""

    def beat(self, one: int, other: int) -> bool:
        """Whether both bots were at the showdown and only the first won chips."""
        both = {one, other} <= {*self.shown} - self.folded
        return both and bool(self.won.get(one)) and not self.won.get(other)


def hands_in(events: Sequence[Event]) -> Iterator[Hand]:
    """The finished hands, in order."""
    seats: tuple[int, ...] = ()
    game, hand, street = 0, Hand(0, 0, {}), ""
    for event in events:
        match event:
            case GameStarted():
                seats, game = event.seats, event.game
            case HandStarted():
                began = {bot: stack for bot, stack in zip(seats, event.stacks, strict=True) if stack}
                hand, street = Hand(game, event.hand, began, {}, {}, set(), 0, [], {}), ""
            case StreetDealt():
                street = event.street
            case ActionTaken():
                _record(hand, event, seats[event.seat], street)
            case HandShown() if event.ranking:
                hand.shown[seats[event.seat]] = event.ranking
            case PotAwarded():
                for award in event.awards:
                    hand.won[seats[award.seat]] = hand.won.get(seats[award.seat], 0) + award.amount
            case HandEnded():
                hand.ended, hand.key = dict(zip(seats, event.stacks, strict=True)), event.deck_key
                yield hand
            case _:
                pass


def _record(hand: Hand, event: ActionTaken, bot: int, street: str) -> None:
    if event.act == "fold":
        hand.folded.add(bot)
    if event.act in ("bet", "raise") and street == "river":
        hand.bettor = bot
    if not event.fault:
        hand.thoughts.append((event.think_ms, bot))


class Evening:
    """Everything that has happened so far, and the bots' names as sentences use them."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.hands = [*hands_in(events)]
        opened = events[0]
        assert isinstance(opened, TournamentOpened)
        self.numbers = {entrant.name: entrant.bot for entrant in opened.entrants}
        self.starting_stack = opened.starting_stack

    def of(self, bot: int) -> list[Hand]:
        """The hands that the bot was dealt."""
        return [hand for hand in self.hands if bot in hand.began]

    def is_true(self, text: str) -> bool:
        """Whether a storyline is true now. Raises AssertionError for a sentence that is not a storyline."""
        for pattern, holds in _SENTENCES.items():
            if found := re.fullmatch(pattern, text):
                return holds(self, *(self._word(word) for word in found.groups()))
        raise AssertionError(f"not a storyline: {text}")

    def _word(self, word: str) -> int:
        return self.numbers[word] if word in self.numbers else int(word.replace(",", "").replace(".", ""))


def _tail(hands: Sequence[Hand], holds: Callable[[Hand], bool]) -> int:
    """How many of the latest hands in a row satisfy `holds`."""
    count = 0
    for hand in reversed(hands):
        if not holds(hand):
            break
        count += 1
    return count


def _drought(evening: Evening, bot: int, many: int) -> bool:
    return many == _tail(evening.of(bot), lambda hand: not hand.won.get(bot)) >= 12


def _streak(evening: Evening, bot: int, many: int) -> bool:
    return many == _tail(evening.of(bot), lambda hand: bool(hand.won.get(bot))) >= 3


def _biggest(evening: Evening, bot: int, chips: int) -> bool:
    before = [won for hand in evening.hands[:-1] for won in hand.won.values()]
    return evening.hands[-1].won.get(bot) == chips and chips > max(before, default=0)


def _longest(evening: Evening, bot: int, tenths: int) -> bool:
    before = [ms for hand in evening.hands[:-1] for ms, _ in hand.thoughts]
    mine = max(ms for ms, who in evening.hands[-1].thoughts if who == bot)
    most = max(ms for ms, _ in evening.hands[-1].thoughts)
    return f"{mine / 1000:.1f}" == f"{tenths / 10:.1f}" and mine == most > max(before, default=0)


def _nemesis(evening: Evening, one: int, other: int, won: int) -> bool:
    beaten = sum(hand.beat(one, other) for hand in evening.hands)
    return beaten == won >= 3 and not any(hand.beat(other, one) for hand in evening.hands)


def _head_to_head(evening: Evening, one: int, won: int, met: int, other: int) -> bool:
    mine, its = (sum(hand.beat(*pair) for hand in evening.hands) for pair in ((one, other), (other, one)))
    return mine == won >= its and mine + its == met >= 4


def _first_meeting(evening: Evening, one: int, other: int) -> bool:
    games = [event.seats for event in evening.events if isinstance(event, GameStarted)]
    return {one, other} <= {*games[-1]} and not any({one, other} <= {*seats} for seats in games[:-1])


def _caught(evening: Evening, bot: int, times: int) -> bool:
    found = [
        hand
        for hand in evening.hands
        if hand.bettor == bot and hand.shown.get(bot, "").startswith("high card") and not hand.won.get(bot)
        if bot not in hand.folded
    ]
    return len(found) == times >= 2


def _comeback(evening: Evening, bot: int, low: int, now: int) -> bool:
    events = _stage(evening)
    since = [hand.ended[bot] for hand in hands_in(events) if hand.ended.get(bot)]
    gone = {event.bot for event in events if isinstance(event, BotEliminated)}
    stack = evening.of(bot)[-1].ended[bot]
    return (
        stack == now >= evening.starting_stack and min(since) == low <= evening.starting_stack / 5 and bot not in gone
    )


def _stage(evening: Evening) -> Sequence[Event]:
    """The events since the stage started or, in a series, since the current game started."""
    stages = [at for at, event in enumerate(evening.events) if isinstance(event, StageStarted)]
    games = [at for at, event in enumerate(evening.events) if isinstance(event, GameStarted)]
    stage = evening.events[stages[-1]]
    return evening.events[games[-1] if isinstance(stage, StageStarted) and stage.series else stages[-1] :]


def _stacks(evening: Evening) -> list[tuple[Hand, dict[int, int]]]:
    """Each hand of the stage, with every bot's stack after it."""
    events = _stage(evening)
    first = events[0]
    assert isinstance(first, StageStarted | GameStarted)
    chips = dict(zip(first.bots if isinstance(first, StageStarted) else first.seats, first.stacks, strict=True))
    found = []
    for hand in hands_in(evening.events):
        if any(isinstance(event, HandEnded) and event.deck_key == hand.key for event in events):
            chips = {**chips, **hand.ended}
            found.append((hand, chips))
    return found


def _alone(chips: dict[int, int]) -> int:
    best = [bot for bot, each in chips.items() if each == max(chips.values())]
    return best[0] if len(best) == 1 else 0


def _leaders(evening: Evening) -> list[int]:
    return [_alone(chips) for _, chips in _stacks(evening)]


def _out(evening: Evening, bot: int, place: int) -> bool:
    return any(
        isinstance(event, BotEliminated) and (event.bot, event.place) == (bot, place) for event in evening.events
    )


def _out_by(evening: Evening, by: int, bot: int, place: int) -> bool:
    last = evening.of(bot)[-1]
    return _out(evening, bot, place) and not last.ended[bot] and [*last.won] == [by]


def _lead_taken(evening: Evening, bot: int, other: int, chips: int) -> bool:
    *before, now = _leaders(evening)
    led = [leader for leader in before if leader]
    return now == bot != other == led[-1] and _stacks(evening)[-1][1][bot] == chips


def _has_led(evening: Evening, bot: int, hands: int, chips: int) -> bool:
    leaders = _leaders(evening)
    since = next((at for at, leader in enumerate(reversed(leaders)) if leader != bot), len(leaders))
    return since == hands and _stacks(evening)[-1][1][bot] == chips


def _changes(evening: Evening, times: int, bot: int) -> bool:
    led = [leader for leader in _leaders(evening) if leader]
    return led[-1] == bot and times == sum(one != other for one, other in pairwise(led))


def _ahead(evening: Evening, bot: int, chips: int, other: int) -> bool:
    first, second, *_ = sorted(_stacks(evening)[-1][1].items(), key=lambda item: -item[1])
    return (first[0], second[0], first[1] - second[1]) == (bot, other, chips)


def _fewest(evening: Evening, bot: int, chips: int, tenths: int | None = None) -> bool:
    left = {each: stack for each, stack in _stacks(evening)[-1][1].items() if stack}
    blind = [event.big_blind for event in evening.events if isinstance(event, HandStarted)][-1]
    rounded = chips >= 1000 * blind if tenths is None else f"{chips / blind:.1f}" == f"{tenths / 10:.1f}"
    return rounded and left[bot] == chips == min(left.values()) and [*left.values()].count(chips) == 1


def _still_most(evening: Evening, chips: int, bot: int) -> bool:
    return chips == max(max(hand.won.values(), default=0) for hand in evening.hands) and any(
        hand.won.get(bot) == chips for hand in evening.hands[:-1]
    )


def _most_pots(evening: Evening, bot: int, many: int) -> bool:
    counts = Counter(each for hand in evening.hands for each, won in hand.won.items() if won)
    return counts[bot] == many and [*counts.values()].count(many) == 1 and many == max(counts.values())


_SENTENCES: dict[str, Callable[..., bool]] = {
    r"(.+) has not won a pot in (\d+) hands\.": _drought,
    r"(.+) has won a pot in each of its last (\d+) hands\.": _streak,
    r"(.+) has just won ([\d,]+), the most in one hand tonight\.": _biggest,
    r"(.+) thought for (\d+\.\d) seconds, the longest tonight\.": _longest,
    r"(.+) has beaten (.+) in all (\d+) of their showdowns\.": _nemesis,
    r"(.+) has won (\d+) of (\d+) showdowns against (.+)\.": _head_to_head,
    r"(.+) and (.+) share a table for the first time tonight\.": _first_meeting,
    r"(.+) has been caught bluffing (\d+) times tonight\.": _caught,
    r"(.+) took the last chips of (.+), who is out(?: of this game)? in (\d+)\w\w place\.": _out_by,
    r"(.+) is out(?: of this game)? in (\d+)\w\w place\.": _out,
    r"(.+) has taken the lead from (.+), with ([\d,]+) chips\.": _lead_taken,
    r"(.+) has led for (\d+) hands, with ([\d,]+) chips now\.": _has_led,
    r"(.+) has led for a hand, with ([\d,]+) chips now\.": lambda evening, bot, chips: _has_led(evening, bot, 1, chips),
    r"The lead has changed (\d+) times, the last time to (.+)\.": _changes,
    r"(.+) is ([\d,]+) chips ahead of (.+) in second place\.": _ahead,
    r"(.+) has the fewest chips: ([\d,]+), which are (\d+\.\d) big blinds\.": _fewest,
    r"(.+) has the fewest chips: ([\d,]+)\.": _fewest,
    r"The most won in one hand tonight are still the ([\d,]+) of (.+)\.": _still_most,
    r"(.+) has won a pot in (\d+) hands tonight, more than anybody else\.": _most_pots,
    r"(.+) was down to ([\d,]+) chips, and has ([\d,]+) now\.": _comeback,
}
