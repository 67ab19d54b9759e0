/* SPDX-License-Identifier: MIT */
/* The command line of a command and its help, from a table of options. */
#ifndef KOSHU_APP_OPTIONS_H
#define KOSHU_APP_OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "fields.h"

/*
 * An option sets a member of the command's values, according to its type.
 * Numbers in lists of counts must be >= 1, other counts >= `min`; real numbers
 * must be in min ... max, including min if `closed`; without a max all are
 * allowed. The default is appended to a help text, unless that ends with a
 * bracket. An entry without a name is the heading of its group; one without a
 * text is another name of the option before it.
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
    /* Set instead of the type's own reading: sets the member; ends the program
     * by argp_error() if the value is invalid. */
    void (*parse)(struct argp_state *state, const char *option, char *text,
                  void *member);
    /* Prints the default of an option with parse(). */
    void (*show)(const void *values, char *text, size_t size);
};

enum { MAX_OPTIONS = 64 };

struct command_line {
    const char *arguments, *doc; /* for the help */
    /* ends with an entry without name and text */
    const struct command_option *options;
    /* where words that are not options go: a text, or FIELD_WORDS */
    struct field word;
    const char *word_is; /* what it is, "model", of which there is one */
    /* its k-th possible value; NULL: past the last */
    const char *(*word_name)(int k);
    /* words and options are read in their order; otherwise words come last */
    bool in_order;
    /* Called when all is read: argp_error() for options that contradict each
     * other. */
    void (*check)(struct argp_state *state, void *values);
    char *(*help_filter)(int key, const char *text, void *input);
};

/* Sets the values, which must hold the defaults. Invalid arguments end the
 * program. Bit k of the result: the k-th option was given. */
uint64_t options_parse(const struct command_line *line, int argc, char **argv,
                       void *values);

/* Frees the lists of words that the options of a table have made; options may
 * be NULL. */
void options_free(const struct command_option *options, void *values);

/* parse() for a number of threads, an int. */
void parse_threads(struct argp_state *state, const char *option, char *text,
                   void *member);

/* Finds the value of an enum by a koshu_..._find(), whose message lists all
 * names. */
#define OPTION_FIND(state, option, text, find, member)                        \
    do {                                                                      \
        if (find(NULL, text, member) != KOSHU_OK)                             \
            argp_error(state, "%s: %s", option, koshu_context_message(NULL)); \
    } while (0)

#endif
