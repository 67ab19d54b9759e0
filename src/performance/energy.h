/* SPDX-License-Identifier: MIT */
/*
 * The energy used by a machine's processors and GPUs, from their own counters:
 * those of processor packages in Linux's powercap (RAPL), those of GPUs in
 * NVML, which is loaded at run time. Memory, fans, disks and losses of power
 * supplies are not included.
 *
 * Threads: a meter is used by one thread at a time.
 */
#ifndef KOSHU_PERFORMANCE_ENERGY_H
#define KOSHU_PERFORMANCE_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>

enum { KOSHU_ENERGY_PACKAGES = 32, KOSHU_ENERGY_GPUS = 64 };

/* Where to look for counters; NULL and {0}: those of this machine. */
struct koshu_energy_sources {
    const char *root;        /* a folder with sys/class/powercap */
    const char *nvml, *cuda; /* libraries instead of NVIDIA's */
    /* PCI addresses of n_buses GPUs, instead of the context's */
    const char *const *buses;
    size_t n_buses;
};

/* A counter that wraps around at `range`. */
struct koshu_energy_counter {
    char path[128];
    uint64_t last, range; /* microjoules */
    double joules;        /* so far */
};

struct koshu_nvml_device;

struct koshu_energy_meter {
    size_t n_packages, n_gpus;
    struct koshu_energy_counter package[KOSHU_ENERGY_PACKAGES];
    struct koshu_nvml_device *gpu[KOSHU_ENERGY_GPUS];
    double gpu_first[KOSHU_ENERGY_GPUS]; /* joules */
    int (*gpu_energy)(struct koshu_nvml_device *device,
                      unsigned long long *millijoules);
    /* why a number is not known; "": it is known */
    char why_processors[128], why_gpus[128];
};

/* Joules; NaN: not known, and the meter says why. gpus is 0 if the context's
 * backend has none. */
struct koshu_energy {
    double processors, gpus;
};

/*
 * Starts measuring all packages of the machine and the GPUs that the context's
 * backend uses. It is not an error if some cannot be measured.
 */
void koshu_energy_begin(struct koshu_context *context,
                        const struct koshu_energy_sources *sources,
                        struct koshu_energy_meter *meter);

/*
 * The energy used since then. Counters of processors wrap around at 262 kJ,
 * after some twenty minutes of a busy package; at most one wrap-around may
 * happen between two calls. NVML's counters are updated some ten times a
 * second.
 */
void
koshu_energy_read(struct koshu_energy_meter *meter, struct koshu_energy *used);

/* ---- energy_gpus.c ------------------------------------------------------- */

/* Finds the meter's GPUs and the function that reads their counters. */
void koshu_energy_find_gpus(struct koshu_context *context,
                            const struct koshu_energy_sources *sources,
                            struct koshu_energy_meter *meter);

/* The sum of their counters in joules. false: one cannot be read. */
bool koshu_energy_gpu_counters(const struct koshu_energy_meter *meter,
                               double *joules);

#endif
