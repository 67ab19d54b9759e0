/* SPDX-License-Identifier: MIT */
/* koshu_force_direct: checks the arguments, then one call of a backend. */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/solve.h"

struct koshu_force_options
koshu_force_options_default(void)
{
    return (struct koshu_force_options){.precision = KOSHU_PRECISION_SINGLE,
                                        .potential = true};
}

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
check_arrays(struct koshu_context *context,
             const struct koshu_force_options *options,
             const struct koshu_force_batch *b)
{
    bool i_whole = b->i.n == 0 || (b->i.x && b->i.y && b->i.z);
    bool j_whole = b->j.n == 0 || (b->j.x && b->j.y && b->j.z && b->j.mass);
    bool result_whole =
            b->i.n == 0 || (b->result.ax && b->result.ay && b->result.az &&
                            (b->result.potential || !options->potential));
    if (i_whole && j_whole && result_whole) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "an array of the %s is NULL",
                      !i_whole   ? "i-particles"
                      : !j_whole ? "j-particles"
                                 : "result");
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
check_self(struct koshu_context *context, const struct koshu_force_batch *b)
{
    if (!b->i.self) return KOSHU_OK;
    for (size_t s = 0; s < b->n_sets; s++) {
        size_t nj = b->j_offset[s + 1] - b->j_offset[s];
        for (size_t i = b->i_offset[s]; i < b->i_offset[s + 1]; i++)
            if (b->i.self[i] >= nj && b->i.self[i] != KOSHU_NO_SELF)
                return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                                  "self[%zu] = %llu, but its set has %zu "
                                  "j-particles",
                                  i, (unsigned long long)b->i.self[i], nj);
    }
    return KOSHU_OK;
}

static koshu_status
check(struct koshu_context *context, const struct koshu_force_options *options,
      const struct koshu_force_batch *b)
{
    KOSHU_TRY(koshu_check_softening(context, options->softening));
    KOSHU_TRY(koshu_check_precision(context, options->precision));
    KOSHU_TRY(check_arrays(context, options, b));
    KOSHU_TRY(
            check_offsets(context, "i_offset", b->i_offset, b->n_sets, b->i.n));
    KOSHU_TRY(
            check_offsets(context, "j_offset", b->j_offset, b->n_sets, b->j.n));
    return check_self(context, b);
}

koshu_status
koshu_force_direct_sets(struct koshu_context *context,
                        const struct koshu_force_options *options,
                        size_t n_sets, const size_t *i_offset,
                        const size_t *j_offset,
                        const struct koshu_i_particles *i,
                        const struct koshu_j_particles *j,
                        const struct koshu_force_result *result)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, i);
    KOSHU_REQUIRE(context, j);
    KOSHU_REQUIRE(context, result);
    const struct koshu_force_options by_default = koshu_force_options_default();
    if (!options) options = &by_default;
    struct koshu_force_batch batch = {n_sets, i_offset, j_offset,
                                      *i,     *j,       *result};
    KOSHU_TRY(check(context, options, &batch));
    if (i->n == 0) return KOSHU_OK;

    struct koshu_force_task task = {
            .precision = options->precision,
            .eps = options->softening,
            .potential = options->potential,
            .fast = options->fast,
    };
    struct koshu_backend *backend;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    KOSHU_TRY(koshu_backend_require(backend, &task));
    return backend->ops->force(backend, &task, &batch);
}

koshu_status
koshu_force_direct(struct koshu_context *context,
                   const struct koshu_force_options *options,
                   const struct koshu_i_particles *i,
                   const struct koshu_j_particles *j,
                   const struct koshu_force_result *result)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, i);
    KOSHU_REQUIRE(context, j);
    KOSHU_REQUIRE(context, result);
    const size_t i_offset[2] = {0, i->n}, j_offset[2] = {0, j->n};
    return koshu_force_direct_sets(context, options, 1, i_offset, j_offset, i,
                                   j, result);
}
