/* SPDX-License-Identifier: MIT */
/* Finds and joins cells on a device, if there is one. */
#include "analysis/friends.h"
#include "backend/backend.h"
#include "base/base.h"

static koshu_status
find_cells(struct friends *f, struct koshu_backend *backend)
{
    const struct koshu_friends_task task = {.n = f->v->n,
                                            .x = {f->v->x, f->v->y, f->v->z},
                                            .box = f->o->box,
                                            .length = f->o->length,
                                            .edge = f->edge};
    struct koshu_friends_cells cells = {0};
    const koshu_status status = backend->ops->friends(backend, &task, &cells);
    f->n_cells = cells.n;
    f->index = cells.index;
    f->first = cells.first;
    f->parent = (_Atomic uint32_t *)cells.root;
    return status;
}

koshu_status
koshu_friends_by_device(struct friends *f, bool *found)
{
    struct koshu_backend *backend;
    *found = false;
    if (!koshu_backend_is_for(f->context, f->v->n)) return KOSHU_OK;
    KOSHU_TRY(koshu_backend_of(f->context, &backend));
    if (!backend->ops->friends) return KOSHU_OK;
    const koshu_status status = find_cells(f, backend);
    if (status == KOSHU_ERROR_OUT_OF_MEMORY) {
        koshu_log(f->context, KOSHU_LOG_LEVEL_WARNING,
                  "groups are found by the processors: %s",
                  koshu_context_message(f->context));
        koshu_friends_free_cells(f);
        koshu_free(f->parent);
        f->parent = NULL;
        return KOSHU_OK;
    }
    *found = status == KOSHU_OK;
    return status;
}
