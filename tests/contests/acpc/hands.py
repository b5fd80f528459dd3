"""Makes recordings of random hands under the ACPC's rules, and the lines sent to the players of a hand."""

from collections.abc import Callable, Sequence

from server.bots.bot import Answer
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import match_of, rules_of
from server.game.betting import start_hand, take_turn
from server.game.cards import DECK, Deck, parse_cards
from server.game.decisions import Action, Decision
from server.game.events import Entrant, TurnStarted
from server.game.view import View, view_of
from server.hand_histories.from_recording import Recorded, recorded_hands
from tests.support.contests import DiceBot, play_contest

NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank")


def entrants_of(players: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(seat + 1, NAMES[seat]) for seat in range(players))


def deck_of_cards(text: str) -> Deck:
    """A deck that starts with the cards in `text`: two for each position, then the board."""
    cards = parse_cards(text)
    return Deck((*cards, *(card for card in DECK if card not in cards)))


class PromptBot(DiceBot):
    """A bot with random decisions that always answers in time."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        return Answer(resolve(self._decide(view)), 0)


def match(game: Game, hands: int, seed: int) -> list[Recorded]:
    return list(recorded_hands(play_contest(seed, game.players, match_of(game, hands), kind=PromptBot)))


def lines_sent(game: Game, button: int, deck: Deck, decisions: Sequence[Decision], number: int = 1) -> list[list[str]]:
    """The lines sent to each seat during a hand in which `decisions` are made."""
    dialects = [Acpc() for _ in range(game.players)]
    lines: list[list[str]] = [[] for _ in dialects]
    hand, events = start_hand(rules_of(game), number, button, (game.stack,) * game.players, deck)
    for chosen in [*decisions, None]:
        for event in events:
            for seat, dialect in enumerate(dialects):
                view = view_of(hand, seat, 1, entrants_of(game.players))
                sent = dialect.notify(event, view) if isinstance(event, dialect.news) else None
                if isinstance(event, TurnStarted) and event.seat == seat:
                    sent = dialect.ask(view)
                lines[seat] += [sent.decode()] if sent else []
        if chosen is not None:
            hand, events = take_turn(hand, chosen)
    return lines
