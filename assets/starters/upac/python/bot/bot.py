"""A starter bot for UPAC: change `decide`, zip the folder `bot`, and submit it.

The bot reads standard input and writes standard output, one message per line. It has one second for each action.
Standard error goes to a log that only you can read: print(..., file=sys.stderr).
Try it by hand: python3 bot.py, then type START SB, PREFLOP As Kd, STACK 1 50 2 50.
"""

import sys

RANKS = "23456789TJQKA"


class Round:
    """The known facts about the current round, which is one hand. Cards are written "As", "Td", "2c"."""

    def __init__(self, blind: str) -> None:
        self.blind = blind  # "SB" or "BB"
        self.hole: list[str] = []
        self.board: list[str] = []


def decide(now: Round, pushed: int, stack: int, their_pushed: int, their_stack: int) -> str:
    """The action: "F" folds, "C" calls or checks, "R6" raises by 6.

    `pushed` is how much we have bet in this round, and `stack` is `pushed` plus our remaining chips. The other two
    numbers are the opponent's. A raise first matches the opponent's bet, and then adds its amount. A raise that is too
    large is reduced to the amount that both can pay.
    """
    to_call = their_pushed - pushed
    pot = pushed + their_pushed
    how_good = strength(now.hole, now.board)
    print(f"{now.hole} {now.board}: {how_good:.2f}, {to_call} to call", file=sys.stderr)
    if stack == pushed or (their_stack == their_pushed and to_call == 0):
        return "C"  # Somebody is all-in: we must still answer on every street, but there is nothing to decide.
    if how_good > 0.7:
        return f"R{max(pot // 2, 2)}"
    if to_call == 0 or how_good > 0.3 + to_call / (pot + to_call) / 2:
        return "C"
    return "F"


def strength(hole: list[str], board: list[str]) -> float:
    """A rough value of the cards, from 0 to 1: high cards and pairs. Improve it!"""
    ranks = sorted((RANKS.index(card[0]) for card in hole), reverse=True)
    on_board = [RANKS.index(card[0]) for card in board]
    worth = (ranks[0] + ranks[1]) / 40 + 0.1 * (hole[0][1] == hole[1][1])
    if ranks[0] == ranks[1]:
        worth += 0.35
    pairs = sum(rank in on_board for rank in set(ranks))
    return min(worth + 0.35 * pairs, 1.0)


def main() -> None:
    now = Round("")
    for line in sys.stdin:  # ends when the game is over
        match line.split():
            case ["START", blind]:
                now = Round(blind)
            case ["PREFLOP", *cards]:
                now.hole = cards
            case ["FLOP" | "TURN" | "RIVER", *cards]:
                now.board += cards
            case ["STACK", *numbers]:
                # Flush: otherwise the line stays in our buffer until time is up.
                print(decide(now, *map(int, numbers)), flush=True)
            case ["END", *how]:
                print("the round ended:", *how, file=sys.stderr)


if __name__ == "__main__":
    main()
