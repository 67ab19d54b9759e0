/* SPDX-License-Identifier: MIT */
/* The plans of one precision, given by FFTW(name), NAME(name) and REAL;
 * transform_fftw.c includes it twice, hence no include guard. */

struct NAME(plans) {
    FFTW(plan) plane[2], columns[2], lines[2];
};

/* Both directions of a plane, in place. */
static void
NAME(plan_planes)(const struct koshu_mesh *mesh, void *field,
                  struct NAME(plans) * plans)
{
    int n[2] = {(int)mesh->n[1], (int)mesh->n[2]};
    int row = (int)koshu_mesh_row(mesh);
    int waves[2] = {n[0], row}, reals[2] = {n[0], 2 * row};
    plans->plane[KOSHU_TRANSFORM_FORWARD] = FFTW(plan_many_dft_r2c)(
            2, n, 1, field, reals, 1, 0, field, waves, 1, 0, FFTW_ESTIMATE);
    plans->plane[KOSHU_TRANSFORM_BACKWARD] = FFTW(plan_many_dft_c2r)(
            2, n, 1, field, waves, 1, 0, field, reals, 1, 0, FFTW_ESTIMATE);
}

/* Along x, for all waves of one y. */
static FFTW(plan)
        NAME(plan_columns)(const struct koshu_mesh *mesh, void *field, int sign)
{
    int n = (int)mesh->n[0], waves = (int)koshu_mesh_waves(mesh);
    ptrdiff_t stride = (ptrdiff_t)(mesh->n[1] * koshu_mesh_row(mesh));
    FFTW(iodim64) along = {n, stride, stride}, beside = {waves, 1, 1};
    return FFTW(plan_guru64_dft)(1, &along, 1, &beside, field, field, sign,
                                 FFTW_ESTIMATE);
}

/* Out of place, from the field to an additional plane behind it. */
static void
NAME(plan_lines)(const struct koshu_mesh *mesh, REAL *field,
                 struct NAME(plans) * plans)
{
    const int n = (int)mesh->n[2], row = (int)koshu_mesh_row(mesh),
              rows = (int)mesh->n[1];
    REAL *to = field + 2 * rows * row;
    plans->lines[KOSHU_TRANSFORM_FORWARD] = FFTW(plan_many_dft_r2c)(
            1, &n, rows, field, NULL, 1, 2 * row, (FFTW(complex) *)to, NULL, 1,
            row, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    plans->lines[KOSHU_TRANSFORM_BACKWARD] = FFTW(plan_many_dft_c2r)(
            1, &n, rows, (FFTW(complex) *)field, NULL, 1, row, to, NULL, 1,
            2 * row, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
}

static bool
NAME(plan)(const struct koshu_mesh *mesh, void *field, struct NAME(plans) * p)
{
    NAME(plan_planes)(mesh, field, p);
    p->columns[0] = NAME(plan_columns)(mesh, field, FFTW_FORWARD);
    p->columns[1] = NAME(plan_columns)(mesh, field, FFTW_BACKWARD);
    NAME(plan_lines)(mesh, field, p);
    return p->plane[0] && p->plane[1] && p->columns[0] && p->columns[1] &&
           p->lines[0] && p->lines[1];
}

static void
NAME(release)(struct NAME(plans) * p)
{
    for (int k = 0; k < 2; k++) {
        FFTW(destroy_plan)(p->plane[k]);
        FFTW(destroy_plan)(p->columns[k]);
        FFTW(destroy_plan)(p->lines[k]);
    }
}

static void
NAME(plane)(const struct NAME(plans) * p, int direction, void *plane)
{
    if (direction == KOSHU_TRANSFORM_FORWARD)
        FFTW(execute_dft_r2c)(p->plane[0], plane, plane);
    else
        FFTW(execute_dft_c2r)(p->plane[1], plane, plane);
}

static void
NAME(columns)(const struct NAME(plans) * p, int direction, void *waves)
{
    FFTW(execute_dft)(p->columns[direction], waves, waves);
}

static void
NAME(lines)(const struct NAME(plans) * p, int direction, void *from, void *to)
{
    if (direction == KOSHU_TRANSFORM_FORWARD)
        FFTW(execute_dft_r2c)(p->lines[0], from, to);
    else
        FFTW(execute_dft_c2r)(p->lines[1], from, to);
}
