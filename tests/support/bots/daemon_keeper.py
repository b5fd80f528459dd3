"""`python daemon_keeper.py PID FOLDER`: runs a Docker daemon for the tests until process PID ends or is killed.

The daemon writes only to FOLDER. Its socket is FOLDER/sock.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path


def main(tests_pid: str, folder: str) -> None:
    os.setsid()
    home = Path(folder)
    paths = {"data-root": "data", "exec-root": "exec", "pidfile": "pid", "host": "sock"}
    options = [f"--{option}={'unix://' if option == 'host' else ''}{home / name}" for option, name in paths.items()]
    command = ["dockerd", *options, "--iptables=false", "--ip6tables=false", "--bridge=none"]
    tests_process = os.pidfd_open(int(tests_pid))
    with (home / "log").open("wb") as log:
        daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    daemon_process = os.pidfd_open(daemon.pid)
    select.select([tests_process, daemon_process], [], [])
    daemon.send_signal(signal.SIGTERM)
    try:
        daemon.wait(30)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
    for namespace in (home / "exec/netns").glob("*"):  # dockerd leaves these mounted
        subprocess.run(["umount", namespace], check=False)
    if select.select([tests_process], [], [])[0]:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
