import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * A starter bot for Enova Hold'em: change `decide` and start it; it then registers with the tournament.
 *
 *     java EnovaBot.java 3001 "Bot Awesome (netid2)" http://localhost:5000
 *
 * The bot is a small web server. The tournament calls it, and waits 5 seconds for an answer. The bot folds if it is
 * late or sends something invalid. The bot is out if it posts no blind. It needs only Java 17. Without a name it does
 * not register.
 * Try it by hand: curl --data "minimum_bet=2&maximum_bet=9&blind=false&your_chips=9&your_hand[0][suit]=D&\
 * your_hand[0][value]=A&your_hand[1][suit]=S&your_hand[1][value]=A&betting_phase=pre_flop" localhost:3001/player/action
 */
public class EnovaBot {
    static final String VALUES = "23456789TJQKA";

    /** Returns the answer to a call. An amount is the total bet for this betting phase: the minimum calls, 0 checks. */
    static String decide(Map<String, String> form) {
        int minimum = Integer.parseInt(form.get("minimum_bet")), maximum = Integer.parseInt(form.get("maximum_bet"));
        if (form.get("blind").equals("true")) {
            return action("blind", minimum); // Post the blind with any cards, or you are out of the tournament.
        }
        int chips = Integer.parseInt(form.get("your_chips"));
        double howGood = strength(form);
        System.out.printf("%.2f with %d to %d to bet of %d%n", howGood, minimum, maximum, chips);
        if (howGood > 0.7) {
            return action("bet", Math.min(Math.max(2 * minimum, 4), maximum));
        }
        if (minimum == 0 || howGood > 0.3 + minimum / (chips + 1.0)) {
            return action("bet", minimum);
        }
        return action("fold", 0);
    }

    static String action(String action, int amount) {
        return "{\"action\": \"" + action + "\", \"amount\": " + amount + "}";
    }

    /** A rough value of the cards, from 0 to 1: high cards and pairs. Improve it! */
    static double strength(Map<String, String> form) {
        int first = VALUES.indexOf(form.get("your_hand[0][value]"));
        int second = VALUES.indexOf(form.get("your_hand[1][value]"));
        int pairs = first == second ? 1 : 0;
        for (int card = 0; form.containsKey("community_cards[" + card + "][value]"); card++) {
            int value = VALUES.indexOf(form.get("community_cards[" + card + "][value]"));
            pairs += value == first || value == second ? 1 : 0;
        }
        boolean suited = form.get("your_hand[0][suit]").equals(form.get("your_hand[1][suit]"));
        return Math.min((first + second) / 40.0 + (suited ? 0.1 : 0) + 0.35 * pairs, 1.0);
    }

    /** The fields of a form, keyed as written: "your_hand[0][suit]" is "D". */
    static Map<String, String> read(String body) {
        Map<String, String> form = new HashMap<>();
        for (String field : body.split("&")) {
            String[] sides = field.split("=", 2);
            form.put(URLDecoder.decode(sides[0], UTF_8), sides.length > 1 ? URLDecoder.decode(sides[1], UTF_8) : "");
        }
        return form;
    }

    /**
     * /player/ready must return 200, or the bot gets no seat. /player/seat names a new table. /player/notify says in
     * the field "event" what has happened. The last two expect only the answer 200.
     */
    static void answer(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
        boolean asked = call.getRequestURI().getPath().equals("/player/action");
        byte[] bytes = (asked ? decide(read(body)) : "ok").getBytes(UTF_8);
        call.sendResponseHeaders(200, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    public static void main(String[] words) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // Answers arrive 40 ms sooner.
        int port = words.length > 0 ? Integer.parseInt(words[0]) : 3001;
        // If other machines call the bot, use InetSocketAddress(port), and register this machine's address.
        HttpServer server = HttpServer.create();
        try {
            server.bind(new InetSocketAddress("127.0.0.1", port), 0);
        } catch (BindException error) {
            System.err.println("port " + port + " is not available (" + error.getMessage() + "): give another port");
            System.exit(1);
        }
        server.createContext("/", EnovaBot::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        String host = "localhost:" + server.getAddress().getPort();
        System.out.println("listening on http://" + host);
        if (words.length > 2) {
            try {
                register(host, words[1], words[2]);
            } catch (ConnectException error) {
                String why = " (" + error.getMessage() + "): start it, or name another";
                System.err.println("no tournament answers at " + words[2] + why);
                System.exit(1);
            }
        }
    }

    static void register(String host, String name, String tournament) throws IOException {
        URL url = new URL(tournament + "/tournament/register");
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setDoOutput(true); // A form, posted.
        String form = "hostname=" + host + "&name=" + URLEncoder.encode(name, UTF_8);
        connection.getOutputStream().write(form.getBytes(UTF_8));
        String watch = connection.getHeaderField("Watch-Url"); // where to watch during practice
        String answer = new String(connection.getInputStream().readAllBytes(), UTF_8);
        System.out.println(answer + (watch == null ? "" : " " + watch));
    }
}
