! SPDX-License-Identifier: MIT
*       A Fortran 77 program for CUNBODY-1, with implicit interfaces. Three
*       bodies of masses 1, 2, 4; at rest, without softening: a body does not
*       act on itself, nor does one on another at the same place.
      PROGRAM CLIENT
      INTEGER i,k,n
      REAL*8 x(3,4),m(4),a(3,4),eps2
      LOGICAL ok
      DATA x /0.d0,0.d0,0.d0,1.d0,0.d0,0.d0,0.d0,2.d0,0.d0,3*0.d0/
      DATA m /1.d0,2.d0,4.d0,8.d0/, eps2 /0.d0/, n /4/
*
      do 20 i = 1,4
         do 10 k = 1,3
            a(k,i) = -1.d30
 10      continue
 20   continue
      CALL force(x,m,x,eps2,a,n,4)
      ok = abs(a(1,1) - 2.d0).lt.1.d-6
      ok = ok .and. abs(a(2,1) - 1.d0).lt.1.d-6
      ok = ok .and. a(3,1).eq.0.d0
      ok = ok .and. abs(a(1,4) - 2.d0).lt.1.d-6
      ok = ok .and. abs(a(2,4) - 1.d0).lt.1.d-6
      CALL force(x,m,x(1,2),3.d0,a,1,1)
      ok = ok .and. abs(a(1,1) + 0.125d0).lt.1.d-7
      ok = ok .and. abs(a(1,4) - 2.d0).lt.1.d-6
      if (.not.ok) WRITE(6,*) 'wrong:',a
      if (ok) WRITE(6,*) 'all is well'
      END
