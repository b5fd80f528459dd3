#!/bin/sh
# Started with the host and the port where the dealer waits.
exec java -Xmx32m -XX:+UseSerialGC Bot "$1" "$2"
