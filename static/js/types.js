/**
 * The words of the wire and of the picture, as types alone: nothing here runs, and no browser loads it.
 *
 * Seats count from 0; games, hands and stages from 1; amounts are chips, prizes cents, times milliseconds.
 *
 * @typedef {string} Card "As", "Td", "2c"
 * @typedef {"preflop" | "flop" | "turn" | "river"} Street
 * @typedef {"" | "fold" | "check" | "call" | "bet" | "raise"} Act
 * @typedef {"" | "timeout" | "malformed" | "illegal" | "disconnected"} Fault
 * @typedef {"starting" | "table" | "standings" | "finalists" | "champion"} SceneName
 *
 * @typedef {{ bot: number, name: string, player: string, avatar: string, particle: string, sound: string,
 *   sound_ms: number }} Entrant
 * @typedef {{ place: number, bot: number, stack: number, prize_cents: number }} Placing
 * @typedef {{ amount: number, seats: number[] }} Pot
 * @typedef {{ seat: number, amount: number }} Award
 * @typedef {{ rank: number, bot: number, stack: number, moved: number, games: number, place: number }} Standing
 *
 * What the picture is made of:
 *
 * @typedef {Entrant & { stack: number, place: number, presence: "" | "here" | "lost" }} Bot
 * @typedef {{ contest: string, title: string, starting_stack: number, prizes_cents: number[] }} Tournament
 * @typedef {{ stage: number, title: string, games: number, hands: number, bots: number[], advance: number,
 *   first_game: number }} Stage
 * @typedef {{ game: number, hands: number, over: boolean }} Game
 * @typedef {{ hand: number, button: number, small_blind: number, big_blind: number, ante: number, street: Street,
 *   over: boolean }} Hand
 * @typedef {{ bot: number, stack: number, bet: number, committed: number, blind: "" | "small" | "big", cards: Card[],
 *   dealt_in: boolean, folded: boolean, all_in: boolean, act: Act, fault: Fault, won: number, ranking: string,
 *   best: Card[], place: number }} Seat
 * @typedef {{ seat: number, to_call: number, min_raise_to: number, max_raise_to: number, think_ms: number }} Turn
 * @typedef {{ pot: number, amount: number, awards: Award[] }} PotAward
 * @typedef {{ seq: number, at_ms: number, bot: number, text: string }} Chat
 * @typedef {{ rows: Standing[], advance: number }} Standings
 *
 * @typedef {{ seq: number, at_ms: number, scene: SceneName, tournament: Tournament, bots: Record<string, Bot>,
 *   stage: Stage | null, game: Game | null, hand: Hand | null, seats: Seat[], turn: Turn | null, board: Card[],
 *   pot: number, pots: Pot[], awards: PotAward[], lit: Card[], chat: Chat[], standings: Standings,
 *   history: Record<string, number[]>, caption: string, placings: Placing[] }} State
 *
 * What comes over the wire:
 *
 * @typedef {{ seq: number, at_ms: number, hold_ms: number }} Stamp
 * @typedef {{ type: "tournament_opened", contest: string, title: string, starting_stack: number,
 *   entrants: Entrant[], prizes_cents?: number[] }} TournamentOpened
 * @typedef {{ type: "stage_started", stage: number, title: string, games: number, hands: number, bots: number[],
 *   stacks: number[], advance?: number }} StageStarted
 * @typedef {{ type: "game_started", game: number, hands: number, seats: number[], stacks: number[] }} GameStarted
 * @typedef {{ type: "game_ended", game: number, stacks: number[] }} GameEnded
 * @typedef {{ type: "bot_eliminated", bot: number, seat: number, place: number }} BotEliminated
 * @typedef {{ type: "stage_ended", stage: number, ranking: number[], stacks: number[] }} StageEnded
 * @typedef {{ type: "tournament_ended", placings: Placing[] }} TournamentEnded
 * @typedef {{ type: "hand_started", hand: number, button: number, small_blind: number, big_blind: number,
 *   ante: number, stacks: number[] }} HandStarted
 * @typedef {{ type: "blind_posted", seat: number, blind: "ante" | "small" | "big", amount: number,
 *   all_in: boolean }} BlindPosted
 * @typedef {{ type: "hole_dealt", seat: number, cards: Card[] }} HoleDealt
 * @typedef {Turn & { type: "turn_started" }} TurnStarted
 * @typedef {{ type: "action_taken", seat: number, act: Exclude<Act, "">, amount: number, bet: number, all_in: boolean,
 *   think_ms: number, fault?: Fault }} ActionTaken
 * @typedef {{ type: "bet_returned", seat: number, amount: number }} BetReturned
 * @typedef {{ type: "bets_collected", pots: Pot[] }} BetsCollected
 * @typedef {{ type: "street_dealt", street: Street, cards: Card[] }} StreetDealt
 * @typedef {{ type: "hand_shown", seat: number, cards: Card[], ranking?: string, best?: Card[] }} HandShown
 * @typedef {PotAward & { type: "pot_awarded" }} PotAwarded
 * @typedef {{ type: "hand_ended", stacks: number[] }} HandEnded
 * @typedef {{ type: "bot_connected", bot: number }} BotConnected
 * @typedef {{ type: "bot_disconnected" | "bot_withdrawn", bot: number, reason: string }} BotLost
 * @typedef {{ type: "fault_noted", bot: number, fault: Fault, detail: string }} FaultNoted
 * @typedef {{ type: "chat_sent", bot: number, text: string }} ChatSent
 * @typedef {{ type: "standings_changed", rows: Standing[], advance?: number }} StandingsChanged
 * @typedef {{ type: "caption_spoken", text: string }} CaptionSpoken
 *
 * @typedef {TournamentOpened | StageStarted | GameStarted | GameEnded | BotEliminated | StageEnded | TournamentEnded
 *   | HandStarted | BlindPosted | HoleDealt | TurnStarted | ActionTaken | BetReturned | BetsCollected | StreetDealt
 *   | HandShown | PotAwarded | HandEnded | BotConnected | BotLost | FaultNoted | ChatSent | StandingsChanged
 *   | CaptionSpoken} OnAirEvent
 * @typedef {Stamp & OnAirEvent} Entry
 * @typedef {{ type: "welcome", seq: number, at_ms: number, epoch: string, channel: string, speed: number }} Welcome
 * @typedef {{ type: "snapshot", seq: number, at_ms: number, state: State }} Snapshot
 *
 * What the stage plays. `ms` is the time a motion may take.
 *
 * @typedef {{ kind: "sound", name: string, bot: number }} SoundCue
 * @typedef {{ kind: "deal" | "muck" | "act" | "pin", seat: number, ms: number }} SeatCue
 * @typedef {{ kind: "stamp", seat: number, ms: number }} StampCue
 * @typedef {{ kind: "burn", seat: number, ms: number }} BurnCue
 * @typedef {{ kind: "board", from: number, ms: number }} BoardCue
 * @typedef {{ kind: "chips", from: number, to: number, amount: number, ms: number }} ChipsCue seat numbers; POT is -1
 * @typedef {{ kind: "count", seat: number, from: number, to: number, ms: number }} CountCue seat number; POT is -1
 * @typedef {{ kind: "particles", seat: number, bot: number, ms: number }} ParticlesCue
 * @typedef {{ kind: "enter", scene: SceneName, ms: number }} EnterCue
 * @typedef {SoundCue | SeatCue | StampCue | BurnCue | BoardCue | ChipsCue | CountCue | ParticlesCue | EnterCue} Cue
 */

export {};
