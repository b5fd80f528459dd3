"""Strangers' names and chats are made harmless before viewers see them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.text.names_and_chat import (
    LONGEST_CHAT,
    chat_remark,
    chat_text,
    clip_bytes,
    name_fault,
    never_admitted,
    shows_something,
)


@pytest.mark.parametrize(
    "name",
    [
        *("Billy the Kid", "Señor Fold-a-Lot", "Ñandú", "한국 봇", "保安官", "Дикий Запад", "นักเลง", "שריף"),
        *("x", "x" * 30, "Bot™ 2.0 (β)", "'\"<b>&{}", "A♠ King", "★", "♥\ufe0e Tess", "☠", "ậ", "\u01eb\u0304\u0301"),
        *("ལྷཱུཾ", "လွှို့", "ส้ม", "שָׁ֔לוֹם", "e\u0301\u0323", "e\u0301" * 30),
    ],
)
def test_names_in_any_script_are_allowed(name: str) -> None:
    assert name_fault(name) == never_admitted(name) == ""


NOT_NAMES = {
    "at most 30 characters": ("x" * 31, "e\u0301" * 31),
    "blank": ("", " \u3000\u00a0", "\u0301\u0301"),
    "invisible": (
        "\u3164",
        "\u2800\u2800",
        "Bil\u200bly",
        "Bil\u200dly",
        "م\u200c",
        "م\u200c\u200cن",
        "x\ufe0e",
        "葛\U000e0100\U000e0100",
        "Billy\u061c",
    ),
    "control": ("Billy\n", "\u202eylliB", "Billy\x1b[31m", "Billy\ud800", "Billy\ue000", "Billy\U000e0041"),
    "emoji": ("Billy 🤠", "Billy ♥\ufe0f", "🇩🇪", "👍🏽", "Billy 1\ufe0f\u20e3"),
    "stack": ("Z\u0351\u0352\u0353\u0354algo", "x\u0336\u0337", "ก็็็", "ส้้", "ཀྐྐྐྐྐ", "ក្ក្ក្ក", "כּּ", "x" + "\u0903\u0301" * 3),
}
"""Names that are refused, keyed by a word of the reason."""


@pytest.mark.parametrize(("name", "why"), [(name, why) for why, names in NOT_NAMES.items() for name in names])
def test_names_that_viewers_could_not_read_are_refused(name: str, why: str) -> None:
    assert why in name_fault(name)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Howdy", "Howdy"),
        ("  How \t dy\u00a0", "How dy"),
        ("\u202eHow\u200bdy\u2066", "Howdy"),
        ("H" + 5 * "\u0351" + "owdy", "H\u0351\u0351owdy"),
        ("ก็็็็ ก็", "ก็็ ก็"),
        ("👨‍👩‍👧‍👦 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 1️⃣ ♠︎", "👨‍👩‍👧‍👦 ❤️‍🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 1️⃣ ♠︎"),
        ("e\u0301 علی‌رضا ශ්‍රී 葛󠄀　a\u00a0b", "e\u0301 علی‌رضا ශ්‍රී 葛󠄀　a\u00a0b"),
        ("x\U000e0041\U000e0042 🏴\U000e0041", "x 🏴"),
        ("🤠" * 196 + "👨‍👩‍👧‍👦", "🤠" * 196 + "…"),
        ("\u0351\u0352Howdy", "Howdy"),
        ("🤠 yee-haw", "🤠 yee-haw"),
        ("\u2800\u3164", ""),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # the page escapes it
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
    ],
)
def test_chats_are_stripped_of_what_cannot_be_shown(text: str, shown: str) -> None:
    assert chat_text(text) == shown


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("Howdy", ""),
        ("  How \t dy", ""),
        ("राम علی‌رضا 👨‍👩‍👧‍👦", ""),
        ("\u202eHow\u200bdy\u2066\u2066", "hidden characters (U+202E, U+200B, U+2066)"),
        ("H" + 5 * "\u0351" + "owdy", "combining marks that no font draws there"),
        ("x" * 201, "everything after 200 characters"),
    ],
)
def test_a_remark_says_what_was_left_out_of_a_chat(text: str, remark: str) -> None:
    assert chat_remark(text) == remark


@given(st.text(max_size=300))
def test_what_is_left_of_a_chat_can_be_shown(text: str) -> None:
    shown = chat_text(text)
    assert len(shown) <= LONGEST_CHAT
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Co", "Zl", "Zp"}
    assert not set(shown) & set("\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
    shown.encode()


_HARDLY_VISIBLE = st.sampled_from("\u0301\u0308\u0344\u0345\u3164\u2800\u200b\u202e\u1160\u00a0\u2000 \t\x1cxé")


@given(st.text(max_size=40) | st.text(_HARDLY_VISIBLE, max_size=8))
def test_a_chat_shows_something_exactly_when_something_is_left_of_it(text: str) -> None:
    assert shows_something(text) == bool(chat_text(text))


@given(st.text(max_size=40), st.integers(3, 60))
def test_clipping_keeps_whole_characters(text: str, most: int) -> None:
    clipped = clip_bytes(text.encode(errors="ignore").decode(), most)
    assert len(clipped.encode()) <= most
