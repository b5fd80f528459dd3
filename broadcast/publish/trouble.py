"""What went wrong at a place, in words for whoever publishes: never a secret, an address with a token, or a dump."""

import os
import re

from server.errors import Refusal

_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_NO_BUCKET = r"NoSuchBucket|ContainerNotFound|The specified bucket does not exist"
_NO_CREDENTIALS = r"169\.254\.169\.254|metadata\.google\.internal|Account must be specified|[Cc]redential"
_NO_ANSWER = r"error sending request|HTTP error|timed out|dns error"
_VARIABLES = {
    "AWS": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "GOOGLE": "GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}


class PlaceTrouble(Refusal):
    """A place cannot be read or written; the message begins with its address and says why."""


def is_unknown_there(error: Exception) -> bool:
    """Whether a bucket refused a request because it has no such kind of request."""
    return "NotImplemented" in str(error) or "501 Not Implemented" in str(error)


def trouble_of(error: Exception, bucket: str, cloud: str) -> str:
    """Why a place could not do what it was asked for; `bucket` and `cloud` are "" for a folder."""
    text = str(error)
    if found := _OS_ERROR.search(text):
        return os.strerror(int(found[1])).lower()
    if not cloud:
        return "the folder cannot be used"
    reasons = {
        _NO_BUCKET: f"there is no bucket {bucket}",
        r"<Code>(\w+)</Code>": "the bucket refuses it ({})",
        _NO_CREDENTIALS: f"no credentials are known for it: set {_VARIABLES[cloud]}",
        r"non-2xx status code: (\d+)": "the bucket refuses it (HTTP {})",
        _NO_ANSWER: "it does not answer",
    }
    matches = ((re.search(pattern, text), words) for pattern, words in reasons.items())
    said = (words.format(*found.groups()) for found, words in matches if found)
    return next(said, "this is not the address of a bucket that can be used")
