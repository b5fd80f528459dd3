"""Before an evening of deals starts, a deal that nobody sees measures its bots."""

import asyncio
from pathlib import Path

from server.app.evening.trial_deal import TrialDeal
from server.app.sparring.sides import Side
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Entrant
from server.game.formats import as_deals
from tests.support.starters import changed_starter

ENTRANTS = [Entrant(1, "Ada"), Entrant(2, "Babbage")]
SLEEPS = "import time\ntime.sleep({seconds})"


async def try_bots(commands: list[str], seconds: float) -> TrialDeal:
    """Plays a trial deal with the bots of these commands at two tables, one after the other, for at most `seconds`."""
    sides = {bot: Side("command", command, f"Bot {bot}") for bot, command in enumerate(commands, 1)}
    async with TrialDeal(as_deals(QUICK_DRAW_FORMAT, 60), ENTRANTS, sides, None, seconds=seconds) as trial:
        await trial.play_each_bot()
        await trial.play_all_tables(1)
    return trial


def test_trial_deal_with_bots_that_take_too_long_is_broken_off(tmp_path: Path) -> None:
    command = changed_starter(tmp_path / "slow", SLEEPS.format(seconds=1000))
    trial = asyncio.run(try_bots([command, command], 2.0))
    assert trial.describe_time(60, 1) == (
        "60 deals: no table of the trial deal was over after 2.0 s, at most about 36 minutes if every bot used all of"
        " its time"
    )


def test_bot_that_does_not_start_is_named_as_missing_and_an_invalid_answer_as_a_fault(tmp_path: Path) -> None:
    lines = 'return {"action": "dance", "raise_amount": 0}'
    dances = changed_starter(tmp_path / "dances", lines)
    trial = asyncio.run(try_bots([dances, "false {server}"], 60.0))
    assert trial.missing == {2: "Bot 2 ended with status 1"}
    (fault,) = trial.faults().values()
    assert "in the trial deal: malformed; " in fault
    assert "dance" in fault, "the message must be quoted, as highnoon probe quotes it"
