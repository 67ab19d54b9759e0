/* SPDX-License-Identifier: MIT */
/* The cuda backend against ref, through the public interface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/koshu.h>

#include "backend/backend.h"
#include "check.h"

/* ---- particles ---------------------------------------------------------- */

struct cloud {
    size_t n;
    double *x, *y, *z, *mass, *ax, *ay, *az, *potential;
};

static double *
poisoned(size_t n)
{
    double *array = malloc((n + 1) * sizeof *array);
    assert_non_null(array);
    for (size_t k = 0; k <= n; k++) array[k] = NAN;
    return array;
}

/* A Plummer sphere with unequal masses, its centre at (offset, 0, 0);
 * positions as floats round them, so that ref sees what single sees. */
static struct cloud
make_cloud_from(uint64_t seed, size_t n, double offset, bool rounded)
{
    struct koshu_context *context = test_context("ref", 0);
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *particles;
    struct koshu_particle_view v;
    options.n = n;
    options.seed = seed;
    assert_ok(context, koshu_initial_create(context, &options, &particles));
    assert_ok(context, koshu_particles_acquire(particles, KOSHU_POSITION,
                                               KOSHU_READ, &v));
    struct cloud c = {n,           poisoned(n), poisoned(n),
                      poisoned(n), poisoned(n), poisoned(n),
                      poisoned(n), poisoned(n), poisoned(n)};
    for (size_t k = 0; k < n; k++) {
        double x = v.x[k] + offset;
        c.x[k] = rounded ? (float)x : x;
        c.y[k] = rounded ? (float)v.y[k] : v.y[k];
        c.z[k] = rounded ? (float)v.z[k] : v.z[k];
        c.mass[k] = (0.5 + (double)(k % 7)) / (double)n;
    }
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
    return c;
}

static struct cloud
make_cloud(size_t n, double offset, bool rounded)
{
    return make_cloud_from(1, n, offset, rounded);
}

static void
free_cloud(struct cloud *c)
{
    double *all[] = {c->x,  c->y,  c->z,  c->mass,
                     c->ax, c->ay, c->az, c->potential};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}

/* The cloud with the same positions and masses, results poisoned. */
static struct cloud
same_cloud(const struct cloud *c)
{
    struct cloud s = *c;
    s.ax = poisoned(c->n);
    s.ay = poisoned(c->n);
    s.az = poisoned(c->n);
    s.potential = poisoned(c->n);
    return s;
}

static void
free_results(struct cloud *c)
{
    free(c->ax);
    free(c->ay);
    free(c->az);
    free(c->potential);
}

/* ---- forces ------------------------------------------------------------- */

enum { ALL_RESULTS = KOSHU_ACCELERATION | KOSHU_POTENTIAL };

/* As a store; results that are not among the fields stay as they were. */
static void
fields_in(struct koshu_context *context,
          const struct koshu_solver_options *options, unsigned fields,
          struct cloud *c)
{
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_particle_view v;
    const size_t bytes = c->n * sizeof *c->x;
    assert_ok(context, koshu_particles_create(context, c->n, &particles));
    assert_ok(context,
              koshu_particles_acquire(particles, KOSHU_MASS | KOSHU_POSITION,
                                      KOSHU_WRITE, &v));
    memcpy(v.x, c->x, bytes);
    memcpy(v.y, c->y, bytes);
    memcpy(v.z, c->z, bytes);
    memcpy(v.mass, c->mass, bytes);
    assert_ok(context, koshu_solver_create(context, options, &solver));
    assert_string_equal(koshu_solver_backend(solver),
                        koshu_context_backend(context));
    assert_ok(context, koshu_solver_forces(solver, particles, fields));
    assert_ok(context,
              koshu_particles_acquire(particles, fields, KOSHU_READ, &v));
    memcpy(c->ax, v.ax, bytes);
    memcpy(c->ay, v.ay, bytes);
    memcpy(c->az, v.az, bytes);
    if (fields & KOSHU_POTENTIAL) memcpy(c->potential, v.potential, bytes);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
}

static void
forces_in(struct koshu_context *context,
          const struct koshu_solver_options *options, struct cloud *c)
{
    fields_in(context, options, ALL_RESULTS, c);
}

/* On the named backend. */
static void
forces_of_store(const char *backend, const struct koshu_solver_options *options,
                struct cloud *c)
{
    struct koshu_context *context = test_context(backend, 0);
    forces_in(context, options, c);
    koshu_context_destroy(context);
}

struct deviation {
    double rms, max, potential;
};

/* Of b from a, relative to the accelerations of a; where those are smaller
 * than `floor` times the largest, to that. */
static struct deviation
deviation_of(const struct cloud *b, const struct cloud *a, double floor)
{
    struct deviation d = {0};
    double largest = 0;
    for (size_t k = 0; k < a->n; k++)
        largest = fmax(largest, hypot(hypot(a->ax[k], a->ay[k]), a->az[k]));
    for (size_t k = 0; k < a->n; k++) {
        double size = hypot(hypot(a->ax[k], a->ay[k]), a->az[k]);
        double error = hypot(hypot(b->ax[k] - a->ax[k], b->ay[k] - a->ay[k]),
                             b->az[k] - a->az[k]) /
                       fmax(fmax(size, floor * largest), 1e-300);
        assert_true(isfinite(error));
        assert_true(isfinite(b->potential[k]));
        d.rms += error * error;
        d.max = fmax(d.max, error);
        d.potential =
                fmax(d.potential, fabs(b->potential[k] - a->potential[k]) /
                                          fmax(fabs(a->potential[k]), 1e-300));
    }
    d.rms = sqrt(d.rms / (double)a->n);
    return d;
}

static void
check_store(size_t n, enum koshu_precision precision, double eps, bool fast,
            double tolerance)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = precision;
    options.softening = eps;
    options.fast = fast;
    struct cloud truth = make_cloud(n, 0, precision == KOSHU_SINGLE);
    struct cloud test = same_cloud(&truth);
    forces_of_store("ref", &options, &truth);
    forces_of_store("cuda", &options, &test);
    /* relative to a tenth of the largest acceleration at least: near the
     * centre forces cancel, and float errors with them do not */
    struct deviation d = deviation_of(&test, &truth, 0.1);
    if (d.max > tolerance || d.potential > tolerance)
        fail_msg("n %zu, %s, eps %g: a off by %.2g, potential by %.2g", n,
                 koshu_precision_name(precision), eps, d.max, d.potential);
    free_results(&test);
    free_cloud(&truth);
}

/* Around the sizes where shapes change (tuning.cuh), and of odd blocks. */
static const size_t sizes[] = {
        1,    2,    3,    31,   32,   33,   129,   255,   257,   1000,  1024,
        1025, 4097, 8191, 8192, 8193, 9000, 12287, 12289, 13000, 16384, 20000};

static void
test_stores(void **state)
{
    (void)state;
    /* float: some roundings of 2^-24 a pair, and those of a close pair do not
     * average out; double: 2^-53 sqrt(n) */
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        check_store(sizes[k], KOSHU_SINGLE, 0.1, false, 5e-7);
        check_store(sizes[k], KOSHU_SINGLE, 0.1, true, 6e-7);
        check_store(sizes[k], KOSHU_MIXED, 0.01, false, 7e-7);
        check_store(sizes[k], KOSHU_DOUBLE, 0.01, false, 1e-13);
    }
}

static void
test_stores_without_softening(void **state)
{
    (void)state;
    const size_t few[] = {2, 1000, 13000};
    for (size_t k = 0; k < sizeof few / sizeof few[0]; k++)
        for (int e = 0; e < 2; e++) {
            double eps = e == 0 ? 0 : 1e-30;
            /* close pairs of rounded positions differ by few bits */
            check_store(few[k], KOSHU_SINGLE, eps, false, 1e-6);
            check_store(few[k], KOSHU_MIXED, eps, false, 6e-7);
            check_store(few[k], KOSHU_DOUBLE, e == 0 ? 0 : 1e-120, false,
                        1e-12);
        }
}

/* Particles at one place: no acceleration of each other, and the potential of
 * the softening, or none. */
static void
test_coincident(void **state)
{
    (void)state;
    const size_t counts[] = {5, 300, 13000};
    const enum koshu_precision precisions[] = {KOSHU_SINGLE, KOSHU_MIXED,
                                               KOSHU_DOUBLE};
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 3; e++) {
                size_t n = counts[k];
                double eps = e == 0 ? 0 : e == 1 ? 0.5 : 1e-20;
                struct koshu_solver_options options =
                        koshu_solver_options_default();
                options.precision = precisions[p];
                options.softening = eps;
                struct cloud c = make_cloud(n, 0, true);
                for (size_t i = 0; i < n; i++)
                    c.x[i] = 3, c.y[i] = -7, c.z[i] = 1e-3, c.mass[i] = 2;
                forces_of_store("cuda", &options, &c);
                double expected = eps > 0 ? -2.0 * (double)(n - 1) / eps : 0;
                double worst = 0;
                for (size_t i = 0; i < n; i++) {
                    assert_true(c.ax[i] == 0 && c.ay[i] == 0 && c.az[i] == 0);
                    worst = fmax(worst, fabs(c.potential[i] - expected));
                }
                /* equal terms are rounded alike: up to 2^-25 for each of the
                 * 256 of a partial sum, half of that in the mean */
                if (worst > 4e-6 * fabs(expected))
                    fail_msg("n %zu, %s, eps %g: potential off by %g of %g", n,
                             koshu_precision_name(precisions[p]), eps, worst,
                             expected);
                free_cloud(&c);
            }
}

static void
test_off_centre(void **state)
{
    (void)state;
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = KOSHU_MIXED;
    options.softening = 0.01;
    const size_t counts[] = {4096, 16384};
    for (int k = 0; k < 2; k++) {
        struct cloud truth = make_cloud(counts[k], 1e4, false);
        struct cloud test = same_cloud(&truth);
        forces_of_store("ref", &options, &truth);
        forces_of_store("cuda", &options, &test);
        struct deviation d = deviation_of(&test, &truth, 0);
        assert_true(d.rms < 4e-8); /* float differences, averaged over n */
        free_results(&test);
        free_cloud(&truth);
    }
}

static void
test_reproducible(void **state)
{
    (void)state;
    const size_t counts[] = {3000, 20000, 40000};
    for (int k = 0; k < 3; k++)
        for (int p = 0; p < 3; p++) {
            struct koshu_solver_options options =
                    koshu_solver_options_default();
            options.precision = (enum koshu_precision)p;
            options.softening = 0.01;
            struct cloud a = make_cloud(counts[k], 0, false);
            struct cloud b = same_cloud(&a);
            forces_of_store("cuda", &options, &a);
            forces_of_store("cuda", &options, &b);
            size_t bytes = a.n * sizeof *a.ax;
            assert_memory_equal(a.ax, b.ax, bytes);
            assert_memory_equal(a.ay, b.ay, bytes);
            assert_memory_equal(a.az, b.az, bytes);
            assert_memory_equal(a.potential, b.potential, bytes);
            free_results(&b);
            free_cloud(&a);
        }
}

/* ---- batches ------------------------------------------------------------ */

static void
forces_of_sets(const char *backend, const struct koshu_force_options *options,
               size_t n_sets, const size_t *i_offset, const size_t *j_offset,
               const uint64_t *self, struct cloud *c)
{
    struct koshu_context *context = test_context(backend, 0);
    struct koshu_i_particles i = {i_offset[n_sets], c->x, c->y, c->z, self};
    struct koshu_j_particles j = {j_offset[n_sets], c->x, c->y, c->z, c->mass};
    struct koshu_force_result result = {c->ax, c->ay, c->az, c->potential};
    assert_ok(context,
              koshu_force_direct_sets(context, options, n_sets, i_offset,
                                      j_offset, &i, &j, &result));
    koshu_context_destroy(context);
}

static void
check_sets(size_t n_sets, size_t largest_i, size_t largest_j, bool with_self)
{
    size_t *i_offset = calloc(n_sets + 1, sizeof *i_offset);
    size_t *j_offset = calloc(n_sets + 1, sizeof *j_offset);
    uint64_t random = 1;
    for (size_t s = 0; s < n_sets; s++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        i_offset[s + 1] = i_offset[s] + (random >> 33) % (largest_i + 1);
        j_offset[s + 1] = j_offset[s] + (random >> 40) % (largest_j + 1);
    }
    size_t n = i_offset[n_sets] > j_offset[n_sets] ? i_offset[n_sets]
                                                   : j_offset[n_sets];
    if (n == 0) n = 1;
    struct cloud truth = make_cloud(n, 0, false);
    struct cloud test = same_cloud(&truth);
    uint64_t *self = malloc(n * sizeof *self);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = i_offset[s]; i < i_offset[s + 1]; i++) {
            size_t nj = j_offset[s + 1] - j_offset[s];
            self[i] = nj > 0 && i % 3 > 0 ? i % nj : KOSHU_NO_SELF;
        }
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_DOUBLE;
    options.softening = 0.02;
    const uint64_t *selves = with_self ? self : NULL;
    forces_of_sets("ref", &options, n_sets, i_offset, j_offset, selves, &truth);
    forces_of_sets("cuda", &options, n_sets, i_offset, j_offset, selves, &test);
    truth.n = test.n = i_offset[n_sets];
    if (truth.n > 0) {
        struct deviation d = deviation_of(&test, &truth, 1e-3);
        assert_true(d.max < 1e-12); /* 2^-53 sqrt(n), where forces cancel */
    }
    free(self);
    free(i_offset);
    free(j_offset);
    free_results(&test);
    free_cloud(&truth);
}

static void
test_batches(void **state)
{
    (void)state;
    check_sets(1, 10, 0, true);
    check_sets(1, 3000, 700, true);
    check_sets(1, 9000, 9000, true);
    check_sets(1, 9000, 9000, false);
    check_sets(7, 5, 3, true);
    check_sets(100, 200, 900, true);
    check_sets(3, 9000, 5000, false);
    check_sets(30000, 9, 9, true); /* more than one launch */
}

/* ---- forces that cancel ------------------------------------------------- */

/* Largest |b - a| / |a| over the first n particles. */
static double
largest_error(const struct cloud *b, const struct cloud *a, size_t n)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) {
        double off = hypot(hypot(b->ax[k] - a->ax[k], b->ay[k] - a->ay[k]),
                           b->az[k] - a->az[k]);
        double size = hypot(hypot(a->ax[k], a->ay[k]), a->az[k]);
        assert_true(isfinite(off));
        most = fmax(most, off / size);
    }
    return most;
}

/* force.h: below 5e-7, of every particle of every sphere, also where forces
 * cancel. The device's own double precision, held to ref above, is the truth.
 */
static void
check_every_particle(struct koshu_context *context, size_t n, uint64_t seed)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.softening = 0.1;
    struct cloud test = make_cloud_from(seed, n, 0, true);
    struct cloud truth = same_cloud(&test);
    options.precision = KOSHU_DOUBLE;
    forces_in(context, &options, &truth);
    options.precision = KOSHU_SINGLE;
    const unsigned fields[] = {KOSHU_ACCELERATION, ALL_RESULTS};
    for (int k = 0; k < 2; k++) {
        fields_in(context, &options, fields[k], &test);
        double error = largest_error(&test, &truth, n);
        if (!(error < 5e-7))
            fail_msg("n %zu, seed %d, fields %u: %.2e", n, (int)seed, fields[k],
                     error);
    }
    free_results(&truth);
    free_cloud(&test);
}

static void
test_every_particle(void **state)
{
    (void)state;
    const size_t counts[] = {12289, 16384, 33000, 131072};
    struct koshu_context *context = test_context("cuda", 0);
    for (int k = 0; k < 4; k++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            check_every_particle(context, counts[k], seed);
    koshu_context_destroy(context);
}

/* A sphere of equal masses, hollow but for `inside` massless particles, the
 * first ones: there, what is left of the force is noise. */
static struct cloud
make_shell(size_t n, size_t inside)
{
    struct cloud c = make_cloud(n, 0, true);
    for (size_t k = 0; k < n; k++) {
        bool in = k < inside;
        double r = hypot(hypot(c.x[k], c.y[k]), c.z[k]);
        double to = in ? 0.4 * r / (1 + r) : 1;
        c.x[k] = (float)(c.x[k] / r * to);
        c.y[k] = (float)(c.y[k] / r * to);
        c.z[k] = (float)(c.z[k] / r * to);
        c.mass[k] = in ? 0 : 1 / (double)n;
    }
    return c;
}

/* All that are inside are summed again, in double precision: what is left of
 * its rounding, 2^-53 sqrt(n), is grown by what has cancelled, 1e2 to 1e4. In
 * float it would be more than 1e-7. */
static const double summed_again = 1e-10;

/* Few of them, and more than the device has blocks. */
enum { SHELL = 17000 };
static const size_t insides[] = {1, 3, 5000};

static void
test_hollow_stores(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct koshu_solver_options options = koshu_solver_options_default();
        options.softening = 0.05;
        struct cloud truth = make_shell(SHELL, insides[k]);
        struct cloud test = same_cloud(&truth), again = same_cloud(&truth);
        const size_t bytes = SHELL * sizeof *test.ax;
        forces_of_store("ref", &options, &truth);
        forces_of_store("cuda", &options, &test);
        forces_of_store("cuda", &options, &again);
        assert_true(largest_error(&test, &truth, insides[k]) < summed_again);
        for (size_t i = 0; i < insides[k]; i++)
            assert_near(test.potential[i], truth.potential[i], 1e-13);
        assert_memory_equal(test.ax, again.ax, bytes);
        assert_memory_equal(test.potential, again.potential, bytes);
        options.fast = true; /* does not: can the bound be missed? */
        forces_of_store("cuda", &options, &test);
        assert_true(largest_error(&test, &truth, insides[k]) > summed_again);
        free_results(&test);
        free_results(&again);
        free_cloud(&truth);
    }
}

/* The same particles, in the second of three sets. */
static void
test_hollow_batches(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const size_t inside = insides[k],
                     i_offset[] = {0, 0, inside, inside + 1};
        const size_t j_offset[] = {0, 1, SHELL, SHELL}; /* 1: massless */
        struct koshu_force_options options = koshu_force_options_default();
        options.softening = 0.05;
        struct cloud truth = make_shell(SHELL, inside);
        struct cloud test = same_cloud(&truth);
        forces_of_sets("ref", &options, 3, i_offset, j_offset, NULL, &truth);
        forces_of_sets("cuda", &options, 3, i_offset, j_offset, NULL, &test);
        assert_true(largest_error(&test, &truth, inside) < summed_again);
        assert_true(test.ax[inside] == 0); /* of no j-particle */
        free_results(&test);
        free_cloud(&truth);
    }
}

/* ---- leapfrog ----------------------------------------------------------- */

/* Positions after some steps, read in the middle as well. */
static void
integrate(const char *backend, size_t n, double *x)
{
    struct koshu_context *context = test_context(backend, 0);
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_leapfrog_options steps = koshu_leapfrog_options_default();
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_leapfrog *leapfrog;
    struct koshu_particle_view v;
    model.n = n;
    options.precision = KOSHU_DOUBLE;
    options.softening = 0.05;
    assert_ok(context, koshu_initial_create(context, &model, &particles));
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context,
              koshu_leapfrog_create(&steps, solver, particles, 0, &leapfrog));
    for (int k = 0; k < 20; k++) {
        assert_ok(context, koshu_leapfrog_step(leapfrog, 10, k % 2 == 0));
        if (k == 7)
            assert_ok(context,
                      koshu_particles_acquire(particles, KOSHU_VELOCITY,
                                              KOSHU_READ_WRITE, &v));
        if (k == 7) v.vx[0] += 0.25;
    }
    assert_ok(context, koshu_particles_acquire(particles,
                                               KOSHU_POSITION | KOSHU_VELOCITY,
                                               KOSHU_READ, &v));
    for (size_t i = 0; i < n; i++) {
        x[2 * i] = v.x[i];
        x[2 * i + 1] = v.vx[i];
    }
    koshu_leapfrog_destroy(leapfrog);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
}

static void
test_leapfrog(void **state)
{
    (void)state;
    const size_t n = 600;
    double *expected = poisoned(2 * n), *x = poisoned(2 * n);
    integrate("ref", n, expected);
    integrate("cuda", n, x);
    /* rounding of 20 steps, grown by close encounters */
    for (size_t k = 0; k < 2 * n; k++)
        assert_true(fabs(x[k] - expected[k]) < 1e-12);
    free(expected);
    free(x);
}

/* A particle that leaves all bounds is reported by a later step. */
static void
test_not_finite(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_leapfrog_options steps = koshu_leapfrog_options_default();
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_leapfrog *leapfrog;
    struct koshu_particle_view v;
    model.n = 64;
    assert_ok(context, koshu_initial_create(context, &model, &particles));
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context,
              koshu_leapfrog_create(&steps, solver, particles, 0, &leapfrog));
    assert_ok(context, koshu_leapfrog_step(leapfrog, 10, false));
    assert_ok(context, koshu_particles_acquire(particles, KOSHU_VELOCITY,
                                               KOSHU_READ_WRITE, &v));
    v.vx[13] = 1e308;
    v.vy[13] = INFINITY;
    koshu_status status = KOSHU_OK;
    for (int k = 0; k < 1000 && status == KOSHU_OK; k++)
        status = koshu_leapfrog_step(leapfrog, 10, false);
    assert_int_equal(status, KOSHU_NOT_FINITE);
    assert_non_null(strstr(koshu_context_message(context), "particle"));
    koshu_leapfrog_destroy(leapfrog);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
}

/* ---- shapes that can be chosen ------------------------------------------ */

/* All shapes of a set, on n particles that fill no block. */
static void
check_shapes(enum koshu_shape_set set, enum koshu_precision precision, size_t n,
             double tolerance)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    options.precision = precision;
    options.softening = 0.1;
    options.fast = set == KOSHU_SHAPES_FAST;
    struct cloud truth = make_cloud(n, 0, true), test = same_cloud(&truth);
    forces_of_store("ref", &options, &truth);
    struct koshu_context *context = test_context("cuda", 0);
    struct koshu_backend *backend;
    const struct koshu_shape *shape;
    assert_ok(context, koshu_backend_of(context, &backend));
    for (size_t k = 0; (shape = backend->ops->shape_at(set, k)); k++) {
        char name[KOSHU_SHAPE_NAME];
        koshu_shape_name(shape, name);
        const int shared_memory = k % 2 == 0 ? -1 : 100;
        backend->ops->choose(backend, set, koshu_size_class(n), k,
                             shared_memory);
        for (size_t i = 0; i < n; i++) test.ax[i] = NAN;
        forces_in(context, &options, &test);
        struct deviation d = deviation_of(&test, &truth, 0.1);
        if (d.max > tolerance || d.potential > tolerance)
            fail_msg("%s, n %zu: a off by %.2g, potential by %.2g", name, n,
                     d.max, d.potential);
    }
    koshu_context_destroy(context);
    free_results(&test);
    free_cloud(&truth);
}

static void
test_shapes(void **state)
{
    (void)state;
    /* tolerances as in test_stores() */
    check_shapes(KOSHU_SHAPES_FAST, KOSHU_SINGLE, 5003, 6e-7);
    check_shapes(KOSHU_SHAPES_SINGLE, KOSHU_SINGLE, 5003, 5e-7);
    check_shapes(KOSHU_SHAPES_MIXED, KOSHU_MIXED, 16421, 7e-7);
    check_shapes(KOSHU_SHAPES_DOUBLE, KOSHU_DOUBLE, 5003, 1e-13);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_stores),
            cmocka_unit_test(test_stores_without_softening),
            cmocka_unit_test(test_coincident),
            cmocka_unit_test(test_off_centre),
            cmocka_unit_test(test_reproducible),
            cmocka_unit_test(test_batches),
            cmocka_unit_test(test_every_particle),
            cmocka_unit_test(test_hollow_stores),
            cmocka_unit_test(test_hollow_batches),
            cmocka_unit_test(test_leapfrog),
            cmocka_unit_test(test_not_finite),
            cmocka_unit_test(test_shapes),
    };
    if (koshu_backend_cuda.devices() == 0) {
        printf("no CUDA device answers: skipped\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
