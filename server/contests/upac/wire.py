"""A bot's side of the messages of the contest UPAC. Pure."""

from server.bots.dialects.agent import Move
from server.bots.dialects.wire import Choice, LineWire, Opponent, Question, Spot, comment_lines
from server.contests.upac.rules import UPAC
from server.game.cards import Card
from server.game.events import Street

_STREET_NAMES: dict[str, Street] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}


class UpacWire(LineWire):
    """The wire of one bot. The bot has seat 0, the other bot seat 1."""

    def __init__(self) -> None:
        self._round = 0
        self._street: Street = "preflop"
        self._hole: tuple[Card, ...] = ()
        self._board: tuple[Card, ...] = ()
        self._chips_before_street = 0
        """The chips that each bot had put in before this street."""
        self._highest_total = 0
        self._new_street = False

    def read(self, message: bytes) -> Question | None:
        match message.decode().split():
            case ["START", _]:
                self._round += 1
            case ["PREFLOP", *cards]:
                self._street, self._hole, self._board = "preflop", tuple(cards), ()
                self._chips_before_street, self._new_street = 0, False
            case [("FLOP" | "TURN" | "RIVER") as dealt, *cards]:
                self._street, self._board, self._new_street = _STREET_NAMES[dealt], (*self._board, *cards), True
            case ["STACK", *numbers]:
                return Question(self._spot(*map(int, numbers)), {})
        return None

    def write(self, choice: Choice) -> bytes:
        more = choice.amount + self._chips_before_street - self._highest_total
        action = {"fold": "F", "raise": f"R{more}"}.get(choice.action, "C")
        return comment_lines(choice) + f"{action}\n".encode()

    def _spot(self, mine: int, my_all: int, theirs: int, their_all: int) -> Spot:
        if self._new_street:  # both bots have put in the same amount, unless the first to act has bet
            self._chips_before_street, self._new_street = min(mine, theirs), False
        self._highest_total = max(mine, theirs)
        to_call, most = self._highest_total - mine, min(my_all, their_all)
        legal = [Move("fold", 0), Move("call", to_call) if to_call else Move("check", 0)]
        if most > self._highest_total:
            legal.append(
                Move(
                    "raise",
                    min=self._highest_total + 1 - self._chips_before_street,
                    max=most - self._chips_before_street,
                )
            )
        return Spot(
            hand=self._round,
            street=self._street,
            you=0,
            your_cards=self._hole,
            board=self._board,
            pot=mine + theirs,
            to_call=to_call,
            your_chips=my_all - mine,
            your_bet=mine - self._chips_before_street,
            big_blind=UPAC.levels[0].big,
            others=(
                Opponent(
                    1,
                    their_all - theirs,
                    theirs - self._chips_before_street,
                    "active" if their_all > theirs else "all_in",
                ),
            ),
            legal=tuple(legal),
        )
