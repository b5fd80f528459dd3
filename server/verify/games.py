"""Checks the games of a contest: the seats, the blinds, the bots that go out after each hand, and the winner."""

from collections.abc import Sequence

from server.equity.luck import luck_at_table
from server.game import events
from server.game.deals import tables_of
from server.game.hand import Hand
from server.game.ratings import rate_game
from server.game.rules import Rules
from server.game.tournament import busted_bots, decks_of, forfeit, plan_of
from server.shuffle import hand_name, named_dice
from server.verify.course import Course, Due, count_ties
from server.verify.refutation import Refuted, expect_equal, parse_key

_MISSING_EVENTS = {
    events.BotEliminated: "the next bot that goes out",
    events.GameForfeited: "the fault for which a bot forfeits the game",
    events.BotRated: "the next rating",
    events.DealEnded: "what each bot has won in the deal",
}


def check_game(course: Course, event: events.GameStarted) -> None:
    """Raises Refuted if no game may start now, or if the game has the wrong seats or stacks."""
    stage = course.stage
    if course.tournament.game is not None or course.tournament.stage_over(course.plan):
        raise Refuted("a game is started within a game, or after the last game of its stage")
    expect_equal("the stacks at the start of the game", event.stacks, course.tournament.first_stacks(event.seats))
    expect_equal("the number of the game", event.game, course.tournament.games + 1)
    expect_equal("the number of hands in the game", event.hands, stage.hands)
    if course.opened.prizes_cents and not (event.draw_key or stage.duplicate or course.tournament.deal):
        raise Refuted("the seats of a contest for prizes were not drawn at random")
    key = parse_key(event.draw_key, "the key of the draw")
    plan = plan_of(stage, draw=bool(key))
    expected = course.tournament.draw_seats(plan, named_dice(key))
    if plan.deals and event.seats in tables_of(expected) and not course.tournament.deal:
        expected = event.seats  # the tables that play the same cards may be recorded in any order
    expect_equal("the bots drawn, seat by seat,", event.seats, expected)
    expect_equal("the game whose decks are dealt again", event.dealt_as, course.tournament.dealt_as(plan))
    if key:
        course.keys.append((f"game {event.game}", key))
        course.proof.draws += 1
    course.stacks, course.hands, course.table = event.stacks, 0, []


def begin_hand(course: Course, number: int) -> None:
    """Checks that hand `number` of the game may start now. Raises Refuted if it may not."""
    course.check_nothing_due()
    if course.tournament.game is None:
        raise Refuted("a hand is dealt outside a game")
    expect_equal("the number of the hand", number, course.hands + 1)
    if course.game_over:
        raise Refuted("a hand is dealt after the last hand of its game")


def end_hand(course: Course, stacks: Sequence[int], key: bytes, played: Hand | None = None) -> None:
    """Records the end of a hand that is proved. `stacks` are the chips after the hand, by seat, `key` is the key of its
    deck, and `played` is its final state.

    Raises Refuted if chips have appeared or disappeared.
    """
    game = course.tournament.game
    assert game is not None, "a hand ends in the game in which it began"
    gone = played.vacated if played else 0
    expect_equal("the chips in play", sum(stacks) + gone, sum(course.stacks))
    broke = busted_bots(game.seats, course.stacks, stacks)
    seat_of = {bot: seat for seat, bot in enumerate(game.seats)}
    course.due += [
        events.BotEliminated(bot, seat_of[bot], place)
        for bot, place in course.tournament.eliminated(broke, named_dice(key))
    ]
    if played and played.forfeited >= 0:
        course.due.append(events.GameForfeited(game.game, played.forfeited, played.fault))
    course.proof.lots += 0 if course.stage.deals else count_ties([had for _, had in broke])
    course.keys.append((hand_name(decks_of(game), course.hands + 1), key))
    course.last_key = key
    course.stacks = stacks
    course.hands += 1


def check_due(course: Course, event: Due) -> None:
    """Raises Refuted unless this event must come next: an elimination, a lost game, a new rating or a deal's result."""
    expect_equal(_MISSING_EVENTS[type(event)], event, course.due.pop(0) if course.due else None)
    match event:
        case events.BotEliminated():
            course.proof.out += 1
        case events.BotRated():
            course.proof.ratings += 1
        case events.GameForfeited():
            course.stacks = forfeit(event.seat, course.stacks)
        case events.DealEnded():
            course.proof.deals += 1


def check_game_end(course: Course, event: events.GameEnded) -> None:
    """Raises Refuted if the game may not end yet, or has the wrong stacks or ranking."""
    game = course.tournament.game
    if game is None:
        raise Refuted("a game that was never started has ended")
    expect_equal("the number of the game that ends", event.game, game.game)
    expect_equal("the stacks at the end of the game", event.stacks, tuple(course.stacks))
    right_luck = luck_at_table(game.seats, course.table) if course.stage.decided_by == "earned" else ()
    expect_equal("the luck of the board at the table", event.luck, right_luck)
    course.proof.luck += bool(right_luck)
    if not course.game_over:
        raise Refuted(f"the game ends after {course.hands} of {game.hands} hands, although the operator did not end it")
    right = course.tournament.end_game(course.stacks, named_dice(course.last_key) if course.hands else None)
    expect_equal("the ranking of the game", event.ranking, right.ranking)
    if right.ranking:
        course.proof.won += 1
        course.proof.lots += count_ties([stack for stack in course.stacks if stack])
    if not course.stage.deals:
        entrants = {entrant.bot: entrant for entrant in course.opened.entrants}
        course.due += rate_game(entrants, game, event.stacks)


class Blinds:
    """Checks the blinds of a game, hand by hand. After each hand, the big blind moves on to the next bot with chips.

    Uses only the recorded blinds and not the engine, so it also finds mistakes of the engine.
    """

    def __init__(self, rules: Rules, seats: int) -> None:
        self._rules = rules
        self._big = seats - 2
        """The seat of the last big blind. The next big blind is the next seat with chips, clockwise. The initial value
        is chosen so that the first big blind is in the last seat.
        """
        self._after: list[int] = []
        """The seats that get cards, clockwise from the big blind to the small blind."""

    def check_button(self, started: events.HandStarted) -> None:
        """Raises Refuted if a hand starts with the button in the wrong seat."""
        seats = len(started.stacks)
        clockwise = [(self._big + step) % seats for step in range(1, seats + 1)]
        self._after = [at for at in clockwise if started.stacks[at]]
        button_is_small = len(self._after) == 2 and self._rules.heads_up_button_posts == "small"
        button = self._after[-1 if button_is_small else -2]
        expect_equal("the seat with the button", started.button + 1, button + 1)

    def check_posts(self, hand: Sequence[events.Event]) -> None:
        """Raises Refuted if the wrong seats posted the blinds of `hand`, or were asked to post them."""
        posts = [event for event in hand if isinstance(event, events.BlindPosted)]
        broke = [post.seat for post in posts if post.blind == "ante" and post.all_in]
        due = [at for at in (self._after[-1], *self._after[:-1]) if at not in broke]
        if self._rules.blinds == "asked":
            found = [event.seat for event in hand if isinstance(event, events.TurnStarted) and event.blind]
        else:
            found = [post.seat for post in posts if post.blind != "ante"]
        for seat, right in zip(found, due, strict=False):
            expect_equal("the seat of the next blind", seat + 1, right + 1)
        payers = [post.seat for post in posts if post.blind == "big"]
        self._big = payers[-1] if payers and self._rules.edition else self._after[0]
