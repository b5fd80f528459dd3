"""What a bot may and may not do in its container, as options of the Docker Engine. Values only."""

from collections.abc import Iterable, Mapping
from typing import Any

from docker import APIClient
from docker.types import LogConfig, Ulimit

from server.bots.sandbox.runner import Limits

NOBODY = "65534:65534"
NO_RESOLVER, NO_DOMAIN = "192.0.2.1", "."
"""An address that no machine has, and no domain: otherwise Docker tells of the host's, and asks its resolver."""


def bot_config(
    engine: APIClient,
    limits: Limits,
    network: str,
    hosts: Mapping[str, str],
    volumes: Iterable[str],
    *,
    strict: bool,
    quota: bool,
) -> dict[str, Any]:
    """The `HostConfig` of a bot. `volumes` are those that its image declares, which must be limited, too.

    `strict`: its disk is read-only. `quota`: the storage driver limits its disk, which few drivers can.
    """
    most = f"size={limits.scratch_bytes},nr_inodes={limits.scratch_files}"
    scratch = f"{most},mode=1777" + (",noexec" if strict else "")
    config: dict[str, Any] = engine.create_host_config(
        mem_limit=limits.memory_bytes,
        memswap_limit=limits.memory_bytes,
        nano_cpus=int(limits.cpus * 1e9),
        network_mode=network,
        extra_hosts=dict(hosts) or None,
        pids_limit=limits.processes,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        ipc_mode="none",
        init=True,
        log_config=LogConfig(type="json-file", config={"max-size": "1m", "max-file": "2"}),
        ulimits=_ulimits(limits),
        read_only=strict,
        tmpfs=dict.fromkeys(["/tmp", "/dev/shm", *volumes], scratch),  # noqa: S108 (the bot's own)
        storage_opt={"size": str(limits.disk_bytes)} if quota else None,
        dns=None if network.startswith("container:") else [NO_RESOLVER],
        dns_search=None if network.startswith("container:") else [NO_DOMAIN],
    )
    return config


def holder_config(engine: APIClient, hostnames: Iterable[str]) -> dict[str, Any]:
    """The `HostConfig` of a holding container. A bot in its network can resolve `hostnames`, too."""
    config: dict[str, Any] = engine.create_host_config(
        mem_limit="8m",
        pids_limit=4,
        network_mode="none",
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        ipc_mode="none",
        read_only=True,
        extra_hosts=dict.fromkeys(hostnames, "127.0.0.1"),
        log_config=LogConfig(type="none"),
        dns=[NO_RESOLVER],
        dns_search=[NO_DOMAIN],
    )
    return config


def declared_volumes(image: Mapping[str, Any]) -> list[str]:
    """The paths for which an image declares volumes, from what `look_at_image` returned."""
    return sorted((image.get("Config") or {}).get("Volumes") or {})


def _ulimits(limits: Limits) -> list[Ulimit]:
    """A file can be no longer than the disk the bot has: some files of a container lie on the host's own disk."""
    hard = {"nofile": limits.files, "core": 0, "fsize": limits.disk_bytes}
    return [Ulimit(name=name, soft=most, hard=most) for name, most in hard.items()]
