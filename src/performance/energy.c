/* SPDX-License-Identifier: MIT */
/* Reads the energy counters of processor packages, and computes the energy used
 * since the start. */
#include "performance/energy.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- packages ------------------------------------------------------------ */

static bool
read_number(const char *folder, const char *file, uint64_t *number)
{
    char path[192];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *in = fopen(path, "re");
    const bool good = in && fscanf(in, "%" SCNu64, number) == 1;
    if (in) fclose(in);
    return good;
}

/* Zones within a package, such as cores and memory, are parts of it or are
 * counted beside it. */
static bool
is_package(const char *folder)
{
    char path[192], name[32] = "";
    snprintf(path, sizeof path, "%s/name", folder);
    FILE *in = fopen(path, "re");
    const bool good = in && fscanf(in, "%31s", name) == 1;
    if (in) fclose(in);
    return good && strncmp(name, "package", strlen("package")) == 0;
}

static void
add_package(struct koshu_energy_meter *m, const char *folder)
{
    struct koshu_energy_counter *c = &m->package[m->n_packages];
    if (m->n_packages == KOSHU_ENERGY_PACKAGES || !is_package(folder) ||
        strlen(folder) >= sizeof c->path)
        return;
    *c = (struct koshu_energy_counter){0};
    snprintf(c->path, sizeof c->path, "%s", folder);
    if (read_number(folder, "max_energy_range_uj", &c->range) &&
        read_number(folder, "energy_uj", &c->last))
        m->n_packages++;
    else
        snprintf(m->why_processors, sizeof m->why_processors,
                 "their counters (powercap) are for root alone");
}

static void
find_packages(const char *root, struct koshu_energy_meter *m)
{
    char pattern[256];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/sys/class/powercap/intel-rapl:*",
             root ? root : "");
    snprintf(m->why_processors, sizeof m->why_processors,
             "this machine shows no counters of them (powercap)");
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t k = 0; k < found.gl_pathc; k++)
            add_package(m, found.gl_pathv[k]);
    globfree(&found);
    if (m->n_packages > 0) m->why_processors[0] = '\0';
}

static bool
advance(struct koshu_energy_counter *c)
{
    uint64_t now;
    if (!read_number(c->path, "energy_uj", &now)) return false;
    c->joules += 1e-6 * (double)(now >= c->last ? now - c->last
                                                : now + c->range - c->last);
    c->last = now;
    return true;
}

static double
read_packages(struct koshu_energy_meter *m)
{
    double joules = m->n_packages > 0 ? 0 : NAN;
    for (size_t k = 0; k < m->n_packages; k++)
        joules += advance(&m->package[k]) ? m->package[k].joules : NAN;
    return joules;
}

/* ---- all ----------------------------------------------------------------- */

void
koshu_energy_begin(struct koshu_context *context,
                   const struct koshu_energy_sources *sources,
                   struct koshu_energy_meter *m)
{
    static const struct koshu_energy_sources own = {0};
    const struct koshu_energy_sources *s = sources ? sources : &own;
    *m = (struct koshu_energy_meter){0};
    find_packages(s->root, m);
    koshu_energy_find_gpus(context, s, m);
    if (koshu_energy_gpu_counters(m, m->gpu_first)) return;
    snprintf(m->why_gpus, sizeof m->why_gpus,
             "NVML has no counter of their energy");
}

static double
read_gpus(const struct koshu_energy_meter *m)
{
    double now[KOSHU_ENERGY_GPUS], joules = 0;
    if (m->why_gpus[0] || !koshu_energy_gpu_counters(m, now)) return NAN;
    for (size_t k = 0; k < m->n_gpus; k++) joules += now[k] - m->gpu_first[k];
    return joules;
}

void
koshu_energy_read(struct koshu_energy_meter *meter, struct koshu_energy *used)
{
    used->processors = read_packages(meter);
    used->gpus = read_gpus(meter);
}
