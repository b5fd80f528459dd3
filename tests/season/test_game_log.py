"""The public log of a game: its lines and its maximum size."""

from pathlib import Path

from server.season.game_log import MAX_BYTES, MAX_LINE_CHARACTERS, GameLog


def test_lines_have_their_time_and_no_control_characters(tmp_path: Path) -> None:
    now = [100.0]
    log = GameLog(tmp_path / "game.log", lambda: now[0])
    record = log.record("Defender")
    log.system("round 1/100")
    record.record(">", b"START SB\n")
    now[0] += 0.012
    record.record(">", b"STACK 1 50 2 50\n")
    now[0] += 1
    for piece in (b" R", b"6\r\n\n\x1b[2J", "ü\n".encode(), b"x" * 500, b"\nC"):
        record.record("<", piece)
    log.close()
    resumed = GameLog(tmp_path / "game.log", lambda: 0.0)
    resumed.system("round 2/100")
    resumed.close()
    assert (tmp_path / "game.log").stat().st_mode & 0o777 == 0o600, "only its owner may read it"
    assert (tmp_path / "game.log").read_text().splitlines() == [
        "[0] System > round 1/100",
        "[0] Defender < START SB",
        "[12] Defender < STACK 1 50 2 50",
        "[1012] Defender > R6",
        "[1012] Defender > ?[2Jü",
        f"[1012] Defender > {'x' * (MAX_LINE_CHARACTERS - 1)}…",
        "[0] System > round 2/100",
    ]


def test_endless_output_is_cut_off(tmp_path: Path) -> None:
    log = GameLog(tmp_path / "game.log", lambda: 0.0)
    record = log.record("Challenger")
    for _ in range(100):
        record.record("<", b"noise\n" * 1000)
    log.system("Challenger loses the game")
    log.close()
    kept = (tmp_path / "game.log").read_bytes()
    assert MAX_BYTES / 2 < len(kept) < 1.5 * MAX_BYTES
    assert kept.endswith(b"[0] System > Challenger loses the game\n")
