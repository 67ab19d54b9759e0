/* SPDX-License-Identifier: MIT */
/*
 * How many cores' time the control groups of this process allow: files as
 * Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst describe
 * them. More threads than these are stopped, all together, for the rest of each
 * period.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

enum { LINE = 4096 };

/* The first line of root/mount/path/name; false: there is none. */
static bool
read_line(const char *root, const char *mount, const char *path,
          const char *name, char line[LINE])
{
    char file[PATH_MAX];
    const int n =
            snprintf(file, sizeof file, "%s%s%s/%s", root, mount, path, name);
    if (n < 0 || (size_t)n >= sizeof file) return false;
    FILE *f = fopen(file, "re");
    if (!f) return false;
    const bool there = fgets(line, LINE, f) != NULL;
    fclose(f);
    return there;
}

/* Cores of one group; infinite: as many as there are. */
static double
quota_of(const char *root, const char *mount, const char *path)
{
    char line[LINE];
    double quota = -1, period = 100000;
    if (read_line(root, mount, path, "cpu.max", line)) {
        if (sscanf(line, "%lf %lf", &quota, &period) < 1) return INFINITY;
    } else if (read_line(root, mount, path, "cpu.cfs_quota_us", line)) {
        if (sscanf(line, "%lf", &quota) < 1) return INFINITY;
        if (read_line(root, mount, path, "cpu.cfs_period_us", line))
            (void)!sscanf(line, "%lf", &period);
    }
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

/* The group at `path` and all above it. */
static double
least_quota(const char *root, const char *mount, char *path)
{
    double least = quota_of(root, mount, "");
    path[strcspn(path, "\n")] = '\0';
    for (char *slash; (slash = strrchr(path, '/')); *slash = '\0')
        if (slash[1]) least = fmin(least, quota_of(root, mount, path));
    return least;
}

/* Has a line of /proc/self/cgroup, "4:cpu,cpuacct:/path", this controller? */
static bool
is_of_cpu(const char *line)
{
    const char *names = strchr(line, ':'),
               *end = names ? strchr(++names, ':') : NULL;
    while (end && names < end) {
        const size_t n = strcspn(names, ",:");
        if (n == 3 && strncmp(names, "cpu", 3) == 0) return true;
        names += n + 1;
    }
    return false;
}

double
koshu_core_quota(const char *root)
{
    char line[LINE], file[PATH_MAX];
    double least = INFINITY;
    if (!root) root = "";
    snprintf(file, sizeof file, "%s/proc/self/cgroup", root);
    FILE *f = fopen(file, "re");
    if (!f) return least;
    while (fgets(line, sizeof line, f)) {
        const bool second = strncmp(line, "0::", 3) == 0;
        if (!second && !is_of_cpu(line)) continue;
        char *path = strchr(strchr(line, ':') + 1, ':') + 1;
        least = fmin(least, least_quota(root,
                                        second ? "/sys/fs/cgroup"
                                               : "/sys/fs/cgroup/cpu",
                                        path));
    }
    fclose(f);
    return least;
}
