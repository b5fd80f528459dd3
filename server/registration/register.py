"""HTTP registration: `POST /register` as the Quick Draw document and the original have it. Knows no game and no seat.

Who may come in, and through which port, is decided by the `check_in` that is handed in.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import urljoin

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from msgspec import Struct

from server.text.names_and_chat import chat_text, name_fault
from server.text.strict_json import BadJson, JsonObject, read_object

TEST_GAME_SIZES = range(2, 7)
TEST_HAND_COUNTS = range(1, 25)
TEST_DEFAULT = 6
""" "Defaults to 6 if not specified"; the original also takes 6 for whatever is out of range or no number."""
_NUMBERS = {"test_game_size": TEST_GAME_SIZES, "test_hand_count": TEST_HAND_COUNTS}
_KEYS = ("name", *_NUMBERS, "secret")
MOST_WARNINGS = 5
"""Unknown keys that are named."""
MOST_LETTERS = 40
"""Of an unknown key that are told."""


class Registration(Struct, frozen=True):
    """What a bot asks for. The name may be shown as it is; whether it is free, `check_in` decides."""

    name: str
    test_game_size: int = TEST_DEFAULT
    test_hand_count: int = TEST_DEFAULT
    secret: str = ""
    """The secret by which a bot that runs at its author's proves which entrant it is; "" for none."""


class CheckedIn(Struct, frozen=True):
    """The port that listens for the bot, its number, and the address where it can be watched ("" for none)."""

    port: int
    bot: int
    watch_url: str = ""


class Refused(Exception):
    """The bot may not register: an HTTP status and one sentence for its author."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


CheckIn = Callable[[Registration, str], Awaitable[CheckedIn]]
"""Starts to listen for the bot of a registration from a client's address, or raises Refused."""


def register_router(check_in: CheckIn) -> APIRouter:
    """The route `POST /register`. What `check_in` refuses is answered with its status and `{"error": text}`."""
    router = APIRouter()

    @router.post("/register", response_class=JSONResponse)
    async def register(request: Request) -> JSONResponse:
        try:
            wish = _wish(await request.body())
            registration = _registration(wish)
            checked_in = await check_in(registration, request.client.host if request.client else "")
        except Refused as refusal:
            return JSONResponse({"error": refusal.text}, refusal.status)
        return JSONResponse(_reply(checked_in, str(request.base_url)) | _warnings(wish))

    return router


def read_registration(body: bytes) -> Registration:
    """The registration in `body`, whatever its Content-Type said. Raises Refused (400)."""
    return _registration(_wish(body))


def _wish(body: bytes) -> JsonObject:
    wish = read_object(body)
    if isinstance(wish, BadJson):
        raise Refused(400, f"The body must be a JSON object with a name ({wish.reason})")
    return wish


def _registration(wish: JsonObject) -> Registration:
    name = wish.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Refused(400, "Name is required")
    if fault := name_fault(name):
        raise Refused(400, fault)
    secret = wish.get("secret")
    return Registration(
        name,
        _number(wish, "test_game_size"),
        _number(wish, "test_hand_count"),
        secret if isinstance(secret, str) else "",
    )


def _number(wish: JsonObject, key: str) -> int:
    value = wish.get(key)
    return value if type(value) is int and value in _NUMBERS[key] else TEST_DEFAULT


def _warnings(wish: JsonObject) -> dict[str, object]:
    """What was asked for and is not done. It stands beside the port in the reply: the original let such bots play."""
    told = [
        f"{key} must be a whole number from {allowed[0]} to {allowed[-1]}: it is taken as {TEST_DEFAULT}"
        for key, allowed in _NUMBERS.items()
        if wish.get(key) is not None and (type(wish[key]) is not int or wish[key] not in allowed)
    ]
    told += [_unknown(key) for key in wish if key not in _KEYS][:MOST_WARNINGS]
    return {"warnings": told} if told else {}


def _unknown(key: str) -> str:
    return f'the key "{chat_text(key[:MOST_LETTERS])}" is ignored: known are {", ".join(_KEYS)}'


def _reply(checked_in: CheckedIn, base_url: str) -> dict[str, object]:
    """Both spellings: the document's, and the original's, of which the sample bot reads `portNumber`.

    The address to watch at begins as the bot's own request did, so that it holds from wherever the bot is.
    """
    port, bot = checked_in.port, checked_in.bot
    reply: dict[str, object] = {"port_number": port, "bot_id": bot, "portNumber": port, "id": bot}
    if checked_in.watch_url:
        reply["watch_url"] = urljoin(base_url, checked_in.watch_url)
    return reply
