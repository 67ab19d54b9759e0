/* SPDX-License-Identifier: MIT */
/* Primordial binaries: the distributions of their orbits, and the placing of
 * their stars. */
#include <math.h>

#include <koshu/units.h>

#include "base/base.h"
#include "domain/domain.h"
#include "initial/population.h"
#include "particles/particles.h"

static const char *const period_names[] = {"raghavan", "duquennoy-mayor",
                                           "kroupa", "opik"};
static const char *const ratio_names[] = {"uniform", "random", "equal"};
static const char *const eccentricity_names[] = {"thermal", "uniform",
                                                 "circular"};
KOSHU_ENUM_NAMES(koshu_period_law, "a law of periods", period_names)
KOSHU_ENUM_NAMES(koshu_mass_ratio_law, "a law of mass ratios", ratio_names)
KOSHU_ENUM_NAMES(koshu_eccentricity_law, "a law of eccentricities",
                 eccentricity_names)

/* ---- checks -------------------------------------------------------------- */

static koshu_status
check_laws(struct koshu_context *context, const struct koshu_initial_options *o)
{
    if (!koshu_period_law_name(o->period_law) ||
        !koshu_mass_ratio_law_name(o->mass_ratio_law) ||
        !koshu_eccentricity_law_name(o->eccentricity_law))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "period_law %d, mass_ratio_law %d, eccentricity_law "
                          "%d: there is no such law",
                          (int)o->period_law, (int)o->mass_ratio_law,
                          (int)o->eccentricity_law);
    if (!(o->mass_ratio_min > 0 && o->mass_ratio_min <= 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "mass_ratio_min = %g: it must be in (0, 1]",
                          o->mass_ratio_min);
    if (o->period_min > 0 && o->period_max > o->period_min &&
        isfinite(o->period_max))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "periods from period_min = %g to period_max = %g days: "
                      "both must be positive, the second the larger",
                      o->period_min, o->period_max);
}

/* Periods are in days, so the model must have a physical size. */
static koshu_status
check_size(struct koshu_context *context, const struct koshu_initial_options *o)
{
    const bool equal = o->mass_function == KOSHU_MASS_FUNCTION_EQUAL;
    if (!(o->length_pc > 0 && isfinite(o->length_pc)))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "binaries have periods in days, so that the model "
                          "needs a size: give units and its length (--units "
                          "pc,Msun,Myr --virial-radius '1 pc'; in C "
                          "length_pc)");
    if (!equal || (o->mass_msun > 0 && isfinite(o->mass_msun))) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "binaries of equal masses need the mass of all stars: "
                      "give units and a total mass, set mass_msun (= %g), or "
                      "choose a mass function",
                      o->mass_msun);
}

koshu_status
koshu_binaries_check(struct koshu_context *context,
                     const struct koshu_initial_options *o)
{
    if (!(o->binary_fraction >= 0 && o->binary_fraction <= 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "binary_fraction = %g: it is the part of all systems "
                          "that are binaries, in [0, 1]",
                          o->binary_fraction);
    if (o->binary_fraction == 0) return KOSHU_OK;
    KOSHU_TRY(check_laws(context, o));
    return check_size(context, o);
}

/* ---- periods ------------------------------------------------------------- */

/* Kroupa's density 2.5 l / (45 + l^2) integrates to 1 between its limits. */
static const struct koshu_segment laws[] = {
        [KOSHU_PERIOD_LAW_RAGHAVAN] = {.kind = KOSHU_SEGMENT_NORMAL,
                                       .high = INFINITY,
                                       .coefficient = 1,
                                       .mean = 5.03,
                                       .sigma = 2.28},
        [KOSHU_PERIOD_LAW_DUQUENNOY_MAYOR] = {.kind = KOSHU_SEGMENT_NORMAL,
                                              .high = INFINITY,
                                              .coefficient = 1,
                                              .mean = 4.8,
                                              .sigma = 2.3},
        [KOSHU_PERIOD_LAW_KROUPA] = {.kind = KOSHU_SEGMENT_BIRTH,
                                     .low = 10,
                                     .high = 266845745.17211616,
                                     .coefficient = 1},
        [KOSHU_PERIOD_LAW_OPIK] = {
                .high = INFINITY, .coefficient = 1, .power = -1}};

koshu_status
koshu_periods_make(struct koshu_context *context,
                   const struct koshu_initial_options *o,
                   struct koshu_distribution *d)
{
    *d = (struct koshu_distribution){1, koshu_alloc(1, sizeof *d->segment)};
    if (!d->segment)
        return koshu_fail_memory(context, sizeof *d->segment, "law of periods");
    d->segment[0] = laws[o->period_law];
    if (koshu_distribution_limit(d, o->period_min, o->period_max))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "periods from %g to %g days: the law %s has none there",
                      o->period_min, o->period_max,
                      koshu_period_law_name(o->period_law));
}

/* ---- orbits -------------------------------------------------------------- */

/* Solves E - e sin E = M for M in [0, 2 pi): the left side increases with E. */
static double
eccentric_anomaly(double M, double e)
{
    double low = 0, high = 2 * M_PI, E = M;
    for (int k = 0; k < 100; k++) {
        const double rest = E - e * sin(E) - M;
        if (rest > 0)
            high = E;
        else
            low = E;
        const double next = E - rest / (1 - e * cos(E));
        const double better =
                next > low && next < high ? next : (low + high) / 2;
        if (better == E) break;
        E = better;
    }
    return E;
}

static double
draw_eccentricity(const struct koshu_initial_options *o,
                  struct koshu_random *random, double period)
{
    /* in days; orbits up to this period are circular */
    const double circular = 2;
    const double u = koshu_random_uniform(random);
    if (period <= circular) return 0;
    const double max = 1 - pow(period / circular, -2.0 / 3.0);
    switch (o->eccentricity_law) {
    case KOSHU_ECCENTRICITY_LAW_THERMAL: return max * sqrt(u);
    case KOSHU_ECCENTRICITY_LAW_UNIFORM: return max * u;
    case KOSHU_ECCENTRICITY_LAW_CIRCULAR: break;
    }
    return 0;
}

/* Two orthogonal unit vectors of random orientation. */
static void
draw_plane(struct koshu_random *random, double p[3], double q[3])
{
    double pole[3], any[3], product[3];
    koshu_random_direction(random, 1, pole);
    koshu_random_direction(random, 1, any);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        product[k] = pole[i] * any[j] - pole[j] * any[i];
    }
    const double length =
            sqrt(product[0] * product[0] + product[1] * product[1] +
                 product[2] * product[2]);
    for (int k = 0; k < 3; k++) p[k] = product[k] / length;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        q[k] = pole[i] * p[j] - pole[j] * p[i];
    }
}

koshu_status
koshu_population_days(struct koshu_context *context, struct koshu_population *p)
{
    struct koshu_units units;
    const struct koshu_initial_options *o = &p->options;
    const bool equal = o->mass_function == KOSHU_MASS_FUNCTION_EQUAL;
    const double M = equal ? o->mass_msun : p->total;
    KOSHU_TRY(koshu_units_find(context, "pc, Msun, d", &units));
    p->days = sqrt(o->length_pc * o->length_pc * o->length_pc /
                   (koshu_units_gravitational_constant(&units) * M));
    return KOSHU_OK;
}

struct koshu_binary
koshu_population_binary(const struct koshu_population *p, size_t system,
                        const struct koshu_system *stars)
{
    struct koshu_random random =
            koshu_random_start(p->options.seed, system, KOSHU_DRAW_BINARY);
    struct koshu_binary b;
    double to_pericentre[3], across[3];
    b.period =
            koshu_distribution_at(&p->periods, koshu_random_uniform(&random));
    const double e = b.eccentricity =
            draw_eccentricity(&p->options, &random, b.period);
    const double mass = (stars->mass[0] + stars->mass[1]) / p->total;
    const double n = 2 * M_PI * p->days / b.period;
    const double a = b.semi_major_axis = cbrt(mass / (n * n));
    const double E =
            eccentric_anomaly(2 * M_PI * koshu_random_uniform(&random), e);
    const double minor = sqrt((1 - e) * (1 + e));
    const double rate = n / (1 - e * cos(E)); /* dE/dt */
    draw_plane(&random, to_pericentre, across);
    for (int k = 0; k < 3; k++) {
        b.x[k] = a *
                 ((cos(E) - e) * to_pericentre[k] + minor * sin(E) * across[k]);
        b.v[k] = a * rate *
                 (-sin(E) * to_pericentre[k] + minor * cos(E) * across[k]);
    }
    return b;
}

koshu_status
koshu_place_binaries(const struct koshu_population *p,
                     struct koshu_particles *particles)
{
    struct koshu_particle_view v;
    if (p->n_binaries == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_on_host(
            particles, KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY,
            KOSHU_ACCESS_READ_WRITE, &v));
    const size_t first = koshu_particles_first(particles);
    const int threads = koshu_region_threads(koshu_particles_context(particles),
                                             v.n > 1 << 10);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < v.n; i++) {
        const size_t star = first + i, s = koshu_system_of(p, star);
        if (s >= p->n_binaries) continue;
        const struct koshu_system stars = koshu_population_system(p, s);
        const struct koshu_binary b = koshu_population_binary(p, s, &stars);
        const double mass = stars.mass[0] + stars.mass[1];
        const double part =
                star % 2 ? stars.mass[0] / mass : -stars.mass[1] / mass;
        double *const x[] = {&v.x[i], &v.y[i], &v.z[i]};
        double *const u[] = {&v.vx[i], &v.vy[i], &v.vz[i]};
        for (int k = 0; k < 3; k++) {
            *x[k] += part * b.x[k];
            *u[k] += part * b.v[k];
        }
    }
    return KOSHU_OK;
}
