#!/bin/sh
# The arguments are the dealer's host and port.
exec java -Xmx32m -XX:+UseSerialGC Bot "$1" "$2"
