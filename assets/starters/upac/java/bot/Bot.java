import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * A starter bot for UPAC: change `decide`, zip the folder `bot`, and submit it.
 *
 * It reads standard input and writes standard output, one message per line, and has one second for each action.
 * Everything on System.err is kept in a log that only you can read.
 * Try it by hand: java Bot.java, then type START SB, PREFLOP As Kd, STACK 1 50 2 50.
 */
public class Bot {
    static final String RANKS = "23456789TJQKA";

    /** The known facts about the current round. Cards are written "As", "Td", "2c"; blind is "SB" or "BB". */
    static String blind = "";
    static List<String> hole = List.of();
    static List<String> board = List.of();

    /**
     * The action: "F" folds, "C" calls or checks, "R6" raises by 6.
     *
     * `pushed` is how much we have put in this round, and `stack` is `pushed` plus our remaining chips. The other two
     * numbers are the opponent's. A raise first matches the opponent's bet, and then adds its amount. A raise that is
     * too large is reduced to the amount that both can pay.
     */
    static String decide(int pushed, int stack, int theirPushed, int theirStack) {
        int toCall = theirPushed - pushed, pot = pushed + theirPushed;
        double howGood = strength();
        System.err.printf("%s %s: %.2f, %d to call%n", hole, board, howGood, toCall);
        if (stack == pushed || (theirStack == theirPushed && toCall == 0)) {
            return "C"; // Somebody is all-in: we must still answer on every street, but there is nothing to decide.
        }
        if (howGood > 0.7) {
            return "R" + Math.max(pot / 2, 2); // A whole number: "R1.5" would lose the game.
        }
        if (toCall == 0 || howGood > 0.3 + (double) toCall / (pot + toCall) / 2) {
            return "C";
        }
        return "F";
    }

    /** A rough value of the cards, from 0 to 1: high cards and pairs. Improve it! */
    static double strength() {
        int first = RANKS.indexOf(hole.get(0).charAt(0)), second = RANKS.indexOf(hole.get(1).charAt(0));
        int pairs = first == second ? 1 : 0;
        for (String card : board) {
            int rank = RANKS.indexOf(card.charAt(0));
            pairs += rank == first || rank == second ? 1 : 0;
        }
        boolean suited = hole.get(0).charAt(1) == hole.get(1).charAt(1);
        return Math.min((first + second) / 40.0 + (suited ? 0.1 : 0) + 0.35 * pairs, 1.0);
    }

    public static void main(String[] none) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) { // ends when the game is over
            List<String> words = List.of(line.trim().split(" +"));
            List<String> rest = words.subList(1, words.size());
            switch (words.get(0)) {
                case "START" -> {
                    blind = rest.get(0);
                    board = new ArrayList<>();
                }
                case "PREFLOP" -> hole = rest;
                case "FLOP", "TURN", "RIVER" -> board.addAll(rest);
                case "STACK" -> {
                    int[] chips = rest.stream().mapToInt(Integer::parseInt).toArray();
                    System.out.println(decide(chips[0], chips[1], chips[2], chips[3]));
                }
                default -> System.err.println("the round ended: " + rest); // END
            }
        }
    }
}
