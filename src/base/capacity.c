/* SPDX-License-Identifier: MIT */
/*
 * How much memory there is: files of /proc and /sys, as documented by Linux in
 * proc(5), Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base.h"
#include "base/groups.h"

static const uint64_t unknown = UINT64_MAX;

static uint64_t
smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t
difference(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* The sum; unknown where one of them is. */
static uint64_t
sum(uint64_t a, uint64_t b)
{
    return a > unknown - b ? unknown : a + b;
}

/* The number after the first word of a line, "name" with its separator;
 * unknown: there is no such line. */
static uint64_t
number_of(const char *text, const char *name)
{
    const size_t length = strlen(name);
    while (text && strncmp(text, name, length) != 0) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    return text ? strtoull(text + length, NULL, 10) : unknown;
}

/* ---- the machine --------------------------------------------------------- */

struct machine {
    uint64_t total, available, swap, swap_free;
};

static struct machine
read_machine(const char *root)
{
    char text[KOSHU_SYSTEM_TEXT];
    const uint64_t kib = 1024;
    struct machine m = {unknown, unknown, 0, 0};
    if (!koshu_text_of(root, "proc/meminfo", text)) return m;
    const struct {
        const char *name;
        uint64_t *value;
    } lines[] = {{"MemTotal:", &m.total},
                 {"MemAvailable:", &m.available},
                 {"SwapTotal:", &m.swap},
                 {"SwapFree:", &m.swap_free}};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        const uint64_t value = number_of(text, lines[k].name);
        if (value < unknown / kib) *lines[k].value = value * kib;
    }
    return m;
}

/* ---- control groups ------------------------------------------------------ */

struct cgroup_files {
    const char *controller;
    const char *mount; /* one of the usual places */
    const char *limit, *usage, *active_file, *inactive_file;
};

#define V2 "memory.max", "memory.current", "active_file ", "inactive_file "
#define V1                                                                  \
    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_active_file ", \
            "total_inactive_file "
static const struct cgroup_files cgroups[] = {
        {"", "/sys/fs/cgroup", V2},
        {"", "/sys/fs/cgroup/unified", V2},
        {"memory", "/sys/fs/cgroup/memory", V1},
};

struct limits {
    uint64_t capacity, available;
};

/* For visiting the groups that have these files. */
struct visit {
    const struct cgroup_files *files;
    struct limits *limits;
};

/* The page cache counts as used, but the kernel gives it back when needed. */
static uint64_t
usage_of(const struct cgroup_files *f, const char *group)
{
    const char *const caches[] = {f->active_file, f->inactive_file};
    char text[KOSHU_SYSTEM_TEXT];
    if (!koshu_text_of(group, f->usage, text)) return 0;
    uint64_t used = strtoull(text, NULL, 10);
    if (!koshu_text_of(group, "memory.stat", text)) return used;
    for (int k = 0; k < 2; k++) {
        const uint64_t cached = number_of(text, caches[k]);
        if (cached != unknown) used = difference(used, cached);
    }
    return used;
}

/* One control group; unlimited ones change nothing ("max", or, in version 1,
 * nearly 2^63). */
static void
add_group(const char *group, void *user)
{
    const struct visit *v = user;
    struct limits *l = v->limits;
    char text[KOSHU_SYSTEM_TEXT];
    const uint64_t unlimited = UINT64_C(1) << 62;
    if (!koshu_text_of(group, v->files->limit, text) || text[0] == 'm') return;
    const uint64_t limit = strtoull(text, NULL, 10);
    if (limit >= unlimited) return;
    l->capacity = smaller(l->capacity, limit);
    l->available =
            smaller(l->available, difference(limit, usage_of(v->files, group)));
}

/* ---- this process -------------------------------------------------------- */

struct process {
    uint64_t size, resident;
};

static struct process
read_process(const char *root)
{
    char text[KOSHU_SYSTEM_TEXT], *rest;
    if (!koshu_text_of(root, "proc/self/statm", text))
        return (struct process){0, 0};
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t size = strtoull(text, &rest, 10);
    return (struct process){size * page, strtoull(rest, NULL, 10) * page};
}

/* What is left of the address space of this process (ulimit -v). */
static uint64_t
address_space_left(const struct process *p)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return unknown;
    return difference(limit.rlim_cur, p->size);
}

uint64_t
koshu_bytes_of(const char *text, uint64_t unit)
{
    static const char units[] = "BKMGT";
    char *end;
    locale_t users = koshu_plain_numbers();
    double bytes = strtod(text, &end);
    uselocale(users);
    if (end == text) return unknown;
    end += strspn(end, " ");
    if (*end) {
        const char *given = strchr(units, toupper((unsigned char)*end));
        if (!given) return unknown;
        unit = UINT64_C(1) << 10 * (given - units);
        end++;
        if (strcasecmp(end, "B") == 0 || strcasecmp(end, "iB") == 0) end = "";
    }
    bytes *= (double)unit;
    return !*end && bytes > 0 && bytes < 0x1p63 ? (uint64_t)bytes : unknown;
}

/* KOSHU_MEMORY; unknown: not set. */
static uint64_t
memory_given(void)
{
    const char *text = getenv("KOSHU_MEMORY");
    return text && *text ? koshu_bytes_of(text, 1) : unknown;
}

koshu_status
koshu_check_memory_given(void)
{
    const char *text = getenv("KOSHU_MEMORY");
    if (!text || !*text || koshu_bytes_of(text, 1) != unknown) return KOSHU_OK;
    return koshu_fail(NULL, KOSHU_ERROR_BAD_INPUT,
                      "KOSHU_MEMORY = '%s': a number of bytes, or 64G, 1.5T",
                      text);
}

/* ---- all of them --------------------------------------------------------- */

/*
 * Some virtual machines get memory as they use it: MemTotal is then only what
 * they have so far. Where the control group has the larger limit, that is the
 * one to believe. Swap may come on top of a group's limit, so it counts as
 * memory: only what certainly cannot fit is refused.
 */
static struct limits
host_limits(const char *root)
{
    const struct machine m = read_machine(root);
    struct limits group = {unknown, unknown};
    for (size_t k = 0; k < sizeof cgroups / sizeof cgroups[0]; k++) {
        struct visit visit = {&cgroups[k], &group};
        koshu_visit_groups(root, cgroups[k].controller, cgroups[k].mount,
                           add_group, &visit);
    }
    if (group.capacity == unknown)
        return (struct limits){sum(m.total, m.swap),
                               sum(m.available, m.swap_free)};
    const bool grows = group.capacity > sum(m.total, m.swap);
    const uint64_t available = grows ? unknown : m.available;
    return (struct limits){
            sum(group.capacity, m.swap),
            sum(smaller(group.available, available), m.swap_free)};
}

/* The part of one rank where all ranks of a host have `all`. */
static uint64_t
part(uint64_t all, uint64_t ranks)
{
    return all == unknown ? unknown : all / ranks;
}

static const char *
owner_of(uint64_t given, uint64_t ranks)
{
    if (given != unknown) return "KOSHU_MEMORY";
    return ranks > 1 ? "a rank on this machine" : "this machine";
}

struct koshu_memory_limits
koshu_memory_limits(const char *root, int processes)
{
    const uint64_t ranks = (uint64_t)processes, given = memory_given();
    if (!root) root = "";
    const struct limits host = given == unknown ? host_limits(root)
                                                : (struct limits){given, given};
    const struct process self = read_process(root);
    const uint64_t left = address_space_left(&self);
    struct koshu_memory_limits l = {.owner = owner_of(given, ranks)};
    l.capacity = part(host.capacity, ranks);
    if (l.capacity != unknown)
        l.capacity = difference(l.capacity, self.resident);
    if (left < l.capacity) {
        l.capacity = left;
        l.owner = "this process (ulimit -v)";
    }
    l.available = smaller(part(host.available, ranks), l.capacity);
    return l;
}

koshu_status
koshu_require_memory(struct koshu_context *context, uint64_t bytes,
                     const char *purpose, const char *remedy)
{
    return koshu_require_memory_of(context, koshu_memory_limits(NULL, 1), bytes,
                                   purpose, remedy);
}

koshu_status
koshu_require_memory_of(struct koshu_context *context,
                        struct koshu_memory_limits limits, uint64_t bytes,
                        const char *purpose, const char *remedy)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    if (bytes > limits.capacity) {
        koshu_context_refuse_memory(context, true);
        return koshu_fail(context, KOSHU_ERROR_OUT_OF_MEMORY,
                          "%s: %.3g GiB of memory needed, and %s has %.3g GiB "
                          "for it; %s",
                          purpose, (double)bytes / gib, limits.owner,
                          (double)limits.capacity / gib, remedy);
    }
    if (bytes > limits.available)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%s: %.3g GiB of memory needed, and %.3g GiB is free now: "
                  "the system may end the program",
                  purpose, (double)bytes / gib, (double)limits.available / gib);
    return KOSHU_OK;
}
