"""A bot that starts slowly, like a program that loads a library. Sends white space around its actions."""
import sys
import time

time.sleep(0.7)


class Bot:
    def __init__(self):
        self.cards = []
        self.last = 0

    def on_start(self, side):
        assert side in ("SB", "BB"), side
        self.cards = []
        self.last = 0

    def on_preflop(self, *cards):
        self.cards += cards

    on_flop = on_turn = on_river = on_preflop

    def on_end(self, how, *rest):
        if how == "SHOWDOWN":
            assert rest[0] in ("TIE", "WINNER"), rest

    def on_stack(self, a, b, c, d):
        a, b, c, d = int(a), int(b), int(c), int(d)
        assert 0 <= a <= b and 0 <= c <= d and b + d == 100, (a, b, c, d)
        suits = [card[1] for card in self.cards]
        if max(suits.count(suit) for suit in suits) >= 3 and self.last < 2:
            self.last += 1
            sys.stdout.write("  R%03d \r\n" % max(1, d // 10))
        elif c - a >= 6 and len(set(suits)) == len(suits):
            sys.stdout.write(" F\n")
        else:
            sys.stdout.write("C\t\n")
        sys.stdout.flush()


bot = Bot()
while True:
    line = input()
    word, *rest = line.split()
    getattr(bot, "on_" + word.lower())(*rest)
