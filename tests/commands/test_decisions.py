"""`highnoon decisions`: what a bot knew, and what its answers gave up, in words or as JSON."""

import json

from server.app.decisions.decisions import decisions_of
from server.journal.journal import read_journal
from tests.support.program import highnoon
from tests.support.recordings import KEPT_CONTESTS

RECORDING = KEPT_CONTESTS / "quick-draw.jsonl"


def test_json_has_all_decisions_of_a_bot() -> None:
    events = [entry.event for entry in read_journal(RECORDING).entries]
    bot = events[0].entrants[0]  # type: ignore[attr-defined]
    ended = highnoon("decisions", str(RECORDING), "--bot", bot.name, "--json")
    assert ended.returncode == 0, ended.stderr
    printed = json.loads(ended.stdout)
    found = list(decisions_of(events, bot.bot))
    assert printed["bot"] == bot.name
    assert [(each["game"], each["hand"], each["act"]) for each in printed["decisions"]] == [
        (each.game, each.hand, each.act) for each in found
    ]
    assert {*printed["decisions"][0]} == {
        "game", "hand", "street", "cards", "board", "stack", "pot", "to_call", "raise_from", "raise_to", "act",
        "amount", "think_ms", "fault", "needs", "share", "call_worth", "gave_up",
    }  # fmt: skip


def test_words_count_the_decisions_and_an_unknown_bot_is_refused() -> None:
    events = [entry.event for entry in read_journal(RECORDING).entries]
    bot = events[0].entrants[0]  # type: ignore[attr-defined]
    ended = highnoon("decisions", str(RECORDING), "--bot", bot.name)
    assert ended.returncode == 0, ended.stderr
    assert f"{bot.name}: {len(list(decisions_of(events, bot.bot)))} decisions, " in ended.stdout
    nobody = highnoon("decisions", str(RECORDING), "--bot", "Nobody")
    assert nobody.returncode == 1
    assert "nobody is called 'Nobody'" in nobody.stderr
