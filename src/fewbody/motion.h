/* SPDX-License-Identifier: MIT */
/*
 * The motion of a chain for a number of bodies n = c->n, inline so that the
 * compiler may know n. In terms of MOTION_REAL: double, or a vector for several
 * motions of one chain side by side; names are made by MOTION_NAME(name).
 * Included more than once, hence no include guard. The predictor of
 * kernels/hermite.h and koshu_sum_add() are repeated here, since functions that
 * are not inlined cannot take vectors that only some processors have.
 *
 * To be defined before: MOTION_SIZE, of the largest y; MOTION_SQRT(x); and
 * MOTION_ADD_FIELD(perturbers, time, n, x, f), which calls perturbers->field.
 */
#include <math.h>

#include "fewbody/fewbody.h"

#define MOTION static inline __attribute__((always_inline, unused))

MOTION MOTION_REAL
MOTION_NAME(square)(const MOTION_REAL *v)
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Positions or velocities of the bodies about the centre of mass, from
 * links. */
MOTION void
MOTION_NAME(bodies)(const struct koshu_chain *c, size_t n,
                    const MOTION_REAL *link, MOTION_REAL (*body)[3])
{
    MOTION_REAL centre[3] = {0}, at[3] = {0};
    for (size_t k = 0; k < n; k++)
        for (size_t d = 0; d < 3; d++) {
            if (k > 0) at[d] += link[3 * (k - 1) + d];
            body[k][d] = at[d];
            centre[d] += c->mass[k] * at[d];
        }
    for (size_t k = 0; k < n; k++)
        for (size_t d = 0; d < 3; d++) body[k][d] -= centre[d] / c->total_mass;
}

/* ---- koshu_chain_slowed() ------------------------------------------------ */

/* The ends of a slowed pair move with its centre and a fraction of their own
 * motion; adjacent links change accordingly. */
MOTION void
MOTION_NAME(slowed)(const struct koshu_chain *c, size_t n, const MOTION_REAL *v,
                    MOTION_REAL *w)
{
    for (size_t k = 0; k < 3 * (n - 1); k++) w[k] = v[k];
    for (size_t k = 0; k + 1 < n; k++) {
        if (c->rate[k] == 1) continue;
        const double less = 1 - c->rate[k],
                     right = c->mass[k + 1] / (c->mass[k] + c->mass[k + 1]);
        for (size_t d = 0; d < 3; d++) {
            const MOTION_REAL u = less * v[3 * k + d];
            w[3 * k + d] = c->rate[k] * v[3 * k + d]; /* to full precision */
            if (k > 0) w[3 * (k - 1) + d] += right * u;
            if (k + 2 < n) w[3 * (k + 1) + d] += (1 - right) * u;
        }
    }
}

/* ---- koshu_chain_kinetic() ----------------------------------------------- */

/* Bodies k and k + 1, whose relative motion is slowed. */
MOTION MOTION_REAL
MOTION_NAME(of_pair)(const struct koshu_chain *c, size_t k,
                     const MOTION_REAL *v, MOTION_REAL (*u)[3])
{
    const double m = c->mass[k] + c->mass[k + 1],
                 reduced = c->mass[k] * c->mass[k + 1] / m;
    MOTION_REAL centre[3];
    for (size_t d = 0; d < 3; d++)
        centre[d] = (c->mass[k] * u[k][d] + c->mass[k + 1] * u[k + 1][d]) / m;
    return (m * MOTION_NAME(square)(centre) +
            c->rate[k] * reduced * MOTION_NAME(square)(v + 3 * k)) /
           2;
}

MOTION MOTION_REAL
MOTION_NAME(kinetic)(const struct koshu_chain *c, size_t n,
                     const MOTION_REAL *v)
{
    MOTION_REAL u[KOSHU_FEWBODY_MAX][3], t = {0};
    if (n == 2)
        return c->rate[0] * c->mass[0] * c->mass[1] / c->total_mass *
               MOTION_NAME(square)(v) / 2;
    MOTION_NAME(bodies)(c, n, v, u);
    for (size_t k = 0; k < n; k++)
        if (k + 1 < n && c->rate[k] != 1) {
            t += MOTION_NAME(of_pair)(c, k, v, u);
            k++;
        } else
            t += c->mass[k] * MOTION_NAME(square)(u[k]) / 2;
    return t;
}

/* ---- koshu_chain_forces() ------------------------------------------------ */

MOTION MOTION_REAL
MOTION_NAME(forces)(const struct koshu_chain *c, size_t n, const MOTION_REAL *x,
                    MOTION_REAL *a)
{
    MOTION_REAL of_body[KOSHU_FEWBODY_MAX][3], u = {0};
    for (size_t k = 0; k < n; k++)
        for (size_t d = 0; d < 3; d++) of_body[k][d] = (MOTION_REAL){0};
    for (size_t i = 0; i + 1 < n; i++) {
        MOTION_REAL r[3] = {0};
        for (size_t j = i + 1; j < n; j++) {
            for (size_t d = 0; d < 3; d++) r[d] += x[3 * (j - 1) + d];
            const double m_i = c->mass[i], m_j = c->mass[j];
            const MOTION_REAL r2 = MOTION_NAME(square)(r),
                              q = (j == i + 1 ? c->rate[i] : 1) /
                                  MOTION_SQRT(r2),
                              q3 = q / r2;
            u += m_i * m_j * q;
            for (size_t d = 0; d < 3; d++) {
                of_body[i][d] += m_j * q3 * r[d];
                of_body[j][d] -= m_i * q3 * r[d];
            }
        }
    }
    for (size_t k = 0; k + 1 < n; k++)
        for (size_t d = 0; d < 3; d++)
            a[3 * k + d] = of_body[k + 1][d] - of_body[k][d];
    return u;
}

/* ---- koshu_perturbers_fields() ------------------------------------------- */

MOTION void
MOTION_NAME(field)(const struct koshu_perturber *p, const MOTION_REAL *at,
                   size_t n, MOTION_REAL (*x)[3], MOTION_REAL (*f)[3])
{
    for (size_t k = 0; k < n; k++) {
        const MOTION_REAL r[3] = {at[0] - x[k][0], at[1] - x[k][1],
                                  at[2] - x[k][2]};
        const MOTION_REAL q = 1 / MOTION_SQRT(MOTION_NAME(square)(r));
        for (size_t d = 0; d < 3; d++) f[k][d] += p->mass * q * q * q * r[d];
    }
}

MOTION void
MOTION_NAME(fields)(const struct koshu_perturbers *perturbers, MOTION_REAL time,
                    size_t n, MOTION_REAL (*x)[3], MOTION_REAL (*f)[3])
{
    const MOTION_REAL dt = time - perturbers->time;
    for (size_t k = 0; k < n; k++)
        for (size_t d = 0; d < 3; d++) f[k][d] = (MOTION_REAL){0};
    for (size_t j = 0; j < perturbers->n; j++) {
        const struct koshu_perturber *p = &perturbers->body[j];
        MOTION_REAL at[3];
        for (size_t d = 0; d < 3; d++)
            at[d] = p->x[d] +
                    dt * (p->v[d] +
                          dt * 0.5 * (p->a[d] + dt * (1.0 / 3) * p->jerk[d]));
        MOTION_NAME(field)(p, at, n, x, f);
    }
    if (perturbers->field) MOTION_ADD_FIELD(perturbers, time, n, x, f);
}

/* ---- a leapfrog ---------------------------------------------------------- */

struct MOTION_NAME(sum) {
    MOTION_REAL sum, rest;
};

/* The increments so far, and the present links. */
struct MOTION_NAME(motion) {
    const struct koshu_chain *chain;
    struct MOTION_NAME(sum) added[MOTION_SIZE];
    MOTION_REAL x[MOTION_SIZE / 2], v[MOTION_SIZE / 2];
};

/* koshu_sum_add(). */
MOTION void
MOTION_NAME(sum_add)(struct MOTION_NAME(sum) * s, MOTION_REAL x)
{
    const MOTION_REAL sum = s->sum + x, part = sum - s->sum;
    s->rest += (s->sum - (sum - part)) + (x - part);
    s->sum = sum;
}

MOTION MOTION_REAL
MOTION_NAME(sum_value)(const struct MOTION_NAME(sum) * s)
{
    return s->sum + s->rest;
}

MOTION void
MOTION_NAME(add)(struct MOTION_NAME(motion) * m, size_t at, MOTION_REAL *value,
                 size_t n, const MOTION_REAL *rate, MOTION_REAL dt)
{
    const struct koshu_sum *y = m->chain->y + at;
    struct MOTION_NAME(sum) *added = m->added + at;
    for (size_t k = 0; k < n; k++) {
        MOTION_NAME(sum_add)(&added[k], dt * rate[k]);
        /* where the sums cancel, their compensations hold the remaining digits
         */
        value[k] = (y[k].sum + added[k].sum) + (y[k].rest + added[k].rest);
    }
}

MOTION void
MOTION_NAME(drift)(struct MOTION_NAME(motion) * m, size_t n, MOTION_REAL s)
{
    const struct koshu_chain *c = m->chain;
    const size_t half = 3 * (n - 1), time = 2 * half, work = time + 1;
    const MOTION_REAL binding = (c->binding + koshu_sum_value(c->y[work])) +
                                MOTION_NAME(sum_value)(&m->added[work]);
    const MOTION_REAL dt = s / (MOTION_NAME(kinetic)(c, n, m->v) + binding);
    MOTION_REAL w[MOTION_SIZE / 2];
    MOTION_NAME(slowed)(c, n, m->v, w);
    MOTION_NAME(add)(m, 0, m->x, half, w, dt);
    MOTION_NAME(sum_add)(&m->added[time], dt);
}

/* The power of accelerations f on the bodies, less that on the centre of mass,
 * with rates v of the links. */
MOTION MOTION_REAL
MOTION_NAME(power)(const struct koshu_chain *c, size_t n, const MOTION_REAL *v,
                   MOTION_REAL (*f)[3])
{
    MOTION_REAL u[KOSHU_FEWBODY_MAX][3], power = {0};
    MOTION_NAME(bodies)(c, n, v, u);
    for (size_t k = 0; k < n; k++)
        for (size_t d = 0; d < 3; d++) power += c->mass[k] * f[k][d] * u[k][d];
    return power;
}

/* Adds the perturbers' part to the accelerations a of links in a kick, and
 * their work, with the mean of the rates before and after, to the account of
 * B. */
MOTION void
MOTION_NAME(perturb)(struct MOTION_NAME(motion) * m, size_t n, MOTION_REAL *a,
                     MOTION_REAL dt)
{
    const struct koshu_chain *c = m->chain;
    const size_t half = 3 * (n - 1), time = 2 * half, work = time + 1;
    const MOTION_REAL now = koshu_sum_value(c->y[time]) +
                            MOTION_NAME(sum_value)(&m->added[time]);
    MOTION_REAL at[KOSHU_FEWBODY_MAX][3], f[KOSHU_FEWBODY_MAX][3],
            mean[MOTION_SIZE / 2], w[MOTION_SIZE / 2];
    MOTION_NAME(bodies)(c, n, m->x, at);
    MOTION_NAME(fields)(c->perturbers, now, n, at, f);
    for (size_t k = 0; k + 1 < n; k++)
        for (size_t d = 0; d < 3; d++) a[3 * k + d] += f[k + 1][d] - f[k][d];
    for (size_t k = 0; k < half; k++) mean[k] = m->v[k] + dt / 2 * a[k];
    MOTION_NAME(slowed)(c, n, mean, w);
    MOTION_NAME(sum_add)(&m->added[work], -dt * MOTION_NAME(power)(c, n, w, f));
}

MOTION void
MOTION_NAME(kick)(struct MOTION_NAME(motion) * m, size_t n, MOTION_REAL s)
{
    const struct koshu_chain *c = m->chain;
    const size_t half = 3 * (n - 1);
    MOTION_REAL a[MOTION_SIZE / 2];
    const MOTION_REAL dt = s / MOTION_NAME(forces)(c, n, m->x, a);
    if (c->perturbers) MOTION_NAME(perturb)(m, n, a, dt);
    MOTION_NAME(add)(m, half, m->v, half, a, dt);
}
