/* SPDX-License-Identifier: MIT */
/* The j-particle store of a user-defined interaction: see
 * block_interaction.h. */
#include "integrate/block_interaction.h"

#include <stdlib.h>

#include "base/base.h"
#include "kernels/kernels.h"
#include "solve/solve.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

enum { FEW = 2048, STATE = 7, SUMS = 7 };

struct koshu_block_interaction {
    struct koshu_context *context;
    struct koshu_interaction_sums *sums;
    size_t n;
    struct koshu_j_particle *j;
    uint64_t *order; /* of all particles, the block's members first */
    double *state;   /* x y z vx vy vz mass of all particles, in that order */
    double *results; /* ax ay az jx jy jz potential of the members */
};

/* ---- life ---------------------------------------------------------------- */

static koshu_status
check(const struct koshu_block_interaction *s)
{
    if (koshu_context_ranks(s->context) > 1)
        return koshu_fail(s->context, KOSHU_ERROR_UNSUPPORTED,
                          "the Hermite scheme has no interaction of the user's "
                          "own over several ranks; run on one rank, or with "
                          "integrator.scheme: leapfrog");
    if (koshu_interaction_sums_has_jerk(s->sums)) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "the Hermite scheme needs the interaction's time "
                      "derivative, outputs jx, jy and jz; add them, or take "
                      "integrator.scheme: leapfrog");
}

static koshu_status
allocate(struct koshu_block_interaction *s, size_t n)
{
    s->n = n;
    s->j = koshu_alloc(n, sizeof *s->j);
    s->order = koshu_alloc(n, sizeof *s->order);
    s->state = koshu_alloc(n, STATE * sizeof *s->state);
    s->results = koshu_alloc(n, SUMS * sizeof *s->results);
    if (s->j && s->order && s->state && s->results) return KOSHU_OK;
    return koshu_fail_memory(s->context, n * sizeof *s->j,
                             "block steps by an interaction");
}

koshu_status
koshu_block_interaction_create(struct koshu_context *context,
                               struct koshu_interaction *interaction, size_t n,
                               struct koshu_block_interaction **sums)
{
    struct koshu_block_interaction *s = calloc(1, sizeof *s);
    *sums = NULL;
    if (!s) return koshu_fail_memory(context, sizeof *s, "interaction");
    s->context = context;
    koshu_status status =
            koshu_interaction_sums_create(context, interaction, &s->sums);
    if (status == KOSHU_OK) status = check(s);
    if (status == KOSHU_OK) status = allocate(s, n);
    if (status == KOSHU_OK)
        *sums = s;
    else
        koshu_block_interaction_destroy(s);
    return status;
}

void
koshu_block_interaction_destroy(struct koshu_block_interaction *sums)
{
    if (!sums) return;
    koshu_interaction_sums_destroy(sums->sums);
    koshu_free(sums->j);
    koshu_free(sums->order);
    koshu_free(sums->state);
    koshu_free(sums->results);
    free(sums);
}

/* ---- particles ----------------------------------------------------------- */

void
koshu_block_interaction_set(struct koshu_block_interaction *sums, size_t n,
                            const uint64_t *index,
                            const struct koshu_j_particle *j)
{
    for (size_t m = 0; m < n; m++) sums->j[index[m]] = j[m];
}

/* The members, then all others. An interaction identifies a particle with
 * itself by index (INDEX_I, INDEX_J), so the members must have the same index
 * among targets and sources. */
static void
order(struct koshu_block_interaction *s, size_t n_i, const uint64_t *index)
{
    size_t next = n_i;
    for (size_t k = 0, m = 0; k < s->n; k++)
        if (m < n_i && index[m] == k)
            s->order[m++] = k;
        else
            s->order[next++] = k;
}

static void
predict(struct koshu_block_interaction *s, double time, size_t begin)
{
    const int threads = koshu_region_threads(s->context, s->n > FEW);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t k = begin; k < s->n; k++) {
        const struct koshu_j_particle *j = &s->j[s->order[k]];
        const double dt = time - j->time;
        for (size_t c = 0; c < 3; c++) {
            s->state[c * s->n + k] = hermite_predict_x_f64(
                    j->x[c], j->v[c], j->a[c], j->jerk[c], dt);
            s->state[(3 + c) * s->n + k] =
                    hermite_predict_v_f64(j->v[c], j->a[c], j->jerk[c], dt);
        }
        s->state[6 * s->n + k] = j->mass;
    }
}

/* Puts the members at the positions that the caller has predicted. */
static void
place(struct koshu_block_interaction *s, size_t n_i,
      const struct koshu_i_particle *end)
{
    for (size_t m = 0; m < n_i; m++) {
        for (size_t c = 0; c < 3; c++) {
            s->state[c * s->n + m] = end[m].x[c];
            s->state[(3 + c) * s->n + m] = end[m].v[c];
        }
        s->state[6 * s->n + m] = s->j[s->order[m]].mass;
    }
}

/* ---- sums ---------------------------------------------------------------- */

static void
take(const struct koshu_block_interaction *s, size_t n_i,
     struct koshu_jerk_result *result)
{
    const double *r = s->results;
    for (size_t m = 0; m < n_i; m++) {
        for (size_t c = 0; c < 3; c++) {
            result[m].a[c] = r[c * s->n + m];
            result[m].jerk[c] = r[(3 + c) * s->n + m];
        }
        result[m].potential = r[6 * s->n + m];
    }
}

koshu_status
koshu_block_interaction_sum(struct koshu_block_interaction *sums, double eps,
                            double time, size_t n_i, const uint64_t *index,
                            const struct koshu_i_particle *end,
                            struct koshu_jerk_result *result)
{
    struct koshu_block_interaction *s = sums;
    const size_t n = s->n;
    const double *p = s->state;
    double *r = s->results;
    const struct koshu_interaction_inputs in = {p,         p + n,     p + 2 * n,
                                                p + 3 * n, p + 4 * n, p + 5 * n,
                                                p + 6 * n, eps * eps};
    const struct koshu_interaction_outputs out = {
            r, r + n, r + 2 * n, r + 3 * n, r + 4 * n, r + 5 * n, r + 6 * n};
    order(s, n_i, index);
    place(s, n_i, end);
    predict(s, time, n_i);
    KOSHU_TRY(koshu_interaction_sums_do(s->sums, n_i, n, &in, &out));
    take(s, n_i, result);
    return KOSHU_OK;
}
