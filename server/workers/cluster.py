"""Where a Dask scheduler is, and how it is reached. Who reaches one without TLS may run programs on all its workers."""

import logging
from pathlib import Path

from distributed import Security
from msgspec import Struct

from server.config.event_addresses import scheduler
from server.errors import Refusal
from server.workers.certificates import AUTHORITY, CERTIFICATE, KEY, check_certificates


class Cluster(Struct, frozen=True):
    """A scheduler's address, and the folder of certificates with which it is reached; None on this machine alone."""

    address: str
    certificates: Path | None = None

    def security(self) -> Security:
        """The certificates as Dask takes them."""
        if self.certificates is None:
            return Security()
        authority, certificate, key = (str(self.certificates / name) for name in (AUTHORITY, CERTIFICATE, KEY))
        return Security(
            tls_ca_file=authority,
            tls_client_cert=certificate,
            tls_client_key=key,
            tls_worker_cert=certificate,
            tls_worker_key=key,
            require_encryption=True,
        )


def cluster_at(address: str, certificates: Path | None) -> Cluster:
    """The cluster whose scheduler has an address such as "tls://192.168.1.10:8786".

    Raises Refusal for an address without TLS that is not on this machine, and for certificates that cannot be used.
    """
    try:
        address = scheduler(address)
    except ValueError as error:
        raise Refusal(f"the scheduler's address {error}") from None
    if address.startswith("tcp:"):
        return Cluster(address)
    if certificates is None:
        raise Refusal(f"{address} is reached with certificates: highnoon worker --make-certificates DIR makes them")
    check_certificates(certificates)
    return Cluster(address, certificates.resolve())


def be_quiet() -> None:
    """Stops Dask from printing what it does: whoever uses it says what matters in words of its own."""
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":  # some of them have a level of their own
            logging.getLogger(name).setLevel(logging.CRITICAL)
