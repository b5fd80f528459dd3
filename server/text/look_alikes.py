"""Finds names that viewers could confuse. Compares the names' skeletons, as Unicode defines them (UTS 39): characters
that look alike become the same. No I/O, but reads confusables.txt once. That file is an unchanged copy of Unicode's
table. Unicode's licence is beside it.
"""

import pkgutil
import re
import unicodedata
from functools import cache, lru_cache

import regex

_CONFUSABLES_LINE = re.compile(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;", re.MULTILINE)
_OWN_DOT = regex.compile(r"(?<=\p{Soft_Dotted}[\p{M}--\p{ccc=230}]*)\u0307", regex.V1)
_RIGHT_TO_LEFT = regex.compile(r"[\p{bc=R}\p{bc=AL}]")
_DIRECTION_RUNS = regex.compile(r"\p{N}+|[\p{bc=R}\p{bc=AL}\p{bc=NSM}\s]+|[^\p{N}\p{bc=R}\p{bc=AL}\p{bc=NSM}\s]+")
_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")


def look_alike(one: str, other: str) -> bool:
    """Whether viewers could confuse the two names."""
    return not looks_of(one).isdisjoint(looks_of(other))


@lru_cache(512)
def looks_of(name: str) -> frozenset[str]:
    """Returns a name's skeletons in several spellings. Two names look alike if they have a skeleton in common.

    The spellings include capitals and lower case, because some letters look alike in only one case. Accents matter,
    because they distinguish people's names. In a name with right-to-left letters, the order of the words and numbers
    does not matter.
    """
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    spellings = {
        "unchanged": " ".join(name.split()),
        "as written": plain,
        "small": plain.casefold(),
        "capitals": plain.upper(),
    }
    if _RIGHT_TO_LEFT.search(plain):
        runs = (run.strip() for run in _DIRECTION_RUNS.findall(plain))
        spellings["in any order"] = " ".join(sorted(filter(None, runs)))
    return frozenset(f"{spelling}: {skeleton(text)}" for spelling, text in spellings.items())


def skeleton(text: str) -> str:
    """Returns the skeleton of `text` by UTS 39, section 4. Confusable texts have the same skeleton. A second dot on an
    i is ignored.
    """
    visible = _OWN_DOT.sub("", _IGNORABLE.sub("", unicodedata.normalize("NFD", text)))
    return unicodedata.normalize("NFD", visible.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    table = pkgutil.get_data("server.text", "confusables.txt") or b""
    return {
        int(source, 16): "".join(chr(int(code, 16)) for code in target.split())
        for source, target in _CONFUSABLES_LINE.findall(table.decode("utf-8-sig"))
    }
