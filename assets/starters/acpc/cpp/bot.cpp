// A starter player for the Annual Computer Poker Competition: change `decide`.
//
//     g++ -O2 -std=c++17 -o bot bot.cpp && ./bot 127.0.0.1 18791
//
// The arguments are the dealer's host and port. Each line from the dealer is the whole state of the hand. The answer is
// the same line, a colon and an action. The bot needs only C++17 and POSIX.

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

const std::string RANKS = "23456789TJQKA";
const int STACK = 20000, SMALL = 50, BIG = 100;  // from the game definition

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream from(text + at);
  for (std::string part; std::getline(from, part, at);) parts.push_back(part);
  return parts;
}

// The state of one hand, read from a line. A player's number is its position: 0 is the first after the button.
struct State {
  int me, least;  // our position; the smallest total of a raise
  std::string hand, hole, board;
  std::vector<int> spent;  // in the whole hand
  std::set<int> folded;
  std::deque<int> due;  // the players who have yet to act

  explicit State(const std::string& line) {
    auto fields = split(line, ':'), cards = split(fields[4], '/'), holes = split(cards[0], '|');
    me = std::stoi(fields[1]);
    hand = fields[2];
    hole = holes[me];
    for (size_t street = 1; street < cards.size(); ++street) board += cards[street];
    bool duel = holes.size() == 2;
    spent.assign(holes.size(), 0);
    spent[0] = duel ? BIG : SMALL;
    spent[1] = duel ? SMALL : BIG;
    auto streets = split(fields[3], '/');
    for (size_t number = 0; number < streets.size(); ++number) follow(streets[number], number, number ? 0 : duel ? 1 : 2);
  }

  int highest() const { return *std::max_element(spent.begin(), spent.end()); }
  bool my_turn() const { return !due.empty() && due[0] == me && folded.size() + 1 < spent.size(); }

  // The players who can still act, clockwise from `first`.
  std::deque<int> able(int first) const {
    std::deque<int> found;
    for (size_t step = 0; step < spent.size(); ++step) {
      int at = (first + step) % spent.size();
      if (!folded.count(at) && spent[at] < STACK) found.push_back(at);
    }
    return found;
  }

  // Follows the actions of a round.
  void follow(const std::string& street, int number, int first) {
    int raised_by = BIG;
    due = able(first);
    if (number && due.size() < 2) due.clear();
    for (size_t from = 0, end; from < street.size(); from = end) {
      end = std::min(street.find_first_of("fcr", from + 1), street.size());
      int at = due.front(), before = highest();
      due.pop_front();
      if (street[from] == 'f') {
        folded.insert(at);
      } else if (street[from] == 'c') {
        spent[at] = before;
      } else {
        spent[at] = std::stoi(street.substr(from + 1, end - from - 1));
        raised_by = std::max(raised_by, spent[at] - before);
        due = able(at + 1);
        due.erase(std::remove(due.begin(), due.end(), at), due.end());
      }
    }
    least = highest() + raised_by;
  }
};

// A rough value of the cards ("AsTd"), from 0 to 1: high cards and pairs. Improve it!
double strength(const std::string& hole, const std::string& board) {
  size_t first = RANKS.find(hole[0]), second = RANKS.find(hole[2]);
  int pairs = first == second;
  for (size_t at = 0; at < board.size(); at += 2) pairs += RANKS.find(board[at]) == first || RANKS.find(board[at]) == second;
  return std::min((first + second) / 40.0 + 0.1 * (hole[1] == hole[3]) + 0.35 * pairs, 1.0);
}

// The action: "f" folds, "c" calls or checks, "r600" raises to a total of 600 for this hand.
std::string decide(const State& now) {
  double how_good = strength(now.hole, now.board);
  int pot = std::accumulate(now.spent.begin(), now.spent.end(), 0), highest = now.highest();
  int to_call = highest - now.spent[now.me];
  std::cerr << "hand " << now.hand << " " << now.hole << " " << now.board << ": " << how_good << ", " << to_call << " to call\n";
  if (how_good > 0.7 && highest < STACK) return "r" + std::to_string(std::min(std::max(highest + pot / 2, now.least), STACK));
  return to_call == 0 || how_good > 0.3 + 0.5 * to_call / (pot + to_call) ? "c" : "f";
}

void say(int connection, const std::string& text) { send(connection, text.data(), text.size(), MSG_NOSIGNAL); }

int main(int count, char** words) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (count < 3 || getaddrinfo(words[1], words[2], &hints, &found) ||
      connect(connection, found->ai_addr, found->ai_addrlen)) {
    std::cerr << "nobody listens at " << (count < 3 ? "" : std::string(words[1]) + ":" + words[2])
              << " (connection refused): start the dealer, or name another" << std::endl;
    return 1;
  }
  say(connection, "VERSION:2.0.0\r\n");
  std::string waiting;
  char bytes[65536];
  for (ssize_t got; (got = read(connection, bytes, sizeof bytes)) > 0;) {  // until the match is over
    waiting.append(bytes, got);
    for (size_t end; (end = waiting.find('\n')) != std::string::npos; waiting.erase(0, end + 1)) {
      std::string line = waiting.substr(0, end);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line[0] == '#' || line[0] == ';') continue;
      State now(line);
      if (now.my_turn()) say(connection, line + ":" + decide(now) + "\r\n");
    }
  }
}
