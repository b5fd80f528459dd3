import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.util.*;
import java.util.stream.IntStream;

/**
 * A starter player for the Annual Computer Poker Competition: change `decide`.
 *
 *     java Bot.java 127.0.0.1 18791
 *
 * The arguments are the dealer's host and port. Each line from the dealer is the whole state of the hand. The answer is
 * the same line, a colon and an action. The bot needs only Java 17.
 */
public class Bot {
    static final String RANKS = "23456789TJQKA";
    static final int STACK = 20000, SMALL = 50, BIG = 100; // from the game definition

    /** The state of one hand, read from a line. A player's number is its position: 0 is the first after the button. */
    static class State {
        final int me;
        final String hand, hole, board;
        final int[] spent; // in the whole hand
        final Set<Integer> folded = new HashSet<>();
        Deque<Integer> due = new ArrayDeque<>(); // the players who have yet to act
        int least; // the smallest total of a raise

        State(String line) {
            String[] fields = line.split(":", -1), cards = fields[4].split("/"), holes = cards[0].split("\\|", -1);
            me = Integer.parseInt(fields[1]);
            hand = fields[2];
            hole = holes[me];
            board = String.join("", Arrays.asList(cards).subList(1, cards.length));
            boolean duel = holes.length == 2;
            spent = new int[holes.length];
            spent[0] = duel ? BIG : SMALL;
            spent[1] = duel ? SMALL : BIG;
            String[] streets = fields[3].split("/", -1);
            for (int street = 0; street < streets.length; street++) {
                follow(streets[street], street, street > 0 ? 0 : duel ? 1 : 2);
            }
        }

        int highest() {
            return Arrays.stream(spent).max().getAsInt();
        }

        /** The players who can still act, clockwise from `first`. */
        Deque<Integer> able(int first) {
            Deque<Integer> found = new ArrayDeque<>();
            IntStream.range(0, spent.length).map(step -> (first + step) % spent.length)
                .filter(at -> !folded.contains(at) && spent[at] < STACK).forEach(found::add);
            return found;
        }

        /** Follows the actions of a round. */
        void follow(String street, int number, int first) {
            int raisedBy = BIG;
            due = able(first);
            if (number > 0 && due.size() < 2) {
                due.clear();
            }
            for (String action : street.isEmpty() ? new String[0] : street.split("(?=[fcr])")) {
                int at = due.pop(), highest = highest();
                if (action.equals("f")) {
                    folded.add(at);
                } else if (action.equals("c")) {
                    spent[at] = highest;
                } else {
                    spent[at] = Integer.parseInt(action.substring(1));
                    raisedBy = Math.max(raisedBy, spent[at] - highest);
                    due = able(at + 1);
                    due.remove(at);
                }
            }
            least = highest() + raisedBy;
        }

        boolean isMyTurn() {
            return !due.isEmpty() && due.peek() == me && folded.size() < spent.length - 1;
        }
    }

    /** The action: "f" folds, "c" calls or checks, "r600" raises to a total of 600 for this hand. */
    static String decide(State now) {
        double howGood = strength(now.hole, now.board);
        int pot = Arrays.stream(now.spent).sum(), highest = now.highest(), toCall = highest - now.spent[now.me];
        System.err.printf("hand %s %s %s: %.2f, %d to call%n", now.hand, now.hole, now.board, howGood, toCall);
        if (howGood > 0.7 && highest < STACK) {
            return "r" + Math.min(Math.max(highest + pot / 2, now.least), STACK);
        }
        return toCall == 0 || howGood > 0.3 + (double) toCall / (pot + toCall) / 2 ? "c" : "f";
    }

    /** A rough value of the cards ("AsTd"), from 0 to 1: high cards and pairs. Improve it! */
    static double strength(String hole, String board) {
        int first = RANKS.indexOf(hole.charAt(0)), second = RANKS.indexOf(hole.charAt(2));
        int pairs = first == second ? 1 : 0;
        for (int at = 0; at < board.length(); at += 2) {
            int rank = RANKS.indexOf(board.charAt(at));
            pairs += rank == first || rank == second ? 1 : 0;
        }
        boolean suited = hole.charAt(1) == hole.charAt(3);
        return Math.min((first + second) / 40.0 + (suited ? 0.1 : 0) + 0.35 * pairs, 1.0);
    }

    public static void main(String[] words) throws IOException {
        try (Socket connection = new Socket(words[0], Integer.parseInt(words[1]));
                Scanner lines = new Scanner(connection.getInputStream(), US_ASCII)) {
            connection.getOutputStream().write("VERSION:2.0.0\r\n".getBytes(US_ASCII));
            while (lines.hasNextLine()) { // until the match is over
                String line = lines.nextLine();
                if (line.isEmpty() || "#;".indexOf(line.charAt(0)) >= 0) {
                    continue;
                }
                State now = new State(line);
                if (now.isMyTurn()) {
                    connection.getOutputStream().write((line + ":" + decide(now) + "\r\n").getBytes(US_ASCII));
                }
            }
        } catch (ConnectException error) {
            String where = words[0] + ":" + words[1];
            System.err.println("nobody listens at " + where + " (" + error.getMessage() + "): start the dealer, or name another");
            System.exit(1);
        }
    }
}
