/* SPDX-License-Identifier: MIT */
/* Command lines: tables of options for argp, their values and their help. */
#include "options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "complete.h"

/* ---- values -------------------------------------------------------------- */

static void
check_count(struct argp_state *state, const struct command_option *o,
            const char *option, size_t count)
{
    if ((double)count < o->min)
        argp_error(state, "%s: '%zu' is not %.0f or more", option, count,
                   o->min);
    if (o->max > 0 && (double)count > o->max)
        argp_error(state, "%s: %zu is more than %.0f", option, count, o->max);
}

static void
parse_int(struct argp_state *state, const struct command_option *o,
          const char *option, const char *text, int *member)
{
    const uint64_t count = argument_count(state, option, text);
    check_count(state, o, option, count);
    if (count > INT_MAX)
        argp_error(state, "%s: %s is more than %d", option, text, INT_MAX);
    *member = (int)count;
}

static void
parse_counts(struct argp_state *state, const struct command_option *o,
             const char *option, const char *text, struct count_list *counts)
{
    counts->n = argument_counts(state, option, text, MAX_LIST, counts->value);
    counts->given = true;
    for (size_t k = 0; k < counts->n; k++)
        check_count(state, o, option, counts->value[k]);
}

static void
parse_number(struct argp_state *state, const struct command_option *o,
             const char *option, const char *text, double *number)
{
    const double x = argument_number(state, option, text);
    const bool low = o->closed ? x < o->min : x <= o->min;
    *number = x;
    if (o->max > 0 && (low || x > o->max))
        argp_error(state, "%s: %s is not in %c%g, %g]", option, text,
                   o->closed ? '[' : '(', o->min, o->max);
    else if (low && o->closed)
        argp_error(state, "%s: %s is negative", option, text);
    else if (low)
        argp_error(state, "%s: %s is not above %g", option, text, o->min);
}

static void
parse_numbers(struct argp_state *state, const struct command_option *o,
              const char *option, const char *text, struct number_list *numbers)
{
    char *copy = strdup(text), *rest = copy, *word;
    if (!copy) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    for (numbers->n = 0; (word = strsep(&rest, ",")); numbers->n++) {
        if (numbers->n == MAX_LIST)
            argp_error(state, "%s: more than %d numbers", option, MAX_LIST);
        parse_number(state, o, option, word, &numbers->value[numbers->n]);
    }
    numbers->given = true;
    free(copy);
}

static void
parse_value(struct argp_state *state, const struct command_option *o,
            char *text, void *member)
{
    char option[64];
    snprintf(option, sizeof option, "--%s", o->name);
    if (o->parse) {
        o->parse(state, option, text, member);
        return;
    }
    switch (o->field.type) {
    case FIELD_FLAG: *(bool *)member = true; break;
    case FIELD_TEXT: *(const char **)member = text; break;
    case FIELD_SIZE:
        *(size_t *)member = argument_count(state, option, text);
        check_count(state, o, option, *(size_t *)member);
        break;
    case FIELD_INT: parse_int(state, o, option, text, member); break;
    case FIELD_REAL: parse_number(state, o, option, text, member); break;
    case FIELD_COUNTS: parse_counts(state, o, option, text, member); break;
    case FIELD_NUMBERS: parse_numbers(state, o, option, text, member); break;
    case FIELD_WORDS: append_word(state, member, text); break;
    default: break;
    }
}

void
parse_threads(struct argp_state *state, const char *option, char *text,
              void *member)
{
    *(int *)member = argument_threads(state, option, text);
}

/* ---- the table that argp gets -------------------------------------------- */

enum { HELP = 512, FIRST_KEY = 256 };

struct parsing {
    const struct command_line *line;
    void *values;
    uint64_t given;
    struct argp_option table[MAX_OPTIONS + 1];
    char help[MAX_OPTIONS][HELP];
};

static void
print_list(char *text, size_t size, const struct count_list *counts)
{
    for (size_t k = 0, at = 0; k < counts->n && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%zu", k ? "," : "",
                               counts->value[k]);
}

/* The default as the help shows it; "": none. */
static void
print_default(const struct command_option *o, const void *values, char *text,
              size_t size)
{
    const char *member = (const char *)values + o->field.offset;
    text[0] = '\0';
    if (o->show)
        o->show(values, text, size);
    else if (o->field.type == FIELD_REAL)
        snprintf(text, size, "%g", *(const double *)member);
    else if (o->field.type == FIELD_SIZE && *(const size_t *)member > 0)
        snprintf(text, size, "%zu", *(const size_t *)member);
    else if (o->field.type == FIELD_COUNTS)
        print_list(text, size, (const struct count_list *)member);
}

static void
print_help(const struct command_option *o, const void *values, char *help)
{
    char value[HELP / 2];
    print_default(o, values, value, sizeof value);
    if (value[0] && o->text[strlen(o->text) - 1] != ')')
        snprintf(help, HELP, "%s (%s)", o->text, value);
    else
        snprintf(help, HELP, "%s", o->text);
}

static void
fill_table(struct parsing *p)
{
    const struct command_option *o = p->line->options;
    for (int k = 0; k < MAX_OPTIONS && (o->name || o->text); k++, o++) {
        if (o->text) print_help(o, p->values, p->help[k]);
        p->table[k] = (struct argp_option){
                .name = o->name,
                .key = o->name && o->text && !o->key ? FIRST_KEY + k : o->key,
                .arg = o->argument,
                .flags = o->flags | (o->text ? 0 : OPTION_ALIAS),
                .doc = o->text ? p->help[k] : NULL,
                .group = o->group,
        };
    }
}

/* ---- misspelt options ---------------------------------------------------- */

/* The table's option that an argument is, by its full name or its letter; NULL:
 * none. */
static const struct argp_option *
find_option(const struct parsing *p, const char *word)
{
    for (const struct argp_option *o = p->table; o->name || o->doc; o++) {
        if (!o->name) continue;
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0)
            return o;
        if (word[0] == '-' && word[1] && word[1] == o->key && !word[2])
            return o;
    }
    return NULL;
}

/* Is the argument after this one its value? */
static bool
takes_next(const struct parsing *p, const char *word)
{
    const struct argp_option *o = find_option(p, word);
    return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

/* getopt accepts an option's name cut short. */
static bool
may_be_option(const char *word, size_t n, const char *const *names,
              size_t n_names)
{
    for (size_t k = 0; k < n_names; k++)
        if (strncmp(names[k], word, n) == 0) return true;
    return false;
}

static void
check_name(const struct parsing *p, struct argp_state *state, const char *word)
{
    const char *names[MAX_OPTIONS + 2] = {"--help", "--usage"};
    char shown[MAX_OPTIONS][64], seen[64];
    size_t n_names = 2;
    const size_t n = strcspn(word, "=");
    for (int k = 0; k < MAX_OPTIONS; k++)
        if (p->table[k].name) {
            snprintf(shown[k], sizeof shown[k], "--%s", p->table[k].name);
            names[n_names++] = shown[k];
        }
    if (may_be_option(word, n, names, n_names)) return;
    snprintf(seen, sizeof seen, "%.*s", (int)n, word);
    state->name = state->argv[0]; /* argp itself sets it only later */
    argp_error(state, "unrecognized option '%s'%s", seen,
               name_hint(seen, names, n_names));
}

/* Reports misspelt options here, because argp would not suggest similar
 * ones. */
static void
check_names(const struct parsing *p, struct argp_state *state)
{
    for (int k = 1; k < state->argc; k++) {
        const char *word = state->argv[k];
        if (strcmp(word, "--") == 0) return;
        if (strncmp(word, "--", 2) == 0) check_name(p, state, word);
        k += takes_next(p, word);
    }
}

/* -h is --help, unless the command has an option -h. */
static void
replace_h(const struct parsing *p, int argc, char **argv)
{
    static char help[] = "--help";
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strcmp(argv[k], "-h") == 0 && !find_option(p, "-h")) argv[k] = help;
        k += takes_next(p, argv[k]);
    }
}

/* ---- parsing ------------------------------------------------------------- */

static error_t
parse_option(struct parsing *p, int key, char *text, struct argp_state *state)
{
    for (int k = 0; k < MAX_OPTIONS; k++)
        if (p->table[k].key == key) {
            const struct command_option *o = &p->line->options[k];
            p->given |= UINT64_C(1) << k;
            parse_value(state, o, text, (char *)p->values + o->field.offset);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

static error_t
parse_word(struct parsing *p, const char *text, struct argp_state *state)
{
    void *member = (char *)p->values + p->line->word.offset;
    const char **word = member;
    switch (p->line->word.type) {
    case FIELD_WORDS: append_word(state, member, text); return 0;
    case FIELD_TEXT:
        if (*word)
            argp_error(state, "two %ss: %s, %s", p->line->word_is, *word, text);
        *word = text;
        return 0;
    default: argp_error(state, "'%s': no such option", text); return 0;
    }
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct parsing *p = state->input;
    switch (key) {
    case ARGP_KEY_INIT: check_names(p, state); return 0;
    case ARGP_KEY_ARG: return parse_word(p, text, state);
    case ARGP_KEY_END:
        if (p->line->check) p->line->check(state, p->values);
        return 0;
    default: return parse_option(p, key, text, state);
    }
}

uint64_t
options_parse(const struct command_line *line, int argc, char **argv,
              void *values)
{
    struct parsing p = {.line = line, .values = values};
    if (complete_is_wanted(argc, argv)) {
        complete_options(line);
        exit(EXIT_DONE);
    }
    const struct argp parser = {.options = p.table,
                                .parser = parse,
                                .args_doc = line->arguments,
                                .doc = line->doc,
                                .help_filter = line->help_filter};
    fill_table(&p);
    replace_h(&p, argc, argv);
    argp_parse(&parser, argc, argv, line->in_order ? ARGP_IN_ORDER : 0, NULL,
               &p);
    return p.given;
}

void
options_free(const struct command_option *options, void *values)
{
    for (const struct command_option *o = options; o && (o->name || o->text);
         o++) {
        if (o->field.type != FIELD_WORDS) continue;
        struct word_list *list = (void *)((char *)values + o->field.offset);
        free(list->word);
    }
}
