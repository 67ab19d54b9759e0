/* SPDX-License-Identifier: MIT */
/* koshu bench WHAT ...: finds the benchmark and hands it its arguments. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const struct bench {
    const char *name, *summary;
    int (*main)(int argc, char **argv);
} benches[] = {
        {"chamomile", "Hamada & Iitaka's Tables 2 and 3, with their pipeline",
         bench_chamomile},
        {"direct", "forces by direct summation: speed and errors",
         bench_direct},
        {"hermite", "clusters with block time steps: speed and energy",
         bench_hermite},
        {"interactions", "the built-in interaction kernels",
         bench_interactions},
        {"jerk", "accelerations and jerks from a j-particle store", bench_jerk},
        {"launch", "costs of launches, of waits and of copies", bench_launch},
        {"model", "Miki et al.'s performance model, fitted and compared",
         bench_model},
        {"scaling", "direct sums on several ranks (start it with mpirun)",
         bench_scaling},
        {"step", "whole leapfrog steps", bench_step},
        {"tree", "forces by the treecode: stages, lists and errors",
         bench_tree},
};
enum { N_BENCHES = sizeof benches / sizeof benches[0] };

static void
print_help(FILE *out)
{
    fprintf(out, "Usage: koshu bench WHAT [OPTIONS]\n"
                 "Measures speed and accuracy.\n\nBenchmarks:\n");
    for (int k = 0; k < N_BENCHES; k++)
        fprintf(out, "  %-12s %s\n", benches[k].name, benches[k].summary);
    fprintf(out,
            "\n`koshu bench WHAT --help` describes one of them in full.\n");
}

static int
unknown_bench(const char *word)
{
    const char *names[N_BENCHES];
    for (int k = 0; k < N_BENCHES; k++) names[k] = benches[k].name;
    const char *nearest = koshu_nearest_name(word, names, N_BENCHES);
    char shown[64];
    koshu_printable(shown, sizeof shown, word, "");
    fprintf(stderr, "koshu: there is no benchmark '%s'", shown);
    if (nearest) fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\nkoshu: `koshu bench --help` lists them\n");
    return EXIT_USAGE;
}

int
command_bench(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    for (int k = 0; k < N_BENCHES; k++)
        if (strcmp(word, benches[k].name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "koshu bench %s", benches[k].name);
            argv[1] = name;
            return benches[k].main(argc - 1, argv + 1);
        }
    return unknown_bench(word);
}

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
bench_compared_count(enum bench_compared compared, size_t n)
{
    bool all = compared == COMPARED_ALL ||
               (compared == COMPARED_DEFAULT && n <= BENCH_MAX_COMPARED);
    size_t sample = BENCH_SAMPLE;
    if (compared == COMPARED_NONE) return 0;
    while (sample > BENCH_MIN_SAMPLE && sample * n > BENCH_SAMPLE_PAIRS)
        sample /= 2;
    return all || n < sample ? n : sample;
}

/* ---- time ---------------------------------------------------------------- */

enum { MIN_REPEATS = 5, MAX_REPEATS = 10000, MAX_CALLS = 4096 };
static const double long_enough = 0.5; /* seconds */
static const double clear_of_the_clock = 2e-3;

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool
done(size_t repeats, size_t k, double total)
{
    if (repeats > 0) return k >= repeats;
    return k >= MAX_REPEATS || (k >= MIN_REPEATS && total >= long_enough);
}

/* Seconds of so many calls, one after the other. */
static koshu_status
take_time(const struct bench_work *work, size_t calls, double *seconds)
{
    double start = koshu_now();
    for (size_t k = 0; k < calls; k++) KOSHU_TRY(work->once(work->user));
    if (work->wait) KOSHU_TRY(work->wait(work->user));
    *seconds = koshu_now() - start;
    return KOSHU_OK;
}

/* Warms up, and finds out how many calls a measurement needs. */
static koshu_status
warm_up(const struct bench_work *work, size_t *calls)
{
    double seconds;
    *calls = 1;
    KOSHU_TRY(take_time(work, *calls, &seconds));
    while (*calls < MAX_CALLS) {
        KOSHU_TRY(take_time(work, *calls, &seconds));
        if (seconds >= clear_of_the_clock) break;
        *calls *= 2;
    }
    return KOSHU_OK;
}

/* Repeats of one work among several. */
struct series {
    double *seconds;
    size_t calls;
};

static struct bench_timing
timing_of(const struct series *s, size_t repeats)
{
    double per_call = 1.0 / (double)s->calls;
    qsort(s->seconds, repeats, sizeof *s->seconds, compare);
    return (struct bench_timing){s->seconds[repeats / 2] * per_call,
                                 s->seconds[0] * per_call, repeats, s->calls};
}

koshu_status
bench_times(size_t n, const struct bench_work *works, size_t repeats,
            struct bench_timing *timings)
{
    size_t capacity = repeats > 0 ? repeats : MAX_REPEATS, done_repeats = 0;
    struct series series[BENCH_WORKS] = {0};
    koshu_status status = KOSHU_OK;
    double total = 0; /* of the first */
    for (size_t w = 0; status == KOSHU_OK && w < n; w++) {
        series[w].seconds = calloc(capacity, sizeof *series[w].seconds);
        status = series[w].seconds ? warm_up(&works[w], &series[w].calls)
                                   : KOSHU_ERROR_OUT_OF_MEMORY;
    }
    while (status == KOSHU_OK && !done(repeats, done_repeats, total)) {
        for (size_t w = 0; status == KOSHU_OK && w < n; w++)
            status = take_time(&works[w], series[w].calls,
                               &series[w].seconds[done_repeats]);
        total += series[0].seconds[done_repeats++];
    }
    for (size_t w = 0; w < n; w++) {
        if (status == KOSHU_OK)
            timings[w] = timing_of(&series[w], done_repeats);
        free(series[w].seconds);
    }
    return status;
}

koshu_status
bench_time(const struct bench_work *work, size_t repeats,
           struct bench_timing *timing)
{
    return bench_times(1, work, repeats, timing);
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
