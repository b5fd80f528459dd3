"""Checks the games of a contest: the seats, the blinds, the bots that go out after each hand, and the winner.

`contest.proof` counts what has been proved.
"""

from collections.abc import Sequence

from server.equity.luck import luck_at_table
from server.game import events
from server.game.deals import deal_seat_orders
from server.game.hand import Hand
from server.game.ratings import rate_game
from server.game.rules import Rules
from server.game.tournament import busted_bots, deck_game_of, plan_of, stacks_after_forfeit
from server.shuffle import deck_name, named_shuffler
from server.verify.contest_progress import ContestProgress, DueEvent, count_ties
from server.verify.refutation import Refuted, expect_equal, parse_key

_MISSING_EVENTS = {
    events.BotEliminated: "the next bot that goes out",
    events.GameForfeited: "the fault for which a bot forfeits the game",
    events.BotRated: "the next rating",
    events.DealEnded: "what each bot has won in the deal",
}
"""What to call each event that may be due."""


def check_game_start(contest: ContestProgress, event: events.GameStarted) -> None:
    """Raises Refuted if no game may start now, or if the game has the wrong seats or stacks."""
    stage = contest.stage
    if contest.tournament.game is not None or contest.tournament.is_stage_over(contest.plan):
        raise Refuted("a game is started within a game, or after the last game of its stage")
    expect_equal("the stacks at the start of the game", event.stacks, contest.tournament.starting_stacks(event.seats))
    expect_equal("the number of the game", event.game, contest.tournament.games + 1)
    expect_equal("the number of hands in the game", event.hands, stage.hands)
    if contest.opened.prizes_cents and not (event.draw_key or stage.duplicate or contest.tournament.deal_tables):
        raise Refuted("the seats of a contest for prizes were not drawn at random")
    key = parse_key(event.draw_key, "the key of the draw")
    plan = plan_of(stage, draws_seats=bool(key))
    expected = contest.tournament.draw_seats(plan, named_shuffler(key))
    if plan.deals and event.seats in deal_seat_orders(expected) and not contest.tournament.deal_tables:
        expected = event.seats  # a deal's tables may be recorded in any order
    expect_equal("the bots drawn, seat by seat,", event.seats, expected)
    # All games of a deal use the decks of the deal's first game. All games of a duplicate stage use the decks of the
    # stage's first game.
    expect_equal("the game whose decks are dealt again", event.dealt_as, contest.tournament.game_to_repeat(plan))
    if key:
        contest.keys.append((f"game {event.game}", key))
        contest.proof.draws += 1
    contest.stacks, contest.hands, contest.table_events = event.stacks, 0, []


def check_hand_start(contest: ContestProgress, number: int) -> None:
    """Raises Refuted if hand `number` of the game may not start now."""
    contest.check_nothing_due()
    if contest.tournament.game is None:
        raise Refuted("a hand is dealt outside a game")
    expect_equal("the number of the hand", number, contest.hands + 1)
    if contest.is_game_over:
        raise Refuted("a hand is dealt after the last hand of its game")


def record_hand_end(
    contest: ContestProgress, stacks: Sequence[int], key: bytes, final_hand: Hand | None = None
) -> None:
    """Records the end of a proved hand. `stacks` are each seat's chips after the hand. `key` is the key of the hand's
    deck, and `final_hand` is the hand's final state, if known.

    Raises Refuted if chips have appeared or disappeared.
    """
    game = contest.tournament.game
    assert game is not None, "a hand ends in the game in which it began"
    vacated_chips = final_hand.vacated_chips if final_hand else 0
    expect_equal("the chips in play", sum(stacks) + vacated_chips, sum(contest.stacks))
    busted_stacks = busted_bots(game.seats, contest.stacks, stacks)
    seat_of = {bot: seat for seat, bot in enumerate(game.seats)}
    contest.due_events += [
        events.BotEliminated(bot, seat_of[bot], place)
        for bot, place in contest.tournament.elimination_places(busted_stacks, named_shuffler(key))
    ]
    if final_hand and final_hand.forfeiting_seat >= 0:
        contest.due_events.append(events.GameForfeited(game.game, final_hand.forfeiting_seat, final_hand.fault))
    contest.proof.broken_ties += 0 if contest.stage.deals else count_ties([chips for _, chips in busted_stacks])
    contest.keys.append((deck_name(deck_game_of(game), contest.hands + 1), key))
    contest.last_key = key
    contest.stacks = stacks
    contest.hands += 1


def check_due_event(contest: ContestProgress, event: DueEvent) -> None:
    """Checks an elimination, a forfeit, a new rating or a deal's result. Raises Refuted unless it is due now."""
    expect_equal(_MISSING_EVENTS[type(event)], event, contest.due_events.pop(0) if contest.due_events else None)
    match event:
        case events.BotEliminated():
            contest.proof.eliminations += 1
        case events.BotRated():
            contest.proof.ratings += 1
        case events.GameForfeited():
            contest.stacks = stacks_after_forfeit(event.seat, contest.stacks)
        case events.DealEnded():
            contest.proof.deals += 1


def check_game_end(contest: ContestProgress, event: events.GameEnded) -> None:
    """Raises Refuted if the game may not end yet, or has the wrong stacks or ranking."""
    game = contest.tournament.game
    if game is None:
        raise Refuted("a game that was never started has ended")
    expect_equal("the number of the game that ends", event.game, game.game)
    expect_equal("the stacks at the end of the game", event.stacks, tuple(contest.stacks))
    right_luck = luck_at_table(game.seats, contest.table_events) if contest.stage.decided_by == "earned" else ()
    expect_equal("the luck of the board at the table", event.luck, right_luck)
    contest.proof.luck_tables += bool(right_luck)
    if not contest.is_game_over:
        raise Refuted(
            f"the game ends after {contest.hands} of {game.hands} hands, although the operator did not end it"
        )
    expected = contest.tournament.end_game(contest.stacks, named_shuffler(contest.last_key) if contest.hands else None)
    expect_equal("the ranking of the game", event.ranking, expected.ranking)
    if expected.ranking:
        contest.proof.series_games += 1
        contest.proof.broken_ties += count_ties([stack for stack in contest.stacks if stack])
    if not contest.stage.deals:
        entrants = {entrant.bot: entrant for entrant in contest.opened.entrants}
        contest.due_events += rate_game(entrants, game, event.stacks)


class BlindsChecker:
    """Checks the blinds of a game, hand by hand. From hand to hand, the big blind moves on to the next bot with chips.

    Uses only the recorded blinds, and not the engine that plays hands. So this check also finds mistakes of the engine.
    """

    def __init__(self, rules: Rules, seats: int) -> None:
        self._rules = rules
        self._last_big_blind = seats - 2
        """The seat of the latest big blind. The next big blind goes to the next seat with chips, clockwise. The initial
        value gives the first big blind to the last seat.
        """
        self._dealt_seats: list[int] = []
        """The seats that get cards, clockwise from the big blind to the small blind."""

    def check_button(self, started: events.HandStarted) -> None:
        """Raises Refuted if a hand starts with the button in the wrong seat."""
        seats = len(started.stacks)
        clockwise = [(self._last_big_blind + step) % seats for step in range(1, seats + 1)]
        self._dealt_seats = [seat for seat in clockwise if started.stacks[seat]]
        button_is_small = len(self._dealt_seats) == 2 and self._rules.heads_up_button_posts == "small"
        button = self._dealt_seats[-1 if button_is_small else -2]
        expect_equal("the seat with the button", started.button + 1, button + 1)

    def check_posts(self, hand: Sequence[events.Event]) -> None:
        """Raises Refuted if the wrong seats posted the blinds of `hand`, or were asked to post them."""
        posts = [event for event in hand if isinstance(event, events.BlindPosted)]
        busted_seats = [post.seat for post in posts if post.blind == "ante" and post.all_in]  # no chips for a blind
        due_seats = [seat for seat in (self._dealt_seats[-1], *self._dealt_seats[:-1]) if seat not in busted_seats]
        if self._rules.blinds == "asked":
            blind_seats = [event.seat for event in hand if isinstance(event, events.TurnStarted) and event.blind]
        else:
            blind_seats = [post.seat for post in posts if post.blind != "ante"]
        for seat, due_seat in zip(blind_seats, due_seats, strict=False):
            expect_equal("the seat of the next blind", seat + 1, due_seat + 1)
        # In edition 2 of the rules, the big blind moves on from the seat that posted it. In edition 1, the big blind
        # moves on from the seat that should have posted it.
        payers = [post.seat for post in posts if post.blind == "big"]
        self._last_big_blind = payers[-1] if payers and self._rules.edition else self._dealt_seats[0]
