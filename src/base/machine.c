/* SPDX-License-Identifier: MIT */
/* How many threads to use: cores, processes on this machine, and quotas. */
#include <hwloc.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/base.h"

/* Adds the places of OMP_PROC_BIND and OMP_PLACES. OpenMP has by now bound this
 * thread to one of them, so the thread's own affinity mask does not show them
 * all. */
static bool
add_places(hwloc_bitmap_t set)
{
    if (omp_get_proc_bind() == omp_proc_bind_false) return false;
    for (int place = 0; place < omp_get_num_places(); place++) {
        int n = omp_get_place_num_procs(place);
        int *ids = calloc((size_t)n, sizeof *ids);
        if (!ids) return false;
        omp_get_place_proc_ids(place, ids);
        for (int k = 0; k < n; k++) hwloc_bitmap_set(set, (unsigned)ids[k]);
        free(ids);
    }
    return !hwloc_bitmap_iszero(set);
}

/* The cores with at least one hardware thread that this process may use, and
 * all cores there are. */
static int
allowed_cores(int *total)
{
    hwloc_topology_t topology;
    *total = 1;
    if (hwloc_topology_init(&topology) != 0) return 1;
    int cores = 0;
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (allowed && hwloc_topology_load(topology) == 0 &&
        (add_places(allowed) ||
         hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0)) {
        *total = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        for (int k = 0; k < *total; k++) {
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
koshu_processes_here(void)
{
    /* set by Open MPI; MPICH, Intel MPI; MVAPICH; Spectrum MPI; Slurm's srun
     * ("4(x2)") */
    static const char *const names[] = {
            "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
            "MV2_COMM_WORLD_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_SIZE",
            "SLURM_STEP_TASKS_PER_NODE"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *text = getenv(names[k]);
        long n = text ? strtol(text, NULL, 10) : 0;
        if (n > 0 && n < 65536) return (int)n;
    }
    return 1;
}

int
koshu_fair_threads(int cores, int total, int processes, double quota)
{
    /* processes bound to the same socket share its cores; those bound to a core
     * of their own do not */
    int threads = cores;
    if ((long)cores * processes > total) threads = total / processes;
    if (threads > cores) threads = cores;
    const double part = ceil(quota / processes);
    if (part < threads) threads = (int)part;
    return threads > 1 ? threads : 1;
}

int
koshu_default_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    if (text) {
        long n = strtol(text, NULL, 10);
        if (n > 0 && n <= KOSHU_MAX_THREADS) return (int)n;
    }
    int total, cores = allowed_cores(&total);
    return koshu_fair_threads(cores, total, koshu_processes_here(),
                              koshu_core_quota(NULL));
}
