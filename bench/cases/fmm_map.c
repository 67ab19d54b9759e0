/* SPDX-License-Identifier: MIT */
/* Computes and draws the map of errors of koshu bench fmm. */
#include "bench/cases/fmm_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/cases.h"

/* Nodes per side: a power of two, and one. Faces between cells lie at multiples
 * of 1/FACES of the cube's edge. */
enum { NODES = 257, BOX_NODES = 65, FACES = 8, PIXELS = 514 };

struct map {
    size_t side;
    double low[3], edge;
    double *memory, *error; /* positions of the nodes; errors there */
};

/* The cube that contains all particles, or the periodic box. */
static void
find_cube(const struct bench *b, const struct koshu_laplace_points *p,
          struct map *m)
{
    const double *const x[3] = {p->x, p->y, p->z};
    double high[3];
    m->edge = b->box;
    for (int d = 0; d < 3; d++) {
        m->low[d] = high[d] = p->n ? x[d][0] : 0;
        for (size_t i = 0; i < p->n; i++) {
            m->low[d] = fmin(m->low[d], x[d][i]);
            high[d] = fmax(high[d], x[d][i]);
        }
        if (!(b->box > 0)) m->edge = fmax(m->edge, high[d] - m->low[d]);
    }
    for (int d = 0; d < 3; d++)
        m->low[d] =
                b->box > 0 ? -b->box / 2 : (m->low[d] + high[d] - m->edge) / 2;
}

/* In a periodic box the last row and column would coincide with the first of
 * the next image, so all nodes are slightly inside. */
static void
place_nodes(const struct map *m, struct koshu_laplace_points *targets)
{
    const size_t n = m->side * m->side;
    double *x = m->memory, *y = x + n, *z = y + n;
    const double step = m->edge * (1 - 1e-12) / (double)(m->side - 1);
    *targets = koshu_laplace_points_default();
    targets->n = n;
    targets->x = x;
    targets->y = y;
    targets->z = z;
    for (size_t k = 0; k < n; k++) {
        x[k] = m->low[0] + (double)(k % m->side) * step;
        y[k] = m->low[1] + (double)(k / m->side) * step;
        z[k] = m->low[2] + m->edge / 2;
    }
}

static bool
is_on_face(const struct map *m, size_t k)
{
    const size_t cell = (m->side - 1) / FACES;
    return k % m->side % cell == 0 || k / m->side % cell == 0;
}

/* The rms error on the faces of cells, or between them. */
static double
rms(const struct map *m, bool on_faces)
{
    double sum = 0, n = 0;
    for (size_t k = 0; k < m->side * m->side; k++) {
        if (is_on_face(m, k) != on_faces) continue;
        sum += m->error[k] * m->error[k];
        n++;
    }
    return sqrt(sum / n);
}

static koshu_status
draw(struct bench *b, const struct map *m, const char *title)
{
    static double image[PIXELS * PIXELS];
    struct koshu_density_options o = koshu_density_options_default();
    struct koshu_picture_view view = koshu_picture_view_default();
    struct koshu_plane plane = {.x = {.low = m->low[0],
                                      .high = m->low[0] + m->edge,
                                      .name = "{/:Italic x}"},
                                .y = {.low = m->low[1],
                                      .high = m->low[1] + m->edge,
                                      .name = "{/:Italic y}"},
                                .density = "error over rms gradient"};
    const struct koshu_density_panel panel = {.sigma = image};
    view.pixels = PIXELS;
    o.view = &view;
    o.title = title;
    for (size_t k = 0; k < (size_t)PIXELS * PIXELS; k++)
        image[k] = m->error[k / PIXELS * m->side / PIXELS * m->side +
                            k % PIXELS * m->side / PIXELS];
    return koshu_picture_density_in(b->context, 1, &panel, b->options->plot, &o,
                                    &plane);
}

static koshu_status
measure(struct bench *b, const struct fmm_sums *sums, struct map *m)
{
    struct koshu_laplace_points targets;
    place_nodes(m, &targets);
    return fmm_sums_errors_at(b, sums, &targets, m->error);
}

static koshu_status
show(struct bench *b, const struct map *m, const char *what)
{
    char title[256];
    snprintf(title, sizeof title,
             "%s: rms error %.1e on faces of cells, %.1e between", what,
             rms(m, true), rms(m, false));
    if (!b->options->json) printf("map: %s\n", title);
    return draw(b, m, title);
}

koshu_status
fmm_map_draw(struct bench *b, const struct fmm_sums *sums, const char *what)
{
    struct map m = {.side = b->box > 0 ? BOX_NODES : NODES};
    const size_t n = m.side * m.side;
    find_cube(b, &sums->points, &m);
    m.memory = calloc(4 * n, sizeof *m.memory);
    m.error = m.memory ? m.memory + 3 * n : NULL;
    koshu_status status =
            m.memory ? measure(b, sums, &m)
                     : koshu_fail_memory(b->context, 4 * n * sizeof *m.memory,
                                         "a map of errors");
    if (status == KOSHU_OK) status = show(b, &m, what);
    free(m.memory);
    return status;
}
