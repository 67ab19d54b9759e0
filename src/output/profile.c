/* SPDX-License-Identifier: MIT */
/* Density profiles: the densest centre, and shells around it. */
#include "output/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "output/output.h"
#include "particles/particles.h"

enum { PER_SHELL = 25, CENTRE_MIN = 50 };

/* ---- the centre ---------------------------------------------------------- */

struct sphere {
    double centre[3], radius2;
};

static double
distance2(const struct koshu_particle_view *v, size_t i, const double c[3])
{
    const double x = v->x[i] - c[0], y = v->y[i] - c[1], z = v->z[i] - c[2];
    return x * x + y * y + z * z;
}

/* The centre of mass of the particles in the sphere; returns their number. */
static size_t
centre_within(const struct koshu_particle_view *v, const struct sphere *s,
              double centre[3])
{
    double sum[3] = {0}, mass = 0;
    size_t inside = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (distance2(v, i, s->centre) > s->radius2) continue;
        inside++;
        mass += v->mass[i];
        sum[0] += v->mass[i] * v->x[i];
        sum[1] += v->mass[i] * v->y[i];
        sum[2] += v->mass[i] * v->z[i];
    }
    for (int k = 0; k < 3 && mass > 0; k++) centre[k] = sum[k] / mass;
    return inside;
}

koshu_status
koshu_densest_centre(struct koshu_particles *particles, double centre[3])
{
    struct koshu_particle_view v;
    struct sphere s;
    KOSHU_TRY(koshu_picture_view_centre(particles, s.centre));
    KOSHU_TRY(koshu_picture_view_radius(particles, s.centre, 1, &s.radius2));
    KOSHU_TRY(koshu_picture_particles(particles, &v));
    const size_t least = v.n / 100 > CENTRE_MIN ? v.n / 100 : CENTRE_MIN;
    s.radius2 *= s.radius2;
    memcpy(centre, s.centre, sizeof s.centre);
    while (s.radius2 > 0 && centre_within(&v, &s, centre) > least) {
        memcpy(s.centre, centre, sizeof s.centre);
        s.radius2 *= 0.95 * 0.95;
    }
    return KOSHU_OK;
}

/* ---- shells -------------------------------------------------------------- */

struct member {
    double radius, weight;
};

static int
nearer_first(const void *a, const void *b)
{
    const double r = ((const struct member *)a)->radius,
                 s = ((const struct member *)b)->radius;
    return (r > s) - (r < s);
}

/* Adds the shell of these members between two radii. */
static void
add_shell(struct koshu_profile *p, size_t n, const struct member *member,
          double inner, double outer)
{
    double weight = 0, moment = 0;
    for (size_t k = 0; k < n; k++) {
        weight += member[k].weight;
        moment += member[k].weight * member[k].radius;
    }
    const double volume = 4.0 / 3.0 * M_PI * (pow(outer, 3) - pow(inner, 3));
    if (!(weight > 0) || !(volume > 0) || p->n == KOSHU_PROFILE_SHELLS) return;
    p->radius[p->n] = moment / weight;
    p->density[p->n++] = weight / volume;
}

static void
cut_shells(size_t n, const struct member *member, struct koshu_profile *p)
{
    const size_t last = n - 1 - n / 1000;
    const double low = member[PER_SHELL - 1].radius, high = member[last].radius;
    const double factor =
            pow(high / low, 1.0 / (KOSHU_PROFILE_SHELLS - 1)); /* at least 1 */
    double inner = 0, outer = low;
    for (size_t first = 0, k = 0; k <= last && factor > 1; outer *= factor) {
        if (outer > high * (1 + 1e-9)) break;
        while (k <= last && member[k].radius <= outer * (1 + 1e-12)) k++;
        /* the next shell takes these as well */
        if (k - first < PER_SHELL) continue;
        add_shell(p, k - first, member + first, inner, outer);
        inner = outer;
        first = k;
    }
}

static koshu_status
fail_few(struct koshu_context *context, size_t n)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%zu particles have no density profile: it needs %d that "
                      "are not all at the centre",
                      n, 2 * PER_SHELL);
}

koshu_status
koshu_profile_of(struct koshu_particles *particles, const double centre[3],
                 enum koshu_weight weight, struct koshu_profile *profile)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_particle_view v;
    profile->n = 0;
    KOSHU_TRY(koshu_picture_particles(particles, &v));
    if (v.n < 2 * PER_SHELL) return fail_few(context, v.n);
    struct member *member = koshu_alloc(v.n, sizeof *member);
    if (!member)
        return koshu_fail_memory(context, v.n * sizeof *member,
                                 "radii of a profile");
    for (size_t i = 0; i < v.n; i++)
        member[i] = (struct member){sqrt(distance2(&v, i, centre)),
                                    koshu_weight_of(weight, v.mass[i])};
    qsort(member, v.n, sizeof *member, nearer_first);
    if (member[PER_SHELL - 1].radius > 0) cut_shells(v.n, member, profile);
    koshu_free(member);
    return profile->n > 1 ? KOSHU_OK : fail_few(context, v.n);
}
