/* SPDX-License-Identifier: MIT */
/* koshu bench launch: launches, waits and copies (Miki13 Figs. 9 and 10). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "internal.h"

static const char doc[] =
        "What is spent besides the sums: launches of an empty kernel, waits, "
        "and copies between host and device, each in a series of sizes n, with "
        "the least squares fit t = a + b n of the relative deviations. On "
        "CPUs: "
        "OpenMP's parallel regions and barriers.\v"
        "Beside them the constants of Miki et al. 2013, Table 2 and Figs. 9 "
        "and "
        "10, on a Tesla M2090. Copies are of pageable memory, as particles "
        "have it.";

enum key {
    KEY_BACKEND = 'b',
    KEY_THREADS = 't',
    KEY_REPEATS = 'r',
    KEY_POINTS = 256,
    KEY_JSON
};

static const struct argp_option option_table[] = {
        {"backend", KEY_BACKEND, "B", 0, "auto, cpu, simd or cuda (auto)", 0},
        OPTION_THREADS,
        {"repeats", KEY_REPEATS, "R", 0,
         "measurements of which the median is taken (20)", 0},
        {"points", KEY_POINTS, NULL, 0,
         "also prints what the lines are fitted "
         "to",
         0},
        OPTION_JSON,
        {0}};

struct launch_options {
    const char *backend;
    int threads;
    size_t repeats;
    bool points, json;
};

enum { SERIES = 10 };

/* What is measured, for which n, and what the paper has for an n. */
static const struct kind {
    enum koshu_cost what;
    const char *name, *on_device, *on_threads, *per;
    double paper;
    size_t n[SERIES]; /* ends with 0 */
} kinds[] = {
        {KOSHU_COST_WAIT,
         "wait",
         "waits for nothing",
         "barriers",
         "wait",
         5.93e-7,
         {1, 4, 16, 64, 256, 1024}},
        {KOSHU_COST_LAUNCH,
         "launch",
         "launches, then a wait",
         "parallel regions",
         "launch",
         2.69e-6,
         {1, 4, 16, 64, 256, 1024}},
        {KOSHU_COST_LAUNCH_WAIT,
         "launch_wait",
         "launches, each with a wait",
         "",
         "launch",
         2.72e-6,
         {1, 4, 16, 64, 256, 1024}},
        {KOSHU_COST_BLOCKS,
         "blocks",
         "blocks of one launch",
         "chunks distributed in one region",
         "block",
         0,
         {1, 16, 256, 1024, 4096, 16384, 65536, 262144, 1048576}},
        {KOSHU_COST_TO_DEVICE,
         "to_device",
         "bytes copied to the device",
         "",
         "byte",
         0,
         {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24,
          1 << 26}},
        {KOSHU_COST_FROM_DEVICE,
         "from_device",
         "bytes copied from the device",
         "",
         "byte",
         0,
         {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24,
          1 << 26}},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], LARGEST_COPY = 1 << 26 };

static error_t
parse(int key, char *text, struct argp_state *state)
{
    struct launch_options *o = state->input;
    switch (key) {
    case KEY_BACKEND: o->backend = text; return 0;
    case KEY_THREADS:
        o->threads = argument_threads(state, "--threads", text);
        return 0;
    case KEY_REPEATS: o->repeats = bench_repeats(state, text); return 0;
    case KEY_POINTS: o->points = true; return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': no such option", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- measuring ----------------------------------------------------------- */

struct spending {
    struct koshu_backend *backend;
    enum koshu_cost what;
    size_t n;
    void *host;
};

static koshu_status
spend(void *user)
{
    struct spending *s = user;
    return s->backend->ops->cost(s->backend, s->what, s->n, s->host);
}

struct line {
    struct koshu_fit_point points[SERIES];
    struct bench_timing timings[SERIES];
    size_t n;
    struct koshu_fit fit; /* a: of an n; b: of all together */
};

static koshu_status
measure(struct koshu_backend *backend, const struct kind *kind, size_t repeats,
        void *host, struct line *line)
{
    for (line->n = 0; line->n < SERIES && kind->n[line->n]; line->n++) {
        size_t k = line->n;
        struct spending spending = {backend, kind->what, kind->n[k], host};
        const struct bench_work work = {spend, NULL, &spending};
        KOSHU_TRY(bench_time(&work, repeats, &line->timings[k]));
        line->points[k] = (struct koshu_fit_point){(double)kind->n[k], 1, 0,
                                                   line->timings[k].seconds};
    }
    return koshu_least_squares(line->points, line->n, &line->fit);
}

static koshu_status
open_for_costs(struct koshu_context *context, struct koshu_backend **backend)
{
    KOSHU_TRY(koshu_backend_of(context, backend));
    if ((*backend)->ops->cost) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s has no costs of launches: use cuda, or cpu",
                      (*backend)->ops->name);
}

koshu_status
bench_launch_cost(struct koshu_context *context, size_t repeats,
                  double *seconds)
{
    struct koshu_backend *backend;
    struct line line;
    *seconds = 0;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (!backend->ops->cost) return KOSHU_OK;
    const struct kind *launch = &kinds[KOSHU_COST_LAUNCH];
    KOSHU_TRY(measure(backend, launch, repeats ? repeats : 20, NULL, &line));
    *seconds = line.fit.a;
    return KOSHU_OK;
}

/* ---- printing -------------------------------------------------------------
 */

static void
print_head(const struct koshu_backend *backend)
{
    printf("costs besides the sums: t = a + b n\nbackend %s: %s\n"
           "right: Miki et al. 2013, Table 2 and Fig. 10, one Tesla M2090\n\n"
           "%-32s %12s %12s %10s | %10s\n",
           backend->ops->name, backend->device, "n", "a [s]", "b [s]", "worst",
           "b [s]");
}

static void
print_text(const struct koshu_backend *backend, const struct kind *kind,
           const struct line *line, bool points)
{
    bool device = backend->ops->wait != NULL;
    printf("%-32s %12.3e %12.3e %9.1f%% |",
           device ? kind->on_device : kind->on_threads, line->fit.b,
           line->fit.a, 100 * line->fit.largest);
    if (device && kind->paper > 0) printf(" %10.2e", kind->paper);
    if (strcmp(kind->per, "byte") == 0)
        printf("   (%.2f GB/s)", 1e-9 / line->fit.a);
    putchar('\n');
    for (size_t k = 0; points && k < line->n; k++) {
        const struct koshu_fit_point *p = &line->points[k];
        double fitted = line->fit.a * p->p + line->fit.b;
        printf("%32zu %12.3e %12.3e %+9.1f%%\n", kind->n[k], p->t, fitted,
               100 * (fitted / p->t - 1));
    }
    fflush(stdout);
}

static void
print_json(const struct koshu_backend *backend, const struct kind *kind,
           const struct line *line)
{
    for (size_t k = 0; k < line->n; k++)
        bench_print_json(
                json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:I, s:f, s:f, s:f}",
                          "bench", "launch", "backend", backend->ops->name,
                          "device", backend->device, "what", kind->name, "n",
                          (json_int_t)kind->n[k], "seconds", line->points[k].t,
                          "repeats", (json_int_t)line->timings[k].repeats,
                          "fit_seconds", line->fit.b, "fit_seconds_per_n",
                          line->fit.a, "fit_largest", line->fit.largest));
}

static koshu_status
run(struct koshu_context *context, const struct launch_options *o)
{
    struct koshu_backend *backend;
    KOSHU_TRY(open_for_costs(context, &backend));
    void *host = calloc(LARGEST_COPY, 1);
    if (!host) return koshu_fail_memory(context, LARGEST_COPY, "copies");
    if (!o->json) print_head(backend);
    koshu_status status = KOSHU_OK;
    for (int k = 0; status == KOSHU_OK && k < N_KINDS; k++) {
        struct line line;
        status = measure(backend, &kinds[k], o->repeats, host, &line);
        if (status == KOSHU_ERROR_UNSUPPORTED) {
            status = KOSHU_OK; /* there is no such thing */
            continue;
        }
        if (status != KOSHU_OK) break;
        if (o->json)
            print_json(backend, &kinds[k], &line);
        else
            print_text(backend, &kinds[k], &line, o->points);
    }
    free(host);
    return status;
}

int
bench_launch(int argc, char **argv)
{
    const struct argp parser = {
            .options = option_table, .parser = parse, .doc = doc};
    struct launch_options o = {.repeats = 20};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct koshu_context *context = make_context(o.backend, o.threads);
    if (!context) return EXIT_USAGE;
    int code = report(context, run(context, &o));
    koshu_context_destroy(context);
    return code;
}
