"""Scripted shows. The real engine plays hands with chosen cards, and the real commentary is added."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Self

from msgspec import UNSET

from broadcast.commentary.commentary import Commentary
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.deal_tables import DealTable
from broadcast.on_air.events import OnAirEntry, ReplayEnded, ReplayStarted
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from broadcast.on_air.table_state import TableEntry, TableState
from broadcast.show.attention import Attention
from broadcast.show.hold_times import hold_times, hold_with_commentary
from server.bots.house.characters import CHARACTERS
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game import events as recorded
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Card, Deck, parse_cards
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.hand import Hand, next_banks_ms, open_hand
from server.game.rules import Rules

NAMES = tuple(each.name for each in CHARACTERS)
PRIZES = (21000, 12600, 8400, 500, 500)
HOLES = ("Ah Jh", "Ks Qs", "7c 2d", "Td 8c", "8s 3h", "9s 9d", "Ac 4d", "6h 5h", "Qd Jd", "5c 5s", "Kd 3d", "Tc 2c")
BOARD = "Kh 9h 4c Kc 2h"


class Script:
    """A show that grows event by event. At `speed` 0, no entry has a hold time (the wait before the next entry)."""

    def __init__(
        self,
        names: Sequence[str] = NAMES,
        *,
        stack: int = 5000,
        speed: float = 0,
        media: bool = True,
        contest: str = "quick-draw",
    ) -> None:
        self.entries: list[OnAirEntry] = []
        self.names = tuple(names)
        self.stack = stack
        self._speed = speed
        self._commentary = Commentary()
        self._attention = Attention()  # `Attention` decides when the picture zooms in on some seats
        self._table = TableState()
        self._at_ms = self._stage = self._game = self._hand = 0
        self.seats: tuple[int, ...] = ()
        self.tables: tuple[DealTable, ...] = ()
        """The tables of the current deal. All of them get the same cards."""
        self.stacks: list[int] = []
        bots = tuple(
            recorded.Entrant(bot, name, f"Player {bot}", *_media(name if media else ""))
            for bot, name in enumerate(names, 1)
        )
        self.put(recorded.TournamentOpened(contest, "Quick Draw Circuit", QUICK_DRAW, stack, bots, "c0ffee", PRIZES))

    def put(self, *events: recorded.Event) -> Self:
        """Puts each event on air, followed by what a studio adds to it, such as commentary."""
        for event, hold in zip(events, hold_times(events), strict=True):
            self._table = self._table.after(event)
            entry = TableEntry(0, 0, event, self._table, self.tables)
            situation = situation_after(entry)  # `situation`: the cards that determine new odds, or None
            chances = [equities_of(situation)] if situation else []
            additions = [*self._commentary.events_after(entry, chances), *chances]
            additions += self._attention.events_after(entry, chances)
            pause = hold_with_commentary(hold, event, additions)
            hold_ms = int(pause / self._speed) if self._speed else 0
            for aired in (event, *additions):
                self.entries.append(OnAirEntry(len(self.entries) + 1, self._at_ms, hold_ms, aired))
            self._at_ms += hold_ms or 100
        return self

    def connect(self) -> Self:
        return self.put(*(recorded.BotConnected(bot) for bot in range(1, len(self.names) + 1)))

    def disconnect(self, bot: int) -> Self:
        return self.put(recorded.BotDisconnected(bot, "it hung up"))

    def stage(
        self,
        title: str = "The Trials",
        *,
        games: int = 15,
        hands: int = 6,
        advance: int = 6,
        next_title: str = "",
        bots: Sequence[int] = (),
    ) -> Self:
        """Starts a stage for `bots`, or for all bots. `next_title` is the title of the next stage."""
        self._stage += 1
        bots = tuple(bots) or tuple(range(1, len(self.names) + 1))
        stacks = (self.stack,) * len(bots)
        return self.put(
            recorded.StageStarted(self._stage, title, games, hands, bots, stacks, advance, next_title=next_title)
        )

    def final(self, bots: Sequence[int]) -> Self:
        return self.stage("High Noon", games=1, hands=24, advance=0, bots=bots)

    def game(self, seats: Sequence[int] = (1, 2, 3, 4, 5, 6), stacks: Sequence[int] = (), hands: int = 6) -> Self:
        self._game, self._hand = self._game + 1, 0
        self.seats, self.stacks = tuple(seats), list(stacks or (self.stack,) * len(seats))
        return self.put(recorded.GameStarted(self._game, hands, self.seats, tuple(self.stacks)))

    def hand(
        self,
        acts: str = "",
        *,
        button: int = 0,
        holes: Mapping[int, str] | None = None,
        board: str = BOARD,
        events: int | None = None,
        rules: Rules = QUICK_DRAW,
        think_ms: int = 900,
    ) -> Self:
        """Plays a hand with `acts`, such as "call raise:300 fold". After a final "down", all bots check or call.

        Each act takes `think_ms`. Only the hand's events before index `events` go on air.
        """
        self._hand += 1
        deck = rig_deck(self.stacks, button, holes or {}, board)
        banks_ms = next_banks_ms(rules, len(self.stacks), None)
        hand_events = play_acts(
            *start_hand(rules, self._hand, button, self.stacks, deck, banks_ms=banks_ms), acts, think_ms
        )
        if isinstance(hand_events[-1], recorded.HandEnded):
            self.stacks = list(hand_events[-1].stacks)
        return self.put(*hand_events[:events])

    def play_by_pattern(self, variation: int) -> Self:
        """Plays a whole hand by a fixed pattern: mostly calls and folds, and sometimes an all-in."""
        self._hand += 1
        seats = [number for number, stack in enumerate(self.stacks) if stack]
        button = seats[variation % len(seats)]
        cards = tuple(DECK[(step * 17 + variation * 11 + self._game * 5) % 52] for step in range(52))
        hand, hand_events = start_hand(QUICK_DRAW, self._hand, button, self.stacks, Deck(cards, "c0", "cafe"))
        step = variation * 3 + self._game
        while hand.turn is not None:
            step += 1
            seat = hand.seats[hand.turn.seat]
            word = ("call", "fold", "call", f"raise:{seat.bet + seat.stack}", "call", "fold", "call")[step % 7]
            if word.startswith("raise") and (step % 3 or not hand.turn.max_raise_to):
                word = "call"
            hand, new_events = take_turn(hand, parse_decision(word), think_ms=300)
            hand_events += new_events
        self.stacks = [seat.stack for seat in hand.seats]
        return self.put(*hand_events)

    def chat(self, *lines: tuple[int, str]) -> Self:
        """Lets bots speak at the same moment."""
        at_ms = self._at_ms
        for bot, text in lines:
            self.put(recorded.ChatSent(bot, text))
            self._at_ms = at_ms
        return self

    def think(self) -> Self:
        """For each action in the last hand, lets the acting bot give a thought.

        Bots with higher numbers claim less often to have aces. Bots with odd numbers also report each thought's tokens
        and cost.
        """
        start = self._hand_start()
        actions = [entry.event for entry in self.entries[start:] if isinstance(entry.event, recorded.ActionTaken)]
        for number, action in enumerate(actions, 1):
            bot = self._table.bots[action.seat]
            claim = "I have" if (bot + number) % (bot + 1) == 0 else "I don't have"
            chance = (bot * 23 + number * 17) % 100
            tokens_and_cost = recorded.Account(700 + 90 * bot, 400 * bot) if bot % 2 else UNSET
            text = f"{claim} pocket aces. I am {chance} % to win."
            self.put(recorded.NoteGiven(bot, number, text, account=tokens_and_cost))
        return self

    def set(self, control: recorded.Control, value: bool | float | str, bot: int = 0) -> Self:
        return self.put(recorded.ControlSet(control, value, value, bot))

    def replay(self, events: int | None = None, *, before: type[recorded.Event] | None = None) -> Self:
        """Replays the last hand: all of it, its first `events` events, or those before the first of type `before`."""
        start = self._hand_start()
        hand = [entry.event for entry in self.entries[start:]]
        picture = picture_after(self.entries[:start])
        first = hand[0]
        assert isinstance(first, recorded.HandStarted)
        if before:
            events = next(step for step, event in enumerate(hand) if isinstance(event, before))
        replayed = [ReplayStarted(first.hand, picture), *hand[:events], *([] if events else [ReplayEnded()])]
        self.entries += (
            OnAirEntry(len(self.entries) + step, self._at_ms, 0, event) for step, event in enumerate(replayed, 1)
        )
        return self

    def later(self, ms: int) -> Self:
        self._at_ms += ms
        return self

    def eliminate(self, seat: int, place: int) -> Self:
        return self.put(recorded.BotEliminated(self.seats[seat], seat, place))

    def end_game(self) -> Self:
        return self.put(recorded.GameEnded(self._game, tuple(self.stacks)))

    def end_stage(self, ranking: Sequence[int], stacks: Sequence[int], advancing: int = 6) -> Self:
        return self.put(recorded.StageEnded(self._stage, tuple(ranking), tuple(stacks), tuple(ranking[:advancing])))

    def crown(self, ranking: Sequence[int], stacks: Sequence[int], prizes: Sequence[int] = PRIZES) -> Self:
        placings = zip(range(1, 99), ranking, stacks, (*prizes, *(0,) * len(ranking)), strict=False)
        return self.put(recorded.TournamentEnded(tuple(recorded.Placing(*placing) for placing in placings), "5eed"))

    def _hand_start(self) -> int:
        return max(index for index, entry in enumerate(self.entries) if isinstance(entry.event, recorded.HandStarted))


def pictures_of(entries: Iterable[OnAirEntry]) -> Iterator[State]:
    """Yields the picture (state) that the studio computes after each entry."""
    state = State()
    for entry in entries:
        state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
        yield state


def picture_after(entries: Iterable[OnAirEntry]) -> State:
    return [State(), *pictures_of(entries)][-1]


def play_acts(hand: Hand, opening: Sequence[recorded.Event], acts: str, think_ms: int = 900) -> list[recorded.Event]:
    """Continues `hand` with `acts`, as in `Script.hand`. Returns `opening` and all later events of the hand."""
    events, words = list(opening), acts.split()
    for word in chain(words, repeat("down")) if words[-1:] == ["down"] else words:
        if hand.over:
            break
        hand, new_events = take_turn(hand, parse_decision(word), think_ms=think_ms)
        events += new_events
    return events


def parse_decision(word: str) -> Decision:
    """Parses "fold" or a raise such as "raise:300". Every other word is a call or a check."""
    if word.startswith("raise:"):
        return RaiseTo(int(word.removeprefix("raise:")))
    return Fold() if word == "fold" else Call()


def rig_deck(stacks: Iterable[int], button: int, holes: Mapping[int, str], board: str) -> Deck:
    """A deck that deals `board` and `holes`, the hole cards keyed by seat. Other seats get their cards from HOLES."""
    chips = tuple(stacks)
    seats = open_hand(QUICK_DRAW, recorded.HandStarted(1, button, 50, 100, 0, chips, "")).dealt_order()
    shared = parse_cards(board)
    hole_cards = {seat: parse_cards(holes[seat] if seat in holes else HOLES[seat]) for seat in seats}
    top: list[Card] = [card for seat in seats for card in hole_cards[seat]]
    rest = [card for card in DECK if card not in {*top, *shared}]
    return Deck((*top, *shared, *rest), "c0", "cafe")


def _media(name: str) -> tuple[str, str, str]:
    """The names under which ShowServer serves a house bot's media. For any other bot, all names are empty."""
    folder = {each.name: each.folder for each in CHARACTERS}.get(name)
    return (f"{folder}-avatar.webp", f"{folder}-particle.webp", f"{folder}-sound.ogg") if folder else ("", "", "")
