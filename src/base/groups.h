/* SPDX-License-Identifier: MIT */
/* Files of /proc and /sys, and the control groups (versions 1 and 2, nested) of
 * this process, as Documentation/admin-guide/cgroup-v2.rst has them; for
 * src/base only. Allocates nothing, so that it works without memory. */
#ifndef KOSHU_BASE_GROUPS_H
#define KOSHU_BASE_GROUPS_H

#include <stdbool.h>

/* Longer than any of the files but for a group's memory.stat, of which the
 * first lines are read. */
enum { KOSHU_SYSTEM_TEXT = 8192 };

/* false: there is no such file. */
bool koshu_text_of(const char *folder, const char *name,
                   char text[KOSHU_SYSTEM_TEXT]);

/* The folder of this process's group with the controller ("": version 2), of
 * each above it, and the mount itself: in a container the path may be one of
 * the host's, and the container's own group stands at the mount. */
void
koshu_visit_groups(const char *root, const char *controller, const char *mount,
                   void (*visit)(const char *folder, void *user), void *user);

#endif
