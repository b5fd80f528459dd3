#!/bin/sh
# Started with the host and the port where the dealer waits.
exec ./bot "$1" "$2"
