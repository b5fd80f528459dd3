#!/bin/bash
# bash: call everything small, fold what costs more than a third, raise two with a pocket pair.
raised=0
while read -r word a b c d; do
    case $word in
        START) raised=0 ;;
        PREFLOP) if [ "${a:0:1}" = "${b:0:1}" ]; then pair=1; else pair=0; fi ;;
        STACK)
            if (( pair && ! raised )); then raised=1; echo R2
            elif (( c - a > b / 3 && ! pair )); then echo F
            else echo C; fi ;;
    esac
done
