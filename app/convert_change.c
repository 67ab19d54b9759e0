/* SPDX-License-Identifier: MIT */
/* Applies changes to the particles of a snapshot, in order. */
#include <stdlib.h>
#include <string.h>

#include "convert.h"

/* What a change makes invalid in the rest of a snapshot. */
enum { POTENTIAL = 1, BOX = 2 };

struct change_kind {
    const char *option;
    apply_change *apply; /* NULL: --from, which is applied before all of them */
    unsigned loses;
};

static const struct change_kind kinds[] = {
        {"from", NULL, 0},
        {"ids", select_ids, POTENTIAL},
        {"every", select_every, POTENTIAL},
        {"fraction", select_fraction, POTENTIAL},
        {"sphere", cut_sphere, POTENTIAL | BOX},
        {"box", cut_box, POTENTIAL | BOX},
        {"shift", shift_positions, 0},
        {"boost", boost_velocities, 0},
        {"centre", move_centre, 0},
        {"rotate", rotate_particles, BOX},
        {"scale-position", scale_position, POTENTIAL | BOX},
        {"scale-velocity", scale_velocity, 0},
        {"scale-mass", scale_mass, POTENTIAL},
};

void
note_change(struct argp_state *state, const char *option, char *text,
            void *arguments)
{
    struct convert_arguments *a = arguments;
    const struct change_kind *kind = kinds;
    while (strcmp(kind->option, option + 2) != 0) kind++;
    struct change *longer =
            reallocarray(a->change, a->n_changes + 1, sizeof *longer);
    if (!longer) argp_failure(state, EXIT_FAILED, 0, "out of memory");
    const bool of_all = a->out && a->files.n == a->before_out;
    longer[a->n_changes++] =
            (struct change){kind, text, of_all ? 0 : a->files.n};
    a->change = longer;
}

const char *
units_given(const struct convert_arguments *a, size_t k)
{
    const char *all = NULL, *own = NULL;
    for (size_t i = 0; i < a->n_changes; i++) {
        if (a->change[i].kind->apply) continue;
        if (a->change[i].file == 0) all = a->change[i].text;
        if (a->change[i].file == k) own = a->change[i].text;
    }
    return own ? own : all;
}

static void
note_losses(struct snapshot *s, unsigned loses)
{
    if (loses & POTENTIAL && s->info.has_potential) {
        fprintf(stderr,
                "koshu: %s: the potential is left out: it was that of other "
                "particles\n",
                printable(s->path));
        s->info.has_potential = false;
    }
    if (loses & BOX && s->info.box_size > 0) {
        fprintf(stderr,
                "koshu: %s: the box size is left out: the particles do not "
                "fill the box that it was\n",
                printable(s->path));
        s->info.box_size = 0;
    }
}

koshu_status
apply_changes(struct koshu_context *context, const struct convert_arguments *a,
              size_t k, struct snapshot *s)
{
    unsigned loses = 0;
    for (size_t i = 0; i < a->n_changes; i++) {
        const struct change *change = &a->change[i];
        const struct changing c = {context, s, change->kind->option,
                                   change->text, a->seed};
        if (change->file != k || !change->kind->apply) continue;
        KOSHU_TRY(change->kind->apply(&c));
        loses |= change->kind->loses;
    }
    note_losses(s, loses);
    return koshu_particles_check(s->particles);
}
