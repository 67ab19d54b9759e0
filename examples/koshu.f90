! SPDX-License-Identifier: MIT
!
! libkoshu in Fortran 2008: declares the functions that forces.f90, laplace.f90
! and plummer.f90 use as the C headers do. Copy it to your own sources and add
! what you need. Handles are type(c_ptr); koshu_ok means success;
! koshu_message(context) returns the message of the last failure.
module koshu
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! enum koshu_status
    integer(c_int), parameter :: koshu_ok = 0

    ! enum koshu_precision
    integer(c_int), parameter :: koshu_precision_single = 0, &
        koshu_precision_mixed = 1, koshu_precision_double = 2

    ! enum koshu_model
    integer(c_int), parameter :: koshu_model_plummer = 0, &
        koshu_model_sphere = 1, koshu_model_cube = 2, koshu_model_king = 3, &
        koshu_model_hernquist = 4, koshu_model_two_body = 5

    ! enum koshu_scheme
    integer(c_int), parameter :: koshu_scheme_leapfrog = 0, &
                                 koshu_scheme_hermite = 1

    ! enum koshu_field
    integer(c_int), parameter :: koshu_field_id = 1, koshu_field_mass = 2, &
        koshu_field_position = 4, koshu_field_velocity = 8, &
        koshu_field_acceleration = 16, koshu_field_potential = 32

    ! The id of an i-particle that is not among the j-particles.
    integer(c_int64_t), parameter :: koshu_no_id = -1

    ! Options start with their own size; ..._options_default() sets it and the
    ! defaults. Members at the end may be left out.
    type, bind(C) :: koshu_force_options
        integer(c_size_t) :: size
        integer(c_int) :: precision
        real(c_double) :: softening
        logical(c_bool) :: fast
    end type

    type, bind(C) :: koshu_initial_options
        integer(c_size_t) :: size
        integer(c_int) :: model
        integer(c_size_t) :: n
        integer(c_int64_t) :: seed
        real(c_double) :: mass_fraction, virial_ratio, king_w0
        real(c_double) :: eccentricity, two_body_mass
        logical(c_bool) :: exact_virial
    end type

    type, bind(C) :: koshu_solver_options
        integer(c_size_t) :: size
        integer(c_int) :: method, precision
        real(c_double) :: softening
        logical(c_bool) :: fast
    end type

    type, bind(C) :: koshu_integrator_options
        integer(c_size_t) :: size
        integer(c_int) :: scheme, step_rule
        real(c_double) :: dt, eta, eta_start
        integer(c_int) :: iterations
        integer(c_int64_t) :: max_block_steps
    end type

    ! size: c_sizeof() of it
    type, bind(C) :: koshu_diagnostics
        integer(c_size_t) :: size
        real(c_double) :: mass, kinetic, potential, total, virial_ratio
        real(c_double) :: momentum(3), angular_momentum(3), centre(3)
        real(c_double) :: lagrangian_radius(7)
    end type

    ! Arrays of a direct sum: c_loc() of each, or c_null_ptr if not needed.
    type, bind(C) :: koshu_i_particles
        integer(c_size_t) :: n = 0
        type(c_ptr) :: x = c_null_ptr, y = c_null_ptr, z = c_null_ptr
        type(c_ptr) :: id = c_null_ptr
        type(c_ptr) :: vx = c_null_ptr, vy = c_null_ptr, vz = c_null_ptr
        type(c_ptr) :: h2 = c_null_ptr
    end type

    type, bind(C) :: koshu_j_particles
        integer(c_size_t) :: n = 0
        type(c_ptr) :: x = c_null_ptr, y = c_null_ptr, z = c_null_ptr
        type(c_ptr) :: mass = c_null_ptr, id = c_null_ptr
        type(c_ptr) :: vx = c_null_ptr, vy = c_null_ptr, vz = c_null_ptr
        type(c_ptr) :: ax = c_null_ptr, ay = c_null_ptr, az = c_null_ptr
        type(c_ptr) :: jx = c_null_ptr, jy = c_null_ptr, jz = c_null_ptr
        type(c_ptr) :: sx = c_null_ptr, sy = c_null_ptr, sz = c_null_ptr
        type(c_ptr) :: time = c_null_ptr
    end type

    type, bind(C) :: koshu_force_result
        type(c_ptr) :: ax = c_null_ptr, ay = c_null_ptr, az = c_null_ptr
        type(c_ptr) :: potential = c_null_ptr
        type(c_ptr) :: jx = c_null_ptr, jy = c_null_ptr, jz = c_null_ptr
        type(c_ptr) :: nearest_r2 = c_null_ptr, nearest = c_null_ptr
    end type

    ! Sums of 1 / r. corner: of a periodic box; box = 0: free space.
    type, bind(C) :: koshu_laplace_options
        integer(c_size_t) :: size
        integer(c_int) :: precision
        real(c_double) :: tolerance
        integer(c_int) :: multipole_order
        real(c_double) :: theta
        integer(c_int64_t) :: n_leaf
        real(c_double) :: box, corner(3)
        integer(c_int) :: image_depth
    end type

    ! charges and dipoles of the sources, n for each of the n_rhs right-hand
    ! sides
    type, bind(C) :: koshu_laplace_points
        integer(c_size_t) :: size
        integer(c_size_t) :: n
        type(c_ptr) :: x, y, z
        integer(c_size_t) :: n_rhs
        type(c_ptr) :: charge, dipole_x, dipole_y, dipole_z
    end type

    type, bind(C) :: koshu_laplace_result
        integer(c_size_t) :: size
        type(c_ptr) :: potential, gradient_x, gradient_y, gradient_z
        type(c_ptr) :: hessian_xx, hessian_xy, hessian_xz
        type(c_ptr) :: hessian_yy, hessian_yz, hessian_zz
    end type

    type, bind(C) :: koshu_laplace_velocity
        integer(c_size_t) :: size
        type(c_ptr) :: x, y, z
        type(c_ptr) :: gradient_xx, gradient_xy, gradient_xz
        type(c_ptr) :: gradient_yx, gradient_yy, gradient_yz
        type(c_ptr) :: gradient_zx, gradient_zy, gradient_zz
    end type

    ! The arrays of a particle store: set view%size = c_sizeof(view) before
    ! acquiring them, then call c_f_pointer(view%x, x, [view%n]). The same for
    ! koshu_particle_const_view, whose arrays are read-only.
    type, bind(C) :: koshu_particle_view
        integer(c_size_t) :: size
        integer(c_size_t) :: n
        type(c_ptr) :: id, mass, x, y, z, vx, vy, vz, ax, ay, az, potential
        type(c_ptr) :: jx, jy, jz, tick, step
    end type

    interface
        ! options: c_null_ptr for the defaults
        integer(c_int) function koshu_context_create(options, context) bind(C)
            import
            type(c_ptr), value :: options
            type(c_ptr) :: context
        end function

        subroutine koshu_context_destroy(context) bind(C)
            import
            type(c_ptr), value :: context
        end subroutine

        type(c_ptr) function koshu_context_message(context) bind(C)
            import
            type(c_ptr), value :: context
        end function

        subroutine koshu_force_options_set_defaults(options, size) bind(C)
            import
            type(koshu_force_options) :: options
            integer(c_size_t), value :: size
        end subroutine

        integer(c_int) function koshu_force_direct(context, i, j, options, &
                                                   result) bind(C)
            import
            type(c_ptr), value :: context
            type(koshu_i_particles) :: i
            type(koshu_j_particles) :: j
            type(koshu_force_options) :: options
            type(koshu_force_result) :: result
        end function

        subroutine koshu_laplace_options_set_defaults(options, size) bind(C)
            import
            type(koshu_laplace_options) :: options
            integer(c_size_t), value :: size
        end subroutine

        subroutine koshu_laplace_points_set_defaults(points, size) bind(C)
            import
            type(koshu_laplace_points) :: points
            integer(c_size_t), value :: size
        end subroutine

        subroutine koshu_laplace_result_set_defaults(result, size) bind(C)
            import
            type(koshu_laplace_result) :: result
            integer(c_size_t), value :: size
        end subroutine

        subroutine koshu_laplace_velocity_set_defaults(velocity, size) bind(C)
            import
            type(koshu_laplace_velocity) :: velocity
            integer(c_size_t), value :: size
        end subroutine

        integer(c_int) function koshu_laplace_create(context, options, &
                                                     laplace) bind(C)
            import
            type(c_ptr), value :: context
            type(koshu_laplace_options) :: options
            type(c_ptr) :: laplace
        end function

        subroutine koshu_laplace_destroy(laplace) bind(C)
            import
            type(c_ptr), value :: laplace
        end subroutine

        ! targets: c_loc() of koshu_laplace_points; c_null_ptr: the sources
        integer(c_int) function koshu_laplace_sums(laplace, sources, targets, &
                                                   result) bind(C)
            import
            type(c_ptr), value :: laplace
            type(koshu_laplace_points) :: sources
            type(c_ptr), value :: targets
            type(koshu_laplace_result) :: result
        end function

        integer(c_int) function koshu_laplace_biot_savart(laplace, sources, &
                                              targets, velocity) bind(C)
            import
            type(c_ptr), value :: laplace
            type(koshu_laplace_points) :: sources
            type(c_ptr), value :: targets
            type(koshu_laplace_velocity) :: velocity
        end function

        subroutine koshu_initial_options_set_defaults(options, size) bind(C)
            import
            type(koshu_initial_options) :: options
            integer(c_size_t), value :: size
        end subroutine

        integer(c_int) function koshu_initial_create(context, options, &
                                                     particles) bind(C)
            import
            type(c_ptr), value :: context
            type(koshu_initial_options) :: options
            type(c_ptr) :: particles
        end function

        subroutine koshu_particles_destroy(particles) bind(C)
            import
            type(c_ptr), value :: particles
        end subroutine

        integer(c_int) &
        function koshu_particles_acquire_read(particles, fields, view) bind(C)
            import
            type(c_ptr), value :: particles
            integer(c_int), value :: fields
            type(koshu_particle_view) :: view
        end function

        subroutine koshu_particles_release_read(particles) bind(C)
            import
            type(c_ptr), value :: particles
        end subroutine

        subroutine koshu_solver_options_set_defaults(options, size) bind(C)
            import
            type(koshu_solver_options) :: options
            integer(c_size_t), value :: size
        end subroutine

        integer(c_int) function koshu_solver_create(context, options, &
                                                    solver) bind(C)
            import
            type(c_ptr), value :: context
            type(koshu_solver_options) :: options
            type(c_ptr) :: solver
        end function

        subroutine koshu_solver_destroy(solver) bind(C)
            import
            type(c_ptr), value :: solver
        end subroutine

        subroutine koshu_integrator_options_set_defaults(options, size) bind(C)
            import
            type(koshu_integrator_options) :: options
            integer(c_size_t), value :: size
        end subroutine

        integer(c_int) function koshu_integrator_create(solver, particles, &
                                    time, options, integrator) bind(C)
            import
            type(c_ptr), value :: solver, particles
            real(c_double), value :: time
            type(koshu_integrator_options) :: options
            type(c_ptr) :: integrator
        end function

        subroutine koshu_integrator_destroy(integrator) bind(C)
            import
            type(c_ptr), value :: integrator
        end subroutine

        integer(c_int) function koshu_integrator_evaluate(integrator) bind(C)
            import
            type(c_ptr), value :: integrator
        end function

        integer(c_int) function koshu_integrator_advance(integrator, until, &
                                                         potential) bind(C)
            import
            type(c_ptr), value :: integrator
            real(c_double), value :: until
            logical(c_bool), value :: potential
        end function

        real(c_double) function koshu_integrator_time(integrator) bind(C)
            import
            type(c_ptr), value :: integrator
        end function

        integer(c_int) function koshu_diagnostics_compute(particles, &
                                                          diagnostics) bind(C)
            import
            type(c_ptr), value :: particles
            type(koshu_diagnostics) :: diagnostics
        end function
    end interface

contains

    function koshu_force_options_default() result(options)
        type(koshu_force_options) :: options
        call koshu_force_options_set_defaults(options, c_sizeof(options))
    end function

    function koshu_laplace_options_default() result(options)
        type(koshu_laplace_options) :: options
        call koshu_laplace_options_set_defaults(options, c_sizeof(options))
    end function

    function koshu_laplace_points_default() result(points)
        type(koshu_laplace_points) :: points
        call koshu_laplace_points_set_defaults(points, c_sizeof(points))
    end function

    function koshu_laplace_result_default() result(to)
        type(koshu_laplace_result) :: to
        call koshu_laplace_result_set_defaults(to, c_sizeof(to))
    end function

    function koshu_laplace_velocity_default() result(velocity)
        type(koshu_laplace_velocity) :: velocity
        call koshu_laplace_velocity_set_defaults(velocity, c_sizeof(velocity))
    end function

    function koshu_initial_options_default() result(options)
        type(koshu_initial_options) :: options
        call koshu_initial_options_set_defaults(options, c_sizeof(options))
    end function

    function koshu_solver_options_default() result(options)
        type(koshu_solver_options) :: options
        call koshu_solver_options_set_defaults(options, c_sizeof(options))
    end function

    function koshu_integrator_options_default() result(options)
        type(koshu_integrator_options) :: options
        call koshu_integrator_options_set_defaults(options, c_sizeof(options))
    end function

    ! The message of the last failure in this context.
    function koshu_message(context) result(text)
        type(c_ptr), intent(in) :: context
        character(:), allocatable :: text
        character(kind=c_char), pointer :: c(:)
        integer :: k
        text = ''
        if (.not. c_associated(context)) return
        call c_f_pointer(koshu_context_message(context), c, [1024])
        do k = 1, size(c)
            if (c(k) == c_null_char) exit
            text = text // c(k)
        end do
    end function
end module
