/* SPDX-License-Identifier: MIT */
/*
 * The potential of the ions in rock salt, by the fast multipole method in a
 * periodic box: the Madelung constant, 1.747564594633..., with distances in
 * units of that between neighbours.
 *
 *     cc periodic.c $(pkg-config --cflags --libs koshu) -lm -o periodic
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

enum { SIDE = 16, IONS = SIDE * SIDE * SIDE };

static double x[IONS], y[IONS], z[IONS], charge[IONS];
static double potential[IONS], gx[IONS], gy[IONS], gz[IONS];

static void
make_crystal(void)
{
    for (int i = 0; i < IONS; i++) {
        const int a = i % SIDE, b = i / SIDE % SIDE, c = i / SIDE / SIDE;
        x[i] = a;
        y[i] = b;
        z[i] = c;
        charge[i] = (a + b + c) % 2 ? -1 : 1;
    }
}

static koshu_status
sum(struct koshu_context *context)
{
    struct koshu_laplace *laplace;
    struct koshu_laplace_options options = koshu_laplace_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.tolerance = 1e-9;
    options.box = SIDE;
    koshu_status status = koshu_laplace_create(context, &options, &laplace);
    if (status != KOSHU_OK) return status;

    struct koshu_laplace_points ions = koshu_laplace_points_default();
    struct koshu_laplace_result result = koshu_laplace_result_default();
    ions.n = IONS;
    ions.x = x;
    ions.y = y;
    ions.z = z;
    ions.charge = charge;
    result.potential = potential;
    result.gradient_x = gx;
    result.gradient_y = gy;
    result.gradient_z = gz;
    status = koshu_laplace_sums(laplace, &ions, NULL, &result);
    koshu_laplace_destroy(laplace);
    return status;
}

int
main(void)
{
    struct koshu_context *context;
    if (koshu_context_create(NULL, &context) != KOSHU_OK) {
        fputs("periodic: cannot make a context\n", stderr);
        return EXIT_FAILURE;
    }
    make_crystal();
    const koshu_status status = sum(context);
    if (status == KOSHU_OK)
        printf("Madelung's constant: %.8f, the force on an ion: %.0e\n",
               -charge[0] * potential[0], hypot(hypot(gx[0], gy[0]), gz[0]));
    else
        fprintf(stderr, "periodic: %s\n", koshu_context_message(context));
    koshu_context_destroy(context);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
