/* SPDX-License-Identifier: MIT */
/* Compares this rank's particles with the same particles of a run on one
 * rank. */
#ifndef KOSHU_TESTS_MPI_DIFFERENCE_H
#define KOSHU_TESTS_MPI_DIFFERENCE_H

#include <math.h>

#include "particles/particles.h"
#include "ranks.h"

/* The columns of a view that are compared. */
struct columns {
    int n;
    const double *of[7];
};
typedef struct columns columns_of(const struct koshu_particle_view *v);

static inline struct koshu_particle_view
view_of(struct koshu_context *c, struct koshu_particles *p)
{
    struct koshu_particle_view v;
    assert_ok(c, koshu_particles_on_host(p, KOSHU_FIELD_ALL, KOSHU_ACCESS_READ,
                                         &v));
    return v;
}

/* The largest difference; NaN if any of the numbers is NaN. */
static inline double
largest_difference(struct koshu_particles *p, struct koshu_particles *whole,
                   columns_of *columns)
{
    struct koshu_particle_view a = view_of(context, p),
                               b = view_of(alone, whole);
    const struct columns mine = columns(&a), theirs = columns(&b);
    const size_t first = koshu_particles_first(p);
    double largest = 0;
    for (int k = 0; k < mine.n; k++)
        for (size_t i = 0; i < a.n; i++) {
            double d = fabs(mine.of[k][i] - theirs.of[k][first + i]);
            if (!(d <= largest)) largest = d;
        }
    return largest;
}

/* The same, relative to the largest of the numbers. */
static inline double
relative_difference(struct koshu_particles *p, struct koshu_particles *whole,
                    columns_of *columns)
{
    struct koshu_particle_view b = view_of(alone, whole);
    const struct columns theirs = columns(&b);
    double scale = 1e-300;
    for (int k = 0; k < theirs.n; k++)
        for (size_t i = 0; i < b.n; i++)
            scale = fmax(scale, fabs(theirs.of[k][i]));
    return largest_difference(p, whole, columns) / scale;
}

#endif
