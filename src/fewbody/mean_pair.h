/* SPDX-License-Identifier: MIT */
/* A pair averaged over its revolution: an ellipse of its mass. */
#ifndef KOSHU_FEWBODY_MEAN_PAIR_H
#define KOSHU_FEWBODY_MEAN_PAIR_H

#include <stddef.h>

struct koshu_mean_pair {
    size_t point; /* its index among the points that attract it */
    double reach; /* its pericentre must stay beyond */
    double mass, reduced;
    double off;           /* (left - right) / mass: factor of odd moments */
    double a, e[3], j[3]; /* e: towards the pericentre; j: sqrt(1 - e^2)
                             along the normal */
    double anomaly, motion;
};

/* For a bound pair; x, v: from its left body to its right one. */
struct koshu_mean_pair koshu_mean_pair_of(double left, double right,
                                          const double x[3], const double v[3]);

/* The position of its right body relative to the left one, a time dt later. */
void koshu_mean_pair_place(const struct koshu_mean_pair *pair, double dt,
                           double x[3], double v[3]);

/* The points that attract the pair, and the tidal tensor of anything else. */
struct koshu_mean_field {
    size_t n;
    const double *mass;
    double (*x)[3];
    double tides[3][3];
};

/* Adds to a the accelerations of the points by the ellipse's moments, and the
 * pair's own by reaction. */
void koshu_mean_pair_attract(const struct koshu_mean_pair *pair,
                             const struct koshu_mean_field *field,
                             double (*a)[3]);

/* Changes the ellipse as the field does in dt, with the points at rest. */
void koshu_mean_pair_turn(struct koshu_mean_pair *pair,
                          const struct koshu_mean_field *field, double dt);

#endif
