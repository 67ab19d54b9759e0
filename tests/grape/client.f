! SPDX-License-Identifier: MIT
*       A Fortran 77 program for a GRAPE-6, with implicit interfaces: it
*       calls every function of the library. Two bodies of mass 1, at rest
*       and 1 apart at time 1.
      PROGRAM CLIENT
      INTEGER g6_open,g6_close,g6_npipes,g6_reset,g6_reset_fofpga
      INTEGER g6_open_special,g6_initialize_jp_buffer
      INTEGER g6_flush_jp_buffer,g6_set_overflow_flag_test_mode
      INTEGER g6_set_j_particle,g6calc_lasthalf,g6calc_lasthalf2
      INTEGER g6_read_neighbour_list,g6_get_neighbour_list
      INTEGER gpid,i,k,gperr,npipe,nnb
      INTEGER index(2),nnbindex(2),ilist(2),devices(1)
      REAL*8 x(3,2),v(3,2),xi(3,2),vi(3,2),zero(3),h2(2),eps2
      REAL*8 a(3,2),adot(3,2),phi(2)
      INTEGER g6_open_special2,g6calc_lasthalfn,g6calc_lasthalf2np
      INTEGER g6_read_neighbour_list_old,g6_get_force_etc
      INTEGER g6_get_number_of_pipelines,g6_get_neighbour_list_sort_mode
      INTEGER nnb2,iflag(2)
      REAL*8 b(3,2),bdot(3,2),psi(2)
      REAL*4 rnnb(2)
      LOGICAL ok,ok2
      DATA index /17,-3/, devices /0/, zero /3*0.d0/
      DATA x /0.d0,0.d0,0.d0,2.d0,0.d0,0.d0/
      DATA v /0.d0,0.d0,0.d0,-1.d0,0.d0,0.d0/
      DATA xi /0.d0,0.d0,0.d0,1.d0,0.d0,0.d0/, vi /6*0.d0/
      DATA h2 /2.d0,0.d0/, eps2 /0.d0/, gpid /0/
*
      gperr = g6_open(gpid)
      gperr = gperr + g6_open_special(1,devices)
      CALL g6_set_tunit(45)
      CALL g6_set_xunit(45)
      gperr = gperr + g6_reset(gpid) + g6_reset_fofpga(gpid)
      CALL g6_reinitialize(gpid)
      gperr = gperr + g6_set_overflow_flag_test_mode(0,0,0)
      CALL g6_set_neighbour_list_sort_mode(0)
      gperr = gperr + g6_initialize_jp_buffer(gpid,2)
      CALL g6_setup_njdata(gpid,2)
      npipe = g6_npipes()
      do 10 i = 1,2
         gperr = gperr + g6_set_j_particle(gpid,i-1,index(i),0.d0,
     &           0.5d0,1.d0,zero,zero,zero,v(1,i),x(1,i))
 10   continue
      gperr = gperr + g6_flush_jp_buffer(gpid)
      CALL g6_set_ti(gpid,1.d0)
*
      CALL g6calc_firsthalf(gpid,2,2,index,xi,vi,a,adot,phi,eps2,h2)
      gperr = gperr + g6calc_lasthalf2(gpid,2,2,index,xi,vi,eps2,h2,
     &                                 a,adot,phi,nnbindex)
      gperr = gperr + g6_read_neighbour_list(gpid)
      gperr = gperr + g6_get_neighbour_list(gpid,0,2,nnb,ilist)
      do 20 i = 1,2
         phi(i) = 0.d0
         do 15 k = 1,3
            a(k,i) = 0.d0
 15      continue
 20   continue
      CALL g6calc_firsthalf(gpid,2,2,index,xi,vi,a,adot,phi,eps2,h2)
      gperr = gperr + g6calc_lasthalf(gpid,2,2,index,xi,vi,eps2,h2,
     &                                a,adot,phi)
*
      gperr = gperr + g6_open_special2(1,devices,1024)
      CALL g6calc_firsthalf(gpid,2,2,index,xi,vi,a,adot,phi,eps2,h2)
      gperr = gperr + g6calc_lasthalfn(gpid,2,2,index,xi,vi,eps2,h2,
     &                                 b,bdot,psi)
      gperr = gperr + g6_read_neighbour_list_old(gpid)
      gperr = gperr + g6_get_neighbour_list(gpid,1,2,nnb2,ilist(2))
      gperr = gperr + g6calc_lasthalf2np(gpid,2,2,index,xi,vi,eps2,h2,
     &                                   b,bdot,psi,nnbindex,rnnb)
      CALL g6_set_nip(gpid,2)
      CALL g6_set_njp(gpid,2)
      do 30 i = 1,2
         CALL g6_set_i_particle(gpid,i-1,index(i),xi(1,i),vi(1,i),
     &                          eps2,h2(i))
 30   continue
      gperr = gperr + g6_get_force_etc(gpid,b,bdot,psi,nnbindex,iflag)
      ok2 = g6_get_number_of_pipelines().eq.48
      CALL g6_set_neighbour_list_sort_mode(2)
      ok2 = ok2 .and. g6_get_neighbour_list_sort_mode().eq.2
      ok2 = ok2 .and. nnb2.eq.0 .and. rnnb(1).eq.1. .and. rnnb(2).eq.1.
      do 40 i = 1,2
         ok2 = ok2 .and. iflag(i).eq.0 .and. psi(i).eq.phi(i)
         do 35 k = 1,3
            ok2 = ok2 .and. b(k,i).eq.a(k,i)
            ok2 = ok2 .and. bdot(k,i).eq.adot(k,i)
 35      continue
 40   continue
      gperr = gperr + g6_close(gpid)
*
      ok = ok2 .and. gperr.eq.0 .and. npipe.eq.48 .and. nnb.eq.1
      ok = ok .and. ilist(1).eq.-3
      ok = ok .and. nnbindex(1).eq.-3 .and. nnbindex(2).eq.17
      ok = ok .and. abs(a(1,1) - 1.d0).lt.1.d-6
      ok = ok .and. abs(a(1,2) + 1.d0).lt.1.d-6
      ok = ok .and. abs(adot(1,1) - 2.d0).lt.1.d-5
      ok = ok .and. abs(phi(1) + 1.d0).lt.1.d-6
      if (.not.ok) WRITE(6,*) 'wrong:',gperr,npipe,nnb,nnbindex,a,phi
      if (ok) WRITE(6,*) 'all is well'
      END
