"""A connection to OBS by the protocol obs-websocket 5: identification, requests, events.

Whatever is at the other end, every wait has a limit, and every failure is a NoObs with a reason.
"""

import asyncio
import base64
import hashlib
import itertools
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidURI, WebSocketException
from websockets.typing import Subprotocol

from server.token_bucket import TokenBucket

ANSWER_SECONDS = 3.0
"""OBS answers in milliseconds, unless it hangs."""
READY_SECONDS = 0.1
"""The time until a request is repeated to an OBS that is not ready, for example because it is loading scenes."""
LONGEST = 1 << 20
"""The most bytes of a message."""
SAID_AT_ONCE, SAID_A_SECOND = 4 << 20, 1 << 20
"""Bytes that OBS may send at once, and per second in the long run: thousands of times what it does send."""
MESSAGE_COST = 1 << 10
"""Bytes charged for each message on top of its own."""
MAX_WORDS = 200
"""Characters of OBS's names and comments that are kept."""
EVENTS = 1 << 2 | 1 << 6
"""The events that we subscribe to: those of scenes and outputs."""
PASSWORD = "HIGHNOON_OBS_PASSWORD"  # noqa: S105 (a name of a variable)
"""The environment variable with OBS's password, for commands without an event file: others can read a command line."""
_HELLO, _IDENTIFY, _IDENTIFIED, _EVENT, _REQUEST, _RESPONSE = 0, 1, 2, 5, 6, 7
_WRONG_PASSWORD = 4009
_NOT_READY = 207
_VERSION = 1

Fields = Mapping[str, Any]
OnEvent = Callable[[str, Fields], object]


class NoObs(Exception):
    """There is no connection to OBS; the message says why."""


class Refused(Exception):
    """OBS refused a request; the message is its own."""


class _Message(Struct):
    op: int
    d: dict[str, Any]


class ObsSocket:
    """An open connection. `on_event` is called for each event with its type and its fields."""

    def __init__(self, line: ClientConnection, on_event: OnEvent) -> None:
        self._line = line
        self._on_event = on_event
        self._said = TokenBucket(SAID_AT_ONCE, SAID_A_SECOND, asyncio.get_running_loop().time)
        self._numbers = itertools.count(1)
        self._asked: dict[str, asyncio.Future[Fields]] = {}

    async def ask(self, request: str, **fields: object) -> Fields:
        """Sends a request, repeatedly while OBS is not ready; returns the response's fields. Raises Refused, NoObs."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while _status(response := await self._response(request, fields)).get("code") == _NOT_READY:  # noqa: ASYNC110
                    await asyncio.sleep(READY_SECONDS)
        except TimeoutError:
            raise NoObs("OBS does not answer") from None
        status = _status(response)
        if status.get("result") is not True:
            raise Refused(f"{request}: {words(status.get('comment')) or status.get('code') or 'refused'}"[:MAX_WORDS])
        return _mapping(response.get("responseData"))

    async def _response(self, request: str, fields: Fields) -> Fields:
        number = str(next(self._numbers))
        self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send(_REQUEST, requestType=request, requestId=number, requestData=fields)
            return await self._asked[number]
        finally:
            del self._asked[number]

    async def listen(self) -> None:
        """Reads what OBS sends until the connection ends, then raises NoObs. Malformed messages are ignored."""
        while True:
            message = await self._next()
            if message and message.op == _EVENT:
                self._on_event(str(message.d.get("eventType")), _mapping(message.d.get("eventData")))
            elif message and message.op == _RESPONSE:
                answer = self._asked.get(str(message.d.get("requestId")))
                if answer and not answer.done():
                    answer.set_result(message.d)

    async def identify(self, password: str) -> None:
        """Performs the handshake, with the password if OBS asks for one. Raises NoObs."""
        hello = await self._next()
        if hello is None or hello.op != _HELLO:
            raise NoObs("what answers there is not OBS")
        fields: dict[str, object] = {"rpcVersion": _VERSION, "eventSubscriptions": EVENTS}
        if asked := _mapping(hello.d.get("authentication")):
            if not password:
                raise NoObs(f"OBS wants a password: under [obs] in the event file, or in ${PASSWORD}")
            fields["authentication"] = proof(password, str(asked.get("salt")), str(asked.get("challenge")))
        await self._send(_IDENTIFY, **fields)
        identified = await self._next()
        if identified is None or identified.op != _IDENTIFIED:
            raise NoObs("OBS did not accept our identification")

    async def _next(self) -> _Message | None:
        """The next message; None if it is malformed."""
        try:
            text = await self._line.recv()
        except ConnectionClosed as closed:
            raise NoObs(_why(closed)) from None
        if self._said.owe(len(text) + MESSAGE_COST):
            raise NoObs("what answers there sends more than OBS ever would")
        try:
            return msgspec.json.decode(text, type=_Message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    async def _send(self, op: int, **content: object) -> None:
        try:
            await self._line.send(msgspec.json.encode({"op": op, "d": content}).decode())
        except ConnectionClosed as closed:
            raise NoObs(_why(closed)) from None


@asynccontextmanager
async def conversation(address: str, password: str, on_event: OnEvent) -> AsyncIterator[ObsSocket]:
    """Connects to the OBS at `address`, like "127.0.0.1:4455". Raises NoObs. Responses are read only by `listen`."""
    line = await _connected(address)
    try:
        socket = ObsSocket(line, on_event)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await socket.identify(password)
        except TimeoutError:
            raise NoObs("what answers there sends nothing") from None
        yield socket
    finally:
        await line.close()


async def answered(obs: ObsSocket, request: str, **fields: object) -> Fields:
    """Like `obs.ask`, but returns {} if OBS refuses. Raises NoObs."""
    with suppress(Refused):
        return await obs.ask(request, **fields)
    return {}


def listed(fields: Fields, key: str) -> list[Fields]:
    """The objects in the list `key` of a response; [] if there is no such list."""
    found = fields.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def words(value: object) -> str:
    """A text from OBS, clipped; "" for anything else."""
    return value[:MAX_WORDS] if isinstance(value, str) else ""


def proof(password: str, salt: str, challenge: str) -> str:
    """The protocol's proof that we know the password: a hash with OBS's salt and challenge."""
    return _hashed(_hashed(password + salt) + challenge)


def _hashed(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _Connect(connect):
    """Connects to the operator's address and follows no redirects."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def _connected(address: str) -> ClientConnection:
    try:
        return await _Connect(
            f"ws://{address}",
            subprotocols=[Subprotocol("obswebsocket.json")],
            proxy=None,
            open_timeout=ANSWER_SECONDS,
            close_timeout=1,
            max_size=LONGEST,
            compression=None,
        )
    except (ConnectionRefusedError, TimeoutError):
        raise NoObs("OBS is not there, or its server is off: see Tools, WebSocket Server Settings") from None
    except (InvalidURI, ValueError, OverflowError):
        raise NoObs(f"{address!r} is not an address like 127.0.0.1:4455") from None
    except OSError as error:
        raise NoObs(f"OBS cannot be reached: {error.strerror or error}") from None
    except WebSocketException:
        raise NoObs("what answers there is not OBS") from None


def _status(response: Fields) -> Fields:
    return _mapping(response.get("requestStatus"))


def _mapping(value: object) -> Fields:
    return value if isinstance(value, dict) else {}


def _why(closed: ConnectionClosed) -> str:
    if closed.rcvd and closed.rcvd.code == _WRONG_PASSWORD:
        return "OBS says that the password is wrong"
    reason = f": {closed.rcvd.reason[:80]}" if closed.rcvd and closed.rcvd.reason else ""
    return f"OBS has hung up{reason}"
