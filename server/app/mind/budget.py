"""Limits how many tokens and how much money a mind spends. A mind is a bot that asks a language model."""

from msgspec import UNSET, Struct, UnsetType

from server.app.mind.failure import Failure
from server.app.mind.model import Reply
from server.game.events import Account

BYTES_PER_TOKEN = 3
"""How many bytes of a question are counted as one token. Real tokens have about four bytes, so the estimate is high."""
MILLION = 1_000_000


class Limits(Struct, frozen=True):
    """The limits for one run of the program. `price_in` (for questions) and `price_out` (for answers) are in dollars
    for a million tokens.
    """

    answer_tokens: int
    """The maximum number of tokens of one answer."""
    tokens: int | UnsetType = UNSET
    cost: float | UnsetType = UNSET
    price_in: float = 0.0
    price_out: float = 0.0


class Budget:
    """Counts the tokens and the money that are spent. A question may be asked only if the remaining budget is enough
    for the question and its longest possible answer.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.tokens_in = 0
        self.tokens_out = 0
        self._last_account = (0, 0)
        """How many tokens `take_account` has reported so far, and their cost in millionths of a dollar."""

    @property
    def cost(self) -> float:
        """The cost of all tokens so far, in dollars."""
        return self.price(self.tokens_in, self.tokens_out)

    def check(self, question_bytes: int) -> None:
        """Raises Failure if a question of `question_bytes` bytes and its answer could cost more than is left."""
        tokens_in, tokens_out = question_bytes // BYTES_PER_TOKEN, self._limits.answer_tokens
        tokens = self.tokens_in + self.tokens_out + tokens_in + tokens_out
        if self._limits.tokens is not UNSET and tokens > self._limits.tokens:
            spent = self.tokens_in + self.tokens_out
            raise Failure("budget", f"the budget is spent: {spent:,} of {self._limits.tokens:,} tokens are used")
        if self._limits.cost is not UNSET and self.cost + self.price(tokens_in, tokens_out) > self._limits.cost:
            raise Failure("budget", f"the budget is spent: {self.cost:.4f} of {self._limits.cost:g} is used")

    def spend(self, question_bytes: int, reply: Reply | None) -> tuple[int, int]:
        """Counts a question and its reply. Returns the number of tokens in the question, and in the reply.

        If the server did not answer, or did not count the tokens, estimates the numbers. Even a question without an
        answer might cost money.
        """
        counted = reply or Reply("")
        tokens_in, tokens_out = counted.tokens_in, counted.tokens_out
        if tokens_in is None:
            tokens_in = question_bytes // BYTES_PER_TOKEN
        if tokens_out is None:
            tokens_out = len(counted.text.encode()) // BYTES_PER_TOKEN if reply else self._limits.answer_tokens
        tokens_in, tokens_out = max(0, tokens_in), max(0, tokens_out)
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        return tokens_in, tokens_out

    def take_account(self) -> Account:
        """Returns the tokens and the cost since the last call. Leaves out the cost if the author gave no prices."""
        tokens, cost = self.tokens_in + self.tokens_out, round(self.cost * MILLION)
        earlier_tokens, earlier_cost = self._last_account
        self._last_account = tokens, cost
        has_prices = self._limits.price_in or self._limits.price_out
        return Account(tokens - earlier_tokens, cost - earlier_cost if has_prices else UNSET)

    def price(self, tokens_in: int, tokens_out: int) -> float:
        """Returns what these tokens cost, in dollars."""
        return (tokens_in * self._limits.price_in + tokens_out * self._limits.price_out) / MILLION
