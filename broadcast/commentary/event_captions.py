"""Writes captions for what happens between hands: stages, games, eliminations, withdrawals, the champion. Pure."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from broadcast.on_air.table_state import TableState
from server.game import events
from server.game.events import Event
from server.text.grammar import (
    MAX_CAPTION_BREADTH,
    counted,
    counted_points,
    in_words,
    join_with_and,
    listed_within,
    name_in_sentence,
    ordinal,
    out_of,
    rating_text,
    text_width,
)

_NAMES_ROOM = 82
"""The room for a list of names in a caption, in the unit of `breadth`."""
_FORFEIT_VERBS = {
    "": "gives up",
    "timeout": "runs out of time",
    "malformed": "sends nonsense",
    "illegal": "breaks the rules",
    "disconnected": "loses its connection",
}


class EventCaptions:
    """Writes the captions of a show between hands. Each public method returns the caption of an event, or "" if the
    event has no caption.
    """

    def __init__(self) -> None:
        self._table = TableState()
        self._stage = events.StageStarted(0, "", 0, 0, (), ())
        self._game = self._hands = 0
        self._wins: dict[int, int] = {}
        self._gone: dict[int, str] = {}
        """When each absent bot left, such as "game 3, hand 4"."""
        self._where = "the start"

    def after(self, event: Event, table: TableState) -> str:
        """Returns the caption of `event`, or "" if it has none. `table` is the table after the event."""
        self._table = table
        caption = _CAPTION_MAKERS.get(type(event))
        return caption(self, event) if caption else ""

    def stage(self, event: events.StageStarted) -> str:
        self._stage, self._game, self._wins = event, 0, dict.fromkeys(event.bots, 0)
        if event.series:
            return f"{event.title}: {counted(event.games, 'game')}, and whoever wins the most is champion."
        if event.advance:
            onto = event.next_title or "High Noon"
            return f"{event.title}: {len(event.bots)} bots, and the top {in_words(event.advance)} ride on to {onto}."
        if len(event.bots) == 2:
            return f"{event.title}: {' against '.join(map(self._names, event.bots))}."
        return self._line_up(f"It's time for {event.title}", event.bots)

    def game(self, event: events.GameStarted) -> str:
        self._game, self._hands = self._game + 1, event.hands
        if self._stage.games != 1:
            return self._line_up(f"Game {self._game}", event.seats)
        cap = self._table.cap
        who = "Both start every" if len(event.seats) == 2 else "Every bot starts each"
        anew = "" if cap is UNSET else f". {who} hand with {cap:,} chips"
        return (
            f"{self._names(*event.seats, room=MAX_CAPTION_BREADTH - text_width(f' sit down{anew}.'))} sit down{anew}."
        )

    def game_end(self, event: events.GameEnded) -> str:
        most = max(event.stacks)
        if event.ranking:
            winner = event.ranking[0]
            self._wins[winner] += 1
            won = counted(self._wins[winner], "game")
            return f"{self._names(winner)} wins game {self._game} and has now won {won}."
        leaders = [self._table.bots[seat] for seat, stack in enumerate(event.stacks) if stack == most]
        what = f"Game {self._game}" if self._stage.games != 1 else "The last hand"
        if len(leaders) > 1:
            return f"{what} is over. {self._names(*leaders)} finish level at the top with {most:,} each."
        return f"{what} is over. {self._names(*leaders)} finishes with the most chips: {most:,}."

    def hand(self, event: events.HandStarted) -> str:
        button = self._names(self._table.bots[event.button])
        self._where = f"game {self._game}, hand {event.hand}" if self._stage.games != 1 else f"hand {event.hand}"
        return f"Hand {out_of(event.hand, self._hands)}. {button} has the button."

    def elimination(self, event: events.BotEliminated) -> str:
        game = f" game {self._game}" if self._stage.series else ""
        if event.place == 2:
            return f"{self._names(event.bot)} finishes second{game and f' in{game}'}."
        return f"{self._names(event.bot)} is out{game and f' of{game}'} in {ordinal(event.place)} place."

    def unseated(self, event: events.SeatVacated) -> str:
        forfeited = f" It forfeits its last {counted(event.amount, 'chip')}." if event.amount else ""
        return f"{self._names(self._table.bots[event.seat])} fails to post its blind and loses its seat.{forfeited}"

    def forfeit(self, event: events.GameForfeited) -> str:
        return f"{self._names(self._table.bots[event.seat])} {_FORFEIT_VERBS[event.fault]} and loses the game."

    def rated(self, event: events.BotRated) -> str:
        change = event.rating - event.was
        name, rating = self._names(event.bot), rating_text(event.rating)
        if not change:
            return f"{name} stays at a rating of {rating}."
        return f"{name} {'loses' if change < 0 else 'gains'} {counted_points(abs(change))} and is now rated {rating}."

    def stage_end(self, event: events.StageEnded) -> str:
        many, early = len(event.advancing), ""
        if not many:
            return ""
        how = self._lots(event) or f"{self._names(*event.advancing)} ride on."
        if self._game < self._stage.games and not any(event.stacks[many:]):
            early = f"Only {in_words(many)} bot{'s have' if many > 1 else ' has'} chips left. "
        return f"{early}That's the end of {self._stage.title}. {how}"

    def _lots(self, event: events.StageEnded) -> str:
        """If the bots just above and just below the cut have equal stacks, says which of them advances by lot.

        Otherwise, returns "".
        """
        line = len(event.advancing)
        last = event.stacks[line - 1]
        if event.stacks[line - 1 : line + 1].count(last) < 2:
            return ""
        level = [bot for bot, stack in zip(event.ranking, event.stacks, strict=True) if stack == last]
        drawn = join_with_and(self._names(bot) for bot in level if bot in event.advancing)
        return f"{join_with_and(map(self._names, level))} were level at {last:,}, and the draw went to {drawn}."

    def cut(self, _event: events.StageCut) -> str:
        return f"The organiser ends {self._stage.title} here."

    def withdrawn(self, event: events.BotWithdrawn) -> str:
        self._gone[event.bot] = self._where
        return f"{self._names(event.bot)} is withdrawn."

    def back(self, event: events.BotConnected) -> str:
        self._gone.pop(event.bot, None)
        return ""

    def gone(self, event: events.BotDisconnected) -> str:
        self._gone[event.bot] = self._where
        return f"{self._names(event.bot)} has left the saloon."

    def champion(self, event: events.TournamentEnded) -> str:
        if not event.placings:
            return ""
        first = event.placings[0].bot
        how = f" with {counted(self._wins.get(first, 0), 'game')} won" if self._stage.series else ""
        since = f", though it has been gone since {self._gone[first]}" if first in self._gone else ""
        return f"{self._names(first)} wins the tournament{how}{since}!"

    def _line_up(self, what: str, bots: Sequence[int]) -> str:
        """Announces `what`, such as "Game 3", with as many names of the bots that play as fit into a caption."""
        return f"{what}: {self._names(*bots, room=MAX_CAPTION_BREADTH - text_width(f'{what}: .'))}."

    def _names(self, *bots: int, room: int = _NAMES_ROOM) -> str:
        return listed_within([name_in_sentence(self._table.names[bot]) for bot in bots], room) if bots else ""


_CAPTION_MAKERS: dict[type[Event], Callable[[EventCaptions, Any], str]] = {
    events.StageStarted: EventCaptions.stage,
    events.GameStarted: EventCaptions.game,
    events.GameEnded: EventCaptions.game_end,
    events.HandStarted: EventCaptions.hand,
    events.SeatVacated: EventCaptions.unseated,
    events.GameForfeited: EventCaptions.forfeit,
    events.BotRated: EventCaptions.rated,
    events.BotEliminated: EventCaptions.elimination,
    events.StageEnded: EventCaptions.stage_end,
    events.BotConnected: EventCaptions.back,
    events.BotDisconnected: EventCaptions.gone,
    events.BotWithdrawn: EventCaptions.withdrawn,
    events.StageCut: EventCaptions.cut,
    events.TournamentEnded: EventCaptions.champion,
}
