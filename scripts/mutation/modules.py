# SPDX-License-Identifier: MIT
"""The modules of which scripts/mutants makes mutants: their files, and the names of
the tests (of ctest, regular expressions) that are there to find a mistake in them."""

MODULES = {
    "kernels": (
        ["src/kernels/*.h"],
        r"test_(steps|quadrupole|series|biot_savart_pair|cartesian|expansion|zero\w*"
        r"|external_(fields|orbits)|ewald|ewald_derivatives|hermite|leapfrog|direct"
        r"|(pairs|sets|jerk|properties|jerk_(unusual|neighbours|properties)|scales)"
        r"_(ref|simd_base)|accuracy_simd_base|tree_\w+|treecode|laplace|biot_savart"
        r"|diagnostics\w*)"),
    "tree": (
        ["src/tree/*.c", "src/tree/*.h"],
        r"test_(tree_(keys|build|moments|groups|walk)|treecode\w*|nwalk|n_crit"
        r"|tree_batches|fmm_lists|friends|options|choice|tree)"),
    "integrate": (
        ["src/integrate/*.c", "src/integrate/*.h"],
        r"test_(block_schedule|hermite\w*|leapfrog\w*|integrator|archain|comoving"
        r"|subsystems|perturbers|regularisation|encounters|convergence|reversal"
        r"|conservation|restart\w*|moved_by_interaction)|app_regularisation"),
    "readers": (
        ["src/io/csv*.c", "src/io/gadget.c", "src/io/tipsy.c", "src/io/hdf5_read.c",
         "src/io/hdf5_layout.c", "src/io/hdf5_file.c", "src/io/hdf5_factors.c",
         "src/io/hdf5_attributes.c", "src/io/reader.c", "src/io/snapshot*.c",
         "src/io/table.c", "src/io/format.c", "src/io/file_names.c",
         "src/io/checkpoint*.c", "src/io/catalogue.c"],
        r"test_(catalogue|csv|damage|file|gadget|hdf5\w*|reader|snapshot\w*|table"
        r"|tipsy|checkpoint\w*)|app_(convert|info|factors|units)|fuzz_(csv|tipsy)"),
}
