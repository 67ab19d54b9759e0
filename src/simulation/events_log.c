/* SPDX-License-Identifier: MIT */
/* events.csv: a row for each star that has merged or left, with its state and
 * that of the star it merged with. */
#include <math.h>

#include "base/base.h"
#include "simulation/events.h"
#include "simulation/simulation.h"

#define BODY(n) \
    ",id" n ",mass" n ",radius" n ",x" n ",y" n ",z" n ",vx" n ",vy" n ",vz" n
static const char header[] = "step,kind,time,energy" BODY("1") BODY("2") "\n";
enum { COLUMNS = 2 + 2 * 9 };

void
koshu_events_log_header(const struct koshu_units *units, size_t size,
                        char *text)
{
    koshu_header_with_units(header, units, false, size, text);
}

static void
put_body(const struct koshu_event_body *b, double g, double *x)
{
    const double row[] = {(double)b->id, b->mass / g, b->radius,
                          b->x[0],       b->x[1],     b->x[2],
                          b->v[0],       b->v[1],     b->v[2]};
    for (int k = 0; k < 9; k++) x[k] = row[k];
}

koshu_status
koshu_events_log_write(struct koshu_simulation *s,
                       const struct koshu_event *event)
{
    const double g = s->kept.mass_factor;
    double row[COLUMNS] = {event->time, event->energy / g};
    put_body(&event->body[0], g, row + 2);
    put_body(&event->body[1], g, row + 11);
    return koshu_csv_log_append_named(
            s->log[KOSHU_EVENTS_LOG], s->integrator->clock.steps,
            koshu_event_kind_name(event->kind), row,
            event->kind == KOSHU_EVENT_KIND_MERGER ? COLUMNS : 11);
}
