"""The scene of the reading scores says what the statistics say."""

from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen

_ROWS = """() => [...document.querySelectorAll(".scene--reading .row")].map((row) => [
  ...[".row__name", ".reading__counts", ".reading__stamp"].map((name) => row.querySelector(name).textContent),
  ...[...row.querySelectorAll(".reading__score")].map((score) => score.textContent),
  row.querySelector(".reading__tokens").textContent, row.querySelector(".reading__cost").textContent,
  row.querySelectorAll(".reading__dot").length])"""


def test_every_bot_that_thinks_aloud_has_a_row_with_its_scores(still: Screen) -> None:
    still.show(SCENES["reading"]())
    state, shown = still.state(), still.page.evaluate(_ROWS)
    wanted = []
    for row in state["statistics"]["rows"]:
        if scores := row.get("reading"):
            seconds = row["think_ms"] / row["answers"] / 1000
            name, bins = state["bots"][str(row["bot"])]["name"], [line for line in scores["calibration"] if line[0]]
            counts = f"{scores['false_claims']} of {scores['claims']}"
            spent = ["", ""]
            if "tokens" in scores:
                tokens, dollars = scores["tokens"] / scores["hands"], scores["cost_millionths"] / 1e6 / scores["hands"]
                spent = [f"{tokens:,.0f} tok.", f"${dollars:.5f}"]
            wanted.append([name, counts, f"{scores['brier']:.2f}", f"{seconds:.1f} s", *spent, len(bins)])
    assert sorted([*row[:2], *row[3:]] for row in shown) == sorted(wanted)
    assert len(wanted) == 6
    assert sum(row[4] != "" for row in wanted) == 3, "three bots say what they spend"
    stamps = {row[2]: row[0] for row in shown if row[2]}
    notices = {each["title"]: each["bot"] for each in state["statistics"]["notices"]}
    titles = ("Straightest shooter", "Tallest tale")
    assert stamps == {title: state["bots"][str(notices[title])]["name"] for title in titles}
    assert [shown[0][2], shown[-1][2]] == [*titles], "the truest bot comes first"
