/* SPDX-License-Identifier: MIT */
/* What `koshu analyse` measures of flows. */
#ifndef KOSHU_APP_ANALYSE_FLOW_H
#define KOSHU_APP_ANALYSE_FLOW_H

#include "analyse.h"

/* One snapshot. */
struct flow_of {
    char label[48]; /* "t = 10" */
    char kind[32];
    size_t n;
    double box, time, viscosity;
    double energy, enstrophy, dissipation, eta, largest, reynolds, skewness;
    double rms, least; /* of the second invariant; least: its minimum */
    struct koshu_flow_spectrum spectrum;
    size_t n_structure;
    struct koshu_structure structure[KOSHU_STRUCTURE_MAX];
    double *invariant; /* NULL: not measured */
};

koshu_status write_flows(const struct analysis *w, const struct flow_of *f);
koshu_status draw_flows(const struct analysis *w, const struct flow_of *f);

#endif
