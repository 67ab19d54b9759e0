/* SPDX-License-Identifier: MIT */
/*
 * The potential of charges at separate points by the fast multipole method: a
 * ring of charges, along its axis.
 *
 *     cc laplace.c $(pkg-config --cflags --libs koshu) -lm -o laplace
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

enum { CHARGES = 20000, PLACES = 9 };

static double x[CHARGES], y[CHARGES], z[CHARGES], charge[CHARGES];
static double at_x[PLACES], at_y[PLACES], at_z[PLACES];

/* A ring of radius 1 about the z axis, total charge 1; points on the axis. */
static void
make_ring(void)
{
    for (int j = 0; j < CHARGES; j++) {
        const double phi = 2 * 3.14159265358979 * j / CHARGES;
        x[j] = cos(phi);
        y[j] = sin(phi);
        charge[j] = 1.0 / CHARGES;
    }
    for (int i = 0; i < PLACES; i++) at_z[i] = 0.5 * (i - PLACES / 2);
}

static koshu_status
sum(struct koshu_context *context)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options options = koshu_laplace_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.tolerance = 1e-9;
    koshu_status status = koshu_laplace_create(context, &options, &laplace);
    if (status != KOSHU_OK) return status;

    struct koshu_laplace_points charges = koshu_laplace_points_default();
    charges.n = CHARGES;
    charges.x = x;
    charges.y = y;
    charges.z = z;
    charges.charge = charge;
    struct koshu_laplace_points places = koshu_laplace_points_default();
    places.n = PLACES;
    places.x = at_x;
    places.y = at_y;
    places.z = at_z;
    double potential[PLACES];
    struct koshu_laplace_result result = koshu_laplace_result_default();
    result.potential = potential;
    status = koshu_laplace_sums(laplace, &charges, &places, &result);
    for (int i = 0; status == KOSHU_OK && i < PLACES; i++)
        printf("z = %4.1f  potential %.9f (1 / sqrt(1 + z^2) = %.9f)\n",
               at_z[i], potential[i], 1 / sqrt(1 + at_z[i] * at_z[i]));
    koshu_laplace_destroy(laplace);
    return status;
}

int
main(void)
{
    struct koshu_context *context;
    if (koshu_context_create(NULL, &context) != KOSHU_OK) {
        fputs("laplace: cannot make a context\n", stderr);
        return EXIT_FAILURE;
    }
    make_ring();
    const koshu_status status = sum(context);
    if (status != KOSHU_OK)
        fprintf(stderr, "laplace: %s\n", koshu_context_message(context));
    koshu_context_destroy(context);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
