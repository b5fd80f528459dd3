"""Names that viewers could confuse look alike, within a script and across scripts. Different real names do not."""

# ruff: noqa: RUF001 (these tests are about look-alike characters)

from itertools import combinations
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.text.look_alikes import look_alike, skeleton
from server.text.names_and_chat import chat_text, name_fault

LINES = [line for line in (Path(__file__).parent / "given_names.txt").read_text().splitlines() if line[0] != "#"]
NAMES = [name for line in LINES for name in line.partition(": ")[2].split()]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("Billy the Kid", other)
            for other in ("BILLY THE KID", " Billy  the Kid ", "Billy the\u00a0Kid", "Вilly the Kіd", "BiIIy the Kid")
        ),
        ("ΗΑΤ", "HAT"),
        ("Fullwidth", "Ｆｕｌｌｗｉｄｔｈ"),
        ("Señor", "Sen\u0303or"),
        ("i\u0307", "i"),
        ("Bot［1］", "Bot(1)"),
        ("İpek", "ipek"),
        ("Straße", "STRASSE"),
        ("Bluffin' Bandit", "Bluffin’ Bandit"),
        ("ljeto", "\u01c9eto"),  # this and the next are examples of UTS 39: within a script and across scripts
        ("paypal", "pаypаl"),
        ("Arnold", "Amold"),
        ("علی‌رضا", "علیرضا"),
        ("葛󠄀城", "葛城"),
        ("カ", "力"),
        ("שלום", "שלוּם".replace("ּ", "\u034f")),
        ("שלום1", "1שלום"),  # drawn in the same way; so are the next two if the first letter sets the direction
        ("שלום Bot", "Bot שלום"),
        ("بطل ٧ Bot", "Bot بطل ٧"),
    ],
)
def test_names_that_viewers_could_confuse_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("राम", "रमा"),
        ("はら", "ばら"),
        ("Лев", "Лёв"),
        ("José", "Jose"),
        ("יצחק אברהם", "אברהם יצחק"),
        ("Lan", "Ian"),
        ("保安官", "保安宮"),
        ("Two-Pair Tess", "Tess"),
    ],
)
def test_names_that_differ_do_not_look_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_real_names_in_forty_scripts_are_accepted_shown_unchanged_and_kept_apart() -> None:
    assert len(NAMES) >= 400
    assert not [(name, fault) for name in NAMES if (fault := name_fault(name))]
    assert not [name for name in NAMES if chat_text(name) != name]
    assert not [pair for pair in combinations(NAMES, 2) if look_alike(*pair)]


def test_every_pair_of_unicodes_own_table_has_one_skeleton() -> None:
    table = (Path(__file__).parents[2] / "server" / "text" / "confusables.txt").read_text(encoding="utf-8-sig")
    lines = [line.split(";")[:2] for line in table.splitlines() if ";" in line and not line.startswith("#")]
    pairs = [[bytes.fromhex("".join(f"{code:>08}" for code in text.split())).decode("utf-32-be") for text in line]
             for line in lines]  # fmt: skip
    reachable = [pair for pair in pairs if normalize("NFD", pair[0]) == pair[0] != "\u3164"]
    assert len(reachable) > 5_000
    assert not [pair for pair in reachable if skeleton(pair[0]) != normalize("NFD", pair[1])]
    names = [[f"x{text}y" for text in pair] for pair in reachable if normalize("NFD", pair[1]) == pair[1]]
    assert not [pair for pair in names if not (look_alike(*pair) or any(map(name_fault, pair)))]


@given(st.text(max_size=40), st.text(max_size=40))
def test_looking_alike_goes_both_ways(one: str, other: str) -> None:
    assert look_alike(one, one)
    assert look_alike(one, other) == look_alike(other, one)
