// A starter bot for UPAC: change `decide`, zip the folder `bot`, and submit it.
//
// It reads standard input and writes standard output, one message per line, and has one second for each action.
// Output to std::cerr goes to a log that only you can read.
// Try it by hand: g++ -O2 -std=c++17 -o bot bot.cpp && ./bot, then type START SB, PREFLOP As Kd, STACK 1 50 2 50.

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

const std::string RANKS = "23456789TJQKA";

// The known facts about the current round. Cards are written "As", "Td", "2c".
struct Round {
  std::string blind;  // "SB" or "BB"
  std::vector<std::string> hole, board;
};

// A rough value of the cards, from 0 to 1: high cards and pairs. Improve it!
double strength(const std::vector<std::string>& hole, const std::vector<std::string>& board) {
  size_t first = RANKS.find(hole[0][0]), second = RANKS.find(hole[1][0]);
  int pairs = first == second;
  for (const std::string& card : board) {
    size_t rank = RANKS.find(card[0]);
    pairs += rank == first || rank == second;
  }
  bool suited = hole[0][1] == hole[1][1];
  return std::min((first + second) / 40.0 + 0.1 * suited + 0.35 * pairs, 1.0);
}

// The action: "F" folds, "C" calls or checks, "R6" raises by 6.
//
// `pushed` is how much we have put in this round, and `stack` is `pushed` plus our remaining chips. The other two
// numbers are the opponent's. A raise first matches the opponent's bet, and then adds its amount. A raise that is too
// large is reduced to the amount that both can pay.
std::string decide(const Round& now, int pushed, int stack, int their_pushed, int their_stack) {
  int to_call = their_pushed - pushed, pot = pushed + their_pushed;
  double how_good = strength(now.hole, now.board);
  std::cerr << now.hole[0] << " " << now.hole[1] << ": " << how_good << ", " << to_call << " to call" << std::endl;
  if (stack == pushed || (their_stack == their_pushed && to_call == 0)) {
    return "C";  // Somebody is all-in: we must still answer on every street, but there is nothing to decide.
  }
  if (how_good > 0.7) return "R" + std::to_string(std::max(pot / 2, 2));  // A whole number: "R1.5" would lose the game.
  if (to_call == 0 || how_good > 0.3 + 0.5 * to_call / (pot + to_call)) return "C";
  return "F";
}

int main() {
  Round now;
  for (std::string line; std::getline(std::cin, line);) {  // ends when the game is over
    std::istringstream words(line);
    std::string word, rest;
    words >> word;
    if (word == "START") {
      now = Round{};
      words >> now.blind;
    } else if (word == "PREFLOP") {
      while (words >> rest) now.hole.push_back(rest);
    } else if (word == "FLOP" || word == "TURN" || word == "RIVER") {
      while (words >> rest) now.board.push_back(rest);
    } else if (word == "STACK") {
      int pushed, stack, their_pushed, their_stack;
      words >> pushed >> stack >> their_pushed >> their_stack;
      std::cout << decide(now, pushed, stack, their_pushed, their_stack) << std::endl;  // endl flushes the line.
    } else if (word == "END") {
      std::cerr << "the round ended:" << line.substr(3) << std::endl;
    }
  }
}
