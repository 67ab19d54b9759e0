/* SPDX-License-Identifier: MIT */
/*
 * Transforms with KISS FFT (BSD licence), for builds that may not link FFTW.
 * KISS FFT is compiled for float, so transforms of double fields are no more
 * accurate than those of float.
 */
#include <complex.h>
#include <kiss_fft.h>

#include "base/base.h"
#include "fields/transform.h"

struct engine {
    struct koshu_mesh mesh;
    bool in_double;
    kiss_fft_cfg of[3][2]; /* [axis][direction] */
};

const char *
koshu_transform_library(void)
{
    return "kiss";
}

double
koshu_transform_engine_error(bool in_double)
{
    (void)in_double;
    return 1e-7;
}

koshu_status
koshu_transform_engine_create(struct koshu_context *context,
                              const struct koshu_mesh *mesh, bool in_double,
                              void **engine)
{
    struct engine *e = koshu_alloc(1, sizeof *e);
    if (!e) return koshu_fail_memory(context, sizeof *e, "a transform");
    *e = (struct engine){.mesh = *mesh, .in_double = in_double};
    *engine = e;
    bool fine = true;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 2; k++) {
            e->of[axis][k] = kiss_fft_alloc((int)mesh->n[axis], k, NULL, NULL);
            fine = fine && e->of[axis][k];
        }
    if (fine) return KOSHU_OK;
    koshu_transform_engine_destroy(e);
    return koshu_fail_memory(context, mesh->n[0] * sizeof(kiss_fft_cpx),
                             "a transform");
}

void
koshu_transform_engine_destroy(void *engine)
{
    struct engine *e = engine;
    if (!e) return;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 2; k++) kiss_fft_free(e->of[axis][k]);
    koshu_free(e);
}

/* A line of numbers: element i is i * stride reals (waves: pairs) on. */
struct line {
    void *at;
    size_t n, stride;
    bool in_double;
};

static double
number(const struct line *l, size_t i)
{
    return l->in_double ? ((double *)l->at)[i] : (double)((float *)l->at)[i];
}

static void
put(const struct line *l, size_t i, double value)
{
    if (l->in_double)
        ((double *)l->at)[i] = value;
    else
        ((float *)l->at)[i] = (float)value;
}

static void
get_waves(const struct line *l, kiss_fft_cpx *line)
{
    for (size_t i = 0; i < l->n; i++) {
        line[i].r = (float)number(l, 2 * i * l->stride);
        line[i].i = (float)number(l, 2 * i * l->stride + 1);
    }
}

static void
put_waves(const struct line *l, size_t n, const kiss_fft_cpx *line)
{
    for (size_t i = 0; i < n; i++) {
        put(l, 2 * i * l->stride, (double)line[i].r);
        put(l, 2 * i * l->stride + 1, (double)line[i].i);
    }
}

/* Fills in the waves that are not stored, the conjugates of those that are. */
static void
complete(size_t n, kiss_fft_cpx *line)
{
    line[0].i = 0;
    if (n % 2 == 0) line[n / 2].i = 0;
    for (size_t i = 1; i < (n + 1) / 2; i++)
        line[n - i] = (kiss_fft_cpx){line[i].r, -line[i].i};
}

static void
real_row(const struct engine *e, int direction, struct line row,
         kiss_fft_cpx *in, kiss_fft_cpx *out)
{
    if (direction == KOSHU_TRANSFORM_FORWARD) {
        for (size_t i = 0; i < row.n; i++)
            in[i] = (kiss_fft_cpx){(float)number(&row, i), 0};
        kiss_fft(e->of[2][0], in, out);
        put_waves(&row, koshu_mesh_waves(&e->mesh), out);
        return;
    }
    struct line waves = row;
    waves.n = koshu_mesh_waves(&e->mesh);
    get_waves(&waves, in);
    complete(row.n, in);
    kiss_fft(e->of[2][1], in, out);
    for (size_t i = 0; i < row.n; i++) put(&row, i, (double)out[i].r);
}

/* All lines of waves that begin in one row. */
static void
wave_lines(const struct engine *e, int axis, int direction, struct line line,
           kiss_fft_cpx *in, kiss_fft_cpx *out)
{
    char *first = line.at;
    size_t bytes = line.in_double ? 16 : 8;
    for (size_t l = 0; l < koshu_mesh_waves(&e->mesh); l++) {
        line.at = first + l * bytes;
        get_waves(&line, in);
        kiss_fft(e->of[axis][direction], in, out);
        put_waves(&line, line.n, out);
    }
}

static void
real_rows(const struct engine *e, int direction, char *plane, kiss_fft_cpx *in,
          kiss_fft_cpx *out)
{
    size_t bytes = koshu_mesh_row(&e->mesh) * (e->in_double ? 16 : 8);
    for (size_t j = 0; j < e->mesh.n[1]; j++)
        real_row(
                e, direction,
                (struct line){plane + j * bytes, e->mesh.n[2], 1, e->in_double},
                in, out);
}

static size_t
length_of(const struct engine *e)
{
    size_t n = e->mesh.n[0] > e->mesh.n[1] ? e->mesh.n[0] : e->mesh.n[1];
    return (n > e->mesh.n[2] ? n : e->mesh.n[2]) + 1;
}

static kiss_fft_cpx *
two_lines(const struct engine *e)
{
    return koshu_alloc(2 * length_of(e), sizeof(kiss_fft_cpx));
}

bool
koshu_transform_plane(const void *engine,
                      enum koshu_transform_direction direction, void *plane)
{
    const struct engine *e = engine;
    kiss_fft_cpx *in = two_lines(e);
    if (!in) return false;
    kiss_fft_cpx *out = in + length_of(e);
    struct line along_y = {plane, e->mesh.n[1], koshu_mesh_row(&e->mesh),
                           e->in_double};
    if (direction == KOSHU_TRANSFORM_FORWARD) {
        real_rows(e, direction, plane, in, out);
        wave_lines(e, 1, direction, along_y, in, out);
    } else {
        wave_lines(e, 1, direction, along_y, in, out);
        real_rows(e, direction, plane, in, out);
    }
    koshu_free(in);
    return true;
}

bool
koshu_transform_columns(const void *engine,
                        enum koshu_transform_direction direction, void *waves)
{
    const struct engine *e = engine;
    kiss_fft_cpx *in = two_lines(e);
    if (!in) return false;
    wave_lines(e, 0, direction,
               (struct line){waves, e->mesh.n[0],
                             e->mesh.n[1] * koshu_mesh_row(&e->mesh),
                             e->in_double},
               in, in + length_of(e));
    koshu_free(in);
    return true;
}

bool
koshu_transform_lines(const void *engine,
                      enum koshu_transform_direction direction, void *from,
                      void *to)
{
    const struct engine *e = engine;
    kiss_fft_cpx *in = two_lines(e);
    if (!in) return false;
    memcpy(to, from,
           e->mesh.n[1] * koshu_mesh_row(&e->mesh) * (e->in_double ? 16 : 8));
    real_rows(e, direction, to, in, in + length_of(e));
    koshu_free(in);
    return true;
}
