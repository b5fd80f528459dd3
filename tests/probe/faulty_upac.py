"""A bot of UPAC with one fault: `python faulty_upac.py FAULT`."""

import sys
import time

FAULT = sys.argv[1]
SLOW: list[bool] = []
"""Whether it has been."""


def decide(pushed: list[int], board: int) -> str:
    mine, my_all, theirs, their_all = pushed
    odd = {
        "raises below zero": (not board, "R-1"),
        "checks by a word of its own": (mine == theirs, "CHECK"),
        "writes small letters": (True, "c"),
        "is silent at the river": (board == 5, ""),
        "puts a blank in its raise": (not board, "R 4"),
    }
    if FAULT == "leaves at an all-in" and theirs >= min(my_all, their_all) - 1 and theirs > mine:
        sys.exit(4)
    if FAULT == "is slow once" and board == 5 and not SLOW:
        SLOW.append(True)
        time.sleep(0.7)
    now, answer = odd.get(FAULT, (False, ""))
    return answer if now else "C"


def main() -> None:
    if FAULT == "does not start":
        sys.exit(3)
    board = rounds = 0
    if FAULT == "prints what it thinks":
        print("thinking", flush=True)
    for line in sys.stdin:
        words = line.split()
        rounds += words[0] == "START"
        board = 0 if words[0] == "START" else board + len(words) - 1 if words[0] in ("FLOP", "TURN", "RIVER") else board
        if FAULT == "leaves after some rounds" and rounds > 20:
            sys.exit(7)
        if FAULT == "acts without being asked" and words[0] == "END":
            print("C", flush=True)
        if words[0] == "STACK" and (answer := decide([*map(int, words[1:])], board)):
            print(answer, flush=True)
            if FAULT == "answers twice":
                print(answer, flush=True)


main()
