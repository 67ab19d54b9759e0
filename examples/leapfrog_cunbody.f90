! SPDX-License-Identifier: MIT
!
! leapfrog_cunbody.c in Fortran: a star cluster code that needs a single
! function, the force() of CUNBODY-1 (Hamada & Iitaka 2007, Fig. 9), with a
! leapfrog; prints how well energy is conserved.
!
!     gfortran leapfrog_cunbody.f90 $(pkg-config --libs koshu-cunbody)
!     ./a.out [N [END]]
!
! N stars of a Plummer model; Hénon units, G = 1.
program leapfrog_cunbody
    use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none

    real(real64), parameter :: eps2 = 1 / 64.0_real64**2 ! softening, squared
    real(real64), parameter :: dt = 1 / 256.0_real64
    real(real64), parameter :: pi = acos(-1.0_real64)

    interface ! of the library; without it the call works as well
        subroutine force(xj, mj, xi, eps2, a, ni, nj)
            import :: real64
            integer, intent(in) :: ni, nj
            real(real64), intent(in) :: xj(3, nj), mj(nj), xi(3, ni), eps2
            real(real64), intent(out) :: a(3, ni)
        end subroutine
    end interface

    integer :: n
    real(real64), allocatable :: mass(:), x(:, :), v(:, :), a(:, :)
    real(real64) :: e0, e
    integer(int64) :: state = 1
    integer :: line, step

    n = nint(argument(1, 1024.0_real64))
    if (n < 1) error stop 'leapfrog_cunbody: the first argument: how many stars'
    allocate (mass(n), x(3, n), v(3, n), a(3, n))
    call make_plummer()
    call force(x, mass, x, eps2, a, n, n)
    if (ieee_is_nan(a(1, 1))) error stop ! the library has printed why

    e0 = energy()
    print '(a, i0, a)', '# ', n, ' stars'
    print '(a)', '#  time         energy       dE/E'
    do line = 0, int(argument(2, 1.0_real64) / (32 * dt))
        do step = 1, merge(32, 0, line > 0)
            call leap()
        end do
        e = energy()
        print '(f7.4, 2x, f13.10, 2x, es9.2)', line * 32 * dt, e, e / e0 - 1
    end do
    deallocate (mass, x, v, a)

contains

    ! Returns a number from the command line, or a default.
    real(real64) function argument(position, default) result(number)
        integer, intent(in) :: position
        real(real64), intent(in) :: default
        character(40) :: word
        integer :: failure
        number = default
        if (command_argument_count() < position) return
        call get_command_argument(position, word)
        read (word, *, iostat=failure) number
        if (failure /= 0) number = 0
    end function

    ! ---- initial conditions ------------------------------------------------

    ! Uniform in [0, 1). L'Ecuyer 1988.
    real(real64) function uniform()
        state = mod(40014 * state, 2147483563_int64)
        uniform = real(state - 1, real64) / 2147483562
    end function

    function on_sphere(radius) result(p)
        real(real64), intent(in) :: radius
        real(real64) :: p(3), z, phi
        z = 2 * uniform() - 1
        phi = 2 * pi * uniform()
        p = radius * [sqrt(1 - z**2) * cos(phi), sqrt(1 - z**2) * sin(phi), z]
    end function

    ! Aarseth, Hénon & Wielen 1974.
    subroutine make_plummer()
        real(real64), parameter :: length = 3 * pi / 16
        real(real64) :: r, q
        integer :: k
        mass = 1.0_real64 / n
        do k = 1, n
            do
                r = 1 / sqrt((1 - uniform())**(-2.0_real64 / 3) - 1)
                if (r <= 10) exit
            end do
            do
                q = uniform()
                if (0.1_real64 * uniform() <= q**2 * (1 - q**2)**3.5_real64) exit
            end do
            x(:, k) = on_sphere(length * r)
            v(:, k) = on_sphere(q * sqrt(2 / length) / sqrt(sqrt(1 + r**2)))
        end do
    end subroutine

    ! ---- leapfrog -----------------------------------------------------------

    ! The stars are both the j-particles and the i-particles.
    subroutine leap()
        v = v + dt / 2 * a
        x = x + dt * v
        call force(x, mass, x, eps2, a, n, n)
        v = v + dt / 2 * a
    end subroutine

    ! Counts each pair once.
    real(real64) function energy()
        integer :: i, j
        energy = 0
        do i = 1, n
            energy = energy + mass(i) * sum(v(:, i)**2) / 2
            do j = 1, i - 1
                energy = energy - mass(i) * mass(j) &
                         / sqrt(sum((x(:, i) - x(:, j))**2) + eps2)
            end do
        end do
    end function
end program
