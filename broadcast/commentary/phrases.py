"""What can be said in which words, and which of them are said this time: never the same twice in a row. Pure."""

PHRASES: dict[str, tuple[str, ...]] = {
    "deal": ("{name} gets the best of the deal: {hand}", "{name} looks down at {hand}", "{name} picks up {hand}"),
    "fold": ("{name} folds", "{name} lets it go", "{name} steps aside"),
    "fold hand": ("{name} folds {hand}", "{name} lets {hand} go", "{name} throws {hand} away"),
    "check": ("{name} checks", "{name} taps the table", "{name} knocks"),
    "call": ("{name} calls {amount}", "{name} pays {amount}", "{name} stays in for {amount}"),
    "bet": ("{name} bets {bet}", "{name} puts {bet} in", "{name} fires {bet}"),
    "raise": ("{name} raises to {bet}", "{name} makes it {bet}", "{name} bumps it up to {bet}"),
    "all in": ("{name} moves all in for {bet}", "{name} is all in for {bet}", "{name} shoves everything in: {bet}"),
    "call all in": ("{name} calls all in for {bet}", "{name} calls with its last {amount}"),
    "timeout": ("{name} runs out of time and {does}", "{name} thinks too long and {does}"),
    "disconnected": ("{name} is gone and {does}",),
    "malformed": ("{name} misfires and {does}", "{name} says what nobody understands and {does}"),
    "illegal": ("{name} wants what the rules forbid and {does}", "{name} misfires and {does}"),
    "flop": ("The flop: {cards}", "The flop brings {cards}"),
    "turn": ("The turn: {cards}", "The turn is the {cards}"),
    "river": ("The river: {cards}", "The river is the {cards}"),
    "leads": ("{name} leads with {hand}, {chance}", "{name} is ahead with {hand}, {chance}"),
    "leads bare": ("{name} leads, {chance}", "{name} is ahead, {chance}"),
    "turns": ("{name} takes the lead with {hand}, {chance}", "now {name} is ahead with {hand}, {chance}"),
    "turns bare": ("{name} takes the lead, {chance}", "now {name} is ahead, {chance}"),
    "holds": ("{name} still leads with {hand}, {chance}", "{name} stays ahead with {hand}, {chance}"),
    "holds bare": ("{name} still leads, {chance}", "{name} stays ahead, {chance}"),
    "sure": ("nobody can catch {name}", "all others are drawing dead: {name} cannot lose"),
    "drawing dead": ("{other} is drawing dead: {name} cannot lose", "no card helps {other}: {name} cannot lose"),
    "best": ("{name} has the best hand: {hand}", "{name} comes out best with {hand}"),
    "best bare": ("{name} has the best hand", "{name} comes out best"),
    "show": ("{name} shows {ranking}", "{name} turns over {ranking}"),
    "show board": ("{name} plays the board: {ranking}",),
    "returned": ("{name} takes back the {amount} nobody called", "Nobody called {amount}: back to {name}"),
    "wins": ("{name} wins {pot} of {amount}", "{name} takes {pot} of {amount}", "{name} rakes in {pot} of {amount}"),
    "walk": ("A walk for {name}: {amount} in blinds", "{name} gets a walk, and the {amount} in the pot"),
    "split": ("{name} split {pot} of {amount}", "{name} share {pot} of {amount}"),
    "Bad beat": ("A bad beat for {name}", "{name} can hardly believe it: a bad beat"),
    "Upset": ("An upset: {name} came from behind", "{name} was behind when the chips went in: an upset"),
    "Hero call": ("A hero call, and {name} was right", "{name} saw through it: a hero call"),
    "Bluff": ("{name} takes it with a bluff", "It was a bluff, and {name} gets away with it"),
    "High hand": ("A big hand: {name} made {ranking}", "What a hand: {name} made {ranking}"),
    "Big pot": ("A big pot goes to {name}: {amount}", "{name} has won a big pot: {amount}"),
}


class Phrases:
    """Chooses the phrases of one show."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def say(self, kind: str, number: int, **words: object) -> str:
        """One of the phrases of a kind, chosen by `number`, filled in with `words`. No full stop."""
        phrases = PHRASES[kind]
        choice = number % len(phrases)
        if choice == self._last.get(kind):
            choice = (choice + 1) % len(phrases)
        self._last[kind] = choice
        return phrases[choice].format_map(words)
