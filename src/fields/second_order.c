/* SPDX-License-Identifier: MIT */
/* The source of second-order displacements. */
#include <string.h>

#include "base/base.h"
#include "fields/initial.h"

/* sum += weight f^2, at the points. */
static void
add_square(size_t n, int threads, double weight, const double *f, double *sum)
{
#pragma omp parallel for simd num_threads(threads)
    for (size_t i = 0; i < n; i++) sum[i] += weight * f[i] * f[i];
}

/* Computes all terms but that of delta itself; tensor is work space. */
static koshu_status
subtract_tides(struct koshu_transform *t, int threads,
               const double complex *delta, double complex *tensor, double *sum)
{
    const size_t n = koshu_field_bytes(t) / sizeof(double);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            koshu_tidal_tensor(koshu_transform_mesh(t), threads, a, b, delta,
                               tensor);
            KOSHU_TRY(koshu_transform_backward(t, tensor));
            add_square(n, threads, a == b ? -0.5 : -1, (double *)tensor, sum);
        }
    return KOSHU_OK;
}

koshu_status
koshu_second_order_source(struct koshu_transform *t, int threads,
                          const double complex *delta, double complex *source)
{
    const size_t n = koshu_field_bytes(t) / sizeof(double);
    void *work;
    KOSHU_TRY(koshu_field_create(t, "a field of second order", &work));
    memcpy(work, delta, koshu_field_bytes(t));
    memset(source, 0, koshu_field_bytes(t));
    koshu_status status = koshu_transform_backward(t, work);
    if (status == KOSHU_OK) {
        add_square(n, threads, 0.5, work, (double *)source);
        status = subtract_tides(t, threads, delta, work, (double *)source);
    }
    if (status == KOSHU_OK) status = koshu_transform_forward(t, source);
    koshu_free(work);
    return status;
}
