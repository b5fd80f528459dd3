"""What the events add up to: standings and captions. Pure, and blind to everything that is not on air yet."""

from collections.abc import Callable, Iterable
from typing import Any

from broadcast.onair import CaptionSpoken, Standing, StandingsChanged
from server.game.events import (
    ActionTaken,
    BotDisconnected,
    BotEliminated,
    Event,
    GameEnded,
    GameStarted,
    HandShown,
    HandStarted,
    PotAwarded,
    StageEnded,
    StageStarted,
    StreetDealt,
    TournamentEnded,
    TournamentOpened,
)
from server.game.ranking import card_name


class Story:
    """Follows what is on air and says what to add to it."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._sounds_ms: dict[int, int] = {}
        self._stacks: dict[int, int] = {}
        self._games: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._ranks: dict[int, int] = {}
        self._stage = StageStarted(0, "", 0, 0, (), ())
        self._seats: tuple[int, ...] = ()
        self._game = 0
        self._hands = 0
        self._shown: dict[int, str] = {}

    def after(self, event: Event) -> list[Event]:
        """What goes on air right after `event`, at the same moment."""
        self._note(event)
        tell = _TELLERS.get(type(event))
        text = tell(self, event) if tell else ""
        added: list[Event] = [CaptionSpoken(text)] if text else []
        if isinstance(event, GameEnded) and self._stage.games > 1:
            added.append(self._standings())
        return added

    # -- standings

    def _note(self, event: Event) -> None:
        match event:
            case TournamentOpened(entrants=entrants, starting_stack=stack):
                self._names = {entrant.bot: entrant.name for entrant in entrants}
                self._sounds_ms = {entrant.bot: entrant.sound_ms for entrant in entrants}
                self._stacks = dict.fromkeys(self._names, stack)
                self._games = dict.fromkeys(self._names, 0)
            case StageStarted(bots=bots, stacks=stacks):
                self._stage, self._game = event, 0
                self._stacks |= dict(zip(bots, stacks, strict=True))
                self._ranks = {}
            case GameStarted(seats=seats, hands=hands):
                self._game, self._seats, self._hands = self._game + 1, seats, hands
                for bot in seats:
                    self._games[bot] += 1
            case GameEnded(stacks=stacks):
                self._stacks |= dict(zip(self._seats, stacks, strict=True))
            case HandStarted():
                self._shown = {}
            case HandShown(seat=seat, ranking=ranking):
                self._shown[seat] = ranking
            case BotEliminated(bot=bot, place=place):
                self._places[bot] = place
            case _:
                pass

    def _standings(self) -> StandingsChanged:
        best_first = sorted(self._stage.bots, key=lambda bot: (self._places.get(bot, 0), -self._stacks[bot], bot))
        rows = []
        for rank, bot in enumerate(best_first, 1):
            moved = self._ranks.get(bot, rank) - rank
            rows.append(Standing(rank, bot, self._stacks[bot], moved, self._games[bot], self._places.get(bot, 0)))
            self._ranks[bot] = rank
        return StandingsChanged(tuple(rows), self._stage.advance)

    # -- captions

    def name(self, seat: int) -> str:
        """The name of the bot in a seat of the present game."""
        return self._names[self._seats[seat]]

    def sounds_ms(self) -> dict[int, int]:
        """How long the sound of the bot in each seat of the present game plays, in milliseconds."""
        return {seat: self._sounds_ms[bot] for seat, bot in enumerate(self._seats)}

    def stage_caption(self, event: StageStarted) -> str:
        if event.advance:
            return f"{event.title}: {len(event.bots)} bots, and the best {event.advance} ride on."
        return f"{event.title}. {_listed(self._names[bot] for bot in event.bots)}."

    def game_caption(self, event: GameStarted) -> str:
        which = f"Game {self._game}: " if self._stage.games > 1 else ""
        return f"{which}{_listed(self._names[bot] for bot in event.seats)} sit down."

    def game_end_caption(self, event: GameEnded) -> str:
        most = max(event.stacks)
        leaders = [self.name(seat) for seat, stack in enumerate(event.stacks) if stack == most]
        what = f"Game {self._game}" if self._stage.games > 1 else "The last hand"
        return f"{what} is over. {_listed(leaders)} leave{'s' if len(leaders) == 1 else ''} with {most:,}."

    def hand_caption(self, event: HandStarted) -> str:
        return f"Hand {event.hand} of {self._hands}. {self.name(event.button)} has the button."

    def act_caption(self, event: ActionTaken) -> str:
        name = self.name(event.seat)
        if event.fault == "timeout":
            return f"{name} runs out of time and folds."
        if event.fault == "disconnected":
            return f"{name} is gone and folds."
        if event.all_in:
            return f"{name} is all in for {event.bet:,}!"
        return {
            "fold": f"{name} folds.",
            "check": f"{name} checks.",
            "call": f"{name} calls {event.amount:,}.",
            "bet": f"{name} bets {event.bet:,}.",
            "raise": f"{name} raises to {event.bet:,}.",
        }[event.act]

    def street_caption(self, event: StreetDealt) -> str:
        return f"The {event.street}: {_listed(card_name(card) for card in event.cards)}."

    def award_caption(self, event: PotAwarded) -> str:
        pot = "the pot" if event.pot == 0 else f"side pot {event.pot}"
        winners = [award.seat for award in event.awards]
        ranking = self._shown.get(winners[0], "")
        with_what = f" with {_with_article(ranking)}" if ranking else ""
        if len(winners) > 1:
            return f"{_listed(self.name(seat) for seat in winners)} split {pot} of {event.amount:,}{with_what}."
        return f"{self.name(winners[0])} wins {pot} of {event.amount:,}{with_what}."

    def elimination_caption(self, event: BotEliminated) -> str:
        return f"{self._names[event.bot]} is out of chips: {_ordinal(event.place)} place."

    def stage_end_caption(self, event: StageEnded) -> str:
        riders = _listed(self._names[bot] for bot in event.advancing)
        return f"{self._stage.title} is over. {riders} ride on." if riders else ""

    def gone_caption(self, event: BotDisconnected) -> str:
        return f"{self._names[event.bot]} has left the saloon."

    def champion_caption(self, event: TournamentEnded) -> str:
        return f"{self._names[event.placings[0].bot]} wins the tournament!" if event.placings else ""


_TELLERS: dict[type[Event], Callable[[Story, Any], str]] = {
    StageStarted: Story.stage_caption,
    GameStarted: Story.game_caption,
    GameEnded: Story.game_end_caption,
    HandStarted: Story.hand_caption,
    ActionTaken: Story.act_caption,
    StreetDealt: Story.street_caption,
    PotAwarded: Story.award_caption,
    BotEliminated: Story.elimination_caption,
    StageEnded: Story.stage_end_caption,
    BotDisconnected: Story.gone_caption,
    TournamentEnded: Story.champion_caption,
}


def _listed(words: Iterable[str]) -> str:
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _with_article(ranking: str) -> str:
    """ "a pair of kings", but "two pair" and "four of a kind"."""
    bare = ranking.startswith(("two", "three", "four", "high"))
    return ranking if bare else f"a {ranking}"


def _ordinal(number: int) -> str:
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
