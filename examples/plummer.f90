! SPDX-License-Identifier: MIT
!
! plummer.c in Fortran: a Plummer sphere, integrated with a leapfrog; prints how
! well its energy is conserved.
!
!     gfortran koshu.f90 plummer.f90 $(pkg-config --libs koshu) -o plummer
!     ./plummer [N]
program plummer
    use, intrinsic :: iso_fortran_env, only: error_unit
    use koshu
    implicit none

    type(c_ptr) :: context = c_null_ptr, particles = c_null_ptr
    type(c_ptr) :: solver = c_null_ptr, integrator = c_null_ptr
    type(koshu_initial_options) :: model
    type(koshu_solver_options) :: forces
    type(koshu_integrator_options) :: steps
    type(koshu_diagnostics) :: d
    real(c_double) :: energy_at_start, next
    integer :: line

    call check(koshu_context_create(c_null_ptr, context))

    model = koshu_initial_options_default()
    model%model = koshu_model_plummer
    model%n = number_of_particles(2048)
    model%seed = 1
    call check(koshu_initial_create(context, model, particles))

    forces = koshu_solver_options_default()
    forces%softening = 1.0_c_double / 64
    call check(koshu_solver_create(context, forces, solver))

    steps = koshu_integrator_options_default()
    steps%dt = 1.0_c_double / 256
    call check(koshu_integrator_create(solver, particles, 0.0_c_double, steps, &
                                       integrator))
    call check(koshu_integrator_evaluate(integrator))

    d%size = c_sizeof(d)
    call check(koshu_diagnostics_compute(particles, d))
    energy_at_start = d%total
    print '(a)', '# time        energy      dE/E   r_half'
    call print_line()
    do line = 1, 8
        next = line * 0.125_c_double
        do while (koshu_integrator_time(integrator) < next)
            call check(koshu_integrator_advance(integrator, next, .true._c_bool))
        end do
        call print_line()
    end do

    call koshu_integrator_destroy(integrator)
    call koshu_solver_destroy(solver)
    call koshu_particles_destroy(particles)
    call koshu_context_destroy(context)

contains

    ! If a call failed, prints koshu's message and ends the program.
    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status == koshu_ok) return
        write (error_unit, '(2a)') 'plummer: ', koshu_message(context)
        stop 1
    end subroutine

    ! Returns the first word of the command line, or a default.
    integer function number_of_particles(default) result(n)
        integer, intent(in) :: default
        character(20) :: word
        integer :: failure
        n = default
        if (command_argument_count() == 0) return
        call get_command_argument(1, word)
        read (word, *, iostat=failure) n
        if (failure /= 0) n = 0
    end function

    subroutine print_line()
        call check(koshu_diagnostics_compute(particles, d))
        print '(f6.3, 2x, f12.9, 2x, es9.2, 2x, f7.4)', &
            koshu_integrator_time(integrator), d%total, &
            d%total / energy_at_start - 1, d%lagrangian_radius(5)
    end subroutine
end program
