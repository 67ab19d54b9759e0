/* SPDX-License-Identifier: MIT */
/* The stars of a model: how many are in binaries, and their masses. */
#include "initial/population.h"

#include <math.h>

#include "base/base.h"
#include "domain/domain.h"

/* ---- checks -------------------------------------------------------------- */

static koshu_status
check_segregation(struct koshu_context *context,
                  const struct koshu_initial_options *o,
                  const struct koshu_model_ops *model)
{
    if (!(o->mass_segregation >= 0 && o->mass_segregation <= 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "mass_segregation = %g: it must be in [0, 1]",
                          o->mass_segregation);
    if (o->mass_segregation == 0 || model->equilibrium) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "mass_segregation: the model %s is in no equilibrium "
                      "whose orbits could be put in order; choose plummer, "
                      "king, hernquist, dehnen, nfw or eff, or leave it out",
                      koshu_model_name(o->model));
}

/* Some models do not consist of stars. */
static koshu_status
check_stars(struct koshu_context *context,
            const struct koshu_initial_options *o)
{
    if ((o->model != KOSHU_MODEL_TWO_BODY && o->model != KOSHU_MODEL_GALAXY) ||
        (o->mass_function == KOSHU_MASS_FUNCTION_EQUAL &&
         o->binary_fraction == 0))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "the model %s has masses of its own: leave "
                      "mass_function and binary_fraction out",
                      koshu_model_name(o->model));
}

koshu_status
koshu_population_check(struct koshu_context *context,
                       const struct koshu_initial_options *o,
                       const struct koshu_model_ops *model)
{
    KOSHU_TRY(check_stars(context, o));
    KOSHU_TRY(check_segregation(context, o, model));
    return koshu_binaries_check(context, o);
}

/* ---- masses -------------------------------------------------------------- */

/* The systems that this rank sums. */
struct own_systems {
    const struct koshu_population *population;
    size_t first;
};

static void
add_masses(const void *user, size_t begin, size_t end, struct koshu_sum *sum)
{
    const struct own_systems *own = user;
    for (size_t s = begin; s < end; s++) {
        const struct koshu_system stars =
                koshu_population_system(own->population, own->first + s);
        koshu_sum_add(sum, stars.mass[0]);
        koshu_sum_add(sum, stars.mass[1]);
    }
}

/* Sums in a constant number of blocks, so that the result is bitwise identical
 * on any number of ranks. */
static koshu_status
sum_masses(struct koshu_context *context, struct koshu_population *p)
{
    enum { N_BLOCKS = 256 };
    const struct koshu_slice slice =
            koshu_slice_of(p->n_systems, koshu_context_rank(context),
                           koshu_context_ranks(context));
    const struct own_systems own = {p, slice.first};
    const struct koshu_summation all = {
            .context = context,
            .threads = koshu_region_threads(context, slice.n > 1 << 10),
            .slice = slice,
            .total = p->n_systems,
            .block = p->n_systems / N_BLOCKS + 1,
            .n_sums = 1,
            .add = add_masses,
            .user = &own};
    return koshu_sum_particles(&all, &p->total);
}

koshu_status
koshu_population_make(struct koshu_context *context,
                      const struct koshu_initial_options *o,
                      struct koshu_population *p)
{
    const double n = (double)o->n, f = o->binary_fraction;
    *p = (struct koshu_population){.options = *o};
    p->n_binaries = (size_t)llround(f * n / (1 + f));
    if (p->n_binaries > o->n / 2) p->n_binaries = o->n / 2;
    p->n_systems = o->n - p->n_binaries;
    koshu_status status = koshu_mass_function_make(context, o, &p->masses);
    if (status == KOSHU_OK && p->n_binaries > 0)
        status = koshu_periods_make(context, o, &p->periods);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    p->total = n;
    if (o->mass_function != KOSHU_MASS_FUNCTION_EQUAL)
        KOSHU_TRY(sum_masses(context, p));
    return p->n_binaries > 0 ? koshu_population_days(context, p) : KOSHU_OK;
}

void
koshu_population_free(struct koshu_population *p)
{
    koshu_free(p->masses.segment);
    koshu_free(p->periods.segment);
    koshu_free(p->orbit);
}
