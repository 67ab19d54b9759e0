/* SPDX-License-Identifier: MIT */
/*
 * Transforms with FFTW. Plans are estimated, not measured, so that every run
 * has the same plans and the same results, bit for bit.
 */
#include <complex.h> /* before fftw3.h, which then uses C's complex types */

#include <fftw3.h>
#include <pthread.h>

#include "base/base.h"
#include "fields/transform.h"

/* FFTW's planner is not thread-safe. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

#define FFTW(name) fftw_##name
#define NAME(name) name##_f64
#define REAL double
#include "fields/transform_fftw_body.h"
#undef FFTW
#undef NAME
#undef REAL
#define FFTW(name) fftwf_##name
#define NAME(name) name##_f32
#define REAL float
#include "fields/transform_fftw_body.h"

struct engine {
    bool in_double;
    union {
        struct plans_f64 f64;
        struct plans_f32 f32;
    };
};

const char *
koshu_transform_library(void)
{
    return "fftw";
}

double
koshu_transform_engine_error(bool in_double)
{
    return in_double ? 3e-16 : 1e-7;
}

koshu_status
koshu_transform_engine_create(struct koshu_context *context,
                              const struct koshu_mesh *mesh, bool in_double,
                              void **engine)
{
    struct engine *e = koshu_alloc(1, sizeof *e);
    /* planning lines needs one more plane */
    size_t bytes = (mesh->n[0] + 1) * mesh->n[1] * koshu_mesh_row(mesh) *
                   (in_double ? 16 : 8);
    void *field = koshu_alloc(1, bytes);
    bool has_memory = e && field, fine = false;
    if (has_memory) {
        e->in_double = in_double;
        pthread_mutex_lock(&planner);
        fine = in_double ? plan_f64(mesh, field, &e->f64)
                         : plan_f32(mesh, field, &e->f32);
        pthread_mutex_unlock(&planner);
    }
    koshu_free(field);
    *engine = e;
    if (fine) return KOSHU_OK;
    koshu_transform_engine_destroy(e);
    if (!has_memory) return koshu_fail_memory(context, bytes, "a transform");
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "FFTW has no transform of %zu x %zu x %zu cells",
                      mesh->n[0], mesh->n[1], mesh->n[2]);
}

void
koshu_transform_engine_destroy(void *engine)
{
    struct engine *e = engine;
    if (!e) return;
    pthread_mutex_lock(&planner);
    if (e->in_double)
        release_f64(&e->f64);
    else
        release_f32(&e->f32);
    pthread_mutex_unlock(&planner);
    koshu_free(e);
}

bool
koshu_transform_plane(const void *engine,
                      enum koshu_transform_direction direction, void *plane)
{
    const struct engine *e = engine;
    if (e->in_double)
        plane_f64(&e->f64, direction, plane);
    else
        plane_f32(&e->f32, direction, plane);
    return true;
}

bool
koshu_transform_columns(const void *engine,
                        enum koshu_transform_direction direction, void *waves)
{
    const struct engine *e = engine;
    if (e->in_double)
        columns_f64(&e->f64, direction, waves);
    else
        columns_f32(&e->f32, direction, waves);
    return true;
}

bool
koshu_transform_lines(const void *engine,
                      enum koshu_transform_direction direction, void *from,
                      void *to)
{
    const struct engine *e = engine;
    if (e->in_double)
        lines_f64(&e->f64, direction, from, to);
    else
        lines_f32(&e->f32, direction, from, to);
    return true;
}
