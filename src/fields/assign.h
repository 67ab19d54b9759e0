/* SPDX-License-Identifier: MIT */
/* Particles on a mesh: what of their mass each point gets. */
#ifndef KOSHU_FIELDS_ASSIGN_H
#define KOSHU_FIELDS_ASSIGN_H

#include "fields/mesh.h"

/* How far a particle reaches: with a kernel S that is a cell, convolved with
 * itself (Hockney & Eastwood 1981, section 5-3). */
enum koshu_assignment {
    KOSHU_ASSIGNMENT_CIC, /* cloud in cell: two points along each axis */
    KOSHU_ASSIGNMENT_TSC, /* triangular-shaped cloud: three */
    KOSHU_ASSIGNMENT_PCS  /* piecewise cubic spline: four */
};

/* "cic", "tsc", "pcs"; NULL past the last. And back. */
const char *koshu_assignment_name(enum koshu_assignment value);
KOSHU_MUST_CHECK koshu_status
koshu_assignment_find(struct koshu_context *context, const char *name,
                      enum koshu_assignment *value);

/* n masses at (x[0], x[1], x[2]), anywhere: the box of the mesh is periodic. */
struct koshu_points {
    size_t n;
    const double *mass, *x[3];
};

/*
 * Adds the masses to a field of double. Point (i, j, l) stands at (i + shift, j
 * + shift, l + shift) cells. The same bits for any number of threads.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_points_assign(
        const struct koshu_transform *transform, int threads,
        const struct koshu_points *points, enum koshu_assignment assignment,
        double shift, double *field);

/* The same to planes [first, first + n) of x alone, which the field has, by the
 * points given: those of others that reach these planes are missing. */
KOSHU_MUST_CHECK koshu_status koshu_points_assign_planes(
        const struct koshu_mesh *mesh, size_t first, size_t n, int threads,
        const struct koshu_points *points, enum koshu_assignment assignment,
        double shift, double *field);

/* How many planes of x a point reaches, and the first of them. */
size_t koshu_assignment_planes(enum koshu_assignment assignment);
size_t koshu_points_first_plane(const struct koshu_mesh *mesh, double x,
                                enum koshu_assignment assignment, double shift);

/* What S multiplies a wave by, along one axis: sinc^p(pi f / n) with p = 2
 * (CIC), 3 (TSC), 4 (PCS). */
double
koshu_assignment_window(enum koshu_assignment assignment, size_t n, long f);

/*
 * What white noise of power 1 becomes at wave f: the sum over its images, f + n
 * i with all integers i, of S^2, along one axis; alternating has the sign of i:
 * (-1)^i. Closed forms, as they are the Fourier series of a B-spline.
 * Source: Jing 2005 (ApJ 620, 559) eqs 19-21.
 */
double koshu_assignment_images(enum koshu_assignment assignment, size_t n,
                               long f, bool alternating);

#endif
