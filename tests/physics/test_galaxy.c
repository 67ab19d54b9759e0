/* SPDX-License-Identifier: MIT */
/* A disk galaxy in equilibrium keeps its shape: mass radii and height, over one
 * rotation and two vertical oscillations at two scale lengths. */
#include <math.h>
#include <stdlib.h>

#include <koshu/initial.h>
#include <koshu/integrator.h>

#include "particles/particles.h"

#define FIXTURE_THREADS 0
#include "fixture.h"

enum { RADII = 3 };

static struct koshu_initial_options
galaxy(size_t n)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    o.model = KOSHU_MODEL_GALAXY;
    o.n = n;
    o.disk_fraction = 0.2;
    o.bulge_fraction = 0.05;
    o.halo_length = 2;
    o.mass_fraction = 0.95;
    return o;
}

/* The shape of a disk. */
struct shape {
    double radius[RADII];           /* of 1/4, 1/2 and 3/4 of its mass */
    double height;                  /* the median of |z| between R = 1 and 3 */
    double sigma_R, sigma_z, speed; /* there */
};

static int
compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double
median(double *values, size_t n, double part)
{
    qsort(values, n, sizeof *values, compare);
    return values[(size_t)(part * (double)n)];
}

/* Relative to the median of the disk's own coordinates. */
static void
find_centre(const struct koshu_particle_view *v, size_t n, double *work,
            double centre[6])
{
    const double *const array[] = {v->x, v->y, v->z, v->vx, v->vy, v->vz};
    for (int k = 0; k < 6; k++) {
        for (size_t i = 0; i < n; i++) work[i] = array[k][i];
        centre[k] = median(work, n, 0.5);
    }
}

static struct shape
shape_of(struct koshu_particles *p, size_t n)
{
    struct koshu_particle_view v;
    struct shape s = {{0}, 0, 0, 0, 0};
    double c[6], *R = calloc(n, sizeof *R), *z = calloc(n, sizeof *z);
    size_t inside = 0;
    assert_true(R && z);
    assert_ok(context, koshu_particles_on_host(
                               p, KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY,
                               KOSHU_ACCESS_READ, &v));
    find_centre(&v, n, R, c);
    for (size_t i = 0; i < n; i++) {
        const double x = v.x[i] - c[0], y = v.y[i] - c[1];
        const double vx = v.vx[i] - c[3], vy = v.vy[i] - c[4];
        R[i] = hypot(x, y);
        if (R[i] < 1 || R[i] > 3) continue;
        z[inside++] = fabs(v.z[i] - c[2]);
        s.sigma_R += pow((x * vx + y * vy) / R[i], 2);
        s.sigma_z += pow(v.vz[i] - c[5], 2);
        s.speed += (x * vy - y * vx) / R[i];
    }
    s.sigma_R = sqrt(s.sigma_R / (double)inside);
    s.sigma_z = sqrt(s.sigma_z / (double)inside);
    s.speed /= (double)inside;
    s.height = median(z, inside, 0.5);
    for (int k = 0; k < RADII; k++) s.radius[k] = median(R, n, (k + 1) / 4.0);
    free(R);
    free(z);
    return s;
}

static void
print_shape(double time, const struct shape *s)
{
    print_message("t = %4.1f: radii %.3f %.3f %.3f, height %.4f, sigma_R "
                  "%.4f, sigma_z %.4f, v_phi %.4f\n",
                  time, s->radius[0], s->radius[1], s->radius[2], s->height,
                  s->sigma_R, s->sigma_z, s->speed);
}

/* The shape at the times 0, every, 2 every, ...; n particles are the disk's. */
static void
evolve(struct koshu_particles *p, size_t n, double every, size_t n_shapes,
       struct shape *shape)
{
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    struct koshu_solver_options s = koshu_solver_options_default();
    struct koshu_integrator_options i = koshu_integrator_options_default();
    s.method = KOSHU_METHOD_TREE;
    s.softening = 0.02;
    i.dt = 0.1;
    assert_ok(context, koshu_solver_create(context, &s, &solver));
    assert_ok(context, koshu_integrator_create(solver, p, 0, &i, &integrator));
    assert_ok(context, koshu_integrator_evaluate(integrator));
    for (size_t k = 0; k < n_shapes; k++) {
        const double until = every * (double)k;
        while (koshu_integrator_time(integrator) < until)
            assert_ok(context,
                      koshu_integrator_advance(integrator, until, true));
        shape[k] = shape_of(p, n);
        print_shape(until, &shape[k]);
    }
    koshu_integrator_destroy(integrator);
    koshu_solver_destroy(solver);
}

static void
disks_stay_as_they_are(void **state)
{
    (void)state;
    enum { SHAPES = 4 };
    const struct koshu_initial_options o = galaxy(50000);
    struct koshu_particles *p;
    struct shape s[SHAPES];
    assert_ok(context, koshu_initial_create(context, &o, &p));
    evolve(p, 10000, 10, SHAPES, s);
    for (int k = 1; k < SHAPES; k++) {
        for (int r = 0; r < RADII; r++)
            assert_near(s[k].radius[r] / s[0].radius[r], 1, 0.05);
        assert_near(s[k].height / s[0].height, 1, 0.15);
        assert_near(s[k].sigma_z / s[0].sigma_z, 1, 0.1);
        assert_near(s[k].speed / s[0].speed, 1, 0.05);
    }
    koshu_particles_destroy(p);
}

/* A disk without vertical velocities collapses within a few time units. */
static void
what_is_no_equilibrium_is_seen(void **state)
{
    (void)state;
    const struct koshu_initial_options o = galaxy(5000);
    struct koshu_particles *p;
    struct koshu_particle_view v;
    struct shape s[2];
    assert_ok(context, koshu_initial_create(context, &o, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_VELOCITY,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < 1000; i++) v.vz[i] = 0;
    evolve(p, 1000, 4, 2, s);
    assert_true(s[1].height / s[0].height < 0.7);
    koshu_particles_destroy(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_is_no_equilibrium_is_seen),
            cmocka_unit_test(disks_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
