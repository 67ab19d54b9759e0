/* SPDX-License-Identifier: MIT */
/* Groups that take long are moved by helpers, threads of their own, while other
 * blocks are made: see subsystem_ahead.c. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_AHEAD_H
#define KOSHU_INTEGRATE_SUBSYSTEM_AHEAD_H

#include "integrate/subsystems.h"

/* Groups that have been moved since the last time, and took long, to when they
 * are wanted next, all particles having the steps that they are to make.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_subsystems_go_ahead(struct koshu_subsystems *groups);

#endif
