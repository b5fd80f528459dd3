"""The limits of containers: options of the Docker Engine for a bot, its build and its network. Starts nothing."""

from collections.abc import Iterable, Mapping
from typing import Any

from docker import APIClient
from docker.types import LogConfig, Mount, Ulimit

from server.bots.sandbox.box_limits import SOCKET_BUFFERS, Limits

NOBODY = "65534:65534"
ISOLATION: Mapping[str, Any] = {"healthcheck": {"test": ["NONE"]}, "use_config_proxy": False}
"""Options of every container. They turn off health checks, and hide the address of Docker's proxy from the container,
because the address might contain a password.
"""
_NO_RESOLVER, _NO_DOMAIN = "192.0.2.1", "."
"""An address that no machine has, and an empty domain. Without these settings, containers would use the DNS resolver
and domain of their host.
"""
_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID"]
"""Rights that package managers need. They have no effects outside the container."""
_CPU_PERIOD_US = 100_000
_OWN_PIDS = 64
"""The `pids_limit` of containers that run a helper of this program and no bot. Helpers need fewer threads, but `runc`
first starts up to nine threads in each container. If the kernel refuses one of them, the container ends at once.
"""


def bot_config(
    engine: APIClient,
    limits: Limits,
    network: str,
    volumes: Iterable[str],
    *,
    strict: bool,
    quota: bool,
) -> dict[str, Any]:
    """Returns the `HostConfig` of a bot. `volumes` are the paths of the volumes that the bot's image declares. The
    volumes need limits, too.

    If `strict`, the bot's disk is read-only. If `quota`, the storage driver limits the disk. Only a few drivers can
    limit disks. Without `quota`, these options limit only the size of each single file on the disk.
    """
    scratch = _tmpfs_options(limits.scratch_bytes, limits.scratch_files) + (",noexec" if strict else "")
    return _host_config(
        engine,
        network,
        {"nofile": limits.open_files, "core": 0, "fsize": limits.disk_bytes},
        mem_limit=limits.memory_bytes,
        memswap_limit=limits.memory_bytes,
        nano_cpus=int(limits.cpus * 1e9),
        pids_limit=limits.processes,
        ipc_mode="none",
        init=True,
        read_only=strict,
        tmpfs=dict.fromkeys(["/tmp", "/dev/shm", *volumes], scratch),  # noqa: S108 (the bot's own)
        storage_opt={"size": str(limits.disk_bytes)} if quota else None,
    )


def build_config(engine: APIClient, limits: Limits, network: str, volumes: Iterable[str]) -> dict[str, Any]:
    """Returns the `HostConfig` of one command of a build. `volumes` are the paths of the volumes that the image
    declares. Volumes are kept in memory and discarded, because they are not part of the new image.
    """
    return _host_config(
        engine,
        network,
        {"fsize": limits.build_disk_bytes},
        mem_limit=limits.build_memory_bytes,
        memswap_limit=limits.build_memory_bytes,
        cpu_shares=512,
        cpu_period=_CPU_PERIOD_US,
        cpu_quota=int(limits.build_cpus * _CPU_PERIOD_US),
        pids_limit=limits.build_processes,
        cap_add=_CAPABILITIES,
        init=True,
        tmpfs=dict.fromkeys(volumes, _tmpfs_options(limits.disk_bytes, limits.disk_files)) or None,
    )


def holder_config(engine: APIClient, hostnames: Iterable[str]) -> dict[str, Any]:
    """Returns the `HostConfig` of a container that only holds a network. A bot in that network can look up
    `hostnames`.
    """
    return _host_config(
        engine,
        "none",
        {},
        mem_limit="32m",  # the holder needs far less, but runc needs about 11 MB to start it
        pids_limit=_OWN_PIDS,
        ipc_mode="none",
        read_only=True,
        extra_hosts=dict.fromkeys(hostnames, "127.0.0.1"),
        sysctls=SOCKET_BUFFERS,
    )


def opener_config(engine: APIClient, holder_id: str, folder: str, own_container_id: str) -> dict[str, Any]:
    """Returns the `HostConfig` of a container that opens sockets in the network of `holder_id`.

    The new container hands the sockets over in `folder`. `own_container_id` is the id of the container in which this
    process runs, or "" if it runs in none. With an id, the new container gets the volumes of this process's container.
    Without an id, it gets `folder`.
    """
    folder_options = (
        {"volumes_from": [own_container_id]} if own_container_id else {"mounts": [Mount(folder, folder, type="bind")]}
    )
    return _host_config(
        engine,
        f"container:{holder_id}",
        {},
        mem_limit="64m",
        pids_limit=_OWN_PIDS,
        cap_add=["DAC_OVERRIDE", "NET_ADMIN"],  # to reach the folder, and to add addresses
        read_only=True,
        **folder_options,
    )


def relay_config(engine: APIClient, hostnames: Iterable[str]) -> dict[str, Any]:
    """Returns the `HostConfig` of a relay. A relay holds a network, adds addresses to it, and passes on a bot's
    connections.
    """
    return _host_config(
        engine,
        "none",
        {},
        mem_limit="64m",
        nano_cpus=500_000_000,  # a bot could keep the relay busy
        pids_limit=_OWN_PIDS,
        ipc_mode="none",
        cap_add=["NET_ADMIN"],
        read_only=True,
        extra_hosts=dict.fromkeys(hostnames, "127.0.0.1"),
        sysctls=SOCKET_BUFFERS,
    )


def address_lookup_config(engine: APIClient) -> dict[str, Any]:
    """Returns the `HostConfig` of a container in the machine's own network, to ask for the machine's addresses."""
    return _host_config(engine, "host", {}, mem_limit="64m", pids_limit=_OWN_PIDS, ipc_mode="none", read_only=True)


def declared_volumes(image: Mapping[str, Any]) -> list[str]:
    """Returns the paths of the volumes that an image declares, from what `inspect_image` returned."""
    return sorted((image.get("Config") or {}).get("Volumes") or {})


def _tmpfs_options(max_bytes: int, max_files: int) -> str:
    return f"size={max_bytes},nr_inodes={max_files},mode=1777"


def _host_config(engine: APIClient, network: str, ulimits: Mapping[str, int], **options: Any) -> dict[str, Any]:
    """Returns a `HostConfig` with `options` and with the options of all containers. `ulimits` has limits by name."""
    is_shared = network.startswith("container:")  # then the other container's DNS settings apply
    config: dict[str, Any] = engine.create_host_config(
        network_mode=network,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        log_config=LogConfig(type="json-file", config={"max-size": "1m", "max-file": "2"}),
        ulimits=[Ulimit(name=name, soft=value, hard=value) for name, value in ulimits.items()],
        dns=None if is_shared else [_NO_RESOLVER],
        dns_search=None if is_shared else [_NO_DOMAIN],
        **options,
    )
    return config
