"""Compares pairs of shows that are identical up to some card: what does each publish before that card is on air?

Both play the same decisions. From a random card of the second hand on, hole cards, board and thoughts differ. The real
publisher writes to a folder whenever an index is due, and between the last common card and the first different one, a
real studio answers once with all live pages, segments and the API. A hand's pace on air depends on how dramatic it will
be, and so does which thoughts there is time for; so pairs that differ in pace are left out. Nothing else may differ.
"""

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from msgspec import Struct
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.events import OnAirEntry, ThoughtShown
from broadcast.on_air.picture_state import State
from broadcast.publish.live_files import EVERY_SECONDS
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.showrunner import Showrunner
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand, take_turn
from server.game.cards import Card, Deck
from server.game.decisions import Decision
from server.game.events import ActionTaken, Event, GameStarted, HandStarted, HoleDealt, NoteGiven, StreetDealt
from server.journal.journal import Entry
from tests.game.random_hands import random_decision, random_deck
from tests.support.published import files_in
from tests.support.recordings import one_by_one, small_contest

EPOCH = "0" * 16
WORLD = 1_000_000.0
"""The time when a show begins, in Unix seconds."""
LATEST = 4
"""The pages are read at a random event after the last common card, at the latest at the event with this number."""
SEATS, STACK = (2, 4), 5000
"""The fewest and the most seats. More would prove nothing new, and their chances take long to compute."""
MEMORY = Path("/dev/shm")  # noqa: S108  each pair has a new folder there
"""If this folder exists, the shows' files are stored in memory."""
Files = dict[str, bytes]
"""All files at a destination, by path."""


class Pair(Struct, frozen=True):
    """The events of two shows that are identical on air until deal number `deals` of hole cards or a street."""

    one: list[Event]
    other: list[Event]
    deals: int


class Shown(Struct, frozen=True):
    """What was visible before the card: the events on air, their times, and the files and answers at each moment."""

    events: list[Event]
    times: list[tuple[int, int]]
    files: list[Files]


class Tried(Struct, frozen=True):
    """The number of pairs and of moments compared, what differed, and how many pairs were left out for their pace."""

    pairs: int
    moments: int
    differing: list[str]
    other_pace: int


def differences(dice: random.Random, pairs: int) -> Tried:
    differing: list[str] = []
    moments = compared = other_pace = 0
    while compared < pairs:
        one, other = _run_both(random_pair(dice), dice.uniform(0, EVERY_SECONDS), dice.randint(1, LATEST))
        if one.times != other.times:
            other_pace += 1
            continue
        if one.events != other.events:
            differing.append(f"pair {compared + 1}, on air")
        compared += 1
        moments += len(one.files)
        differing += [f"pair {compared}, {path}" for path in _differing_paths(one.files, other.files)]
    return Tried(pairs, moments, differing, other_pace)


def random_pair(dice: random.Random) -> Pair:
    """Two shows of two hands; their cards differ from a random moment of the second hand on."""
    while True:
        stacks = [STACK] * dice.randint(*SEATS)
        first, _, left = _play_hand(dice, 1, stacks, random_deck(dice))
        if not all(left):  # the game might be over
            continue
        deck = random_deck(dice)
        second, decisions, _ = _play_hand(dice, 2, left, deck)
        dealt = _cards(second)
        kept = dice.randrange(len(dealt))
        other = _reshuffled(dice, deck, {card for cards in dealt[:kept] for card in cards})
        changed, _, _ = _play_hand(dice, 2, left, other, decisions)
        if _cards(changed)[kept] != dealt[kept]:
            opened = _opened(len(stacks))
            before = [*opened, *_with_thoughts(opened, first, len(dealt))]
            one, two = (
                _with_thoughts(opened, hand, kept, word) for hand, word in ((second, "odds"), (changed, "outs"))
            )
            return Pair([*before, *one], [*before, *two], len(_cards(first)) + kept)


def _with_thoughts(opened: Sequence[Event], hand: Sequence[Event], kept: int, word: str = "") -> list[Event]:
    """Returns a hand with a note on every action. Notes that come after more than `kept` deals contain `word`."""
    game, deals, notes = opened[-1], 0, list[NoteGiven]()
    assert isinstance(game, GameStarted)
    for event in hand:
        deals += isinstance(event, HoleDealt | StreetDealt)
        if isinstance(event, ActionTaken):
            number = len(notes) + 1
            text = f"Act {number} makes sense because I have two pair" + f" and the {word}." * (deals > kept)
            notes.append(NoteGiven(game.seats[event.seat], number, text))
    return [*hand, *notes]


def _run_both(pair: Pair, phase: float, asked: int) -> tuple[Shown, Shown]:
    """Runs both shows; the first index is due after `phase` seconds.

    The studio is asked for its pages when event number `asked` after the last common card is on screen, if there is
    one.
    """
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        one, other = (
            asyncio.run(_run_show(Path(name, str(at)), events, pair.deals, phase, asked))
            for at, events in enumerate((pair.one, pair.other))
        )
    return one, other


def _differing_paths(one: Sequence[Files], other: Sequence[Files]) -> list[str]:
    """The paths of files that differ at any moment, or exist only in one show."""
    each = zip_longest(one, other, fillvalue=Files())
    return sorted({path for mine, theirs in each for path, _ in mine.items() ^ theirs.items()})


@cache
def _opened(seats: int) -> tuple[Event, ...]:
    """The events before the first hand of a game with this many seats."""
    events = [entry.event for entry in small_contest()]
    before = events[: next(at for at, event in enumerate(events) if isinstance(event, HandStarted))]
    game = before[-1]
    assert isinstance(game, GameStarted)
    return (*before[:-1], replace(game, seats=game.seats[:seats], stacks=game.stacks[:seats]))


def _play_hand(
    dice: random.Random, number: int, stacks: Sequence[int], deck: Deck, decisions: Sequence[Decision] | None = None
) -> tuple[list[Event], list[Decision], list[int]]:
    """Plays a hand, with random decisions if none are given; returns its events, decisions and final stacks."""
    hand, events = start_hand(QUICK_DRAW, number, number % len(stacks), list(stacks), deck)
    taken: list[Decision] = []
    while not hand.over:
        decision = decisions[len(taken)] if decisions else random_decision(dice, hand)
        taken.append(decision)
        hand, more = take_turn(hand, decision)
        events += more
    return events, taken, [seat.stack for seat in hand.seats]


def _cards(events: Sequence[Event]) -> list[tuple[Card, ...]]:
    return [event.cards for event in events if isinstance(event, HoleDealt | StreetDealt)]


def _reshuffled(dice: random.Random, deck: Deck, seen: set[Card]) -> Deck:
    """A deck with the `seen` cards in place, and the others shuffled."""
    unseen = [card for card in deck.cards if card not in seen]
    rest = iter(dice.sample(unseen, len(unseen)))
    return Deck(tuple(card if card in seen else next(rest) for card in deck.cards))


async def _run_show(folder: Path, events: Sequence[Event], deals: int, phase: float, asked: int) -> Shown:
    """Runs and publishes a show up to the card after deal number `deals`."""
    odds, now, due = OddsCalculator(), 0.0, phase
    studio = Studio(folder / "media", lambda: now, world=lambda: WORLD + now)
    air, live = studio.open_channel("main", 1.0, "Friday"), studio.live("main")
    air.epoch = live.epoch = EPOCH
    publisher = LivePublisher(str(folder / "published"), live, "friday", clock=lambda: now, world=lambda: WORLD + now)
    shown = Shown([], [], [])
    dealt = held = 0

    def record(entry: OnAirEntry, _: State, __: State) -> None:
        nonlocal dealt
        dealt += isinstance(entry.event, HoleDealt | StreetDealt)
        if dealt <= deals:
            shown.events.append(entry.event)
            if not isinstance(entry.event, ThoughtShown):
                shown.times.append((entry.at_ms, entry.hold_ms))

    async def advance_clock(seconds: float, _woken: asyncio.Event) -> None:
        nonlocal now, due, held
        if dealt > deals:
            running.cancel()
            await asyncio.sleep(0)  # the show ends here
        await odds.done()  # a show would leave out odds that are not ready
        until = now + seconds
        while due < until:
            now, due = due, due + EVERY_SECONDS
            await publisher.publish()
            shown.files.append(files_in(folder / "published"))
        now = until
        held += dealt == deals
        if dealt == deals and held == asked:
            shown.files.append(await _answers(studio))

    air.recorders.add(record)
    show = Showrunner(air, clock=lambda: now, wait=advance_clock, odds=odds)
    running = asyncio.ensure_future(
        show.run(one_by_one(Entry(number, 0, event) for number, event in enumerate(events, 1)))
    )
    with suppress(asyncio.CancelledError):
        await running
    assert dealt > deals, "the show must reach the card"
    return shown


async def _answers(studio: Studio) -> Files:
    """Every live page and answer of a studio, with status and headers, by path."""
    hands = range(1, 4)
    pages = ("/", "/watch", "/overlay", "/projector", "/healthz", "/live/main/index.json")
    bots = (f"/bots/{bot.name}" for bot in studio.channels["main"].picture.bots.values())
    segments = (f"/live/main/{EPOCH}/{name}" for name in ("open.json", "0.hands", *(f"{hand}.seg" for hand in hands)))
    read = ("channels", "on-air", "standings", "schedule", "bots", "bots/1", "statistics", "luck", "hands")
    api = (f"/api/v1/{name}" for name in (*read, *(f"hands/{hand}" for hand in hands)))
    found = Files()
    transport = httpx.ASGITransport(studio.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        for path in (*pages, *bots, *segments, *api):
            answer = await web.get(path)
            found[f"GET {path}"] = b"%d %r " % (answer.status_code, answer.headers.raw) + answer.content
    return found
