/* SPDX-License-Identifier: MIT */
/* Texts of what snapshots state. */
#ifndef KOSHU_APP_SNAPSHOT_TEXT_H
#define KOSHU_APP_SNAPSHOT_TEXT_H

#include <koshu/snapshot.h>

#include "app.h"

/* "z = 49" of a universe, whose time is a scale factor; "t = 0.5 Myr". */
enum { SNAPSHOT_TIME = QUANTITY_TEXT + 4 };
const char *snapshot_time_text(const struct koshu_snapshot_info *info,
                               char text[SNAPSHOT_TIME]);

/* "Omega_m = 0.31, Omega_Lambda = 0.69, h = 0.68", or "no universe" */
enum { UNIVERSE_TEXT = 96 };
const char *
universe_text(const struct koshu_snapshot_info *info, char text[UNIVERSE_TEXT]);

#endif
