/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_TESTS_DESCRIPTORS_H
#define KOSHU_TESTS_DESCRIPTORS_H

#include <fcntl.h>

/* Number of descriptors open in this process. */
static inline int
count_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 1024; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

#endif
