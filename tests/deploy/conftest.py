"""Fixtures: a Docker daemon, and an image of Python with the packages of requirements.lock.

Tests download nothing, so the image consists of this machine's files. The image stands in for `python:3.12-slim`, and
for the machines on which GitHub runs workflows.
"""

import _sqlite3
import csv
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import docker
import pytest

from tests.support.bots.boxes import docker_host, root_file_system
from tests.support.source_files import ROOT

__all__ = ["docker_host"]

PYTHON_IMAGE = "high-noon-tests:python"
PACKAGES = Path(sysconfig.get_path("purelib"))
PROGRAMS_OF_OUR_SCRIPTS = (
    "git", "git-receive-pack", "git-upload-pack", "bash", "chown", "head", "mkdir", "prlimit", "rm", "timeout", "touch",
)  # fmt: skip


@pytest.fixture(scope="session")
def python_image(docker_host: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Builds an image with the packages of requirements.lock already installed. Returns the image's name."""
    folder = tmp_path_factory.mktemp("python")
    base = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    command = [str(base), "-c", "import site; print(site.getsitepackages()[0])"]
    site_packages = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    programs = [Path(path) for name in PROGRAMS_OF_OUR_SCRIPTS if (path := shutil.which(name, path="/usr/bin:/bin"))]
    archive = root_file_system([*_files_of_locked_packages(), *programs, Path(_sqlite3.__file__)])
    (folder / "pip").write_text('#!/bin/sh\nexec python3 -m pip "$@"\n')
    (folder / "pip").chmod(0o755)
    (folder / "packages.pth").write_text(f"{PACKAGES}\n")
    (folder / "Dockerfile").write_text(
        f"FROM {PYTHON_IMAGE}-files\nCOPY pip /usr/local/bin/pip\nCOPY packages.pth {site_packages}/packages.pth\n"
        "ENV PIP_BREAK_SYSTEM_PACKAGES=1\n"
    )
    with closing(docker.APIClient(base_url=docker_host, version="auto", timeout=600)) as engine:
        path = 'ENV PATH="/usr/local/bin:/usr/bin:/bin"'
        name, tag = PYTHON_IMAGE.split(":")
        engine.import_image_from_data(archive, name, f"{tag}-files", changes=[path])
        *_, last_message = engine.build(path=str(folder), tag=PYTHON_IMAGE, decode=True)
        assert "errorDetail" not in last_message, last_message
    return PYTHON_IMAGE


def _files_of_locked_packages() -> Iterator[Path]:
    names = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    for package in PACKAGES.glob("*.dist-info"):
        if package.name.partition("-")[0].lower().replace("_", "-") in ("pip", *names):
            for file, *_ in csv.reader((package / "RECORD").read_text().splitlines()):
                path = Path(os.path.normpath(PACKAGES / file))
                if path.is_file() and path.is_relative_to(PACKAGES):
                    yield path
