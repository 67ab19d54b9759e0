/* SPDX-License-Identifier: MIT */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "backend/cuda/internal.h"
#include "backend/cuda/pairs/recompute_launcher.cuh"
#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/pairs/forces.cuh"

enum { OLDEST_MAJOR = 8 };

/* Those before the first that is too old. */
int
koshu_cuda_devices(void)
{
    int count = 0, n = 0, major;
    if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
    while (n < count &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                  n) == cudaSuccess &&
           major >= OLDEST_MAJOR)
        n++;
    cudaGetLastError(); /* no driver, or none that works: forgotten */
    return n;
}

static void
write_name(const cudaDeviceProp &properties, char *text, size_t size)
{
    snprintf(text, size, "%.80s, %d multiprocessors, %zu GiB", properties.name,
             properties.multiProcessorCount, properties.totalGlobalMem >> 30);
}

static void
describe(int k, koshu_device *device)
{
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, k);
    device->number = k;
    if (error != cudaSuccess) {
        snprintf(device->reason, sizeof device->reason, "%s",
                 cudaGetErrorString(error));
        return;
    }
    write_name(properties, device->name, sizeof device->name);
    device->memory = properties.totalGlobalMem;
    if (properties.major < OLDEST_MAJOR)
        snprintf(device->reason, sizeof device->reason,
                 "compute capability %d.%d; koshu needs %d.0 or later",
                 properties.major, properties.minor, OLDEST_MAJOR);
    else if (k >= koshu_cuda_devices())
        snprintf(device->reason, sizeof device->reason,
                 "it comes after a GPU that is too old: order them by "
                 "CUDA_VISIBLE_DEVICES");
}

bool
koshu_cuda_describe(int k, struct koshu_device *device)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0) {
        if (k < count) describe(k, device);
    } else {
        snprintf(device->reason, sizeof device->reason, "%s",
                 error != cudaSuccess ? cudaGetErrorString(error)
                                      : "no CUDA device");
        count = 1;
    }
    cudaGetLastError(); /* no driver, or none that works: forgotten */
    return k < count;
}

static cudaError_t
open_progress(koshu_cuda *cuda)
{
    struct device_part {
        unsigned long long begin;
        koshu::sums_done done;
    };
    KOSHU_CUDA_TRY(cuda->progress_memory.reserve(sizeof(device_part)));
    device_part *part = cuda->progress_memory.as<device_part>();
    KOSHU_CUDA_TRY(cudaMemset(part, 0, sizeof *part));
    void *seen;
    KOSHU_CUDA_TRY(cudaHostAlloc(&seen, sizeof(koshu::sums_done),
                                 cudaHostAllocMapped));
    memset(seen, 0, sizeof(koshu::sums_done));
    cuda->progress = {&part->begin, &part->done,
                      static_cast<koshu::sums_done *>(seen)};
    return cudaSuccess;
}

/* "GPU-" and 32 hexadecimal digits */
static void
write_unit(const cudaUUID_t &uuid, char *unit, size_t size)
{
    int n = snprintf(unit, size, "GPU-");
    for (char c : uuid.bytes)
        n += snprintf(unit + n, size - (size_t)n, "%02x", (unsigned char)c);
}

static cudaError_t
open_device(int device, koshu_cuda *cuda, struct koshu_cuda_names *names)
{
    const size_t max_row_bytes = (size_t)2 << 30;
    cudaDeviceProp properties;
    cuda->device = device;
    KOSHU_CUDA_TRY(cudaSetDevice(device));
    KOSHU_CUDA_TRY(cudaGetDeviceProperties(&properties, device));
    cuda->multiprocessors = (size_t)properties.multiProcessorCount;
    cuda->overlaps_launches = properties.major >= 9;
    cuda->row_bytes = properties.totalGlobalMem / 8;
    if (cuda->row_bytes > max_row_bytes) cuda->row_bytes = max_row_bytes;
    cuda->shared_memory = koshu::SHARED_MEMORY;
    write_name(properties, names->device, sizeof names->device);
    snprintf(names->model, sizeof names->model, "%s, compute capability %d.%d",
             properties.name, properties.major, properties.minor);
    write_unit(properties.uuid, names->unit, sizeof names->unit);
    KOSHU_CUDA_TRY(cuda->staged.open());
    KOSHU_CUDA_TRY(open_progress(cuda));
    KOSHU_CUDA_TRY(koshu::make_counters(cuda));
    return cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking);
}

int
koshu_cuda_open(struct koshu_context *context, int device,
                struct koshu_cuda **cuda, struct koshu_cuda_names *names)
{
    *cuda = nullptr;
    void *memory = calloc(1, sizeof(koshu_cuda));
    if (!memory) return cudaErrorMemoryAllocation;
    koshu_cuda *created = new (memory) koshu_cuda();
    created->context = context;
    cudaError_t error = open_device(device, created, names);
    if (error == cudaSuccess)
        *cuda = created;
    else
        koshu_cuda_close(created);
    return error;
}

void
koshu_cuda_close(struct koshu_cuda *cuda)
{
    if (!cuda) return;
    koshu_cuda_enter(cuda);
    if (cuda->stream) {
        cudaStreamSynchronize(cuda->stream);
        cudaStreamDestroy(cuda->stream);
    }
    if (cuda->walk_clock) cudaEventDestroy(cuda->walk_clock);
    if (cuda->progress.seen) cudaFreeHost((void *)cuda->progress.seen);
    cuda->~koshu_cuda();
    free(cuda);
}

int
koshu_cuda_memory(size_t *free_bytes, size_t *total)
{
    return cudaMemGetInfo(free_bytes, total);
}

/* The driver is queried first: its answers take longer. */
void
koshu_cuda_enter(const struct koshu_cuda *cuda)
{
    int now;
    if (cudaGetDevice(&now) != cudaSuccess || now != cuda->device)
        cudaSetDevice(cuda->device);
}

koshu_cuda *
koshu::enter(const koshu_backend *backend)
{
    koshu_cuda *cuda =
            reinterpret_cast<const koshu_cuda_backend *>(backend)->cuda;
    koshu_cuda_enter(cuda);
    return cuda;
}

double
koshu_cuda_seconds(const struct koshu_cuda *cuda)
{
    const volatile koshu::sums_done *seen = cuda->progress.seen;
    unsigned long long count = seen->count;
    if (count == 0) return 0;
    return 1e-9 * (double)seen->nanoseconds * (double)cuda->sums /
           (double)count;
}

int
koshu_cuda_keep_pace(struct koshu_cuda *cuda, unsigned ahead)
{
    const unsigned long long interval = 4096;
    const volatile koshu::sums_done *seen = cuda->progress.seen;
    unsigned long long polls = 0;
    while (cuda->sums > seen->count + ahead) {
        if (++polls % interval != 0) continue;
        cudaError_t error = cudaStreamQuery(cuda->stream);
        if (error != cudaErrorNotReady) return error;
    }
    return cudaSuccess;
}

int
koshu_cuda_wait(struct koshu_cuda *cuda)
{
    return cudaStreamSynchronize(cuda->stream);
}

/* CUDA cores of a multiprocessor: a single precision FMA a clock each; half as
 * many, or fewer, in double. */
enum { CORES = 128 };

int
koshu_cuda_shape(struct koshu_cuda *cuda, const struct koshu_force_task *task,
                 size_t n, struct koshu_force_shape *shape)
{
    int kilohertz = 0;
    *shape = {};
    shape->units = cuda->multiprocessors;
    shape->lanes = CORES;
    KOSHU_CUDA_TRY(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate,
                                          cuda->device));
    shape->hertz = 1e3 * kilohertz;
    const koshu::precision_functions &functions = koshu::functions_of(*task, n);
    const koshu_cuda_selection &choice =
            koshu::selection_of(cuda, functions, n);
    const koshu::cut_function cut =
            choice.kernel ? choice.kernel->cut : functions.cut;
    KOSHU_CUDA_TRY(cut(cuda, n, task->potential, shape));
    const size_t length = strlen(shape->kernel);
    if (&functions == &koshu::functions_double &&
        task->precision != KOSHU_PRECISION_DOUBLE)
        snprintf(shape->kernel + length, sizeof shape->kernel - length,
                 ", double");
    return cudaSuccess;
}
