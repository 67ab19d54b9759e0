/* SPDX-License-Identifier: MIT */
/* Writes the energy spectrum that goes with a snapshot of a flow. */
#include "flow/spectrum.h"

#include <stdio.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/flow.h"

static koshu_status
find(struct koshu_flow *f, struct koshu_flow_spectrum *s)
{
    const size_t n = f->values->flow.n;
    const bool mine = koshu_is_first_rank(f->context);
    double *u = mine ? koshu_alloc(3 * n * n * n, sizeof *u) : NULL;
    koshu_status status =
            u || !mine ? KOSHU_OK
                       : koshu_fail_memory(f->context, 24 * n * n * n,
                                           "a velocity");
    status = koshu_ranks_collective_status(f->context, status);
    if (status == KOSHU_OK) status = f->ops->velocity(f->state, n, u);
    if (status == KOSHU_OK && mine)
        status = f->fields->spectrum(f->context, n, f->box, u, s);
    koshu_free(u);
    return status;
}

static koshu_status
put(struct koshu_flow *f, const struct koshu_flow_spectrum *s)
{
    char name[64], path[KOSHU_PATH_SIZE];
    struct koshu_file *to;
    snprintf(name, sizeof name, "spectrum_%04llu.csv",
             (unsigned long long)f->snapshots);
    KOSHU_TRY(koshu_run_lock_check(f->run.lock));
    KOSHU_TRY(koshu_output_path(f->context, f->values->directory, name, path));
    KOSHU_TRY(koshu_file_begin(f->context, path, &to));
    locale_t users = koshu_plain_numbers();
    fprintf(to->stream, "k,energy\n");
    for (size_t k = 1; k < s->shells; k++)
        fprintf(to->stream, "%.17g,%.17g\n", (double)k * s->unit, s->energy[k]);
    uselocale(users);
    return koshu_file_commit(to);
}

koshu_status
koshu_flow_write_spectrum(struct koshu_flow *f)
{
    struct koshu_flow_spectrum s = {0};
    if (!(f->box > 0) || !f->fields) return KOSHU_OK;
    koshu_status status = find(f, &s);
    if (status == KOSHU_OK && koshu_is_first_rank(f->context))
        status = put(f, &s);
    koshu_free(s.energy);
    return koshu_ranks_collective_status(f->context, status);
}
