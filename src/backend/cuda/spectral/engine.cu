/* SPDX-License-Identifier: MIT */
/* The pseudo-spectral solver on the device: creation, and the backend's
 * operations. */
#include <cmath>
#include <cstdio>

#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/object.cuh"
#include "backend/cuda/spectral/engine.cuh"

using namespace koshu;

/* ---- sizes -------------------------------------------------------------- */

static size_t
plane_bytes(const koshu_spectral_engine &e)
{
    return SPECTRAL_PRODUCTS * e.sizes.mesh * e.row * number_bytes(e);
}

/* The number of planes processed at once: as many as fit in an eighth of the
 * device's memory, and in 8 GiB. (Few enough to stay in the cache would take a
 * fifth longer, as batches of cuFFT are then too small.) */
static cudaError_t
find_limit(const koshu_spectral_engine &e, size_t *planes)
{
    size_t available, total;
    KOSHU_CUDA_TRY(cudaMemGetInfo(&available, &total));
    const size_t bytes = std::min((size_t)8 << 30, total / 8);
    *planes = e.sizes.planes ? e.sizes.planes : bytes / plane_bytes(e);
    *planes = std::max((size_t)1, std::min(*planes, e.sizes.mesh));
    return cudaSuccess;
}

/* Chunks of about equal size; missing planes of the last one are left alone. */
static cudaError_t
divide(koshu_spectral_engine *e)
{
    size_t planes;
    KOSHU_CUDA_TRY(find_limit(*e, &planes));
    e->chunks = blocks_for(e->sizes.mesh, planes);
    e->chunk = blocks_for(e->sizes.mesh, e->chunks);
    return cudaSuccess;
}

static cudaError_t
reserve(koshu_spectral_engine *e)
{
    const koshu_spectral_sizes &s = e->sizes;
    const size_t state = 3 * s.m * s.m * s.k * number_bytes(*e),
                 mixed = SPECTRAL_PRODUCTS * s.mesh * s.m * s.k *
                         number_bytes(*e);
    KOSHU_CUDA_TRY(divide(e));
    KOSHU_CUDA_TRY(reserve_zeros(e->cuda, &e->state, state));
    KOSHU_CUDA_TRY(e->sum.reserve(state));
    KOSHU_CUDA_TRY(e->mixed.reserve(mixed));
    KOSHU_CUDA_TRY(
            reserve_zeros(e->cuda, &e->planes, e->chunk * plane_bytes(*e)));
    KOSHU_CUDA_TRY(reserve_zeros(e->cuda, &e->decay, s.m * sizeof(double)));
    return e->result.reserve(s.m * 4 * sizeof(double));
}

/* ---- koshu's own transforms --------------------------------------------- */

namespace koshu {

#define KOSHU_SPECTRAL_MESHES(X) X(24) X(48) X(96) X(192) X(384) X(768) X(1536)
#define DECLARE(mesh) const spectral_passes *spectral_passes_##mesh(bool);
KOSHU_SPECTRAL_MESHES(DECLARE)

const spectral_passes *
spectral_find_passes(const koshu_spectral_sizes &s)
{
    if (s.mesh != 3 * s.k) return nullptr;
    switch (s.mesh) {
#define FIND(mesh) \
    case mesh: return spectral_passes_##mesh(s.in_double);
        KOSHU_SPECTRAL_MESHES(FIND)
    default: return nullptr;
    }
}

} /* namespace koshu */

static cudaError_t
upload_roots(koshu_spectral_engine *e)
{
    const size_t bytes = 2 * e->sizes.mesh * number_bytes(*e);
    void *const roots = malloc(bytes);
    if (!roots) return cudaErrorMemoryAllocation;
    e->passes->make_roots(roots);
    cudaError_t error = e->roots.reserve(bytes);
    const host_copy copy = {e->roots.as<void>(), roots, bytes};
    if (error == cudaSuccess) error = upload(e->cuda, &copy, 1);
    free(roots);
    return error;
}

/* ---- life --------------------------------------------------------------- */

static koshu_status
make_transforms(koshu_spectral_engine *e)
{
    const long long mesh = (long long)e->sizes.mesh, row = (long long)e->row,
                    waves = (long long)(e->sizes.m * e->sizes.k),
                    chunk = (long long)e->chunk;
    const bool in_double = e->sizes.in_double;
    koshu_cufft_shape shapes[KOSHU_CUFFT_PLANS] = {};
    if (e->passes) return status_of(e->cuda, upload_roots(e), "roots of unity");
    shapes[PLAN_COLUMNS] = {
            KOSHU_CUFFT_COMPLEX,       in_double, 1,    {mesh, 0},
            SPECTRAL_PRODUCTS * waves, 1,         waves};
    shapes[PLAN_TO_POINTS] = {
            KOSHU_CUFFT_TO_REAL, in_double, 2, {mesh, mesh}, 1,
            mesh * row,          3 * chunk};
    shapes[PLAN_TO_WAVES] = {
            KOSHU_CUFFT_FROM_REAL,    in_double, 2, {mesh, mesh}, 1, mesh * row,
            SPECTRAL_PRODUCTS * chunk};
    size_t bytes;
    KOSHU_TRY(koshu_cufft_create(e->backend->context, KOSHU_CUFFT_PLANS, shapes,
                                 (cudaStream_t)e->cuda->stream, &e->cufft,
                                 &bytes));
    KOSHU_TRY(status_of(e->cuda, e->work.reserve(bytes),
                        "work space of transforms"));
    return koshu_cufft_give(e->cufft, e->work.as<void>());
}

static void
destroy(koshu_spectral_engine *e)
{
    if (!e) return;
    koshu_cuda_enter(e->cuda);
    cudaStreamSynchronize(e->cuda->stream);
    koshu_cufft_destroy(e->cufft);
    free_object(e);
}

static koshu_status
create(koshu_backend *backend, const koshu_spectral_sizes *sizes,
       koshu_spectral_engine **engine)
{
    koshu_spectral_engine *e = make_object<koshu_spectral_engine>();
    *engine = nullptr;
    if (!e)
        return koshu_fail_memory(backend->context, sizeof *e,
                                 "a spectral method");
    e->backend = backend;
    e->cuda = enter(backend);
    e->sizes = *sizes;
    e->passes = spectral_find_passes(*sizes);
    e->row = e->passes ? sizes->k : sizes->mesh / 2 + 1;
    koshu_status status = status_of(e->cuda, reserve(e), "a spectral method");
    if (status == KOSHU_OK) status = make_transforms(e);
    if (status == KOSHU_OK)
        *engine = e;
    else
        destroy(e);
    return status;
}

/* ---- the state ---------------------------------------------------------- */

static host_copy
copy_of(const koshu_spectral_engine &e, const void *state)
{
    const koshu_spectral_sizes &s = e.sizes;
    return {e.state.as<void>(), const_cast<void *>(state),
            3 * s.m * s.m * s.k * number_bytes(e)};
}

static const koshu_spectral_factors none = {0, nullptr, 1, 0};

/* The kernels launched in its scope rely on the L1 cache. */
class without_shared_memory {
  public:
    explicit without_shared_memory(koshu_cuda *of)
        : cuda(of), before(of->shared_memory)
    {
        cuda->shared_memory = -1;
    }
    ~without_shared_memory()
    {
        cuda->shared_memory = before;
    }
    without_shared_memory(const without_shared_memory &) = delete;
    without_shared_memory &operator=(const without_shared_memory &) = delete;

  private:
    koshu_cuda *cuda;
    int before;
};

static koshu_status
prepare(const koshu_spectral_engine &e)
{
    return spectral_columns(e, SPECTRAL_PREPARE, none);
}

static koshu_status
set(koshu_spectral_engine *e, const void *state)
{
    enter(e->backend);
    const without_shared_memory now(e->cuda);
    const host_copy copy = copy_of(*e, state);
    KOSHU_TRY(status_of(e->cuda, upload(e->cuda, &copy, 1),
                        "waves of a spectral method"));
    return prepare(*e);
}

static koshu_status
get(const koshu_spectral_engine *e, void *state)
{
    enter(e->backend);
    const host_copy copy = copy_of(*e, state);
    return status_of(e->cuda, download(e->cuda, &copy, 1),
                     "waves of a spectral method");
}

/* ---- steps -------------------------------------------------------------- */

/* Reads a number behind the first row. */
static cudaError_t
read_probe(const koshu_spectral_engine &e, double *probe)
{
    const size_t bytes = number_bytes(e) / 2,
                 at = std::min(2 * e.sizes.k + 2,
                               6 * e.sizes.m * e.sizes.m * e.sizes.k - 1);
    float single;
    const host_copy copy = {e.state.as<char>() + at * bytes,
                            e.sizes.in_double ? (void *)probe : &single, bytes};
    KOSHU_CUDA_TRY(download(e.cuda, &copy, 1));
    if (!e.sizes.in_double) *probe = single;
    return cudaSuccess;
}

static koshu_status
step(koshu_spectral_engine *e, const koshu_spectral_factors *factors,
     double *probe)
{
    const char *const doing = "a step of a spectral method";
    enter(e->backend);
    const without_shared_memory now(e->cuda);
    const host_copy decay = {e->decay.as<void>(),
                             const_cast<double *>(factors->decay),
                             e->sizes.m * sizeof(double)};
    KOSHU_TRY(status_of(e->cuda, upload(e->cuda, &decay, 1), doing));
    for (int stage = SPECTRAL_FIRST; stage <= SPECTRAL_FOURTH; stage++) {
        KOSHU_TRY(spectral_planes(*e, nullptr));
        KOSHU_TRY(spectral_columns(*e, (spectral_stage)stage, *factors));
    }
    return status_of(e->cuda, read_probe(*e, probe), doing);
}

static koshu_status
real(koshu_spectral_engine *e)
{
    enter(e->backend);
    const without_shared_memory now(e->cuda);
    KOSHU_TRY(status_of(e->cuda, spectral_make_real(*e),
                        "waves of a spectral method"));
    return prepare(*e);
}

/* ---- sums --------------------------------------------------------------- */

static cudaError_t
find_sums(const koshu_spectral_engine &e, double edge, double (*row)[6])
{
    auto *const on_device = e.result.as<double[4]>();
    const size_t m = e.sizes.m;
    double(*const four)[4] = static_cast<double(*)[4]>(calloc(m, sizeof *four));
    if (!four) return cudaErrorMemoryAllocation;
    const host_copy copy = {on_device, four, m * sizeof *four};
    cudaError_t error = spectral_sums(e, edge, on_device);
    if (error == cudaSuccess) error = download(e.cuda, &copy, 1);
    for (size_t j = 0; j < m; j++)
        for (int k = 0; k < 4; k++) row[j][k] = four[j][k];
    free(four);
    return error;
}

static koshu_status
sums(const koshu_spectral_engine *e, double edge, double (*row)[6])
{
    enter(e->backend);
    const without_shared_memory now(e->cuda);
    return status_of(e->cuda, find_sums(*e, edge, row),
                     "sums of a spectral method");
}

/* Maxima of u, then of its curl, into `bits`. Mixed waves are again those of u
 * at the end. */
static koshu_status
probe(const koshu_spectral_engine &e, unsigned long long *bits)
{
    KOSHU_TRY(status_of(
            e.cuda, cudaMemsetAsync(bits, 0, 4 * sizeof *bits, e.cuda->stream),
            "maxima of a spectral method"));
    KOSHU_TRY(spectral_planes(e, bits));
    KOSHU_TRY(spectral_columns(e, SPECTRAL_CURL, none));
    KOSHU_TRY(spectral_planes(e, bits + 2));
    return prepare(e);
}

static koshu_status
maxima(koshu_spectral_engine *e, double max[3])
{
    double found[4];
    enter(e->backend);
    const without_shared_memory now(e->cuda);
    auto *const bits = e->result.as<unsigned long long>();
    const host_copy copy = {bits, found, sizeof found};
    KOSHU_TRY(probe(*e, bits));
    KOSHU_TRY(status_of(e->cuda, download(e->cuda, &copy, 1),
                        "maxima of a spectral method"));
    max[0] = found[0];
    max[1] = found[2];
    max[2] = found[1];
    return KOSHU_OK;
}

const koshu_spectral_ops koshu_cuda_spectral_ops = {.create = create,
                                                    .destroy = destroy,
                                                    .set = set,
                                                    .get = get,
                                                    .step = step,
                                                    .make_real = real,
                                                    .sums = sums,
                                                    .maxima = maxima};
