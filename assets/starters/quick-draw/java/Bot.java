import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URL;
import java.nio.file.*;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A starter bot for the Quick Draw Circuit: change `decide`, and the name in bot_config.json.
 *
 *     java Bot.java localhost:5000
 *
 * Start the bot in its folder. It registers over HTTP, then talks over TCP. The server sends one JSON object per line,
 * and waits 3 seconds for an action. A late bot folds. The bot needs only Java 17. To submit it, you also need the
 * Dockerfile and the picture.
 */
public class Bot {
    static final String SERVER = "localhost:5000"; // where the bot registers for the tournament: ask the organiser
    static final String VALUES = "23456789TJQKA";

    /**
     * The action for a request: "call" (also for a check), "fold", or "raise" with an amount.
     *
     * The amount is the total bet for this round, not the chips that you add. You are all-in if it is more than you
     * have.
     */
    static String decide(Json request) {
        List<Json> players = request.get("players").items; // the server shows only our cards
        Json me = players.stream().filter(one -> !one.get("hand").items.isEmpty()).findFirst().orElseThrow();
        int pot = request.get("total_pot_value").number(), highest = request.get("highest_bid_value").number();
        int toCall = highest - me.get("round_bet").number();
        double howGood = strength(request.get("hand").items, request.get("community_cards").items);
        System.out.printf("%.2f with %d to call, %s left%n", howGood, toCall, me.get("bank").text);
        if (howGood > 0.7) {
            return action("raise", highest + pot / 2);
        }
        if (toCall == 0 || howGood > 0.3 + (double) toCall / (pot + toCall) / 2) {
            return action("call", 0);
        }
        return action("fold", 0);
    }

    static String action(String action, int amount) {
        return "{\"command\": \"take_action\", \"action\": \"" + action + "\", \"raise_amount\": " + amount + "}";
    }

    /** A rough value of the cards ({"value": "A", "suit": "S"}), from 0 to 1: high cards and pairs. Improve it! */
    static double strength(List<Json> hand, List<Json> board) {
        int first = VALUES.indexOf(hand.get(0).get("value").text);
        int second = VALUES.indexOf(hand.get(1).get("value").text);
        int pairs = first == second ? 1 : 0;
        for (Json card : board) {
            int value = VALUES.indexOf(card.get("value").text);
            pairs += value == first || value == second ? 1 : 0;
        }
        boolean suited = hand.get(0).get("suit").text.equals(hand.get(1).get("suit").text);
        return Math.min((first + second) / 40.0 + (suited ? 0.1 : 0) + 0.35 * pairs, 1.0);
    }

    /** The reply to a message, "" for none. You may ignore the messages receive_chat and log_data. */
    static String hear(Json message) {
        switch (message.get("command").text) {
            case "request_action":
                return decide(message);
            case "confirm_action":
                if (!message.get("result").text.equals("success")) {
                    System.out.println("the server refused that: " + message.get("error").text);
                }
                break;
            case "hand_result":
                System.out.println("hand " + message.get("hand_number").text + " is over");
                boolean first = message.get("hand_number").number() == 0; // at most one chat in five seconds
                return first ? "{\"command\": \"send_chat\", \"message\": \"Howdy!\"}" : "";
        }
        return "";
    }

    /** The port to connect to. During practice, the server's answer also says where to watch the game. */
    static int register(String server) throws IOException {
        String name = Json.read(Files.readString(Path.of("bot_config.json"))).get("name").text;
        HttpURLConnection connection = (HttpURLConnection) new URL("http://" + server + "/register").openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(("{\"name\": \"" + name + "\"}").getBytes(UTF_8));
        String answer = new String(connection.getInputStream().readAllBytes(), UTF_8);
        System.out.println(answer);
        return Json.read(answer).get("port_number").number();
    }

    public static void main(String[] words) throws IOException {
        String server = words.length > 0 ? words[0] : SERVER, host = server.substring(0, server.lastIndexOf(':'));
        try (Socket connection = new Socket(host, register(server));
                Scanner lines = new Scanner(connection.getInputStream(), UTF_8)) {
            while (lines.hasNextLine()) { // until the server closes the connection
                connection.getOutputStream().write(hear(Json.read(lines.nextLine())).getBytes(UTF_8));
            }
        } catch (ConnectException error) {
            System.err.println("no server answers at " + server + " (" + error.getMessage() + "): start it, or name another");
            System.exit(1);
        } catch (NoSuchFileException error) {
            System.err.println("there is no bot_config.json with a name here: start the bot in its folder");
            System.exit(1);
        }
    }

    /** A JSON value: an object has fields, a list has items, any other value has its text, with escapes. */
    static class Json {
        static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|[{}\\[\\]]|[^\\s,:{}\\[\\]]+");

        final Map<String, Json> fields = new HashMap<>();
        final List<Json> items = new ArrayList<>();
        String text = "";

        static Json read(String text) {
            return read(TOKEN.matcher(text));
        }

        Json get(String name) {
            return fields.get(name);
        }

        int number() {
            return Integer.parseInt(text);
        }

        /** The next value; null where an object or list ends. */
        private static Json read(Matcher tokens) {
            String token = tokens.find() ? tokens.group() : "}";
            Json value = new Json();
            if (token.equals("}") || token.equals("]")) {
                return null;
            } else if (token.equals("{")) {
                for (Json name = read(tokens); name != null; name = read(tokens)) {
                    value.fields.put(name.text, read(tokens));
                }
            } else if (token.equals("[")) {
                for (Json item = read(tokens); item != null; item = read(tokens)) {
                    value.items.add(item);
                }
            } else {
                value.text = token.startsWith("\"") ? token.substring(1, token.length() - 1) : token;
            }
            return value;
        }
    }
}
