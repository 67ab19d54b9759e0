/* SPDX-License-Identifier: MIT */
/* Files of /proc and /sys, and the control groups (versions 1 and 2, nested)
 * of this process, as described in Documentation/admin-guide/cgroup-v2.rst;
 * for src/base only. Allocates nothing, so that it works when memory has run
 * out. */
#ifndef KOSHU_BASE_GROUPS_H
#define KOSHU_BASE_GROUPS_H

#include <stdbool.h>

/* Longer than any of these files except a group's memory.stat, of which only
 * the first lines are read. */
enum { KOSHU_SYSTEM_TEXT = 8192 };

/* Reads a whole file. false: there is no such file. */
bool koshu_text_of(const char *folder, const char *name,
                   char text[KOSHU_SYSTEM_TEXT]);

/* Visits the folder of this process's group with the controller ("": version
 * 2), each folder above it, and the mount itself. In a container the path may
 * be one of the host's; the container's own group is then at the mount. */
void
koshu_visit_groups(const char *root, const char *controller, const char *mount,
                   void (*visit)(const char *folder, void *user), void *user);

#endif
