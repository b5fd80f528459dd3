"""Defines the route `POST /register`, where bots register over HTTP. Knows nothing about games and seats."""

from collections.abc import Awaitable, Callable
from urllib.parse import urljoin

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from msgspec import Struct
from pydantic import BaseModel, Field

from server.registration.practice_options import (
    HOUSE_OPTIONS,
    TEXT_OPTIONS,
    NumberOption,
    PracticeOptions,
    allowed_or_default,
    ignored_key_warnings,
    option_warnings,
    read_practice_options,
)
from server.text.names_and_chat import name_fault
from server.text.strict_json import BadJson, JsonObject, read_object

TEST_GAME_SIZES = range(2, 7)
TEST_HAND_COUNTS = range(1, 25)
TEST_DEFAULT = 6
"""The default for `test_game_size` and `test_hand_count`. The rules say: "Defaults to 6 if not specified". The
contest's original server also replaced numbers out of range by 6.
"""
_NUMBER_OPTIONS = {
    "test_game_size": NumberOption(TEST_GAME_SIZES, TEST_DEFAULT),
    "test_hand_count": NumberOption(TEST_HAND_COUNTS, TEST_DEFAULT),
    **HOUSE_OPTIONS,
}
_KEYS = ("name", *_NUMBER_OPTIONS, "secret", *TEXT_OPTIONS)
_FIELDS = {"name": "string", **dict.fromkeys(_NUMBER_OPTIONS, "integer"), "secret": "string"}
_SCHEMA = {"type": "object", "required": ["name"], "properties": {key: {"type": kind} for key, kind in _FIELDS.items()}}
_REQUEST_BODY = {"required": True, "content": {"application/json": {"schema": _SCHEMA}}}
_UNEVEN_WARNING = (
    "the game does not count for the ladder, because {bots} bots cannot all have each seat equally often in "
    "{hands} hands"
)


class Registration(Struct, frozen=True):
    """A bot's request to register. The name is safe to display, but might already be taken."""

    name: str
    test_game_size: int = TEST_DEFAULT
    test_hand_count: int = TEST_DEFAULT
    secret: str = ""
    """A remote bot's secret, which proves which entrant the bot is. Other bots have the secret ""."""
    practice_options: PracticeOptions = PracticeOptions()
    """What the author chose for a practice game."""


class CheckedIn(Struct, frozen=True):
    """Where a registered bot plays: its port, its number and its pages."""

    port: int
    """The port to connect to."""
    bot: int
    """The bot's number."""
    watch_url: str = ""
    """The path of the game's page, or "" if it has none."""
    own_url: str = ""
    """The path of the page for the bot's author, or "" if there is none."""
    house_strength: str = ""
    """The house bots' strength in words, or "" if the author did not choose one."""


class RegisterReply(BaseModel):
    """The answer to a registration.

    The port and the bot's number are sent twice: under the keys of the contest's rule book, and under the keys of the
    contest's original server, such as `portNumber`. The sample bot reads the keys of the original server. The URLs use
    the host in the bot's request, because the bot's machine can reach this host.
    """

    port_number: int
    bot_id: int
    port_number_alias: int = Field(serialization_alias="portNumber")
    id: int
    watch_url: str = ""
    own_url: str = ""
    house_bots: str = ""
    warnings: list[str] = []


class RegistrationRefused(Exception):
    """A registration is refused. `status` is the HTTP status, and `text` is one sentence for the bot's author."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


CheckIn = Callable[[Registration, str], Awaitable[CheckedIn]]
"""A function that opens a port for a bot. It is called with the registration and the IP address from which the bot
registers. Raises RegistrationRefused.
"""


def register_router(
    check_in: CheckIn, on_warnings: Callable[[str, list[str]], object] = lambda name, warnings: None
) -> APIRouter:
    """Returns the route `POST /register`. `check_in` admits or refuses a bot and chooses its port. `on_warnings` is
    called with the bot's name, and with a warning for each option that was not granted.
    """
    router = APIRouter()

    @router.post(
        "/register",
        response_model=RegisterReply,
        response_model_exclude_defaults=True,
        openapi_extra={"requestBody": _REQUEST_BODY},
    )
    async def register(request: Request) -> RegisterReply | Response:
        """Admits a bot to the game."""
        try:
            registration, warnings = read_registration(await request.body())
            checked_in = await check_in(registration, request.client.host if request.client else "")
        except RegistrationRefused as refusal:
            return JSONResponse({"error": refusal.text}, refusal.status)
        on_warnings(registration.name, warnings)
        base, port, bot = str(request.base_url), checked_in.port, checked_in.bot
        return RegisterReply(
            port_number=port,
            bot_id=bot,
            port_number_alias=port,
            id=bot,
            watch_url=checked_in.watch_url and urljoin(base, checked_in.watch_url[1:]),
            own_url=checked_in.own_url and urljoin(base, checked_in.own_url[1:]),
            house_bots=checked_in.house_strength,
            warnings=warnings,
        )

    return router


def read_registration(body: bytes) -> tuple[Registration, list[str]]:
    """Reads the registration in the JSON `body` of a request, whatever its Content-Type. Also returns a warning for
    each option that is not granted. Raises RegistrationRefused (400).
    """
    fields = read_object(body)
    if isinstance(fields, BadJson):
        raise RegistrationRefused(400, f"The body must be a JSON object with a name ({fields.reason})")
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip():
        raise RegistrationRefused(400, "Name is required")
    if fault := name_fault(name):
        raise RegistrationRefused(400, fault)
    secret = fields.get("secret")
    secret = secret if isinstance(secret, str) else ""
    bots, hands = _number(fields, "test_game_size"), _number(fields, "test_hand_count")
    # A wrong option leads to a warning only, because the contest's original server also let such bots play.
    warnings = option_warnings(_NUMBER_OPTIONS, fields)
    if _number(fields, "house_strength") and hands % bots:
        warnings.append(_UNEVEN_WARNING.format(hands=hands, bots=bots))
    return Registration(name, bots, hands, secret, read_practice_options(fields)), warnings + ignored_key_warnings(
        fields, _KEYS
    )


def _number(fields: JsonObject, key: str) -> int:
    return allowed_or_default(_NUMBER_OPTIONS[key], fields.get(key))
