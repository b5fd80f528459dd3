"""A starter player for the Annual Computer Poker Competition: change `decide`.

    python3 bot.py 127.0.0.1 18791

The arguments are the dealer's host and port. Each line from the dealer is the whole state of the hand. The answer is
the same line, a colon and an action. Only you can read the bot's standard error.
"""

import re
import socket
import sys

RANKS = "23456789TJQKA"
STACK, SMALL, BIG = 20000, 50, 100  # from the game definition


class State:
    """The state of one hand, read from a line. A player's number is its position: 0 is the first after the button."""

    def __init__(self, line: str) -> None:
        _, position, hand, betting, cards = line.split(":")
        hole, *board = cards.split("/")
        holes = hole.split("|")
        self.me, self.hand = int(position), int(hand)
        self.hole, self.board = re.findall("..", holes[self.me]), re.findall("..", "".join(board))
        self.spent = [BIG, SMALL] if len(holes) == 2 else [SMALL, BIG, *[0] * (len(holes) - 2)]  # in the whole hand
        self.folded: set[int] = set()
        for number, street in enumerate(betting.split("/")):
            self.follow(street, number)

    def able(self, first: int) -> list[int]:
        """The players who can still act, clockwise from `first`."""
        circle = [(first + step) % len(self.spent) for step in range(len(self.spent))]
        return [at for at in circle if at not in self.folded and self.spent[at] < STACK]

    def follow(self, street: str, number: int) -> None:
        """Follows the actions of a round. `due` has the players who have yet to act. `least` is the smallest total to
        raise to.
        """
        raised_by = BIG
        self.due = self.able(0 if number else 1 if len(self.spent) == 2 else 2)
        self.due = [] if number and len(self.due) < 2 else self.due
        for action in re.findall(r"f|c|r\d+", street):
            at, *self.due = self.due
            if action == "f":
                self.folded.add(at)
            elif action == "c":
                self.spent[at] = max(self.spent)
            else:
                raised_by = max(raised_by, int(action[1:]) - max(self.spent))
                self.spent[at] = int(action[1:])
                self.due = [other for other in self.able(at + 1) if other != at]
        self.least = max(self.spent) + raised_by

    @property
    def my_turn(self) -> bool:
        return self.due[:1] == [self.me] and len(self.folded) < len(self.spent) - 1

    @property
    def to_call(self) -> int:
        return max(self.spent) - self.spent[self.me]


def decide(now: State) -> str:
    """The action: "f" folds, "c" calls or checks, "r600" raises to a total of 600 for this hand."""
    how_good, pot, highest = strength(now.hole, now.board), sum(now.spent), max(now.spent)
    print(f"hand {now.hand} {now.hole} {now.board}: {how_good:.2f}, {now.to_call} to call", file=sys.stderr)
    if how_good > 0.7 and highest < STACK:
        return f"r{min(max(highest + pot // 2, now.least), STACK)}"
    if now.to_call == 0 or how_good > 0.3 + now.to_call / (pot + now.to_call) / 2:
        return "c"
    return "f"


def strength(hole: list[str], board: list[str]) -> float:
    """A rough value of the cards, from 0 to 1: high cards and pairs. Improve it!"""
    first, second = (RANKS.index(card[0]) for card in hole)
    on_board = [RANKS.index(card[0]) for card in board]
    pairs = (first == second) + sum(rank in on_board for rank in {first, second})
    return min((first + second) / 40 + 0.1 * (hole[0][1] == hole[1][1]) + 0.35 * pairs, 1.0)


def main() -> None:
    host, port = sys.argv[1], int(sys.argv[2])
    try:
        connection = socket.create_connection((host, port))
    except OSError as error:
        sys.exit(f"nobody listens at {host}:{port} ({error}): start the dealer, or name another")
    with connection, connection.makefile("rw", newline="\n") as lines:
        lines.write("VERSION:2.0.0\r\n")
        lines.flush()
        for line in map(str.strip, lines):  # ends when the match is over
            if line and line[0] not in "#;" and (now := State(line)).my_turn:
                lines.write(f"{line}:{decide(now)}\r\n")
                lines.flush()


if __name__ == "__main__":
    main()
