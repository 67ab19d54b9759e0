/* SPDX-License-Identifier: MIT */
/* Accelerations, jerks and potentials by a user-defined interaction. */
#include "solve/solve.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"

/* In the order of the members of koshu_interaction_inputs, then eps2. */
enum { X, Y, Z, VX, VY, VZ, MASS, EPS2, N_INPUTS };
static const char *const input_names[N_INPUTS] = {"x",  "y",  "z",    "vx",
                                                  "vy", "vz", "mass", "eps2"};

/* In the order of the members of koshu_interaction_outputs. */
enum { AX, AY, AZ, JX, JY, JZ, POTENTIAL, N_OUTPUTS };
static const char *const output_names[N_OUTPUTS] = {
        "ax", "ay", "az", "jx", "jy", "jz", "potential"};

enum { NONE = -1, FEW = 512 };

/* The fields of a row, each the index of an input. */
struct fields {
    size_t n;
    int *which;
};

struct koshu_interaction_sums {
    struct koshu_context *context;
    struct koshu_interaction *interaction;
    struct fields i, j;
    int column[N_OUTPUTS]; /* in a row of results; NONE: not an output */
    size_t n_outputs;
    double *rows_i, *rows_j, *results;
    size_t capacity_rows_i, capacity_rows_j, capacity_results;
};

/* ---- names --------------------------------------------------------------- */

static int
find_name(const char *name, const char *const names[], int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(name, names[k]) == 0) return k;
    return NONE;
}

static koshu_status
find_inputs(struct koshu_interaction_sums *s, const char *of, size_t n,
            const char *(*name_of)(const struct koshu_interaction *, size_t),
            struct fields *fields)
{
    fields->which = calloc(n + 1, sizeof *fields->which);
    if (!fields->which)
        return koshu_fail_memory(s->context, n * sizeof *fields->which,
                                 "inputs of an interaction");
    fields->n = n;
    for (size_t k = 0; k < n; k++) {
        const char *name = name_of(s->interaction, k);
        fields->which[k] = find_name(name, input_names, N_INPUTS);
        if (fields->which[k] == NONE)
            return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                              "the interaction has the input '%s' of %s: "
                              "particles have x, y, z, vx, vy, vz, mass and "
                              "eps2; make others constants (//! constant)",
                              name, of);
    }
    return KOSHU_OK;
}

static koshu_status
find_outputs(struct koshu_interaction_sums *s)
{
    s->n_outputs = koshu_interaction_n_outputs(s->interaction);
    for (int o = 0; o < N_OUTPUTS; o++) s->column[o] = NONE;
    for (size_t k = 0; k < s->n_outputs; k++) {
        const int o = find_name(koshu_interaction_name_out(s->interaction, k),
                                output_names, N_OUTPUTS);
        if (o != NONE) s->column[o] = (int)k;
    }
    for (int o = AX; o <= AZ; o++)
        if (s->column[o] == NONE)
            return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                              "the interaction has no output '%s': particles "
                              "are moved by ax, ay and az (//! out: ax ay az)",
                              output_names[o]);
    return KOSHU_OK;
}

bool
koshu_interaction_sums_has_jerk(const struct koshu_interaction_sums *sums)
{
    return sums->column[JX] != NONE && sums->column[JY] != NONE &&
           sums->column[JZ] != NONE;
}

bool
koshu_interaction_sums_has_potential(const struct koshu_interaction_sums *sums)
{
    return sums->column[POTENTIAL] != NONE;
}

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_interaction_sums_create(struct koshu_context *context,
                              struct koshu_interaction *interaction,
                              struct koshu_interaction_sums **sums)
{
    struct koshu_interaction_sums *s = calloc(1, sizeof *s);
    *sums = NULL;
    if (!s) return koshu_fail_memory(context, sizeof *s, "interaction");
    s->context = context;
    s->interaction = interaction;
    koshu_status status = find_inputs(s, "an i-particle",
                                      koshu_interaction_n_i_fields(interaction),
                                      koshu_interaction_name_i, &s->i);
    if (status == KOSHU_OK)
        status = find_inputs(s, "a j-particle",
                             koshu_interaction_n_j_fields(interaction),
                             koshu_interaction_name_j, &s->j);
    if (status == KOSHU_OK) status = find_outputs(s);
    if (status == KOSHU_OK)
        *sums = s;
    else
        koshu_interaction_sums_destroy(s);
    return status;
}

void
koshu_interaction_sums_destroy(struct koshu_interaction_sums *sums)
{
    if (!sums) return;
    free(sums->i.which);
    free(sums->j.which);
    koshu_free(sums->rows_i);
    koshu_free(sums->rows_j);
    koshu_free(sums->results);
    free(sums);
}

/* ---- sums ---------------------------------------------------------------- */

static void
fill_rows(const struct koshu_interaction_sums *s, const struct fields *fields,
          size_t n, const struct koshu_interaction_inputs *in, double *rows)
{
    const double *const arrays[] = {in->x,  in->y,  in->z,   in->vx,
                                    in->vy, in->vz, in->mass};
    const int threads = koshu_region_threads(s->context, n > FEW);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < fields->n; k++) {
            const int which = fields->which[k];
            rows[i * fields->n + k] =
                    which == EPS2 ? in->eps2 : arrays[which][i];
        }
}

static void
take_results(const struct koshu_interaction_sums *s, size_t n,
             const struct koshu_interaction_outputs *out)
{
    double *const to[N_OUTPUTS] = {out->ax, out->ay, out->az,       out->jx,
                                   out->jy, out->jz, out->potential};
    for (int o = 0; o < N_OUTPUTS; o++)
        for (size_t i = 0; to[o] && i < n; i++)
            to[o][i] = s->column[o] == NONE ? 0
                                            : s->results[i * s->n_outputs +
                                                         (size_t)s->column[o]];
}

koshu_status
koshu_interaction_sums_do(struct koshu_interaction_sums *sums, size_t n_i,
                          size_t n_j,
                          const struct koshu_interaction_inputs *inputs,
                          const struct koshu_interaction_outputs *outputs)
{
    struct koshu_interaction_sums *s = sums;
    const char *what = "rows of particles for an interaction";
    KOSHU_TRY(KOSHU_GROW(s, rows_i, n_i * s->i.n, s->context, what));
    KOSHU_TRY(KOSHU_GROW(s, rows_j, n_j * s->j.n, s->context, what));
    KOSHU_TRY(KOSHU_GROW(s, results, n_i * s->n_outputs, s->context, what));
    fill_rows(s, &s->i, n_i, inputs, s->rows_i);
    fill_rows(s, &s->j, n_j, inputs, s->rows_j);
    KOSHU_TRY(koshu_interaction_evaluate(s->interaction, n_i, n_j, s->rows_i,
                                         s->rows_j, s->results));
    take_results(s, n_i, outputs);
    return KOSHU_OK;
}
