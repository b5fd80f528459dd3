"""An image with a tiny program that waits for ever and so keeps a network namespace open.

Made here so that nothing has to be downloaded: a static ELF file of some 130 bytes for each processor.
"""

import io
import struct
import tarfile

from server.bots.sandbox.runner import CannotRun

ENTRY = "/hold"
_LOADED_AT = 0x400000
_HEADERS = 64 + 56
# machine number of ELF, and: wait without an end (pause on the one, ppoll on the other), again.
_CODE = {
    "x86_64": (62, bytes.fromhex("b822000000 0f05 ebf7")),
    "aarch64": (
        183,
        struct.pack("<7I", 0xD2800928, 0xD2800000, 0xD2800001, 0xD2800002, 0xD2800003, 0xD4000001, 0x17FFFFFA),
    ),
}
_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}


def holder_image(architecture: str) -> bytes:
    """A tar archive with the program as `ENTRY`, for "x86_64" or "aarch64". Raises CannotRun for any other."""
    program = _program(_NAMES.get(architecture, architecture))
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        entry = tarfile.TarInfo(ENTRY.strip("/"))
        entry.mode, entry.size = 0o755, len(program)
        tar.addfile(entry, io.BytesIO(program))
    return archive.getvalue()


def _program(architecture: str) -> bytes:
    if architecture not in _CODE:
        raise CannotRun(f"Boxes are known for {' and '.join(_CODE)} only, and Docker runs on {architecture} here.")
    machine, code = _CODE[architecture]
    size = _HEADERS + len(code)
    ident = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    header = struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, _LOADED_AT + _HEADERS, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, _LOADED_AT, _LOADED_AT, size, size, 0x10000)
    return ident + header + segment + code
