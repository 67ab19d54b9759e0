/* SPDX-License-Identifier: MIT */
/* Advances a system in whole steps, and from there to the exact time
 * requested. */
#include <math.h>

#include "fewbody/fewbody.h"

/* A twentieth of the time in which the closest bodies move, as a step in s. */
double
koshu_fewbody_first_step(const struct koshu_chain *chain)
{
    const struct koshu_chain *c = chain;
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS],
            a[3 * KOSHU_CHAIN_LINKS], least = INFINITY;
    koshu_chain_values(c, x, v);
    const double u = koshu_chain_forces(c, x, a);
    for (size_t k = 0; k + 1 < c->n; k++) {
        const double *r = x + 3 * k, *w = v + 3 * k;
        const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2],
                     w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2],
                     m = c->mass[k] + c->mass[k + 1];
        least = fmin(least, fmin(sqrt(r2 * sqrt(r2) / m), sqrt(r2 / w2)));
    }
    return u * least / 20;
}

/* Makes the next step from the chain, unless it has been made already. */
static koshu_status
look_ahead(struct koshu_fewbody *f)
{
    double made;
    if (f->is_ahead) return KOSHU_OK;
    f->next = f->chain;
    f->then = f->step;
    KOSHU_TRY(koshu_gbs_advance(&f->gbs, &f->next, &f->then, &made));
    f->is_ahead = true;
    return KOSHU_OK;
}

static void
take_next(struct koshu_fewbody *f)
{
    f->chain = f->next;
    f->step = f->then;
    f->is_ahead = false;
    koshu_chain_renew(&f->chain);
    koshu_chain_slow(&f->chain, f->options.slow_down);
}

/* Reverses the direction of time, if needed, from the present state. */
static void
turn(struct koshu_fewbody *f, double forward)
{
    if (f->step.s * forward > 0) return;
    f->chain = f->now;
    f->is_ahead = false;
    f->step.s = forward * koshu_fewbody_first_step(&f->now);
}

/* Steps of s = (t1 - t) (T + B). The time left after each is due only to the
 * change of T in it. */
static koshu_status
land(struct koshu_fewbody *f, double time)
{
    enum { STEPS = 50 };
    struct koshu_chain *c = &f->now;
    const double rounding = 1e-16 * (fabs(time) + fabs(f->time));
    *c = f->chain;
    for (int k = 0; k < STEPS; k++) {
        double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS], made;
        const double rest = koshu_chain_until(c, time);
        if (fabs(rest) <= rounding || rest == 0) break;
        koshu_chain_values(c, x, v);
        double s = rest * (koshu_chain_kinetic(c, v) + koshu_chain_binding(c));
        if (k == 0 && fabs(s) > fabs(f->step.s)) s = f->step.s;
        struct koshu_gbs_step step = {s, f->step.row};
        KOSHU_TRY(koshu_gbs_advance(&f->gbs, c, &step, &made));
    }
    c->y[2 * koshu_chain_half(c)] = (struct koshu_sum){time, 0};
    koshu_chain_settle(c);
    return KOSHU_OK;
}

static koshu_status
advance(struct koshu_fewbody *f, double time)
{
    const double way = koshu_chain_until(&f->now, time);
    const double forward = way < 0 ? -1 : 1;
    if (way == 0) return KOSHU_OK;
    turn(f, forward);
    for (;;) {
        KOSHU_TRY(look_ahead(f));
        if (koshu_chain_until(&f->next, time) * forward < 0) break;
        take_next(f);
    }
    return land(f, time);
}

koshu_status
koshu_fewbody_integrate(struct koshu_fewbody *fewbody, double time)
{
    KOSHU_REQUIRE(NULL, fewbody);
    struct koshu_fewbody *f = fewbody;
    if (!isfinite(time))
        return koshu_fail(f->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time = %g: expected a finite time to integrate to",
                          time);
    if (f->chain.n == 2 && f->options.kepler) {
        f->now = f->chain; /* from where they were initially */
        koshu_chain_move_pair(&f->now, time);
        return KOSHU_OK;
    }
    if (advance(f, time) == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(f->context, KOSHU_ERROR_NOT_FINITE,
                      "%zu bodies: no step converges at time %.17g, as happens "
                      "where three meet at one point; go back, and use a "
                      "tolerance larger than %g",
                      f->chain.n, koshu_chain_time(&f->chain),
                      f->options.tolerance);
}
