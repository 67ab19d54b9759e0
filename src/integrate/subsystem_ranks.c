/* SPDX-License-Identifier: MIT */
/* Few-body groups over ranks: rank 0 has all particles and makes the block
 * steps; the sums are divided among the ranks. */
#include "base/base.h"
#include "devices/devices.h"
#include "integrate/divided_store.h"
#include "integrate/subsystems.h"

/* Rank 0 makes the block steps; the other ranks serve its sums until the
 * end. */
static koshu_status
run_divided(struct koshu_backend *backend, struct koshu_divided_store *store,
            const struct koshu_subsystem_run *run)
{
    struct koshu_subsystem_run with = *run;
    if (!koshu_is_first_rank(backend->context))
        return koshu_divided_store_serve(store);
    with.task.j_store = koshu_divided_store_of_all(store);
    const koshu_status status = koshu_subsystems_run(backend, &with);
    KOSHU_TRY(koshu_divided_store_end(store));
    return status;
}

koshu_status
koshu_subsystems_run_on_ranks(struct koshu_backend *backend, size_t n,
                              const struct koshu_subsystem_run *run)
{
    struct koshu_context *context = backend->context;
    const struct koshu_jerk_task task = {run->task.eps, .nearest = true};
    struct koshu_divided_store *store;
    if (koshu_context_ranks(context) == 1)
        return koshu_subsystems_run(backend, run);
    KOSHU_TRY(koshu_divided_store_create(backend, run->task.precision, &task, n,
                                         &store));
    koshu_status status = run_divided(backend, store, run);
    status = koshu_ranks_collective_status(context, status);
    koshu_divided_store_destroy(store);
    KOSHU_TRY(status);
    return koshu_broadcast(context, 0, run->progress, sizeof *run->progress);
}
