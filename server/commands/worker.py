"""`highnoon worker ADDRESS`: plays games and does other jobs for other machines, or makes the certificates that workers
need.
"""

from pathlib import Path

from broadcast.video.chromium import find_chromium
from broadcast.video.ffmpeg import find_ffmpeg
from server.app.clips.film_clips import CLIP_JOB, film_as_worker
from server.app.evening.deals_on_workers import TABLE_JOB, play_table
from server.app.probe.probe_bots import PROBE_JOB, probe_as_worker
from server.app.sparring.deals_job import DEALS_JOB, play_deals
from server.bots.choose_sandbox import RunnerKind
from server.console import say
from server.errors import Refusal

try:
    from server.workers.abilities import FILM_PROGRAMS
    from server.workers.certificates import cluster_at
    from server.workers.certificates import make_certificates as write_certificates
    from server.workers.worker_games import GAME_JOB, play_ordered_game
    from server.workers.worker_program import run_worker
except ModuleNotFoundError:
    raise Refusal("a worker needs Dask, which is not installed: pip install 'highnoon[workers]'") from None


async def worker(
    *,
    address: str,
    make_certificates: Path | None,
    certificates: Path | None,
    folder: Path,
    runner: RunnerKind,
    cores: int,
) -> int:
    """Works for the scheduler at `address` until Ctrl-C. If `make_certificates` is a folder, only writes certificates
    to this folder. Returns 0. `folder` is for bots' files. `cores` is the number of processors to use, or 0 for all.
    Raises Refusal if the address, the certificates or the number of processors cannot be used, CannotRun if this
    machine cannot run bots, and OSError.
    """
    if make_certificates:
        return _make_certificates(make_certificates)
    programs = (FILM_PROGRAMS,) if find_chromium() and find_ffmpeg() else ()
    jobs = {
        GAME_JOB: play_ordered_game,
        TABLE_JOB: play_table,
        DEALS_JOB: play_deals,
        PROBE_JOB: probe_as_worker,
        CLIP_JOB: film_as_worker,
    }
    cluster = cluster_at(address, certificates)
    await run_worker(cluster, jobs, folder, kind=runner, cores=cores, programs=programs)
    return 0


def _make_certificates(folder: Path) -> int:
    write_certificates(folder)
    say(f"certificates for a scheduler and its workers are in {folder}. Copy that folder to each machine that takes")
    say("part, but give it to nobody else: whoever has it can run programs on them all. On one machine, run")
    options = f"--tls-ca-file {folder}/authority.pem --tls-cert {folder}/member.pem --tls-key {folder}/member.key"
    say(f"  dask scheduler --protocol tls --port 8786 --no-dashboard {options}")
    say("on each worker, with the address of the scheduler's machine, run")
    say(f"  highnoon worker tls://ADDRESS:8786 --certificates {folder}")
    say("and in the event file of the season, write")
    say(f'  [workers]\n  scheduler = "tls://ADDRESS:8786"\n  certificates = "{folder}"')
    return 0
