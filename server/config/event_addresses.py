"""Reads ports, hosts, networks and URLs in an event file, which has the settings of a tournament.

Each function checks and converts a parsed TOML value. For a wrong value, the function raises ValueError. The user
sees the value's key, and then the error's text.
"""

import ipaddress
import re
from collections.abc import Callable
from pathlib import Path

from server.config.event_values import describe_value, text
from server.ip_addresses import is_address

BUCKET_SCHEMES = ("s3", "gs", "az")
_HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?", re.IGNORECASE)


def port(value: object) -> int:
    """Reads a port number. 0 means any free port. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 65535:
        raise ValueError(f"should be a port, 1 to 65535, or 0 for any free port, not {describe_value(value)}")
    return value


def port_range(value: object) -> range:
    """Reads a range of ports such as "20000-20199". "" gives an empty range. Raises ValueError."""
    content = text(value) if value != "" else ""
    first, dash, last = (part.strip() for part in content.partition("-"))
    port_numbers = [int(end) for end in (first, last) if end.isascii() and end.isdigit() and len(end) < 6]
    if not content:
        return range(0)
    if not dash or len(port_numbers) != 2 or not 1 <= port_numbers[0] <= port_numbers[1] <= 65535:
        raise ValueError(f'should be two ports, 1 to 65535, such as "20000-20199", not {describe_value(value)}')
    return range(port_numbers[0], port_numbers[1] + 1)


def host(value: object) -> str:
    """Reads a machine's name or IP address, without a port or path. Raises ValueError."""
    content = text(value)
    if not is_address(content) and not _is_host_name(content):
        raise ValueError(
            f"should be an address such as 192.168.1.20 or a name such as poker.local, not {describe_value(value)}"
        )
    return content


def address(value: object) -> str:
    """Reads a host with a port, such as "127.0.0.1:4455". Raises ValueError."""
    content = text(value)
    name, _, number = content.rpartition(":")
    if not name or not number.isascii() or not number.isdigit() or not 1 <= int(number[:6]) <= 65535:
        raise ValueError(f"should be an address with a port, such as 127.0.0.1:4455, not {describe_value(value)}")
    return f"{name if name.startswith('[') else host(name)}:{int(number)}"


def url(value: object) -> str:
    """Reads a bot's URL, which has no path, such as "http://10.0.0.5:31010". Raises ValueError."""
    content = text(value)
    scheme, _, host_and_port = content.rpartition("://")
    if scheme not in ("", "http"):
        raise ValueError(f"should begin with http://, not {describe_value(value)}")
    return f"http://{address(host_and_port.rstrip('/'))}"


def scheduler(value: object) -> str:
    """Reads the address of a Dask scheduler, such as "tls://192.168.1.10:8786". Raises ValueError.

    A scheduler on another machine must use TLS. Without TLS, anyone who can reach the scheduler can run programs on all
    its workers.
    """
    content = text(value)
    scheme, _, address_text = content.partition("://")
    if scheme not in ("tls", "tcp"):
        raise ValueError(
            f"should be the address of a scheduler, such as tls://192.168.1.10:8786, not {describe_value(value)}"
        )
    host_and_port = address(address_text)
    name = host_and_port.rpartition(":")[0]
    is_local = name == "localhost" or (is_address(name) and ipaddress.ip_address(name).is_loopback)
    if scheme == "tcp" and not is_local:
        raise ValueError(
            f"is {describe_value(value)}: anyone who can reach a scheduler without TLS can run programs on all "
            "its workers, so"
            " write tls:// and give the scheduler certificates, which highnoon worker --make-certificates DIR makes"
        )
    return f"{scheme}://{host_and_port}"


def publish_destination(event_folder: Path, value: object) -> str:
    """Returns a destination for publishing: the address of a bucket, or the absolute path of a folder. In the event
    file, the path may be relative to the folder `event_folder`. Raises ValueError.
    """
    content = text(value)
    scheme, separator, name = content.partition("://")
    if not separator:
        return str((event_folder / content).absolute())
    if scheme not in BUCKET_SCHEMES or not name:
        raise ValueError(f"should be a folder, or s3://, gs:// or az:// and a bucket, not {describe_value(value)}")
    return content


def network(item: object) -> str:
    """Reads a network such as 192.168.1.0/24, or a single address. Raises ValueError."""
    try:
        return str(ipaddress.ip_network(text(item)))
    except ValueError:
        raise ValueError(f"has {describe_value(item)}: write a network such as 192.168.1.0/24, or an address") from None


def _read_registry(item: object) -> str:
    content = text(item)
    name, _, number = content.partition(":")
    if not _is_host_name(name) or (number and not number.isdecimal()) or content != content.lower():
        raise ValueError(f"should be registries such as ghcr.io or 192.168.1.20:5000, not {describe_value(item)}")
    return content


def _list_of(read: Callable[[object], str], example: str) -> Callable[[object], tuple[str, ...]]:
    """Returns a function that reads each item of a list with `read` and may raise ValueError. `example` is a correct
    list for the error message.
    """

    def read_all(value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise ValueError(f"should be a list such as {example}, not {describe_value(value)}")
        return tuple(map(read, value))

    return read_all


networks = _list_of(network, '["192.168.1.0/24"]')
hosts = _list_of(host, '["192.168.1.20", "poker.local"]')
registries = _list_of(_read_registry, '["ghcr.io", "quay.io"]')


def _is_host_name(host_name: str) -> bool:
    has_only_digits = all(part.isdigit() for part in host_name.split("."))
    return len(host_name) <= 253 and not has_only_digits and _HOST_NAME.fullmatch(host_name) is not None
