/* SPDX-License-Identifier: MIT */
/* Directories from which code may be run: no other user can change a name on
 * the path to them. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/compiled/compiled.h"

/* Is it the group with the user's name and no other member? Where each user has
 * such a group, directories are often group-writable. */
static bool
is_group_of_user(gid_t gid)
{
    char user_text[4096], group_text[4096];
    struct passwd user, *is_user;
    struct group group, *is_group;
    if (getpwuid_r(geteuid(), &user, user_text, sizeof user_text, &is_user) !=
                0 ||
        !is_user || user.pw_gid != gid ||
        getgrgid_r(gid, &group, group_text, sizeof group_text, &is_group) !=
                0 ||
        !is_group || strcmp(user.pw_name, group.gr_name) != 0)
        return false;
    for (char **member = group.gr_mem; *member; member++)
        if (strcmp(*member, user.pw_name) != 0) return false;
    return true;
}

/* In a sticky directory others may add names, but not change ours. */
static bool
others_write(const struct stat *s, bool last)
{
    if (last) return s->st_mode & (S_IWGRP | S_IWOTH);
    if (s->st_mode & S_ISVTX) return false;
    return (s->st_mode & S_IWOTH) ||
           ((s->st_mode & S_IWGRP) && !is_group_of_user(s->st_gid));
}

/* Whoever can write to the directory could make us run their code. */
static bool
is_safe(int fd, const char *path, bool last, char *why)
{
    struct stat s;
    if (fstat(fd, &s) != 0)
        snprintf(why, KOSHU_PRIVATE_WHY, "%s: %s", path, strerror(errno));
    else if (s.st_uid != geteuid() && (last || s.st_uid != 0))
        snprintf(why, KOSHU_PRIVATE_WHY,
                 "%s belongs to another user, who could have other code run",
                 path);
    else if (others_write(&s, last))
        snprintf(why, KOSHU_PRIVATE_WHY,
                 "%s can be written by others, who could have other code run "
                 "(chmod %s %s)",
                 path, last ? "700" : "go-w", path);
    else
        return true;
    return false;
}

/* Splits the path into its existing part, without symbolic links, and the
 * rest. */
static bool
resolve(const char *path, char real[PATH_MAX], char *why)
{
    char head[PATH_MAX];
    if (snprintf(head, sizeof head, "%s", path) >= (int)sizeof head)
        return false;
    while (!realpath(head, real)) {
        char *slash = strrchr(head, '/');
        if (errno != ENOENT || !slash) {
            snprintf(why, KOSHU_PRIVATE_WHY, "%s: %s", head, strerror(errno));
            return false;
        }
        slash[slash == head] = '\0'; /* "/" stays */
    }
    const char *rest = path + strlen(head);
    const size_t n = strlen(real), slash = real[n - 1] != '/' && *rest != '/';
    return snprintf(real + n, PATH_MAX - n, "%s%s", slash && *rest ? "/" : "",
                    rest) < (int)(PATH_MAX - n);
}

/* Opens the directory of this name in another; creates it if it is missing. */
static int
enter(int parent, const char *name, const char *path, char *why)
{
    const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = TEMP_FAILURE_RETRY(openat(parent, name, flags));
    if (fd < 0 && errno == ENOENT && mkdirat(parent, name, 0700) == 0)
        fd = TEMP_FAILURE_RETRY(openat(parent, name, flags));
    if (fd < 0)
        snprintf(why, KOSHU_PRIVATE_WHY, "%s: %s", path, strerror(errno));
    return fd;
}

/* Walks from the root, opening each name in a directory that has been
 * checked. */
static int
walk(char *real, bool own, char *why)
{
    int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    char *at = real + 1;
    bool safe = fd >= 0 && is_safe(fd, "/", false, why);
    while (safe && *at) {
        char *end = at + strcspn(at, "/"), *next = end + strspn(end, "/");
        const char after = *end;
        *end = '\0';
        const int below = enter(fd, at, real, why);
        close(fd);
        fd = below;
        safe = fd >= 0 && is_safe(fd, real, own && !*next, why);
        *end = after;
        at = next;
    }
    const int readable =
            safe ? openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (safe && readable < 0)
        snprintf(why, KOSHU_PRIVATE_WHY, "%s: %s", real, strerror(errno));
    if (fd >= 0) close(fd);
    return readable;
}

int
koshu_private_open(const char *path, bool own, char real[PATH_MAX], char *why)
{
    snprintf(why, KOSHU_PRIVATE_WHY, "%.200s: no path of a directory", path);
    return path[0] == '/' && resolve(path, real, why) ? walk(real, own, why)
                                                      : -1;
}
