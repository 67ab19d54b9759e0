/* SPDX-License-Identifier: MIT */
/* Overheads of OpenMP's parallel regions and barriers, measured without any
 * computation. */
#include "backend/simd/simd.h"

/* Keeps the compiler from removing an empty loop or region. */
#define NOTHING() __asm__ volatile("")

static void
regions(size_t n, int threads)
{
    for (size_t k = 0; k < n; k++) {
#pragma omp parallel num_threads(threads)
        NOTHING();
    }
}

static void
barriers(size_t n, int threads)
{
#pragma omp parallel num_threads(threads)
    for (size_t k = 0; k < n; k++) {
#pragma omp barrier
    }
}

static void
items(size_t n, int threads)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t k = 0; k < n; k++) NOTHING();
}

koshu_status
koshu_simd_cost(enum koshu_cost what, size_t n, int threads)
{
    switch (what) {
    case KOSHU_COST_WAIT: barriers(n, threads); return KOSHU_OK;
    case KOSHU_COST_LAUNCH: regions(n, threads); return KOSHU_OK;
    case KOSHU_COST_BLOCKS: items(n, threads); return KOSHU_OK;
    default: return KOSHU_ERROR_UNSUPPORTED;
    }
}
