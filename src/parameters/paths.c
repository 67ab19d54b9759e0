/* SPDX-License-Identifier: MIT */
/* Values that are paths: expands what a shell would have expanded. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "parameters/parameters.h"

enum { REASON_SIZE = 256 };

/* The home directory of a user, "": the present one; NULL: there is none. */
static const char *
home_of(const char *user)
{
    const char *home = getenv("HOME");
    if (!user[0] && home && home[0]) return home;
    const struct passwd *entry = user[0] ? getpwnam(user) : getpwuid(getuid());
    return entry ? entry->pw_dir : NULL;
}

/* Gives the reason why a text is not a path of that kind; "": it is one. */
static void
judge(enum koshu_key_file kind, const char *text, char reason[REASON_SIZE])
{
    reason[0] = '\0';
    if (strchr(text, '$'))
        snprintf(reason, REASON_SIZE,
                 "$ stands for nothing in a parameter file; write the path, or "
                 "let the shell do it: --set KEY=\"$NAME\"");
    else if (kind == KOSHU_FILE_OF_RUN &&
             (text[0] == '/' || strncmp(text, "~/", 2) == 0))
        snprintf(reason, REASON_SIZE,
                 "expected the name of a file in the output directory");
}

/* Expands "~/x" and "~user/x". */
static char *
expand_home(const char *text, char reason[REASON_SIZE])
{
    char user[REASON_SIZE / 2], *path;
    const size_t n = strcspn(text + 1, "/");
    snprintf(user, sizeof user, "%.*s", (int)n, text + 1);
    const char *home = n < sizeof user ? home_of(user) : NULL;
    if (home)
        return asprintf(&path, "%s%s", home, text + 1 + n) < 0 ? NULL : path;
    if (n == 0)
        snprintf(reason, REASON_SIZE,
                 "no home directory is known; set HOME, or write the path");
    else
        snprintf(reason, REASON_SIZE,
                 "there is no user '%s'; './%s' is a file of that name", user,
                 text);
    return NULL;
}

koshu_status
koshu_key_file_path(struct koshu_context *context, const char *place,
                    const struct koshu_key *key, const char *text, char **path)
{
    char reason[REASON_SIZE];
    *path = NULL;
    judge(key->file, text, reason);
    if (!reason[0])
        *path = key->file == KOSHU_FILE_ANYWHERE && text[0] == '~'
                        ? expand_home(text, reason)
                        : strdup(text);
    if (*path) return KOSHU_OK;
    if (!reason[0]) return koshu_fail_memory(context, strlen(text), "path");
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT, "%s: %s: '%s': %s", place,
                      key->path, text, reason);
}
