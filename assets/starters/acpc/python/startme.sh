#!/bin/sh
# Started with the host and the port where the dealer waits.
exec python3 bot.py "$1" "$2"
