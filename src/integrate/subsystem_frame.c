/* SPDX-License-Identifier: MIT */
/*
 * Groups in external fields. In a rotating frame, as for a tidal field, the
 * axes of chains do not rotate: they are those of the frame at time 0 of the
 * store. No Coriolis force acts there, and two bodies without a tide follow a
 * Kepler orbit. With R(t) the rotation by Omega t about z, a body at x from the
 * centre of mass c in the frame has in the chain
 *
 *     x' = R x,  v' = R (v + Omega e_z x x)
 *
 * and fields with acceleration f in the frame, centrifugal force included, give
 *
 *     a' = R (f(c + x) - f(c) - Omega^2 (x, y, 0))
 */
#include <math.h>

#include "external/external.h"
#include "integrate/subsystem_frame.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

/* ---- axes ---------------------------------------------------------------- */

struct turn {
    double cosine, sine;
};

static struct turn
turn_at(double omega, double time)
{
    return (struct turn){cos(omega * time), sin(omega * time)};
}

static void
turn(const struct turn *by, double *x)
{
    const double x0 = x[0];
    x[0] = by->cosine * x0 - by->sine * x[1];
    x[1] = by->sine * x0 + by->cosine * x[1];
}

static void
turn_back(const struct turn *by, double *x)
{
    const struct turn back = {by->cosine, -by->sine};
    turn(&back, x);
}

/* v += Omega e_z x x */
static void
add_turning(double omega, const double *x, double *v)
{
    v[0] -= omega * x[1];
    v[1] += omega * x[0];
}

void
koshu_subsystems_to_chain(const struct koshu_subsystems *groups, double time,
                          struct koshu_subsystem_place *place)
{
    const double omega = groups->omega;
    double *const at[] = {place->x, place->v, place->a, place->jerk};
    if (omega == 0) return;
    const struct turn by = turn_at(omega, time);
    /* each derivative from the one before, by d/dt + Omega e_z x */
    for (int from = 1; from < 4; from++)
        for (int k = 3; k >= from; k--) add_turning(omega, at[k - 1], at[k]);
    for (int k = 0; k < 4; k++) turn(&by, at[k]);
}

static void
to_frame(const struct koshu_subsystems *g, const struct koshu_chain *c,
         double (*x)[3], double (*v)[3])
{
    if (g->omega == 0) return;
    const struct turn by = turn_at(g->omega, koshu_chain_time(c));
    for (size_t k = 0; k < c->n; k++) {
        turn_back(&by, x[k]);
        turn_back(&by, v[k]);
        add_turning(-g->omega, x[k], v[k]);
    }
}

void
koshu_subsystems_bodies(const struct koshu_subsystems *groups,
                        const struct koshu_chain *chain, double (*x)[3],
                        double (*v)[3])
{
    koshu_chain_bodies(chain, x, v);
    to_frame(groups, chain, x, v);
}

void
koshu_subsystems_moving(const struct koshu_subsystems *groups,
                        const struct koshu_chain *chain, double (*x)[3],
                        double (*v)[3])
{
    koshu_chain_moving(chain, x, v);
    to_frame(groups, chain, x, v);
}

/* ---- fields -------------------------------------------------------------- */

struct koshu_field_sum
koshu_subsystems_field(const struct koshu_subsystems *groups, const double *c,
                       const double *v_c, const double *x, const double *v)
{
    double at[3], rate[3];
    for (int d = 0; d < 3; d++) {
        at[d] = c[d] + x[d];
        rate[d] = v_c[d] + v[d];
    }
    struct koshu_field_sum s =
            koshu_external_at(groups->options.external, at, rate);
    const struct koshu_field_sum centre =
            koshu_external_at(groups->options.external, c, v_c);
    for (int d = 0; d < 3; d++) {
        s.a[d] -= centre.a[d];
        s.jerk[d] -= centre.jerk[d];
    }
    s.potential -= centre.potential;
    return s;
}

void
koshu_subsystems_add_field(const struct koshu_subsystem_field *field,
                           double time, size_t n, const double (*x)[3],
                           double (*f)[3])
{
    static const double rest[3];
    const struct koshu_subsystems *g = field->groups;
    const struct koshu_subsystem_place *from = &field->centre;
    const double dt = time - field->time, omega2 = g->omega * g->omega;
    const struct turn by = turn_at(g->omega, time);
    double c[3];
    for (int d = 0; d < 3; d++)
        c[d] = hermite_predict_x_f64(from->x[d], from->v[d], from->a[d],
                                     from->jerk[d], dt);
    for (size_t k = 0; k < n; k++) {
        double r[3] = {x[k][0], x[k][1], x[k][2]};
        turn_back(&by, r);
        struct koshu_field_sum s = koshu_subsystems_field(g, c, rest, r, rest);
        s.a[0] -= omega2 * r[0];
        s.a[1] -= omega2 * r[1];
        turn(&by, s.a);
        for (int d = 0; d < 3; d++) f[k][d] += s.a[d];
    }
}

double
koshu_subsystems_tide(const struct koshu_subsystems *groups, const double *c)
{
    const double omega2 = groups->omega * groups->omega;
    double sum = 0;
    if (!groups->options.external) return 0;
    for (int k = 0; k < 3; k++) {
        double along[3] = {0};
        along[k] = 1;
        struct koshu_field_sum s =
                koshu_external_at(groups->options.external, c, along);
        if (k < 2) s.jerk[k] -= omega2;
        for (int d = 0; d < 3; d++) sum += s.jerk[d] * s.jerk[d];
    }
    return sqrt(sum);
}
