/* SPDX-License-Identifier: MIT */
/*
 * Completions of command lines in shells (share/completions): `koshu run
 * --complete` prints, line by line, the words that may follow, each with a tab
 * and a description. They come from the same tables as the help.
 */
#ifndef KOSHU_APP_COMPLETE_H
#define KOSHU_APP_COMPLETE_H

#include <stdbool.h>

#include "options.h"

/* Are the completions all that is requested of the command? */
bool complete_is_wanted(int argc, char **argv);

/* Prints a command, a benchmark or a model. */
void complete_word(const char *word, const char *what);

/* Prints the options of a table, and those that every command has. */
void complete_options(const struct command_line *line);

#endif
