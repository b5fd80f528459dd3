"""The page `/verify` proves the chain of checksums, the seals, and all cards and seats that follow from them."""

import random
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game import events
from server.game.events import Event
from server.game.formats import as_series, with_hand_limit
from server.game.rules import Level, Rules
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry
from server.paths import ROOT, STATIC
from server.season.events import SeasonOpened
from server.verify.file import verdict_on
from tests.season.sample_seasons import entries_of, played
from tests.support.games.contests import play_contest
from tests.support.games.recordings import SMALL, small_contest, write
from tests.support.programs.esbuild import needs_esbuild
from tests.verify.alterations import simple_alterations, with_event, with_first
from tests.verify.conftest import Prover

BLINDS = ((1, 2), (5, 10), (50, 100), (25, 51), (10, 10), (1, 100))
PUBLISHED = sorted((ROOT / "tests/data/phh").glob("*.phh"))
CLAIMS = ("entries", "decks", "cards", "draws")
CARDS: dict[type[Event], Sequence[str]] = {
    events.TournamentOpened: ("seed_commitment",),
    events.GameStarted: ("seats", "draw_key"),
    events.HandStarted: ("hand", "button", "deck_commitment"),
    events.HoleDealt: ("seat", "cards", "left out", "twice"),
    events.StreetDealt: ("street", "cards", "left out", "twice"),
    events.HandShown: ("seat", "cards"),
    events.HandEnded: ("deck_key", "left out", "twice"),
    events.StageEnded: ("draw_key",),
    events.TournamentEnded: ("seed",),
}
"""The events that say which cards were dealt or who sat where, the fields that say it, and what else is noticed."""


def contest_by_dice(number: int) -> tuple[Entry, ...]:
    """Plays a contest with random rules."""
    dice = random.Random(f"rules {number}")
    pick = dice.choice
    rules = Rules(
        levels=tuple(Level(*pick(BLINDS), pick((0, 0, 1, 7, 30))) for _ in range(pick((1, 2, 3)))),
        hands_per_level=pick((0, 1, 2)),
        later_streets_from=pick(("button", "big_blind")),
        heads_up_button_posts=pick(("small", "big")),
        blinds=pick(("posted", "posted", "asked")),
        ante_from=pick(("everyone", "big_blind")),
        min_raise=pick(("last_raise", "one_chip")),
        raise_laps=pick((0, 1, 2, 5)),
        raise_out_of_range=pick(("refuse", "refuse_low", "clamp")),
        bet_cap=pick(("stack", "stack", "shortest_stack")),
        odd_chips=pick(("first_in_order", "last_in_order")),
        show=pick(("all", "showdown", "winners", "loser_if_aggressor")),
    )
    rules = replace(rules, ask_when_all_in=rules.blinds == "posted" and pick((False, True)))
    trials, final = SMALL.stages
    stages = (
        replace(trials, games=2, hands=4, seats=pick((2, 3, 6, 9, 12)), even=pick((False, True))),
        replace(final, hands=6, carry=pick((False, True))),
    )
    contest = replace(SMALL, rules=rules, starting_stack=pick((7, 100, 333, 1001)), stages=stages)
    return tuple(play_contest(number, pick((3, 7, 12)), contest))


@cache
def contests() -> dict[str, tuple[Entry, ...]]:
    """Plays a short contest of each kind; returns the entries of each."""
    short_stacks = replace(ARENA_FORMAT, starting_stack=100)
    trials, final = ENOVA_FORMAT.stages
    enova = replace(ENOVA_FORMAT, stages=(replace(trials, hands=3, seats=4, advance=4), replace(final, hands=3)))
    return {
        "quick-draw": small_contest(),
        "enova": tuple(play_contest(4, 9, enova)),
        "upac": tuple(play_contest(5, 2, with_hand_limit(UPAC_FORMAT, 12), rating=1000_00)),
        "arena": tuple(play_contest(6, 9, with_hand_limit(ARENA_FORMAT, 8))),
        "arena of three games": tuple(play_contest(8, 5, as_series(with_hand_limit(short_stacks, 6), 3))),
        **{f"rules {number}": contest_by_dice(number) for number in range(12)},
    }


def claimed(verdict: dict[str, Any]) -> dict[str, int]:
    return {claim["of"]: claim["count"] for claim in verdict["claims"]}


@pytest.mark.parametrize("contest", contests())
def test_page_and_server_prove_the_same_number_of_decks_and_cards_and_draws(
    contest: str, prover: Prover, tmp_path: Path
) -> None:
    verdict = prover.entries(contests()[contest])
    assert (verdict["holds"], verdict["fault"], verdict["whole"]) == (True, "", True)
    by_server = verdict_on(write(tmp_path / "recording.jsonl", contests()[contest]))
    assert claimed(verdict) == {claim.of: claim.count for claim in by_server.claims if claim.of in CLAIMS}
    assert '"highnoon verify" proves them' in " ".join(verdict["open"])


@pytest.mark.parametrize("contest", ["quick-draw", "enova", "arena", "arena of three games"])
def test_a_recording_with_a_changed_card_seat_key_or_seal_is_refuted(contest: str, prover: Prover) -> None:
    tried = 0
    for kind, what, forged in simple_alterations(contests()[contest]):
        if what in CARDS.get(kind, ()):
            verdict = prover.entries(forged)
            assert not verdict["holds"], (kind, what)
            assert verdict["where"].endswith("of the file"), (kind, what)
            tried += 1
    assert tried > 20


def test_published_hands_are_checked_but_their_decks_are_not_claimed(prover: Prover) -> None:
    for path in PUBLISHED[::20]:
        entries = import_hands(path.read_bytes()).entries
        verdict = prover.entries(entries)
        assert (verdict["holds"], "decks" in claimed(verdict)) == (True, False)
        assert "Nobody sealed these decks" in " ".join(verdict["open"])
        dealt = ((at, entry.event) for at, entry in enumerate(entries) if isinstance(entry.event, events.HoleDealt))
        at, known = next((at, event) for at, event in dealt if all(event.cards))
        twice = replace(known, cards=(known.cards[0], known.cards[0]))
        assert prover.entries(with_event(entries, at, twice))["fault"]


def test_the_seed_of_a_season_is_proved(prover: Prover) -> None:
    facts = entries_of(played(7, 20, dice=random.Random(3)))
    verdict = prover.entries(facts)
    assert (verdict["holds"], verdict["whole"], claimed(verdict)["seeds"]) == (True, True, 1)
    assert "Each game's cards are in the game's recording" in verdict["open"][0]
    assert not prover.entries(facts[:-1])["whole"]
    forged = with_first(facts, SeasonOpened, seed_commitment="ab" * 32)
    assert "the seal of the seed" in prover.entries(forged)["fault"]


def test_a_cut_recording_is_not_called_whole_by_page_or_command(prover: Prover, tmp_path: Path) -> None:
    published = import_hands(PUBLISHED[0].read_bytes()).entries
    for number, entries in enumerate([published[:-12], small_contest()[:-1], small_contest()]):
        path = write(tmp_path / f"{number}.jsonl", entries)
        torn = path.with_suffix(".torn.jsonl")
        torn.write_bytes(path.read_bytes() + b'{"seq":')
        for each in (path, torn):
            by_page, by_command = prover.file(each), verdict_on(each)
            assert by_page["holds"] is by_command.holds is True
            assert by_page["whole"] is by_command.whole is (number == 2 and each is path)


@needs_esbuild
def test_the_page_uses_an_unchanged_build_of_the_npm_package_noble_hashes() -> None:
    made = subprocess.check_output([sys.executable, ROOT / ".ci" / "javascript.py", "noble"], encoding="utf-8")
    assert (STATIC / "js/verify/noble-hashes.js").read_text(encoding="utf-8") == made
