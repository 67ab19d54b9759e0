/* SPDX-License-Identifier: MIT */
/* Steps over ranks with trees and the FMM, in which particles stay in their
 * domains. */
#include "integrator.h"
#include "methods.h"
#include "particles/particles.h"
#include "states.h"

/* The fields of trees and the leapfrog. */
enum { ALL_FIELDS = KOSHU_FIELD_ALL | KOSHU_FIELD_WORK };

/* Ten steps of clusters out of equilibrium, in which many particles cross cuts.
 * They stay in their domains between steps or, as if a caller had written them,
 * return to the store's order each time. */
static struct koshu_particles *
leap(struct koshu_solver *solver, size_t n, double dt, bool stay)
{
    const struct koshu_integrator_options options =
            leapfrog_options(KOSHU_STEP_RULE_FIXED, dt, 0);
    struct koshu_particles *p = model(context, TWO_CLUSTERS, n);
    struct koshu_integrator *i;
    struct koshu_particle_view v;
    assert_ok(context, koshu_integrator_create(solver, p, 0, &options, &i));
    for (int k = 1; k <= 10; k++) {
        assert_ok(context, koshu_integrator_advance(i, k * dt, k == 10));
        assert_ok(context,
                  koshu_particles_on_host(p, stay ? KOSHU_FIELD_ID : ALL_FIELDS,
                                          KOSHU_ACCESS_READ_WRITE, &v));
    }
    koshu_integrator_destroy(i);
    return p;
}

static void
check_same_steps(const struct method *method)
{
    struct koshu_particles *p[2];
    struct koshu_particle_view v[2];
    for (int stay = 0; stay < 2; stay++) {
        struct koshu_solver *solver = solver_of(context, method);
        p[stay] = leap(solver, 1500, 1.0 / 32, stay);
        assert_ok(context,
                  koshu_particles_on_host(p[stay], ALL_FIELDS,
                                          KOSHU_ACCESS_READ, &v[stay]));
        koshu_solver_destroy(solver);
    }
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_array(&v[0], k))
            assert_memory_equal(koshu_particle_array(&v[0], k),
                                koshu_particle_array(&v[1], k),
                                v[0].n * KOSHU_ARRAY_ELEMENT);
    koshu_particles_destroy(p[0]);
    koshu_particles_destroy(p[1]);
}

/* Whichever rank had a particle meanwhile, it returns to its place with the
 * same bits. */
static void
particles_in_their_domains_are_those_of_the_store(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) check_same_steps(&methods[m]);
}

/* Domains are balanced by the interactions of the previous step's forces. After
 * ten steps, in each of which particles move by a fortieth of the smaller
 * cluster, the imbalance is still small. A domain of 1500 particles is only
 * some leaves of an FMM, which cuts then divide: 1.13 in a box on 7 ranks. */
static void
check_balance(const struct method *method)
{
    struct koshu_solver *solver = solver_of(context, method);
    struct koshu_particles *p = leap(solver, 30000, 1.0 / 1024, true);
    struct koshu_tree_report report = {.size = sizeof report};
    assert_ok(context, koshu_solver_tree_report(solver, &report));
    const double imbalance = (double)report.largest_interactions *
                             koshu_context_ranks(context) /
                             (double)report.interactions;
    if (koshu_context_ranks(context) > 1) assert_true(imbalance < 1.1);
    koshu_particles_destroy(p);
    koshu_solver_destroy(solver);
}

static void
work_is_balanced(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) check_balance(&methods[m]);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_in_their_domains_are_those_of_the_store),
        cmocka_unit_test(work_is_balanced),
};
RANKS_MAIN(tests)
