/* SPDX-License-Identifier: MIT */
/*
 * Fields on a periodic mesh, and their Fourier transforms.
 *
 * A mesh has n[0] x n[1] x n[2] cells in a box with edges box[0..2]. A field is
 * one array on it, of float or double. It holds either values at the points x =
 * (i box[0] / n[0], j box[1] / n[1], l box[2] / n[2]) or, transformed in place,
 * the coefficients of
 *
 *     f(x) = sum_k f_k exp(i k x),
 *     f_k  = 1 / (n0 n1 n2) sum_x f(x) exp(-i k x)
 *
 * with k = 2 pi (a / box[0], b / box[1], c / box[2]). As f is real, only c >= 0
 * is stored: n[2] / 2 + 1 coefficients.
 *
 * Layout: rows along z begin at multiples of 64 bytes. Value (i, j, l) is
 * element (i n[1] + j) 2 koshu_mesh_row() + l; wave (i, j, l) is complex number
 * (i n[1] + j) koshu_mesh_row() + l. The rest of a row is padding with
 * undefined values. Index i of a wave stands for a = koshu_mesh_frequency(n[0],
 * i).
 *
 * Threads: only one thread at a time may use a transform or a field; the
 *   context's threads do the work. Results do not depend on their number, bit
 *   for bit.
 */
#ifndef KOSHU_FIELDS_MESH_H
#define KOSHU_FIELDS_MESH_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/force.h>
#include <koshu/status.h>

/* ---- mesh.c ------------------------------------------------------------ */

enum { KOSHU_MESH_MAX = 1 << 16 }; /* cells along an edge */

struct koshu_mesh {
    size_t n[3];   /* cells along each edge: 1 to KOSHU_MESH_MAX */
    double box[3]; /* edges, above 0 */
};

/* A cubic mesh of n^3 cells. */
struct koshu_mesh koshu_mesh_cube(size_t n, double box);

/* KOSHU_ERROR_INVALID_ARGUMENT: a number is outside its range. */
KOSHU_MUST_CHECK koshu_status koshu_mesh_check(struct koshu_context *context,
                                               const struct koshu_mesh *mesh);

/* Complex numbers from the beginning of a row of waves to the next; a row of
 * values has twice as many reals. */
size_t koshu_mesh_row(const struct koshu_mesh *mesh);

/* The number of waves along z that a field stores. */
size_t koshu_mesh_waves(const struct koshu_mesh *mesh);

/* The number of cells. */
size_t koshu_mesh_cells(const struct koshu_mesh *mesh);

/* The integer frequency of index i of n: 0, 1, ... n / 2, then negative ones up
 * to -1. For even n, n / 2 also stands for -n / 2; an odd derivative is not
 * real there and must be set to 0. */
long koshu_mesh_frequency(size_t n, size_t i);

/* The wave number: 2 pi / box times the frequency. */
double
koshu_mesh_wave_number(const struct koshu_mesh *mesh, int axis, size_t i);

/* How many waves of a real field the stored wave of index l along z stands for:
 * 1 on the planes l = 0 and, for even n[2], l = n[2] / 2; otherwise 2. */
int koshu_mesh_multiplicity(const struct koshu_mesh *mesh, size_t l);

/* ---- transform.c -------------------------------------------------------- */

/* Transforms fields on one mesh in one precision. */
struct koshu_transform;

/*
 * Prepares transforms of fields on the mesh, in KOSHU_PRECISION_SINGLE or
 * KOSHU_PRECISION_DOUBLE.
 * Ownership: the caller destroys it, before the context.
 * Error: rms 1e-7 (single) and 3e-16 (double) times log2 of the number of
 *   cells, relative to the rms of the field. KISS FFT has the error of single
 *   precision in double too; tests/unit/fields/test_transform.c.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: as koshu_mesh_check(), or another
 *   precision; KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_EXTERNAL: the library has
 *   no transform for such a mesh.
 * Source: Frigo & Johnson 2005 (Proc. IEEE 93, 216).
 */
KOSHU_MUST_CHECK koshu_status koshu_transform_create(
        struct koshu_context *context, const struct koshu_mesh *mesh,
        enum koshu_precision precision, struct koshu_transform **transform);

/* Accepts NULL. */
void koshu_transform_destroy(struct koshu_transform *transform);

const struct koshu_mesh *
koshu_transform_mesh(const struct koshu_transform *transform);

/* The library in use: "fftw" or "kiss". */
const char *koshu_transform_library(void);

/* The rms error that a transform adds to a field of rms 1. */
double koshu_transform_error(const struct koshu_transform *transform);

/*
 * A field on the transform's mesh in its precision, all zero; freed with
 * koshu_free().
 * Status: KOSHU_ERROR_OUT_OF_MEMORY, before anything is allocated if the
 *   machine does not have that much memory. `what` names the use in the
 *   message: "a field of the density".
 */
KOSHU_MUST_CHECK koshu_status
koshu_field_create(const struct koshu_transform *transform, const char *what,
                   void **field);

/* Bytes of a field. */
size_t koshu_field_bytes(const struct koshu_transform *transform);

/* Copies the values at all points, stored without padding in the same order,
 * into a field of double, and out of it. */
void koshu_field_take(const struct koshu_transform *transform,
                      const double *values, double *field);
void koshu_field_give(const struct koshu_transform *transform,
                      const double *field, double *values);

/* Transforms values to waves, in place. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_transform_forward(struct koshu_transform *transform, void *field);

/* Transforms waves to values, in place: the inverse of the above. Imaginary
 * parts of waves that are their own conjugates are ignored; waves (i, j, l) and
 * (-i, -j, l) of multiplicity 1 must be conjugates.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_transform_backward(struct koshu_transform *transform, void *field);

#endif
