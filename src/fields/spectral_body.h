/* SPDX-License-Identifier: MIT */
/* Passes over planes and columns in one precision, given by NAME(name) and
 * REAL; included twice, hence no include guard. Complex numbers are pairs of
 * REAL, since all factors are real or i times a real. */

/* ---- buffers ------------------------------------------------------------ */

static REAL *
NAME(buffer_of)(const struct koshu_spectral *s, int f)
{
    REAL *first = (REAL *)(s->buffer +
                           (size_t)omp_get_thread_num() * s->buffer_bytes);
    return first + (size_t)f * s->mesh * 2 * s->row;
}

static REAL *
NAME(lines_of)(const struct koshu_spectral *s)
{
    return NAME(buffer_of)(s, SPECTRAL_PLANE);
}

/* Where planes use them: plane x of this rank, slab j of all ranks, field f. */
static REAL *
NAME(of_plane)(const struct koshu_spectral *s, void *mixed, size_t fields,
               size_t x, int f, size_t j)
{
    const size_t r = j / s->slabs, row = (r * s->planes + x) * fields;
    return (REAL *)mixed +
           ((row + (size_t)f) * s->slabs + j - r * s->slabs) * 2 * s->k;
}

/* Where slabs use them: plane x of all ranks, slab j of this rank. */
static REAL *
NAME(of_slab)(const struct koshu_spectral *s, void *mixed, size_t fields,
              size_t x, int f, size_t j)
{
    return (REAL *)mixed + ((x * fields + (size_t)f) * s->slabs + j) * 2 * s->k;
}

/* Sets rows of waves that the mesh has but the state has not to zero. */
static void
NAME(clear)(const struct koshu_spectral *s, REAL *buffer)
{
    memset(buffer + s->k * 2 * s->row, 0,
           (s->mesh - s->m) * 2 * s->row * sizeof *buffer);
}

/* ---- planes ------------------------------------------------------------- */

/* to = i (a x + b y) + c z for rows of n complex numbers, with factors for
 * each. */
static void
NAME(curl_row)(size_t n, const REAL *restrict kz, double ky,
               const REAL *restrict in[SPECTRAL_MIXED],
               REAL *restrict out[SPECTRAL_PLANE])
{
    const REAL k = (REAL)ky;
    for (size_t r = 0; r < 2 * n; r += 2) {
        const REAL q = kz[r / 2];
        const REAL x0 = in[0][r], x1 = in[0][r + 1], y0 = in[1][r],
                   y1 = in[1][r + 1], z0 = in[2][r], z1 = in[2][r + 1];
        out[0][r] = x0;
        out[0][r + 1] = x1;
        out[1][r] = y0;
        out[1][r + 1] = y1;
        out[2][r] = z0;
        out[2][r + 1] = z1;
        out[3][r] = q * y1 - k * z1;
        out[3][r + 1] = k * z0 - q * y0;
        out[4][r] = -q * x1 - in[4][r];
        out[4][r + 1] = q * x0 - in[4][r + 1];
        out[5][r] = in[3][r] + k * x1;
        out[5][r + 1] = in[3][r + 1] - k * x0;
    }
}

static void
NAME(load_plane)(const struct koshu_spectral *s, size_t x)
{
    const REAL *in[SPECTRAL_MIXED];
    REAL *out[SPECTRAL_PLANE];
    REAL kz[KOSHU_SPECTRAL_MAX];
    for (size_t l = 0; l < s->k; l++) kz[l] = (REAL)s->frequency[l];
    for (int f = 0; f < SPECTRAL_PLANE; f++)
        NAME(clear)(s, NAME(buffer_of)(s, f));
    for (size_t j = 0; j < s->m; j++) {
        const size_t at = koshu_spectral_place(s, j) * 2 * s->row;
        for (int f = 0; f < SPECTRAL_MIXED; f++)
            in[f] = NAME(of_plane)(s, s->mixed, SPECTRAL_MIXED, x, f, j);
        for (int f = 0; f < SPECTRAL_PLANE; f++)
            out[f] = NAME(buffer_of)(s, f) + at;
        NAME(curl_row)(s->k, kz, s->frequency[j], in, out);
    }
}

static void
NAME(store_plane)(const struct koshu_spectral *s, size_t x)
{
    const size_t fields = koshu_spectral_fields_back(s);
    for (int f = 0; f < 3; f++) {
        const REAL *from = NAME(buffer_of)(s, f);
        for (size_t j = 0; j < s->m; j++)
            memcpy(NAME(of_plane)(s, s->outgoing, fields, x, f, j),
                   from + koshu_spectral_place(s, j) * 2 * s->row,
                   2 * s->k * sizeof *from);
    }
}

/* Replaces u by u x omega. */
static void
NAME(cross)(size_t n, REAL *restrict u, REAL *restrict v, REAL *restrict w,
            const REAL *restrict a, const REAL *restrict b,
            const REAL *restrict c)
{
    for (size_t i = 0; i < n; i++) {
        const REAL x = v[i] * c[i] - w[i] * b[i], y = w[i] * a[i] - u[i] * c[i],
                   z = u[i] * b[i] - v[i] * a[i];
        u[i] = x;
        v[i] = y;
        w[i] = z;
    }
}

static void
NAME(probe)(size_t n, REAL *const f[SPECTRAL_PLANE], double max[3])
{
    for (size_t i = 0; i < n; i++) {
        const double u = f[0][i], v = f[1][i], w = f[2][i], a = f[3][i],
                     b = f[4][i], c = f[5][i];
        max[0] = fmax(max[0], u * u + v * v + w * w);
        max[1] = fmax(max[1], a * a + b * b + c * c);
        max[2] = fmax(max[2], fabs(u) + fabs(v) + fabs(w));
    }
}

/* Transforms a row along z of all fields to its points, and back. */
static bool
NAME(line_of)(const struct koshu_spectral *s, size_t y, double *max)
{
    const size_t width = 2 * s->line;
    REAL *waves = NAME(lines_of)(s), *points = waves + SPECTRAL_PLANE * width;
    REAL *line[SPECTRAL_PLANE];
    for (size_t f = 0; f < SPECTRAL_PLANE; f++) {
        line[f] = points + f * width;
        memcpy(waves + f * width, NAME(buffer_of)(s, (int)f) + y * 2 * s->row,
               2 * s->k * sizeof *waves);
        memset(waves + f * width + 2 * s->k, 0,
               (width - 2 * s->k) * sizeof *waves);
    }
    bool fine = koshu_transform_lines(s->to_points, KOSHU_TRANSFORM_BACKWARD,
                                      waves, points);
    if (max) {
        NAME(probe)(s->mesh, line, max);
        return fine;
    }
    NAME(cross)(s->mesh, line[0], line[1], line[2], line[3], line[4], line[5]);
    fine = koshu_transform_lines(s->to_waves, KOSHU_TRANSFORM_FORWARD, points,
                                 waves) &&
           fine;
    for (size_t f = 0; f < 3; f++)
        memcpy(NAME(buffer_of)(s, (int)f) + y * 2 * s->row, waves + f * width,
               2 * s->k * sizeof *waves);
    return fine;
}

static bool
NAME(plane)(struct koshu_spectral *s, size_t x, bool probe)
{
    bool fine = true;
    double *max = probe ? s->own[x] : NULL;
    if (probe) memset(max, 0, sizeof s->own[x]);
    NAME(load_plane)(s, x);
    for (int f = 0; f < SPECTRAL_PLANE; f++)
        fine = koshu_transform_columns(s->columns, KOSHU_TRANSFORM_BACKWARD,
                                       NAME(buffer_of)(s, f)) &&
               fine;
    for (size_t y = 0; y < s->mesh; y++)
        fine = NAME(line_of)(s, y, max) && fine;
    if (probe) return fine;
    for (int f = 0; f < 3; f++)
        fine = koshu_transform_columns(s->columns, KOSHU_TRANSFORM_FORWARD,
                                       NAME(buffer_of)(s, f)) &&
               fine;
    NAME(store_plane)(s, x);
    return fine;
}

bool
NAME(koshu_spectral_planes)(struct koshu_spectral *s, bool probe)
{
    bool fine = true;
#pragma omp parallel for num_threads(s->threads) reduction(&& : fine)
    for (size_t x = 0; x < s->n_planes; x++)
        fine = NAME(plane)(s, x, probe) && fine;
    return fine;
}

/* ---- columns ------------------------------------------------------------ */

/* Factors of a row of waves of one k_x and k_y, each stored twice, for the real
 * and imaginary parts. */
struct NAME(row) {
    REAL kx, ky, kz[2 * KOSHU_SPECTRAL_MAX];
    REAL scale[2 * KOSHU_SPECTRAL_MAX]; /* of rates over k^2; 0 for k = 0 */
    REAL decay[2 * KOSHU_SPECTRAL_MAX]; /* over half a step */
};

static void
NAME(set_row)(const struct koshu_spectral *s, size_t i, size_t j,
              struct NAME(row) * row)
{
    const double x = s->frequency[i], y = s->frequency[j],
                 per_cell = pow((double)s->mesh, -3),
                 edge = s->options.forcing_wave_number * s->frequency[1];
    const bool forced = s->gain != 1;
    row->kx = (REAL)x;
    row->ky = (REAL)y;
    for (size_t l = 0; l < s->k; l++) {
        const double z = s->frequency[l], k2 = x * x + y * y + z * z;
        double e = s->decay[i] * s->decay[j] * s->decay[l];
        if (forced && k2 > 0 && k2 <= edge * edge) e *= s->gain;
        for (size_t r = 2 * l; r < 2 * l + 2; r++) {
            row->kz[r] = (REAL)z;
            row->scale[r] = (REAL)(k2 > 0 ? per_cell / k2 : 0);
            row->decay[r] = (REAL)e;
        }
    }
}

/* Removes the divergence of the rates, and scales them: k x (f x k) / k^2. */
static void
NAME(project)(size_t n, const struct NAME(row) * row, REAL *restrict x,
              REAL *restrict y, REAL *restrict z)
{
    const REAL a = row->kx, b = row->ky;
    for (size_t r = 0; r < 2 * n; r++) {
        const REAL c = row->kz[r], q = row->scale[r],
                   p = a * x[r] + b * y[r] + c * z[r],
                   k2 = a * a + b * b + c * c;
        x[r] = q * (k2 * x[r] - a * p);
        y[r] = q * (k2 * y[r] - b * p);
        z[r] = q * (k2 * z[r] - c * p);
    }
}

/* f: the rate on entry, the velocity of the next stage on return. u: the
 * velocity at the beginning of the step and, after the last stage, at its end.
 * sum: the scheme's sum of rates. */
static void
NAME(advance)(size_t n, enum spectral_stage stage, double dt,
              const REAL *restrict e, REAL *restrict f, REAL *restrict u,
              REAL *restrict sum)
{
    const REAL half = (REAL)(dt / 2), third = (REAL)(dt / 3),
               sixth = (REAL)(dt / 6), all = (REAL)dt;
    switch (stage) {
    case SPECTRAL_FIRST:
        for (size_t r = 0; r < n; r++) {
            sum[r] = e[r] * e[r] * (u[r] + sixth * f[r]);
            f[r] = e[r] * (u[r] + half * f[r]);
        }
        return;
    case SPECTRAL_SECOND:
        for (size_t r = 0; r < n; r++) {
            sum[r] += third * e[r] * f[r];
            f[r] = e[r] * u[r] + half * f[r];
        }
        return;
    case SPECTRAL_THIRD:
        for (size_t r = 0; r < n; r++) {
            sum[r] += third * e[r] * f[r];
            f[r] = e[r] * (e[r] * u[r] + all * f[r]);
        }
        return;
    case SPECTRAL_FOURTH:
        for (size_t r = 0; r < n; r++) f[r] = u[r] = sum[r] + sixth * f[r];
        return;
    case SPECTRAL_PREPARE: memcpy(f, u, n * sizeof *f);
    }
}

/* to = i k from. */
static void
NAME(differentiate)(size_t n, REAL k, const REAL *restrict from,
                    REAL *restrict to)
{
    for (size_t r = 0; r < 2 * n; r += 2) {
        to[r] = -k * from[r + 1];
        to[r + 1] = k * from[r];
    }
}

static bool
NAME(load_columns)(const struct koshu_spectral *s, size_t j)
{
    bool fine = true;
    const size_t fields = koshu_spectral_fields_back(s);
    for (int f = 0; f < 3; f++) {
        REAL *to = NAME(buffer_of)(s, f);
        for (size_t x = 0; x < s->mesh; x++)
            memcpy(to + x * 2 * s->row,
                   NAME(of_slab)(s, s->mixed, fields, x, f, j),
                   2 * s->k * sizeof *to);
        fine = koshu_transform_columns(s->columns, KOSHU_TRANSFORM_FORWARD,
                                       to) &&
               fine;
    }
    return fine;
}

static bool
NAME(store_columns)(const struct koshu_spectral *s, size_t j)
{
    bool fine = true;
    for (int f = 0; f < SPECTRAL_MIXED; f++) {
        REAL *from = NAME(buffer_of)(s, f);
        NAME(clear)(s, from);
        fine = koshu_transform_columns(s->columns, KOSHU_TRANSFORM_BACKWARD,
                                       from) &&
               fine;
        for (size_t x = 0; x < s->mesh; x++)
            memcpy(NAME(of_slab)(s, s->outgoing, SPECTRAL_MIXED, x, f, j),
                   from + x * 2 * s->row, 2 * s->k * sizeof *from);
    }
    return fine;
}

static void
NAME(row_of_stage)(const struct koshu_spectral *s, enum spectral_stage stage,
                   size_t i, size_t j)
{
    struct NAME(row) row;
    REAL *f[SPECTRAL_MIXED];
    const size_t at = koshu_spectral_place(s, i) * 2 * s->row;
    NAME(set_row)(s, i, s->first_slab + j, &row);
    for (int c = 0; c < SPECTRAL_MIXED; c++) f[c] = NAME(buffer_of)(s, c) + at;
    if (stage != SPECTRAL_PREPARE) NAME(project)(s->k, &row, f[0], f[1], f[2]);
    for (size_t c = 0; c < 3; c++) {
        const size_t first = ((j * 3 + c) * s->m + i) * 2 * s->k;
        NAME(advance)
        (2 * s->k, stage, s->dt, row.decay, f[c], (REAL *)s->state + first,
         (REAL *)s->sum + first);
    }
    NAME(differentiate)(s->k, row.kx, f[1], f[3]);
    NAME(differentiate)(s->k, row.kx, f[2], f[4]);
}

bool
NAME(koshu_spectral_columns)(struct koshu_spectral *s,
                             enum spectral_stage stage)
{
    bool fine = true;
#pragma omp parallel for num_threads(s->threads) reduction(&& : fine)
    for (size_t j = 0; j < s->n_slabs; j++) {
        if (stage != SPECTRAL_PREPARE) fine = NAME(load_columns)(s, j) && fine;
        for (size_t i = 0; i < s->m; i++) NAME(row_of_stage)(s, stage, i, j);
        fine = NAME(store_columns)(s, j) && fine;
    }
    return fine;
}
