"""`highnoon verify` refutes forgeries with valid checksums. The command and the page `/verify` refute broken files."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.events import ActionTaken, Event, HandStarted, Placing, StageEnded
from server.game.prizes import final_placings
from server.hand_histories.import_hands import import_hands
from server.journal.journal import Entry, read_journal
from server.season.events import BotUploaded, GamePaired, GameRated, PlayerEntered, SeasonEnded
from server.verify.file import verdict_on
from server.verify.recording import verify
from server.verify.refutation import Refuted, prove_entries
from server.verify.season import LedgerChecker
from tests.season.sample_seasons import entries_of, make_season
from tests.support.games.contests import play_contest
from tests.support.games.random_contests import RandomContest, follow, random_contests
from tests.support.games.recordings import KEPT_FOLDER, of_kind, seal, small_contest, write
from tests.support.source_files import ROOT
from tests.verify.conftest import Prover, index_of_first, numbered, simple_alterations, with_event, with_first_event

CONTEST_RECORDINGS = {
    "quick-draw": "quick-draw.jsonl", "enova": "enova.jsonl", "arena": "arena.jsonl",
    "upac": "upac/games/0000/000003.jsonl",
}  # fmt: skip
"""The path of a recording of each contest, relative to KEPT_FOLDER."""
DECIDED_TYPES = (
    *events.HAND_EVENTS, events.GameStarted, events.GameForfeited, events.GameEnded, events.BotRated,
    events.BotEliminated, events.StageCut, events.StageEnded, events.TournamentEnded,
)  # fmt: skip
"""The kinds of events that follow from the rules, the seed and the decisions."""
Recording = Sequence[Entry]


@cache
def recordings() -> dict[str, Recording]:
    contests = {name: read_journal(KEPT_FOLDER / path).entries for name, path in CONTEST_RECORDINGS.items()}
    published = import_hands((ROOT / "tests/data/phh/dwan-ivey-2009.phh").read_bytes()).entries
    return {**contests, "published": published, "ledger": entries_of(make_season(4, 6, dice=random.Random(3)))}


def with_entrant(entries: Recording, **changes: object) -> Recording:
    first, *others = of_kind(entries, events.TournamentOpened)[0].entrants
    return with_first_event(entries, events.TournamentOpened, entrants=(replace(first, **changes), *others))


def withdraw_late(entries: Recording) -> Recording:
    index = index_of_first(entries, events.StageStarted) + 1
    withdrawn = replace(entries[index], event=events.BotWithdrawn(1, "it is late"))
    return numbered([*entries[:index], withdrawn, *entries[index:]])


def raise_to_one(entries: Recording, *, may_raise: bool) -> Recording:
    """Changes the first action where a raise is allowed (`may_raise`) or forbidden. It becomes a raise to one chip."""
    for index, (before, entry) in enumerate(pairwise(entries), 1):
        match before.event, entry.event:
            case events.TurnStarted(max_raise_to=most), events.ActionTaken() as action if bool(most) is may_raise:
                return with_event(entries, index, replace(action, act="raise", bet=1))
    raise AssertionError("no such turn")


def play_another_version(entries: Recording) -> Recording:
    """Lets a bot play with a version of its program that its owner has not activated."""
    index, (defender, challenger) = index_of_first(entries, GamePaired), of_kind(entries, GamePaired)[0].uploads
    better_bot = replace(entries[index], event=BotUploaded(9, defender, "Better"))
    paired_with_better = with_first_event(entries, GamePaired, uploads=(9, challenger))
    return numbered([*entries[:index], better_bot, *paired_with_better[index:]])


def deal_to_one_seat(entries: Recording) -> Recording:
    (first, *others), started = of_kind(entries, events.HoleDealt), of_kind(entries, events.HandStarted)[0]
    stacks = tuple(stack if seat == first.seat else 0 for seat, stack in enumerate(started.stacks))
    dealt_to_one = with_first_event(entries, events.HandStarted, stacks=stacks)
    return numbered([entry for entry in dealt_to_one if entry.event not in others])


def hide_the_last_place(entries: Recording) -> Recording:
    placings = of_kind(entries, events.TournamentEnded)[0].placings
    return with_first_event(entries, events.TournamentEnded, placings=placings[:-1])


FORGERIES: list[tuple[str, Callable[[Recording], Recording]]] = [
    ("arena", lambda _: []),
    ("arena", lambda entries: with_entrant(entries, bot=2)),
    ("arena", withdraw_late),
    ("arena", hide_the_last_place),
    ("arena", lambda entries: raise_to_one(entries, may_raise=True)),
    ("arena", lambda entries: raise_to_one(entries, may_raise=False)),
    ("quick-draw", lambda entries: raise_to_one(entries, may_raise=True)),
    ("published", deal_to_one_seat),
    ("arena", lambda entries: with_first_event(entries, events.StageStarted, seats=1)),
    ("arena", lambda entries: with_first_event(entries, events.StageStarted, stage=0)),
    ("ledger", play_another_version),
    ("ledger", lambda entries: with_first_event(entries, GamePaired, ratings=(1, 2))),
    ("ledger", lambda entries: with_first_event(entries, GameRated, ratings=(1, 2))),
    ("ledger", lambda entries: with_first_event(entries, PlayerEntered, name="")),
]
"""The name of a recording, and a function that forges it. No forgery is among the `simple_alterations`."""


@pytest.mark.parametrize(("name", "forge"), FORGERIES)
def test_forgery_is_refuted(name: str, forge: Callable[[Recording], Recording], tmp_path: Path) -> None:
    forged = forge(recordings()[name])
    assert ledger_fault(forged) if name == "ledger" else fault_of(tmp_path / "recording.jsonl", forged)


@pytest.mark.parametrize("contest", CONTEST_RECORDINGS)
def test_altered_event_is_refuted_if_it_follows_from_the_rules(contest: str, tmp_path: Path) -> None:
    """An alteration that only cuts off the end of a recording is ignored, because the rest can still be proved."""
    entries = recordings()[contest]
    original = decided_events(entries)
    accepted = [
        f"{event_type.__name__}: {change}"
        for event_type, change, altered in simple_alterations(entries)
        if issubclass(event_type, DECIDED_TYPES) and decided_events(altered) != original[: len(decided_events(altered))]
        if not fault_of(tmp_path / "recording.jsonl", altered)
    ]
    assert not accepted


def decided_events(entries: Recording) -> list[Event]:
    """Returns the events of the DECIDED_TYPES, without thinking times and faults."""
    decided = [entry.event for entry in entries if isinstance(entry.event, DECIDED_TYPES)]
    return [replace(event, think_ms=0, fault="") if isinstance(event, ActionTaken) else event for event in decided]


def fault_of(path: Path, entries: Recording) -> str:
    path.unlink(missing_ok=True)
    return verdict_on(write(path, entries)).fault


def ledger_fault(ledger: Recording) -> str:
    """Returns why a season's ledger (its journal) is refuted, or "". Does not read the games' recordings."""
    (end,) = of_kind(ledger, SeasonEnded)
    try:
        prove_entries(ledger, lambda opened: LedgerChecker(opened, end.seed))
    except Refuted as refuted:
        return refuted.what
    return ""


_BAD_NAMES = (
    "\x1b[2J", "two\nlines", "a\u202eb", "a\u200bb", "\u3164", "\u034f", "\ue000", "\u2029", "", " ", "\u0301a",
    "x" + "\u0336" * 9, "x" * 101, "\u200d", "a\u2066b", "a\ufeff",
)  # fmt: skip
_GOOD_NAMES = ("x" * 100, "Señor Tilt", "高手", "שלום", "🤠", "e\u0301\u0323", "ශ්‍රී", "葛󠄀", "လွှို့", "x\u0336\u0337")


@pytest.mark.parametrize("name", [*_BAD_NAMES, *_GOOD_NAMES])
def test_name_that_no_contest_would_admit_is_refuted(name: str, tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    for recording in (recordings()["arena"], recordings()["published"]):
        assert ("never be admitted" in fault_of(path, with_entrant(recording, name=name))) is (name not in _GOOD_NAMES)
    players_fault = fault_of(path, with_entrant(recordings()["arena"], player=name))
    assert bool(players_fault) is (name not in (*_GOOD_NAMES, ""))
    ledger = with_first_event(recordings()["ledger"], BotUploaded, name=name)
    assert bool(ledger_fault(ledger)) is (name not in _GOOD_NAMES)


TRIALS, FINAL = QUICK_DRAW_FORMAT.stages


def test_contest_is_proved_as_far_as_it_goes() -> None:
    contest = play_contest(1)
    proof = verify(contest)
    assert (proof.entries, proof.finished, proof.unfinished_hand) == (len(contest), True, False)
    assert proof.hands == len(of_kind(contest, HandStarted))
    assert proof.draws == proof.games > 1
    half_proof = verify(contest[: len(contest) // 2])
    assert not half_proof.finished
    assert half_proof.hands > 0
    beginning_proof = verify(contest[: index_of_first(contest, ActionTaken)])
    assert (beginning_proof.hands, beginning_proof.unfinished_hand) == (0, True), "an unfinished hand must not count"


def advance_seventh(_: RandomContest, honest: Callable[..., StageEnded], *plan: Any) -> StageEnded:
    """Lets the seventh bot advance instead of the sixth."""
    ended = honest(*plan)
    seventh = ended.ranking[6:7]
    return replace(ended, advancing=ended.advancing[:5] + seventh) if seventh and plan[1].advance else ended


def pay_each_bot(contest: RandomContest, _: object) -> tuple[Placing, ...]:
    """Pays each bot as if no two bots had the same player."""
    lone_entrants = tuple(replace(entrant, player="") for entrant in contest.opened.entrants)
    return final_placings(replace(contest.opened, entrants=lone_entrants), contest.tournament)


CHEATS: dict[str, tuple[str, Callable[..., Any]]] = {
    "ends a stage early": (
        "stage_over",
        lambda contest, honest, plan: honest(plan) or contest.tournament.games_in_stage == plan.games - 1 > 0,
    ),
    "plays a game too many": ("stage_over", lambda _, honest, plan: honest(replace(plan, games=plan.games + 1))),
    "ends a game early": ("game_over", lambda _, honest, plan, hands: honest(plan, hands + 1)),
    "deals a hand too many": ("game_over", lambda _, honest, plan, hands: honest(plan, hands - 1)),
    "draws with another key": ("seats", lambda _, honest, plan, key: honest(plan, key[::-1])),
    "retires by other dice": ("elimination_places", lambda _, honest, broke, key: honest(broke, key[::-1])),
    "forgets to retire": ("elimination_places", lambda _, honest, broke, key: honest(broke, key)[:-1]),
    "advances another bot": ("stage_end", advance_seventh),
    "plays for nobody": ("next_stage", lambda contest, honest: honest() if contest.tournament.stage else (1, TRIALS)),
    "pays a second bot": ("placings", pay_each_bot),
}
"""Each cheat has the name of a method of `RandomContest`, and a function that replaces the method. The function gets
the contest, the replaced method, and the method's arguments.
"""


def make_cheat(contest: RandomContest, method: str, cheat: Callable[..., Any]) -> RandomContest:
    setattr(contest, method, partial(cheat, contest, getattr(contest, method)))
    return contest


def uncut_evenings() -> Iterator[RandomContest]:
    """Yields the same 150 contests (evenings) each time. The operator ends none of their stages early."""
    for contest in random_contests("forged", 150):
        contest.cuts = 0.0
        yield contest


@pytest.fixture(scope="module")
def honest_evenings() -> list[list[Event]]:
    return [list(contest.events()) for contest in uncut_evenings()]


@pytest.mark.parametrize("cheat", CHEATS)
def test_dishonest_evening_is_refuted_despite_valid_checksums(cheat: str, honest_evenings: list[list[Event]]) -> None:
    forged_count = 0
    for contest, honest_events in zip(uncut_evenings(), honest_evenings, strict=True):
        dishonest = make_cheat(contest, *CHEATS[cheat])
        events = list(dishonest.events())
        if events != honest_events:
            forged_count += 1
            with pytest.raises(Refuted):
                follow(dishonest, events)
        if forged_count == 10:
            break
    assert forged_count >= 3, "the forgery must have been tried several times"


def test_cuts_withdrawals_and_skipped_trials_lead_to_remarks() -> None:
    without_trials = make_cheat(
        RandomContest(random.Random(1), 12),
        "next_stage",
        lambda _, honest: (2, FINAL) if (stage := honest()) and stage[0] == 1 else stage,
    )
    (remark,) = follow(without_trials, without_trials.events()).proof.remarks
    assert remark.startswith("High Noon is announced differently than in the rule book")
    cut = RandomContest(random.Random(1), 14, absent=2, cuts=0.05)
    remarks = follow(cut, cut.events()).proof.remarks
    assert remarks[0] == f"bot {cut.absent[0]} was withdrawn before the first stage: it never came"
    assert "The Trials was ended early by the operator" in remarks


HEADER = b'{"journal":"high-noon/1","begun":"2026-11-21T20:00:00.000+00:00"}'
CONNECTED_ENTRY = b'{"seq":%b,"at_ms":0,"type":"bot_connected","bot":%b}'
NOT_AN_ENTRY = "line 2: not an entry"
UNKNOWN_EVENT = f"does not begin with the opening|{NOT_AN_ENTRY}"
"""Matches the verdict on an unknown event. The command refuses the event. The page skips it, and finds no opening."""
BROKEN_FILES: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "this is not a High Noon recording"),
    "a line without a line ending": (HEADER, "has no complete header line"),
    "a picture": (bytes(range(256)) * 64, "this is not a High Noon recording"),
    "a header alone": (seal(HEADER), "the recording is empty"),
    "another format": (seal(HEADER.replace(b"/1", b"/9")), "the format is 'high-noon/9'"),
    "no header": (seal(CONNECTED_ENTRY % (b"1", b"1")), "this is not a High Noon recording"),
    "not JSON": (seal(HEADER, b'{"seq":1,,}'), NOT_AN_ENTRY),
    "invalid UTF-8": (seal(HEADER, b'{"seq":1,"at_ms":0,"type":"chat_sent","bot":1,"text":"\xff"}'), "line 2"),
    "a fraction of a bot": (seal(HEADER, CONNECTED_ENTRY % (b"1", b"1.5")), NOT_AN_ENTRY),
    "a whole number written as a fraction": (seal(HEADER, CONNECTED_ENTRY % (b"1", b"1.0")), NOT_AN_ENTRY),
    "a number of 400 digits": (seal(HEADER, CONNECTED_ENTRY % (b"9" * 400, b"1")), f"{NOT_AN_ENTRY}|entry 9+ where 1"),
    "true for a number": (seal(HEADER, CONNECTED_ENTRY % (b"true", b"1")), NOT_AN_ENTRY),
    "a second entry first": (seal(HEADER, CONNECTED_ENTRY % (b"2", b"1")), "entry 2 where 1"),
    "an unknown event": (seal(HEADER, b'{"seq":1,"at_ms":0,"type":"cake_eaten"}'), UNKNOWN_EVENT),
    "a name that every object has": (seal(HEADER, b'{"seq":1,"at_ms":0,"type":"__proto__"}'), UNKNOWN_EVENT),
    "an opening without a title": (seal(HEADER, b'{"seq":1,"at_ms":0,"type":"season_opened"}'), NOT_AN_ENTRY),
    "deep nesting": (seal(HEADER, b'{"seq":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), NOT_AN_ENTRY),
    "another event first": (seal(HEADER, CONNECTED_ENTRY % (b"1", b"1")), "does not begin with the opening"),
}


@pytest.mark.parametrize(("content", "fault"), BROKEN_FILES.values(), ids=BROKEN_FILES)
def test_file_that_is_not_a_recording_is_refuted_in_a_sentence(
    content: bytes, fault: str, prover: Prover, tmp_path: Path
) -> None:
    verdict = prover.content(content)
    assert not verdict["holds"]
    assert re.search(fault, verdict["fault"])
    assert len(verdict["fault"]) < 200
    (tmp_path / "file.jsonl").write_bytes(content)
    assert re.search(fault, verdict_on(tmp_path / "file.jsonl").fault)


def test_20_megabytes_of_garbage_are_refuted(prover: Prover) -> None:
    assert "not a High Noon recording" in prover.content(b"x" * 20_000_000)["fault"]
    assert "has no complete header line" in prover.content(HEADER[:12] + b"x" * 20_000_000)["fault"]
    assert "longer than any entry" in prover.content(HEADER[:12] + b"x" * 20_000_000 + b"\n")["fault"]
    assert "no checksum" in prover.content(seal(HEADER) + b"\n" * 20_000_000)["fault"]
    assert "longer than any entry" in prover.content(seal(HEADER, b'{"seq":"' + b"x" * 20_000_000 + b'"}'))["fault"]


@pytest.mark.parametrize("seats", [100, 101, 500_000])
def test_table_of_more_than_100_seats_is_refuted_at_once(seats: int, prover: Prover, tmp_path: Path) -> None:
    chips, bots = b"[9,9" + b",0" * (seats - 2) + b"]", b"[1" + b",1" * (seats - 1) + b"]"
    opened = b'"contest":"published","title":"A crowd","rules":{},"starting_stack":1,"entrants":[],"seed_commitment":""'
    hand = b'"hand":1,"button":0,"small_blind":1,"big_blind":2,"ante":0,"deck_commitment":"","stacks":'
    events = [
        b'"type":"tournament_opened",' + opened,
        b'"type":"game_started","game":1,"hands":1,"seats":' + bots + b',"stacks":' + chips,
        b'"type":"hand_started",' + hand + chips,
        b'"type":"hole_dealt","seat":0,"cards":["As","Ah"]',
        b'"type":"hole_dealt","seat":1,"cards":["Ks","Kh"]',
        b'"type":"hand_ended","deck_key":"","stacks":' + chips,
    ]
    content = seal(HEADER, *(b'{"seq":%d,"at_ms":0,%s}' % (seq, event) for seq, event in enumerate(events, 1)))
    (tmp_path / "crowd.jsonl").write_bytes(content)
    for reason in (prover.content(content)["fault"], verdict_on(tmp_path / "crowd.jsonl").fault):
        assert (reason == f"{seats} bots sit at one table") is (seats > 100)


def test_file_with_a_changed_byte_is_refuted_by_page_and_command(prover: Prover, tmp_path: Path) -> None:
    dice, recording = random.Random(4), write(tmp_path / "whole.jsonl", small_contest()).read_bytes()
    for _ in range(60):
        start, length = dice.randrange(len(recording)), dice.randrange(1, 40)
        inserted = dice.choice([b"", bytes([dice.randrange(256)]), b"\n", recording[start : start + length] * 2])
        changed = recording[:start] + inserted + recording[start + dice.randrange(3) :]
        (tmp_path / "changed.jsonl").write_bytes(changed)
        page_verdict, command_verdict = prover.content(changed), verdict_on(tmp_path / "changed.jsonl")
        assert (page_verdict["holds"], page_verdict["whole"]) == (command_verdict.holds, command_verdict.whole)
        assert not page_verdict["whole"] or changed == recording  # `whole`: the file is complete
