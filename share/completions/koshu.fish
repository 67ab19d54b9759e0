# SPDX-License-Identifier: MIT
# Completion of koshu's command line in fish: it asks the program, whose tables of
# options are the one source.
function __koshu_complete
    set -l words (commandline -opc)
    # koshu COMMAND, koshu bench WHAT: what decides on the words
    set -l before $words[2]
    test "$words[2]" = bench; and set before $words[2..3]
    test "$words[2]" = help; and set before
    $words[1] $before --complete 2>/dev/null
end
complete -c koshu -n 'test (count (commandline -opc)) -eq 1' -f
complete -c koshu -a '(__koshu_complete)'
