/* SPDX-License-Identifier: MIT */
/* The functions of listings.h in builds without CUDA. */
#include "bench/cases/listings.h"
#include "bench/internal.h"

koshu_status
listing_open(struct koshu_context *context, enum listing which,
             const struct koshu_particle_const_view *particles, double eps2,
             struct listing_sums **sums)
{
    (void)which, (void)particles, (void)eps2;
    *sums = NULL;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "this koshu was built without CUDA");
}

void
listing_close(struct listing_sums *sums)
{
    (void)sums;
}

koshu_status
listing_once(void *sums)
{
    (void)sums;
    return KOSHU_ERROR_UNSUPPORTED;
}

koshu_status
listing_wait(void *sums)
{
    (void)sums;
    return KOSHU_ERROR_UNSUPPORTED;
}

koshu_status
listing_read(struct listing_sums *sums, double *ax, double *ay, double *az)
{
    (void)sums, (void)ax, (void)ay, (void)az;
    return KOSHU_ERROR_UNSUPPORTED;
}
