/* SPDX-License-Identifier: MIT */
/*
 * Reads the energy counters of GPUs with NVML, the library of NVIDIA's driver,
 * loaded when needed. NVML may number GPUs differently from CUDA
 * (CUDA_VISIBLE_DEVICES), so they are matched by PCI address.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "performance/energy.h"
#include "performance/performance.h"

enum { BUS = 32 };

static void
give_up(struct koshu_energy_meter *m, const char *why)
{
    m->n_gpus = 0;
    snprintf(m->why_gpus, sizeof m->why_gpus, "%s", why);
}

/* ---- which GPUs ---------------------------------------------------------- */

/* CUDA's numbers of the devices that a context uses. */
static size_t
list_devices(struct koshu_context *context, int number[KOSHU_ENERGY_GPUS])
{
    const struct koshu_device_list *list = koshu_context_device_list(context);
    struct koshu_backend *backend;
    size_t n = 0;
    if (koshu_backend_of(context, &backend) != KOSHU_OK ||
        strcmp(backend->ops->name, "cuda") != 0)
        return 0;
    if (list->all) {
        const int there = backend->ops->devices();
        for (; n < KOSHU_ENERGY_GPUS && (int)n < there; n++) number[n] = (int)n;
        return n;
    }
    for (; n < list->n; n++) number[n] = list->number[n];
    if (n == 0) number[n++] = 0;
    return n;
}

/* Asks CUDA's driver for the PCI address. */
static bool
find_bus(const char *library, int device, char bus[BUS])
{
    int (*get)(int *device, int number), (*address)(char *bus, int, int),
            (*init)(unsigned);
    const struct koshu_function wanted[] = {{"cuInit", &init},
                                            {"cuDeviceGet", &get},
                                            {"cuDeviceGetPCIBusId", &address}};
    void *cuda = dlopen(library ? library : "libcuda.so.1", RTLD_NOW);
    int handle;
    return cuda && !koshu_find_functions(cuda, 3, wanted) && init(0) == 0 &&
           get(&handle, device) == 0 && address(bus, BUS, handle) == 0;
}

/* ---- their counters ------------------------------------------------------ */

struct nvml {
    int (*init)(void);
    int (*by_bus)(const char *bus, struct koshu_nvml_device **device);
    int (*energy)(struct koshu_nvml_device *device,
                  unsigned long long *millijoules);
};

static bool
open_nvml(const char *library, struct nvml *nvml)
{
    const struct koshu_function wanted[] = {
            {"nvmlInit_v2", &nvml->init},
            {"nvmlDeviceGetHandleByPciBusId_v2", &nvml->by_bus},
            {"nvmlDeviceGetTotalEnergyConsumption", &nvml->energy}};
    void *found = dlopen(library ? library : "libnvidia-ml.so.1", RTLD_NOW);
    return found && !koshu_find_functions(found, 3, wanted) &&
           nvml->init() == 0;
}

static void
add_gpu(struct koshu_energy_meter *m, const struct nvml *nvml, const char *bus)
{
    if (m->why_gpus[0]) return;
    if (m->n_gpus == KOSHU_ENERGY_GPUS ||
        nvml->by_bus(bus, &m->gpu[m->n_gpus]) != 0)
        give_up(m, "NVML does not know them by their PCI addresses");
    else
        m->n_gpus++;
}

void
koshu_energy_find_gpus(struct koshu_context *context,
                       const struct koshu_energy_sources *s,
                       struct koshu_energy_meter *m)
{
    int number[KOSHU_ENERGY_GPUS];
    const size_t n = s->buses ? 0 : list_devices(context, number);
    struct nvml nvml;
    char bus[BUS];
    if (n + s->n_buses == 0) return;
    if (!open_nvml(s->nvml, &nvml)) {
        give_up(m, "NVML (libnvidia-ml.so.1) cannot be loaded");
        return;
    }
    m->gpu_energy = nvml.energy;
    for (size_t k = 0; k < s->n_buses; k++) add_gpu(m, &nvml, s->buses[k]);
    for (size_t k = 0; k < n && !m->why_gpus[0]; k++)
        if (find_bus(s->cuda, number[k], bus))
            add_gpu(m, &nvml, bus);
        else
            give_up(m, "CUDA does not tell their PCI addresses");
}

bool
koshu_energy_gpu_counters(const struct koshu_energy_meter *m, double *joules)
{
    for (size_t k = 0; k < m->n_gpus; k++) {
        unsigned long long millijoules;
        if (m->gpu_energy(m->gpu[k], &millijoules) != 0) return false;
        joules[k] = 1e-3 * (double)millijoules;
    }
    return true;
}
