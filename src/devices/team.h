/* SPDX-License-Identifier: MIT */
/*
 * Host threads, one for each device of a group (Miki13 section 3).
 *
 * These are not OpenMP threads: those are as many as the processors, and a
 * parallel region of another size would create them anew. Between two items of
 * work they poll for the next for as long as waking up would matter beside a
 * sum, and then sleep.
 */
#ifndef KOSHU_DEVICES_TEAM_H
#define KOSHU_DEVICES_TEAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_team;

/* n >= 1 members, the caller among them. NULL: no memory, or no threads. */
struct koshu_team *koshu_team_create(size_t n);
/* NULL is allowed. */
void koshu_team_destroy(struct koshu_team *team);

/*
 * work(user, k) by each member k, number 0 by the caller; returns when all have
 * returned, and what they did is seen by all. The first result that is not 0,
 * and whose it is; 0: there is none.
 */
typedef int koshu_team_work(void *user, size_t k);
int koshu_team_do(struct koshu_team *team, koshu_team_work *work, void *user,
                  size_t *whose);

#ifdef __cplusplus
}
#endif

#endif
