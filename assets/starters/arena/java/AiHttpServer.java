import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A starter bot for the Arena: change `decide`, start it, and add its port to the tournament's configuration file.
 *
 *     java AiHttpServer.java 5000
 *
 * The bot is a web server. On each turn of the bot, the Arena sends the whole state of the game to POST /action and
 * waits 3 seconds for the answer. The bot folds if it is late or sends something invalid. The bot needs only Java 17.
 * Try it by hand: curl --data @state.json localhost:5000/action, with the example state in the guide.
 */
public class AiHttpServer {
    static final String RANKS = "23456789TJQKA";

    /**
     * The action: one of the state's valid_actions. A raise also needs an amount, between the min and max of that
     * action.
     *
     * A raise's amount is the total bet for the street, not the chips that you add. Amounts are always whole numbers.
     */
    static String decide(Json state) {
        Json me = state.get("players").get(state.get("current_player").text);
        Map<String, Json> valid = new HashMap<>();
        state.get("valid_actions").items.forEach(each -> valid.put(each.get("action").text, each.get("amount")));
        int pot = state.get("pot").number(), toCall = valid.containsKey("call") ? valid.get("call").number() : 0;
        double howGood = strength(me.get("hole_cards").items, state.get("community_cards").items);
        System.out.printf("%.2f, %d to call%n", howGood, toCall);
        if (howGood > 0.7 && valid.containsKey("raise")) {
            int least = valid.get("raise").get("min").number(), most = valid.get("raise").get("max").number();
            return action("raise", Math.min(Math.max(state.get("current_bet").number() + pot / 2, least), most));
        }
        if (howGood > 0.9 && valid.containsKey("all_in")) {
            return action("all_in", valid.get("all_in").number());
        }
        if (valid.containsKey("check")) {
            return action("check", 0);
        }
        if (howGood > 0.3 + (double) toCall / (pot + toCall) / 2) {
            return action("call", toCall);
        }
        return action("fold", 0);
    }

    static String action(String action, int amount) {
        return "{\"action\": \"" + action + "\", \"amount\": " + amount + "}";
    }

    /** A rough value of the cards ("As", "Td", "2c"), from 0 to 1: high cards and pairs. Improve it! */
    static double strength(List<Json> hole, List<Json> board) {
        int first = RANKS.indexOf(hole.get(0).text.charAt(0)), second = RANKS.indexOf(hole.get(1).text.charAt(0));
        int pairs = first == second ? 1 : 0;
        for (Json card : board) {
            int rank = RANKS.indexOf(card.text.charAt(0));
            pairs += rank == first || rank == second ? 1 : 0;
        }
        boolean suited = hole.get(0).text.charAt(1) == hole.get(1).text.charAt(1);
        return Math.min((first + second) / 40.0 + (suited ? 0.1 : 0) + 0.35 * pairs, 1.0);
    }

    /** The Arena calls /action on each turn of the bot. /health only shows that the bot runs. */
    static void answer(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
        boolean asked = call.getRequestURI().getPath().equals("/action");
        boolean known = asked || call.getRequestMethod().equals("GET");
        String answer = known ? "{\"status\": \"healthy\"}" : "{\"error\": \"there is only /action\"}";
        byte[] bytes = (asked ? decide(Json.read(body)) : answer).getBytes(UTF_8);
        call.getResponseHeaders().set("Content-Type", "application/json");
        call.sendResponseHeaders(known ? 200 : 404, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    public static void main(String[] words) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // Answers arrive 40 ms sooner.
        int port = words.length > 0 ? Integer.parseInt(words[0]) : 5000;
        // To accept calls from other machines, use InetSocketAddress(port).
        HttpServer server = HttpServer.create();
        try {
            server.bind(new InetSocketAddress("127.0.0.1", port), 0);
        } catch (BindException error) {
            System.err.println("port " + port + " is not available (" + error.getMessage() + "): give another port");
            System.exit(1);
        }
        server.createContext("/", AiHttpServer::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("listening on http://localhost:" + server.getAddress().getPort());
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
