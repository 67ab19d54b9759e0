/* SPDX-License-Identifier: MIT */
/* Particles in the middle of block time steps; for checkpoint.c. */
#ifndef KOSHU_IO_CHECKPOINT_STEPS_H
#define KOSHU_IO_CHECKPOINT_STEPS_H

#include "io/io.h"

static inline bool
koshu_has_block_steps(const struct koshu_particle_view *view)
{
    return view->tick && view->jx;
}

/*
 * Returns the view itself where all particles of all ranks are at the same
 * time. Otherwise a copy that shares all but positions and velocities, which
 * are predicted to the checkpoint's time. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_checkpoint_predict(struct koshu_context *context,
                                      const struct koshu_particle_view *view,
                                      const struct koshu_checkpoint *checkpoint,
                                      struct koshu_particle_view *synchronised);
void koshu_checkpoint_predict_free(const struct koshu_particle_view *view,
                                   struct koshu_particle_view *synchronised);

#endif
