"""A bot of UPAC with one fault: `python faulty_upac.py FAULT`."""

import sys
import time
from collections.abc import Iterator

FAULT = sys.argv[1]
SLOW: list[bool] = []
"""Not empty once the bot has been slow."""


def decide(pushed: list[int], board: int) -> str:
    mine, my_all, theirs, their_all = pushed
    leaves = {
        "leaves at a raise": theirs > max(mine, 2),
        "leaves at an all-in": theirs >= min(my_all, their_all) - 1 and theirs > mine,
        "leaves with a short stack": my_all + mine < 5,
    }
    if leaves.get(FAULT):
        sys.exit(4)
    if FAULT == "is slow once" and board == 5 and not SLOW:
        SLOW.append(True)
        time.sleep(1.2)
    if FAULT == "sends far too much":
        return 100_000 * "C"
    return "CHECK" if FAULT == "checks with an unknown word" and mine == theirs else "C"


def lines() -> Iterator[str]:
    while FAULT == "reads whole blocks" and (block := sys.stdin.read(4096)):
        yield from block.splitlines()
    yield from sys.stdin


def main() -> None:
    if FAULT == "does not start":
        sys.exit(3)
    board = rounds = 0
    if FAULT == "prints its thoughts":
        print("thinking", flush=True)
    for line in lines():
        words = line.split()
        board = 0 if words[0] == "START" else board + len(words) - 1 if words[0] in ("FLOP", "TURN", "RIVER") else board
        rounds += words[0] == "START"
        if FAULT == "leaves as the small blind" and words == ["START", "SB"]:
            sys.exit(7)
        if FAULT == "leaves after some rounds" and rounds > 20:
            sys.exit(7)
        if FAULT == "acts without being asked" and words[0] == "END":
            print("C", flush=True)
        if words[0] == "STACK" and (answer := decide([*map(int, words[1:])], board)):
            if FAULT == "does not flush its answers":  # the answer stays in the buffer
                continue
            print(answer, flush=True)
            if FAULT == "answers twice":
                print(answer, flush=True)


main()
