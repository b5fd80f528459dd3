"""Every message of Quick Draw is short enough for its bots, in any hand."""

import json

import pytest

from server.contests.quick_draw.dialect import QuickDraw
from server.game.events import ChatSent, HandEnded
from tests.bots.views import NAMES, seen
from tests.game.table import Table, deal

WIDE = tuple("𠮷" * 29 + chr(0x4E00 + seat) for seat in range(12))
assert all(len(name) == 30 for name in (*WIDE, *("x" * 30,)))


def fattest_tie(seats: int) -> Table:
    """A hand that all win, each all-in for a different amount: the most pots and the most winners that are possible."""
    stacks = " ".join(str(10_001 + 1000 * seat) for seat in range(seats))
    table = deal(stacks, "", "Th Jh Qh Kh Ah")
    return table.play("all-in " * seats)


@pytest.mark.parametrize("seats", range(2, 13))
def test_every_message_is_one_line_of_less_than_4096_bytes(seats: int) -> None:
    names, board = WIDE, "Ah 9s 4d Jc 2s"
    table = deal(" ".join(["99999"] * seats), "", board)
    table.play("call " * seats + "/ " + "call " * seats + "/ " + "call")
    tied = fattest_tie(seats)
    dialect = QuickDraw()
    lines = [
        dialect.ask(seen(table, names=names, game=1000)),
        dialect.notify(HandEnded((), ""), seen(tied, 0, 1000, names)),
        dialect.notify(ChatSent(11, "𠮷" * 200), seen(tied, 0, 1000, names)),
        dialect.notify(ChatSent(11, '"' * 200), seen(tied, 0, 1000, ('"' * 30,) * 12)),
    ]
    for line in lines:
        assert line is not None
        assert len(line) < 4096
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        json.loads(line)
    assert len(json.loads(lines[0] or b"")["players"]) == seats


def test_long_message_leaves_out_repetitions_first() -> None:
    """Six tied for six sums, plain names: winners keep id and name; the players above them keep everything."""
    names = tuple(name * 10 for name in NAMES)
    message = json.loads(QuickDraw().notify(HandEnded((), ""), seen(fattest_tie(6), 0, 1, names)) or b"")
    assert all(len(player["hand"]) == 2 and len(player["name"]) == 30 for player in message["players"])
    winners = [winner for pot in message["pots"] for winner in pot["winners"]]
    assert len(message["pots"]) == 5
    assert all(winner["name"] in names for winner in winners)
