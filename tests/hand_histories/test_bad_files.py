"""Hand histories that are cut, altered, too large, hostile or of another kind are refused in one clear sentence."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.game.events import TournamentOpened
from server.hand_histories.formats import MAX_BYTES
from server.hand_histories.import_hands import import_hands
from server.hand_histories.phh_reader import BadHistory
from server.hand_histories.phh_writer import phhs
from server.verify.published_hands import prove_published
from tests.hand_histories.recordings import BEGUN, USUAL, damaged_files, dice_hands
from tests.support.games.recordings import of_kind

DATA = Path(__file__).parents[1] / "data"
FILES = sorted((DATA / "phh").glob("*.phh"))
DAMAGED = 1_000
HAND = FILES[1].read_text()


def fault_of(text: str | bytes) -> str:
    """Returns why a file is refused, in one sentence. Fails if the file is accepted."""
    with pytest.raises(BadHistory) as refused:
        import_hands(text if isinstance(text, bytes) else text.encode())
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
    return str(refused.value)


@pytest.mark.parametrize("files", [FILES, sorted((DATA / "sites").iterdir())], ids=["PHH", "other formats"])
def test_a_damaged_file_is_refused_or_its_recording_is_proved(files: Sequence[Path]) -> None:
    contents = [path.read_bytes() for path in files]
    contents.append("\n".join(phhs(dice_hands(random.Random(1), USUAL["antes"], 3), BEGUN)).encode())
    refused = 0
    for content in damaged_files(random.Random(2), contents, DAMAGED):
        try:
            found = import_hands(content)
        except BadHistory:
            refused += 1
            fault_of(content)
        else:
            assert prove_published(found.entries).hands == found.hands
    assert 0 < refused < DAMAGED


@pytest.mark.parametrize(
    ("written", "wrong", "fault"),
    [
        ("'NT'", "'FT'", "'FT' is not no-limit hold'em (NT), the only game that can be shown"),
        ("min_bet = 100", "min_bet = 50", "the smallest bet is 50"),
        ("[50, 100, 0, 0, 0, 0]", "[50, 100, 200, 0, 0, 0]", "somebody straddles"),
        ("[50, 100, 0, 0, 0, 0]", "[50, 100]", "'blinds_or_straddles' needs one value for each of the 6 players"),
        ("antes = [0, 0, 0, 0, 0, 0]", "antes = [0, 0, 5, 0, 0, 0]", "some pay an ante and some do not"),
        ("[10000, 10000,", "[inf, 10000,", "a starting stack is not a number"),
        ("[10000, 10000,", "[0, 10000,", "somebody has no chips to start with"),
        ("[10000, 10000,", "[true, 10000,", "a starting stack is not an amount of chips"),
        ("[10000, 10000,", "[1e300, 10000,", "a starting stack is not between 0 and 1,000,000,000"),
        ("[10000, 10000,", "[0.00001, 10000,", "a starting stack has more than 4 decimal places"),
        ("[10000, 10000,", f"[0x{'f' * 5000}, 10000,", "a starting stack is not between 0 and 1,000,000,000"),
        ("'p3 f'", "'p4 f'", "'p4 f' is out of turn: it is p3's turn"),
        ("'p3 f'", "'p3 cbr 150'", "'p3 cbr 150' is against the rules: a raise must be to 200..10000, not 150"),
        ("'p3 f'", "'p3 pb'", "the action 'p3 pb': means nothing in hold'em"),
        ("'p3 f'", "'p9 f'", "the action 'p9 f': names player 9, but there are only 6 players"),
        ("'d db 7hKdQh'", "'d db 7hKdQ'", "not a card: 'Q'"),
        ("'d db 7hKdQh'", "'d db AsKdQh'", "the card As occurs twice"),
        ("'d db 5c'", "'d db 5c2d'", "more than five cards are on the board"),
        ("'d db 7hKdQh', ", "", "at 'p1 cbr 1300' 0 cards are on the board, not 3"),
        ("'d db 5c', 'p1 cc', 'p5 cc', 'p1 sm AsJc', 'p5 sm AhTh'", "", "it is incomplete"),
        ("'p1 sm AsJc'", "'p1 sm AsJd'", "'p1 sm AsJd' contradicts the player's earlier cards"),
        ("'p5 sm AhTh'", "'p5 sm AhTh', 'p2 f'", "'p2 f' comes after the end of the hand"),
        ("actions = [", "actions = 7 #", "Expected `array`, got `int` - at `$.actions`"),
        ("hand = 20", "_rules = {wild = 2}", "'_rules': there is no rule 'wild'"),
    ],
)
def test_a_bad_hand_is_refused_with_its_fault(written: str, wrong: str, fault: str) -> None:
    assert written in HAND
    assert fault in fault_of(HAND.replace(written, wrong))


def test_files_of_another_kind_are_refused() -> None:
    assert "neither the field 'variant'" in fault_of("")
    assert "neither the field 'variant'" in fault_of("title = 'a shopping list'")
    assert "byte 1 is not UTF-8" in fault_of(b"\xff\xd8\xff\xe0 a picture")
    assert "it is a High Noon recording already" in fault_of('{"journal":"high-noon/1","begun":""}')
    poker, hand = "***** 888poker Hand History for Game 1 *****", "Hand #123 - Holdem(No Limit) - $1/$2"
    for foreign in (poker, hand, "entry,at,order\n", "<!doctype html>", "{'ohh': 1}", "\0\0"):
        assert "its format is unknown; these formats can be read: PHH" in fault_of(f"# a comment\n\n{foreign}")
    assert "in English" in fault_of("PokerStars - Mano n.º 2101: Hold'em No Limit ($1/$2 USD)\n")
    assert "it is not valid JSON" in fault_of('{"ohh": {"spec_version": ')


def test_hostile_files_are_refused_quickly() -> None:
    dots = ".".join("a" * 40_000)
    for name in (f"{dots} = 1", f"[{dots}]", f"x = {{{dots} = 1}}"):
        assert "a name of more than 6 parts" in fault_of(name)
    for nested in ("x = " + "[" * 90_000, "x = " + "{a = " * 18_000, '{"ohh": ' + "[" * 200_000):
        assert "nested too deeply" in fault_of(nested)
    assert "too many for one hand" in fault_of("[" + " " * 200_000)
    assert "too many" in fault_of(b"#" * (MAX_BYTES + 1))
    assert "more than 12 starting stacks" in fault_of(HAND.replace("stacks = [", "stacks = [" + "1," * 10_000, 1))
    assert "more than 1,000 actions" in fault_of(HAND.replace("actions = [", "actions = [" + "'p1 cc'," * 10_000))
    assert "too many for one hand" in fault_of(HAND + "#" * 100_000)
    assert "more than 50,000 hands" in fault_of("[1]\n" * 50_001)


def test_only_hands_that_cannot_be_shown_are_left_out() -> None:
    wrong = {
        "two big blinds": HAND.replace("[50, 100, 0, 0, 0, 0]", "[50, 100, 100, 0, 0, 0]"),
        "another game": HAND.replace("'NT'", "'PO'"),
        "no TOML": HAND.replace("actions = [", "actions = [["),
        "a raise against the rules": HAND.replace("'p3 f'", "'p3 cbr 150'"),
        "other rules": f"{HAND}\n_rules = {{min_raise = 'one_chip'}}",
    }
    parts = [HAND, *(part for each in wrong.values() for part in (each, HAND))]
    found = import_hands("\ufeff".encode() + "\n".join(f"[{at}]\n{text}" for at, text in enumerate(parts, 1)).encode())
    assert found.hands == len(wrong) + 1, "a byte order mark must be accepted"
    assert [why.partition(":")[0] for why in found.left_out] == ["hand 2", "hand 4", "hand 6", "hand 8", "hand 10"]
    assert prove_published(found.entries).hands == found.hands


def test_a_hand_cut_off_at_the_river_is_refused_as_incomplete_even_if_no_cards_are_known() -> None:
    unknown = HAND.replace("AsJc", "????").replace("AhTh", "????")
    cut = unknown[: unknown.index("'d db 5c'")].rstrip(", ") + "]\n"
    assert "it is incomplete" in fault_of(cut)


def test_names_are_made_harmless_without_splitting_emojis() -> None:
    (players,) = re.findall(r"players = \[.*\]", HAND)
    flag, family = "\U0001f3f4\U000e0067\U000e0062\U000e007f Joe", "x" * 26 + "👨‍👩‍👧‍👦"
    for names, shown in (
        (("\\u202eevil", "x", "x", "", "<b>", "y"), ["evil", "x", "x (3)", "Player 4", "<b>", "y"]),
        ((flag, family, "z" * 5000, "a", "b", "c"), ["\U0001f3f4 Joe", "x" * 26 + "…", "z" * 29 + "…", "a", "b", "c"]),
    ):
        listed = ", ".join(f'"{name}"' for name in names)
        found = import_hands(HAND.replace(players, f"players = [{listed}]").encode())
        (opened,) = of_kind(found.entries, TournamentOpened)
        assert [entrant.name for entrant in opened.entrants] == shown
        assert prove_published(found.entries).hands == 1
