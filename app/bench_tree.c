/* SPDX-License-Identifier: MIT */
/* koshu bench tree: what is measured. */
#include <stdio.h>
#include <time.h>

#include "bench_tree.h"
#include "internal.h"

/* ---- measuring ----------------------------------------------------------- */

struct subject {
    struct koshu_solver *solver;
    struct koshu_particles *particles;
    unsigned fields;
    struct tree_bench_row *row; /* of the fastest evaluation so far */
    double least;
};

static double
processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static koshu_status
once(void *user)
{
    struct subject *s = user;
    double start = koshu_now(), cpu = processor_seconds();
    KOSHU_TRY(koshu_solver_forces(s->solver, s->particles, s->fields));
    double seconds = koshu_now() - start;
    if (s->least > 0 && seconds >= s->least) return KOSHU_OK;
    s->least = seconds;
    s->row->cpu_seconds = processor_seconds() - cpu;
    s->row->report.size = sizeof s->row->report;
    return koshu_solver_tree_report(s->solver, &s->row->report);
}

static koshu_status
take_errors(const struct bench_reference *reference,
            struct koshu_particles *particles, struct bench_errors *errors)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    if (reference->n == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_acquire_read(particles, KOSHU_FIELD_ACCELERATION,
                                           &v));
    bool done = bench_errors_of(reference, v.ax, v.ay, v.az, errors);
    koshu_particles_release_read(particles);
    return done ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
}

static koshu_status
measure(struct koshu_context *context, const struct tree_bench_options *o,
        struct koshu_particles *particles,
        const struct bench_reference *reference, struct tree_bench_row *row)
{
    struct subject s = {.particles = particles,
                        .row = row,
                        .fields = KOSHU_FIELD_ACCELERATION |
                                  (o->potential ? KOSHU_FIELD_POTENTIAL : 0u)};
    const struct bench_work work = {once, NULL, &s};
    struct koshu_solver_options solver = o->solver;
    solver.tree = &row->tree;
    KOSHU_TRY(koshu_solver_create(context, &solver, &s.solver));
    koshu_status status = KOSHU_OK;
    /* the first of all is by the geometric criterion: not what is measured */
    if (row->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE)
        status = koshu_solver_forces(s.solver, particles,
                                     KOSHU_FIELD_ACCELERATION);
    if (status == KOSHU_OK)
        status = bench_time(&work, o->repeats, &row->timing);
    if (status == KOSHU_OK)
        status = take_errors(reference, particles, &row->errors);
    snprintf(row->backend, sizeof row->backend, "%s",
             koshu_solver_backend(s.solver));
    snprintf(row->device, sizeof row->device, "%s",
             koshu_solver_device(s.solver));
    koshu_solver_destroy(s.solver);
    return status;
}

/* ---- every accuracy and n_crit for one N --------------------------------- */

static koshu_status
make_reference(const struct tree_bench_options *o,
               struct koshu_particles *particles,
               struct bench_reference *reference)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    size_t n = bench_compared_count_of(o->compared,
                                       koshu_particles_count(particles));
    *reference = (struct bench_reference){0};
    if (n == 0) return KOSHU_OK;
    struct koshu_context *ref = make_context("ref", o->threads);
    if (!ref) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_status status = koshu_particles_acquire_read(
            particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION, &v);
    if (status == KOSHU_OK)
        status = bench_reference_make_of(ref, o->solver.softening, &v, n,
                                         reference);
    koshu_particles_release_read(particles);
    koshu_context_destroy(ref);
    return status;
}

static koshu_status
run_rows(struct koshu_context *context, const struct tree_bench_options *o,
         size_t k, struct koshu_particles *particles,
         const struct bench_reference *reference)
{
    const bool relative =
            o->tree.opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE;
    const size_t count = relative ? o->alpha_count : o->theta_count;
    for (size_t at = 0; at < count; at++)
        for (size_t crit = 0; crit < o->n_crit_count; crit++) {
            struct tree_bench_row row = {.n = o->n[k], .tree = o->tree};
            row.tree.theta = o->theta[relative ? 0 : at];
            row.tree.alpha = o->alpha[relative ? at : 0];
            row.tree.n_crit = o->n_crit[crit];
            KOSHU_TRY(measure(context, o, particles, reference, &row));
            if (o->json) {
                tree_bench_print_json(o, &row);
                continue;
            }
            if (k + at + crit == 0) tree_bench_print_head(o, &row);
            tree_bench_print_row(&row);
        }
    return KOSHU_OK;
}

static koshu_status
run_n(struct koshu_context *context, const struct tree_bench_options *o,
      size_t k)
{
    struct koshu_initial_options model = koshu_initial_options_default();
    struct koshu_particles *particles = NULL;
    struct bench_reference reference = {0};
    koshu_status status;
    model.model = o->model;
    model.n = o->n[k];
    model.seed = o->seed;
    KOSHU_TRY_CLEANUP(koshu_initial_create(context, &model, &particles));
    KOSHU_TRY_CLEANUP(make_reference(o, particles, &reference));
    KOSHU_TRY_CLEANUP(run_rows(context, o, k, particles, &reference));
cleanup:
    bench_reference_free_of(&reference);
    koshu_particles_destroy(particles);
    return status;
}

/* Every N, with every other option. */
static koshu_status
run_all(struct koshu_context *context, const struct tree_bench_options *o)
{
    if (o->table) return tree_bench_table(context, o);
    if (o->compare) return tree_bench_compare(context, o);
    for (size_t k = 0; k < o->n_count; k++) KOSHU_TRY(run_n(context, o, k));
    return KOSHU_OK;
}

int
bench_tree(int argc, char **argv)
{
    struct tree_bench_options o;
    tree_bench_parse(argc, argv, &o);
    struct koshu_context *context = make_context(o.backend, o.threads);
    if (!context) return EXIT_USAGE;
    const int code = report(context, run_all(context, &o));
    koshu_context_destroy(context);
    return code;
}
