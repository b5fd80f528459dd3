"""Reads a form with a file, as browsers send it (multipart/form-data), out of the whole body. Knows no web server.

The caller has limited the body in bytes and time. Starlette's parser is not used: it takes a form that breaks off for
a whole one, and keeps files in the system's folder instead of the season's.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

MOST_PARTS = 16
MOST_HEADER_BYTES = 4096
MOST_TEXT_BYTES = 4096
"""Of a field that is no file."""
_BOUNDARY = re.compile(r'multipart/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)
_NAME = re.compile(rb'[;\s]name="([^"]{1,100})"', re.IGNORECASE)
_FILE = re.compile(rb"[;\s]filename\*?=", re.IGNORECASE)
_DISPOSITION = b"content-disposition:"


class BadForm(ValueError):
    """Why a body cannot be read as a form, in words."""


class Form(Struct, frozen=True):
    """The fields and files of a form; of two with one name the first counts."""

    fields: Mapping[str, str]
    files: Mapping[str, bytes]


def read_form(content_type: str, body: bytes) -> Form:
    """The form in `body`, whose Content-Type is given. Raises BadForm for what is no form or breaks off."""
    found = _BOUNDARY.match(content_type.strip())
    if not found:
        raise BadForm("The form must be sent as multipart/form-data")
    boundary = b"--" + (found[1] or found[2]).encode("latin-1", errors="replace")
    first, *parts = (b"\r\n" + body).split(b"\r\n" + boundary, MOST_PARTS + 1)
    if not parts or first.strip() or not parts[-1].startswith(b"--"):
        raise BadForm("The form is not complete")
    fields: dict[str, str] = {}
    files: dict[str, bytes] = {}
    for part in parts[:-1]:
        _take(part, fields, files)
    return Form(fields, files)


def _take(part: bytes, fields: dict[str, str], files: dict[str, bytes]) -> None:
    header, blank, content = part.partition(b"\r\n\r\n")
    disposition = next((line for line in header.split(b"\r\n") if line.lower().startswith(_DISPOSITION)), b"")
    name = _NAME.search(disposition)
    if not blank or not name or len(header) > MOST_HEADER_BYTES:
        raise BadForm("The form has a part without a name")
    key = name[1].decode("utf-8", errors="replace")
    if _FILE.search(disposition):
        files.setdefault(key, content)
    elif len(content) > MOST_TEXT_BYTES:
        raise BadForm(f"The field {key} is too long")
    else:
        fields.setdefault(key, content.decode("utf-8", errors="replace"))
