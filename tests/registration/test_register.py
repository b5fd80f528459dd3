"""`POST /register` answers as the Quick Draw rule book says, and as the contest's original server did."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx
import pytest
from starlette.types import Message

from broadcast.web.guarded_app import guarded_app
from server.bots.house.ladder import LADDER
from server.registration.register import CheckedIn, Registration, read_registration, register_router

KNOWN = "known keys are name, test_game_size, test_hand_count, house_think_ms, house_strength, secret, key, challenge"
UNEVEN = "the game does not count for the ladder, because 4 bots cannot all have each seat equally often in 6 hands"
RUNGS = len(LADDER)


async def welcome(registration: Registration, address: str) -> CheckedIn:
    return CheckedIn(port=5001, bot=7)


async def post(
    body: bytes,
    check_in: Callable[[Registration, str], Awaitable[CheckedIn]] = welcome,
    content_type: str = "application/json",
) -> httpx.Response:
    app = guarded_app()
    app.include_router(register_router(check_in))
    transport = httpx.ASGITransport(app, client=("127.0.0.9", 4321))
    async with httpx.AsyncClient(transport=transport, base_url="http://tournament") as client:
        return await client.post("/register", content=body, headers={"Content-Type": content_type})


async def test_reply_has_port_and_id_in_both_spellings_and_the_games_address() -> None:
    registered: list[tuple[Registration, str]] = []

    async def check_in(registration: Registration, address: str) -> CheckedIn:
        registered.append((registration, address))
        return CheckedIn(5001, 7, "/watch?channel=practice-3")

    for kind in ("", "text/plain", "application/x-www-form-urlencoded", "nonsense"):
        answer = await post(b'{"name": "Billy the Kid"}', content_type=kind)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert answer.json() == {"port_number": 5001, "bot_id": 7, "portNumber": 5001, "id": 7}
    options = b'{"name": "Billy", "test_game_size": 2, "test_hand_count": 24, "else": [1]}'
    assert (await post(options, check_in)).json()["watch_url"] == "http://tournament/watch?channel=practice-3"
    assert registered == [(Registration("Billy", 2, 24), "127.0.0.9")]


NO_OBJECTS = (b"", b'["Billy"]', b'{"name": "Billy\xff"}', b'{"name": "\\ud800"}', b'{"name": NaN}', b"[" * 8000)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        *((each, "") for each in (*NO_OBJECTS, b'{"name": ' + b"9" * 7000 + b"}")),
        (b"{}", "Name is required"),
        *((json.dumps({"name": name}).encode(), "Name is required") for name in ("", "   ", None, 7, ["Billy"])),
        *((json.dumps({"name": name}).encode(), "Name must") for name in ("x" * 31, "Billy\n", "\u202eylliB")),
    ],
)
async def test_json_object_with_a_name_that_can_be_shown_is_required(body: bytes, error: str) -> None:
    answer = await post(body)
    assert (answer.status_code, set(answer.json()), answer.json()["error"][: len(error)]) == (400, {"error"}, error)
    assert (await post(json.dumps({"name": "𠮷" * 30}).encode())).status_code == 200


@pytest.mark.parametrize(
    ("key", "default", "granted", "refused", "warning"),
    [
        ("test_game_size", 6, (2, 6), (1, 7, -3, "4", 4.0, True, [4], "many"), "from 2 to 6: using 6"),
        ("test_hand_count", 6, (1, 24), (0, 25, "12"), "from 1 to 24: using 6"),
        ("house_think_ms", 300, (0, 3000), (3001, -1, "0"), "from 0 to 3000: using 300"),
        ("house_strength", 0, (1, RUNGS), (RUNGS + 1, "2"), f"from 0 to {RUNGS}: using 0 (house bots of every kind)"),
    ],
)
async def test_number_out_of_range_falls_back_to_the_default_with_a_warning(
    key: str, default: int, granted: Sequence[int], refused: Sequence[object], warning: str
) -> None:
    """The original server used 6 for all values out of range, and bots written for it must play here unchanged."""
    for value, number in [*((value, value) for value in granted), *((value, default) for value in (*refused, None))]:
        body = json.dumps({"name": "Billy", key: value}).encode()
        requested, _ = read_registration(body)
        house = {
            "house_think_ms": requested.author_wishes.house.think_ms,
            "house_strength": requested.author_wishes.house.strength,
        }
        assert house.get(key, getattr(requested, key, None)) == number, value
        warnings = [f"{key} must be a whole number {warning}"] if value in refused and value is not None else None
        assert (await post(body)).json().get("warnings") == warnings, value


@pytest.mark.parametrize(
    ("options", "warnings"),
    [
        ({"test_game_size": 2, "test_hand_count": 24, "secret": "x"}, None),
        ({"test_game_size": 3, "test_hand_count": 12, "house_strength": 2}, None),
        ({"test_game_size": 4, "test_hand_count": 6, "house_strength": 2}, [UNEVEN]),
        ({"test_game_sise": 4}, [f'the key "test_game_sise" is ignored: {KNOWN}']),
        ({"\x1b[2Jcolour": 4}, [f'the key "[2Jcolour" is ignored: {KNOWN}']),
        ({f"key {number}": 1 for number in range(500)}, [f'the key "key {n}" is ignored: {KNOWN}' for n in range(5)]),
    ],
)
async def test_ignored_options_are_reported_and_the_bot_plays(
    options: dict[str, Any], warnings: list[str] | None
) -> None:
    answer = await post(json.dumps({"name": "Billy", **options}).encode())
    assert (answer.status_code, answer.json()["portNumber"]) == (200, 5001)
    assert answer.json().get("warnings") == warnings


def test_incomplete_body_registers_nobody() -> None:
    received: list[Message] = [
        {"type": "http.request", "body": b'{"name": "Billy"}', "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return received.pop(0) if len(received) > 1 else received[0]

    async def send(message: Message) -> None:
        sent.append(message)

    app = guarded_app()
    app.include_router(register_router(welcome))
    headers = [(b"host", b"127.0.0.1"), (b"content-length", b"50")]
    more = {"scheme": "http", "http_version": "1.1", "client": ("127.0.0.9", 4321), "server": ("127.0.0.1", 80)}
    request = {"type": "http", "method": "POST", "path": "/register", "query_string": b"", "headers": headers}
    asyncio.run(app({**request, **more}, receive, send))
    assert sent[0]["status"] == 400
