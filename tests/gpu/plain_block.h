/* SPDX-License-Identifier: MIT */
/* The Hermite scheme with block time steps as a plain loop in double precision,
 * for comparison. */
#ifndef KOSHU_TESTS_PLAIN_BLOCK_H
#define KOSHU_TESTS_PLAIN_BLOCK_H

#include "backend/backend.h"

/* n particles at tick 0, all zero; free with plain_free(). */
struct koshu_block_particles plain_particles(size_t n);
void plain_free(struct koshu_block_particles *p);
/* A copy of all fields; the outputs of `from` can be compared with it later. */
struct koshu_block_particles plain_copy(const struct koshu_block_particles *p);

/* A Plummer sphere in Hénon units with its forces and first steps. */
struct koshu_block_particles
plain_plummer(size_t n, const struct koshu_block_task *task);

/* Computes the forces at the present positions, and steps of at most eta_start
 * |a| / |jerk|. */
void plain_begin(struct koshu_block_particles *p,
                 const struct koshu_block_task *task, double eta_start);

/* Takes all block steps up to `until`. */
void plain_run(struct koshu_block_particles *p,
               const struct koshu_block_task *task, uint64_t until);

/* Kinetic plus potential energy at the present positions. */
double plain_energy(const struct koshu_block_particles *p, double eps);

#endif
