"""Makes untrusted text safe to show on a stream: checks names and cleans chats.

No I/O. All untrusted text passes through this module before viewers or other bots see it.
"""

import unicodedata
from collections.abc import Iterator
from itertools import islice

import regex

from server.text.characters import EMOJI, HIDDEN_CHARACTER, MARK, VISIBLE, clip_text, drop_surplus_marks

MAX_NAME_CHARACTERS = 30
"""The maximum number of characters in a name. The rules say: "no longer than 30 characters". A letter with an accent
counts as one character, however it is encoded.
"""
MAX_LONG_NAME_CHARACTERS = 100
"""The longest name that any contest accepts, in characters."""
MAX_CHAT_CHARACTERS = 200
"""The maximum number of characters in a chat. The rules set no limit. A chat of this length fills a speech bubble. A
message with such a chat stays below 4096 bytes.
"""
MAX_THOUGHT_CHARACTERS = 600
"""A bot's comment on its action is cut to this many characters."""

_LETTERS = r"[\p{L}\p{N}][[\p{Mn}\p{Mc}\u180e\u200c\u200d]--[\ufe00-\ufe0f]]*"
_LETTERS_AND_BRACKETS = regex.compile(rf"{_LETTERS}|[_()\[\] ]", regex.V1)
_SPACES = regex.compile(r"\s{2,}|[\t\n]")
_OUTER_SPACE = regex.compile(r"^[\s\p{M}]+|\s+$")
# The following patterns are for `why_never_allowed`. Some version may have allowed _IN_CONTEXT inside a name.
_IN_CONTEXT = r"[\u200c\u200d\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_NEVER_ALLOWED = regex.compile(
    rf"[\p{{Cc}}\p{{Cs}}\p{{Co}}\p{{Zl}}\p{{Zp}}\u2800\ufff9-\ufffb]|(?!{_IN_CONTEXT})\p{{Default_Ignorable_Code_Point}}"
)
_BEGINS_BLANK = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}]*(\p{M}|$)")
_STACKED_MARKS = regex.compile(r"\p{M}{9}")


def name_fault(name: str, max_characters: int = MAX_NAME_CHARACTERS) -> str:
    """Says in a sentence why `name` cannot be a bot's name of at most `max_characters` characters. Returns "" if
    `name` is allowed.
    """
    if len(unicodedata.normalize("NFC", name)) > max_characters:
        return f"Name must be at most {max_characters} characters"
    if HIDDEN_CHARACTER.search(name):
        return "Name must not contain control, format or invisible characters"
    if EMOJI.search(name):
        return "Name must not contain emojis"
    if _BEGINS_BLANK.match(name):
        return "Name must not be blank"
    if drop_surplus_marks(name) != name:
        return "Name must not stack more combining marks on a letter than fonts draw"
    return ""


def letters_and_brackets(name: str) -> str:
    """Removes all characters except letters, digits, marks, joiners, spaces and `_ ( ) [ ]`."""
    return "".join(_LETTERS_AND_BRACKETS.findall(drop_surplus_marks(HIDDEN_CHARACTER.sub("", name))))


def why_never_allowed(name: str) -> str:
    """Says why no version of this program ever allowed `name` in any contest. Returns "" if some version might have
    allowed it.
    """
    if len(unicodedata.normalize("NFC", name)) > MAX_LONG_NAME_CHARACTERS:
        return f"it is longer than {MAX_LONG_NAME_CHARACTERS} characters"
    if _NEVER_ALLOWED.search(name):
        return "it contains invisible characters"
    if _BEGINS_BLANK.match(name):
        return "it is blank"
    if _STACKED_MARKS.search(unicodedata.normalize("NFC", name)):
        return "it stacks more than 8 combining marks"
    return ""


def clean_chat(text: str) -> str:
    """Makes a chat safe: drops hidden characters, surplus marks and repeated spaces, and clips it to 200 characters.

    `chat_remark` says what was left out.
    """
    return _clean(text, MAX_CHAT_CHARACTERS)


def clean_thought(text: str) -> str:
    """Makes a bot's comment on its action safe, as `clean_chat` does, and clips it to 600 characters.

    Returns "" if `clean_chat` returns the same text.
    """
    if len(text) <= MAX_CHAT_CHARACTERS:
        return ""
    thought = _clean(text, MAX_THOUGHT_CHARACTERS)
    return "" if thought == clean_chat(text) else thought


def _clean(text: str, max_characters: int) -> str:
    visible = drop_surplus_marks(HIDDEN_CHARACTER.sub("", text.replace("\t", " ")))
    return clip_text(_OUTER_SPACE.sub("", _SPACES.sub(" ", visible)), max_characters)


def chat_remark(text: str) -> str:
    """Says for a chat's author what `clean_chat` leaves out. Returns "" if nothing important is missing."""
    return ", ".join(_list_omissions(text))


def has_visible_text(text: str) -> bool:
    """Whether `clean_chat` would keep anything of `text`. Much faster than `clean_chat`, because this function stops at
    the first visible character.
    """
    return VISIBLE.search(text) is not None


def clip_bytes(text: str, max_bytes: int) -> str:
    """Cuts `text` to at most `max_bytes` bytes of UTF-8. A cut text ends with "…"."""
    raw = text.encode()
    if len(raw) <= max_bytes:
        return text
    return raw[: max_bytes - len("…".encode())].decode(errors="ignore") + "…"


def _list_omissions(text: str) -> Iterator[str]:
    matches = islice(HIDDEN_CHARACTER.finditer(text.replace("\t", " ")), 100)
    hidden = list(dict.fromkeys(match[0] for match in matches))
    if hidden:
        codes = [f"U+{ord(char):04X}" for char in hidden[:3]]
        yield f"hidden characters ({', '.join(codes)}{', …' if hidden[3:] else ''})"
    visible = HIDDEN_CHARACTER.sub("", text[: 2 * MAX_CHAT_CHARACTERS])
    if drop_surplus_marks(visible) != visible or MARK.match(visible.lstrip()):
        yield "combining marks that no font draws there"
    if clean_chat(text).endswith("…") and not text.rstrip().endswith("…"):
        yield f"everything after {MAX_CHAT_CHARACTERS} characters"
