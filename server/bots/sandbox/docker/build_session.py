"""A build with limits on time, disk, files and output. The build stops as soon as it exceeds one of these limits."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from docker import APIClient
from requests import Response

from server.bots.sandbox.docker.engine import (
    ENGINE_FAULTS,
    disk_usage,
    folder_on_disk,
    hang_up,
    make_labels,
    stream_response,
    written_bytes,
)
from server.bots.sandbox.output_log import sanitized
from server.bots.sandbox.runner import BoxEnvironment, CannotRun, Say

_WATCH_SECONDS = 0.1
_MIN_FREE_BYTES = 2 << 30
"""How many bytes must stay free on the Docker Engine's disk. If there is less room, the build stops.

The disk may also hold the tournament's recordings.
"""
_MAX_OUTPUT_BYTES = 8 << 20
_MIN_LINE_BYTES = 100
"""Every line of output is counted as at least this many bytes, because passing on and showing a line takes time."""
_MAX_LINE = 300


class BuildSession:
    """One build of the bot `name`. The limits are checked inside the `with` block. `say` gets each line of output.

    `labels` mark everything that the build makes. If a build is killed, a later run uses these labels to find and
    remove what is left.
    """

    def __init__(self, engine: APIClient, name: str, box_environment: BoxEnvironment, say: Say) -> None:
        self.engine = engine
        self.limits = box_environment.limits
        self.labels = make_labels(box_environment.label, name)
        self.registries = box_environment.registries
        self.made_images: list[str] = []
        """The ids of all images that this build has made so far, including the result."""
        self.fetched_images: list[str] = []
        """The names of the images that this build has fetched."""
        self._say = say
        self._deadline = time.monotonic() + self.limits.build_seconds
        self._bytes_left = _MAX_OUTPUT_BYTES
        self._engine_folder = folder_on_disk(engine)
        self._files_before = disk_usage(self._engine_folder)[1]
        self._stop: Callable[[], object] = lambda: None
        self._container = ""
        self._reason = ""
        self._ended_event = threading.Event()
        self._lock = threading.Lock()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "BuildSession":
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended_event.set()
        self._watcher.join()

    def abort(self, reason: str) -> None:
        """Stops the build at once. Its current step raises CannotRun with `reason`. Any thread may call this."""
        with self._lock:
            self._reason = self._reason or reason
            stop = self._stop
        stop()

    def log_output(self, text: str) -> None:
        """Passes on lines of output. Raises CannotRun if the build prints too much."""
        for line in text.splitlines():
            self._bytes_left -= max(len(line), _MIN_LINE_BYTES)
            if self._bytes_left < 0:
                raise CannotRun(f"it prints more than {_MAX_OUTPUT_BYTES >> 20} MB.")
            if line.strip():
                self._say(one_line(line))

    @contextlib.contextmanager
    def request(self, method: str, path: str, **request: Any) -> Iterator[Response]:
        """Sends a request to the Engine and yields the response. Closes the response if the build must stop.

        Raises CannotRun or ENGINE_FAULTS.
        """
        with (
            stream_response(self.engine, method, path, **request) as response,
            self.stoppable(lambda: hang_up(response)),
        ):
            yield response

    @contextlib.contextmanager
    def stoppable(self, stop: Callable[[], object] = lambda: None, container: str = "") -> Iterator[None]:
        """Returns a context for a step of the build. If the build exceeds a limit, calls `stop` and raises CannotRun.
        `container` is the container in which the step runs, if any.
        """
        with self._lock:
            self._stop, self._container = stop, container
        try:
            self._raise_reason()
            yield
        except (CannotRun, *ENGINE_FAULTS):
            self._raise_reason()
            raise
        finally:
            with self._lock:
                self._stop, self._container = lambda: None, ""
        self._raise_reason()

    def _raise_reason(self) -> None:
        if self._reason:
            raise CannotRun(self._reason)

    def _watch(self) -> None:
        while not self._ended_event.wait(_WATCH_SECONDS):
            is_late = time.monotonic() > self._deadline
            reason = f"it takes longer than {self.limits.build_seconds:.0f} s." if is_late else self._disk_fault()
            # Calls `abort` again and again until the build is over, because at first the container may not run yet.
            if reason := self._reason or reason or self._excess_message(self._container):
                self.abort(reason)

    def check_written(self, container: str) -> None:
        """Raises CannotRun if a container wrote too much. The watcher may miss this if the container ends soon."""
        if reason := self._excess_message(container):
            raise CannotRun(reason)

    def _excess_message(self, container: str) -> str:
        """Returns a message if a container has written more than it may. Otherwise returns ""."""
        max_bytes = self.limits.build_disk_bytes
        if container and written_bytes(self.engine, container) > max_bytes:
            return f"it writes more than the {max_bytes >> 20} MB allowed."
        return ""

    def _disk_fault(self) -> str:
        free_bytes, files = disk_usage(self._engine_folder)
        if free_bytes < _MIN_FREE_BYTES:
            return f"Docker's disk has less than {_MIN_FREE_BYTES >> 30} GB left."
        if files - self._files_before > self.limits.build_files:
            return f"it makes more than the {self.limits.build_files} files allowed."
        return ""


def one_line(text: str) -> str:
    """Returns `text` as one short line that is safe to print."""
    return sanitized(text.encode(errors="replace")).decode()[:_MAX_LINE].replace("\n", " ").rstrip()
