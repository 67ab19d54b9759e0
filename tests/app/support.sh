# SPDX-License-Identifier: MIT
# Sourced by the tests of the program: creates an empty folder to work in, sets
# $koshu, and defines what to expect of a command. Each test is called with the
# path of koshu.
set -euo pipefail
koshu=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

# expect CODE WORDS COMMAND...: the command must end with this status and print
# a line, on either stream, that contains these words. If not, its output is
# printed, so that the log of a failed test starts with the failure.
expect() {
    local code=$1 words=$2 status=0
    shift 2
    "$@" >output 2>&1 || status=$?
    [[ $status == "$code" ]] ||
        fail "$*: status $status, expected $code: $(cat output)"
    grep -qF -- "$words" output ||
        fail "$*: no '$words' in the output: $(cat output)"
}
