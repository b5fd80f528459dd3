"""The steps of a build: a command runs in a limited container, and what it has written becomes an image; all other
instructions are carried out by the Engine's builder, which runs nothing.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from docker.types import LogConfig, Ulimit

from server.bots.sandbox.docker.build_session import BuildFailed, BuildSession
from server.bots.sandbox.docker.engine import ENGINE_FAULTS, look_at_image
from server.bots.sandbox.docker.flags import NO_DOMAIN, NO_RESOLVER, declared_volumes
from server.bots.sandbox.docker.stream import frames, objects, streamed

_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID"]
"""What package managers need; none of them reaches out of the container."""
_PERIOD = 100_000
_STEP = re.compile(r" ---> ([0-9a-f]{12})\n")
_MAX_UNFINISHED = 4096


def build_by_engine(
    session: BuildSession,
    base: str,
    archive: IO[bytes],
    made: list[str],
    *,
    arguments: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> str:
    """The image that the Engine's builder makes on top of `base` from a context; `labels` are by default the session's.

    All images that it makes are added to `made`. Raises BuildFailed, ENGINE_FAULTS.
    """
    query = {
        "labels": json.dumps(dict(session.labels if labels is None else labels)),
        "buildargs": json.dumps(dict(arguments or {})),
        "rm": 1,
        "forcerm": 1,
        "nocache": 1,
        "networkmode": "none",
    }
    request = {"data": archive, "params": query, "headers": {"Content-Type": "application/x-tar"}, "timeout": None}
    image = error = ""
    # Not broken off: the Engine would go on, and leave what it makes.
    with session.doing(), streamed(session.engine, "POST", "/build", **request) as response:
        for piece in objects(response):
            error = str(piece.get("error", error))
            image = str((piece.get("aux") or {}).get("ID", image))
            step = _STEP.fullmatch(str(piece.get("stream")))
            if step and step[1] not in base:  # A step's image stays where a later step fails.
                made.append(step[1])
    if error or not image:
        raise BuildFailed(error or "the build broke off.")
    return image


def run(session: BuildSession, image: str, command: Sequence[str], network: str, labels: Mapping[str, str]) -> str:
    """Runs `command` on top of `image`; returns the id of the image with what it has written.

    Raises BuildFailed, and what the Engine raises.
    """
    engine, about = session.engine, look_at_image(session.engine, image)
    container = str(
        engine.create_container(
            image,
            command=list(command),
            entrypoint=[],
            labels=dict(labels),
            healthcheck={"test": ["NONE"]},
            use_config_proxy=False,  # It may have the organiser's password.
            host_config=_config(session, network, declared_volumes(about)),
        )["Id"]
    )

    def kill() -> None:
        with contextlib.suppress(*ENGINE_FAULTS):
            engine.kill(container)

    try:
        with session.doing(kill, container):
            _follow(session, container)
            session.check_written(container)
        return _commit(session, container, about["Config"], labels)
    finally:
        with contextlib.suppress(*ENGINE_FAULTS):
            engine.remove_container(container, force=True, v=True)


def _follow(session: BuildSession, container: str) -> None:
    """Starts it, passes on what it prints and waits for its end. Raises BuildFailed if it fails."""
    session.engine.start(container)
    path = f"/containers/{container}/logs"
    with streamed(session.engine, "GET", path, params={"stdout": 1, "stderr": 1, "follow": 1}, timeout=None) as log:
        unfinished = ""
        for piece in frames(log):
            *lines, unfinished = (unfinished + piece.decode(errors="replace")).split("\n")
            if len(unfinished) > _MAX_UNFINISHED:
                lines, unfinished = [*lines, unfinished], ""
            session.hear("\n".join(lines))
        session.hear(unfinished)
    status = int(session.engine.wait(container, timeout=None)["StatusCode"])
    if session.engine.inspect_container(container)["State"]["OOMKilled"]:
        raise BuildFailed(f"it uses more memory than the {session.limits.build_memory_bytes >> 20} MB it may.")
    if status:
        raise BuildFailed(f"the command returned a non-zero code: {status}.")


def _commit(session: BuildSession, container: str, config: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """An image of what was written, configured as the one before."""
    kept = {**config, "Labels": {**(config.get("Labels") or {}), **labels}}
    with streamed(
        session.engine, "POST", "/commit", params={"container": container}, json=kept, timeout=None
    ) as response:
        return str(response.json()["Id"])


def _config(session: BuildSession, network: str, volumes: Iterable[str]) -> dict[str, Any]:
    """The `HostConfig`: volumes are in memory, for what is in them is no part of the image."""
    limits = session.limits
    scratch = f"size={limits.disk_bytes},nr_inodes={limits.disk_files},mode=1777"
    config: dict[str, Any] = session.engine.create_host_config(
        mem_limit=limits.build_memory_bytes,
        memswap_limit=limits.build_memory_bytes,
        cpu_shares=512,
        cpu_period=_PERIOD,
        cpu_quota=int(limits.build_cpus * _PERIOD),
        pids_limit=limits.build_processes,
        network_mode=network,
        dns=[NO_RESOLVER] if network == "none" else None,
        dns_search=[NO_DOMAIN] if network == "none" else None,
        cap_drop=["ALL"],
        cap_add=_CAPABILITIES,
        security_opt=["no-new-privileges"],
        init=True,
        log_config=LogConfig(type="json-file", config={"max-size": "1m", "max-file": "2"}),
        ulimits=[Ulimit(name="fsize", soft=limits.build_disk_bytes, hard=limits.build_disk_bytes)],
        tmpfs=dict.fromkeys(volumes, scratch) or None,
    )
    return config
