"""The file names by which a bot's folder is recognised, and misspellings of them. Pure."""

import re
from collections.abc import Collection, Iterable

DOCKERFILE = "Dockerfile"
BOT_CONFIG = "bot_config.json"
OLD_BOT_CONFIG = "config.json"
"""The name in the document's heading; its text says `bot_config.json`."""
LONGEST_PATH = 1_000
"""Longest path of a bot's folder, in letters; deeper ones are not looked at."""
_NEARLY_DOCKERFILE = re.compile(r"docker[-_ ]?file.*|containerfile.*", re.IGNORECASE)
_NEARLY_BOT_CONFIG = re.compile(r"bot[-_ ]?config\b.*|(bot|config)\.jsonc?(\.txt)?", re.IGNORECASE)


def nearly_dockerfile(name: str) -> bool:
    """Whether a file of this name was meant to be the Dockerfile."""
    return bool(_NEARLY_DOCKERFILE.fullmatch(name))


def nearly_bot_config(name: str) -> bool:
    """Whether a file of this name was meant to be bot_config.json."""
    return bool(_NEARLY_BOT_CONFIG.fullmatch(name))


def is_sign(name: str) -> bool:
    """Whether a folder with a file of this name is a bot's."""
    return nearly_dockerfile(name) or nearly_bot_config(name)


def bot_roots(paths: Iterable[str]) -> frozenset[str]:
    """The folders with such a file in them that lie in no other such folder; "" is the top."""
    signs = (path for path in paths if len(path) <= LONGEST_PATH and is_sign(path.rpartition("/")[2]))
    found = {sign.rpartition("/")[0] for sign in signs}
    return frozenset(root for root in found if not root or root_of(root, found) is None)


def root_of(path: str, roots: Collection[str]) -> str | None:
    """The outermost of `roots` that `path` lies in."""
    parts = path[:LONGEST_PATH].split("/")
    return next((at for end in range(len(parts)) if (at := "/".join(parts[:end])) in roots), None)
