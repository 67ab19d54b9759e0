/* SPDX-License-Identifier: MIT */
/* Makes a chain of a test's few bodies. */
#ifndef KOSHU_TESTS_CHAIN_OF_H
#define KOSHU_TESTS_CHAIN_OF_H

#include "few_bodies.h"
#include "fewbody/fewbody.h"

static inline struct koshu_chain
chain_of(const struct few_bodies *b)
{
    struct koshu_chain chain = {0};
    double x[FEW][3], v[FEW][3];
    for (size_t k = 0; k < b->n; k++)
        for (int d = 0; d < 3; d++) {
            x[k][d] = b->x[d][k];
            v[k][d] = b->v[d][k];
        }
    koshu_chain_make(&chain, b->n, b->mass, (const double(*)[3])x,
                     (const double(*)[3])v, 0);
    return chain;
}

#endif
