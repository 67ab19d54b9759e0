/* SPDX-License-Identifier: MIT */
/* Finds, opens and describes devices, and launches on them. */
#include <cstdio>
#include <cstring>

#include "backend/cuda/cuda.h"
#include "backend/cuda/pairs/recompute_launcher.cuh"
#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/object.cuh"
#include "backend/cuda/pairs/forces.cuh"

using namespace koshu;

enum { OLDEST_MAJOR = 8 };

/* The number of devices before the first that is too old. */
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
    cudaGetLastError(); /* no working driver: the error is cleared */
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
    cudaGetLastError(); /* no working driver: the error is cleared */
    return k < count;
}

cudaError_t
koshu::kept_progress::open()
{
    struct device_part {
        unsigned long long begin;
        sums_done done;
    };
    KOSHU_CUDA_TRY(on_device.reserve(sizeof(device_part)));
    KOSHU_CUDA_TRY(on_host.reserve(sizeof *seen));
    device_part *part = on_device.as<device_part>();
    begin = &part->begin;
    done = &part->done;
    seen = on_host.as<sums_done>();
    memset(seen, 0, sizeof *seen);
    return cudaMemset(part, 0, sizeof *part);
}

/* Writes "GPU-" and 32 hexadecimal digits. */
static void
write_unit(const cudaUUID_t &uuid, char *unit, size_t size)
{
    int n = snprintf(unit, size, "GPU-");
    for (char c : uuid.bytes)
        n += snprintf(unit + n, size - (size_t)n, "%02x", (unsigned char)c);
}

koshu_cuda *
koshu::make_device(koshu_context *context, int number, bool one_of_several)
{
    koshu_cuda *cuda = make_object<koshu_cuda>();
    if (!cuda) return nullptr;
    cuda->context = context;
    cuda->device = number;
    cuda->one_of_several = one_of_several;
    cuda->shared_memory = SHARED_MEMORY;
    return cuda;
}

cudaError_t
koshu::open_device(koshu_cuda *cuda)
{
    const size_t max_row_bytes = (size_t)2 << 30;
    cudaDeviceProp properties;
    KOSHU_CUDA_TRY(cudaSetDevice(cuda->device));
    KOSHU_CUDA_TRY(cudaGetDeviceProperties(&properties, cuda->device));
    cuda->multiprocessors = (size_t)properties.multiProcessorCount;
    cuda->overlaps_launches = properties.major >= 9;
    cuda->row_bytes = properties.totalGlobalMem / 8;
    if (cuda->row_bytes > max_row_bytes) cuda->row_bytes = max_row_bytes;
    KOSHU_CUDA_TRY(cuda->staged.open());
    KOSHU_CUDA_TRY(cuda->progress.open());
    KOSHU_CUDA_TRY(make_counters(cuda));
    return cuda->stream.open();
}

cudaError_t
koshu::name_device(const koshu_cuda *cuda, koshu_backend *base)
{
    cudaDeviceProp properties;
    KOSHU_CUDA_TRY(cudaGetDeviceProperties(&properties, cuda->device));
    write_name(properties, base->device, sizeof base->device);
    snprintf(base->model, sizeof base->model, "%s, compute capability %d.%d",
             properties.name, properties.major, properties.minor);
    write_unit(properties.uuid, base->unit, sizeof base->unit);
    return cudaSuccess;
}

void
koshu::close_device(koshu_cuda *cuda)
{
    if (!cuda) return;
    koshu_cuda_enter(cuda);
    if (cuda->stream) cudaStreamSynchronize(cuda->stream);
    free_object(cuda);
}

struct koshu_memory_limits
koshu_cuda_memory(const struct koshu_backend *backend)
{
    struct koshu_memory_limits l = {UINT64_MAX, UINT64_MAX, "the GPU"};
    size_t free, total;
    enter(backend);
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return l;
    l.capacity = total;
    l.available = free;
    return l;
}

/* Queries the current device first: setting it takes longer. */
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

/* CUDA cores per multiprocessor, each with one single-precision FMA per clock;
 * half as many or fewer in double. */
enum { CORES = 128 };

static cudaError_t
find_shape(koshu_cuda *cuda, const koshu_force_task &task, size_t n,
           koshu_force_shape *shape)
{
    int kilohertz = 0;
    *shape = {};
    shape->units = cuda->multiprocessors;
    shape->lanes = CORES;
    KOSHU_CUDA_TRY(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate,
                                          cuda->device));
    shape->hertz = 1e3 * kilohertz;
    const precision_functions &functions = functions_of(task, n);
    const koshu_cuda_selection &choice = selection_of(cuda, functions, n);
    const shaped_kernel *kernel =
            choice.kernel ? choice.kernel : functions.all_for(n);
    KOSHU_CUDA_TRY(kernel->cut(cuda, n, task.potential, shape));
    const size_t length = strlen(shape->kernel);
    if (&functions == &functions_double &&
        task.precision != KOSHU_PRECISION_DOUBLE)
        snprintf(shape->kernel + length, sizeof shape->kernel - length,
                 ", double");
    return cudaSuccess;
}

koshu_status
koshu_cuda_shape(struct koshu_backend *backend,
                 const struct koshu_force_task *task, size_t n,
                 struct koshu_force_shape *shape)
{
    koshu_cuda *cuda = enter(backend);
    return status_of(cuda, find_shape(cuda, *task, n, shape),
                     "asking for the kernel's shape");
}
