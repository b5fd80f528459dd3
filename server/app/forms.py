"""What the forms have in common with which bots are registered by hand or by a program."""

from urllib.parse import parse_qs

from fastapi import Request

from server.console import plain
from server.registration.register import Refused

WELCOME = "Welcome to the party!"
MOST_FIELDS = 16
_FORM = "hostname=10.23.221.24:3000&name=Bot Awesome (netid2)"
_OTHERS = {b"{": "JSON", b"[": "JSON", b"--": "multipart"}
"""How a body begins that is something else."""


def header_text(text: str) -> str:
    """Words as they may stand in a header, of which HTTP takes plain ASCII."""
    return plain(text).encode("ascii", "backslashreplace").decode()


def own_port(request: Request) -> int:
    """The port of this server that a request came to."""
    server: tuple[str, int] = request.scope["server"]
    return server[1]


def read_fields(body: bytes) -> dict[str, str]:
    """The fields of an urlencoded form, the first of each name. Raises Refused (400) where the body is none."""
    other = next((kind for begins, kind in _OTHERS.items() if body.lstrip().startswith(begins)), "")
    if other:
        raise Refused(400, f"The body must be a form such as {_FORM}, urlencoded; this one is {other}")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, f"The body must be a form such as {_FORM}, urlencoded") from None
    return {name: values[0] for name, values in fields.items()}
