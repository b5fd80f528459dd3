"""A server that speaks S3, for all tests of published sites."""

from collections.abc import Iterator

import pytest

from tests.publish.s3_server import S3Server, s3_server


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    """A running server, with a bucket `show` that everybody may read."""
    with s3_server() as server:
        server.make_bucket("show")
        yield server
