/* SPDX-License-Identifier: MIT */
/* A fake NVML with two GPUs, the second of which uses twice as much energy, and
 * the functions of CUDA's driver that tell where they are. Each GPU's first
 * reading is 1000 J, each later one 5 J or 10 J more. */
#include <stdio.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

struct gpu {
    const char *bus;
    unsigned long long now, step;
};
static struct gpu gpus[] = {{"0000:01:00.0", 995000, 5000},
                            {"0000:02:00.0", 990000, 10000}};

SHOWN int nvmlInit_v2(void);
SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, struct gpu **gpu);
SHOWN int nvmlDeviceGetTotalEnergyConsumption(struct gpu *gpu,
                                              unsigned long long *millijoules);
SHOWN int cuInit(unsigned flags);
SHOWN int cuDeviceGet(int *device, int number);
SHOWN int cuDeviceGetPCIBusId(char *bus, int size, int device);

int
nvmlInit_v2(void)
{
    return 0;
}

int
nvmlDeviceGetHandleByPciBusId_v2(const char *bus, struct gpu **gpu)
{
    for (int k = 0; k < 2; k++)
        if (strcmp(bus, gpus[k].bus) == 0) {
            *gpu = &gpus[k];
            return 0;
        }
    return 6;
}

int
nvmlDeviceGetTotalEnergyConsumption(struct gpu *gpu,
                                    unsigned long long *millijoules)
{
    *millijoules = gpu->now += gpu->step;
    return 0;
}

int
cuInit(unsigned flags)
{
    return (int)flags;
}

int
cuDeviceGet(int *device, int number)
{
    *device = number;
    return number < 2 ? 0 : 101;
}

int
cuDeviceGetPCIBusId(char *bus, int size, int device)
{
    snprintf(bus, (size_t)size, "%s", gpus[device].bus);
    return 0;
}
