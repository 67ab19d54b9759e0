/* SPDX-License-Identifier: MIT */
#include <hwloc.h>
#include <stdlib.h>

#include "base/base.h"

/* Cores of which at least one hardware thread is in this process's set. */
static int
allowed_cores(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) return 1;
    int cores = 0;
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (allowed && hwloc_topology_load(topology) == 0 &&
        hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0) {
        int total = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        for (int k = 0; k < total; k++) {
            hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE,
                                                     (unsigned)k);
            if (hwloc_bitmap_intersects(core->cpuset, allowed)) cores++;
        }
    }
    hwloc_bitmap_free(allowed);
    hwloc_topology_destroy(topology);
    return cores > 0 ? cores : 1;
}

int
koshu_default_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    if (text) {
        long n = strtol(text, NULL, 10);
        if (n > 0 && n < 65536) return (int)n;
    }
    return allowed_cores();
}
