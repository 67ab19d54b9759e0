/* SPDX-License-Identifier: MIT */
/*
 * What Fortran calls, every argument by reference; `length` is what Fortran
 * compilers pass unseen behind the others for a character string.
 *
 *     call cunbody_pipeline_file('force.pipe', 4, 4, 3)   ! IDIM JDIM FDIM
 *     call cunbody_api(p_xj, p_xi, p_f, ni, nj)
 *
 * with p_xj(JDIM, nj), p_xi(IDIM, ni), p_f(FDIM, ni) of double precision. A
 * program may go to and fro between pipelines: each is compiled once.
 * cunbody_api is also an integer function, 0: done. (force_ is in force.h.)
 *
 * Threads: any thread may call; calls take turns.
 */
#ifndef KOSHU_CUNBODY_FORTRAN_H
#define KOSHU_CUNBODY_FORTRAN_H

#include <stddef.h>

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The pipeline of the calls that follow, of any thread. Blanks at the end of a
 * string, and what follows a zero byte, do not count. */
KOSHU_API void cunbody_pipeline_file_(const char *name, const int *idim,
                                      const int *jdim, const int *fdim,
                                      size_t length);
KOSHU_API void cunbody_pipeline_text_(const char *text, const int *idim,
                                      const int *jdim, const int *fdim,
                                      size_t length);

KOSHU_API int cunbody_api_(const double *p_xj, const double *p_xi, double *p_f,
                           const int *ni, const int *nj);

KOSHU_API void koshu_cunbody_close_(void);

#ifdef __cplusplus
}
#endif

#endif
