"""What is published depends on no card that has not been on air: pairs of shows with other cards to come."""

import random

from tests.publish.published_pairs import differences

PAIRS = 12
"""The benchmark `published_decks` tries two thousand."""


def test_published_files_do_not_depend_on_cards_to_come() -> None:
    tried = differences(random.Random(1), PAIRS)
    assert tried.differing == []
    assert tried.moments > 5 * PAIRS
