/* SPDX-License-Identifier: MIT */
/* Transforms of cuFFT, which is loaded at run time. */
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

/* Transforms of `rank` dimensions (1 or 2), in place: element (i, j) of the
 * b-th begins b `distance` elements behind that of the first, neighbours along
 * the last dimension are `stride` apart, and rows are those of complex numbers,
 * n / 2 + 1 of them where the other side is real. */
struct koshu_cufft_shape {
    enum koshu_cufft_kind kind;
    bool in_double;
    int rank;
    long long n[2];
    long long stride, distance; /* of complex numbers */
    long long batch;
};

struct koshu_cufft; /* plans, which share their work space */

enum { KOSHU_CUFFT_PLANS = 3 };

/* KOSHU_ERROR_EXTERNAL: there is no cuFFT, or it fails. *bytes: of the work
 * space that the caller gives. Whatever the status, *cufft is to be destroyed;
 * NULL is allowed. */
koshu_status koshu_cufft_create(struct koshu_context *context, size_t n,
                                const struct koshu_cufft_shape *shapes,
                                void *stream, struct koshu_cufft **cufft,
                                size_t *bytes);
void koshu_cufft_destroy(struct koshu_cufft *cufft);

koshu_status koshu_cufft_give(struct koshu_cufft *cufft, void *work_space);

/* Enqueues plan k on data of the device. Not scaled. forward: of complex ones.
 */
koshu_status koshu_cufft_transform(const struct koshu_cufft *cufft, size_t k,
                                   bool forward, void *data);

#ifdef __cplusplus
}
#endif

#endif
