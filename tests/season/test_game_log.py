"""The public log of a game: its lines, its limits, and no control characters for a terminal."""

from collections.abc import Callable
from pathlib import Path

from server.season.game_log import LONGEST, MOST_BYTES, GameLog


class Connection:
    """A connection whose other end is the test."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def attach(self, received: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self.say = received
        self.lose = lost

    def send(
        self, message: bytes, *, droppable: bool = False, handed: Callable[[], None] | None = None
    ) -> Callable[[], None]:
        self.sent.append(message)
        if handed:
            handed()
        return lambda: None

    def drain(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_lines_stand_in_their_order_with_milliseconds(tmp_path: Path) -> None:
    now = [100.0]
    wire, received, handed = Connection(), list[bytes](), list[str]()
    log = GameLog(tmp_path / "game.log", lambda: now[0])
    tapped = log.tap("Defender", wire)
    tapped.attach(received.append, lambda _: None)
    log.system("round 1/100")
    tapped.send(b"START SB\n")
    now[0] += 0.012
    tapped.send(b"STACK 1 50 2 50\n", handed=lambda: handed.append("asked"))
    now[0] += 1
    for piece in (b" R", b"6\r\n\n\x1b[2J", "ü\n".encode(), b"x" * 500, b"\nC"):
        wire.say(piece)
    log.close()
    assert (tmp_path / "game.log").read_text().splitlines() == [
        "[0] System > round 1/100",
        "[0] Defender < START SB",
        "[12] Defender < STACK 1 50 2 50",
        "[1012] Defender > R6",
        "[1012] Defender > ?[2Jü",
        f"[1012] Defender > {'x' * (LONGEST - 1)}…",
    ]
    assert b"".join(received).endswith(b"x\nC")
    assert (wire.sent, handed) == ([b"START SB\n", b"STACK 1 50 2 50\n"], ["asked"])


def test_of_a_bot_that_never_stops_talking_only_so_much_is_kept(tmp_path: Path) -> None:
    wire = Connection()
    log = GameLog(tmp_path / "game.log", lambda: 0.0)
    log.tap("Challenger", wire).attach(lambda _: None, lambda _: None)
    for _ in range(100):
        wire.say(b"noise\n" * 1000)
    log.system("Challenger loses the game")
    log.close()
    kept = (tmp_path / "game.log").read_bytes()
    assert MOST_BYTES / 2 < len(kept) < 1.5 * MOST_BYTES
    assert kept.endswith(b"[0] System > Challenger loses the game\n")


def test_only_the_owner_may_read_the_log_and_a_resumed_game_continues_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "game.log"
    for round_ in (1, 2):
        log = GameLog(path, lambda: 0.0)
        log.system(f"round {round_}/2")
        log.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == "[0] System > round 1/2\n[0] System > round 2/2\n"
