# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Helpers for tests of koshu run on ranks.
# shellcheck source=tests/app/support.sh
source "$(dirname "$0")/../app/support.sh"
mpirun=$2
pid=
trap '[[ -z $pid ]] || kill -TERM "$pid" 2>/dev/null; rm -rf "$work"' EXIT

ranks() { # K ARGUMENT...
    local n=$1
    shift
    "$mpirun" -n "$n" "$koshu" "$@"
}

cat >run.yaml <<'END'
initial: {model: plummer, n: 101}
solver: {softening: 1/16}
integrator: {dt: 1/64, end: 0.25}
output: {log: {steps: 4}, snapshot: {interval: 0.125}}
END

# Columns of energy.csv to so many digits: step, time and energies.
rounded() {
    awk -F, -v digits="$1" 'NR > 1 {
        printf "%d %g", $1, $2
        for (k = 3; k <= 5; k++) printf " %.*g", digits, $k
        print "" }' "$2/energy.csv"
}
