/* SPDX-License-Identifier: MIT */
/* The near images of a periodic box, which act through cells and particles. */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "fmm/fmm.h"

enum { MAX_REACH = 7, MAX_DEPTH = 7 };

/* The nearest image left out is reach + 1 edges away, and the radius of the box
 * is sqrt(3) / 2 of an edge: that pair must meet theta. */
static int
reach_of(double theta)
{
    const double reach = ceil(sqrt(3) / theta) - 1;
    return reach > MAX_REACH ? MAX_REACH + 1 : (int)reach;
}

/* In edges: beyond it, positions in the box would have too few digits left. */
static const double max_corner = 1e12;

static koshu_status
check_box(struct koshu_context *context, const struct koshu_fmm_box *box)
{
    const double edge = box->edge;
    if (edge == 0) return KOSHU_OK;
    if (!(edge >= KOSHU_MIN_LENGTH && edge <= KOSHU_MAX_LENGTH))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "box = %g: it must be the edge of a periodic box, "
                          "from %g to %g, or 0 for none",
                          edge, KOSHU_MIN_LENGTH, KOSHU_MAX_LENGTH);
    for (int d = 0; d < 3; d++)
        if (!(fabs(box->corner[d]) <= max_corner * edge))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "corner[%d] = %g of a periodic box: it must be "
                              "within %g edges of 0",
                              d, box->corner[d], max_corner);
    return KOSHU_OK;
}

/* In a finite lattice the outermost images count half, so they cannot be near
 * ones. */
static koshu_status
check_reach(struct koshu_context *context, unsigned depth, double theta)
{
    const int reach = reach_of(theta);
    if (reach > MAX_REACH)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "theta = %g: in a periodic box it must be %.3f or "
                          "more",
                          theta, sqrt(3) / (MAX_REACH + 1));
    if (depth == 0 || (depth <= MAX_DEPTH && 1 << (depth - 1) > reach))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "image_depth = %u: with theta = %g it must be from %d to "
                      "%d, or 0 for all images",
                      depth, theta, reach < 4 ? 3 : 4, MAX_DEPTH);
}

/* The distance from the box along the axis in which it is largest. */
static int
distance_of(const int place[3])
{
    int far = 0;
    for (int d = 0; d < 3; d++)
        if (abs(place[d]) > far) far = abs(place[d]);
    return far;
}

/* The box itself, its neighbours, and so on. */
static void
write_shifts(struct koshu_fmm_images *images)
{
    const int reach = images->reach, width = 2 * reach + 1;
    size_t n = 0;
    for (int far = 0; far <= reach; far++)
        for (int k = 0; k < width * width * width; k++) {
            const int place[3] = {k / (width * width) - reach,
                                  k / width % width - reach, k % width - reach};
            if (distance_of(place) != far) continue;
            for (int d = 0; d < 3; d++)
                images->shift[n][d] = images->edge * place[d];
            n++;
        }
}

/* Divides an entry's bits between cell and image, for as many images as there
 * are. */
static struct koshu_image_code
even_code(size_t images)
{
    unsigned bits = 32;
    while ((size_t)1 << (32 - bits) < images) bits--;
    return (struct koshu_image_code){
            .bits = bits, .mask = ~(uint32_t)0 << bits, .n_near = images};
}

/* The box and its neighbours have 27 of 32 parts of all entries; up to
 * 15^3 - 27 other images have the rest, each with the cells of levels 0 to 5.
 */
static const struct koshu_image_code near_code = {
        .bits = 27,
        .mask = ~(uint32_t)0 << 27,
        .n_near = 27,
        .far_entries = (uint32_t)5 << 27,
        .far_bits = 17,
        .far_mask = ~(uint32_t)0 << 17};

koshu_status
koshu_fmm_images_make(struct koshu_context *context,
                      const struct koshu_fmm_box *box, double theta,
                      struct koshu_fmm_images *images)
{
    *images = (struct koshu_fmm_images){.edge = box->edge};
    KOSHU_TRY(check_box(context, box));
    if (box->edge == 0) return KOSHU_OK;
    KOSHU_TRY(check_reach(context, box->depth, theta));
    images->reach = reach_of(theta);
    const size_t width = 2 * (size_t)images->reach + 1;
    images->n = width * width * width;
    images->code = even_code(images->n);
    for (int d = 0; d < 3; d++) {
        images->corner[d] = box->corner[d];
        images->middle[d] = box->corner[d] + box->edge / 2;
    }
    KOSHU_TRY(KOSHU_GROW(images, shift, images->n, context, "images of a box"));
    write_shifts(images);
    return KOSHU_OK;
}

void
koshu_fmm_images_free(struct koshu_fmm_images *images)
{
    koshu_free(images->shift);
    images->shift = NULL;
}

struct koshu_image_code
koshu_fmm_code_of(const struct koshu_fmm_images *images, double theta,
                  double apart)
{
    const bool near = theta >= 0.5 && apart <= images->edge / 2;
    return near && images->n > near_code.n_near ? near_code : images->code;
}

bool
koshu_fmm_code_fits(const struct koshu_image_code *code, size_t cells)
{
    return code->mask == 0 || cells <= (size_t)1 << code->bits;
}

koshu_status
koshu_fmm_check_code(struct koshu_context *context,
                     const struct koshu_image_code *code, size_t cells,
                     double theta)
{
    if (koshu_fmm_code_fits(code, cells)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "%zu cells of an FMM in a periodic box: with theta = %g "
                      "there can be %zu; take a larger n_leaf, or theta",
                      cells, theta, (size_t)1 << code->bits);
}
