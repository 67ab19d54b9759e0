/* SPDX-License-Identifier: MIT */
/* Fractals: uniform for D = 3, hierarchically clumped below. */
#include "base/base.h"
#include "sampling.h"

static struct koshu_initial_options
fractal(double D, size_t n, uint64_t seed)
{
    struct koshu_initial_options o =
            model_options(KOSHU_MODEL_FRACTAL, n, seed);
    o.fractal_dimension = D;
    return o;
}

static double
ball(double r, double R)
{
    return pow(r / R, 3);
}

/* The centre of mass is moved to the origin, so the sphere is slightly off
 * it. */
static void
three_is_uniform(void **state)
{
    (void)state;
    const size_t n = 20000;
    struct koshu_initial_options o = fractal(3, n, 4);
    struct koshu_particle_view v;
    struct koshu_particles *p = make(&o, &v);
    double *r = radii(&v);
    assert_distributed(r, n, ball, 1);
    assert_true(r[n - 1] < 1.02);
    assert_isotropic(n, v.x, v.y, v.z);
    assert_centred(&v);
    free(r);
    koshu_particles_destroy(p);
}

/* ---- the dimension ------------------------------------------------------- */

/* Number of occupied cubes of edge 2 / per_side among those in |x|, |y|, |z| <
 * 1/2, which lie within the sphere. */
static size_t
count_cubes(const struct koshu_initial_options *o, const void *table,
            size_t per_side)
{
    const size_t all = per_side * per_side * per_side;
    unsigned char *full = calloc(all, 1);
    size_t n = 0;
    assert_non_null(full);
    for (size_t i = 0; i < o->n; i++) {
        const struct koshu_body body = koshu_draw_body(o, table, i);
        size_t cube = 0;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            inside = inside && fabs(body.x[k]) < 0.5;
            cube = cube * per_side +
                   (size_t)((body.x[k] + 1) / 2 * (double)per_side);
        }
        if (!inside) continue;
        n += !full[cube];
        full[cube] = 1;
    }
    free(full);
    return n;
}

/* log2 of the increase in occupied cubes when the edge is halved, from a fourth
 * of the model's cube to a sixteenth, over all seeds together. */
static double
box_dimension(double D)
{
    enum { SEEDS = 24 };
    size_t coarse = 0, fine = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct koshu_initial_options o = fractal(D, 8000, seed);
        void *table = NULL;
        assert_ok(context, koshu_model_fractal.prepare(context, &o, &table));
        coarse += count_cubes(&o, table, 4);
        fine += count_cubes(&o, table, 16);
        koshu_free(table);
    }
    return log2((double)fine / (double)coarse) / 2;
}

/* In each cube 2^D subcubes survive, and of all cubes a constant fraction dies
 * out later: the ratio is 4^D, up to the scatter of some hundred cubes. */
static void
boxes_count_the_dimension(void **state)
{
    (void)state;
    static const double D[] = {1.6, 2.2, 3};
    for (size_t k = 0; k < sizeof D / sizeof D[0]; k++) {
        const double measured = box_dimension(D[k]);
        print_message("D = %g: boxes %.3f\n", D[k], measured);
        assert_near(measured, D[k], 0.15);
    }
}

/* ---- Q of Cartwright & Whitworth 2004 ------------------------------------ */

static double
apart(const struct koshu_particle_view *v, size_t i, size_t j)
{
    return hypot(v->x[i] - v->x[j], v->y[i] - v->y[j]);
}

/* Total length of the minimum spanning tree in projection (Prim 1957). */
static double
length_of_tree(const struct koshu_particle_view *v)
{
    double *to_tree = calloc(v->n, sizeof *to_tree), sum = 0;
    assert_non_null(to_tree);
    for (size_t i = 1; i < v->n; i++) to_tree[i] = apart(v, 0, i);
    for (size_t k = 1; k < v->n; k++) {
        size_t next = 0;
        for (size_t i = 1; i < v->n; i++)
            if (to_tree[i] >= 0 && (!next || to_tree[i] < to_tree[next]))
                next = i;
        sum += to_tree[next];
        to_tree[next] = -1;
        for (size_t i = 1; i < v->n; i++)
            if (to_tree[i] >= 0)
                to_tree[i] = fmin(to_tree[i], apart(v, next, i));
    }
    free(to_tree);
    return sum;
}

/* The mean edge in units of sqrt(n A) / (n - 1), divided by the mean separation
 * in units of the radius; A is the area of the circle with that radius. */
static double
q_parameter(const struct koshu_particle_view *v)
{
    const double n = (double)v->n;
    double R = 0, separation = 0;
    for (size_t i = 0; i < v->n; i++) {
        R = fmax(R, hypot(v->x[i], v->y[i]));
        for (size_t j = 0; j < i; j++) separation += apart(v, i, j);
    }
    const double m = length_of_tree(v) / sqrt(n * M_PI * R * R);
    const double s = separation / (n * (n - 1) / 2) / R;
    return m / s;
}

static double
mean_q(double D)
{
    enum { SEEDS = 16 };
    double sum = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct koshu_initial_options o = fractal(D, 300, seed);
        struct koshu_particle_view v;
        struct koshu_particles *p = make(&o, &v);
        sum += q_parameter(&v) / SEEDS;
        koshu_particles_destroy(p);
    }
    return sum;
}

/* Cartwright & Whitworth find about 0.8 for a uniform sphere, 0.66 for D =
 * 2.25, 0.47 for 1.5 (Taurus), with a scatter of about 0.05 among realisations.
 * This test averages over 16. */
static void
q_is_theirs(void **state)
{
    (void)state;
    const double uniform = mean_q(3), clumps = mean_q(1.6);
    print_message("Q: %.3f for D = 3, %.3f for D = 1.6\n", uniform, clumps);
    assert_near(uniform, 0.79, 0.03);
    assert_near(clumps, 0.49, 0.08);
}

/* ---- velocities ---------------------------------------------------------- */

/* The rms velocity difference of particles within 0.05 of each other, and of
 * any two. */
static void
rms_differences(const struct koshu_particle_view *v, double *near, double *any)
{
    size_t n_near = 0, n_any = 0;
    *near = *any = 0;
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = 0; j < i; j++) {
            const double dx = v->x[i] - v->x[j], dy = v->y[i] - v->y[j],
                         dz = v->z[i] - v->z[j];
            const double du = v->vx[i] - v->vx[j], dv = v->vy[i] - v->vy[j],
                         dw = v->vz[i] - v->vz[j];
            const double v2 = du * du + dv * dv + dw * dw;
            const bool close = dx * dx + dy * dy + dz * dz < 0.05 * 0.05;
            *near += close ? v2 : 0;
            n_near += close;
            *any += v2;
            n_any++;
        }
    assert_true(n_near > 100);
    *near = sqrt(*near / (double)n_near);
    *any = sqrt(*any / (double)n_any);
}

/* T = Q |W| holds for these particles, whatever their number. */
static void
velocities_are_inherited(void **state)
{
    (void)state;
    struct koshu_initial_options o = fractal(1.6, 1500, 3);
    struct koshu_particle_view v;
    double T, W, near, any;
    o.virial_ratio = 0.5;
    struct koshu_particles *p = make(&o, &v);
    assert_ok(context, koshu_initial_kinetic(p, &T));
    assert_ok(context, koshu_initial_potential(p, &W));
    assert_near(T, 0.5 * -W, 1e-12);
    assert_centred(&v);
    rms_differences(&v, &near, &any);
    assert_true(near < 0.3 * any);
    koshu_particles_destroy(p);
    o.virial_ratio = 0;
    p = make(&o, &v);
    for (size_t i = 0; i < v.n; i++) assert_true(v.vx[i] == 0);
    koshu_particles_destroy(p);
}

/* Exactly n particles, whatever dies out on the way; the same in each run. */
static void
any_number_is_made(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct koshu_initial_options o = fractal(1, 1 + seed % 7, seed);
        struct koshu_particle_view v, w;
        struct koshu_particles *p = make(&o, &v), *again = make(&o, &w);
        for (size_t i = 0; i < v.n; i++) {
            assert_true(v.x[i] == w.x[i] && v.vz[i] == w.vz[i]);
            assert_true(fabs(v.x[i]) < 2);
        }
        koshu_particles_destroy(p);
        koshu_particles_destroy(again);
    }
}

static void
options_out_of_range_are_refused(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_initial_options o = fractal(0.9, 10, 1);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "fractal_dimension = 0.9: it must be in [1, 3]",
                 koshu_initial_create(context, &o, &p));
    o = fractal(NAN, 10, 1);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "fractal_dimension",
                 koshu_initial_create(context, &o, &p));
    o = fractal(2, 10, 1);
    o.mass_segregation = 0.5;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "no equilibrium",
                 koshu_initial_create(context, &o, &p));
    o.mass_segregation = 0;
    o.virial_ratio = -1;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "virial_ratio",
                 koshu_initial_create(context, &o, &p));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(three_is_uniform),
            cmocka_unit_test(boxes_count_the_dimension),
            cmocka_unit_test(q_is_theirs),
            cmocka_unit_test(velocities_are_inherited),
            cmocka_unit_test(any_number_is_made),
            cmocka_unit_test(options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
