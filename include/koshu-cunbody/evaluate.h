/* SPDX-License-Identifier: MIT */
/*
 * What cunbody_api() calls; includes nothing, so that a program needs no more
 * than this folder to be compiled.
 *
 * Threads: any thread may call; calls take turns.
 */
#ifndef KOSHU_CUNBODY_EVALUATE_H
#define KOSHU_CUNBODY_EVALUATE_H

#ifdef __cplusplus
extern "C" {
#endif

/* A pipeline description, and how many numbers an i-particle, a j-particle and
 * a result have. */
struct cunbody_pipeline {
    int idim, jdim, fdim; /* >= 1 */
    const char *text;     /* the description itself; NULL: in a file */
    const char *file;     /* its name; NULL: what the environment variable
                             CUNBODY_PIPELINE names */
};

/*
 * xj has nj rows of jdim numbers, xi has ni rows of idim; f gets ni rows of
 * fdim, and may not overlap the others. ni = 0 does nothing. A file is read at
 * its first use, a description compiled once for all who name the same, until
 * koshu_cunbody_close(). Single precision, unless KOSHU_CUNBODY_PRECISION says
 * double.
 *
 * 0: done. -1: not; what was wrong has been told (cunbody.h), and f is filled
 * with NaN.
 */
int cunbody_evaluate(const struct cunbody_pipeline *pipeline, const double *xj,
                     const double *xi, double *f, int ni, int nj);

#ifdef __cplusplus
}
#endif

#endif
