"""A connection to OBS by the protocol obs-websocket 5: identification, requests, events.

The program that answers at the address may not be OBS. So every wait has a time limit, and every failure becomes an
ObsUnavailable with a reason.
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
"""The timeout of every answer, in seconds. OBS answers within milliseconds unless it hangs."""
NOT_READY_RETRY_SECONDS = 0.1
"""If OBS is not ready, for example because it is loading scenes, a request is sent again after this many seconds."""
MAX_MESSAGE_BYTES = 1 << 20
"""The size limit of a message, in bytes."""
BUDGET_AT_ONCE, BUDGET_PER_SECOND = 4 << 20, 1 << 20
"""How many bytes OBS may send at once, and per second in the long run. A real OBS sends only a few thousandths of this.
"""
MESSAGE_COST = 1 << 10
"""Each message uses up this many bytes of the budget in addition to its size."""
MAX_CHARACTERS = 200
"""Names and comments of OBS are cut after this many characters."""
EVENT_KINDS = 1 << 2 | 1 << 6
"""The kinds of events that OBS is asked to send: events of scenes and of outputs."""
PASSWORD_VARIABLE = "HIGHNOON_OBS_PASSWORD"  # noqa: S105 (the name of a variable)
"""The environment variable with OBS's password, for commands without an event file. The password is not a command-line
option, because other users of the machine can see command lines.
"""
_HELLO, _IDENTIFY, _IDENTIFIED, _EVENT, _REQUEST, _RESPONSE = 0, 1, 2, 5, 6, 7
_WRONG_PASSWORD = 4009
_NOT_READY = 207
_RPC_VERSION = 1

Fields = Mapping[str, Any]
OnEvent = Callable[[str, Fields], object]


class ObsUnavailable(Exception):
    """There is no connection to OBS. The message says why."""


class ObsRefused(Exception):
    """OBS refused a request. The message names the request and gives OBS's comment."""


class _Message(Struct):
    op: int
    d: dict[str, Any]


class ObsSocket:
    """An open connection. Calls `on_event` for each event, with its type and its fields."""

    def __init__(self, connection: ClientConnection, on_event: OnEvent) -> None:
        self._connection = connection
        self._on_event = on_event
        self._byte_budget = TokenBucket(BUDGET_AT_ONCE, BUDGET_PER_SECOND, asyncio.get_running_loop().time)
        self._numbers = itertools.count(1)
        self._pending: dict[str, asyncio.Future[Fields]] = {}

    async def ask(self, request: str, **fields: object) -> Fields:
        """Sends a request, and repeats it while OBS is not ready. Returns the fields of the response.

        Raises ObsRefused, ObsUnavailable.
        """
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while _status(response := await self._send_request(request, fields)).get("code") == _NOT_READY:  # noqa: ASYNC110
                    await asyncio.sleep(NOT_READY_RETRY_SECONDS)
        except TimeoutError:
            raise ObsUnavailable("OBS is not responding") from None
        status = _status(response)
        if status.get("result") is not True:
            raise ObsRefused(
                f"{request}: {read_text(status.get('comment')) or status.get('code') or 'refused'}"[:MAX_CHARACTERS]
            )
        return _mapping(response.get("responseData"))

    async def _send_request(self, request: str, fields: Fields) -> Fields:
        number = str(next(self._numbers))
        self._pending[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send(_REQUEST, requestType=request, requestId=number, requestData=fields)
            return await self._pending[number]
        finally:
            del self._pending[number]

    async def listen(self) -> None:
        """Reads what OBS sends until the connection ends, then raises ObsUnavailable. Malformed messages are
        ignored.
        """
        while True:
            message = await self._receive()
            if message and message.op == _EVENT:
                self._on_event(str(message.d.get("eventType")), _mapping(message.d.get("eventData")))
            elif message and message.op == _RESPONSE:
                answer = self._pending.get(str(message.d.get("requestId")))
                if answer and not answer.done():
                    answer.set_result(message.d)

    async def identify(self, password: str) -> None:
        """Performs the handshake, with the password if OBS asks for one. Raises ObsUnavailable."""
        hello = await self._receive()
        if hello is None or hello.op != _HELLO:
            raise ObsUnavailable("the program at this address is not OBS")
        fields: dict[str, object] = {"rpcVersion": _RPC_VERSION, "eventSubscriptions": EVENT_KINDS}
        if challenge := _mapping(hello.d.get("authentication")):
            if not password:
                raise ObsUnavailable(
                    f"OBS wants a password: set it under [obs] in the event file, or in ${PASSWORD_VARIABLE}"
                )
            fields["authentication"] = authentication_hash(
                password, str(challenge.get("salt")), str(challenge.get("challenge"))
            )
        await self._send(_IDENTIFY, **fields)
        identified = await self._receive()
        if identified is None or identified.op != _IDENTIFIED:
            raise ObsUnavailable("OBS did not accept our identification")

    async def _receive(self) -> _Message | None:
        """Returns the next message once it has arrived, or None if it is malformed."""
        try:
            text = await self._connection.recv()
        except ConnectionClosed as closed:
            raise ObsUnavailable(_close_reason(closed)) from None
        if self._byte_budget.charge(len(text) + MESSAGE_COST):
            raise ObsUnavailable("the program at this address sends more than OBS ever would")
        try:
            return msgspec.json.decode(text, type=_Message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    async def _send(self, op: int, **content: object) -> None:
        try:
            await self._connection.send(msgspec.json.encode({"op": op, "d": content}).decode())
        except ConnectionClosed as closed:
            raise ObsUnavailable(_close_reason(closed)) from None


@asynccontextmanager
async def connect_to_obs(address: str, password: str, on_event: OnEvent) -> AsyncIterator[ObsSocket]:
    """Connects to the OBS at `address`, such as "127.0.0.1:4455". Raises ObsUnavailable.

    The caller must keep `listen` running, because only `listen` reads the responses to requests.
    """
    connection = await _connect(address)
    try:
        socket = ObsSocket(connection, on_event)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await socket.identify(password)
        except TimeoutError:
            raise ObsUnavailable("the program at this address sends nothing") from None
        yield socket
    finally:
        await connection.close()


async def ask_or_empty(obs: ObsSocket, request: str, **fields: object) -> Fields:
    """Like `obs.ask`, but returns {} if OBS refuses. Raises ObsUnavailable."""
    with suppress(ObsRefused):
        return await obs.ask(request, **fields)
    return {}


def read_objects(fields: Fields, key: str) -> list[Fields]:
    """Returns the objects in the list `key` of a response, or [] if there is no such list."""
    value = fields.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def read_text(value: object) -> str:
    """Returns a text from OBS, cut to MAX_CHARACTERS characters, or "" if `value` is not a text."""
    return value[:MAX_CHARACTERS] if isinstance(value, str) else ""


def authentication_hash(password: str, salt: str, challenge: str) -> str:
    """Returns the proof that this program knows the password. It is a hash of the password with OBS's salt and
    challenge.
    """
    return _hash(_hash(password + salt) + challenge)


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _ConnectWithoutRedirects(connect):
    """Connects to the operator's address and follows no redirects."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def _connect(address: str) -> ClientConnection:
    try:
        return await _ConnectWithoutRedirects(
            f"ws://{address}",
            subprotocols=[Subprotocol("obswebsocket.json")],
            proxy=None,
            open_timeout=ANSWER_SECONDS,
            close_timeout=1,
            max_size=MAX_MESSAGE_BYTES,
            compression=None,
        )
    except (ConnectionRefusedError, TimeoutError):
        raise ObsUnavailable(
            "OBS cannot be reached: start it, and turn on its server under Tools, WebSocket Server Settings"
        ) from None
    except (InvalidURI, ValueError, OverflowError):
        raise ObsUnavailable(f"{address!r} is not an address like 127.0.0.1:4455") from None
    except OSError as error:
        raise ObsUnavailable(f"OBS cannot be reached: {error.strerror or error}") from None
    except WebSocketException:
        raise ObsUnavailable("the program at this address is not OBS") from None


def _status(response: Fields) -> Fields:
    return _mapping(response.get("requestStatus"))


def _mapping(value: object) -> Fields:
    return value if isinstance(value, dict) else {}


def _close_reason(closed: ConnectionClosed) -> str:
    if closed.rcvd and closed.rcvd.code == _WRONG_PASSWORD:
        return "OBS says that the password is wrong"
    reason = f": {closed.rcvd.reason[:80]}" if closed.rcvd and closed.rcvd.reason else ""
    return f"OBS has closed the connection{reason}"
