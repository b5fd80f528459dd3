"""Lets a program play in the contest ACPC: reads the server's messages, and writes answers. No I/O."""

from server.bots.dialects.agent import Move
from server.bots.dialects.wire import Choice, LineWire, Opponent, Question, Spot, comment_lines
from server.contests.acpc.betting import BettingTracker, split_betting
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import GAME
from server.game.cards import parse_cards
from server.game.events import Street

_STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")


class AcpcWire(LineWire):
    """Reads and writes the messages of one player. A seat's number is its position, counted from the first player after
    the button. Stacks and blinds are not in the messages, but in the contest's rules.
    """

    hello = b"VERSION:2.0.0\r\n"

    def __init__(self) -> None:
        self._state = b""
        """The message to answer. The answer repeats it."""
        self._round_start_total = 0
        """The most chips that any player had in the pot when this betting round began."""

    def read(self, message: bytes) -> Question | None:
        line = message.strip()
        if not line or line.startswith((b"#", b";")):
            return None
        _, position_text, hand, betting, cards = line.decode().split(":")
        hole_text, *board = cards.split("/")
        hole_cards, own_position = hole_text.split("|"), int(position_text)
        tracker, history = _replay_betting(Game(len(hole_cards), GAME.stack, GAME.level), betting)
        if tracker.position_to_act != own_position:
            return None
        self._state, self._round_start_total = line, tracker.round_start_total
        spent, highest = tracker.committed[own_position], max(tracker.committed)
        others = [seat for seat in range(len(hole_cards)) if seat != own_position]
        spot = Spot(
            hand=int(hand),
            street=_STREETS[len(board)],
            you=own_position,
            your_cards=parse_cards(hole_cards[own_position]),
            board=parse_cards("".join(board)),
            pot=sum(tracker.committed),
            to_call=highest - spent,
            your_chips=GAME.stack - spent,
            your_bet=max(0, spent - tracker.round_start_total),
            big_blind=GAME.level.big,
            others=tuple(_opponent(seat, tracker) for seat in others),
            history=history,
            legal=_legal_moves(tracker, own_position),
        )
        return Question(spot, {})

    def write(self, choice: Choice) -> bytes:
        action = {"fold": "f", "raise": f"r{choice.amount + self._round_start_total}"}.get(choice.action, "c")
        return comment_lines(choice) + self._state + f":{action}\r\n".encode()


def _replay_betting(game: Game, betting: str) -> tuple[BettingTracker, tuple[str, ...]]:
    """Replays `betting`. Returns the tracker after the last action, and the actions in words."""
    tracker, history, street = BettingTracker(game), list[str](), 0
    for act in split_betting(betting):
        if act == "/":
            tracker.next_street()
            street += 1
            continue
        seat = tracker.apply(act)
        description = {"f": "folds", "c": "calls or checks"}.get(
            act
        ) or f"raises to {int(act[1:]) - tracker.round_start_total}"
        history.append(f"{_STREETS[street]}: seat {seat} {description}")
    return tracker, tuple(history)


def _opponent(seat: int, tracker: BettingTracker) -> Opponent:
    spent = tracker.committed[seat]
    chips, bet = GAME.stack - spent, max(0, spent - tracker.round_start_total)
    if seat in tracker.folded:
        return Opponent(seat, chips, bet, "folded")
    return Opponent(seat, chips, bet, "active" if chips else "all_in")


def _legal_moves(tracker: BettingTracker, own_position: int) -> tuple[Move, ...]:
    """Returns the legal moves. No player may fold where checking is free."""
    highest = max(tracker.committed)
    to_call = highest - tracker.committed[own_position]
    moves = [Move("fold", 0), Move("call", to_call)] if to_call else [Move("check", 0)]
    if highest < GAME.stack:
        low = min(tracker.min_raise_total, GAME.stack)
        moves.append(Move("raise", min=low - tracker.round_start_total, max=GAME.stack - tracker.round_start_total))
    return tuple(moves)
