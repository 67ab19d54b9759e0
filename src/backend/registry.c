/* SPDX-License-Identifier: MIT */
/* The registry of backends, and the choice of the one that a context uses. */
#include <string.h>

#include "backend/backend.h"
#include "backend/simd/isa.h"
#include "base/base.h"

static const struct koshu_backend_ops *const backends[] = {
#ifdef KOSHU_HAVE_CUDA
        &koshu_backend_cuda,
#endif
        &koshu_backend_simd,
        &koshu_backend_ref,
};
enum { N_BACKENDS = sizeof backends / sizeof backends[0] };

const struct koshu_backend_ops *
koshu_backend_at(size_t k)
{
    return k < N_BACKENDS ? backends[k] : NULL;
}

static const struct koshu_backend_ops *
find(const char *name)
{
    for (size_t k = 0; k < N_BACKENDS; k++)
        if (strcmp(backends[k]->name, name) == 0) return backends[k];
    return NULL;
}

/* The first, that is the fastest, with a device; ref always has one, and is
 * last. */
static const struct koshu_backend_ops *
fastest(struct koshu_context *context)
{
    size_t k = 0;
    for (; k + 1 < N_BACKENDS && backends[k]->devices() == 0; k++)
        koshu_log(context, KOSHU_LOG_LEVEL_INFO,
                  "backend %s: no device answers", backends[k]->name);
    return backends[k];
}

/* The chosen backend differs from the name only for "auto". */
static koshu_status
choose(struct koshu_context *context, const struct koshu_backend_ops **ops)
{
    const char *name = koshu_context_backend(context);
    if (strcmp(name, "auto") == 0)
        *ops = fastest(context);
    else
        *ops = find(strcmp(name, "cpu") == 0 ? "simd" : name);
    if (*ops && (*ops)->devices() > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_NO_DEVICE,
                      *ops ? "backend %s: no device answers; give auto or cpu "
                             "to use the CPU"
                           : "backend %s: this koshu was built without it; "
                             "give auto or cpu to use the CPU",
                      name);
}

static void
close_kept(void *backend)
{
    struct koshu_backend *b = backend;
    b->ops->close(b);
}

/* Warns if devices were named, but the processors compute the sums. */
static void
warn_of_devices(struct koshu_context *context,
                const struct koshu_backend_ops *chosen)
{
    const char *devices = koshu_context_devices(context);
    const bool automatic = strcmp(koshu_context_backend(context), "auto") == 0;
    if (*devices && automatic && !chosen->numbered)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "devices %s: there is no GPU that koshu can use; using the "
                  "CPU",
                  devices);
}

koshu_status
koshu_backend_of(struct koshu_context *context, struct koshu_backend **backend)
{
    *backend = NULL;
    KOSHU_TRY(koshu_check_threads(context));
    *backend = koshu_context_kept(context);
    if (*backend) return KOSHU_OK;
    const struct koshu_backend_ops *ops;
    char reason[256];
    if (!koshu_has_stack(reason, sizeof reason))
        return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY, "%s", reason);
    KOSHU_TRY(choose(context, &ops));
    warn_of_devices(context, ops);
    KOSHU_TRY(ops->open(context, backend));
    koshu_context_keep(context, *backend, close_kept);
    return KOSHU_OK;
}

koshu_status
koshu_backend_fmm_kernels(struct koshu_context *context,
                          enum koshu_precision precision,
                          const struct koshu_fmm_kernels **kernels)
{
    struct koshu_backend *backend;
    const struct simd_isa *isa;
    KOSHU_TRY(koshu_backend_of(context, &backend));
    if (backend->ops->fmm) {
        *kernels = backend->ops->fmm->kernels(backend, precision);
        return KOSHU_OK;
    }
    KOSHU_TRY(koshu_simd_isa_choose(context, &isa));
    *kernels = isa->fmm(precision);
    return KOSHU_OK;
}

bool
koshu_backend_is_for(struct koshu_context *context, size_t n)
{
    const size_t few = (size_t)1 << 22;
    const bool automatic = strcmp(koshu_context_backend(context), "auto") == 0;
    return n > 0 && (!automatic || koshu_context_kept(context) || n >= few);
}

koshu_status
koshu_backend_require(const struct koshu_backend *backend,
                      const struct koshu_force_task *task)
{
    if (!backend->ops->can || backend->ops->can(backend, task)) return KOSHU_OK;
    return koshu_fail(backend->context, KOSHU_ERROR_UNSUPPORTED,
                      "backend %s cannot sum forces in %s precision with "
                      "softening %g; use double precision, or units in which "
                      "it is nearer to 1",
                      backend->ops->name, koshu_precision_name(task->precision),
                      task->eps);
}
