// A starter bot for Enova Hold'em: change `decide` and start it; it then registers with the tournament.
//
//     g++ -O2 -std=c++17 -pthread -o enova_bot enova_bot.cpp
//     ./enova_bot 3001 "Bot Awesome (netid2)" http://localhost:5000
//
// The bot is a small web server. The tournament calls it, and waits 5 seconds for an answer. The bot folds if it is
// late or sends something invalid. The bot is out if it posts no blind. It needs only C++17 and POSIX. Without a name
// it does not register.

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

const std::string VALUES = "23456789TJQKA";

using Form = std::map<std::string, std::string>;  // "your_hand[0][suit]" is "D"

// A rough value of the cards, from 0 to 1: high cards and pairs. Improve it!
double strength(Form& form) {
  size_t first = VALUES.find(form["your_hand[0][value]"]), second = VALUES.find(form["your_hand[1][value]"]);
  int pairs = first == second;
  for (int card = 0; form.count("community_cards[" + std::to_string(card) + "][value]"); ++card) {
    size_t value = VALUES.find(form["community_cards[" + std::to_string(card) + "][value]"]);
    pairs += value == first || value == second;
  }
  bool suited = form["your_hand[0][suit]"] == form["your_hand[1][suit]"];
  return std::min((first + second) / 40.0 + 0.1 * suited + 0.35 * pairs, 1.0);
}

std::string action(const std::string& action, int amount) {
  return R"({"action": ")" + action + R"(", "amount": )" + std::to_string(amount) + "}";
}

// Returns the answer to a call. An amount is the total bet for this betting phase: the minimum calls, 0 checks.
std::string decide(Form form) {
  int minimum = std::stoi(form["minimum_bet"]), maximum = std::stoi(form["maximum_bet"]);
  // Post every blind with any cards, or you are out of the tournament.
  if (form["blind"] == "true") return action("blind", minimum);
  double how_good = strength(form);
  std::cout << how_good << " with " << minimum << " to " << maximum << " to bet of " << form["your_chips"] << std::endl;
  if (how_good > 0.7) return action("bet", std::min(std::max(2 * minimum, 4), maximum));
  if (minimum == 0 || how_good > 0.3 + minimum / (std::stoi(form["your_chips"]) + 1.0)) return action("bet", minimum);
  return action("fold", 0);
}

// A form's text with %5B and + decoded.
std::string plain(std::string text) {
  std::replace(text.begin(), text.end(), '+', ' ');
  for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    text.replace(at, 3, 1, static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16)));
  }
  return text;
}

// The answer to a call, "POST /player/action". /player/ready must return 200, or the bot gets no seat. /player/seat
// names a new table. /player/notify says in form["event"] what has happened. The last two expect only the answer 200.
std::string reply(const std::string& call, const std::string& body) {
  Form form;
  for (size_t from = 0, to; from < body.size(); from = to + 1) {
    to = std::min(body.find('&', from), body.size());
    size_t equals = std::min(body.find('=', from), to);
    form[plain(body.substr(from, equals - from))] = equals < to ? plain(body.substr(equals + 1, to - equals - 1)) : "";
  }
  std::string text = call == "POST /player/action" ? decide(form) : "";
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
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

// Registers, and prints the answer. During practice, its header watch-url says where to watch.
void enter(const std::string& here, const std::string& name, const std::string& tournament) {
  std::string host = tournament.substr(tournament.find("//") + 2), form = "hostname=" + here + "&name=", answer;
  for (unsigned char byte : name) {
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", byte);
    form += escaped;
  }
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  size_t colon = host.find(':');
  if (getaddrinfo(host.substr(0, colon).c_str(), host.substr(colon + 1).c_str(), &hints, &found) ||
      connect(connection, found->ai_addr, found->ai_addrlen)) {
    std::cerr << "no tournament answers at " << tournament << " (connection refused): start it, or name another\n";
    std::exit(1);
  }
  std::string call = "POST /tournament/register HTTP/1.0\r\nHost: " + host +
                     "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " +
                     std::to_string(form.size()) + "\r\n\r\n" + form;
  send(connection, call.data(), call.size(), MSG_NOSIGNAL);
  while (receive(connection, answer)) {}
  std::cout << answer << std::endl;
}

int main(int count, char** words) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(count > 1 ? std::stoi(words[1]) : 3001);
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
  std::string here = "localhost:" + std::to_string(ntohs(address.sin_port));
  std::cout << "listening on http://" << here << std::endl;
  if (count > 3) std::thread(enter, here, words[2], words[3]).detach();
  while (true) std::thread(serve, accept(listener, nullptr, nullptr)).detach();
}
