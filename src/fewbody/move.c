/* SPDX-License-Identifier: MIT */
/* Moves a chain to a given time; the last step is shortened to end there. */
#include <math.h>

#include "fewbody/fewbody.h"

void
koshu_chain_move_pair(struct koshu_chain *c, double time)
{
    double x[3], v[3];
    koshu_chain_values(c, x, v);
    koshu_kepler_move(c->total_mass, koshu_chain_until(c, time), x, v);
    for (size_t d = 0; d < 3; d++) {
        c->y[d] = (struct koshu_sum){x[d], 0};
        c->y[3 + d] = (struct koshu_sum){v[d], 0};
    }
    c->y[6] = (struct koshu_sum){time, 0};
}

/* The step of s for the remaining time `rest`, with T as it is now. */
static double
rough_step(const struct koshu_chain *c, double rest)
{
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_values(c, x, v);
    return rest * (koshu_chain_kinetic(c, v) + koshu_chain_binding(c));
}

/* The same for two bodies, from Kepler's equation with d(x v)/dt = 2 E + mu /
 * r. The effect of perturbers is left for the next attempt to land. */
static double
kepler_step(const struct koshu_chain *c, double rest)
{
    const double mu = c->total_mass, dt = c->rate[0] * rest;
    double x[3], v[3], s = 0;
    koshu_chain_values(c, x, v);
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double twice = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 2 * mu / r;
    for (size_t d = 0; d < 3; d++) s -= x[d] * v[d];
    koshu_kepler_move(mu, dt, x, v);
    for (size_t d = 0; d < 3; d++) s += x[d] * v[d];
    return c->mass[0] * c->mass[1] / mu * (s - twice * dt);
}

/* Whether it is so small a fraction of a usual step that the leapfrog alone is
 * exact. */
static bool
is_rest(double s, double usual)
{
    return fabs(s) < 1e-5 * usual;
}

static double
step_to(const struct koshu_chain *c, double rest, double usual)
{
    const double near = 8;
    const double s = rough_step(c, rest);
    const bool is_last = c->n == 2 && fabs(s) < near * usual;
    return is_last && !is_rest(s, usual) ? kepler_step(c, rest) : s;
}

static void
make_rest(struct koshu_gbs *gbs, struct koshu_chain *c, double s)
{
    struct koshu_increment added;
    koshu_chain_leapfrog(c, s, 1, &added);
    koshu_chain_add(c, &added);
    gbs->evaluations++;
}

/* Makes a whole step, or one for the remaining time, in which case *landings is
 * incremented. Steps back if the last one went too far. If a landing had to be
 * shortened, the usual step is too long as well, and is adjusted. */
static koshu_status
step_on(struct koshu_gbs *gbs, struct koshu_chain *c,
        struct koshu_gbs_step *step, double rest, int *landings)
{
    double made;
    const double s = step_to(c, rest, step->s);
    const bool lands = fabs(s) <= step->s;
    struct koshu_gbs_step next = {lands ? s : copysign(step->s, s), step->row};
    if (is_rest(s, step->s)) {
        make_rest(gbs, c, s);
        ++*landings;
        return KOSHU_OK;
    }
    KOSHU_TRY(koshu_gbs_advance(gbs, c, &next, &made));
    if (lands && made == s)
        ++*landings;
    else
        *step = (struct koshu_gbs_step){fabs(next.s), next.row};
    return KOSHU_OK;
}

/* The time until bodies touch, from their present motion. */
static double
wait_for(const struct koshu_chain *c, const struct koshu_contact *contact,
         size_t *link)
{
    if (!contact) return INFINITY;
    return koshu_chain_contact(c, contact->law, link);
}

/* Moves two bodies by Kepler's equation. */
static void
move_pair(struct koshu_chain *c, double time, struct koshu_contact *contact)
{
    size_t link = KOSHU_NO_CONTACT;
    const double wait = wait_for(c, contact, &link);
    if (wait > koshu_chain_until(c, time)) {
        koshu_chain_move_pair(c, time);
        return;
    }
    koshu_chain_move_pair(c, koshu_chain_time(c) + wait);
    contact->link = link;
}

enum { LANDINGS = 50 };

/* The relative time that may remain after many landings: rounding. */
static const double left_out = 1e-9;

/* Steps to that time, or until bodies touch. Every few steps it checks whether
 * a leap is possible. */
static koshu_status
move_steps(struct koshu_gbs *gbs, struct koshu_chain *c,
           struct koshu_gbs_step *step, double time,
           struct koshu_contact *contact)
{
    enum { PATIENCE = 4 };
    const struct koshu_radius_law *law = contact ? contact->law : NULL;
    const double way = koshu_chain_until(c, time), rounding = 1e-15 * fabs(way),
                 touching = 1e-10;
    int landings = 0, contacts = 0;
    unsigned steps = 0;
    while (landings < LANDINGS) {
        size_t link = KOSHU_NO_CONTACT;
        const double rest = koshu_chain_until(c, time);
        const bool asks = steps % PATIENCE == 0;
        if (fabs(rest) <= rounding) break;
        koshu_chain_renew(c);
        if (asks && koshu_chain_leap_far(gbs, c, time, law)) continue;
        if (c->n > 2) koshu_chain_slow(c, gbs->slow_down);
        const double wait = wait_for(c, contact, &link);
        const bool meets = wait < rest;
        if (meets && (wait <= touching * way || contacts == LANDINGS)) {
            contact->link = link;
            return KOSHU_OK;
        }
        if (asks && !meets && koshu_chain_leap(gbs, c, time)) continue;
        steps++;
        KOSHU_TRY(step_on(gbs, c, step, meets ? wait : rest,
                          meets ? &contacts : &landings));
    }
    if (!(fabs(koshu_chain_until(c, time)) <= left_out * fabs(way)))
        return KOSHU_ERROR_NOT_FINITE;
    c->y[2 * koshu_chain_half(c)] = (struct koshu_sum){time, 0};
    return KOSHU_OK;
}

koshu_status
koshu_chain_move(struct koshu_gbs *gbs, struct koshu_chain *chain,
                 struct koshu_gbs_step *step, double time,
                 struct koshu_contact *contact)
{
    struct koshu_chain *c = chain;
    if (contact) contact->link = KOSHU_NO_CONTACT;
    if (c->n == 1) {
        c->y[0] = (struct koshu_sum){time, 0};
        return KOSHU_OK;
    }
    if (c->n == 2 && !c->perturbers) {
        move_pair(c, time, contact);
        return KOSHU_OK;
    }
    if (c->n == 2) koshu_chain_slow(c, gbs->slow_down);
    return move_steps(gbs, c, step, time, contact);
}
