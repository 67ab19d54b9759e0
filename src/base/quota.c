/* SPDX-License-Identifier: MIT */
/*
 * How much CPU time the control groups of this process allow, in cores: files
 * as described in Documentation/admin-guide/cgroup-v2.rst and
 * scheduler/sched-bwc.rst. A process with more busy threads than that is
 * stopped, with all its threads, for the rest of each period.
 */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "base/groups.h"

/* Lowers the quota to that of one group. */
static void
take_quota(const char *group, void *least)
{
    char text[KOSHU_SYSTEM_TEXT];
    double quota = -1, period = 100000;
    if (koshu_text_of(group, "cpu.max", text)) {
        if (sscanf(text, "%lf %lf", &quota, &period) < 1) return;
    } else if (koshu_text_of(group, "cpu.cfs_quota_us", text)) {
        if (sscanf(text, "%lf", &quota) < 1) return;
        if (koshu_text_of(group, "cpu.cfs_period_us", text))
            (void)!sscanf(text, "%lf", &period);
    }
    if (quota > 0 && period > 0)
        *(double *)least = fmin(*(double *)least, quota / period);
}

double
koshu_core_quota(const char *root)
{
    double least = INFINITY;
    if (!root) root = "";
    koshu_visit_groups(root, "", "/sys/fs/cgroup", take_quota, &least);
    koshu_visit_groups(root, "cpu", "/sys/fs/cgroup/cpu", take_quota, &least);
    return least;
}
