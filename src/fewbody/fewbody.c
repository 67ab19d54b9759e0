/* SPDX-License-Identifier: MIT */
/* The public object koshu_fewbody: takes bodies, and returns them. */
#include <koshu/fewbody.h>

#include <math.h>

#include "fewbody/fewbody.h"

KOSHU_DEFINE_DEFAULT(koshu_fewbody_options, .tolerance = 1e-15, .kepler = true)

/* ---- bodies in ----------------------------------------------------------- */

static koshu_status
check_body(struct koshu_context *context,
           const struct koshu_particle_const_view *b, size_t k)
{
    const double y[] = {b->mass[k], b->x[k],  b->y[k], b->z[k],
                        b->vx[k],   b->vy[k], b->vz[k]};
    for (size_t d = 0; d < sizeof y / sizeof y[0]; d++)
        if (!isfinite(y[d]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "body %zu of %zu: mass, position and velocity "
                              "must be finite, one is %g",
                              k, b->n, y[d]);
    if (b->mass[k] > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "body %zu of %zu: mass = %g, it must be > 0; give a test "
                      "particle a small mass, say 1e-12 of the others",
                      k, b->n, b->mass[k]);
}

static koshu_status
check_apart(struct koshu_context *context,
            const struct koshu_particle_const_view *b)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = i + 1; j < b->n; j++)
            if (b->x[i] == b->x[j] && b->y[i] == b->y[j] && b->z[i] == b->z[j])
                return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                                  "bodies %zu and %zu are at the same place, "
                                  "where their force is infinite; move one",
                                  i, j);
    return KOSHU_OK;
}

static koshu_status
check_bodies(struct koshu_context *context,
             const struct koshu_particle_const_view *b)
{
    if (b->n < 2 || b->n > KOSHU_FEWBODY_MAX)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%zu bodies: regularisation takes 2 to %d; integrate "
                          "more with the Hermite scheme",
                          b->n, KOSHU_FEWBODY_MAX);
    if (!b->mass || !b->x || !b->y || !b->z || !b->vx || !b->vy || !b->vz)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "bodies need the arrays mass, x, y, z, vx, vy and "
                          "vz; one of them is NULL");
    for (size_t k = 0; k < b->n; k++) KOSHU_TRY(check_body(context, b, k));
    return check_apart(context, b);
}

static double
centre_of(size_t n, const double *mass, const double *x)
{
    struct koshu_sum m = {0}, mx = {0};
    for (size_t k = 0; k < n; k++) {
        koshu_sum_add(&m, mass[k]);
        koshu_sum_add(&mx, mass[k] * x[k]);
    }
    return koshu_sum_value(mx) / koshu_sum_value(m);
}

koshu_status
koshu_fewbody_set(struct koshu_fewbody *fewbody,
                  const struct koshu_particle_const_view *bodies, double time)
{
    struct koshu_fewbody *f = fewbody;
    const struct koshu_particle_const_view *b = bodies;
    const double *x[] = {b->x, b->y, b->z}, *v[] = {b->vx, b->vy, b->vz};
    double at[KOSHU_FEWBODY_MAX][3], rate[KOSHU_FEWBODY_MAX][3], u;
    KOSHU_TRY(check_bodies(f->context, b));
    for (size_t d = 0; d < 3; d++) {
        f->centre[d] = centre_of(b->n, b->mass, x[d]);
        f->velocity[d] = centre_of(b->n, b->mass, v[d]);
        for (size_t k = 0; k < b->n; k++) {
            at[k][d] = x[d][k];
            rate[k][d] = v[d][k];
        }
    }
    f->time = time;
    koshu_chain_make(&f->chain, b->n, b->mass, (const double(*)[3])at,
                     (const double(*)[3])rate, time);
    f->energy0 = koshu_chain_energy(&f->chain, &u);
    f->now = f->chain;
    koshu_chain_slow(&f->chain, f->options.slow_down);
    f->is_ahead = false;
    f->step = (struct koshu_gbs_step){koshu_fewbody_first_step(&f->chain), 5};
    return KOSHU_OK;
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
read_options(struct koshu_context *context,
             const struct koshu_fewbody_options *given,
             struct koshu_fewbody_options *o)
{
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_fewbody_options, given, o));
    if (!isfinite(o->time))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "time = %g: it must be finite", o->time);
    if (!(o->tolerance >= 1e-16 && o->tolerance <= 1e-3))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "tolerance = %g: expected 1e-16 to 1e-3; 1e-15 is as "
                          "accurate as rounding allows",
                          o->tolerance);
    if (!(o->slow_down >= 0 && o->slow_down <= 0.01))
        return koshu_fail(
                context, KOSHU_ERROR_INVALID_ARGUMENT,
                "slow_down = %g: expected the relative error allowed in a "
                "pair's energy, 0 to 0.01, for example 1e-6; 0: no slow-down",
                o->slow_down);
    return KOSHU_OK;
}

koshu_status
koshu_fewbody_create(struct koshu_context *context,
                     const struct koshu_particle_const_view *bodies,
                     const struct koshu_fewbody_options *options,
                     struct koshu_fewbody **fewbody)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, bodies);
    KOSHU_REQUIRE(context, fewbody);
    struct koshu_fewbody_options o;
    *fewbody = NULL;
    KOSHU_TRY(read_options(context, options, &o));
    struct koshu_fewbody *f = koshu_alloc(1, sizeof *f);
    if (!f) return koshu_fail_memory(context, sizeof *f, "few bodies");
    f->context = context;
    f->options = o;
    f->gbs.tolerance = o.tolerance;
    const koshu_status status = koshu_fewbody_set(f, bodies, o.time);
    if (status == KOSHU_OK)
        *fewbody = f;
    else
        koshu_fewbody_destroy(f);
    return status;
}

void
koshu_fewbody_destroy(struct koshu_fewbody *fewbody)
{
    koshu_free(fewbody);
}

/* ---- bodies out ---------------------------------------------------------- */

static void
put(size_t n, double (*from)[3], const double *centre, double *const to[3])
{
    if (!to[0]) return;
    for (size_t k = 0; k < n; k++)
        for (size_t d = 0; d < 3; d++) to[d][k] = centre[d] + from[k][d];
}

static void
put_forces(const struct koshu_chain *c, const struct koshu_particle_view *b)
{
    double a[KOSHU_FEWBODY_MAX][3], potential[KOSHU_FEWBODY_MAX];
    const double none[3] = {0};
    koshu_chain_fields(c, a, potential);
    put(c->n, a, none, (double *[]){b->ax, b->ay, b->az});
    for (size_t k = 0; k < c->n && b->potential; k++)
        b->potential[k] = potential[k];
}

koshu_status
koshu_fewbody_bodies(const struct koshu_fewbody *fewbody,
                     const struct koshu_particle_view *bodies)
{
    KOSHU_REQUIRE(NULL, fewbody);
    KOSHU_REQUIRE(fewbody->context, bodies);
    const struct koshu_particle_view *b = bodies;
    const struct koshu_chain *c = &fewbody->now;
    double x[KOSHU_FEWBODY_MAX][3], v[KOSHU_FEWBODY_MAX][3], centre[3];
    if (b->n != c->n)
        return koshu_fail(fewbody->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "arrays of %zu bodies, but there are %zu", b->n,
                          c->n);
    const double since = koshu_chain_until(c, fewbody->time);
    for (size_t d = 0; d < 3; d++)
        centre[d] = fewbody->centre[d] - since * fewbody->velocity[d];
    koshu_chain_bodies(c, x, v);
    put(c->n, x, centre, (double *[]){b->x, b->y, b->z});
    put(c->n, v, fewbody->velocity, (double *[]){b->vx, b->vy, b->vz});
    for (size_t k = 0; k < c->n && b->mass; k++)
        b->mass[c->body[k]] = c->mass[k];
    put_forces(c, b);
    return KOSHU_OK;
}

static struct koshu_fewbody_report
report_of(const struct koshu_fewbody *f)
{
    double u, v2 = 0, rate = 1;
    const struct koshu_chain *c = &f->now;
    const double energy = koshu_chain_energy(c, &u);
    for (size_t d = 0; d < 3; d++) v2 += f->velocity[d] * f->velocity[d];
    for (size_t k = 0; k + 1 < c->n; k++) rate = fmin(rate, f->chain.rate[k]);
    return (struct koshu_fewbody_report){
            .size = sizeof(struct koshu_fewbody_report),
            .n = c->n,
            .time = koshu_chain_time(c),
            .energy = energy + c->total_mass * v2 / 2,
            .energy_error = (energy - f->energy0) / fabs(f->energy0),
            .slow_down = 1 / rate,
            .steps = f->gbs.steps,
            .rejected = f->gbs.rejected,
            .interactions = f->gbs.evaluations * (c->n * (c->n - 1) / 2)};
}

KOSHU_DEFINE_REPORT(koshu_fewbody_report, fewbody, koshu_fewbody_report, report,
                    report_of(fewbody))
