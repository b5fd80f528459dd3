#!/bin/sh
# The arguments are the dealer's host and port.
exec node bot.js "$1" "$2"
