"""Builds two hostile bots. A test runs this program in the server's container: `python -c THIS_TEXT ADDRESS`.

The first build requests ADDRESS through a proxy, its only way to the network. The second build makes a million files.
This program prints the proxy's answer, and then why the second build is stopped.
"""

import asyncio
import sys
import tempfile
from concurrent.futures import Future
from pathlib import Path

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.docker.build_proxy import build_network
from server.bots.sandbox.docker.build_stages import BuildNetwork
from server.bots.sandbox.docker.engine import connect_to_docker
from server.bots.sandbox.docker.image import build_image
from server.bots.sandbox.runner import BoxEnvironment, CannotRun

REQUEST = """\
import urllib.error, urllib.request
try:
    print("reached", urllib.request.urlopen("http://ADDRESS/").status)
except urllib.error.HTTPError as error:
    print("the proxy says", error.read().decode())
"""
MAKE_FILES = "for number in range(10**6): open('/' + str(number), 'w').close()"


def build(program: str, network: BuildNetwork) -> list[str]:
    """Builds an image whose Dockerfile runs `program`. Returns the build's output and any error."""
    lines: list[str] = []
    environment = BoxEnvironment("probe", limits=Limits(build_files=2000, build_seconds=60))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(program, encoding="utf-8")
        dockerfile = "FROM python:3.11-slim\nCOPY program.py /\nRUN python3 /program.py\nCMD python3 /program.py\n"
        Path(folder, "Dockerfile").write_text(dockerfile, encoding="utf-8")
        build_arguments = (connect_to_docker(), "Probe", Path(folder), environment)
        try:
            build_image(*build_arguments, say=lines.append, cancel_signal=Future[None](), network=network)
        except CannotRun as error:
            lines.append(str(error).replace("\n", " "))
    return lines


async def main(address: str) -> None:
    """Runs both builds. The network of the first build allows every address except those of the container's machine."""
    async with build_network(connect_to_docker(), "Probe", BoxEnvironment("probe"), print, lambda _: True) as network:
        lines = await asyncio.to_thread(build, REQUEST.replace("ADDRESS", address), network)
    print(next(line for line in lines if line.startswith(("reached", "the proxy says"))))
    print(build(MAKE_FILES, BuildNetwork())[-1])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
