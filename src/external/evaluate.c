/* SPDX-License-Identifier: MIT */
/* Accelerations, potentials and energy of external fields. */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "external/external.h"
#include "external/formula.h"
#include "particles/particles.h"

void
koshu_external_tide_of(const struct koshu_external_field *tide, double *outward,
                       double *vertical)
{
    const double omega = tide->speed / tide->radius, omega2 = omega * omega;
    *outward = (4 - 2 * (1 + tide->slope)) * omega2;
    *vertical = tide->density < 0
                        ? omega2
                        : 4 * M_PI * tide->density - 2 * tide->slope * omega2;
}

static void
add_uniform(const struct koshu_external_field *f, const double x[3],
            struct koshu_field_sum *s)
{
    for (int k = 0; k < 3; k++) s->a[k] += f->acceleration[k];
    s->potential -= koshu_field_dot(f->acceleration, x);
}

static void
add_tide(const struct koshu_external_field *f, const double x[3],
         const double v[3], struct koshu_field_sum *s)
{
    double outward, vertical;
    koshu_external_tide_of(f, &outward, &vertical);
    koshu_field_tide(outward, vertical, x, v, s);
}

static void
add_field(const struct koshu_external *e, size_t k, const double at[3],
          const double v[3], struct koshu_field_sum *s)
{
    const struct koshu_external_field *f = &e->field[k];
    const double x[3] = {at[0] - f->centre[0], at[1] - f->centre[1],
                         at[2] - f->centre[2]};
    switch (f->kind) {
    case KOSHU_EXTERNAL_KIND_POINT_MASS:
        koshu_field_plummer(f->mass, 0, x, v, s);
        break;
    case KOSHU_EXTERNAL_KIND_PLUMMER:
        koshu_field_plummer(f->mass, f->a, x, v, s);
        break;
    case KOSHU_EXTERNAL_KIND_MIYAMOTO_NAGAI:
        koshu_field_miyamoto_nagai(f->mass, f->a, f->b, x, v, s);
        break;
    case KOSHU_EXTERNAL_KIND_LOGARITHMIC:
        koshu_field_logarithmic(f->speed, f->a, f->q, x, v, s);
        break;
    case KOSHU_EXTERNAL_KIND_NFW:
        koshu_field_nfw(f->mass / koshu_field_nfw_mass(f->concentration), f->a,
                        x, v, s);
        break;
    case KOSHU_EXTERNAL_KIND_UNIFORM: add_uniform(f, x, s); break;
    case KOSHU_EXTERNAL_KIND_TIDE: add_tide(f, x, v, s); break;
    case KOSHU_EXTERNAL_KIND_FORMULA:
        koshu_formula_add(e->formula[k], x, v, s);
        break;
    }
}

struct koshu_field_sum
koshu_external_at(const struct koshu_external *external, const double x[3],
                  const double v[3])
{
    struct koshu_field_sum s = {0};
    for (size_t k = 0; k < external->n; k++) add_field(external, k, x, v, &s);
    return s;
}

void
koshu_external_add(const struct koshu_external *external, double omega,
                   const double x[3], const double v[3], double a[3],
                   double jerk[3])
{
    const struct koshu_field_sum s = koshu_external_at(external, x, v);
    for (int k = 0; k < 3; k++) {
        a[k] += s.a[k];
        jerk[k] += s.jerk[k];
    }
    if (omega != 0) koshu_field_coriolis(omega, v, a, jerk);
}

/* ---- at many places ------------------------------------------------------ */

static void
put(double *to, size_t i, const double from[3])
{
    if (to)
        for (int k = 0; k < 3; k++) to[3 * i + (size_t)k] = from[k];
}

koshu_status
koshu_external_evaluate(const struct koshu_external *external, size_t n,
                        const double *position, const double *velocity,
                        double *acceleration, double *jerk, double *potential)
{
    KOSHU_REQUIRE(NULL, external);
    if (n > 0) KOSHU_REQUIRE(external->context, position);
    static const double rest[3];
    for (size_t i = 0; i < n; i++) {
        const double *x = position + 3 * i,
                     *v = velocity ? velocity + 3 * i : rest;
        double a[3] = {0}, j[3] = {0};
        koshu_external_add(external, velocity ? external->omega : 0, x, v, a,
                           j);
        put(acceleration, i, a);
        put(jerk, i, j);
        if (potential)
            potential[i] = koshu_external_at(external, x, v).potential;
    }
    return KOSHU_OK;
}

/* ---- energy -------------------------------------------------------------- */

struct energies {
    const struct koshu_external *external;
    const struct koshu_particle_view *view;
};

static void
add_energies(const void *user, size_t begin, size_t end, struct koshu_sum *sum)
{
    static const double rest[3];
    const struct energies *e = user;
    const struct koshu_particle_view *v = e->view;
    for (size_t i = begin; i < end; i++) {
        const double x[3] = {v->x[i], v->y[i], v->z[i]};
        koshu_sum_add(
                sum,
                v->mass[i] * koshu_external_at(e->external, x, rest).potential);
    }
}

koshu_status
koshu_external_energy(const struct koshu_external *external,
                      struct koshu_particles *particles, double *energy)
{
    enum { BLOCK = 1024 };
    KOSHU_REQUIRE(NULL, external);
    KOSHU_REQUIRE(external->context, particles);
    KOSHU_REQUIRE(external->context, energy);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_ranks_collective_status(
            koshu_particles_context(particles),
            koshu_particles_on_host(particles,
                                    KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                    KOSHU_ACCESS_READ, &v)));
    const struct energies of = {external, &v};
    struct koshu_summation s = koshu_summation_of(particles);
    if (v.n <= 4 * BLOCK) s.threads = 1; /* threads would cost more */
    s.block = BLOCK;
    s.n_sums = 1;
    s.add = add_energies;
    s.user = &of;
    return koshu_sum_particles(&s, energy);
}
