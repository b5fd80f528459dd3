"""Connects a bot in a box (sandbox) to the server through a relay. This is needed if Docker runs in a virtual machine,
as on macOS.

The relay is a container that has only the bot's network. It turns connections to the box's two ports into messages on
its standard streams (see `relay_program`). A thread of this process passes the messages on to listening sockets of this
machine. Other programs on this machine can reach these sockets, but bots cannot.
"""

import contextlib
import inspect
import socket
import threading
from collections.abc import Iterator

from docker import APIClient

from server.bots.sandbox.docker import relay_program
from server.bots.sandbox.docker.box import attach_streams
from server.bots.sandbox.docker.container_limits import ISOLATION, relay_config
from server.bots.sandbox.docker.engine import make_labels, read_frames, remove_container
from server.bots.sandbox.docker.network import PORTS, BotNetwork
from server.bots.sandbox.docker.relay_program import FRAME_HEADER
from server.bots.sandbox.output_log import sanitized
from server.bots.sandbox.runner import BoxEnvironment, CannotRun

BEGIN_SECONDS = 30.0
"""How many seconds a relay may take to start. If it takes longer, the bot is not started."""
_LOCALHOST = "127.0.0.1"
_STDOUT = 1
_READ_BYTES = 1 << 14
_BUFFER_BYTES = 1 << 16
"""The size of each buffer of a connection, in bytes. The kernel may store about twice as many bytes in a buffer."""


def create_relayed_network(engine: APIClient, name: str, box_environment: BoxEnvironment) -> BotNetwork:
    """Makes a network with a relay for one bot. Raises ENGINE_FAULTS, or CannotRun if the relay does not start."""
    arguments = [",".join(map(str, PORTS)), ",".join(box_environment.addresses)]
    relay = engine.create_container(
        box_environment.image,
        command=["python3", "-c", inspect.getsource(relay_program), *arguments],
        user="0",
        hostname="saloon",
        labels=make_labels(box_environment.label, name),
        host_config=relay_config(engine, box_environment.hostnames),
        stdin_open=True,
        **ISOLATION,
    )["Id"]
    with contextlib.ExitStack() as cleanup:
        cleanup.callback(remove_container, engine, relay)
        register, game = (cleanup.enter_context(_listener()) for _ in PORTS)
        stream = cleanup.enter_context(attach_streams(engine, relay))
        engine.start(relay)
        _Relay(stream, dict(zip(PORTS, (register, game), strict=True))).start()
        cleanup.pop_all()
    return BotNetwork(relay, register, game)


def _listener() -> socket.socket:
    listener = _with_small_buffers(socket.socket())  # its connections inherit the sizes of its buffers
    listener.bind((_LOCALHOST, 0))
    listener.listen()
    return listener


def _with_small_buffers(connection: socket.socket) -> socket.socket:
    for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        connection.setsockopt(socket.SOL_SOCKET, buffer, _BUFFER_BYTES)
    return connection


class _Relay:
    """This process's end of a relay. It works until `stream` ends. If a bot does not read, only the bot's own relay
    waits.
    """

    def __init__(self, stream: socket.socket, listeners: dict[int, socket.socket]) -> None:
        self._stream = stream
        self._addresses = {port: listener.getsockname() for port, listener in listeners.items()}
        self._connections: dict[int, socket.socket] = {}
        self._send_lock = threading.Lock()
        self._failure = b""

    def start(self) -> None:
        """Waits until the relay listens. Then starts a thread for the relay's messages. Raises CannotRun."""
        self._stream.settimeout(BEGIN_SECONDS)
        messages = self._messages()
        try:
            next(messages)
        except (StopIteration, OSError):
            reason = sanitized(self._failure).decode().strip().rpartition("\n")[2] or "it does not answer"
            raise CannotRun(f"No relay can be started in the box: {reason}.") from None
        self._stream.settimeout(None)
        threading.Thread(target=self._pass_to_server, args=(messages,), daemon=True).start()

    def _messages(self) -> Iterator[tuple[int, int, bytes]]:
        """Yields the relay's messages: a connection's number, its port, and the bytes that the bot has sent."""
        received = bytearray()
        with self._stream.makefile("rb") as output:
            for descriptor, piece in read_frames(output):
                if descriptor != _STDOUT:
                    self._failure = piece[-_READ_BYTES:]
                    continue
                received += piece
                while len(received) >= FRAME_HEADER.size:
                    number, port, length = FRAME_HEADER.unpack_from(received)
                    if len(received) < FRAME_HEADER.size + length:
                        break
                    yield number, port, bytes(received[FRAME_HEADER.size : FRAME_HEADER.size + length])
                    del received[: FRAME_HEADER.size + length]

    def _pass_to_server(self, messages: Iterator[tuple[int, int, bytes]]) -> None:
        """Passes on the bytes that the bot sends, until the relay ends."""
        with contextlib.suppress(OSError), self._stream:
            for number, port, piece in messages:
                with contextlib.suppress(OSError):
                    self._handle_message(number, port, piece)
        for connection in list(self._connections.values()):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _handle_message(self, number: int, port: int, piece: bytes) -> None:
        """Carries out a message of the relay. A connection's first message is empty. Its last message has port 0."""
        connection = self._connections.get(number)
        if connection and port:
            connection.sendall(piece)
        elif connection:
            connection.shutdown(socket.SHUT_WR)
        elif port and not piece:
            self._connect(number, port)

    def _connect(self, number: int, port: int) -> None:
        connection = _with_small_buffers(socket.socket())
        try:
            connection.connect(self._addresses[port])
        except OSError:  # the server no longer listens
            connection.close()
            self._send(number, 0, b"")
            return
        self._connections[number] = connection
        threading.Thread(target=self._pass_to_bot, args=(number, port, connection), daemon=True).start()

    def _pass_to_bot(self, number: int, port: int, connection: socket.socket) -> None:
        """Passes on the bytes that the server sends on one connection, until the connection ends."""
        with contextlib.suppress(OSError):
            while piece := connection.recv(_READ_BYTES):
                self._send(number, port, piece)
        self._connections.pop(number).close()
        with contextlib.suppress(OSError):
            self._send(number, 0, b"")

    def _send(self, number: int, port: int, piece: bytes) -> None:
        with self._send_lock:
            self._stream.sendall(FRAME_HEADER.pack(number, port, len(piece)) + piece)
