/* SPDX-License-Identifier: MIT */
/* koshu bench WHAT ...: finds the benchmark and hands it its arguments. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static const struct bench {
    const char *name, *summary;
    int (*main)(int argc, char **argv);
} benches[] = {
        {"direct", "forces by direct summation: speed and errors",
         bench_direct},
};
enum { N_BENCHES = sizeof benches / sizeof benches[0] };

static void
print_help(FILE *out)
{
    fprintf(out, "Usage: koshu bench WHAT [OPTIONS]\n"
                 "Measures speed and accuracy.\n\n");
    for (int k = 0; k < N_BENCHES; k++)
        fprintf(out, "  %-10s %s\n", benches[k].name, benches[k].summary);
    fprintf(out, "\n`koshu bench WHAT --help` says all about one of them.\n");
}

static int
unknown_bench(const char *word)
{
    const char *names[N_BENCHES];
    for (int k = 0; k < N_BENCHES; k++) names[k] = benches[k].name;
    const char *nearest = koshu_nearest_name(word, names, N_BENCHES);
    fprintf(stderr, "koshu: there is no benchmark '%s'", word);
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
    for (int p = KOSHU_SINGLE; p <= KOSHU_DOUBLE; p++)
        if (strcmp(text, koshu_precision_name((enum koshu_precision)p)) == 0)
            return (enum koshu_precision)p;
    argp_error(state, "%s: '%s' is not single, mixed or double", option, text);
    return KOSHU_SINGLE;
}

/* ---- time ---------------------------------------------------------------- */

enum { FEWEST_REPEATS = 5, MOST_REPEATS = 10000 };
static const double long_enough = 0.5; /* seconds */

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
    return k >= MOST_REPEATS || (k >= FEWEST_REPEATS && total >= long_enough);
}

koshu_status
bench_time(koshu_status (*once)(void *user), void *user, size_t repeats,
           struct bench_timing *timing)
{
    size_t room = repeats > 0 ? repeats : MOST_REPEATS;
    double *seconds = calloc(room, sizeof *seconds), total = 0;
    if (!seconds) return KOSHU_OUT_OF_MEMORY;
    koshu_status status = once(user);
    size_t k = 0;
    while (status == KOSHU_OK && !done(repeats, k, total)) {
        double start = koshu_now();
        status = once(user);
        seconds[k] = koshu_now() - start;
        total += seconds[k++];
    }
    qsort(seconds, k, sizeof *seconds, compare);
    *timing = (struct bench_timing){seconds[k / 2], seconds[0], k};
    free(seconds);
    return status;
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
