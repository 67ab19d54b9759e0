! SPDX-License-Identifier: MIT
!
! libkoshu in Fortran 2008: the functions that plummer.f90 uses, as they stand
! in the C headers. Copy it beside your own sources and add what you need.
! Handles are type(c_ptr); koshu_ok is success; koshu_message(context) says
! what went wrong.
module koshu
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! enum koshu_status
    integer(c_int), parameter :: koshu_ok = 0

    ! enum koshu_precision
    integer(c_int), parameter :: koshu_single = 0, koshu_mixed = 1, &
                                 koshu_double = 2

    ! enum koshu_model
    integer(c_int), parameter :: koshu_model_plummer = 0, &
        koshu_model_sphere = 1, koshu_model_cube = 2, koshu_model_king = 3, &
        koshu_model_hernquist = 4, koshu_model_two_body = 5

    ! enum koshu_scheme
    integer(c_int), parameter :: koshu_scheme_leapfrog = 0, &
                                 koshu_scheme_hermite = 1

    ! enum koshu_field and enum koshu_access
    integer(c_int), parameter :: koshu_position = 4, koshu_all_fields = 63
    integer(c_int), parameter :: koshu_read = 0, koshu_write = 1, &
                                 koshu_read_write = 2

    ! Options begin with their own size, which ..._set_defaults() sets; they may
    ! leave out members at the end.
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

    ! The arrays of a particle store: view%size = c_sizeof(view) before they are
    ! acquired, then call c_f_pointer(view%x, x, [view%n]). The same for
    ! koshu_particle_const_view, whose arrays are only read.
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

        ! bytes: c_sizeof(options)
        subroutine koshu_integrator_options_set_defaults(options, bytes) &
                bind(C)
            import
            type(koshu_integrator_options) :: options
            integer(c_size_t), value :: bytes
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

    ! What the last failure in this context was.
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
