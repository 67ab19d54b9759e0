/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_APP_SAME_FILE_H
#define KOSHU_APP_SAME_FILE_H

#include <stdbool.h>

/* Are these names of one file that exists? */
bool same_file(const char *a, const char *b);

#endif
