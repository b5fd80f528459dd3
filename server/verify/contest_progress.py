"""Follows a recorded contest while the recording is verified. Keeps the contest's state and the events that must come
next. Checks the stages and the end of the contest.

At the end, the key of every deck (the bytes that determine its cards) must follow from the seed. `games.py` checks the
games, and `recording.py` deals each hand again from the key of its deck.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from msgspec.structs import replace

from server.contests import CONTESTS
from server.game import events
from server.game.formats import StagePlan
from server.game.prizes import final_placings
from server.game.rules import describe_clock
from server.game.tournament import next_stage, open_tournament, plan_of
from server.shuffle import commitment, key_of, named_shuffler
from server.text.grammar import count_text
from server.verify.claims import Proof
from server.verify.refutation import Refuted, check_names, expect_equal, parse_key

DueEvent = events.BotEliminated | events.GameForfeited | events.BotRated | events.DealEnded


class ContestProgress:
    """The state of the contest after the latest recorded event, and the proof so far. The checks read and change this
    state.
    """

    def __init__(self, opened: events.TournamentOpened) -> None:
        """Raises Refuted if the entrants are impossible."""
        if len({entrant.bot for entrant in opened.entrants}) < len(opened.entrants):
            raise Refuted("a bot is entered twice")
        check_names(opened)
        self.opened = opened
        self.tournament = open_tournament(opened)
        self.stacks: Sequence[int] = ()
        """Each seat's chips in the current game."""
        self.hands = 0
        """The number of hands played in the current game."""
        self.table_events: list[events.Event] = []
        """The events of the proved hands in the current game. Needed only if bots are ranked without their luck."""
        self.last_key = b""
        """The key of the latest deck in the current game."""
        self.keys: list[tuple[str, bytes]] = []
        """The name and the key of each deck and each draw. At the end, all keys must follow from the seed."""
        self.due_events: list[DueEvent] = []
        """The events that must come next, before any other event."""
        self.proof = Proof()
        if clock := describe_clock(opened.rules):
            self.proof.remarks.append(f"an exhibition: {clock}")
        elif self.follows_rule_book and replace(opened.rules, edition=2) != CONTESTS[opened.contest].format.rules:
            self.proof.remarks.append("the rules at the table are not those of the rule book")

    @property
    def where(self) -> str:
        """The current stage and game, such as "The Trials, game 3"."""
        tournament = self.tournament
        stage = tournament.stage.title if tournament.stage and tournament.in_stage else ""
        game = f"game {tournament.game.game}" if tournament.game else ""
        return ", ".join(filter(None, (stage, game)))

    @property
    def follows_rule_book(self) -> bool:
        """Whether the rule book applies. It does not apply to practice games and contests without prizes."""
        return self.opened.contest in CONTESTS and bool(self.opened.prizes_cents)

    @property
    def stage(self) -> events.StageStarted:
        """The stage being played. Raises Refuted if there is none."""
        if not self.tournament.in_stage or self.tournament.stage is None:
            raise Refuted("an event of a stage happens outside a stage")
        return self.tournament.stage

    @property
    def plan(self) -> StagePlan:
        return plan_of(self.stage)

    @property
    def is_game_over(self) -> bool:
        return self.tournament.is_game_over(self.plan, self.hands, self.stacks)

    def check_nothing_due(self) -> None:
        """Raises Refuted if another event must come first, or if the contest is over."""
        if self.proof.finished:
            raise Refuted("the contest continues after its end")
        match self.due_events[:1]:
            case [events.BotEliminated(bot=bot)]:
                raise Refuted(f"bot {bot} has lost its last chip, but is not out")
            case [events.GameForfeited(seat=seat)]:
                raise Refuted(f"seat {seat + 1} forfeited the game by a fault, but the game continues")
            case [events.BotRated(bot=bot)]:
                raise Refuted(f"bot {bot} has played a game, but its new rating is missing")
            case [events.DealEnded(deal=deal)]:
                raise Refuted(f"all tables of deal {deal} are played, but its result is missing")


def count_ties(amounts: Sequence[Hashable]) -> int:
    """Returns how many different values occur more than once in `amounts`."""
    return sum(count > 1 for count in Counter(amounts).values())


def check_withdrawal(contest: ContestProgress, event: events.BotWithdrawn) -> None:
    """Raises Refuted if the bot may not be withdrawn now."""
    if not contest.tournament.may_withdraw(event.bot):
        raise Refuted(f"bot {event.bot} is withdrawn, but is not waiting for the first stage")
    contest.proof.remarks.append(f"bot {event.bot} was withdrawn before the first stage: {event.reason}")


def check_stage_start(contest: ContestProgress, event: events.StageStarted) -> None:
    """Raises Refuted if this stage may not start now, or has the wrong bots or stacks."""
    previous_stage = contest.tournament.stage
    if contest.tournament.in_stage or (previous_stage and not previous_stage.advance):
        raise Refuted("a stage is started within a stage or after the last one")
    if event.stage <= (previous_stage.stage if previous_stage else 0):
        raise Refuted(f"stage {event.stage} is started out of order")
    expect_equal("the bots of the stage", event.bots, contest.tournament.stage_bots)
    records, starting_stack = contest.tournament.records, contest.opened.starting_stack
    stacks = tuple(records[bot].stack if event.carry else starting_stack for bot in event.bots)
    expect_equal("the stacks at the start of the stage", event.stacks, stacks)
    if event.decided_by and not event.deals:
        raise Refuted(f"stage {event.stage} says whether chips won or earned decide, but has no deals")
    if event.seats < 2:
        raise Refuted(f"stage {event.stage} is played at tables of {event.seats}")
    if event.deals:
        expect_equal("the number of games", event.games, event.deals * min(event.seats, len(event.bots)))
    if event.advance >= max(len(event.bots), 1):
        raise Refuted(f"stage {event.stage} is played although everybody advances")
    _remark_on(contest, event)


def check_stage_cut(contest: ContestProgress, event: events.StageCut) -> None:
    """Raises Refuted if the stage is over or a deal is being played, because then the operator cannot end the stage."""
    expect_equal("the stage that is cut", event.stage, contest.stage.stage)
    if contest.tournament.deal_tables or (contest.tournament.has_deals and contest.tournament.game):
        raise Refuted(f"stage {event.stage} is cut in the middle of a deal")
    is_game_running = contest.tournament.game is not None and not contest.is_game_over
    if contest.tournament.is_stage_over(contest.plan) and not is_game_running:
        raise Refuted(f"stage {event.stage} is cut although it is over")
    contest.proof.remarks.append(f"{contest.stage.title} was ended early by the operator")


def check_stage_end(contest: ContestProgress, event: events.StageEnded) -> None:
    """Raises Refuted if the stage may not end yet, or has the wrong ranking."""
    stage, plan = contest.stage, contest.plan
    if contest.tournament.game is not None:
        raise Refuted("the stage ends within a game")
    if not contest.tournament.is_stage_over(plan):
        games_played = contest.tournament.games_in_stage
        raise Refuted(f"the stage ends after {games_played} of {plan.games} games, but the operator did not end it")
    key = parse_key(event.draw_key, "the key of the lots")
    expected = contest.tournament.end_stage(stage.advance, event.draw_key, named_shuffler(key))
    expect_equal("the number of the stage that ends", event.stage, expected.stage)
    expect_equal("the ranking", event.ranking, expected.ranking)
    expect_equal("the stacks at the end of the stage", event.stacks, expected.stacks)
    expect_equal("the bots that advance", event.advancing, expected.advancing)
    contest.proof.broken_ties += count_ties(_rank_keys(contest, event.ranking))
    contest.keys.append((f"stage {event.stage}", key))


def check_end(contest: ContestProgress, event: events.TournamentEnded) -> None:
    """Raises Refuted if the last stage is not over, or if the seed or the final results are wrong."""
    stage = contest.tournament.stage
    if stage is None or contest.tournament.in_stage or stage.advance:
        raise Refuted("the tournament ends before its last stage is over")
    seed = parse_key(event.seed, "the seed")
    expect_equal("the seal of the seed", contest.opened.seed_commitment, commitment(seed))
    for name, key in contest.keys:
        expect_equal(f"the key of {name}", key.hex(), key_of(seed, name).hex())
    expected_placings = final_placings(contest.opened, contest.tournament)
    for place, (recorded, expected) in enumerate(zip(event.placings, expected_placings, strict=False), 1):
        expect_equal(f"line {place} of the final results", recorded, expected)
    expect_equal("the number of lines of the final results", len(event.placings), len(expected_placings))
    contest.proof.finished, contest.proof.placings = True, event.placings


def _remark_on(contest: ContestProgress, event: events.StageStarted) -> None:
    """Adds a remark if a stage differs from the rule book. The proof still holds, because the organiser may announce
    such a stage.
    """
    if not contest.follows_rule_book:
        return
    if event.deals:
        deals = f"up to {count_text(event.deals, 'deal')} of {count_text(event.hands, 'hand')}"
        contest.proof.remarks.append(f"{event.title} has the same cards for everybody: {deals}")
        return
    announced = expected = plan_of(event)
    planned = next_stage(CONTESTS[contest.opened.contest].format, contest.tournament)
    if planned and announced.series:  # in a series the organiser chooses the number of games and hands
        expected = replace(expected, games=planned[1].games, hands=planned[1].hands, series=False)
    if planned != (event.stage, expected):
        games = f"{announced.games} games of {announced.hands} hands"
        announcement = f"{games}, {announced.advance} of {len(event.bots)} advance"
        contest.proof.remarks.append(f"{event.title} is announced differently than in the rule book: {announcement}")


def _rank_keys(contest: ContestProgress, ranking: Sequence[int]) -> list[Hashable]:
    """Returns the sort keys of the ranked bots. Bots with equal keys were ranked by lot.

    Bots that went broke have sort keys only in a series.
    """
    records, series = contest.tournament.records, contest.stage.series
    return [contest.tournament.rank_key_of(bot) for bot in ranking if series or not records[bot].place]
