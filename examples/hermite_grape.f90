! SPDX-License-Identifier: MIT
!
! hermite_grape.c in Fortran: a complete star cluster code that uses the calls
! of the GRAPE-6 library as Fortran codes always have: the fourth-order Hermite
! scheme with block time steps (Makino & Aarseth 1992). Prints how well energy
! is conserved.
!
!     gfortran hermite_grape.f90 $(pkg-config --libs koshu-g6) -o hermite
!     ./hermite [N [END [ETA]]]
!
! N stars of a Plummer model; Hénon units, G = 1.
program hermite_grape
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none

    integer, parameter :: cluster = 0 ! of boards, once
    real(real64), parameter :: eps2 = 1 / 256.0_real64**2
    real(real64), parameter :: longest_step = 1 / 16.0_real64 ! a power of two
    real(real64), parameter :: pi = acos(-1.0_real64), zero(3) = 0
    integer, external :: g6_open, g6_close, g6_npipes, g6calc_lasthalf

    ! the stars: each has its own time, and a step from there
    integer :: n
    real(real64), allocatable :: mass(:), t(:), dt(:)
    real(real64), allocatable :: x(:, :), v(:, :), a(:, :), jerk(:, :)
    ! the latest force on each
    real(real64), allocatable :: a1(:, :), jerk1(:, :), pot(:)
    ! arrays of i-particles for the library, one entry per pipeline
    integer :: npipes
    integer, allocatable :: index(:)
    real(real64), allocatable :: xi(:, :), vi(:, :), ai(:, :), jerki(:, :), &
                                 poti(:), h2(:)

    real(real64) :: end, eta, now, next, e0, e
    integer(int64) :: blocks = 0, steps = 0, state = 1
    integer :: line

    n = nint(argument(1, 1024.0_real64))
    end = argument(2, 1.0_real64)
    eta = argument(3, 0.01_real64)
    if (n < 1) error stop 'hermite_grape: the first argument is how many stars'
    if (g6_open(cluster) /= 0) error stop
    npipes = g6_npipes()
    allocate (mass(n), t(n), dt(n), pot(n), index(npipes), poti(npipes), &
              h2(npipes))
    allocate (x(3, n), v(3, n), a(3, n), jerk(3, n), a1(3, n), jerk1(3, n))
    allocate (xi(3, npipes), vi(3, npipes), ai(3, npipes), jerki(3, npipes))
    h2 = 0
    call make_plummer()
    call start()

    now = 0
    e0 = energy()
    print '(a, i0, a, i0, a)', '# ', n, ' stars, ', npipes, ' pipelines'
    print '(a)', '#  time         energy       dE/E    blocks     steps'
    do line = 0, int(end / (4 * longest_step))
        next = line * 4 * longest_step
        do while (now < next)
            call step()
        end do
        e = energy()
        print '(f7.4, 2x, f13.10, 2x, es9.2, 2x, i8, 2x, i8)', now, e, &
            (e - e0) / e0, blocks, steps
    end do
    if (g6_close(cluster) /= 0) error stop
    deallocate (mass, t, dt, x, v, a, jerk, a1, jerk1, pot)
    deallocate (index, xi, vi, ai, jerki, poti, h2)

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
        t = 0
        a = 0
        jerk = 0
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

    ! ---- forces from the library ------------------------------------------

    subroutine send(k)
        integer, intent(in) :: k
        call g6_set_j_particle(cluster, k - 1, k, t(k), dt(k), mass(k), zero, &
                               jerk(:, k) / 6, a(:, k) / 2, v(:, k), x(:, k))
    end subroutine

    ! Computes the forces at a time on some of the stars: a1, jerk1 and pot.
    subroutine forces(stars, time)
        integer, intent(in) :: stars(:)
        real(real64), intent(in) :: time
        real(real64) :: s
        integer :: first, ni, i, k
        call g6_set_ti(cluster, time)
        do first = 1, size(stars), npipes
            ni = min(npipes, size(stars) - first + 1)
            do i = 1, ni
                k = stars(first + i - 1)
                s = time - t(k)
                index(i) = k
                xi(:, i) = x(:, k) + s * (v(:, k) + s / 2 * (a(:, k) &
                                                     + s / 3 * jerk(:, k)))
                vi(:, i) = v(:, k) + s * (a(:, k) + s / 2 * jerk(:, k))
            end do
            call g6calc_firsthalf(cluster, n, ni, index, xi, vi, ai, jerki, &
                                  poti, eps2, h2)
            if (g6calc_lasthalf(cluster, n, ni, index, xi, vi, eps2, h2, ai, &
                                jerki, poti) /= 0) error stop ! it printed why
            do i = 1, ni
                k = stars(first + i - 1)
                a1(:, k) = ai(:, i)
                jerk1(:, k) = jerki(:, i)
                pot(k) = poti(i)
            end do
        end do
    end subroutine

    ! ---- the scheme --------------------------------------------------------

    ! The longest block step that is at most `wish`, at most twice the last one,
    ! and divides the present time.
    real(real64) function block_step(wish, time, last) result(s)
        real(real64), intent(in) :: wish, time, last
        s = last
        do while (s > wish)
            s = s / 2
        end do
        if (s < last .or. 2 * s > min(longest_step, wish)) return
        if (modulo(time, 2 * s) <= 0) s = 2 * s
    end function

    ! Aarseth's criterion, from the derivatives at the end of the step.
    real(real64) function aarseth(acc, jrk, snap, crackle)
        real(real64), intent(in) :: acc(3), jrk(3), snap(3), crackle(3)
        aarseth = sqrt(eta * (norm2(acc) * norm2(snap) + norm2(jrk)**2) &
                       / (norm2(jrk) * norm2(crackle) + norm2(snap)**2))
    end function

    ! Corrects star k at a time with the force there, and chooses its next step.
    subroutine correct(k, time)
        integer, intent(in) :: k
        real(real64), intent(in) :: time
        real(real64) :: s, da(3), v1(3), snap(3), crackle(3)
        s = time - t(k)
        da = a1(:, k) - a(:, k)
        v1 = v(:, k) + s / 2 * (a(:, k) + a1(:, k)) &
             + s**2 / 12 * (jerk(:, k) - jerk1(:, k))
        x(:, k) = x(:, k) + s / 2 * (v(:, k) + v1) - s**2 / 12 * da
        v(:, k) = v1
        crackle = (6 * s * (jerk(:, k) + jerk1(:, k)) - 12 * da) / s**3
        snap = (s * (2 * jerk(:, k) + 4 * jerk1(:, k)) - 6 * da) / s**2
        a(:, k) = a1(:, k)
        jerk(:, k) = jerk1(:, k)
        t(k) = time
        dt(k) = block_step(aarseth(a(:, k), jerk(:, k), snap, crackle), time, s)
    end subroutine

    subroutine start()
        integer :: k
        dt = longest_step
        do k = 1, n
            call send(k)
        end do
        call forces([(k, k = 1, n)], 0.0_real64)
        a = a1
        jerk = jerk1
        do k = 1, n
            dt(k) = block_step(eta / 8 * norm2(a(:, k)) / norm2(jerk(:, k)), &
                               0.0_real64, longest_step)
            call send(k)
        end do
    end subroutine

    ! One block step: moves the stars whose steps end next.
    subroutine step()
        integer, allocatable :: stars(:)
        integer :: k
        now = minval(t + dt)
        stars = pack([(k, k = 1, n)], t + dt <= now)
        call forces(stars, now)
        do k = 1, size(stars)
            call correct(stars(k), now)
            call send(stars(k))
        end do
        blocks = blocks + 1
        steps = steps + size(stars)
    end subroutine

    ! Total energy; all stars must be at the same time.
    real(real64) function energy()
        integer :: k
        call forces([(k, k = 1, n)], now)
        energy = sum(mass * (sum(v**2, dim=1) + pot)) / 2
    end function
end program
