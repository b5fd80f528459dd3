/**
 * The messages of `/ws/booth` to the commentators' page (the booth). Types only.
 *
 * @import { BotStatistics, Checked, Taken } from "../common/types.js"
 * @typedef {"just now" | "worth telling" | "background" | "for a pause"} Importance
 * @typedef {{ seat: number, made: string, since: string, outs: number | null }} LiveHand `since`: the street on
 *   which the hand took the lead, "" if it does not lead
 * @typedef {{ seat: number, text: string }} StandingIfWins the result if the seat wins every pot that it can win
 * @typedef {{ key: string, topic: string, text: string, importance: Importance, once_in: number, bots: number[],
 *   hands: [game: number, hand: number][], earlier: [recording: string, hand: number][],
 *   told: number | null, ago: number | null }} Storyline a storyline. `once_in`: a storyline of this kind begins once
 *   in this many hands; `earlier`: its hands in earlier recordings; `told`: how many hands ago it was on air, null if
 *   it was never on air; `ago`: how many hands ago the latest hand in `hands` was
 * @typedef {{ game: number, hand: number, text: string, note: boolean, checked: Checked[] }} BotLine `note`: whether
 *   the text is the bot's comment on its own action, not chat
 * @typedef {{ say: string, notes: string, met: Record<string, [won: number, lost: number]>, said: BotLine[] }} BotBrief
 *   `say`: how to pronounce the bot's name; `met`: the showdowns that the bot won and lost, by opponent; `said`: the
 *   bot's latest words
 * @typedef {{ what: string, at: string, done: boolean }} ShowItem
 * @typedef {{ number: number, at: number, by: string, text: string }} BoothNote `at`: when the note was
 *   written, in seconds since 1970
 * @typedef {{ name: string, board: string[], hands: LiveHand[], if_wins: StandingIfWins[],
 *   after: { game: number, hand: number, hands: number }, tempo: "" | "short" | "long", lines: Storyline[],
 *   statistics: { rows: BotStatistics[], crosstable?: Taken[] },
 *   on_air: { text: string, pinned: boolean } | null, bots: Record<string, BotBrief>, run_of_show: ShowItem[],
 *   notes: BoothNote[] }} Booth `hands`: each seat's hand on the current board; `statistics`: from all hands that are
 *   over; `after`: the last finished hand, and the number of finished hands; `tempo`: whether the hand on air will take
 *   a short or a long time
 */
export {};
