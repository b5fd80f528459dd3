"""Unreadable names are refused, names that look alike are recognised, and chats are made harmless for viewers."""

# ruff: noqa: RUF001 (these tests are about look-alike characters)

import unicodedata
from itertools import combinations
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.text.look_alikes import look_alike, skeleton
from server.text.names_and_chat import (
    MAX_CHAT_CHARACTERS,
    chat_remark,
    clean_chat,
    clip_bytes,
    has_visible_text,
    name_fault,
    why_never_allowed,
)

NOT_NAMES = {
    "at most 30 characters": ("x" * 31, "e\u0301" * 31),
    "blank": ("", " \u3000\u00a0", "\u0301\u0301"),
    "invisible": (
        *("\u3164", "\u2800\u2800", "Bil\u200bly", "Bil\u200dly", "م\u200c", "م\u200c\u200cن", "x\ufe0e"),
        *("葛\U000e0100\U000e0100", "Billy\u061c"),
    ),
    "control": ("Billy\n", "\u202eylliB", "Billy\x1b[31m", "Billy\ud800", "Billy\ue000", "Billy\U000e0041"),
    "emoji": ("Billy 🤠", "Billy ♥\ufe0f", "🇩🇪", "👍🏽", "Billy 1\ufe0f\u20e3"),
    "stack": ("Z\u0351\u0352\u0353\u0354algo", "x\u0336\u0337", "ก็็็", "ส้้", "ཀྐྐྐྐྐ", "ក្ក្ក្ក", "כּּ", "x" + "\u0903\u0301" * 3),
}
"""Names that are refused, keyed by words from the reason."""


@pytest.mark.parametrize(("name", "reason"), [(name, reason) for reason, names in NOT_NAMES.items() for name in names])
def test_names_that_viewers_could_not_read_are_refused(name: str, reason: str) -> None:
    assert reason in name_fault(name)


LOST_HIDDEN, LOST_MARKS = "hidden characters", "combining marks that no font draws there"
LOST_END = "everything after 200 characters"


@pytest.mark.parametrize(("text", "shown_text", "remark"), [
    ("  How \t dy\u00a0", "How dy", ""),
    ("\u202eHow\u200bdy\u2066\u2066", "Howdy", f"{LOST_HIDDEN} (U+202E, U+200B, U+2066)"),
    ("H" + 5 * "\u0351" + "owdy", "H\u0351\u0351owdy", LOST_MARKS),
    ("ก็็็็ ก็", "ก็็ ก็", LOST_MARKS),
    ("👨‍👩‍👧‍👦 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 1️⃣ ♠︎", "👨‍👩‍👧‍👦 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 1️⃣ ♠︎", ""),
    ("e\u0301 علی‌رضا ශ්‍රී 葛󠄀　a\u00a0b राम", "e\u0301 علی‌رضا ශ්‍රී 葛󠄀　a\u00a0b राम", ""),
    ("x\U000e0041\U000e0042 🏴\U000e0041", "x 🏴", f"{LOST_HIDDEN} (U+E0041, U+E0042)"),
    ("🤠" * 196 + "👨‍👩‍👧‍👦", "🤠" * 196 + "…", LOST_END),
    ("\u2800\u3164", "", f"{LOST_HIDDEN} (U+2800, U+3164)"),
    ("<script>alert(1)</script>", "<script>alert(1)</script>", ""),  # Markup stays, because pages escape it.
    ("x" * 200, "x" * 200, ""),
    ("x" * 201, "x" * 199 + "…", LOST_END),
])  # fmt: skip
def test_chat_loses_characters_that_cannot_be_shown_and_gets_a_remark(text: str, shown_text: str, remark: str) -> None:
    assert (clean_chat(text), chat_remark(text)) == (shown_text, remark)


_HARDLY_VISIBLE = st.sampled_from("\u0301\u0308\u0344\u0345\u3164\u2800\u200b\u202e\u1160\u00a0\u2000 \t\x1cxé")


@given(st.text(max_size=300) | st.text(_HARDLY_VISIBLE, max_size=8))
def test_what_remains_of_any_chat_can_be_shown(text: str) -> None:
    shown = clean_chat(text)
    assert len(shown) <= MAX_CHAT_CHARACTERS
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert not set(shown) & set("\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
    shown.encode()
    assert has_visible_text(text) == bool(shown)


@given(st.text(max_size=40), st.integers(3, 60))
def test_clipped_text_has_at_most_the_given_number_of_bytes(text: str, max_bytes: int) -> None:
    clipped = clip_bytes(text.encode(errors="ignore").decode(), max_bytes)
    assert len(clipped.encode()) <= max_bytes


NAME_LINES = [line for line in (Path(__file__).parent / "given_names.txt").read_text().splitlines() if line[0] != "#"]
NAMES = [name for line in NAME_LINES for name in line.partition(": ")[2].split()]
ODD_NAMES = (
    "Señor Fold-a-Lot", "Ñandú", "한국 봇", "Дикий Запад", "x", "x" * 30, "Bot™ 2.0 (β)", "'\"<b>&{}", "A♠ King", "★",
    "♥\ufe0e Tess", "ậ", "\u01eb\u0304\u0301", "ལྷཱུཾ", "လွှို့", "ส้ม", "שָׁ֔לוֹם", "e\u0301\u0323", "e\u0301" * 30,
)  # fmt: skip
ALIKE_NAMES = [
    *(("Billy the Kid", other) for other in (
        "BILLY THE KID", " Billy  the Kid ", "Billy the\u00a0Kid", "Вilly the Kіd", "BiIIy the Kid",
    )),
    ("ΗΑΤ", "HAT"), ("Fullwidth", "Ｆｕｌｌｗｉｄｔｈ"), ("Señor", "Sen\u0303or"), ("i\u0307", "i"),
    ("Bot［1］", "Bot(1)"), ("İpek", "ipek"), ("Straße", "STRASSE"), ("Bluffin' Bandit", "Bluffin’ Bandit"),
    ("ljeto", "\u01c9eto"),  # An example from Unicode's UTS 39, in one alphabet. The next pair mixes two alphabets.
    ("paypal", "pаypаl"), ("Arnold", "Amold"), ("علی‌رضا", "علیرضا"), ("葛󠄀城", "葛城"), ("カ", "力"),
    ("שלום", "שלוּם".replace("ּ", "\u034f")),
    # The next pair looks alike in left-to-right text. The last two pairs look alike if the first letter
    # sets the direction.
    ("שלום1", "1שלום"),
    ("שלום Bot", "Bot שלום"), ("بطل ٧ Bot", "Bot بطل ٧"),
]  # fmt: skip
"""Pairs of names that viewers could confuse."""
DISTINCT_NAMES = [
    ("राम", "रमा"), ("はら", "ばら"), ("Лев", "Лёв"), ("José", "Jose"), ("יצחק אברהם", "אברהם יצחק"),
    ("Lan", "Ian"), ("保安官", "保安宮"), ("Two-Pair Tess", "Tess"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "are_alike"), [(*two, True) for two in ALIKE_NAMES] + [(*two, False) for two in DISTINCT_NAMES]
)
def test_names_count_as_alike_only_if_viewers_could_confuse_them(one: str, other: str, *, are_alike: bool) -> None:
    assert look_alike(one, other) == are_alike


def test_real_names_in_forty_scripts_are_unchanged_and_kept_apart() -> None:
    assert len(NAMES) >= 400
    faults = [name_fault(name) + why_never_allowed(name) for name in (*NAMES, *ODD_NAMES)]
    assert not [fault for fault in faults if fault]
    assert not [name for name in NAMES if clean_chat(name) != name]
    assert not [pair for pair in combinations(NAMES, 2) if look_alike(*pair)]


def test_texts_that_unicode_calls_confusable_have_the_same_skeleton() -> None:
    table = (Path(__file__).parents[2] / "server" / "text" / "confusables.txt").read_text(encoding="utf-8-sig")
    lines = [line.split(";")[:2] for line in table.splitlines() if ";" in line and not line.startswith("#")]
    pairs = [[bytes.fromhex("".join(f"{code:>08}" for code in text.split())).decode("utf-32-be") for text in line]
             for line in lines]  # fmt: skip
    reachable_pairs = [pair for pair in pairs if normalize("NFD", pair[0]) == pair[0] != "\u3164"]
    assert len(reachable_pairs) > 5_000
    assert not [pair for pair in reachable_pairs if skeleton(pair[0]) != normalize("NFD", pair[1])]
    names = [[f"x{text}y" for text in pair] for pair in reachable_pairs if normalize("NFD", pair[1]) == pair[1]]
    assert not [pair for pair in names if not (look_alike(*pair) or any(map(name_fault, pair)))]


@given(st.text(max_size=40), st.text(max_size=40))
def test_two_names_are_alike_in_either_order(one: str, other: str) -> None:
    assert look_alike(one, one)
    assert look_alike(one, other) == look_alike(other, one)
