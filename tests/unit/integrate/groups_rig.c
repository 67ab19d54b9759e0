/* SPDX-License-Identifier: MIT */
#include "groups_rig.h"

#include <math.h>
#include <string.h>

struct koshu_integrator_options
groups_options(void)
{
    struct koshu_integrator_options o = hermite_options();
    o.eta = 0.01;
    o.regularisation = 0.02;
    return o;
}

struct koshu_particle_view
groups_view(struct koshu_particles *p)
{
    struct koshu_particle_view v = {.size = sizeof v};
    assert_int_equal(
            koshu_particles_acquire_write(
                    p, KOSHU_FIELD_ALL | KOSHU_FIELD_JERK | KOSHU_FIELD_STEP,
                    KOSHU_ACCESS_READ_WRITE, &v),
            KOSHU_OK);
    return v;
}

/* Makes binaries of the first two stars of a Plummer sphere and of the next
 * two, with semi-major axes 1e-3 and 8e-3. */
static void
marry(struct koshu_particles *p)
{
    struct koshu_particle_view v = groups_view(p);
    for (size_t k = 0; k < 4; k += 2) {
        const double a = k == 0 ? 1e-3 : 8e-3;
        const double speed = sqrt(2 * v.mass[k] / a);
        v.x[k + 1] = v.x[k] + a;
        v.y[k + 1] = v.y[k];
        v.z[k + 1] = v.z[k];
        v.vx[k + 1] = v.vx[k];
        v.vy[k + 1] = v.vy[k] + 0.8 * speed;
        v.vz[k + 1] = v.vz[k];
    }
    koshu_particles_release_write(p);
}

/* ---- life ---------------------------------------------------------------- */

static struct groups
begin(const char *fields, const char *backend, int threads)
{
    struct groups g = {0};
    struct koshu_units units;
    struct koshu_context_options o = koshu_context_options_default();
    o.backend = backend;
    o.threads = threads;
    koshu_units_henon(&units);
    assert_int_equal(koshu_context_create(&o, &g.context), KOSHU_OK);
    if (fields)
        assert_ok(g.context, koshu_external_parse(g.context, fields, &units, 1,
                                                  &g.external));
    assert_ok(g.context, koshu_solver_create(g.context, NULL, &g.solver));
    return g;
}

struct groups
groups_of(size_t n, const char *fields)
{
    struct groups g = begin(fields, "ref", 1);
    assert_ok(g.context, koshu_particles_create(g.context, n, &g.particles));
    return g;
}

void
groups_use(struct groups *g, const struct koshu_integrator_options *options)
{
    assert_ok(g->context, koshu_integrator_create(g->solver, g->particles, 0,
                                                  options, &g->integrator));
    assert_ok(g->context,
              koshu_integrator_set_external(g->integrator, g->external));
}

struct groups
groups_make(const struct koshu_integrator_options *options, const char *fields)
{
    struct groups g = begin(fields, "ref", 1);
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = N;
    assert_ok(g.context,
              koshu_initial_create(g.context, &initial, &g.particles));
    marry(g.particles);
    groups_use(&g, options);
    return g;
}

struct groups
groups_make_binaries(const struct koshu_integrator_options *options,
                     int threads)
{
    struct groups g = begin(NULL, "simd", threads);
    struct koshu_initial_options initial = koshu_initial_options_default();
    initial.n = N_BINARIES;
    initial.binary_fraction = 0.5;
    initial.period_max = 1e6;
    initial.mass_function = KOSHU_MASS_FUNCTION_KROUPA;
    initial.mass_min = 0.1;
    initial.mass_max = 2;
    initial.length_pc = 0.3;
    assert_ok(g.context,
              koshu_initial_create(g.context, &initial, &g.particles));
    groups_use(&g, options);
    return g;
}

void
groups_free(struct groups *g)
{
    koshu_integrator_destroy(g->integrator);
    koshu_external_destroy(g->external);
    koshu_solver_destroy(g->solver);
    koshu_particles_destroy(g->particles);
    koshu_context_destroy(g->context);
}

/* ---- runs ---------------------------------------------------------------- */

void
groups_run(struct groups *g, double until)
{
    while (koshu_integrator_time(g->integrator) != until)
        assert_ok(g->context,
                  koshu_integrator_advance(g->integrator, until, true));
}

double
groups_energy(const struct groups *g)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    double external = 0;
    assert_ok(g->context, koshu_diagnostics_compute(g->particles, &d));
    if (g->external)
        assert_ok(g->context,
                  koshu_external_energy(g->external, g->particles, &external));
    return d.total + external;
}

void
groups_assert_same(const struct groups *a, const struct groups *b)
{
    const struct koshu_particle_view v = groups_view(a->particles),
                                     w = groups_view(b->particles);
    const void *const of_a[] = {v.x,  v.y,  v.z,  v.vx, v.vy,   v.vz,
                                v.ax, v.ay, v.az, v.jx, v.tick, v.step},
                      *const of_b[] = {w.x,  w.y,  w.z,  w.vx, w.vy,   w.vz,
                                       w.ax, w.ay, w.az, w.jx, w.tick, w.step};
    for (size_t k = 0; k < sizeof of_a / sizeof of_a[0]; k++)
        assert_memory_equal(of_a[k], of_b[k], v.n * sizeof(double));
    koshu_particles_release_write(a->particles);
    koshu_particles_release_write(b->particles);
    const struct koshu_integrator_clock one = clock_of(a->integrator),
                                        other = clock_of(b->integrator);
    assert_memory_equal(&one, &other, sizeof one);
}

static void
copy_store(const struct groups *whole, const struct groups *part)
{
    const struct koshu_particle_view from = groups_view(whole->particles),
                                     to = groups_view(part->particles);
    void *const target[] = {to.x,  to.y,  to.z,    to.vx,   to.vy,
                            to.vz, to.ax, to.ay,   to.az,   to.jx,
                            to.jy, to.jz, to.tick, to.step, to.potential};
    const void *const source[] = {from.x,    from.y,    from.z,        from.vx,
                                  from.vy,   from.vz,   from.ax,       from.ay,
                                  from.az,   from.jx,   from.jy,       from.jz,
                                  from.tick, from.step, from.potential};
    for (size_t k = 0; k < sizeof target / sizeof target[0]; k++)
        memcpy(target[k], source[k], N * sizeof(double));
    koshu_particles_release_write(whole->particles);
    koshu_particles_release_write(part->particles);
}

void
groups_assert_resumes(const struct koshu_integrator_options *options,
                      const char *fields)
{
    struct groups whole = groups_make(options, fields),
                  part = groups_make(options, fields);
    groups_run(&whole, 0.5);
    copy_store(&whole, &part);
    const struct koshu_integrator_clock clock = clock_of(whole.integrator);
    assert_ok(part.context, koshu_integrator_resume(part.integrator, &clock));
    groups_run(&whole, 1);
    groups_run(&part, 1);
    groups_assert_same(&whole, &part);
    groups_free(&whole);
    groups_free(&part);
}
