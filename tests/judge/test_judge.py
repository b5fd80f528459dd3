"""All contests keep the rules. An independent judge computes every hand again from the rule books."""

import ast
import json
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.contests import CONTESTS
from server.contests.acpc.rules import GAME, duplicates_of, match_of_game
from server.game.formats import Format, as_deals, as_series, with_blinds
from server.game.rules import Level
from server.verify.recording import verify
from tests.judge.books import BOOKS, HANDS_PER_LEVEL
from tests.judge.contest import Judgement, judge
from tests.support.bots.misbehaving_bots import DisconnectingBot, FaultyBot, RaisingBot, RefusingBot
from tests.support.games.contests import DiceBot, play_contest
from tests.support.games.house_contests import CharacterBot
from tests.support.games.recordings import KEPT_FOLDER, KEPT_RECORDINGS, write  # KEPT_FOLDER is in tests/data
from tests.support.source_files import ROOT

BOT_TYPES: tuple[type[DiceBot], ...] = (CharacterBot, DiceBot, RefusingBot, RaisingBot, DisconnectingBot, FaultyBot)
SHORT_STACKS = {"quick-draw": 1000, "enova": 20, "upac": 50, "arena": 100, "acpc": 30_000}
SIZE_COUNTS = {"upac": 1, "arena": 11, "acpc": 5}
"""How many contest sizes are tested. The smallest has 2 bots, so 11 sizes mean 2 to 12 bots. The default is 19."""


def formats_to_judge(contest: str) -> tuple[Format, ...]:
    """Returns the contest's format and variants: short stacks, rising blinds and antes, equal cards at all tables."""
    book_format = CONTESTS[contest].format
    short_stacks = replace(book_format, starting_stack=SHORT_STACKS[contest])
    level = short_stacks.rules.levels[0]
    rising_levels = tuple(Level(level.small * times, level.big * times, level.big * times - 1) for times in (1, 3, 9))
    with_antes = with_blinds(short_stacks, rising_levels, 4)
    extra = {"arena": [as_series(with_antes, 2)], "acpc": [duplicates_of(match_of_game(GAME, 8))]}.get(contest, [])
    return (book_format, short_stacks, with_antes, as_deals(with_antes, 6, hands=3), *extra)


def judge_contest(
    contest: str, hands: int, folder: Path, bot_types: tuple[type[DiceBot], ...] = BOT_TYPES
) -> Judgement:
    """Plays and judges at least `hands` hands, with each type of bot and different numbers of bots."""
    total, formats = Judgement(0, []), formats_to_judge(contest)
    for seed in count():
        for number, bot_type in enumerate(bot_types):
            contest_format = formats[(seed + number) % len(formats)]  # Formats rotate over seeds and types of bots.
            bots = 2 + seed % SIZE_COUNTS.get(contest, 19)
            rating, withdrawn_count = 100_000 if contest == "upac" else 0, seed % 3 if bots > 5 else 0
            entries = play_contest(seed, bots, contest_format, rating=rating, kind=bot_type, withdrawn=withdrawn_count)
            assert verify(entries).finished, "the program's own verification must accept the contest"
            judgement = judge(write(folder / f"{contest}-{seed}-{bot_type.__name__}.jsonl", entries))
            total = Judgement(total.hands + judgement.hands, total.deviations + judgement.deviations)
        if total.hands >= hands:
            return total
    raise AssertionError("unreachable")


@pytest.mark.parametrize("bot_types", [BOT_TYPES[:1], BOT_TYPES[1:]], ids=["house", "misbehaving"])
@pytest.mark.parametrize("contest", BOOKS)
def test_contests_keep_the_rules(contest: str, bot_types: tuple[type[DiceBot], ...], tmp_path: Path) -> None:
    judgement = judge_contest(contest, 200, tmp_path, bot_types)
    assert judgement.deviations == []
    assert judgement.hands >= 200


@pytest.mark.parametrize("name", KEPT_RECORDINGS)
def test_recordings_in_the_clone_keep_the_rules(name: str) -> None:
    assert judge(KEPT_FOLDER / name).deviations == []


@pytest.mark.parametrize("contest", BOOKS)
def test_stacks_and_blinds_are_as_in_the_rule_book(contest: str) -> None:
    contest_format, book = CONTESTS[contest].format, BOOKS[contest]
    assert contest_format.starting_stack == book.starting_stack
    assert tuple((level.small, level.big) for level in contest_format.rules.levels) == book.blinds
    assert {level.ante for level in contest_format.rules.levels} == {0}
    assert contest_format.rules.hands_per_level == HANDS_PER_LEVEL.get(contest, 0)


def test_judge_imports_nothing_from_the_server() -> None:
    for module in ("books", "hand", "contest"):
        tree = ast.parse((ROOT / f"tests/judge/{module}.py").read_text())
        imported_from = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
        allowed = ("collections", "itertools", "json", "pathlib", "phevaluator", "tests.judge", "typing")
        assert not [name for name in (*imported_from, *names) if not name.startswith(allowed)]


JUDGED_FIELDS = (
    "hand_started.button", "blind_posted.seat", "blind_posted.amount", "turn_started.seat", "turn_started.to_call",
    "turn_started.min_raise_to", "turn_started.max_raise_to", "action_taken.amount", "bet_returned.amount",
    "bets_collected.pots", "pot_awarded.awards", "hand_shown.cards", "hand_ended.stacks", "bot_eliminated.place",
    "stage_ended.ranking", "tournament_ended.placings",
)  # fmt: skip
"""The rules and the bots' decisions determine the values of these fields, so the judge must notice any change."""


@pytest.fixture(scope="module")
def arena_recordings(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    folder = tmp_path_factory.mktemp("arena")
    judge_contest("arena", 200, folder)
    return [path.read_text().splitlines() for path in sorted(folder.glob("*.jsonl"))]


@pytest.mark.parametrize("field", JUDGED_FIELDS)
def test_judge_notices_a_changed_value(field: str, arena_recordings: list[list[str]], tmp_path: Path) -> None:
    (event_type, name), path = field.split("."), tmp_path / "wrong.jsonl"
    for lines in arena_recordings:
        for index, event in enumerate(map(json.loads, lines)):
            value = event.get(name) if event.get("type") == event_type else None
            if value and (changed := value + 1 if isinstance(value, int) else value[::-1]) != value:
                path.write_text("\n".join([*lines[:index], json.dumps(event | {name: changed}), *lines[index + 1 :]]))
                assert judge(path).deviations
                return
    pytest.fail("no recording has this field")
