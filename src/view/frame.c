/* SPDX-License-Identifier: MIT */
/* The sample of a rank's particles, and the message made of it. */
#include <stdlib.h>

#include "particles/particles.h"
#include "view/view.h"

struct koshu_view_frame *
koshu_view_frame_create(size_t max_particles)
{
    struct koshu_view_frame *frame;
    return malloc(sizeof *frame + max_particles * sizeof frame->particle[0]);
}

/* Multiples of the golden ratio (Weyl's sequence): ids with a hash below a
 * bound are evenly spread. */
static uint32_t
hash(uint64_t id)
{
    return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The bound that selects about `max` of all particles, less 3 % as their number
 * varies. */
static uint64_t
bound(size_t total, size_t max)
{
    const double all = (double)UINT32_MAX + 1;
    if (total <= max) return (uint64_t)all;
    return (uint64_t)(0.97 * all * (double)max / (double)total);
}

koshu_status
koshu_view_sample(struct koshu_particles *particles, size_t max,
                  struct koshu_view_point *point, size_t *n)
{
    struct koshu_particle_const_view v = {.size = sizeof v};
    const uint64_t below = bound(koshu_particles_total(particles), max);
    *n = 0;
    KOSHU_TRY(koshu_particles_acquire_read(
            particles, KOSHU_FIELD_ID | KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
            &v));
    for (size_t i = 0; i < v.n && *n < max; i++)
        if (hash(v.id[i]) < below)
            point[(*n)++] = (struct koshu_view_point){v.x[i], v.y[i], v.z[i],
                                                      v.mass[i]};
    koshu_particles_release_read(particles);
    return KOSHU_OK;
}

static struct koshu_view_point
mean_of(size_t n, const struct koshu_view_point *point)
{
    struct koshu_view_point mean = {0};
    const double part = 1 / (double)(n > 0 ? n : 1);
    for (size_t i = 0; i < n; i++) {
        mean.x += part * point[i].x;
        mean.y += part * point[i].y;
        mean.z += part * point[i].z;
        mean.mass += part * point[i].mass;
    }
    return mean;
}

void
koshu_view_fill(struct koshu_view_frame *frame, size_t n,
                const struct koshu_view_point *point)
{
    const struct koshu_view_point mean = mean_of(n, point);
    const double weight = mean.mass > 0 ? 1 / mean.mass : 0;
    frame->header.n = (uint32_t)n;
    frame->header.centre[0] = mean.x;
    frame->header.centre[1] = mean.y;
    frame->header.centre[2] = mean.z;
    for (size_t i = 0; i < n; i++) {
        float *p = frame->particle[i];
        p[0] = (float)(point[i].x - mean.x);
        p[1] = (float)(point[i].y - mean.y);
        p[2] = (float)(point[i].z - mean.z);
        p[3] = weight > 0 ? (float)(point[i].mass * weight) : 1;
    }
    frame->bytes = sizeof frame->header + n * sizeof frame->particle[0];
}
