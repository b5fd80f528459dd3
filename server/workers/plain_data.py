"""Makes Dask accept only plain data (bytes and MessagePack's types), so that no data from a worker is ever run as code.

Dask's client would unpickle results, errors and tracebacks, and unpickling can run any code.
"""

import struct
from collections.abc import Mapping, Sequence
from ssl import SSLError
from typing import Any

import msgpack
from distributed.comm.core import CommClosedError
from distributed.comm.registry import backends
from distributed.comm.tcp import TCP, TLS, TCPBackend, TCPConnector, TLSBackend, TLSConnector, read_bytes_rw
from distributed.protocol.utils import unpack_frames
from tornado.iostream import IOStream, StreamClosedError

from server.workers.worker_messages import MAX_ANSWER_BYTES

MAX_BYTES = MAX_ANSWER_BYTES + (1 << 20)
"""The maximum size of a message, in bytes: the size of the largest answer, plus what Dask adds."""
_LENGTH_PREFIX = struct.Struct("Q")


class UndecodedReply(Exception):
    """Takes the place of an error or an object from a worker. Errors and objects from workers are never decoded."""


class MessageTooLarge(CommClosedError):
    """A message is larger than `MAX_BYTES`, so the connection is closed."""


def refuse_pickles() -> None:
    """From now on, the Dask connections that this process opens accept only plain data."""
    backends["tcp"], backends["tls"] = _TCPBackend(), _TLSBackend()


def plain_frames(frames: Sequence[bytes | memoryview]) -> Any:
    """Decodes a message from Dask. If only unpickling could decode a value, puts UndecodedReply in its place.

    Leaves out events, because Dask would print them in every client's terminal.
    """

    def decode(mapping: dict[str, Any]) -> Any:
        if "__Serialized__" in mapping or "__Pickled__" in mapping:
            return _read_bytes(frames, mapping.get("__Serialized__"))
        if "__Set__" in mapping:
            return set(mapping["as-list"])
        # in these two fields, Dask would unpickle bytes, too
        errors = {"exception": UndecodedReply("the worker failed"), "traceback": None}
        return {key: errors.get(key, value) for key, value in mapping.items()}

    message = msgpack.loads(frames[0], object_hook=decode, use_list=False, strict_map_key=False)
    if isinstance(message, Sequence) and not isinstance(message, str | bytes):
        return [part for part in message if not (isinstance(part, Mapping) and part.get("op") == "event")]
    return message


def _read_bytes(frames: Sequence[bytes | memoryview], number: object) -> bytes | UndecodedReply:
    """Returns bytes that were sent uncompressed: frame `number` is their header, and the next frames contain them.

    Returns UndecodedReply if frame `number` is not such a header.
    """
    if isinstance(number, int) and 0 < number < len(frames):
        header = msgpack.loads(frames[number], strict_map_key=False)
        if header.get("serializer") == "dask" and header.get("type") == "bytes" and not any(header["compression"]):
            return b"".join(frames[number + 1 : number + 1 + header["num-sub-frames"]])
    return UndecodedReply("it is not plain data")


class _PlainTCP(TCP):
    async def read(self, deserializers: object = None) -> Any:
        """Returns the next message. Raises CommClosedError or MessageTooLarge."""
        if self.stream is None:
            raise CommClosedError
        try:
            return plain_frames(await _read_frames(self.stream))
        except (StreamClosedError, SSLError) as error:
            self.abort()
            raise CommClosedError(str(error)) from None
        except BaseException:  # without this, the next read would start in the middle of this message
            self.abort()
            raise


async def _read_frames(stream: IOStream) -> Sequence[bytes | memoryview]:
    (size,) = _LENGTH_PREFIX.unpack(await stream.read_bytes(_LENGTH_PREFIX.size))
    _check_size(size)
    frames, lengths = unpack_frames(bytes(await read_bytes_rw(stream, size)), partial=True)
    _check_size(size + sum(lengths))
    return [*frames, *[await read_bytes_rw(stream, length) for length in lengths]]


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise MessageTooLarge(f"a message of {size} bytes; the limit is {MAX_BYTES}")


class _PlainTLS(_PlainTCP, TLS):
    pass


class _TCPConnector(TCPConnector):
    comm_class = _PlainTCP


class _TLSConnector(TLSConnector):
    comm_class = _PlainTLS


class _TCPBackend(TCPBackend):
    def get_connector(self) -> TCPConnector:
        return _TCPConnector()


class _TLSBackend(TLSBackend):
    def get_connector(self) -> TLSConnector:
        return _TLSConnector()
