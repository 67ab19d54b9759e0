/* SPDX-License-Identifier: MIT */
/* Reads files of /proc and /sys, and finds the control groups of this
 * process. */
#include "base/groups.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool
koshu_text_of(const char *folder, const char *name,
              char text[KOSHU_SYSTEM_TEXT])
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) return false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t n = 0;
    ssize_t got = 1;
    while (got != 0 && n < KOSHU_SYSTEM_TEXT - 1) {
        got = read(fd, text + n, KOSHU_SYSTEM_TEXT - 1 - n);
        if (got < 0 && errno != EINTR) break;
        if (got > 0) n += (size_t)got;
    }
    close(fd);
    text[n] = '\0';
    return n > 0;
}

/* The path in a line of /proc/self/cgroup, "4:cpu,cpuacct:/path", if the line
 * has this controller; else NULL. */
static char *
path_in(char *line, const char *controller)
{
    const size_t length = strlen(controller);
    char *name = strchr(line, ':'), *path = name ? strchr(++name, ':') : NULL;
    while (path && name <= path) {
        const size_t n = strcspn(name, ",:");
        if (n == length && strncmp(name, controller, n) == 0) return path + 1;
        name += n + 1;
    }
    return NULL;
}

void
koshu_visit_groups(const char *root, const char *controller, const char *mount,
                   void (*visit)(const char *folder, void *user), void *user)
{
    char text[KOSHU_SYSTEM_TEXT], folder[PATH_MAX], *path = NULL, *rest = text;
    if (!koshu_text_of(root, "proc/self/cgroup", text)) text[0] = '\0';
    for (char *line; !path && (line = strsep(&rest, "\n"));)
        path = path_in(line, controller);
    for (char *slash; path && (slash = strrchr(path, '/')); *slash = '\0') {
        if (!slash[1]) continue;
        snprintf(folder, sizeof folder, "%s%s%s", root, mount, path);
        visit(folder, user);
    }
    snprintf(folder, sizeof folder, "%s%s", root, mount);
    visit(folder, user);
}
