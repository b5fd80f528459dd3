"""Compares what two shows publish before the moment at which they begin to differ."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import httpx
from msgspec import Struct
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.events import OnAirEntry, ThoughtShown
from broadcast.publish.live_files import INDEX_SECONDS
from broadcast.publish.live_publisher import LivePublisher
from broadcast.show.showrunner import Showrunner
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand, take_turn
from server.game.cards import Card, Deck
from server.game.decisions import Decision
from server.game.events import ActionTaken, DealEnded, Event, GameStarted, HandEnded, HoleDealt, NoteGiven, StreetDealt
from server.journal.journal import Entry
from tests.game.random_hands import random_decision, random_deck
from tests.support.games.deals import play_deals
from tests.support.games.recordings import small_contest, yield_entries
from tests.support.published import files_in

EPOCH = "0" * 16  # identifies a run of a show; addresses of live files contain it
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  each pair of shows gets a new folder there
"""On systems with this folder, the shows' files are stored in memory."""
Files = dict[str, bytes]
ShowType = TypeVar("ShowType", bound="WatchedShow")


class WatchedShow:
    """A show in a real studio (the server of shows). Every INDEX_SECONDS, its publisher writes files and an index.

    The first index is written after `phase` seconds. Once `is_over` is true, the show is cancelled at its next wait.
    """

    def __init__(self, folder: Path, phase: float) -> None:
        self.now, self.next_index_at, self.is_over, self.odds = 0.0, phase, False, OddsCalculator()
        self.studio = Studio(folder / "media", lambda: self.now, utc_clock=self.utc_now)
        self.air, self.live = self.studio.open_channel("main", 1.0, "Friday"), self.studio.live("main")
        self.air.epoch = self.live.epoch = EPOCH
        self.folder = folder / "published"
        self.publisher = LivePublisher(
            str(self.folder), self.live, "friday", clock=lambda: self.now, utc_clock=self.utc_now
        )
        self.air.recorders.add(lambda entry, _before, _after: self.follow(entry))

    def utc_now(self) -> float:
        return 1_000_000.0 + self.now

    def follow(self, entry: OnAirEntry) -> None:
        raise NotImplementedError

    async def publish(self) -> None:
        await self.publisher.publish()

    async def after_pause(self) -> None:
        pass

    async def run(self, events: Sequence[Event]) -> None:
        show = Showrunner(self.air, clock=lambda: self.now, wait=self._wait, odds=self.odds)
        entries = [Entry(number, 0, event) for number, event in enumerate(events, 1)]
        self._running = asyncio.ensure_future(show.run(yield_entries(entries)))
        with suppress(asyncio.CancelledError):
            await self._running
        assert self.is_over, "the show must reach its last moment"

    async def _wait(self, seconds: float, _woken: asyncio.Event) -> None:
        if self.is_over:
            self._running.cancel()
            await asyncio.sleep(0)  # the cancelled show ends here
        await self.odds.wait_until_done()  # otherwise, the show would leave out odds that are not ready
        until = self.now + seconds
        while self.next_index_at < until:
            self.now, self.next_index_at = self.next_index_at, self.next_index_at + INDEX_SECONDS
            await self.publish()
        self.now = until
        await self.after_pause()


def run_both(show: Callable[[Path], ShowType], one: Sequence[Event], other: Sequence[Event]) -> list[ShowType]:
    shows = []
    with TemporaryDirectory(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None) as name:
        for number, events in enumerate((one, other)):
            shows.append(show(Path(name, str(number))))
            asyncio.run(shows[-1].run(events))
    return shows


class Pair(Struct, frozen=True):
    """The events of two shows. Cards are dealt `deals` times (to a seat or the board) before the events differ."""

    one: list[Event]
    other: list[Event]
    deals: int


class Comparison(Struct, frozen=True):
    """How many pairs and moments were compared, what differed, and how many pairs with unequal pace were left out."""

    pairs: int
    moments: int
    differing: list[str]
    other_pace: int = 0


def find_differences(dice: random.Random, pairs: int) -> Comparison:
    """Compares pairs of shows. In a pair, cards and thoughts are the same up to a random point in the second hand.

    Leaves out a pair if its shows have unequal pace, because hidden cards may change a hand's drama and so its pace.
    """
    differing: list[str] = []
    moments = compared = other_pace = 0
    while compared < pairs:
        pair, phase, read_at_pause = random_pair(dice), dice.uniform(0, INDEX_SECONDS), dice.randint(1, 4)
        watched_show = partial(_UpToCard, phase=phase, deals=pair.deals, read_at_pause=read_at_pause)
        first, second = run_both(watched_show, pair.one, pair.other)
        if first.times != second.times:
            other_pace += 1
            continue
        compared += 1
        differing += [f"pair {compared}, on air"] * (first.events != second.events)
        moments += len(first.files)
        for files, other_files in zip_longest(first.files, second.files, fillvalue=Files()):
            differing += [f"pair {compared}, {path}" for path, _ in sorted({*files.items()} ^ {*other_files.items()})]
    return Comparison(pairs, moments, differing, other_pace)


def random_pair(dice: random.Random) -> Pair:
    """Returns two shows of two hands each, with the same cards up to a random point in the second hand."""
    while True:
        stacks = [5000] * dice.randint(2, 4)  # more seats would show nothing new, and take long to compute
        first, _, stacks_left = play_hand(dice, 1, stacks, random_deck(dice))
        if not all(stacks_left):  # the game might be over
            continue
        deck = random_deck(dice)
        second, decisions, _ = play_hand(dice, 2, stacks_left, deck)
        dealt = _dealt_cards(second)
        common_deals = dice.randrange(len(dealt))
        other = reshuffled(dice, deck, {card for cards in dealt[:common_deals] for card in cards})
        changed_second, _, _ = play_hand(dice, 2, stacks_left, other, decisions)
        if _dealt_cards(changed_second)[common_deals] != dealt[common_deals]:
            opening = _opening_events(len(stacks))
            before = [*opening, *_with_thoughts(opening, first, len(dealt))]
            one = _with_thoughts(opening, second, common_deals, "odds")
            two = _with_thoughts(opening, changed_second, common_deals, "outs")
            return Pair([*before, *one], [*before, *two], len(_dealt_cards(first)) + common_deals)


def _with_thoughts(opening: Sequence[Event], hand: Sequence[Event], common: int, word: str = "") -> list[Event]:
    """Returns a hand and a thought about each action. After more than `common` deals of cards, thoughts have `word`."""
    game, deal_count, notes = opening[-1], 0, list[NoteGiven]()
    assert isinstance(game, GameStarted)
    for event in hand:
        deal_count += isinstance(event, HoleDealt | StreetDealt)
        if isinstance(event, ActionTaken):
            number = len(notes) + 1
            text = f"Act {number} makes sense because I have two pair" + f" and the {word}." * (deal_count > common)
            notes.append(NoteGiven(game.seats[event.seat], number, text))
    return [*hand, *notes]


@cache
def _opening_events(seats: int) -> tuple[Event, ...]:
    """Returns the events before the first hand of a game with `seats` seats."""
    events = [entry.event for entry in small_contest()]
    before = events[: next(number for number, event in enumerate(events, 1) if isinstance(event, GameStarted))]
    game = before[-1]
    assert isinstance(game, GameStarted)
    return (*before[:-1], replace(game, seats=game.seats[:seats], stacks=game.stacks[:seats]))


def play_hand(
    dice: random.Random, number: int, stacks: Sequence[int], deck: Deck, decisions: Sequence[Decision] | None = None
) -> tuple[list[Event], list[Decision], list[int]]:
    """Plays a hand, with random decisions if none are given. Returns its events, decisions and final stacks."""
    hand, events = start_hand(QUICK_DRAW, number, number % len(stacks), list(stacks), deck)
    actual_decisions: list[Decision] = []
    while not hand.over:
        actual_decisions.append(decisions[len(actual_decisions)] if decisions else random_decision(dice, hand))
        hand, more = take_turn(hand, actual_decisions[-1])
        events += more
    return events, actual_decisions, [seat.stack for seat in hand.seats]


def _dealt_cards(events: Sequence[Event]) -> list[tuple[Card, ...]]:
    return [event.cards for event in events if isinstance(event, HoleDealt | StreetDealt)]


def reshuffled(dice: random.Random, deck: Deck, fixed: set[Card]) -> Deck:
    """Returns a deck with the `fixed` cards in place, and the others shuffled."""
    unseen = [card for card in deck.cards if card not in fixed]
    rest = iter(dice.sample(unseen, len(unseen)))
    return Deck(tuple(card if card in fixed else next(rest) for card in deck.cards))


class _UpToCard(WatchedShow):
    """Collects events, their times, and the files after each index, until cards are dealt more than `deals` times.

    Once cards have been dealt `deals` times, a client waits for `read_at_pause` pauses, and then reads all pages.
    """

    def __init__(self, folder: Path, phase: float, deals: int, read_at_pause: int) -> None:
        super().__init__(folder, phase)
        self.events, self.times, self.files = list[Event](), list[tuple[int, int]](), list[Files]()
        self._deals, self._read_at_pause, self._dealt, self._pauses_after_last_card = deals, read_at_pause, 0, 0

    def follow(self, entry: OnAirEntry) -> None:
        self._dealt += isinstance(entry.event, HoleDealt | StreetDealt)
        self.is_over = self._dealt > self._deals
        if not self.is_over:
            self.events.append(entry.event)
            self.times += [] if isinstance(entry.event, ThoughtShown) else [(entry.at_ms, entry.hold_ms)]

    async def publish(self) -> None:
        await super().publish()
        self.files.append(files_in(self.folder))

    async def after_pause(self) -> None:
        self._pauses_after_last_card += self._dealt == self._deals
        if self._dealt == self._deals and self._pauses_after_last_card == self._read_at_pause:
            self.files.append(await _read_all_pages(self.studio))


async def _read_all_pages(studio: Studio) -> Files:
    """Returns every live page and API answer of a studio, with status and headers, keyed by path."""
    hands = range(1, 4)
    pages = ("/", "/watch", "/overlay", "/projector", "/healthz", "/live/main/index.json")
    bots = (f"/bots/{bot.name}" for bot in studio.channels["main"].picture.bots.values())  # `picture`: the show's state
    segments = (f"/live/main/{EPOCH}/{name}" for name in ("open.json", "0.hands", *(f"{hand}.seg" for hand in hands)))
    api_pages = ("channels", "on-air", "standings", "schedule", "bots", "bots/1", "statistics", "luck", "hands")
    api = (f"/api/v1/{name}" for name in (*api_pages, *(f"hands/{hand}" for hand in hands)))
    answers_by_path = Files()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(studio.app), base_url="http://127.0.0.1") as web:
        for path in (*pages, *bots, *segments, *api):
            response = await web.get(path)
            answers_by_path[f"GET {path}"] = b"%d %r " % (response.status_code, response.headers.raw) + response.content
    return answers_by_path


def pair_of_deals(seed: int, seats: int = 4, hands: int = 1, minutes: int = 0) -> tuple[list[Entry], list[Entry]]:
    """Two contests of one deal (the same cards at all tables). They have the same decisions only at the first table."""
    play = partial(play_deals, seats, 1, first_table_seed=seed, hands=hands, minutes=minutes, decided_by="earned")
    return play(other_tables_seed=1_000_000 + seed), play(other_tables_seed=2_000_000 + seed)


def are_shows_alike_before_comparison(one: Sequence[Entry], other: Sequence[Entry], phase: float = 0.0) -> bool:
    """Whether viewers of two shows of a deal get the same bytes until the deal ends on air."""
    events = ([entry.event for entry in entries] for entries in (one, other))
    first, second = run_both(partial(_UpToComparison, phase=phase), *events)
    return first.digests == second.digests


class _UpToComparison(WatchedShow):
    """Keeps digests of all that viewers get before a deal ends: messages, states, and the files after each index."""

    def __init__(self, folder: Path, phase: float) -> None:
        super().__init__(folder, phase)
        self.digests, self._is_hand_over = list[str](), False
        self.air.listeners.add(lambda text: None if self.is_over else self._add_digests(text, self.air.snapshot()))

    def _add_digests(self, *texts: bytes) -> None:
        self.digests += [hashlib.sha256(text).hexdigest() for text in texts]

    def follow(self, entry: OnAirEntry) -> None:
        self._is_hand_over |= isinstance(entry.event, HandEnded)
        self.is_over |= isinstance(entry.event, DealEnded)

    async def publish(self) -> None:
        await super().publish()
        self._add_digests(self.live.index().plain, self.live.open_segment().plain)
        self._add_digests(*(path.encode() + content for path, content in sorted(files_in(self.folder).items())))

    async def after_pause(self) -> None:
        if self._is_hand_over:
            await self.publish()
