/* SPDX-License-Identifier: MIT */
/* Panels of cluster.csv: core and half-mass radius, bound mass, binaries, mass
 * segregation, dispersion. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "output/run_log.h"

/* A curve of a panel: its column and its label. */
struct curve {
    const char *column, *label;
    unsigned colour;
};
enum { N_CURVES = 3 };

static const struct kind {
    enum koshu_curves flag;
    const char *name;
    bool log;
    double guide;
    struct curve curve[N_CURVES];
} kinds[] = {{KOSHU_CURVES_CORE,
              "radius",
              true,
              NAN,
              {{"core_radius", "core", 0xc0562b},
               {"r50", "half mass", 0x2b5c8a},
               {"r90", "90 %", 0x4c8a4a}}},
             {KOSHU_CURVES_BOUND,
              "bound mass",
              false,
              NAN,
              {{"bound_mass", "", 0x2b5c8a}}},
             {KOSHU_CURVES_BINARIES,
              "number",
              false,
              NAN,
              {{"n_pairs", "pairs", 0x9a9a9a},
               {"n_hard", "hard", 0xc0562b},
               {"n_hierarchies", "triples +", 0x8a5fa3}}},
             {KOSHU_CURVES_SEGREGATION,
              "segregation {/Symbol L}_{MSR}",
              false,
              1,
              {{"segregation", "", 0x8a5fa3}}},
             {KOSHU_CURVES_DISPERSION,
              "dispersion {/Symbol s}",
              false,
              NAN,
              {{"velocity_dispersion", "", 0x4c8a4a}}}};

static size_t
count_curves(const struct kind *k)
{
    size_t n = 0;
    while (n < N_CURVES && k->curve[n].column) n++;
    return n;
}

koshu_status
koshu_cluster_panel(const struct koshu_run_log *log, enum koshu_curves flag,
                    struct koshu_panel *panel)
{
    const struct kind *k = kinds;
    while (k->flag != flag) k++;
    const size_t n = count_curves(k);
    KOSHU_TRY(koshu_panel_create(log->context, k->name, n, panel));
    panel->log = k->log;
    panel->guide = k->guide;
    for (size_t c = 0; c < n; c++) {
        struct koshu_series *s = &panel->series[c];
        size_t column;
        KOSHU_TRY(koshu_table_find(log->context, &log->table,
                                   k->curve[c].column, &column));
        if (c == 0) koshu_run_log_unit(log, column, panel->unit);
        s->colour = k->curve[c].colour;
        snprintf(s->label, sizeof s->label, "%s", k->curve[c].label);
        KOSHU_TRY(koshu_run_log_series(log, column, s));
    }
    return KOSHU_OK;
}
