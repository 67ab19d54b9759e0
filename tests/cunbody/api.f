! SPDX-License-Identifier: MIT
*       cunbody_api from Fortran 77: a pipeline in a file, which the
*       environment names, one in a character string, and the first again.
      PROGRAM API
      INTEGER cunbody_api,failed,time
      REAL*8 xj(4,2),xi(4,1),f(3,1),u(1,3),g(2,1)
      CHARACTER*200 name
      CHARACTER*1 nl
      LOGICAL ok
      DATA xj /0.d0,0.d0,0.d0,1.d0,1.d0,0.d0,0.d0,2.d0/
      DATA xi /0.d0,0.d0,0.d0,3.d0/, u /1.d0,2.d0,-4.d0/
      nl = char(10)
      CALL getenv('CUNBODY_PIPELINE',name)
      ok = .true.
      do 10 time = 1,2
         f(1,1) = -1.d30
         g(2,1) = -1.d30
         CALL cunbody_pipeline_file(name,4,4,3)
         failed = cunbody_api(xj,xi,f,1,2)
         ok = ok .and. abs(f(1,1)-0.25d0).lt.1.d-6
         CALL cunbody_pipeline_text('OUTPUT[0] += INPUT_J[0];'//nl//
     &      'MAX(OUTPUT[1], INPUT_I[0] * INPUT_J[0]);',4,1,2)
         xi(1,1) = -1.d0
         failed = failed + cunbody_api(u,xi,g,1,3)
         xi(1,1) = 0.d0
         ok = ok .and. failed.eq.0
         ok = ok .and. abs(g(1,1)+1.d0).lt.1.d-6
         ok = ok .and. abs(g(2,1)-4.d0).lt.1.d-6
 10   continue
      if (.not.ok) WRITE(6,*) 'wrong:',f,g
      if (ok) WRITE(6,*) 'all is well'
      END
