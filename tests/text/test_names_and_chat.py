"""Names and chat of strangers, made harmless before viewers see them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.text.names_and_chat import (
    LONGEST_CHAT,
    chat_text,
    clip_bytes,
    folded_name,
    name_fault,
    shows_something,
)


@pytest.mark.parametrize(
    "name",
    [
        *("Billy the Kid", "Señor Fold-a-Lot", "Ñandú", "한국 봇", "保安官", "Дикий Запад", "นักเลง", "שריף"),
        *("x", "x" * 30, "Bot™ 2.0 (β)", "'\"<b>&{}"),
    ],
)
def test_names_in_any_script_are_fine(name: str) -> None:
    assert name_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 31, "at most 30 characters"),
        ("", "blank"),
        (" \u3000\u00a0", "blank"),
        ("\u0301\u0301", "blank"),
        ("\u3164", "invisible"),
        ("\u2800\u2800", "invisible"),
        ("Bil\u200bly", "invisible"),
        ("Billy\n", "control"),
        ("\u202eylliB", "control"),
        ("Billy\x1b[31m", "control"),
        ("Billy\ud800", "control"),
        ("Billy\ue000", "control"),
        ("Billy\U000e0041", "control"),
        ("Billy 🤠", "emoji"),
        ("Billy ♥", "emoji"),
        ("Billy ☠", "emoji"),
        ("Billy 1\ufe0f\u20e3", "emoji"),
        ("Z\u0351\u0352\u0353\u0354algo", "stack"),
    ],
)
def test_names_that_viewers_could_not_read_are_refused(name: str, why: str) -> None:
    assert why in name_fault(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Billy the Kid", "BILLY THE KID"),
        ("Billy the Kid", " Billy  the Kid "),
        ("Billy the Kid", "Billy the Kid"),
        ("Billy the Kid", "Вilly the Kіd"),  # noqa: RUF001 (Cyrillic letters)
        ("Billy the Kid", "BiIIy the Kid"),
        ("Billy the Kid", "B1lly the K1d"),
        ("Pete", "Ρete"),  # noqa: RUF001 (a Greek letter)
        ("ΗΑΤ", "HAT"),  # noqa: RUF001 (Greek letters)
        ("Fullwidth", "Ｆｕｌｌｗｉｄｔｈ"),  # noqa: RUF001
        ("Señor", "Sen\u0303or"),
        ("Señor", "Senor"),
        ("Straße", "STRASSE"),
        ("Zero", "Zer0"),
        ("Bluffin' Bandit", "Bluffin’ Bandit"),  # noqa: RUF001
        ("ace", "ᎪᏟᎬ"),  # noqa: RUF001 (Cherokee letters)
    ],
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert folded_name(one) == folded_name(other)


def test_names_that_differ_stay_different() -> None:
    names = ["Billy the Kid", "Billy the Kit", "Doc", "Dok", "Tess", "Two-Pair Tess", "保安官", "保安宮", "Бот", "Бит"]
    assert len({folded_name(name) for name in names}) == len(names)


@given(st.text(max_size=40))
def test_folding_is_stable_and_never_fails(name: str) -> None:
    assert folded_name(name).strip() == folded_name(name)
    assert folded_name(folded_name(name)) == folded_name(name)
    assert isinstance(name_fault(name), str)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Howdy", "Howdy"),
        ("  How \t dy\u00a0", "How dy"),
        ("\u202eHow\u200bdy\u2066", "Howdy"),
        ("H" + 5 * "\u0351" + "owdy", "H\u0351\u0351owdy"),
        ("\u0351\u0352Howdy", "Howdy"),
        ("🤠 yee-haw", "🤠 yee-haw"),
        ("\u2800\u3164", ""),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # The page shows text as text.
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
    ],
)
def test_chats_are_stripped_of_what_cannot_be_shown(text: str, shown: str) -> None:
    assert chat_text(text) == shown


@given(st.text(max_size=300))
def test_whatever_is_left_of_a_chat_can_be_shown(text: str) -> None:
    shown = chat_text(text)
    assert len(shown) <= LONGEST_CHAT
    assert not {unicodedata.category(letter) for letter in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    shown.encode()


_HARDLY_SEEN = st.sampled_from("\u0301\u0308\u0344\u0345\u3164\u2800\u200b\u202e\u1160\u00a0\u2000 \t\x1cxé")


@given(st.text(max_size=40) | st.text(_HARDLY_SEEN, max_size=8))
def test_a_chat_shows_something_exactly_when_something_is_left_of_it(text: str) -> None:
    assert shows_something(text) == bool(chat_text(text))


@given(st.text(max_size=40), st.integers(3, 60))
def test_clipping_keeps_whole_characters(text: str, most: int) -> None:
    clipped = clip_bytes(text.encode(errors="ignore").decode(), most)
    assert len(clipped.encode()) <= most
