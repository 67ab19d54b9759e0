/* SPDX-License-Identifier: MIT */
/* Files of koshu that are no snapshots. */
#ifndef KOSHU_APP_INFO_KIND_H
#define KOSHU_APP_INFO_KIND_H

#include "app.h"

/* Says what it is, where it is one of them; known: false where it is not. */
koshu_status info_other(struct koshu_context *context, const char *path,
                        bool json, bool *known);

#endif
