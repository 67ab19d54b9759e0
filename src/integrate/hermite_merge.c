/* SPDX-License-Identifier: MIT */
/* Applies mergers to the particle store. */
#include <stdlib.h>

#include "base/base.h"
#include "integrate/hermite.h"
#include "integrate/subsystems.h"
#include "particles/particles.h"

static struct koshu_event_body
body_of(const struct koshu_hermite *h, const struct koshu_merger *m, int k,
        uint64_t id)
{
    struct koshu_event_body b = {
            .id = id,
            .mass = m->mass[k],
            .radius = koshu_integrator_radius(&h->base, m->mass[k])};
    for (int d = 0; d < 3; d++) {
        b.x[d] = m->x[k][d];
        b.v[d] = m->v[k][d];
    }
    return b;
}

/* The merged body keeps the id of the heavier one. */
static void
merge(struct koshu_hermite *h, const struct koshu_merger *m,
      const struct koshu_particle_view *v, struct koshu_event *event)
{
    const int first = m->mass[1] > m->mass[0] ? 1 : 0;
    const uint64_t id[] = {v->id[m->stays], v->id[m->goes]};
    *event = (struct koshu_event){
            .kind = KOSHU_EVENT_KIND_MERGER,
            .time = h->base.clock.time + m->time,
            .body = {body_of(h, m, first, id[first]),
                     body_of(h, m, 1 - first, id[1 - first])},
            .energy = m->energy};
    v->id[m->stays] = id[first];
    v->mass[m->stays] = m->mass[0] + m->mass[1];
    if (v->initial_mass) v->initial_mass[m->stays] += v->initial_mass[m->goes];
}

static int
compare(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return i < j ? -1 : i > j;
}

/* Orders by time. */
static int
compare_mergers(const void *a, const void *b)
{
    const struct koshu_merger *p = a, *q = b;
    if (p->time != q->time) return p->time < q->time ? -1 : 1;
    return p->goes < q->goes ? -1 : p->goes > q->goes;
}

static koshu_status
remove_gone(struct koshu_hermite *h, const struct koshu_mergers *mergers)
{
    const size_t n = mergers->n;
    uint32_t *go = koshu_alloc(n, sizeof *go);
    if (!go)
        return koshu_fail_memory(h->base.context, n * sizeof *go, "mergers");
    for (size_t k = 0; k < n; k++) go[k] = (uint32_t)mergers->merger[k].goes;
    qsort(go, n, sizeof *go, compare);
    const koshu_status status =
            koshu_particles_remove(h->base.particles, n, go);
    koshu_free(go);
    return status;
}

koshu_status
koshu_hermite_merge(struct koshu_hermite *h,
                    const struct koshu_mergers *mergers)
{
    struct koshu_integrator *i = &h->base;
    struct koshu_particle_view v;
    if (mergers->n == 0) return KOSHU_OK;
    qsort(mergers->merger, mergers->n, sizeof *mergers->merger,
          compare_mergers);
    KOSHU_TRY(KOSHU_GROW(i, event, mergers->n, i->context, "events"));
    const unsigned masses =
            KOSHU_FIELD_MASS |
            (koshu_particles_fields(i->particles) & KOSHU_FIELD_INITIAL_MASS);
    KOSHU_TRY(koshu_particles_on_host(i->particles, KOSHU_FIELD_ID | masses,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t k = 0; k < mergers->n; k++)
        merge(h, &mergers->merger[k], &v, &i->event[k]);
    i->n_events = mergers->n;
    return remove_gone(h, mergers);
}
