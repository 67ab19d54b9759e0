/* SPDX-License-Identifier: MIT */
/* Converts particles to other units. */
#include "particles/particles.h"

/* The factor by which the numbers of each field are multiplied. */
static double
factor_of(unsigned field, const struct koshu_unit_factors *f)
{
    switch (field) {
    case KOSHU_FIELD_MASS: return f->mass;
    case KOSHU_FIELD_POSITION: return f->length;
    case KOSHU_FIELD_VELOCITY: return f->velocity;
    case KOSHU_FIELD_ACCELERATION: return f->velocity * f->velocity / f->length;
    case KOSHU_FIELD_POTENTIAL: return f->velocity * f->velocity;
    default: return 1;
    }
}

/* Fields that are zero remain unwritten, and so take no memory. */
static unsigned
fields_that_change(const struct koshu_particles *particles,
                   const struct koshu_unit_factors *factors)
{
    unsigned fields = 0;
    for (size_t k = KOSHU_ARRAY_MASS; k < KOSHU_ARRAY_JX; k++)
        if (factor_of(koshu_particle_arrays[k].field, factors) != 1)
            fields |= koshu_particle_arrays[k].field;
    return fields & ~koshu_particles_unwritten(particles);
}

static void
multiply(const struct koshu_particles *particles, size_t n, double *values,
         double by)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const int threads = koshu_region_threads(context, n > 1 << 16);
#pragma omp parallel for simd num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) values[i] *= by;
}

koshu_status
koshu_particles_scale(struct koshu_particles *particles,
                      const struct koshu_unit_factors *factors)
{
    const unsigned fields = fields_that_change(particles, factors);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles, fields,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t k = KOSHU_ARRAY_MASS; k < KOSHU_ARRAY_JX; k++)
        if (koshu_particle_arrays[k].field & fields)
            multiply(particles, v.n, koshu_particle_array(&v, k),
                     factor_of(koshu_particle_arrays[k].field, factors));
    return koshu_particles_check(particles);
}

koshu_status
koshu_particles_convert(struct koshu_particles *particles,
                        const struct koshu_units *from,
                        const struct koshu_units *to)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_REQUIRE(context, from);
    KOSHU_REQUIRE(context, to);
    const struct koshu_unit_factors f = {
            koshu_units_factor(from, to, KOSHU_QUANTITY_LENGTH),
            koshu_units_factor(from, to, KOSHU_QUANTITY_MASS),
            koshu_units_factor(from, to, KOSHU_QUANTITY_VELOCITY)};
    if (f.length == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "particles in units and particles in Hénon units, "
                          "which have no size, cannot be converted into each "
                          "other");
    return koshu_particles_scale(particles, &f);
}
