"""Makes and checks the certificates by which a Dask scheduler, its workers and its clients trust one another.

The certificates are made once, and copied to every machine that takes part. Anyone who has the certificates, or who can
reach a scheduler without TLS, can run programs on all its workers.
"""

import datetime
import logging
import os
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from distributed import Security
from msgspec import Struct

from server.config.event_addresses import scheduler
from server.errors import Refusal

AUTHORITY, CERTIFICATE, KEY = "authority.pem", "member.pem", "member.key"
_VALID_FROM, _VALID_UNTIL = (datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (2000, 2100))
"""When certificates become valid and expire. The span is wide because some machines' clocks are wrong."""
_KEY_USAGES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
    "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
)  # fmt: skip


class Cluster(Struct, frozen=True):
    """A scheduler's address, and the folder of certificates. A scheduler on this machine needs no certificates."""

    address: str
    certificates: Path | None = None

    def security(self) -> Security:
        """Returns the certificates in the form that Dask needs."""
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
    """Returns the cluster of the scheduler at an address such as "tls://192.168.1.10:8786".

    Raises Refusal if the certificates cannot be used, or if the scheduler is on another machine and has no TLS.
    """
    try:
        address = scheduler(address)
    except ValueError as error:
        raise Refusal(f"the scheduler's address {error}") from None
    if address.startswith("tcp:"):
        return Cluster(address)
    if certificates is None:
        raise Refusal(f"{address} needs certificates: highnoon worker --make-certificates DIR makes them")
    check_certificates(certificates)
    return Cluster(address, certificates.resolve())


def silence_dask() -> None:
    """Stops Dask from printing. The callers of this function themselves report what matters."""
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":  # some of its loggers set their own level
            logging.getLogger(name).setLevel(logging.CRITICAL)


def make_certificates(folder: Path) -> None:
    """Creates `folder` with an authority's certificate, a member's certificate and the member's key.

    Nobody can sign more certificates later, because the authority's key is discarded. Raises Refusal if `folder`
    already has certificates, OSError if the new ones cannot be written.
    """
    if any((folder / name).exists() for name in (AUTHORITY, CERTIFICATE, KEY)):
        raise Refusal(f"{folder} has certificates already; new ones would lock out the workers that use them")
    folder.mkdir(parents=True, exist_ok=True)
    authority, member = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = _x509_name("High Noon workers")
    authority_certificate = _make_certificate(issuer, authority, issuer, authority, is_authority=True)
    member_certificate = _make_certificate(_x509_name("a worker"), member, issuer, authority, is_authority=False)
    _write(folder / AUTHORITY, authority_certificate.public_bytes(serialization.Encoding.PEM))
    _write(folder / CERTIFICATE, member_certificate.public_bytes(serialization.Encoding.PEM))
    key_format = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    _write(folder / KEY, member.private_bytes(serialization.Encoding.PEM, *key_format))


def check_certificates(folder: Path) -> None:
    """Raises Refusal, with advice, if the certificates in `folder` cannot be used on this machine."""
    missing = [name for name in (AUTHORITY, CERTIFICATE, KEY) if not (folder / name).is_file()]
    if missing:
        raise Refusal(f"{folder} lacks {' and '.join(missing)}: copy the whole folder of certificates")
    try:
        context = ssl.create_default_context(cafile=folder / AUTHORITY)
        context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
        extensions = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes()).extensions
        extensions.get_extension_for_class(x509.AuthorityKeyIdentifier)
    except x509.ExtensionNotFound:
        if context.verify_flags & ssl.VERIFY_X509_STRICT:
            raise Refusal(
                f"{folder} was made by an earlier version, and Python 3.13 does not accept such certificates. Make new"
                " ones with highnoon worker --make-certificates NEW_DIR, and copy that folder to every machine"
            ) from None
    except (OSError, ValueError) as error:
        raise Refusal(f"the certificates in {folder} cannot be read: {error}") from None


def _x509_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _make_certificate(
    subject: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Name,
    authority: ec.EllipticCurvePrivateKey,
    *,
    is_authority: bool,
) -> x509.Certificate:
    """Makes a certificate for `key`, signed by `authority`. It has the extensions that Python 3.13 requires."""
    public = key.public_key()
    usage = dict.fromkeys(_KEY_USAGES, False) | {"digital_signature": not is_authority, "key_cert_sign": is_authority}
    builder = x509.CertificateBuilder(issuer, subject, public, x509.random_serial_number(), _VALID_FROM, _VALID_UNTIL)
    constraints = x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None)
    builder = builder.add_extension(constraints, critical=True)
    builder = builder.add_extension(x509.KeyUsage(**usage), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
    return builder.add_extension(signer, critical=False).sign(authority, hashes.SHA256())


def _write(path: Path, text: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
