"""`python daemon_keeper.py PID FOLDER`: runs a Docker daemon for the tests until process PID ends in any way.

The daemon's socket is FOLDER/sock.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

_STOP_SECONDS = 30


def main(tests: str, folder: str) -> None:
    """Starts the daemon, waits until the tests end, stops it and removes its files."""
    os.setsid()
    home = Path(folder)
    tests_process = os.pidfd_open(int(tests))
    with (home / "log").open("wb") as log:
        daemon = subprocess.Popen(_command(home), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    daemon_process = os.pidfd_open(daemon.pid)
    select.select([tests_process, daemon_process], [], [])
    daemon.send_signal(signal.SIGTERM)
    try:
        daemon.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
    if select.select([tests_process], [], [])[0]:
        shutil.rmtree(home, ignore_errors=True)


def _command(home: Path) -> list[str]:
    """The command of a daemon that keeps all files in one folder.

    It changes nothing on this machine: it makes no firewall rules and no bridge.
    """
    paths = {"data-root": "data", "exec-root": "exec", "pidfile": "pid", "host": "sock"}
    options = [f"--{option}={'unix://' if option == 'host' else ''}{home / name}" for option, name in paths.items()]
    return ["dockerd", *options, "--iptables=false", "--ip6tables=false", "--bridge=none"]


if __name__ == "__main__":
    main(*sys.argv[1:])
