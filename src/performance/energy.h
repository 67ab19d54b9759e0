/* SPDX-License-Identifier: MIT */
/*
 * The energy that a machine's processors and GPUs have used, by the counters
 * that they have themselves: those of the processors' packages in Linux's
 * powercap (RAPL), those of GPUs in NVML, which is loaded at run time. Memory,
 * fans, disks and what power supplies lose are in none of them.
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

/* Where counters are looked for; NULL and {0}: those of this machine. */
struct koshu_energy_sources {
    const char *root;         /* a folder with sys/class/powercap */
    const char *nvml, *cuda;  /* libraries, instead of NVIDIA's */
    const char *const *buses; /* PCI addresses of n_buses GPUs, instead of
                                 those of the context's */
    size_t n_buses;
};

/* A counter that begins anew at its range. */
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
    char why_processors[128], why_gpus[128]; /* there is no number; "": there
                                                is */
};

/* Joules; NaN: not known, and the meter says why. gpus is 0 where the context's
 * backend has none. */
struct koshu_energy {
    double processors, gpus;
};

/*
 * Begins to measure: all packages of the machine, and the GPUs that the
 * context's backend works on. What cannot be measured is no failure.
 */
void koshu_energy_begin(struct koshu_context *context,
                        const struct koshu_energy_sources *sources,
                        struct koshu_energy_meter *meter);

/*
 * What was used since. Counters of processors begin anew after 262 kJ, some
 * twenty minutes of a busy package: between two calls there is to be one such
 * turn at most. NVML's are renewed some ten times a second.
 */
void
koshu_energy_read(struct koshu_energy_meter *meter, struct koshu_energy *used);

/* ---- energy_gpus.c ------------------------------------------------------- */

/* Finds the GPUs of the meter, and the function that reads their counters. */
void koshu_energy_find_gpus(struct koshu_context *context,
                            const struct koshu_energy_sources *sources,
                            struct koshu_energy_meter *meter);

/* All of their counters, in joules. false: one cannot be read. */
bool koshu_energy_gpu_counters(const struct koshu_energy_meter *meter,
                               double *joules);

#endif
