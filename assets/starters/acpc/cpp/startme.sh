#!/bin/sh
# The arguments are the dealer's host and port.
exec ./bot "$1" "$2"
