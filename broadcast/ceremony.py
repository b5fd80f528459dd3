"""What happens around the hands, in plain words: stages, games, who is out, who rides on, who wins. Pure."""

from collections.abc import Callable
from typing import Any

from broadcast.felt import Felt
from broadcast.wording import listed, listed_within, named, ordinal
from server.game.events import (
    BotDisconnected,
    BotEliminated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
)

_NAMES_ROOM = 82


class Ceremony:
    """Speaks about one show; each event is told after `felt` has taken it in."""

    def __init__(self, felt: Felt) -> None:
        self._felt = felt
        self._stage = StageStarted(0, "", 0, 0, (), ())
        self._game = self._hands = 0

    def after(self, event: Event) -> str:
        """What is said of `event`; "" for nothing."""
        tell = _TELLERS.get(type(event))
        return tell(self, event) if tell else ""

    def stage(self, event: StageStarted) -> str:
        self._stage, self._game = event, 0
        if event.advance:
            return f"{event.title}: {len(event.bots)} bots, and the best {event.advance} ride on."
        return f"{event.title}. {self._names(*event.bots)}."

    def game(self, event: GameStarted) -> str:
        self._game, self._hands = self._game + 1, event.hands
        which = f"Game {self._game}: " if self._stage.games > 1 else ""
        return f"{which}{self._names(*event.seats)} sit down."

    def game_end(self, event: GameEnded) -> str:
        most = max(event.stacks)
        leaders = [self._felt.bots[seat] for seat, stack in enumerate(event.stacks) if stack == most]
        what = f"Game {self._game}" if self._stage.games > 1 else "The last hand"
        return f"{what} is over. {self._names(*leaders)} leave{'s' if len(leaders) == 1 else ''} with {most:,}."

    def hand(self, event: HandStarted) -> str:
        button = self._names(self._felt.bots[event.button])
        return f"Hand {event.hand} of {self._hands}. {button} has the button."

    def elimination(self, event: BotEliminated) -> str:
        return f"{self._names(event.bot)} is out of chips: {ordinal(event.place)} place."

    def stage_end(self, event: StageEnded) -> str:
        how = self._lots(event) or f"{self._names(*event.advancing)} ride on."
        return f"{self._stage.title} is over. {how}" if event.advancing else ""

    def _lots(self, event: StageEnded) -> str:
        """Who rides on by lot: bots with equal stacks on both sides of the line."""
        line = len(event.advancing)
        if not line or event.stacks[line - 1 : line + 1].count(event.stacks[line - 1]) < 2:
            return ""
        level = [bot for bot, stack in zip(event.ranking, event.stacks, strict=True) if stack == event.stacks[line - 1]]
        drawn = listed(self._names(bot) for bot in level if bot in event.advancing)
        who = listed(self._names(bot) for bot in level)
        return f"{who} were level at {event.stacks[line - 1]:,}, and the lot fell on {drawn}."

    def cut(self, _event: StageCut) -> str:
        return f"The organiser ends {self._stage.title} here."

    def withdrawn(self, event: BotWithdrawn) -> str:
        return f"{self._names(event.bot)} is withdrawn."

    def gone(self, event: BotDisconnected) -> str:
        return f"{self._names(event.bot)} has left the saloon."

    def champion(self, event: TournamentEnded) -> str:
        return f"{self._names(event.placings[0].bot)} wins the tournament!" if event.placings else ""

    def _names(self, *bots: int) -> str:
        return listed_within([named(self._felt.names[bot]) for bot in bots], _NAMES_ROOM) if bots else ""


_TELLERS: dict[type[Event], Callable[[Ceremony, Any], str]] = {
    StageStarted: Ceremony.stage,
    GameStarted: Ceremony.game,
    GameEnded: Ceremony.game_end,
    HandStarted: Ceremony.hand,
    BotEliminated: Ceremony.elimination,
    StageEnded: Ceremony.stage_end,
    BotDisconnected: Ceremony.gone,
    BotWithdrawn: Ceremony.withdrawn,
    StageCut: Ceremony.cut,
    TournamentEnded: Ceremony.champion,
}
