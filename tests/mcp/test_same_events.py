"""With the same decisions, an agent's game has the same events as a game over the contest's own messages.

`make bench BENCH=agents` compares a thousand hands.
"""

import pytest

from tests.mcp.scripted_agent import Answer
from tests.mcp.wires import WIRED, by_mcp, by_wire, played

HANDS = 24


@pytest.mark.parametrize("contest", WIRED)
async def test_same_decisions_by_mcp_and_by_the_contests_own_wire_make_the_same_events(contest: str) -> None:
    decisions: list[Answer] = []
    events = await played(contest, by_mcp(contest, decisions), HANDS)
    same = await played(contest, by_wire(contest, decisions), HANDS)
    assert {each["action"] for each in decisions} >= {"fold", "check", "call", "raise", "all_in"}
    assert len(decisions) > 2 * 7
    assert events == same
