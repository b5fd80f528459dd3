"""`python -c PROGRAM PORTS ADDRESSES`: relays connections from a box to PORTS over standard input and output.

PROGRAM is the text of this file. It runs in a container that shares the network of the box (a bot's sandbox), with the
Python of the base image. PORTS and ADDRESSES (IPv4) are separated by commas. A message has a connection's number, a
port, a length, and that many bytes. Port 0 says that the connection is over. The first message, with the number 0, says
that all ports are open.
"""

import asyncio
import contextlib
import itertools
import socket
import struct
import sys

FRAME_HEADER = struct.Struct(">IHI")
MAX_CONNECTIONS = 32
_READ_BYTES = 1 << 14
_SIOCSIFADDR, _SIOCSIFNETMASK = 0x8916, 0x891C


def main(ports: str, addresses: str) -> None:
    """Adds `addresses` to the loopback interface, then relays connections to `ports` until standard input ends."""
    for number, address in enumerate(filter(None, addresses.split(",")), start=1):
        _add_address(f"lo:{number}".encode(), address)
    asyncio.run(_relay([int(port) for port in ports.split(",")]))


def _add_address(name: bytes, address: str) -> None:
    if sys.platform == "linux":
        from fcntl import ioctl  # noqa: PLC0415 - Windows, where the server may import this file, lacks this module

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control_socket:
            for request, value in ((_SIOCSIFADDR, address), (_SIOCSIFNETMASK, "255.255.255.255")):
                ioctl(
                    control_socket, request, struct.pack("16sHH4s16x", name, socket.AF_INET, 0, socket.inet_aton(value))
                )


async def _relay(ports: "list[int]") -> None:
    numbers = itertools.count(1)
    writers: dict[int, asyncio.StreamWriter] = {}

    async def handle_connection(port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(writers) >= MAX_CONNECTIONS:
            writer.close()
            return
        number = next(numbers)
        writers[number] = writer
        _send(number, port, b"")
        with contextlib.suppress(OSError):
            while piece := await reader.read(_READ_BYTES):
                _send(number, port, piece)
        _send(number, 0, b"")

    for port in ports:
        await asyncio.start_server(lambda *ends, port=port: handle_connection(port, *ends), "0.0.0.0", port)  # noqa: S104 (the box's)
    _send(0, 0, b"")
    stdin_reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdin_reader), sys.stdin)
    with contextlib.suppress(asyncio.IncompleteReadError):
        while True:
            number, port, length = FRAME_HEADER.unpack(await stdin_reader.readexactly(FRAME_HEADER.size))
            piece = await stdin_reader.readexactly(length)
            writer = writers.get(number) if port else writers.pop(number, None)
            with contextlib.suppress(OSError):
                if writer and port:
                    writer.write(piece)
                    await writer.drain()
                elif writer:
                    writer.close()


def _send(number: int, port: int, piece: bytes) -> None:
    sys.stdout.buffer.write(FRAME_HEADER.pack(number, port, len(piece)) + piece)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
