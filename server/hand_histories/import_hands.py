"""Turns published hands (a hand history) into a recording that web pages can show and `highnoon verify` can check. All
functions are pure.

The values that prove how decks were shuffled are unknown, so they stay empty. An unknown card is "".
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from server.game import events
from server.game.rules import Rules
from server.hand_histories.engine_replay import HandSetup, PlayedHand, play_published
from server.hand_histories.formats import read_history
from server.hand_histories.hand_log import HandLog
from server.hand_histories.phh_reader import MAX_HANDS, BadHistory, PublishedHand, scale_of
from server.hand_histories.players import TableSession, group_by_table
from server.hand_histories.rules import merge_rules, rules_of
from server.journal.journal import Entry
from server.text.names_and_chat import clean_chat

PUBLISHED_CONTEST = "published"
"""The contest's name in recordings of published hands."""
_SCALE_IN_TITLE = re.compile(r" \(amounts x([1-9]\d{0,4})\)\Z")
MAX_TITLE_CHARACTERS = 60
MAX_REMARKS = 20
PAUSE_BETWEEN_HANDS_MS = 1_000
"""Milliseconds between two hands in the recording. The real time between them is unknown."""


def scale_of_recording(opened: events.TournamentOpened) -> int:
    """Returns how many chips of a recording stand for one chip of the imported file. Returns 1 for a tournament's
    recording.

    Earlier versions of this program recorded this number only in the title.
    """
    if isinstance(opened.scale, int):
        return max(1, opened.scale)
    title_match = _SCALE_IN_TITLE.search(opened.title) if opened.contest == PUBLISHED_CONTEST else None
    return int(title_match[1]) if title_match else 1


class ImportedRecording(Struct, frozen=True):
    """A recording made from published hands."""

    entries: list[Entry]
    hands: int
    start_time: str
    """When the first hand was played, in ISO 8601, or "" if the file does not say."""
    remarks: tuple[str, ...]
    """Sentences about differences between the recording and the file."""
    skipped_hands: tuple[str, ...] = ()
    """Hands that cannot be shown, each with the reason."""


def import_hands(
    content: bytes, title: str = "", on_hand: Callable[[], object] = lambda: None, log_formats: Sequence[HandLog] = ()
) -> ImportedRecording:
    """Makes a recording from the published hands in a file. The file must be in a format that High Noon knows, or in
    one of `log_formats`.

    `title` is used if the file has none. Leaves out hands that cannot be played. Calls `on_hand` after each hand.
    Raises BadHistory if the file cannot be read, or if it has no hand that can be played.
    """
    hands, skipped_hands = _select_playable(read_history(content, log_formats), on_hand)
    if not hands:
        more = f" (and {len(skipped_hands) - 1:,} more of its hands cannot be shown)" if len(skipped_hands) > 1 else ""
        raise BadHistory(f"{skipped_hands[0]}{more}" if skipped_hands else "there is no hand in it")
    importer = _Importer(hands)
    recorded = [*importer.opening_events(title), *importer.game_events(), importer.end_event()]
    return ImportedRecording(
        _to_entries(recorded),
        len(hands),
        hands[0].start_time,
        _shorten([*dict.fromkeys(importer.remarks)]),
        _shorten(skipped_hands),
    )


def _select_playable(
    read_hands: Iterable[PublishedHand | BadHistory], on_hand: Callable[[], object]
) -> tuple[list[PublishedHand], list[str]]:
    """Returns the hands that can be played and whose rules agree. For each other hand, returns a sentence that says
    what is wrong.
    """
    hands: list[PublishedHand] = []
    skipped_hands: list[str] = []
    rules: Rules | None = None
    for number, hand in enumerate(read_hands, 1):
        if number > MAX_HANDS:
            raise BadHistory(f"there are more than {MAX_HANDS:,} hands in it: split the file")
        try:
            if isinstance(hand, BadHistory):
                raise hand
            scale = scale_of([hand])
            hand_rules = rules_of(hand, scale)
            merged_rules = merge_rules(rules, hand_rules, hand.where)
            seats = tuple(range(len(hand.stacks)))
            play_published(hand, HandSetup(hand_rules, 1, _button_seat(hand_rules, seats), seats, scale))
        except BadHistory as error:
            skipped_hands.append(str(error))
        else:
            hands.append(hand)
            rules = merged_rules
        on_hand()
    return hands, skipped_hands


def _shorten(sentences: Sequence[str]) -> tuple[str, ...]:
    more = len(sentences) - MAX_REMARKS
    return (*sentences[:MAX_REMARKS], *([f"and {more:,} more like these"] if more > 0 else []))


class _Importer:
    """Plays the hands of a file one after the other."""

    def __init__(self, hands: Sequence[PublishedHand]) -> None:
        self._hands = hands
        self._scale = scale_of(hands)
        self._rules = rules_of(hands[0], self._scale)
        for hand in hands:
            self._rules = merge_rules(self._rules, rules_of(hand, self._scale), hand.where)
        self._tables = group_by_table(hands)
        names = dict.fromkeys(name for table in self._tables for name in table.names)
        self._bots = {name: bot for bot, name in enumerate(names, 1)}
        self._stacks: dict[int, int] = {}
        self.remarks: list[str] = []

    def opening_events(self, title: str) -> list[events.Event]:
        """Returns the opening events: all players enter, with the stacks of their first hands."""
        for table in reversed(self._tables):
            self._stacks |= self._first_stacks(table)
        if self._scale > 1:
            self.remarks.append(f"all amounts are multiplied by {self._scale}: High Noon has no fractions of a chip")
        titles = (clean_chat(text)[:MAX_TITLE_CHARACTERS].strip() for text in (self._hands[0].event, title))
        recording_title = next(filter(None, titles), "Published hands")
        recording_title += f" (amounts x{self._scale})" if self._scale > 1 else ""
        bots, stacks = tuple(self._bots.values()), tuple(self._stacks[bot] for bot in self._bots.values())
        entrants = tuple(events.Entrant(bot, player) for player, bot in self._bots.items())
        seats = max(len(table.names) for table in self._tables)
        scale = self._scale if self._scale > 1 else UNSET
        return [
            events.TournamentOpened(
                PUBLISHED_CONTEST, recording_title, self._rules, max(stacks), entrants, "", scale=scale
            ),
            *map(events.BotConnected, bots),
            events.StageStarted(
                1, recording_title, len(self._tables), len(self._tables[0].hands), bots, stacks, seats=seats
            ),
        ]

    def game_events(self) -> Iterator[events.Event]:
        """Yields the events of all tables and their hands."""
        for game, table in enumerate(self._tables, 1):
            seats = tuple(self._bots[name] for name in table.names)
            first_stacks = self._first_stacks(table)
            yield events.GameStarted(game, len(table.hands), seats, tuple(first_stacks[bot] for bot in seats))
            for number, (hand, player_seats) in enumerate(table.hands, 1):
                played = self._play(hand, number, player_seats)
                yield from played.events
            self._stacks |= dict(zip(seats, played.stacks, strict=True))
            yield events.GameEnded(game, played.stacks)

    def end_event(self) -> events.StageEnded:
        """Returns the event that ends the stage. It ranks the bots by their chips."""
        ranking = sorted(self._stacks, key=lambda bot: (-self._stacks[bot], bot))
        return events.StageEnded(1, tuple(ranking), tuple(self._stacks[bot] for bot in ranking))

    def _first_stacks(self, table: TableSession) -> Mapping[int, int]:
        hand, seats = table.hands[0]
        names = [table.names[seat] for seat in seats]
        return {self._bots[name]: int(stack * self._scale) for name, stack in zip(names, hand.stacks, strict=True)}

    def _play(self, hand: PublishedHand, number: int, seats: tuple[int, ...]) -> PlayedHand:
        rules = rules_of(hand, self._scale)
        rules = replace(rules, ante_from=self._rules.ante_from)  # a hand without an ante does not say who pays antes
        played = play_published(hand, HandSetup(rules, number, _button_seat(rules, seats), seats, self._scale))
        if hand.replay_difference:
            self.remarks.append(hand.replay_difference)
        finishing_stacks = tuple(int(stack * self._scale) for stack in hand.finishing_stacks)
        if finishing_stacks and finishing_stacks != tuple(played.stacks[seat] for seat in seats):
            self.remarks.append(f"{hand.where}: the file's finishing stacks do not follow from its actions")
        return played


def _button_seat(rules: Rules, seats: Sequence[int]) -> int:
    """Returns the seat with the button. `seats` are in the file's order of players. The player with the button is last.

    If two play and the button posts the big blind (a house rule), the first player has the button.
    """
    return seats[0] if len(seats) == 2 and rules.heads_up_button_posts == "big" else seats[-1]


def _to_entries(recorded: Sequence[events.Event]) -> list[Entry]:
    """Turns events into entries with times. Time passes only while players think, and between hands."""
    entries, at_ms = [], 0
    for number, event in enumerate(recorded, 1):
        if isinstance(event, events.ActionTaken):
            at_ms += event.think_ms
        entries.append(Entry(number, at_ms, event))
        if isinstance(event, events.HandEnded):
            at_ms += PAUSE_BETWEEN_HANDS_MS
    return entries
