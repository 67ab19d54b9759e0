# SPDX-License-Identifier: MIT
# Sourced by the tests of the program: an empty folder to work in, $koshu, and
# what to expect of a command. Each test is called with the path of koshu.
set -euo pipefail
koshu=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

# expect CODE WORDS COMMAND...: it ends with this status and prints a line that
# holds these words, on either stream. What it prints is shown where it does not:
# the log of a failed test begins with what failed.
expect() {
    local code=$1 words=$2 status=0
    shift 2
    "$@" >output 2>&1 || status=$?
    [[ $status == "$code" ]] ||
        fail "$*: status $status, expected $code: $(cat output)"
    grep -qF -- "$words" output ||
        fail "$*: no '$words' in the output: $(cat output)"
}
