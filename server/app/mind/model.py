"""Asks a language model through an OpenAI-compatible API. Turns every error into a `Failure` that explains it."""

import ssl
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from server.app.mind.failure import Failure
from server.errors import Refusal
from server.text.characters import printable

try:
    import httpx2
except ModuleNotFoundError:
    raise Refusal("minds need the HTTP client httpx2, which is not installed: pip install 'highnoon[mind]'") from None

MAX_ANSWER_BYTES = 256 * 1024
"""The maximum size of an answer, in bytes. An action and its reason need only a few hundred bytes."""
Message = Mapping[str, str]
"""A message to the model, with its `role` and `content`."""
MAX_QUOTED_CHARACTERS = 160
"""How many characters of a server's error message are quoted."""
MAX_RETRY_SECONDS = 60.0
"""The longest pause that a busy server can ask for, in seconds. Longer pauses are shortened to this length."""
HIDDEN_KEY = "(the key)"


class Reply(Struct, frozen=True):
    """The model's answer. The server counted `tokens_in` tokens in the question and `tokens_out` in the answer. A
    number is None if the server did not count these tokens.
    """

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None


class _Message(Struct, frozen=True):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Any] | None = None


class _Choice(Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _Usage(Struct, frozen=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(Struct, frozen=True):
    choices: list[_Choice]
    usage: _Usage | None = None


class _Explanation(Struct, frozen=True):
    message: str = ""


class _Refused(Struct, frozen=True):
    error: _Explanation | str = ""


_decode_completion = msgspec.json.Decoder(_Completion).decode
_decode_error = msgspec.json.Decoder(_Refused).decode


class Model:
    """One model at one address. Learns from refusals which fields the server does not support."""

    def __init__(self, url: str, name: str, key: str) -> None:
        """`url` is the base URL of the API, such as `http://localhost:11434/v1`. `name` is the model's name in the API.
        `key` is the API key, or "" if the server needs none.
        """
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._name = name
        self._key = key
        self._host = urlsplit(url).netloc
        self._accepts_schema = True
        """Whether the server accepts a JSON Schema for the answer."""
        self._limit_field = "max_tokens"
        """The name of the field that limits an answer's length. Servers use one of two names."""
        # The answer must not be compressed, because it could expand beyond MAX_ANSWER_BYTES. The caller sets the time
        # limit.
        headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._client = httpx2.AsyncClient(headers=headers, follow_redirects=False, timeout=None)

    async def ask(self, messages: Sequence[Message], schema: Mapping[str, Any], max_tokens: int) -> Reply:
        """Asks the model for an answer that matches `schema` and has at most `max_tokens` tokens. Raises Failure.

        To limit the time, the caller cancels the call.
        """
        while True:
            question = {"model": self._name, "messages": messages, self._limit_field: max_tokens}
            if self._accepts_schema:
                question["response_format"] = _response_format(schema)
            try:
                response, body = await self._call(question)
            except httpx2.HTTPError as error:
                raise self._connection_failure(error) from None
            if response.status_code == HTTPStatus.OK:
                return self._read_reply(body)
            if not self._drop_unsupported_field(response.status_code, body):
                raise self._status_failure(response, body)

    async def close(self) -> None:
        """Closes all connections."""
        await self._client.aclose()

    async def _call(self, question: Mapping[str, Any]) -> tuple[httpx2.Response, bytes]:
        """Sends a question. Returns the response and its body. Raises HTTPError, or Failure if the body is compressed
        or too large.
        """
        body = b""
        async with self._client.stream("POST", self._url, json=question) as response:
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise Failure("too large", f"the answer from {self._host} is compressed, so its size is unknown")
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > MAX_ANSWER_BYTES:
                    raise Failure(
                        "too large", f"the answer from {self._host} is larger than {MAX_ANSWER_BYTES // 1024} KiB"
                    )
        return response, body

    def hide_key(self, text: str) -> str:
        """Returns `text` without the key, so that it is safe to print or store."""
        return text.replace(self._key, HIDDEN_KEY) if self._key else text

    def _drop_unsupported_field(self, status: int, body: bytes) -> bool:
        """Guesses from a refusal which field the server does not know, and no longer sends it. Returns whether the
        question can be asked again.
        """
        if status not in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY):
            return False
        if self._limit_field == "max_tokens" and "max_completion_tokens" in _read_explanation(body):
            self._limit_field = "max_completion_tokens"
        elif self._accepts_schema:
            self._accepts_schema = False
        else:
            return False
        return True

    def _read_reply(self, body: bytes) -> Reply:
        try:
            completion = _decode_completion(body)
        except msgspec.ValidationError as error:
            raise Failure("wrong shape", f"the answer from {self._host} is not a chat completion: {error}") from None
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            raise Failure("not JSON", f"the answer from {self._host} is not JSON") from None
        if not completion.choices:
            raise Failure("empty", f"the answer from {self._host} has no choice in it")
        message, finish_reason = completion.choices[0].message, completion.choices[0].finish_reason
        if not (message.content or "").strip():
            raise _no_text_failure(message, finish_reason)
        usage = completion.usage or _Usage()
        return Reply(self.hide_key(message.content or ""), usage.prompt_tokens, usage.completion_tokens)

    def _status_failure(self, response: httpx2.Response, body: bytes) -> Failure:
        status = response.status_code
        explanation = self.hide_key(printable(_read_explanation(body)))[:MAX_QUOTED_CHARACTERS]
        start = f"{self._host} answered with status {status}" + (f" ({explanation})" if explanation else "")
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return Failure(
                "busy", f"{start}: too many requests", can_retry=True, retry_seconds=_retry_seconds(response)
            )
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return Failure(
                "broken", f"{start}: something is wrong there", can_retry=True, retry_seconds=_retry_seconds(response)
            )
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return Failure("denied", f"{start}: is the key right?")
        if response.is_redirect:
            return Failure(
                "redirect", f"{self._host} redirects the question (status {status}), and redirects are not followed"
            )
        return Failure("bad request", f"{start}: are the address and the model's name right?")

    def _connection_failure(self, error: httpx2.HTTPError) -> Failure:
        if ssl_error := next((cause for cause in _causes(error) if isinstance(cause, ssl.SSLError)), None):
            why = getattr(ssl_error, "verify_message", "") or ssl_error.reason or "unknown"
            return Failure("TLS", f"{self._host} cannot be trusted: TLS fails ({printable(str(why))})")
        if isinstance(error, httpx2.ConnectError):
            return Failure(
                "refused", f"nothing answers at {self._host}: is the model's server running?", can_retry=True
            )
        return Failure("cut off", f"{self._host} broke off in the middle of its answer", can_retry=True)


def _response_format(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _no_text_failure(message: _Message, finish_reason: str | None) -> Failure:
    if message.tool_calls:
        return Failure("wrong shape", "the model called a tool instead of answering")
    if message.refusal:
        return Failure("empty", "the model refused to answer")
    if finish_reason == "length":
        return Failure("empty", "the model used up its tokens before it answered: raise --answer-tokens")
    return Failure("empty", "the model's answer is empty")


def _read_explanation(body: bytes) -> str:
    """Returns the reason that the server gives for a refusal, or "" if it gives none."""
    try:
        error = _decode_error(body).error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""
    return error if isinstance(error, str) else error.message


def _retry_seconds(response: httpx2.Response) -> float:
    """Returns how many seconds the server asks its client to wait (at most MAX_RETRY_SECONDS), or 0 for no wait."""
    text = response.headers.get("Retry-After", "")
    return min(float(text), MAX_RETRY_SECONDS) if text.isascii() and text.isdigit() and len(text) < 9 else 0.0


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__
