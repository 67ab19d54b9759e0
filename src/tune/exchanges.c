/* SPDX-License-Identifier: MIT */
/* Finds the fastest exchange between several devices (Miki13 Fig. 5). */
#include "base/base.h"
#include "tune/study.h"

enum { FIRST = KOSHU_EXCHANGE_AUTO + 1 };

static koshu_status
measure_exchange(struct study *s, enum koshu_exchange exchange)
{
    struct koshu_tune_row row = {
            .k = exchange, .shared_memory = -1, .right = true};
    s->backend->ops->select_exchange(s->backend, s->set, s->size_class,
                                     exchange);
    KOSHU_TRY(koshu_study_time(s, &row.seconds));
    return koshu_study_add(s, row);
}

/* Measures all exchanges at one size, then restores the backend's own
 * choice. */
static koshu_status
measure_size(struct study *s)
{
    const struct koshu_backend_ops *ops = s->backend->ops;
    const size_t n = koshu_size_of_class(s->size_class);
    koshu_status status = KOSHU_OK;
    ops->select_exchange(s->backend, s->set, s->size_class,
                         KOSHU_EXCHANGE_AUTO);
    s->own = s->table->n_rows + ops->exchange(s->backend, &s->task, n) - FIRST;
    for (unsigned e = FIRST; status == KOSHU_OK && e < KOSHU_EXCHANGES; e++)
        status = measure_exchange(s, (enum koshu_exchange)e);
    ops->select_exchange(s->backend, s->set, s->size_class,
                         KOSHU_EXCHANGE_AUTO);
    return status;
}

koshu_status
koshu_tune_exchanges(struct koshu_context *context, unsigned sets,
                     koshu_tune_seen *seen, struct koshu_tune_table *table)
{
    struct study s = {.context = context,
                      .table = table,
                      .measure = measure_size,
                      .measured_seconds = 0.01,
                      .long_seconds = 0.2,
                      .max_sums = 100};
    *table = (struct koshu_tune_table){0};
    KOSHU_TRY(koshu_backend_of(context, &s.backend));
    if (!s.backend->group_model[0])
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "exchanges are between several GPUs: name two or "
                          "more");
    return koshu_study_run(&s, sets, seen);
}
