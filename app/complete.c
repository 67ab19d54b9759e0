/* SPDX-License-Identifier: MIT */
/* Prints the words for completions of the shells. */
#include "complete.h"

#include <stdio.h>
#include <string.h>

bool
complete_is_wanted(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "--complete") == 0;
}

void
complete_word(const char *word, const char *what)
{
    printf("%s\t%s\n", word, what);
}

static void
complete_option(const struct command_option *o, const char *text)
{
    const bool optional = o->flags & OPTION_ARG_OPTIONAL;
    printf("--%s%s\t%s\n", o->name, o->argument && optional ? "=" : "", text);
    if (o->key) printf("-%c\t%s\n", o->key, text);
}

void
complete_options(const struct command_line *line)
{
    const char *text = "", *name;
    for (int k = 0; line->word_name && (name = line->word_name(k)); k++)
        complete_word(name, line->word_is);
    for (const struct command_option *o = line->options; o->name || o->text;
         o++) {
        /* entries without a text are other names of the option before */
        if (o->text) text = o->text;
        if (o->name && !(o->flags & OPTION_HIDDEN)) complete_option(o, text);
    }
    complete_word("--help", "describe this command");
}
