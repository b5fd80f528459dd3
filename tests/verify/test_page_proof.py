"""Like the command `highnoon verify`, the page `/verify` proves checksums, cards, seats, and the hashes of decks."""

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.contests import CONTESTS
from server.game import events
from server.game.events import DealEnded, Event, GameEnded, GameStarted, HandStarted, HoleDealt, StreetDealt
from server.game.formats import Format, StagePlan, as_deals, as_series, with_hand_limit
from server.game.rules import Rules
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry
from server.paths import ROOT, STATIC
from server.season.events import SeasonOpened
from server.verify.file import verdict_on
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.game.random_hands import RULES
from tests.season.sample_seasons import entries_of, make_season
from tests.support.games.contests import play_contest
from tests.support.games.recordings import SMALL_FORMAT, of_kind, small_contest, write
from tests.support.programs.esbuild import needs_esbuild
from tests.verify.conftest import Prover, index_of_first, simple_alterations, with_event, with_first_event

PUBLISHED_HANDS = sorted((ROOT / "tests/data/phh").glob("*.phh"))
CLAIMS_OF_PAGE = ("entries", "decks", "cards", "draws")
NOTICED_ALTERATIONS: dict[type[Event], Sequence[str]] = {
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
"""The alterations by `simple_alterations` that the page must notice, keyed by the type of the altered event."""


def play_by_random_rules(number: int) -> tuple[Entry, ...]:
    pick = random.Random(f"rules {number}").choice
    trials, final = SMALL_FORMAT.stages
    stages = (  # even: tables as equal in size as possible; carry: bots keep their chips from the stage before
        replace(trials, games=2, hands=4, seats=pick((2, 3, 6, 9, 12)), even=pick((False, True))),
        replace(final, hands=6, carry=pick((False, True))),
    )
    rules, stack = pick([*RULES.values()]), pick((7, 100, 333, 1001))
    contest = replace(SMALL_FORMAT, rules=rules, starting_stack=stack, stages=stages)
    return tuple(play_contest(number, pick((3, 7, 12)), contest))


@cache
def contests() -> dict[str, tuple[Entry, ...]]:
    """Returns the entries of a short contest of each kind, keyed by the kind's name."""
    enova, arena, upac = (CONTESTS[contest].format for contest in ("enova", "arena", "upac"))
    trials, final = enova.stages
    enova = replace(enova, stages=(replace(trials, hands=3, seats=4, advance=4), replace(final, hands=3)))
    return {
        "quick-draw": small_contest(),
        "enova": tuple(play_contest(4, 9, enova)),
        "upac": tuple(play_contest(5, 2, with_hand_limit(upac, 12), rating=1000_00)),
        "arena": tuple(play_contest(6, 9, with_hand_limit(arena, 8))),
        "arena series": tuple(play_contest(8, 5, as_series(with_hand_limit(replace(arena, starting_stack=100), 6), 3))),
        **{f"rules {number}": play_by_random_rules(number) for number in range(12)},
    }


def claims_of(verdict: dict[str, Any]) -> dict[str, int]:
    return {claim["of"]: claim["count"] for claim in verdict["claims"]}


@pytest.mark.parametrize("contest", contests())
def test_page_proves_as_many_decks_cards_and_draws_as_the_server(contest: str, prover: Prover, tmp_path: Path) -> None:
    verdict = prover.entries(contests()[contest])
    assert (verdict["holds"], verdict["fault"], verdict["whole"]) == (True, "", True)  # whole: complete to the end
    expected = verdict_on(write(tmp_path / "recording.jsonl", contests()[contest]))
    assert claims_of(verdict) == {claim.of: claim.count for claim in expected.claims if claim.of in CLAIMS_OF_PAGE}
    assert '"highnoon verify" proves them' in " ".join(verdict["open"])  # "them" means what the page does not prove.


@pytest.mark.parametrize("contest", ["quick-draw", "enova", "arena", "arena series"])
def test_page_refutes_a_changed_card_seat_key_or_seal(contest: str, prover: Prover) -> None:
    noticed_count = 0
    for event_type, change, forged in simple_alterations(contests()[contest]):
        if change in NOTICED_ALTERATIONS.get(event_type, ()):
            verdict = prover.entries(forged)
            assert not verdict["holds"], (event_type, change)
            assert verdict["where"].endswith("of the file"), (event_type, change)
            noticed_count += 1
    assert noticed_count > 20


def test_published_hands_are_checked_but_their_decks_are_not_proved(prover: Prover) -> None:
    for path in PUBLISHED_HANDS[::20]:
        entries = import_hands(path.read_bytes()).entries
        verdict = prover.entries(entries)
        assert (verdict["holds"], "decks" in claims_of(verdict)) == (True, False)
        assert "Nobody sealed these decks" in " ".join(verdict["open"])
        dealt = next(deal for deal in of_kind(entries, HoleDealt) if all(deal.cards))
        index = next(index for index, entry in enumerate(entries) if entry.event is dealt)
        same_card_twice = replace(dealt, cards=dealt.cards[:1] * 2)
        assert prover.entries(with_event(entries, index, same_card_twice))["fault"]


def test_seed_of_a_season_is_proved(prover: Prover) -> None:
    ledger = entries_of(make_season(7, 20, dice=random.Random(3)))
    verdict = prover.entries(ledger)
    assert (verdict["holds"], verdict["whole"], claims_of(verdict)["seeds"]) == (True, True, 1)
    assert "Each game's cards are in the game's recording" in verdict["open"][0]
    assert not prover.entries(ledger[:-1])["whole"]
    forged = with_first_event(ledger, SeasonOpened, seed_commitment="ab" * 32)
    assert "the seal of the seed" in prover.entries(forged)["fault"]


def test_cut_recording_is_never_called_whole(prover: Prover, tmp_path: Path) -> None:
    published = import_hands(PUBLISHED_HANDS[0].read_bytes()).entries
    for number, entries in enumerate([published[:-12], small_contest()[:-1], small_contest()]):
        path = write(tmp_path / f"{number}.jsonl", entries)
        torn = path.with_suffix(".torn.jsonl")
        torn.write_bytes(path.read_bytes() + b'{"seq":')
        for file in (path, torn):
            page_verdict, command_verdict = prover.file(file), verdict_on(file)
            assert page_verdict["holds"] is command_verdict.holds is True
            assert page_verdict["whole"] is command_verdict.whole is (number == 2 and file is path)


@needs_esbuild
def test_page_uses_an_unchanged_build_of_the_npm_package_noble_hashes() -> None:
    build = subprocess.check_output([sys.executable, ROOT / ".ci" / "javascript.py", "noble"], encoding="utf-8")
    assert (STATIC / "js/verify/noble-hashes.js").read_text(encoding="utf-8") == build


DEALS = 7
HANDS_PER_GAME = 8
DUPLICATE_FORMAT = Format(
    "practice", "Duplicates", Rules(edition=2, hand_cap=2000), 2000 * HANDS_PER_GAME * 6,
    (StagePlan("Duplicates", games=0, hands=HANDS_PER_GAME, seats=6, draws_seats=False, duplicate=True),),
)  # fmt: skip


@pytest.fixture(scope="module")
def deals() -> list[Entry]:
    """Plays deals (in a deal, several tables get the same cards). The ranking subtracts luck from bots' winnings."""
    return play_contest(9, 9, as_deals(CONTESTS["quick-draw"].format, DEALS, hands=3, decided_by="earned"))


@pytest.mark.parametrize("bots", [2, 3, 6, 9, 14])
@pytest.mark.parametrize("contest", ["quick-draw", "acpc"])
def test_deals_of_any_number_of_bots_are_proved(contest: str, bots: int, prover: Prover) -> None:
    entries = play_contest(bots, bots, as_deals(CONTESTS[contest].format, DEALS, hands=2))
    verdict = prover.entries(entries)
    assert verdict["holds"], verdict
    assert claims_of(verdict)["draws"] == verify(entries).deals == (DEALS if bots <= 6 else 2 * DEALS)


def with_game(entries: Sequence[Entry], number: int, **changes: object) -> list[Entry]:
    """Applies `changes` to the start of game `number`. The field `dealt_as` names the game whose decks are repeated."""
    start = of_kind(entries, GameStarted)[number - 1]
    return [replace(entry, event=replace(start, **changes)) if entry.event is start else entry for entry in entries]


def without_last_table(entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries without the last of the six tables of the first deal."""
    starts = [index for index, entry in enumerate(entries) if isinstance(entry.event, GameStarted)]
    return [*entries[: starts[5]], *entries[index_of_first(entries, DealEnded) :]]


def seats_of(entries: Sequence[Entry], number: int) -> tuple[int, ...]:
    return of_kind(entries, GameStarted)[number - 1].seats


def with_other_luck(entries: Sequence[Entry], event_type: type[GameEnded | DealEnded]) -> list[Entry]:
    """Moves one chip of luck from the second bot to the first, in the first event of type `event_type`."""
    one, other, *rest = of_kind(entries, event_type)[0].luck
    return with_first_event(entries, event_type, luck=(one + 1, other - 1, *rest))


FORGERIES: dict[str, tuple[Callable[[Sequence[Entry]], list[Entry]], str]] = {
    "other seats": (lambda entries: with_game(entries, 2, seats=seats_of(entries, 2)[::-1]), "the bots drawn"),
    "the same seats twice": (lambda entries: with_game(entries, 2, seats=seats_of(entries, 1)), "the bots drawn"),
    "own decks": (lambda entries: with_game(entries, 3, dealt_as=UNSET), "the game whose decks are dealt again"),
    "decks of another deal": (lambda entries: with_game(entries, 8, dealt_as=1), "the game whose decks are dealt"),
    "no draw": (lambda entries: with_game(entries, 1, draw_key=""), "were not drawn"),
    "no last table": (without_last_table, "has won in the deal"),
    "bots of another deal": (lambda entries: with_game(entries, 7, seats=seats_of(entries, 1)), "the bots drawn"),
    "other winnings": (lambda entries: with_first_event(entries, DealEnded, won=(0,) * 6), "has won in the deal"),
    "an early end": (lambda entries: with_first_event(entries, DealEnded, decided=True), "has won in the deal"),
    "other stacks": (lambda entries: with_game(entries, 3, stacks=(1, *(5000,) * 5)), "the stacks at the start"),
    "other luck of a game": (lambda entries: with_other_luck(entries, GameEnded), "the luck of the board at the table"),
    "other luck of a deal": (lambda entries: with_other_luck(entries, DealEnded), "has won in the deal"),
}
FORGERIES_NOTICED_BY_PAGE = [*FORGERIES][:7]
"""The forgeries that the page notices. The page misses the rest, because it proves no stacks, winnings or luck."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_deals_are_refuted(forgery: str, deals: list[Entry], prover: Prover) -> None:
    forge, fault = FORGERIES[forgery]
    forged = forge(deals)
    with pytest.raises(Refuted, match=fault):
        verify(forged)
    assert prover.entries(forged)["holds"] is (forgery not in FORGERIES_NOTICED_BY_PAGE)


@pytest.mark.parametrize(("bots", "seat_orders"), [(2, 2), (3, 6), (5, 5)])
def test_duplicate_games_have_the_same_cards_but_different_seats(bots: int, seat_orders: int, prover: Prover) -> None:
    entries = play_contest(1, bots, DUPLICATE_FORMAT)
    games = of_kind(entries, GameStarted)
    assert len({game.seats for game in games}) == seat_orders
    assert [game.dealt_as for game in games] == [UNSET, *[1] * (seat_orders - 1)]
    cards = [dealt.cards for dealt in of_kind(entries, HoleDealt)]
    seals = [hand.deck_commitment for hand in of_kind(entries, HandStarted)]
    assert cards == cards[: len(cards) // seat_orders] * seat_orders
    assert len({(street.street, street.cards) for street in of_kind(entries, StreetDealt)}) <= 3 * HANDS_PER_GAME
    assert seals == seals[:HANDS_PER_GAME] * seat_orders
    assert verify(entries).finished
    assert prover.entries(entries)["holds"]
