/* SPDX-License-Identifier: MIT */
/* The Biot-Savart law, compared with the curl of the potentials of charges. */
#include "check.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name
#include "kernels/biot_savart.h"
#include "kernels/laplace.h"

static const double d[3] = {0.3, -0.5, 0.7}, alpha[3] = {1.1, -0.4, 2.3};
static const double u = 1.0976425998969035; /* 1 / |d| */

/* Indices of the derivatives of 1 / r in kernels/laplace.h. */
static const int second[3][3] = {{LAPLACE_XX, LAPLACE_XY, LAPLACE_XZ},
                                 {LAPLACE_XY, LAPLACE_YY, LAPLACE_YZ},
                                 {LAPLACE_XZ, LAPLACE_YZ, LAPLACE_ZZ}};

static void
a_vortex_gives_the_curl_of_its_potentials(void **state)
{
    (void)state;
    double t[LAPLACE_TERMS], sum[BIOT_SAVART_FIELDS] = {0};
    laplace_derivatives(t, d[0], d[1], d[2], u, 2);
    biot_savart_add(sum, d[0], d[1], d[2], u, alpha[0], alpha[1], alpha[2],
                    BIOT_SAVART_FIELDS);
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        const double curl =
                t[LAPLACE_X + a] * alpha[b] - t[LAPLACE_X + b] * alpha[a];
        assert_near(sum[i], curl, 1e-14); /* some roundings of numbers near 1 */
        for (int k = 0; k < 3 && 3 * i + k < 8; k++)
            assert_near(sum[BIOT_SAVART_GRADIENT + 3 * i + k],
                        t[second[a][k]] * alpha[b] - t[second[b][k]] * alpha[a],
                        1e-13);
    }
}

static void
at_no_distance_there_is_nothing(void **state)
{
    (void)state;
    double sum[BIOT_SAVART_FIELDS] = {0};
    biot_savart_add(sum, 0, 0, 0, 0, alpha[0], alpha[1], alpha[2],
                    BIOT_SAVART_FIELDS);
    for (int k = 0; k < BIOT_SAVART_FIELDS; k++) assert_true(sum[k] == 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_vortex_gives_the_curl_of_its_potentials),
            cmocka_unit_test(at_no_distance_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
