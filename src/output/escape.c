/* SPDX-License-Identifier: MIT */
/* The fraction of the mass that is not bound. */
#include "base/base.h"
#include "domain/domain.h"
#include "output/output.h"
#include "particles/particles.h"

enum { BLOCK = 1024, MOMENTUM = 0, MASS = 3, N_MEANS = 4 };

struct bodies {
    struct koshu_particle_view v;
    double u[3]; /* velocity of the centre of mass */
};

static void
add_means(const void *user, size_t begin, size_t end, struct koshu_sum *sums)
{
    const struct koshu_particle_view *v = &((const struct bodies *)user)->v;
    for (size_t i = begin; i < end; i++) {
        koshu_sum_add(&sums[MOMENTUM], v->mass[i] * v->vx[i]);
        koshu_sum_add(&sums[MOMENTUM + 1], v->mass[i] * v->vy[i]);
        koshu_sum_add(&sums[MOMENTUM + 2], v->mass[i] * v->vz[i]);
        koshu_sum_add(&sums[MASS], v->mass[i]);
    }
}

static void
add_unbound(const void *user, size_t begin, size_t end, struct koshu_sum *sums)
{
    const struct bodies *b = user;
    for (size_t i = begin; i < end; i++) {
        const double x = b->v.vx[i] - b->u[0], y = b->v.vy[i] - b->u[1],
                     z = b->v.vz[i] - b->u[2];
        const double energy = (x * x + y * y + z * z) / 2 + b->v.potential[i];
        if (energy > 0) koshu_sum_add(sums, b->v.mass[i]);
    }
}

koshu_status
koshu_escaped_fraction(struct koshu_particles *particles, double *fraction)
{
    struct bodies b;
    double means[N_MEANS], unbound;
    koshu_status status = koshu_particles_on_host(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_VELOCITY | KOSHU_FIELD_POTENTIAL,
            KOSHU_ACCESS_READ, &b.v);
    KOSHU_TRY(koshu_ranks_collective_status(koshu_particles_context(particles),
                                            status));
    struct koshu_summation s = koshu_summation_of(particles);
    s.block = BLOCK;
    s.user = &b;
    s.n_sums = N_MEANS;
    s.add = add_means;
    KOSHU_TRY(koshu_sum_particles(&s, means));
    const double mass = means[MASS];
    for (int k = 0; k < 3; k++)
        b.u[k] = mass > 0 ? means[MOMENTUM + k] / mass : 0;
    s.n_sums = 1;
    s.add = add_unbound;
    KOSHU_TRY(koshu_sum_particles(&s, &unbound));
    *fraction = mass > 0 ? unbound / mass : 0;
    return KOSHU_OK;
}
