/* SPDX-License-Identifier: MIT */
/* koshu bench listings: the kernels of Miki13's Listings 1 to 3. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases.h"
#include "bench/cases/listings.h"

static const char doc[] =
        "Accelerations of all particles of a Plummer sphere on each other by "
        "the kernels that Miki et al. 2013 print, and by koshu's own, on one "
        "GPU in single precision: times in turns, rates, and errors against "
        "ref in double precision.\v"
        "Listing 1: Nyland et al. 2007 add eps^2 to a squared distance, Miki "
        "et al. 2012 begin with it, which is one instruction less. Listing 2: "
        "Miki et al. 2013 load the next j-particles before a block waits, not "
        "between its two barriers. Threads and unrolled steps are those of the "
        "papers. koshu computes each pair once, by Newton's third law. Beside "
        "them the Gflop/s, at 26 operations, of a Tesla M2090.";

/* The papers' kernels, then koshu's. */
enum { KERNELS = LISTINGS + 1 };
static const struct {
    const char *name, *paper;
} kernels[KERNELS] = {
        {"Nyland et al. 2007", "miki13-listings.nyland"},
        {"Miki et al. 2012", "miki13-listings.miki12"},
        {"Miki et al. 2013", "miki13-listings.miki13"},
        {"koshu", NULL},
};

struct row {
    struct bench_row base;
    const char *kernel;
    double faster; /* than Miki13's, in the fastest repeats */
    double paper;  /* Gflop/s */
};

static const struct bench_column columns[] = {
        BENCH_SHOW("N", "%8lld", n),
        {"kernel", "kernel", "%-18s", ROW(kernel)},
        BENCH_SHOW("seconds", "%10.4e", timing.seconds),
        BENCH_SHOW("pairs/s", "%9.3e", rate),
        BENCH_SHOW("GF/s(26)", "%8.1f", gflops[0]),
        {"faster", "faster", "%7.3f", ROW(faster)},
        BENCH_SHOW_ERRORS(0),
        BENCH_BAR(0),
        {"miki13-listings.gflops", "M2090", "%7.1f", ROW(paper)},
        BENCH_TELL("eps2", struct bench_options, eps2),
        {0}};

static const struct bench_table table = {
        .row_size = sizeof(struct row),
        .columns = columns,
        .flops = {26},
        .title = "accelerations by the kernels of Miki et al. 2013, Listings 1 "
                 "to 3, and by koshu (faster: than the third)",
        .figure = {.y_label = "interactions / s",
                   .curves = {{"kernel", ROW(base.rate)}},
                   .series = ROW(kernel)},
};

/* ---- a number of particles ---------------------------------------------- */

/* The same particles for all kernels. */
struct compared {
    struct bench_system system;
    struct listing_sums *listings[LISTINGS];
    struct bench_timing timings[KERNELS];
    double *sums; /* three components, n each */
};

static koshu_status
open(struct bench *b, size_t n, struct compared *c)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    koshu_status status = KOSHU_OK;
    *c = (struct compared){0};
    KOSHU_TRY(bench_system_make(b, n, NULL, NULL, &c->system));
    c->sums = calloc(3 * n, sizeof *c->sums);
    if (!c->sums)
        return koshu_fail_memory(b->context, 3 * n * sizeof *c->sums, "sums");
    KOSHU_TRY(koshu_particles_acquire_read(
            c->system.particles, KOSHU_FIELD_POSITION | KOSHU_FIELD_MASS, &v));
    for (int k = 0; k < LISTINGS && status == KOSHU_OK; k++)
        status = listing_open(b->context, (enum listing)k, &v, b->options->eps2,
                              &c->listings[k]);
    koshu_particles_release_read(c->system.particles);
    return status;
}

static void
close(struct compared *c)
{
    for (int k = 0; k < LISTINGS; k++) listing_close(c->listings[k]);
    free(c->sums);
    bench_system_free(&c->system);
}

static koshu_status
take_times(const struct bench *b, struct compared *c)
{
    struct bench_work works[KERNELS];
    for (int k = 0; k < LISTINGS; k++)
        works[k] = (struct bench_work){.once = listing_once,
                                       .wait = listing_wait,
                                       .user = c->listings[k]};
    works[LISTINGS] = (struct bench_work){
            .once = bench_forces, .wait = bench_wait, .user = &c->system};
    return bench_times(KERNELS, works, b->options->repeats, c->timings);
}

static koshu_status
take_errors(struct bench *b, struct compared *c, int k, size_t n,
            struct bench_errors *errors)
{
    double *const a = c->sums;
    const struct bench_vectors sums = {{a, a + n, a + 2 * n}, n, 1};
    if (k == LISTINGS)
        return bench_compare(b, c->system.particles, NULL, errors);
    KOSHU_TRY(listing_read(c->listings[k], a, a + n, a + 2 * n));
    return bench_compare(b, c->system.particles, &sums, errors);
}

static koshu_status
add_row(struct bench *b, struct compared *c, int k, size_t n)
{
    struct row row = {.base = bench_row(b, n), .kernel = kernels[k].name};
    row.base.timing = c->timings[k];
    row.faster = c->timings[LISTING_MIKI13].least / c->timings[k].least;
    row.paper = kernels[k].paper ? bench_printed(b, kernels[k].paper, &row.base)
                                 : NAN;
    KOSHU_TRY(take_errors(b, c, k, n, &row.base.errors));
    return bench_add(b, &row);
}

static koshu_status
measure(struct bench *b, size_t n)
{
    struct compared c;
    koshu_status status;
    KOSHU_TRY_CLEANUP(open(b, n, &c));
    KOSHU_TRY_CLEANUP(take_times(b, &c));
    for (int k = 0; k < KERNELS; k++) KOSHU_TRY_CLEANUP(add_row(b, &c, k, n));
cleanup:
    close(&c);
    return status;
}

/* ---- the case ----------------------------------------------------------- */

static koshu_status
run(struct bench *b)
{
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    if (strcmp(backend->ops->name, "cuda") != 0)
        return koshu_fail(b->context, KOSHU_ERROR_UNSUPPORTED,
                          "these kernels are for a GPU: take --backend cuda "
                          "where there is one");
    bench_start(b, &table, 0);
    for (size_t k = 0; k < b->options->n.n; k++)
        KOSHU_TRY(measure(b, b->options->n.value[k]));
    return KOSHU_OK;
}

static const struct bench_options defaults = {
        .n = {3, {16384, 131072, 1048576}}, .eps2 = 0.01, .seed = 1};

const struct bench_case bench_listings = {
        .name = "listings",
        .items =
                (const struct bench_item[]){
                        {"Miki13", "Listing 1",
                         "squared distances of two codes", ""},
                        {"Miki13", "Listing 2", "forces of several codes", ""},
                        {"Miki13", "Listing 3", "the kernel", ""},
                        {0}},
        .summary = "the kernels of Miki et al. 2013, Listings 1 to 3",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_EPS2 | BENCH_TAKES_ERROR |
                 BENCH_TAKES_REPEATS | BENCH_TAKES_SEED,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .papers = (const char *const[]){"miki13-listings", NULL},
        .rounds = true,
        .run = run,
};
