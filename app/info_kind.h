/* SPDX-License-Identifier: MIT */
/* Files of koshu that are not snapshots. */
#ifndef KOSHU_APP_INFO_KIND_H
#define KOSHU_APP_INFO_KIND_H

#include "app.h"

/* Prints what it is, if it is one of them; otherwise sets known to false. */
koshu_status info_other(struct koshu_context *context, const char *path,
                        bool json, bool *known);

#endif
