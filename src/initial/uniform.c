/* SPDX-License-Identifier: MIT */
/*
 * Uniform density inside radius 1, with W = -3/5; and in the cube |x|, |y|, |z|
 * <= 1/2, with
 *
 *     W = -(1 + sqrt 2 - 2 sqrt 3) / 5 + pi / 3
 *         - ln((1 + sqrt 2) (2 + sqrt 3))
 */
#include "initial/initial.h"

static void
draw_in_sphere(const struct koshu_initial_options *options,
               struct koshu_body *body)
{
    koshu_random_ball(&body->position, body->x);
    koshu_draw_unscaled_velocity(options, body);
}

static void
draw_in_cube(const struct koshu_initial_options *options,
             struct koshu_body *body)
{
    for (int k = 0; k < 3; k++)
        body->x[k] = koshu_random_uniform(&body->position) - 0.5;
    koshu_draw_unscaled_velocity(options, body);
}

const struct koshu_model_ops koshu_model_sphere = {
        .summary =
                "uniform ball of radius 1, at rest or of a given virial ratio",
        .check = koshu_check_virial_ratio,
        .draw = draw_in_sphere,
        .continuous_potential = -3.0 / 5.0,
};

const struct koshu_model_ops koshu_model_cube = {
        .summary = "uniform cube of side 1, at rest or of a given virial ratio",
        .check = koshu_check_virial_ratio,
        .draw = draw_in_cube,
        .continuous_potential = -0.94115632219483,
};
