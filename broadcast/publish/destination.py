"""Stores the files that are published: in a folder, or in a bucket at S3, Google Cloud or Azure.

Each file is stored completely or not at all. A new file replaces an old file at the same path, and no file is ever
deleted. Every failure becomes a `DestinationError` within about half a minute. The error's message reveals no secret.
Credentials come from each cloud's environment variables.
"""

# The library obstore stores the files. This module calls only obstore's blocking functions, in Python threads. The
# asynchronous functions would run in threads that obstore starts. If such a thread called Python while the program
# exits, the program could abort.

import gzip
import os
import re
import secrets
import time
import zlib
from asyncio import to_thread
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from hashlib import md5
from itertools import chain, islice
from pathlib import Path
from stat import S_ISREG
from typing import Literal

import obstore
from msgspec import Struct
from obstore.exceptions import AlreadyExistsError
from obstore.store import LocalStore, from_url

from server.errors import Refusal

SCHEMES = {"s3": "AWS", "gs": "GOOGLE", "az": "AZURE"}
"""The schemes of bucket addresses, each with the prefix of its cloud's environment variables."""
CACHE_FOREVER = "public, max-age=31536000, immutable"
"""`Cache-Control` of files whose content never changes."""
CACHE_BRIEFLY = "public, max-age=10"
"""`Cache-Control` of files that may be replaced later."""
TEXT_TYPES = ("text/", "application/json", "image/svg+xml", "application/x-ndjson")
"""Types that are gzipped for buckets. Unlike web servers, buckets do not compress files."""
COMPRESSION_LEVEL = 6
REQUEST_TIMEOUT = timedelta(seconds=20)
MAX_RETRIES = 3
MAX_READ_BYTES = 16 << 20
"""The maximum size of a file that is read, both before and after decompression. There is a limit because strangers may
be able to write to a destination.
"""
MAX_FILES = 1_000_000
"""The most files that one destination may have."""
_TEMPORARY_FOLDER = ".high-noon-half"
"""If the destination is a folder, files are first written to this subfolder, and then moved to their places. So a
killed program leaves half-written files only here.
"""
_ABANDONED_SECONDS = 10.0
"""A temporary file counts as abandoned if nobody has written to it for this many seconds. Even the largest file
is written in one second.
"""
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_NO_BUCKET = r"NoSuchBucket|ContainerNotFound|The specified bucket does not exist"
_NO_CREDENTIALS = r"169\.254\.169\.254|metadata\.google\.internal|Account must be specified|[Cc]redential"
_NO_ANSWER = r"error sending request|HTTP error|timed out|dns error"
_CREDENTIAL_VARIABLES = {
    "AWS": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "GOOGLE": "GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}


class DestinationError(Refusal):
    """A destination cannot be read or written. The message gives its address and the reason, and no secret."""


class StoredFile(Struct, frozen=True):
    """What a destination reports about a file: its size in bytes, and the MD5 of its bytes if it is known."""

    size: int
    md5: str = ""


class Destination:
    """A folder or bucket. Paths are relative to its top, separated by "/", without a leading "/"."""

    def __init__(self, address: str) -> None:
        """`address` is a folder's path, or `s3://`, `gs://` or `az://` with a bucket's name. A folder in the bucket may
        follow the name.

        A missing folder is created. Raises DestinationError if the address cannot be used.
        """
        self.address = address
        scheme, separator, rest = address.partition("://")
        if separator and (scheme not in SCHEMES or not rest):
            known = ", ".join(f"{known}://bucket" for known in SCHEMES)
            raise DestinationError(f"{address}: a destination is a folder, or {known}, optionally with a folder in it")
        self._cloud = SCHEMES[scheme] if separator else ""
        self._bucket = rest.partition("/")[0]
        try:
            self._store = self._open()
        except Exception as error:  # obstore raises its own exceptions and Python's
            raise self._error(error) from None

    async def put(self, path: str, content: bytes, kind: str, cache: str) -> None:
        """Writes a file. `kind` is its MIME type, `cache` its `Cache-Control`. Raises DestinationError.

        In a bucket, text is gzipped, and gzipped content is marked with `Content-Encoding: gzip`. In a folder,
        `content` is stored unchanged.
        """
        async with self._explain_errors():
            await self._write(path, content, kind, cache)

    async def create(self, path: str, content: bytes, kind: str, cache: str) -> bool:
        """Writes a file as `put` does, but only if the file does not exist. Returns whether it has written the file.

        If several programs try at once, only one succeeds. But some buckets have no conditional requests ("write only
        if the file is missing"). There, several programs may succeed. Raises DestinationError.
        """
        async with self._explain_errors():
            try:
                await self._write(path, content, kind, cache, "create")
            except AlreadyExistsError:
                return False
            except Exception as error:  # an exception of obstore or of Python
                lacks_conditional_requests = re.search("NotImplemented|501 Not Implemented", str(error))
                if not lacks_conditional_requests:
                    raise
                if await self._read(path, MAX_READ_BYTES) is not None:
                    return False
                await self._write(path, content, kind, cache)
        return True

    async def get(self, path: str) -> bytes | None:
        """Returns the content of a file, and unpacks gzipped content. Returns None if the file is missing. Raises
        DestinationError.
        """
        content = await self._read(path, MAX_READ_BYTES)
        return self._unpack(path, content) if content and is_gzipped(content) else content

    async def list(self, prefix: str = "") -> Mapping[str, StoredFile]:
        """Returns the files below the folder `prefix`, keyed by path. If `prefix` is "", returns all files. Raises
        DestinationError.
        """
        async with self._explain_errors():
            found = await to_thread(lambda: dict(islice(self._iterate_files(prefix), MAX_FILES + 1)))
        if len(found) > MAX_FILES:
            raise DestinationError(f"{self.address}: it has more than {MAX_FILES:,} files")
        return found

    async def has(self, path: str, stored: StoredFile | None, content: bytes, kind: str) -> bool:
        """Returns whether the file at `path` has this `content`. `stored` is what `list` has reported about the file.

        Compares only the sizes if a bucket reports no MD5. Raises DestinationError.
        """
        body = self.stored_bytes(content, kind)
        if stored is None or stored.size != len(body):
            return False
        if self._cloud:
            return stored.md5 in ("", md5(body, usedforsecurity=False).hexdigest())
        return await self._read(path, len(body)) == body

    def stored_bytes(self, content: bytes, kind: str) -> bytes:
        """Returns the bytes that this destination stores for `content`, whose MIME type is `kind`."""
        compress = self._cloud and kind.startswith(TEXT_TYPES) and not is_gzipped(content)
        return gzip.compress(content, COMPRESSION_LEVEL, mtime=0) if compress else content

    def _iterate_files(self, prefix: str) -> Iterator[tuple[str, StoredFile]]:
        """Yields the files one by one, so that the caller can stop after too many files."""
        for each in chain.from_iterable(obstore.list(self._store, prefix or None)):
            if each["path"].startswith(f"{_TEMPORARY_FOLDER}/"):
                continue
            tag = (each["e_tag"] or "").strip('"')
            yield each["path"], StoredFile(each["size"], tag if self._cloud and len(tag) == 32 else "")

    async def _read(self, path: str, max_bytes: int) -> bytes | None:
        def read() -> bytes:
            found = obstore.get(self._store, path)
            if found.meta["size"] > max_bytes:
                raise self._too_large(path)
            return bytes(found.bytes())

        async with self._explain_errors():
            try:
                return await to_thread(read)
            except FileNotFoundError as error:
                if "NoSuchBucket" in str(error):
                    raise
                return None

    async def _write(
        self, path: str, content: bytes, kind: str, cache: str, mode: Literal["create", "overwrite"] = "overwrite"
    ) -> None:
        if not self._cloud:
            await to_thread(self._write_in_folder, path, content, overwrite=mode == "overwrite")
            return
        attributes = {"Content-Type": kind, "Cache-Control": cache}
        body = self.stored_bytes(content, kind)
        if is_gzipped(body):
            attributes["Content-Encoding"] = "gzip"
        await to_thread(obstore.put, self._store, path, body, attributes=attributes, mode=mode)

    def _write_in_folder(self, path: str, content: bytes, *, overwrite: bool) -> None:
        temporary = f"{_TEMPORARY_FOLDER}/{secrets.token_hex(8)}"
        try:
            obstore.put(self._store, temporary, content)
            obstore.rename(self._store, temporary, path, overwrite=overwrite)
        except BaseException:
            with suppress(Exception):  # the first error is reported, and a later program removes this file
                obstore.delete(self._store, temporary)
            raise

    def _open(self) -> obstore.store.ObjectStore:
        if not self._cloud:
            folder = Path(self.address).expanduser().absolute()
            _remove_abandoned(folder / _TEMPORARY_FOLDER)
            return LocalStore(folder, mkdir=True)
        plain = os.environ.get(f"{self._cloud}_ALLOW_HTTP", "").lower() in {"1", "true"}
        return from_url(
            self.address,
            client_options={"timeout": REQUEST_TIMEOUT, "connect_timeout": timedelta(seconds=5), "allow_http": plain},
            retry_config={"max_retries": MAX_RETRIES, "retry_timeout": REQUEST_TIMEOUT},
        )

    def _unpack(self, path: str, content: bytes) -> bytes:
        """Unpacks `content`. If `content` begins like gzip but is not gzip, returns it unchanged."""
        decompressor = zlib.decompressobj(wbits=31)
        try:
            unpacked = decompressor.decompress(content, MAX_READ_BYTES)
        except zlib.error:
            return content
        if decompressor.unconsumed_tail:
            raise self._too_large(path)
        return unpacked if decompressor.eof else content

    def _too_large(self, path: str) -> DestinationError:
        return DestinationError(f"{self.address}: {path} is larger than any file that this program publishes")

    def _error(self, error: Exception) -> DestinationError:
        return DestinationError(f"{self.address}: {_reason(error, self._bucket, self._cloud)}")

    @asynccontextmanager
    async def _explain_errors(self) -> AsyncIterator[None]:
        try:
            yield
        except DestinationError:
            raise
        except Exception as error:  # an exception of obstore or of Python
            raise self._error(error) from None


def _remove_abandoned(folder: Path) -> None:
    """Removes half-written files of killed programs. Keeps new files, which another program may be writing."""
    with suppress(OSError):
        if folder.is_symlink():
            return
        for path in folder.iterdir():
            about = path.lstat()
            if S_ISREG(about.st_mode) and time.time() - about.st_mtime > _ABANDONED_SECONDS:
                path.unlink(missing_ok=True)


def is_gzipped(content: bytes) -> bool:
    """Whether `content` begins like gzip."""
    return content[:2] == b"\x1f\x8b"


def _reason(error: Exception, bucket: str, cloud: str) -> str:
    """Explains `error` in a clause. `bucket` and `cloud` are "" for a folder."""
    text = str(error)
    if found := _OS_ERROR.search(text):
        return os.strerror(int(found[1])).lower()
    if not cloud:
        return "the folder cannot be used"
    reasons = {
        _NO_BUCKET: f"there is no bucket {bucket}",
        r"<Code>(\w+)</Code>": "the bucket refuses it ({})",
        _NO_CREDENTIALS: f"no credentials are known for it: set {_CREDENTIAL_VARIABLES[cloud]}",
        r"non-2xx status code: (\d+)": "the bucket refuses it (HTTP {})",
        _NO_ANSWER: "it is not responding",
    }
    matches = ((re.search(pattern, text), reason) for pattern, reason in reasons.items())
    explanations = (reason.format(*found.groups()) for found, reason in matches if found)
    return next(explanations, "this is not the address of a bucket that can be used")
