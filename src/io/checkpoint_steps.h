/* SPDX-License-Identifier: MIT */
/* What a checkpoint keeps of block time steps; for checkpoint.c. */
#ifndef KOSHU_IO_CHECKPOINT_STEPS_H
#define KOSHU_IO_CHECKPOINT_STEPS_H

#include "io/hdf5_file.h"
#include "io/io.h"

/*
 * The view as it is where all particles, of all ranks, are at one time. Else
 * a copy of it that shares all but positions and velocities: those are
 * predicted to the checkpoint's time. Collective. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_checkpoint_predict(struct koshu_context *context,
                                      const struct koshu_particle_view *view,
                                      const struct koshu_checkpoint *checkpoint,
                                      struct koshu_particle_view *synchronised);
void koshu_checkpoint_predict_free(const struct koshu_particle_view *view,
                                   struct koshu_particle_view *synchronised);

/* Into the group, where the store has such fields; apart: with positions and
 * velocities. false: HDF5 failed. */
bool koshu_checkpoint_put_steps(hid_t group, const struct koshu_rows *rows,
                                const struct koshu_particle_view *view,
                                bool apart);

/* From the group, where it has them. */
koshu_status koshu_checkpoint_get_steps(const struct koshu_hdf5_place *place,
                                        struct koshu_particles *particles);

#endif
