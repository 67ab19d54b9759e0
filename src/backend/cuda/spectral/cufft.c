/* SPDX-License-Identifier: MIT */
/*
 * cuFFT, loaded at run time (libcufft.so, as installed by NVIDIA's packages and
 * Python wheels), so that koshu is built and runs without it. The functions
 * used have not changed since CUDA 8.
 */
#include "backend/cuda/spectral/cufft.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/base.h"

/* Constants of cufft.h, as in its binary interface. */
enum { CUFFT_SUCCESS = 0, CUFFT_ALLOC_FAILED = 2 };
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };

static struct {
    int (*create)(int *plan);
    int (*destroy)(int plan);
    int (*set_stream)(int plan, void *stream);
    int (*set_auto_allocation)(int plan, int automatic);
    int (*set_work_area)(int plan, void *memory);
    int (*make)(int plan, int rank, long long *n, long long *in_embed,
                long long in_stride, long long in_distance,
                long long *out_embed, long long out_stride,
                long long out_distance, int type, long long batch,
                size_t *bytes);
    int (*c2c)(int plan, void *from, void *to, int direction);
    int (*z2z)(int plan, void *from, void *to, int direction);
    int (*c2r)(int plan, void *from, void *to);
    int (*z2d)(int plan, void *from, void *to);
    int (*r2c)(int plan, void *from, void *to);
    int (*d2z)(int plan, void *from, void *to);
} cufft_of;

struct plan {
    int handle;
    bool there;
    enum koshu_cufft_kind kind;
    bool in_double;
};

struct koshu_cufft {
    struct koshu_context *context;
    struct plan plan[KOSHU_CUFFT_PLANS];
};

/* ---- the library --------------------------------------------------------- */

static void *
open_library(void)
{
    static const char *const names[] = {
            "libcufft.so.12",
            "libcufft.so.11",
            "libcufft.so.10",
            "/usr/local/cuda/lib64/libcufft.so.12",
            "/usr/local/cuda/lib64/libcufft.so.11",
            "/usr/local/cuda/lib64/libcufft.so.10",
            NULL,
    };
    return koshu_open_library("KOSHU_CUFFT", names);
}

/* A library, once found, stays loaded. */
static koshu_status
find(struct koshu_context *context)
{
    static bool found;
    void *library = found ? NULL : open_library();
    if (found) return KOSHU_OK;
    if (!library)
        return koshu_fail(
                context, KOSHU_ERROR_EXTERNAL,
                "cuda: Fourier transforms are cuFFT's, "
                "which cannot be loaded (%s): install the package "
                "libcufft-13-0 "
                "of NVIDIA, or libcufft11 of Ubuntu; or set KOSHU_CUFFT to the "
                "library's path; or take --backend cpu",
                dlerror());
    const struct koshu_function wanted[] = {
            {"cufftCreate", &cufft_of.create},
            {"cufftDestroy", &cufft_of.destroy},
            {"cufftSetStream", &cufft_of.set_stream},
            {"cufftSetAutoAllocation", &cufft_of.set_auto_allocation},
            {"cufftSetWorkArea", &cufft_of.set_work_area},
            {"cufftMakePlanMany64", &cufft_of.make},
            {"cufftExecC2C", &cufft_of.c2c},
            {"cufftExecZ2Z", &cufft_of.z2z},
            {"cufftExecC2R", &cufft_of.c2r},
            {"cufftExecZ2D", &cufft_of.z2d},
            {"cufftExecR2C", &cufft_of.r2c},
            {"cufftExecD2Z", &cufft_of.d2z}};
    const char *missing = koshu_find_functions(
            library, sizeof wanted / sizeof wanted[0], wanted);
    found = !missing;
    if (found) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "cuda: cuFFT is too old, or no cuFFT (there is no %s in "
                      "it): install that of CUDA 11 or newer, or take "
                      "--backend cpu",
                      missing);
}

static koshu_status
check(struct koshu_context *context, int error, const char *doing)
{
    if (error == CUFFT_SUCCESS) return KOSHU_OK;
    return koshu_fail(context,
                      error == CUFFT_ALLOC_FAILED ? KOSHU_ERROR_OUT_OF_MEMORY
                                                  : KOSHU_ERROR_EXTERNAL,
                      "cuFFT: %s: error %d", doing, error);
}

/* ---- plans -------------------------------------------------------------- */

/* The cufftType of a shape. */
static int
type_of(const struct koshu_cufft_shape *s)
{
    static const int types[3][2] = {{0x29, 0x69}, {0x2c, 0x6c}, {0x2a, 0x6a}};
    return types[s->kind][s->in_double];
}

/* Rows are of complex numbers; real rows take the same place. */
static int
make_plan(const struct plan *p, const struct koshu_cufft_shape *s,
          size_t *bytes)
{
    const bool first_real = s->kind == KOSHU_CUFFT_FROM_REAL,
               last_real = s->kind == KOSHU_CUFFT_TO_REAL;
    long long n[2] = {s->n[0], s->n[1]}, waves[2], points[2];
    const long long last = s->n[s->rank - 1];
    const bool real = first_real || last_real;
    const long long row = real ? last / 2 + 1 : last;
    waves[0] = points[0] = s->n[0];
    waves[s->rank - 1] = row;
    points[s->rank - 1] = real ? 2 * row : last;
    return cufft_of.make(p->handle, s->rank, n, first_real ? points : waves,
                         s->stride, first_real ? 2 * s->distance : s->distance,
                         last_real ? points : waves, s->stride,
                         last_real ? 2 * s->distance : s->distance, type_of(s),
                         s->batch, bytes);
}

static int
open_plan(struct plan *p, const struct koshu_cufft_shape *s, void *stream,
          size_t *bytes)
{
    p->kind = s->kind;
    p->in_double = s->in_double;
    int error = cufft_of.create(&p->handle);
    p->there = error == CUFFT_SUCCESS;
    if (error == CUFFT_SUCCESS)
        error = cufft_of.set_auto_allocation(p->handle, 0);
    if (error == CUFFT_SUCCESS) error = make_plan(p, s, bytes);
    if (error == CUFFT_SUCCESS) error = cufft_of.set_stream(p->handle, stream);
    return error;
}

koshu_status
koshu_cufft_create(struct koshu_context *context, size_t n,
                   const struct koshu_cufft_shape *shapes, void *stream,
                   struct koshu_cufft **cufft, size_t *bytes)
{
    *cufft = NULL;
    *bytes = 0;
    KOSHU_TRY(find(context));
    struct koshu_cufft *c = calloc(1, sizeof *c);
    if (!c) return koshu_fail_memory(context, sizeof *c, "transforms");
    c->context = context;
    *cufft = c;
    for (size_t k = 0; k < n; k++) {
        size_t own = 0;
        KOSHU_TRY(check(context,
                        open_plan(&c->plan[k], &shapes[k], stream, &own),
                        "making a plan"));
        if (own > *bytes) *bytes = own;
    }
    return KOSHU_OK;
}

void
koshu_cufft_destroy(struct koshu_cufft *cufft)
{
    if (!cufft) return;
    for (int k = 0; k < KOSHU_CUFFT_PLANS; k++)
        if (cufft->plan[k].there) cufft_of.destroy(cufft->plan[k].handle);
    free(cufft);
}

koshu_status
koshu_cufft_give(struct koshu_cufft *cufft, void *work_space)
{
    for (int k = 0; k < KOSHU_CUFFT_PLANS; k++)
        if (cufft->plan[k].there)
            KOSHU_TRY(check(
                    cufft->context,
                    cufft_of.set_work_area(cufft->plan[k].handle, work_space),
                    "giving it memory"));
    return KOSHU_OK;
}

koshu_status
koshu_cufft_transform(const struct koshu_cufft *cufft, size_t k, bool forward,
                      void *data)
{
    const struct plan *p = &cufft->plan[k];
    int error;
    if (p->kind == KOSHU_CUFFT_COMPLEX)
        error = (p->in_double ? cufft_of.z2z : cufft_of.c2c)(
                p->handle, data, data, forward ? CUFFT_FORWARD : CUFFT_INVERSE);
    else if (p->kind == KOSHU_CUFFT_TO_REAL)
        error = (p->in_double ? cufft_of.z2d : cufft_of.c2r)(p->handle, data,
                                                             data);
    else
        error = (p->in_double ? cufft_of.d2z : cufft_of.r2c)(p->handle, data,
                                                             data);
    return check(cufft->context, error, "a transform");
}
