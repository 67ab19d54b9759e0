/* SPDX-License-Identifier: MIT */
/* A pair as the mean over its revolution: an ellipse of its mass. */
#ifndef KOSHU_FEWBODY_MEAN_PAIR_H
#define KOSHU_FEWBODY_MEAN_PAIR_H

#include <stddef.h>

struct koshu_mean_pair {
    size_t point; /* among those that attract it */
    double reach; /* its pericentre is to stay beyond */
    double mass, reduced;
    double off;           /* (left - right) / mass: odd moments are so much */
    double a, e[3], j[3]; /* e to the pericentre; j = sqrt(1 - e^2), normal */
    double anomaly, motion;
};

/* Of a bound pair, from its left body to its right one. */
struct koshu_mean_pair koshu_mean_pair_of(double left, double right,
                                          const double x[3], const double v[3]);

/* Where its right body is from the left one, so much later. */
void koshu_mean_pair_place(const struct koshu_mean_pair *pair, double dt,
                           double x[3], double v[3]);

/* The points that attract it, and the tensor of tides of anything else. */
struct koshu_mean_field {
    size_t n;
    const double *mass;
    double (*x)[3];
    double tides[3][3];
};

/* Adds its accelerations of the points by the moments of the ellipse, with what
 * it gets itself. */
void koshu_mean_pair_attract(const struct koshu_mean_pair *pair,
                             const struct koshu_mean_field *field,
                             double (*a)[3]);

/* What the field does to the ellipse in dt, while the points stand still. */
void koshu_mean_pair_turn(struct koshu_mean_pair *pair,
                          const struct koshu_mean_field *field, double dt);

#endif
