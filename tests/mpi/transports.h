/* SPDX-License-Identifier: MIT */
/* Forces over ranks by each transport that is available. */
#ifndef KOSHU_TESTS_MPI_TRANSPORTS_H
#define KOSHU_TESTS_MPI_TRANSPORTS_H

#include <stdlib.h>
#include <string.h>

#include "force_errors.h"
#include "methods.h"
#include "states.h"

/* As in a run: particles move and cross cuts, so that what is sent to other
 * ranks changes. */
static inline double *
forces_of_steps(struct koshu_solver *solver, size_t n)
{
    struct koshu_particles *p = model(context, TWO_CLUSTERS, n);
    struct koshu_particle_view v;
    for (int step = 0; step < 4; step++) {
        sum(context, solver, p);
        if (step == 3) break;
        assert_ok(context,
                  koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                          KOSHU_ACCESS_READ_WRITE, &v));
        for (size_t i = 0; i < v.n; i++) v.x[i] *= 0.95 + 0.03 * step;
    }
    double *const got = gather(context, p);
    koshu_particles_destroy(p);
    return got;
}

/* The same bits; except that where GPUs write to each other's memory, a tree
 * adds interactions in another order. Its next step has accelerations with
 * other last bits in the opening criterion, so that a few cells are opened or
 * not. */
static inline void
compare_transports(enum koshu_method of, size_t n, const double *got,
                   const double *first)
{
    const char *const by = koshu_ranks_transport(context);
    if (of == KOSHU_METHOD_TREE && by && strstr(by, "peer"))
        assert_true(rms_difference(3 * n, got, first) <= 1e-5);
    else
        assert_memory_equal(got, first, 4 * n * sizeof *got);
}

/* Any available transport gives the same forces; CPUs have only one. */
static inline void
check_transports(enum koshu_method of, size_t n)
{
    double *first = NULL;
    for (int t = KOSHU_TRANSPORT_HOST; t >= KOSHU_TRANSPORT_AUTO; t--) {
        const struct method method = {.of = of,
                                      .transport = (enum koshu_transport)t};
        struct koshu_solver *solver;
        const koshu_status status = make_solver(context, &method, &solver);
        if (koshu_is_first_rank(context) && on_backend(NULL))
            print_message("%s: %s\n", koshu_transport_name(method.transport),
                          status == KOSHU_OK ? koshu_ranks_transport(context)
                                             : koshu_context_message(context));
        if (status == KOSHU_ERROR_UNSUPPORTED && t != KOSHU_TRANSPORT_HOST &&
            t != KOSHU_TRANSPORT_AUTO)
            continue;
        assert_ok(context, status);
        double *const got = forces_of_steps(solver, n);
        koshu_solver_destroy(solver);
        if (!first) first = got;
        compare_transports(of, n, got, first);
        if (got != first) free(got);
        if (!on_backend(NULL)) break;
    }
    free(first);
}

#endif
