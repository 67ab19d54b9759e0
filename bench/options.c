/* SPDX-License-Identifier: MIT */
/* Options of benchmarks, from tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"

/* ---- options that cases share -------------------------------------------- */

static void
parse_precision(struct argp_state *state, const char *option, const char *text,
                void *member)
{
    if (koshu_precision_find(NULL, text, member) != KOSHU_OK)
        argp_error(state, "%s: '%s' is not single, mixed or double", option,
                   text);
}

static void
parse_model(struct argp_state *state, const char *option, const char *text,
            void *member)
{
    BENCH_FIND(state, option, text, koshu_model_find, member);
}

static void
parse_compared(struct argp_state *state, const char *option, const char *text,
               void *member)
{
    enum bench_compared *compared = member;
    static const char *const names[] = {[COMPARED_NONE] = "none",
                                        [COMPARED_SAMPLE] = "sample",
                                        [COMPARED_ALL] = "all"};
    for (int k = COMPARED_NONE; k <= COMPARED_ALL; k++)
        if (strcmp(text, names[k]) == 0) {
            *compared = (enum bench_compared)k;
            return;
        }
    argp_error(state, "%s: '%s' is not all, sample or none", option, text);
}

/* One number of threads. */
static void
parse_threads(struct argp_state *state, const char *option, const char *text,
              void *member)
{
    struct bench_counts *threads = member;
    threads->value[0] = (size_t)argument_threads(state, option, text);
}

static void
parse_off(struct argp_state *state, const char *option, const char *text,
          void *member)
{
    (void)state, (void)option, (void)text;
    *(bool *)member = false;
}

#define SHARED(member) BENCH_OPTION(struct bench_options, member)

/* In the order of enum bench_takes. */
static const struct bench_option shared[] = {
        {"n", 'n', "N,N,...", "numbers of particles", SHARED(n)},
        {"precision", 'p', "P", "single, mixed or double", SHARED(precision),
         .parse = parse_precision},
        {"backend", 'b', "B", "auto, cpu, simd, cuda or ref (auto)",
         SHARED(backend)},
        {"threads", 't', "T", "CPU threads (one per core)", SHARED(threads),
         .parse = parse_threads},
        {"threads", 't', "T,T,...",
         "CPU threads (one per core; several: how well it scales)",
         SHARED(threads), .max = KOSHU_MAX_THREADS},
        {"eps2", 0, "E", "softening squared", SHARED(eps2), .closed = true},
        {"acceleration-only", 0, NULL, "without the potential",
         SHARED(potential), .parse = parse_off},
        {"fast", 0, NULL,
         "single only: the processor's estimate of the square root",
         SHARED(fast)},
        {"error", 0, "WHICH",
         "particles whose errors are taken: all, sample (1024), none",
         SHARED(errors), .parse = parse_compared},
        {"offset", 0, "X", "moves the particles by X along each axis",
         SHARED(offset), .min = -INFINITY},
        {"repeats", 'r', "R", "measurements of which the median is taken",
         SHARED(repeats), .min = 1},
        {"seed", 's', "S", "seed of the random numbers", SHARED(seed)},
        {"model", 0, "M", "as in koshu init", SHARED(model),
         .parse = parse_model},
        {"file", 'f', "FILE",
         "the particles of a file that koshu info reads, in place of a model's "
         "(G = 1)",
         SHARED(file)},
        {"table", 0, "TABLE", "koshu beside one paper's table", SHARED(table)},
        {"plot", 0, "FILE.png", "draw the rows, beside what papers print",
         SHARED(plot)}};
enum { N_SHARED = sizeof shared / sizeof shared[0] };

static const struct bench_option everywhere[] = {
        {"json", 0, NULL, "one JSON object per line", SHARED(json)}};

static const struct bench_option of_plot[] = {
        {"force", 0, NULL, "overwrite a file that is there already",
         SHARED(force)}};

/* ---- values -------------------------------------------------------------- */

static void
check_count(struct argp_state *state, const struct bench_option *o,
            const char *option, size_t count)
{
    if ((double)count < o->min)
        argp_error(state, "%s: '%zu' is not %.0f or more", option, count,
                   o->min);
    if (o->max > 0 && (double)count > o->max)
        argp_error(state, "%s: %zu is more than %.0f", option, count, o->max);
}

static void
parse_counts(struct argp_state *state, const struct bench_option *o,
             const char *option, const char *text, struct bench_counts *counts)
{
    counts->n = argument_counts(state, option, text, BENCH_LIST, counts->value);
    counts->given = true;
    for (size_t k = 0; k < counts->n; k++)
        check_count(state, o, option, counts->value[k]);
}

static void
parse_number(struct argp_state *state, const struct bench_option *o,
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
parse_numbers(struct argp_state *state, const struct bench_option *o,
              const char *option, const char *text,
              struct bench_numbers *numbers)
{
    char *copy = strdup(text), *rest = copy, *word;
    if (!copy) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    for (numbers->n = 0; (word = strsep(&rest, ",")); numbers->n++) {
        if (numbers->n == BENCH_LIST)
            argp_error(state, "%s: more than %d numbers", option, BENCH_LIST);
        parse_number(state, o, option, word, &numbers->value[numbers->n]);
    }
    numbers->given = true;
    free(copy);
}

static void
parse_value(struct argp_state *state, const struct bench_option *o, char *text,
            void *member)
{
    char option[64];
    snprintf(option, sizeof option, "--%s", o->name);
    if (o->parse) {
        o->parse(state, option, text, member);
        return;
    }
    switch (o->field.type) {
    case BENCH_FLAG: *(bool *)member = true; break;
    case BENCH_TEXT: *(const char **)member = text; break;
    case BENCH_SIZE:
        *(size_t *)member = argument_count(state, option, text);
        check_count(state, o, option, *(size_t *)member);
        break;
    case BENCH_REAL: parse_number(state, o, option, text, member); break;
    case BENCH_COUNTS: parse_counts(state, o, option, text, member); break;
    case BENCH_NUMBERS: parse_numbers(state, o, option, text, member); break;
    default: break;
    }
}

/* ---- the table that argp gets -------------------------------------------- */

enum { MAX_OPTIONS = 48, HELP = 512, FIRST_KEY = 256 };

struct command_line {
    const struct bench_case *which;
    const struct bench_option *options[MAX_OPTIONS];
    size_t n;
    struct argp_option table[MAX_OPTIONS + 1];
    char help[MAX_OPTIONS][HELP];
    void *values;
};

static void
print_list(char *text, size_t size, const struct bench_counts *counts)
{
    for (size_t k = 0, at = 0; k < counts->n && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%zu", k ? "," : "",
                               counts->value[k]);
}

/* A default, as the help has it; "": there is none. */
static void
print_default(const struct bench_option *o, const void *values, char *text,
              size_t size)
{
    const char *member = (const char *)values + o->field.offset;
    const struct bench_options *common = values;
    text[0] = '\0';
    if (o->parse == parse_precision)
        snprintf(text, size, "%s", koshu_precision_name(common->precision));
    else if (o->parse == parse_model)
        snprintf(text, size, "%s", koshu_model_name(common->model));
    else if (o->parse == parse_compared)
        snprintf(text, size, "%s",
                 common->errors == COMPARED_SAMPLE
                         ? "sample"
                         : "all up to N = 131072, sample above");
    else if (o->field.type == BENCH_REAL)
        snprintf(text, size, "%g", *(const double *)member);
    else if (o->field.type == BENCH_SIZE && *(const size_t *)member > 0)
        snprintf(text, size, "%zu", *(const size_t *)member);
    else if (o->field.type == BENCH_COUNTS)
        print_list(text, size, (const struct bench_counts *)member);
    else if (strcmp(o->name, "repeats") == 0)
        snprintf(text, size, "half a second, at least 5");
}

/* The tables that --table may name. */
static void
print_tables(const struct bench_case *which, char *text, size_t size)
{
    for (const char *const *name = which->papers; *name; name++) {
        const size_t at = strlen(text);
        const char *between = name == which->papers ? "" : ", ";
        if (name > which->papers && !name[1]) between = " or ";
        snprintf(text + at, size - at, "%s%s", between, *name);
    }
}

static void
print_help(struct command_line *c, const struct bench_option *o, char *help)
{
    char value[HELP / 2] = "";
    const size_t length = strlen(o->text);
    print_default(o, c->values, value, sizeof value);
    if (strcmp(o->name, "table") == 0)
        print_tables(c->which, value, sizeof value);
    if (value[0] && o->text[length - 1] != ')')
        snprintf(help, HELP, "%s (%s)", o->text, value);
    else
        snprintf(help, HELP, "%s", o->text);
}

static void
add(struct command_line *c, const struct bench_option *o)
{
    if (c->n == MAX_OPTIONS) return;
    const size_t k = c->n++;
    print_help(c, o, c->help[k]);
    c->options[k] = o;
    c->table[k] = (struct argp_option){
            .name = o->name,
            .key = o->key ? o->key : (int)(FIRST_KEY + k),
            .arg = o->argument,
            .flags = o->hidden ? OPTION_HIDDEN : 0,
            .doc = c->help[k],
    };
}

static void
add_all(struct command_line *c)
{
    const struct bench_option *own = c->which->options;
    for (unsigned k = 0; k < N_SHARED; k++)
        if (c->which->takes & (1U << k)) add(c, &shared[k]);
    add(c, &everywhere[0]);
    if (c->which->takes & BENCH_TAKES_PLOT) add(c, &of_plot[0]);
    for (; own && own->name; own++) add(c, own);
}

/* ---- parsing ------------------------------------------------------------- */

static void
check_table(struct argp_state *state, const struct bench_case *which,
            const char *table)
{
    char names[HELP] = "";
    if (!table) return;
    for (const char *const *name = which->papers; *name; name++)
        if (strcmp(table, *name) == 0) return;
    print_tables(which, names, sizeof names);
    argp_error(state, "--table: '%s' is not %s", table, names);
}

static error_t
check_all(struct argp_state *state, const struct command_line *c)
{
    const struct bench_options *o = c->values;
    if (o->fast && o->precision != KOSHU_PRECISION_SINGLE)
        argp_error(state, "--fast is for single precision");
    if (o->file && o->n.given)
        argp_error(state, "--n: with --file, all its particles are taken");
    check_table(state, c->which, o->table);
    if (c->which->check) c->which->check(state, c->values);
    return 0;
}

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct command_line *c = state->input;
    for (size_t k = 0; k < c->n; k++)
        if (c->table[k].key == key) {
            parse_value(state, c->options[k], text,
                        (char *)c->values + c->options[k]->field.offset);
            return 0;
        }
    if (key == ARGP_KEY_ARG) argp_error(state, "'%s': no such option", text);
    return key == ARGP_KEY_END ? check_all(state, c) : ARGP_ERR_UNKNOWN;
}

void *
bench_parse(const struct bench_case *which, int argc, char **argv)
{
    struct command_line *c = calloc(1, sizeof *c);
    void *values = malloc(which->options_size);
    if (c && values) {
        const struct argp parser = {
                .options = c->table, .parser = parse, .doc = which->doc};
        memcpy(values, which->defaults, which->options_size);
        c->which = which;
        c->values = values;
        add_all(c);
        argp_parse(&parser, argc, argv, 0, NULL, c);
        free(c);
        return values;
    }
    free(c);
    free(values);
    return NULL;
}
