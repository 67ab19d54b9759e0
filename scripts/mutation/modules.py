# SPDX-License-Identifier: MIT
"""The modules of which scripts/mutants makes mutants: their files, and the names of
the tests (of ctest, regular expressions) that are there to find a mistake in them."""

MODULES = {
    "kernels": (
        ["src/kernels/*.h"],
        r"test_(steps|float_range|quadrupole|series|gravity_pair|biot_savart_pair|vortex_core"
        r"|cartesian|expansion|external_(fields|orbits)|ewald|ewald_derivatives|hermite"
        r"|leapfrog|direct|(pairs|sets|jerk|properties|scales)_(ref|simd_base)"
        r"|jerk_(unusual|neighbours|properties)_(ref|simd_base)|jerk_accuracy_simd_base"
        r"|accuracy_simd_base|tree_\w+|treecode|laplace\w*|biot_savart"
        r"|diagnostics)"),
    "tree": (
        ["src/tree/*.c", "src/tree/*.h"],
        r"test_(tree_(keys|build|moments|groups|walk|units|batches)|treecode\w*|nwalk|n_crit"
        r"|fmm_lists|friends|options|choice|tree|null|out_of_memory)"
        r"|mpi_test_tree_(forces_3|steps_2)"),
    "integrate": (
        ["src/integrate/*.c", "src/integrate/*.h"],
        r"test_(block_schedule|hermite\w*|leapfrog\w*|integrator|archain|comoving"
        r"|subsystem\w+|perturbers|regularisation|mergers|encounters|convergence"
        r"|reversal|conservation|restart\w*|moved_by_interaction|null|out_of_memory"
        r"|external_(fields|orbits))|mpi_test_integrators(_2)?"
        r"|mpi_test_out_of_memory(_3)?"),
    "readers": (
        ["src/io/csv*.c", "src/io/gadget.c", "src/io/tipsy.c", "src/io/hdf5_read.c",
         "src/io/hdf5_layout.c", "src/io/hdf5_file.c", "src/io/hdf5_factors.c",
         "src/io/hdf5_attributes.c", "src/io/reader.c", "src/io/snapshot*.c",
         "src/io/table.c", "src/io/format.c", "src/io/file_names.c",
         "src/io/checkpoint*.c", "src/io/catalogue.c"],
        r"test_(catalogue|csv|damage|file|gadget|hdf5\w*|reader|snapshot\w*|table"
        r"|tipsy|checkpoint\w*|mass_loss|restart|null)|app_(convert|info|factors|units)"
        r"|fuzz_(csv|gadget[12]|hdf5|tipsy)"),
}
