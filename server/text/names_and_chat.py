"""Makes untrusted text safe to show on a stream: checks names and cleans chats.

Pure. All untrusted text passes through this module before viewers or other bots see it.
"""

import unicodedata
from collections.abc import Iterator
from itertools import islice

import regex

from server.text.characters import EMOJI, HIDDEN, MARK, VISIBLE, clipped, fitting_marks

LONGEST_NAME = 30
"""The maximum number of characters in a name. The rules say: "no longer than 30 characters". A letter with an accent
counts as one character, however it is encoded.
"""
MAX_CHARACTERS = 100
"""The longest name that any contest accepts, in characters."""
LONGEST_CHAT = 200
"""The maximum number of characters in a chat. The rule book sets no limit. A chat of this length fills a speech bubble,
and its message stays below 4096 bytes.
"""
LONGEST_THOUGHT = 600
"""How many characters of a bot's thought on its action are kept."""

_LETTERS = r"[\p{L}\p{N}][[\p{Mn}\p{Mc}\u180e\u200c\u200d]--[\ufe00-\ufe0f]]*"
_LETTERS_AND_BRACKETS = regex.compile(rf"{_LETTERS}|[_()\[\] ]", regex.V1)
_SPACES = regex.compile(r"\s{2,}|[\t\n]")
_ENDS = regex.compile(r"^[\s\p{M}]+|\s+$")
# The following patterns match what no version of this program has ever allowed.
_IN_CONTEXT = r"[\u200c\u200d\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_NEVER_ALLOWED = regex.compile(
    rf"[\p{{Cc}}\p{{Cs}}\p{{Co}}\p{{Zl}}\p{{Zp}}\u2800\ufff9-\ufffb]|(?!{_IN_CONTEXT})\p{{Default_Ignorable_Code_Point}}"
)
_BEGINS_BLANK = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}]*(\p{M}|$)")
_STACKED_MARKS = regex.compile(r"\p{M}{9}")


def name_fault(name: str, most: int = LONGEST_NAME) -> str:
    """Says in a sentence why `name` cannot be a bot's name of at most `most` characters. Returns "" if it can."""
    if len(unicodedata.normalize("NFC", name)) > most:
        return f"Name must be at most {most} characters"
    if HIDDEN.search(name):
        return "Name must not contain control, format or invisible characters"
    if EMOJI.search(name):
        return "Name must not contain emojis"
    if _BEGINS_BLANK.match(name):
        return "Name must not be blank"
    if fitting_marks(name) != name:
        return "Name must not stack more combining marks on a letter than fonts draw"
    return ""


def letters_and_brackets(name: str) -> str:
    """Removes all characters except letters, digits, their marks and joiners, `_ ( ) [ ]` and spaces."""
    return "".join(_LETTERS_AND_BRACKETS.findall(fitting_marks(HIDDEN.sub("", name))))


def never_admitted(name: str) -> str:
    """Says why no version of this program ever allowed `name` in any contest. Returns "" if some version might have."""
    if len(unicodedata.normalize("NFC", name)) > MAX_CHARACTERS:
        return f"it is longer than {MAX_CHARACTERS} characters"
    if _NEVER_ALLOWED.search(name):
        return "it contains invisible characters"
    if _BEGINS_BLANK.match(name):
        return "it is blank"
    if _STACKED_MARKS.search(unicodedata.normalize("NFC", name)):
        return "it stacks more than 8 combining marks"
    return ""


def chat_text(text: str) -> str:
    """Makes a chat safe: drops hidden characters, surplus marks and repeated spaces, and clips it to 200 characters.

    `chat_remark` says what was left out.
    """
    return _safe(text, LONGEST_CHAT)


def thought_text(text: str) -> str:
    """Makes a bot's comment on its action safe, as `chat_text` does, and clips it to 600 characters.

    Returns "" if `chat_text` keeps the whole comment.
    """
    if len(text) <= LONGEST_CHAT:
        return ""
    thought = _safe(text, LONGEST_THOUGHT)
    return "" if thought == chat_text(text) else thought


def _safe(text: str, most: int) -> str:
    seen = fitting_marks(HIDDEN.sub("", text.replace("\t", " ")))
    return clipped(_ENDS.sub("", _SPACES.sub(" ", seen)), most)


def chat_remark(text: str) -> str:
    """Tells a chat's author what `chat_text` leaves out. Returns "" if nothing important is missing."""
    return ", ".join(_list_omissions(text))


def shows_something(text: str) -> bool:
    """Whether `chat_text` would keep anything of `text`. Much faster than `chat_text`: usually, one character
    decides.
    """
    return VISIBLE.search(text) is not None


def clip_bytes(text: str, most: int) -> str:
    """Cuts `text` to `most` bytes of UTF-8, with a "…" at its end."""
    raw = text.encode()
    if len(raw) <= most:
        return text
    return raw[: most - len("…".encode())].decode(errors="ignore") + "…"


def _list_omissions(text: str) -> Iterator[str]:
    found = islice(HIDDEN.finditer(text.replace("\t", " ")), 100)
    hidden = list(dict.fromkeys(each[0] for each in found))
    if hidden:
        codes = [f"U+{ord(each):04X}" for each in hidden[:3]]
        yield f"hidden characters ({', '.join(codes)}{', …' if hidden[3:] else ''})"
    seen = HIDDEN.sub("", text[: 2 * LONGEST_CHAT])
    if fitting_marks(seen) != seen or MARK.match(seen.lstrip()):
        yield "combining marks that no font draws there"
    if chat_text(text).endswith("…") and not text.rstrip().endswith("…"):
        yield f"everything after {LONGEST_CHAT} characters"
