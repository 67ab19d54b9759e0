/* SPDX-License-Identifier: MIT */
/* Clusters to analyse, and their analysis. */
#ifndef KOSHU_TESTS_ANALYSIS_CLUSTER_H
#define KOSHU_TESTS_ANALYSIS_CLUSTER_H

#include <string.h>

#include <koshu/cluster.h>
#include <koshu/initial.h>
#include <koshu/solver.h>

#include "check.h"
#include "fixture.h"
#include "particles/particles.h"

static inline void
add_potentials(struct koshu_particles *p)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_solver *solver;
    o.precision = KOSHU_PRECISION_DOUBLE;
    assert_ok(context, koshu_solver_create(context, &o, &solver));
    assert_ok(context, koshu_solver_forces(solver, p,
                                           KOSHU_FIELD_ACCELERATION |
                                                   KOSHU_FIELD_POTENTIAL));
    koshu_solver_destroy(solver);
}

static inline struct koshu_cluster *
measured(struct koshu_particles *p, const struct koshu_cluster_options *o,
         struct koshu_cluster_summary *s)
{
    struct koshu_cluster *c;
    memset(s, 0xff, sizeof *s);
    s->size = sizeof *s;
    assert_ok(context, koshu_cluster_create(p, o, &c));
    assert_ok(context, koshu_cluster_summary(c, s));
    return c;
}

/* n bodies: mass, x, y, z, vx, vy, vz; ids from 100. */
static inline struct koshu_particles *
bodies(size_t n, const double row[][7])
{
    struct koshu_particle_view v;
    struct koshu_particles *p;
    assert_ok(context, koshu_particles_create(context, n, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < n; i++) {
        double *const to[] = {v.mass, v.x, v.y, v.z, v.vx, v.vy, v.vz};
        for (int k = 0; k < 7; k++) to[k][i] = row[i][k];
        v.id[i] = 100 + i;
        v.potential[i] = 0;
    }
    return p;
}

static inline struct koshu_particles *
plummer_sphere(size_t n)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_particles *p;
    o.model = KOSHU_MODEL_PLUMMER;
    o.n = n;
    o.mass_fraction = 1;
    assert_ok(context, koshu_initial_create(context, &o, &p));
    add_potentials(p);
    return p;
}

#endif
