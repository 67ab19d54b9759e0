! SPDX-License-Identifier: MIT
!
! laplace.c in Fortran: the potential of charges at separate points by the fast
! multipole method, and its gradient.
!
!     gfortran koshu.f90 laplace.f90 $(pkg-config --libs koshu) -o laplace
!     ./laplace
program laplace
    use, intrinsic :: iso_fortran_env, only: error_unit
    use koshu
    implicit none

    ! A ring of radius 1 about the z axis, total charge 1; points on the axis.
    integer, parameter :: n = 20000, m = 9
    real(c_double), target :: x(n), y(n), z(n), charge(n)
    real(c_double), target :: at_x(m), at_y(m), at_z(m)
    real(c_double), target :: potential(m), gx(m), gy(m), gz(m)

    type(c_ptr) :: context = c_null_ptr, sums = c_null_ptr
    type(koshu_laplace_options) :: options
    type(koshu_laplace_points), target :: charges, places
    type(koshu_laplace_result) :: result
    real(c_double) :: phi
    integer :: k

    do k = 1, n
        phi = 2 * acos(-1d0) * k / n
        x(k) = cos(phi)
        y(k) = sin(phi)
    end do
    z = 0
    charge = 1d0 / n
    at_x = 0
    at_y = 0
    at_z = [(0.5d0 * (k - 5), k = 1, m)]

    if (koshu_context_create(c_null_ptr, context) /= koshu_ok) &
        error stop 'laplace: cannot make a context'

    options = koshu_laplace_options_default()
    options%precision = koshu_precision_double
    options%tolerance = 1d-9
    charges = koshu_laplace_points_default()
    charges%n = n
    charges%x = c_loc(x)
    charges%y = c_loc(y)
    charges%z = c_loc(z)
    charges%charge = c_loc(charge)
    places = koshu_laplace_points_default()
    places%n = m
    places%x = c_loc(at_x)
    places%y = c_loc(at_y)
    places%z = c_loc(at_z)
    result = koshu_laplace_result_default()
    result%potential = c_loc(potential)
    result%gradient_x = c_loc(gx)
    result%gradient_y = c_loc(gy)
    result%gradient_z = c_loc(gz)

    call check(koshu_laplace_create(context, options, sums))
    call check(koshu_laplace_sums(sums, charges, c_loc(places), result))
    do k = 1, m
        print '(a, f4.1, a, f11.9, a, f11.9, a, f12.9)', 'z = ', at_z(k), &
            '  potential ', potential(k), ' (1 / sqrt(1 + z^2) = ', &
            1 / sqrt(1 + at_z(k)**2), ')  gradient ', gz(k)
    end do
    call koshu_laplace_destroy(sums)
    call koshu_context_destroy(context)

contains

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status == koshu_ok) return
        write (error_unit, '(2a)') 'laplace: ', koshu_message(context)
        stop 1
    end subroutine
end program
