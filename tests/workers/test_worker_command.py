"""A scheduler is reached only with the right certificates, and the command says what a worker lacks."""

import contextlib
import ssl
import sys
from pathlib import Path

import pytest

from server.config.event_addresses import scheduler
from server.errors import Refusal
from server.workers.abilities import CORES_PER_GAME, CORES_RESOURCE, Abilities, languages_in, sandbox_resource
from server.workers.cluster import AUTHORITY, CERTIFICATE, KEY, cluster_at, make_certificates
from server.workers.connection import Connection, KnownWorker
from tests.support.program import highnoon

EARLIER = Path(__file__).parents[1] / "data" / "certificates"
"""Certificates made by an earlier version; Python 3.13 does not accept them."""


def test_scheduler_on_another_machine_is_reached_only_over_tls() -> None:
    for address in ("tls://192.168.1.10:8786", "tcp://127.0.0.1:8786", "tcp://localhost:8786"):
        assert scheduler(address) == address
    for address, why in (
        ("tcp://192.168.1.10:8786", "without TLS can run programs on all its workers"),
        ("tcp://0.0.0.0:8786", "without TLS can run programs on all its workers"),
        ("http://127.0.0.1:8786", "such as tls://192.168.1.10:8786"),
        ("tls://192.168.1.10", "an address with a port"),
    ):
        with pytest.raises(ValueError, match=why):
            scheduler(address)


def test_certificates_are_made_only_once_and_can_be_read_only_by_their_owner(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    made = highnoon("worker", "--make-certificates", str(folder))
    assert (made.returncode, f"highnoon worker tls://ADDRESS:8786 --certificates {folder}" in made.stdout) == (0, True)
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == dict.fromkeys((AUTHORITY, CERTIFICATE, KEY), 0o600)
    context = ssl.create_default_context(cafile=folder / AUTHORITY)
    context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
    again = highnoon("worker", "--make-certificates", str(folder))
    assert (again.returncode, "has certificates already" in again.stderr) == (1, True)


def test_strangers_certificates_are_rejected(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    make_certificates(ours)
    make_certificates(theirs)
    shake_hands(ours, ours)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(ours, theirs)


def shake_hands(ours: Path, theirs: Path) -> None:
    """Performs a TLS handshake in memory, with both sides in this thread. Raises SSLError if it fails."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(theirs / CERTIFICATE, theirs / KEY)
    client = ssl.create_default_context(cafile=ours / AUTHORITY)
    client.check_hostname = False
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = client.wrap_bio(back, there), server.wrap_bio(there, back, server_side=True)
    for _ in range(6):
        for side in sides:
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()


def test_certificates_of_an_earlier_version_work_or_are_explained() -> None:
    if sys.version_info < (3, 13):
        assert cluster_at("tls://127.0.0.1:8786", EARLIER).certificates == EARLIER
        return
    with pytest.raises(Refusal, match=r"earlier version.* highnoon worker --make-certificates NEW_DIR"):
        cluster_at("tls://127.0.0.1:8786", EARLIER)


def test_damaged_or_missing_certificates_are_refused(tmp_path: Path) -> None:
    for name in (AUTHORITY, CERTIFICATE, KEY):
        make_certificates(folder := tmp_path / name)
        (folder / name).write_text("howdy")
        with pytest.raises(Refusal, match="cannot be read"):
            cluster_at("tls://127.0.0.1:8786", folder)
    (incomplete := tmp_path / "incomplete").mkdir()
    (incomplete / AUTHORITY).touch()
    with pytest.raises(Refusal, match=f"{CERTIFICATE} and {KEY}"):
        cluster_at("tls://127.0.0.1:8786", incomplete)
    with pytest.raises(Refusal, match="needs certificates"):
        cluster_at("tls://127.0.0.1:8786", None)


def test_worker_needs_the_right_sandbox_the_bots_languages_and_two_processors() -> None:
    assert [languages_in(words) for words in ("python3 bot.py", "g++ a.cpp ./a.out")] == [{"python3"}, {"g++"}]
    connection = Connection(cluster_at("tcp://127.0.0.1:9", None))
    has = {
        "all": Abilities("1", "light", ("python3", "g++", "node"), 4, 0),
        "no g++": Abilities("1", "light", ("python3",), 4, 0),
        "one processor": Abilities("1", "light", ("python3", "g++"), 1, 0),
        "Docker": Abilities("1", "docker", (), 4, 0),
    }
    connection.workers = {name: KnownWorker(name, name, each, 0) for name, each in has.items()}

    def able(sandbox: str) -> list[str]:
        needs = {CORES_RESOURCE: CORES_PER_GAME, sandbox_resource(sandbox): 1.0}
        return [worker.name for worker in connection.find_able(needs, {"python3", "g++"})]

    assert able("light") == ["all"]
    assert able("docker") == ["Docker"], "with Docker, the images have the languages"
    refused = highnoon("worker", "tcp://127.0.0.1:9", "--cores", "1")
    assert (refused.returncode, "a game needs 2 processors, one for each bot" in refused.stderr) == (1, True)
