"""Opens sockets in a box (a bot's sandbox) that this process may not enter. Another container, the opener, joins the
box's network and opens the sockets there.

This works for an ordinary user who may use Docker, and for a server that runs in a container.
"""

import contextlib
import inspect
import json
import socket
import tempfile
import time

from docker import APIClient

from server.bots.sandbox import namespace_program
from server.bots.sandbox.docker.container_limits import ISOLATION, opener_config
from server.bots.sandbox.docker.engine import describe_error, make_labels, own_container, remove_container
from server.bots.sandbox.namespace_sockets import PORTS, receive_sockets
from server.bots.sandbox.runner import BoxEnvironment, CannotRun

_OPENER_SECONDS = 60.0
"""How many seconds an opener may take after its start. The limit is high because openers are slow while many boxes
start.
"""
_CHECK_SECONDS = 1.0
"""How often, in seconds, to check that the opener still runs."""


def open_sockets(engine: APIClient, holder_id: str, name: str, box_environment: BoxEnvironment) -> list[socket.socket]:
    """Returns sockets that listen on PORTS, on all addresses, in the network of the container `holder_id`.

    Raises ENGINE_FAULTS, or CannotRun if the opener cannot pass the sockets to this process, for example because Docker
    runs in a virtual machine.
    """
    own_info = own_container(engine)
    image = str(own_info["Image"]) if own_info else _fetch_if_missing(engine, box_environment.image)
    with tempfile.TemporaryDirectory(prefix="highnoon-") as folder, socket.socket(socket.AF_UNIX) as listener:
        path = f"{folder}/sockets"
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(_CHECK_SECONDS)
        request = {
            "pid": 0, "answer": path, "ports": PORTS, "addresses": box_environment.addresses, "limits": {}, "files": {},
            "sysctls": {},
        }  # fmt: skip
        opener = engine.create_container(
            image,
            entrypoint=["python3", "-I", "-S", "-c", inspect.getsource(namespace_program), json.dumps(request)],
            user="0:0",
            labels=make_labels(box_environment.label, name),
            host_config=opener_config(engine, holder_id, folder, str(own_info["Id"]) if own_info else ""),
            **ISOLATION,
        )["Id"]
        try:
            engine.start(opener)
            return _accept(listener, engine, opener)
        finally:
            remove_container(engine, opener)


def _accept(listener: socket.socket, engine: APIClient, opener: str) -> list[socket.socket]:
    """Receives the sockets of the container `opener`, even if it has ended. Raises CannotRun if it sent none."""
    deadline, is_running = time.monotonic() + _OPENER_SECONDS, True
    while is_running and time.monotonic() < deadline:
        is_running = engine.inspect_container(opener)["State"]["Running"]
        with contextlib.suppress(TimeoutError), listener.accept()[0] as answer:
            answer.settimeout(_OPENER_SECONDS)
            return receive_sockets(answer, len(PORTS))
    last_line = describe_error(Exception(engine.logs(opener, tail=1).decode(errors="replace")))
    raise CannotRun(f"No socket can be opened in the box: its opener does not answer ({last_line}).")


def _fetch_if_missing(engine: APIClient, image: str) -> str:
    """Returns `image`. Fetches it if it is missing. Raises ENGINE_FAULTS."""
    if not engine.images(name=image, quiet=True):
        engine.pull(image)
    return image
