"""Writes captions for what happens between hands: stages, games, eliminations, withdrawals, the champion. No I/O."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from broadcast.on_air.table_state import TableState
from server.game import events
from server.game.events import Event
from server.text.grammar import (
    MAX_CAPTION_WIDTH,
    count_text,
    join_with_and,
    join_within_width,
    name_in_sentence,
    number_in_words,
    ordinal,
    out_of,
    points_text,
    rating_text,
    text_width,
)

_NAMES_ROOM = 82
"""The room for a list of names in a caption, in units of `text_width`."""
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
        self._game = self._hand_limit = 0
        self._games_won: dict[int, int] = {}
        self._absent_since: dict[int, str] = {}
        """When each absent bot left, such as "game 3, hand 4"."""
        self._current_hand_text = "the start"

    def caption_for(self, event: Event, table: TableState) -> str:
        """Returns the caption of `event`, or "" if it has none. `table` is the table after the event."""
        self._table = table
        caption = _CAPTION_MAKERS.get(type(event))
        return caption(self, event) if caption else ""

    def describe_stage_start(self, event: events.StageStarted) -> str:
        self._stage, self._game, self._games_won = event, 0, dict.fromkeys(event.bots, 0)
        if event.series:
            return f"{event.title}: {count_text(event.games, 'game')}, and whoever wins the most is champion."
        if event.advance:
            onto = event.next_title or "High Noon"
            return (
                f"{event.title}: {len(event.bots)} bots, and the top {number_in_words(event.advance)} ride on to "
                f"{onto}."
            )
        if len(event.bots) == 2:
            return f"{event.title}: {' against '.join(map(self._names, event.bots))}."
        return self._line_up(f"It's time for {event.title}", event.bots)

    def describe_game_start(self, event: events.GameStarted) -> str:
        self._game, self._hand_limit = self._game + 1, event.hands
        if self._stage.games != 1:
            return self._line_up(f"Game {self._game}", event.seats)
        cap = self._table.hand_cap
        who = "Both start every" if len(event.seats) == 2 else "Every bot starts each"
        anew = "" if cap is UNSET else f". {who} hand with {cap:,} chips"
        return f"{self._names(*event.seats, room=MAX_CAPTION_WIDTH - text_width(f' sit down{anew}.'))} sit down{anew}."

    def describe_game_end(self, event: events.GameEnded) -> str:
        most = max(event.stacks)
        if event.ranking:
            winner = event.ranking[0]
            self._games_won[winner] += 1
            won = count_text(self._games_won[winner], "game")
            return f"{self._names(winner)} wins game {self._game} and has now won {won}."
        leaders = [self._table.bots[seat] for seat, stack in enumerate(event.stacks) if stack == most]
        what = f"Game {self._game}" if self._stage.games != 1 else "The last hand"
        if len(leaders) > 1:
            return f"{what} is over. {self._names(*leaders)} finish level at the top with {most:,} each."
        return f"{what} is over. {self._names(*leaders)} finishes with the most chips: {most:,}."

    def describe_hand_start(self, event: events.HandStarted) -> str:
        button = self._names(self._table.bots[event.button])
        self._current_hand_text = (
            f"game {self._game}, hand {event.hand}" if self._stage.games != 1 else f"hand {event.hand}"
        )
        return f"Hand {out_of(event.hand, self._hand_limit)}. {button} has the button."

    def describe_elimination(self, event: events.BotEliminated) -> str:
        game = f" game {self._game}" if self._stage.series else ""
        if event.place == 2:
            return f"{self._names(event.bot)} finishes second{game and f' in{game}'}."
        return f"{self._names(event.bot)} is out{game and f' of{game}'} in {ordinal(event.place)} place."

    def describe_lost_seat(self, event: events.SeatVacated) -> str:
        forfeited = f" It forfeits its last {count_text(event.amount, 'chip')}." if event.amount else ""
        return f"{self._names(self._table.bots[event.seat])} fails to post its blind and loses its seat.{forfeited}"

    def describe_forfeit(self, event: events.GameForfeited) -> str:
        return f"{self._names(self._table.bots[event.seat])} {_FORFEIT_VERBS[event.fault]} and loses the game."

    def describe_rating(self, event: events.BotRated) -> str:
        change = event.rating - event.was
        name, rating = self._names(event.bot), rating_text(event.rating)
        if not change:
            return f"{name} stays at a rating of {rating}."
        return f"{name} {'loses' if change < 0 else 'gains'} {points_text(abs(change))} and is now rated {rating}."

    def describe_stage_end(self, event: events.StageEnded) -> str:
        many, early = len(event.advancing), ""
        if not many:
            return ""
        how = self._draw_text(event) or f"{self._names(*event.advancing)} ride on."
        if self._game < self._stage.games and not any(event.stacks[many:]):
            early = f"Only {number_in_words(many)} bot{'s have' if many > 1 else ' has'} chips left. "
        return f"{early}That's the end of {self._stage.title}. {how}"

    def _draw_text(self, event: events.StageEnded) -> str:
        """If bots with equal stacks drew lots for the last places that advance, says which bots won the draw.

        Otherwise, returns "".
        """
        line = len(event.advancing)
        last = event.stacks[line - 1]
        if event.stacks[line - 1 : line + 1].count(last) < 2:
            return ""
        level = [bot for bot, stack in zip(event.ranking, event.stacks, strict=True) if stack == last]
        advancing_names = join_with_and(self._names(bot) for bot in level if bot in event.advancing)
        return (
            f"{join_with_and(map(self._names, level))} were level at {last:,}, and the draw went to {advancing_names}."
        )

    def describe_stage_cut(self, _event: events.StageCut) -> str:
        return f"The organiser ends {self._stage.title} here."

    def describe_withdrawal(self, event: events.BotWithdrawn) -> str:
        self._absent_since[event.bot] = self._current_hand_text
        return f"{self._names(event.bot)} is withdrawn."

    def record_return(self, event: events.BotConnected) -> str:
        self._absent_since.pop(event.bot, None)
        return ""

    def describe_disconnection(self, event: events.BotDisconnected) -> str:
        self._absent_since[event.bot] = self._current_hand_text
        return f"{self._names(event.bot)} has left the saloon."

    def describe_champion(self, event: events.TournamentEnded) -> str:
        if not event.placings:
            return ""
        first = event.placings[0].bot
        how = f" with {count_text(self._games_won.get(first, 0), 'game')} won" if self._stage.series else ""
        since = f", though it has been gone since {self._absent_since[first]}" if first in self._absent_since else ""
        return f"{self._names(first)} wins the tournament{how}{since}!"

    def _line_up(self, what: str, bots: Sequence[int]) -> str:
        """Announces `what`, such as "Game 3", and names as many of its bots as fit into a caption."""
        return f"{what}: {self._names(*bots, room=MAX_CAPTION_WIDTH - text_width(f'{what}: .'))}."

    def _names(self, *bots: int, room: int = _NAMES_ROOM) -> str:
        return join_within_width([name_in_sentence(self._table.names[bot]) for bot in bots], room) if bots else ""


_CAPTION_MAKERS: dict[type[Event], Callable[[EventCaptions, Any], str]] = {
    events.StageStarted: EventCaptions.describe_stage_start,
    events.GameStarted: EventCaptions.describe_game_start,
    events.GameEnded: EventCaptions.describe_game_end,
    events.HandStarted: EventCaptions.describe_hand_start,
    events.SeatVacated: EventCaptions.describe_lost_seat,
    events.GameForfeited: EventCaptions.describe_forfeit,
    events.BotRated: EventCaptions.describe_rating,
    events.BotEliminated: EventCaptions.describe_elimination,
    events.StageEnded: EventCaptions.describe_stage_end,
    events.BotConnected: EventCaptions.record_return,
    events.BotDisconnected: EventCaptions.describe_disconnection,
    events.BotWithdrawn: EventCaptions.describe_withdrawal,
    events.StageCut: EventCaptions.describe_stage_cut,
    events.TournamentEnded: EventCaptions.describe_champion,
}
