/* SPDX-License-Identifier: MIT */
/* How fast is this machine? The sentence with which benchmarks begin. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/ranks.h>

#include "bench/harness.h"

enum { TRIALS = 5, FLOPS = 26 }; /* FLOPS per pair, as Miki13 counts them */

/* The clock in Hz, from dependent additions, one per cycle. */
static double
clock_rate(void)
{
    enum { ADDITIONS = 1 << 18, UNROLLED = 8 };
    double least = INFINITY;
    for (int trial = 0; trial < TRIALS; trial++) {
        unsigned long x = 0;
        const double start = koshu_now();
        for (int k = 0; k < ADDITIONS; k += UNROLLED)
#pragma GCC unroll 8
            for (int u = 0; u < UNROLLED; u++) {
                x += 3;
                __asm__ volatile("" : "+r"(x)); /* keeps it one addition */
            }
        least = fmin(least, koshu_now() - start);
    }
    return ADDITIONS / least;
}

/* How many floats a vector multiply-add has; 0: unknown. */
static int
lanes_of(const char *device)
{
    if (strncmp(device, "AVX-512", 7) == 0) return 16;
    return strncmp(device, "AVX2", 4) == 0 ? 8 : 0;
}

/* Pairs per second in forces on n particles of a model, the best of several. */
static koshu_status
force_rate(const struct bench *b, size_t n, double *rate)
{
    struct koshu_solver_options solver = koshu_solver_options_default();
    struct koshu_initial_options model = koshu_initial_options_default();
    struct bench_system s = {.fields = KOSHU_FIELD_ACCELERATION};
    double least = INFINITY;
    solver.precision = KOSHU_PRECISION_SINGLE;
    solver.softening = 0.01;
    model.n = n;
    koshu_status status = koshu_solver_create(b->context, &solver, &s.solver);
    if (status == KOSHU_OK)
        status = koshu_initial_create(b->context, &model, &s.particles);
    for (int trial = 0; status == KOSHU_OK && trial < TRIALS; trial++) {
        const double start = koshu_now();
        status = bench_forces(&s);
        if (status == KOSHU_OK) status = bench_wait(&s);
        least = fmin(least, koshu_now() - start);
    }
    bench_system_free(&s);
    *rate = (double)n * (double)n / least;
    return status;
}

koshu_status
bench_print_machine(const struct bench *b)
{
    struct koshu_backend *backend;
    double rate;
    if (b->options->json || koshu_ranks_count(b->context) > 1) return KOSHU_OK;
    KOSHU_TRY(koshu_backend_of(b->context, &backend));
    if (strcmp(backend->ops->name, "ref") == 0) return KOSHU_OK;
    const bool threads = strcmp(backend->ops->name, "simd") == 0;
    KOSHU_TRY(force_rate(b, threads ? 1 << 11 : 1 << 16, &rate));
    const double gflops = 1e-9 * FLOPS * rate;
    printf("this machine: %s: direct sums at %.2g pairs/s, %.3g Gflop/s (%d "
           "each)",
           backend->device, rate, gflops, FLOPS);
    const int lanes = threads ? lanes_of(backend->device) : 0;
    const double clock = lanes ? clock_rate() : 0,
                 peak = 1e-9 * 4 * lanes * clock *
                        koshu_context_threads(b->context);
    if (lanes > 0)
        printf(",\n%.0f %% of the %.3g that two multiply-adds of %d floats a "
               "cycle give at %.2f GHz",
               100 * gflops / peak, peak, lanes, 1e-9 * clock);
    printf("\n\n");
    return KOSHU_OK;
}
