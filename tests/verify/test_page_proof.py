"""The page `/verify` proves the chain of checksums, the seals, and all cards and seats that follow from them."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.upac.rules import UPAC_FORMAT
from server.game import events
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import Event
from server.game.formats import Format, as_series, with_most_hands
from server.game.rules import Level, Rules
from server.game.view import View
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry
from server.season.events import SeasonOpened
from server.verify.file import verdict_on
from tests.season.sample_seasons import entries_of, played
from tests.support.contests import DiceBot, play_contest
from tests.support.recordings import SMALL, small_contest, write
from tests.verify.alterations import numbered, with_event, with_first
from tests.verify.in_javascript import Prover

BLINDS = ((1, 2), (5, 10), (50, 100), (25, 51), (10, 10), (1, 100))
PUBLISHED = sorted((Path(__file__).parents[1] / "data" / "phh").glob("*.phh"))
CLAIMS = ("entries", "decks", "cards", "draws")
CARDS: dict[type[Event], Sequence[str]] = {
    events.TournamentOpened: ("seed_commitment",),
    events.GameStarted: ("seats", "draw_key"),
    events.HandStarted: ("hand", "button", "deck_commitment"),
    events.HoleDealt: ("seat", "cards"),
    events.StreetDealt: ("street", "cards"),
    events.HandShown: ("seat", "cards", "best"),
    events.HandEnded: ("deck_key",),
    events.StageEnded: ("draw_key",),
    events.TournamentEnded: ("seed",),
}
"""The events that say which cards were dealt or who sat where, and the fields that say it."""


class Reckless(DiceBot):
    """Often goes all-in and rarely folds, which leads to side pots and odd chips."""

    def _decide(self, view: View) -> Decision:
        turn, dice = view.hand.turn, self._dice
        assert turn is not None, "a bot is asked only on its turn"
        if turn.blind:
            return Fold() if dice.random() < 0.05 else PostBlind(turn.to_call)
        if turn.max_raise_to and dice.random() < 0.35:
            return RaiseTo(dice.choice([turn.min_raise_to, turn.max_raise_to]))
        return Fold() if turn.to_call and dice.random() < 0.2 else Call()


def contest_of(dice: random.Random) -> Format:
    """Returns a contest with random rules."""
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
    return replace(SMALL, rules=rules, starting_stack=pick((7, 100, 333, 1001)), stages=stages)


def shortened(contest: Format, hands: int, **of_a_table: int) -> Format:
    """Returns a contest with at most `hands` hands in each game."""
    stages = tuple(replace(stage, hands=hands, **(of_a_table if stage.advance else {})) for stage in contest.stages)
    return replace(contest, stages=stages)


@cache
def contests() -> dict[str, tuple[Entry, ...]]:
    """Plays a short contest of each kind; returns the entries of each."""
    short_stacks = replace(ARENA_FORMAT, starting_stack=100)
    return {
        "quick-draw": small_contest(),
        "enova": tuple(play_contest(4, 9, shortened(ENOVA_FORMAT, 3, seats=4, advance=4))),
        "upac": tuple(play_contest(5, 2, shortened(UPAC_FORMAT, 12), rating=1000_00)),
        "arena": tuple(play_contest(6, 9, with_most_hands(ARENA_FORMAT, 8))),
        "arena of three games": tuple(play_contest(8, 5, as_series(with_most_hands(short_stacks, 6), 3))),
        **{f"rules {number}": any_contest(number) for number in range(12)},
    }


def any_contest(number: int) -> tuple[Entry, ...]:
    dice = random.Random(f"rules {number}")
    return tuple(play_contest(number, dice.choice((3, 7, 12)), contest_of(dice), kind=Reckless))


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


def forgeries(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """Yields forged recordings, each with the name of the card, seat, key, seal or event that was changed."""
    for kind, fields in CARDS.items():
        at = next((at for at, entry in enumerate(entries) if isinstance(entry.event, kind)), None)
        if at is None:
            continue
        before, entry, after = entries[:at], entries[at], entries[at + 1 :]
        if kind in (events.HoleDealt, events.StreetDealt, events.HandEnded):
            yield f"{kind.__name__} left out", numbered([*before, *after])
            yield f"{kind.__name__} twice", numbered([*before, entry, entry, *after])
        for field in fields:
            for other in others(getattr(entry.event, field)):
                event = replace(entry.event, **{field: other})
                yield f"{kind.__name__}.{field}", [*before, replace(entry, event=event), *after]


def others(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case str():
            yield from ("ab" * 32, "no key")
        case (first, second, *rest):
            yield (second, first, *rest)
        case (_,):
            yield ("2c",)


@pytest.mark.parametrize("contest", ["quick-draw", "enova", "arena", "arena of three games"])
def test_a_recording_with_a_changed_card_seat_key_or_seal_is_refuted(contest: str, prover: Prover) -> None:
    tried = 0
    for what, forged in forgeries(contests()[contest]):
        verdict = prover.entries(forged)
        harmless = what == "HandShown.best"  # the proof does not include the order of the five cards
        assert verdict["holds"] is harmless, what
        assert harmless or verdict["where"].endswith("of the file"), what
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
