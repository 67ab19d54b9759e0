/* SPDX-License-Identifier: MIT */
/*
 * The Pythagorean problem (Burrau 1913; Szebehely & Peters 1967): three bodies
 * with masses 3, 4 and 5 at rest at the corners of a right-angled triangle,
 * integrated by the Hermite scheme with block time steps, without softening.
 * Prints the positions and how well energy is conserved.
 *
 *     cc three_body.c $(pkg-config --cflags --libs koshu) -o three_body
 *     ./three_body [END]
 */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

enum { N = 3 };
static const double mass[N] = {3, 4, 5};
static const double x[N] = {1, -2, 1};
static const double y[N] = {3, -1, -1};

struct system {
    struct koshu_context *context;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    double energy; /* at the start */
};

#define TRY(call)                                      \
    do {                                               \
        koshu_status try_status = (call);              \
        if (try_status != KOSHU_OK) return try_status; \
    } while (0)

/* A new store has zeros in all fields, so the bodies are at rest. */
static koshu_status
set_particles(struct koshu_particles *particles)
{
    struct koshu_particle_view view = {.size = sizeof view};
    TRY(koshu_particles_acquire_write(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                      KOSHU_ACCESS_WRITE, &view));
    for (int k = 0; k < N; k++) {
        view.mass[k] = mass[k];
        view.x[k] = x[k];
        view.y[k] = y[k];
        view.z[k] = 0;
    }
    koshu_particles_release_write(particles);
    return KOSHU_OK;
}

static koshu_status
set_up(struct system *s)
{
    TRY(koshu_context_create(NULL, &s->context));
    TRY(koshu_particles_create(s->context, N, &s->particles));
    TRY(set_particles(s->particles));

    struct koshu_solver_options forces = koshu_solver_options_default();
    forces.precision = KOSHU_PRECISION_DOUBLE;
    TRY(koshu_solver_create(s->context, &forces, &s->solver));

    struct koshu_integrator_options steps = koshu_integrator_options_default();
    steps.scheme = KOSHU_SCHEME_HERMITE;
    steps.dt = 1.0 / 64; /* longest step, and interval of synchronised times */
    steps.eta = 1e-4;
    TRY(koshu_integrator_create(s->solver, s->particles, 0.0, &steps,
                                &s->integrator));
    return koshu_integrator_evaluate(s->integrator);
}

static koshu_status
print_line(struct system *s)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    struct koshu_particle_const_view view = {.size = sizeof view};
    TRY(koshu_diagnostics_compute(s->particles, &d));
    if (s->energy == 0) s->energy = d.total;
    TRY(koshu_particles_acquire_read(s->particles, KOSHU_FIELD_POSITION,
                                     &view));
    printf("%5.1f", koshu_integrator_time(s->integrator));
    for (int k = 0; k < N; k++)
        printf("  (%8.5f, %8.5f)", view.x[k], view.y[k]);
    printf("  %9.2e\n", d.total / s->energy - 1);
    koshu_particles_release_read(s->particles);
    return KOSHU_OK;
}

static koshu_status
run(struct system *s, double end)
{
    printf("# time  positions of the bodies%*s  dE/E\n", 38, "");
    TRY(print_line(s));
    for (double next = 1; next <= end; next++) {
        while (koshu_integrator_time(s->integrator) < next)
            TRY(koshu_integrator_advance(s->integrator, next, true));
        TRY(print_line(s));
    }
    return KOSHU_OK;
}

static void
tear_down(struct system *s)
{
    koshu_integrator_destroy(s->integrator);
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
    koshu_context_destroy(s->context);
}

int
main(int argc, char **argv)
{
    struct system s = {0};
    koshu_status status = set_up(&s);
    if (status == KOSHU_OK) status = run(&s, argc > 1 ? atof(argv[1]) : 10);
    if (status != KOSHU_OK)
        fprintf(stderr, "three_body: %s\n", koshu_context_message(s.context));
    tear_down(&s);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
