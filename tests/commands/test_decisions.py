"""`highnoon decisions`: prints what a bot knew and what its answers gave up, as text or as JSON."""

import json

from server.app.decisions.decisions import decisions_of
from server.game.events import TournamentOpened
from server.journal.journal import read_journal
from tests.support.program import highnoon
from tests.support.recordings import KEPT_CONTESTS

RECORDING = KEPT_CONTESTS / "quick-draw.jsonl"


def test_decisions_are_printed_as_json_or_text_and_an_unknown_bot_is_refused() -> None:
    events = [entry.event for entry in read_journal(RECORDING).entries]
    assert isinstance(events[0], TournamentOpened)
    bot = events[0].entrants[0]
    expected = list(decisions_of(events, bot.bot))
    ended = highnoon("decisions", str(RECORDING), "--bot", bot.name, "--json")
    assert ended.returncode == 0, ended.stderr
    printed = json.loads(ended.stdout)
    assert printed["bot"] == bot.name
    assert [(each["game"], each["hand"], each["act"]) for each in printed["decisions"]] == [
        (each.game, each.hand, each.act) for each in expected
    ]
    assert {*printed["decisions"][0]} == {
        "game", "hand", "street", "cards", "board", "stack", "pot", "to_call", "raise_from", "raise_to", "act",
        "amount", "think_ms", "fault", "needs", "share", "call_worth", "gave_up",
    }  # fmt: skip
    text = highnoon("decisions", str(RECORDING), "--bot", bot.name).stdout
    assert f"{bot.name}: {len(expected)} decisions, " in text
    unknown = highnoon("decisions", str(RECORDING), "--bot", "Nobody")
    assert unknown.returncode == 1
    assert "no bot is called 'Nobody'" in unknown.stderr
