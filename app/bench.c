/* SPDX-License-Identifier: MIT */
/* Arguments of benchmarks. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- arguments ----------------------------------------------------------- */

size_t
bench_counts(struct argp_state *state, const char *option, const char *text,
             size_t list[BENCH_LIST])
{
    char *copy = strdup(text), *rest = copy, *word;
    if (!copy) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    size_t n = 0;
    while ((word = strsep(&rest, ","))) {
        if (n == BENCH_LIST)
            argp_error(state, "%s: more than %d numbers", option, BENCH_LIST);
        list[n] = argument_count(state, option, word);
        if (list[n++] == 0)
            argp_error(state, "%s: '%s' is not 1 or more", option, word);
    }
    free(copy);
    return n;
}

enum koshu_precision
bench_precision(struct argp_state *state, const char *option, const char *text)
{
    enum koshu_precision precision = KOSHU_PRECISION_SINGLE;
    if (koshu_precision_find(NULL, text, &precision) != KOSHU_OK)
        argp_error(state, "%s: '%s' is not single, mixed or double", option,
                   text);
    return precision;
}

size_t
bench_threads(struct argp_state *state, const char *text,
              size_t list[BENCH_LIST])
{
    size_t n = bench_counts(state, "--threads", text, list);
    for (size_t k = 0; k < n; k++)
        if (list[k] > KOSHU_MAX_THREADS)
            argp_error(state, "--threads: %zu is more than %d", list[k],
                       KOSHU_MAX_THREADS);
    return n;
}

double
bench_eps2(struct argp_state *state, const char *text)
{
    double eps2 = argument_number(state, "--eps2", text);
    if (eps2 < 0) argp_error(state, "--eps2: %s is negative", text);
    return eps2;
}

size_t
bench_repeats(struct argp_state *state, const char *text)
{
    size_t repeats = argument_count(state, "--repeats", text);
    if (repeats == 0) argp_error(state, "--repeats: 1 or more");
    return repeats;
}

enum bench_compared
bench_compared_named(struct argp_state *state, const char *text)
{
    if (strcmp(text, "all") == 0) return COMPARED_ALL;
    if (strcmp(text, "none") == 0) return COMPARED_NONE;
    if (strcmp(text, "sample") != 0)
        argp_error(state, "--error: '%s' is not all, sample or none", text);
    return COMPARED_SAMPLE;
}

size_t
bench_compared_count_of(enum bench_compared compared, size_t n)
{
    bool all = compared == COMPARED_ALL ||
               (compared == COMPARED_DEFAULT && n <= BENCH_MAX_COMPARED);
    size_t sample = BENCH_SAMPLE;
    if (compared == COMPARED_NONE) return 0;
    while (sample > BENCH_MIN_SAMPLE && sample * n > BENCH_SAMPLE_PAIRS)
        sample /= 2;
    return all || n < sample ? n : sample;
}

/* ---- JSON -----------------------------------------------------------------
 */

void
bench_print_json(json_t *object)
{
    json_dumpf(object, stdout, JSON_REAL_PRECISION(9));
    putchar('\n');
    fflush(stdout);
    json_decref(object);
}
