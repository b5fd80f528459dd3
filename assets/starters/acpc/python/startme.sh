#!/bin/sh
# The arguments are the dealer's host and port.
exec python3 bot.py "$1" "$2"
