/* SPDX-License-Identifier: MIT */
#include "particles/particles.h"
#include "sampling.h"

#include <koshu/force.h>

struct koshu_context *context;

int
set_up(void **state)
{
    (void)state;
    context = test_context(NULL, 2);
    return 0;
}

int
tear_down(void **state)
{
    (void)state;
    koshu_context_destroy(context);
    return 0;
}

struct koshu_initial_options
model_options(enum koshu_model model, size_t n, uint64_t seed)
{
    struct koshu_initial_options options = koshu_initial_options_default();
    options.model = model;
    options.n = n;
    options.seed = seed;
    return options;
}

struct koshu_particles *
make(const struct koshu_initial_options *options,
     struct koshu_particle_view *view)
{
    struct koshu_particles *particles = NULL;
    assert_ok(context, koshu_initial_create(context, options, &particles));
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, view));
    assert_int_equal(view->n, options->n);
    return particles;
}

static double *
lengths(size_t n, const double *x, const double *y, const double *z)
{
    double *length = malloc(n * sizeof *length);
    assert_non_null(length);
    for (size_t i = 0; i < n; i++)
        length[i] = sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
    return length;
}

double *
radii(const struct koshu_particle_view *v)
{
    return lengths(v->n, v->x, v->y, v->z);
}

double *
speeds(const struct koshu_particle_view *v)
{
    return lengths(v->n, v->vx, v->vy, v->vz);
}

static int
ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double
ks_distance(double *values, size_t n, distribution *cdf, double parameter)
{
    double largest = 0;
    qsort(values, n, sizeof *values, ascending);
    for (size_t i = 0; i < n; i++) {
        double expected = cdf(values[i], parameter);
        double below = (double)i / (double)n;
        double with = (double)(i + 1) / (double)n;
        largest = fmax(largest,
                       fmax(fabs(expected - below), fabs(expected - with)));
    }
    return largest;
}

static void
assert_small(double distance, size_t n)
{
    double bound = 2.23 / sqrt((double)n);
    if (!(distance < bound))
        fail_msg("Kolmogorov-Smirnov distance %g, expected below %g", distance,
                 bound);
}

void
assert_distributed(double *values, size_t n, distribution *cdf,
                   double parameter)
{
    assert_small(ks_distance(values, n, cdf, parameter), n);
}

static double
uniform_cosine(double cosine, double unused)
{
    (void)unused;
    return (1 + cosine) / 2;
}

double
anisotropy(size_t n, const double *x, const double *y, const double *z)
{
    double *length = lengths(n, x, y, z), largest = 0;
    double *cosine = malloc(n * sizeof *cosine);
    const double *component[] = {x, y, z};
    assert_non_null(cosine);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++) cosine[i] = component[k][i] / length[i];
        largest = fmax(largest, ks_distance(cosine, n, uniform_cosine, 0));
    }
    free(cosine);
    free(length);
    return largest;
}

void
assert_isotropic(size_t n, const double *x, const double *y, const double *z)
{
    assert_small(anisotropy(n, x, y, z), n);
}

void
assert_centred(const struct koshu_particle_view *v)
{
    const double *array[] = {v->x, v->y, v->z, v->vx, v->vy, v->vz};
    double mass = 0;
    for (size_t i = 0; i < v->n; i++) mass += v->mass[i];
    /* n additions of terms that sum to 1 */
    assert_true(fabs(mass - 1) < 1e-16 * (double)v->n);
    for (int k = 0; k < 6; k++) {
        double mean = 0, size = 0;
        for (size_t i = 0; i < v->n; i++) {
            mean += v->mass[i] * array[k][i];
            size = fmax(size, fabs(array[k][i]));
        }
        /* rounding of each coordinate, and the random walk of this sum */
        double bound = 2.3e-16 * size * (1 + sqrt((double)v->n));
        assert_true(fabs(mean) <= bound);
    }
}

static double
mean(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i];
    return sum / (double)n;
}

static double
standard_deviation(const double *a, size_t n)
{
    double sum = 0, m = mean(a, n);
    for (size_t i = 0; i < n; i++) sum += (a[i] - m) * (a[i] - m);
    return sqrt(sum / (double)n);
}

static void
potentials(const struct koshu_particle_view *v, double *pot)
{
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = KOSHU_PRECISION_DOUBLE;
    double *a = malloc(3 * v->n * sizeof *a);
    assert_non_null(a);
    const struct koshu_i_particles i = {.n = v->n,
                                        .x = v->x,
                                        .y = v->y,
                                        .z = v->z,
                                        .id = (const int64_t *)v->id};
    const struct koshu_j_particles j = {
            .n = v->n, .x = v->x, .y = v->y, .z = v->z, .mass = v->mass};
    struct koshu_force_result result = {
            .ax = a, .ay = a + v->n, .az = a + 2 * v->n, .potential = pot};
    assert_ok(context, koshu_force_direct(context, &i, &j, &options, &result));
    free(a);
}

/* W = 1/2 sum m pot counts each particle twice, as i and as j: its error is
 * that of the mean potential, not half of it. */
struct energies
energies_of(const struct koshu_particle_view *v)
{
    double *each = speeds(v), root = sqrt((double)v->n);
    struct energies e;
    for (size_t i = 0; i < v->n; i++) each[i] *= each[i] / 2;
    e.T = mean(each, v->n);
    e.T_error = standard_deviation(each, v->n) / root;
    potentials(v, each);
    e.W = mean(each, v->n) / 2;
    e.W_error = standard_deviation(each, v->n) / root;
    free(each);
    return e;
}

void
assert_energies(const struct koshu_particle_view *v, double T, double W)
{
    struct energies e = energies_of(v);
    if (!(fabs(e.T - T) < 4 * e.T_error && fabs(e.W - W) < 4 * e.W_error))
        fail_msg("T = %g +- %g, W = %g +- %g; expected %g and %g", e.T,
                 e.T_error, e.W, e.W_error, T, W);
}

double
integral(double from, double to, int n, distribution *f, double parameter)
{
    double h = (to - from) / n, sum = f(from, parameter) + f(to, parameter);
    for (int k = 1; k < n; k++)
        sum += (k % 2 ? 4 : 2) * f(from + k * h, parameter);
    return sum * h / 3;
}
