"""Recordings under the first edition's rule for the big blind stay valid; blinds from wrong seats are refuted."""

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA
from server.contests.enova.rules import ENOVA, ENOVA_FORMAT
from server.game.events import BlindPosted, HandStarted, TournamentOpened, TurnStarted
from server.game.formats import with_blinds
from server.game.rules import Level
from server.journal.bus import Bus
from server.journal.journal import read_journal
from server.tournament.director import Director
from server.verify.file import verdict_on
from server.verify.games import Blinds
from server.verify.recording import Tournament, verify
from server.verify.refutation import Refuted, prove_entries
from tests.support.games.contests import SEED
from tests.support.source_files import ROOT

TWICE = ROOT / "tests/data/enova/big-blind-twice.jsonl"
"""A recording by an earlier version in which a bot posted the big blind twice in a row."""


def test_the_earlier_big_blind_rule_is_valid_only_in_earlier_recordings() -> None:
    first, *others = read_journal(TWICE).entries
    opened = first.event
    assert isinstance(opened, TournamentOpened)
    assert verdict_on(TWICE).holds
    in_edition_2 = replace(first, event=replace(opened, rules=replace(opened.rules, edition=2)))
    with pytest.raises(Refuted, match="the seat with the button should be"):
        prove_entries([in_edition_2, *others], Tournament)


async def test_a_contest_started_by_an_earlier_version_continues_by_its_rules() -> None:
    past = read_journal(TWICE).entries
    opened, hands = past[0].event, [entry.seq for entry in past if isinstance(entry.event, HandStarted)]
    assert isinstance(opened, TournamentOpened)
    started = [entry for entry in past if entry.seq < hands[4]]
    bus = Bus(None, lambda: 0.0)
    bus.load(started)
    contest = with_blinds(replace(ENOVA_FORMAT, starting_stack=20), (Level(1, 2), Level(3, 6)), 5)
    purse = opened.prizes_cents
    director = Director(contest, opened.entrants, seed=SEED, bus=bus, prizes_cents=purse)
    await director.run()
    entries = bus.entries
    assert verify(entries).finished
    assert [entry.event for entry in entries[: len(started)]] == [entry.event for entry in started]


def test_blinds_from_the_wrong_seats_are_refuted() -> None:
    started = HandStarted(1, 0, 1, 2, 0, (20, 20, 20), "")
    small, big = BlindPosted(1, "small", 1, all_in=False), BlindPosted(2, "big", 2, all_in=False)
    asked = TurnStarted(1, 2, 0, 0, 5000, "small")
    for rules, wrong in ((ARENA, [small, replace(big, seat=0)]), (ENOVA, [asked, small, replace(asked, seat=0)])):
        blinds = Blinds(rules, 3)
        blinds.check_button(started)
        with pytest.raises(Refuted, match="the seat of the next blind should be 3, but the recording says 1"):
            blinds.check_posts([started, *wrong])
