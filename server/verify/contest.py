"""Proves the course of a contest: which stage and game follows, who is seated, eliminated, advances and is paid.

Works out each event of OF_A_CONTEST anew and compares it. What happens within a hand is not checked here.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NoReturn

from msgspec.structs import replace

from server.game.contests import CONTESTS
from server.game.events import (
    BotEliminated,
    BotRated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    Placing,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.game.hand import Hand
from server.game.placings import final_placings
from server.game.ratings import rate_game
from server.game.tournament import (
    StagePlan,
    busted,
    draw_seats,
    eliminated,
    end_game,
    end_stage,
    evolve,
    first_stacks,
    forfeit,
    game_over,
    may_withdraw,
    next_stage,
    open_tournament,
    plan_of,
    stage_over,
    standing_of,
)
from server.shuffle import commitment, dice, hand_name, key_of
from server.verify.names import check_names
from server.verify.refutation import Refuted, key_in, same

OF_A_CONTEST = (
    TournamentOpened, StageStarted, StageCut, StageEnded, GameStarted, GameForfeited, GameEnded, BotRated,
    BotEliminated, BotWithdrawn, TournamentEnded,
)  # fmt: skip

LEAST_SEATS = 2


class ContestProof:
    """The contest as far as it has been proved: `take` gets its events in order."""

    def __init__(self, opened: TournamentOpened) -> None:
        """Raises Refuted where the entrants cannot be right."""
        if len({entrant.bot for entrant in opened.entrants}) < len(opened.entrants):
            raise Refuted("a bot is entered twice")
        check_names(opened)
        self.opened = opened
        self.tournament = open_tournament(opened)
        self.stacks: list[int] = []
        self.hands = 0
        """How many hands were played in the present game."""
        self.draws = 0
        self.lots = 0
        """How many ties were decided by lot."""
        self.out = 0
        self.ratings = 0
        self.won = 0
        """How many games of a series were won by a bot."""
        self.over = False
        self.placings: tuple[Placing, ...] = ()
        """The placings, once they are proved."""
        self.remarks: list[str] = []
        self._last_key = b""
        """The key of the last deck in the present game."""
        self._owed: list[tuple[int, int]] = []
        self._forfeit: GameForfeited | None = None
        self._unrated: list[BotRated] = []
        self._keys: dict[str, bytes] = {}
        if self._by_the_book() and opened.rules != CONTESTS[opened.contest].rules:
            self.remarks.append("the rules at the table are not those of the rule book")

    @property
    def where(self) -> str:
        """The place in the contest, in words: "The Trials, game 3"."""
        tournament = self.tournament
        stage = tournament.stage.title if tournament.stage and tournament.in_stage else ""
        game = f"game {tournament.game.game}" if tournament.game else ""
        return ", ".join(filter(None, (stage, game)))

    def take(self, event: Event) -> None:
        """Takes the next event of OF_A_CONTEST. Raises Refuted where another should come, or its fields are wrong."""
        if not isinstance(event, self._due()):
            self._nothing_is_due()
        self._check(event)
        self.tournament = evolve(self.tournament, event)

    def begin_hand(self, number: int) -> None:
        """Notes that hand `number` of the game begins. Raises Refuted where none should, or another one."""
        self._nothing_is_due()
        game = self.tournament.game
        if game is None:
            raise Refuted("a hand is dealt outside a game")
        same("the number of the hand", number, self.hands + 1)
        if self._game_over():
            raise Refuted("a hand is dealt after the last of its game")

    def end_hand(self, stacks: Sequence[int], key: bytes, played: Hand | None = None) -> None:
        """Notes that a proved hand is over: `stacks` by seat, the `key` of its deck, the hand after its last event.

        Raises Refuted where chips were lost or won from nowhere.
        """
        game = self.tournament.game
        assert game is not None, "a hand ends in the game in which it began"
        gone = played.vacated if played else 0
        same("the chips in play", sum(stacks) + gone, sum(self.stacks))
        if played and played.forfeited >= 0:
            self._forfeit = GameForfeited(game.game, played.forfeited, played.fault)
        broke = busted(game.seats, self.stacks, stacks)
        self._owed = eliminated(self.tournament, broke, dice(key))
        self.lots += _ties([had for _, had in broke])
        self._keys[hand_name(game.game, self.hands + 1)] = self._last_key = key
        self.stacks = list(stacks)
        self.hands += 1

    def _due(self) -> type[Event] | tuple[()]:
        """The events that must come next, before any other of the contest."""
        if self._owed:
            return BotEliminated
        return GameForfeited if self._forfeit else BotRated if self._unrated else ()

    def _nothing_is_due(self) -> None:
        """Raises Refuted where another event of the contest is due first."""
        if self.over:
            raise Refuted("the contest goes on after its end")
        if self._owed:
            raise Refuted(f"bot {self._owed[0][0]} has lost its last chip, but was not retired")
        if self._forfeit:
            raise Refuted(f"a fault cost seat {self._forfeit.seat + 1} the game, but it goes on")
        if self._unrated:
            raise Refuted(f"bot {self._unrated[0].bot} has played a game, but its rating is not told")

    def _check(self, event: Event) -> None:
        match event:
            case StageStarted():
                self._check_stage(event)
            case StageCut():
                self._check_cut(event)
            case StageEnded():
                self._check_stage_end(event)
            case TournamentEnded():
                self._check_end(event)
            case TournamentOpened():
                raise Refuted("the tournament is opened twice")
            case _:
                self._check_of_a_game(event)

    def _check_of_a_game(self, event: Event) -> None:
        match event:
            case BotWithdrawn():
                self._check_withdrawal(event)
            case GameStarted():
                self._check_draw(event)
            case BotEliminated():
                self._check_elimination(event)
            case GameForfeited():
                self._check_forfeit(event)
            case GameEnded():
                self._check_game_end(event)
            case BotRated():
                self._check_rating(event)

    # -- before and between the games

    def _check_withdrawal(self, event: BotWithdrawn) -> None:
        if not may_withdraw(self.tournament, event.bot):
            raise Refuted(f"bot {event.bot} is withdrawn, but is not waiting for the first stage")
        self.remarks.append(f"bot {event.bot} was withdrawn before the first stage: {event.reason}")

    def _check_stage(self, event: StageStarted) -> None:
        before = self.tournament.stage
        if self.tournament.in_stage or (before and not before.advance):
            raise Refuted("a stage is started within a stage or after the last one")
        if event.stage <= (before.stage if before else 0):
            raise Refuted(f"stage {event.stage} is started out of order")
        same("the bots of the stage", event.bots, self.tournament.stage_bots)
        records, fresh = self.tournament.records, self.opened.starting_stack
        stacks = tuple(records[bot].stack if event.carry else fresh for bot in event.bots)
        same("the stacks at the start of the stage", event.stacks, stacks)
        if event.seats < LEAST_SEATS:
            raise Refuted(f"stage {event.stage} is played at tables of {event.seats}")
        if event.advance >= max(len(event.bots), 1):
            raise Refuted(f"stage {event.stage} is played although everybody advances")
        announced = plan_of(event)
        if self._by_the_book() and not self._is_next_in_the_book(event.stage, announced):
            announcement = (
                f"{announced.games} games of {announced.hands} hands, {announced.advance} of {len(event.bots)} advance"
            )
            self.remarks.append(f"stage {event.stage} is announced otherwise than the rule book has it: {announcement}")

    def _check_cut(self, event: StageCut) -> None:
        stage = self._stage()
        same("the stage that is cut", event.stage, stage.stage)
        playing = self.tournament.game is not None and not self._game_over()
        if stage_over(self.tournament, self._plan()) and not playing:
            raise Refuted(f"stage {event.stage} is cut although it is over")
        self.remarks.append(f"stage {event.stage} was ended early by the operator")

    def _check_draw(self, event: GameStarted) -> None:
        stage = self._stage()
        if self.tournament.game is not None or stage_over(self.tournament, self._plan()):
            raise Refuted("a game is started within a game or after the last of its stage")
        stacks = first_stacks(self.tournament, event.seats)
        same("the stacks at the start of the game", event.stacks, stacks)
        same("the number of the game", event.game, self.tournament.games + 1)
        same("the number of hands in the game", event.hands, stage.hands)
        if self.opened.prizes_cents and not event.draw_key:
            raise Refuted("the seats of a contest for prizes were not drawn")
        key = key_in(event.draw_key, "the key of the draw")
        plan = plan_of(stage, draw=bool(key))
        same("the bots drawn, seat by seat,", event.seats, draw_seats(self.tournament, plan, dice(key)))
        if key:
            self._keys[f"game {event.game}"] = key
            self.draws += 1
        self.stacks, self.hands = list(event.stacks), 0

    # -- how things end

    def _check_elimination(self, event: BotEliminated) -> None:
        due = self._owed.pop(0) if self._owed else None
        right = f"bot {due[0]} in place {due[1]}" if due else "nobody"
        same("the next bot to retire", f"bot {event.bot} in place {event.place}", right)
        self.out += 1
        assert self.tournament.game is not None, "somebody is owed a place only within a game"
        same("the seat of the bot that retires", event.seat + 1, self.tournament.game.seats.index(event.bot) + 1)

    def _check_forfeit(self, event: GameForfeited) -> None:
        same("the fault that costs the game", event, self._forfeit)
        self._forfeit = None
        self.stacks = list(forfeit(event.seat, self.stacks))

    def _check_rating(self, event: BotRated) -> None:
        same("the next rating", event, self._unrated.pop(0) if self._unrated else None)
        self.ratings += 1

    def _check_game_end(self, event: GameEnded) -> None:
        game = self.tournament.game
        if game is None:
            raise Refuted("a game ends that was not started")
        same("the number of the game that ends", event.game, game.game)
        same("the stacks at the end of the game", list(event.stacks), self.stacks)
        if not self._game_over():
            raise Refuted(f"the game ends after {self.hands} of {game.hands} hands, and nobody cut it short")
        right = end_game(self.tournament, self.stacks, dice(self._last_key) if self.hands else None)
        same("who won the game, and the order behind", event.ranking, right.ranking)
        if right.ranking:
            self.won += 1
            self.lots += _ties([stack for stack in self.stacks if stack])
        entrants = {entrant.bot: entrant for entrant in self.opened.entrants}
        self._unrated = rate_game(entrants, game, event.stacks)

    def _check_stage_end(self, event: StageEnded) -> None:
        stage, plan = self._stage(), self._plan()
        if self.tournament.game is not None:
            raise Refuted("the stage ends within a game")
        if not stage_over(self.tournament, plan):
            played = self.tournament.games_in_stage
            raise Refuted(f"the stage ends after {played} of {plan.games} games, and nobody cut it short")
        key = key_in(event.draw_key, "the key of the lots")
        right = end_stage(self.tournament, stage.advance, event.draw_key, dice(key))
        same("the number of the stage that ends", event.stage, right.stage)
        same("the ranking", event.ranking, right.ranking)
        same("the stacks at the end of the stage", event.stacks, right.stacks)
        same("the bots that advance", event.advancing, right.advancing)
        self.lots += _ties(self._undecided(event.ranking))
        self._keys[f"stage {event.stage}"] = key

    def _check_end(self, event: TournamentEnded) -> None:
        stage = self.tournament.stage
        if stage is None or self.tournament.in_stage or stage.advance:
            raise Refuted("the tournament ends before its last stage has")
        seed = key_in(event.seed, "the seed")
        same("the seal of the seed", self.opened.seed_commitment, commitment(seed))
        for name, key in self._keys.items():
            same(f"the dice of {name}", key.hex(), key_of(seed, name).hex())
        right = final_placings(self.opened, self.tournament)
        for place, (is_there, expected) in enumerate(zip(event.placings, right, strict=False), 1):
            same(f"line {place} of the final table", is_there, expected)
        same("the number of lines of the final table", len(event.placings), len(right))
        self.over, self.placings = True, event.placings

    # -- what was announced

    def _stage(self) -> StageStarted:
        """The stage being played."""
        return self.tournament.stage if self.tournament.in_stage and self.tournament.stage else _nowhere()

    def _plan(self) -> StagePlan:
        return plan_of(self._stage())

    def _game_over(self) -> bool:
        return game_over(self.tournament, self._plan(), self.hands, self.stacks)

    def _undecided(self, ranking: Sequence[int]) -> list[Hashable]:
        """The sort keys of the bots whose places no hand has decided: between equals the draw decided."""
        records, series = self.tournament.records, self._stage().series
        return [standing_of(self.tournament, bot) for bot in ranking if series or not records[bot].place]

    def _is_next_in_the_book(self, stage: int, announced: StagePlan) -> bool:
        """Whether the rule book has this stage now. In a series the organiser chooses how many games and hands."""
        planned = next_stage(CONTESTS[self.opened.contest], self.tournament)
        if planned and announced.series:
            announced = replace(announced, games=planned[1].games, hands=planned[1].hands, series=False)
        return planned == (stage, announced)

    def _by_the_book(self) -> bool:
        """Whether this is meant to be a contest of the rule book; a practice game has no prizes."""
        return self.opened.contest in CONTESTS and bool(self.opened.prizes_cents)


def _ties(amounts: Sequence[Hashable]) -> int:
    """How many of `amounts` are there more than once."""
    return sum(count > 1 for count in Counter(amounts).values())


def _nowhere() -> NoReturn:
    raise Refuted("something of a stage happens outside one")
