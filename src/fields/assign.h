/* SPDX-License-Identifier: MIT */
/* Mass assignment: distributes particles' masses over the points of a mesh. */
#ifndef KOSHU_FIELDS_ASSIGN_H
#define KOSHU_FIELDS_ASSIGN_H

#include "fields/mesh.h"

/* The assignment scheme: kernels S are a cell convolved with itself repeatedly
 * (Hockney & Eastwood 1981, section 5-3). */
enum koshu_assignment {
    KOSHU_ASSIGNMENT_CIC, /* cloud in cell: two points along each axis */
    KOSHU_ASSIGNMENT_TSC, /* triangular-shaped cloud: three */
    KOSHU_ASSIGNMENT_PCS  /* piecewise cubic spline: four */
};

/* The names "cic", "tsc", "pcs" (NULL beyond the last), and the reverse. */
const char *koshu_assignment_name(enum koshu_assignment value);
KOSHU_MUST_CHECK koshu_status
koshu_assignment_find(struct koshu_context *context, const char *name,
                      enum koshu_assignment *value);

/* n masses at (x[0], x[1], x[2]). Positions outside the box are wrapped into
 * it. */
struct koshu_points {
    size_t n;
    const double *mass, *x[3];
};

/*
 * Adds the masses to planes [first, first + n) of x of a field of double, which
 * holds these planes only. All points that reach them must be among those
 * given. Point (i, j, l) lies at (i + shift, j + shift, l + shift) cells. The
 * result does not depend on the number of threads, bit for bit.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_points_assign(
        const struct koshu_mesh *mesh, size_t first, size_t n, int threads,
        const struct koshu_points *points, enum koshu_assignment assignment,
        double shift, double *field);

/* The number of planes of x that a point reaches, and the first of them. */
size_t koshu_assignment_planes(enum koshu_assignment assignment);
size_t koshu_points_first_plane(const struct koshu_mesh *mesh, double x,
                                enum koshu_assignment assignment, double shift);

/* By what S multiplies a wave along one axis: sinc^p(pi f / n) with p = 2
 * (CIC), 3 (TSC), 4 (PCS). */
double
koshu_assignment_window(enum koshu_assignment assignment, size_t n, long f);

/*
 * The power at wave f, along one axis, of assigned white noise of power 1: the
 * sum of S^2 over the images f + n i, all integers i. alternating: the sum of
 * (-1)^i S^2. In closed form, as these are the Fourier series of a B-spline.
 * Source: Jing 2005 (ApJ 620, 559) eqs 19-21.
 */
double koshu_assignment_images(enum koshu_assignment assignment, size_t n,
                               long f, bool alternating);

#endif
