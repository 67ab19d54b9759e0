/* SPDX-License-Identifier: MIT */
/* The command line of a command, and its help, from a table of options. */
#ifndef KOSHU_APP_OPTIONS_H
#define KOSHU_APP_OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "fields.h"

/*
 * An option: a member of the command's values, set by its type. Lists of counts
 * are of 1 or more, others at least `min`; numbers in min ... max, min itself
 * where `closed`, all where there is no max. Help that does not end with a
 * bracket gets the default. An entry without a name is the heading of its
 * group; one without a text, another name of the option before it.
 */
struct command_option {
    const char *name;
    int key; /* its letter; 0: none */
    const char *argument, *text;
    struct field field;
    double min, max;
    bool closed;
    int flags, group; /* of argp */
    unsigned
            only; /* bits of what it is for, 0: all; for the command to check */
    /* Instead: into the member. What is no value ends the program by
     * argp_error(). */
    void (*parse)(struct argp_state *state, const char *option, char *text,
                  void *member);
    /* The default, of one with parse(). */
    void (*show)(const void *values, char *text, size_t size);
};

enum { MAX_OPTIONS = 64 };

struct command_line {
    const char *arguments, *doc;          /* in the help */
    const struct command_option *options; /* the last has no name, no text */
    struct field word;   /* what is no option: a text, or FIELD_WORDS */
    const char *word_is; /* "model", of which there is one */
    const char *(*word_name)(int k); /* those there are; NULL: past the last */
    bool in_order; /* words and options are read as they stand; else the
                      words come last */
    /* Where all is read: argp_error() for what does not go together. */
    void (*check)(struct argp_state *state, void *values);
    char *(*help_filter)(int key, const char *text, void *input);
};

/* Sets the values, which hold the defaults. What they cannot be ends the
 * program. Bit k: the k-th option was given. */
uint64_t options_parse(const struct command_line *line, int argc, char **argv,
                       void *values);

/* Frees the lists of words that the options of a table have made; NULL: none.
 */
void options_free(const struct command_option *options, void *values);

/* parse() of a number of threads, an int. */
void parse_threads(struct argp_state *state, const char *option, char *text,
                   void *member);

/* An enum by its name, by a koshu_..._find(); the message lists all names. */
#define OPTION_FIND(state, option, text, find, member)                        \
    do {                                                                      \
        if (find(NULL, text, member) != KOSHU_OK)                             \
            argp_error(state, "%s: %s", option, koshu_context_message(NULL)); \
    } while (0)

#endif
