"""Packages High Noon with setuptools: as usual, except that a wheel has `assets` and `static` inside `broadcast`.

Outside `broadcast`, these folders would be installed beside other projects' packages, perhaps with the same names. A
source archive has all files of a clone in their usual folders. pip calls the functions in `__all__` (PEP 517).
"""

import os
import shutil
from collections.abc import Iterator

from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_py import build_py

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]
_FILES = (".dockerignore", ".editorconfig", ".gitignore", "Makefile", "requirements.lock", "requirements-dev.lock")
_FOLDERS = (".ci", ".github", "assets", "static", "tests")
_TOOL_FOLDERS = ("node_modules", "__pycache__")


class BuildPy(build_py):  # type: ignore[misc]
    """Collects the packages' files, for a wheel in `build_lib`."""

    packages: list[str]

    def finalize_options(self) -> None:
        """Adds the packages in `package-dir` of pyproject.toml. setuptools finds only those in usual folders."""
        super().finalize_options()
        self.packages = [*self.packages, *self.package_dir]

    def run(self) -> None:
        """Builds from scratch, because setuptools would also pack an earlier build's files in `build_lib`."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()

    def get_source_files(self) -> list[str]:
        """Returns the files of a source archive: the packages, and the rest of the clone."""
        return [*super().get_source_files(), *_FILES, *_other_files()]


def _other_files() -> Iterator[str]:
    for top in _FOLDERS:
        for folder, names, files in os.walk(top):
            names[:] = [name for name in names if name not in _TOOL_FOLDERS and not name.startswith(".")]
            yield from (os.path.join(folder, file) for file in files)
