/* SPDX-License-Identifier: MIT */
/*
 * What may follow on a command line, for the shells' completions
 * (share/completions): `koshu run --complete` prints a line for each word, with
 * a tab and what it is. They come from the same tables as the help.
 */
#ifndef KOSHU_APP_COMPLETE_H
#define KOSHU_APP_COMPLETE_H

#include <stdbool.h>

#include "options.h"

/* Is this all that a command is given? */
bool complete_is_wanted(int argc, char **argv);

/* A command, a benchmark, a model. */
void complete_word(const char *word, const char *what);

/* The options of a table, and those that every command has. */
void complete_options(const struct command_line *line);

#endif
