/* SPDX-License-Identifier: MIT */
/* Systems in units of length and mass far from 1, and the methods that compute
 * their forces. */
#ifndef KOSHU_TESTS_SCALES_H
#define KOSHU_TESTS_SCALES_H

#include <math.h>
#include <string.h>

#include <koshu/solver.h>

#include "cluster.h"
#include "particles/particles.h"
#include "rows.h"
#include "subject.h"
#include "system.h"

enum { N = 40, N_FEW = 12 };

/* Exponents of the powers of two by which lengths and masses are scaled (1e-30
 * to 1e30), on both sides of where m / r^3, r^2 or m r^2 leave a float's
 * range. */
static const int lengths[] = {-100, -80, -60, -43, -30, -10,
                              0,    10,  30,  47,  60,  100};
static const int masses[] = {-100, 0, 47, 100};
enum {
    N_LENGTHS = sizeof lengths / sizeof lengths[0],
    N_MASSES = sizeof masses / sizeof masses[0]
};

/* Softenings: none, proportional to the scale, and fixed whatever the scale. */
static const struct softening {
    double eps;
    bool fixed;
} softenings[] = {{0, false},
                  {0.01, false},
                  {0x1p-100, true},
                  {0x1p-6, true},
                  {0x1p100, true}};
enum { N_SOFTENINGS = sizeof softenings / sizeof softenings[0] };

struct scale {
    int length, mass;
};

/* The softening relative to the scaled system, for the system at scale 1. */
static inline double
eps_at_one(const struct softening *s, int length)
{
    return s->fixed ? ldexp(s->eps, -length) : s->eps;
}

static inline struct system *
scaled(const struct system *s, struct scale by)
{
    struct system *to = system_create_self(s->n_i, s->n_j, 0, true);
    for (size_t j = 0; j < s->n_j; j++) {
        to->xj[j] = ldexp(s->xj[j], by.length);
        to->yj[j] = ldexp(s->yj[j], by.length);
        to->zj[j] = ldexp(s->zj[j], by.length);
        to->mass[j] = ldexp(s->mass[j], by.mass);
    }
    system_match(to);
    return to;
}

/* Converts the forces of a scaled system back to scale 1. */
static inline void
scale_back(struct forces *f, struct scale by)
{
    for (size_t i = 0; i < f->n; i++) {
        f->ax[i] = ldexp(f->ax[i], 2 * by.length - by.mass);
        f->ay[i] = ldexp(f->ay[i], 2 * by.length - by.mass);
        f->az[i] = ldexp(f->az[i], 2 * by.length - by.mass);
        f->potential[i] = ldexp(f->potential[i], by.length - by.mass);
    }
}

/* ---- methods ------------------------------------------------------------- */

/* Computes the forces of a scaled system; the status says why there are
 * none. */
typedef koshu_status method(const struct system *s,
                            const struct variant *variant, double eps,
                            struct forces *f);

static inline koshu_status
directly(const struct system *s, const struct variant *variant, double eps,
         struct forces *f)
{
    const struct koshu_force_options options = variant_options(variant, eps);
    const struct koshu_i_particles i = system_i(s);
    const struct koshu_j_particles j = system_j(s);
    const struct koshu_force_result r = {
            .ax = f->ax, .ay = f->ay, .az = f->az, .potential = f->potential};
    return koshu_force_direct(subject_context(), &i, &j, &options, &r);
}

static inline struct koshu_particles *
store_of(const struct system *s)
{
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(subject_context(),
              koshu_particles_create(subject_context(), s->n_j, &p));
    assert_ok(subject_context(),
              koshu_particles_on_host(p, KOSHU_FIELD_ALL, KOSHU_ACCESS_WRITE,
                                      &v));
    for (size_t i = 0; i < v.n; i++) {
        v.mass[i] = s->mass[i];
        v.x[i] = s->xj[i];
        v.y[i] = s->yj[i];
        v.z[i] = s->zj[i];
        v.ax[i] = v.ay[i] = v.az[i] = 0;
        v.id[i] = i;
    }
    return p;
}

/* Results are matched by id, because a tree may have reordered the
 * particles. */
static inline void
take_forces(struct koshu_particles *p, struct forces *f)
{
    struct koshu_particle_view v;
    assert_ok(
            subject_context(),
            koshu_particles_on_host(p, KOSHU_FIELD_ALL, KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < v.n; i++) {
        f->ax[v.id[i]] = v.ax[i];
        f->ay[v.id[i]] = v.ay[i];
        f->az[v.id[i]] = v.az[i];
        f->potential[v.id[i]] = v.potential[i];
    }
}

/* Evaluates `times` times: the relative criterion needs the forces of an
 * earlier evaluation. */
static inline koshu_status
solve(const struct system *s, const struct koshu_solver_options *options,
      int times, struct forces *f)
{
    struct koshu_particles *p = store_of(s);
    struct koshu_solver *solver = NULL;
    koshu_status status =
            koshu_solver_create(subject_context(), options, &solver);
    for (int k = 0; status == KOSHU_OK && k < times; k++)
        status = koshu_solver_forces(
                solver, p, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL);
    if (status == KOSHU_OK) take_forces(p, f);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    return status;
}

/* Options of the next tree solver that is created. */
static struct koshu_tree_options tree;

static inline struct koshu_solver_options
solver_options(enum koshu_method of, const struct variant *variant, double eps)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    o.method = of;
    o.precision = variant->precision;
    o.fast = variant->fast;
    o.softening = eps;
    o.tree = &tree;
    tree = koshu_tree_options_default();
    tree.n_crit = 8;
    tree.n_leaf = 2;
    return o;
}

static inline koshu_status
on_store(const struct system *s, const struct variant *variant, double eps,
         struct forces *f)
{
    const struct koshu_solver_options o =
            solver_options(KOSHU_METHOD_DIRECT, variant, eps);
    return solve(s, &o, 1, f);
}

/* ---- comparison ---------------------------------------------------------- */

struct tally {
    size_t done, refused;
};

static inline void
refuse(const char *what, struct tally *tally)
{
    if (strlen(koshu_context_message(subject_context())) == 0)
        fail_msg("%s: refused without a message", what);
    tally->refused++;
}

static inline void
expect(method *by, const char *name, const struct system *s,
       const struct variant *variant, const struct softening *soft,
       struct scale at, const struct forces *expected, double tolerance,
       struct tally *tally)
{
    struct system *there = scaled(s, at);
    struct forces *f = forces_create(s->n_i);
    const double eps = soft->fixed ? soft->eps : ldexp(soft->eps, at.length);
    const koshu_status status = by(there, variant, eps, f);
    tally->done++;
    if (status == KOSHU_ERROR_UNSUPPORTED) {
        refuse(name, tally);
    } else {
        assert_ok(subject_context(), status);
        scale_back(f, at);
        const size_t wrong = forces_wrong(f, expected, true, tolerance);
        if (wrong)
            fail_msg("%s, %s, lengths 2^%d, masses 2^%d, eps = %g: %zu "
                     "components are wrong",
                     name, variant->name, at.length, at.mass, eps, wrong);
    }
    forces_destroy(f);
    system_destroy(there);
}

/* At theta = 0.5 and the default alpha the largest errors of quadrupole cells
 * are 3e-3 of the sum of the pairs' absolute forces, also at scale 1. */
#define OF_CELLS 5e-3

#endif
