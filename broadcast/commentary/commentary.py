"""The commentary of a show: captions, marks, statistics, standings. Pure; follows from what was on air alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from broadcast.commentary.drama import Drama, judged
from broadcast.commentary.event_captions import EventCaptions
from broadcast.commentary.hand_captions import HandCaptions
from broadcast.commentary.statistics import Statistics
from broadcast.on_air.events import CaptionSpoken, EquitiesChanged, HighlightMarked, Standing, StandingsChanged
from broadcast.on_air.table_state import TableEntry, TableState, ToldOdds
from server.game.events import (
    BotEliminated,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    StageStarted,
    TournamentOpened,
)
from server.text.grammar import out_of


class Commentary:
    """Follows what is on air and says what to add to it."""

    def __init__(self) -> None:
        self._table = TableState()
        self._odds = ToldOdds()
        self._hand_captions = HandCaptions()
        self._event_captions = EventCaptions()
        self._statistics = Statistics()
        self._standings = _Standings()
        self._sounds_ms: dict[int, int] = {}
        self._hand: list[TableEntry] = []
        self._told: dict[int, EquitiesChanged] = {}

    def after(self, entry: TableEntry, chances: Sequence[EquitiesChanged] = ()) -> list[Event]:
        """What goes on air right after `entry`, at the same moment; `chances` go on air after that."""
        self._take(entry, chances)
        event, table = entry.event, entry.table
        text = self._event_captions.after(event, table) or self._hand_captions.after(event, table, self._odds)
        added: list[Event] = [CaptionSpoken(text)] if text else []
        if isinstance(event, HandEnded):
            added += self._marks()
        if isinstance(event, GameEnded):
            added.append(self._statistics.told)
            if self._standings.wanted:
                added.append(self._standings.told())
        return added

    def sounds_ms(self) -> dict[int, int]:
        """How long the sound of each seat's bot plays, in milliseconds, in the present game."""
        return {seat: self._sounds_ms[bot] for seat, bot in enumerate(self._table.bots)}

    def _take(self, entry: TableEntry, chances: Sequence[EquitiesChanged]) -> None:
        event, self._table = entry.event, entry.table
        if isinstance(event, TournamentOpened):
            self._sounds_ms = {entrant.bot: entrant.sound_ms for entrant in event.entrants}
        if isinstance(event, HandStarted):
            self._hand, self._told, self._odds = [], {}, ToldOdds()
        for told in chances:
            self._told[len(self._hand)] = told
            self._odds = self._odds.after(told)
        self._hand.append(entry)
        self._statistics.take(event, self._table, self._odds)
        self._standings.take(event)

    def _marks(self) -> list[Event]:
        """What the hand that is over has earned, in words and as marks."""
        drama: Drama = judged(self._hand, self._told)
        words = next((text for marked in drama.marks if (text := self._hand_captions.of_mark(marked))), "")
        added: list[Event] = [CaptionSpoken(words)] if words else []
        number = self._table.hand.hand
        return [*added, *(HighlightMarked(each.mark, number, each.seats, drama.score) for each in drama.marks)]


class _Standings:
    """The standings of a stage, counted game by game."""

    def __init__(self) -> None:
        self._stacks: dict[int, int] = {}
        self._games: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._wins: dict[int, int] = {}
        self._sums: dict[int, int] = {}
        """Of everybody's places in the games of a series."""
        self._ranks: dict[int, int] = {}
        self._stage = StageStarted(0, "", 0, 0, (), ())
        self._seats: tuple[int, ...] = ()

    def take(self, event: Event) -> None:
        match event:
            case TournamentOpened(entrants=entrants, starting_stack=stack):
                self._stacks = {entrant.bot: stack for entrant in entrants}
                self._games = dict.fromkeys(self._stacks, 0)
            case StageStarted(bots=bots, stacks=stacks):
                self._stage = event
                self._stacks |= dict(zip(bots, stacks, strict=True))
                self._ranks = {}
                self._wins, self._sums = dict.fromkeys(bots, 0), dict.fromkeys(bots, 0)
            case GameStarted(seats=seats):
                self._seats = seats
                for bot in seats:
                    self._games[bot] += 1
                    self._places.pop(bot, None)
            case GameEnded(stacks=stacks, ranking=ranking):
                self._stacks |= dict(zip(self._seats, stacks, strict=True))
                for place, bot in enumerate(ranking, 1):
                    self._wins[bot] += place == 1
                    self._sums[bot] += place
            case BotEliminated(bot=bot, place=place):
                self._places[bot] = place
            case _:
                pass

    @property
    def wanted(self) -> bool:
        """Whether standings are shown between games: the stage has more than one."""
        return self._stage.games != 1

    def told(self) -> StandingsChanged:
        best_first = sorted(self._stage.bots, key=self._ranked_by)
        rows = []
        for rank, bot in enumerate(best_first, 1):
            moved = self._ranks.get(bot, rank) - rank
            place = 0 if self._stage.series else self._places.get(bot, 0)
            rows.append(Standing(rank, bot, self._stacks[bot], moved, self._games[bot], place, self._wins[bot]))
            self._ranks[bot] = rank
        return StandingsChanged(tuple(rows), self._stage.advance)

    def _ranked_by(self, bot: int) -> tuple[int, int, int]:
        if self._stage.series:
            return -self._wins[bot], self._sums[bot], bot
        return self._places.get(bot, 0), -self._stacks[bot], bot


def doing(picture: Mapping[str, Any]) -> str:
    """What is on air, for whoever runs the show: "The Trials, game 3 of 15, hand 4 of 6"."""
    stage, game, hand, replay = picture["stage"], picture["game"], picture["hand"], picture["replay"]
    if replay:
        return f"hand {replay['hand']} again"
    if picture["scene"] == "champion":
        return "the champion"
    if not stage or not game:
        return f"{stage['title']}, line-up" if stage else "before the start"
    parts = [stage["title"]]
    if stage["games"] != 1:
        parts.append(f"game {out_of(game['game'] - stage['first_game'] + 1, stage['games'])}")
    if game["over"]:
        parts.append("leaderboard" if stage["games"] != 1 else "over")
    elif hand:
        parts.append(f"hand {out_of(hand['hand'], game['hands'])}")
    return ", ".join(parts)
