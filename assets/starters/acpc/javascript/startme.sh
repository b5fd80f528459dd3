#!/bin/sh
# Started with the host and the port where the dealer waits.
exec node bot.js "$1" "$2"
