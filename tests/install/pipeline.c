/* SPDX-License-Identifier: MIT */
/* cunbody_api() with a pipeline of this program's own: sums of products. */
#define IDIM 1
#define JDIM 1
#define FDIM 1
#include <cunbody_api.h>

int
main(void)
{
    double j[3][JDIM] = {{1}, {2}, {3}}, i[2][IDIM] = {{1}, {-2}}, f[2][FDIM];
    cunbody_pipeline_text("OUTPUT[0] += INPUT_I[0] * INPUT_J[0];");
    if (cunbody_api(j, i, f, 2, 3) != 0) return 1;
    return f[0][0] == 6 && f[1][0] == -12 ? 0 : 1;
}
