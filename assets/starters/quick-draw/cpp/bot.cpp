// A starter bot for the Quick Draw Circuit: change `decide`, and the name in bot_config.json.
//
//     g++ -O2 -std=c++17 -o bot bot.cpp && ./bot localhost:5000
//
// Start the bot in its folder. It registers over HTTP, then talks over TCP. The server sends one JSON object per line,
// and waits 3 seconds for an action. A late bot folds. The bot needs only C++17 and POSIX. To submit it, you also need
// the Dockerfile and the picture.

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

const std::string SERVER = "localhost:5000";  // where the bot registers for the tournament: ask the organiser
const std::string VALUES = "23456789TJQKA";

// A JSON value: an object has names and items, a list has items, any other value has its text, with escapes.
struct Json {
  std::string text;
  std::vector<std::string> names;
  std::vector<Json> items;

  const Json& operator[](const std::string& name) const {
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::out_of_range("there is no field " + name);
    return items[found - names.begin()];
  }
  int number() const { return std::stoi(text); }
};

// Reads the next value of `all` from `at` on, skips blanks before it, and moves `at` past it.
Json read_json(const std::string& all, size_t& at) {
  Json value;
  at = all.find_first_not_of(" \t\r\n,:", at);
  char first = all.at(at);
  size_t from = at++;
  if (first == '"') {
    while (all.at(at) != '"') at += all[at] == '\\' ? 2 : 1;
    value.text = all.substr(from + 1, at++ - from - 1);
  } else if (first == '{' || first == '[') {
    while (at = all.find_first_not_of(" \t\r\n,", at), all.at(at) != '}' && all[at] != ']') {
      if (first == '{') value.names.push_back(read_json(all, at).text);
      value.items.push_back(read_json(all, at));
    }
    ++at;
  } else {
    at = std::min(all.find_first_of(",]} \t\r\n", at), all.size());
    value.text = all.substr(from, at - from);
  }
  return value;
}

Json read_json(const std::string& all) {
  size_t at = 0;
  return read_json(all, at);
}

// A rough value of the cards ({"value": "A", "suit": "S"}), from 0 to 1: high cards and pairs. Improve it!
double strength(const std::vector<Json>& hand, const std::vector<Json>& board) {
  size_t first = VALUES.find(hand[0]["value"].text), second = VALUES.find(hand[1]["value"].text);
  int pairs = first == second;
  for (const Json& card : board) {
    size_t value = VALUES.find(card["value"].text);
    pairs += value == first || value == second;
  }
  bool suited = hand[0]["suit"].text == hand[1]["suit"].text;
  return std::min((first + second) / 40.0 + 0.1 * suited + 0.35 * pairs, 1.0);
}

std::string action(const std::string& action, int amount) {
  return R"({"command": "take_action", "action": ")" + action + R"(", "raise_amount": )" + std::to_string(amount) + "}";
}

// The action for a request: "call" (also for a check), "fold", or "raise" with an amount.
//
// The amount is the total bet for this round, not the chips that you add. You are all-in if it is more than you have.
std::string decide(const Json& request) {
  const auto& players = request["players"].items;  // the server shows only our cards
  const Json& me = *std::find_if(players.begin(), players.end(), [](auto& one) { return !one["hand"].items.empty(); });
  int pot = request["total_pot_value"].number(), highest = request["highest_bid_value"].number();
  int to_call = highest - me["round_bet"].number();
  double how_good = strength(request["hand"].items, request["community_cards"].items);
  std::cout << how_good << " with " << to_call << " to call, " << me["bank"].text << " left" << std::endl;
  if (how_good > 0.7) return action("raise", highest + pot / 2);
  if (to_call == 0 || how_good > 0.3 + 0.5 * to_call / (pot + to_call)) return action("call", 0);
  return action("fold", 0);
}

// The reply to a message, "" for none. You may ignore the messages receive_chat and log_data.
std::string hear(const Json& message) {
  const std::string& command = message["command"].text;
  if (command == "request_action") return decide(message);
  if (command == "confirm_action" && message["result"].text != "success") {
    std::cout << "the server refused that: " << message["error"].text << std::endl;
  } else if (command == "hand_result") {
    std::cout << "hand " << message["hand_number"].text << " is over" << std::endl;
    // At most one chat in five seconds.
    if (message["hand_number"].number() == 0) return R"({"command": "send_chat", "message": "Howdy!"})";
  }
  return "";
}

[[noreturn]] void fail(const std::string& why) { std::cerr << why << std::endl; std::exit(1); }

// A TCP connection to a host.
int connect_to(const std::string& host, const std::string& port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) ||
      connect(connection, found->ai_addr, found->ai_addrlen))
    fail("no server answers at " + host + ":" + port + " (connection refused): start it, or name another");
  return connection;
}

// The next bytes, "" once the other side has closed the connection.
std::string receive(int connection) {
  char bytes[65536];
  return std::string(bytes, std::max<ssize_t>(read(connection, bytes, sizeof bytes), 0));
}

void say(int connection, const std::string& text) { send(connection, text.data(), text.size(), MSG_NOSIGNAL); }

int main(int count, char** words) {
  std::string server = count > 1 ? words[1] : SERVER, host = server.substr(0, server.rfind(':')), answer, heard;
  std::string config{std::istreambuf_iterator<char>(std::ifstream("bot_config.json").rdbuf()), {}};
  if (config.find("\"name\"") == config.npos) fail("there is no bot_config.json with a name here: start the bot in its folder");
  std::string body = R"({"name": ")" + read_json(config)["name"].text + "\"}";
  int connection = connect_to(host, server.substr(server.rfind(':') + 1));
  say(connection, "POST /register HTTP/1.0\r\nHost: " + server + "\r\nContent-Type: application/json\r\n" +
                      "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  while (!(heard = receive(connection)).empty()) answer += heard;
  answer.erase(0, answer.find("\r\n\r\n") + 4);
  std::cout << answer << std::endl;  // during practice, it also says where to watch the game
  connection = connect_to(host, read_json(answer)["port_number"].text);
  for (std::string waiting; !(heard = receive(connection)).empty();) {  // until the server closes the connection
    waiting += heard;
    for (size_t end; (end = waiting.find('\n')) != std::string::npos; waiting.erase(0, end + 1)) {
      say(connection, hear(read_json(waiting.substr(0, end))));
    }
  }
}
