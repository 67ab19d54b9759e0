/* SPDX-License-Identifier: MIT */
#include "same_file.h"

#include <sys/stat.h>

bool
same_file(const char *a, const char *b)
{
    struct stat s, t;
    return stat(a, &s) == 0 && stat(b, &t) == 0 && s.st_ino == t.st_ino &&
           s.st_dev == t.st_dev;
}
