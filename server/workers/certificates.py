"""The certificates by which a scheduler, its workers and whoever gives them games know one another.

One folder is made once and copied to every machine that takes part. Who has it may run programs on all of them.
"""

import datetime
import os
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.errors import Refusal

AUTHORITY, CERTIFICATE, KEY = "authority.pem", "member.pem", "member.key"
_FROM, _UNTIL = (datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (2000, 2100))
"""So wide that a machine whose clock is wrong can still take part."""


def make_certificates(folder: Path) -> None:
    """Writes an authority's certificate, a member's certificate and its key into `folder`, which is made.

    The authority's own key is thrown away, so nothing else is ever signed with it. Raises Refusal where there are
    certificates already, OSError where they cannot be written.
    """
    if any((folder / name).exists() for name in (AUTHORITY, CERTIFICATE, KEY)):
        raise Refusal(f"{folder} has certificates already; workers that have them would be locked out by new ones")
    folder.mkdir(parents=True, exist_ok=True)
    authority, member = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    signed_by = _name("High Noon workers")
    ours = _certificate(signed_by, authority.public_key(), signed_by, ca=True).sign(authority, hashes.SHA256())
    theirs = _certificate(_name("a worker"), member.public_key(), signed_by, ca=False)
    _write(folder / AUTHORITY, ours.public_bytes(serialization.Encoding.PEM))
    _write(folder / CERTIFICATE, theirs.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    private = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    _write(folder / KEY, member.private_bytes(serialization.Encoding.PEM, *private))


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _certificate(
    subject: x509.Name, key: ec.EllipticCurvePublicKey, issuer: x509.Name, *, ca: bool
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number(), _FROM, _UNTIL)
    return builder.add_extension(x509.BasicConstraints(ca=ca, path_length=0 if ca else None), critical=True)


def _write(path: Path, text: bytes) -> None:
    """Writes a file that only its owner may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
