/* SPDX-License-Identifier: MIT */
/* Parts of the search for a sphere: overdensity.c does it on one rank,
 * spheres_ranks.c on several. */
#ifndef KOSHU_ANALYSIS_SPHERE_H
#define KOSHU_ANALYSIS_SPHERE_H

#include <stdbool.h>

#include "analysis/analysis.h"

struct koshu_in_sphere {
    double r2, mass;
};

/* Particles about a centre; freed by free(near). */
struct koshu_in_sphere_list {
    struct koshu_in_sphere *near;
    size_t n, capacity_near;
};

/* Adds those within the radius. KOSHU_ERROR_OUT_OF_MEMORY without a message. */
KOSHU_MUST_CHECK koshu_status koshu_sphere_gather(
        const struct koshu_linked_cells *cells, const double centre[3],
        double radius, struct koshu_in_sphere_list *list);

/* The nearest first. */
void koshu_sphere_sort(struct koshu_in_sphere_list *list);

/* Does the density fall below within the radius, or is it lower all the way?
 * Of a list that is sorted. */
bool koshu_sphere_ends(const struct koshu_in_sphere_list *list, double density,
                       double radius, struct koshu_fof_sphere *sphere);

/* The radius after this one; the same: there is none. */
double koshu_sphere_next(double radius, double box);

#endif
