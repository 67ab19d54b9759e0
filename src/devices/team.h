/* SPDX-License-Identifier: MIT */
/*
 * Host threads, one for each device of a group (Miki13 section 3).
 *
 * These are not OpenMP threads: OpenMP's team is as large as the number of
 * processors, and a region of another size would create it anew. Between two
 * items of work a thread polls for the next as long as the delay of waking up
 * would matter compared with a sum, and then sleeps.
 */
#ifndef KOSHU_DEVICES_TEAM_H
#define KOSHU_DEVICES_TEAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_team;

/* n >= 1 members, the caller among them. NULL: out of memory, or no threads can
 * be created. */
struct koshu_team *koshu_team_create(size_t n);
/* NULL is allowed. */
void koshu_team_destroy(struct koshu_team *team);

/*
 * Each member k calls work(user, k); the caller is number 0. Returns when all
 * have returned; everything they wrote is then visible. Returns the first
 * result that is not 0, and which member's it is; 0: there is none.
 */
typedef int koshu_team_work(void *user, size_t k);
int koshu_team_do(struct koshu_team *team, koshu_team_work *work, void *user,
                  size_t *whose);

#ifdef __cplusplus
}
#endif

#endif
