/* SPDX-License-Identifier: MIT */
/* The public interface of solvers: options, creation and forces. */
#include <koshu/solver.h>

#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "solve/fmm_ranks.h"
#include "solve/solve.h"
#include "solve/treecode.h"

KOSHU_DEFINE_DEFAULT(koshu_solver_options, .method = KOSHU_METHOD_DIRECT,
                     .precision = KOSHU_PRECISION_SINGLE,
                     .transport = KOSHU_TRANSPORT_AUTO)

static const char *const transports[] = {"auto", "peer", "cuda-aware", "nccl",
                                         "host"};

KOSHU_ENUM_NAMES(koshu_transport, "a transport", transports)

static struct koshu_force_task
task_of(const struct koshu_solver *solver, unsigned fields)
{
    return (struct koshu_force_task){
            .precision = solver->options.precision,
            .eps = solver->options.softening,
            .potential = (fields & KOSHU_FIELD_POTENTIAL) != 0,
            .fast = solver->options.fast,
    };
}

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_solver_options *o)
{
    const struct koshu_solver_method *m =
            koshu_solver_method_of((int)o->method);
    if (!m)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "unknown solver method %d", (int)o->method);
    if ((unsigned)o->transport > KOSHU_TRANSPORT_HOST)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "unknown transport %d", (int)o->transport);
    KOSHU_TRY(koshu_check_precision(context, o->precision));
    return koshu_check_softening(context, o->softening);
}

double
koshu_solver_box(const struct koshu_solver *solver)
{
    switch (solver->options.method) {
    case KOSHU_METHOD_TREE: return solver->tree.box;
    case KOSHU_METHOD_FMM: return solver->fmm_options.box;
    default: return 0;
    }
}

void
koshu_solver_set_opening(struct koshu_solver *solver,
                         const struct koshu_opening *opening)
{
    koshu_fmm_set_opening(solver->fmm, opening);
}

double
koshu_solver_theta(const struct koshu_solver *solver)
{
    return solver->fmm ? koshu_fmm_opening(solver->fmm)->theta[0]
                       : solver->tree.theta;
}

static koshu_status
check_box(const struct koshu_solver *s)
{
    const double box = koshu_solver_box(s), eps = s->options.softening;
    if (!(box > 0 && eps > box / 2)) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "softening %g in a periodic box of %g: it must be at "
                      "most half of that",
                      eps, box);
}

static koshu_status
read_options(struct koshu_solver *s, const struct koshu_solver_options *given)
{
    KOSHU_TRY(KOSHU_READ_OPTIONS(s->context, koshu_solver_options, given,
                                 &s->options));
    KOSHU_TRY(KOSHU_READ_OPTIONS(s->context, koshu_tree_options,
                                 s->options.tree, &s->tree));
    KOSHU_TRY(KOSHU_READ_OPTIONS(s->context, koshu_laplace_options,
                                 s->options.fmm, &s->fmm_options));
    s->options.tree = &s->tree;
    s->options.fmm = &s->fmm_options;
    s->fmm_options.precision = s->options.precision;
    KOSHU_TRY(check_options(s->context, &s->options));
    s->method = koshu_solver_method_of((int)s->options.method);
    return check_box(s);
}

/* Over ranks, creates the exchange through the host, which all ranks support,
 * and that between devices, which is faster. */
static koshu_status
make_exchange(struct koshu_solver *s, const struct koshu_force_task *task)
{
    struct koshu_device_exchange_options options = {
            .ops = s->backend->ops->partition,
            .backend = s->backend,
            .model = s->backend->model,
            .transport = s->options.transport,
            .capacity = s->options.j_capacity,
            .task = task};
    KOSHU_TRY(koshu_sharing_look(s->context, s->backend->unit,
                                 &options.one_each));
    koshu_status status = koshu_rank_exchange_create(
            s->backend, s->options.j_capacity, &s->exposed, &s->exchange);
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    return koshu_device_exchange_create(s->context, &options, &s->devices);
}

/* Warns if the method uses only the first of this process's devices. */
static void
tell_devices(const struct koshu_solver *s)
{
    if (!s->backend->group_model[0] || s->options.method == KOSHU_METHOD_DIRECT)
        return;
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "solver.method: %s takes the first of %s; for all of them start "
              "one rank for each (mpirun)",
              koshu_method_name(s->options.method), s->backend->device);
}

static koshu_status
equip(struct koshu_solver *s)
{
    const struct koshu_force_task task =
            task_of(s, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL);
    const struct koshu_backend_ops *ops = s->backend->ops;
    s->device_before = ops->seconds ? ops->seconds(s->backend) : 0;
    koshu_status status = koshu_backend_require(s->backend, &task);
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK && koshu_context_ranks(s->context) > 1 &&
        s->options.method == KOSHU_METHOD_DIRECT)
        status = make_exchange(s, &task);
    if (status == KOSHU_OK && s->method->create) status = s->method->create(s);
    if (status == KOSHU_OK) tell_devices(s);
    return koshu_ranks_collective_status(s->context, status);
}

/* Creates a solver on all ranks or on none: a rank without memory, or whose
 * device cannot be opened, fails all of them. */
koshu_status
koshu_solver_create(struct koshu_context *context,
                    const struct koshu_solver_options *options,
                    struct koshu_solver **solver)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, solver);
    *solver = NULL;
    struct koshu_solver *s = calloc(1, sizeof *s);
    koshu_status status = KOSHU_OK;
    if (!s) status = koshu_fail_memory(context, sizeof *s, "solver");
    if (s) s->context = context;
    if (status == KOSHU_OK) status = read_options(s, options);
    if (status == KOSHU_OK) status = koshu_backend_of(context, &s->backend);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = equip(s);
    if (status == KOSHU_OK)
        *solver = s;
    else
        koshu_solver_destroy(s);
    return status;
}

void
koshu_solver_destroy(struct koshu_solver *solver)
{
    if (!solver) return;
    koshu_rank_exchange_destroy(solver->exchange);
    koshu_device_exchange_destroy(solver->devices);
    koshu_treecode_destroy(solver->treecode);
    koshu_fmm_ranks_destroy(solver->fmm);
    koshu_fmm_destroy(solver->fmm);
    koshu_interaction_sums_destroy(solver->sums);
    koshu_free(solver->all);
    koshu_free(solver->self);
    free(solver);
}

koshu_status
koshu_solver_forces(struct koshu_solver *solver,
                    struct koshu_particles *particles, unsigned fields)
{
    KOSHU_REQUIRE(NULL, solver);
    KOSHU_REQUIRE(NULL, particles);
    if (fields != KOSHU_FIELD_ACCELERATION &&
        fields != (KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL))
        return koshu_fail(solver->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "fields 0x%x: a solver computes the acceleration, "
                          "or that and the potential",
                          fields);
    KOSHU_TRY(koshu_particles_refuse_views(particles, KOSHU_ACCESS_WRITE,
                                           "koshu_solver_forces()"));
    KOSHU_TRY(koshu_check_threads(solver->context));
    struct koshu_force_task task = task_of(solver, fields);
    double start = koshu_now();
    KOSHU_TRY(solver->method->forces(solver, &task, particles, fields));
    solver->seconds += koshu_now() - start;
    return KOSHU_OK;
}

koshu_status
koshu_solver_wait(struct koshu_solver *solver)
{
    KOSHU_REQUIRE(NULL, solver);
    const struct koshu_backend_ops *ops = solver->backend->ops;
    return ops->wait ? ops->wait(solver->backend) : KOSHU_OK;
}

/* The host's tree of all particles; NULL: there is none. */
static const struct koshu_tree *
tree_of(const struct koshu_solver *solver)
{
    if (koshu_context_ranks(solver->context) > 1) return NULL;
    if (solver->fmm) return koshu_fmm_tree(solver->fmm);
    return solver->treecode ? &solver->treecode->tree : NULL;
}

koshu_status
koshu_solver_reorder(struct koshu_solver *solver,
                     struct koshu_particles *particles)
{
    KOSHU_REQUIRE(NULL, solver);
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_TRY(koshu_particles_refuse_views(particles, KOSHU_ACCESS_READ,
                                           "koshu_solver_reorder()"));
    const size_t n = koshu_particles_count(particles);
    const struct koshu_tree *tree = tree_of(solver);
    if (!tree || tree->n != n) return KOSHU_OK;
    size_t *from = koshu_alloc(n, sizeof *from);
    if (!from)
        return koshu_fail_memory(solver->context, n * sizeof *from,
                                 "the order of particles");
    for (size_t k = 0; k < n; k++) from[k] = tree->order[k];
    const koshu_status status = koshu_particles_permute(particles, n, from);
    koshu_free(from);
    return status;
}
