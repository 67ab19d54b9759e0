/* SPDX-License-Identifier: MIT */
/*
 * King 1966: the lowered Maxwellian f ~ exp(W - v^2/2) - 1, v < sqrt(2 W),
 * speeds in units of sigma. king.h has the profile W(r).
 */
#include "initial/king.h"

#include <math.h>

#include "base/base.h"
#include "initial/initial.h"

/*
 * Draws from v^2 (exp(W - v^2/2) - 1) by rejection, with the lower of two
 * bounds: 2 exp(W - 1), which omits the -1; and W (exp W - 1) / 2, from the
 * chord that lies above the convex exponential. Both are multiplied by exp(-W).
 */
static double
speed(struct koshu_random *random, double W)
{
    double escape = sqrt(2 * W), shrink = exp(-W);
    double bound = fmin(2 / M_E, -W * expm1(-W) / 2);
    for (;;) {
        double v = escape * koshu_random_uniform(random);
        double g = v * v * shrink * expm1(W - v * v / 2);
        if (bound * koshu_random_uniform(random) < g) return v;
    }
}

static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    (void)options;
    const struct koshu_king *king = body->table;
    double W, r;
    koshu_king_at_mass(king, koshu_random_uniform(&body->position), &W, &r);
    koshu_random_direction(&body->position, king->length * r, body->x);
    double v = W > 0 ? speed(&body->velocity, W) : 0;
    koshu_random_direction(&body->velocity, king->velocity * v, body->v);
}

static koshu_status
check(struct koshu_context *context,
      const struct koshu_initial_options *options)
{
    if (options->king_w0 >= 0.5 && options->king_w0 <= 15) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "king_w0 = %g: W0 of a King model must be in "
                      "[0.5, 15]",
                      options->king_w0);
}

static koshu_status
prepare(struct koshu_context *context,
        const struct koshu_initial_options *options, void **table)
{
    struct koshu_king *king = koshu_alloc(1, sizeof *king);
    if (!king) return koshu_fail_memory(context, sizeof *king, "King profile");
    koshu_king_solve(options->king_w0, king);
    *table = king;
    return KOSHU_OK;
}

const struct koshu_model_ops koshu_model_king = {
        .summary = "King 1966 with central potential W0, Hénon units",
        .check = check,
        .prepare = prepare,
        .draw = draw,
        .equilibrium = true,
};
