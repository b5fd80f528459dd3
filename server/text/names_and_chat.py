"""Strangers' text made harmless for a stream: what may stand in a name, what is left of a chat, which names look alike.

Pure; knows Unicode and nothing else. Every text that viewers or other bots see has come through here.
"""

# ruff: noqa: RUF001 (look-alike letters are the matter here)

import unicodedata

LONGEST_NAME = 30
"""Characters: "no longer than 30 characters"."""
MOST_LETTERS = 100
"""The longest name that any contest takes, in characters."""
LONGEST_CHAT = 200
"""Characters. The document sets no limit; this fills a speech bubble and keeps every message below 4096 bytes."""
MOST_MARKS = 2
"""Combining marks in a row: enough for living scripts, too few to climb over the neighbours."""

# Unseen or never to be seen: control, format (bidi, zero-width), surrogates, private use, unassigned, line ends.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and symbols by their category, yet they draw nothing: Hangul fillers, the empty Braille pattern.
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_NEVER = _UNSEEN - {"Cn"}
"""Without unassigned characters: whoever admitted a name may have known a later Unicode."""
_EMOJI = ((0x1F000, 0x1FBFF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x2300, 0x23FF), (0xFE00, 0xFE0F), (0x20E3, 0x20E3))

# What looks like a Latin letter at the size of a poster. Capitals are folded before lower-casing: a capital can look
# like another letter than its small form does, as the Greek eta: its capital like H, its small form like n.
_CAPITALS = {
    "a": "ΑАᎪ", "b": "ΒВᏴ", "c": "ϹСᏟ", "d": "Ꭰ", "e": "ΕЕᎬ", "g": "ԌᏀ", "h": "ΗНᎻ", "i": "ΙІᎥ", "j": "ЈᎫ", "k": "ΚКᏦ",
    "l": "Ꮮ", "m": "ΜМᎷ", "n": "Ν", "o": "ΟОՕ", "p": "ΡРᏢ", "q": "Ԛ", "r": "Ꮢ", "s": "ЅՏᏚ", "t": "ΤТᎢ", "u": "Ս",
    "v": "ѴᏙ", "w": "ԜᎳ", "x": "ΧХ", "y": "ΥУҮ", "z": "ΖᏃ",
}  # fmt: skip
_SMALL = {
    "a": "αаɑ", "b": "ь", "c": "ϲс", "d": "ԁđ", "e": "еєε", "g": "ɡ", "h": "һħ", "j": "јϳ", "k": "κк",
    "l": "iıɩɪιіӏłl1|!", "m": "м", "n": "ηпո", "o": "οоօσø0", "p": "ρр", "q": "ԛ", "r": "г", "s": "ѕ", "t": "τт",
    "u": "υս", "v": "νѵ", "w": "ԝωա", "x": "χх", "y": "γуү", "'": "’‘`´ʼ", "-": "‐‑‒–—−",
}  # fmt: skip
_LATIN_CAPITALS = {ord(twin): letter for letter, twins in _CAPITALS.items() for twin in twins}
_LATIN_SMALL = {ord(twin): letter for letter, twins in _SMALL.items() for twin in twins}


def name_fault(name: str, most: int = LONGEST_NAME) -> str:
    """Why `name` cannot be a bot's name of at most so many characters, in one sentence, or "" if it can."""
    if len(name) > most:
        return f"Name must be at most {most} characters"
    if any(_unseen(letter) for letter in name):
        return "Name must not contain control, format or invisible characters"
    if any(first <= ord(letter) <= last for letter in name for first, last in _EMOJI):
        return "Name must not contain emojis"
    if not name.strip() or _is_mark(name.lstrip()[0]):
        return "Name must not be blank"
    if len(_few_marks(name)) < len(unicodedata.normalize("NFC", name)):
        return f"Name must not stack more than {MOST_MARKS} combining marks"
    return ""


def never_admitted(name: str) -> str:
    """Why no contest of any age can have admitted `name`, or "" if one may have: for recordings from elsewhere."""
    if len(name) > MOST_LETTERS:
        return f"it is longer than {MOST_LETTERS} characters"
    if any(letter in _FILLERS or unicodedata.category(letter) in _NEVER for letter in name):
        return "it holds characters that nobody can see"
    if not name.strip() or _is_mark(name.lstrip()[0]):
        return "it is blank"
    if len(_few_marks(name)) < len(unicodedata.normalize("NFC", name)):
        return f"it stacks more than {MOST_MARKS} combining marks"
    return ""


def chat_text(text: str) -> str:
    """What may be shown of a chat: no unseen characters, no stacked marks, single blanks, at most 200 characters."""
    seen = "".join(" " if letter == "\t" else letter for letter in text if letter == "\t" or not _unseen(letter))
    shown = " ".join(_few_marks(seen).split())
    while shown and _is_mark(shown[0]):
        shown = shown[1:].lstrip()
    return shown if len(shown) <= LONGEST_CHAT else shown[: LONGEST_CHAT - 1].rstrip() + "…"


def shows_something(text: str) -> bool:
    """Whether `chat_text` leaves anything of `text`; as a rule the first letter tells, so this is far cheaper."""
    return any(not (letter.isspace() or _unseen(letter) or _is_mark(letter)) for letter in text)


def folded_name(name: str) -> str:
    """The same text for all names that viewers could take for one another; bots' names must differ after it.

    NFKC, upper and lower case, accents, runs of blanks and look-alike letters of other scripts are folded.
    """
    upper = unicodedata.normalize("NFKC", name).translate(_LATIN_CAPITALS)
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", upper.casefold()) if not _is_mark(letter))
    return " ".join(bare.translate(_LATIN_SMALL).split())


def clip_bytes(text: str, most: int) -> str:
    """The longest beginning of `text` that takes at most `most` bytes in UTF-8, with "…" if something is lost."""
    raw = text.encode()
    if len(raw) <= most:
        return text
    return raw[: most - len("…".encode())].decode(errors="ignore") + "…"


def _unseen(letter: str) -> bool:
    return letter in _FILLERS or unicodedata.category(letter) in _UNSEEN


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def _few_marks(text: str) -> str:
    """`text`, composed (NFC), without the marks that stand on too many others."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if _is_mark(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
