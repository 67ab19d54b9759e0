! SPDX-License-Identifier: MIT
!
! forces.c in Fortran: forces between particles in arrays of your own.
!
!     gfortran koshu.f90 forces.f90 $(pkg-config --libs koshu) -o forces
!     ./forces
program forces
    use, intrinsic :: iso_fortran_env, only: error_unit
    use koshu
    implicit none

    ! The corners of a square of side 2 and a massless particle at its centre.
    integer, parameter :: n = 5
    real(c_double), target :: x(n) = [1, -1, -1, 1, 0]
    real(c_double), target :: y(n) = [1, 1, -1, -1, 0]
    real(c_double), target :: z(n) = 0
    real(c_double), target :: mass(n) = [0.25d0, 0.25d0, 0.25d0, 0.25d0, 0d0]
    integer(c_int64_t), target :: id(n) = [0, 1, 2, 3, 4]
    real(c_double), target :: ax(n), ay(n), az(n), potential(n)

    type(c_ptr) :: context = c_null_ptr
    type(koshu_i_particles) :: i
    type(koshu_j_particles) :: j
    type(koshu_force_options) :: options
    type(koshu_force_result) :: result
    integer :: k

    if (koshu_context_create(c_null_ptr, context) /= koshu_ok) &
        error stop 'forces: cannot make a context'

    options = koshu_force_options_default()
    options%precision = koshu_precision_double
    ! pairs of equal ids are left out
    i = koshu_i_particles(n=n, x=c_loc(x), y=c_loc(y), z=c_loc(z), id=c_loc(id))
    j = koshu_j_particles(n=n, x=c_loc(x), y=c_loc(y), z=c_loc(z), &
                          mass=c_loc(mass), id=c_loc(id))
    result = koshu_force_result(ax=c_loc(ax), ay=c_loc(ay), az=c_loc(az), &
                                potential=c_loc(potential))
    if (koshu_force_direct(context, i, j, options, result) /= koshu_ok) then
        write (error_unit, '(2a)') 'forces: ', koshu_message(context)
        stop 1
    end if
    do k = 1, n
        print '(a, 2f5.1, a, 3f9.5, a, f9.5)', '(', x(k), y(k), ')  a = ', &
            ax(k), ay(k), az(k), '  potential =', potential(k)
    end do
    call koshu_context_destroy(context)
end program
