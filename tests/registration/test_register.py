"""`POST /register`: as the Quick Draw document has it, and as the original server behaved."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import httpx
import pytest
from starlette.types import Message

from broadcast.web.guarded_app import guarded_app
from server.bots.house.ladder import LADDER
from server.registration.register import CheckedIn, Refused, Registration, read_registration, register_router

KNOWN = "known are name, test_game_size, test_hand_count, house_think_ms, house_strength, secret, key, challenge"


def post(
    body: bytes | AsyncIterator[bytes],
    check_in: Callable[[Registration, str], Awaitable[CheckedIn]] | None = None,
    **headers: str,
) -> httpx.Response:
    """The answer to `POST /register`."""

    async def welcome(registration: Registration, address: str) -> CheckedIn:
        return CheckedIn(port=5001, bot=7)

    async def run() -> httpx.Response:
        app = guarded_app()
        app.include_router(register_router(check_in or welcome))
        transport = httpx.ASGITransport(app, client=("127.0.0.9", 4321))
        async with httpx.AsyncClient(transport=transport, base_url="http://tournament") as client:
            return await client.post("/register", content=body, headers=headers)

    return asyncio.run(run())


def registration(**wish: object) -> Registration:
    return read_registration(json.dumps(wish).encode())[0]


def test_reply_has_both_spellings_and_says_where_to_watch() -> None:
    answer = post(b'{"name": "Billy the Kid"}')
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {"port_number": 5001, "bot_id": 7, "portNumber": 5001, "id": 7}

    async def check_in(registration: Registration, address: str) -> CheckedIn:
        return CheckedIn(5001, 7, "/watch?channel=practice-3")

    watched = post(b'{"name": "Billy"}', check_in).json()["watch_url"]
    assert watched == "http://tournament/watch?channel=practice-3"


def test_check_in_gets_the_wishes_and_the_clients_address() -> None:
    registered: list[tuple[Registration, str]] = []

    async def check_in(registration: Registration, address: str) -> CheckedIn:
        registered.append((registration, address))
        return CheckedIn(5001, 7)

    post(b'{"name": "Billy", "test_game_size": 2, "test_hand_count": 24, "else": [1]}', check_in)
    assert registered == [(Registration("Billy", 2, 24), "127.0.0.9")]


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/x-www-form-urlencoded", "nonsense"])
def test_json_is_read_whatever_its_content_type(content_type: str) -> None:
    assert post(b'{"name": "Billy"}', content_type=content_type).status_code == 200


@pytest.mark.parametrize("wish", [{}, {"name": ""}, {"name": "   "}, {"name": None}, {"name": 7}, {"name": ["Billy"]}])
def test_name_is_required(wish: dict[str, Any]) -> None:
    answer = post(json.dumps(wish).encode())
    assert (answer.status_code, answer.json()) == (400, {"error": "Name is required"})


@pytest.mark.parametrize(
    "name",
    ["x" * 31, "Billy\n", "Billy 🤠", "\u202eylliB", "Bil\u200bly", "Z\u0351\u0352\u0353\u0354algo", "Bi\u0007lly"],
)
def test_name_that_cannot_be_shown_is_refused(name: str) -> None:
    assert registration(name="𠮷" * 30).name == "𠮷" * 30
    answer = post(json.dumps({"name": name}).encode())
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Name must")


@pytest.mark.parametrize(
    ("key", "default", "granted", "refused"),
    [
        ("test_game_size", 6, (2, 6), (1, 7, -3, "4", 4.0, True, None, [4], "many")),
        ("test_hand_count", 6, (1, 24), (0, 25, "12", None)),
        ("house_think_ms", 300, (0, 3000), (3001, "0", None)),
        ("house_strength", 0, (1, len(LADDER)), (len(LADDER) + 1, "2", None)),
    ],
)
def test_number_out_of_range_is_the_default(
    key: str, default: int, granted: Sequence[int], refused: Sequence[object]
) -> None:
    for wish, number in [*((wish, wish) for wish in granted), *((wish, default) for wish in refused)]:
        asked = registration(name="Billy", **{key: wish})
        house = {"house_think_ms": asked.asked.house.think_ms, "house_strength": asked.asked.house.strength}
        assert house.get(key, getattr(asked, key, None)) == number, wish


@pytest.mark.parametrize(
    ("wish", "warnings"),
    [
        ({"test_game_size": 2, "test_hand_count": 24, "secret": "x"}, None),
        ({"test_game_size": None}, None),
        ({"test_game_size": 9}, ["test_game_size must be a whole number from 2 to 6: it is taken as 6"]),
        ({"test_hand_count": "four"}, ["test_hand_count must be a whole number from 1 to 24: it is taken as 6"]),
        ({"house_think_ms": 0}, None),
        ({"house_think_ms": -1}, ["house_think_ms must be a whole number from 0 to 3000: it is taken as 300"]),
        (
            {"house_strength": 99},
            [
                f"house_strength must be a whole number from 0 to {len(LADDER)}: "
                "it is taken as 0 (house bots of every kind)"
            ],
        ),
        ({"test_game_sise": 4}, [f'the key "test_game_sise" is ignored: {KNOWN}']),
        ({"test_hand_size": 4}, [f'the key "test_hand_size" is ignored: {KNOWN}']),
        ({"\x1b[2Jcolour": 4}, [f'the key "[2Jcolour" is ignored: {KNOWN}']),
    ],
)
def test_refused_wishes_are_named_and_the_bot_plays(wish: dict[str, Any], warnings: list[str] | None) -> None:
    """The original used 6 for anything out of range, and its bots must play here unmodified."""
    answer = post(json.dumps({"name": "Billy", **wish}).encode())
    assert (answer.status_code, answer.json()["portNumber"]) == (200, 5001)
    assert answer.json().get("warnings") == warnings


def test_few_of_many_unknown_keys_are_named() -> None:
    wish = {f"key {number}": 1 for number in range(500)}
    assert len(post(json.dumps({"name": "Billy", **wish}).encode()).json()["warnings"]) == 5


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"name=Billy",
        b'{"name": "Billy",}',
        b'["Billy"]',
        b'"Billy"',
        b'{"name": "Billy\xff"}',
        b'{"name": "\\ud800"}',
        b'{"name": NaN}',
        b"[" * 8000,
        b'{"name": ' + b"9" * 7000 + b"}",
    ],
)
def test_body_that_is_no_json_object_is_refused(body: bytes) -> None:
    answer = post(body)
    assert answer.status_code == 400
    assert set(answer.json()) == {"error"}


def test_body_over_8_kib_is_refused() -> None:
    assert post(b'{"name": "Billy", "x": "' + b"x" * 8192 + b'"}').status_code == 413


def test_endless_body_is_cut_off() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1024
            yield b" " * 1024

    assert post(endless()).status_code == 413
    assert sent <= 20 * 1024


def test_body_that_breaks_off_registers_nobody() -> None:
    came_in: list[str] = []
    received: list[Message] = [
        {"type": "http.request", "body": b'{"name": "Billy"}', "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def check_in(registration: Registration, address: str) -> CheckedIn:
        came_in.append(registration.name)
        return CheckedIn(5001, 7)

    async def receive() -> Message:
        return received.pop(0) if len(received) > 1 else received[0]

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        app = guarded_app()
        app.include_router(register_router(check_in))
        headers = [(b"host", b"127.0.0.1"), (b"content-length", b"50")]
        more = {"scheme": "http", "http_version": "1.1", "client": ("127.0.0.9", 4321), "server": ("127.0.0.1", 80)}
        asked = {"type": "http", "method": "POST", "path": "/register", "query_string": b"", "headers": headers}
        await app({**asked, **more}, receive, send)

    asyncio.run(run())
    assert (sent[0]["status"], came_in) == (400, [])


def test_refused_registration_says_why() -> None:
    async def check_in(registration: Registration, address: str) -> CheckedIn:
        raise Refused(409, "The tournament has started")

    answer = post(b'{"name": "Billy"}', check_in)
    assert (answer.status_code, answer.json()) == (409, {"error": "The tournament has started"})
