/* SPDX-License-Identifier: MIT */
/* The options of benchmarks, shared and their own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"

/* ---- options that cases share -------------------------------------------- */

static void
parse_precision(struct argp_state *state, const char *option, char *text,
                void *member)
{
    if (koshu_precision_find(NULL, text, member) != KOSHU_OK)
        argp_error(state, "%s: '%s' is not single, mixed or double", option,
                   text);
}

BENCH_PARSE(parse_model, koshu_model_find)

static void
parse_compared(struct argp_state *state, const char *option, char *text,
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

/* Reads a single number of threads. */
static void
parse_one(struct argp_state *state, const char *option, char *text,
          void *member)
{
    struct count_list *threads = member;
    threads->value[0] = (size_t)argument_threads(state, option, text);
}

static void
parse_off(struct argp_state *state, const char *option, char *text,
          void *member)
{
    (void)state, (void)option, (void)text;
    *(bool *)member = false;
}

/* ---- their defaults, as the help has them -------------------------------- */

static void
show_precision(const void *values, char *text, size_t size)
{
    const struct bench_options *o = values;
    snprintf(text, size, "%s", koshu_precision_name(o->precision));
}

static void
show_model(const void *values, char *text, size_t size)
{
    const struct bench_options *o = values;
    snprintf(text, size, "%s", koshu_model_name(o->model));
}

static void
show_compared(const void *values, char *text, size_t size)
{
    const struct bench_options *o = values;
    snprintf(text, size, "%s",
             o->errors == COMPARED_SAMPLE
                     ? "sample"
                     : "all up to N = 131072, sample above");
}

static void
show_repeats(const void *values, char *text, size_t size)
{
    const struct bench_options *o = values;
    if (o->repeats > 0)
        snprintf(text, size, "%zu", o->repeats);
    else
        snprintf(text, size, "half a second, at least 5");
}

/* Lists the tables that --table may name. */
static void
show_tables(const void *values, char *text, size_t size)
{
    const struct bench_options *o = values;
    const char *const *papers = o->of->papers;
    text[0] = '\0';
    for (const char *const *name = papers; *name; name++) {
        const size_t at = strlen(text);
        const char *between = name == papers ? "" : ", ";
        if (name > papers && !name[1]) between = " or ";
        snprintf(text + at, size - at, "%s%s", between, *name);
    }
}

/* ---- the command line ---------------------------------------------------- */

#define SHARED(member) FIELD(struct bench_options, member)

/* In the order of enum bench_takes. */
static const struct command_option shared[] = {
        {"n", 'n', "N,N,...", "numbers of particles", SHARED(n)},
        {"precision", 'p', "P", "single, mixed or double", SHARED(precision),
         .parse = parse_precision, .show = show_precision},
        {"threads", 't', "T", "CPU threads (one per core)", SHARED(threads),
         .parse = parse_one},
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
         SHARED(errors), .parse = parse_compared, .show = show_compared},
        {"offset", 0, "X", "moves the particles by X along each axis",
         SHARED(offset), .min = -INFINITY},
        {"repeats", 'r', "R", "measurements of which the median is taken",
         SHARED(repeats), .min = 1, .show = show_repeats},
        {"seed", 's', "S", "seed of the random numbers", SHARED(seed)},
        {"model", 0, "M", "as in koshu init", SHARED(model),
         .parse = parse_model, .show = show_model},
        {"file", 'f', "FILE",
         "the particles of a file that koshu info reads, in its units, in "
         "place "
         "of a model's",
         SHARED(file)},
        {"table", 0, "TABLE", "koshu beside one paper's table", SHARED(table),
         .show = show_tables},
        {"backend", 'b', "B", "auto, cpu, simd, cuda or ref (auto)",
         SHARED(backend)},
        {"plot", 0, "FILE.png", "draw the rows, beside what papers print",
         SHARED(plot)},
        {"json", 0, NULL, "one JSON object per line", SHARED(json)},
        {"force", 0, NULL, "overwrite a file that is there already",
         SHARED(force)}};
enum { N_SHARED = sizeof shared / sizeof shared[0] };

static void
check_table(struct argp_state *state, const struct bench_options *o)
{
    char names[512];
    if (!o->table) return;
    for (const char *const *name = o->of->papers; *name; name++)
        if (strcmp(o->table, *name) == 0) return;
    show_tables(o, names, sizeof names);
    argp_error(state, "--table: '%s' is not %s", o->table, names);
}

static void
check_all(struct argp_state *state, void *values)
{
    const struct bench_options *o = values;
    if (o->fast && o->precision != KOSHU_PRECISION_SINGLE)
        argp_error(state, "--fast is for single precision");
    if (o->file && o->n.given)
        argp_error(state, "--n: with --file, all its particles are taken");
    check_table(state, o);
    if (o->of->check) o->of->check(state, values);
}

void *
bench_parse(const struct bench_case *which, int argc, char **argv)
{
    struct command_option options[MAX_OPTIONS] = {{0}};
    const struct command_line line = {
            .doc = which->doc, .options = options, .check = check_all};
    const unsigned takes = which->takes | BENCH_TAKES_ALWAYS;
    const struct command_option *own = which->options;
    struct bench_options *values = malloc(which->options_size);
    size_t n = 0;
    if (!values) return NULL;
    memcpy(values, which->defaults, which->options_size);
    values->of = which;
    for (unsigned k = 0; k < N_SHARED; k++)
        if (takes & 1U << k) options[n++] = shared[k];
    for (; own && own->name; own++) options[n++] = *own;
    options_parse(&line, argc, argv, values);
    return values;
}
