/* SPDX-License-Identifier: MIT */
/* Uniform density inside radius 1: W = -3/5. */
#include "initial/initial.h"

static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    koshu_random_ball(&body->position, body->x);
    koshu_draw_unscaled_velocity(options, body);
}

const struct koshu_model_ops koshu_model_sphere = {
        .name = "sphere",
        .summary =
                "uniform ball of radius 1, at rest or of a given virial ratio",
        .check = koshu_check_virial_ratio,
        .draw = draw,
        .continuous_potential = -3.0 / 5.0,
};
