"""The `highnoon` command trusts nothing that workers on other machines send. A worker checks all files that it gets."""

import asyncio
import contextlib
import os
import pickle
import random
import ssl
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from distributed.protocol.core import dumps
from distributed.protocol.serialize import ToPickle, to_serialize
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.video.frames import Clip, Cut
from server.app.clips import film_clips as clips
from server.app.clips.film_clips import save_checked_clip
from server.app.evening.deals_on_workers import MAX_REMARK_CHARACTERS, PlayedTable, TableOrder, verify_table
from server.app.probe import probe_bots as probes
from server.app.probe.probe_bots import decode_checks
from server.app.probe.probing import failed_arrival
from server.app.sparring.deals_job import DealsOrder, PlayedDeals, play_deals, verify_deals
from server.app.sparring.sides import Side  # A side is one bot of a match.
from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault
from server.bots.sandbox.runner import BoxEnvironment
from server.config.event_addresses import scheduler
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.errors import Refusal
from server.game.deals import deal_rules
from server.game.events import ChatSent, Entrant, Event, FaultNoted, HandEnded, HoleDealt, NoteGiven
from server.submissions.folder_rules import digest_of
from server.tournament.play_deal import MAX_ANYTIME_EVENTS, Deal, DealRoom, deal_keys
from server.workers import workplace
from server.workers.abilities import CORES_PER_GAME, CORES_RESOURCE, Abilities, languages_in, sandbox_resource
from server.workers.certificates import AUTHORITY, CERTIFICATE, KEY, cluster_at, make_certificates
from server.workers.connect_to_workers import connect_to_workers
from server.workers.connection import Connection, KnownWorker
from server.workers.plain_data import UndecodedReply, plain_frames
from server.workers.work_dispatcher import Work
from server.workers.worker_messages import GAME_BYTES, ResultRejected, encode
from server.workers.workplace import BadFiles, Workplace, pack_folder, unpack
from tests.support.archives import Entry, tar_of
from tests.support.background import background_task
from tests.support.games.contests import SEED, DiceBot
from tests.support.program import SECONDS, highnoon
from tests.support.programs.cluster import Cluster, cluster
from tests.support.published import files_in
from tests.support.source_files import ROOT
from tests.workers.bad_worker import UNPICKLERS_FILE

ORDER = DealsOrder("quick-draw", (Side("house", "careful", "Ann"), Side("house", "loose", "Bo")), bytes(32), 20, 6, 5)
"""An order to play 5 of the 20 deals of a match. The players are house bots, which need no boxes (sandboxes)."""


def test_deals_are_accepted_only_if_they_were_ordered_and_are_unaltered(tmp_path: Path) -> None:
    no_runner: Any = None
    honest_result = asyncio.run(play_deals(Workplace(no_runner, tmp_path), encode(ORDER)))
    verified = verify_deals(honest_result, ORDER)
    assert (len(verified.deals), verified.bot_left) == (ORDER.count, None)
    played = msgspec.msgpack.decode(honest_result, type=PlayedDeals)
    first, second = played.tables
    for result, order, reason in (
        (played, replace(ORDER, first=1), "the number of the game"),
        (played, replace(ORDER, deals=30), "the stage"),
        (played, replace(ORDER, count=6), "the number of deals"),
        (played, replace(ORDER, sides=ORDER.sides[::-1]), "the match"),
        (replace(played, tables=(first,)), ORDER, "the number of tables"),
        (replace(played, tables=(first[:-1], second)), ORDER, "whether it is complete"),
        (replace(played, tables=(b"", second)), ORDER, "not a journal"),
        (replace(played, lost=3), ORDER, "the bot that left is not in the match"),
    ):
        with pytest.raises(ResultRejected, match=reason):
            verify_deals(encode(result), order)


def test_large_or_unreadable_result_is_refused(tmp_path: Path) -> None:
    clip, film = Clip((Cut(0, 1),)), tmp_path / "film.mp4"
    for max_bytes, read in (
        (GAME_BYTES, lambda result: verify_deals(result, ORDER)),
        (GAME_BYTES, lambda result: asyncio.run(verify_table(result, TABLE))),
        (probes.MAX_BYTES, lambda result: decode_checks(result, "upac")),
        (clips.MAX_BYTES, lambda result: asyncio.run(save_checked_clip(result, clip, "ffmpeg", film))),
    ):
        with pytest.raises(ResultRejected, match="the limit is"):
            read(bytes(max_bytes + 1))
        with pytest.raises(ResultRejected):
            read(b"nonsense")
    assert not list(tmp_path.iterdir()), "no part of a refused result may be kept"


def test_all_checks_of_a_bot_must_be_present() -> None:
    absent_checks = failed_arrival("upac", "it is not there")
    assert decode_checks(encode(absent_checks), "upac") == absent_checks
    for incomplete in ([replace(absent_checks[0], ok=True)], []):
        with pytest.raises(ResultRejected, match="what was tried"):
            decode_checks(encode(incomplete), "upac")


ENTRANTS = tuple(Entrant(bot, f"Bot {bot}") for bot in range(1, 4))
DEAL = Deal(deal_rules(QUICK_DRAW_FORMAT.rules, 1), 4, 3, (5000,) * 3, deal_keys(SEED, 4, 3))
SIDES = tuple(Side("folder", "0" * 64, entrant.name) for entrant in ENTRANTS)
TABLE = TableOrder("quick-draw", DEAL, 1, ENTRANTS, SIDES, BoxEnvironment("evening"))
"""An order to play three hands at the second table of a deal."""


@pytest.fixture(scope="module")
def events() -> Sequence[Event]:
    """Plays the hands that TABLE orders, as an honest worker does. Returns the events."""

    async def play() -> Sequence[Event]:
        room, dice = DealRoom(1), random.Random(3)
        bots = tuple(DiceBot(entrant.bot, dice, lambda event: room.add_bot_event(1, event)) for entrant in ENTRANTS)
        (result,) = await room.play(DEAL, [(ENTRANTS, bots, ())], 1)
        return (ChatSent(1, "howdy"), *result.log.events)

    return asyncio.run(play())


def verified_events(events: Any, order: TableOrder = TABLE) -> tuple[Event, ...]:
    """Verifies a worker's events from a table, and returns them. Raises ResultRejected if they are not valid."""
    verified, _ = asyncio.run(verify_table(encode(PlayedTable(tuple(events))), order))
    return tuple(verified.log.events)


def with_first_changed(events: Sequence[Event], event_type: type[Event], **fields: object) -> list[Event]:
    index = next(number for number, event in enumerate(events) if isinstance(event, event_type))
    return [*events[:index], replace(events[index], **fields), *events[index + 1 :]]


def test_table_is_accepted_only_if_it_was_ordered_and_is_unaltered(events: Sequence[Event]) -> None:
    play = [event for event in events if not isinstance(event, ChatSent | FaultNoted | NoteGiven)]
    for order in (TABLE, replace(TABLE, recorded=tuple(play[:5]))):
        assert verified_events(events, order) == events
    for altered, order, reason in (
        (events, replace(TABLE, deal=replace(DEAL, keys=deal_keys(SEED, 5, 3))), None),
        (events, replace(TABLE, deal=replace(DEAL, stacks=(4000,) * 3)), None),
        (events, replace(TABLE, recorded=(ChatSent(1, "howdy"),)), None),
        (events, replace(TABLE, recorded=(*play[:5], play[4])), "does not begin with the recorded events"),
        (events[:-1], TABLE, "the same deal and decisions lead to"),
        (events[:12], TABLE, "ends before its last decision"),
        (with_first_changed(events, HoleDealt, cards=("As", "Ah")), TABLE, "a table has "),
        (with_first_changed(events, HandEnded, stacks=(15000, 0, 0)), TABLE, "a table has "),
        ((ChatSent(4, "I do not play here"), *events), TABLE, "bots at this table cannot cause"),
        ((*[ChatSent(1, "howdy")] * 2 * MAX_ANYTIME_EVENTS, *events), TABLE, "more chats and notes than bots may send"),
    ):
        with pytest.raises(ResultRejected, match=reason):
            verified_events(altered, order)


def test_text_from_a_worker_is_made_safe(events: Sequence[Event]) -> None:
    hostile_text = "\u202e" + "x" * 2000
    hostile_fault = FaultNoted(3, "malformed", hostile_text + "\x1b[2J")
    hostile_events = (ChatSent(1, hostile_text), NoteGiven(2, 1, hostile_text, hostile_text), hostile_fault)
    chat, note, fault, *_ = verified_events((*hostile_events, *events))
    assert isinstance(chat, ChatSent)
    assert len(chat.text) == 200
    assert isinstance(note, NoteGiven)
    assert (len(note.text), len(note.thought or "")) == (200, 600)
    assert isinstance(fault, FaultNoted)
    assert (len(fault.detail), "\x1b" in fault.detail) == (MAX_REMARK_CHARACTERS, False)
    short, *_ = verified_events((NoteGiven(2, 1, "a tell"), *events))
    assert short == NoteGiven(2, 1, "a tell", UNSET)


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    with cluster(tmp_path_factory.mktemp("cluster")) as running_cluster:
        yield running_cluster


@pytest.mark.parametrize(("attack", "reason"), [
    ("error", "it fails at a game"),
    ("event", "its answer cannot be read"),
    ("files", "it cannot keep files"),
    ("huge", "its answer cannot be read: a message of"),
    ("pickle", "its answer cannot be read"),
    ("result", "its answer cannot be read"),
])  # fmt: skip
def test_hostile_worker_is_shut_out_at_once(attack: str, reason: str, workers: Cluster, tmp_path: Path) -> None:
    tries: list[int] = []

    async def accept(*_: object) -> None:
        raise AssertionError("no answer of a hostile worker may be accepted")

    async def ask_hostile_worker() -> dict[str, str]:
        async with connect_to_workers(workers.address, workers.certificates) as dispatcher:
            work = Work("a game", "game", b"", {CORES_RESOURCE: 1}, {"files": tmp_path})
            async with background_task(dispatcher.do_on_worker(work, accept, tries.append)):
                while not dispatcher.connection.shut_out_reasons:
                    await dispatcher.connection.wait_for_change()
            return dispatcher.connection.shut_out_reasons

    workers.start_worker(attack, "tests.workers.bad_worker")
    try:
        (shut_out_because,) = asyncio.run(asyncio.wait_for(ask_hostile_worker(), SECONDS)).values()
    finally:
        workers.kill_worker(attack)
    assert shut_out_because.startswith(reason)
    assert len(tries) <= 2
    list_of_unpicklers = workers.folder / UNPICKLERS_FILE
    assert not list_of_unpicklers.exists() or str(os.getpid()) not in list_of_unpicklers.read_text().split()


def test_only_plain_data_is_decoded() -> None:
    received = [{"op": "event", "event": "for everybody's terminal"}, {"op": "x", "of": [1, "two"], "names": {"a"}}]
    assert plain_frames(dumps(received)) == [{"op": "x", "of": (1, "two"), "names": {"a"}}]
    for payload in (*map(to_serialize, (["a list"], ValueError(), bytearray(b"of another type"))), ToPickle("howdy")):
        assert isinstance(plain_frames(dumps({"data": payload}))["data"], UndecodedReply)
    message = plain_frames(dumps({"status": "error", "exception": pickle.dumps(1), "traceback": pickle.dumps(1)}))
    assert isinstance(message["exception"], UndecodedReply)
    assert message["traceback"] is None
    frames = dumps({"data": to_serialize(bytes(1 << 20))}, context={"compression": "zlib"})
    assert sum(map(len, frames)) < 1 << 16
    assert isinstance(plain_frames(frames)["data"], UndecodedReply)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    (folder / "weights").mkdir(parents=True)
    (folder / "weights" / "large.bin").write_bytes(os.urandom(5_000))
    (folder / "notes.txt").write_text("notes")
    (folder / "bot.sh").write_text("#!/bin/sh\n")
    (folder / "bot.sh").chmod(0o755)
    (folder / "start").symlink_to("bot.sh")
    return folder


@pytest.fixture
def destination(tmp_path: Path) -> Path:
    (folder := tmp_path / "destination").mkdir()
    return folder


def test_files_arrive_with_their_execute_bits_and_links(bot: Path, destination: Path) -> None:
    unpack(pack_folder(bot), destination, digest_of(bot))
    assert files_in(destination / "bot") == files_in(bot)
    assert (destination / "bot/bot.sh").stat().st_mode & 0o777 == 0o755
    assert (destination / "bot/notes.txt").stat().st_mode & 0o777 == 0o644
    assert (destination / "bot/start").readlink() == Path("bot.sh")


def test_truncated_altered_or_unannounced_archive_is_refused(bot: Path, destination: Path) -> None:
    intact, digest = pack_folder(bot), digest_of(bot)
    for offset in (0, 40, 3_000):
        altered = bytearray(intact)
        altered[offset] ^= 0xFF
        for archive, reason in ((intact[:offset], "cannot be unpacked"), (bytes(altered), ".")):
            (folder := destination / f"{offset} {reason}").mkdir()
            with pytest.raises(BadFiles, match=reason):
                unpack(archive, folder, digest)
    (bot / "notes.txt").write_text("others")
    with pytest.raises(BadFiles, match="not the announced files"):
        unpack(pack_folder(bot), destination, digest)


@pytest.mark.parametrize("entries", [
    [("../outside", tarfile.REGTYPE, b"")],
    [("bot/link", tarfile.SYMTYPE, ".."), ("bot/link/outside", tarfile.REGTYPE, b"")],
    [("bot/hard", tarfile.LNKTYPE, "../outside")],
    [("bot/a", tarfile.SYMTYPE, "/etc/passwd")],
    [("bot/a", tarfile.SYMTYPE, "."), ("bot/b", tarfile.SYMTYPE, "a/a/../../outside")],
])  # fmt: skip
def test_no_link_or_file_leads_outside_the_folder(entries: list[Entry], destination: Path) -> None:
    with pytest.raises(BadFiles, match=r"leads out of the(ir)? folder"):
        unpack(tar_of([("bot", tarfile.DIRTYPE, b""), *entries], "w:gz"), destination, "")
    assert [path.name for path in destination.parent.iterdir()] == ["destination"]
    assert [path.name for path in destination.iterdir()] == ["bot"]


def test_too_large_files_are_neither_sent_nor_accepted(
    bot: Path, destination: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = pack_folder(bot)
    monkeypatch.setattr(workplace, "MAX_BYTES", 5_000)
    with pytest.raises(Refusal, match="at most 0 MB are sent"):
        pack_folder(bot)
    with pytest.raises(BadFiles, match="or larger ones, than any"):
        unpack(archive, destination, digest_of(bot))


def test_scheduler_on_another_machine_is_reached_only_over_tls() -> None:
    for address in ("tls://192.168.1.10:8786", "tcp://127.0.0.1:8786", "tcp://localhost:8786"):
        assert scheduler(address) == address
    for address, reason in (
        ("tcp://192.168.1.10:8786", "without TLS can run programs on all its workers"),
        ("tcp://0.0.0.0:8786", "without TLS can run programs on all its workers"),
        ("http://127.0.0.1:8786", "such as tls://192.168.1.10:8786"),
        ("tls://192.168.1.10", "an address with a port"),
    ):
        with pytest.raises(ValueError, match=reason):
            scheduler(address)


def test_only_the_owner_can_read_the_certificates(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    command = highnoon("worker", "--make-certificates", str(folder))
    assert command.returncode == 0
    assert f"highnoon worker tls://ADDRESS:8786 --certificates {folder}" in command.stdout
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == dict.fromkeys((AUTHORITY, CERTIFICATE, KEY), 0o600)
    refusal = highnoon("worker", "--make-certificates", str(folder))
    assert (refusal.returncode, "has certificates already" in refusal.stderr) == (1, True)


def test_strangers_certificates_are_rejected(tmp_path: Path) -> None:
    own, strangers = tmp_path / "own", tmp_path / "strangers"
    make_certificates(own)
    make_certificates(strangers)
    shake_hands(own, own)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(own, strangers)


def shake_hands(client_certificates: Path, server_certificates: Path) -> None:
    """Performs a TLS handshake in memory, with both sides in this thread. Raises SSLError if the handshake fails."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(server_certificates / CERTIFICATE, server_certificates / KEY)
    client = ssl.create_default_context(cafile=client_certificates / AUTHORITY)
    client.check_hostname = False
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = client.wrap_bio(to_client, to_server), server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(6):
        for side in sides:
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()


def test_certificates_of_an_earlier_version_work_or_are_explained() -> None:
    """Python 3.13 and later versions refuse the certificates that earlier versions of High Noon made."""
    earlier_certificates = ROOT / "tests" / "data" / "certificates"
    if sys.version_info < (3, 13):
        assert cluster_at("tls://127.0.0.1:8786", earlier_certificates).certificates == earlier_certificates
        return
    with pytest.raises(Refusal, match=r"earlier version.* highnoon worker --make-certificates NEW_DIR"):
        cluster_at("tls://127.0.0.1:8786", earlier_certificates)


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


def test_worker_needs_a_sandbox_languages_and_two_processors() -> None:
    assert [languages_in(words) for words in ("python3 bot.py", "g++ a.cpp ./a.out")] == [{"python3"}, {"g++"}]
    connection = Connection(cluster_at("tcp://127.0.0.1:9", None))
    abilities = {
        "all": Abilities("1", "light", ("python3", "g++", "node"), 4, 0),
        "no g++": Abilities("1", "light", ("python3",), 4, 0),
        "one processor": Abilities("1", "light", ("python3", "g++"), 1, 0),
        "Docker": Abilities("1", "docker", (), 4, 0),
    }
    connection.workers = {name: KnownWorker(name, name, ability, 0) for name, ability in abilities.items()}
    # With Docker, the bot's image contains the languages, so the worker needs none.
    for sandbox, able_worker in (("light", "all"), ("docker", "Docker")):
        needs = {CORES_RESOURCE: CORES_PER_GAME, sandbox_resource(sandbox): 1.0}
        assert [worker.name for worker in connection.find_able(needs, {"python3", "g++"})] == [able_worker]
    refusal = highnoon("worker", "tcp://127.0.0.1:9", "--cores", "1")
    assert (refusal.returncode, "a game needs 2 processors, one for each bot" in refusal.stderr) == (1, True)
