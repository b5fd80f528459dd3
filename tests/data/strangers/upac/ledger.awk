# awk -W interactive where awk is mawk. Keeps the board, raises on a pair with it, once a street.
$1 == "START"   { side = $2; board = ""; street = 0 }
$1 == "PREFLOP" { one = substr($2, 1, 1); two = substr($3, 1, 1); raised = 0 }
$1 == "FLOP" || $1 == "TURN" || $1 == "RIVER" { for (i = 2; i <= NF; i++) board = board substr($i, 1, 1); raised = 0 }
$1 == "STACK" {
    owed = $4 - $2
    if (!raised && (one == two || index(board, one) || index(board, two))) { raised = 1; print "R" int((owed + 3) * 2) }
    else if (owed > 10) print "F"
    else print "C"
    fflush()
}
