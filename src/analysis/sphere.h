/* SPDX-License-Identifier: MIT */
/* Steps of the search for a sphere, used by overdensity.c on one rank and
 * spheres_ranks.c on several. */
#ifndef KOSHU_ANALYSIS_SPHERE_H
#define KOSHU_ANALYSIS_SPHERE_H

#include <stdbool.h>

#include "analysis/analysis.h"

struct koshu_in_sphere {
    double r2, mass;
};

/* Particles about a centre; freed with free(near). */
struct koshu_in_sphere_list {
    struct koshu_in_sphere *near;
    size_t n, capacity_near;
};

/* Adds the particles within the radius. KOSHU_ERROR_OUT_OF_MEMORY without a
 * message. */
KOSHU_MUST_CHECK koshu_status koshu_sphere_gather(
        const struct koshu_linked_cells *cells, const double centre[3],
        double radius, struct koshu_in_sphere_list *list);

/* Sorts by distance. */
void koshu_sphere_sort(struct koshu_in_sphere_list *list);

/* Whether the mean density falls to that value within the radius, or is below
 * it all the way. The list must be sorted. */
bool koshu_sphere_ends(const struct koshu_in_sphere_list *list, double density,
                       double radius, struct koshu_fof_sphere *sphere);

/* The next radius to try; the same radius: there is none. */
double koshu_sphere_next(double radius, double box);

#endif
