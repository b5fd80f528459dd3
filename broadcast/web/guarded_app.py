"""What every web application of ours begins as: no route yet, and the guard before all that will come."""

from collections.abc import Iterable

from fastapi import FastAPI

from broadcast.web.access import Guard, Keyring
from broadcast.web.hosts import Admission


def guarded_app(hosts: Iterable[str] = (), keys: Keyring | None = None) -> FastAPI:
    """An application behind the guard. `hosts` are this machine's names besides its own; `keys` open the desk."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)  # their pages load from elsewhere
    app.add_middleware(Guard, admission=Admission(hosts), keys=keys or Keyring())
    return app
