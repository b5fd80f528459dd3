"""For tests of Docker: its Engine and what a tournament has left there, and a registry with an image that is a bomb."""

import gzip
import hashlib
import io
import json
import os
import tarfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import docker

from server.bots.sandbox.docker.engine import LABEL
from tests.bots.sandbox.boxed_bots import box_environment

_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
_CONFIG = "application/vnd.docker.container.image.v1+json"
_LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip"


@contextmanager
def open_engine() -> Iterator[docker.APIClient]:
    with closing(docker.APIClient(base_url=os.environ["DOCKER_HOST"], version="auto")) as engine:
        yield engine


def find_leftovers(folder: Path) -> list[str]:
    """The ids of all containers, networks and images of the tournament of `folder`."""
    ours = {"label": f"{LABEL}={box_environment(folder).label}"}
    with open_engine() as engine:
        found = [*engine.containers(all=True, filters=ours), *engine.networks(filters=ours)]
        return [str(each["Id"]) for each in [*found, *engine.images(all=True, filters=ours)]]


@contextmanager
def serve_http(handler: type[BaseHTTPRequestHandler], address: str = "127.0.0.1", port: int = 0) -> Iterator[int]:
    """Runs a web server on this machine in its own thread; yields its port."""
    with ThreadingHTTPServer((address, port), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def registry_with_bomb(size: int, processor: str = "amd64") -> Iterator[str]:
    """The address of a registry with the image `bomb:1` for `processor`; its only file consists of `size` zeros."""
    blobs = {"/v2/": (_LAYER, b"{}"), **_bomb(size, processor)}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, content = blobs.get(self.path, ("", b""))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Docker-Content-Digest", _digest(content))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None: ...

    with serve_http(Handler) as port:
        yield f"127.0.0.1:{port}"


def _bomb(size: int, processor: str) -> dict[str, tuple[str, bytes]]:
    """The content type and the content at each path of the registry."""
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        entry = tarfile.TarInfo("zeros")
        entry.size = size
        tar.addfile(entry, io.BytesIO(bytes(size)))
    rootfs = {"type": "layers", "diff_ids": [_digest(layer.getvalue())]}
    config = json.dumps({"architecture": processor, "os": "linux", "config": {}, "rootfs": rootfs}).encode()
    packed = gzip.compress(layer.getvalue())
    about = [
        {"mediaType": kind, "size": len(blob), "digest": _digest(blob)}
        for kind, blob in ((_CONFIG, config), (_LAYER, packed))
    ]
    manifest = json.dumps(
        {"schemaVersion": 2, "mediaType": _MANIFEST, "config": about[0], "layers": about[1:]}
    ).encode()
    return {
        "/v2/bomb/manifests/1": (_MANIFEST, manifest),
        f"/v2/bomb/manifests/{_digest(manifest)}": (_MANIFEST, manifest),
        f"/v2/bomb/blobs/{_digest(config)}": (_CONFIG, config),
        f"/v2/bomb/blobs/{_digest(packed)}": (_LAYER, packed),
    }


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
