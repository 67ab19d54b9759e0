/* SPDX-License-Identifier: MIT */
/* koshu_force_direct: checks the arguments, finds self, then one call of a
 * backend. */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/self.h"
#include "solve/solve.h"

KOSHU_DEFINE_DEFAULT(koshu_force_options, .precision = KOSHU_PRECISION_SINGLE)

koshu_status
koshu_check_softening(struct koshu_context *context, double eps)
{
    if (eps >= 0.0 && isfinite(eps)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "softening = %g: it must be finite and not negative",
                      eps);
}

koshu_status
koshu_check_precision(struct koshu_context *context,
                      enum koshu_precision precision)
{
    if ((unsigned)precision <= KOSHU_PRECISION_DOUBLE) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "unknown precision %d", (int)precision);
}

static koshu_status
check_arrays(struct koshu_context *context, const struct koshu_id_sets *sets,
             const struct koshu_force_result *result)
{
    const struct koshu_i_particles *i = sets->i;
    const struct koshu_j_particles *j = sets->j;
    bool i_whole = i->n == 0 || (i->x && i->y && i->z);
    bool j_whole = j->n == 0 || (j->x && j->y && j->z && j->mass);
    bool result_whole = i->n == 0 || (result->ax && result->ay && result->az);
    if (!i_whole || !j_whole || !result_whole)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "an array of the %s is NULL",
                          !i_whole   ? "i-particles"
                          : !j_whole ? "j-particles"
                                     : "result");
    if (result->jx || result->jy || result->jz || result->nearest ||
        result->nearest_r2)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a direct sum gives no jerks and no nearest "
                          "neighbours; a j-particle store does");
    return KOSHU_OK;
}

static koshu_status
check_offsets(struct koshu_context *context, const char *name,
              const size_t *offset, size_t n_sets, size_t n)
{
    if (!offset)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT, "%s is NULL",
                          name);
    if (offset[0] != 0 || offset[n_sets] != n)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "%s must begin with 0 and end with %zu, "
                          "got %zu and %zu",
                          name, n, offset[0], offset[n_sets]);
    for (size_t s = 0; s < n_sets; s++)
        if (offset[s] > offset[s + 1])
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "%s[%zu] = %zu is larger than the next, %zu",
                              name, s, offset[s], offset[s + 1]);
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_context *context, const struct koshu_id_sets *sets,
      const struct koshu_force_options *options,
      const struct koshu_force_result *result)
{
    KOSHU_TRY(koshu_check_softening(context, options->softening));
    KOSHU_TRY(koshu_check_precision(context, options->precision));
    KOSHU_TRY(check_arrays(context, sets, result));
    KOSHU_TRY(check_offsets(context, "i_offset", sets->i_offset, sets->n,
                            sets->i->n));
    return check_offsets(context, "j_offset", sets->j_offset, sets->n,
                         sets->j->n);
}

static koshu_status
sum(struct koshu_context *context, const struct koshu_id_sets *sets,
    const struct koshu_force_options *options,
    const struct koshu_force_result *result, const uint64_t *self)
{
    const struct koshu_i_particles *i = sets->i;
    const struct koshu_j_particles *j = sets->j;
    const struct koshu_force_batch batch = {
            .n_sets = sets->n,
            .i_offset = sets->i_offset,
            .j_offset = sets->j_offset,
            .i = {i->n, i->x, i->y, i->z, self},
            .j = {j->n, j->x, j->y, j->z, j->mass},
            .result = {result->ax, result->ay, result->az, result->potential}};
    const struct koshu_force_task task = {.precision = options->precision,
                                          .eps = options->softening,
                                          .potential = result->potential,
                                          .fast = options->fast};
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    KOSHU_TRY(koshu_backend_require(backend, &task));
    return backend->ops->force(backend, &task, &batch);
}

koshu_status
koshu_force_direct_sets(struct koshu_context *context, size_t n_sets,
                        const size_t *i_offset, const size_t *j_offset,
                        const struct koshu_i_particles *i,
                        const struct koshu_j_particles *j,
                        const struct koshu_force_options *options,
                        const struct koshu_force_result *result)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, i);
    KOSHU_REQUIRE(context, j);
    KOSHU_REQUIRE(context, result);
    struct koshu_force_options all;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_force_options, options, &all));
    const struct koshu_id_sets sets = {n_sets, i_offset, j_offset, i, j};
    KOSHU_TRY(check(context, &sets, &all, result));
    const uint64_t *self;
    uint64_t *memory;
    koshu_status status = koshu_self_find(context, &sets, &self, &memory);
    if (status == KOSHU_OK && i->n > 0)
        status = sum(context, &sets, &all, result, self);
    koshu_free(memory);
    return status;
}

koshu_status
koshu_force_direct(struct koshu_context *context,
                   const struct koshu_i_particles *i,
                   const struct koshu_j_particles *j,
                   const struct koshu_force_options *options,
                   const struct koshu_force_result *result)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, i);
    KOSHU_REQUIRE(context, j);
    KOSHU_REQUIRE(context, result);
    const size_t i_offset[2] = {0, i->n}, j_offset[2] = {0, j->n};
    return koshu_force_direct_sets(context, 1, i_offset, j_offset, i, j,
                                   options, result);
}
