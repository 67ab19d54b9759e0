# SPDX-License-Identifier: MIT
# For scripts whose steps take minutes: source it.
#
# progress WHAT LOG COMMAND...
#
# Runs a command whose output goes to a file. One line says how far it is, by
# the "[120/350]" or "[ 34%]" that ninja and make begin their lines with, and
# for how long it has run: kept up to date on a terminal, and a new one every
# half a minute elsewhere, so that a log shows life. Of a command that fails the
# end of the output is printed. Returns the command's status.
# shellcheck shell=bash

progress() {
    local what=$1 log=$2 start=$SECONDS watcher status=0
    shift 2
    mkdir -p "$(dirname "$log")"
    : >"$log"
    # the command is in the foreground, for the signals of the keyboard
    watch_progress "$what" "$log" "$start" &
    watcher=$!
    "$@" >"$log" 2>&1 || status=$?
    kill $watcher 2>/dev/null
    wait $watcher 2>/dev/null || true
    progress_on_terminal && printf '\r\033[K'
    if [[ $status == 0 ]]; then
        progress_line "$what" "$log" "$start"
    else
        tail -n 60 "$log"
        echo "$what failed; all of it is in $log"
    fi
    return $status
}

progress_on_terminal() { [[ -t 1 && ${TERM:-dumb} != dumb ]]; }

progress_line() { # WHAT LOG START
    local count time=$((SECONDS - $3))
    count=$(grep -ao '^\[ *[0-9]*[/%][0-9]*\]' "$2" | tail -n 1) || true
    printf '%s%s, %d:%02d\n' "${count:+$count }" "$1" $((time / 60)) \
        $((time % 60))
}

# Until it is killed, or the script that began it is gone.
watch_progress() { # WHAT LOG START
    local line
    while sleep 1 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
        if progress_on_terminal; then
            line=$(progress_line "$@")
            printf '\r\033[K%s' "$line"
        elif (((SECONDS - $3) % 30 == 0)); then
            progress_line "$@"
        fi
    done
}
