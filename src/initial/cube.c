/* SPDX-License-Identifier: MIT */
/*
 * Uniform density in the cube |x|, |y|, |z| <= 1/2:
 *
 *     W = -(1 + sqrt 2 - 2 sqrt 3) / 5 + pi / 3
 *         - ln((1 + sqrt 2) (2 + sqrt 3))
 */
#include "initial/initial.h"

static void
draw(const struct koshu_initial_options *options, const void *table,
     uint64_t particle, struct koshu_body *body)
{
    (void)table;
    struct koshu_random position =
            koshu_random_start(options->seed, particle, KOSHU_DRAW_POSITION);
    for (int k = 0; k < 3; k++)
        body->x[k] = koshu_random_uniform(&position) - 0.5;
    koshu_draw_unscaled_velocity(options, particle, body->v);
}

const struct koshu_model_ops koshu_model_cube = {
        .name = "cube",
        .summary = "uniform cube of side 1, at rest or of a given virial ratio",
        .check = koshu_check_virial_ratio,
        .draw = draw,
        .continuous_potential = -0.94115632219483,
};
