/* SPDX-License-Identifier: MIT */
/* Binaries and hierarchies, compared with the elements from which they were
 * made. */
#include <math.h>
#include <string.h>

#include "cluster.h"

/* ---- pairs --------------------------------------------------------------- */

/* Position and velocity of the second body relative to the first at pericentre,
 * in the plane of x and a direction inclined to y. */
static void
orbit(double gm, double a, double e, double inclination, double x[3],
      double v[3])
{
    const double speed = sqrt(gm * (1 + e) / (a * (1 - e)));
    memset(x, 0, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    x[0] = a * (1 - e);
    v[1] = speed * cos(inclination);
    v[2] = speed * sin(inclination);
}

/* Masses 3 and 1, a = 0.1, e = 0.7, and G = 2. */
static void
a_binary_has_its_elements(void **state)
{
    (void)state;
    double x[3], v[3];
    orbit(2 * 4, 0.1, 0.7, 0.3, x, v);
    const double row[2][7] = {{3, 5, 0, 0, 7, 0, 0},
                              {1, 5 + x[0], x[1], x[2], 7 + v[0], v[1], v[2]}};
    struct koshu_particles *p = bodies(2, row);
    struct koshu_cluster_options o = koshu_cluster_options_default();
    struct koshu_cluster_summary s;
    const struct koshu_cluster_pair *pair;
    struct koshu_particle_view view;
    size_t n;
    add_potentials(p); /* with G = 1 */
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POTENTIAL,
                                               KOSHU_ACCESS_READ_WRITE, &view));
    for (int i = 0; i < 2; i++) view.potential[i] *= 2;
    o.gravitational_constant = 2;
    struct koshu_cluster *c = measured(p, &o, &s);
    pair = koshu_cluster_pairs(c, &n);
    assert_int_equal(n, 1);
    assert_true(fabs(pair->semi_major_axis / 0.1 - 1) < 1e-12);
    assert_true(fabs(pair->eccentricity - 0.7) < 1e-12);
    assert_true(fabs(pair->period / (2 * M_PI * sqrt(0.001 / 8)) - 1) < 1e-12);
    assert_true(fabs(pair->energy / (2 * 3 / 0.2) - 1) < 1e-12);
    assert_true(fabs(pair->separation / 0.03 - 1) < 1e-12);
    assert_true(pair->id[0] == 100 && pair->id[1] == 101 && pair->hard == 1);
    assert_true(pair->mass[0] == 3 && pair->mass[1] == 1);
    assert_true(pair->inner[0] == -1 && pair->inner[1] == -1);
    assert_true(pair->outer == -1 && pair->n == 2);
    assert_true(fabs(pair->velocity[0] - 7) < 1e-12);
    assert_true(s.n == 2 && s.n_systems == 1 && s.n_hard == 1);
    assert_true(fabs(s.binding_energy - pair->energy) < 1e-12);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* An inner pair of masses 2 and 1, a = 0.01, e = 0.2, with a body of mass 0.5
 * about it, a = a_out, e = 0.3. */
static struct koshu_particles *
triple(double a_out)
{
    double x[3], v[3], X[3], V[3];
    orbit(3, 0.01, 0.2, 0, x, v);
    orbit(3.5, a_out, 0.3, 1, X, V);
    double row[3][7] = {{2}, {1}, {0.5}};
    for (int k = 0; k < 3; k++) {
        row[0][1 + k] = -x[k] / 3;
        row[0][4 + k] = -v[k] / 3;
        row[1][1 + k] = 2 * x[k] / 3;
        row[1][4 + k] = 2 * v[k] / 3;
        row[2][1 + k] = X[k];
        row[2][4 + k] = V[k];
    }
    struct koshu_particles *p = bodies(3, row);
    add_potentials(p);
    return p;
}

static void
a_hierarchical_triple_is_found(void **state)
{
    (void)state;
    struct koshu_particles *p = triple(1);
    struct koshu_cluster_summary s;
    const struct koshu_cluster_pair *pair;
    size_t n;
    struct koshu_cluster *c = measured(p, NULL, &s);
    pair = koshu_cluster_pairs(c, &n);
    assert_int_equal(n, 2);
    assert_true(s.n_systems == 1 && s.n_hierarchies == 1 && s.n_hard == 1);
    /* the inner pair is harder, so it comes first */
    assert_true(pair[0].n == 2 && pair[0].outer == 1 && pair[1].n == 3);
    assert_true(fabs(pair[0].semi_major_axis / 0.01 - 1) < 1e-11);
    assert_true(fabs(pair[1].semi_major_axis - 1) < 1e-11);
    assert_true(fabs(pair[1].eccentricity - 0.3) < 1e-11);
    assert_true(fabs(pair[1].inclination - 1) < 1e-11);
    assert_true(fabs(pair[1].energy - 3 * 0.5 / 2) < 1e-11);
    const int inner = pair[1].inner[0] >= 0 ? 0 : 1;
    assert_true(pair[1].inner[inner] == 0 && pair[1].inner[1 - inner] == -1);
    assert_true(pair[1].mass[inner] == 3 && pair[1].mass[1 - inner] == 0.5);
    assert_true(pair[1].id[inner] == 100 && pair[1].id[1 - inner] == 102);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

/* q = 1/6, e = 0.3, i = 1: by hand, stable above a_out = 4.59 a_in. */
static void
what_is_not_stable_is_no_hierarchy(void **state)
{
    (void)state;
    static const double times[2] = {4.5, 4.7};
    for (size_t k = 0; k < 2; k++) {
        struct koshu_particles *p = triple(0.01 * times[k]);
        struct koshu_cluster_summary s;
        struct koshu_cluster *c = measured(p, NULL, &s);
        assert_int_equal(s.n_hierarchies, k);
        assert_int_equal(s.n_pairs, 1);
        koshu_cluster_destroy(c);
        koshu_particles_destroy(p);
    }
}

/* The number of a model's pairs with a binding energy above kT. */
static size_t
hard_ones(struct koshu_particles *p, size_t made, double kt)
{
    struct koshu_particle_view v;
    size_t n = 0;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < 2 * made; i += 2) {
        const double x = v.x[i + 1] - v.x[i], y = v.y[i + 1] - v.y[i],
                     z = v.z[i + 1] - v.z[i], a = v.vx[i + 1] - v.vx[i],
                     b = v.vy[i + 1] - v.vy[i], c = v.vz[i + 1] - v.vz[i],
                     both = v.mass[i] + v.mass[i + 1];
        n += v.mass[i] * v.mass[i + 1] *
                     (1 / sqrt(x * x + y * y + z * z) -
                      (a * a + b * b + c * c) / (2 * both)) >
             kt;
    }
    return n;
}

/* In a model where 3 of 10 systems are binaries, with ids 2 k and 2 k + 1, the
 * hard ones are found with the right members, and the systems have the model's
 * temperature, without the orbits inside. */
static void
primordial_binaries_are_found(void **state)
{
    (void)state;
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_cluster_summary s;
    struct koshu_particles *p;
    const struct koshu_cluster_pair *pair;
    size_t n, partners = 0;
    o.model = KOSHU_MODEL_PLUMMER;
    o.n = 2000;
    o.binary_fraction = 0.3;
    o.mass_function = KOSHU_MASS_FUNCTION_KROUPA;
    o.mass_min = 0.1;
    o.mass_max = 20;
    o.length_pc = 1;
    assert_ok(context, koshu_initial_create(context, &o, &p));
    add_potentials(p);
    const size_t made = (size_t)rint(0.3 * 2000 / 1.3);
    struct koshu_cluster *c = measured(p, NULL, &s);
    pair = koshu_cluster_pairs(c, &n);
    for (size_t k = 0; k < n; k++) {
        const uint64_t a = pair[k].id[0], b = pair[k].id[1];
        const bool true_one =
                pair[k].n == 2 && a / 2 == b / 2 && (a < b ? b : a) < 2 * made;
        partners += true_one;
        if (k > 0) assert_true(pair[k].energy <= pair[k - 1].energy);
        assert_true((pair[k].energy_kt > 1) == (pair[k].hard == 1));
        if (true_one && pair[k].energy_kt > 10)
            assert_true(pair[k].semi_major_axis < 0.1);
    }
    /* all but a few per cent of the widest, whose members have nearer
     * neighbours */
    assert_true(partners > 0.9 * made && partners <= made);
    const size_t hard = hard_ones(p, made, s.kt);
    assert_true(s.n_hard >= 0.99 * hard && s.n_hard <= 1.02 * hard + 2);
    assert_true(s.n_systems == s.n - s.n_hard - s.n_hierarchies);
    /* of 1538 systems with masses of 0.1 to 20 */
    assert_true(fabs(s.virial_ratio - 0.5) < 0.08);
    koshu_cluster_destroy(c);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_binary_has_its_elements),
            cmocka_unit_test(a_hierarchical_triple_is_found),
            cmocka_unit_test(what_is_not_stable_is_no_hierarchy),
            cmocka_unit_test(primordial_binaries_are_found)};
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
