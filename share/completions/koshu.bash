# SPDX-License-Identifier: MIT
# Completion of koshu's command line in bash: it asks the program, whose tables of
# options are the one source.
_koshu() {
    local word=${COMP_WORDS[COMP_CWORD]} k
    local before=()
    # koshu COMMAND, koshu bench WHAT: what decides on the words
    for ((k = 1; k < COMP_CWORD && k <= 2; k++)); do
        [[ $k == 2 && ${COMP_WORDS[1]} != @(bench|help) ]] && break
        before+=("${COMP_WORDS[k]}")
    done
    [[ ${before[0]:-} == help ]] && before=("${before[@]:1:0}")
    local words
    words=$("${COMP_WORDS[0]}" "${before[@]}" --complete 2>/dev/null | cut -f 1)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [[ $word != -* && ${#before[@]} != 0 ]]; then
        compopt -o filenames
        local files
        mapfile -t files < <(compgen -f -- "$word")
        COMPREPLY+=("${files[@]}")
    fi
}
complete -F _koshu koshu
