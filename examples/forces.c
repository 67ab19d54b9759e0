/* SPDX-License-Identifier: MIT */
/*
 * Forces between particles in arrays of your own: the smallest use of koshu,
 * for a program that has its own integrator.
 *
 *     cc forces.c $(pkg-config --cflags --libs koshu) -o forces
 */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

/* The corners of a square of side 2 and a massless particle at its centre. */
enum { N = 5 };
static const double x[N] = {1, -1, -1, 1, 0};
static const double y[N] = {1, 1, -1, -1, 0};
static const double z[N] = {0};
static const double mass[N] = {0.25, 0.25, 0.25, 0.25, 0};
/* i-particle i is j-particle i: their equal ids leave this pair out. */
static const int64_t id[N] = {0, 1, 2, 3, 4};

int
main(void)
{
    struct koshu_context *context;
    if (koshu_context_create(NULL, &context) != KOSHU_OK) {
        fputs("forces: cannot make a context\n", stderr);
        return EXIT_FAILURE;
    }

    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    const struct koshu_i_particles i = {
            .n = N, .x = x, .y = y, .z = z, .id = id};
    const struct koshu_j_particles j = {
            .n = N, .x = x, .y = y, .z = z, .mass = mass};
    double ax[N], ay[N], az[N], potential[N];
    const struct koshu_force_result result = {
            .ax = ax, .ay = ay, .az = az, .potential = potential};

    koshu_status status =
            koshu_force_direct(context, &i, &j, &options, &result);
    if (status == KOSHU_OK)
        for (int k = 0; k < N; k++)
            printf("(%2g,%2g)  a = (%8.5f, %8.5f, %8.5f)  potential = %8.5f\n",
                   x[k], y[k], ax[k], ay[k], az[k], potential[k]);
    else
        fprintf(stderr, "forces: %s\n", koshu_context_message(context));
    koshu_context_destroy(context);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
