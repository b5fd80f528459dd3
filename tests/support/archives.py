"""Makes tar and zip archives with the entries that a test chooses, even hostile ones."""

import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping

Entry = tuple[str, bytes, str | bytes]
"""An entry of a tar archive: its name, its type, and its content (bytes) or a link's target (text)."""


def tar_of(entries: Iterable[Entry], mode: str = "w") -> bytes:
    """Makes a tar archive. `mode` is the mode of `tarfile.open`, such as "w:gz"."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode=mode, format=tarfile.GNU_FORMAT) as tar:  # type: ignore[call-overload]
        for name, entry_type, content in entries:
            entry = tarfile.TarInfo(name)
            entry.type = entry_type
            if isinstance(content, str):
                entry.linkname = content
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return archive.getvalue()


def zip_of(files: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", compression) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return archive.getvalue()
