/* SPDX-License-Identifier: MIT */
/* Fourier transforms with cuFFT, which is loaded at run time. */
#ifndef KOSHU_BACKEND_CUDA_SPECTRAL_CUFFT_H
#define KOSHU_BACKEND_CUDA_SPECTRAL_CUFFT_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_context;

enum koshu_cufft_kind {
    KOSHU_CUFFT_COMPLEX,
    KOSHU_CUFFT_TO_REAL,
    KOSHU_CUFFT_FROM_REAL
};

/* Transforms of `rank` dimensions (1 or 2), in place. Batch b begins b
 * `distance` elements after the first; neighbours along the last dimension are
 * `stride` apart. Rows are those of complex numbers, n / 2 + 1 of them if the
 * other side is real. */
struct koshu_cufft_shape {
    enum koshu_cufft_kind kind;
    bool in_double;
    int rank;
    long long n[2];
    long long stride, distance; /* in complex numbers */
    long long batch;
};

struct koshu_cufft; /* plans with a common work space */

enum { KOSHU_CUFFT_PLANS = 3 };

/* KOSHU_ERROR_EXTERNAL: cuFFT is missing or fails. *bytes: size of the work
 * space, which the caller provides. The caller destroys *cufft whatever the
 * status; NULL is accepted. */
koshu_status koshu_cufft_create(struct koshu_context *context, size_t n,
                                const struct koshu_cufft_shape *shapes,
                                void *stream, struct koshu_cufft **cufft,
                                size_t *bytes);
void koshu_cufft_destroy(struct koshu_cufft *cufft);

koshu_status koshu_cufft_give(struct koshu_cufft *cufft, void *work_space);

/* Enqueues plan k on data in device memory. Not scaled. forward: for complex
 * transforms. */
koshu_status koshu_cufft_transform(const struct koshu_cufft *cufft, size_t k,
                                   bool forward, void *data);

#ifdef __cplusplus
}
#endif

#endif
