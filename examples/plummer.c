/* SPDX-License-Identifier: MIT */
/*
 * A Plummer sphere, integrated with a leapfrog; prints how well its energy is
 * conserved.
 *
 *     cc plummer.c $(pkg-config --cflags --libs koshu) -o plummer
 *     ./plummer [N]
 */
#include <stdio.h>
#include <stdlib.h>

#include <koshu/koshu.h>

/* The objects this program creates; destroyed in reverse order. */
struct simulation {
    struct koshu_context *context;
    struct koshu_particles *particles;
    struct koshu_solver *solver;
    struct koshu_integrator *integrator;
    double energy; /* at the start */
};

/* Every function of koshu that can fail returns a status. This returns any
 * status other than KOSHU_OK to the caller; main() prints the context's
 * message. */
#define TRY(call)                                      \
    do {                                               \
        koshu_status try_status = (call);              \
        if (try_status != KOSHU_OK) return try_status; \
    } while (0)

static koshu_status
set_up(struct simulation *s, size_t n)
{
    TRY(koshu_context_create(NULL, &s->context));

    struct koshu_initial_options model = koshu_initial_options_default();
    model.model = KOSHU_MODEL_PLUMMER;
    model.n = n;
    model.seed = 1;
    TRY(koshu_initial_create(s->context, &model, &s->particles));

    struct koshu_solver_options forces = koshu_solver_options_default();
    forces.softening = 1.0 / 64;
    TRY(koshu_solver_create(s->context, &forces, &s->solver));

    struct koshu_integrator_options steps = koshu_integrator_options_default();
    steps.dt = 1.0 / 256;
    TRY(koshu_integrator_create(s->solver, s->particles, 0.0, &steps,
                                &s->integrator));
    return koshu_integrator_evaluate(s->integrator);
}

/* Prints time, energy, energy error and half-mass radius. */
static koshu_status
print_line(struct simulation *s)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    TRY(koshu_diagnostics_compute(s->particles, &d));
    printf("%6.3f  %12.9f  %9.2e  %7.4f\n",
           koshu_integrator_time(s->integrator), d.total,
           d.total / s->energy - 1, d.lagrangian_radius[4]);
    return KOSHU_OK;
}

static koshu_status
run(struct simulation *s, double end, double interval)
{
    struct koshu_diagnostics d = {.size = sizeof d};
    TRY(koshu_diagnostics_compute(s->particles, &d));
    s->energy = d.total;
    printf("# %s, %s\n", koshu_solver_backend(s->solver),
           koshu_solver_device(s->solver));
    printf("# time        energy      dE/E   r_half\n");
    TRY(print_line(s));
    for (double next = interval; next <= end; next += interval) {
        while (koshu_integrator_time(s->integrator) < next)
            TRY(koshu_integrator_advance(s->integrator, next, true));
        TRY(print_line(s));
    }
    return KOSHU_OK;
}

static void
tear_down(struct simulation *s)
{
    koshu_integrator_destroy(s->integrator);
    koshu_solver_destroy(s->solver);
    koshu_particles_destroy(s->particles);
    koshu_context_destroy(s->context);
}

int
main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 2048;
    struct simulation s = {0};
    koshu_status status = set_up(&s, n);
    if (status == KOSHU_OK) status = run(&s, 1.0, 0.125);
    if (status != KOSHU_OK)
        fprintf(stderr, "plummer: %s: %s\n", koshu_status_text(status),
                s.context ? koshu_context_message(s.context) : "no context");
    tear_down(&s);
    return status == KOSHU_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
