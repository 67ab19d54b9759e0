/* SPDX-License-Identifier: MIT */
/* Finds sets of friends on a device, if there is one. */
#include "analysis/friends.h"
#include "base/base.h"

void
koshu_friends_free_sets(struct koshu_friends_sets *sets)
{
    koshu_free(sets->first);
    koshu_free(sets->member);
    *sets = (struct koshu_friends_sets){0};
}

koshu_status
koshu_friends_by_device(const struct friends *f,
                        struct koshu_friends_sets *sets, bool *found)
{
    const struct koshu_friends_task task = {.n = f->v->n,
                                            .x = {f->v->x, f->v->y, f->v->z},
                                            .box = f->o->box,
                                            .length = f->o->length,
                                            .edge = f->edge,
                                            .least = f->o->least};
    struct koshu_backend *backend;
    *found = false;
    if (!koshu_backend_is_for(f->context, f->v->n)) return KOSHU_OK;
    KOSHU_TRY(koshu_backend_of(f->context, &backend));
    if (!backend->ops->friends) return KOSHU_OK;
    const koshu_status status = backend->ops->friends(backend, &task, sets);
    if (status == KOSHU_ERROR_OUT_OF_MEMORY) {
        koshu_log(f->context, KOSHU_LOG_LEVEL_WARNING,
                  "groups are found by the processors: %s",
                  koshu_context_message(f->context));
        koshu_friends_free_sets(sets);
        return KOSHU_OK;
    }
    *found = status == KOSHU_OK;
    return status;
}
