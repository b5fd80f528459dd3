// A starter bot for the Arena: change `decide`, start it, and add its port to the tournament's configuration file.
//
//     g++ -O2 -std=c++17 -pthread -o ai_http_server ai_http_server.cpp && ./ai_http_server 5000
//
// The bot is a web server. On each turn of the bot, the Arena sends the whole state of the game to POST /action and
// waits 3 seconds for the answer. The bot folds if it is late or sends something invalid. The bot needs only C++17 and
// POSIX.
// Try it by hand: curl --data @state.json localhost:5000/action, with the example state in the guide.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

const std::string RANKS = "23456789TJQKA";

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

// A rough value of the cards ("As", "Td", "2c"), from 0 to 1: high cards and pairs. Improve it!
double strength(const std::vector<Json>& hole, const std::vector<Json>& board) {
  size_t first = RANKS.find(hole[0].text[0]), second = RANKS.find(hole[1].text[0]);
  int pairs = first == second;
  for (const Json& card : board) pairs += card.text[0] == hole[0].text[0] || card.text[0] == hole[1].text[0];
  bool suited = hole[0].text[1] == hole[1].text[1];
  return std::min((first + second) / 40.0 + 0.1 * suited + 0.35 * pairs, 1.0);
}

std::string action(const std::string& action, int amount) {
  return R"({"action": ")" + action + R"(", "amount": )" + std::to_string(amount) + "}";
}

// The action: one of the state's valid_actions. A raise also needs an amount, between the min and max of that action.
//
// A raise's amount is the total bet for the street, not the chips that you add. Amounts are always whole numbers.
std::string decide(const Json& state) {
  const Json& me = state["players"][state["current_player"].text];
  std::map<std::string, Json> valid;
  for (const Json& each : state["valid_actions"].items) valid[each["action"].text] = each["amount"];
  int pot = state["pot"].number(), to_call = valid.count("call") ? valid["call"].number() : 0;
  double how_good = strength(me["hole_cards"].items, state["community_cards"].items);
  std::cout << how_good << ", " << to_call << " to call" << std::endl;
  if (how_good > 0.7 && valid.count("raise")) {
    int least = valid["raise"]["min"].number(), most = valid["raise"]["max"].number();
    return action("raise", std::min(std::max(state["current_bet"].number() + pot / 2, least), most));
  }
  if (how_good > 0.9 && valid.count("all_in")) return action("all_in", valid["all_in"].number());
  if (valid.count("check")) return action("check", 0);
  if (how_good > 0.3 + 0.5 * to_call / (pot + to_call)) return action("call", to_call);
  return action("fold", 0);
}

// Returns the answer to a call. The Arena calls /action on each turn of the bot. /health only shows that the bot runs.
std::string reply(const std::string& call, const std::string& body) {
  bool asked = call == "POST /action", known = asked || call.compare(0, 4, "GET ") == 0;
  std::string text = known ? R"({"status": "healthy"})" : R"({"error": "there is only /action"})";
  if (asked) text = decide(read_json(body));
  return std::string("HTTP/1.1 ") + (known ? "200 OK" : "404 Not Found") +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

// Adds received bytes to `heard`; returns false once the other side has closed the connection.
bool receive(int connection, std::string& heard) {
  char bytes[65536];
  ssize_t count = read(connection, bytes, sizeof bytes);
  heard.append(bytes, std::max<ssize_t>(count, 0));
  return count > 0;
}

// Answers one call after another until the other side closes the connection.
void serve(int connection) {
  std::string heard;
  while (receive(connection, heard)) {
    size_t head = heard.find("\r\n\r\n"), end = head + 4;
    if (head == std::string::npos) continue;
    std::string lines = heard.substr(0, head);
    std::transform(lines.begin(), lines.end(), lines.begin(), ::tolower);
    size_t field = lines.find("\r\ncontent-length:");
    if (field != std::string::npos) end += std::stoul(lines.substr(field + 17));
    if (heard.size() < end) continue;
    std::string answer = reply(heard.substr(0, heard.find(" HTTP/")), heard.substr(head + 4));
    send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
    heard.clear();
  }
  close(connection);
}

int main(int count, char** words) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(count > 1 ? std::stoi(words[1]) : 5000);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // for calls from other machines, use INADDR_ANY
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  auto* there = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, there, size) || listen(listener, 16)) {
    std::cerr << "port " << ntohs(address.sin_port) << " is not available (in use, or not allowed): give another\n";
    return 1;
  }
  getsockname(listener, there, &size);
  std::cout << "listening on http://localhost:" << ntohs(address.sin_port) << std::endl;
  while (true) std::thread(serve, accept(listener, nullptr, nullptr)).detach();
}
