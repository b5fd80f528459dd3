"""How far the course of a contest has been proved: its state, and what must come next."""

from collections import Counter
from collections.abc import Hashable, Sequence

from msgspec.structs import replace

from server.contests import CONTESTS
from server.game.events import BotEliminated, BotRated, GameForfeited, StageStarted, TournamentOpened
from server.game.tournament import StagePlan, game_over, open_tournament, plan_of
from server.verify.counts import Proof
from server.verify.refutation import Refuted, check_names

Due = BotEliminated | GameForfeited | BotRated


class Course:
    """The contest so far; the checks in `stages` and `games` read it, and note in it what they have proved."""

    def __init__(self, opened: TournamentOpened) -> None:
        """Raises Refuted where the entrants cannot be right."""
        if len({entrant.bot for entrant in opened.entrants}) < len(opened.entrants):
            raise Refuted("a bot is entered twice")
        check_names(opened)
        self.opened = opened
        self.tournament = open_tournament(opened)
        self.stacks: Sequence[int] = ()
        """Everybody's chips in the present game."""
        self.hands = 0
        """How many hands were played in the present game."""
        self.last_key = b""
        """The key of the last deck in the present game."""
        self.keys: list[tuple[str, bytes]] = []
        """The key of each deck and draw, by its name; the seed must give all of them."""
        self.due: list[Due] = []
        """What must come next, before anything else of the contest."""
        self.proof = Proof()
        if self.by_the_book and replace(opened.rules, edition=2) != CONTESTS[opened.contest].format.rules:
            self.proof.remarks.append("the rules at the table are not those of the rule book")

    @property
    def where(self) -> str:
        """The place in the contest, in words: "The Trials, game 3"."""
        tournament = self.tournament
        stage = tournament.stage.title if tournament.stage and tournament.in_stage else ""
        game = f"game {tournament.game.game}" if tournament.game else ""
        return ", ".join(filter(None, (stage, game)))

    @property
    def by_the_book(self) -> bool:
        """Whether this is meant to be a contest of the rule book; a practice game has no prizes."""
        return self.opened.contest in CONTESTS and bool(self.opened.prizes_cents)

    @property
    def stage(self) -> StageStarted:
        """The stage being played. Raises Refuted where none is."""
        if not self.tournament.in_stage or self.tournament.stage is None:
            raise Refuted("something of a stage happens outside one")
        return self.tournament.stage

    @property
    def plan(self) -> StagePlan:
        return plan_of(self.stage)

    @property
    def game_over(self) -> bool:
        """Whether no further hand of the present game may be dealt."""
        return game_over(self.tournament, self.plan, self.hands, self.stacks)

    def nothing_is_due(self) -> None:
        """Raises Refuted where an event of the contest must come first, or none may come any more."""
        if self.proof.finished:
            raise Refuted("the contest goes on after its end")
        match self.due[:1]:
            case [BotEliminated(bot=bot)]:
                raise Refuted(f"bot {bot} has lost its last chip, but is not out")
            case [GameForfeited(seat=seat)]:
                raise Refuted(f"a fault cost seat {seat + 1} the game, but it goes on")
            case [BotRated(bot=bot)]:
                raise Refuted(f"bot {bot} has played a game, but its rating is not told")


def ties(amounts: Sequence[Hashable]) -> int:
    """How many of `amounts` are there more than once."""
    return sum(count > 1 for count in Counter(amounts).values())
