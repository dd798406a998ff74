; b58ff500742419660a85b5e23b3d851b83c18b0898aac4ef16723c4664da7ae6
; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define range(i64 0, 9) i64 @vitrify_shipped_entry(i64 %.1) local_unnamed_addr {
.3:
  %.66.i.i.i = alloca ptr, align 8
  %.270.i = alloca i8, align 1
  %.427.i = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %.270.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %.427.i)
  store i8 0, ptr %.270.i, align 1, !noalias !0
  store i8 0, ptr %.427.i, align 1, !noalias !0
  %.41.i = inttoptr i64 %.1 to ptr
  %.42.i = load i64, ptr %.41.i, align 8, !noalias !0
  %.48.i = add nsw i64 %.1, 64
  %.49.i = inttoptr i64 %.48.i to ptr
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !0
  %.56.i = add nsw i64 %.1, 8
  %.57.i = inttoptr i64 %.56.i to ptr
  %.58.i = load i64, ptr %.57.i, align 8, !noalias !0
  %.63.i = icmp slt i64 %.58.i, 0
  br i1 %.63.i, label %B280.i, label %B334.i

B280.i:                                           ; preds = %.3
  %.9.i.i = add nsw i64 %.50.i, 104
  %.10.i.i = inttoptr i64 %.9.i.i to ptr
  %.11.i.i = load atomic i64, ptr %.10.i.i seq_cst, align 8, !noalias !3
  %.12.i.i = icmp eq i64 %.11.i.i, 0
  br i1 %.12.i.i, label %B90.preheader.i.i, label %_ZN7vitrify6kernel2vmB2v1Ex.exit

B90.preheader.i.i:                                ; preds = %B280.i
  %sunkaddr.i.i = inttoptr i64 %.50.i to ptr
  %sunkaddr57.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 128
  %sunkaddr59.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 120
  %sunkaddr65.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 192
  %sunkaddr67.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 112
  %sunkaddr99.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 104
  %sunkaddr77.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 64
  %sunkaddr83.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 320
  %sunkaddr93.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 48
  %sunkaddr79.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 72
  %sunkaddr81.i.i = getelementptr i8, ptr %sunkaddr.i.i, i64 80
  br label %B90.i.i

B90.i.i:                                          ; preds = %B454.i.i, %B90.preheader.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.66.i.i.i), !noalias !3
  store ptr null, ptr %.66.i.i.i, align 8, !noalias !6
  %.1225.i.i.i = load atomic i64, ptr %sunkaddr57.i.i seq_cst, align 8, !noalias !6
  %.1726.i.i.i = lshr i64 %.1225.i.i.i, 16
  %.1827.i.i.i = and i64 %.1726.i.i.i, 65535
  %.2328.i.i.i = and i64 %.1225.i.i.i, 65535
  %.29.not29.i.i.i = icmp samesign ult i64 %.1827.i.i.i, %.2328.i.i.i
  br i1 %.29.not29.i.i.i, label %B156.i.i.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i.i

B156.i.i.i:                                       ; preds = %B90.i.i, %B448.i.i.i
  %.2332.i.i.i = phi i64 [ %.23.i.i.i, %B448.i.i.i ], [ %.2328.i.i.i, %B90.i.i ]
  %.1831.i.i.i = phi i64 [ %.18.i.i.i, %B448.i.i.i ], [ %.1827.i.i.i, %B90.i.i ]
  %.1230.i.i.i = phi i64 [ %.12.i.i.i, %B448.i.i.i ], [ %.1225.i.i.i, %B90.i.i ]
  %.45.i.i.i = load atomic i64, ptr %sunkaddr59.i.i seq_cst, align 8, !noalias !6
  %.53.i.i.i = add nsw i64 %.1230.i.i.i, 65536
  %.56.i.i.i = cmpxchg ptr %sunkaddr57.i.i, i64 %.1230.i.i.i, i64 %.53.i.i.i seq_cst seq_cst, align 8, !noalias !6
  %.57.i.i.i = extractvalue { i64, i1 } %.56.i.i.i, 1
  br i1 %.57.i.i.i, label %B332.i.i.i, label %B448.i.i.i

B332.i.i.i:                                       ; preds = %B156.i.i.i
  store ptr null, ptr %.66.i.i.i, align 8, !noalias !6
  call fastcc void @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr nonnull %.66.i.i.i, i64 %.50.i, i64 %.45.i.i.i, i64 %.1831.i.i.i, i64 %.2332.i.i.i)
  %.102.i.i.i = atomicrmw add ptr %sunkaddr65.i.i, i64 1 seq_cst, align 8, !noalias !6
  br label %B448.i.i.i

B448.i.i.i:                                       ; preds = %B332.i.i.i, %B156.i.i.i
  %.12.i.i.i = load atomic i64, ptr %sunkaddr57.i.i seq_cst, align 8, !noalias !6
  %.17.i.i.i = lshr i64 %.12.i.i.i, 16
  %.18.i.i.i = and i64 %.17.i.i.i, 65535
  %.23.i.i.i = and i64 %.12.i.i.i, 65535
  %.29.not.i.i.i = icmp samesign ult i64 %.18.i.i.i, %.23.i.i.i
  br i1 %.29.not.i.i.i, label %B156.i.i.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i.i

_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i.i: ; preds = %B448.i.i.i, %B90.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.66.i.i.i), !noalias !3
  %.52.i.i = load i64, ptr %sunkaddr67.i.i, align 8, !noalias !3
  %.54.i.i = icmp sgt i64 %.52.i.i, 0
  br i1 %.54.i.i, label %B210.i.i, label %B394.i.i

B210.i.i:                                         ; preds = %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i.i
  %.8.i.i.i.i = load atomic i64, ptr %sunkaddr57.i.i seq_cst, align 8, !noalias !10
  %.9.i.i.i.i = lshr i64 %.8.i.i.i.i, 16
  %.10.i.i.i.i = and i64 %.9.i.i.i.i, 65535
  %.11.i.i.i.i = and i64 %.8.i.i.i.i, 65535
  %.12.i.not.i.i.i = icmp samesign ult i64 %.10.i.i.i.i, %.11.i.i.i.i
  br i1 %.12.i.not.i.i.i, label %B394.i.i, label %B210.endif.endif.i.i

B240.i.i:                                         ; preds = %B210.endif.endif.i.i, %B364.endif.endif.i.i
  %spins.2.1.i.i = phi i64 [ %.103.i.i, %B364.endif.endif.i.i ], [ 0, %B210.endif.endif.i.i ]
  tail call void @llvm.x86.sse2.pause(), !noalias !3
  %.103.i.i = add nuw nsw i64 %spins.2.1.i.i, 1
  %.113.i.i = load i64, ptr %sunkaddr67.i.i, align 8, !noalias !3
  %.115.i.i = icmp slt i64 %.103.i.i, %.113.i.i
  br i1 %.115.i.i, label %B364.i.i, label %B394.i.i

B364.i.i:                                         ; preds = %B240.i.i
  %.8.i.i12.i.i = load atomic i64, ptr %sunkaddr57.i.i seq_cst, align 8, !noalias !15
  %.9.i.i13.i.i = lshr i64 %.8.i.i12.i.i, 16
  %.10.i.i14.i.i = and i64 %.9.i.i13.i.i, 65535
  %.11.i.i15.i.i = and i64 %.8.i.i12.i.i, 65535
  %.12.i.not.i16.i.i = icmp samesign ult i64 %.10.i.i14.i.i, %.11.i.i15.i.i
  br i1 %.12.i.not.i16.i.i, label %B394.i.i, label %B364.endif.endif.i.i

B394.i.i:                                         ; preds = %B364.endif.endif.i.i, %B364.i.i, %B240.i.i, %B210.endif.endif.i.i, %B210.i.i, %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i.i
  %.8.i.i26.i.i = load atomic i64, ptr %sunkaddr57.i.i seq_cst, align 8, !noalias !20
  %.9.i.i27.i.i = lshr i64 %.8.i.i26.i.i, 16
  %.10.i.i28.i.i = and i64 %.9.i.i27.i.i, 65535
  %.11.i.i29.i.i = and i64 %.8.i.i26.i.i, 65535
  %.12.i.not.i30.i.i = icmp samesign ult i64 %.10.i.i28.i.i, %.11.i.i29.i.i
  br i1 %.12.i.not.i30.i.i, label %B454.i.i, label %B394.endif.endif.i.i

B424.i.i:                                         ; preds = %B394.endif.endif.i.i
  %.11.i39.i.i = load i64, ptr %sunkaddr77.i.i, align 8, !noalias !25
  %.16.i.i.i = icmp eq i64 %.11.i39.i.i, 0
  br i1 %.16.i.i.i, label %B94.i.i.i, label %B278.i.i.i

B94.i.i.i:                                        ; preds = %B424.i.i
  %.24.i.i.i = load i64, ptr %sunkaddr79.i.i, align 8, !noalias !25
  %.31.i.i.i = load i64, ptr %sunkaddr81.i.i, align 8, !noalias !25
  %.32.i.i.i = inttoptr i64 %.24.i.i.i to ptr
  %.33.i.i.i = trunc i64 %.31.i.i.i to i32
  %.34.i.i.i = tail call i32 %.32.i.i.i(i32 %.33.i.i.i), !noalias !25
  br label %B454.i.i

B278.i.i.i:                                       ; preds = %B424.i.i
  %.42.i.i.i = atomicrmw add ptr %sunkaddr83.i.i, i64 1 seq_cst, align 8, !noalias !25
  %.8.i.i.i.i.i = load atomic i64, ptr %sunkaddr57.i.i seq_cst, align 8, !noalias !28
  %.9.i.i.i.i.i = lshr i64 %.8.i.i.i.i.i, 16
  %.10.i.i.i.i.i = and i64 %.9.i.i.i.i.i, 65535
  %.11.i.i.i.i.i = and i64 %.8.i.i.i.i.i, 65535
  %.12.i.not.i.i.i.i = icmp samesign ult i64 %.10.i.i.i.i.i, %.11.i.i.i.i.i
  br i1 %.12.i.not.i.i.i.i, label %B6.i.i.i.i.preheader, label %_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i.i.i

_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i.i.i: ; preds = %B278.i.i.i
  %.54.i.i.i.i = load atomic i64, ptr %sunkaddr99.i.i seq_cst, align 8, !noalias !33
  %.55.i.not.i.i.i = icmp eq i64 %.54.i.i.i.i, 0
  br i1 %.55.i.not.i.i.i, label %B422.i.i.i, label %B6.i.i.i.i.preheader

B6.i.i.i.i.preheader:                             ; preds = %_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i.i.i, %B278.i.i.i
  br label %B6.i.i.i.i

B6.i.i.i.i:                                       ; preds = %B6.i.i.i.i.preheader, %B100.i.i.i.i
  %.12.i.i.i.i = load atomic i64, ptr %sunkaddr83.i.i seq_cst, align 8, !noalias !34
  %.17.i.i.i.i = icmp slt i64 %.12.i.i.i.i, 1
  br i1 %.17.i.i.i.i, label %B422.i.i.i, label %B100.i.i.i.i

B100.i.i.i.i:                                     ; preds = %B6.i.i.i.i
  %.30.i.i.i.i = add nsw i64 %.12.i.i.i.i, -1
  %.33.i.i.i.i = cmpxchg ptr %sunkaddr83.i.i, i64 %.12.i.i.i.i, i64 %.30.i.i.i.i seq_cst seq_cst, align 8, !noalias !34
  %.34.i.i.i.i = extractvalue { i64, i1 } %.33.i.i.i.i, 1
  br i1 %.34.i.i.i.i, label %B454.i.i, label %B6.i.i.i.i

B422.i.i.i:                                       ; preds = %B6.i.i.i.i, %_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i.i.i
  %.127.i.i.i = load i64, ptr %sunkaddr93.i.i, align 8, !noalias !25
  %.129.i.i.i = inttoptr i64 %.127.i.i.i to ptr
  %.130.i.i.i = inttoptr i64 %.11.i39.i.i to ptr
  %.131.i.i.i = tail call i32 %.129.i.i.i(ptr nonnull %.130.i.i.i), !noalias !25
  %.133.not.i.i.i = icmp eq i32 %.131.i.i.i, 0
  br i1 %.133.not.i.i.i, label %B454.i.i, label %B536.i.i.i

B536.i.i.i:                                       ; preds = %B422.i.i.i, %B536.i.i.i
  %.139.i.i.i = load i64, ptr %sunkaddr93.i.i, align 8, !noalias !25
  %.141.i.i.i = inttoptr i64 %.139.i.i.i to ptr
  %.143.i.i.i = tail call i32 %.141.i.i.i(ptr nonnull %.130.i.i.i), !noalias !25
  %.145.not.i.i.i = icmp eq i32 %.143.i.i.i, 0
  br i1 %.145.not.i.i.i, label %B454.i.i, label %B536.i.i.i

B454.i.i:                                         ; preds = %B100.i.i.i.i, %B536.i.i.i, %B394.endif.endif.i.i, %B422.i.i.i, %B94.i.i.i, %B394.i.i
  %.236.i.i = load atomic i64, ptr %sunkaddr99.i.i seq_cst, align 8, !noalias !3
  %.237.i.i = icmp eq i64 %.236.i.i, 0
  br i1 %.237.i.i, label %B90.i.i, label %_ZN7vitrify6kernel2vmB2v1Ex.exit

B210.endif.endif.i.i:                             ; preds = %B210.i.i
  %.54.i.i.i = load atomic i64, ptr %sunkaddr99.i.i seq_cst, align 8, !noalias !37
  %.55.i.not.i.i = icmp eq i64 %.54.i.i.i, 0
  br i1 %.55.i.not.i.i, label %B240.i.i, label %B394.i.i

B364.endif.endif.i.i:                             ; preds = %B364.i.i
  %.54.i20.i.i = load atomic i64, ptr %sunkaddr99.i.i seq_cst, align 8, !noalias !38
  %.55.i21.not.i.i = icmp eq i64 %.54.i20.i.i, 0
  br i1 %.55.i21.not.i.i, label %B240.i.i, label %B394.i.i

B394.endif.endif.i.i:                             ; preds = %B394.i.i
  %.54.i34.i.i = load atomic i64, ptr %sunkaddr99.i.i seq_cst, align 8, !noalias !39
  %.55.i35.not.i.i = icmp eq i64 %.54.i34.i.i, 0
  br i1 %.55.i35.not.i.i, label %B424.i.i, label %B454.i.i

B334.i:                                           ; preds = %.3
  %.104.i = icmp eq i64 %.58.i, 0
  br i1 %.104.i, label %B346.i, label %B376.endif.i

B346.i:                                           ; preds = %B334.i
  %.6.i.i = add nsw i64 %.1, 16
  %.7.i.i = inttoptr i64 %.6.i.i to ptr
  %.8.i.i = load i64, ptr %.7.i.i, align 8, !noalias !40
  %.13.i.i = add nsw i64 %.1, 32
  %.14.i.i = inttoptr i64 %.13.i.i to ptr
  %.15.i.i = load i64, ptr %.14.i.i, align 8, !noalias !40
  %.20.i.i = add nsw i64 %.1, 40
  %.21.i.i = inttoptr i64 %.20.i.i to ptr
  %.22.i.i = load i64, ptr %.21.i.i, align 8, !noalias !40
  %.27.i.i = add nsw i64 %.1, 72
  %.28.i.i = inttoptr i64 %.27.i.i to ptr
  %.29.i.i = load i64, ptr %.28.i.i, align 8, !noalias !40
  %.34.i.i = add nsw i64 %.1, 24
  %.35.i.i = inttoptr i64 %.34.i.i to ptr
  %.36.i.i = load i64, ptr %.35.i.i, align 8, !noalias !40
  %.11869.not.i.i = icmp slt i64 %.36.i.i, 1
  br i1 %.11869.not.i.i, label %B376.endif.i, label %B422.lr.ph.i.i

B422.lr.ph.i.i:                                   ; preds = %B346.i
  %.184.not.i.i = icmp eq i64 %.22.i.i, 0
  %xtraiter8.i.i = and i64 %.36.i.i, 3
  %0 = icmp samesign ult i64 %.36.i.i, 4
  br i1 %.184.not.i.i, label %B422.us.preheader.i.i, label %B422.preheader.i.i

B422.preheader.i.i:                               ; preds = %B422.lr.ph.i.i
  br i1 %0, label %B422.epil.preheader.i.i, label %B422.preheader.new.i.i

B422.preheader.new.i.i:                           ; preds = %B422.preheader.i.i
  %unroll_iter.i.i = and i64 %.36.i.i, 9223372036854775804
  %1 = add i64 %.8.i.i, 88
  br label %B422.i.i

B422.us.preheader.i.i:                            ; preds = %B422.lr.ph.i.i
  br i1 %0, label %B422.us.epil.preheader.i.i, label %B422.us.preheader.new.i.i

B422.us.preheader.new.i.i:                        ; preds = %B422.us.preheader.i.i
  %unroll_iter12.i.i = and i64 %.36.i.i, 9223372036854775804
  %2 = add i64 %.8.i.i, 88
  br label %B422.us.i.i

B422.us.i.i:                                      ; preds = %B422.us.i.i, %B422.us.preheader.new.i.i
  %lsr.iv20.i.i = phi i64 [ %lsr.iv.next21.i.i, %B422.us.i.i ], [ %2, %B422.us.preheader.new.i.i ]
  %.1246870.us.i.i = phi i64 [ %.131.us.3.i.i, %B422.us.i.i ], [ 0, %B422.us.preheader.new.i.i ]
  %3 = add i64 %lsr.iv20.i.i, -88
  %.166.us.i.i = inttoptr i64 %3 to ptr
  %.167.us.i.i = load i64, ptr %.166.us.i.i, align 8, !noalias !40
  %.173.us.i.i = shl nsw i64 %.167.us.i.i, 3
  %.174.us.i.i = add nsw i64 %.173.us.i.i, %.15.i.i
  %.175.us.i.i = inttoptr i64 %.174.us.i.i to ptr
  %.176.us.i.i = load i64, ptr %.175.us.i.i, align 8, !noalias !40
  %.210.us.i.i = add nsw i64 %.176.us.i.i, %.29.i.i
  %.213.us.i.i = inttoptr i64 %.210.us.i.i to ptr
  %.214.us.i.i = load i64, ptr %.213.us.i.i, align 8, !noalias !40
  %4 = add i64 %lsr.iv20.i.i, -80
  %.223.us.i.i = inttoptr i64 %4 to ptr
  %.224.us.i.i = load i64, ptr %.223.us.i.i, align 8, !noalias !40
  %5 = add i64 %lsr.iv20.i.i, -72
  %.230.us.i.i = inttoptr i64 %5 to ptr
  %.231.us.i.i = load i64, ptr %.230.us.i.i, align 8, !noalias !40
  %.233.us.i.i = add nsw i64 %.231.us.i.i, %.214.us.i.i
  %.236.us.i.i = inttoptr i64 %.224.us.i.i to ptr
  store i64 %.233.us.i.i, ptr %.236.us.i.i, align 8, !noalias !40
  %6 = add i64 %lsr.iv20.i.i, -64
  %.166.us.1.i.i = inttoptr i64 %6 to ptr
  %.167.us.1.i.i = load i64, ptr %.166.us.1.i.i, align 8, !noalias !40
  %.173.us.1.i.i = shl nsw i64 %.167.us.1.i.i, 3
  %.174.us.1.i.i = add nsw i64 %.173.us.1.i.i, %.15.i.i
  %.175.us.1.i.i = inttoptr i64 %.174.us.1.i.i to ptr
  %.176.us.1.i.i = load i64, ptr %.175.us.1.i.i, align 8, !noalias !40
  %.210.us.1.i.i = add nsw i64 %.176.us.1.i.i, %.29.i.i
  %.213.us.1.i.i = inttoptr i64 %.210.us.1.i.i to ptr
  %.214.us.1.i.i = load i64, ptr %.213.us.1.i.i, align 8, !noalias !40
  %7 = add i64 %lsr.iv20.i.i, -56
  %.223.us.1.i.i = inttoptr i64 %7 to ptr
  %.224.us.1.i.i = load i64, ptr %.223.us.1.i.i, align 8, !noalias !40
  %8 = add i64 %lsr.iv20.i.i, -48
  %.230.us.1.i.i = inttoptr i64 %8 to ptr
  %.231.us.1.i.i = load i64, ptr %.230.us.1.i.i, align 8, !noalias !40
  %.233.us.1.i.i = add nsw i64 %.231.us.1.i.i, %.214.us.1.i.i
  %.236.us.1.i.i = inttoptr i64 %.224.us.1.i.i to ptr
  store i64 %.233.us.1.i.i, ptr %.236.us.1.i.i, align 8, !noalias !40
  %9 = add i64 %lsr.iv20.i.i, -40
  %.166.us.2.i.i = inttoptr i64 %9 to ptr
  %.167.us.2.i.i = load i64, ptr %.166.us.2.i.i, align 8, !noalias !40
  %.173.us.2.i.i = shl nsw i64 %.167.us.2.i.i, 3
  %.174.us.2.i.i = add nsw i64 %.173.us.2.i.i, %.15.i.i
  %.175.us.2.i.i = inttoptr i64 %.174.us.2.i.i to ptr
  %.176.us.2.i.i = load i64, ptr %.175.us.2.i.i, align 8, !noalias !40
  %.210.us.2.i.i = add nsw i64 %.176.us.2.i.i, %.29.i.i
  %.213.us.2.i.i = inttoptr i64 %.210.us.2.i.i to ptr
  %.214.us.2.i.i = load i64, ptr %.213.us.2.i.i, align 8, !noalias !40
  %10 = add i64 %lsr.iv20.i.i, -32
  %.223.us.2.i.i = inttoptr i64 %10 to ptr
  %.224.us.2.i.i = load i64, ptr %.223.us.2.i.i, align 8, !noalias !40
  %11 = add i64 %lsr.iv20.i.i, -24
  %.230.us.2.i.i = inttoptr i64 %11 to ptr
  %.231.us.2.i.i = load i64, ptr %.230.us.2.i.i, align 8, !noalias !40
  %.233.us.2.i.i = add nsw i64 %.231.us.2.i.i, %.214.us.2.i.i
  %.236.us.2.i.i = inttoptr i64 %.224.us.2.i.i to ptr
  store i64 %.233.us.2.i.i, ptr %.236.us.2.i.i, align 8, !noalias !40
  %.131.us.3.i.i = add nuw nsw i64 %.1246870.us.i.i, 4
  %12 = add i64 %lsr.iv20.i.i, -16
  %.166.us.3.i.i = inttoptr i64 %12 to ptr
  %.167.us.3.i.i = load i64, ptr %.166.us.3.i.i, align 8, !noalias !40
  %.173.us.3.i.i = shl nsw i64 %.167.us.3.i.i, 3
  %.174.us.3.i.i = add nsw i64 %.173.us.3.i.i, %.15.i.i
  %.175.us.3.i.i = inttoptr i64 %.174.us.3.i.i to ptr
  %.176.us.3.i.i = load i64, ptr %.175.us.3.i.i, align 8, !noalias !40
  %.210.us.3.i.i = add nsw i64 %.176.us.3.i.i, %.29.i.i
  %.213.us.3.i.i = inttoptr i64 %.210.us.3.i.i to ptr
  %.214.us.3.i.i = load i64, ptr %.213.us.3.i.i, align 8, !noalias !40
  %13 = add i64 %lsr.iv20.i.i, -8
  %.223.us.3.i.i = inttoptr i64 %13 to ptr
  %.224.us.3.i.i = load i64, ptr %.223.us.3.i.i, align 8, !noalias !40
  %.230.us.3.i.i = inttoptr i64 %lsr.iv20.i.i to ptr
  %.231.us.3.i.i = load i64, ptr %.230.us.3.i.i, align 8, !noalias !40
  %.233.us.3.i.i = add nsw i64 %.231.us.3.i.i, %.214.us.3.i.i
  %.236.us.3.i.i = inttoptr i64 %.224.us.3.i.i to ptr
  store i64 %.233.us.3.i.i, ptr %.236.us.3.i.i, align 8, !noalias !40
  %lsr.iv.next21.i.i = add i64 %lsr.iv20.i.i, 96
  %niter13.ncmp.3.i.i = icmp eq i64 %unroll_iter12.i.i, %.131.us.3.i.i
  br i1 %niter13.ncmp.3.i.i, label %B928.loopexit.unr-lcssa.i.i, label %B422.us.i.i

B422.i.i:                                         ; preds = %B740.3.i.i, %B422.preheader.new.i.i
  %lsr.iv26.i.i = phi i64 [ %lsr.iv.next27.i.i, %B740.3.i.i ], [ %1, %B422.preheader.new.i.i ]
  %.1246870.i.i = phi i64 [ %.131.3.i.i, %B740.3.i.i ], [ 0, %B422.preheader.new.i.i ]
  %14 = add i64 %lsr.iv26.i.i, -88
  %.166.i.i = inttoptr i64 %14 to ptr
  %.167.i.i = load i64, ptr %.166.i.i, align 8, !noalias !40
  %.173.i.i = shl nsw i64 %.167.i.i, 3
  %.174.i.i = add nsw i64 %.173.i.i, %.15.i.i
  %.175.i.i = inttoptr i64 %.174.i.i to ptr
  %.176.i.i = load i64, ptr %.175.i.i, align 8, !noalias !40
  %.189.i.i = add nsw i64 %.173.i.i, %.22.i.i
  %.192.i.i = inttoptr i64 %.189.i.i to ptr
  %.193.i.i = load i64, ptr %.192.i.i, align 8, !noalias !40
  %.204.not.i.i = icmp eq i64 %.193.i.i, 0
  br i1 %.204.not.i.i, label %B740.i.i, label %B704.i.i

B704.i.i:                                         ; preds = %B422.i.i
  %.210.i.i = add nsw i64 %.176.i.i, %.29.i.i
  %.213.i.i = inttoptr i64 %.210.i.i to ptr
  %.214.i.i = load i64, ptr %.213.i.i, align 8, !noalias !40
  br label %B740.i.i

B740.i.i:                                         ; preds = %B704.i.i, %B422.i.i
  %base.2.1.i.i = phi i64 [ %.214.i.i, %B704.i.i ], [ %.176.i.i, %B422.i.i ]
  %15 = add i64 %lsr.iv26.i.i, -80
  %.223.i.i = inttoptr i64 %15 to ptr
  %.224.i.i = load i64, ptr %.223.i.i, align 8, !noalias !40
  %16 = add i64 %lsr.iv26.i.i, -72
  %.230.i.i = inttoptr i64 %16 to ptr
  %.231.i.i = load i64, ptr %.230.i.i, align 8, !noalias !40
  %.233.i.i = add nsw i64 %.231.i.i, %base.2.1.i.i
  %.236.i594.i = inttoptr i64 %.224.i.i to ptr
  store i64 %.233.i.i, ptr %.236.i594.i, align 8, !noalias !40
  %17 = add i64 %lsr.iv26.i.i, -64
  %.166.1.i.i = inttoptr i64 %17 to ptr
  %.167.1.i.i = load i64, ptr %.166.1.i.i, align 8, !noalias !40
  %.173.1.i.i = shl nsw i64 %.167.1.i.i, 3
  %.174.1.i.i = add nsw i64 %.173.1.i.i, %.15.i.i
  %.175.1.i.i = inttoptr i64 %.174.1.i.i to ptr
  %.176.1.i.i = load i64, ptr %.175.1.i.i, align 8, !noalias !40
  %.189.1.i.i = add nsw i64 %.173.1.i.i, %.22.i.i
  %.192.1.i.i = inttoptr i64 %.189.1.i.i to ptr
  %.193.1.i.i = load i64, ptr %.192.1.i.i, align 8, !noalias !40
  %.204.not.1.i.i = icmp eq i64 %.193.1.i.i, 0
  br i1 %.204.not.1.i.i, label %B740.1.i.i, label %B704.1.i.i

B704.1.i.i:                                       ; preds = %B740.i.i
  %.210.1.i.i = add nsw i64 %.176.1.i.i, %.29.i.i
  %.213.1.i.i = inttoptr i64 %.210.1.i.i to ptr
  %.214.1.i.i = load i64, ptr %.213.1.i.i, align 8, !noalias !40
  br label %B740.1.i.i

B740.1.i.i:                                       ; preds = %B704.1.i.i, %B740.i.i
  %base.2.1.1.i.i = phi i64 [ %.214.1.i.i, %B704.1.i.i ], [ %.176.1.i.i, %B740.i.i ]
  %18 = add i64 %lsr.iv26.i.i, -56
  %.223.1.i.i = inttoptr i64 %18 to ptr
  %.224.1.i.i = load i64, ptr %.223.1.i.i, align 8, !noalias !40
  %19 = add i64 %lsr.iv26.i.i, -48
  %.230.1.i.i = inttoptr i64 %19 to ptr
  %.231.1.i.i = load i64, ptr %.230.1.i.i, align 8, !noalias !40
  %.233.1.i.i = add nsw i64 %.231.1.i.i, %base.2.1.1.i.i
  %.236.1.i.i = inttoptr i64 %.224.1.i.i to ptr
  store i64 %.233.1.i.i, ptr %.236.1.i.i, align 8, !noalias !40
  %20 = add i64 %lsr.iv26.i.i, -40
  %.166.2.i.i = inttoptr i64 %20 to ptr
  %.167.2.i.i = load i64, ptr %.166.2.i.i, align 8, !noalias !40
  %.173.2.i.i = shl nsw i64 %.167.2.i.i, 3
  %.174.2.i.i = add nsw i64 %.173.2.i.i, %.15.i.i
  %.175.2.i.i = inttoptr i64 %.174.2.i.i to ptr
  %.176.2.i.i = load i64, ptr %.175.2.i.i, align 8, !noalias !40
  %.189.2.i.i = add nsw i64 %.173.2.i.i, %.22.i.i
  %.192.2.i.i = inttoptr i64 %.189.2.i.i to ptr
  %.193.2.i.i = load i64, ptr %.192.2.i.i, align 8, !noalias !40
  %.204.not.2.i.i = icmp eq i64 %.193.2.i.i, 0
  br i1 %.204.not.2.i.i, label %B740.2.i.i, label %B704.2.i.i

B704.2.i.i:                                       ; preds = %B740.1.i.i
  %.210.2.i.i = add nsw i64 %.176.2.i.i, %.29.i.i
  %.213.2.i.i = inttoptr i64 %.210.2.i.i to ptr
  %.214.2.i.i = load i64, ptr %.213.2.i.i, align 8, !noalias !40
  br label %B740.2.i.i

B740.2.i.i:                                       ; preds = %B704.2.i.i, %B740.1.i.i
  %base.2.1.2.i.i = phi i64 [ %.214.2.i.i, %B704.2.i.i ], [ %.176.2.i.i, %B740.1.i.i ]
  %21 = add i64 %lsr.iv26.i.i, -32
  %.223.2.i.i = inttoptr i64 %21 to ptr
  %.224.2.i.i = load i64, ptr %.223.2.i.i, align 8, !noalias !40
  %22 = add i64 %lsr.iv26.i.i, -24
  %.230.2.i.i = inttoptr i64 %22 to ptr
  %.231.2.i.i = load i64, ptr %.230.2.i.i, align 8, !noalias !40
  %.233.2.i.i = add nsw i64 %.231.2.i.i, %base.2.1.2.i.i
  %.236.2.i.i = inttoptr i64 %.224.2.i.i to ptr
  store i64 %.233.2.i.i, ptr %.236.2.i.i, align 8, !noalias !40
  %.131.3.i.i = add nuw nsw i64 %.1246870.i.i, 4
  %23 = add i64 %lsr.iv26.i.i, -16
  %.166.3.i.i = inttoptr i64 %23 to ptr
  %.167.3.i.i = load i64, ptr %.166.3.i.i, align 8, !noalias !40
  %.173.3.i.i = shl nsw i64 %.167.3.i.i, 3
  %.174.3.i.i = add nsw i64 %.173.3.i.i, %.15.i.i
  %.175.3.i.i = inttoptr i64 %.174.3.i.i to ptr
  %.176.3.i.i = load i64, ptr %.175.3.i.i, align 8, !noalias !40
  %.189.3.i.i = add nsw i64 %.173.3.i.i, %.22.i.i
  %.192.3.i.i = inttoptr i64 %.189.3.i.i to ptr
  %.193.3.i.i = load i64, ptr %.192.3.i.i, align 8, !noalias !40
  %.204.not.3.i.i = icmp eq i64 %.193.3.i.i, 0
  br i1 %.204.not.3.i.i, label %B740.3.i.i, label %B704.3.i.i

B704.3.i.i:                                       ; preds = %B740.2.i.i
  %.210.3.i.i = add nsw i64 %.176.3.i.i, %.29.i.i
  %.213.3.i.i = inttoptr i64 %.210.3.i.i to ptr
  %.214.3.i.i = load i64, ptr %.213.3.i.i, align 8, !noalias !40
  br label %B740.3.i.i

B740.3.i.i:                                       ; preds = %B704.3.i.i, %B740.2.i.i
  %base.2.1.3.i.i = phi i64 [ %.214.3.i.i, %B704.3.i.i ], [ %.176.3.i.i, %B740.2.i.i ]
  %24 = add i64 %lsr.iv26.i.i, -8
  %.223.3.i.i = inttoptr i64 %24 to ptr
  %.224.3.i.i = load i64, ptr %.223.3.i.i, align 8, !noalias !40
  %.230.3.i.i = inttoptr i64 %lsr.iv26.i.i to ptr
  %.231.3.i.i = load i64, ptr %.230.3.i.i, align 8, !noalias !40
  %.233.3.i.i = add nsw i64 %.231.3.i.i, %base.2.1.3.i.i
  %.236.3.i.i = inttoptr i64 %.224.3.i.i to ptr
  store i64 %.233.3.i.i, ptr %.236.3.i.i, align 8, !noalias !40
  %lsr.iv.next27.i.i = add i64 %lsr.iv26.i.i, 96
  %niter.ncmp.3.i.i = icmp eq i64 %unroll_iter.i.i, %.131.3.i.i
  br i1 %niter.ncmp.3.i.i, label %B928.loopexit6.unr-lcssa.i.i, label %B422.i.i

B928.loopexit.unr-lcssa.i.i:                      ; preds = %B422.us.i.i
  %lcmp.mod10.not.i.i = icmp eq i64 %xtraiter8.i.i, 0
  br i1 %lcmp.mod10.not.i.i, label %B376.endif.i, label %B422.us.epil.preheader.i.i

B422.us.epil.preheader.i.i:                       ; preds = %B928.loopexit.unr-lcssa.i.i, %B422.us.preheader.i.i
  %.1246870.us.epil.init.i.i = phi i64 [ 0, %B422.us.preheader.i.i ], [ %unroll_iter12.i.i, %B928.loopexit.unr-lcssa.i.i ]
  %25 = mul i64 %.1246870.us.epil.init.i.i, 24
  %26 = add nsw i64 %25, %.8.i.i
  br label %B422.us.epil.i.i

B422.us.epil.i.i:                                 ; preds = %B422.us.epil.i.i, %B422.us.epil.preheader.i.i
  %lsr.iv18.i.i = phi i64 [ %lsr.iv.next19.i.i, %B422.us.epil.i.i ], [ %xtraiter8.i.i, %B422.us.epil.preheader.i.i ]
  %lsr.iv.i.i = phi i64 [ %lsr.iv.next.i.i, %B422.us.epil.i.i ], [ %26, %B422.us.epil.preheader.i.i ]
  %.166.us.epil.i.i = inttoptr i64 %lsr.iv.i.i to ptr
  %.167.us.epil.i.i = load i64, ptr %.166.us.epil.i.i, align 8, !noalias !40
  %.173.us.epil.i.i = shl nsw i64 %.167.us.epil.i.i, 3
  %.174.us.epil.i.i = add nsw i64 %.173.us.epil.i.i, %.15.i.i
  %.175.us.epil.i.i = inttoptr i64 %.174.us.epil.i.i to ptr
  %.176.us.epil.i.i = load i64, ptr %.175.us.epil.i.i, align 8, !noalias !40
  %.210.us.epil.i.i = add nsw i64 %.176.us.epil.i.i, %.29.i.i
  %.213.us.epil.i.i = inttoptr i64 %.210.us.epil.i.i to ptr
  %.214.us.epil.i.i = load i64, ptr %.213.us.epil.i.i, align 8, !noalias !40
  %27 = add i64 %lsr.iv.i.i, 8
  %.223.us.epil.i.i = inttoptr i64 %27 to ptr
  %.224.us.epil.i.i = load i64, ptr %.223.us.epil.i.i, align 8, !noalias !40
  %28 = add i64 %lsr.iv.i.i, 16
  %.230.us.epil.i.i = inttoptr i64 %28 to ptr
  %.231.us.epil.i.i = load i64, ptr %.230.us.epil.i.i, align 8, !noalias !40
  %.233.us.epil.i.i = add nsw i64 %.231.us.epil.i.i, %.214.us.epil.i.i
  %.236.us.epil.i.i = inttoptr i64 %.224.us.epil.i.i to ptr
  store i64 %.233.us.epil.i.i, ptr %.236.us.epil.i.i, align 8, !noalias !40
  %lsr.iv.next.i.i = add i64 %lsr.iv.i.i, 24
  %lsr.iv.next19.i.i = add nsw i64 %lsr.iv18.i.i, -1
  %epil.iter9.cmp.not.i.i = icmp eq i64 %lsr.iv.next19.i.i, 0
  br i1 %epil.iter9.cmp.not.i.i, label %B376.endif.i, label %B422.us.epil.i.i, !llvm.loop !43

B928.loopexit6.unr-lcssa.i.i:                     ; preds = %B740.3.i.i
  %lcmp.mod.not.i.i = icmp eq i64 %xtraiter8.i.i, 0
  br i1 %lcmp.mod.not.i.i, label %B376.endif.i, label %B422.epil.preheader.i.i

B422.epil.preheader.i.i:                          ; preds = %B928.loopexit6.unr-lcssa.i.i, %B422.preheader.i.i
  %.1246870.epil.init.i.i = phi i64 [ 0, %B422.preheader.i.i ], [ %unroll_iter.i.i, %B928.loopexit6.unr-lcssa.i.i ]
  %29 = mul i64 %.1246870.epil.init.i.i, 24
  %30 = add nsw i64 %29, %.8.i.i
  br label %B422.epil.i.i

B422.epil.i.i:                                    ; preds = %B740.epil.i.i, %B422.epil.preheader.i.i
  %lsr.iv24.i.i = phi i64 [ %lsr.iv.next25.i.i, %B740.epil.i.i ], [ %xtraiter8.i.i, %B422.epil.preheader.i.i ]
  %lsr.iv22.i.i = phi i64 [ %lsr.iv.next23.i.i, %B740.epil.i.i ], [ %30, %B422.epil.preheader.i.i ]
  %.166.epil.i.i = inttoptr i64 %lsr.iv22.i.i to ptr
  %.167.epil.i.i = load i64, ptr %.166.epil.i.i, align 8, !noalias !40
  %.173.epil.i.i = shl nsw i64 %.167.epil.i.i, 3
  %.174.epil.i.i = add nsw i64 %.173.epil.i.i, %.15.i.i
  %.175.epil.i.i = inttoptr i64 %.174.epil.i.i to ptr
  %.176.epil.i.i = load i64, ptr %.175.epil.i.i, align 8, !noalias !40
  %.189.epil.i.i = add nsw i64 %.173.epil.i.i, %.22.i.i
  %.192.epil.i.i = inttoptr i64 %.189.epil.i.i to ptr
  %.193.epil.i.i = load i64, ptr %.192.epil.i.i, align 8, !noalias !40
  %.204.not.epil.i.i = icmp eq i64 %.193.epil.i.i, 0
  br i1 %.204.not.epil.i.i, label %B740.epil.i.i, label %B704.epil.i.i

B704.epil.i.i:                                    ; preds = %B422.epil.i.i
  %.210.epil.i.i = add nsw i64 %.176.epil.i.i, %.29.i.i
  %.213.epil.i.i = inttoptr i64 %.210.epil.i.i to ptr
  %.214.epil.i.i = load i64, ptr %.213.epil.i.i, align 8, !noalias !40
  br label %B740.epil.i.i

B740.epil.i.i:                                    ; preds = %B704.epil.i.i, %B422.epil.i.i
  %base.2.1.epil.i.i = phi i64 [ %.214.epil.i.i, %B704.epil.i.i ], [ %.176.epil.i.i, %B422.epil.i.i ]
  %31 = add i64 %lsr.iv22.i.i, 8
  %.223.epil.i.i = inttoptr i64 %31 to ptr
  %.224.epil.i.i = load i64, ptr %.223.epil.i.i, align 8, !noalias !40
  %32 = add i64 %lsr.iv22.i.i, 16
  %.230.epil.i.i = inttoptr i64 %32 to ptr
  %.231.epil.i.i = load i64, ptr %.230.epil.i.i, align 8, !noalias !40
  %.233.epil.i.i = add nsw i64 %.231.epil.i.i, %base.2.1.epil.i.i
  %.236.epil.i.i = inttoptr i64 %.224.epil.i.i to ptr
  store i64 %.233.epil.i.i, ptr %.236.epil.i.i, align 8, !noalias !40
  %lsr.iv.next23.i.i = add i64 %lsr.iv22.i.i, 24
  %lsr.iv.next25.i.i = add nsw i64 %lsr.iv24.i.i, -1
  %epil.iter.cmp.not.i.i = icmp eq i64 %lsr.iv.next25.i.i, 0
  br i1 %epil.iter.cmp.not.i.i, label %B376.endif.i, label %B422.epil.i.i, !llvm.loop !45

B408.i:                                           ; preds = %B408.i.backedge, %B376.endif.i
  %pc.2.0.i = phi i64 [ %.58.i, %B376.endif.i ], [ %pc.2.0.i.be, %B408.i.backedge ]
  %.172.i = shl nsw i64 %pc.2.0.i, 6
  %.173.i = add nsw i64 %.172.i, %.42.i
  %.178.i = inttoptr i64 %.173.i to ptr
  %.179.i = load i64, ptr %.178.i, align 8, !noalias !0
  %.185.i = add nsw i64 %.173.i, 8
  %.186.i = inttoptr i64 %.185.i to ptr
  %.187.i = load i64, ptr %.186.i, align 8, !noalias !0
  %.193.i = add nsw i64 %.173.i, 16
  %.194.i = inttoptr i64 %.193.i to ptr
  %.195.i = load i64, ptr %.194.i, align 8, !noalias !0
  %.201.i = add nsw i64 %.173.i, 24
  %.202.i = inttoptr i64 %.201.i to ptr
  %.203.i = load i64, ptr %.202.i, align 8, !noalias !0
  %.208.i = add nsw i64 %pc.2.0.i, 1
  %.213.i = icmp eq i64 %.179.i, 1
  br i1 %.213.i, label %B702.i, label %B1076.i

B702.i:                                           ; preds = %B408.i
  %.219.i = add nsw i64 %.173.i, 48
  %.220.i = inttoptr i64 %.219.i to ptr
  %.221.i = load i64, ptr %.220.i, align 8, !noalias !0
  %.226.i = icmp slt i64 %.221.i, 2
  br i1 %.226.i, label %B792.i, label %B982.i

B792.i:                                           ; preds = %B702.i
  %.238.i = add nsw i64 %.173.i, 32
  %.239.i = inttoptr i64 %.238.i to ptr
  %.240.i = load i64, ptr %.239.i, align 8, !noalias !0
  %.243.i = add nsw i64 %.173.i, 40
  %.246.i = inttoptr i64 %.243.i to ptr
  %.247.i = load i64, ptr %.246.i, align 8, !noalias !0
  %.251.i = inttoptr i64 %.187.i to ptr
  tail call void %.251.i(i64 %.195.i, i64 %.203.i, i64 %.240.i, i64 %.247.i), !noalias !0
  br label %B408.i.backedge

B982.i:                                           ; preds = %B702.i
  store i8 0, ptr %.270.i, align 1, !noalias !0
  call fastcc void @_ZN7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.270.i, i64 %.50.i, i64 %.173.i, i64 %.221.i)
  %.284.i = load i8, ptr %.270.i, align 1, !noalias !0
  %.287.not.i = icmp eq i8 %.284.i, 0
  br i1 %.287.not.i, label %common.ret.sink.split.i, label %B408.i.backedge

B1076.i:                                          ; preds = %B408.i
  %33 = and i64 %.179.i, -2
  %or.cond.i = icmp eq i64 %33, 2
  br i1 %or.cond.i, label %B1140.i, label %B1376.i

B1140.i:                                          ; preds = %B1076.i
  %.373.i = load i64, ptr %.372.i, align 8, !noalias !0
  %.374.i = icmp eq i64 %.373.i, 0
  br i1 %.374.i, label %common.ret.sink.split.i, label %B1282.i

B1282.i:                                          ; preds = %B1140.i
  store i8 0, ptr %.427.i, align 1, !noalias !0
  call fastcc void @_ZN7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.427.i, i64 %.50.i, i64 %.173.i, i64 %.195.i)
  %.441.i = load i8, ptr %.427.i, align 1, !noalias !0
  %.444.not.i = icmp eq i8 %.441.i, 0
  br i1 %.444.not.i, label %common.ret.sink.split.i, label %B408.i.backedge

B1376.i:                                          ; preds = %B1076.i
  switch i64 %.179.i, label %common.ret.sink.split.i [
    i64 4, label %B1408.i
    i64 5, label %B1478.i
    i64 6, label %B5270.i
    i64 7, label %B1588.i
    i64 8, label %B1666.i
    i64 9, label %B1770.i
    i64 10, label %B1838.i
    i64 11, label %B1938.i
    i64 12, label %B2066.i
    i64 13, label %B2192.i
    i64 17, label %B2482.i
    i64 18, label %B2718.i
    i64 19, label %B3464.i
    i64 20, label %B3794.i
    i64 21, label %B3972.i
    i64 23, label %B4208.i
    i64 22, label %B4500.i
    i64 14, label %B4648.i
    i64 15, label %common.ret.sink.split.i.loopexit
    i64 24, label %B4852.i
    i64 16, label %B5030.i
    i64 0, label %common.ret.sink.split.i.loopexit262
  ]

B1408.i:                                          ; preds = %B1376.i
  %.529.i = inttoptr i64 %.187.i to ptr
  %.530.i = inttoptr i64 %.195.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.529.i, ptr align 1 %.530.i, i64 %.203.i, i1 false), !noalias !0
  br label %B408.i.backedge

B1478.i:                                          ; preds = %B1376.i
  %.555.i = inttoptr i64 %.187.i to ptr
  %.556.i = trunc i64 %.203.i to i8
  tail call void @llvm.memset.p0.i64(ptr align 1 %.555.i, i8 %.556.i, i64 %.195.i, i1 false), !noalias !0
  br label %B408.i.backedge

B1588.i:                                          ; preds = %B1376.i
  %.600.i = inttoptr i64 %.187.i to ptr
  %.601.i = load i8, ptr %.600.i, align 1, !noalias !0
  %.605.i = icmp eq i8 %.601.i, 0
  %spec.select.i = select i1 %.605.i, i64 %.195.i, i64 %.208.i
  br label %B5270.i

B1666.i:                                          ; preds = %B1376.i
  %.635.i = inttoptr i64 %.187.i to ptr
  %.636.i = load i64, ptr %.635.i, align 8, !noalias !0
  %.640.i = inttoptr i64 %.195.i to ptr
  %.641.i = load i64, ptr %.640.i, align 8, !noalias !0
  %.644.not.i = icmp slt i64 %.636.i, %.641.i
  %spec.select592.i = select i1 %.644.not.i, i64 %.208.i, i64 %.203.i
  br label %B5270.i

B1770.i:                                          ; preds = %B1376.i
  %.676.i = inttoptr i64 %.187.i to ptr
  store i64 %.195.i, ptr %.676.i, align 8, !noalias !0
  br label %B408.i.backedge

B1838.i:                                          ; preds = %B1376.i
  %.698.i = inttoptr i64 %.187.i to ptr
  %.699.i = load i64, ptr %.698.i, align 8, !noalias !0
  %.701.i = add nsw i64 %.699.i, %.195.i
  store i64 %.701.i, ptr %.698.i, align 8, !noalias !0
  br label %B408.i.backedge

B1938.i:                                          ; preds = %B1376.i
  %.16.i.i = add nsw i64 %.187.i, 16
  %.17.i.i = inttoptr i64 %.16.i.i to ptr
  %.18.i.i = load i64, ptr %.17.i.i, align 8, !noalias !46
  %.25.i.i = add nsw i64 %.18.i.i, %.203.i
  %.15.i.i.i = add nsw i64 %.187.i, 8
  %.16.i.i607.i = inttoptr i64 %.15.i.i.i to ptr
  %.17.i.i608.i = load i64, ptr %.16.i.i607.i, align 8, !noalias !49
  %.19.i.i.i = icmp sgt i64 %.25.i.i, %.17.i.i608.i
  br i1 %.19.i.i.i, label %B90.endif.i.i.i, label %B0.B126_crit_edge.i.i

B0.B126_crit_edge.i.i:                            ; preds = %B1938.i
  %.pre.i.i = inttoptr i64 %.187.i to ptr
  %.78.i.pre.i = load i64, ptr %.pre.i.i, align 8, !noalias !46
  br label %_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i

B402.i.i.i:                                       ; preds = %B90.endif.i.i.i
  %.81.i.i.i = ptrtoint ptr %.80.i.i.i to i64
  store i64 %.81.i.i.i, ptr %.75.i.i.i, align 8, !noalias !49
  %sunkaddr2.i.i.i = getelementptr i8, ptr %.75.i.i.i, i64 8
  store i64 %.16.i.i.i.i, ptr %sunkaddr2.i.i.i, align 8, !noalias !49
  br label %_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i

B90.endif.i.i.i:                                  ; preds = %B1938.i
  %.26.i.i.i = shl nsw i64 %.17.i.i608.i, 1
  %.14.i.i.i.i = tail call i64 @llvm.smax.i64(i64 %.25.i.i, i64 %.26.i.i.i)
  %.16.i.i.i.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i.i.i, i64 256)
  %.71.i.i.i = load i64, ptr %.70.i.i810.i, align 8, !noalias !49
  %.75.i.i.i = inttoptr i64 %.187.i to ptr
  %.76.i.i.i = load i64, ptr %.75.i.i.i, align 8, !noalias !49
  %.78.i.i.i = inttoptr i64 %.71.i.i.i to ptr
  %.79.i.i.i = inttoptr i64 %.76.i.i.i to ptr
  %.80.i.i.i = tail call ptr %.78.i.i.i(ptr %.79.i.i.i, i64 %.16.i.i.i.i), !noalias !49
  %.86.i.i.i = icmp eq ptr %.80.i.i.i, null
  br i1 %.86.i.i.i, label %common.ret.sink.split.i, label %B402.i.i.i

_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i: ; preds = %B402.i.i.i, %B0.B126_crit_edge.i.i
  %.78.i.i = phi i64 [ %.78.i.pre.i, %B0.B126_crit_edge.i.i ], [ %.81.i.i.i, %B402.i.i.i ]
  %sunkaddr4.pre-phi.i.i = phi ptr [ %.pre.i.i, %B0.B126_crit_edge.i.i ], [ %.75.i.i.i, %B402.i.i.i ]
  %.80.i.i = add nsw i64 %.78.i.i, %.18.i.i
  %.83.i.i = inttoptr i64 %.80.i.i to ptr
  %.84.i.i = inttoptr i64 %.195.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.83.i.i, ptr align 1 %.84.i.i, i64 %.203.i, i1 false), !noalias !46
  %sunkaddr3.i.i = getelementptr i8, ptr %sunkaddr4.pre-phi.i.i, i64 16
  store i64 %.25.i.i, ptr %sunkaddr3.i.i, align 8, !noalias !46
  br label %B408.i.backedge

B2066.i:                                          ; preds = %B1376.i
  %.15.i614.i = add nsw i64 %.187.i, 16
  %.16.i615.i = inttoptr i64 %.15.i614.i to ptr
  %.17.i616.i = load i64, ptr %.16.i615.i, align 8, !noalias !52
  %.19.i.i = sub nsw i64 %.17.i616.i, %.203.i
  %.24.i.i = icmp slt i64 %.19.i.i, 0
  br i1 %.24.i.i, label %common.ret.sink.split.i, label %_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i

_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i: ; preds = %B2066.i
  %.40.i.i = inttoptr i64 %.187.i to ptr
  %.41.i.i = load i64, ptr %.40.i.i, align 8, !noalias !52
  %.43.i.i = add nsw i64 %.41.i.i, %.19.i.i
  %.46.i.i = inttoptr i64 %.195.i to ptr
  %.47.i.i = inttoptr i64 %.43.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.46.i.i, ptr align 1 %.47.i.i, i64 %.203.i, i1 false), !noalias !52
  %sunkaddr1.i.i = getelementptr i8, ptr %.40.i.i, i64 16
  store i64 %.19.i.i, ptr %sunkaddr1.i.i, align 8, !noalias !52
  br label %B408.i.backedge

B2192.i:                                          ; preds = %B1376.i
  %.918.i = inttoptr i64 %.195.i to ptr
  %.919.i = load i64, ptr %.918.i, align 8, !noalias !0
  %.922.i = add nsw i64 %.173.i, 32
  %.923.i = inttoptr i64 %.922.i to ptr
  %.924.i = load i64, ptr %.923.i, align 8, !noalias !0
  %.927.i = add nsw i64 %.173.i, 40
  %.930.i = inttoptr i64 %.927.i to ptr
  %.931.i = load i64, ptr %.930.i, align 8, !noalias !0
  %.15.i.i622.i = add nsw i64 %.187.i, 16
  %.16.i.i623.i = inttoptr i64 %.15.i.i622.i to ptr
  %.17.i.i624.i = load i64, ptr %.16.i.i623.i, align 8, !noalias !55
  %.22.i.i.i = icmp slt i64 %.919.i, 0
  br i1 %.22.i.i.i, label %B94.i.i626.i, label %B16.i2.i.i.i

B94.i.i626.i:                                     ; preds = %B2192.i
  %.26.i.i627.i = sub i64 0, %.919.i
  %.11.i.i.i628.i = icmp slt i64 %.26.i.i627.i, 0
  br i1 %.11.i.i.i628.i, label %common.ret.sink.split.i, label %B16.i.i.i.i

B16.i.i.i.i:                                      ; preds = %B94.i.i626.i
  %.14.i.i.i629.i = icmp sgt i64 %.924.i, 0
  br i1 %.14.i.i.i629.i, label %B28.else.if.i.i.i.i, label %B94.endif.i.i.i

B28.else.if.i.i.i.i:                              ; preds = %B16.i.i.i.i
  %.359.i.i.i.i = udiv i64 281474976710656, %.924.i
  %.58.i.i.i.i = icmp samesign ult i64 %.359.i.i.i.i, %.26.i.i627.i
  br i1 %.58.i.i.i.i, label %common.ret.sink.split.i, label %B94.endif.i.i.i

B140.i.i.i:                                       ; preds = %B94.endif.i.i.i
  %.66.i.i630.i = sub nsw i64 %.17.i.i624.i, %.68.i.i.i.i
  br label %B188.i.i.i

B16.i2.i.i.i:                                     ; preds = %B2192.i
  %.14.i3.i.i.i = icmp sgt i64 %.924.i, 0
  br i1 %.14.i3.i.i.i, label %B28.else.if.i7.i.i.i, label %B50.i4.i.i.i

B50.i4.i.i.i:                                     ; preds = %B28.else.if.i7.i.i.i, %B16.i2.i.i.i
  %.68.i5.i.i.i = mul nsw i64 %.924.i, %.919.i
  br label %B188.i.i.i

B28.else.if.i7.i.i.i:                             ; preds = %B16.i2.i.i.i
  %.359.i8.i.i.i = udiv i64 281474976710656, %.924.i
  %.58.i9.i.i.i = icmp samesign ugt i64 %.919.i, %.359.i8.i.i.i
  br i1 %.58.i9.i.i.i, label %common.ret.sink.split.i, label %B50.i4.i.i.i

B188.i.i.i:                                       ; preds = %B50.i4.i.i.i, %B140.i.i.i
  %start.2.0.i.i.i = phi i64 [ %.66.i.i630.i, %B140.i.i.i ], [ %.68.i5.i.i.i, %B50.i4.i.i.i ]
  %.120.i.i.i = icmp slt i64 %start.2.0.i.i.i, 0
  %.124.i.i.i = add nsw i64 %start.2.0.i.i.i, %.931.i
  %.128.i.i.i = icmp sgt i64 %.124.i.i.i, %.17.i.i624.i
  %or.cond.i.i.i = select i1 %.120.i.i.i, i1 true, i1 %.128.i.i.i
  br i1 %or.cond.i.i.i, label %common.ret.sink.split.i, label %_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i

B94.endif.i.i.i:                                  ; preds = %B28.else.if.i.i.i.i, %B16.i.i.i.i
  %.68.i.i.i.i = mul nsw i64 %.924.i, %.26.i.i627.i
  %.62.i.i.i = icmp sgt i64 %.68.i.i.i.i, -1
  br i1 %.62.i.i.i, label %B140.i.i.i, label %common.ret.sink.split.i

_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i: ; preds = %B188.i.i.i
  %.66.i.i = inttoptr i64 %.187.i to ptr
  %.67.i.i = load i64, ptr %.66.i.i, align 8, !noalias !60
  %.69.i.i = add nsw i64 %.67.i.i, %start.2.0.i.i.i
  %.74.i.i = inttoptr i64 %.203.i to ptr
  %.75.i.i = inttoptr i64 %.69.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.74.i.i, ptr align 1 %.75.i.i, i64 %.931.i, i1 false), !noalias !60
  br label %B408.i.backedge

B2482.i:                                          ; preds = %B1376.i
  %.1035.i = inttoptr i64 %.195.i to ptr
  %.1036.i = load i64, ptr %.1035.i, align 8, !noalias !0
  %.1039.i = add nsw i64 %.173.i, 32
  %.1042.i = inttoptr i64 %.1039.i to ptr
  %.1043.i = load i64, ptr %.1042.i, align 8, !noalias !0
  %.15.i.i635.i = add nsw i64 %.187.i, 16
  %.16.i.i636.i = inttoptr i64 %.15.i.i635.i to ptr
  %.17.i.i637.i = load i64, ptr %.16.i.i636.i, align 8, !noalias !61
  %.22.i.i638.i = icmp slt i64 %.1036.i, 0
  br i1 %.22.i.i638.i, label %B94.i.i659.i, label %B16.i2.i.i639.i

B94.i.i659.i:                                     ; preds = %B2482.i
  %.26.i.i660.i = sub i64 0, %.1036.i
  %.11.i.i.i661.i = icmp slt i64 %.26.i.i660.i, 0
  br i1 %.11.i.i.i661.i, label %common.ret.sink.split.i, label %B16.i.i.i662.i

B16.i.i.i662.i:                                   ; preds = %B94.i.i659.i
  %.14.i.i.i663.i = icmp sgt i64 %.1043.i, 0
  br i1 %.14.i.i.i663.i, label %B28.else.if.i.i.i669.i, label %B94.endif.i.i664.i

B28.else.if.i.i.i669.i:                           ; preds = %B16.i.i.i662.i
  %.359.i.i.i670.i = udiv i64 281474976710656, %.1043.i
  %.58.i.i.i671.i = icmp samesign ult i64 %.359.i.i.i670.i, %.26.i.i660.i
  br i1 %.58.i.i.i671.i, label %common.ret.sink.split.i, label %B94.endif.i.i664.i

B140.i.i667.i:                                    ; preds = %B94.endif.i.i664.i
  %.66.i.i668.i = sub nsw i64 %.17.i.i637.i, %.68.i.i.i665.i
  br label %B188.i.i643.i

B16.i2.i.i639.i:                                  ; preds = %B2482.i
  %.14.i3.i.i640.i = icmp sgt i64 %.1043.i, 0
  br i1 %.14.i3.i.i640.i, label %B28.else.if.i7.i.i656.i, label %B50.i4.i.i641.i

B50.i4.i.i641.i:                                  ; preds = %B28.else.if.i7.i.i656.i, %B16.i2.i.i639.i
  %.68.i5.i.i642.i = mul nsw i64 %.1043.i, %.1036.i
  br label %B188.i.i643.i

B28.else.if.i7.i.i656.i:                          ; preds = %B16.i2.i.i639.i
  %.359.i8.i.i657.i = udiv i64 281474976710656, %.1043.i
  %.58.i9.i.i658.i = icmp samesign ugt i64 %.1036.i, %.359.i8.i.i657.i
  br i1 %.58.i9.i.i658.i, label %common.ret.sink.split.i, label %B50.i4.i.i641.i

B188.i.i643.i:                                    ; preds = %B50.i4.i.i641.i, %B140.i.i667.i
  %start.2.0.i.i644.i = phi i64 [ %.66.i.i668.i, %B140.i.i667.i ], [ %.68.i5.i.i642.i, %B50.i4.i.i641.i ]
  %.120.i.i645.i = icmp slt i64 %start.2.0.i.i644.i, 0
  %.124.i.i646.i = add nsw i64 %start.2.0.i.i644.i, %.1043.i
  %.128.i.i647.i = icmp sgt i64 %.124.i.i646.i, %.17.i.i637.i
  %or.cond.i.i648.i = select i1 %.120.i.i645.i, i1 true, i1 %.128.i.i647.i
  br i1 %or.cond.i.i648.i, label %common.ret.sink.split.i, label %_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i

B94.endif.i.i664.i:                               ; preds = %B28.else.if.i.i.i669.i, %B16.i.i.i662.i
  %.68.i.i.i665.i = mul nsw i64 %.1043.i, %.26.i.i660.i
  %.62.i.i666.i = icmp sgt i64 %.68.i.i.i665.i, -1
  br i1 %.62.i.i666.i, label %B140.i.i667.i, label %common.ret.sink.split.i

_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i: ; preds = %B188.i.i643.i
  %.66.i650.i = inttoptr i64 %.187.i to ptr
  %.67.i651.i = load i64, ptr %.66.i650.i, align 8, !noalias !66
  %.69.i652.i = add nsw i64 %.67.i651.i, %start.2.0.i.i644.i
  %.74.i653.i = inttoptr i64 %.69.i652.i to ptr
  %.75.i654.i = inttoptr i64 %.203.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.74.i653.i, ptr align 1 %.75.i654.i, i64 %.1043.i, i1 false), !noalias !66
  br label %B408.i.backedge

B2718.i:                                          ; preds = %B1376.i
  %.1149.not.i = icmp eq i64 %.203.i, 0
  br i1 %.1149.not.i, label %B2846.i, label %B2734.i

B2734.i:                                          ; preds = %B2718.i
  %.1153.i = inttoptr i64 %.203.i to ptr
  %.1154.i = load i64, ptr %.1153.i, align 8, !noalias !0
  %.1159.i = add nsw i64 %.173.i, 40
  %.1160.i = inttoptr i64 %.1159.i to ptr
  %.1161.i = load i64, ptr %.1160.i, align 8, !noalias !0
  %.11.i676.i = icmp slt i64 %.1154.i, 0
  br i1 %.11.i676.i, label %B2846.i, label %B16.i.i

B16.i.i:                                          ; preds = %B2734.i
  %.14.i677.i = icmp sgt i64 %.1161.i, 0
  br i1 %.14.i677.i, label %B28.else.if.i.i, label %B50.i.i

B50.i.i:                                          ; preds = %B28.else.if.i.i, %B16.i.i
  %.68.i.i = mul nsw i64 %.1161.i, %.1154.i
  br label %B2846.i

B28.else.if.i.i:                                  ; preds = %B16.i.i
  %.359.i.i = udiv i64 281474976710656, %.1161.i
  %.58.i.i = icmp samesign ugt i64 %.1154.i, %.359.i.i
  br i1 %.58.i.i, label %B2846.i, label %B50.i.i

B2846.i:                                          ; preds = %B28.else.if.i.i, %B50.i.i, %B2734.i, %B2718.i
  %start.2.2.i = phi i64 [ 0, %B2718.i ], [ %.68.i.i, %B50.i.i ], [ -1, %B28.else.if.i.i ], [ -1, %B2734.i ]
  %.1193.i = add nsw i64 %.195.i, 16
  %.1194.i = inttoptr i64 %.1193.i to ptr
  %.1195.i = load i64, ptr %.1194.i, align 8, !noalias !0
  %.1197.i = sub nsw i64 %.1195.i, %start.2.2.i
  %.1203.i = add nsw i64 %.173.i, 32
  %.1204.i = inttoptr i64 %.1203.i to ptr
  %.1205.i = load i64, ptr %.1204.i, align 8, !noalias !0
  %.1206.not.i = icmp eq i64 %.1205.i, 0
  br i1 %.1206.not.i, label %B3162.i, label %B2996.i

B2996.i:                                          ; preds = %B2846.i
  %.1214.i = inttoptr i64 %.1205.i to ptr
  %.1215.i = load i64, ptr %.1214.i, align 8, !noalias !0
  %.1218.i = add nsw i64 %.173.i, 40
  %.1221.i = inttoptr i64 %.1218.i to ptr
  %.1222.i = load i64, ptr %.1221.i, align 8, !noalias !0
  %.11.i679.i = icmp slt i64 %.1215.i, 0
  br i1 %.11.i679.i, label %common.ret.sink.split.i, label %B16.i680.i

B16.i680.i:                                       ; preds = %B2996.i
  %.14.i681.i = icmp sgt i64 %.1222.i, 0
  br i1 %.14.i681.i, label %B28.else.if.i685.i, label %B50.i682.i

B50.i682.i:                                       ; preds = %B28.else.if.i685.i, %B16.i680.i
  %.68.i683.i = mul nsw i64 %.1222.i, %.1215.i
  br label %B3162.i

B28.else.if.i685.i:                               ; preds = %B16.i680.i
  %.359.i686.i = udiv i64 281474976710656, %.1222.i
  %.58.i687.i = icmp samesign ugt i64 %.1215.i, %.359.i686.i
  br i1 %.58.i687.i, label %common.ret.sink.split.i, label %B50.i682.i

B3162.i:                                          ; preds = %B50.i682.i, %B2846.i
  %count.2.2.i = phi i64 [ %.1197.i, %B2846.i ], [ %.68.i683.i, %B50.i682.i ]
  %.1253.i = icmp slt i64 %start.2.2.i, 0
  %.1256.i = icmp slt i64 %count.2.2.i, 0
  %or.cond1.i = select i1 %.1253.i, i1 true, i1 %.1256.i
  %.1260.i = add nuw nsw i64 %count.2.2.i, %start.2.2.i
  %.1266.i = icmp sgt i64 %.1260.i, %.1195.i
  %or.cond924.i = select i1 %or.cond1.i, i1 true, i1 %.1266.i
  br i1 %or.cond924.i, label %common.ret.sink.split.i, label %B3334.i

B3334.i:                                          ; preds = %B3162.i
  %.19.i693.i = add nsw i64 %.187.i, 16
  %.20.i694.i = inttoptr i64 %.19.i693.i to ptr
  %.21.i695.i = load i64, ptr %.20.i694.i, align 8, !noalias !67
  %.28.i696.i = add nsw i64 %.21.i695.i, %count.2.2.i
  %.15.i.i697.i = add nsw i64 %.187.i, 8
  %.16.i.i698.i = inttoptr i64 %.15.i.i697.i to ptr
  %.17.i.i699.i = load i64, ptr %.16.i.i698.i, align 8, !noalias !70
  %.19.i.i700.i = icmp sgt i64 %.28.i696.i, %.17.i.i699.i
  br i1 %.19.i.i700.i, label %B90.endif.i.i708.i, label %B0.B126_crit_edge.i701.i

B0.B126_crit_edge.i701.i:                         ; preds = %B3334.i
  %.pre.i702.i = inttoptr i64 %.187.i to ptr
  %.83.i705.pre.i = load i64, ptr %.pre.i702.i, align 8, !noalias !67
  br label %_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i

B402.i.i721.i:                                    ; preds = %B90.endif.i.i708.i
  %.81.i.i722.i = ptrtoint ptr %.80.i.i719.i to i64
  store i64 %.81.i.i722.i, ptr %.75.i.i715.i, align 8, !noalias !70
  %sunkaddr2.i.i723.i = getelementptr i8, ptr %.75.i.i715.i, i64 8
  store i64 %.16.i.i.i711.i, ptr %sunkaddr2.i.i723.i, align 8, !noalias !70
  br label %_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i

B90.endif.i.i708.i:                               ; preds = %B3334.i
  %.26.i.i709.i = shl nsw i64 %.17.i.i699.i, 1
  %.14.i.i.i710.i = tail call i64 @llvm.smax.i64(i64 %.28.i696.i, i64 %.26.i.i709.i)
  %.16.i.i.i711.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i.i710.i, i64 256)
  %.71.i.i714.i = load i64, ptr %.70.i.i810.i, align 8, !noalias !70
  %.75.i.i715.i = inttoptr i64 %.187.i to ptr
  %.76.i.i716.i = load i64, ptr %.75.i.i715.i, align 8, !noalias !70
  %.78.i.i717.i = inttoptr i64 %.71.i.i714.i to ptr
  %.79.i.i718.i = inttoptr i64 %.76.i.i716.i to ptr
  %.80.i.i719.i = tail call ptr %.78.i.i717.i(ptr %.79.i.i718.i, i64 %.16.i.i.i711.i), !noalias !70
  %.86.i.i720.i = icmp eq ptr %.80.i.i719.i, null
  br i1 %.86.i.i720.i, label %common.ret.sink.split.i, label %B402.i.i721.i

_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i: ; preds = %B402.i.i721.i, %B0.B126_crit_edge.i701.i
  %.83.i705.i = phi i64 [ %.83.i705.pre.i, %B0.B126_crit_edge.i701.i ], [ %.81.i.i722.i, %B402.i.i721.i ]
  %sunkaddr4.pre-phi.i704.i = phi ptr [ %.pre.i702.i, %B0.B126_crit_edge.i701.i ], [ %.75.i.i715.i, %B402.i.i721.i ]
  %.85.i.i = add nsw i64 %.83.i705.i, %.21.i695.i
  %.91.i.i = inttoptr i64 %.195.i to ptr
  %.92.i.i = load i64, ptr %.91.i.i, align 8, !noalias !67
  %.94.i.i = add nsw i64 %.92.i.i, %start.2.2.i
  %.98.i.i = inttoptr i64 %.85.i.i to ptr
  %.99.i.i = inttoptr i64 %.94.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.98.i.i, ptr align 1 %.99.i.i, i64 range(i64 0, -9223372036854775808) %count.2.2.i, i1 false), !noalias !67
  %sunkaddr3.i706.i = getelementptr i8, ptr %sunkaddr4.pre-phi.i704.i, i64 16
  store i64 %.28.i696.i, ptr %sunkaddr3.i706.i, align 8, !noalias !67
  br label %B408.i.backedge

B3464.i:                                          ; preds = %B1376.i
  %.1422.i = inttoptr i64 %.195.i to ptr
  %.1423.i = load i64, ptr %.1422.i, align 8, !noalias !0
  %.1424.i = icmp slt i64 %.1423.i, 0
  br i1 %.1424.i, label %common.ret.sink.split.i, label %B3584.i

B3584.i:                                          ; preds = %B3464.i
  %.1483.i = add nsw i64 %.173.i, 32
  %.1486.i = inttoptr i64 %.1483.i to ptr
  %.1487.i = load i64, ptr %.1486.i, align 8, !noalias !0
  %.21.i732.i = add nsw i64 %.187.i, 16
  %.22.i733.i = inttoptr i64 %.21.i732.i to ptr
  %.23.i.i = load i64, ptr %.22.i733.i, align 8, !noalias !73
  %.14.i.i.i = icmp sgt i64 %.1487.i, 0
  br i1 %.14.i.i.i, label %B28.else.if.i.i.i, label %B0.endif.i.i

B28.else.if.i.i.i:                                ; preds = %B3584.i
  %.359.i.i.i = udiv i64 281474976710656, %.1487.i
  %.58.i.i.i = icmp samesign ugt i64 %.1423.i, %.359.i.i.i
  br i1 %.58.i.i.i, label %common.ret.sink.split.i, label %B0.endif.i.i

B126.i734.i:                                      ; preds = %B0.endif.i.i
  %.65.i.i = add nsw i64 %.23.i.i, %.68.i.i.i
  %.15.i.i735.i = add nsw i64 %.187.i, 8
  %.16.i.i736.i = inttoptr i64 %.15.i.i735.i to ptr
  %.17.i.i737.i = load i64, ptr %.16.i.i736.i, align 8, !noalias !76
  %.19.i.i738.i = icmp sgt i64 %.65.i.i, %.17.i.i737.i
  br i1 %.19.i.i738.i, label %B90.endif.i.i747.i, label %B126.B170.endif_crit_edge.i.i

B126.B170.endif_crit_edge.i.i:                    ; preds = %B126.i734.i
  %.pre.i739.i = inttoptr i64 %.187.i to ptr
  %.125.pre.i.i = load i64, ptr %.pre.i739.i, align 8, !noalias !73
  br label %B170.endif.i.i

B402.i.i760.i:                                    ; preds = %B90.endif.i.i747.i
  %.81.i.i761.i = ptrtoint ptr %.80.i.i758.i to i64
  store i64 %.81.i.i761.i, ptr %.75.i.i754.i, align 8, !noalias !76
  %sunkaddr2.i.i762.i = getelementptr i8, ptr %.75.i.i754.i, i64 8
  store i64 %.16.i.i.i750.i, ptr %sunkaddr2.i.i762.i, align 8, !noalias !76
  br label %B170.endif.i.i

B90.endif.i.i747.i:                               ; preds = %B126.i734.i
  %.26.i.i748.i = shl nsw i64 %.17.i.i737.i, 1
  %.14.i.i.i749.i = tail call i64 @llvm.smax.i64(i64 %.65.i.i, i64 %.26.i.i748.i)
  %.16.i.i.i750.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i.i749.i, i64 256)
  %.71.i.i753.i = load i64, ptr %.70.i.i810.i, align 8, !noalias !76
  %.75.i.i754.i = inttoptr i64 %.187.i to ptr
  %.76.i.i755.i = load i64, ptr %.75.i.i754.i, align 8, !noalias !76
  %.78.i.i756.i = inttoptr i64 %.71.i.i753.i to ptr
  %.79.i.i757.i = inttoptr i64 %.76.i.i755.i to ptr
  %.80.i.i758.i = tail call ptr %.78.i.i756.i(ptr %.79.i.i757.i, i64 %.16.i.i.i750.i), !noalias !76
  %.86.i.i759.i = icmp eq ptr %.80.i.i758.i, null
  br i1 %.86.i.i759.i, label %common.ret.sink.split.i, label %B402.i.i760.i

B286.i.i:                                         ; preds = %B286.lr.ph.new.i.i, %B286.i.i
  %lsr.iv9.i.i = phi i64 [ %lsr.iv.next10.i.i, %B286.i.i ], [ %44, %B286.lr.ph.new.i.i ]
  %.2197274.i.i = phi i64 [ %.226.7.i.i, %B286.i.i ], [ 0, %B286.lr.ph.new.i.i ]
  %.257.i.i = inttoptr i64 %lsr.iv9.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %34 = add i64 %lsr.iv9.i.i, %.1487.i
  %.257.1.i.i = inttoptr i64 %34 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.1.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %35 = add i64 %34, %.1487.i
  %.257.2.i.i = inttoptr i64 %35 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.2.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %36 = add i64 %35, %.1487.i
  %.257.3.i.i = inttoptr i64 %36 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.3.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %37 = add i64 %36, %.1487.i
  %.257.4.i.i = inttoptr i64 %37 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.4.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %38 = add i64 %37, %.1487.i
  %.257.5.i.i = inttoptr i64 %38 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.5.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %39 = add i64 %38, %.1487.i
  %.257.6.i.i = inttoptr i64 %39 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.6.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %.226.7.i.i = add nuw nsw i64 %.2197274.i.i, 8
  %40 = add i64 %39, %.1487.i
  %.257.7.i.i = inttoptr i64 %40 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.7.i.i, ptr align 1 %46, i64 %.1487.i, i1 false), !noalias !73
  %lsr.iv.next10.i.i = add i64 %lsr.iv9.i.i, %45
  %niter.ncmp.7.i.i = icmp eq i64 %unroll_iter.i740.i, %.226.7.i.i
  br i1 %niter.ncmp.7.i.i, label %B336.loopexit.unr-lcssa.i.i, label %B286.i.i

B336.loopexit.unr-lcssa.i.i:                      ; preds = %B286.i.i
  %lcmp.mod.not.i741.i = icmp eq i64 %xtraiter.i.i, 0
  br i1 %lcmp.mod.not.i741.i, label %_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, label %B286.epil.preheader.i.i

B286.epil.preheader.i.i:                          ; preds = %B286.lr.ph.B286.epil.preheader_crit_edge.i.i, %B336.loopexit.unr-lcssa.i.i
  %.pre-phi4.i.i = phi ptr [ %.pre3.i.i, %B286.lr.ph.B286.epil.preheader_crit_edge.i.i ], [ %46, %B336.loopexit.unr-lcssa.i.i ]
  %.pre-phi.i.i = phi i64 [ %.pre2.i.i, %B286.lr.ph.B286.epil.preheader_crit_edge.i.i ], [ %44, %B336.loopexit.unr-lcssa.i.i ]
  %.2197274.epil.init.i.i = phi i64 [ 0, %B286.lr.ph.B286.epil.preheader_crit_edge.i.i ], [ %unroll_iter.i740.i, %B336.loopexit.unr-lcssa.i.i ]
  %41 = mul i64 %.2197274.epil.init.i.i, %.1487.i
  %42 = add i64 %41, %.pre-phi.i.i
  br label %B286.epil.i.i

B286.epil.i.i:                                    ; preds = %B286.epil.i.i, %B286.epil.preheader.i.i
  %lsr.iv7.i.i = phi i64 [ %lsr.iv.next8.i.i, %B286.epil.i.i ], [ %xtraiter.i.i, %B286.epil.preheader.i.i ]
  %lsr.iv.i742.i = phi i64 [ %lsr.iv.next.i743.i, %B286.epil.i.i ], [ %42, %B286.epil.preheader.i.i ]
  %.257.epil.i.i = inttoptr i64 %lsr.iv.i742.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.epil.i.i, ptr align 1 %.pre-phi4.i.i, i64 %.1487.i, i1 false), !noalias !73
  %lsr.iv.next.i743.i = add i64 %lsr.iv.i742.i, %.1487.i
  %lsr.iv.next8.i.i = add nsw i64 %lsr.iv7.i.i, -1
  %epil.iter.cmp.not.i744.i = icmp eq i64 %lsr.iv.next8.i.i, 0
  br i1 %epil.iter.cmp.not.i744.i, label %_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, label %B286.epil.i.i, !llvm.loop !79

B0.endif.i.i:                                     ; preds = %B28.else.if.i.i.i, %B3584.i
  %.68.i.i.i = mul nsw i64 %.1487.i, %.1423.i
  %.60.i.i = icmp slt i64 %.68.i.i.i, 0
  br i1 %.60.i.i, label %common.ret.sink.split.i, label %B126.i734.i

B170.endif.i.i:                                   ; preds = %B402.i.i760.i, %B126.B170.endif_crit_edge.i.i
  %.125.i.i = phi i64 [ %.125.pre.i.i, %B126.B170.endif_crit_edge.i.i ], [ %.81.i.i761.i, %B402.i.i760.i ]
  %.21373.not.i.i = icmp eq i64 %.1423.i, 0
  br i1 %.21373.not.i.i, label %_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, label %B286.lr.ph.i.i

B286.lr.ph.i.i:                                   ; preds = %B170.endif.i.i
  %xtraiter.i.i = and i64 %.1423.i, 7
  %43 = icmp samesign ult i64 %.1423.i, 8
  br i1 %43, label %B286.lr.ph.B286.epil.preheader_crit_edge.i.i, label %B286.lr.ph.new.i.i

B286.lr.ph.B286.epil.preheader_crit_edge.i.i:     ; preds = %B286.lr.ph.i.i
  %.pre2.i.i = add i64 %.125.i.i, %.23.i.i
  %.pre3.i.i = inttoptr i64 %.203.i to ptr
  br label %B286.epil.preheader.i.i

B286.lr.ph.new.i.i:                               ; preds = %B286.lr.ph.i.i
  %unroll_iter.i740.i = and i64 %.1423.i, 9223372036854775800
  %44 = add i64 %.125.i.i, %.23.i.i
  %45 = shl i64 %.1487.i, 3
  %46 = inttoptr i64 %.203.i to ptr
  br label %B286.i.i

_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i: ; preds = %B286.epil.i.i, %B170.endif.i.i, %B336.loopexit.unr-lcssa.i.i
  %sunkaddr.i745.i = inttoptr i64 %.187.i to ptr
  %sunkaddr11.i.i = getelementptr i8, ptr %sunkaddr.i745.i, i64 16
  store i64 %.65.i.i, ptr %sunkaddr11.i.i, align 8, !noalias !73
  br label %B408.i.backedge

B3794.i:                                          ; preds = %B1376.i
  %.1592.i = inttoptr i64 %.195.i to ptr
  %.1593.i = load i64, ptr %.1592.i, align 8, !noalias !0
  %.11.i.i.i = icmp slt i64 %.1593.i, 0
  br i1 %.11.i.i.i, label %common.ret.sink.split.i, label %B16.i.i.i

B16.i.i.i:                                        ; preds = %B3794.i
  %.14.i.i767.i = icmp sgt i64 %.203.i, 0
  br i1 %.14.i.i767.i, label %B28.else.if.i.i775.i, label %B0.endif.i768.i

B28.else.if.i.i775.i:                             ; preds = %B16.i.i.i
  %.359.i.i776.i = udiv i64 281474976710656, %.203.i
  %.58.i.i777.i = icmp samesign ugt i64 %.1593.i, %.359.i.i776.i
  br i1 %.58.i.i777.i, label %common.ret.sink.split.i, label %B0.endif.i768.i

B48.i.i:                                          ; preds = %B0.endif.i768.i
  %.44.i.i = add nsw i64 %.187.i, 16
  %.45.i.i = inttoptr i64 %.44.i.i to ptr
  %.46.i771.i = load i64, ptr %.45.i.i, align 8, !noalias !80
  %.48.i.i = icmp sgt i64 %.68.i.i769.i, %.46.i771.i
  br i1 %.48.i.i, label %common.ret.sink.split.i, label %_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i

B0.endif.i768.i:                                  ; preds = %B28.else.if.i.i775.i, %B16.i.i.i
  %.68.i.i769.i = mul nsw i64 %.1593.i, %.203.i
  %.40.i770.i = icmp slt i64 %.68.i.i769.i, 0
  br i1 %.40.i770.i, label %common.ret.sink.split.i, label %B48.i.i

_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i: ; preds = %B48.i.i
  %sunkaddr.i772.i = inttoptr i64 %.187.i to ptr
  %sunkaddr3.i773.i = getelementptr i8, ptr %sunkaddr.i772.i, i64 16
  store i64 %.68.i.i769.i, ptr %sunkaddr3.i773.i, align 8, !noalias !80
  br label %B408.i.backedge

B3972.i:                                          ; preds = %B1376.i
  %.1698.i = inttoptr i64 %.195.i to ptr
  %.1699.i = load i64, ptr %.1698.i, align 8, !noalias !0
  %.1701.i = mul nsw i64 %.1699.i, %.203.i
  %.1706.i = add nsw i64 %.187.i, 16
  %.1709.i = inttoptr i64 %.1706.i to ptr
  %.1710.i = load i64, ptr %.1709.i, align 8, !noalias !0
  %.1711.not.i = icmp eq i64 %.1701.i, %.1710.i
  br i1 %.1711.not.i, label %B408.i.backedge, label %common.ret.sink.split.i

B4208.i:                                          ; preds = %B1376.i
  %.1776.i = inttoptr i64 %.203.i to ptr
  %.1777.i = load i64, ptr %.1776.i, align 8, !noalias !0
  %.1782.i = add nsw i64 %.173.i, 32
  %.1783.i = inttoptr i64 %.1782.i to ptr
  %.1784.i = load i64, ptr %.1783.i, align 8, !noalias !0
  %.1785.i = inttoptr i64 %.1784.i to ptr
  %.1786.i = load i64, ptr %.1785.i, align 8, !noalias !0
  %.1789.i = add nsw i64 %.173.i, 40
  %.1792.i = inttoptr i64 %.1789.i to ptr
  %.1793.i = load i64, ptr %.1792.i, align 8, !noalias !0
  %.18.i786.i = add nsw i64 %.195.i, 16
  %.19.i787.i = inttoptr i64 %.18.i786.i to ptr
  %.20.i788.i = load i64, ptr %.19.i787.i, align 8, !noalias !83
  %.24.i789.i = icmp eq i64 %.1793.i, 0
  br i1 %.24.i789.i, label %B0.endif.i792.i, label %B0.else.i.i, !prof !86

B0.else.i.i:                                      ; preds = %B4208.i
  %.35.i790.i = icmp ne i64 %.20.i788.i, -9223372036854775808
  %.36.i791.i = icmp ne i64 %.1793.i, -1
  %.37.not.i.i = or i1 %.36.i791.i, %.35.i790.i
  br i1 %.37.not.i.i, label %B0.else.if.i.i, label %B0.endif.i792.i, !prof !87

B0.endif.i792.i:                                  ; preds = %59, %B0.else.i.i, %B4208.i
  %quot.0.i.i = phi i64 [ 0, %B4208.i ], [ 0, %B0.else.i.i ], [ %spec.select.i.i, %59 ]
  %arg.index.off.i.i.i = add i64 %.1777.i, -9223372036854775807
  %switch.i.i.i = icmp ult i64 %arg.index.off.i.i.i, 2
  br i1 %switch.i.i.i, label %B0.endif.endif.i.i, label %B32.i.i.i

B32.i.i.i:                                        ; preds = %B0.endif.i792.i
  %.31.i.i793.i = icmp slt i64 %.1777.i, 0
  br i1 %.31.i.i793.i, label %B44.endif.i.i.i, label %B82.endif.i.i.i

B44.endif.i.i.i:                                  ; preds = %B32.i.i.i
  %.35.i.i.i = add nsw i64 %quot.0.i.i, %.1777.i
  %.11.i.i.i820.i = tail call i64 @llvm.smax.i64(i64 %.35.i.i.i, i64 0)
  br label %B0.endif.endif.i.i

B82.endif.i.i.i:                                  ; preds = %B32.i.i.i
  %.11.i1.i.i.i = tail call i64 @llvm.smin.i64(i64 %quot.0.i.i, i64 %.1777.i)
  br label %B0.endif.endif.i.i

B0.else.if.i.i:                                   ; preds = %B0.else.i.i
  %47 = or i64 %.20.i788.i, %.1793.i
  %48 = icmp ult i64 %47, 4294967296
  br i1 %48, label %49, label %56

49:                                               ; preds = %B0.else.if.i.i
  %50 = trunc nuw i64 %.1793.i to i32
  %51 = trunc nuw i64 %.20.i788.i to i32
  %52 = udiv i32 %51, %50
  %53 = urem i32 %51, %50
  %54 = zext i32 %52 to i64
  %55 = zext i32 %53 to i64
  br label %59

56:                                               ; preds = %B0.else.if.i.i
  %57 = sdiv i64 %.20.i788.i, %.1793.i
  %58 = srem i64 %.20.i788.i, %.1793.i
  br label %59

59:                                               ; preds = %56, %49
  %60 = phi i64 [ %54, %49 ], [ %57, %56 ]
  %61 = phi i64 [ %55, %49 ], [ %58, %56 ]
  %.42.i.i = xor i64 %61, %.1793.i
  %.43.i821.i = icmp slt i64 %.42.i.i, 0
  %.44.i822.i = icmp ne i64 %61, 0
  %.45.i823.i = and i1 %.44.i822.i, %.43.i821.i
  %.50.i.i = sext i1 %.45.i823.i to i64
  %spec.select.i.i = add i64 %60, %.50.i.i
  br label %B0.endif.i792.i

B0.endif.endif.i.i:                               ; preds = %B82.endif.i.i.i, %B44.endif.i.i.i, %B0.endif.i792.i
  %.11.i1.sink.i.i.i = phi i64 [ %.11.i1.i.i.i, %B82.endif.i.i.i ], [ %.11.i.i.i820.i, %B44.endif.i.i.i ], [ 0, %B0.endif.i792.i ]
  %arg.index.off.i1.i.i = add i64 %.1786.i, -9223372036854775807
  %switch.i2.i.i = icmp ult i64 %arg.index.off.i1.i.i, 2
  br i1 %switch.i2.i.i, label %B0.endif.endif.endif.endif.i.i, label %B32.i3.i.i

B32.i3.i.i:                                       ; preds = %B0.endif.endif.i.i
  %.31.i4.i.i = icmp slt i64 %.1786.i, 0
  br i1 %.31.i4.i.i, label %B44.endif.i8.i.i, label %B82.endif.i5.i.i

B44.endif.i8.i.i:                                 ; preds = %B32.i3.i.i
  %.35.i9.i.i = add nsw i64 %quot.0.i.i, %.1786.i
  %.11.i.i10.i.i = tail call i64 @llvm.smax.i64(i64 %.35.i9.i.i, i64 0)
  br label %B0.endif.endif.endif.endif.i.i

B82.endif.i5.i.i:                                 ; preds = %B32.i3.i.i
  %.11.i1.i6.i.i = tail call i64 @llvm.smin.i64(i64 %quot.0.i.i, i64 %.1786.i)
  br label %B0.endif.endif.endif.endif.i.i

B0.endif.endif.endif.endif.i.i:                   ; preds = %B82.endif.i5.i.i, %B44.endif.i8.i.i, %B0.endif.endif.i.i
  %.11.i1.sink.i7.i.i = phi i64 [ %.11.i1.i6.i.i, %B82.endif.i5.i.i ], [ %.11.i.i10.i.i, %B44.endif.i8.i.i ], [ %quot.0.i.i, %B0.endif.endif.i.i ]
  %.118.i.i = sub nsw i64 %.11.i1.sink.i7.i.i, %.11.i1.sink.i.i.i
  %.11.i.i794.i = tail call i64 @llvm.smax.i64(i64 %.118.i.i, i64 0)
  %.148.i.i = mul nsw i64 %.11.i.i794.i, %.1793.i
  %.15.i.i795.i = add nsw i64 %.187.i, 8
  %.16.i.i796.i = inttoptr i64 %.15.i.i795.i to ptr
  %.17.i.i797.i = load i64, ptr %.16.i.i796.i, align 8, !noalias !88
  %.19.i.i798.i = icmp sgt i64 %.148.i.i, %.17.i.i797.i
  br i1 %.19.i.i798.i, label %B90.endif.i.i805.i, label %B0.endif.endif.endif.endif.B234_crit_edge.i.i

B0.endif.endif.endif.endif.B234_crit_edge.i.i:    ; preds = %B0.endif.endif.endif.endif.i.i
  %.pre.i799.i = inttoptr i64 %.187.i to ptr
  %.206.i.pre.i = load i64, ptr %.pre.i799.i, align 8, !noalias !83
  %62 = inttoptr i64 %.206.i.pre.i to ptr
  br label %_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx.exit.i

B402.i.i818.i:                                    ; preds = %B90.endif.i.i805.i
  %.81.i.i819.i = ptrtoint ptr %.80.i.i816.i to i64
  store i64 %.81.i.i819.i, ptr %.75.i.i812.i, align 8, !noalias !88
  %sunkaddr17.i.i = getelementptr i8, ptr %.75.i.i812.i, i64 8
  store i64 %.16.i.i.i808.i, ptr %sunkaddr17.i.i, align 8, !noalias !88
  br label %_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx.exit.i

B90.endif.i.i805.i:                               ; preds = %B0.endif.endif.endif.endif.i.i
  %.26.i.i806.i = shl nsw i64 %.17.i.i797.i, 1
  %.14.i.i.i807.i = tail call i64 @llvm.smax.i64(i64 %.148.i.i, i64 %.26.i.i806.i)
  %.16.i.i.i808.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i.i807.i, i64 256)
  %.71.i.i811.i = load i64, ptr %.70.i.i810.i, align 8, !noalias !88
  %.75.i.i812.i = inttoptr i64 %.187.i to ptr
  %.76.i.i813.i = load i64, ptr %.75.i.i812.i, align 8, !noalias !88
  %.78.i.i814.i = inttoptr i64 %.71.i.i811.i to ptr
  %.79.i.i815.i = inttoptr i64 %.76.i.i813.i to ptr
  %.80.i.i816.i = tail call ptr %.78.i.i814.i(ptr %.79.i.i815.i, i64 %.16.i.i.i808.i), !noalias !88
  %.86.i.i817.i = icmp eq ptr %.80.i.i816.i, null
  br i1 %.86.i.i817.i, label %common.ret.sink.split.i, label %B402.i.i818.i

_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx.exit.i: ; preds = %B402.i.i818.i, %B0.endif.endif.endif.endif.B234_crit_edge.i.i
  %.206.i.i = phi ptr [ %62, %B0.endif.endif.endif.endif.B234_crit_edge.i.i ], [ %.80.i.i816.i, %B402.i.i818.i ]
  %.212.i.i = inttoptr i64 %.195.i to ptr
  %.213.i800.i = load i64, ptr %.212.i.i, align 8, !noalias !83
  %.216.i.i = mul nsw i64 %.11.i1.sink.i.i.i, %.1793.i
  %.221.i.i = add nsw i64 %.213.i800.i, %.216.i.i
  %.224.i802.i = inttoptr i64 %.221.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.206.i.i, ptr align 1 %.224.i802.i, i64 %.148.i.i, i1 false), !noalias !83
  %.229.i.i = add nsw i64 %.187.i, 16
  %.233.i803.i = inttoptr i64 %.229.i.i to ptr
  store i64 %.148.i.i, ptr %.233.i803.i, align 8, !noalias !83
  br label %B408.i.backedge

B4500.i:                                          ; preds = %B1376.i
  %.1898.i = add nsw i64 %.187.i, 16
  %.1901.i = inttoptr i64 %.1898.i to ptr
  %.1902.i = load i64, ptr %.1901.i, align 8, !noalias !0
  %.1906.i = icmp eq i64 %.203.i, 0
  br i1 %.1906.i, label %B4500.endif.i, label %B4500.else.i, !prof !86

B4648.i:                                          ; preds = %B1376.i
  %.1970.i = add nsw i64 %.187.i, 16
  %.1973.i = inttoptr i64 %.1970.i to ptr
  store i64 0, ptr %.1973.i, align 8, !noalias !0
  br label %B408.i.backedge

B4852.i:                                          ; preds = %B1376.i
  %.11.i832.i = inttoptr i64 %.187.i to ptr
  %.12.i833.i = load i64, ptr %.11.i832.i, align 8, !noalias !91
  %.17.i834.i = icmp eq i64 %.12.i833.i, 0
  br i1 %.17.i834.i, label %B4886.i, label %B50.i835.i

common.ret.sink.split.i.i:                        ; preds = %B706.i.i, %B422.i, %B422.us.i, %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i, %B1080.endif.endif.i.i
  %.sink8.i.i = phi i64 [ 2, %B422.us.i ], [ 2, %B422.i ], [ 3, %B1080.endif.endif.i.i ], [ 3, %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i ], [ 1, %B706.i.i ]
  %.sink.i.lcssa.sink.i.i = phi i64 [ 0, %B422.us.i ], [ 0, %B422.i ], [ %error.3.1125.i.i, %B1080.endif.endif.i.i ], [ %.sink.i.i.i, %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i ], [ 0, %B706.i.i ]
  %.8.i13.i.i = add nsw i64 %.12.i833.i, 32
  %.9.i14.i.i = inttoptr i64 %.8.i13.i.i to ptr
  store i64 %.sink8.i.i, ptr %.9.i14.i.i, align 8, !noalias !91
  %.12.i15.i.i = add nsw i64 %.12.i833.i, 40
  %.13.i16.i.i = inttoptr i64 %.12.i15.i.i to ptr
  store i64 %.sink.i.lcssa.sink.i.i, ptr %.13.i16.i.i, align 8, !noalias !91
  br label %B4886.i

B50.i835.i:                                       ; preds = %B4852.i
  %.30.i.i = add nsw i64 %.12.i833.i, 24
  %.31.i.i = inttoptr i64 %.30.i.i to ptr
  %.32.i.i = load i64, ptr %.31.i.i, align 8, !noalias !91
  %.39.i.i = inttoptr i64 %.32.i.i to ptr
  %.40.i836.i = load i64, ptr %.39.i.i, align 8, !noalias !91
  %.41.i837.i = icmp eq i64 %.40.i836.i, 0
  br i1 %.41.i837.i, label %B4886.i, label %B214.i.i

B214.i.i:                                         ; preds = %B50.i835.i
  %.45.i838.i = add nsw i64 %.32.i.i, 8
  %.46.i839.i = inttoptr i64 %.45.i838.i to ptr
  %.47.i840.i = load i64, ptr %.46.i839.i, align 8, !noalias !91
  %.48.not.i.i = icmp eq i64 %.47.i840.i, 0
  br i1 %.48.not.i.i, label %B304.endif.i.i, label %B4886.i

B706.i.i:                                         ; preds = %B706.preheader.i.i, %B1030.i.i
  %lsr.iv31.i.i = phi i64 [ %172, %B706.preheader.i.i ], [ %lsr.iv.next32.i.i, %B1030.i.i ]
  %lsr.iv.next32.i.i = add i64 %lsr.iv31.i.i, -1
  %.154.i.i = icmp eq i64 %lsr.iv.next32.i.i, 0
  br i1 %.154.i.i, label %common.ret.sink.split.i.i, label %B772.i.i

B772.i.i:                                         ; preds = %B706.i.i
  %.213.i865.i = load i64, ptr %sunkaddr33.i.i, align 8, !noalias !91
  %.218.i.i = load i64, ptr %sunkaddr35.i.i, align 8, !noalias !91
  %.223.i866.i = inttoptr i64 %.218.i.i to ptr
  %.226.i.i = inttoptr i64 %.213.i865.i to ptr
  %.227.i.i = tail call i32 %.223.i866.i(ptr %.69.i.i.i, ptr nonnull %.127.i.i, ptr %.226.i.i), !noalias !91
  %.236.i867.i = icmp eq i32 %.227.i.i, 0
  br i1 %.236.i867.i, label %B1030.i.i, label %B1080.endif.endif.i.i

B1030.i.i:                                        ; preds = %B772.i.i
  %.250.i.i = load i64, ptr %.127.i.i, align 8, !noalias !91
  %.251.i.i = icmp eq i64 %.250.i.i, 0
  br i1 %.251.i.i, label %B706.i.i, label %B1134.i.i

B1134.i.i:                                        ; preds = %B1030.i.i
  %.8.i = load i64, ptr %.32.i.i854.i, align 8, !noalias !94
  %.12.i = load i64, ptr %.56.i.i859.i, align 8, !noalias !94
  %.22.i = load i64, ptr %.15.i.i845.i, align 8, !noalias !94
  %.24.i = add nsw i64 %.12.i833.i, 144
  %.25.i = inttoptr i64 %.24.i to ptr
  %.26.i = load i64, ptr %.25.i, align 8, !noalias !94
  %.34.i = add nsw i64 %.12.i833.i, 48
  %.35.i = inttoptr i64 %.34.i to ptr
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !94
  %.26.fr.i = freeze i64 %.26.i
  %.172.not.i = icmp eq i64 %.26.fr.i, 0
  br i1 %.172.not.i, label %B0.endif.split.us.i, label %B420.preheader.i

B420.preheader.i:                                 ; preds = %B1134.i.i
  %..36.i = tail call i64 @llvm.smax.i64(i64 %.36.i, i64 0)
  %63 = add nuw i64 %..36.i, 1
  br label %B420.i

B0.endif.split.us.i:                              ; preds = %B1134.i.i
  %.118.us69.not.i = icmp slt i64 %.36.i, 1
  br i1 %.118.us69.not.i, label %B1218.endif.i.i, label %B422.us.i

B420.us.i:                                        ; preds = %B422.us.i
  %lsr.iv.next.i = add nsw i64 %lsr.iv.i, -1
  %lsr.iv.next16.i = add i64 %lsr.iv15.i, %.22.i
  %exitcond79.not.i = icmp eq i64 %lsr.iv.next.i, 0
  br i1 %exitcond79.not.i, label %B1218.endif.i.i, label %B422.us.i

B422.us.i:                                        ; preds = %B0.endif.split.us.i, %B420.us.i
  %lsr.iv15.i = phi i64 [ %lsr.iv.next16.i, %B420.us.i ], [ %.12.i, %B0.endif.split.us.i ]
  %lsr.iv.i = phi i64 [ %lsr.iv.next.i, %B420.us.i ], [ %.36.i, %B0.endif.split.us.i ]
  %.160.us.i = inttoptr i64 %lsr.iv15.i to ptr
  %.161.us.i = load i64, ptr %.160.us.i, align 8, !noalias !94
  %.169.not.unshifted.us.i = xor i64 %.161.us.i, %.8.i
  %.169.not.us.i = icmp ult i64 %.169.not.unshifted.us.i, 2
  br i1 %.169.not.us.i, label %B420.us.i, label %common.ret.sink.split.i.i

B420.i:                                           ; preds = %B422.i, %B420.preheader.i
  %lsr.iv19.i = phi i64 [ %63, %B420.preheader.i ], [ %lsr.iv.next20.i, %B422.i ]
  %lsr.iv17.i = phi i64 [ %.12.i, %B420.preheader.i ], [ %lsr.iv.next18.i, %B422.i ]
  %lsr.iv.next20.i = add i64 %lsr.iv19.i, -1
  %exitcond.not.i = icmp eq i64 %lsr.iv.next20.i, 0
  br i1 %exitcond.not.i, label %B1218.endif.i.i, label %B422.i

B422.i:                                           ; preds = %B420.i
  %lsr.iv.next18.i = add i64 %lsr.iv17.i, %.22.i
  %.160.i = inttoptr i64 %lsr.iv17.i to ptr
  %.161.i = load i64, ptr %.160.i, align 8, !noalias !94
  %.176.not.i = icmp eq i64 %.161.i, %.8.i
  br i1 %.176.not.i, label %B420.i, label %common.ret.sink.split.i.i

B1322.i.i:                                        ; preds = %B1218.endif.i.i, %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i
  %lsr.iv29.i.i = phi i64 [ %lsr.iv.next30.i.i, %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i ], [ %173, %B1218.endif.i.i ]
  %lsr.iv.i869.i = phi i64 [ %lsr.iv.next.i870.i, %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i ], [ 0, %B1218.endif.i.i ]
  %lsr.iv.next.i870.i = add i64 %lsr.iv.i869.i, 64
  %lsr.iv.next30.i.i = add i64 %lsr.iv29.i.i, -1
  %exitcond.not.i.i = icmp eq i64 %lsr.iv.next30.i.i, 0
  br i1 %exitcond.not.i.i, label %B408.i.backedge, label %B1324.i.i

B1324.i.i:                                        ; preds = %B1322.i.i
  %.523.i.i = load i64, ptr %sunkaddr37.i.i, align 8, !noalias !91
  %64 = add i64 %.523.i.i, %lsr.iv.i869.i
  %.14.i3.i.i = load i64, ptr %.31.i.i, align 8, !noalias !97
  %.21.i.i.i = inttoptr i64 %64 to ptr
  %.22.i4.i.i = load i64, ptr %.21.i.i.i, align 8, !noalias !97
  %.8.i.i.i871.i = add i64 %64, 8
  %.9.i.i.i872.i = inttoptr i64 %.8.i.i.i871.i to ptr
  %.10.i.i.i873.i = load i64, ptr %.9.i.i.i872.i, align 8, !noalias !100
  %.11.i.i.i874.i = shl nsw i64 %.10.i.i.i873.i, 3
  %.12.i.i.i875.i = add nsw i64 %.11.i.i.i874.i, %.12.i833.i
  %.13.i.i.i.i = inttoptr i64 %.12.i.i.i875.i to ptr
  %.14.i.i.i876.i = load i64, ptr %.13.i.i.i.i, align 8, !noalias !100
  %.17.i.i.i877.i = add i64 %64, 16
  %.18.i.i.i.i = inttoptr i64 %.17.i.i.i877.i to ptr
  %.19.i.i.i.i = load i64, ptr %.18.i.i.i.i, align 8, !noalias !100
  %.20.i.i.i.i = add i64 %.19.i.i.i.i, %.14.i.i.i876.i
  %.8.i1.i.i.i = add i64 %64, 24
  %.9.i2.i.i.i = inttoptr i64 %.8.i1.i.i.i to ptr
  %.10.i3.i.i.i = load i64, ptr %.9.i2.i.i.i, align 8, !noalias !103
  %.11.i4.i.i.i = shl nsw i64 %.10.i3.i.i.i, 3
  %.12.i5.i.i.i = add nsw i64 %.11.i4.i.i.i, %.12.i833.i
  %.13.i6.i.i.i = inttoptr i64 %.12.i5.i.i.i to ptr
  %.14.i7.i.i.i = load i64, ptr %.13.i6.i.i.i, align 8, !noalias !103
  %.17.i8.i.i.i = add i64 %64, 32
  %.18.i9.i.i.i = inttoptr i64 %.17.i8.i.i.i to ptr
  %.19.i10.i.i.i = load i64, ptr %.18.i9.i.i.i, align 8, !noalias !103
  %.20.i11.i.i.i = add i64 %.19.i10.i.i.i, %.14.i7.i.i.i
  %.90.i.i.i = add nsw i64 %64, 40
  %.91.i.i.i = inttoptr i64 %.90.i.i.i to ptr
  %.92.i.i.i = load i64, ptr %.91.i.i.i, align 8, !noalias !97
  %.95.i.i.i = add nsw i64 %64, 48
  %.96.i.i.i = inttoptr i64 %.95.i.i.i to ptr
  %.97.i.i.i = load i64, ptr %.96.i.i.i, align 8, !noalias !97
  %.106.i.i.i = add nsw i64 %.14.i3.i.i, 16
  %.107.i.i.i = inttoptr i64 %.106.i.i.i to ptr
  %.108.i.i.i = load i64, ptr %.107.i.i.i, align 8, !noalias !97
  %.113.i.i.i = load i64, ptr %.112.i.i.i, align 8, !noalias !97
  switch i64 %.22.i4.i.i, label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i [
    i64 0, label %B612.i.i.i
    i64 1, label %B682.endif.i.i.i
    i64 2, label %B886.i.i.i
    i64 3, label %B960.i.i.i
    i64 4, label %B1110.i.i.i
    i64 5, label %B1260.i.i.i
  ]

B612.i.i.i:                                       ; preds = %B1324.i.i
  %.140.i.i.i = inttoptr i64 %.20.i11.i.i.i to ptr
  %.141.i.i878.i = inttoptr i64 %.20.i.i.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.140.i.i.i, ptr align 1 %.141.i.i878.i, i64 %.92.i.i.i, i1 false), !noalias !97
  br label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i

B788.i.i.i:                                       ; preds = %B788.preheader.new.new.i.i.i, %B788.i.i.i
  %lsr.iv20.i.i.i = phi i64 [ %lsr.iv.next21.i.i.i, %B788.i.i.i ], [ %unroll_iter8.i.i.i, %B788.preheader.new.new.i.i.i ]
  %lsr.iv19.i.i.i = phi i64 [ %128, %B788.i.i.i ], [ %.20.i.i.i.i, %B788.preheader.new.new.i.i.i ]
  %lsr.iv17.i.i.i = phi i64 [ %127, %B788.i.i.i ], [ %.20.i11.i.i.i, %B788.preheader.new.new.i.i.i ]
  %.297.i.i.i = inttoptr i64 %lsr.iv17.i.i.i to ptr
  %.298.i.i.i = inttoptr i64 %lsr.iv19.i.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.i.i.i, ptr align 1 %.298.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %65 = add i64 %lsr.iv17.i.i.i, %.92.i.i.i
  %.297.1.i.i.i = inttoptr i64 %65 to ptr
  %66 = add i64 %lsr.iv19.i.i.i, %.97.i.i.i
  %.298.1.i.i.i = inttoptr i64 %66 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.i.i.i, ptr align 1 %.298.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %67 = add i64 %65, %.92.i.i.i
  %.297.2.i.i.i = inttoptr i64 %67 to ptr
  %68 = add i64 %66, %.97.i.i.i
  %.298.2.i.i.i = inttoptr i64 %68 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.i.i.i, ptr align 1 %.298.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %69 = add i64 %67, %.92.i.i.i
  %.297.3.i.i.i = inttoptr i64 %69 to ptr
  %70 = add i64 %68, %.97.i.i.i
  %.298.3.i.i.i = inttoptr i64 %70 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.i.i.i, ptr align 1 %.298.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %71 = add i64 %69, %.92.i.i.i
  %.297.4.i.i.i = inttoptr i64 %71 to ptr
  %72 = add i64 %70, %.97.i.i.i
  %.298.4.i.i.i = inttoptr i64 %72 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.i.i.i, ptr align 1 %.298.4.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %73 = add i64 %71, %.92.i.i.i
  %.297.5.i.i.i = inttoptr i64 %73 to ptr
  %74 = add i64 %72, %.97.i.i.i
  %.298.5.i.i.i = inttoptr i64 %74 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.i.i.i, ptr align 1 %.298.5.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %75 = add i64 %73, %.92.i.i.i
  %.297.6.i.i.i = inttoptr i64 %75 to ptr
  %76 = add i64 %74, %.97.i.i.i
  %.298.6.i.i.i = inttoptr i64 %76 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.i.i.i, ptr align 1 %.298.6.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %77 = add i64 %75, %.92.i.i.i
  %.297.7.i.i.i = inttoptr i64 %77 to ptr
  %78 = add i64 %76, %.97.i.i.i
  %.298.7.i.i.i = inttoptr i64 %78 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.i.i.i, ptr align 1 %.298.7.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %79 = add i64 %77, %.92.i.i.i
  %.297.19.i.i.i = inttoptr i64 %79 to ptr
  %80 = add i64 %78, %.97.i.i.i
  %.298.110.i.i.i = inttoptr i64 %80 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.19.i.i.i, ptr align 1 %.298.110.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %81 = add i64 %79, %.92.i.i.i
  %.297.1.1.i.i.i = inttoptr i64 %81 to ptr
  %82 = add i64 %80, %.97.i.i.i
  %.298.1.1.i.i.i = inttoptr i64 %82 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.1.i.i.i, ptr align 1 %.298.1.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %83 = add i64 %81, %.92.i.i.i
  %.297.2.1.i.i.i = inttoptr i64 %83 to ptr
  %84 = add i64 %82, %.97.i.i.i
  %.298.2.1.i.i.i = inttoptr i64 %84 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.1.i.i.i, ptr align 1 %.298.2.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %85 = add i64 %83, %.92.i.i.i
  %.297.3.1.i.i.i = inttoptr i64 %85 to ptr
  %86 = add i64 %84, %.97.i.i.i
  %.298.3.1.i.i.i = inttoptr i64 %86 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.1.i.i.i, ptr align 1 %.298.3.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %87 = add i64 %85, %.92.i.i.i
  %.297.4.1.i.i.i = inttoptr i64 %87 to ptr
  %88 = add i64 %86, %.97.i.i.i
  %.298.4.1.i.i.i = inttoptr i64 %88 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.1.i.i.i, ptr align 1 %.298.4.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %89 = add i64 %87, %.92.i.i.i
  %.297.5.1.i.i.i = inttoptr i64 %89 to ptr
  %90 = add i64 %88, %.97.i.i.i
  %.298.5.1.i.i.i = inttoptr i64 %90 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.1.i.i.i, ptr align 1 %.298.5.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %91 = add i64 %89, %.92.i.i.i
  %.297.6.1.i.i.i = inttoptr i64 %91 to ptr
  %92 = add i64 %90, %.97.i.i.i
  %.298.6.1.i.i.i = inttoptr i64 %92 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.1.i.i.i, ptr align 1 %.298.6.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %93 = add i64 %91, %.92.i.i.i
  %.297.7.1.i.i.i = inttoptr i64 %93 to ptr
  %94 = add i64 %92, %.97.i.i.i
  %.298.7.1.i.i.i = inttoptr i64 %94 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.1.i.i.i, ptr align 1 %.298.7.1.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %95 = add i64 %93, %.92.i.i.i
  %.297.211.i.i.i = inttoptr i64 %95 to ptr
  %96 = add i64 %94, %.97.i.i.i
  %.298.212.i.i.i = inttoptr i64 %96 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.211.i.i.i, ptr align 1 %.298.212.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %97 = add i64 %95, %.92.i.i.i
  %.297.1.2.i.i.i = inttoptr i64 %97 to ptr
  %98 = add i64 %96, %.97.i.i.i
  %.298.1.2.i.i.i = inttoptr i64 %98 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.2.i.i.i, ptr align 1 %.298.1.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %99 = add i64 %97, %.92.i.i.i
  %.297.2.2.i.i.i = inttoptr i64 %99 to ptr
  %100 = add i64 %98, %.97.i.i.i
  %.298.2.2.i.i.i = inttoptr i64 %100 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.2.i.i.i, ptr align 1 %.298.2.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %101 = add i64 %99, %.92.i.i.i
  %.297.3.2.i.i.i = inttoptr i64 %101 to ptr
  %102 = add i64 %100, %.97.i.i.i
  %.298.3.2.i.i.i = inttoptr i64 %102 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.2.i.i.i, ptr align 1 %.298.3.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %103 = add i64 %101, %.92.i.i.i
  %.297.4.2.i.i.i = inttoptr i64 %103 to ptr
  %104 = add i64 %102, %.97.i.i.i
  %.298.4.2.i.i.i = inttoptr i64 %104 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.2.i.i.i, ptr align 1 %.298.4.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %105 = add i64 %103, %.92.i.i.i
  %.297.5.2.i.i.i = inttoptr i64 %105 to ptr
  %106 = add i64 %104, %.97.i.i.i
  %.298.5.2.i.i.i = inttoptr i64 %106 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.2.i.i.i, ptr align 1 %.298.5.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %107 = add i64 %105, %.92.i.i.i
  %.297.6.2.i.i.i = inttoptr i64 %107 to ptr
  %108 = add i64 %106, %.97.i.i.i
  %.298.6.2.i.i.i = inttoptr i64 %108 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.2.i.i.i, ptr align 1 %.298.6.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %109 = add i64 %107, %.92.i.i.i
  %.297.7.2.i.i.i = inttoptr i64 %109 to ptr
  %110 = add i64 %108, %.97.i.i.i
  %.298.7.2.i.i.i = inttoptr i64 %110 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.2.i.i.i, ptr align 1 %.298.7.2.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %111 = add i64 %109, %.92.i.i.i
  %.297.313.i.i.i = inttoptr i64 %111 to ptr
  %112 = add i64 %110, %.97.i.i.i
  %.298.314.i.i.i = inttoptr i64 %112 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.313.i.i.i, ptr align 1 %.298.314.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %113 = add i64 %111, %.92.i.i.i
  %.297.1.3.i.i.i = inttoptr i64 %113 to ptr
  %114 = add i64 %112, %.97.i.i.i
  %.298.1.3.i.i.i = inttoptr i64 %114 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.3.i.i.i, ptr align 1 %.298.1.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %115 = add i64 %113, %.92.i.i.i
  %.297.2.3.i.i.i = inttoptr i64 %115 to ptr
  %116 = add i64 %114, %.97.i.i.i
  %.298.2.3.i.i.i = inttoptr i64 %116 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.3.i.i.i, ptr align 1 %.298.2.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %117 = add i64 %115, %.92.i.i.i
  %.297.3.3.i.i.i = inttoptr i64 %117 to ptr
  %118 = add i64 %116, %.97.i.i.i
  %.298.3.3.i.i.i = inttoptr i64 %118 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.3.i.i.i, ptr align 1 %.298.3.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %119 = add i64 %117, %.92.i.i.i
  %.297.4.3.i.i.i = inttoptr i64 %119 to ptr
  %120 = add i64 %118, %.97.i.i.i
  %.298.4.3.i.i.i = inttoptr i64 %120 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.3.i.i.i, ptr align 1 %.298.4.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %121 = add i64 %119, %.92.i.i.i
  %.297.5.3.i.i.i = inttoptr i64 %121 to ptr
  %122 = add i64 %120, %.97.i.i.i
  %.298.5.3.i.i.i = inttoptr i64 %122 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.3.i.i.i, ptr align 1 %.298.5.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %123 = add i64 %121, %.92.i.i.i
  %.297.6.3.i.i.i = inttoptr i64 %123 to ptr
  %124 = add i64 %122, %.97.i.i.i
  %.298.6.3.i.i.i = inttoptr i64 %124 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.3.i.i.i, ptr align 1 %.298.6.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %125 = add i64 %123, %.92.i.i.i
  %.297.7.3.i.i.i = inttoptr i64 %125 to ptr
  %126 = add i64 %124, %.97.i.i.i
  %.298.7.3.i.i.i = inttoptr i64 %126 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.3.i.i.i, ptr align 1 %.298.7.3.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %lsr.iv.next21.i.i.i = add nsw i64 %lsr.iv20.i.i.i, -4
  %niter.ncmp.3.i.i.i = icmp eq i64 %lsr.iv.next21.i.i.i, 0
  %127 = add i64 %125, %.92.i.i.i
  %128 = add i64 %126, %.97.i.i.i
  br i1 %niter.ncmp.3.i.i.i, label %B1448.loopexit.unr-lcssa.unr-lcssa.i.i.i, label %B788.i.i.i

B886.i.i.i:                                       ; preds = %B1324.i.i
  %.23.i.i.i.i = load i64, ptr %.22.i.i.i.i, align 8, !noalias !106
  %.28.i.i.i.i = load i64, ptr %.35.i, align 8, !noalias !106
  %.53.i.i.i.i = icmp eq i64 %.23.i.i.i.i, 0
  br i1 %.53.i.i.i.i, label %B0.endif.i.i.i.i, label %B0.else.i.i.i.i, !prof !86

B644.endif.thread.i.i.i.i:                        ; preds = %B0.endif.i.i.i.i
  %.123.i.i.i.i = inttoptr i64 %.20.i11.i.i.i to ptr
  %.124.i.i.i.i = inttoptr i64 %.20.i.i.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.123.i.i.i.i, ptr align 1 %.124.i.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !106
  br label %B972.i.i.i.i

B678.i.i.i.i:                                     ; preds = %B678.lr.ph.i.i.i.i, %B678.i.i.i.i
  %lsr.iv1.i.i.i.i = phi i64 [ %.171.i.i.i.i, %B678.lr.ph.i.i.i.i ], [ %lsr.iv.next2.i.i.i.i, %B678.i.i.i.i ]
  %lsr.iv.i.i.i.i = phi i64 [ %144, %B678.lr.ph.i.i.i.i ], [ %lsr.iv.next.i.i.i.i, %B678.i.i.i.i ]
  store i64 %lsr.iv.i.i.i.i, ptr %sunkaddr2.i.i.i.i, align 8, !noalias !106
  %.267.i.i.i.i = load i64, ptr %sunkaddr6.i.i.i.i, align 8, !noalias !106
  %.272.i.i.i.i = load i64, ptr %sunkaddr8.i.i.i.i, align 8, !noalias !106
  %.276.i.i.i.i = inttoptr i64 %.267.i.i.i.i to ptr
  %.280.i.i.i.i = inttoptr i64 %.272.i.i.i.i to ptr
  tail call void %.276.i.i.i.i(ptr nonnull %174, ptr nonnull %176, ptr nonnull %175, ptr %.280.i.i.i.i), !noalias !106
  store i64 %.20.i11.i.i.i, ptr %sunkaddr21.i.i.i.i, align 8, !noalias !106
  %lsr.iv.next.i.i.i.i = add i64 %lsr.iv.i.i.i.i, %.97.i.i.i
  %lsr.iv.next2.i.i.i.i = add i64 %lsr.iv1.i.i.i.i, -1
  %exitcond.not.i.i.i.i = icmp eq i64 %lsr.iv.next2.i.i.i.i, 0
  br i1 %exitcond.not.i.i.i.i, label %B972.i.i.i.i, label %B678.i.i.i.i

B972.i.i.i.i:                                     ; preds = %B678.i.i.i.i, %B644.endif.i.i.i.i, %B644.endif.thread.i.i.i.i
  %.299.i.i.i.i = load i64, ptr %.298.i.i.i.i, align 8, !noalias !106
  %.300.not.i.i.i.i = icmp eq i64 %.299.i.i.i.i, 0
  br i1 %.300.not.i.i.i.i, label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i, label %B1058.i.i.i.i

B1058.i.i.i.i:                                    ; preds = %B972.i.i.i.i
  store i64 %.20.i11.i.i.i, ptr %sunkaddr21.i.i.i.i, align 8, !noalias !106
  %.315.i.i.i.i = load i64, ptr %.314.i.i.i.i, align 8, !noalias !106
  store i64 %.315.i.i.i.i, ptr %.316.i.i.i.i, align 8, !noalias !106
  store i64 0, ptr %sunkaddr18.i.i.i.i, align 8, !noalias !106
  %.327.i.i.i.i = load i64, ptr %sunkaddr22.i.i.i.i, align 8, !noalias !106
  %.334.i.i.i.i = load i64, ptr %.333.i.i.i.i, align 8, !noalias !106
  %.338.i.i.i.i = inttoptr i64 %.327.i.i.i.i to ptr
  %.342.i.i.i.i = inttoptr i64 %.334.i.i.i.i to ptr
  tail call void %.338.i.i.i.i(ptr nonnull %174, ptr nonnull %176, ptr nonnull %175, ptr %.342.i.i.i.i), !noalias !106
  br label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i

B0.else.i.i.i.i:                                  ; preds = %B886.i.i.i
  %.64.i.i.i.i = icmp ne i64 %.92.i.i.i, -9223372036854775808
  %.65.i.i.i.i = icmp ne i64 %.23.i.i.i.i, -1
  %.66.not.i.i.i.i = or i1 %.64.i.i.i.i, %.65.i.i.i.i
  br i1 %.66.not.i.i.i.i, label %B0.else.if.i.i.i.i, label %B0.endif.i.i.i.i, !prof !87

B0.endif.i.i.i.i:                                 ; preds = %141, %B0.else.i.i.i.i, %B886.i.i.i
  %quot.0.i.i.i.i = phi i64 [ 0, %B886.i.i.i ], [ 0, %B0.else.i.i.i.i ], [ %spec.select.i.i.i.i, %141 ]
  store i64 %quot.0.i.i.i.i, ptr %sunkaddr17.i.i.i.i, align 8, !noalias !106
  store i64 %.23.i.i.i.i, ptr %sunkaddr19.i.i.i.i, align 8, !noalias !106
  store i64 %.23.i.i.i.i, ptr %.100.i.i.i.i, align 8, !noalias !106
  store i64 %.23.i.i.i.i, ptr %.105.i.i.i.i, align 8, !noalias !106
  store i64 %.20.i11.i.i.i, ptr %.111.i.i.i.i, align 8, !noalias !106
  store i64 %.20.i.i.i.i, ptr %sunkaddr21.i.i.i.i, align 8, !noalias !106
  %.118.i.i.i.i = icmp eq i64 %.28.i.i.i.i, 1
  br i1 %.118.i.i.i.i, label %B644.endif.thread.i.i.i.i, label %B644.endif.i.i.i.i

B0.else.if.i.i.i.i:                               ; preds = %B0.else.i.i.i.i
  %129 = or i64 %.23.i.i.i.i, %.92.i.i.i
  %130 = icmp ult i64 %129, 4294967296
  br i1 %130, label %131, label %138

131:                                              ; preds = %B0.else.if.i.i.i.i
  %132 = trunc nuw i64 %.23.i.i.i.i to i32
  %133 = trunc nuw i64 %.92.i.i.i to i32
  %134 = udiv i32 %133, %132
  %135 = urem i32 %133, %132
  %136 = zext i32 %134 to i64
  %137 = zext i32 %135 to i64
  br label %141

138:                                              ; preds = %B0.else.if.i.i.i.i
  %139 = sdiv i64 %.92.i.i.i, %.23.i.i.i.i
  %140 = srem i64 %.92.i.i.i, %.23.i.i.i.i
  br label %141

141:                                              ; preds = %138, %131
  %142 = phi i64 [ %136, %131 ], [ %139, %138 ]
  %143 = phi i64 [ %137, %131 ], [ %140, %138 ]
  %.71.i.i.i.i = xor i64 %143, %.23.i.i.i.i
  %.72.i.i.i.i = icmp slt i64 %.71.i.i.i.i, 0
  %.73.i.i.i.i = icmp ne i64 %143, 0
  %.74.i.i.i.i = and i1 %.73.i.i.i.i, %.72.i.i.i.i
  %.79.i.i.i.i = sext i1 %.74.i.i.i.i to i64
  %spec.select.i.i.i.i = add i64 %142, %.79.i.i.i.i
  br label %B0.endif.i.i.i.i

B644.endif.i.i.i.i:                               ; preds = %B0.endif.i.i.i.i
  %.171.i.i.i.i = add i64 %.28.i.i.i.i, -1
  %.21690.not.i.i.i.i = icmp slt i64 %.171.i.i.i.i, 1
  br i1 %.21690.not.i.i.i.i, label %B972.i.i.i.i, label %B678.lr.ph.i.i.i.i

B678.lr.ph.i.i.i.i:                               ; preds = %B644.endif.i.i.i.i
  %144 = add i64 %.97.i.i.i, %.20.i.i.i.i
  br label %B678.i.i.i.i

B960.i.i.i:                                       ; preds = %B1324.i.i
  %.382.i.i.i = add nsw i64 %.14.i3.i.i, 48
  %.385.i.i.i = inttoptr i64 %.382.i.i.i to ptr
  %.386.i.i.i = load i64, ptr %.385.i.i.i, align 8, !noalias !97
  %.394.i.i.i = inttoptr i64 %.386.i.i.i to ptr
  %.395.i.i.i = inttoptr i64 %.20.i.i.i.i to ptr
  %.396.i.i.i = trunc i64 %.92.i.i.i to i32
  %.397.i.i.i = inttoptr i64 %.20.i11.i.i.i to ptr
  %.399.i.i.i = tail call i32 %.394.i.i.i(ptr %.395.i.i.i, i32 %.396.i.i.i, i64 %.108.i.i.i, ptr %.397.i.i.i, i32 %.396.i.i.i, i64 %.108.i.i.i, i64 %.113.i.i.i), !noalias !97
  %.400.i.i.i = sext i32 %.399.i.i.i to i64
  br label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i

B1110.i.i.i:                                      ; preds = %B1324.i.i
  %.422.i.i.i = add nsw i64 %.14.i3.i.i, 56
  %.425.i.i.i = inttoptr i64 %.422.i.i.i to ptr
  %.426.i.i.i = load i64, ptr %.425.i.i.i, align 8, !noalias !97
  %.434.i.i.i = inttoptr i64 %.426.i.i.i to ptr
  %.435.i.i.i = inttoptr i64 %.20.i.i.i.i to ptr
  %.436.i.i.i = trunc i64 %.92.i.i.i to i32
  %.437.i.i.i = inttoptr i64 %.20.i11.i.i.i to ptr
  %.439.i.i.i = tail call i32 %.434.i.i.i(ptr %.435.i.i.i, i32 %.436.i.i.i, i64 %.108.i.i.i, ptr %.437.i.i.i, i32 %.436.i.i.i, i64 %.108.i.i.i, i64 %.113.i.i.i), !noalias !97
  %.440.i.i.i = sext i32 %.439.i.i.i to i64
  br label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i

B1260.i.i.i:                                      ; preds = %B1324.i.i
  %.462.i.i.i = add nsw i64 %.14.i3.i.i, 64
  %.465.i.i.i = inttoptr i64 %.462.i.i.i to ptr
  %.466.i.i.i = load i64, ptr %.465.i.i.i, align 8, !noalias !97
  %.469.i.i.i = add nsw i64 %64, 56
  %.472.i.i.i = inttoptr i64 %.469.i.i.i to ptr
  %.473.i.i.i = load i64, ptr %.472.i.i.i, align 8, !noalias !97
  %.478.i.i.i = inttoptr i64 %.466.i.i.i to ptr
  %.479.i.i.i = inttoptr i64 %.20.i11.i.i.i to ptr
  %.480.i.i.i = trunc i64 %.92.i.i.i to i32
  %.481.i.i.i = trunc i64 %.473.i.i.i to i32
  %.482.i.i.i = tail call i32 %.478.i.i.i(ptr %.479.i.i.i, i32 %.480.i.i.i, i64 %.108.i.i.i, i32 %.481.i.i.i, i64 %.113.i.i.i), !noalias !97
  %.483.i.i.i = sext i32 %.482.i.i.i to i64
  br label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i

B1448.loopexit.unr-lcssa.unr-lcssa.i.i.i:         ; preds = %B788.i.i.i
  %145 = shl i64 %.97.i.i.i, 5
  %lsr.iv.next20.3.i.i.i = add i64 %lsr.iv19.i.i.i, %145
  %146 = shl i64 %.92.i.i.i, 5
  %lsr.iv.next18.3.i.i.i = add i64 %lsr.iv17.i.i.i, %146
  %lcmp.mod.not15.i.i.i = icmp eq i64 %xtraiter2.i.i.i, 0
  br i1 %lcmp.mod.not15.i.i.i, label %B1448.loopexit.unr-lcssa.i.i.i, label %B788.epil3.i.i.i.preheader

B788.epil3.i.i.i.preheader:                       ; preds = %B788.preheader.new.i.i.i, %B1448.loopexit.unr-lcssa.unr-lcssa.i.i.i
  %lsr.iv19.epil.i.i.i.ph = phi i64 [ %lsr.iv.next20.3.i.i.i, %B1448.loopexit.unr-lcssa.unr-lcssa.i.i.i ], [ %.20.i.i.i.i, %B788.preheader.new.i.i.i ]
  %lsr.iv17.epil.i.i.i.ph = phi i64 [ %lsr.iv.next18.3.i.i.i, %B1448.loopexit.unr-lcssa.unr-lcssa.i.i.i ], [ %.20.i11.i.i.i, %B788.preheader.new.i.i.i ]
  br label %B788.epil3.i.i.i

B788.epil3.i.i.i:                                 ; preds = %B788.epil3.i.i.i.preheader, %B788.epil3.i.i.i
  %lsr.iv18.i.i.i = phi i64 [ %lsr.iv.next19.i.i.i, %B788.epil3.i.i.i ], [ %xtraiter2.i.i.i, %B788.epil3.i.i.i.preheader ]
  %lsr.iv19.epil.i.i.i = phi i64 [ %162, %B788.epil3.i.i.i ], [ %lsr.iv19.epil.i.i.i.ph, %B788.epil3.i.i.i.preheader ]
  %lsr.iv17.epil.i.i.i = phi i64 [ %161, %B788.epil3.i.i.i ], [ %lsr.iv17.epil.i.i.i.ph, %B788.epil3.i.i.i.preheader ]
  %.297.epil4.i.i.i = inttoptr i64 %lsr.iv17.epil.i.i.i to ptr
  %.298.epil5.i.i.i = inttoptr i64 %lsr.iv19.epil.i.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.epil4.i.i.i, ptr align 1 %.298.epil5.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %147 = add i64 %lsr.iv17.epil.i.i.i, %.92.i.i.i
  %.297.1.epil.i.i.i = inttoptr i64 %147 to ptr
  %148 = add i64 %lsr.iv19.epil.i.i.i, %.97.i.i.i
  %.298.1.epil.i.i.i = inttoptr i64 %148 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.epil.i.i.i, ptr align 1 %.298.1.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %149 = add i64 %147, %.92.i.i.i
  %.297.2.epil.i.i.i = inttoptr i64 %149 to ptr
  %150 = add i64 %148, %.97.i.i.i
  %.298.2.epil.i.i.i = inttoptr i64 %150 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.epil.i.i.i, ptr align 1 %.298.2.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %151 = add i64 %149, %.92.i.i.i
  %.297.3.epil.i.i.i = inttoptr i64 %151 to ptr
  %152 = add i64 %150, %.97.i.i.i
  %.298.3.epil.i.i.i = inttoptr i64 %152 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.epil.i.i.i, ptr align 1 %.298.3.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %153 = add i64 %151, %.92.i.i.i
  %.297.4.epil.i.i.i = inttoptr i64 %153 to ptr
  %154 = add i64 %152, %.97.i.i.i
  %.298.4.epil.i.i.i = inttoptr i64 %154 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.epil.i.i.i, ptr align 1 %.298.4.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %155 = add i64 %153, %.92.i.i.i
  %.297.5.epil.i.i.i = inttoptr i64 %155 to ptr
  %156 = add i64 %154, %.97.i.i.i
  %.298.5.epil.i.i.i = inttoptr i64 %156 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.epil.i.i.i, ptr align 1 %.298.5.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %157 = add i64 %155, %.92.i.i.i
  %.297.6.epil.i.i.i = inttoptr i64 %157 to ptr
  %158 = add i64 %156, %.97.i.i.i
  %.298.6.epil.i.i.i = inttoptr i64 %158 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.epil.i.i.i, ptr align 1 %.298.6.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %159 = add i64 %157, %.92.i.i.i
  %.297.7.epil.i.i.i = inttoptr i64 %159 to ptr
  %160 = add i64 %158, %.97.i.i.i
  %.298.7.epil.i.i.i = inttoptr i64 %160 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.epil.i.i.i, ptr align 1 %.298.7.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %lsr.iv.next19.i.i.i = add nsw i64 %lsr.iv18.i.i.i, -1
  %epil.iter.cmp.not16.i.i.i = icmp eq i64 %lsr.iv.next19.i.i.i, 0
  %161 = add i64 %159, %.92.i.i.i
  %162 = add i64 %160, %.97.i.i.i
  br i1 %epil.iter.cmp.not16.i.i.i, label %B1448.loopexit.unr-lcssa.i.i.i, label %B788.epil3.i.i.i, !llvm.loop !109

B1448.loopexit.unr-lcssa.i.i.i:                   ; preds = %B788.epil3.i.i.i, %B1448.loopexit.unr-lcssa.unr-lcssa.i.i.i
  %lcmp.mod.not.i.i.i = icmp eq i64 %xtraiter.i.i.i, 0
  br i1 %lcmp.mod.not.i.i.i, label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i, label %B788.epil.preheader.i.i.i

B788.epil.preheader.i.i.i:                        ; preds = %B788.preheader.i.i.i, %B1448.loopexit.unr-lcssa.i.i.i
  %.256154156.epil.init.i.i.i = phi i64 [ 0, %B788.preheader.i.i.i ], [ %unroll_iter.i.i.i, %B1448.loopexit.unr-lcssa.i.i.i ]
  %163 = mul i64 %.256154156.epil.init.i.i.i, %.97.i.i.i
  %164 = add i64 %163, %.20.i.i.i.i
  %165 = mul i64 %.256154156.epil.init.i.i.i, %.92.i.i.i
  %166 = add i64 %165, %.20.i11.i.i.i
  br label %B788.epil.i.i.i

B788.epil.i.i.i:                                  ; preds = %B788.epil.i.i.i, %B788.epil.preheader.i.i.i
  %lsr.iv15.i.i.i = phi i64 [ %lsr.iv.next16.i.i.i, %B788.epil.i.i.i ], [ %xtraiter.i.i.i, %B788.epil.preheader.i.i.i ]
  %lsr.iv13.i.i.i = phi i64 [ %lsr.iv.next14.i.i.i, %B788.epil.i.i.i ], [ %166, %B788.epil.preheader.i.i.i ]
  %lsr.iv.i.i.i = phi i64 [ %lsr.iv.next.i.i.i, %B788.epil.i.i.i ], [ %164, %B788.epil.preheader.i.i.i ]
  %.297.epil.i.i.i = inttoptr i64 %lsr.iv13.i.i.i to ptr
  %.298.epil.i.i.i = inttoptr i64 %lsr.iv.i.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.epil.i.i.i, ptr align 1 %.298.epil.i.i.i, i64 %.92.i.i.i, i1 false), !noalias !97
  %lsr.iv.next.i.i.i = add i64 %lsr.iv.i.i.i, %.97.i.i.i
  %lsr.iv.next14.i.i.i = add i64 %lsr.iv13.i.i.i, %.92.i.i.i
  %lsr.iv.next16.i.i.i = add nsw i64 %lsr.iv15.i.i.i, -1
  %epil.iter.cmp.not.i.i.i = icmp eq i64 %lsr.iv.next16.i.i.i, 0
  br i1 %epil.iter.cmp.not.i.i.i, label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i, label %B788.epil.i.i.i, !llvm.loop !110

B682.endif.i.i.i:                                 ; preds = %B1324.i.i
  %.170.i.i.i = load i64, ptr %.35.i, align 8, !noalias !97
  %.250155.not.i.i.i = icmp slt i64 %.170.i.i.i, 1
  br i1 %.250155.not.i.i.i, label %_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i, label %B788.preheader.i.i.i

B788.preheader.i.i.i:                             ; preds = %B682.endif.i.i.i
  %xtraiter.i.i.i = and i64 %.170.i.i.i, 7
  %167 = icmp samesign ult i64 %.170.i.i.i, 8
  br i1 %167, label %B788.epil.preheader.i.i.i, label %B788.preheader.new.i.i.i

B788.preheader.new.i.i.i:                         ; preds = %B788.preheader.i.i.i
  %unroll_iter.i.i.i = and i64 %.170.i.i.i, 9223372036854775800
  %168 = add nsw i64 %.170.i.i.i, -8
  %169 = lshr i64 %168, 3
  %170 = add nuw nsw i64 %169, 1
  %xtraiter2.i.i.i = and i64 %170, 3
  %171 = icmp samesign ult i64 %.170.i.i.i, 32
  br i1 %171, label %B788.epil3.i.i.i.preheader, label %B788.preheader.new.new.i.i.i

B788.preheader.new.new.i.i.i:                     ; preds = %B788.preheader.new.i.i.i
  %unroll_iter8.i.i.i = and i64 %170, 4611686018427387900
  br label %B788.i.i.i

_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx.exit.i.i: ; preds = %B788.epil.i.i.i, %B682.endif.i.i.i, %B1448.loopexit.unr-lcssa.i.i.i, %B1260.i.i.i, %B1110.i.i.i, %B960.i.i.i, %B1058.i.i.i.i, %B972.i.i.i.i, %B612.i.i.i, %B1324.i.i
  %.sink.i.i.i = phi i64 [ %.400.i.i.i, %B960.i.i.i ], [ %.483.i.i.i, %B1260.i.i.i ], [ %.440.i.i.i, %B1110.i.i.i ], [ 0, %B1324.i.i ], [ 0, %B1058.i.i.i.i ], [ 0, %B972.i.i.i.i ], [ 0, %B682.endif.i.i.i ], [ 0, %B1448.loopexit.unr-lcssa.i.i.i ], [ 0, %B612.i.i.i ], [ 0, %B788.epil.i.i.i ]
  %.556.not.i.i = icmp eq i64 %.sink.i.i.i, 0
  br i1 %.556.not.i.i, label %B1322.i.i, label %common.ret.sink.split.i.i

B304.endif.i.i:                                   ; preds = %B214.i.i
  %.63.i.i = add nsw i64 %.12.i833.i, 8
  %.65.i841.i = inttoptr i64 %.63.i.i to ptr
  store i64 %.195.i, ptr %.65.i841.i, align 8, !noalias !91
  %.71.i.i = add nsw i64 %.12.i833.i, 16
  %.73.i.i = inttoptr i64 %.71.i.i to ptr
  store i64 %.203.i, ptr %.73.i.i, align 8, !noalias !91
  %sunkaddr38.i.i = inttoptr i64 %.12.i833.i to ptr
  %sunkaddr39.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 24
  %.8.i.i.i = load i64, ptr %sunkaddr39.i.i, align 8, !noalias !111
  %.10.i.i.i = add nsw i64 %.12.i833.i, 96
  %.11.i.i842.i = inttoptr i64 %.10.i.i.i to ptr
  %.12.i.i843.i = load i64, ptr %.11.i.i842.i, align 8, !noalias !111
  %.14.i.i844.i = add nsw i64 %.12.i833.i, 112
  %.15.i.i845.i = inttoptr i64 %.14.i.i844.i to ptr
  %.16.i.i846.i = load i64, ptr %.15.i.i845.i, align 8, !noalias !111
  %.18.i.i847.i = add nsw i64 %.12.i833.i, 72
  %.19.i.i848.i = inttoptr i64 %.18.i.i847.i to ptr
  %.20.i.i.i = load i64, ptr %.19.i.i848.i, align 8, !noalias !111
  %.22.i.i849.i = add nsw i64 %.8.i.i.i, 16
  %.23.i.i850.i = inttoptr i64 %.22.i.i849.i to ptr
  %.24.i.i851.i = load i64, ptr %.23.i.i850.i, align 8, !noalias !111
  %.25.i.i.i = inttoptr i64 %.20.i.i.i to ptr
  %.26.i.i852.i = load i64, ptr %.25.i.i.i, align 8, !noalias !111
  %.27.i.i.i = add nsw i64 %.26.i.i852.i, 1
  store i64 %.27.i.i.i, ptr %.25.i.i.i, align 8, !noalias !111
  %.31.i.i853.i = add nsw i64 %.12.i833.i, 80
  %.32.i.i854.i = inttoptr i64 %.31.i.i853.i to ptr
  %.33.i.i855.i = load i64, ptr %.32.i.i854.i, align 8, !noalias !111
  %.34.i.i856.i = inttoptr i64 %.12.i.i843.i to ptr
  store i64 %.33.i.i855.i, ptr %.34.i.i856.i, align 8, !noalias !111
  %.37.i.i.i = add nsw i64 %.12.i.i843.i, 8
  %.41.i.i.i = load i64, ptr %.65.i841.i, align 8, !noalias !111
  %.43.i.i.i = add nsw i64 %.12.i833.i, 88
  %.44.i.i.i = inttoptr i64 %.43.i.i.i to ptr
  %.45.i.i857.i = load i64, ptr %.44.i.i.i, align 8, !noalias !111
  %.46.i.i.i = inttoptr i64 %.37.i.i.i to ptr
  %.47.i.i.i = inttoptr i64 %.41.i.i.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.46.i.i.i, ptr align 1 %.47.i.i.i, i64 %.45.i.i857.i, i1 false), !noalias !111
  %.51.i.i.i = add nsw i64 %.8.i.i.i, 32
  %.52.i.i.i = inttoptr i64 %.51.i.i.i to ptr
  %.53.i.i858.i = load i64, ptr %.52.i.i.i, align 8, !noalias !111
  %.55.i.i.i = add nsw i64 %.12.i833.i, 104
  %.56.i.i859.i = inttoptr i64 %.55.i.i.i to ptr
  %.57.i.i860.i = load i64, ptr %.56.i.i859.i, align 8, !noalias !111
  %.59.i.i.i = add nsw i64 %.12.i833.i, 56
  %.60.i.i.i = inttoptr i64 %.59.i.i.i to ptr
  %.61.i.i.i = load i64, ptr %.60.i.i.i, align 8, !noalias !111
  %.63.i.i.i = add nsw i64 %.12.i833.i, 120
  %.64.i.i.i = inttoptr i64 %.53.i.i858.i to ptr
  %.66.i.i861.i = trunc i64 %.16.i.i846.i to i32
  %.67.i.i862.i = inttoptr i64 %.57.i.i860.i to ptr
  %.69.i.i.i = inttoptr i64 %.63.i.i.i to ptr
  %.70.i.i863.i = tail call i32 %.64.i.i.i(ptr nonnull %.34.i.i856.i, i32 %.66.i.i861.i, i64 %.24.i.i851.i, ptr %.67.i.i862.i, i32 %.66.i.i861.i, i64 %.24.i.i851.i, i64 %.61.i.i.i, ptr %.69.i.i.i), !noalias !111
  %.114.i.i = add nsw i64 %.12.i833.i, 128
  %.117.i.i = add nsw i64 %.12.i833.i, 136
  %.118.i864.i = inttoptr i64 %.117.i.i to ptr
  %.119.i.i = load i64, ptr %.118.i864.i, align 8, !noalias !91
  %.127.i.i = inttoptr i64 %.114.i.i to ptr
  store i64 0, ptr %.127.i.i, align 8, !noalias !91
  %.130.i.i = icmp eq i32 %.70.i.i863.i, 0
  br i1 %.130.i.i, label %B706.preheader.i.i, label %B1080.endif.endif.i.i

B706.preheader.i.i:                               ; preds = %B304.endif.i.i
  %172 = add i64 %.119.i.i, 1
  %sunkaddr33.i.i = getelementptr i8, ptr %.39.i.i, i64 24
  %sunkaddr35.i.i = getelementptr i8, ptr %.39.i.i, i64 40
  br label %B706.i.i

B1080.endif.endif.i.i:                            ; preds = %B304.endif.i.i, %B772.i.i
  %error.3.1125.in.i.i = phi i32 [ %.227.i.i, %B772.i.i ], [ %.70.i.i863.i, %B304.endif.i.i ]
  %error.3.1125.i.i = sext i32 %error.3.1125.in.i.i to i64
  br label %common.ret.sink.split.i.i

B1218.endif.i.i:                                  ; preds = %B420.i, %B420.us.i, %B0.endif.split.us.i
  %.398.i.i = add nsw i64 %.12.i833.i, 160
  %.399.i.i = inttoptr i64 %.398.i.i to ptr
  %.400.i.i = load i64, ptr %.399.i.i, align 8, !noalias !91
  %..400.i.i = tail call i64 @llvm.smax.i64(i64 %.400.i.i, i64 0)
  %173 = add nuw i64 %..400.i.i, 1
  %sunkaddr37.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 152
  %.111.i.i.i = add nsw i64 %.12.i833.i, 64
  %.112.i.i.i = inttoptr i64 %.111.i.i.i to ptr
  %.21.i.i.i.i = add nsw i64 %.12.i833.i, 208
  %.22.i.i.i.i = inttoptr i64 %.21.i.i.i.i to ptr
  %.34.i.i.i868.i = add nsw i64 %.12.i833.i, 216
  %.37.i.i.i.i = add nsw i64 %.12.i833.i, 240
  %.40.i.i.i.i = add nsw i64 %.12.i833.i, 248
  %sunkaddr17.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 240
  %sunkaddr19.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 248
  %.99.i.i.i.i = add nsw i64 %.12.i833.i, 256
  %.100.i.i.i.i = inttoptr i64 %.99.i.i.i.i to ptr
  %.104.i.i.i.i = add nsw i64 %.12.i833.i, 264
  %.105.i.i.i.i = inttoptr i64 %.104.i.i.i.i to ptr
  %.109.i.i.i.i = add nsw i64 %.12.i833.i, 232
  %.111.i.i.i.i = inttoptr i64 %.109.i.i.i.i to ptr
  %sunkaddr21.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 216
  %174 = inttoptr i64 %.34.i.i.i868.i to ptr
  %175 = inttoptr i64 %.40.i.i.i.i to ptr
  %176 = inttoptr i64 %.37.i.i.i.i to ptr
  %sunkaddr2.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 224
  %sunkaddr6.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 168
  %sunkaddr8.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 176
  %.297.i.i.i.i = add nsw i64 %.12.i833.i, 184
  %.298.i.i.i.i = inttoptr i64 %.297.i.i.i.i to ptr
  %.310.i.i.i.i = add nsw i64 %.12.i833.i, 224
  %.313.i.i.i.i = add nsw i64 %.12.i833.i, 200
  %.314.i.i.i.i = inttoptr i64 %.313.i.i.i.i to ptr
  %.316.i.i.i.i = inttoptr i64 %.310.i.i.i.i to ptr
  %sunkaddr18.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 256
  %sunkaddr22.i.i.i.i = getelementptr i8, ptr %sunkaddr38.i.i, i64 184
  %.330.i.i.i.i = add nsw i64 %.12.i833.i, 192
  %.333.i.i.i.i = inttoptr i64 %.330.i.i.i.i to ptr
  br label %B1322.i.i

B4886.i:                                          ; preds = %B214.i.i, %B50.i835.i, %B4852.i, %common.ret.sink.split.i.i
  %.2095.i = add nsw i64 %.173.i, 32
  %.2098.i = inttoptr i64 %.2095.i to ptr
  %.2099.i = load i64, ptr %.2098.i, align 8, !noalias !0
  br label %common.ret.sink.split.i

B5030.i:                                          ; preds = %B1376.i
  %.2150.i = inttoptr i64 %.187.i to ptr
  %.2151.i = load i8, ptr %.2150.i, align 1, !noalias !0
  %.2155.i = icmp eq i8 %.2151.i, 0
  br i1 %.2155.i, label %common.ret.sink.split.i, label %B408.i.backedge

B5270.i:                                          ; preds = %B1666.i, %B1588.i, %B1376.i
  %target.4.1.i = phi i64 [ %spec.select.i, %B1588.i ], [ %spec.select592.i, %B1666.i ], [ %.187.i, %B1376.i ]
  %.2300.not.i = icmp sgt i64 %target.4.1.i, %pc.2.0.i
  br i1 %.2300.not.i, label %B408.i.backedge, label %B5282.i

B5282.i:                                          ; preds = %B5270.i
  %.2306.i = load i64, ptr %.2305.i, align 8, !noalias !0
  %.2307.not.i = icmp eq i64 %.2306.i, 0
  br i1 %.2307.not.i, label %B408.i.backedge, label %common.ret.sink.split.i

common.ret.sink.split.i.loopexit:                 ; preds = %B1376.i
  br label %common.ret.sink.split.i

common.ret.sink.split.i.loopexit262:              ; preds = %B1376.i
  br label %common.ret.sink.split.i

common.ret.sink.split.i:                          ; preds = %B5282.i, %B5030.i, %B90.endif.i.i805.i, %B3972.i, %B0.endif.i768.i, %B48.i.i, %B28.else.if.i.i775.i, %B3794.i, %B0.endif.i.i, %B90.endif.i.i747.i, %B28.else.if.i.i.i, %B3464.i, %B90.endif.i.i708.i, %B3162.i, %B28.else.if.i685.i, %B2996.i, %B94.endif.i.i664.i, %B188.i.i643.i, %B28.else.if.i7.i.i656.i, %B28.else.if.i.i.i669.i, %B94.i.i659.i, %B94.endif.i.i.i, %B188.i.i.i, %B28.else.if.i7.i.i.i, %B28.else.if.i.i.i.i, %B94.i.i626.i, %B2066.i, %B90.endif.i.i.i, %B1282.i, %B1140.i, %B982.i, %B1376.i, %common.ret.sink.split.i.loopexit262, %common.ret.sink.split.i.loopexit, %B4886.i
  %target.4.1.lcssa.sink.i = phi i64 [ %.208.i, %B4886.i ], [ %.208.i, %common.ret.sink.split.i.loopexit ], [ %pc.2.0.i, %B1376.i ], [ %target.4.1.i, %B5282.i ], [ %pc.2.0.i, %B0.endif.i768.i ], [ %pc.2.0.i, %B28.else.if.i.i775.i ], [ %pc.2.0.i, %B3794.i ], [ %pc.2.0.i, %B28.else.if.i.i.i ], [ %pc.2.0.i, %B0.endif.i.i ], [ %pc.2.0.i, %B28.else.if.i685.i ], [ %pc.2.0.i, %B2996.i ], [ %pc.2.0.i, %B28.else.if.i7.i.i656.i ], [ %pc.2.0.i, %B28.else.if.i.i.i669.i ], [ %pc.2.0.i, %B94.i.i659.i ], [ %pc.2.0.i, %B188.i.i643.i ], [ %pc.2.0.i, %B28.else.if.i7.i.i.i ], [ %pc.2.0.i, %B28.else.if.i.i.i.i ], [ %pc.2.0.i, %B94.i.i626.i ], [ %pc.2.0.i, %B188.i.i.i ], [ %pc.2.0.i, %B982.i ], [ %pc.2.0.i, %B1140.i ], [ %pc.2.0.i, %B1282.i ], [ %pc.2.0.i, %B90.endif.i.i.i ], [ %pc.2.0.i, %B2066.i ], [ %pc.2.0.i, %B94.endif.i.i.i ], [ %pc.2.0.i, %B94.endif.i.i664.i ], [ %pc.2.0.i, %B3162.i ], [ %pc.2.0.i, %B90.endif.i.i708.i ], [ %pc.2.0.i, %B3464.i ], [ %pc.2.0.i, %B90.endif.i.i747.i ], [ %pc.2.0.i, %B48.i.i ], [ %pc.2.0.i, %B3972.i ], [ %pc.2.0.i, %B90.endif.i.i805.i ], [ %.208.i, %B5030.i ], [ %.179.i, %common.ret.sink.split.i.loopexit262 ]
  %.sink1432.i = phi i64 [ %.2099.i, %B4886.i ], [ %.187.i, %common.ret.sink.split.i.loopexit ], [ %.179.i, %B1376.i ], [ 0, %B5282.i ], [ %.1593.i, %B0.endif.i768.i ], [ %.1593.i, %B28.else.if.i.i775.i ], [ %.1593.i, %B3794.i ], [ 0, %B28.else.if.i.i.i ], [ 0, %B0.endif.i.i ], [ 0, %B28.else.if.i685.i ], [ 0, %B2996.i ], [ %.1036.i, %B28.else.if.i7.i.i656.i ], [ %.1036.i, %B28.else.if.i.i.i669.i ], [ %.1036.i, %B94.i.i659.i ], [ %.1036.i, %B188.i.i643.i ], [ %.919.i, %B28.else.if.i7.i.i.i ], [ %.919.i, %B28.else.if.i.i.i.i ], [ %.919.i, %B94.i.i626.i ], [ %.919.i, %B188.i.i.i ], [ 0, %B982.i ], [ 0, %B1140.i ], [ 0, %B1282.i ], [ 0, %B90.endif.i.i.i ], [ 0, %B2066.i ], [ %.919.i, %B94.endif.i.i.i ], [ %.1036.i, %B94.endif.i.i664.i ], [ 0, %B3162.i ], [ 0, %B90.endif.i.i708.i ], [ %.1423.i, %B3464.i ], [ 0, %B90.endif.i.i747.i ], [ %.1593.i, %B48.i.i ], [ %.1699.i, %B3972.i ], [ 0, %B90.endif.i.i805.i ], [ %.195.i, %B5030.i ], [ %.179.i, %common.ret.sink.split.i.loopexit262 ]
  %.sink.ph.i = phi i64 [ 1, %B4886.i ], [ 1, %common.ret.sink.split.i.loopexit ], [ 8, %B1376.i ], [ 3, %B5282.i ], [ 6, %B0.endif.i768.i ], [ 6, %B28.else.if.i.i775.i ], [ 6, %B3794.i ], [ 5, %B28.else.if.i.i.i ], [ 5, %B0.endif.i.i ], [ 6, %B28.else.if.i685.i ], [ 6, %B2996.i ], [ 6, %B28.else.if.i7.i.i656.i ], [ 6, %B28.else.if.i.i.i669.i ], [ 6, %B94.i.i659.i ], [ 6, %B188.i.i643.i ], [ 6, %B28.else.if.i7.i.i.i ], [ 6, %B28.else.if.i.i.i.i ], [ 6, %B94.i.i626.i ], [ 6, %B188.i.i.i ], [ 4, %B982.i ], [ 7, %B1140.i ], [ 4, %B1282.i ], [ 5, %B90.endif.i.i.i ], [ 6, %B2066.i ], [ 6, %B94.endif.i.i.i ], [ 6, %B94.endif.i.i664.i ], [ 6, %B3162.i ], [ 5, %B90.endif.i.i708.i ], [ 6, %B3464.i ], [ 5, %B90.endif.i.i747.i ], [ 6, %B48.i.i ], [ 6, %B3972.i ], [ 5, %B90.endif.i.i805.i ], [ 2, %B5030.i ], [ %.179.i, %common.ret.sink.split.i.loopexit262 ]
  store i64 %target.4.1.lcssa.sink.i, ptr %.57.i, align 8, !noalias !0
  %.13.i897.i = add nsw i64 %.1, 56
  %.14.i898.i = inttoptr i64 %.13.i897.i to ptr
  store i64 %.sink1432.i, ptr %.14.i898.i, align 8, !noalias !0
  br label %_ZN7vitrify6kernel2vmB2v1Ex.exit

B376.endif.i:                                     ; preds = %B740.epil.i.i, %B422.us.epil.i.i, %B928.loopexit6.unr-lcssa.i.i, %B928.loopexit.unr-lcssa.i.i, %B346.i, %B334.i
  %.67.i.i809.i = add nsw i64 %.50.i, 32
  %.70.i.i810.i = inttoptr i64 %.67.i.i809.i to ptr
  %.2304.i = add nsw i64 %.1, 48
  %.2305.i = inttoptr i64 %.2304.i to ptr
  %.372.i = inttoptr i64 %.50.i to ptr
  br label %B408.i

B4500.else.i:                                     ; preds = %B4500.i
  %.1917.i = icmp ne i64 %.1902.i, -9223372036854775808
  %.1918.i = icmp ne i64 %.203.i, -1
  %.1919.not.i = or i1 %.1918.i, %.1917.i
  br i1 %.1919.not.i, label %B4500.else.if.i, label %B4500.endif.i, !prof !87

B4500.endif.i:                                    ; preds = %B4500.else.if.i, %B4500.else.i, %B4500.i
  %quot.0.i = phi i64 [ 0, %B4500.i ], [ %spec.select593.i, %B4500.else.if.i ], [ 0, %B4500.else.i ]
  %.1947.i = inttoptr i64 %.195.i to ptr
  store i64 %quot.0.i, ptr %.1947.i, align 8, !noalias !0
  br label %B408.i.backedge

B408.i.backedge:                                  ; preds = %B1322.i.i, %B4500.endif.i, %B5282.i, %B5270.i, %B5030.i, %B4648.i, %_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx.exit.i, %B3972.i, %_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i, %_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, %_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, %_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i, %_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, %_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i, %_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i, %B1838.i, %B1770.i, %B1478.i, %B1408.i, %B1282.i, %B982.i, %B792.i
  %pc.2.0.i.be = phi i64 [ %target.4.1.i, %B5282.i ], [ %target.4.1.i, %B5270.i ], [ %.208.i, %B792.i ], [ %.208.i, %B5030.i ], [ %.208.i, %B982.i ], [ %.208.i, %B1408.i ], [ %.208.i, %B1478.i ], [ %.208.i, %B1282.i ], [ %.208.i, %B1770.i ], [ %.208.i, %B1838.i ], [ %.208.i, %_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i ], [ %.208.i, %_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i ], [ %.208.i, %_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.208.i, %_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx.exit.i ], [ %.208.i, %_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.208.i, %_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.208.i, %_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx.exit.i ], [ %.208.i, %B3972.i ], [ %.208.i, %B4500.endif.i ], [ %.208.i, %B4648.i ], [ %.208.i, %_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx.exit.i ], [ %.208.i, %B1322.i.i ]
  br label %B408.i

B4500.else.if.i:                                  ; preds = %B4500.else.i
  %.1922.i = sdiv i64 %.1902.i, %.203.i
  %.1923.i = srem i64 %.1902.i, %.203.i
  %.1924.i = xor i64 %.1923.i, %.203.i
  %.1925.i = icmp slt i64 %.1924.i, 0
  %.1926.i = icmp ne i64 %.1923.i, 0
  %.1927.i = and i1 %.1926.i, %.1925.i
  %.1932.i = sext i1 %.1927.i to i64
  %spec.select593.i = add i64 %.1922.i, %.1932.i
  br label %B4500.endif.i

_ZN7vitrify6kernel2vmB2v1Ex.exit:                 ; preds = %B454.i.i, %B280.i, %common.ret.sink.split.i
  %.sink.i = phi i64 [ %.sink.ph.i, %common.ret.sink.split.i ], [ 0, %B280.i ], [ 0, %B454.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.270.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %.427.i)
  ret i64 %.sink.i
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr writeonly captures(none), ptr readonly captures(none), i64, i1 immarg) #0

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

define internal fastcc void @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.team, i64 %arg.row, i64 %arg.chunk, i64 range(i64 -9223372036854775808, 65536) %arg.chunks) unnamed_addr {
B0:
  %.885.i = alloca ptr, align 8
  %.17 = inttoptr i64 %arg.row to ptr
  %.18 = load i64, ptr %.17, align 8
  %.23 = icmp eq i64 %.18, 1
  br i1 %.23, label %B66, label %B546

B66:                                              ; preds = %B0
  %.32 = add nsw i64 %arg.row, 32
  %.33 = inttoptr i64 %.32 to ptr
  %.34 = load i64, ptr %.33, align 8
  %.37 = add nsw i64 %arg.row, 40
  %.38 = inttoptr i64 %.37 to ptr
  %.39 = load i64, ptr %.38, align 8
  %.19.i = xor i64 %.34, -1
  %.20.i = add i64 %arg.chunks, %.19.i
  %.21.i = add i64 %.20.i, %.39
  %.24.i = icmp eq i64 %arg.chunks, 0
  br i1 %.24.i, label %B66.endif, label %B0.else.i, !prof !86

B44.i:                                            ; preds = %B0.endif.i
  %.78.i = add nuw i64 %spec.select.i, 63
  %0 = icmp samesign ult i64 %spec.select.i, 4294967233
  br i1 %0, label %15, label %17

B0.else.i:                                        ; preds = %B66
  %.35.i = icmp ne i64 %.21.i, -9223372036854775808
  %.36.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i = or i1 %.36.i, %.35.i
  br i1 %.37.not.i, label %B0.else.if.i, label %B66.endif, !prof !87

B0.endif.i:                                       ; preds = %12, %5
  %1 = phi i64 [ %10, %5 ], [ %13, %12 ]
  %2 = phi i64 [ %11, %5 ], [ %14, %12 ]
  %.42.i = xor i64 %2, %arg.chunks
  %.43.i = icmp slt i64 %.42.i, 0
  %.44.i = icmp ne i64 %2, 0
  %.45.i = and i1 %.44.i, %.43.i
  %.50.i = sext i1 %.45.i to i64
  %spec.select.i = add i64 %1, %.50.i
  %.71.not.i = icmp slt i64 %spec.select.i, 64
  br i1 %.71.not.i, label %B66.endif, label %B44.i

B0.else.if.i:                                     ; preds = %B0.else.i
  %3 = or i64 %.21.i, %arg.chunks
  %4 = icmp ult i64 %3, 4294967296
  br i1 %4, label %5, label %12

5:                                                ; preds = %B0.else.if.i
  %6 = trunc nuw nsw i64 %arg.chunks to i32
  %7 = trunc nuw i64 %.21.i to i32
  %8 = udiv i32 %7, %6
  %9 = urem i32 %7, %6
  %10 = zext i32 %8 to i64
  %11 = zext nneg i32 %9 to i64
  br label %B0.endif.i

12:                                               ; preds = %B0.else.if.i
  %13 = sdiv i64 %.21.i, %arg.chunks
  %14 = srem i64 %.21.i, %arg.chunks
  br label %B0.endif.i

15:                                               ; preds = %B44.i
  %16 = lshr i64 %.78.i, 6
  br label %22

17:                                               ; preds = %B44.i
  %18 = sdiv i64 %.78.i, 64
  %19 = and i64 %.78.i, -9223372036854775745
  %20 = icmp ugt i64 %19, -9223372036854775808
  %21 = sext i1 %20 to i64
  br label %22

22:                                               ; preds = %17, %15
  %23 = phi i64 [ %16, %15 ], [ %18, %17 ]
  %.101.i = phi i64 [ 0, %15 ], [ %21, %17 ]
  %spec.select22.i = add nsw i64 %.101.i, %23
  %24 = shl nsw i64 %spec.select22.i, 6
  br label %B66.endif

common.ret:                                       ; preds = %B66.endif, %_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx.exit, %B270
  store ptr null, ptr %retptr, align 8
  ret void

B270:                                             ; preds = %B66.endif
  %.86 = add nsw i64 %arg.row, 8
  %.87 = inttoptr i64 %.86 to ptr
  %.88 = load i64, ptr %.87, align 8
  %.91 = add nsw i64 %arg.row, 16
  %.92 = inttoptr i64 %.91 to ptr
  %.93 = load i64, ptr %.92, align 8
  %.96 = add nsw i64 %arg.row, 24
  %.99 = inttoptr i64 %.96 to ptr
  %.100 = load i64, ptr %.99, align 8
  %.103 = inttoptr i64 %.88 to ptr
  tail call void %.103(i64 %.93, i64 %.100, i64 %.11.i.i, i64 %.11.i1.i)
  br label %common.ret

B546:                                             ; preds = %B0
  %.121 = icmp eq i64 %.18, 2
  %.126 = add nsw i64 %arg.row, 8
  %.129 = inttoptr i64 %.126 to ptr
  %.130 = load i64, ptr %.129, align 8
  %.138 = zext i1 %.121 to i8
  call void @llvm.lifetime.start.p0(ptr nonnull %.885.i)
  %.39.i = inttoptr i64 %.130 to ptr
  %.40.i = load i64, ptr %.39.i, align 8, !noalias !114
  %.46.i = add nsw i64 %.130, 8
  %.47.i = inttoptr i64 %.46.i to ptr
  %.48.i = load i64, ptr %.47.i, align 8, !noalias !114
  %.54.i = add nsw i64 %.130, 120
  %.55.i = inttoptr i64 %.54.i to ptr
  %.56.i = load i64, ptr %.55.i, align 8, !noalias !114
  %.62.i = add nsw i64 %.130, 88
  %.63.i = inttoptr i64 %.62.i to ptr
  %.64.i = load i64, ptr %.63.i, align 8, !noalias !114
  %.66.i = mul nsw i64 %.64.i, %.56.i
  %.97.not.i = icmp slt i64 %.66.i, %arg.chunks
  br i1 %.97.not.i, label %B418.i, label %B372.i

B372.i:                                           ; preds = %B546
  %25 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 range(i64 -9223372036854775808, 65536) %arg.chunks, i64 1)
  %math.i = extractvalue { i64, i1 } %25, 0
  %ov.i = extractvalue { i64, i1 } %25, 1
  %.21.i.i = add i64 %.66.i, %math.i
  br i1 %ov.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, label %B0.else.i.i, !prof !86

B44.i.i:                                          ; preds = %B0.endif.i.i
  %.78.i.i = add nuw i64 %spec.select.i.i, 4611686018427387903
  %26 = and i64 %.78.i.i, -4611686018427387904
  br label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i

B0.else.i.i:                                      ; preds = %B372.i
  %.35.i.i = icmp ne i64 %.21.i.i, -9223372036854775808
  %.36.i.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i.i = or i1 %.36.i.i, %.35.i.i
  br i1 %.37.not.i.i, label %B0.else.if.i.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, !prof !87

B0.endif.i.i:                                     ; preds = %38, %31
  %27 = phi i64 [ %36, %31 ], [ %39, %38 ]
  %28 = phi i64 [ %37, %31 ], [ %40, %38 ]
  %.42.i.i = xor i64 %28, %arg.chunks
  %.43.i.i = icmp slt i64 %.42.i.i, 0
  %.44.i.i = icmp ne i64 %28, 0
  %.45.i.i = and i1 %.44.i.i, %.43.i.i
  %.50.i.i = sext i1 %.45.i.i to i64
  %spec.select.i.i = add i64 %27, %.50.i.i
  %.71.not.i.i = icmp slt i64 %spec.select.i.i, 4611686018427387904
  br i1 %.71.not.i.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i, label %B44.i.i

B0.else.if.i.i:                                   ; preds = %B0.else.i.i
  %29 = or i64 %.21.i.i, %arg.chunks
  %30 = icmp ult i64 %29, 4294967296
  br i1 %30, label %31, label %38

31:                                               ; preds = %B0.else.if.i.i
  %32 = trunc nuw nsw i64 %arg.chunks to i32
  %33 = trunc nuw i64 %.21.i.i to i32
  %34 = udiv i32 %33, %32
  %35 = urem i32 %33, %32
  %36 = zext i32 %34 to i64
  %37 = zext nneg i32 %35 to i64
  br label %B0.endif.i.i

38:                                               ; preds = %B0.else.if.i.i
  %39 = sdiv i64 %.21.i.i, %arg.chunks
  %40 = srem i64 %.21.i.i, %arg.chunks
  br label %B0.endif.i.i

_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i: ; preds = %B0.endif.i.i, %B0.else.i.i, %B44.i.i, %B372.i
  %step.2.0.i.i = phi i64 [ %spec.select.i.i, %B0.endif.i.i ], [ %26, %B44.i.i ], [ 0, %B372.i ], [ 0, %B0.else.i.i ]
  %.133.i.i = mul nsw i64 %step.2.0.i.i, %arg.chunk
  %.11.i.i.i = tail call i64 @llvm.smin.i64(i64 %.66.i, i64 %.133.i.i)
  %.172.i.i = add nsw i64 %.11.i.i.i, %step.2.0.i.i
  %.11.i1.i.i = tail call i64 @llvm.smin.i64(i64 %.66.i, i64 %.172.i.i)
  br label %B638.i

B418.i:                                           ; preds = %B546
  %.177.i = icmp sge i64 %.40.i, %.48.i
  %.180.i = icmp sgt i64 %.40.i, 95
  %or.cond.i = or i1 %.180.i, %.177.i
  br i1 %or.cond.i, label %B442.i, label %B594.i

B442.i:                                           ; preds = %B418.i
  %.196.i = icmp eq i64 %arg.chunks, 0
  br i1 %.196.i, label %B442.endif.endif.endif.endif.i, label %B442.else.i, !prof !86

B554.i:                                           ; preds = %B442.endif.endif.endif.endif.i
  %.353.i = add nsw i64 %.11.i38.i, %.303.i
  %.11.i.i1 = tail call i64 @llvm.smin.i64(i64 %.353.i, i64 %.40.i)
  br label %B638.i

B594.i:                                           ; preds = %B418.i
  %41 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 range(i64 -9223372036854775808, 65536) %arg.chunks, i64 1)
  %math73.i = extractvalue { i64, i1 } %41, 0
  %ov74.i = extractvalue { i64, i1 } %41, 1
  %.21.i6.i = add i64 %.48.i, %math73.i
  br i1 %ov74.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i, label %B0.else.i8.i, !prof !86

B44.i15.i:                                        ; preds = %B0.endif.i12.i
  %.78.i16.i = add nuw i64 %spec.select.i35.i, 63
  %42 = icmp samesign ult i64 %spec.select.i35.i, 4294967233
  br i1 %42, label %57, label %59

B0.else.i8.i:                                     ; preds = %B594.i
  %.35.i9.i = icmp ne i64 %.21.i6.i, -9223372036854775808
  %.36.i10.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i11.i = or i1 %.36.i10.i, %.35.i9.i
  br i1 %.37.not.i11.i, label %B0.else.if.i29.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i, !prof !87

B0.endif.i12.i:                                   ; preds = %54, %47
  %43 = phi i64 [ %52, %47 ], [ %55, %54 ]
  %44 = phi i64 [ %53, %47 ], [ %56, %54 ]
  %.42.i30.i = xor i64 %44, %arg.chunks
  %.43.i31.i = icmp slt i64 %.42.i30.i, 0
  %.44.i32.i = icmp ne i64 %44, 0
  %.45.i33.i = and i1 %.44.i32.i, %.43.i31.i
  %.50.i34.i = sext i1 %.45.i33.i to i64
  %spec.select.i35.i = add i64 %43, %.50.i34.i
  %.71.not.i14.i = icmp slt i64 %spec.select.i35.i, 64
  br i1 %.71.not.i14.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i, label %B44.i15.i

B0.else.if.i29.i:                                 ; preds = %B0.else.i8.i
  %45 = or i64 %.21.i6.i, %arg.chunks
  %46 = icmp ult i64 %45, 4294967296
  br i1 %46, label %47, label %54

47:                                               ; preds = %B0.else.if.i29.i
  %48 = trunc nuw nsw i64 %arg.chunks to i32
  %49 = trunc nuw i64 %.21.i6.i to i32
  %50 = udiv i32 %49, %48
  %51 = urem i32 %49, %48
  %52 = zext i32 %50 to i64
  %53 = zext nneg i32 %51 to i64
  br label %B0.endif.i12.i

54:                                               ; preds = %B0.else.if.i29.i
  %55 = sdiv i64 %.21.i6.i, %arg.chunks
  %56 = srem i64 %.21.i6.i, %arg.chunks
  br label %B0.endif.i12.i

57:                                               ; preds = %B44.i15.i
  %58 = lshr i64 %.78.i16.i, 6
  br label %64

59:                                               ; preds = %B44.i15.i
  %60 = sdiv i64 %.78.i16.i, 64
  %61 = and i64 %.78.i16.i, -9223372036854775745
  %62 = icmp ugt i64 %61, -9223372036854775808
  %63 = sext i1 %62 to i64
  br label %64

64:                                               ; preds = %59, %57
  %65 = phi i64 [ %58, %57 ], [ %60, %59 ]
  %.101.i25.i = phi i64 [ 0, %57 ], [ %63, %59 ]
  %spec.select22.i28.i = add nsw i64 %.101.i25.i, %65
  %66 = shl nsw i64 %spec.select22.i28.i, 6
  br label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i

_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i: ; preds = %64, %B0.endif.i12.i, %B0.else.i8.i, %B594.i
  %step.2.0.i18.i = phi i64 [ %spec.select.i35.i, %B0.endif.i12.i ], [ %66, %64 ], [ 0, %B594.i ], [ 0, %B0.else.i8.i ]
  %.133.i19.i = mul nsw i64 %step.2.0.i18.i, %arg.chunk
  %.11.i.i20.i = tail call i64 @llvm.smin.i64(i64 %.48.i, i64 %.133.i19.i)
  %.172.i21.i = add nsw i64 %.11.i.i20.i, %step.2.0.i18.i
  %.11.i1.i22.i = tail call i64 @llvm.smin.i64(i64 %.48.i, i64 %.172.i21.i)
  br label %B638.i

B638.i:                                           ; preds = %B442.endif.endif.endif.endif.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i, %B554.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i
  %m_first.2.0.i = phi i64 [ %.11.i38.i, %B442.endif.endif.endif.endif.i ], [ %.11.i38.i, %B554.i ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i ]
  %m_last.2.0.i = phi i64 [ %.40.i, %B442.endif.endif.endif.endif.i ], [ %.11.i.i1, %B554.i ], [ %.40.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.40.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i ]
  %n_first.2.0.i = phi i64 [ 0, %B442.endif.endif.endif.endif.i ], [ 0, %B554.i ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.11.i.i20.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i ]
  %n_last.2.0.i = phi i64 [ %.48.i, %B442.endif.endif.endif.endif.i ], [ %.48.i, %B554.i ], [ %.48.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.11.i1.i22.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i ]
  %first.2.0.i = phi i64 [ 0, %B442.endif.endif.endif.endif.i ], [ 0, %B554.i ], [ %.11.i.i.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i ]
  %last.2.0.i = phi i64 [ %.66.i, %B442.endif.endif.endif.endif.i ], [ %.66.i, %B554.i ], [ %.11.i1.i.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit.i ], [ %.66.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36.i ]
  %.494.i = icmp sle i64 %m_last.2.0.i, %m_first.2.0.i
  %.498.i = icmp sle i64 %n_last.2.0.i, %n_first.2.0.i
  %or.cond218.i = select i1 %.494.i, i1 true, i1 %.498.i
  br i1 %or.cond218.i, label %_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx.exit, label %B666.i

B666.i:                                           ; preds = %B638.i
  %.526.i = add nsw i64 %.130, 40
  %.527.i = inttoptr i64 %.526.i to ptr
  %.528.i = load i64, ptr %.527.i, align 8, !noalias !114
  %.537.i = add nsw i64 %.130, 24
  %.538.i = inttoptr i64 %.537.i to ptr
  %.539.i = load i64, ptr %.538.i, align 8, !noalias !114
  %.540.not.i = icmp eq i64 %.539.i, 0
  %spec.select219.i = select i1 %.540.not.i, i64 %.528.i, i64 1
  %.553.i = add nsw i64 %.130, 32
  %.554.i = inttoptr i64 %.553.i to ptr
  %.555.i = load i64, ptr %.554.i, align 8, !noalias !114
  %.556.not.i = icmp eq i64 %.555.i, 0
  br i1 %.556.not.i, label %B1002.endif.i, label %B924.i

B924.i:                                           ; preds = %B666.i
  %.560.i = add nsw i64 %.130, 48
  %.561.i = inttoptr i64 %.560.i to ptr
  %.562.i = load i64, ptr %.561.i, align 8, !noalias !114
  br label %B1002.endif.i

B1406.i:                                          ; preds = %B1406.endif.endif.i, %B1406.preheader.i
  %lsr.iv68.i = phi i64 [ %84, %B1406.preheader.i ], [ %lsr.iv.next69.i, %B1406.endif.endif.i ]
  %.710224226.i = phi i64 [ %first.2.0.i, %B1406.preheader.i ], [ %.717.i, %B1406.endif.endif.i ]
  %.756.i = icmp ne i64 %.710224226.i, -9223372036854775808
  %.758.not.i = or i1 %86, %.756.i
  br i1 %.758.not.i, label %B1406.endif.else.if.i, label %B1406.endif.endif.i, !prof !87

B442.else.i:                                      ; preds = %B442.i
  %.207.i = icmp ne i64 %.40.i, -9223372036854775808
  %.208.i = icmp ne i64 %arg.chunks, -1
  %.209.not.i = or i1 %.208.i, %.207.i
  br i1 %.209.not.i, label %B442.else.if.i, label %B442.endif.endif.endif.endif.i, !prof !87

B442.else.if.i:                                   ; preds = %B442.else.i
  %67 = or i64 %.40.i, %arg.chunks
  %68 = icmp ult i64 %67, 4294967296
  br i1 %68, label %69, label %76

69:                                               ; preds = %B442.else.if.i
  %70 = trunc nuw nsw i64 %arg.chunks to i32
  %71 = trunc nuw i64 %.40.i to i32
  %72 = udiv i32 %71, %70
  %73 = urem i32 %71, %70
  %74 = zext i32 %72 to i64
  %75 = zext nneg i32 %73 to i64
  br label %79

76:                                               ; preds = %B442.else.if.i
  %77 = sdiv i64 %.40.i, %arg.chunks
  %78 = srem i64 %.40.i, %arg.chunks
  br label %79

79:                                               ; preds = %76, %69
  %80 = phi i64 [ %74, %69 ], [ %77, %76 ]
  %81 = phi i64 [ %75, %69 ], [ %78, %76 ]
  %.214.i = xor i64 %81, %arg.chunks
  %.215.i = icmp slt i64 %.214.i, 0
  %.216.i = icmp ne i64 %81, 0
  %.217.i = and i1 %.216.i, %.215.i
  %.222.i = sext i1 %.217.i to i64
  %spec.select220.i = add i64 %80, 24
  %82 = add i64 %spec.select220.i, %.222.i
  br label %B442.endif.endif.endif.endif.i

B442.endif.endif.endif.endif.i:                   ; preds = %79, %B442.else.i, %B442.i
  %quot.0.i = phi i64 [ 24, %B442.i ], [ 24, %B442.else.i ], [ %82, %79 ]
  %.253.i = sdiv i64 %quot.0.i, 48
  %.254.i = srem i64 %quot.0.i, 48
  %.254.lobit.i = ashr i64 %.254.i, 63
  %.242.1.i = add nsw i64 %.254.lobit.i, %.253.i
  %.11.i37.i = tail call i64 @llvm.smax.i64(i64 %.242.1.i, i64 1)
  %.303.i = mul nuw nsw i64 %.11.i37.i, 48
  %.309.i = mul nsw i64 %.303.i, %arg.chunk
  %.11.i38.i = tail call i64 @llvm.smin.i64(i64 %.309.i, i64 %.40.i)
  %.343.i = add nsw i64 %arg.chunk, 1
  %.347.i = icmp slt i64 %.343.i, %arg.chunks
  br i1 %.347.i, label %B554.i, label %B638.i

B1002.endif.i:                                    ; preds = %B924.i, %B666.i
  %b_column.2.0.i = phi i64 [ %.562.i, %B924.i ], [ 1, %B666.i ]
  %.568.i = add nsw i64 %.130, 64
  %.569.i = inttoptr i64 %.568.i to ptr
  %.570.i = load i64, ptr %.569.i, align 8, !noalias !114
  %83 = select i1 %.121, i64 2, i64 3
  %.573.i = shl i64 %m_first.2.0.i, %83
  %.575.i = mul nsw i64 %spec.select219.i, %.573.i
  %.578.i = add nsw i64 %.570.i, %.575.i
  %.584.i = add nsw i64 %.130, 72
  %.585.i = inttoptr i64 %.584.i to ptr
  %.586.i = load i64, ptr %.585.i, align 8, !noalias !114
  %.589.i = shl i64 %n_first.2.0.i, %83
  %.591.i = mul nsw i64 %b_column.2.0.i, %.589.i
  %.594.i = add nsw i64 %.586.i, %.591.i
  %.600.i = add nsw i64 %.130, 80
  %.601.i = inttoptr i64 %.600.i to ptr
  %.602.i = load i64, ptr %.601.i, align 8, !noalias !114
  %.605.i = add nsw i64 %.130, 56
  %.606.i = inttoptr i64 %.605.i to ptr
  %.607.i = load i64, ptr %.606.i, align 8, !noalias !114
  %.609.i = mul nsw i64 %.607.i, %m_first.2.0.i
  %.611.i = add nsw i64 %.609.i, %n_first.2.0.i
  %.613.i = shl i64 %.611.i, %83
  %.614.i = add nsw i64 %.613.i, %.602.i
  %.660.i = sub i64 %last.2.0.i, %first.2.0.i
  %.704225.not.i = icmp slt i64 %.660.i, 1
  br i1 %.704225.not.i, label %_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx.exit, label %B1406.lr.ph.i

B1406.lr.ph.i:                                    ; preds = %B1002.endif.i
  %.745.i = icmp eq i64 %.56.i, 0
  %.827.i = sub nsw i64 %m_last.2.0.i, %m_first.2.0.i
  %.830.i = sub nsw i64 %n_last.2.0.i, %n_first.2.0.i
  %84 = add nuw i64 %.660.i, 1
  br i1 %.745.i, label %B1406.us.i, label %B1406.preheader.i, !prof !86

B1406.preheader.i:                                ; preds = %B1406.lr.ph.i
  %85 = trunc i64 %.56.i to i32
  %86 = icmp ne i64 %.56.i, -1
  %sunkaddr35.i = getelementptr i8, ptr %.39.i, i64 96
  %sunkaddr37.i = getelementptr i8, ptr %.39.i, i64 128
  %sunkaddr39.i = getelementptr i8, ptr %.39.i, i64 104
  %sunkaddr41.i = getelementptr i8, ptr %.39.i, i64 136
  %sunkaddr43.i = getelementptr i8, ptr %.39.i, i64 112
  %sunkaddr45.i = getelementptr i8, ptr %.39.i, i64 144
  br label %B1406.i

B1406.us.i:                                       ; preds = %B1406.lr.ph.i, %B1406.us.i
  %lsr.iv.i = phi i64 [ %lsr.iv.next.i, %B1406.us.i ], [ %84, %B1406.lr.ph.i ]
  call fastcc void @_ZN7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx(ptr nonnull %.885.i, i64 %arg.team, i8 range(i8 0, 2) %.138, i64 %.130, i64 %.827.i, i64 %.830.i, i64 %.578.i, i64 %.594.i, i64 %.614.i)
  %lsr.iv.next.i = add i64 %lsr.iv.i, -1
  %.704.us.i = icmp samesign ugt i64 %lsr.iv.next.i, 1
  br i1 %.704.us.i, label %B1406.us.i, label %_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx.exit

B1406.endif.endif.i:                              ; preds = %99, %B1406.i
  %.750.0238.i = phi i64 [ %spec.select221.i, %99 ], [ 0, %B1406.i ]
  %rem.3.0.i = phi i64 [ %spec.select222.i, %99 ], [ 0, %B1406.i ]
  %.835.i = load i64, ptr %sunkaddr35.i, align 8, !noalias !114
  %.836.i = mul nsw i64 %.835.i, %.750.0238.i
  %.841.i = load i64, ptr %sunkaddr37.i, align 8, !noalias !114
  %.842.i = mul nsw i64 %.841.i, %rem.3.0.i
  %.843.i = add nsw i64 %.842.i, %.836.i
  %.845.i = shl i64 %.843.i, %83
  %.847.i = add nsw i64 %.845.i, %.578.i
  %.852.i = load i64, ptr %sunkaddr39.i, align 8, !noalias !114
  %.853.i = mul nsw i64 %.852.i, %.750.0238.i
  %.858.i = load i64, ptr %sunkaddr41.i, align 8, !noalias !114
  %.859.i = mul nsw i64 %.858.i, %rem.3.0.i
  %.860.i = add nsw i64 %.859.i, %.853.i
  %.862.i = shl i64 %.860.i, %83
  %.864.i = add nsw i64 %.862.i, %.594.i
  %.869.i = load i64, ptr %sunkaddr43.i, align 8, !noalias !114
  %.870.i = mul nsw i64 %.869.i, %.750.0238.i
  %.875.i = load i64, ptr %sunkaddr45.i, align 8, !noalias !114
  %.876.i = mul nsw i64 %.875.i, %rem.3.0.i
  %.877.i = add i64 %.870.i, %.611.i
  %87 = add i64 %.877.i, %.876.i
  %88 = shl i64 %87, %83
  %.881.i = add i64 %88, %.602.i
  call fastcc void @_ZN7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx(ptr nonnull %.885.i, i64 %arg.team, i8 range(i8 0, 2) %.138, i64 %.130, i64 %.827.i, i64 %.830.i, i64 %.847.i, i64 %.864.i, i64 %.881.i)
  %lsr.iv.next69.i = add i64 %lsr.iv68.i, -1
  %.717.i = add i64 %.710224226.i, 1
  %.704.i = icmp samesign ugt i64 %lsr.iv.next69.i, 1
  br i1 %.704.i, label %B1406.i, label %_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx.exit

B1406.endif.else.if.i:                            ; preds = %B1406.i
  %89 = or i64 %.710224226.i, %.56.i
  %90 = icmp ult i64 %89, 4294967296
  br i1 %90, label %91, label %96

91:                                               ; preds = %B1406.endif.else.if.i
  %tmp29.i = trunc nuw i64 %.710224226.i to i32
  %92 = udiv i32 %tmp29.i, %85
  %93 = urem i32 %tmp29.i, %85
  %94 = zext i32 %92 to i64
  %95 = zext i32 %93 to i64
  br label %99

96:                                               ; preds = %B1406.endif.else.if.i
  %97 = sdiv i64 %.710224226.i, %.56.i
  %98 = srem i64 %.710224226.i, %.56.i
  br label %99

99:                                               ; preds = %96, %91
  %100 = phi i64 [ %94, %91 ], [ %97, %96 ]
  %101 = phi i64 [ %95, %91 ], [ %98, %96 ]
  %.763.i = xor i64 %101, %.56.i
  %.764.i = icmp slt i64 %.763.i, 0
  %.765.i = icmp ne i64 %101, 0
  %.766.i = and i1 %.765.i, %.764.i
  %.771.i = sext i1 %.766.i to i64
  %spec.select221.i = add i64 %100, %.771.i
  %.814.i = select i1 %.766.i, i64 %.56.i, i64 0
  %spec.select222.i = add i64 %.814.i, %101
  br label %B1406.endif.endif.i

_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx.exit: ; preds = %B1406.endif.endif.i, %B1406.us.i, %B638.i, %B1002.endif.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.885.i)
  br label %common.ret

B66.endif:                                        ; preds = %22, %B0.endif.i, %B0.else.i, %B66
  %step.2.0.i = phi i64 [ %spec.select.i, %B0.endif.i ], [ %24, %22 ], [ 0, %B66 ], [ 0, %B0.else.i ]
  %.133.i = mul nsw i64 %step.2.0.i, %arg.chunk
  %.137.i = add nsw i64 %.133.i, %.34
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.39, i64 %.137.i)
  %.172.i = add nsw i64 %.11.i.i, %step.2.0.i
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %.39, i64 %.172.i)
  %.82 = icmp slt i64 %.137.i, %.11.i1.i
  br i1 %.82, label %B270, label %common.ret
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64) #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #4

define internal fastcc void @_ZN7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.team, i8 range(i8 0, 2) %arg.single, i64 %arg.block, i64 %arg.m, i64 %arg.n, i64 %arg.a, i64 %arg.b, i64 %arg.c) unnamed_addr {
entry:
  %.39 = add nsw i64 %arg.block, 168
  %.40 = inttoptr i64 %.39 to ptr
  %.41 = load i64, ptr %.40, align 8
  %.42.not = icmp eq i64 %.41, 0
  %.123 = add nsw i64 %arg.block, 40
  %.124 = inttoptr i64 %.123 to ptr
  %.125 = load i64, ptr %.124, align 8
  br i1 %.42.not, label %B136, label %B90

B90:                                              ; preds = %entry
  %.44.i = add nsw i64 %arg.block, 56
  %.45.i = inttoptr i64 %.44.i to ptr
  %.46.i = load i64, ptr %.45.i, align 8, !noalias !117
  %.52.i = add nsw i64 %arg.block, 152
  %.53.i1 = inttoptr i64 %.52.i to ptr
  %.54.i = load double, ptr %.53.i1, align 8, !noalias !117
  %.60.i = add nsw i64 %arg.block, 160
  %.61.i = inttoptr i64 %.60.i to ptr
  %.62.i = load double, ptr %.61.i, align 8, !noalias !117
  %.83.i2 = add nsw i64 %arg.block, 24
  %.84.i3 = inttoptr i64 %.83.i2 to ptr
  %.85.i4 = load i64, ptr %.84.i3, align 8, !noalias !117
  %.86.not.i = icmp eq i64 %.85.i4, 0
  %a_row.2.0.i = select i1 %.86.not.i, i64 %.125, i64 1
  %factor.op.mul329.i = shl i64 %a_row.2.0.i, 2
  %factor.op.mul330.i = shl i64 %a_row.2.0.i, 3
  %.217341.not.i = icmp slt i64 %arg.m, 1
  br i1 %.217341.not.i, label %common.ret, label %B702.endif.lr.ph.i

B702.endif.lr.ph.i:                               ; preds = %B90
  %.115.i = add nsw i64 %arg.block, 32
  %.118.i = inttoptr i64 %.115.i to ptr
  %.119.i = load i64, ptr %.118.i, align 8, !noalias !117
  %.100.i = add nsw i64 %arg.block, 48
  %.101.i = inttoptr i64 %.100.i to ptr
  %.102.i = load i64, ptr %.101.i, align 8, !noalias !117
  %.36.i = add nsw i64 %arg.block, 16
  %.37.i = inttoptr i64 %.36.i to ptr
  %.38.i = load i64, ptr %.37.i, align 8, !noalias !117
  %.120.not.i = icmp eq i64 %.119.i, 0
  %b_row.2.0.i = select i1 %.120.not.i, i64 %.102.i, i64 1
  %b_step.2.0.i = select i1 %.120.not.i, i64 1, i64 %.102.i
  %a_step.2.0.i = select i1 %.86.not.i, i64 1, i64 %.125
  %factor.op.mul.i = shl i64 %b_step.2.0.i, 2
  %factor.op.mul249.i = shl i64 %b_step.2.0.i, 3
  %.339264.not.i = icmp slt i64 %arg.n, 1
  %factor.op.mul220.i = shl i64 %a_step.2.0.i, 2
  %factor.op.mul222.i = shl i64 %b_row.2.0.i, 2
  %.557.i = fptrunc double %.62.i to float
  %.566.i = fptrunc double %.54.i to float
  %factor.op.mul233.i = shl i64 %a_step.2.0.i, 3
  %factor.op.mul235.i = shl i64 %b_row.2.0.i, 3
  %.568.i = fmul float %.566.i, 0.000000e+00
  %.572.i = fadd float %.568.i, 0.000000e+00
  br i1 %.339264.not.i, label %common.ret, label %B702.endif.lr.ph.split.us.i

B702.endif.lr.ph.split.us.i:                      ; preds = %B702.endif.lr.ph.i
  %0 = icmp eq i8 %arg.single, 0
  %1 = icmp slt i64 %.38.i, 1
  br i1 %0, label %B702.endif.lr.ph.split.us.split.us.i, label %B702.endif.lr.ph.split.us.split.i

B702.endif.lr.ph.split.us.split.us.i:             ; preds = %B702.endif.lr.ph.split.us.i
  %.763.us.us.us.i = fmul double %.54.i, 0.000000e+00
  %.767.us.us.us.i = fadd double %.763.us.us.us.i, 0.000000e+00
  %2 = fcmp une double %.62.i, 0.000000e+00
  br i1 %1, label %B702.endif.lr.ph.split.us.split.us.split.i, label %B702.endif.lr.ph.split.us.split.us.split.us.i

B702.endif.lr.ph.split.us.split.us.split.us.i:    ; preds = %B702.endif.lr.ph.split.us.split.us.i
  %xtraiter131.i = and i64 %.38.i, 7
  %unroll_iter136.i = and i64 %.38.i, 9223372036854775800
  %3 = icmp samesign ult i64 %.38.i, 8
  br i1 %2, label %B702.endif.us.us.us.us.preheader.i, label %B702.endif.us.us.us.preheader.i

B702.endif.us.us.us.preheader.i:                  ; preds = %B702.endif.lr.ph.split.us.split.us.split.us.i
  br i1 %3, label %B702.endif.us.us.us.us27.preheader.i, label %B702.endif.us.us.us.preheader44.i

B702.endif.us.us.us.us27.preheader.i:             ; preds = %B702.endif.us.us.us.preheader.i
  %xtraiter184.i = and i64 %arg.n, 3
  %unroll_iter188.i = and i64 %arg.n, 9223372036854775804
  %4 = icmp samesign ult i64 %arg.n, 4
  %5 = icmp eq i64 %xtraiter184.i, 0
  br label %B702.endif.us.us.us.us27.i

B702.endif.us.us.us.preheader44.i:                ; preds = %B702.endif.us.us.us.preheader.i
  %6 = mul i64 %unroll_iter136.i, %factor.op.mul235.i
  %7 = mul i64 %unroll_iter136.i, %factor.op.mul233.i
  %8 = add nsw i64 %.38.i, -8
  %9 = lshr i64 %8, 3
  %10 = add nuw nsw i64 %9, 1
  %11 = and i64 %10, 4611686018427387902
  %12 = icmp eq i64 %9, 0
  %13 = icmp eq i64 %xtraiter131.i, 0
  %14 = and i64 %8, 8
  %15 = icmp eq i64 %14, 0
  br label %B702.endif.us.us.us.i

B702.endif.us.us.us.us27.i:                       ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i, %B702.endif.us.us.us.us27.preheader.i
  %lsr.iv191.us.i = phi i64 [ %lsr.iv.next192.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i ], [ %arg.a, %B702.endif.us.us.us.us27.preheader.i ]
  %.223332346.us.us.us.us28.i = phi i64 [ %.230.us.us.us.us30.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i ], [ 0, %B702.endif.us.us.us.us27.preheader.i ]
  %.736.us.us.us.us29.i = mul nsw i64 %.223332346.us.us.us.us28.i, %.46.i
  br i1 %4, label %B738.us.us.us.us.us.us.us31.epil.i.preheader, label %B738.us.us.us.us.us.us.us31.preheader.i

B738.us.us.us.us.us.us.us31.preheader.i:          ; preds = %B702.endif.us.us.us.us27.i
  %.352.us.us.us.us.us.us.us33.i = add i64 %.736.us.us.us.us29.i, 1
  %.352.us.us.us.us.us.us.us33.1.i = add i64 %.736.us.us.us.us29.i, 2
  %.352.us.us.us.us.us.us.us33.2.i = add i64 %.736.us.us.us.us29.i, 3
  br label %B738.us.us.us.us.us.us.us31.i

B738.us.us.us.us.us.us.us31.i:                    ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3.i, %B738.us.us.us.us.us.us.us31.preheader.i
  %lsr.iv187.us.us.i = phi i64 [ %lsr.iv.next188.us.us.3.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3.i ], [ %arg.b, %B738.us.us.us.us.us.us.us31.preheader.i ]
  %.345251269.us.us.us.us.us.us.us32.i = phi i64 [ %.352.us.us.us.us.us.us.us33.3.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3.i ], [ 0, %B738.us.us.us.us.us.us.us31.preheader.i ]
  br label %B1178.us.us.us.us.us.epil.us.us.i

B1178.us.us.us.us.us.epil.us.us.i:                ; preds = %B1178.us.us.us.us.us.epil.us.us.i, %B738.us.us.us.us.us.us.us31.i
  %lsr.iv199.us.us.i = phi i64 [ %lsr.iv.next200.us.us.i, %B1178.us.us.us.us.us.epil.us.us.i ], [ %xtraiter131.i, %B738.us.us.us.us.us.us.us31.i ]
  %lsr.iv197.us.us.i = phi i64 [ %lsr.iv.next198.us.us.i, %B1178.us.us.us.us.us.epil.us.us.i ], [ %lsr.iv191.us.i, %B738.us.us.us.us.us.us.us31.i ]
  %lsr.iv195.us.us.i = phi i64 [ %lsr.iv.next196.us.us.i, %B1178.us.us.us.us.us.epil.us.us.i ], [ %lsr.iv187.us.us.i, %B738.us.us.us.us.us.us.us31.i ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.i = phi double [ %.726.us.us.us.us.us.epil.us.us.i, %B1178.us.us.us.us.us.epil.us.us.i ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us31.i ]
  %.711.us.us.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv197.us.us.i to ptr
  %.712.us.us.us.us.us.epil.us.us.i = load double, ptr %.711.us.us.us.us.us.epil.us.us.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv195.us.us.i to ptr
  %.723.us.us.us.us.us.epil.us.us.i = load double, ptr %.722.us.us.us.us.us.epil.us.us.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil.us.us.i = fmul double %.712.us.us.us.us.us.epil.us.us.i, %.723.us.us.us.us.us.epil.us.us.i
  %.726.us.us.us.us.us.epil.us.us.i = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.i, %.724.us.us.us.us.us.epil.us.us.i
  %lsr.iv.next196.us.us.i = add i64 %lsr.iv195.us.us.i, %factor.op.mul235.i
  %lsr.iv.next198.us.us.i = add i64 %lsr.iv197.us.us.i, %factor.op.mul233.i
  %lsr.iv.next200.us.us.i = add nsw i64 %lsr.iv199.us.us.i, -1
  %epil.iter125.cmp.not.us.us.i = icmp eq i64 %lsr.iv.next200.us.us.i, 0
  br i1 %epil.iter125.cmp.not.us.us.i, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i, label %B1178.us.us.us.us.us.epil.us.us.i, !llvm.loop !120

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i: ; preds = %B1178.us.us.us.us.us.epil.us.us.i
  %.738.us.us.us.us.us.us.us34.i = add nsw i64 %.345251269.us.us.us.us.us.us.us32.i, %.736.us.us.us.us29.i
  %.741.us.us.us.us.us.us.us35.i = shl nsw i64 %.738.us.us.us.us.us.us.us34.i, 3
  %.743.us.us.us.us.us.us.us36.i = add nsw i64 %.741.us.us.us.us.us.us.us35.i, %arg.c
  %.763.us.us.us.us.us.us.us37.i = fmul double %.54.i, %.726.us.us.us.us.us.epil.us.us.i
  %.767.us.us.us.us.us.us.us38.i = fadd double %.763.us.us.us.us.us.us.us37.i, 0.000000e+00
  %.771.us.us.us.us.us.us.us.i = inttoptr i64 %.743.us.us.us.us.us.us.us36.i to ptr
  store double %.767.us.us.us.us.us.us.us38.i, ptr %.771.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %lsr.iv.next188.us.us.i = add i64 %lsr.iv187.us.us.i, %factor.op.mul249.i
  br label %B1178.us.us.us.us.us.epil.us.us.1.i

B1178.us.us.us.us.us.epil.us.us.1.i:              ; preds = %B1178.us.us.us.us.us.epil.us.us.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i
  %lsr.iv199.us.us.1.i = phi i64 [ %lsr.iv.next200.us.us.1.i, %B1178.us.us.us.us.us.epil.us.us.1.i ], [ %xtraiter131.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %lsr.iv197.us.us.1.i = phi i64 [ %lsr.iv.next198.us.us.1.i, %B1178.us.us.us.us.us.epil.us.us.1.i ], [ %lsr.iv191.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %lsr.iv195.us.us.1.i = phi i64 [ %lsr.iv.next196.us.us.1.i, %B1178.us.us.us.us.us.epil.us.us.1.i ], [ %lsr.iv.next188.us.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.1.i = phi double [ %.726.us.us.us.us.us.epil.us.us.1.i, %B1178.us.us.us.us.us.epil.us.us.1.i ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %.711.us.us.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv197.us.us.1.i to ptr
  %.712.us.us.us.us.us.epil.us.us.1.i = load double, ptr %.711.us.us.us.us.us.epil.us.us.1.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv195.us.us.1.i to ptr
  %.723.us.us.us.us.us.epil.us.us.1.i = load double, ptr %.722.us.us.us.us.us.epil.us.us.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil.us.us.1.i = fmul double %.712.us.us.us.us.us.epil.us.us.1.i, %.723.us.us.us.us.us.epil.us.us.1.i
  %.726.us.us.us.us.us.epil.us.us.1.i = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.1.i, %.724.us.us.us.us.us.epil.us.us.1.i
  %lsr.iv.next196.us.us.1.i = add i64 %lsr.iv195.us.us.1.i, %factor.op.mul235.i
  %lsr.iv.next198.us.us.1.i = add i64 %lsr.iv197.us.us.1.i, %factor.op.mul233.i
  %lsr.iv.next200.us.us.1.i = add nsw i64 %lsr.iv199.us.us.1.i, -1
  %epil.iter125.cmp.not.us.us.1.i = icmp eq i64 %lsr.iv.next200.us.us.1.i, 0
  br i1 %epil.iter125.cmp.not.us.us.1.i, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i, label %B1178.us.us.us.us.us.epil.us.us.1.i, !llvm.loop !120

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i: ; preds = %B1178.us.us.us.us.us.epil.us.us.1.i
  %.738.us.us.us.us.us.us.us34.1.i = add i64 %.352.us.us.us.us.us.us.us33.i, %.345251269.us.us.us.us.us.us.us32.i
  %.741.us.us.us.us.us.us.us35.1.i = shl nsw i64 %.738.us.us.us.us.us.us.us34.1.i, 3
  %.743.us.us.us.us.us.us.us36.1.i = add nsw i64 %.741.us.us.us.us.us.us.us35.1.i, %arg.c
  %.763.us.us.us.us.us.us.us37.1.i = fmul double %.54.i, %.726.us.us.us.us.us.epil.us.us.1.i
  %.767.us.us.us.us.us.us.us38.1.i = fadd double %.763.us.us.us.us.us.us.us37.1.i, 0.000000e+00
  %.771.us.us.us.us.us.us.us.1.i = inttoptr i64 %.743.us.us.us.us.us.us.us36.1.i to ptr
  store double %.767.us.us.us.us.us.us.us38.1.i, ptr %.771.us.us.us.us.us.us.us.1.i, align 8, !noalias !117
  %lsr.iv.next188.us.us.1.i = add i64 %lsr.iv.next188.us.us.i, %factor.op.mul249.i
  br label %B1178.us.us.us.us.us.epil.us.us.2.i

B1178.us.us.us.us.us.epil.us.us.2.i:              ; preds = %B1178.us.us.us.us.us.epil.us.us.2.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i
  %lsr.iv199.us.us.2.i = phi i64 [ %lsr.iv.next200.us.us.2.i, %B1178.us.us.us.us.us.epil.us.us.2.i ], [ %xtraiter131.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv197.us.us.2.i = phi i64 [ %lsr.iv.next198.us.us.2.i, %B1178.us.us.us.us.us.epil.us.us.2.i ], [ %lsr.iv191.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv195.us.us.2.i = phi i64 [ %lsr.iv.next196.us.us.2.i, %B1178.us.us.us.us.us.epil.us.us.2.i ], [ %lsr.iv.next188.us.us.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.2.i = phi double [ %.726.us.us.us.us.us.epil.us.us.2.i, %B1178.us.us.us.us.us.epil.us.us.2.i ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %.711.us.us.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv197.us.us.2.i to ptr
  %.712.us.us.us.us.us.epil.us.us.2.i = load double, ptr %.711.us.us.us.us.us.epil.us.us.2.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv195.us.us.2.i to ptr
  %.723.us.us.us.us.us.epil.us.us.2.i = load double, ptr %.722.us.us.us.us.us.epil.us.us.2.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil.us.us.2.i = fmul double %.712.us.us.us.us.us.epil.us.us.2.i, %.723.us.us.us.us.us.epil.us.us.2.i
  %.726.us.us.us.us.us.epil.us.us.2.i = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.2.i, %.724.us.us.us.us.us.epil.us.us.2.i
  %lsr.iv.next196.us.us.2.i = add i64 %lsr.iv195.us.us.2.i, %factor.op.mul235.i
  %lsr.iv.next198.us.us.2.i = add i64 %lsr.iv197.us.us.2.i, %factor.op.mul233.i
  %lsr.iv.next200.us.us.2.i = add nsw i64 %lsr.iv199.us.us.2.i, -1
  %epil.iter125.cmp.not.us.us.2.i = icmp eq i64 %lsr.iv.next200.us.us.2.i, 0
  br i1 %epil.iter125.cmp.not.us.us.2.i, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i, label %B1178.us.us.us.us.us.epil.us.us.2.i, !llvm.loop !120

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i: ; preds = %B1178.us.us.us.us.us.epil.us.us.2.i
  %.738.us.us.us.us.us.us.us34.2.i = add i64 %.352.us.us.us.us.us.us.us33.1.i, %.345251269.us.us.us.us.us.us.us32.i
  %.741.us.us.us.us.us.us.us35.2.i = shl nsw i64 %.738.us.us.us.us.us.us.us34.2.i, 3
  %.743.us.us.us.us.us.us.us36.2.i = add nsw i64 %.741.us.us.us.us.us.us.us35.2.i, %arg.c
  %.763.us.us.us.us.us.us.us37.2.i = fmul double %.54.i, %.726.us.us.us.us.us.epil.us.us.2.i
  %.767.us.us.us.us.us.us.us38.2.i = fadd double %.763.us.us.us.us.us.us.us37.2.i, 0.000000e+00
  %.771.us.us.us.us.us.us.us.2.i = inttoptr i64 %.743.us.us.us.us.us.us.us36.2.i to ptr
  store double %.767.us.us.us.us.us.us.us38.2.i, ptr %.771.us.us.us.us.us.us.us.2.i, align 8, !noalias !117
  %lsr.iv.next188.us.us.2.i = add i64 %lsr.iv.next188.us.us.1.i, %factor.op.mul249.i
  br label %B1178.us.us.us.us.us.epil.us.us.3.i

B1178.us.us.us.us.us.epil.us.us.3.i:              ; preds = %B1178.us.us.us.us.us.epil.us.us.3.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i
  %lsr.iv199.us.us.3.i = phi i64 [ %lsr.iv.next200.us.us.3.i, %B1178.us.us.us.us.us.epil.us.us.3.i ], [ %xtraiter131.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv197.us.us.3.i = phi i64 [ %lsr.iv.next198.us.us.3.i, %B1178.us.us.us.us.us.epil.us.us.3.i ], [ %lsr.iv191.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv195.us.us.3.i = phi i64 [ %lsr.iv.next196.us.us.3.i, %B1178.us.us.us.us.us.epil.us.us.3.i ], [ %lsr.iv.next188.us.us.2.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.3.i = phi double [ %.726.us.us.us.us.us.epil.us.us.3.i, %B1178.us.us.us.us.us.epil.us.us.3.i ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %.711.us.us.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv197.us.us.3.i to ptr
  %.712.us.us.us.us.us.epil.us.us.3.i = load double, ptr %.711.us.us.us.us.us.epil.us.us.3.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv195.us.us.3.i to ptr
  %.723.us.us.us.us.us.epil.us.us.3.i = load double, ptr %.722.us.us.us.us.us.epil.us.us.3.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil.us.us.3.i = fmul double %.712.us.us.us.us.us.epil.us.us.3.i, %.723.us.us.us.us.us.epil.us.us.3.i
  %.726.us.us.us.us.us.epil.us.us.3.i = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.3.i, %.724.us.us.us.us.us.epil.us.us.3.i
  %lsr.iv.next196.us.us.3.i = add i64 %lsr.iv195.us.us.3.i, %factor.op.mul235.i
  %lsr.iv.next198.us.us.3.i = add i64 %lsr.iv197.us.us.3.i, %factor.op.mul233.i
  %lsr.iv.next200.us.us.3.i = add nsw i64 %lsr.iv199.us.us.3.i, -1
  %epil.iter125.cmp.not.us.us.3.i = icmp eq i64 %lsr.iv.next200.us.us.3.i, 0
  br i1 %epil.iter125.cmp.not.us.us.3.i, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3.i, label %B1178.us.us.us.us.us.epil.us.us.3.i, !llvm.loop !120

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3.i: ; preds = %B1178.us.us.us.us.us.epil.us.us.3.i
  %.352.us.us.us.us.us.us.us33.3.i = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us32.i, 4
  %.738.us.us.us.us.us.us.us34.3.i = add i64 %.352.us.us.us.us.us.us.us33.2.i, %.345251269.us.us.us.us.us.us.us32.i
  %.741.us.us.us.us.us.us.us35.3.i = shl nsw i64 %.738.us.us.us.us.us.us.us34.3.i, 3
  %.743.us.us.us.us.us.us.us36.3.i = add nsw i64 %.741.us.us.us.us.us.us.us35.3.i, %arg.c
  %.763.us.us.us.us.us.us.us37.3.i = fmul double %.54.i, %.726.us.us.us.us.us.epil.us.us.3.i
  %.767.us.us.us.us.us.us.us38.3.i = fadd double %.763.us.us.us.us.us.us.us37.3.i, 0.000000e+00
  %.771.us.us.us.us.us.us.us.3.i = inttoptr i64 %.743.us.us.us.us.us.us.us36.3.i to ptr
  store double %.767.us.us.us.us.us.us.us38.3.i, ptr %.771.us.us.us.us.us.us.us.3.i, align 8, !noalias !117
  %lsr.iv.next188.us.us.3.i = add i64 %lsr.iv.next188.us.us.2.i, %factor.op.mul249.i
  %niter189.ncmp.3.i = icmp eq i64 %.352.us.us.us.us.us.us.us33.3.i, %unroll_iter188.i
  br i1 %niter189.ncmp.3.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa.i, label %B738.us.us.us.us.us.us.us31.i

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa.i: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3.i
  br i1 %5, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i, label %B738.us.us.us.us.us.us.us31.epil.i.preheader

B738.us.us.us.us.us.us.us31.epil.i.preheader:     ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa.i, %B702.endif.us.us.us.us27.i
  %lsr.iv187.us.us.epil.i.ph = phi i64 [ %lsr.iv.next188.us.us.3.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa.i ], [ %arg.b, %B702.endif.us.us.us.us27.i ]
  %.345251269.us.us.us.us.us.us.us32.epil.i.ph = phi i64 [ %unroll_iter188.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa.i ], [ 0, %B702.endif.us.us.us.us27.i ]
  br label %B738.us.us.us.us.us.us.us31.epil.i

B738.us.us.us.us.us.us.us31.epil.i:               ; preds = %B738.us.us.us.us.us.us.us31.epil.i.preheader, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i
  %lsr.iv187.us.us.epil.i = phi i64 [ %lsr.iv.next188.us.us.epil.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i ], [ %lsr.iv187.us.us.epil.i.ph, %B738.us.us.us.us.us.us.us31.epil.i.preheader ]
  %.345251269.us.us.us.us.us.us.us32.epil.i = phi i64 [ %.352.us.us.us.us.us.us.us33.epil.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i ], [ %.345251269.us.us.us.us.us.us.us32.epil.i.ph, %B738.us.us.us.us.us.us.us31.epil.i.preheader ]
  %epil.iter185.i = phi i64 [ %epil.iter185.next.i, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i ], [ 0, %B738.us.us.us.us.us.us.us31.epil.i.preheader ]
  br label %B1178.us.us.us.us.us.epil.us.us.epil.i

B1178.us.us.us.us.us.epil.us.us.epil.i:           ; preds = %B1178.us.us.us.us.us.epil.us.us.epil.i, %B738.us.us.us.us.us.us.us31.epil.i
  %lsr.iv199.us.us.epil.i = phi i64 [ %lsr.iv.next200.us.us.epil.i, %B1178.us.us.us.us.us.epil.us.us.epil.i ], [ %xtraiter131.i, %B738.us.us.us.us.us.us.us31.epil.i ]
  %lsr.iv197.us.us.epil.i = phi i64 [ %lsr.iv.next198.us.us.epil.i, %B1178.us.us.us.us.us.epil.us.us.epil.i ], [ %lsr.iv191.us.i, %B738.us.us.us.us.us.us.us31.epil.i ]
  %lsr.iv195.us.us.epil.i = phi i64 [ %lsr.iv.next196.us.us.epil.i, %B1178.us.us.us.us.us.epil.us.us.epil.i ], [ %lsr.iv187.us.us.epil.i, %B738.us.us.us.us.us.us.us31.epil.i ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.epil.i = phi double [ %.726.us.us.us.us.us.epil.us.us.epil.i, %B1178.us.us.us.us.us.epil.us.us.epil.i ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us31.epil.i ]
  %.711.us.us.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv197.us.us.epil.i to ptr
  %.712.us.us.us.us.us.epil.us.us.epil.i = load double, ptr %.711.us.us.us.us.us.epil.us.us.epil.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv195.us.us.epil.i to ptr
  %.723.us.us.us.us.us.epil.us.us.epil.i = load double, ptr %.722.us.us.us.us.us.epil.us.us.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil.us.us.epil.i = fmul double %.712.us.us.us.us.us.epil.us.us.epil.i, %.723.us.us.us.us.us.epil.us.us.epil.i
  %.726.us.us.us.us.us.epil.us.us.epil.i = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.epil.i, %.724.us.us.us.us.us.epil.us.us.epil.i
  %lsr.iv.next196.us.us.epil.i = add i64 %lsr.iv195.us.us.epil.i, %factor.op.mul235.i
  %lsr.iv.next198.us.us.epil.i = add i64 %lsr.iv197.us.us.epil.i, %factor.op.mul233.i
  %lsr.iv.next200.us.us.epil.i = add nsw i64 %lsr.iv199.us.us.epil.i, -1
  %epil.iter125.cmp.not.us.us.epil.i = icmp eq i64 %lsr.iv.next200.us.us.epil.i, 0
  br i1 %epil.iter125.cmp.not.us.us.epil.i, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i, label %B1178.us.us.us.us.us.epil.us.us.epil.i, !llvm.loop !120

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i: ; preds = %B1178.us.us.us.us.us.epil.us.us.epil.i
  %.352.us.us.us.us.us.us.us33.epil.i = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us32.epil.i, 1
  %.738.us.us.us.us.us.us.us34.epil.i = add nsw i64 %.345251269.us.us.us.us.us.us.us32.epil.i, %.736.us.us.us.us29.i
  %.741.us.us.us.us.us.us.us35.epil.i = shl nsw i64 %.738.us.us.us.us.us.us.us34.epil.i, 3
  %.743.us.us.us.us.us.us.us36.epil.i = add nsw i64 %.741.us.us.us.us.us.us.us35.epil.i, %arg.c
  %.763.us.us.us.us.us.us.us37.epil.i = fmul double %.54.i, %.726.us.us.us.us.us.epil.us.us.epil.i
  %.767.us.us.us.us.us.us.us38.epil.i = fadd double %.763.us.us.us.us.us.us.us37.epil.i, 0.000000e+00
  %.771.us.us.us.us.us.us.us.epil.i = inttoptr i64 %.743.us.us.us.us.us.us.us36.epil.i to ptr
  store double %.767.us.us.us.us.us.us.us38.epil.i, ptr %.771.us.us.us.us.us.us.us.epil.i, align 8, !noalias !117
  %lsr.iv.next188.us.us.epil.i = add i64 %lsr.iv187.us.us.epil.i, %factor.op.mul249.i
  %epil.iter185.next.i = add i64 %epil.iter185.i, 1
  %epil.iter185.cmp.not.i = icmp eq i64 %epil.iter185.next.i, %xtraiter184.i
  br i1 %epil.iter185.cmp.not.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i, label %B738.us.us.us.us.us.us.us31.epil.i, !llvm.loop !121

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa.i
  %.230.us.us.us.us30.i = add nuw nsw i64 %.223332346.us.us.us.us28.i, 1
  %lsr.iv.next192.us.i = add i64 %lsr.iv191.us.i, %factor.op.mul330.i
  %exitcond540.not.us.i = icmp eq i64 %arg.m, %.230.us.us.us.us30.i
  br i1 %exitcond540.not.us.i, label %common.ret, label %B702.endif.us.us.us.us27.i

B702.endif.us.us.us.us.preheader.i:               ; preds = %B702.endif.lr.ph.split.us.split.us.split.us.i
  br i1 %3, label %B702.endif.us.us.us.us.us.preheader.i, label %B702.endif.us.us.us.us.preheader41.i

B702.endif.us.us.us.us.us.preheader.i:            ; preds = %B702.endif.us.us.us.us.preheader.i
  %xtraiter212.i = and i64 %arg.n, 3
  %unroll_iter216.i = and i64 %arg.n, 9223372036854775804
  %16 = icmp samesign ult i64 %arg.n, 4
  %17 = icmp eq i64 %xtraiter212.i, 0
  br label %B702.endif.us.us.us.us.us.i

B702.endif.us.us.us.us.preheader41.i:             ; preds = %B702.endif.us.us.us.us.preheader.i
  %18 = mul i64 %unroll_iter136.i, %factor.op.mul235.i
  %19 = mul i64 %unroll_iter136.i, %factor.op.mul233.i
  %20 = add nsw i64 %.38.i, -8
  %21 = lshr i64 %20, 3
  %22 = add nuw nsw i64 %21, 1
  %23 = and i64 %22, 4611686018427387902
  %24 = icmp eq i64 %21, 0
  %25 = icmp eq i64 %xtraiter131.i, 0
  %26 = and i64 %20, 8
  %27 = icmp eq i64 %26, 0
  br label %B702.endif.us.us.us.us.i

B702.endif.us.us.us.us.us.i:                      ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i, %B702.endif.us.us.us.us.us.preheader.i
  %lsr.iv177.us.i = phi i64 [ %lsr.iv.next178.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i ], [ %arg.a, %B702.endif.us.us.us.us.us.preheader.i ]
  %.223332346.us.us.us.us.us.i = phi i64 [ %.230.us.us.us.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i ], [ 0, %B702.endif.us.us.us.us.us.preheader.i ]
  %.736.us.us.us.us.us.i = mul nsw i64 %.223332346.us.us.us.us.us.i, %.46.i
  br i1 %16, label %B738.us.us.us.us.us.us.us.us.us.epil.i.preheader, label %B738.us.us.us.us.us.us.us.us.us.preheader.i

B738.us.us.us.us.us.us.us.us.us.preheader.i:      ; preds = %B702.endif.us.us.us.us.us.i
  %.352.us.us.us.us.us.us.us.us.us.i = add i64 %.736.us.us.us.us.us.i, 1
  %.352.us.us.us.us.us.us.us.us.us.1.i = add i64 %.736.us.us.us.us.us.i, 2
  %.352.us.us.us.us.us.us.us.us.us.2.i = add i64 %.736.us.us.us.us.us.i, 3
  br label %B738.us.us.us.us.us.us.us.us.us.i

B738.us.us.us.us.us.us.us.us.us.i:                ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3.i, %B738.us.us.us.us.us.us.us.us.us.preheader.i
  %lsr.iv173.us.us.i = phi i64 [ %lsr.iv.next174.us.us.3.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3.i ], [ %arg.b, %B738.us.us.us.us.us.us.us.us.us.preheader.i ]
  %.345251269.us.us.us.us.us.us.us.us.us.i = phi i64 [ %.352.us.us.us.us.us.us.us.us.us.3.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3.i ], [ 0, %B738.us.us.us.us.us.us.us.us.us.preheader.i ]
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.i

B1178.us.us.us.us.us.us.us.epil.us.us.i:          ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.i, %B738.us.us.us.us.us.us.us.us.us.i
  %lsr.iv185.us.us.i = phi i64 [ %lsr.iv.next186.us.us.i, %B1178.us.us.us.us.us.us.us.epil.us.us.i ], [ %xtraiter131.i, %B738.us.us.us.us.us.us.us.us.us.i ]
  %lsr.iv183.us.us.i = phi i64 [ %lsr.iv.next184.us.us.i, %B1178.us.us.us.us.us.us.us.epil.us.us.i ], [ %lsr.iv177.us.i, %B738.us.us.us.us.us.us.us.us.us.i ]
  %lsr.iv181.us.us.i = phi i64 [ %lsr.iv.next182.us.us.i, %B1178.us.us.us.us.us.us.us.epil.us.us.i ], [ %lsr.iv173.us.us.i, %B738.us.us.us.us.us.us.us.us.us.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.i = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.i, %B1178.us.us.us.us.us.us.us.epil.us.us.i ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us.us.us.i ]
  %.711.us.us.us.us.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv183.us.us.i to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.i = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv181.us.us.i to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.i = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil.us.us.i = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.i, %.723.us.us.us.us.us.us.us.epil.us.us.i
  %.726.us.us.us.us.us.us.us.epil.us.us.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.i, %.724.us.us.us.us.us.us.us.epil.us.us.i
  %lsr.iv.next182.us.us.i = add i64 %lsr.iv181.us.us.i, %factor.op.mul235.i
  %lsr.iv.next184.us.us.i = add i64 %lsr.iv183.us.us.i, %factor.op.mul233.i
  %lsr.iv.next186.us.us.i = add nsw i64 %lsr.iv185.us.us.i, -1
  %epil.iter132.cmp.not.us.us.i = icmp eq i64 %lsr.iv.next186.us.us.i, 0
  br i1 %epil.iter132.cmp.not.us.us.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i, label %B1178.us.us.us.us.us.us.us.epil.us.us.i, !llvm.loop !122

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.i
  %.738.us.us.us.us.us.us.us.us.us.i = add nsw i64 %.345251269.us.us.us.us.us.us.us.us.us.i, %.736.us.us.us.us.us.i
  %.741.us.us.us.us.us.us.us.us.us.i = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.i, 3
  %.743.us.us.us.us.us.us.us.us.us.i = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.i, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.i = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.i to ptr
  %.755.us.us.us.us.us.us.us.us.us.i = load double, ptr %.754.us.us.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %.757.us.us.us.us.us.us.us.us.us.i = fmul double %.62.i, %.755.us.us.us.us.us.us.us.us.us.i
  %.763.us.us.us.us.us.us.us.us.us.i = fmul double %.54.i, %.726.us.us.us.us.us.us.us.epil.us.us.i
  %.767.us.us.us.us.us.us.us.us.us.i = fadd double %.763.us.us.us.us.us.us.us.us.us.i, %.757.us.us.us.us.us.us.us.us.us.i
  store double %.767.us.us.us.us.us.us.us.us.us.i, ptr %.754.us.us.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %lsr.iv.next174.us.us.i = add i64 %lsr.iv173.us.us.i, %factor.op.mul249.i
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.1.i

B1178.us.us.us.us.us.us.us.epil.us.us.1.i:        ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i
  %lsr.iv185.us.us.1.i = phi i64 [ %lsr.iv.next186.us.us.1.i, %B1178.us.us.us.us.us.us.us.epil.us.us.1.i ], [ %xtraiter131.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i ]
  %lsr.iv183.us.us.1.i = phi i64 [ %lsr.iv.next184.us.us.1.i, %B1178.us.us.us.us.us.us.us.epil.us.us.1.i ], [ %lsr.iv177.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i ]
  %lsr.iv181.us.us.1.i = phi i64 [ %lsr.iv.next182.us.us.1.i, %B1178.us.us.us.us.us.us.us.epil.us.us.1.i ], [ %lsr.iv.next174.us.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.1.i = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.1.i, %B1178.us.us.us.us.us.us.us.epil.us.us.1.i ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.i ]
  %.711.us.us.us.us.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv183.us.us.1.i to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.1.i = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.1.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv181.us.us.1.i to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.1.i = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil.us.us.1.i = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.1.i, %.723.us.us.us.us.us.us.us.epil.us.us.1.i
  %.726.us.us.us.us.us.us.us.epil.us.us.1.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.1.i, %.724.us.us.us.us.us.us.us.epil.us.us.1.i
  %lsr.iv.next182.us.us.1.i = add i64 %lsr.iv181.us.us.1.i, %factor.op.mul235.i
  %lsr.iv.next184.us.us.1.i = add i64 %lsr.iv183.us.us.1.i, %factor.op.mul233.i
  %lsr.iv.next186.us.us.1.i = add nsw i64 %lsr.iv185.us.us.1.i, -1
  %epil.iter132.cmp.not.us.us.1.i = icmp eq i64 %lsr.iv.next186.us.us.1.i, 0
  br i1 %epil.iter132.cmp.not.us.us.1.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i, label %B1178.us.us.us.us.us.us.us.epil.us.us.1.i, !llvm.loop !122

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.1.i
  %.738.us.us.us.us.us.us.us.us.us.1.i = add i64 %.352.us.us.us.us.us.us.us.us.us.i, %.345251269.us.us.us.us.us.us.us.us.us.i
  %.741.us.us.us.us.us.us.us.us.us.1.i = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.1.i, 3
  %.743.us.us.us.us.us.us.us.us.us.1.i = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.1.i, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.1.i = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.1.i to ptr
  %.755.us.us.us.us.us.us.us.us.us.1.i = load double, ptr %.754.us.us.us.us.us.us.us.us.us.1.i, align 8, !noalias !117
  %.757.us.us.us.us.us.us.us.us.us.1.i = fmul double %.62.i, %.755.us.us.us.us.us.us.us.us.us.1.i
  %.763.us.us.us.us.us.us.us.us.us.1.i = fmul double %.54.i, %.726.us.us.us.us.us.us.us.epil.us.us.1.i
  %.767.us.us.us.us.us.us.us.us.us.1.i = fadd double %.763.us.us.us.us.us.us.us.us.us.1.i, %.757.us.us.us.us.us.us.us.us.us.1.i
  store double %.767.us.us.us.us.us.us.us.us.us.1.i, ptr %.754.us.us.us.us.us.us.us.us.us.1.i, align 8, !noalias !117
  %lsr.iv.next174.us.us.1.i = add i64 %lsr.iv.next174.us.us.i, %factor.op.mul249.i
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.2.i

B1178.us.us.us.us.us.us.us.epil.us.us.2.i:        ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.2.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i
  %lsr.iv185.us.us.2.i = phi i64 [ %lsr.iv.next186.us.us.2.i, %B1178.us.us.us.us.us.us.us.epil.us.us.2.i ], [ %xtraiter131.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv183.us.us.2.i = phi i64 [ %lsr.iv.next184.us.us.2.i, %B1178.us.us.us.us.us.us.us.epil.us.us.2.i ], [ %lsr.iv177.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv181.us.us.2.i = phi i64 [ %lsr.iv.next182.us.us.2.i, %B1178.us.us.us.us.us.us.us.epil.us.us.2.i ], [ %lsr.iv.next174.us.us.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.2.i = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.2.i, %B1178.us.us.us.us.us.us.us.epil.us.us.2.i ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1.i ]
  %.711.us.us.us.us.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv183.us.us.2.i to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.2.i = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.2.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv181.us.us.2.i to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.2.i = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.2.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil.us.us.2.i = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.2.i, %.723.us.us.us.us.us.us.us.epil.us.us.2.i
  %.726.us.us.us.us.us.us.us.epil.us.us.2.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.2.i, %.724.us.us.us.us.us.us.us.epil.us.us.2.i
  %lsr.iv.next182.us.us.2.i = add i64 %lsr.iv181.us.us.2.i, %factor.op.mul235.i
  %lsr.iv.next184.us.us.2.i = add i64 %lsr.iv183.us.us.2.i, %factor.op.mul233.i
  %lsr.iv.next186.us.us.2.i = add nsw i64 %lsr.iv185.us.us.2.i, -1
  %epil.iter132.cmp.not.us.us.2.i = icmp eq i64 %lsr.iv.next186.us.us.2.i, 0
  br i1 %epil.iter132.cmp.not.us.us.2.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i, label %B1178.us.us.us.us.us.us.us.epil.us.us.2.i, !llvm.loop !122

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.2.i
  %.738.us.us.us.us.us.us.us.us.us.2.i = add i64 %.352.us.us.us.us.us.us.us.us.us.1.i, %.345251269.us.us.us.us.us.us.us.us.us.i
  %.741.us.us.us.us.us.us.us.us.us.2.i = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.2.i, 3
  %.743.us.us.us.us.us.us.us.us.us.2.i = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.2.i, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.2.i = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.2.i to ptr
  %.755.us.us.us.us.us.us.us.us.us.2.i = load double, ptr %.754.us.us.us.us.us.us.us.us.us.2.i, align 8, !noalias !117
  %.757.us.us.us.us.us.us.us.us.us.2.i = fmul double %.62.i, %.755.us.us.us.us.us.us.us.us.us.2.i
  %.763.us.us.us.us.us.us.us.us.us.2.i = fmul double %.54.i, %.726.us.us.us.us.us.us.us.epil.us.us.2.i
  %.767.us.us.us.us.us.us.us.us.us.2.i = fadd double %.763.us.us.us.us.us.us.us.us.us.2.i, %.757.us.us.us.us.us.us.us.us.us.2.i
  store double %.767.us.us.us.us.us.us.us.us.us.2.i, ptr %.754.us.us.us.us.us.us.us.us.us.2.i, align 8, !noalias !117
  %lsr.iv.next174.us.us.2.i = add i64 %lsr.iv.next174.us.us.1.i, %factor.op.mul249.i
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.3.i

B1178.us.us.us.us.us.us.us.epil.us.us.3.i:        ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.3.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i
  %lsr.iv185.us.us.3.i = phi i64 [ %lsr.iv.next186.us.us.3.i, %B1178.us.us.us.us.us.us.us.epil.us.us.3.i ], [ %xtraiter131.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv183.us.us.3.i = phi i64 [ %lsr.iv.next184.us.us.3.i, %B1178.us.us.us.us.us.us.us.epil.us.us.3.i ], [ %lsr.iv177.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv181.us.us.3.i = phi i64 [ %lsr.iv.next182.us.us.3.i, %B1178.us.us.us.us.us.us.us.epil.us.us.3.i ], [ %lsr.iv.next174.us.us.2.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.3.i = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.3.i, %B1178.us.us.us.us.us.us.us.epil.us.us.3.i ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2.i ]
  %.711.us.us.us.us.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv183.us.us.3.i to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.3.i = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.3.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv181.us.us.3.i to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.3.i = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.3.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil.us.us.3.i = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.3.i, %.723.us.us.us.us.us.us.us.epil.us.us.3.i
  %.726.us.us.us.us.us.us.us.epil.us.us.3.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.3.i, %.724.us.us.us.us.us.us.us.epil.us.us.3.i
  %lsr.iv.next182.us.us.3.i = add i64 %lsr.iv181.us.us.3.i, %factor.op.mul235.i
  %lsr.iv.next184.us.us.3.i = add i64 %lsr.iv183.us.us.3.i, %factor.op.mul233.i
  %lsr.iv.next186.us.us.3.i = add nsw i64 %lsr.iv185.us.us.3.i, -1
  %epil.iter132.cmp.not.us.us.3.i = icmp eq i64 %lsr.iv.next186.us.us.3.i, 0
  br i1 %epil.iter132.cmp.not.us.us.3.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3.i, label %B1178.us.us.us.us.us.us.us.epil.us.us.3.i, !llvm.loop !122

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3.i: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.3.i
  %.352.us.us.us.us.us.us.us.us.us.3.i = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us.us.us.i, 4
  %.738.us.us.us.us.us.us.us.us.us.3.i = add i64 %.352.us.us.us.us.us.us.us.us.us.2.i, %.345251269.us.us.us.us.us.us.us.us.us.i
  %.741.us.us.us.us.us.us.us.us.us.3.i = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.3.i, 3
  %.743.us.us.us.us.us.us.us.us.us.3.i = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.3.i, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.3.i = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.3.i to ptr
  %.755.us.us.us.us.us.us.us.us.us.3.i = load double, ptr %.754.us.us.us.us.us.us.us.us.us.3.i, align 8, !noalias !117
  %.757.us.us.us.us.us.us.us.us.us.3.i = fmul double %.62.i, %.755.us.us.us.us.us.us.us.us.us.3.i
  %.763.us.us.us.us.us.us.us.us.us.3.i = fmul double %.54.i, %.726.us.us.us.us.us.us.us.epil.us.us.3.i
  %.767.us.us.us.us.us.us.us.us.us.3.i = fadd double %.763.us.us.us.us.us.us.us.us.us.3.i, %.757.us.us.us.us.us.us.us.us.us.3.i
  store double %.767.us.us.us.us.us.us.us.us.us.3.i, ptr %.754.us.us.us.us.us.us.us.us.us.3.i, align 8, !noalias !117
  %lsr.iv.next174.us.us.3.i = add i64 %lsr.iv.next174.us.us.2.i, %factor.op.mul249.i
  %niter217.ncmp.3.i = icmp eq i64 %.352.us.us.us.us.us.us.us.us.us.3.i, %unroll_iter216.i
  br i1 %niter217.ncmp.3.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa.i, label %B738.us.us.us.us.us.us.us.us.us.i

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa.i: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3.i
  br i1 %17, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i, label %B738.us.us.us.us.us.us.us.us.us.epil.i.preheader

B738.us.us.us.us.us.us.us.us.us.epil.i.preheader: ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa.i, %B702.endif.us.us.us.us.us.i
  %lsr.iv173.us.us.epil.i.ph = phi i64 [ %lsr.iv.next174.us.us.3.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa.i ], [ %arg.b, %B702.endif.us.us.us.us.us.i ]
  %.345251269.us.us.us.us.us.us.us.us.us.epil.i.ph = phi i64 [ %unroll_iter216.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa.i ], [ 0, %B702.endif.us.us.us.us.us.i ]
  br label %B738.us.us.us.us.us.us.us.us.us.epil.i

B738.us.us.us.us.us.us.us.us.us.epil.i:           ; preds = %B738.us.us.us.us.us.us.us.us.us.epil.i.preheader, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i
  %lsr.iv173.us.us.epil.i = phi i64 [ %lsr.iv.next174.us.us.epil.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i ], [ %lsr.iv173.us.us.epil.i.ph, %B738.us.us.us.us.us.us.us.us.us.epil.i.preheader ]
  %.345251269.us.us.us.us.us.us.us.us.us.epil.i = phi i64 [ %.352.us.us.us.us.us.us.us.us.us.epil.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i ], [ %.345251269.us.us.us.us.us.us.us.us.us.epil.i.ph, %B738.us.us.us.us.us.us.us.us.us.epil.i.preheader ]
  %epil.iter213.i = phi i64 [ %epil.iter213.next.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i ], [ 0, %B738.us.us.us.us.us.us.us.us.us.epil.i.preheader ]
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i

B1178.us.us.us.us.us.us.us.epil.us.us.epil.i:     ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i, %B738.us.us.us.us.us.us.us.us.us.epil.i
  %lsr.iv185.us.us.epil.i = phi i64 [ %lsr.iv.next186.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i ], [ %xtraiter131.i, %B738.us.us.us.us.us.us.us.us.us.epil.i ]
  %lsr.iv183.us.us.epil.i = phi i64 [ %lsr.iv.next184.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i ], [ %lsr.iv177.us.i, %B738.us.us.us.us.us.us.us.us.us.epil.i ]
  %lsr.iv181.us.us.epil.i = phi i64 [ %lsr.iv.next182.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i ], [ %lsr.iv173.us.us.epil.i, %B738.us.us.us.us.us.us.us.us.us.epil.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.epil.i = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us.us.us.epil.i ]
  %.711.us.us.us.us.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv183.us.us.epil.i to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.epil.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv181.us.us.epil.i to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil.us.us.epil.i = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.epil.i, %.723.us.us.us.us.us.us.us.epil.us.us.epil.i
  %.726.us.us.us.us.us.us.us.epil.us.us.epil.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.epil.i, %.724.us.us.us.us.us.us.us.epil.us.us.epil.i
  %lsr.iv.next182.us.us.epil.i = add i64 %lsr.iv181.us.us.epil.i, %factor.op.mul235.i
  %lsr.iv.next184.us.us.epil.i = add i64 %lsr.iv183.us.us.epil.i, %factor.op.mul233.i
  %lsr.iv.next186.us.us.epil.i = add nsw i64 %lsr.iv185.us.us.epil.i, -1
  %epil.iter132.cmp.not.us.us.epil.i = icmp eq i64 %lsr.iv.next186.us.us.epil.i, 0
  br i1 %epil.iter132.cmp.not.us.us.epil.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i, label %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i, !llvm.loop !122

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.epil.i
  %.352.us.us.us.us.us.us.us.us.us.epil.i = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us.us.us.epil.i, 1
  %.738.us.us.us.us.us.us.us.us.us.epil.i = add nsw i64 %.345251269.us.us.us.us.us.us.us.us.us.epil.i, %.736.us.us.us.us.us.i
  %.741.us.us.us.us.us.us.us.us.us.epil.i = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.epil.i, 3
  %.743.us.us.us.us.us.us.us.us.us.epil.i = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.epil.i, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.epil.i = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.epil.i to ptr
  %.755.us.us.us.us.us.us.us.us.us.epil.i = load double, ptr %.754.us.us.us.us.us.us.us.us.us.epil.i, align 8, !noalias !117
  %.757.us.us.us.us.us.us.us.us.us.epil.i = fmul double %.62.i, %.755.us.us.us.us.us.us.us.us.us.epil.i
  %.763.us.us.us.us.us.us.us.us.us.epil.i = fmul double %.54.i, %.726.us.us.us.us.us.us.us.epil.us.us.epil.i
  %.767.us.us.us.us.us.us.us.us.us.epil.i = fadd double %.763.us.us.us.us.us.us.us.us.us.epil.i, %.757.us.us.us.us.us.us.us.us.us.epil.i
  store double %.767.us.us.us.us.us.us.us.us.us.epil.i, ptr %.754.us.us.us.us.us.us.us.us.us.epil.i, align 8, !noalias !117
  %lsr.iv.next174.us.us.epil.i = add i64 %lsr.iv173.us.us.epil.i, %factor.op.mul249.i
  %epil.iter213.next.i = add i64 %epil.iter213.i, 1
  %epil.iter213.cmp.not.i = icmp eq i64 %epil.iter213.next.i, %xtraiter212.i
  br i1 %epil.iter213.cmp.not.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i, label %B738.us.us.us.us.us.us.us.us.us.epil.i, !llvm.loop !123

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa.i
  %.230.us.us.us.us.us.i = add nuw nsw i64 %.223332346.us.us.us.us.us.i, 1
  %lsr.iv.next178.us.i = add i64 %lsr.iv177.us.i, %factor.op.mul330.i
  %exitcond543.not.us.i = icmp eq i64 %arg.m, %.230.us.us.us.us.us.i
  br i1 %exitcond543.not.us.i, label %common.ret, label %B702.endif.us.us.us.us.us.i

B702.endif.us.us.us.us.i:                         ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.i, %B702.endif.us.us.us.us.preheader41.i
  %lsr.iv177.i = phi i64 [ %lsr.iv.next178.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.i ], [ %arg.a, %B702.endif.us.us.us.us.preheader41.i ]
  %.223332346.us.us.us.us.i = phi i64 [ %.230.us.us.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.i ], [ 0, %B702.endif.us.us.us.us.preheader41.i ]
  %.736.us.us.us.us.i = mul nsw i64 %.223332346.us.us.us.us.i, %.46.i
  %28 = add i64 %lsr.iv177.i, %19
  br label %B738.us.us.us.us.us.us.us.i

B738.us.us.us.us.us.us.us.i:                      ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.i, %B702.endif.us.us.us.us.i
  %lsr.iv173.i = phi i64 [ %lsr.iv.next174.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.i ], [ %arg.b, %B702.endif.us.us.us.us.i ]
  %.345251269.us.us.us.us.us.us.us.i = phi i64 [ %.352.us.us.us.us.us.us.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.i ], [ 0, %B702.endif.us.us.us.us.i ]
  br i1 %24, label %B1178.us.us.us.us.us.us.us.epil.preheader190.i, label %B1178.us.us.us.us.us.us.us.i

B1178.us.us.us.us.us.us.us.i:                     ; preds = %B738.us.us.us.us.us.us.us.i, %B1178.us.us.us.us.us.us.us.i
  %lsr.iv133.i = phi i64 [ %lsr.iv.next134.i, %B1178.us.us.us.us.us.us.us.i ], [ %23, %B738.us.us.us.us.us.us.us.i ]
  %lsr.iv179.i = phi i64 [ %59, %B1178.us.us.us.us.us.us.us.i ], [ %lsr.iv177.i, %B738.us.us.us.us.us.us.us.i ]
  %lsr.iv175.i = phi i64 [ %60, %B1178.us.us.us.us.us.us.us.i ], [ %lsr.iv173.i, %B738.us.us.us.us.us.us.us.i ]
  %sums.2.3241.us.us.us.us.us.us.us.i = phi double [ %.726.us.us.us.us.us.us.us.7.1.i, %B1178.us.us.us.us.us.us.us.i ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us.i ]
  %.711.us.us.us.us.us.us.us.i = inttoptr i64 %lsr.iv179.i to ptr
  %.712.us.us.us.us.us.us.us.i = load double, ptr %.711.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.i = inttoptr i64 %lsr.iv175.i to ptr
  %.723.us.us.us.us.us.us.us.i = load double, ptr %.722.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.i = fmul double %.712.us.us.us.us.us.us.us.i, %.723.us.us.us.us.us.us.us.i
  %.726.us.us.us.us.us.us.us.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.i, %.724.us.us.us.us.us.us.us.i
  %29 = add i64 %lsr.iv179.i, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.1.i = inttoptr i64 %29 to ptr
  %.712.us.us.us.us.us.us.us.1.i = load double, ptr %.711.us.us.us.us.us.us.us.1.i, align 8, !noalias !117
  %30 = add i64 %lsr.iv175.i, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.1.i = inttoptr i64 %30 to ptr
  %.723.us.us.us.us.us.us.us.1.i = load double, ptr %.722.us.us.us.us.us.us.us.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.1.i = fmul double %.712.us.us.us.us.us.us.us.1.i, %.723.us.us.us.us.us.us.us.1.i
  %.726.us.us.us.us.us.us.us.1.i = fadd double %.726.us.us.us.us.us.us.us.i, %.724.us.us.us.us.us.us.us.1.i
  %31 = add i64 %29, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.2.i = inttoptr i64 %31 to ptr
  %.712.us.us.us.us.us.us.us.2.i = load double, ptr %.711.us.us.us.us.us.us.us.2.i, align 8, !noalias !117
  %32 = add i64 %30, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.2.i = inttoptr i64 %32 to ptr
  %.723.us.us.us.us.us.us.us.2.i = load double, ptr %.722.us.us.us.us.us.us.us.2.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.2.i = fmul double %.712.us.us.us.us.us.us.us.2.i, %.723.us.us.us.us.us.us.us.2.i
  %.726.us.us.us.us.us.us.us.2.i = fadd double %.726.us.us.us.us.us.us.us.1.i, %.724.us.us.us.us.us.us.us.2.i
  %33 = add i64 %31, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.3.i = inttoptr i64 %33 to ptr
  %.712.us.us.us.us.us.us.us.3.i = load double, ptr %.711.us.us.us.us.us.us.us.3.i, align 8, !noalias !117
  %34 = add i64 %32, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.3.i = inttoptr i64 %34 to ptr
  %.723.us.us.us.us.us.us.us.3.i = load double, ptr %.722.us.us.us.us.us.us.us.3.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.3.i = fmul double %.712.us.us.us.us.us.us.us.3.i, %.723.us.us.us.us.us.us.us.3.i
  %.726.us.us.us.us.us.us.us.3.i = fadd double %.726.us.us.us.us.us.us.us.2.i, %.724.us.us.us.us.us.us.us.3.i
  %35 = add i64 %33, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.4.i = inttoptr i64 %35 to ptr
  %.712.us.us.us.us.us.us.us.4.i = load double, ptr %.711.us.us.us.us.us.us.us.4.i, align 8, !noalias !117
  %36 = add i64 %34, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.4.i = inttoptr i64 %36 to ptr
  %.723.us.us.us.us.us.us.us.4.i = load double, ptr %.722.us.us.us.us.us.us.us.4.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.4.i = fmul double %.712.us.us.us.us.us.us.us.4.i, %.723.us.us.us.us.us.us.us.4.i
  %.726.us.us.us.us.us.us.us.4.i = fadd double %.726.us.us.us.us.us.us.us.3.i, %.724.us.us.us.us.us.us.us.4.i
  %37 = add i64 %35, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.5.i = inttoptr i64 %37 to ptr
  %.712.us.us.us.us.us.us.us.5.i = load double, ptr %.711.us.us.us.us.us.us.us.5.i, align 8, !noalias !117
  %38 = add i64 %36, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.5.i = inttoptr i64 %38 to ptr
  %.723.us.us.us.us.us.us.us.5.i = load double, ptr %.722.us.us.us.us.us.us.us.5.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.5.i = fmul double %.712.us.us.us.us.us.us.us.5.i, %.723.us.us.us.us.us.us.us.5.i
  %.726.us.us.us.us.us.us.us.5.i = fadd double %.726.us.us.us.us.us.us.us.4.i, %.724.us.us.us.us.us.us.us.5.i
  %39 = add i64 %37, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.6.i = inttoptr i64 %39 to ptr
  %.712.us.us.us.us.us.us.us.6.i = load double, ptr %.711.us.us.us.us.us.us.us.6.i, align 8, !noalias !117
  %40 = add i64 %38, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.6.i = inttoptr i64 %40 to ptr
  %.723.us.us.us.us.us.us.us.6.i = load double, ptr %.722.us.us.us.us.us.us.us.6.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.6.i = fmul double %.712.us.us.us.us.us.us.us.6.i, %.723.us.us.us.us.us.us.us.6.i
  %.726.us.us.us.us.us.us.us.6.i = fadd double %.726.us.us.us.us.us.us.us.5.i, %.724.us.us.us.us.us.us.us.6.i
  %41 = add i64 %39, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.7.i = inttoptr i64 %41 to ptr
  %.712.us.us.us.us.us.us.us.7.i = load double, ptr %.711.us.us.us.us.us.us.us.7.i, align 8, !noalias !117
  %42 = add i64 %40, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.7.i = inttoptr i64 %42 to ptr
  %.723.us.us.us.us.us.us.us.7.i = load double, ptr %.722.us.us.us.us.us.us.us.7.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.7.i = fmul double %.712.us.us.us.us.us.us.us.7.i, %.723.us.us.us.us.us.us.us.7.i
  %.726.us.us.us.us.us.us.us.7.i = fadd double %.726.us.us.us.us.us.us.us.6.i, %.724.us.us.us.us.us.us.us.7.i
  %43 = add i64 %41, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.1206.i = inttoptr i64 %43 to ptr
  %.712.us.us.us.us.us.us.us.1207.i = load double, ptr %.711.us.us.us.us.us.us.us.1206.i, align 8, !noalias !117
  %44 = add i64 %42, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.1208.i = inttoptr i64 %44 to ptr
  %.723.us.us.us.us.us.us.us.1209.i = load double, ptr %.722.us.us.us.us.us.us.us.1208.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.1210.i = fmul double %.712.us.us.us.us.us.us.us.1207.i, %.723.us.us.us.us.us.us.us.1209.i
  %.726.us.us.us.us.us.us.us.1211.i = fadd double %.726.us.us.us.us.us.us.us.7.i, %.724.us.us.us.us.us.us.us.1210.i
  %45 = add i64 %43, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.1.1.i = inttoptr i64 %45 to ptr
  %.712.us.us.us.us.us.us.us.1.1.i = load double, ptr %.711.us.us.us.us.us.us.us.1.1.i, align 8, !noalias !117
  %46 = add i64 %44, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.1.1.i = inttoptr i64 %46 to ptr
  %.723.us.us.us.us.us.us.us.1.1.i = load double, ptr %.722.us.us.us.us.us.us.us.1.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.1.1.i = fmul double %.712.us.us.us.us.us.us.us.1.1.i, %.723.us.us.us.us.us.us.us.1.1.i
  %.726.us.us.us.us.us.us.us.1.1.i = fadd double %.726.us.us.us.us.us.us.us.1211.i, %.724.us.us.us.us.us.us.us.1.1.i
  %47 = add i64 %45, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.2.1.i = inttoptr i64 %47 to ptr
  %.712.us.us.us.us.us.us.us.2.1.i = load double, ptr %.711.us.us.us.us.us.us.us.2.1.i, align 8, !noalias !117
  %48 = add i64 %46, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.2.1.i = inttoptr i64 %48 to ptr
  %.723.us.us.us.us.us.us.us.2.1.i = load double, ptr %.722.us.us.us.us.us.us.us.2.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.2.1.i = fmul double %.712.us.us.us.us.us.us.us.2.1.i, %.723.us.us.us.us.us.us.us.2.1.i
  %.726.us.us.us.us.us.us.us.2.1.i = fadd double %.726.us.us.us.us.us.us.us.1.1.i, %.724.us.us.us.us.us.us.us.2.1.i
  %49 = add i64 %47, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.3.1.i = inttoptr i64 %49 to ptr
  %.712.us.us.us.us.us.us.us.3.1.i = load double, ptr %.711.us.us.us.us.us.us.us.3.1.i, align 8, !noalias !117
  %50 = add i64 %48, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.3.1.i = inttoptr i64 %50 to ptr
  %.723.us.us.us.us.us.us.us.3.1.i = load double, ptr %.722.us.us.us.us.us.us.us.3.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.3.1.i = fmul double %.712.us.us.us.us.us.us.us.3.1.i, %.723.us.us.us.us.us.us.us.3.1.i
  %.726.us.us.us.us.us.us.us.3.1.i = fadd double %.726.us.us.us.us.us.us.us.2.1.i, %.724.us.us.us.us.us.us.us.3.1.i
  %51 = add i64 %49, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.4.1.i = inttoptr i64 %51 to ptr
  %.712.us.us.us.us.us.us.us.4.1.i = load double, ptr %.711.us.us.us.us.us.us.us.4.1.i, align 8, !noalias !117
  %52 = add i64 %50, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.4.1.i = inttoptr i64 %52 to ptr
  %.723.us.us.us.us.us.us.us.4.1.i = load double, ptr %.722.us.us.us.us.us.us.us.4.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.4.1.i = fmul double %.712.us.us.us.us.us.us.us.4.1.i, %.723.us.us.us.us.us.us.us.4.1.i
  %.726.us.us.us.us.us.us.us.4.1.i = fadd double %.726.us.us.us.us.us.us.us.3.1.i, %.724.us.us.us.us.us.us.us.4.1.i
  %53 = add i64 %51, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.5.1.i = inttoptr i64 %53 to ptr
  %.712.us.us.us.us.us.us.us.5.1.i = load double, ptr %.711.us.us.us.us.us.us.us.5.1.i, align 8, !noalias !117
  %54 = add i64 %52, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.5.1.i = inttoptr i64 %54 to ptr
  %.723.us.us.us.us.us.us.us.5.1.i = load double, ptr %.722.us.us.us.us.us.us.us.5.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.5.1.i = fmul double %.712.us.us.us.us.us.us.us.5.1.i, %.723.us.us.us.us.us.us.us.5.1.i
  %.726.us.us.us.us.us.us.us.5.1.i = fadd double %.726.us.us.us.us.us.us.us.4.1.i, %.724.us.us.us.us.us.us.us.5.1.i
  %55 = add i64 %53, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.6.1.i = inttoptr i64 %55 to ptr
  %.712.us.us.us.us.us.us.us.6.1.i = load double, ptr %.711.us.us.us.us.us.us.us.6.1.i, align 8, !noalias !117
  %56 = add i64 %54, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.6.1.i = inttoptr i64 %56 to ptr
  %.723.us.us.us.us.us.us.us.6.1.i = load double, ptr %.722.us.us.us.us.us.us.us.6.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.6.1.i = fmul double %.712.us.us.us.us.us.us.us.6.1.i, %.723.us.us.us.us.us.us.us.6.1.i
  %.726.us.us.us.us.us.us.us.6.1.i = fadd double %.726.us.us.us.us.us.us.us.5.1.i, %.724.us.us.us.us.us.us.us.6.1.i
  %57 = add i64 %55, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.7.1.i = inttoptr i64 %57 to ptr
  %.712.us.us.us.us.us.us.us.7.1.i = load double, ptr %.711.us.us.us.us.us.us.us.7.1.i, align 8, !noalias !117
  %58 = add i64 %56, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.7.1.i = inttoptr i64 %58 to ptr
  %.723.us.us.us.us.us.us.us.7.1.i = load double, ptr %.722.us.us.us.us.us.us.us.7.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.7.1.i = fmul double %.712.us.us.us.us.us.us.us.7.1.i, %.723.us.us.us.us.us.us.us.7.1.i
  %.726.us.us.us.us.us.us.us.7.1.i = fadd double %.726.us.us.us.us.us.us.us.6.1.i, %.724.us.us.us.us.us.us.us.7.1.i
  %59 = add i64 %57, %factor.op.mul233.i
  %60 = add i64 %58, %factor.op.mul235.i
  %lsr.iv.next134.i = add i64 %lsr.iv133.i, -2
  %niter205.ncmp.1.i = icmp eq i64 %lsr.iv.next134.i, 0
  br i1 %niter205.ncmp.1.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i, label %B1178.us.us.us.us.us.us.us.i

B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i: ; preds = %B1178.us.us.us.us.us.us.us.i
  br i1 %27, label %B1178.us.us.us.us.us.us.us.epil.preheader190.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.i

B1178.us.us.us.us.us.us.us.epil.preheader190.i:   ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i, %B738.us.us.us.us.us.us.us.i
  %lsr.iv179.epil.init.i = phi i64 [ %lsr.iv177.i, %B738.us.us.us.us.us.us.us.i ], [ %59, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %lsr.iv175.epil.init.i = phi i64 [ %lsr.iv173.i, %B738.us.us.us.us.us.us.us.i ], [ %60, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.init.i = phi double [ 0.000000e+00, %B738.us.us.us.us.us.us.us.i ], [ %.726.us.us.us.us.us.us.us.7.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %.711.us.us.us.us.us.us.us.epil194.i = inttoptr i64 %lsr.iv179.epil.init.i to ptr
  %.712.us.us.us.us.us.us.us.epil195.i = load double, ptr %.711.us.us.us.us.us.us.us.epil194.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil196.i = inttoptr i64 %lsr.iv175.epil.init.i to ptr
  %.723.us.us.us.us.us.us.us.epil197.i = load double, ptr %.722.us.us.us.us.us.us.us.epil196.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil198.i = fmul double %.712.us.us.us.us.us.us.us.epil195.i, %.723.us.us.us.us.us.us.us.epil197.i
  %.726.us.us.us.us.us.us.us.epil199.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.init.i, %.724.us.us.us.us.us.us.us.epil198.i
  %61 = add i64 %lsr.iv179.epil.init.i, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.1.epil.i = inttoptr i64 %61 to ptr
  %.712.us.us.us.us.us.us.us.1.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.1.epil.i, align 8, !noalias !117
  %62 = add i64 %lsr.iv175.epil.init.i, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.1.epil.i = inttoptr i64 %62 to ptr
  %.723.us.us.us.us.us.us.us.1.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.1.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.1.epil.i = fmul double %.712.us.us.us.us.us.us.us.1.epil.i, %.723.us.us.us.us.us.us.us.1.epil.i
  %.726.us.us.us.us.us.us.us.1.epil.i = fadd double %.726.us.us.us.us.us.us.us.epil199.i, %.724.us.us.us.us.us.us.us.1.epil.i
  %63 = add i64 %61, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.2.epil.i = inttoptr i64 %63 to ptr
  %.712.us.us.us.us.us.us.us.2.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.2.epil.i, align 8, !noalias !117
  %64 = add i64 %62, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.2.epil.i = inttoptr i64 %64 to ptr
  %.723.us.us.us.us.us.us.us.2.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.2.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.2.epil.i = fmul double %.712.us.us.us.us.us.us.us.2.epil.i, %.723.us.us.us.us.us.us.us.2.epil.i
  %.726.us.us.us.us.us.us.us.2.epil.i = fadd double %.726.us.us.us.us.us.us.us.1.epil.i, %.724.us.us.us.us.us.us.us.2.epil.i
  %65 = add i64 %63, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.3.epil.i = inttoptr i64 %65 to ptr
  %.712.us.us.us.us.us.us.us.3.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.3.epil.i, align 8, !noalias !117
  %66 = add i64 %64, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.3.epil.i = inttoptr i64 %66 to ptr
  %.723.us.us.us.us.us.us.us.3.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.3.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.3.epil.i = fmul double %.712.us.us.us.us.us.us.us.3.epil.i, %.723.us.us.us.us.us.us.us.3.epil.i
  %.726.us.us.us.us.us.us.us.3.epil.i = fadd double %.726.us.us.us.us.us.us.us.2.epil.i, %.724.us.us.us.us.us.us.us.3.epil.i
  %67 = add i64 %65, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.4.epil.i = inttoptr i64 %67 to ptr
  %.712.us.us.us.us.us.us.us.4.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.4.epil.i, align 8, !noalias !117
  %68 = add i64 %66, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.4.epil.i = inttoptr i64 %68 to ptr
  %.723.us.us.us.us.us.us.us.4.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.4.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.4.epil.i = fmul double %.712.us.us.us.us.us.us.us.4.epil.i, %.723.us.us.us.us.us.us.us.4.epil.i
  %.726.us.us.us.us.us.us.us.4.epil.i = fadd double %.726.us.us.us.us.us.us.us.3.epil.i, %.724.us.us.us.us.us.us.us.4.epil.i
  %69 = add i64 %67, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.5.epil.i = inttoptr i64 %69 to ptr
  %.712.us.us.us.us.us.us.us.5.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.5.epil.i, align 8, !noalias !117
  %70 = add i64 %68, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.5.epil.i = inttoptr i64 %70 to ptr
  %.723.us.us.us.us.us.us.us.5.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.5.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.5.epil.i = fmul double %.712.us.us.us.us.us.us.us.5.epil.i, %.723.us.us.us.us.us.us.us.5.epil.i
  %.726.us.us.us.us.us.us.us.5.epil.i = fadd double %.726.us.us.us.us.us.us.us.4.epil.i, %.724.us.us.us.us.us.us.us.5.epil.i
  %71 = add i64 %69, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.6.epil.i = inttoptr i64 %71 to ptr
  %.712.us.us.us.us.us.us.us.6.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.6.epil.i, align 8, !noalias !117
  %72 = add i64 %70, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.6.epil.i = inttoptr i64 %72 to ptr
  %.723.us.us.us.us.us.us.us.6.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.6.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.6.epil.i = fmul double %.712.us.us.us.us.us.us.us.6.epil.i, %.723.us.us.us.us.us.us.us.6.epil.i
  %.726.us.us.us.us.us.us.us.6.epil.i = fadd double %.726.us.us.us.us.us.us.us.5.epil.i, %.724.us.us.us.us.us.us.us.6.epil.i
  %73 = add i64 %71, %factor.op.mul233.i
  %.711.us.us.us.us.us.us.us.7.epil.i = inttoptr i64 %73 to ptr
  %.712.us.us.us.us.us.us.us.7.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.7.epil.i, align 8, !noalias !117
  %74 = add i64 %72, %factor.op.mul235.i
  %.722.us.us.us.us.us.us.us.7.epil.i = inttoptr i64 %74 to ptr
  %.723.us.us.us.us.us.us.us.7.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.7.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.7.epil.i = fmul double %.712.us.us.us.us.us.us.us.7.epil.i, %.723.us.us.us.us.us.us.us.7.epil.i
  %.726.us.us.us.us.us.us.us.7.epil.i = fadd double %.726.us.us.us.us.us.us.us.6.epil.i, %.724.us.us.us.us.us.us.us.7.epil.i
  br label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.i

B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.i: ; preds = %B1178.us.us.us.us.us.us.us.epil.preheader190.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i
  %.726.us.us.us.us.us.us.us.7.lcssa.i = phi double [ %.726.us.us.us.us.us.us.us.7.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa.i ], [ %.726.us.us.us.us.us.us.us.7.epil.i, %B1178.us.us.us.us.us.us.us.epil.preheader190.i ]
  br i1 %25, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.i, label %B1178.us.us.us.us.us.us.us.epil.preheader.i

B1178.us.us.us.us.us.us.us.epil.preheader.i:      ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.i
  %75 = add i64 %lsr.iv173.i, %18
  br label %B1178.us.us.us.us.us.us.us.epil.i

B1178.us.us.us.us.us.us.us.epil.i:                ; preds = %B1178.us.us.us.us.us.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.preheader.i
  %lsr.iv185.i = phi i64 [ %lsr.iv.next186.i, %B1178.us.us.us.us.us.us.us.epil.i ], [ %xtraiter131.i, %B1178.us.us.us.us.us.us.us.epil.preheader.i ]
  %lsr.iv183.i = phi i64 [ %lsr.iv.next184.i, %B1178.us.us.us.us.us.us.us.epil.i ], [ %28, %B1178.us.us.us.us.us.us.us.epil.preheader.i ]
  %lsr.iv181.i = phi i64 [ %lsr.iv.next182.i, %B1178.us.us.us.us.us.us.us.epil.i ], [ %75, %B1178.us.us.us.us.us.us.us.epil.preheader.i ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.i = phi double [ %.726.us.us.us.us.us.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.i ], [ %.726.us.us.us.us.us.us.us.7.lcssa.i, %B1178.us.us.us.us.us.us.us.epil.preheader.i ]
  %.711.us.us.us.us.us.us.us.epil.i = inttoptr i64 %lsr.iv183.i to ptr
  %.712.us.us.us.us.us.us.us.epil.i = load double, ptr %.711.us.us.us.us.us.us.us.epil.i, align 8, !noalias !117
  %.722.us.us.us.us.us.us.us.epil.i = inttoptr i64 %lsr.iv181.i to ptr
  %.723.us.us.us.us.us.us.us.epil.i = load double, ptr %.722.us.us.us.us.us.us.us.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.us.us.epil.i = fmul double %.712.us.us.us.us.us.us.us.epil.i, %.723.us.us.us.us.us.us.us.epil.i
  %.726.us.us.us.us.us.us.us.epil.i = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.i, %.724.us.us.us.us.us.us.us.epil.i
  %lsr.iv.next182.i = add i64 %lsr.iv181.i, %factor.op.mul235.i
  %lsr.iv.next184.i = add i64 %lsr.iv183.i, %factor.op.mul233.i
  %lsr.iv.next186.i = add nsw i64 %lsr.iv185.i, -1
  %epil.iter132.cmp.not.i = icmp eq i64 %lsr.iv.next186.i, 0
  br i1 %epil.iter132.cmp.not.i, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.i, label %B1178.us.us.us.us.us.us.us.epil.i, !llvm.loop !122

B1176.B1310_crit_edge.us.us.us.us.us.us.us.i:     ; preds = %B1178.us.us.us.us.us.us.us.epil.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.i
  %.726.us.us.us.us.us.us.us.lcssa.i = phi double [ %.726.us.us.us.us.us.us.us.7.lcssa.i, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.i ], [ %.726.us.us.us.us.us.us.us.epil.i, %B1178.us.us.us.us.us.us.us.epil.i ]
  %.352.us.us.us.us.us.us.us.i = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us.i, 1
  %.738.us.us.us.us.us.us.us.i = add nsw i64 %.345251269.us.us.us.us.us.us.us.i, %.736.us.us.us.us.i
  %.741.us.us.us.us.us.us.us.i = shl nsw i64 %.738.us.us.us.us.us.us.us.i, 3
  %.743.us.us.us.us.us.us.us.i = add nsw i64 %.741.us.us.us.us.us.us.us.i, %arg.c
  %.754.us.us.us.us.us.us.us.i = inttoptr i64 %.743.us.us.us.us.us.us.us.i to ptr
  %.755.us.us.us.us.us.us.us.i = load double, ptr %.754.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %.757.us.us.us.us.us.us.us.i = fmul double %.62.i, %.755.us.us.us.us.us.us.us.i
  %.763.us.us.us.us.us.us.us.i = fmul double %.54.i, %.726.us.us.us.us.us.us.us.lcssa.i
  %.767.us.us.us.us.us.us.us.i = fadd double %.763.us.us.us.us.us.us.us.i, %.757.us.us.us.us.us.us.us.i
  store double %.767.us.us.us.us.us.us.us.i, ptr %.754.us.us.us.us.us.us.us.i, align 8, !noalias !117
  %lsr.iv.next174.i = add i64 %lsr.iv173.i, %factor.op.mul249.i
  %exitcond542.not.i = icmp eq i64 %arg.n, %.352.us.us.us.us.us.us.us.i
  br i1 %exitcond542.not.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.i, label %B738.us.us.us.us.us.us.us.i

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.i: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.i
  %.230.us.us.us.us.i = add nuw nsw i64 %.223332346.us.us.us.us.i, 1
  %lsr.iv.next178.i = add i64 %lsr.iv177.i, %factor.op.mul330.i
  %exitcond543.not.i = icmp eq i64 %arg.m, %.230.us.us.us.us.i
  br i1 %exitcond543.not.i, label %common.ret, label %B702.endif.us.us.us.us.i

B702.endif.us.us.us.i:                            ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.i, %B702.endif.us.us.us.preheader44.i
  %lsr.iv191.i = phi i64 [ %lsr.iv.next192.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.i ], [ %arg.a, %B702.endif.us.us.us.preheader44.i ]
  %.223332346.us.us.us.i = phi i64 [ %.230.us.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.i ], [ 0, %B702.endif.us.us.us.preheader44.i ]
  %.736.us.us.us.i = mul nsw i64 %.223332346.us.us.us.i, %.46.i
  %76 = add i64 %lsr.iv191.i, %7
  br label %B738.us.us.us.us.us.i

B738.us.us.us.us.us.i:                            ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.i, %B702.endif.us.us.us.i
  %lsr.iv187.i = phi i64 [ %lsr.iv.next188.i, %B1176.B1310_crit_edge.us.us.us.us.us.i ], [ %arg.b, %B702.endif.us.us.us.i ]
  %.345251269.us.us.us.us.us.i = phi i64 [ %.352.us.us.us.us.us.i, %B1176.B1310_crit_edge.us.us.us.us.us.i ], [ 0, %B702.endif.us.us.us.i ]
  br i1 %12, label %B1178.us.us.us.us.us.epil.preheader162.i, label %B1178.us.us.us.us.us.i

B1178.us.us.us.us.us.i:                           ; preds = %B738.us.us.us.us.us.i, %B1178.us.us.us.us.us.i
  %lsr.iv136.i = phi i64 [ %lsr.iv.next137.i, %B1178.us.us.us.us.us.i ], [ %11, %B738.us.us.us.us.us.i ]
  %lsr.iv193.i = phi i64 [ %107, %B1178.us.us.us.us.us.i ], [ %lsr.iv191.i, %B738.us.us.us.us.us.i ]
  %lsr.iv189.i = phi i64 [ %108, %B1178.us.us.us.us.us.i ], [ %lsr.iv187.i, %B738.us.us.us.us.us.i ]
  %sums.2.3241.us.us.us.us.us.i = phi double [ %.726.us.us.us.us.us.7.1.i, %B1178.us.us.us.us.us.i ], [ 0.000000e+00, %B738.us.us.us.us.us.i ]
  %.711.us.us.us.us.us.i = inttoptr i64 %lsr.iv193.i to ptr
  %.712.us.us.us.us.us.i = load double, ptr %.711.us.us.us.us.us.i, align 8, !noalias !117
  %.722.us.us.us.us.us.i = inttoptr i64 %lsr.iv189.i to ptr
  %.723.us.us.us.us.us.i = load double, ptr %.722.us.us.us.us.us.i, align 8, !noalias !117
  %.724.us.us.us.us.us.i = fmul double %.712.us.us.us.us.us.i, %.723.us.us.us.us.us.i
  %.726.us.us.us.us.us.i = fadd double %sums.2.3241.us.us.us.us.us.i, %.724.us.us.us.us.us.i
  %77 = add i64 %lsr.iv193.i, %factor.op.mul233.i
  %.711.us.us.us.us.us.1.i = inttoptr i64 %77 to ptr
  %.712.us.us.us.us.us.1.i = load double, ptr %.711.us.us.us.us.us.1.i, align 8, !noalias !117
  %78 = add i64 %lsr.iv189.i, %factor.op.mul235.i
  %.722.us.us.us.us.us.1.i = inttoptr i64 %78 to ptr
  %.723.us.us.us.us.us.1.i = load double, ptr %.722.us.us.us.us.us.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.1.i = fmul double %.712.us.us.us.us.us.1.i, %.723.us.us.us.us.us.1.i
  %.726.us.us.us.us.us.1.i = fadd double %.726.us.us.us.us.us.i, %.724.us.us.us.us.us.1.i
  %79 = add i64 %77, %factor.op.mul233.i
  %.711.us.us.us.us.us.2.i = inttoptr i64 %79 to ptr
  %.712.us.us.us.us.us.2.i = load double, ptr %.711.us.us.us.us.us.2.i, align 8, !noalias !117
  %80 = add i64 %78, %factor.op.mul235.i
  %.722.us.us.us.us.us.2.i = inttoptr i64 %80 to ptr
  %.723.us.us.us.us.us.2.i = load double, ptr %.722.us.us.us.us.us.2.i, align 8, !noalias !117
  %.724.us.us.us.us.us.2.i = fmul double %.712.us.us.us.us.us.2.i, %.723.us.us.us.us.us.2.i
  %.726.us.us.us.us.us.2.i = fadd double %.726.us.us.us.us.us.1.i, %.724.us.us.us.us.us.2.i
  %81 = add i64 %79, %factor.op.mul233.i
  %.711.us.us.us.us.us.3.i = inttoptr i64 %81 to ptr
  %.712.us.us.us.us.us.3.i = load double, ptr %.711.us.us.us.us.us.3.i, align 8, !noalias !117
  %82 = add i64 %80, %factor.op.mul235.i
  %.722.us.us.us.us.us.3.i = inttoptr i64 %82 to ptr
  %.723.us.us.us.us.us.3.i = load double, ptr %.722.us.us.us.us.us.3.i, align 8, !noalias !117
  %.724.us.us.us.us.us.3.i = fmul double %.712.us.us.us.us.us.3.i, %.723.us.us.us.us.us.3.i
  %.726.us.us.us.us.us.3.i = fadd double %.726.us.us.us.us.us.2.i, %.724.us.us.us.us.us.3.i
  %83 = add i64 %81, %factor.op.mul233.i
  %.711.us.us.us.us.us.4.i = inttoptr i64 %83 to ptr
  %.712.us.us.us.us.us.4.i = load double, ptr %.711.us.us.us.us.us.4.i, align 8, !noalias !117
  %84 = add i64 %82, %factor.op.mul235.i
  %.722.us.us.us.us.us.4.i = inttoptr i64 %84 to ptr
  %.723.us.us.us.us.us.4.i = load double, ptr %.722.us.us.us.us.us.4.i, align 8, !noalias !117
  %.724.us.us.us.us.us.4.i = fmul double %.712.us.us.us.us.us.4.i, %.723.us.us.us.us.us.4.i
  %.726.us.us.us.us.us.4.i = fadd double %.726.us.us.us.us.us.3.i, %.724.us.us.us.us.us.4.i
  %85 = add i64 %83, %factor.op.mul233.i
  %.711.us.us.us.us.us.5.i = inttoptr i64 %85 to ptr
  %.712.us.us.us.us.us.5.i = load double, ptr %.711.us.us.us.us.us.5.i, align 8, !noalias !117
  %86 = add i64 %84, %factor.op.mul235.i
  %.722.us.us.us.us.us.5.i = inttoptr i64 %86 to ptr
  %.723.us.us.us.us.us.5.i = load double, ptr %.722.us.us.us.us.us.5.i, align 8, !noalias !117
  %.724.us.us.us.us.us.5.i = fmul double %.712.us.us.us.us.us.5.i, %.723.us.us.us.us.us.5.i
  %.726.us.us.us.us.us.5.i = fadd double %.726.us.us.us.us.us.4.i, %.724.us.us.us.us.us.5.i
  %87 = add i64 %85, %factor.op.mul233.i
  %.711.us.us.us.us.us.6.i = inttoptr i64 %87 to ptr
  %.712.us.us.us.us.us.6.i = load double, ptr %.711.us.us.us.us.us.6.i, align 8, !noalias !117
  %88 = add i64 %86, %factor.op.mul235.i
  %.722.us.us.us.us.us.6.i = inttoptr i64 %88 to ptr
  %.723.us.us.us.us.us.6.i = load double, ptr %.722.us.us.us.us.us.6.i, align 8, !noalias !117
  %.724.us.us.us.us.us.6.i = fmul double %.712.us.us.us.us.us.6.i, %.723.us.us.us.us.us.6.i
  %.726.us.us.us.us.us.6.i = fadd double %.726.us.us.us.us.us.5.i, %.724.us.us.us.us.us.6.i
  %89 = add i64 %87, %factor.op.mul233.i
  %.711.us.us.us.us.us.7.i = inttoptr i64 %89 to ptr
  %.712.us.us.us.us.us.7.i = load double, ptr %.711.us.us.us.us.us.7.i, align 8, !noalias !117
  %90 = add i64 %88, %factor.op.mul235.i
  %.722.us.us.us.us.us.7.i = inttoptr i64 %90 to ptr
  %.723.us.us.us.us.us.7.i = load double, ptr %.722.us.us.us.us.us.7.i, align 8, !noalias !117
  %.724.us.us.us.us.us.7.i = fmul double %.712.us.us.us.us.us.7.i, %.723.us.us.us.us.us.7.i
  %.726.us.us.us.us.us.7.i = fadd double %.726.us.us.us.us.us.6.i, %.724.us.us.us.us.us.7.i
  %91 = add i64 %89, %factor.op.mul233.i
  %.711.us.us.us.us.us.1178.i = inttoptr i64 %91 to ptr
  %.712.us.us.us.us.us.1179.i = load double, ptr %.711.us.us.us.us.us.1178.i, align 8, !noalias !117
  %92 = add i64 %90, %factor.op.mul235.i
  %.722.us.us.us.us.us.1180.i = inttoptr i64 %92 to ptr
  %.723.us.us.us.us.us.1181.i = load double, ptr %.722.us.us.us.us.us.1180.i, align 8, !noalias !117
  %.724.us.us.us.us.us.1182.i = fmul double %.712.us.us.us.us.us.1179.i, %.723.us.us.us.us.us.1181.i
  %.726.us.us.us.us.us.1183.i = fadd double %.726.us.us.us.us.us.7.i, %.724.us.us.us.us.us.1182.i
  %93 = add i64 %91, %factor.op.mul233.i
  %.711.us.us.us.us.us.1.1.i = inttoptr i64 %93 to ptr
  %.712.us.us.us.us.us.1.1.i = load double, ptr %.711.us.us.us.us.us.1.1.i, align 8, !noalias !117
  %94 = add i64 %92, %factor.op.mul235.i
  %.722.us.us.us.us.us.1.1.i = inttoptr i64 %94 to ptr
  %.723.us.us.us.us.us.1.1.i = load double, ptr %.722.us.us.us.us.us.1.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.1.1.i = fmul double %.712.us.us.us.us.us.1.1.i, %.723.us.us.us.us.us.1.1.i
  %.726.us.us.us.us.us.1.1.i = fadd double %.726.us.us.us.us.us.1183.i, %.724.us.us.us.us.us.1.1.i
  %95 = add i64 %93, %factor.op.mul233.i
  %.711.us.us.us.us.us.2.1.i = inttoptr i64 %95 to ptr
  %.712.us.us.us.us.us.2.1.i = load double, ptr %.711.us.us.us.us.us.2.1.i, align 8, !noalias !117
  %96 = add i64 %94, %factor.op.mul235.i
  %.722.us.us.us.us.us.2.1.i = inttoptr i64 %96 to ptr
  %.723.us.us.us.us.us.2.1.i = load double, ptr %.722.us.us.us.us.us.2.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.2.1.i = fmul double %.712.us.us.us.us.us.2.1.i, %.723.us.us.us.us.us.2.1.i
  %.726.us.us.us.us.us.2.1.i = fadd double %.726.us.us.us.us.us.1.1.i, %.724.us.us.us.us.us.2.1.i
  %97 = add i64 %95, %factor.op.mul233.i
  %.711.us.us.us.us.us.3.1.i = inttoptr i64 %97 to ptr
  %.712.us.us.us.us.us.3.1.i = load double, ptr %.711.us.us.us.us.us.3.1.i, align 8, !noalias !117
  %98 = add i64 %96, %factor.op.mul235.i
  %.722.us.us.us.us.us.3.1.i = inttoptr i64 %98 to ptr
  %.723.us.us.us.us.us.3.1.i = load double, ptr %.722.us.us.us.us.us.3.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.3.1.i = fmul double %.712.us.us.us.us.us.3.1.i, %.723.us.us.us.us.us.3.1.i
  %.726.us.us.us.us.us.3.1.i = fadd double %.726.us.us.us.us.us.2.1.i, %.724.us.us.us.us.us.3.1.i
  %99 = add i64 %97, %factor.op.mul233.i
  %.711.us.us.us.us.us.4.1.i = inttoptr i64 %99 to ptr
  %.712.us.us.us.us.us.4.1.i = load double, ptr %.711.us.us.us.us.us.4.1.i, align 8, !noalias !117
  %100 = add i64 %98, %factor.op.mul235.i
  %.722.us.us.us.us.us.4.1.i = inttoptr i64 %100 to ptr
  %.723.us.us.us.us.us.4.1.i = load double, ptr %.722.us.us.us.us.us.4.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.4.1.i = fmul double %.712.us.us.us.us.us.4.1.i, %.723.us.us.us.us.us.4.1.i
  %.726.us.us.us.us.us.4.1.i = fadd double %.726.us.us.us.us.us.3.1.i, %.724.us.us.us.us.us.4.1.i
  %101 = add i64 %99, %factor.op.mul233.i
  %.711.us.us.us.us.us.5.1.i = inttoptr i64 %101 to ptr
  %.712.us.us.us.us.us.5.1.i = load double, ptr %.711.us.us.us.us.us.5.1.i, align 8, !noalias !117
  %102 = add i64 %100, %factor.op.mul235.i
  %.722.us.us.us.us.us.5.1.i = inttoptr i64 %102 to ptr
  %.723.us.us.us.us.us.5.1.i = load double, ptr %.722.us.us.us.us.us.5.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.5.1.i = fmul double %.712.us.us.us.us.us.5.1.i, %.723.us.us.us.us.us.5.1.i
  %.726.us.us.us.us.us.5.1.i = fadd double %.726.us.us.us.us.us.4.1.i, %.724.us.us.us.us.us.5.1.i
  %103 = add i64 %101, %factor.op.mul233.i
  %.711.us.us.us.us.us.6.1.i = inttoptr i64 %103 to ptr
  %.712.us.us.us.us.us.6.1.i = load double, ptr %.711.us.us.us.us.us.6.1.i, align 8, !noalias !117
  %104 = add i64 %102, %factor.op.mul235.i
  %.722.us.us.us.us.us.6.1.i = inttoptr i64 %104 to ptr
  %.723.us.us.us.us.us.6.1.i = load double, ptr %.722.us.us.us.us.us.6.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.6.1.i = fmul double %.712.us.us.us.us.us.6.1.i, %.723.us.us.us.us.us.6.1.i
  %.726.us.us.us.us.us.6.1.i = fadd double %.726.us.us.us.us.us.5.1.i, %.724.us.us.us.us.us.6.1.i
  %105 = add i64 %103, %factor.op.mul233.i
  %.711.us.us.us.us.us.7.1.i = inttoptr i64 %105 to ptr
  %.712.us.us.us.us.us.7.1.i = load double, ptr %.711.us.us.us.us.us.7.1.i, align 8, !noalias !117
  %106 = add i64 %104, %factor.op.mul235.i
  %.722.us.us.us.us.us.7.1.i = inttoptr i64 %106 to ptr
  %.723.us.us.us.us.us.7.1.i = load double, ptr %.722.us.us.us.us.us.7.1.i, align 8, !noalias !117
  %.724.us.us.us.us.us.7.1.i = fmul double %.712.us.us.us.us.us.7.1.i, %.723.us.us.us.us.us.7.1.i
  %.726.us.us.us.us.us.7.1.i = fadd double %.726.us.us.us.us.us.6.1.i, %.724.us.us.us.us.us.7.1.i
  %107 = add i64 %105, %factor.op.mul233.i
  %108 = add i64 %106, %factor.op.mul235.i
  %lsr.iv.next137.i = add i64 %lsr.iv136.i, -2
  %niter177.ncmp.1.i = icmp eq i64 %lsr.iv.next137.i, 0
  br i1 %niter177.ncmp.1.i, label %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i, label %B1178.us.us.us.us.us.i

B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i: ; preds = %B1178.us.us.us.us.us.i
  br i1 %15, label %B1178.us.us.us.us.us.epil.preheader162.i, label %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.i

B1178.us.us.us.us.us.epil.preheader162.i:         ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i, %B738.us.us.us.us.us.i
  %lsr.iv193.epil.init.i = phi i64 [ %lsr.iv191.i, %B738.us.us.us.us.us.i ], [ %107, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %lsr.iv189.epil.init.i = phi i64 [ %lsr.iv187.i, %B738.us.us.us.us.us.i ], [ %108, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %sums.2.3241.us.us.us.us.us.epil.init.i = phi double [ 0.000000e+00, %B738.us.us.us.us.us.i ], [ %.726.us.us.us.us.us.7.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %.711.us.us.us.us.us.epil166.i = inttoptr i64 %lsr.iv193.epil.init.i to ptr
  %.712.us.us.us.us.us.epil167.i = load double, ptr %.711.us.us.us.us.us.epil166.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil168.i = inttoptr i64 %lsr.iv189.epil.init.i to ptr
  %.723.us.us.us.us.us.epil169.i = load double, ptr %.722.us.us.us.us.us.epil168.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil170.i = fmul double %.712.us.us.us.us.us.epil167.i, %.723.us.us.us.us.us.epil169.i
  %.726.us.us.us.us.us.epil171.i = fadd double %sums.2.3241.us.us.us.us.us.epil.init.i, %.724.us.us.us.us.us.epil170.i
  %109 = add i64 %lsr.iv193.epil.init.i, %factor.op.mul233.i
  %.711.us.us.us.us.us.1.epil.i = inttoptr i64 %109 to ptr
  %.712.us.us.us.us.us.1.epil.i = load double, ptr %.711.us.us.us.us.us.1.epil.i, align 8, !noalias !117
  %110 = add i64 %lsr.iv189.epil.init.i, %factor.op.mul235.i
  %.722.us.us.us.us.us.1.epil.i = inttoptr i64 %110 to ptr
  %.723.us.us.us.us.us.1.epil.i = load double, ptr %.722.us.us.us.us.us.1.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.1.epil.i = fmul double %.712.us.us.us.us.us.1.epil.i, %.723.us.us.us.us.us.1.epil.i
  %.726.us.us.us.us.us.1.epil.i = fadd double %.726.us.us.us.us.us.epil171.i, %.724.us.us.us.us.us.1.epil.i
  %111 = add i64 %109, %factor.op.mul233.i
  %.711.us.us.us.us.us.2.epil.i = inttoptr i64 %111 to ptr
  %.712.us.us.us.us.us.2.epil.i = load double, ptr %.711.us.us.us.us.us.2.epil.i, align 8, !noalias !117
  %112 = add i64 %110, %factor.op.mul235.i
  %.722.us.us.us.us.us.2.epil.i = inttoptr i64 %112 to ptr
  %.723.us.us.us.us.us.2.epil.i = load double, ptr %.722.us.us.us.us.us.2.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.2.epil.i = fmul double %.712.us.us.us.us.us.2.epil.i, %.723.us.us.us.us.us.2.epil.i
  %.726.us.us.us.us.us.2.epil.i = fadd double %.726.us.us.us.us.us.1.epil.i, %.724.us.us.us.us.us.2.epil.i
  %113 = add i64 %111, %factor.op.mul233.i
  %.711.us.us.us.us.us.3.epil.i = inttoptr i64 %113 to ptr
  %.712.us.us.us.us.us.3.epil.i = load double, ptr %.711.us.us.us.us.us.3.epil.i, align 8, !noalias !117
  %114 = add i64 %112, %factor.op.mul235.i
  %.722.us.us.us.us.us.3.epil.i = inttoptr i64 %114 to ptr
  %.723.us.us.us.us.us.3.epil.i = load double, ptr %.722.us.us.us.us.us.3.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.3.epil.i = fmul double %.712.us.us.us.us.us.3.epil.i, %.723.us.us.us.us.us.3.epil.i
  %.726.us.us.us.us.us.3.epil.i = fadd double %.726.us.us.us.us.us.2.epil.i, %.724.us.us.us.us.us.3.epil.i
  %115 = add i64 %113, %factor.op.mul233.i
  %.711.us.us.us.us.us.4.epil.i = inttoptr i64 %115 to ptr
  %.712.us.us.us.us.us.4.epil.i = load double, ptr %.711.us.us.us.us.us.4.epil.i, align 8, !noalias !117
  %116 = add i64 %114, %factor.op.mul235.i
  %.722.us.us.us.us.us.4.epil.i = inttoptr i64 %116 to ptr
  %.723.us.us.us.us.us.4.epil.i = load double, ptr %.722.us.us.us.us.us.4.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.4.epil.i = fmul double %.712.us.us.us.us.us.4.epil.i, %.723.us.us.us.us.us.4.epil.i
  %.726.us.us.us.us.us.4.epil.i = fadd double %.726.us.us.us.us.us.3.epil.i, %.724.us.us.us.us.us.4.epil.i
  %117 = add i64 %115, %factor.op.mul233.i
  %.711.us.us.us.us.us.5.epil.i = inttoptr i64 %117 to ptr
  %.712.us.us.us.us.us.5.epil.i = load double, ptr %.711.us.us.us.us.us.5.epil.i, align 8, !noalias !117
  %118 = add i64 %116, %factor.op.mul235.i
  %.722.us.us.us.us.us.5.epil.i = inttoptr i64 %118 to ptr
  %.723.us.us.us.us.us.5.epil.i = load double, ptr %.722.us.us.us.us.us.5.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.5.epil.i = fmul double %.712.us.us.us.us.us.5.epil.i, %.723.us.us.us.us.us.5.epil.i
  %.726.us.us.us.us.us.5.epil.i = fadd double %.726.us.us.us.us.us.4.epil.i, %.724.us.us.us.us.us.5.epil.i
  %119 = add i64 %117, %factor.op.mul233.i
  %.711.us.us.us.us.us.6.epil.i = inttoptr i64 %119 to ptr
  %.712.us.us.us.us.us.6.epil.i = load double, ptr %.711.us.us.us.us.us.6.epil.i, align 8, !noalias !117
  %120 = add i64 %118, %factor.op.mul235.i
  %.722.us.us.us.us.us.6.epil.i = inttoptr i64 %120 to ptr
  %.723.us.us.us.us.us.6.epil.i = load double, ptr %.722.us.us.us.us.us.6.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.6.epil.i = fmul double %.712.us.us.us.us.us.6.epil.i, %.723.us.us.us.us.us.6.epil.i
  %.726.us.us.us.us.us.6.epil.i = fadd double %.726.us.us.us.us.us.5.epil.i, %.724.us.us.us.us.us.6.epil.i
  %121 = add i64 %119, %factor.op.mul233.i
  %.711.us.us.us.us.us.7.epil.i = inttoptr i64 %121 to ptr
  %.712.us.us.us.us.us.7.epil.i = load double, ptr %.711.us.us.us.us.us.7.epil.i, align 8, !noalias !117
  %122 = add i64 %120, %factor.op.mul235.i
  %.722.us.us.us.us.us.7.epil.i = inttoptr i64 %122 to ptr
  %.723.us.us.us.us.us.7.epil.i = load double, ptr %.722.us.us.us.us.us.7.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.7.epil.i = fmul double %.712.us.us.us.us.us.7.epil.i, %.723.us.us.us.us.us.7.epil.i
  %.726.us.us.us.us.us.7.epil.i = fadd double %.726.us.us.us.us.us.6.epil.i, %.724.us.us.us.us.us.7.epil.i
  br label %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.i

B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.i: ; preds = %B1178.us.us.us.us.us.epil.preheader162.i, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i
  %.726.us.us.us.us.us.7.lcssa.i = phi double [ %.726.us.us.us.us.us.7.1.i, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ], [ %.726.us.us.us.us.us.7.epil.i, %B1178.us.us.us.us.us.epil.preheader162.i ]
  br i1 %13, label %B1176.B1310_crit_edge.us.us.us.us.us.i, label %B1178.us.us.us.us.us.epil.preheader.i

B1178.us.us.us.us.us.epil.preheader.i:            ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.i
  %123 = add i64 %lsr.iv187.i, %6
  br label %B1178.us.us.us.us.us.epil.i

B1178.us.us.us.us.us.epil.i:                      ; preds = %B1178.us.us.us.us.us.epil.i, %B1178.us.us.us.us.us.epil.preheader.i
  %lsr.iv199.i = phi i64 [ %lsr.iv.next200.i, %B1178.us.us.us.us.us.epil.i ], [ %xtraiter131.i, %B1178.us.us.us.us.us.epil.preheader.i ]
  %lsr.iv197.i = phi i64 [ %lsr.iv.next198.i, %B1178.us.us.us.us.us.epil.i ], [ %76, %B1178.us.us.us.us.us.epil.preheader.i ]
  %lsr.iv195.i = phi i64 [ %lsr.iv.next196.i, %B1178.us.us.us.us.us.epil.i ], [ %123, %B1178.us.us.us.us.us.epil.preheader.i ]
  %sums.2.3241.us.us.us.us.us.epil.i = phi double [ %.726.us.us.us.us.us.epil.i, %B1178.us.us.us.us.us.epil.i ], [ %.726.us.us.us.us.us.7.lcssa.i, %B1178.us.us.us.us.us.epil.preheader.i ]
  %.711.us.us.us.us.us.epil.i = inttoptr i64 %lsr.iv197.i to ptr
  %.712.us.us.us.us.us.epil.i = load double, ptr %.711.us.us.us.us.us.epil.i, align 8, !noalias !117
  %.722.us.us.us.us.us.epil.i = inttoptr i64 %lsr.iv195.i to ptr
  %.723.us.us.us.us.us.epil.i = load double, ptr %.722.us.us.us.us.us.epil.i, align 8, !noalias !117
  %.724.us.us.us.us.us.epil.i = fmul double %.712.us.us.us.us.us.epil.i, %.723.us.us.us.us.us.epil.i
  %.726.us.us.us.us.us.epil.i = fadd double %sums.2.3241.us.us.us.us.us.epil.i, %.724.us.us.us.us.us.epil.i
  %lsr.iv.next196.i = add i64 %lsr.iv195.i, %factor.op.mul235.i
  %lsr.iv.next198.i = add i64 %lsr.iv197.i, %factor.op.mul233.i
  %lsr.iv.next200.i = add nsw i64 %lsr.iv199.i, -1
  %epil.iter125.cmp.not.i = icmp eq i64 %lsr.iv.next200.i, 0
  br i1 %epil.iter125.cmp.not.i, label %B1176.B1310_crit_edge.us.us.us.us.us.i, label %B1178.us.us.us.us.us.epil.i, !llvm.loop !120

B1176.B1310_crit_edge.us.us.us.us.us.i:           ; preds = %B1178.us.us.us.us.us.epil.i, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.i
  %.726.us.us.us.us.us.lcssa.i = phi double [ %.726.us.us.us.us.us.7.lcssa.i, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.i ], [ %.726.us.us.us.us.us.epil.i, %B1178.us.us.us.us.us.epil.i ]
  %.352.us.us.us.us.us.i = add nuw nsw i64 %.345251269.us.us.us.us.us.i, 1
  %.738.us.us.us.us.us.i = add nsw i64 %.345251269.us.us.us.us.us.i, %.736.us.us.us.i
  %.741.us.us.us.us.us.i = shl nsw i64 %.738.us.us.us.us.us.i, 3
  %.743.us.us.us.us.us.i = add nsw i64 %.741.us.us.us.us.us.i, %arg.c
  %.763.us.us.us.us.us.i = fmul double %.54.i, %.726.us.us.us.us.us.lcssa.i
  %.767.us.us.us.us.us.i = fadd double %.763.us.us.us.us.us.i, 0.000000e+00
  %.771.us.us.us.us.us.i = inttoptr i64 %.743.us.us.us.us.us.i to ptr
  store double %.767.us.us.us.us.us.i, ptr %.771.us.us.us.us.us.i, align 8, !noalias !117
  %lsr.iv.next188.i = add i64 %lsr.iv187.i, %factor.op.mul249.i
  %exitcond539.not.i = icmp eq i64 %arg.n, %.352.us.us.us.us.us.i
  br i1 %exitcond539.not.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.i, label %B738.us.us.us.us.us.i

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.i: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.i
  %.230.us.us.us.i = add nuw nsw i64 %.223332346.us.us.us.i, 1
  %lsr.iv.next192.i = add i64 %lsr.iv191.i, %factor.op.mul330.i
  %exitcond540.not.i = icmp eq i64 %arg.m, %.230.us.us.us.i
  br i1 %exitcond540.not.i, label %common.ret, label %B702.endif.us.us.us.i

B702.endif.lr.ph.split.us.split.us.split.i:       ; preds = %B702.endif.lr.ph.split.us.split.us.i
  br i1 %2, label %B702.endif.us.us.us486.preheader.i, label %iter.check59.preheader.i

iter.check59.preheader.i:                         ; preds = %B702.endif.lr.ph.split.us.split.us.split.i
  %n.vec64.i = and i64 %arg.n, 9223372036854775776
  %broadcast.splatinsert67.i = insertelement <8 x i64> poison, i64 %arg.c, i64 0
  %broadcast.splat68.i = shufflevector <8 x i64> %broadcast.splatinsert67.i, <8 x i64> poison, <8 x i32> zeroinitializer
  %broadcast.splatinsert69.i = insertelement <8 x double> poison, double %.767.us.us.us.i, i64 0
  %broadcast.splat70.i = shufflevector <8 x double> %broadcast.splatinsert69.i, <8 x double> poison, <8 x i32> zeroinitializer
  %n.vec84.i = and i64 %arg.n, 9223372036854775800
  %124 = lshr i64 %arg.n, 5
  %125 = mul nsw i64 %124, -32
  %126 = icmp samesign ult i64 %arg.n, 8
  %127 = icmp samesign ult i64 %arg.n, 32
  %128 = icmp eq i64 %arg.n, %n.vec64.i
  %129 = and i64 %arg.n, 24
  %130 = icmp eq i64 %129, 0
  %131 = icmp eq i64 %arg.n, %n.vec84.i
  br label %iter.check59.i

B702.endif.us.us.us486.preheader.i:               ; preds = %B702.endif.lr.ph.split.us.split.us.split.i
  %xtraiter138.i = and i64 %arg.n, 7
  %unroll_iter142.i = and i64 %arg.n, 9223372036854775800
  %132 = add i64 %arg.c, 56
  %133 = shl i64 %.46.i, 3
  %134 = add nsw i64 %arg.n, -8
  %135 = lshr i64 %134, 3
  %136 = add nuw nsw i64 %135, 1
  %137 = add i64 %arg.c, 64
  %138 = and i64 %136, 4611686018427387902
  %139 = icmp samesign ult i64 %arg.n, 8
  %140 = icmp eq i64 %135, 0
  %141 = and i64 %134, 8
  %142 = icmp eq i64 %141, 0
  %143 = icmp eq i64 %xtraiter138.i, 0
  br label %B702.endif.us.us.us486.i

B702.endif.us.us.us486.i:                         ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i, %B702.endif.us.us.us486.preheader.i
  %lsr.iv249.i = phi i64 [ %lsr.iv.next250.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i ], [ %137, %B702.endif.us.us.us486.preheader.i ]
  %lsr.iv157.i = phi i64 [ %lsr.iv.next158.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i ], [ 0, %B702.endif.us.us.us486.preheader.i ]
  %lsr.iv.i = phi i64 [ %lsr.iv.next.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i ], [ %132, %B702.endif.us.us.us486.preheader.i ]
  %.223332346.us.us.us488.i = phi i64 [ %.230.us.us.us490.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i ], [ 0, %B702.endif.us.us.us486.preheader.i ]
  br i1 %139, label %B738.us.us.us.us453.us.epil.preheader.i, label %B738.us.us.us.us453.us.preheader.i

B738.us.us.us.us453.us.preheader.i:               ; preds = %B702.endif.us.us.us486.i
  br i1 %140, label %B738.us.us.us.us453.us.epil.preheader218.i, label %B738.us.us.us.us453.us.i

B738.us.us.us.us453.us.i:                         ; preds = %B738.us.us.us.us453.us.preheader.i, %B738.us.us.us.us453.us.i
  %lsr.iv127.i = phi i64 [ %lsr.iv.next128.i, %B738.us.us.us.us453.us.i ], [ %138, %B738.us.us.us.us453.us.preheader.i ]
  %lsr.iv251.i = phi i64 [ %lsr.iv.next252.i, %B738.us.us.us.us453.us.i ], [ %lsr.iv249.i, %B738.us.us.us.us453.us.preheader.i ]
  %144 = add i64 %lsr.iv251.i, -8
  %145 = add i64 %lsr.iv251.i, -64
  %.754.us.us.us.us462.us.i = inttoptr i64 %145 to ptr
  %.755.us.us.us.us463.us.i = load double, ptr %.754.us.us.us.us462.us.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.i = fmul double %.62.i, %.755.us.us.us.us463.us.i
  %.767.us.us.us.us467.us.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.i
  store double %.767.us.us.us.us467.us.i, ptr %.754.us.us.us.us462.us.i, align 8, !noalias !117
  %146 = add i64 %lsr.iv251.i, -56
  %.754.us.us.us.us462.us.1.i = inttoptr i64 %146 to ptr
  %.755.us.us.us.us463.us.1.i = load double, ptr %.754.us.us.us.us462.us.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.1.i
  %.767.us.us.us.us467.us.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.1.i
  store double %.767.us.us.us.us467.us.1.i, ptr %.754.us.us.us.us462.us.1.i, align 8, !noalias !117
  %147 = add i64 %lsr.iv251.i, -48
  %.754.us.us.us.us462.us.2.i = inttoptr i64 %147 to ptr
  %.755.us.us.us.us463.us.2.i = load double, ptr %.754.us.us.us.us462.us.2.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.2.i = fmul double %.62.i, %.755.us.us.us.us463.us.2.i
  %.767.us.us.us.us467.us.2.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.2.i
  store double %.767.us.us.us.us467.us.2.i, ptr %.754.us.us.us.us462.us.2.i, align 8, !noalias !117
  %148 = add i64 %lsr.iv251.i, -40
  %.754.us.us.us.us462.us.3.i = inttoptr i64 %148 to ptr
  %.755.us.us.us.us463.us.3.i = load double, ptr %.754.us.us.us.us462.us.3.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.3.i = fmul double %.62.i, %.755.us.us.us.us463.us.3.i
  %.767.us.us.us.us467.us.3.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.3.i
  store double %.767.us.us.us.us467.us.3.i, ptr %.754.us.us.us.us462.us.3.i, align 8, !noalias !117
  %149 = add i64 %lsr.iv251.i, -32
  %.754.us.us.us.us462.us.4.i = inttoptr i64 %149 to ptr
  %.755.us.us.us.us463.us.4.i = load double, ptr %.754.us.us.us.us462.us.4.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.4.i = fmul double %.62.i, %.755.us.us.us.us463.us.4.i
  %.767.us.us.us.us467.us.4.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.4.i
  store double %.767.us.us.us.us467.us.4.i, ptr %.754.us.us.us.us462.us.4.i, align 8, !noalias !117
  %150 = add i64 %lsr.iv251.i, -24
  %.754.us.us.us.us462.us.5.i = inttoptr i64 %150 to ptr
  %.755.us.us.us.us463.us.5.i = load double, ptr %.754.us.us.us.us462.us.5.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.5.i = fmul double %.62.i, %.755.us.us.us.us463.us.5.i
  %.767.us.us.us.us467.us.5.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.5.i
  store double %.767.us.us.us.us467.us.5.i, ptr %.754.us.us.us.us462.us.5.i, align 8, !noalias !117
  %151 = add i64 %lsr.iv251.i, -16
  %.754.us.us.us.us462.us.6.i = inttoptr i64 %151 to ptr
  %.755.us.us.us.us463.us.6.i = load double, ptr %.754.us.us.us.us462.us.6.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.6.i = fmul double %.62.i, %.755.us.us.us.us463.us.6.i
  %.767.us.us.us.us467.us.6.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.6.i
  store double %.767.us.us.us.us467.us.6.i, ptr %.754.us.us.us.us462.us.6.i, align 8, !noalias !117
  %.754.us.us.us.us462.us.7.i = inttoptr i64 %144 to ptr
  %.755.us.us.us.us463.us.7.i = load double, ptr %.754.us.us.us.us462.us.7.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.7.i = fmul double %.62.i, %.755.us.us.us.us463.us.7.i
  %.767.us.us.us.us467.us.7.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.7.i
  store double %.767.us.us.us.us467.us.7.i, ptr %.754.us.us.us.us462.us.7.i, align 8, !noalias !117
  %152 = add i64 %lsr.iv251.i, 56
  %.754.us.us.us.us462.us.1231.i = inttoptr i64 %lsr.iv251.i to ptr
  %.755.us.us.us.us463.us.1232.i = load double, ptr %.754.us.us.us.us462.us.1231.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.1233.i = fmul double %.62.i, %.755.us.us.us.us463.us.1232.i
  %.767.us.us.us.us467.us.1234.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.1233.i
  store double %.767.us.us.us.us467.us.1234.i, ptr %.754.us.us.us.us462.us.1231.i, align 8, !noalias !117
  %153 = add i64 %lsr.iv251.i, 8
  %.754.us.us.us.us462.us.1.1.i = inttoptr i64 %153 to ptr
  %.755.us.us.us.us463.us.1.1.i = load double, ptr %.754.us.us.us.us462.us.1.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.1.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.1.1.i
  %.767.us.us.us.us467.us.1.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.1.1.i
  store double %.767.us.us.us.us467.us.1.1.i, ptr %.754.us.us.us.us462.us.1.1.i, align 8, !noalias !117
  %154 = add i64 %lsr.iv251.i, 16
  %.754.us.us.us.us462.us.2.1.i = inttoptr i64 %154 to ptr
  %.755.us.us.us.us463.us.2.1.i = load double, ptr %.754.us.us.us.us462.us.2.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.2.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.2.1.i
  %.767.us.us.us.us467.us.2.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.2.1.i
  store double %.767.us.us.us.us467.us.2.1.i, ptr %.754.us.us.us.us462.us.2.1.i, align 8, !noalias !117
  %155 = add i64 %lsr.iv251.i, 24
  %.754.us.us.us.us462.us.3.1.i = inttoptr i64 %155 to ptr
  %.755.us.us.us.us463.us.3.1.i = load double, ptr %.754.us.us.us.us462.us.3.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.3.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.3.1.i
  %.767.us.us.us.us467.us.3.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.3.1.i
  store double %.767.us.us.us.us467.us.3.1.i, ptr %.754.us.us.us.us462.us.3.1.i, align 8, !noalias !117
  %156 = add i64 %lsr.iv251.i, 32
  %.754.us.us.us.us462.us.4.1.i = inttoptr i64 %156 to ptr
  %.755.us.us.us.us463.us.4.1.i = load double, ptr %.754.us.us.us.us462.us.4.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.4.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.4.1.i
  %.767.us.us.us.us467.us.4.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.4.1.i
  store double %.767.us.us.us.us467.us.4.1.i, ptr %.754.us.us.us.us462.us.4.1.i, align 8, !noalias !117
  %157 = add i64 %lsr.iv251.i, 40
  %.754.us.us.us.us462.us.5.1.i = inttoptr i64 %157 to ptr
  %.755.us.us.us.us463.us.5.1.i = load double, ptr %.754.us.us.us.us462.us.5.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.5.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.5.1.i
  %.767.us.us.us.us467.us.5.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.5.1.i
  store double %.767.us.us.us.us467.us.5.1.i, ptr %.754.us.us.us.us462.us.5.1.i, align 8, !noalias !117
  %158 = add i64 %lsr.iv251.i, 48
  %.754.us.us.us.us462.us.6.1.i = inttoptr i64 %158 to ptr
  %.755.us.us.us.us463.us.6.1.i = load double, ptr %.754.us.us.us.us462.us.6.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.6.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.6.1.i
  %.767.us.us.us.us467.us.6.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.6.1.i
  store double %.767.us.us.us.us467.us.6.1.i, ptr %.754.us.us.us.us462.us.6.1.i, align 8, !noalias !117
  %.754.us.us.us.us462.us.7.1.i = inttoptr i64 %152 to ptr
  %.755.us.us.us.us463.us.7.1.i = load double, ptr %.754.us.us.us.us462.us.7.1.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.7.1.i = fmul double %.62.i, %.755.us.us.us.us463.us.7.1.i
  %.767.us.us.us.us467.us.7.1.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.7.1.i
  store double %.767.us.us.us.us467.us.7.1.i, ptr %.754.us.us.us.us462.us.7.1.i, align 8, !noalias !117
  %lsr.iv.next252.i = add i64 %lsr.iv251.i, 128
  %lsr.iv.next128.i = add i64 %lsr.iv127.i, -2
  %niter230.ncmp.1.i = icmp eq i64 %lsr.iv.next128.i, 0
  br i1 %niter230.ncmp.1.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa.i, label %B738.us.us.us.us453.us.i

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa.i: ; preds = %B738.us.us.us.us453.us.i
  %159 = add i64 %lsr.iv251.i, 120
  br i1 %142, label %B738.us.us.us.us453.us.epil.preheader218.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.i

B738.us.us.us.us453.us.epil.preheader218.i:       ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa.i, %B738.us.us.us.us453.us.preheader.i
  %lsr.iv155.epil.init.i = phi i64 [ %lsr.iv.i, %B738.us.us.us.us453.us.preheader.i ], [ %159, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa.i ]
  %160 = add i64 %lsr.iv155.epil.init.i, -56
  %.754.us.us.us.us462.us.epil221.i = inttoptr i64 %160 to ptr
  %.755.us.us.us.us463.us.epil222.i = load double, ptr %.754.us.us.us.us462.us.epil221.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.epil223.i = fmul double %.62.i, %.755.us.us.us.us463.us.epil222.i
  %.767.us.us.us.us467.us.epil224.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.epil223.i
  store double %.767.us.us.us.us467.us.epil224.i, ptr %.754.us.us.us.us462.us.epil221.i, align 8, !noalias !117
  %161 = add i64 %lsr.iv155.epil.init.i, -48
  %.754.us.us.us.us462.us.1.epil.i = inttoptr i64 %161 to ptr
  %.755.us.us.us.us463.us.1.epil.i = load double, ptr %.754.us.us.us.us462.us.1.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.1.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.1.epil.i
  %.767.us.us.us.us467.us.1.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.1.epil.i
  store double %.767.us.us.us.us467.us.1.epil.i, ptr %.754.us.us.us.us462.us.1.epil.i, align 8, !noalias !117
  %162 = add i64 %lsr.iv155.epil.init.i, -40
  %.754.us.us.us.us462.us.2.epil.i = inttoptr i64 %162 to ptr
  %.755.us.us.us.us463.us.2.epil.i = load double, ptr %.754.us.us.us.us462.us.2.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.2.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.2.epil.i
  %.767.us.us.us.us467.us.2.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.2.epil.i
  store double %.767.us.us.us.us467.us.2.epil.i, ptr %.754.us.us.us.us462.us.2.epil.i, align 8, !noalias !117
  %163 = add i64 %lsr.iv155.epil.init.i, -32
  %.754.us.us.us.us462.us.3.epil.i = inttoptr i64 %163 to ptr
  %.755.us.us.us.us463.us.3.epil.i = load double, ptr %.754.us.us.us.us462.us.3.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.3.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.3.epil.i
  %.767.us.us.us.us467.us.3.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.3.epil.i
  store double %.767.us.us.us.us467.us.3.epil.i, ptr %.754.us.us.us.us462.us.3.epil.i, align 8, !noalias !117
  %164 = add i64 %lsr.iv155.epil.init.i, -24
  %.754.us.us.us.us462.us.4.epil.i = inttoptr i64 %164 to ptr
  %.755.us.us.us.us463.us.4.epil.i = load double, ptr %.754.us.us.us.us462.us.4.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.4.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.4.epil.i
  %.767.us.us.us.us467.us.4.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.4.epil.i
  store double %.767.us.us.us.us467.us.4.epil.i, ptr %.754.us.us.us.us462.us.4.epil.i, align 8, !noalias !117
  %165 = add i64 %lsr.iv155.epil.init.i, -16
  %.754.us.us.us.us462.us.5.epil.i = inttoptr i64 %165 to ptr
  %.755.us.us.us.us463.us.5.epil.i = load double, ptr %.754.us.us.us.us462.us.5.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.5.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.5.epil.i
  %.767.us.us.us.us467.us.5.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.5.epil.i
  store double %.767.us.us.us.us467.us.5.epil.i, ptr %.754.us.us.us.us462.us.5.epil.i, align 8, !noalias !117
  %166 = add i64 %lsr.iv155.epil.init.i, -8
  %.754.us.us.us.us462.us.6.epil.i = inttoptr i64 %166 to ptr
  %.755.us.us.us.us463.us.6.epil.i = load double, ptr %.754.us.us.us.us462.us.6.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.6.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.6.epil.i
  %.767.us.us.us.us467.us.6.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.6.epil.i
  store double %.767.us.us.us.us467.us.6.epil.i, ptr %.754.us.us.us.us462.us.6.epil.i, align 8, !noalias !117
  %.754.us.us.us.us462.us.7.epil.i = inttoptr i64 %lsr.iv155.epil.init.i to ptr
  %.755.us.us.us.us463.us.7.epil.i = load double, ptr %.754.us.us.us.us462.us.7.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.7.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.7.epil.i
  %.767.us.us.us.us467.us.7.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.7.epil.i
  store double %.767.us.us.us.us467.us.7.epil.i, ptr %.754.us.us.us.us462.us.7.epil.i, align 8, !noalias !117
  br label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.i

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.i: ; preds = %B738.us.us.us.us453.us.epil.preheader218.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa.i
  br i1 %143, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i, label %B738.us.us.us.us453.us.epil.preheader.i

B738.us.us.us.us453.us.epil.preheader.i:          ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.i, %B702.endif.us.us.us486.i
  %.345251269.us.us.us.us455.us.epil.init.i = phi i64 [ 0, %B702.endif.us.us.us486.i ], [ %unroll_iter142.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.i ]
  %167 = add nsw i64 %.345251269.us.us.us.us455.us.epil.init.i, %lsr.iv157.i
  %168 = shl i64 %167, 3
  %169 = add nsw i64 %168, %arg.c
  br label %B738.us.us.us.us453.us.epil.i

B738.us.us.us.us453.us.epil.i:                    ; preds = %B738.us.us.us.us453.us.epil.i, %B738.us.us.us.us453.us.epil.preheader.i
  %lsr.iv161.i = phi i64 [ %lsr.iv.next162.i, %B738.us.us.us.us453.us.epil.i ], [ %xtraiter138.i, %B738.us.us.us.us453.us.epil.preheader.i ]
  %lsr.iv159.i = phi i64 [ %lsr.iv.next160.i, %B738.us.us.us.us453.us.epil.i ], [ %169, %B738.us.us.us.us453.us.epil.preheader.i ]
  %.754.us.us.us.us462.us.epil.i = inttoptr i64 %lsr.iv159.i to ptr
  %.755.us.us.us.us463.us.epil.i = load double, ptr %.754.us.us.us.us462.us.epil.i, align 8, !noalias !117
  %.757.us.us.us.us464.us.epil.i = fmul double %.62.i, %.755.us.us.us.us463.us.epil.i
  %.767.us.us.us.us467.us.epil.i = fadd double %.763.us.us.us.i, %.757.us.us.us.us464.us.epil.i
  store double %.767.us.us.us.us467.us.epil.i, ptr %.754.us.us.us.us462.us.epil.i, align 8, !noalias !117
  %lsr.iv.next160.i = add i64 %lsr.iv159.i, 8
  %lsr.iv.next162.i = add nsw i64 %lsr.iv161.i, -1
  %epil.iter139.cmp.not.i = icmp eq i64 %lsr.iv.next162.i, 0
  br i1 %epil.iter139.cmp.not.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i, label %B738.us.us.us.us453.us.epil.i, !llvm.loop !124

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i: ; preds = %B738.us.us.us.us453.us.epil.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.i
  %.230.us.us.us490.i = add nuw nsw i64 %.223332346.us.us.us488.i, 1
  %lsr.iv.next.i = add i64 %lsr.iv.i, %133
  %lsr.iv.next158.i = add i64 %lsr.iv157.i, %.46.i
  %lsr.iv.next250.i = add i64 %lsr.iv249.i, %133
  %exitcond547.not.i = icmp eq i64 %arg.m, %.230.us.us.us490.i
  br i1 %exitcond547.not.i, label %common.ret, label %B702.endif.us.us.us486.i

iter.check59.i:                                   ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i, %iter.check59.preheader.i
  %lsr.iv167.i = phi i64 [ 0, %iter.check59.preheader.i ], [ %lsr.iv.next168.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i ]
  %.223332346.us.us.i = phi i64 [ 0, %iter.check59.preheader.i ], [ %.230.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i ]
  br i1 %126, label %B738.us.us.us.preheader.i, label %vector.main.loop.iter.check61.i

vector.main.loop.iter.check61.i:                  ; preds = %iter.check59.i
  %.736.us.us.i = mul nsw i64 %.223332346.us.us.i, %.46.i
  %.pre.i = insertelement <8 x i64> poison, i64 %.736.us.us.i, i64 0
  %.pre54.i = shufflevector <8 x i64> %.pre.i, <8 x i64> poison, <8 x i32> zeroinitializer
  br i1 %127, label %vec.epilog.ph82.i, label %vector.ph62.i

vector.ph62.i:                                    ; preds = %vector.main.loop.iter.check61.i
  %invariant.op.i = add <8 x i64> %.pre54.i, splat (i64 8)
  %invariant.op144.i = add <8 x i64> %.pre54.i, splat (i64 16)
  %invariant.op146.i = add <8 x i64> %.pre54.i, splat (i64 24)
  br label %vector.body71.i

vector.body71.i:                                  ; preds = %vector.body71.i, %vector.ph62.i
  %lsr.iv129.i = phi i64 [ %lsr.iv.next130.i, %vector.body71.i ], [ %125, %vector.ph62.i ]
  %vec.ind73.i = phi <8 x i64> [ %vec.ind.next75.i, %vector.body71.i ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %vector.ph62.i ]
  %170 = add nsw <8 x i64> %vec.ind73.i, %.pre54.i
  %.reass.i = add <8 x i64> %invariant.op.i, %vec.ind73.i
  %.reass145.i = add <8 x i64> %invariant.op144.i, %vec.ind73.i
  %.reass147.i = add <8 x i64> %invariant.op146.i, %vec.ind73.i
  %171 = shl nsw <8 x i64> %170, splat (i64 3)
  %172 = shl nsw <8 x i64> %.reass.i, splat (i64 3)
  %173 = shl nsw <8 x i64> %.reass145.i, splat (i64 3)
  %174 = shl nsw <8 x i64> %.reass147.i, splat (i64 3)
  %175 = add nsw <8 x i64> %171, %broadcast.splat68.i
  %176 = add nsw <8 x i64> %172, %broadcast.splat68.i
  %177 = add nsw <8 x i64> %173, %broadcast.splat68.i
  %178 = add nsw <8 x i64> %174, %broadcast.splat68.i
  %179 = inttoptr <8 x i64> %175 to <8 x ptr>
  %180 = inttoptr <8 x i64> %176 to <8 x ptr>
  %181 = inttoptr <8 x i64> %177 to <8 x ptr>
  %182 = inttoptr <8 x i64> %178 to <8 x ptr>
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70.i, <8 x ptr> align 8 %179, <8 x i1> splat (i1 true)), !noalias !117
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70.i, <8 x ptr> align 8 %180, <8 x i1> splat (i1 true)), !noalias !117
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70.i, <8 x ptr> align 8 %181, <8 x i1> splat (i1 true)), !noalias !117
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70.i, <8 x ptr> align 8 %182, <8 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next75.i = add <8 x i64> %vec.ind73.i, splat (i64 32)
  %lsr.iv.next130.i = add nsw i64 %lsr.iv129.i, 32
  %183 = icmp eq i64 %lsr.iv.next130.i, 0
  br i1 %183, label %middle.block76.i, label %vector.body71.i, !llvm.loop !125

middle.block76.i:                                 ; preds = %vector.body71.i
  br i1 %128, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i, label %vec.epilog.iter.check80.i

vec.epilog.iter.check80.i:                        ; preds = %middle.block76.i
  br i1 %130, label %B738.us.us.us.preheader.i, label %vec.epilog.ph82.i, !prof !128

vec.epilog.ph82.i:                                ; preds = %vec.epilog.iter.check80.i, %vector.main.loop.iter.check61.i
  %bc.resume.val78.i = phi i64 [ %n.vec64.i, %vec.epilog.iter.check80.i ], [ 0, %vector.main.loop.iter.check61.i ]
  %broadcast.splatinsert91.i = insertelement <8 x i64> poison, i64 %bc.resume.val78.i, i64 0
  %broadcast.splat92.i = shufflevector <8 x i64> %broadcast.splatinsert91.i, <8 x i64> poison, <8 x i32> zeroinitializer
  %induction93.i = or disjoint <8 x i64> %broadcast.splat92.i, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %184 = sub nsw i64 %bc.resume.val78.i, %n.vec84.i
  br label %vec.epilog.vector.body94.i

vec.epilog.vector.body94.i:                       ; preds = %vec.epilog.vector.body94.i, %vec.epilog.ph82.i
  %lsr.iv165.i = phi i64 [ %lsr.iv.next166.i, %vec.epilog.vector.body94.i ], [ %184, %vec.epilog.ph82.i ]
  %vec.ind96.i = phi <8 x i64> [ %vec.ind.next98.i, %vec.epilog.vector.body94.i ], [ %induction93.i, %vec.epilog.ph82.i ]
  %185 = add nsw <8 x i64> %vec.ind96.i, %.pre54.i
  %186 = shl nsw <8 x i64> %185, splat (i64 3)
  %187 = add nsw <8 x i64> %186, %broadcast.splat68.i
  %188 = inttoptr <8 x i64> %187 to <8 x ptr>
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70.i, <8 x ptr> align 8 %188, <8 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next98.i = add nuw nsw <8 x i64> %vec.ind96.i, splat (i64 8)
  %lsr.iv.next166.i = add i64 %lsr.iv165.i, 8
  %189 = icmp eq i64 %lsr.iv.next166.i, 0
  br i1 %189, label %vec.epilog.middle.block99.i, label %vec.epilog.vector.body94.i, !llvm.loop !129

vec.epilog.middle.block99.i:                      ; preds = %vec.epilog.vector.body94.i
  br i1 %131, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i, label %B738.us.us.us.preheader.i

B738.us.us.us.preheader.i:                        ; preds = %vec.epilog.middle.block99.i, %vec.epilog.iter.check80.i, %iter.check59.i
  %.345251269.us.us.us.ph.i = phi i64 [ 0, %iter.check59.i ], [ %n.vec64.i, %vec.epilog.iter.check80.i ], [ %n.vec84.i, %vec.epilog.middle.block99.i ]
  %190 = add nsw i64 %.345251269.us.us.us.ph.i, %lsr.iv167.i
  %191 = shl i64 %190, 3
  %192 = add nsw i64 %191, %arg.c
  %193 = sub nsw i64 %.345251269.us.us.us.ph.i, %arg.n
  br label %B738.us.us.us.i

B738.us.us.us.i:                                  ; preds = %B738.us.us.us.i, %B738.us.us.us.preheader.i
  %lsr.iv131.i = phi i64 [ %lsr.iv.next132.i, %B738.us.us.us.i ], [ %193, %B738.us.us.us.preheader.i ]
  %lsr.iv169.i = phi i64 [ %lsr.iv.next170.i, %B738.us.us.us.i ], [ %192, %B738.us.us.us.preheader.i ]
  %.771.us.us.us.i = inttoptr i64 %lsr.iv169.i to ptr
  store double %.767.us.us.us.i, ptr %.771.us.us.us.i, align 8, !noalias !117
  %lsr.iv.next170.i = add i64 %lsr.iv169.i, 8
  %ov174.i = icmp eq i64 %lsr.iv131.i, -1
  %lsr.iv.next132.i = add nuw i64 %lsr.iv131.i, 1
  br i1 %ov174.i, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i, label %B738.us.us.us.i, !llvm.loop !130

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i: ; preds = %B738.us.us.us.i, %vec.epilog.middle.block99.i, %middle.block76.i
  %.230.us.us.i = add nuw nsw i64 %.223332346.us.us.i, 1
  %lsr.iv.next168.i = add i64 %lsr.iv167.i, %.46.i
  %exitcond545.not.i = icmp eq i64 %arg.m, %.230.us.us.i
  br i1 %exitcond545.not.i, label %common.ret, label %iter.check59.i

B702.endif.lr.ph.split.us.split.i:                ; preds = %B702.endif.lr.ph.split.us.i
  %194 = fcmp une double %.62.i, 0.000000e+00
  br i1 %1, label %B702.endif.lr.ph.split.us.split.split.i, label %B702.endif.lr.ph.split.us.split.split.us.i

B702.endif.lr.ph.split.us.split.split.us.i:       ; preds = %B702.endif.lr.ph.split.us.split.i
  %xtraiter111.i = and i64 %.38.i, 7
  %unroll_iter116.i = and i64 %.38.i, 9223372036854775800
  %195 = icmp samesign ult i64 %.38.i, 8
  br i1 %194, label %B702.endif.us.us389.us.preheader.i, label %B702.endif.us.us389.preheader.i

B702.endif.us.us389.preheader.i:                  ; preds = %B702.endif.lr.ph.split.us.split.split.us.i
  br i1 %195, label %B702.endif.us.us389.us15.preheader.i, label %B702.endif.us.us389.preheader52.i

B702.endif.us.us389.us15.preheader.i:             ; preds = %B702.endif.us.us389.preheader.i
  %xtraiter105.i = and i64 %arg.n, 3
  %unroll_iter108.i = and i64 %arg.n, 9223372036854775804
  %196 = icmp samesign ult i64 %arg.n, 4
  %197 = icmp eq i64 %xtraiter105.i, 0
  br label %B702.endif.us.us389.us15.i

B702.endif.us.us389.preheader52.i:                ; preds = %B702.endif.us.us389.preheader.i
  %198 = mul i64 %unroll_iter116.i, %factor.op.mul222.i
  %199 = mul i64 %unroll_iter116.i, %factor.op.mul220.i
  %200 = add nsw i64 %.38.i, -8
  %201 = lshr i64 %200, 3
  %202 = add nuw nsw i64 %201, 1
  %203 = and i64 %202, 4611686018427387902
  %204 = icmp eq i64 %201, 0
  %205 = icmp eq i64 %xtraiter111.i, 0
  %206 = and i64 %200, 8
  %207 = icmp eq i64 %206, 0
  br label %B702.endif.us.us389.i

B702.endif.us.us389.us15.i:                       ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i, %B702.endif.us.us389.us15.preheader.i
  %lsr.iv239.us.i = phi i64 [ %lsr.iv.next240.us.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i ], [ %arg.a, %B702.endif.us.us389.us15.preheader.i ]
  %.223332346.us.us391.us16.i = phi i64 [ %.230.us.us393.us18.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i ], [ 0, %B702.endif.us.us389.us15.preheader.i ]
  %.538.us.us396.us17.i = mul nsw i64 %.223332346.us.us391.us16.i, %.46.i
  br i1 %196, label %B738.us282.us.us.us.us19.epil.i.preheader, label %B738.us282.us.us.us.us19.preheader.i

B738.us282.us.us.us.us19.preheader.i:             ; preds = %B702.endif.us.us389.us15.i
  %.352.us286.us.us.us.us21.i = add i64 %.538.us.us396.us17.i, 1
  %.352.us286.us.us.us.us21.1.i = add i64 %.538.us.us396.us17.i, 2
  %.352.us286.us.us.us.us21.2.i = add i64 %.538.us.us396.us17.i, 3
  br label %B738.us282.us.us.us.us19.i

B738.us282.us.us.us.us19.i:                       ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.3.i, %B738.us282.us.us.us.us19.preheader.i
  %lsr.iv235.us.us.i = phi i64 [ %lsr.iv.next236.us.us.3.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.3.i ], [ %arg.b, %B738.us282.us.us.us.us19.preheader.i ]
  %.345251269.us284.us.us.us.us20.i = phi i64 [ %.352.us286.us.us.us.us21.3.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.3.i ], [ 0, %B738.us282.us.us.us.us19.preheader.i ]
  br label %B806.us.us.us.epil.us.us.i

B806.us.us.us.epil.us.us.i:                       ; preds = %B806.us.us.us.epil.us.us.i, %B738.us282.us.us.us.us19.i
  %lsr.iv247.us.us.i = phi i64 [ %lsr.iv.next248.us.us.i, %B806.us.us.us.epil.us.us.i ], [ %xtraiter111.i, %B738.us282.us.us.us.us19.i ]
  %lsr.iv245.us.us.i = phi i64 [ %lsr.iv.next246.us.us.i, %B806.us.us.us.epil.us.us.i ], [ %lsr.iv239.us.i, %B738.us282.us.us.us.us19.i ]
  %lsr.iv243.us.us.i = phi i64 [ %lsr.iv.next244.us.us.i, %B806.us.us.us.epil.us.us.i ], [ %lsr.iv235.us.us.i, %B738.us282.us.us.us.us19.i ]
  %total.2.2228.us.us.us.epil.us.us.i = phi float [ %.528.us.us.us.epil.us.us.i, %B806.us.us.us.epil.us.us.i ], [ 0.000000e+00, %B738.us282.us.us.us.us19.i ]
  %.513.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv245.us.us.i to ptr
  %.514.us.us.us.epil.us.us.i = load float, ptr %.513.us.us.us.epil.us.us.i, align 4, !noalias !117
  %.524.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv243.us.us.i to ptr
  %.525.us.us.us.epil.us.us.i = load float, ptr %.524.us.us.us.epil.us.us.i, align 4, !noalias !117
  %.526.us.us.us.epil.us.us.i = fmul float %.514.us.us.us.epil.us.us.i, %.525.us.us.us.epil.us.us.i
  %.528.us.us.us.epil.us.us.i = fadd float %total.2.2228.us.us.us.epil.us.us.i, %.526.us.us.us.epil.us.us.i
  %lsr.iv.next244.us.us.i = add i64 %lsr.iv243.us.us.i, %factor.op.mul222.i
  %lsr.iv.next246.us.us.i = add i64 %lsr.iv245.us.us.i, %factor.op.mul220.i
  %lsr.iv.next248.us.us.i = add nsw i64 %lsr.iv247.us.us.i, -1
  %epil.iter.cmp.not.us.us.i = icmp eq i64 %lsr.iv.next248.us.us.i, 0
  br i1 %epil.iter.cmp.not.us.us.i, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.i, label %B806.us.us.us.epil.us.us.i, !llvm.loop !131

B804.B938_crit_edge.us.us.us.loopexit.us.us.i:    ; preds = %B806.us.us.us.epil.us.us.i
  %.540.us.us.us.us.us22.i = add nsw i64 %.345251269.us284.us.us.us.us20.i, %.538.us.us396.us17.i
  %.543.us.us.us.us.us23.i = shl nsw i64 %.540.us.us.us.us.us22.i, 2
  %.545.us.us.us.us.us24.i = add nsw i64 %.543.us.us.us.us.us23.i, %arg.c
  %.568.us.us.us.us.us25.i = fmul float %.528.us.us.us.epil.us.us.i, %.566.i
  %.572.us.us.us.us.us26.i = fadd float %.568.us.us.us.us.us25.i, 0.000000e+00
  %.576.us.us.us.us.us.i = inttoptr i64 %.545.us.us.us.us.us24.i to ptr
  store float %.572.us.us.us.us.us26.i, ptr %.576.us.us.us.us.us.i, align 4, !noalias !117
  %lsr.iv.next236.us.us.i = add i64 %lsr.iv235.us.us.i, %factor.op.mul.i
  br label %B806.us.us.us.epil.us.us.1.i

B806.us.us.us.epil.us.us.1.i:                     ; preds = %B806.us.us.us.epil.us.us.1.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.i
  %lsr.iv247.us.us.1.i = phi i64 [ %lsr.iv.next248.us.us.1.i, %B806.us.us.us.epil.us.us.1.i ], [ %xtraiter111.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.i ]
  %lsr.iv245.us.us.1.i = phi i64 [ %lsr.iv.next246.us.us.1.i, %B806.us.us.us.epil.us.us.1.i ], [ %lsr.iv239.us.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.i ]
  %lsr.iv243.us.us.1.i = phi i64 [ %lsr.iv.next244.us.us.1.i, %B806.us.us.us.epil.us.us.1.i ], [ %lsr.iv.next236.us.us.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.i ]
  %total.2.2228.us.us.us.epil.us.us.1.i = phi float [ %.528.us.us.us.epil.us.us.1.i, %B806.us.us.us.epil.us.us.1.i ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.loopexit.us.us.i ]
  %.513.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv245.us.us.1.i to ptr
  %.514.us.us.us.epil.us.us.1.i = load float, ptr %.513.us.us.us.epil.us.us.1.i, align 4, !noalias !117
  %.524.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv243.us.us.1.i to ptr
  %.525.us.us.us.epil.us.us.1.i = load float, ptr %.524.us.us.us.epil.us.us.1.i, align 4, !noalias !117
  %.526.us.us.us.epil.us.us.1.i = fmul float %.514.us.us.us.epil.us.us.1.i, %.525.us.us.us.epil.us.us.1.i
  %.528.us.us.us.epil.us.us.1.i = fadd float %total.2.2228.us.us.us.epil.us.us.1.i, %.526.us.us.us.epil.us.us.1.i
  %lsr.iv.next244.us.us.1.i = add i64 %lsr.iv243.us.us.1.i, %factor.op.mul222.i
  %lsr.iv.next246.us.us.1.i = add i64 %lsr.iv245.us.us.1.i, %factor.op.mul220.i
  %lsr.iv.next248.us.us.1.i = add nsw i64 %lsr.iv247.us.us.1.i, -1
  %epil.iter.cmp.not.us.us.1.i = icmp eq i64 %lsr.iv.next248.us.us.1.i, 0
  br i1 %epil.iter.cmp.not.us.us.1.i, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i, label %B806.us.us.us.epil.us.us.1.i, !llvm.loop !131

B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i:  ; preds = %B806.us.us.us.epil.us.us.1.i
  %.540.us.us.us.us.us22.1.i = add i64 %.352.us286.us.us.us.us21.i, %.345251269.us284.us.us.us.us20.i
  %.543.us.us.us.us.us23.1.i = shl nsw i64 %.540.us.us.us.us.us22.1.i, 2
  %.545.us.us.us.us.us24.1.i = add nsw i64 %.543.us.us.us.us.us23.1.i, %arg.c
  %.568.us.us.us.us.us25.1.i = fmul float %.528.us.us.us.epil.us.us.1.i, %.566.i
  %.572.us.us.us.us.us26.1.i = fadd float %.568.us.us.us.us.us25.1.i, 0.000000e+00
  %.576.us.us.us.us.us.1.i = inttoptr i64 %.545.us.us.us.us.us24.1.i to ptr
  store float %.572.us.us.us.us.us26.1.i, ptr %.576.us.us.us.us.us.1.i, align 4, !noalias !117
  %lsr.iv.next236.us.us.1.i = add i64 %lsr.iv.next236.us.us.i, %factor.op.mul.i
  br label %B806.us.us.us.epil.us.us.2.i

B806.us.us.us.epil.us.us.2.i:                     ; preds = %B806.us.us.us.epil.us.us.2.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i
  %lsr.iv247.us.us.2.i = phi i64 [ %lsr.iv.next248.us.us.2.i, %B806.us.us.us.epil.us.us.2.i ], [ %xtraiter111.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv245.us.us.2.i = phi i64 [ %lsr.iv.next246.us.us.2.i, %B806.us.us.us.epil.us.us.2.i ], [ %lsr.iv239.us.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv243.us.us.2.i = phi i64 [ %lsr.iv.next244.us.us.2.i, %B806.us.us.us.epil.us.us.2.i ], [ %lsr.iv.next236.us.us.1.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i ]
  %total.2.2228.us.us.us.epil.us.us.2.i = phi float [ %.528.us.us.us.epil.us.us.2.i, %B806.us.us.us.epil.us.us.2.i ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1.i ]
  %.513.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv245.us.us.2.i to ptr
  %.514.us.us.us.epil.us.us.2.i = load float, ptr %.513.us.us.us.epil.us.us.2.i, align 4, !noalias !117
  %.524.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv243.us.us.2.i to ptr
  %.525.us.us.us.epil.us.us.2.i = load float, ptr %.524.us.us.us.epil.us.us.2.i, align 4, !noalias !117
  %.526.us.us.us.epil.us.us.2.i = fmul float %.514.us.us.us.epil.us.us.2.i, %.525.us.us.us.epil.us.us.2.i
  %.528.us.us.us.epil.us.us.2.i = fadd float %total.2.2228.us.us.us.epil.us.us.2.i, %.526.us.us.us.epil.us.us.2.i
  %lsr.iv.next244.us.us.2.i = add i64 %lsr.iv243.us.us.2.i, %factor.op.mul222.i
  %lsr.iv.next246.us.us.2.i = add i64 %lsr.iv245.us.us.2.i, %factor.op.mul220.i
  %lsr.iv.next248.us.us.2.i = add nsw i64 %lsr.iv247.us.us.2.i, -1
  %epil.iter.cmp.not.us.us.2.i = icmp eq i64 %lsr.iv.next248.us.us.2.i, 0
  br i1 %epil.iter.cmp.not.us.us.2.i, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i, label %B806.us.us.us.epil.us.us.2.i, !llvm.loop !131

B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i:  ; preds = %B806.us.us.us.epil.us.us.2.i
  %.540.us.us.us.us.us22.2.i = add i64 %.352.us286.us.us.us.us21.1.i, %.345251269.us284.us.us.us.us20.i
  %.543.us.us.us.us.us23.2.i = shl nsw i64 %.540.us.us.us.us.us22.2.i, 2
  %.545.us.us.us.us.us24.2.i = add nsw i64 %.543.us.us.us.us.us23.2.i, %arg.c
  %.568.us.us.us.us.us25.2.i = fmul float %.528.us.us.us.epil.us.us.2.i, %.566.i
  %.572.us.us.us.us.us26.2.i = fadd float %.568.us.us.us.us.us25.2.i, 0.000000e+00
  %.576.us.us.us.us.us.2.i = inttoptr i64 %.545.us.us.us.us.us24.2.i to ptr
  store float %.572.us.us.us.us.us26.2.i, ptr %.576.us.us.us.us.us.2.i, align 4, !noalias !117
  %lsr.iv.next236.us.us.2.i = add i64 %lsr.iv.next236.us.us.1.i, %factor.op.mul.i
  br label %B806.us.us.us.epil.us.us.3.i

B806.us.us.us.epil.us.us.3.i:                     ; preds = %B806.us.us.us.epil.us.us.3.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i
  %lsr.iv247.us.us.3.i = phi i64 [ %lsr.iv.next248.us.us.3.i, %B806.us.us.us.epil.us.us.3.i ], [ %xtraiter111.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv245.us.us.3.i = phi i64 [ %lsr.iv.next246.us.us.3.i, %B806.us.us.us.epil.us.us.3.i ], [ %lsr.iv239.us.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv243.us.us.3.i = phi i64 [ %lsr.iv.next244.us.us.3.i, %B806.us.us.us.epil.us.us.3.i ], [ %lsr.iv.next236.us.us.2.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i ]
  %total.2.2228.us.us.us.epil.us.us.3.i = phi float [ %.528.us.us.us.epil.us.us.3.i, %B806.us.us.us.epil.us.us.3.i ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2.i ]
  %.513.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv245.us.us.3.i to ptr
  %.514.us.us.us.epil.us.us.3.i = load float, ptr %.513.us.us.us.epil.us.us.3.i, align 4, !noalias !117
  %.524.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv243.us.us.3.i to ptr
  %.525.us.us.us.epil.us.us.3.i = load float, ptr %.524.us.us.us.epil.us.us.3.i, align 4, !noalias !117
  %.526.us.us.us.epil.us.us.3.i = fmul float %.514.us.us.us.epil.us.us.3.i, %.525.us.us.us.epil.us.us.3.i
  %.528.us.us.us.epil.us.us.3.i = fadd float %total.2.2228.us.us.us.epil.us.us.3.i, %.526.us.us.us.epil.us.us.3.i
  %lsr.iv.next244.us.us.3.i = add i64 %lsr.iv243.us.us.3.i, %factor.op.mul222.i
  %lsr.iv.next246.us.us.3.i = add i64 %lsr.iv245.us.us.3.i, %factor.op.mul220.i
  %lsr.iv.next248.us.us.3.i = add nsw i64 %lsr.iv247.us.us.3.i, -1
  %epil.iter.cmp.not.us.us.3.i = icmp eq i64 %lsr.iv.next248.us.us.3.i, 0
  br i1 %epil.iter.cmp.not.us.us.3.i, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.3.i, label %B806.us.us.us.epil.us.us.3.i, !llvm.loop !131

B804.B938_crit_edge.us.us.us.loopexit.us.us.3.i:  ; preds = %B806.us.us.us.epil.us.us.3.i
  %.352.us286.us.us.us.us21.3.i = add nuw nsw i64 %.345251269.us284.us.us.us.us20.i, 4
  %.540.us.us.us.us.us22.3.i = add i64 %.352.us286.us.us.us.us21.2.i, %.345251269.us284.us.us.us.us20.i
  %.543.us.us.us.us.us23.3.i = shl nsw i64 %.540.us.us.us.us.us22.3.i, 2
  %.545.us.us.us.us.us24.3.i = add nsw i64 %.543.us.us.us.us.us23.3.i, %arg.c
  %.568.us.us.us.us.us25.3.i = fmul float %.528.us.us.us.epil.us.us.3.i, %.566.i
  %.572.us.us.us.us.us26.3.i = fadd float %.568.us.us.us.us.us25.3.i, 0.000000e+00
  %.576.us.us.us.us.us.3.i = inttoptr i64 %.545.us.us.us.us.us24.3.i to ptr
  store float %.572.us.us.us.us.us26.3.i, ptr %.576.us.us.us.us.us.3.i, align 4, !noalias !117
  %lsr.iv.next236.us.us.3.i = add i64 %lsr.iv.next236.us.us.2.i, %factor.op.mul.i
  %niter109.ncmp.3.i = icmp eq i64 %.352.us286.us.us.us.us21.3.i, %unroll_iter108.i
  br i1 %niter109.ncmp.3.i, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa.i, label %B738.us282.us.us.us.us19.i

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa.i: ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.3.i
  br i1 %197, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i, label %B738.us282.us.us.us.us19.epil.i.preheader

B738.us282.us.us.us.us19.epil.i.preheader:        ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa.i, %B702.endif.us.us389.us15.i
  %lsr.iv235.us.us.epil.i.ph = phi i64 [ %lsr.iv.next236.us.us.3.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa.i ], [ %arg.b, %B702.endif.us.us389.us15.i ]
  %.345251269.us284.us.us.us.us20.epil.i.ph = phi i64 [ %unroll_iter108.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa.i ], [ 0, %B702.endif.us.us389.us15.i ]
  br label %B738.us282.us.us.us.us19.epil.i

B738.us282.us.us.us.us19.epil.i:                  ; preds = %B738.us282.us.us.us.us19.epil.i.preheader, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i
  %lsr.iv235.us.us.epil.i = phi i64 [ %lsr.iv.next236.us.us.epil.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i ], [ %lsr.iv235.us.us.epil.i.ph, %B738.us282.us.us.us.us19.epil.i.preheader ]
  %.345251269.us284.us.us.us.us20.epil.i = phi i64 [ %.352.us286.us.us.us.us21.epil.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i ], [ %.345251269.us284.us.us.us.us20.epil.i.ph, %B738.us282.us.us.us.us19.epil.i.preheader ]
  %epil.iter.i = phi i64 [ %epil.iter.next.i, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i ], [ 0, %B738.us282.us.us.us.us19.epil.i.preheader ]
  br label %B806.us.us.us.epil.us.us.epil.i

B806.us.us.us.epil.us.us.epil.i:                  ; preds = %B806.us.us.us.epil.us.us.epil.i, %B738.us282.us.us.us.us19.epil.i
  %lsr.iv247.us.us.epil.i = phi i64 [ %lsr.iv.next248.us.us.epil.i, %B806.us.us.us.epil.us.us.epil.i ], [ %xtraiter111.i, %B738.us282.us.us.us.us19.epil.i ]
  %lsr.iv245.us.us.epil.i = phi i64 [ %lsr.iv.next246.us.us.epil.i, %B806.us.us.us.epil.us.us.epil.i ], [ %lsr.iv239.us.i, %B738.us282.us.us.us.us19.epil.i ]
  %lsr.iv243.us.us.epil.i = phi i64 [ %lsr.iv.next244.us.us.epil.i, %B806.us.us.us.epil.us.us.epil.i ], [ %lsr.iv235.us.us.epil.i, %B738.us282.us.us.us.us19.epil.i ]
  %total.2.2228.us.us.us.epil.us.us.epil.i = phi float [ %.528.us.us.us.epil.us.us.epil.i, %B806.us.us.us.epil.us.us.epil.i ], [ 0.000000e+00, %B738.us282.us.us.us.us19.epil.i ]
  %.513.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv245.us.us.epil.i to ptr
  %.514.us.us.us.epil.us.us.epil.i = load float, ptr %.513.us.us.us.epil.us.us.epil.i, align 4, !noalias !117
  %.524.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv243.us.us.epil.i to ptr
  %.525.us.us.us.epil.us.us.epil.i = load float, ptr %.524.us.us.us.epil.us.us.epil.i, align 4, !noalias !117
  %.526.us.us.us.epil.us.us.epil.i = fmul float %.514.us.us.us.epil.us.us.epil.i, %.525.us.us.us.epil.us.us.epil.i
  %.528.us.us.us.epil.us.us.epil.i = fadd float %total.2.2228.us.us.us.epil.us.us.epil.i, %.526.us.us.us.epil.us.us.epil.i
  %lsr.iv.next244.us.us.epil.i = add i64 %lsr.iv243.us.us.epil.i, %factor.op.mul222.i
  %lsr.iv.next246.us.us.epil.i = add i64 %lsr.iv245.us.us.epil.i, %factor.op.mul220.i
  %lsr.iv.next248.us.us.epil.i = add nsw i64 %lsr.iv247.us.us.epil.i, -1
  %epil.iter.cmp.not.us.us.epil.i = icmp eq i64 %lsr.iv.next248.us.us.epil.i, 0
  br i1 %epil.iter.cmp.not.us.us.epil.i, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i, label %B806.us.us.us.epil.us.us.epil.i, !llvm.loop !131

B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i: ; preds = %B806.us.us.us.epil.us.us.epil.i
  %.352.us286.us.us.us.us21.epil.i = add nuw nsw i64 %.345251269.us284.us.us.us.us20.epil.i, 1
  %.540.us.us.us.us.us22.epil.i = add nsw i64 %.345251269.us284.us.us.us.us20.epil.i, %.538.us.us396.us17.i
  %.543.us.us.us.us.us23.epil.i = shl nsw i64 %.540.us.us.us.us.us22.epil.i, 2
  %.545.us.us.us.us.us24.epil.i = add nsw i64 %.543.us.us.us.us.us23.epil.i, %arg.c
  %.568.us.us.us.us.us25.epil.i = fmul float %.528.us.us.us.epil.us.us.epil.i, %.566.i
  %.572.us.us.us.us.us26.epil.i = fadd float %.568.us.us.us.us.us25.epil.i, 0.000000e+00
  %.576.us.us.us.us.us.epil.i = inttoptr i64 %.545.us.us.us.us.us24.epil.i to ptr
  store float %.572.us.us.us.us.us26.epil.i, ptr %.576.us.us.us.us.us.epil.i, align 4, !noalias !117
  %lsr.iv.next236.us.us.epil.i = add i64 %lsr.iv235.us.us.epil.i, %factor.op.mul.i
  %epil.iter.next.i = add i64 %epil.iter.i, 1
  %epil.iter.cmp.not235.i = icmp eq i64 %epil.iter.next.i, %xtraiter105.i
  br i1 %epil.iter.cmp.not235.i, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i, label %B738.us282.us.us.us.us19.epil.i, !llvm.loop !132

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i: ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa.i
  %.230.us.us393.us18.i = add nuw nsw i64 %.223332346.us.us391.us16.i, 1
  %lsr.iv.next240.us.i = add i64 %lsr.iv239.us.i, %factor.op.mul329.i
  %exitcond530.not.us.i = icmp eq i64 %arg.m, %.230.us.us393.us18.i
  br i1 %exitcond530.not.us.i, label %common.ret, label %B702.endif.us.us389.us15.i

B702.endif.us.us389.us.preheader.i:               ; preds = %B702.endif.lr.ph.split.us.split.split.us.i
  br i1 %195, label %B702.endif.us.us389.us.us.preheader.i, label %B702.endif.us.us389.us.preheader49.i

B702.endif.us.us389.us.us.preheader.i:            ; preds = %B702.endif.us.us389.us.preheader.i
  %xtraiter133.i = and i64 %arg.n, 3
  %unroll_iter137.i = and i64 %arg.n, 9223372036854775804
  %208 = icmp samesign ult i64 %arg.n, 4
  %209 = icmp eq i64 %xtraiter133.i, 0
  br label %B702.endif.us.us389.us.us.i

B702.endif.us.us389.us.preheader49.i:             ; preds = %B702.endif.us.us389.us.preheader.i
  %210 = mul i64 %unroll_iter116.i, %factor.op.mul222.i
  %211 = mul i64 %unroll_iter116.i, %factor.op.mul220.i
  %212 = add nsw i64 %.38.i, -8
  %213 = lshr i64 %212, 3
  %214 = add nuw nsw i64 %213, 1
  %215 = and i64 %214, 4611686018427387902
  %216 = icmp eq i64 %213, 0
  %217 = icmp eq i64 %xtraiter111.i, 0
  %218 = and i64 %212, 8
  %219 = icmp eq i64 %218, 0
  br label %B702.endif.us.us389.us.i

B702.endif.us.us389.us.us.i:                      ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i, %B702.endif.us.us389.us.us.preheader.i
  %lsr.iv225.us.i = phi i64 [ %lsr.iv.next226.us.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i ], [ %arg.a, %B702.endif.us.us389.us.us.preheader.i ]
  %.223332346.us.us391.us.us.i = phi i64 [ %.230.us.us393.us.us.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i ], [ 0, %B702.endif.us.us389.us.us.preheader.i ]
  %.538.us.us396.us.us.i = mul nsw i64 %.223332346.us.us391.us.us.i, %.46.i
  br i1 %208, label %B738.us282.us.us.us.us.us.us.epil.i.preheader, label %B738.us282.us.us.us.us.us.us.preheader.i

B738.us282.us.us.us.us.us.us.preheader.i:         ; preds = %B702.endif.us.us389.us.us.i
  %.352.us286.us.us.us.us.us.us.i = add i64 %.538.us.us396.us.us.i, 1
  %.352.us286.us.us.us.us.us.us.1.i = add i64 %.538.us.us396.us.us.i, 2
  %.352.us286.us.us.us.us.us.us.2.i = add i64 %.538.us.us396.us.us.i, 3
  br label %B738.us282.us.us.us.us.us.us.i

B738.us282.us.us.us.us.us.us.i:                   ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3.i, %B738.us282.us.us.us.us.us.us.preheader.i
  %lsr.iv221.us.us.i = phi i64 [ %lsr.iv.next222.us.us.3.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3.i ], [ %arg.b, %B738.us282.us.us.us.us.us.us.preheader.i ]
  %.345251269.us284.us.us.us.us.us.us.i = phi i64 [ %.352.us286.us.us.us.us.us.us.3.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3.i ], [ 0, %B738.us282.us.us.us.us.us.us.preheader.i ]
  br label %B806.us.us.us.us.us.epil.us.us.i

B806.us.us.us.us.us.epil.us.us.i:                 ; preds = %B806.us.us.us.us.us.epil.us.us.i, %B738.us282.us.us.us.us.us.us.i
  %lsr.iv233.us.us.i = phi i64 [ %lsr.iv.next234.us.us.i, %B806.us.us.us.us.us.epil.us.us.i ], [ %xtraiter111.i, %B738.us282.us.us.us.us.us.us.i ]
  %lsr.iv231.us.us.i = phi i64 [ %lsr.iv.next232.us.us.i, %B806.us.us.us.us.us.epil.us.us.i ], [ %lsr.iv225.us.i, %B738.us282.us.us.us.us.us.us.i ]
  %lsr.iv229.us.us.i = phi i64 [ %lsr.iv.next230.us.us.i, %B806.us.us.us.us.us.epil.us.us.i ], [ %lsr.iv221.us.us.i, %B738.us282.us.us.us.us.us.us.i ]
  %total.2.2228.us.us.us.us.us.epil.us.us.i = phi float [ %.528.us.us.us.us.us.epil.us.us.i, %B806.us.us.us.us.us.epil.us.us.i ], [ 0.000000e+00, %B738.us282.us.us.us.us.us.us.i ]
  %.513.us.us.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv231.us.us.i to ptr
  %.514.us.us.us.us.us.epil.us.us.i = load float, ptr %.513.us.us.us.us.us.epil.us.us.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil.us.us.i = inttoptr i64 %lsr.iv229.us.us.i to ptr
  %.525.us.us.us.us.us.epil.us.us.i = load float, ptr %.524.us.us.us.us.us.epil.us.us.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil.us.us.i = fmul float %.514.us.us.us.us.us.epil.us.us.i, %.525.us.us.us.us.us.epil.us.us.i
  %.528.us.us.us.us.us.epil.us.us.i = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.i, %.526.us.us.us.us.us.epil.us.us.i
  %lsr.iv.next230.us.us.i = add i64 %lsr.iv229.us.us.i, %factor.op.mul222.i
  %lsr.iv.next232.us.us.i = add i64 %lsr.iv231.us.us.i, %factor.op.mul220.i
  %lsr.iv.next234.us.us.i = add nsw i64 %lsr.iv233.us.us.i, -1
  %epil.iter112.cmp.not.us.us.i = icmp eq i64 %lsr.iv.next234.us.us.i, 0
  br i1 %epil.iter112.cmp.not.us.us.i, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i, label %B806.us.us.us.us.us.epil.us.us.i, !llvm.loop !133

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i: ; preds = %B806.us.us.us.us.us.epil.us.us.i
  %.540.us.us.us.us.us.us.us.i = add nsw i64 %.345251269.us284.us.us.us.us.us.us.i, %.538.us.us396.us.us.i
  %.543.us.us.us.us.us.us.us.i = shl nsw i64 %.540.us.us.us.us.us.us.us.i, 2
  %.545.us.us.us.us.us.us.us.i = add nsw i64 %.543.us.us.us.us.us.us.us.i, %arg.c
  %.559.us.us.us.us.us.us.us.i = inttoptr i64 %.545.us.us.us.us.us.us.us.i to ptr
  %.560.us.us.us.us.us.us.us.i = load float, ptr %.559.us.us.us.us.us.us.us.i, align 4, !noalias !117
  %.561.us.us.us.us.us.us.us.i = fmul float %.560.us.us.us.us.us.us.us.i, %.557.i
  %.568.us.us.us.us.us.us.us.i = fmul float %.528.us.us.us.us.us.epil.us.us.i, %.566.i
  %.572.us.us.us.us.us.us.us.i = fadd float %.568.us.us.us.us.us.us.us.i, %.561.us.us.us.us.us.us.us.i
  store float %.572.us.us.us.us.us.us.us.i, ptr %.559.us.us.us.us.us.us.us.i, align 4, !noalias !117
  %lsr.iv.next222.us.us.i = add i64 %lsr.iv221.us.us.i, %factor.op.mul.i
  br label %B806.us.us.us.us.us.epil.us.us.1.i

B806.us.us.us.us.us.epil.us.us.1.i:               ; preds = %B806.us.us.us.us.us.epil.us.us.1.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i
  %lsr.iv233.us.us.1.i = phi i64 [ %lsr.iv.next234.us.us.1.i, %B806.us.us.us.us.us.epil.us.us.1.i ], [ %xtraiter111.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %lsr.iv231.us.us.1.i = phi i64 [ %lsr.iv.next232.us.us.1.i, %B806.us.us.us.us.us.epil.us.us.1.i ], [ %lsr.iv225.us.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %lsr.iv229.us.us.1.i = phi i64 [ %lsr.iv.next230.us.us.1.i, %B806.us.us.us.us.us.epil.us.us.1.i ], [ %lsr.iv.next222.us.us.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %total.2.2228.us.us.us.us.us.epil.us.us.1.i = phi float [ %.528.us.us.us.us.us.epil.us.us.1.i, %B806.us.us.us.us.us.epil.us.us.1.i ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.i ]
  %.513.us.us.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv231.us.us.1.i to ptr
  %.514.us.us.us.us.us.epil.us.us.1.i = load float, ptr %.513.us.us.us.us.us.epil.us.us.1.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil.us.us.1.i = inttoptr i64 %lsr.iv229.us.us.1.i to ptr
  %.525.us.us.us.us.us.epil.us.us.1.i = load float, ptr %.524.us.us.us.us.us.epil.us.us.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil.us.us.1.i = fmul float %.514.us.us.us.us.us.epil.us.us.1.i, %.525.us.us.us.us.us.epil.us.us.1.i
  %.528.us.us.us.us.us.epil.us.us.1.i = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.1.i, %.526.us.us.us.us.us.epil.us.us.1.i
  %lsr.iv.next230.us.us.1.i = add i64 %lsr.iv229.us.us.1.i, %factor.op.mul222.i
  %lsr.iv.next232.us.us.1.i = add i64 %lsr.iv231.us.us.1.i, %factor.op.mul220.i
  %lsr.iv.next234.us.us.1.i = add nsw i64 %lsr.iv233.us.us.1.i, -1
  %epil.iter112.cmp.not.us.us.1.i = icmp eq i64 %lsr.iv.next234.us.us.1.i, 0
  br i1 %epil.iter112.cmp.not.us.us.1.i, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i, label %B806.us.us.us.us.us.epil.us.us.1.i, !llvm.loop !133

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i: ; preds = %B806.us.us.us.us.us.epil.us.us.1.i
  %.540.us.us.us.us.us.us.us.1.i = add i64 %.352.us286.us.us.us.us.us.us.i, %.345251269.us284.us.us.us.us.us.us.i
  %.543.us.us.us.us.us.us.us.1.i = shl nsw i64 %.540.us.us.us.us.us.us.us.1.i, 2
  %.545.us.us.us.us.us.us.us.1.i = add nsw i64 %.543.us.us.us.us.us.us.us.1.i, %arg.c
  %.559.us.us.us.us.us.us.us.1.i = inttoptr i64 %.545.us.us.us.us.us.us.us.1.i to ptr
  %.560.us.us.us.us.us.us.us.1.i = load float, ptr %.559.us.us.us.us.us.us.us.1.i, align 4, !noalias !117
  %.561.us.us.us.us.us.us.us.1.i = fmul float %.560.us.us.us.us.us.us.us.1.i, %.557.i
  %.568.us.us.us.us.us.us.us.1.i = fmul float %.528.us.us.us.us.us.epil.us.us.1.i, %.566.i
  %.572.us.us.us.us.us.us.us.1.i = fadd float %.568.us.us.us.us.us.us.us.1.i, %.561.us.us.us.us.us.us.us.1.i
  store float %.572.us.us.us.us.us.us.us.1.i, ptr %.559.us.us.us.us.us.us.us.1.i, align 4, !noalias !117
  %lsr.iv.next222.us.us.1.i = add i64 %lsr.iv.next222.us.us.i, %factor.op.mul.i
  br label %B806.us.us.us.us.us.epil.us.us.2.i

B806.us.us.us.us.us.epil.us.us.2.i:               ; preds = %B806.us.us.us.us.us.epil.us.us.2.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i
  %lsr.iv233.us.us.2.i = phi i64 [ %lsr.iv.next234.us.us.2.i, %B806.us.us.us.us.us.epil.us.us.2.i ], [ %xtraiter111.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv231.us.us.2.i = phi i64 [ %lsr.iv.next232.us.us.2.i, %B806.us.us.us.us.us.epil.us.us.2.i ], [ %lsr.iv225.us.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %lsr.iv229.us.us.2.i = phi i64 [ %lsr.iv.next230.us.us.2.i, %B806.us.us.us.us.us.epil.us.us.2.i ], [ %lsr.iv.next222.us.us.1.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %total.2.2228.us.us.us.us.us.epil.us.us.2.i = phi float [ %.528.us.us.us.us.us.epil.us.us.2.i, %B806.us.us.us.us.us.epil.us.us.2.i ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1.i ]
  %.513.us.us.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv231.us.us.2.i to ptr
  %.514.us.us.us.us.us.epil.us.us.2.i = load float, ptr %.513.us.us.us.us.us.epil.us.us.2.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil.us.us.2.i = inttoptr i64 %lsr.iv229.us.us.2.i to ptr
  %.525.us.us.us.us.us.epil.us.us.2.i = load float, ptr %.524.us.us.us.us.us.epil.us.us.2.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil.us.us.2.i = fmul float %.514.us.us.us.us.us.epil.us.us.2.i, %.525.us.us.us.us.us.epil.us.us.2.i
  %.528.us.us.us.us.us.epil.us.us.2.i = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.2.i, %.526.us.us.us.us.us.epil.us.us.2.i
  %lsr.iv.next230.us.us.2.i = add i64 %lsr.iv229.us.us.2.i, %factor.op.mul222.i
  %lsr.iv.next232.us.us.2.i = add i64 %lsr.iv231.us.us.2.i, %factor.op.mul220.i
  %lsr.iv.next234.us.us.2.i = add nsw i64 %lsr.iv233.us.us.2.i, -1
  %epil.iter112.cmp.not.us.us.2.i = icmp eq i64 %lsr.iv.next234.us.us.2.i, 0
  br i1 %epil.iter112.cmp.not.us.us.2.i, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i, label %B806.us.us.us.us.us.epil.us.us.2.i, !llvm.loop !133

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i: ; preds = %B806.us.us.us.us.us.epil.us.us.2.i
  %.540.us.us.us.us.us.us.us.2.i = add i64 %.352.us286.us.us.us.us.us.us.1.i, %.345251269.us284.us.us.us.us.us.us.i
  %.543.us.us.us.us.us.us.us.2.i = shl nsw i64 %.540.us.us.us.us.us.us.us.2.i, 2
  %.545.us.us.us.us.us.us.us.2.i = add nsw i64 %.543.us.us.us.us.us.us.us.2.i, %arg.c
  %.559.us.us.us.us.us.us.us.2.i = inttoptr i64 %.545.us.us.us.us.us.us.us.2.i to ptr
  %.560.us.us.us.us.us.us.us.2.i = load float, ptr %.559.us.us.us.us.us.us.us.2.i, align 4, !noalias !117
  %.561.us.us.us.us.us.us.us.2.i = fmul float %.560.us.us.us.us.us.us.us.2.i, %.557.i
  %.568.us.us.us.us.us.us.us.2.i = fmul float %.528.us.us.us.us.us.epil.us.us.2.i, %.566.i
  %.572.us.us.us.us.us.us.us.2.i = fadd float %.568.us.us.us.us.us.us.us.2.i, %.561.us.us.us.us.us.us.us.2.i
  store float %.572.us.us.us.us.us.us.us.2.i, ptr %.559.us.us.us.us.us.us.us.2.i, align 4, !noalias !117
  %lsr.iv.next222.us.us.2.i = add i64 %lsr.iv.next222.us.us.1.i, %factor.op.mul.i
  br label %B806.us.us.us.us.us.epil.us.us.3.i

B806.us.us.us.us.us.epil.us.us.3.i:               ; preds = %B806.us.us.us.us.us.epil.us.us.3.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i
  %lsr.iv233.us.us.3.i = phi i64 [ %lsr.iv.next234.us.us.3.i, %B806.us.us.us.us.us.epil.us.us.3.i ], [ %xtraiter111.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv231.us.us.3.i = phi i64 [ %lsr.iv.next232.us.us.3.i, %B806.us.us.us.us.us.epil.us.us.3.i ], [ %lsr.iv225.us.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %lsr.iv229.us.us.3.i = phi i64 [ %lsr.iv.next230.us.us.3.i, %B806.us.us.us.us.us.epil.us.us.3.i ], [ %lsr.iv.next222.us.us.2.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %total.2.2228.us.us.us.us.us.epil.us.us.3.i = phi float [ %.528.us.us.us.us.us.epil.us.us.3.i, %B806.us.us.us.us.us.epil.us.us.3.i ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2.i ]
  %.513.us.us.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv231.us.us.3.i to ptr
  %.514.us.us.us.us.us.epil.us.us.3.i = load float, ptr %.513.us.us.us.us.us.epil.us.us.3.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil.us.us.3.i = inttoptr i64 %lsr.iv229.us.us.3.i to ptr
  %.525.us.us.us.us.us.epil.us.us.3.i = load float, ptr %.524.us.us.us.us.us.epil.us.us.3.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil.us.us.3.i = fmul float %.514.us.us.us.us.us.epil.us.us.3.i, %.525.us.us.us.us.us.epil.us.us.3.i
  %.528.us.us.us.us.us.epil.us.us.3.i = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.3.i, %.526.us.us.us.us.us.epil.us.us.3.i
  %lsr.iv.next230.us.us.3.i = add i64 %lsr.iv229.us.us.3.i, %factor.op.mul222.i
  %lsr.iv.next232.us.us.3.i = add i64 %lsr.iv231.us.us.3.i, %factor.op.mul220.i
  %lsr.iv.next234.us.us.3.i = add nsw i64 %lsr.iv233.us.us.3.i, -1
  %epil.iter112.cmp.not.us.us.3.i = icmp eq i64 %lsr.iv.next234.us.us.3.i, 0
  br i1 %epil.iter112.cmp.not.us.us.3.i, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3.i, label %B806.us.us.us.us.us.epil.us.us.3.i, !llvm.loop !133

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3.i: ; preds = %B806.us.us.us.us.us.epil.us.us.3.i
  %.352.us286.us.us.us.us.us.us.3.i = add nuw nsw i64 %.345251269.us284.us.us.us.us.us.us.i, 4
  %.540.us.us.us.us.us.us.us.3.i = add i64 %.352.us286.us.us.us.us.us.us.2.i, %.345251269.us284.us.us.us.us.us.us.i
  %.543.us.us.us.us.us.us.us.3.i = shl nsw i64 %.540.us.us.us.us.us.us.us.3.i, 2
  %.545.us.us.us.us.us.us.us.3.i = add nsw i64 %.543.us.us.us.us.us.us.us.3.i, %arg.c
  %.559.us.us.us.us.us.us.us.3.i = inttoptr i64 %.545.us.us.us.us.us.us.us.3.i to ptr
  %.560.us.us.us.us.us.us.us.3.i = load float, ptr %.559.us.us.us.us.us.us.us.3.i, align 4, !noalias !117
  %.561.us.us.us.us.us.us.us.3.i = fmul float %.560.us.us.us.us.us.us.us.3.i, %.557.i
  %.568.us.us.us.us.us.us.us.3.i = fmul float %.528.us.us.us.us.us.epil.us.us.3.i, %.566.i
  %.572.us.us.us.us.us.us.us.3.i = fadd float %.568.us.us.us.us.us.us.us.3.i, %.561.us.us.us.us.us.us.us.3.i
  store float %.572.us.us.us.us.us.us.us.3.i, ptr %.559.us.us.us.us.us.us.us.3.i, align 4, !noalias !117
  %lsr.iv.next222.us.us.3.i = add i64 %lsr.iv.next222.us.us.2.i, %factor.op.mul.i
  %niter138.ncmp.3.i = icmp eq i64 %.352.us286.us.us.us.us.us.us.3.i, %unroll_iter137.i
  br i1 %niter138.ncmp.3.i, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa.i, label %B738.us282.us.us.us.us.us.us.i

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa.i: ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3.i
  br i1 %209, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i, label %B738.us282.us.us.us.us.us.us.epil.i.preheader

B738.us282.us.us.us.us.us.us.epil.i.preheader:    ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa.i, %B702.endif.us.us389.us.us.i
  %lsr.iv221.us.us.epil.i.ph = phi i64 [ %lsr.iv.next222.us.us.3.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa.i ], [ %arg.b, %B702.endif.us.us389.us.us.i ]
  %.345251269.us284.us.us.us.us.us.us.epil.i.ph = phi i64 [ %unroll_iter137.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa.i ], [ 0, %B702.endif.us.us389.us.us.i ]
  br label %B738.us282.us.us.us.us.us.us.epil.i

B738.us282.us.us.us.us.us.us.epil.i:              ; preds = %B738.us282.us.us.us.us.us.us.epil.i.preheader, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i
  %lsr.iv221.us.us.epil.i = phi i64 [ %lsr.iv.next222.us.us.epil.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i ], [ %lsr.iv221.us.us.epil.i.ph, %B738.us282.us.us.us.us.us.us.epil.i.preheader ]
  %.345251269.us284.us.us.us.us.us.us.epil.i = phi i64 [ %.352.us286.us.us.us.us.us.us.epil.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i ], [ %.345251269.us284.us.us.us.us.us.us.epil.i.ph, %B738.us282.us.us.us.us.us.us.epil.i.preheader ]
  %epil.iter134.i = phi i64 [ %epil.iter134.next.i, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i ], [ 0, %B738.us282.us.us.us.us.us.us.epil.i.preheader ]
  br label %B806.us.us.us.us.us.epil.us.us.epil.i

B806.us.us.us.us.us.epil.us.us.epil.i:            ; preds = %B806.us.us.us.us.us.epil.us.us.epil.i, %B738.us282.us.us.us.us.us.us.epil.i
  %lsr.iv233.us.us.epil.i = phi i64 [ %lsr.iv.next234.us.us.epil.i, %B806.us.us.us.us.us.epil.us.us.epil.i ], [ %xtraiter111.i, %B738.us282.us.us.us.us.us.us.epil.i ]
  %lsr.iv231.us.us.epil.i = phi i64 [ %lsr.iv.next232.us.us.epil.i, %B806.us.us.us.us.us.epil.us.us.epil.i ], [ %lsr.iv225.us.i, %B738.us282.us.us.us.us.us.us.epil.i ]
  %lsr.iv229.us.us.epil.i = phi i64 [ %lsr.iv.next230.us.us.epil.i, %B806.us.us.us.us.us.epil.us.us.epil.i ], [ %lsr.iv221.us.us.epil.i, %B738.us282.us.us.us.us.us.us.epil.i ]
  %total.2.2228.us.us.us.us.us.epil.us.us.epil.i = phi float [ %.528.us.us.us.us.us.epil.us.us.epil.i, %B806.us.us.us.us.us.epil.us.us.epil.i ], [ 0.000000e+00, %B738.us282.us.us.us.us.us.us.epil.i ]
  %.513.us.us.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv231.us.us.epil.i to ptr
  %.514.us.us.us.us.us.epil.us.us.epil.i = load float, ptr %.513.us.us.us.us.us.epil.us.us.epil.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil.us.us.epil.i = inttoptr i64 %lsr.iv229.us.us.epil.i to ptr
  %.525.us.us.us.us.us.epil.us.us.epil.i = load float, ptr %.524.us.us.us.us.us.epil.us.us.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil.us.us.epil.i = fmul float %.514.us.us.us.us.us.epil.us.us.epil.i, %.525.us.us.us.us.us.epil.us.us.epil.i
  %.528.us.us.us.us.us.epil.us.us.epil.i = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.epil.i, %.526.us.us.us.us.us.epil.us.us.epil.i
  %lsr.iv.next230.us.us.epil.i = add i64 %lsr.iv229.us.us.epil.i, %factor.op.mul222.i
  %lsr.iv.next232.us.us.epil.i = add i64 %lsr.iv231.us.us.epil.i, %factor.op.mul220.i
  %lsr.iv.next234.us.us.epil.i = add nsw i64 %lsr.iv233.us.us.epil.i, -1
  %epil.iter112.cmp.not.us.us.epil.i = icmp eq i64 %lsr.iv.next234.us.us.epil.i, 0
  br i1 %epil.iter112.cmp.not.us.us.epil.i, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i, label %B806.us.us.us.us.us.epil.us.us.epil.i, !llvm.loop !133

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i: ; preds = %B806.us.us.us.us.us.epil.us.us.epil.i
  %.352.us286.us.us.us.us.us.us.epil.i = add nuw nsw i64 %.345251269.us284.us.us.us.us.us.us.epil.i, 1
  %.540.us.us.us.us.us.us.us.epil.i = add nsw i64 %.345251269.us284.us.us.us.us.us.us.epil.i, %.538.us.us396.us.us.i
  %.543.us.us.us.us.us.us.us.epil.i = shl nsw i64 %.540.us.us.us.us.us.us.us.epil.i, 2
  %.545.us.us.us.us.us.us.us.epil.i = add nsw i64 %.543.us.us.us.us.us.us.us.epil.i, %arg.c
  %.559.us.us.us.us.us.us.us.epil.i = inttoptr i64 %.545.us.us.us.us.us.us.us.epil.i to ptr
  %.560.us.us.us.us.us.us.us.epil.i = load float, ptr %.559.us.us.us.us.us.us.us.epil.i, align 4, !noalias !117
  %.561.us.us.us.us.us.us.us.epil.i = fmul float %.560.us.us.us.us.us.us.us.epil.i, %.557.i
  %.568.us.us.us.us.us.us.us.epil.i = fmul float %.528.us.us.us.us.us.epil.us.us.epil.i, %.566.i
  %.572.us.us.us.us.us.us.us.epil.i = fadd float %.568.us.us.us.us.us.us.us.epil.i, %.561.us.us.us.us.us.us.us.epil.i
  store float %.572.us.us.us.us.us.us.us.epil.i, ptr %.559.us.us.us.us.us.us.us.epil.i, align 4, !noalias !117
  %lsr.iv.next222.us.us.epil.i = add i64 %lsr.iv221.us.us.epil.i, %factor.op.mul.i
  %epil.iter134.next.i = add i64 %epil.iter134.i, 1
  %epil.iter134.cmp.not.i = icmp eq i64 %epil.iter134.next.i, %xtraiter133.i
  br i1 %epil.iter134.cmp.not.i, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i, label %B738.us282.us.us.us.us.us.us.epil.i, !llvm.loop !134

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i: ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa.i
  %.230.us.us393.us.us.i = add nuw nsw i64 %.223332346.us.us391.us.us.i, 1
  %lsr.iv.next226.us.i = add i64 %lsr.iv225.us.i, %factor.op.mul329.i
  %exitcond533.not.us.i = icmp eq i64 %arg.m, %.230.us.us393.us.us.i
  br i1 %exitcond533.not.us.i, label %common.ret, label %B702.endif.us.us389.us.us.i

B702.endif.us.us389.us.i:                         ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.i, %B702.endif.us.us389.us.preheader49.i
  %lsr.iv225.i = phi i64 [ %lsr.iv.next226.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.i ], [ %arg.a, %B702.endif.us.us389.us.preheader49.i ]
  %.223332346.us.us391.us.i = phi i64 [ %.230.us.us393.us.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.i ], [ 0, %B702.endif.us.us389.us.preheader49.i ]
  %.538.us.us396.us.i = mul nsw i64 %.223332346.us.us391.us.i, %.46.i
  %220 = add i64 %lsr.iv225.i, %211
  br label %B738.us282.us.us.us.us.i

B738.us282.us.us.us.us.i:                         ; preds = %B804.B938_crit_edge.us.us.us.us.us.i, %B702.endif.us.us389.us.i
  %lsr.iv221.i = phi i64 [ %lsr.iv.next222.i, %B804.B938_crit_edge.us.us.us.us.us.i ], [ %arg.b, %B702.endif.us.us389.us.i ]
  %.345251269.us284.us.us.us.us.i = phi i64 [ %.352.us286.us.us.us.us.i, %B804.B938_crit_edge.us.us.us.us.us.i ], [ 0, %B702.endif.us.us389.us.i ]
  br i1 %216, label %B806.us.us.us.us.us.epil.preheader110.i, label %B806.us.us.us.us.us.i

B806.us.us.us.us.us.i:                            ; preds = %B738.us282.us.us.us.us.i, %B806.us.us.us.us.us.i
  %lsr.iv154.i = phi i64 [ %lsr.iv.next155.i, %B806.us.us.us.us.us.i ], [ %215, %B738.us282.us.us.us.us.i ]
  %lsr.iv227.i = phi i64 [ %251, %B806.us.us.us.us.us.i ], [ %lsr.iv225.i, %B738.us282.us.us.us.us.i ]
  %lsr.iv223.i = phi i64 [ %252, %B806.us.us.us.us.us.i ], [ %lsr.iv221.i, %B738.us282.us.us.us.us.i ]
  %total.2.2228.us.us.us.us.us.i = phi float [ %.528.us.us.us.us.us.7.1.i, %B806.us.us.us.us.us.i ], [ 0.000000e+00, %B738.us282.us.us.us.us.i ]
  %.513.us.us.us.us.us.i = inttoptr i64 %lsr.iv227.i to ptr
  %.514.us.us.us.us.us.i = load float, ptr %.513.us.us.us.us.us.i, align 4, !noalias !117
  %.524.us.us.us.us.us.i = inttoptr i64 %lsr.iv223.i to ptr
  %.525.us.us.us.us.us.i = load float, ptr %.524.us.us.us.us.us.i, align 4, !noalias !117
  %.526.us.us.us.us.us.i = fmul float %.514.us.us.us.us.us.i, %.525.us.us.us.us.us.i
  %.528.us.us.us.us.us.i = fadd float %total.2.2228.us.us.us.us.us.i, %.526.us.us.us.us.us.i
  %221 = add i64 %lsr.iv227.i, %factor.op.mul220.i
  %.513.us.us.us.us.us.1.i = inttoptr i64 %221 to ptr
  %.514.us.us.us.us.us.1.i = load float, ptr %.513.us.us.us.us.us.1.i, align 4, !noalias !117
  %222 = add i64 %lsr.iv223.i, %factor.op.mul222.i
  %.524.us.us.us.us.us.1.i = inttoptr i64 %222 to ptr
  %.525.us.us.us.us.us.1.i = load float, ptr %.524.us.us.us.us.us.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.1.i = fmul float %.514.us.us.us.us.us.1.i, %.525.us.us.us.us.us.1.i
  %.528.us.us.us.us.us.1.i = fadd float %.528.us.us.us.us.us.i, %.526.us.us.us.us.us.1.i
  %223 = add i64 %221, %factor.op.mul220.i
  %.513.us.us.us.us.us.2.i = inttoptr i64 %223 to ptr
  %.514.us.us.us.us.us.2.i = load float, ptr %.513.us.us.us.us.us.2.i, align 4, !noalias !117
  %224 = add i64 %222, %factor.op.mul222.i
  %.524.us.us.us.us.us.2.i = inttoptr i64 %224 to ptr
  %.525.us.us.us.us.us.2.i = load float, ptr %.524.us.us.us.us.us.2.i, align 4, !noalias !117
  %.526.us.us.us.us.us.2.i = fmul float %.514.us.us.us.us.us.2.i, %.525.us.us.us.us.us.2.i
  %.528.us.us.us.us.us.2.i = fadd float %.528.us.us.us.us.us.1.i, %.526.us.us.us.us.us.2.i
  %225 = add i64 %223, %factor.op.mul220.i
  %.513.us.us.us.us.us.3.i = inttoptr i64 %225 to ptr
  %.514.us.us.us.us.us.3.i = load float, ptr %.513.us.us.us.us.us.3.i, align 4, !noalias !117
  %226 = add i64 %224, %factor.op.mul222.i
  %.524.us.us.us.us.us.3.i = inttoptr i64 %226 to ptr
  %.525.us.us.us.us.us.3.i = load float, ptr %.524.us.us.us.us.us.3.i, align 4, !noalias !117
  %.526.us.us.us.us.us.3.i = fmul float %.514.us.us.us.us.us.3.i, %.525.us.us.us.us.us.3.i
  %.528.us.us.us.us.us.3.i = fadd float %.528.us.us.us.us.us.2.i, %.526.us.us.us.us.us.3.i
  %227 = add i64 %225, %factor.op.mul220.i
  %.513.us.us.us.us.us.4.i = inttoptr i64 %227 to ptr
  %.514.us.us.us.us.us.4.i = load float, ptr %.513.us.us.us.us.us.4.i, align 4, !noalias !117
  %228 = add i64 %226, %factor.op.mul222.i
  %.524.us.us.us.us.us.4.i = inttoptr i64 %228 to ptr
  %.525.us.us.us.us.us.4.i = load float, ptr %.524.us.us.us.us.us.4.i, align 4, !noalias !117
  %.526.us.us.us.us.us.4.i = fmul float %.514.us.us.us.us.us.4.i, %.525.us.us.us.us.us.4.i
  %.528.us.us.us.us.us.4.i = fadd float %.528.us.us.us.us.us.3.i, %.526.us.us.us.us.us.4.i
  %229 = add i64 %227, %factor.op.mul220.i
  %.513.us.us.us.us.us.5.i = inttoptr i64 %229 to ptr
  %.514.us.us.us.us.us.5.i = load float, ptr %.513.us.us.us.us.us.5.i, align 4, !noalias !117
  %230 = add i64 %228, %factor.op.mul222.i
  %.524.us.us.us.us.us.5.i = inttoptr i64 %230 to ptr
  %.525.us.us.us.us.us.5.i = load float, ptr %.524.us.us.us.us.us.5.i, align 4, !noalias !117
  %.526.us.us.us.us.us.5.i = fmul float %.514.us.us.us.us.us.5.i, %.525.us.us.us.us.us.5.i
  %.528.us.us.us.us.us.5.i = fadd float %.528.us.us.us.us.us.4.i, %.526.us.us.us.us.us.5.i
  %231 = add i64 %229, %factor.op.mul220.i
  %.513.us.us.us.us.us.6.i = inttoptr i64 %231 to ptr
  %.514.us.us.us.us.us.6.i = load float, ptr %.513.us.us.us.us.us.6.i, align 4, !noalias !117
  %232 = add i64 %230, %factor.op.mul222.i
  %.524.us.us.us.us.us.6.i = inttoptr i64 %232 to ptr
  %.525.us.us.us.us.us.6.i = load float, ptr %.524.us.us.us.us.us.6.i, align 4, !noalias !117
  %.526.us.us.us.us.us.6.i = fmul float %.514.us.us.us.us.us.6.i, %.525.us.us.us.us.us.6.i
  %.528.us.us.us.us.us.6.i = fadd float %.528.us.us.us.us.us.5.i, %.526.us.us.us.us.us.6.i
  %233 = add i64 %231, %factor.op.mul220.i
  %.513.us.us.us.us.us.7.i = inttoptr i64 %233 to ptr
  %.514.us.us.us.us.us.7.i = load float, ptr %.513.us.us.us.us.us.7.i, align 4, !noalias !117
  %234 = add i64 %232, %factor.op.mul222.i
  %.524.us.us.us.us.us.7.i = inttoptr i64 %234 to ptr
  %.525.us.us.us.us.us.7.i = load float, ptr %.524.us.us.us.us.us.7.i, align 4, !noalias !117
  %.526.us.us.us.us.us.7.i = fmul float %.514.us.us.us.us.us.7.i, %.525.us.us.us.us.us.7.i
  %.528.us.us.us.us.us.7.i = fadd float %.528.us.us.us.us.us.6.i, %.526.us.us.us.us.us.7.i
  %235 = add i64 %233, %factor.op.mul220.i
  %.513.us.us.us.us.us.1127.i = inttoptr i64 %235 to ptr
  %.514.us.us.us.us.us.1128.i = load float, ptr %.513.us.us.us.us.us.1127.i, align 4, !noalias !117
  %236 = add i64 %234, %factor.op.mul222.i
  %.524.us.us.us.us.us.1129.i = inttoptr i64 %236 to ptr
  %.525.us.us.us.us.us.1130.i = load float, ptr %.524.us.us.us.us.us.1129.i, align 4, !noalias !117
  %.526.us.us.us.us.us.1131.i = fmul float %.514.us.us.us.us.us.1128.i, %.525.us.us.us.us.us.1130.i
  %.528.us.us.us.us.us.1132.i = fadd float %.528.us.us.us.us.us.7.i, %.526.us.us.us.us.us.1131.i
  %237 = add i64 %235, %factor.op.mul220.i
  %.513.us.us.us.us.us.1.1.i = inttoptr i64 %237 to ptr
  %.514.us.us.us.us.us.1.1.i = load float, ptr %.513.us.us.us.us.us.1.1.i, align 4, !noalias !117
  %238 = add i64 %236, %factor.op.mul222.i
  %.524.us.us.us.us.us.1.1.i = inttoptr i64 %238 to ptr
  %.525.us.us.us.us.us.1.1.i = load float, ptr %.524.us.us.us.us.us.1.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.1.1.i = fmul float %.514.us.us.us.us.us.1.1.i, %.525.us.us.us.us.us.1.1.i
  %.528.us.us.us.us.us.1.1.i = fadd float %.528.us.us.us.us.us.1132.i, %.526.us.us.us.us.us.1.1.i
  %239 = add i64 %237, %factor.op.mul220.i
  %.513.us.us.us.us.us.2.1.i = inttoptr i64 %239 to ptr
  %.514.us.us.us.us.us.2.1.i = load float, ptr %.513.us.us.us.us.us.2.1.i, align 4, !noalias !117
  %240 = add i64 %238, %factor.op.mul222.i
  %.524.us.us.us.us.us.2.1.i = inttoptr i64 %240 to ptr
  %.525.us.us.us.us.us.2.1.i = load float, ptr %.524.us.us.us.us.us.2.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.2.1.i = fmul float %.514.us.us.us.us.us.2.1.i, %.525.us.us.us.us.us.2.1.i
  %.528.us.us.us.us.us.2.1.i = fadd float %.528.us.us.us.us.us.1.1.i, %.526.us.us.us.us.us.2.1.i
  %241 = add i64 %239, %factor.op.mul220.i
  %.513.us.us.us.us.us.3.1.i = inttoptr i64 %241 to ptr
  %.514.us.us.us.us.us.3.1.i = load float, ptr %.513.us.us.us.us.us.3.1.i, align 4, !noalias !117
  %242 = add i64 %240, %factor.op.mul222.i
  %.524.us.us.us.us.us.3.1.i = inttoptr i64 %242 to ptr
  %.525.us.us.us.us.us.3.1.i = load float, ptr %.524.us.us.us.us.us.3.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.3.1.i = fmul float %.514.us.us.us.us.us.3.1.i, %.525.us.us.us.us.us.3.1.i
  %.528.us.us.us.us.us.3.1.i = fadd float %.528.us.us.us.us.us.2.1.i, %.526.us.us.us.us.us.3.1.i
  %243 = add i64 %241, %factor.op.mul220.i
  %.513.us.us.us.us.us.4.1.i = inttoptr i64 %243 to ptr
  %.514.us.us.us.us.us.4.1.i = load float, ptr %.513.us.us.us.us.us.4.1.i, align 4, !noalias !117
  %244 = add i64 %242, %factor.op.mul222.i
  %.524.us.us.us.us.us.4.1.i = inttoptr i64 %244 to ptr
  %.525.us.us.us.us.us.4.1.i = load float, ptr %.524.us.us.us.us.us.4.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.4.1.i = fmul float %.514.us.us.us.us.us.4.1.i, %.525.us.us.us.us.us.4.1.i
  %.528.us.us.us.us.us.4.1.i = fadd float %.528.us.us.us.us.us.3.1.i, %.526.us.us.us.us.us.4.1.i
  %245 = add i64 %243, %factor.op.mul220.i
  %.513.us.us.us.us.us.5.1.i = inttoptr i64 %245 to ptr
  %.514.us.us.us.us.us.5.1.i = load float, ptr %.513.us.us.us.us.us.5.1.i, align 4, !noalias !117
  %246 = add i64 %244, %factor.op.mul222.i
  %.524.us.us.us.us.us.5.1.i = inttoptr i64 %246 to ptr
  %.525.us.us.us.us.us.5.1.i = load float, ptr %.524.us.us.us.us.us.5.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.5.1.i = fmul float %.514.us.us.us.us.us.5.1.i, %.525.us.us.us.us.us.5.1.i
  %.528.us.us.us.us.us.5.1.i = fadd float %.528.us.us.us.us.us.4.1.i, %.526.us.us.us.us.us.5.1.i
  %247 = add i64 %245, %factor.op.mul220.i
  %.513.us.us.us.us.us.6.1.i = inttoptr i64 %247 to ptr
  %.514.us.us.us.us.us.6.1.i = load float, ptr %.513.us.us.us.us.us.6.1.i, align 4, !noalias !117
  %248 = add i64 %246, %factor.op.mul222.i
  %.524.us.us.us.us.us.6.1.i = inttoptr i64 %248 to ptr
  %.525.us.us.us.us.us.6.1.i = load float, ptr %.524.us.us.us.us.us.6.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.6.1.i = fmul float %.514.us.us.us.us.us.6.1.i, %.525.us.us.us.us.us.6.1.i
  %.528.us.us.us.us.us.6.1.i = fadd float %.528.us.us.us.us.us.5.1.i, %.526.us.us.us.us.us.6.1.i
  %249 = add i64 %247, %factor.op.mul220.i
  %.513.us.us.us.us.us.7.1.i = inttoptr i64 %249 to ptr
  %.514.us.us.us.us.us.7.1.i = load float, ptr %.513.us.us.us.us.us.7.1.i, align 4, !noalias !117
  %250 = add i64 %248, %factor.op.mul222.i
  %.524.us.us.us.us.us.7.1.i = inttoptr i64 %250 to ptr
  %.525.us.us.us.us.us.7.1.i = load float, ptr %.524.us.us.us.us.us.7.1.i, align 4, !noalias !117
  %.526.us.us.us.us.us.7.1.i = fmul float %.514.us.us.us.us.us.7.1.i, %.525.us.us.us.us.us.7.1.i
  %.528.us.us.us.us.us.7.1.i = fadd float %.528.us.us.us.us.us.6.1.i, %.526.us.us.us.us.us.7.1.i
  %251 = add i64 %249, %factor.op.mul220.i
  %252 = add i64 %250, %factor.op.mul222.i
  %lsr.iv.next155.i = add i64 %lsr.iv154.i, -2
  %niter126.ncmp.1.i = icmp eq i64 %lsr.iv.next155.i, 0
  br i1 %niter126.ncmp.1.i, label %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i, label %B806.us.us.us.us.us.i

B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i: ; preds = %B806.us.us.us.us.us.i
  br i1 %219, label %B806.us.us.us.us.us.epil.preheader110.i, label %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.i

B806.us.us.us.us.us.epil.preheader110.i:          ; preds = %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i, %B738.us282.us.us.us.us.i
  %lsr.iv227.epil.init.i = phi i64 [ %lsr.iv225.i, %B738.us282.us.us.us.us.i ], [ %251, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %lsr.iv223.epil.init.i = phi i64 [ %lsr.iv221.i, %B738.us282.us.us.us.us.i ], [ %252, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %total.2.2228.us.us.us.us.us.epil.init.i = phi float [ 0.000000e+00, %B738.us282.us.us.us.us.i ], [ %.528.us.us.us.us.us.7.1.i, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ]
  %.513.us.us.us.us.us.epil115.i = inttoptr i64 %lsr.iv227.epil.init.i to ptr
  %.514.us.us.us.us.us.epil116.i = load float, ptr %.513.us.us.us.us.us.epil115.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil117.i = inttoptr i64 %lsr.iv223.epil.init.i to ptr
  %.525.us.us.us.us.us.epil118.i = load float, ptr %.524.us.us.us.us.us.epil117.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil119.i = fmul float %.514.us.us.us.us.us.epil116.i, %.525.us.us.us.us.us.epil118.i
  %.528.us.us.us.us.us.epil120.i = fadd float %total.2.2228.us.us.us.us.us.epil.init.i, %.526.us.us.us.us.us.epil119.i
  %253 = add i64 %lsr.iv227.epil.init.i, %factor.op.mul220.i
  %.513.us.us.us.us.us.1.epil.i = inttoptr i64 %253 to ptr
  %.514.us.us.us.us.us.1.epil.i = load float, ptr %.513.us.us.us.us.us.1.epil.i, align 4, !noalias !117
  %254 = add i64 %lsr.iv223.epil.init.i, %factor.op.mul222.i
  %.524.us.us.us.us.us.1.epil.i = inttoptr i64 %254 to ptr
  %.525.us.us.us.us.us.1.epil.i = load float, ptr %.524.us.us.us.us.us.1.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.1.epil.i = fmul float %.514.us.us.us.us.us.1.epil.i, %.525.us.us.us.us.us.1.epil.i
  %.528.us.us.us.us.us.1.epil.i = fadd float %.528.us.us.us.us.us.epil120.i, %.526.us.us.us.us.us.1.epil.i
  %255 = add i64 %253, %factor.op.mul220.i
  %.513.us.us.us.us.us.2.epil.i = inttoptr i64 %255 to ptr
  %.514.us.us.us.us.us.2.epil.i = load float, ptr %.513.us.us.us.us.us.2.epil.i, align 4, !noalias !117
  %256 = add i64 %254, %factor.op.mul222.i
  %.524.us.us.us.us.us.2.epil.i = inttoptr i64 %256 to ptr
  %.525.us.us.us.us.us.2.epil.i = load float, ptr %.524.us.us.us.us.us.2.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.2.epil.i = fmul float %.514.us.us.us.us.us.2.epil.i, %.525.us.us.us.us.us.2.epil.i
  %.528.us.us.us.us.us.2.epil.i = fadd float %.528.us.us.us.us.us.1.epil.i, %.526.us.us.us.us.us.2.epil.i
  %257 = add i64 %255, %factor.op.mul220.i
  %.513.us.us.us.us.us.3.epil.i = inttoptr i64 %257 to ptr
  %.514.us.us.us.us.us.3.epil.i = load float, ptr %.513.us.us.us.us.us.3.epil.i, align 4, !noalias !117
  %258 = add i64 %256, %factor.op.mul222.i
  %.524.us.us.us.us.us.3.epil.i = inttoptr i64 %258 to ptr
  %.525.us.us.us.us.us.3.epil.i = load float, ptr %.524.us.us.us.us.us.3.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.3.epil.i = fmul float %.514.us.us.us.us.us.3.epil.i, %.525.us.us.us.us.us.3.epil.i
  %.528.us.us.us.us.us.3.epil.i = fadd float %.528.us.us.us.us.us.2.epil.i, %.526.us.us.us.us.us.3.epil.i
  %259 = add i64 %257, %factor.op.mul220.i
  %.513.us.us.us.us.us.4.epil.i = inttoptr i64 %259 to ptr
  %.514.us.us.us.us.us.4.epil.i = load float, ptr %.513.us.us.us.us.us.4.epil.i, align 4, !noalias !117
  %260 = add i64 %258, %factor.op.mul222.i
  %.524.us.us.us.us.us.4.epil.i = inttoptr i64 %260 to ptr
  %.525.us.us.us.us.us.4.epil.i = load float, ptr %.524.us.us.us.us.us.4.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.4.epil.i = fmul float %.514.us.us.us.us.us.4.epil.i, %.525.us.us.us.us.us.4.epil.i
  %.528.us.us.us.us.us.4.epil.i = fadd float %.528.us.us.us.us.us.3.epil.i, %.526.us.us.us.us.us.4.epil.i
  %261 = add i64 %259, %factor.op.mul220.i
  %.513.us.us.us.us.us.5.epil.i = inttoptr i64 %261 to ptr
  %.514.us.us.us.us.us.5.epil.i = load float, ptr %.513.us.us.us.us.us.5.epil.i, align 4, !noalias !117
  %262 = add i64 %260, %factor.op.mul222.i
  %.524.us.us.us.us.us.5.epil.i = inttoptr i64 %262 to ptr
  %.525.us.us.us.us.us.5.epil.i = load float, ptr %.524.us.us.us.us.us.5.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.5.epil.i = fmul float %.514.us.us.us.us.us.5.epil.i, %.525.us.us.us.us.us.5.epil.i
  %.528.us.us.us.us.us.5.epil.i = fadd float %.528.us.us.us.us.us.4.epil.i, %.526.us.us.us.us.us.5.epil.i
  %263 = add i64 %261, %factor.op.mul220.i
  %.513.us.us.us.us.us.6.epil.i = inttoptr i64 %263 to ptr
  %.514.us.us.us.us.us.6.epil.i = load float, ptr %.513.us.us.us.us.us.6.epil.i, align 4, !noalias !117
  %264 = add i64 %262, %factor.op.mul222.i
  %.524.us.us.us.us.us.6.epil.i = inttoptr i64 %264 to ptr
  %.525.us.us.us.us.us.6.epil.i = load float, ptr %.524.us.us.us.us.us.6.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.6.epil.i = fmul float %.514.us.us.us.us.us.6.epil.i, %.525.us.us.us.us.us.6.epil.i
  %.528.us.us.us.us.us.6.epil.i = fadd float %.528.us.us.us.us.us.5.epil.i, %.526.us.us.us.us.us.6.epil.i
  %265 = add i64 %263, %factor.op.mul220.i
  %.513.us.us.us.us.us.7.epil.i = inttoptr i64 %265 to ptr
  %.514.us.us.us.us.us.7.epil.i = load float, ptr %.513.us.us.us.us.us.7.epil.i, align 4, !noalias !117
  %266 = add i64 %264, %factor.op.mul222.i
  %.524.us.us.us.us.us.7.epil.i = inttoptr i64 %266 to ptr
  %.525.us.us.us.us.us.7.epil.i = load float, ptr %.524.us.us.us.us.us.7.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.7.epil.i = fmul float %.514.us.us.us.us.us.7.epil.i, %.525.us.us.us.us.us.7.epil.i
  %.528.us.us.us.us.us.7.epil.i = fadd float %.528.us.us.us.us.us.6.epil.i, %.526.us.us.us.us.us.7.epil.i
  br label %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.i

B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.i:   ; preds = %B806.us.us.us.us.us.epil.preheader110.i, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i
  %.528.us.us.us.us.us.7.lcssa.i = phi float [ %.528.us.us.us.us.us.7.1.i, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa.i ], [ %.528.us.us.us.us.us.7.epil.i, %B806.us.us.us.us.us.epil.preheader110.i ]
  br i1 %217, label %B804.B938_crit_edge.us.us.us.us.us.i, label %B806.us.us.us.us.us.epil.preheader.i

B806.us.us.us.us.us.epil.preheader.i:             ; preds = %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.i
  %267 = add i64 %lsr.iv221.i, %210
  br label %B806.us.us.us.us.us.epil.i

B806.us.us.us.us.us.epil.i:                       ; preds = %B806.us.us.us.us.us.epil.i, %B806.us.us.us.us.us.epil.preheader.i
  %lsr.iv233.i = phi i64 [ %lsr.iv.next234.i, %B806.us.us.us.us.us.epil.i ], [ %xtraiter111.i, %B806.us.us.us.us.us.epil.preheader.i ]
  %lsr.iv231.i = phi i64 [ %lsr.iv.next232.i, %B806.us.us.us.us.us.epil.i ], [ %220, %B806.us.us.us.us.us.epil.preheader.i ]
  %lsr.iv229.i = phi i64 [ %lsr.iv.next230.i, %B806.us.us.us.us.us.epil.i ], [ %267, %B806.us.us.us.us.us.epil.preheader.i ]
  %total.2.2228.us.us.us.us.us.epil.i = phi float [ %.528.us.us.us.us.us.epil.i, %B806.us.us.us.us.us.epil.i ], [ %.528.us.us.us.us.us.7.lcssa.i, %B806.us.us.us.us.us.epil.preheader.i ]
  %.513.us.us.us.us.us.epil.i = inttoptr i64 %lsr.iv231.i to ptr
  %.514.us.us.us.us.us.epil.i = load float, ptr %.513.us.us.us.us.us.epil.i, align 4, !noalias !117
  %.524.us.us.us.us.us.epil.i = inttoptr i64 %lsr.iv229.i to ptr
  %.525.us.us.us.us.us.epil.i = load float, ptr %.524.us.us.us.us.us.epil.i, align 4, !noalias !117
  %.526.us.us.us.us.us.epil.i = fmul float %.514.us.us.us.us.us.epil.i, %.525.us.us.us.us.us.epil.i
  %.528.us.us.us.us.us.epil.i = fadd float %total.2.2228.us.us.us.us.us.epil.i, %.526.us.us.us.us.us.epil.i
  %lsr.iv.next230.i = add i64 %lsr.iv229.i, %factor.op.mul222.i
  %lsr.iv.next232.i = add i64 %lsr.iv231.i, %factor.op.mul220.i
  %lsr.iv.next234.i = add nsw i64 %lsr.iv233.i, -1
  %epil.iter112.cmp.not.i = icmp eq i64 %lsr.iv.next234.i, 0
  br i1 %epil.iter112.cmp.not.i, label %B804.B938_crit_edge.us.us.us.us.us.i, label %B806.us.us.us.us.us.epil.i, !llvm.loop !133

B804.B938_crit_edge.us.us.us.us.us.i:             ; preds = %B806.us.us.us.us.us.epil.i, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.i
  %.528.us.us.us.us.us.lcssa.i = phi float [ %.528.us.us.us.us.us.7.lcssa.i, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.i ], [ %.528.us.us.us.us.us.epil.i, %B806.us.us.us.us.us.epil.i ]
  %.352.us286.us.us.us.us.i = add nuw nsw i64 %.345251269.us284.us.us.us.us.i, 1
  %.540.us.us.us.us.us.i = add nsw i64 %.345251269.us284.us.us.us.us.i, %.538.us.us396.us.i
  %.543.us.us.us.us.us.i = shl nsw i64 %.540.us.us.us.us.us.i, 2
  %.545.us.us.us.us.us.i = add nsw i64 %.543.us.us.us.us.us.i, %arg.c
  %.559.us.us.us.us.us.i = inttoptr i64 %.545.us.us.us.us.us.i to ptr
  %.560.us.us.us.us.us.i = load float, ptr %.559.us.us.us.us.us.i, align 4, !noalias !117
  %.561.us.us.us.us.us.i = fmul float %.560.us.us.us.us.us.i, %.557.i
  %.568.us.us.us.us.us.i = fmul float %.528.us.us.us.us.us.lcssa.i, %.566.i
  %.572.us.us.us.us.us.i = fadd float %.568.us.us.us.us.us.i, %.561.us.us.us.us.us.i
  store float %.572.us.us.us.us.us.i, ptr %.559.us.us.us.us.us.i, align 4, !noalias !117
  %lsr.iv.next222.i = add i64 %lsr.iv221.i, %factor.op.mul.i
  %exitcond532.not.i = icmp eq i64 %arg.n, %.352.us286.us.us.us.us.i
  br i1 %exitcond532.not.i, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.i, label %B738.us282.us.us.us.us.i

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.i: ; preds = %B804.B938_crit_edge.us.us.us.us.us.i
  %.230.us.us393.us.i = add nuw nsw i64 %.223332346.us.us391.us.i, 1
  %lsr.iv.next226.i = add i64 %lsr.iv225.i, %factor.op.mul329.i
  %exitcond533.not.i = icmp eq i64 %arg.m, %.230.us.us393.us.i
  br i1 %exitcond533.not.i, label %common.ret, label %B702.endif.us.us389.us.i

B702.endif.us.us389.i:                            ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.i, %B702.endif.us.us389.preheader52.i
  %lsr.iv239.i = phi i64 [ %lsr.iv.next240.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.i ], [ %arg.a, %B702.endif.us.us389.preheader52.i ]
  %.223332346.us.us391.i = phi i64 [ %.230.us.us393.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.i ], [ 0, %B702.endif.us.us389.preheader52.i ]
  %.538.us.us396.i = mul nsw i64 %.223332346.us.us391.i, %.46.i
  %268 = add i64 %lsr.iv239.i, %199
  br label %B738.us282.us.us.i

B738.us282.us.us.i:                               ; preds = %B804.B938_crit_edge.us.us.us.i, %B702.endif.us.us389.i
  %lsr.iv235.i = phi i64 [ %lsr.iv.next236.i, %B804.B938_crit_edge.us.us.us.i ], [ %arg.b, %B702.endif.us.us389.i ]
  %.345251269.us284.us.us.i = phi i64 [ %.352.us286.us.us.i, %B804.B938_crit_edge.us.us.us.i ], [ 0, %B702.endif.us.us389.i ]
  br i1 %204, label %B806.us.us.us.epil.preheader88.i, label %B806.us.us.us.i

B806.us.us.us.i:                                  ; preds = %B738.us282.us.us.i, %B806.us.us.us.i
  %lsr.iv158.i = phi i64 [ %lsr.iv.next159.i, %B806.us.us.us.i ], [ %203, %B738.us282.us.us.i ]
  %lsr.iv241.i = phi i64 [ %299, %B806.us.us.us.i ], [ %lsr.iv239.i, %B738.us282.us.us.i ]
  %lsr.iv237.i = phi i64 [ %300, %B806.us.us.us.i ], [ %lsr.iv235.i, %B738.us282.us.us.i ]
  %total.2.2228.us.us.us.i = phi float [ %.528.us.us.us.7.1.i, %B806.us.us.us.i ], [ 0.000000e+00, %B738.us282.us.us.i ]
  %.513.us.us.us.i = inttoptr i64 %lsr.iv241.i to ptr
  %.514.us.us.us.i = load float, ptr %.513.us.us.us.i, align 4, !noalias !117
  %.524.us.us.us.i = inttoptr i64 %lsr.iv237.i to ptr
  %.525.us.us.us.i = load float, ptr %.524.us.us.us.i, align 4, !noalias !117
  %.526.us.us.us.i = fmul float %.514.us.us.us.i, %.525.us.us.us.i
  %.528.us.us.us.i = fadd float %total.2.2228.us.us.us.i, %.526.us.us.us.i
  %269 = add i64 %lsr.iv241.i, %factor.op.mul220.i
  %.513.us.us.us.1.i = inttoptr i64 %269 to ptr
  %.514.us.us.us.1.i = load float, ptr %.513.us.us.us.1.i, align 4, !noalias !117
  %270 = add i64 %lsr.iv237.i, %factor.op.mul222.i
  %.524.us.us.us.1.i = inttoptr i64 %270 to ptr
  %.525.us.us.us.1.i = load float, ptr %.524.us.us.us.1.i, align 4, !noalias !117
  %.526.us.us.us.1.i = fmul float %.514.us.us.us.1.i, %.525.us.us.us.1.i
  %.528.us.us.us.1.i = fadd float %.528.us.us.us.i, %.526.us.us.us.1.i
  %271 = add i64 %269, %factor.op.mul220.i
  %.513.us.us.us.2.i = inttoptr i64 %271 to ptr
  %.514.us.us.us.2.i = load float, ptr %.513.us.us.us.2.i, align 4, !noalias !117
  %272 = add i64 %270, %factor.op.mul222.i
  %.524.us.us.us.2.i = inttoptr i64 %272 to ptr
  %.525.us.us.us.2.i = load float, ptr %.524.us.us.us.2.i, align 4, !noalias !117
  %.526.us.us.us.2.i = fmul float %.514.us.us.us.2.i, %.525.us.us.us.2.i
  %.528.us.us.us.2.i = fadd float %.528.us.us.us.1.i, %.526.us.us.us.2.i
  %273 = add i64 %271, %factor.op.mul220.i
  %.513.us.us.us.3.i = inttoptr i64 %273 to ptr
  %.514.us.us.us.3.i = load float, ptr %.513.us.us.us.3.i, align 4, !noalias !117
  %274 = add i64 %272, %factor.op.mul222.i
  %.524.us.us.us.3.i = inttoptr i64 %274 to ptr
  %.525.us.us.us.3.i = load float, ptr %.524.us.us.us.3.i, align 4, !noalias !117
  %.526.us.us.us.3.i = fmul float %.514.us.us.us.3.i, %.525.us.us.us.3.i
  %.528.us.us.us.3.i = fadd float %.528.us.us.us.2.i, %.526.us.us.us.3.i
  %275 = add i64 %273, %factor.op.mul220.i
  %.513.us.us.us.4.i = inttoptr i64 %275 to ptr
  %.514.us.us.us.4.i = load float, ptr %.513.us.us.us.4.i, align 4, !noalias !117
  %276 = add i64 %274, %factor.op.mul222.i
  %.524.us.us.us.4.i = inttoptr i64 %276 to ptr
  %.525.us.us.us.4.i = load float, ptr %.524.us.us.us.4.i, align 4, !noalias !117
  %.526.us.us.us.4.i = fmul float %.514.us.us.us.4.i, %.525.us.us.us.4.i
  %.528.us.us.us.4.i = fadd float %.528.us.us.us.3.i, %.526.us.us.us.4.i
  %277 = add i64 %275, %factor.op.mul220.i
  %.513.us.us.us.5.i = inttoptr i64 %277 to ptr
  %.514.us.us.us.5.i = load float, ptr %.513.us.us.us.5.i, align 4, !noalias !117
  %278 = add i64 %276, %factor.op.mul222.i
  %.524.us.us.us.5.i = inttoptr i64 %278 to ptr
  %.525.us.us.us.5.i = load float, ptr %.524.us.us.us.5.i, align 4, !noalias !117
  %.526.us.us.us.5.i = fmul float %.514.us.us.us.5.i, %.525.us.us.us.5.i
  %.528.us.us.us.5.i = fadd float %.528.us.us.us.4.i, %.526.us.us.us.5.i
  %279 = add i64 %277, %factor.op.mul220.i
  %.513.us.us.us.6.i = inttoptr i64 %279 to ptr
  %.514.us.us.us.6.i = load float, ptr %.513.us.us.us.6.i, align 4, !noalias !117
  %280 = add i64 %278, %factor.op.mul222.i
  %.524.us.us.us.6.i = inttoptr i64 %280 to ptr
  %.525.us.us.us.6.i = load float, ptr %.524.us.us.us.6.i, align 4, !noalias !117
  %.526.us.us.us.6.i = fmul float %.514.us.us.us.6.i, %.525.us.us.us.6.i
  %.528.us.us.us.6.i = fadd float %.528.us.us.us.5.i, %.526.us.us.us.6.i
  %281 = add i64 %279, %factor.op.mul220.i
  %.513.us.us.us.7.i = inttoptr i64 %281 to ptr
  %.514.us.us.us.7.i = load float, ptr %.513.us.us.us.7.i, align 4, !noalias !117
  %282 = add i64 %280, %factor.op.mul222.i
  %.524.us.us.us.7.i = inttoptr i64 %282 to ptr
  %.525.us.us.us.7.i = load float, ptr %.524.us.us.us.7.i, align 4, !noalias !117
  %.526.us.us.us.7.i = fmul float %.514.us.us.us.7.i, %.525.us.us.us.7.i
  %.528.us.us.us.7.i = fadd float %.528.us.us.us.6.i, %.526.us.us.us.7.i
  %283 = add i64 %281, %factor.op.mul220.i
  %.513.us.us.us.199.i = inttoptr i64 %283 to ptr
  %.514.us.us.us.1100.i = load float, ptr %.513.us.us.us.199.i, align 4, !noalias !117
  %284 = add i64 %282, %factor.op.mul222.i
  %.524.us.us.us.1101.i = inttoptr i64 %284 to ptr
  %.525.us.us.us.1102.i = load float, ptr %.524.us.us.us.1101.i, align 4, !noalias !117
  %.526.us.us.us.1103.i = fmul float %.514.us.us.us.1100.i, %.525.us.us.us.1102.i
  %.528.us.us.us.1104.i = fadd float %.528.us.us.us.7.i, %.526.us.us.us.1103.i
  %285 = add i64 %283, %factor.op.mul220.i
  %.513.us.us.us.1.1.i = inttoptr i64 %285 to ptr
  %.514.us.us.us.1.1.i = load float, ptr %.513.us.us.us.1.1.i, align 4, !noalias !117
  %286 = add i64 %284, %factor.op.mul222.i
  %.524.us.us.us.1.1.i = inttoptr i64 %286 to ptr
  %.525.us.us.us.1.1.i = load float, ptr %.524.us.us.us.1.1.i, align 4, !noalias !117
  %.526.us.us.us.1.1.i = fmul float %.514.us.us.us.1.1.i, %.525.us.us.us.1.1.i
  %.528.us.us.us.1.1.i = fadd float %.528.us.us.us.1104.i, %.526.us.us.us.1.1.i
  %287 = add i64 %285, %factor.op.mul220.i
  %.513.us.us.us.2.1.i = inttoptr i64 %287 to ptr
  %.514.us.us.us.2.1.i = load float, ptr %.513.us.us.us.2.1.i, align 4, !noalias !117
  %288 = add i64 %286, %factor.op.mul222.i
  %.524.us.us.us.2.1.i = inttoptr i64 %288 to ptr
  %.525.us.us.us.2.1.i = load float, ptr %.524.us.us.us.2.1.i, align 4, !noalias !117
  %.526.us.us.us.2.1.i = fmul float %.514.us.us.us.2.1.i, %.525.us.us.us.2.1.i
  %.528.us.us.us.2.1.i = fadd float %.528.us.us.us.1.1.i, %.526.us.us.us.2.1.i
  %289 = add i64 %287, %factor.op.mul220.i
  %.513.us.us.us.3.1.i = inttoptr i64 %289 to ptr
  %.514.us.us.us.3.1.i = load float, ptr %.513.us.us.us.3.1.i, align 4, !noalias !117
  %290 = add i64 %288, %factor.op.mul222.i
  %.524.us.us.us.3.1.i = inttoptr i64 %290 to ptr
  %.525.us.us.us.3.1.i = load float, ptr %.524.us.us.us.3.1.i, align 4, !noalias !117
  %.526.us.us.us.3.1.i = fmul float %.514.us.us.us.3.1.i, %.525.us.us.us.3.1.i
  %.528.us.us.us.3.1.i = fadd float %.528.us.us.us.2.1.i, %.526.us.us.us.3.1.i
  %291 = add i64 %289, %factor.op.mul220.i
  %.513.us.us.us.4.1.i = inttoptr i64 %291 to ptr
  %.514.us.us.us.4.1.i = load float, ptr %.513.us.us.us.4.1.i, align 4, !noalias !117
  %292 = add i64 %290, %factor.op.mul222.i
  %.524.us.us.us.4.1.i = inttoptr i64 %292 to ptr
  %.525.us.us.us.4.1.i = load float, ptr %.524.us.us.us.4.1.i, align 4, !noalias !117
  %.526.us.us.us.4.1.i = fmul float %.514.us.us.us.4.1.i, %.525.us.us.us.4.1.i
  %.528.us.us.us.4.1.i = fadd float %.528.us.us.us.3.1.i, %.526.us.us.us.4.1.i
  %293 = add i64 %291, %factor.op.mul220.i
  %.513.us.us.us.5.1.i = inttoptr i64 %293 to ptr
  %.514.us.us.us.5.1.i = load float, ptr %.513.us.us.us.5.1.i, align 4, !noalias !117
  %294 = add i64 %292, %factor.op.mul222.i
  %.524.us.us.us.5.1.i = inttoptr i64 %294 to ptr
  %.525.us.us.us.5.1.i = load float, ptr %.524.us.us.us.5.1.i, align 4, !noalias !117
  %.526.us.us.us.5.1.i = fmul float %.514.us.us.us.5.1.i, %.525.us.us.us.5.1.i
  %.528.us.us.us.5.1.i = fadd float %.528.us.us.us.4.1.i, %.526.us.us.us.5.1.i
  %295 = add i64 %293, %factor.op.mul220.i
  %.513.us.us.us.6.1.i = inttoptr i64 %295 to ptr
  %.514.us.us.us.6.1.i = load float, ptr %.513.us.us.us.6.1.i, align 4, !noalias !117
  %296 = add i64 %294, %factor.op.mul222.i
  %.524.us.us.us.6.1.i = inttoptr i64 %296 to ptr
  %.525.us.us.us.6.1.i = load float, ptr %.524.us.us.us.6.1.i, align 4, !noalias !117
  %.526.us.us.us.6.1.i = fmul float %.514.us.us.us.6.1.i, %.525.us.us.us.6.1.i
  %.528.us.us.us.6.1.i = fadd float %.528.us.us.us.5.1.i, %.526.us.us.us.6.1.i
  %297 = add i64 %295, %factor.op.mul220.i
  %.513.us.us.us.7.1.i = inttoptr i64 %297 to ptr
  %.514.us.us.us.7.1.i = load float, ptr %.513.us.us.us.7.1.i, align 4, !noalias !117
  %298 = add i64 %296, %factor.op.mul222.i
  %.524.us.us.us.7.1.i = inttoptr i64 %298 to ptr
  %.525.us.us.us.7.1.i = load float, ptr %.524.us.us.us.7.1.i, align 4, !noalias !117
  %.526.us.us.us.7.1.i = fmul float %.514.us.us.us.7.1.i, %.525.us.us.us.7.1.i
  %.528.us.us.us.7.1.i = fadd float %.528.us.us.us.6.1.i, %.526.us.us.us.7.1.i
  %299 = add i64 %297, %factor.op.mul220.i
  %300 = add i64 %298, %factor.op.mul222.i
  %lsr.iv.next159.i = add i64 %lsr.iv158.i, -2
  %niter.ncmp.1.i = icmp eq i64 %lsr.iv.next159.i, 0
  br i1 %niter.ncmp.1.i, label %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i, label %B806.us.us.us.i

B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i: ; preds = %B806.us.us.us.i
  br i1 %207, label %B806.us.us.us.epil.preheader88.i, label %B804.B938_crit_edge.us.us.us.unr-lcssa.i

B806.us.us.us.epil.preheader88.i:                 ; preds = %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i, %B738.us282.us.us.i
  %lsr.iv241.epil.init.i = phi i64 [ %lsr.iv239.i, %B738.us282.us.us.i ], [ %299, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i ]
  %lsr.iv237.epil.init.i = phi i64 [ %lsr.iv235.i, %B738.us282.us.us.i ], [ %300, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i ]
  %total.2.2228.us.us.us.epil.init.i = phi float [ 0.000000e+00, %B738.us282.us.us.i ], [ %.528.us.us.us.7.1.i, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i ]
  %.513.us.us.us.epil91.i = inttoptr i64 %lsr.iv241.epil.init.i to ptr
  %.514.us.us.us.epil92.i = load float, ptr %.513.us.us.us.epil91.i, align 4, !noalias !117
  %.524.us.us.us.epil93.i = inttoptr i64 %lsr.iv237.epil.init.i to ptr
  %.525.us.us.us.epil94.i = load float, ptr %.524.us.us.us.epil93.i, align 4, !noalias !117
  %.526.us.us.us.epil95.i = fmul float %.514.us.us.us.epil92.i, %.525.us.us.us.epil94.i
  %.528.us.us.us.epil96.i = fadd float %total.2.2228.us.us.us.epil.init.i, %.526.us.us.us.epil95.i
  %301 = add i64 %lsr.iv241.epil.init.i, %factor.op.mul220.i
  %.513.us.us.us.1.epil.i = inttoptr i64 %301 to ptr
  %.514.us.us.us.1.epil.i = load float, ptr %.513.us.us.us.1.epil.i, align 4, !noalias !117
  %302 = add i64 %lsr.iv237.epil.init.i, %factor.op.mul222.i
  %.524.us.us.us.1.epil.i = inttoptr i64 %302 to ptr
  %.525.us.us.us.1.epil.i = load float, ptr %.524.us.us.us.1.epil.i, align 4, !noalias !117
  %.526.us.us.us.1.epil.i = fmul float %.514.us.us.us.1.epil.i, %.525.us.us.us.1.epil.i
  %.528.us.us.us.1.epil.i = fadd float %.528.us.us.us.epil96.i, %.526.us.us.us.1.epil.i
  %303 = add i64 %301, %factor.op.mul220.i
  %.513.us.us.us.2.epil.i = inttoptr i64 %303 to ptr
  %.514.us.us.us.2.epil.i = load float, ptr %.513.us.us.us.2.epil.i, align 4, !noalias !117
  %304 = add i64 %302, %factor.op.mul222.i
  %.524.us.us.us.2.epil.i = inttoptr i64 %304 to ptr
  %.525.us.us.us.2.epil.i = load float, ptr %.524.us.us.us.2.epil.i, align 4, !noalias !117
  %.526.us.us.us.2.epil.i = fmul float %.514.us.us.us.2.epil.i, %.525.us.us.us.2.epil.i
  %.528.us.us.us.2.epil.i = fadd float %.528.us.us.us.1.epil.i, %.526.us.us.us.2.epil.i
  %305 = add i64 %303, %factor.op.mul220.i
  %.513.us.us.us.3.epil.i = inttoptr i64 %305 to ptr
  %.514.us.us.us.3.epil.i = load float, ptr %.513.us.us.us.3.epil.i, align 4, !noalias !117
  %306 = add i64 %304, %factor.op.mul222.i
  %.524.us.us.us.3.epil.i = inttoptr i64 %306 to ptr
  %.525.us.us.us.3.epil.i = load float, ptr %.524.us.us.us.3.epil.i, align 4, !noalias !117
  %.526.us.us.us.3.epil.i = fmul float %.514.us.us.us.3.epil.i, %.525.us.us.us.3.epil.i
  %.528.us.us.us.3.epil.i = fadd float %.528.us.us.us.2.epil.i, %.526.us.us.us.3.epil.i
  %307 = add i64 %305, %factor.op.mul220.i
  %.513.us.us.us.4.epil.i = inttoptr i64 %307 to ptr
  %.514.us.us.us.4.epil.i = load float, ptr %.513.us.us.us.4.epil.i, align 4, !noalias !117
  %308 = add i64 %306, %factor.op.mul222.i
  %.524.us.us.us.4.epil.i = inttoptr i64 %308 to ptr
  %.525.us.us.us.4.epil.i = load float, ptr %.524.us.us.us.4.epil.i, align 4, !noalias !117
  %.526.us.us.us.4.epil.i = fmul float %.514.us.us.us.4.epil.i, %.525.us.us.us.4.epil.i
  %.528.us.us.us.4.epil.i = fadd float %.528.us.us.us.3.epil.i, %.526.us.us.us.4.epil.i
  %309 = add i64 %307, %factor.op.mul220.i
  %.513.us.us.us.5.epil.i = inttoptr i64 %309 to ptr
  %.514.us.us.us.5.epil.i = load float, ptr %.513.us.us.us.5.epil.i, align 4, !noalias !117
  %310 = add i64 %308, %factor.op.mul222.i
  %.524.us.us.us.5.epil.i = inttoptr i64 %310 to ptr
  %.525.us.us.us.5.epil.i = load float, ptr %.524.us.us.us.5.epil.i, align 4, !noalias !117
  %.526.us.us.us.5.epil.i = fmul float %.514.us.us.us.5.epil.i, %.525.us.us.us.5.epil.i
  %.528.us.us.us.5.epil.i = fadd float %.528.us.us.us.4.epil.i, %.526.us.us.us.5.epil.i
  %311 = add i64 %309, %factor.op.mul220.i
  %.513.us.us.us.6.epil.i = inttoptr i64 %311 to ptr
  %.514.us.us.us.6.epil.i = load float, ptr %.513.us.us.us.6.epil.i, align 4, !noalias !117
  %312 = add i64 %310, %factor.op.mul222.i
  %.524.us.us.us.6.epil.i = inttoptr i64 %312 to ptr
  %.525.us.us.us.6.epil.i = load float, ptr %.524.us.us.us.6.epil.i, align 4, !noalias !117
  %.526.us.us.us.6.epil.i = fmul float %.514.us.us.us.6.epil.i, %.525.us.us.us.6.epil.i
  %.528.us.us.us.6.epil.i = fadd float %.528.us.us.us.5.epil.i, %.526.us.us.us.6.epil.i
  %313 = add i64 %311, %factor.op.mul220.i
  %.513.us.us.us.7.epil.i = inttoptr i64 %313 to ptr
  %.514.us.us.us.7.epil.i = load float, ptr %.513.us.us.us.7.epil.i, align 4, !noalias !117
  %314 = add i64 %312, %factor.op.mul222.i
  %.524.us.us.us.7.epil.i = inttoptr i64 %314 to ptr
  %.525.us.us.us.7.epil.i = load float, ptr %.524.us.us.us.7.epil.i, align 4, !noalias !117
  %.526.us.us.us.7.epil.i = fmul float %.514.us.us.us.7.epil.i, %.525.us.us.us.7.epil.i
  %.528.us.us.us.7.epil.i = fadd float %.528.us.us.us.6.epil.i, %.526.us.us.us.7.epil.i
  br label %B804.B938_crit_edge.us.us.us.unr-lcssa.i

B804.B938_crit_edge.us.us.us.unr-lcssa.i:         ; preds = %B806.us.us.us.epil.preheader88.i, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i
  %.528.us.us.us.7.lcssa.i = phi float [ %.528.us.us.us.7.1.i, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa.i ], [ %.528.us.us.us.7.epil.i, %B806.us.us.us.epil.preheader88.i ]
  br i1 %205, label %B804.B938_crit_edge.us.us.us.i, label %B806.us.us.us.epil.preheader.i

B806.us.us.us.epil.preheader.i:                   ; preds = %B804.B938_crit_edge.us.us.us.unr-lcssa.i
  %315 = add i64 %lsr.iv235.i, %198
  br label %B806.us.us.us.epil.i

B806.us.us.us.epil.i:                             ; preds = %B806.us.us.us.epil.i, %B806.us.us.us.epil.preheader.i
  %lsr.iv247.i = phi i64 [ %lsr.iv.next248.i, %B806.us.us.us.epil.i ], [ %xtraiter111.i, %B806.us.us.us.epil.preheader.i ]
  %lsr.iv245.i = phi i64 [ %lsr.iv.next246.i, %B806.us.us.us.epil.i ], [ %268, %B806.us.us.us.epil.preheader.i ]
  %lsr.iv243.i = phi i64 [ %lsr.iv.next244.i, %B806.us.us.us.epil.i ], [ %315, %B806.us.us.us.epil.preheader.i ]
  %total.2.2228.us.us.us.epil.i = phi float [ %.528.us.us.us.epil.i, %B806.us.us.us.epil.i ], [ %.528.us.us.us.7.lcssa.i, %B806.us.us.us.epil.preheader.i ]
  %.513.us.us.us.epil.i = inttoptr i64 %lsr.iv245.i to ptr
  %.514.us.us.us.epil.i = load float, ptr %.513.us.us.us.epil.i, align 4, !noalias !117
  %.524.us.us.us.epil.i = inttoptr i64 %lsr.iv243.i to ptr
  %.525.us.us.us.epil.i = load float, ptr %.524.us.us.us.epil.i, align 4, !noalias !117
  %.526.us.us.us.epil.i = fmul float %.514.us.us.us.epil.i, %.525.us.us.us.epil.i
  %.528.us.us.us.epil.i = fadd float %total.2.2228.us.us.us.epil.i, %.526.us.us.us.epil.i
  %lsr.iv.next244.i = add i64 %lsr.iv243.i, %factor.op.mul222.i
  %lsr.iv.next246.i = add i64 %lsr.iv245.i, %factor.op.mul220.i
  %lsr.iv.next248.i = add nsw i64 %lsr.iv247.i, -1
  %epil.iter.cmp.not.i = icmp eq i64 %lsr.iv.next248.i, 0
  br i1 %epil.iter.cmp.not.i, label %B804.B938_crit_edge.us.us.us.i, label %B806.us.us.us.epil.i, !llvm.loop !131

B804.B938_crit_edge.us.us.us.i:                   ; preds = %B806.us.us.us.epil.i, %B804.B938_crit_edge.us.us.us.unr-lcssa.i
  %.528.us.us.us.lcssa.i = phi float [ %.528.us.us.us.7.lcssa.i, %B804.B938_crit_edge.us.us.us.unr-lcssa.i ], [ %.528.us.us.us.epil.i, %B806.us.us.us.epil.i ]
  %.352.us286.us.us.i = add nuw nsw i64 %.345251269.us284.us.us.i, 1
  %.540.us.us.us.i = add nsw i64 %.345251269.us284.us.us.i, %.538.us.us396.i
  %.543.us.us.us.i = shl nsw i64 %.540.us.us.us.i, 2
  %.545.us.us.us.i = add nsw i64 %.543.us.us.us.i, %arg.c
  %.568.us.us.us.i = fmul float %.528.us.us.us.lcssa.i, %.566.i
  %.572.us.us.us.i = fadd float %.568.us.us.us.i, 0.000000e+00
  %.576.us.us.us.i = inttoptr i64 %.545.us.us.us.i to ptr
  store float %.572.us.us.us.i, ptr %.576.us.us.us.i, align 4, !noalias !117
  %lsr.iv.next236.i = add i64 %lsr.iv235.i, %factor.op.mul.i
  %exitcond529.not.i = icmp eq i64 %arg.n, %.352.us286.us.us.i
  br i1 %exitcond529.not.i, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.i, label %B738.us282.us.us.i

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.i: ; preds = %B804.B938_crit_edge.us.us.us.i
  %.230.us.us393.i = add nuw nsw i64 %.223332346.us.us391.i, 1
  %lsr.iv.next240.i = add i64 %lsr.iv239.i, %factor.op.mul329.i
  %exitcond530.not.i = icmp eq i64 %arg.m, %.230.us.us393.i
  br i1 %exitcond530.not.i, label %common.ret, label %B702.endif.us.us389.i

B702.endif.lr.ph.split.us.split.split.i:          ; preds = %B702.endif.lr.ph.split.us.split.i
  br i1 %194, label %B702.endif.us.us414.preheader.i, label %iter.check.preheader.i

iter.check.preheader.i:                           ; preds = %B702.endif.lr.ph.split.us.split.split.i
  %n.vec.i = and i64 %arg.n, 9223372036854775792
  %broadcast.splatinsert37.i = insertelement <16 x i64> poison, i64 %arg.c, i64 0
  %broadcast.splat38.i = shufflevector <16 x i64> %broadcast.splatinsert37.i, <16 x i64> poison, <16 x i32> zeroinitializer
  %broadcast.splatinsert39.i = insertelement <16 x float> poison, float %.572.i, i64 0
  %broadcast.splat40.i = shufflevector <16 x float> %broadcast.splatinsert39.i, <16 x float> poison, <16 x i32> zeroinitializer
  %n.vec42.i = and i64 %arg.n, 9223372036854775804
  %broadcast.splatinsert45.i = insertelement <4 x i64> poison, i64 %arg.c, i64 0
  %broadcast.splat46.i = shufflevector <4 x i64> %broadcast.splatinsert45.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert47.i = insertelement <4 x float> poison, float %.572.i, i64 0
  %broadcast.splat48.i = shufflevector <4 x float> %broadcast.splatinsert47.i, <4 x float> poison, <4 x i32> zeroinitializer
  %316 = icmp eq i64 %arg.m, 1
  br i1 %316, label %iter.check.epil.preheader.i, label %iter.check.preheader.new.i

iter.check.preheader.new.i:                       ; preds = %iter.check.preheader.i
  %unroll_iter143.i = and i64 %arg.m, 9223372036854775806
  %317 = lshr i64 %arg.n, 4
  %318 = mul nsw i64 %317, -16
  %319 = icmp samesign ult i64 %arg.n, 4
  %320 = icmp samesign ult i64 %arg.n, 16
  %321 = icmp eq i64 %arg.n, %n.vec.i
  %322 = and i64 %arg.n, 12
  %323 = icmp eq i64 %322, 0
  %324 = icmp eq i64 %arg.n, %n.vec42.i
  br label %iter.check.i

B702.endif.us.us414.preheader.i:                  ; preds = %B702.endif.lr.ph.split.us.split.split.i
  %xtraiter118.i = and i64 %arg.n, 7
  %unroll_iter122.i = and i64 %arg.n, 9223372036854775800
  %325 = add i64 %arg.c, 28
  %326 = shl i64 %.46.i, 2
  %327 = add nsw i64 %arg.n, -8
  %328 = lshr i64 %327, 3
  %329 = add nuw nsw i64 %328, 1
  %330 = add i64 %arg.c, 32
  %331 = and i64 %329, 4611686018427387902
  %332 = icmp samesign ult i64 %arg.n, 8
  %333 = icmp eq i64 %328, 0
  %334 = and i64 %327, 8
  %335 = icmp eq i64 %334, 0
  %336 = icmp eq i64 %xtraiter118.i, 0
  br label %B702.endif.us.us414.i

B702.endif.us.us414.i:                            ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i, %B702.endif.us.us414.preheader.i
  %lsr.iv263.i = phi i64 [ %lsr.iv.next264.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i ], [ %330, %B702.endif.us.us414.preheader.i ]
  %lsr.iv205.i = phi i64 [ %lsr.iv.next206.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i ], [ 0, %B702.endif.us.us414.preheader.i ]
  %lsr.iv201.i = phi i64 [ %lsr.iv.next202.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i ], [ %325, %B702.endif.us.us414.preheader.i ]
  %.223332346.us.us416.i = phi i64 [ %.230.us.us418.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i ], [ 0, %B702.endif.us.us414.preheader.i ]
  br i1 %332, label %B738.us300.us.us.epil.preheader.i, label %B738.us300.us.us.preheader.i

B738.us300.us.us.preheader.i:                     ; preds = %B702.endif.us.us414.i
  br i1 %333, label %B738.us300.us.us.epil.preheader145.i, label %B738.us300.us.us.i

B738.us300.us.us.i:                               ; preds = %B738.us300.us.us.preheader.i, %B738.us300.us.us.i
  %lsr.iv140.i = phi i64 [ %lsr.iv.next141.i, %B738.us300.us.us.i ], [ %331, %B738.us300.us.us.preheader.i ]
  %lsr.iv265.i = phi i64 [ %lsr.iv.next266.i, %B738.us300.us.us.i ], [ %lsr.iv263.i, %B738.us300.us.us.preheader.i ]
  %337 = add i64 %lsr.iv265.i, -4
  %338 = add i64 %lsr.iv265.i, -32
  %.559.us309.us.us.i = inttoptr i64 %338 to ptr
  %.560.us310.us.us.i = load float, ptr %.559.us309.us.us.i, align 4, !noalias !117
  %.561.us311.us.us.i = fmul float %.560.us310.us.us.i, %.557.i
  %.572.us314.us.us.i = fadd float %.568.i, %.561.us311.us.us.i
  store float %.572.us314.us.us.i, ptr %.559.us309.us.us.i, align 4, !noalias !117
  %339 = add i64 %lsr.iv265.i, -28
  %.559.us309.us.us.1.i = inttoptr i64 %339 to ptr
  %.560.us310.us.us.1.i = load float, ptr %.559.us309.us.us.1.i, align 4, !noalias !117
  %.561.us311.us.us.1.i = fmul float %.560.us310.us.us.1.i, %.557.i
  %.572.us314.us.us.1.i = fadd float %.568.i, %.561.us311.us.us.1.i
  store float %.572.us314.us.us.1.i, ptr %.559.us309.us.us.1.i, align 4, !noalias !117
  %340 = add i64 %lsr.iv265.i, -24
  %.559.us309.us.us.2.i = inttoptr i64 %340 to ptr
  %.560.us310.us.us.2.i = load float, ptr %.559.us309.us.us.2.i, align 4, !noalias !117
  %.561.us311.us.us.2.i = fmul float %.560.us310.us.us.2.i, %.557.i
  %.572.us314.us.us.2.i = fadd float %.568.i, %.561.us311.us.us.2.i
  store float %.572.us314.us.us.2.i, ptr %.559.us309.us.us.2.i, align 4, !noalias !117
  %341 = add i64 %lsr.iv265.i, -20
  %.559.us309.us.us.3.i = inttoptr i64 %341 to ptr
  %.560.us310.us.us.3.i = load float, ptr %.559.us309.us.us.3.i, align 4, !noalias !117
  %.561.us311.us.us.3.i = fmul float %.560.us310.us.us.3.i, %.557.i
  %.572.us314.us.us.3.i = fadd float %.568.i, %.561.us311.us.us.3.i
  store float %.572.us314.us.us.3.i, ptr %.559.us309.us.us.3.i, align 4, !noalias !117
  %342 = add i64 %lsr.iv265.i, -16
  %.559.us309.us.us.4.i = inttoptr i64 %342 to ptr
  %.560.us310.us.us.4.i = load float, ptr %.559.us309.us.us.4.i, align 4, !noalias !117
  %.561.us311.us.us.4.i = fmul float %.560.us310.us.us.4.i, %.557.i
  %.572.us314.us.us.4.i = fadd float %.568.i, %.561.us311.us.us.4.i
  store float %.572.us314.us.us.4.i, ptr %.559.us309.us.us.4.i, align 4, !noalias !117
  %343 = add i64 %lsr.iv265.i, -12
  %.559.us309.us.us.5.i = inttoptr i64 %343 to ptr
  %.560.us310.us.us.5.i = load float, ptr %.559.us309.us.us.5.i, align 4, !noalias !117
  %.561.us311.us.us.5.i = fmul float %.560.us310.us.us.5.i, %.557.i
  %.572.us314.us.us.5.i = fadd float %.568.i, %.561.us311.us.us.5.i
  store float %.572.us314.us.us.5.i, ptr %.559.us309.us.us.5.i, align 4, !noalias !117
  %344 = add i64 %lsr.iv265.i, -8
  %.559.us309.us.us.6.i = inttoptr i64 %344 to ptr
  %.560.us310.us.us.6.i = load float, ptr %.559.us309.us.us.6.i, align 4, !noalias !117
  %.561.us311.us.us.6.i = fmul float %.560.us310.us.us.6.i, %.557.i
  %.572.us314.us.us.6.i = fadd float %.568.i, %.561.us311.us.us.6.i
  store float %.572.us314.us.us.6.i, ptr %.559.us309.us.us.6.i, align 4, !noalias !117
  %.559.us309.us.us.7.i = inttoptr i64 %337 to ptr
  %.560.us310.us.us.7.i = load float, ptr %.559.us309.us.us.7.i, align 4, !noalias !117
  %.561.us311.us.us.7.i = fmul float %.560.us310.us.us.7.i, %.557.i
  %.572.us314.us.us.7.i = fadd float %.568.i, %.561.us311.us.us.7.i
  store float %.572.us314.us.us.7.i, ptr %.559.us309.us.us.7.i, align 4, !noalias !117
  %345 = add i64 %lsr.iv265.i, 28
  %.559.us309.us.us.1158.i = inttoptr i64 %lsr.iv265.i to ptr
  %.560.us310.us.us.1159.i = load float, ptr %.559.us309.us.us.1158.i, align 4, !noalias !117
  %.561.us311.us.us.1160.i = fmul float %.560.us310.us.us.1159.i, %.557.i
  %.572.us314.us.us.1161.i = fadd float %.568.i, %.561.us311.us.us.1160.i
  store float %.572.us314.us.us.1161.i, ptr %.559.us309.us.us.1158.i, align 4, !noalias !117
  %346 = add i64 %lsr.iv265.i, 4
  %.559.us309.us.us.1.1.i = inttoptr i64 %346 to ptr
  %.560.us310.us.us.1.1.i = load float, ptr %.559.us309.us.us.1.1.i, align 4, !noalias !117
  %.561.us311.us.us.1.1.i = fmul float %.560.us310.us.us.1.1.i, %.557.i
  %.572.us314.us.us.1.1.i = fadd float %.568.i, %.561.us311.us.us.1.1.i
  store float %.572.us314.us.us.1.1.i, ptr %.559.us309.us.us.1.1.i, align 4, !noalias !117
  %347 = add i64 %lsr.iv265.i, 8
  %.559.us309.us.us.2.1.i = inttoptr i64 %347 to ptr
  %.560.us310.us.us.2.1.i = load float, ptr %.559.us309.us.us.2.1.i, align 4, !noalias !117
  %.561.us311.us.us.2.1.i = fmul float %.560.us310.us.us.2.1.i, %.557.i
  %.572.us314.us.us.2.1.i = fadd float %.568.i, %.561.us311.us.us.2.1.i
  store float %.572.us314.us.us.2.1.i, ptr %.559.us309.us.us.2.1.i, align 4, !noalias !117
  %348 = add i64 %lsr.iv265.i, 12
  %.559.us309.us.us.3.1.i = inttoptr i64 %348 to ptr
  %.560.us310.us.us.3.1.i = load float, ptr %.559.us309.us.us.3.1.i, align 4, !noalias !117
  %.561.us311.us.us.3.1.i = fmul float %.560.us310.us.us.3.1.i, %.557.i
  %.572.us314.us.us.3.1.i = fadd float %.568.i, %.561.us311.us.us.3.1.i
  store float %.572.us314.us.us.3.1.i, ptr %.559.us309.us.us.3.1.i, align 4, !noalias !117
  %349 = add i64 %lsr.iv265.i, 16
  %.559.us309.us.us.4.1.i = inttoptr i64 %349 to ptr
  %.560.us310.us.us.4.1.i = load float, ptr %.559.us309.us.us.4.1.i, align 4, !noalias !117
  %.561.us311.us.us.4.1.i = fmul float %.560.us310.us.us.4.1.i, %.557.i
  %.572.us314.us.us.4.1.i = fadd float %.568.i, %.561.us311.us.us.4.1.i
  store float %.572.us314.us.us.4.1.i, ptr %.559.us309.us.us.4.1.i, align 4, !noalias !117
  %350 = add i64 %lsr.iv265.i, 20
  %.559.us309.us.us.5.1.i = inttoptr i64 %350 to ptr
  %.560.us310.us.us.5.1.i = load float, ptr %.559.us309.us.us.5.1.i, align 4, !noalias !117
  %.561.us311.us.us.5.1.i = fmul float %.560.us310.us.us.5.1.i, %.557.i
  %.572.us314.us.us.5.1.i = fadd float %.568.i, %.561.us311.us.us.5.1.i
  store float %.572.us314.us.us.5.1.i, ptr %.559.us309.us.us.5.1.i, align 4, !noalias !117
  %351 = add i64 %lsr.iv265.i, 24
  %.559.us309.us.us.6.1.i = inttoptr i64 %351 to ptr
  %.560.us310.us.us.6.1.i = load float, ptr %.559.us309.us.us.6.1.i, align 4, !noalias !117
  %.561.us311.us.us.6.1.i = fmul float %.560.us310.us.us.6.1.i, %.557.i
  %.572.us314.us.us.6.1.i = fadd float %.568.i, %.561.us311.us.us.6.1.i
  store float %.572.us314.us.us.6.1.i, ptr %.559.us309.us.us.6.1.i, align 4, !noalias !117
  %.559.us309.us.us.7.1.i = inttoptr i64 %345 to ptr
  %.560.us310.us.us.7.1.i = load float, ptr %.559.us309.us.us.7.1.i, align 4, !noalias !117
  %.561.us311.us.us.7.1.i = fmul float %.560.us310.us.us.7.1.i, %.557.i
  %.572.us314.us.us.7.1.i = fadd float %.568.i, %.561.us311.us.us.7.1.i
  store float %.572.us314.us.us.7.1.i, ptr %.559.us309.us.us.7.1.i, align 4, !noalias !117
  %lsr.iv.next266.i = add i64 %lsr.iv265.i, 64
  %lsr.iv.next141.i = add i64 %lsr.iv140.i, -2
  %niter157.ncmp.1.i = icmp eq i64 %lsr.iv.next141.i, 0
  br i1 %niter157.ncmp.1.i, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa.i, label %B738.us300.us.us.i

B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa.i: ; preds = %B738.us300.us.us.i
  %352 = add i64 %lsr.iv265.i, 60
  br i1 %335, label %B738.us300.us.us.epil.preheader145.i, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.i

B738.us300.us.us.epil.preheader145.i:             ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa.i, %B738.us300.us.us.preheader.i
  %lsr.iv203.epil.init.i = phi i64 [ %lsr.iv201.i, %B738.us300.us.us.preheader.i ], [ %352, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa.i ]
  %353 = add i64 %lsr.iv203.epil.init.i, -28
  %.559.us309.us.us.epil148.i = inttoptr i64 %353 to ptr
  %.560.us310.us.us.epil149.i = load float, ptr %.559.us309.us.us.epil148.i, align 4, !noalias !117
  %.561.us311.us.us.epil150.i = fmul float %.560.us310.us.us.epil149.i, %.557.i
  %.572.us314.us.us.epil151.i = fadd float %.568.i, %.561.us311.us.us.epil150.i
  store float %.572.us314.us.us.epil151.i, ptr %.559.us309.us.us.epil148.i, align 4, !noalias !117
  %354 = add i64 %lsr.iv203.epil.init.i, -24
  %.559.us309.us.us.1.epil.i = inttoptr i64 %354 to ptr
  %.560.us310.us.us.1.epil.i = load float, ptr %.559.us309.us.us.1.epil.i, align 4, !noalias !117
  %.561.us311.us.us.1.epil.i = fmul float %.560.us310.us.us.1.epil.i, %.557.i
  %.572.us314.us.us.1.epil.i = fadd float %.568.i, %.561.us311.us.us.1.epil.i
  store float %.572.us314.us.us.1.epil.i, ptr %.559.us309.us.us.1.epil.i, align 4, !noalias !117
  %355 = add i64 %lsr.iv203.epil.init.i, -20
  %.559.us309.us.us.2.epil.i = inttoptr i64 %355 to ptr
  %.560.us310.us.us.2.epil.i = load float, ptr %.559.us309.us.us.2.epil.i, align 4, !noalias !117
  %.561.us311.us.us.2.epil.i = fmul float %.560.us310.us.us.2.epil.i, %.557.i
  %.572.us314.us.us.2.epil.i = fadd float %.568.i, %.561.us311.us.us.2.epil.i
  store float %.572.us314.us.us.2.epil.i, ptr %.559.us309.us.us.2.epil.i, align 4, !noalias !117
  %356 = add i64 %lsr.iv203.epil.init.i, -16
  %.559.us309.us.us.3.epil.i = inttoptr i64 %356 to ptr
  %.560.us310.us.us.3.epil.i = load float, ptr %.559.us309.us.us.3.epil.i, align 4, !noalias !117
  %.561.us311.us.us.3.epil.i = fmul float %.560.us310.us.us.3.epil.i, %.557.i
  %.572.us314.us.us.3.epil.i = fadd float %.568.i, %.561.us311.us.us.3.epil.i
  store float %.572.us314.us.us.3.epil.i, ptr %.559.us309.us.us.3.epil.i, align 4, !noalias !117
  %357 = add i64 %lsr.iv203.epil.init.i, -12
  %.559.us309.us.us.4.epil.i = inttoptr i64 %357 to ptr
  %.560.us310.us.us.4.epil.i = load float, ptr %.559.us309.us.us.4.epil.i, align 4, !noalias !117
  %.561.us311.us.us.4.epil.i = fmul float %.560.us310.us.us.4.epil.i, %.557.i
  %.572.us314.us.us.4.epil.i = fadd float %.568.i, %.561.us311.us.us.4.epil.i
  store float %.572.us314.us.us.4.epil.i, ptr %.559.us309.us.us.4.epil.i, align 4, !noalias !117
  %358 = add i64 %lsr.iv203.epil.init.i, -8
  %.559.us309.us.us.5.epil.i = inttoptr i64 %358 to ptr
  %.560.us310.us.us.5.epil.i = load float, ptr %.559.us309.us.us.5.epil.i, align 4, !noalias !117
  %.561.us311.us.us.5.epil.i = fmul float %.560.us310.us.us.5.epil.i, %.557.i
  %.572.us314.us.us.5.epil.i = fadd float %.568.i, %.561.us311.us.us.5.epil.i
  store float %.572.us314.us.us.5.epil.i, ptr %.559.us309.us.us.5.epil.i, align 4, !noalias !117
  %359 = add i64 %lsr.iv203.epil.init.i, -4
  %.559.us309.us.us.6.epil.i = inttoptr i64 %359 to ptr
  %.560.us310.us.us.6.epil.i = load float, ptr %.559.us309.us.us.6.epil.i, align 4, !noalias !117
  %.561.us311.us.us.6.epil.i = fmul float %.560.us310.us.us.6.epil.i, %.557.i
  %.572.us314.us.us.6.epil.i = fadd float %.568.i, %.561.us311.us.us.6.epil.i
  store float %.572.us314.us.us.6.epil.i, ptr %.559.us309.us.us.6.epil.i, align 4, !noalias !117
  %.559.us309.us.us.7.epil.i = inttoptr i64 %lsr.iv203.epil.init.i to ptr
  %.560.us310.us.us.7.epil.i = load float, ptr %.559.us309.us.us.7.epil.i, align 4, !noalias !117
  %.561.us311.us.us.7.epil.i = fmul float %.560.us310.us.us.7.epil.i, %.557.i
  %.572.us314.us.us.7.epil.i = fadd float %.568.i, %.561.us311.us.us.7.epil.i
  store float %.572.us314.us.us.7.epil.i, ptr %.559.us309.us.us.7.epil.i, align 4, !noalias !117
  br label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.i

B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.i: ; preds = %B738.us300.us.us.epil.preheader145.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa.i
  br i1 %336, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i, label %B738.us300.us.us.epil.preheader.i

B738.us300.us.us.epil.preheader.i:                ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.i, %B702.endif.us.us414.i
  %.345251269.us302.us.us.epil.init.i = phi i64 [ 0, %B702.endif.us.us414.i ], [ %unroll_iter122.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.i ]
  %360 = add nsw i64 %.345251269.us302.us.us.epil.init.i, %lsr.iv205.i
  %361 = shl i64 %360, 2
  %362 = add nsw i64 %361, %arg.c
  br label %B738.us300.us.us.epil.i

B738.us300.us.us.epil.i:                          ; preds = %B738.us300.us.us.epil.i, %B738.us300.us.us.epil.preheader.i
  %lsr.iv209.i = phi i64 [ %lsr.iv.next210.i, %B738.us300.us.us.epil.i ], [ %xtraiter118.i, %B738.us300.us.us.epil.preheader.i ]
  %lsr.iv207.i = phi i64 [ %lsr.iv.next208.i, %B738.us300.us.us.epil.i ], [ %362, %B738.us300.us.us.epil.preheader.i ]
  %.559.us309.us.us.epil.i = inttoptr i64 %lsr.iv207.i to ptr
  %.560.us310.us.us.epil.i = load float, ptr %.559.us309.us.us.epil.i, align 4, !noalias !117
  %.561.us311.us.us.epil.i = fmul float %.560.us310.us.us.epil.i, %.557.i
  %.572.us314.us.us.epil.i = fadd float %.568.i, %.561.us311.us.us.epil.i
  store float %.572.us314.us.us.epil.i, ptr %.559.us309.us.us.epil.i, align 4, !noalias !117
  %lsr.iv.next208.i = add i64 %lsr.iv207.i, 4
  %lsr.iv.next210.i = add nsw i64 %lsr.iv209.i, -1
  %epil.iter119.cmp.not.i = icmp eq i64 %lsr.iv.next210.i, 0
  br i1 %epil.iter119.cmp.not.i, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i, label %B738.us300.us.us.epil.i, !llvm.loop !135

B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i: ; preds = %B738.us300.us.us.epil.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.i
  %.230.us.us418.i = add nuw nsw i64 %.223332346.us.us416.i, 1
  %lsr.iv.next202.i = add i64 %lsr.iv201.i, %326
  %lsr.iv.next206.i = add i64 %lsr.iv205.i, %.46.i
  %lsr.iv.next264.i = add i64 %lsr.iv263.i, %326
  %exitcond537.not.i = icmp eq i64 %arg.m, %.230.us.us418.i
  br i1 %exitcond537.not.i, label %common.ret, label %B702.endif.us.us414.i

iter.check.i:                                     ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i, %iter.check.preheader.new.i
  %lsr.iv215.i = phi i64 [ 0, %iter.check.preheader.new.i ], [ %lsr.iv.next216.1.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i ]
  %.223332346.us.i = phi i64 [ 0, %iter.check.preheader.new.i ], [ %.230.us.1.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i ]
  %.538.us.i = mul nsw i64 %.223332346.us.i, %.46.i
  br i1 %319, label %B738.us355.preheader.i, label %vector.main.loop.iter.check.i

vector.main.loop.iter.check.i:                    ; preds = %iter.check.i
  br i1 %320, label %vec.epilog.ph.i, label %vector.ph.i

vector.ph.i:                                      ; preds = %vector.main.loop.iter.check.i
  %broadcast.splatinsert.i = insertelement <16 x i64> poison, i64 %.538.us.i, i64 0
  %broadcast.splat.i = shufflevector <16 x i64> %broadcast.splatinsert.i, <16 x i64> poison, <16 x i32> zeroinitializer
  br label %vector.body.i

vector.body.i:                                    ; preds = %vector.body.i, %vector.ph.i
  %lsr.iv146.i = phi i64 [ %lsr.iv.next147.i, %vector.body.i ], [ %318, %vector.ph.i ]
  %vec.ind.i = phi <16 x i64> [ %vec.ind.next.i, %vector.body.i ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %vector.ph.i ]
  %363 = add nsw <16 x i64> %vec.ind.i, %broadcast.splat.i
  %364 = shl nsw <16 x i64> %363, splat (i64 2)
  %365 = add nsw <16 x i64> %364, %broadcast.splat38.i
  %366 = inttoptr <16 x i64> %365 to <16 x ptr>
  tail call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %broadcast.splat40.i, <16 x ptr> align 4 %366, <16 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next.i = add nuw nsw <16 x i64> %vec.ind.i, splat (i64 16)
  %lsr.iv.next147.i = add nsw i64 %lsr.iv146.i, 16
  %367 = icmp eq i64 %lsr.iv.next147.i, 0
  br i1 %367, label %middle.block.i, label %vector.body.i, !llvm.loop !136

middle.block.i:                                   ; preds = %vector.body.i
  br i1 %321, label %B736.B700.loopexit_crit_edge.split.split.split.us365.thread.i, label %vec.epilog.iter.check.i

vec.epilog.iter.check.i:                          ; preds = %middle.block.i
  br i1 %323, label %B738.us355.preheader.i, label %vec.epilog.ph.i, !prof !137

vec.epilog.ph.i:                                  ; preds = %vec.epilog.iter.check.i, %vector.main.loop.iter.check.i
  %bc.resume.val.i = phi i64 [ %n.vec.i, %vec.epilog.iter.check.i ], [ 0, %vector.main.loop.iter.check.i ]
  %broadcast.splatinsert43.i = insertelement <4 x i64> poison, i64 %.538.us.i, i64 0
  %broadcast.splat44.i = shufflevector <4 x i64> %broadcast.splatinsert43.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49.i = insertelement <4 x i64> poison, i64 %bc.resume.val.i, i64 0
  %broadcast.splat50.i = shufflevector <4 x i64> %broadcast.splatinsert49.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %induction.i = or disjoint <4 x i64> %broadcast.splat50.i, <i64 0, i64 1, i64 2, i64 3>
  %368 = sub nsw i64 %bc.resume.val.i, %n.vec42.i
  br label %vec.epilog.vector.body.i

vec.epilog.vector.body.i:                         ; preds = %vec.epilog.vector.body.i, %vec.epilog.ph.i
  %lsr.iv213.i = phi i64 [ %lsr.iv.next214.i, %vec.epilog.vector.body.i ], [ %368, %vec.epilog.ph.i ]
  %vec.ind52.i = phi <4 x i64> [ %vec.ind.next54.i, %vec.epilog.vector.body.i ], [ %induction.i, %vec.epilog.ph.i ]
  %369 = add nsw <4 x i64> %vec.ind52.i, %broadcast.splat44.i
  %370 = shl nsw <4 x i64> %369, splat (i64 2)
  %371 = add nsw <4 x i64> %370, %broadcast.splat46.i
  %372 = inttoptr <4 x i64> %371 to <4 x ptr>
  tail call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %broadcast.splat48.i, <4 x ptr> align 4 %372, <4 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next54.i = add nuw nsw <4 x i64> %vec.ind52.i, splat (i64 4)
  %lsr.iv.next214.i = add i64 %lsr.iv213.i, 4
  %373 = icmp eq i64 %lsr.iv.next214.i, 0
  br i1 %373, label %vec.epilog.middle.block.i, label %vec.epilog.vector.body.i, !llvm.loop !138

vec.epilog.middle.block.i:                        ; preds = %vec.epilog.vector.body.i
  br i1 %324, label %B736.B700.loopexit_crit_edge.split.split.split.us365.thread.i, label %B738.us355.preheader.i

B738.us355.preheader.i:                           ; preds = %vec.epilog.middle.block.i, %vec.epilog.iter.check.i, %iter.check.i
  %.345251269.us357.ph.i = phi i64 [ 0, %iter.check.i ], [ %n.vec.i, %vec.epilog.iter.check.i ], [ %n.vec42.i, %vec.epilog.middle.block.i ]
  %374 = add nsw i64 %.345251269.us357.ph.i, %lsr.iv215.i
  %375 = shl i64 %374, 2
  %376 = add nsw i64 %375, %arg.c
  %377 = sub nsw i64 %.345251269.us357.ph.i, %arg.n
  br label %B738.us355.i

B738.us355.i:                                     ; preds = %B738.us355.i, %B738.us355.preheader.i
  %lsr.iv148.i = phi i64 [ %lsr.iv.next149.i, %B738.us355.i ], [ %377, %B738.us355.preheader.i ]
  %lsr.iv217.i = phi i64 [ %lsr.iv.next218.i, %B738.us355.i ], [ %376, %B738.us355.preheader.i ]
  %.576.us363.i = inttoptr i64 %lsr.iv217.i to ptr
  store float %.572.i, ptr %.576.us363.i, align 4, !noalias !117
  %lsr.iv.next218.i = add i64 %lsr.iv217.i, 4
  %ov.i = icmp eq i64 %lsr.iv148.i, -1
  %lsr.iv.next149.i = add nuw i64 %lsr.iv148.i, 1
  br i1 %ov.i, label %B736.B700.loopexit_crit_edge.split.split.split.us365.i, label %B738.us355.i, !llvm.loop !139

B736.B700.loopexit_crit_edge.split.split.split.us365.thread.i: ; preds = %vec.epilog.middle.block.i, %middle.block.i
  %lsr.iv.next21625.i = add i64 %lsr.iv215.i, %.46.i
  br label %vector.main.loop.iter.check.1.i

B736.B700.loopexit_crit_edge.split.split.split.us365.i: ; preds = %B738.us355.i
  %lsr.iv.next216.i = add i64 %lsr.iv215.i, %.46.i
  br i1 %319, label %B738.us355.preheader.1.i, label %vector.main.loop.iter.check.1.i

vector.main.loop.iter.check.1.i:                  ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us365.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.thread.i
  %lsr.iv.next21627.i = phi i64 [ %lsr.iv.next21625.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.thread.i ], [ %lsr.iv.next216.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.i ]
  %.230.us24.pn.i = or disjoint i64 %.223332346.us.i, 1
  %.538.us.130.i = mul nsw i64 %.230.us24.pn.i, %.46.i
  br i1 %320, label %vec.epilog.ph.1.i, label %vector.ph.1.i

vector.ph.1.i:                                    ; preds = %vector.main.loop.iter.check.1.i
  %broadcast.splatinsert.1.i = insertelement <16 x i64> poison, i64 %.538.us.130.i, i64 0
  %broadcast.splat.1.i = shufflevector <16 x i64> %broadcast.splatinsert.1.i, <16 x i64> poison, <16 x i32> zeroinitializer
  br label %vector.body.1.i

vector.body.1.i:                                  ; preds = %vector.body.1.i, %vector.ph.1.i
  %lsr.iv150.i = phi i64 [ %lsr.iv.next151.i, %vector.body.1.i ], [ %318, %vector.ph.1.i ]
  %vec.ind.1.i = phi <16 x i64> [ %vec.ind.next.1.i, %vector.body.1.i ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %vector.ph.1.i ]
  %378 = add nsw <16 x i64> %vec.ind.1.i, %broadcast.splat.1.i
  %379 = shl nsw <16 x i64> %378, splat (i64 2)
  %380 = add nsw <16 x i64> %379, %broadcast.splat38.i
  %381 = inttoptr <16 x i64> %380 to <16 x ptr>
  tail call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %broadcast.splat40.i, <16 x ptr> align 4 %381, <16 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next.1.i = add nuw nsw <16 x i64> %vec.ind.1.i, splat (i64 16)
  %lsr.iv.next151.i = add nsw i64 %lsr.iv150.i, 16
  %382 = icmp eq i64 %lsr.iv.next151.i, 0
  br i1 %382, label %middle.block.1.i, label %vector.body.1.i, !llvm.loop !136

middle.block.1.i:                                 ; preds = %vector.body.1.i
  br i1 %321, label %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i, label %vec.epilog.iter.check.1.i

vec.epilog.iter.check.1.i:                        ; preds = %middle.block.1.i
  br i1 %323, label %B738.us355.preheader.1.i, label %vec.epilog.ph.1.i, !prof !137

vec.epilog.ph.1.i:                                ; preds = %vec.epilog.iter.check.1.i, %vector.main.loop.iter.check.1.i
  %bc.resume.val.1.i = phi i64 [ %n.vec.i, %vec.epilog.iter.check.1.i ], [ 0, %vector.main.loop.iter.check.1.i ]
  %broadcast.splatinsert43.1.i = insertelement <4 x i64> poison, i64 %.538.us.130.i, i64 0
  %broadcast.splat44.1.i = shufflevector <4 x i64> %broadcast.splatinsert43.1.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49.1.i = insertelement <4 x i64> poison, i64 %bc.resume.val.1.i, i64 0
  %broadcast.splat50.1.i = shufflevector <4 x i64> %broadcast.splatinsert49.1.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %induction.1.i = or disjoint <4 x i64> %broadcast.splat50.1.i, <i64 0, i64 1, i64 2, i64 3>
  %383 = sub nsw i64 %bc.resume.val.1.i, %n.vec42.i
  br label %vec.epilog.vector.body.1.i

vec.epilog.vector.body.1.i:                       ; preds = %vec.epilog.vector.body.1.i, %vec.epilog.ph.1.i
  %lsr.iv213.1.i = phi i64 [ %lsr.iv.next214.1.i, %vec.epilog.vector.body.1.i ], [ %383, %vec.epilog.ph.1.i ]
  %vec.ind52.1.i = phi <4 x i64> [ %vec.ind.next54.1.i, %vec.epilog.vector.body.1.i ], [ %induction.1.i, %vec.epilog.ph.1.i ]
  %384 = add nsw <4 x i64> %vec.ind52.1.i, %broadcast.splat44.1.i
  %385 = shl nsw <4 x i64> %384, splat (i64 2)
  %386 = add nsw <4 x i64> %385, %broadcast.splat46.i
  %387 = inttoptr <4 x i64> %386 to <4 x ptr>
  tail call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %broadcast.splat48.i, <4 x ptr> align 4 %387, <4 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next54.1.i = add nuw nsw <4 x i64> %vec.ind52.1.i, splat (i64 4)
  %lsr.iv.next214.1.i = add i64 %lsr.iv213.1.i, 4
  %388 = icmp eq i64 %lsr.iv.next214.1.i, 0
  br i1 %388, label %vec.epilog.middle.block.1.i, label %vec.epilog.vector.body.1.i, !llvm.loop !138

vec.epilog.middle.block.1.i:                      ; preds = %vec.epilog.vector.body.1.i
  br i1 %324, label %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i, label %B738.us355.preheader.1.i

B738.us355.preheader.1.i:                         ; preds = %vec.epilog.middle.block.1.i, %vec.epilog.iter.check.1.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.i
  %lsr.iv.next21628.i = phi i64 [ %lsr.iv.next216.i, %B736.B700.loopexit_crit_edge.split.split.split.us365.i ], [ %lsr.iv.next21627.i, %vec.epilog.iter.check.1.i ], [ %lsr.iv.next21627.i, %vec.epilog.middle.block.1.i ]
  %.345251269.us357.ph.1.i = phi i64 [ 0, %B736.B700.loopexit_crit_edge.split.split.split.us365.i ], [ %n.vec.i, %vec.epilog.iter.check.1.i ], [ %n.vec42.i, %vec.epilog.middle.block.1.i ]
  %389 = add nsw i64 %.345251269.us357.ph.1.i, %lsr.iv.next21628.i
  %390 = shl i64 %389, 2
  %391 = add nsw i64 %390, %arg.c
  %392 = sub nsw i64 %.345251269.us357.ph.1.i, %arg.n
  br label %B738.us355.1.i

B738.us355.1.i:                                   ; preds = %B738.us355.1.i, %B738.us355.preheader.1.i
  %lsr.iv152.i = phi i64 [ %lsr.iv.next153.i, %B738.us355.1.i ], [ %392, %B738.us355.preheader.1.i ]
  %lsr.iv217.1.i = phi i64 [ %lsr.iv.next218.1.i, %B738.us355.1.i ], [ %391, %B738.us355.preheader.1.i ]
  %.576.us363.1.i = inttoptr i64 %lsr.iv217.1.i to ptr
  store float %.572.i, ptr %.576.us363.1.i, align 4, !noalias !117
  %lsr.iv.next218.1.i = add i64 %lsr.iv217.1.i, 4
  %ov177.i = icmp eq i64 %lsr.iv152.i, -1
  %lsr.iv.next153.i = add nuw i64 %lsr.iv152.i, 1
  br i1 %ov177.i, label %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i, label %B738.us355.1.i, !llvm.loop !139

B736.B700.loopexit_crit_edge.split.split.split.us365.1.i: ; preds = %B738.us355.1.i, %vec.epilog.middle.block.1.i, %middle.block.1.i
  %lsr.iv.next21629.i = phi i64 [ %lsr.iv.next21627.i, %middle.block.1.i ], [ %lsr.iv.next21627.i, %vec.epilog.middle.block.1.i ], [ %lsr.iv.next21628.i, %B738.us355.1.i ]
  %.230.us.1.i = add nuw i64 %.223332346.us.i, 2
  %lsr.iv.next216.1.i = add i64 %lsr.iv.next21629.i, %.46.i
  %niter144.ncmp.1.i = icmp eq i64 %.230.us.1.i, %unroll_iter143.i
  br i1 %niter144.ncmp.1.i, label %B1442.loopexit83.unr-lcssa.i, label %iter.check.i

B1442.loopexit83.unr-lcssa.i:                     ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us365.1.i
  %393 = and i64 %arg.m, 1
  %lcmp.mod141.not.i = icmp eq i64 %393, 0
  br i1 %lcmp.mod141.not.i, label %common.ret, label %iter.check.epil.preheader.i

iter.check.epil.preheader.i:                      ; preds = %B1442.loopexit83.unr-lcssa.i, %iter.check.preheader.i
  %lsr.iv215.epil.init.i = phi i64 [ 0, %iter.check.preheader.i ], [ %lsr.iv.next216.1.i, %B1442.loopexit83.unr-lcssa.i ]
  %.223332346.us.epil.init.i = phi i64 [ 0, %iter.check.preheader.i ], [ %unroll_iter143.i, %B1442.loopexit83.unr-lcssa.i ]
  %394 = icmp ult i64 %arg.n, 4
  %.538.us.epil.i = mul nsw i64 %.223332346.us.epil.init.i, %.46.i
  br i1 %394, label %B738.us355.preheader.epil.i, label %vector.main.loop.iter.check.epil.i

vector.main.loop.iter.check.epil.i:               ; preds = %iter.check.epil.preheader.i
  %395 = icmp ult i64 %arg.n, 16
  br i1 %395, label %vec.epilog.ph.epil.i, label %vector.ph.epil.i

vector.ph.epil.i:                                 ; preds = %vector.main.loop.iter.check.epil.i
  %broadcast.splatinsert.epil.i = insertelement <16 x i64> poison, i64 %.538.us.epil.i, i64 0
  %broadcast.splat.epil.i = shufflevector <16 x i64> %broadcast.splatinsert.epil.i, <16 x i64> poison, <16 x i32> zeroinitializer
  %396 = lshr i64 %arg.n, 4
  %397 = mul nsw i64 %396, -16
  br label %vector.body.epil.i

vector.body.epil.i:                               ; preds = %vector.body.epil.i, %vector.ph.epil.i
  %lsr.iv144.i = phi i64 [ %lsr.iv.next145.i, %vector.body.epil.i ], [ %397, %vector.ph.epil.i ]
  %vec.ind.epil.i = phi <16 x i64> [ %vec.ind.next.epil.i, %vector.body.epil.i ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %vector.ph.epil.i ]
  %398 = add nsw <16 x i64> %vec.ind.epil.i, %broadcast.splat.epil.i
  %399 = shl nsw <16 x i64> %398, splat (i64 2)
  %400 = add nsw <16 x i64> %399, %broadcast.splat38.i
  %401 = inttoptr <16 x i64> %400 to <16 x ptr>
  tail call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %broadcast.splat40.i, <16 x ptr> align 4 %401, <16 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next.epil.i = add nuw nsw <16 x i64> %vec.ind.epil.i, splat (i64 16)
  %lsr.iv.next145.i = add i64 %lsr.iv144.i, 16
  %402 = icmp eq i64 %lsr.iv.next145.i, 0
  br i1 %402, label %middle.block.epil.i, label %vector.body.epil.i, !llvm.loop !136

middle.block.epil.i:                              ; preds = %vector.body.epil.i
  %403 = icmp eq i64 %arg.n, %n.vec.i
  br i1 %403, label %common.ret, label %vec.epilog.iter.check.epil.i

vec.epilog.iter.check.epil.i:                     ; preds = %middle.block.epil.i
  %404 = and i64 %arg.n, 12
  %405 = icmp eq i64 %404, 0
  br i1 %405, label %B738.us355.preheader.epil.i, label %vec.epilog.ph.epil.i, !prof !137

vec.epilog.ph.epil.i:                             ; preds = %vec.epilog.iter.check.epil.i, %vector.main.loop.iter.check.epil.i
  %bc.resume.val.epil.i = phi i64 [ %n.vec.i, %vec.epilog.iter.check.epil.i ], [ 0, %vector.main.loop.iter.check.epil.i ]
  %broadcast.splatinsert43.epil.i = insertelement <4 x i64> poison, i64 %.538.us.epil.i, i64 0
  %broadcast.splat44.epil.i = shufflevector <4 x i64> %broadcast.splatinsert43.epil.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49.epil.i = insertelement <4 x i64> poison, i64 %bc.resume.val.epil.i, i64 0
  %broadcast.splat50.epil.i = shufflevector <4 x i64> %broadcast.splatinsert49.epil.i, <4 x i64> poison, <4 x i32> zeroinitializer
  %induction.epil.i = or disjoint <4 x i64> %broadcast.splat50.epil.i, <i64 0, i64 1, i64 2, i64 3>
  %406 = sub nsw i64 %bc.resume.val.epil.i, %n.vec42.i
  br label %vec.epilog.vector.body.epil.i

vec.epilog.vector.body.epil.i:                    ; preds = %vec.epilog.vector.body.epil.i, %vec.epilog.ph.epil.i
  %lsr.iv213.epil.i = phi i64 [ %lsr.iv.next214.epil.i, %vec.epilog.vector.body.epil.i ], [ %406, %vec.epilog.ph.epil.i ]
  %vec.ind52.epil.i = phi <4 x i64> [ %vec.ind.next54.epil.i, %vec.epilog.vector.body.epil.i ], [ %induction.epil.i, %vec.epilog.ph.epil.i ]
  %407 = add nsw <4 x i64> %vec.ind52.epil.i, %broadcast.splat44.epil.i
  %408 = shl nsw <4 x i64> %407, splat (i64 2)
  %409 = add nsw <4 x i64> %408, %broadcast.splat46.i
  %410 = inttoptr <4 x i64> %409 to <4 x ptr>
  tail call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %broadcast.splat48.i, <4 x ptr> align 4 %410, <4 x i1> splat (i1 true)), !noalias !117
  %vec.ind.next54.epil.i = add nuw nsw <4 x i64> %vec.ind52.epil.i, splat (i64 4)
  %lsr.iv.next214.epil.i = add i64 %lsr.iv213.epil.i, 4
  %411 = icmp eq i64 %lsr.iv.next214.epil.i, 0
  br i1 %411, label %vec.epilog.middle.block.epil.i, label %vec.epilog.vector.body.epil.i, !llvm.loop !138

vec.epilog.middle.block.epil.i:                   ; preds = %vec.epilog.vector.body.epil.i
  %412 = icmp eq i64 %arg.n, %n.vec42.i
  br i1 %412, label %common.ret, label %B738.us355.preheader.epil.i

B738.us355.preheader.epil.i:                      ; preds = %vec.epilog.middle.block.epil.i, %vec.epilog.iter.check.epil.i, %iter.check.epil.preheader.i
  %.345251269.us357.ph.epil.i = phi i64 [ 0, %iter.check.epil.preheader.i ], [ %n.vec.i, %vec.epilog.iter.check.epil.i ], [ %n.vec42.i, %vec.epilog.middle.block.epil.i ]
  %413 = add nsw i64 %.345251269.us357.ph.epil.i, %lsr.iv215.epil.init.i
  %414 = shl i64 %413, 2
  %415 = add nsw i64 %414, %arg.c
  %416 = sub nsw i64 %.345251269.us357.ph.epil.i, %arg.n
  br label %B738.us355.epil.i

B738.us355.epil.i:                                ; preds = %B738.us355.epil.i, %B738.us355.preheader.epil.i
  %lsr.iv142.i = phi i64 [ %lsr.iv.next143.i, %B738.us355.epil.i ], [ %416, %B738.us355.preheader.epil.i ]
  %lsr.iv217.epil.i = phi i64 [ %lsr.iv.next218.epil.i, %B738.us355.epil.i ], [ %415, %B738.us355.preheader.epil.i ]
  %.576.us363.epil.i = inttoptr i64 %lsr.iv217.epil.i to ptr
  store float %.572.i, ptr %.576.us363.epil.i, align 4, !noalias !117
  %lsr.iv.next218.epil.i = add i64 %lsr.iv217.epil.i, 4
  %ov179.i = icmp eq i64 %lsr.iv142.i, -1
  %lsr.iv.next143.i = add nuw i64 %lsr.iv142.i, 1
  br i1 %ov179.i, label %common.ret, label %B738.us355.epil.i, !llvm.loop !139

B136:                                             ; preds = %entry
  %.99 = add nsw i64 %arg.block, 16
  %.100 = inttoptr i64 %.99 to ptr
  %.101 = load i64, ptr %.100, align 8
  %.107 = add nsw i64 %arg.block, 24
  %.108 = inttoptr i64 %.107 to ptr
  %.109 = load i64, ptr %.108, align 8
  %.115 = add nsw i64 %arg.block, 32
  %.116 = inttoptr i64 %.115 to ptr
  %.117 = load i64, ptr %.116, align 8
  %.131 = add nsw i64 %arg.block, 48
  %.132 = inttoptr i64 %.131 to ptr
  %.133 = load i64, ptr %.132, align 8
  %.139 = add nsw i64 %arg.block, 56
  %.140 = inttoptr i64 %.139 to ptr
  %.141 = load i64, ptr %.140, align 8
  %.147 = add nsw i64 %arg.block, 152
  %.148 = inttoptr i64 %.147 to ptr
  %.149 = load double, ptr %.148, align 8
  %.155 = add nsw i64 %arg.block, 160
  %.158 = inttoptr i64 %.155 to ptr
  %.159 = load double, ptr %.158, align 8
  %.164 = icmp sgt i64 %.101, 0
  br i1 %.164, label %B772, label %B1076

B772:                                             ; preds = %B136
  %.167 = icmp eq i64 %arg.n, 1
  br i1 %.167, label %B784, label %B930

B784:                                             ; preds = %B772
  %.not2 = icmp eq i8 %arg.single, 0
  %.183.not = icmp eq i64 %.109, 0
  %flag.4.0 = select i1 %.183.not, i64 111, i64 112
  %columns.4.0 = select i1 %.183.not, i64 %.101, i64 %arg.m
  %rows.4.0 = select i1 %.183.not, i64 %arg.m, i64 %.101
  %.211.not = icmp eq i64 %.117, 0
  %step.4.0 = select i1 %.211.not, i64 %.133, i64 1
  br i1 %.not2, label %B206.i, label %B8.i

B8.i:                                             ; preds = %B784
  %.53.i = add nsw i64 %arg.team, 16
  %.56.i = inttoptr i64 %.53.i to ptr
  %.57.i = load i64, ptr %.56.i, align 8, !noalias !140
  %.59.i = fptrunc double %.149 to float
  %.63.i = fptrunc double %.159 to float
  %.75.i = inttoptr i64 %.57.i to ptr
  %.77.i = trunc nuw nsw i64 %flag.4.0 to i32
  %.78.i = trunc i64 %rows.4.0 to i32
  %.79.i = trunc i64 %columns.4.0 to i32
  %.80.i = inttoptr i64 %arg.a to ptr
  %.81.i = trunc i64 %.125 to i32
  %.82.i = inttoptr i64 %arg.b to ptr
  %.83.i = trunc i64 %step.4.0 to i32
  %.84.i = inttoptr i64 %arg.c to ptr
  %.85.i = trunc i64 %.141 to i32
  tail call void %.75.i(i32 101, i32 %.77.i, i32 %.78.i, i32 %.79.i, float %.59.i, ptr %.80.i, i32 %.81.i, ptr %.82.i, i32 %.83.i, float %.63.i, ptr %.84.i, i32 %.85.i), !noalias !140
  br label %common.ret

B206.i:                                           ; preds = %B784
  %.109.i = add nsw i64 %arg.team, 24
  %.112.i = inttoptr i64 %.109.i to ptr
  %.113.i = load i64, ptr %.112.i, align 8, !noalias !140
  %.125.i = inttoptr i64 %.113.i to ptr
  %.127.i = trunc nuw nsw i64 %flag.4.0 to i32
  %.128.i = trunc i64 %rows.4.0 to i32
  %.129.i = trunc i64 %columns.4.0 to i32
  %.130.i = inttoptr i64 %arg.a to ptr
  %.131.i = trunc i64 %.125 to i32
  %.132.i = inttoptr i64 %arg.b to ptr
  %.133.i = trunc i64 %step.4.0 to i32
  %.134.i = inttoptr i64 %arg.c to ptr
  %.135.i = trunc i64 %.141 to i32
  tail call void %.125.i(i32 101, i32 %.127.i, i32 %.128.i, i32 %.129.i, double %.149, ptr %.130.i, i32 %.131.i, ptr %.132.i, i32 %.133.i, double %.159, ptr %.134.i, i32 %.135.i), !noalias !140
  br label %common.ret

B930:                                             ; preds = %B772
  %.289 = icmp eq i64 %arg.m, 1
  br i1 %.289, label %B942, label %B1076

B942:                                             ; preds = %B930
  %.not1 = icmp eq i8 %arg.single, 0
  %.307.not = icmp eq i64 %.117, 0
  %flag.5.0 = select i1 %.307.not, i64 112, i64 111
  %columns.5.0 = select i1 %.307.not, i64 %arg.n, i64 %.101
  %rows.5.0 = select i1 %.307.not, i64 %.101, i64 %arg.n
  %.332.not = icmp eq i64 %.109, 0
  %step.5.0 = select i1 %.332.not, i64 1, i64 %.125
  br i1 %.not1, label %B206.i17, label %B8.i2

B8.i2:                                            ; preds = %B942
  %.53.i3 = add nsw i64 %arg.team, 16
  %.56.i4 = inttoptr i64 %.53.i3 to ptr
  %.57.i5 = load i64, ptr %.56.i4, align 8, !noalias !143
  %.59.i6 = fptrunc double %.149 to float
  %.63.i7 = fptrunc double %.159 to float
  %.75.i8 = inttoptr i64 %.57.i5 to ptr
  %.77.i9 = trunc nuw nsw i64 %flag.5.0 to i32
  %.78.i10 = trunc i64 %rows.5.0 to i32
  %.79.i11 = trunc i64 %columns.5.0 to i32
  %.80.i12 = inttoptr i64 %arg.b to ptr
  %.81.i13 = trunc i64 %.133 to i32
  %.82.i14 = inttoptr i64 %arg.a to ptr
  %.83.i15 = trunc i64 %step.5.0 to i32
  %.84.i16 = inttoptr i64 %arg.c to ptr
  tail call void %.75.i8(i32 101, i32 %.77.i9, i32 %.78.i10, i32 %.79.i11, float %.59.i6, ptr %.80.i12, i32 %.81.i13, ptr %.82.i14, i32 %.83.i15, float %.63.i7, ptr %.84.i16, i32 1), !noalias !143
  br label %common.ret

B206.i17:                                         ; preds = %B942
  %.109.i18 = add nsw i64 %arg.team, 24
  %.112.i19 = inttoptr i64 %.109.i18 to ptr
  %.113.i20 = load i64, ptr %.112.i19, align 8, !noalias !143
  %.125.i21 = inttoptr i64 %.113.i20 to ptr
  %.127.i22 = trunc nuw nsw i64 %flag.5.0 to i32
  %.128.i23 = trunc i64 %rows.5.0 to i32
  %.129.i24 = trunc i64 %columns.5.0 to i32
  %.130.i25 = inttoptr i64 %arg.b to ptr
  %.131.i26 = trunc i64 %.133 to i32
  %.132.i27 = inttoptr i64 %arg.a to ptr
  %.133.i28 = trunc i64 %step.5.0 to i32
  %.134.i29 = inttoptr i64 %arg.c to ptr
  tail call void %.125.i21(i32 101, i32 %.127.i22, i32 %.128.i23, i32 %.129.i24, double %.149, ptr %.130.i25, i32 %.131.i26, ptr %.132.i27, i32 %.133.i28, double %.159, ptr %.134.i29, i32 1), !noalias !143
  br label %common.ret

B1076:                                            ; preds = %B930, %B136
  %.not = icmp eq i8 %arg.single, 0
  %.412.not = icmp eq i64 %.109, 0
  %spec.select155 = select i1 %.412.not, i64 111, i64 112
  %.423.not = icmp eq i64 %.117, 0
  %flag_b.2.0 = select i1 %.423.not, i64 111, i64 112
  br i1 %.not, label %B1362, label %B1160

common.ret:                                       ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.i, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.i, %B738.us355.epil.i, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.i, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.i, %vec.epilog.middle.block.epil.i, %middle.block.epil.i, %B1442.loopexit83.unr-lcssa.i, %B702.endif.lr.ph.i, %B90, %B1362, %B1160, %B206.i17, %B8.i2, %B206.i, %B8.i
  store ptr null, ptr %retptr, align 8
  ret void

B1160:                                            ; preds = %B1076
  %.439 = inttoptr i64 %arg.team to ptr
  %.440 = load i64, ptr %.439, align 8
  %.442 = fptrunc double %.149 to float
  %.446 = fptrunc double %.159 to float
  %.460 = inttoptr i64 %.440 to ptr
  %.462 = trunc nuw nsw i64 %spec.select155 to i32
  %.463 = trunc nuw nsw i64 %flag_b.2.0 to i32
  %.464 = trunc i64 %arg.m to i32
  %.465 = trunc i64 %arg.n to i32
  %.466 = trunc i64 %.101 to i32
  %.467 = inttoptr i64 %arg.a to ptr
  %.468 = trunc i64 %.125 to i32
  %.469 = inttoptr i64 %arg.b to ptr
  %.470 = trunc i64 %.133 to i32
  %.471 = inttoptr i64 %arg.c to ptr
  %.472 = trunc i64 %.141 to i32
  tail call void %.460(i32 101, i32 %.462, i32 %.463, i32 %.464, i32 %.465, i32 %.466, float %.442, ptr %.467, i32 %.468, ptr %.469, i32 %.470, float %.446, ptr %.471, i32 %.472)
  br label %common.ret

B1362:                                            ; preds = %B1076
  %.500 = add nsw i64 %arg.team, 8
  %.503 = inttoptr i64 %.500 to ptr
  %.504 = load i64, ptr %.503, align 8
  %.518 = inttoptr i64 %.504 to ptr
  %.520 = trunc nuw nsw i64 %spec.select155 to i32
  %.521 = trunc nuw nsw i64 %flag_b.2.0 to i32
  %.522 = trunc i64 %arg.m to i32
  %.523 = trunc i64 %arg.n to i32
  %.524 = trunc i64 %.101 to i32
  %.525 = inttoptr i64 %arg.a to ptr
  %.526 = trunc i64 %.125 to i32
  %.527 = inttoptr i64 %arg.b to ptr
  %.528 = trunc i64 %.133 to i32
  %.529 = inttoptr i64 %arg.c to ptr
  %.530 = trunc i64 %.141 to i32
  tail call void %.518(i32 101, i32 %.520, i32 %.521, i32 %.522, i32 %.523, i32 %.524, double %.149, ptr %.525, i32 %.526, ptr %.527, i32 %.528, double %.159, ptr %.529, i32 %.530)
  br label %common.ret
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v8f64.v8p0(<8 x double>, <8 x ptr>, <8 x i1>) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v16f32.v16p0(<16 x float>, <16 x ptr>, <16 x i1>) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, <4 x i1>) #5

define internal fastcc void @_ZN7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.team, i64 %arg.row, i64 %arg.wanted) unnamed_addr {
B0.endif:
  %.66.i.i = alloca ptr, align 8
  %.239 = alloca ptr, align 8
  %.11.i = tail call i64 @llvm.smin.i64(i64 %arg.wanted, i64 65535)
  %.45 = icmp sgt i64 %arg.wanted, 1
  br i1 %.45, label %B58, label %B272.endif

B58:                                              ; preds = %B0.endif
  %.49 = add nsw i64 %arg.team, 88
  %.50 = inttoptr i64 %.49 to ptr
  %.51 = load i64, ptr %.50, align 8
  %.52 = icmp sgt i64 %.51, 1
  br i1 %.52, label %B144, label %B304.preheader

B304.preheader:                                   ; preds = %B234, %B272.endif, %B58
  br label %B304

B144:                                             ; preds = %B58
  %.56 = add nsw i64 %arg.team, 96
  %.57 = inttoptr i64 %.56 to ptr
  %.58 = load i64, ptr %.57, align 8
  %.59 = icmp eq i64 %.58, 0
  br i1 %.59, label %common.ret, label %B234

common.ret:                                       ; preds = %B304, %B272.endif, %B144, %B234.endif
  %.sink = phi i8 [ 0, %B144 ], [ 1, %B234.endif ], [ 1, %B272.endif ], [ 1, %B304 ]
  store i8 %.sink, ptr %retptr, align 1
  ret void

B234:                                             ; preds = %B144
  %.15.i = add nsw i64 %arg.team, 256
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = cmpxchg ptr %.16.i, i64 0, i64 1 seq_cst seq_cst, align 8, !noalias !146
  %.18.i = extractvalue { i64, i1 } %.17.i, 1
  br i1 %.18.i, label %B90.i, label %B304.preheader

B90.i:                                            ; preds = %B234
  %.31.i = add nsw i64 %arg.team, 128
  %.32.i = inttoptr i64 %.31.i to ptr
  %.33.i = load atomic i64, ptr %.32.i seq_cst, align 8, !noalias !146
  %.39.i = add nsw i64 %arg.team, 120
  %.41.i = inttoptr i64 %.39.i to ptr
  store atomic i64 %arg.row, ptr %.41.i seq_cst, align 8, !noalias !146
  %.47.i = add nsw i64 %arg.team, 192
  %.48.i = inttoptr i64 %.47.i to ptr
  store atomic i64 0, ptr %.48.i seq_cst, align 8, !noalias !146
  %0 = and i64 %.33.i, -4294967296
  %.53.i = add i64 %0, 4294967296
  %.55.i = or disjoint i64 %.53.i, %.11.i
  %.57.i = atomicrmw xchg ptr %.32.i, i64 %.55.i seq_cst, align 8, !noalias !146
  %.60.i = add nsw i64 %.11.i, -1
  %sunkaddr28.i = inttoptr i64 %arg.team to ptr
  %sunkaddr30.i = getelementptr i8, ptr %sunkaddr28.i, i64 320
  br label %B10.endif.i.i

B136.i.i:                                         ; preds = %B10.endif.i.i
  %.72.i.i = sub nsw i64 %.15.i.i, %.11.i.i.i
  %.75.i.i = cmpxchg ptr %sunkaddr30.i, i64 %.15.i.i, i64 %.72.i.i seq_cst seq_cst, align 8, !noalias !149
  %.76.i.i = extractvalue { i64, i1 } %.75.i.i, 1
  br i1 %.76.i.i, label %B260.lr.ph.i.i, label %B10.endif.i.i

B260.i.i:                                         ; preds = %B260.lr.ph.i.i, %B260.i.i
  %lsr.iv.i.i = phi i64 [ %1, %B260.lr.ph.i.i ], [ %lsr.iv.next.i.i, %B260.i.i ]
  %.210.i.i = load i64, ptr %sunkaddr24.i, align 8, !noalias !149
  %.215.i.i = load i64, ptr %sunkaddr26.i, align 8, !noalias !149
  %.216.i.i = inttoptr i64 %.210.i.i to ptr
  %.217.i.i = inttoptr i64 %.215.i.i to ptr
  %.218.i.i = tail call i32 %.216.i.i(ptr %.217.i.i), !noalias !149
  %lsr.iv.next.i.i = add i64 %lsr.iv.i.i, -1
  %.168.i.i = icmp samesign ugt i64 %lsr.iv.next.i.i, 1
  br i1 %.168.i.i, label %B260.i.i, label %B90.endif.i

B10.endif.i.i:                                    ; preds = %B136.i.i, %B90.i
  %.15.i.i = load atomic i64, ptr %sunkaddr30.i seq_cst, align 8, !noalias !149
  %.11.i.i.i = tail call i64 @llvm.smin.i64(i64 %.60.i, i64 %.15.i.i)
  %.55.i.i = icmp slt i64 %.11.i.i.i, 1
  br i1 %.55.i.i, label %B90.endif.i, label %B136.i.i

B260.lr.ph.i.i:                                   ; preds = %B136.i.i
  %1 = add nuw nsw i64 %.11.i.i.i, 1
  %sunkaddr24.i = getelementptr i8, ptr %sunkaddr28.i, i64 56
  %sunkaddr26.i = getelementptr i8, ptr %sunkaddr28.i, i64 64
  br label %B260.i.i

B616.i:                                           ; preds = %B616.preheader.i, %B772.i
  %spins.2.0.i = phi i64 [ %.129.i, %B772.i ], [ 0, %B616.preheader.i ]
  %.136.i = icmp samesign ult i64 %spins.2.0.i, 1999
  br i1 %.136.i, label %B638.i, label %B668.i

B638.i:                                           ; preds = %B616.i
  tail call void @llvm.x86.sse2.pause(), !noalias !146
  br label %B772.i

B668.i:                                           ; preds = %B616.i
  %.144.i = load i64, ptr %sunkaddr33.i, align 8, !noalias !146
  %.145.i = inttoptr i64 %.144.i to ptr
  %.146.i = tail call i32 %.145.i(), !noalias !146
  br label %B772.i

B772.i:                                           ; preds = %B668.i, %B638.i
  %.158.i = load atomic i64, ptr %sunkaddr39.i seq_cst, align 8, !noalias !146
  %.160.i = icmp slt i64 %.158.i, %.11.i
  %.129.i = add nuw nsw i64 %spins.2.0.i, 1
  br i1 %.160.i, label %B616.i, label %B234.endif

B90.endif.i:                                      ; preds = %B10.endif.i.i, %B260.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.66.i.i), !noalias !146
  store ptr null, ptr %.66.i.i, align 8, !noalias !152
  %sunkaddr29.i = getelementptr i8, ptr %sunkaddr28.i, i64 128
  %.1225.i.i = load atomic i64, ptr %sunkaddr29.i seq_cst, align 8, !noalias !152
  %.1726.i.i = lshr i64 %.1225.i.i, 16
  %.1827.i.i = and i64 %.1726.i.i, 65535
  %.2328.i.i = and i64 %.1225.i.i, 65535
  %.29.not29.i.i = icmp samesign ult i64 %.1827.i.i, %.2328.i.i
  br i1 %.29.not29.i.i, label %B156.i.preheader.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i

B156.i.preheader.i:                               ; preds = %B90.endif.i
  %sunkaddr38.i = getelementptr i8, ptr %sunkaddr28.i, i64 120
  %sunkaddr45.i = getelementptr i8, ptr %sunkaddr28.i, i64 192
  br label %B156.i.i

B156.i.i:                                         ; preds = %B448.i.i, %B156.i.preheader.i
  %.2332.i.i = phi i64 [ %.23.i.i, %B448.i.i ], [ %.2328.i.i, %B156.i.preheader.i ]
  %.1831.i.i = phi i64 [ %.18.i.i, %B448.i.i ], [ %.1827.i.i, %B156.i.preheader.i ]
  %.1230.i.i = phi i64 [ %.12.i.i, %B448.i.i ], [ %.1225.i.i, %B156.i.preheader.i ]
  %.45.i.i = load atomic i64, ptr %sunkaddr38.i seq_cst, align 8, !noalias !152
  %.53.i.i = add nsw i64 %.1230.i.i, 65536
  %.56.i.i = cmpxchg ptr %sunkaddr29.i, i64 %.1230.i.i, i64 %.53.i.i seq_cst seq_cst, align 8, !noalias !152
  %.57.i.i = extractvalue { i64, i1 } %.56.i.i, 1
  br i1 %.57.i.i, label %B332.i.i, label %B448.i.i

B332.i.i:                                         ; preds = %B156.i.i
  store ptr null, ptr %.66.i.i, align 8, !noalias !152
  call fastcc void @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr nonnull %.66.i.i, i64 %arg.team, i64 %.45.i.i, i64 %.1831.i.i, i64 %.2332.i.i)
  %.102.i.i = atomicrmw add ptr %sunkaddr45.i, i64 1 seq_cst, align 8, !noalias !152
  br label %B448.i.i

B448.i.i:                                         ; preds = %B332.i.i, %B156.i.i
  %.12.i.i = load atomic i64, ptr %sunkaddr29.i seq_cst, align 8, !noalias !152
  %.17.i.i = lshr i64 %.12.i.i, 16
  %.18.i.i = and i64 %.17.i.i, 65535
  %.23.i.i = and i64 %.12.i.i, 65535
  %.29.not.i.i = icmp samesign ult i64 %.18.i.i, %.23.i.i
  br i1 %.29.not.i.i, label %B156.i.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i

_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i: ; preds = %B448.i.i, %B90.endif.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.66.i.i), !noalias !146
  %sunkaddr39.i = getelementptr i8, ptr %sunkaddr28.i, i64 192
  %.121.i = load atomic i64, ptr %sunkaddr39.i seq_cst, align 8, !noalias !146
  %.123.i = icmp slt i64 %.121.i, %.11.i
  br i1 %.123.i, label %B616.preheader.i, label %B234.endif

B616.preheader.i:                                 ; preds = %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i
  %sunkaddr33.i = getelementptr i8, ptr %sunkaddr28.i, i64 40
  br label %B616.i

B304:                                             ; preds = %B304.preheader, %B304
  %.2036264 = phi i64 [ %.210, %B304 ], [ 0, %B304.preheader ]
  call fastcc void @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr nonnull %.239, i64 %arg.team, i64 %arg.row, i64 %.2036264, i64 %.11.i)
  %.210 = add nuw i64 %.2036264, 1
  %exitcond.not = icmp eq i64 %.11.i, %.210
  br i1 %exitcond.not, label %common.ret, label %B304

B234.endif:                                       ; preds = %B772.i, %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread.i
  %sunkaddr27.i = getelementptr i8, ptr %sunkaddr28.i, i64 256
  store atomic i64 0, ptr %sunkaddr27.i seq_cst, align 8, !noalias !146
  br label %common.ret

B272.endif:                                       ; preds = %B0.endif
  %.19763.not.not = icmp eq i64 %arg.wanted, 1
  br i1 %.19763.not.not, label %B304.preheader, label %common.ret
}

attributes #0 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn memory(write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"_ZN7vitrify6kernel2vmB2v1Ex: %retptr"}
!2 = distinct !{!2, !"_ZN7vitrify6kernel2vmB2v1Ex"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"_ZN7vitrify6kernel6workerB2v3B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!5 = distinct !{!5, !"_ZN7vitrify6kernel6workerB2v3B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!6 = !{!7, !9, !4, !1}
!7 = distinct !{!7, !8, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!8 = distinct !{!8, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!9 = distinct !{!9, !8, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %excinfo"}
!10 = !{!11, !13, !4, !1}
!11 = distinct !{!11, !12, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!12 = distinct !{!12, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!13 = distinct !{!13, !14, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!14 = distinct !{!14, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!15 = !{!16, !18, !4, !1}
!16 = distinct !{!16, !17, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!17 = distinct !{!17, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!18 = distinct !{!18, !19, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!19 = distinct !{!19, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!20 = !{!21, !23, !4, !1}
!21 = distinct !{!21, !22, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!22 = distinct !{!22, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!23 = distinct !{!23, !24, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!24 = distinct !{!24, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!25 = !{!26, !4, !1}
!26 = distinct !{!26, !27, !"_ZN7vitrify6kernel5sleepB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!27 = distinct !{!27, !"_ZN7vitrify6kernel5sleepB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!28 = !{!29, !31, !26, !4, !1}
!29 = distinct !{!29, !30, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!30 = distinct !{!30, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!31 = distinct !{!31, !32, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!32 = distinct !{!32, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!33 = !{!31, !26, !4, !1}
!34 = !{!35, !26, !4, !1}
!35 = distinct !{!35, !36, !"_ZN7vitrify6kernel8withdrawB3v16B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!36 = distinct !{!36, !"_ZN7vitrify6kernel8withdrawB3v16B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!37 = !{!13, !4, !1}
!38 = !{!18, !4, !1}
!39 = !{!23, !4, !1}
!40 = !{!41, !1}
!41 = distinct !{!41, !42, !"_ZN7vitrify6kernel5patchB3v17B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!42 = distinct !{!42, !"_ZN7vitrify6kernel5patchB3v17B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!43 = distinct !{!43, !44}
!44 = !{!"llvm.loop.unroll.disable"}
!45 = distinct !{!45, !44}
!46 = !{!47, !1}
!47 = distinct !{!47, !48, !"_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx: %retptr"}
!48 = distinct !{!48, !"_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx"}
!49 = !{!50, !47, !1}
!50 = distinct !{!50, !51, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!51 = distinct !{!51, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!52 = !{!53, !1}
!53 = distinct !{!53, !54, !"_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!54 = distinct !{!54, !"_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!55 = !{!56, !58, !1}
!56 = distinct !{!56, !57, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx: %retptr"}
!57 = distinct !{!57, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx"}
!58 = distinct !{!58, !59, !"_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx: %retptr"}
!59 = distinct !{!59, !"_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx"}
!60 = !{!58, !1}
!61 = !{!62, !64, !1}
!62 = distinct !{!62, !63, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx: %retptr"}
!63 = distinct !{!63, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx"}
!64 = distinct !{!64, !65, !"_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx: %retptr"}
!65 = distinct !{!65, !"_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx"}
!66 = !{!64, !1}
!67 = !{!68, !1}
!68 = distinct !{!68, !69, !"_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx: %retptr"}
!69 = distinct !{!69, !"_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx"}
!70 = !{!71, !68, !1}
!71 = distinct !{!71, !72, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!72 = distinct !{!72, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!73 = !{!74, !1}
!74 = distinct !{!74, !75, !"_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx: %retptr"}
!75 = distinct !{!75, !"_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx"}
!76 = !{!77, !74, !1}
!77 = distinct !{!77, !78, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!78 = distinct !{!78, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!79 = distinct !{!79, !44}
!80 = !{!81, !1}
!81 = distinct !{!81, !82, !"_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!82 = distinct !{!82, !"_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!83 = !{!84, !1}
!84 = distinct !{!84, !85, !"_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx: %retptr"}
!85 = distinct !{!85, !"_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx"}
!86 = !{!"branch_weights", i32 1, i32 99}
!87 = !{!"branch_weights", i32 99, i32 1}
!88 = !{!89, !84, !1}
!89 = distinct !{!89, !90, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!90 = distinct !{!90, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!91 = !{!92, !1}
!92 = distinct !{!92, !93, !"_ZN7vitrify6kernel8exchangeB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!93 = distinct !{!93, !"_ZN7vitrify6kernel8exchangeB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!94 = !{!95, !92, !1}
!95 = distinct !{!95, !96, !"_ZN7vitrify6kernel9is_agreedB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!96 = distinct !{!96, !"_ZN7vitrify6kernel9is_agreedB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!97 = !{!98, !92, !1}
!98 = distinct !{!98, !99, !"_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx: %retptr"}
!99 = distinct !{!99, !"_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx"}
!100 = !{!101, !98, !92, !1}
!101 = distinct !{!101, !102, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!102 = distinct !{!102, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!103 = !{!104, !98, !92, !1}
!104 = distinct !{!104, !105, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!105 = distinct !{!105, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!106 = !{!107, !98, !92, !1}
!107 = distinct !{!107, !108, !"_ZN7vitrify6kernel4joinB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx: %retptr"}
!108 = distinct !{!108, !"_ZN7vitrify6kernel4joinB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx"}
!109 = distinct !{!109, !44}
!110 = distinct !{!110, !44}
!111 = !{!112, !92, !1}
!112 = distinct !{!112, !113, !"_ZN7vitrify6kernel3askB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!113 = distinct !{!113, !"_ZN7vitrify6kernel3askB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!114 = !{!115}
!115 = distinct !{!115, !116, !"_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx: %retptr"}
!116 = distinct !{!116, !"_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx"}
!117 = !{!118}
!118 = distinct !{!118, !119, !"_ZN7vitrify6kernel16multiply_plainlyB3v11B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEbxxxxxx: %retptr"}
!119 = distinct !{!119, !"_ZN7vitrify6kernel16multiply_plainlyB3v11B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEbxxxxxx"}
!120 = distinct !{!120, !44}
!121 = distinct !{!121, !44}
!122 = distinct !{!122, !44}
!123 = distinct !{!123, !44}
!124 = distinct !{!124, !44}
!125 = distinct !{!125, !126, !127}
!126 = !{!"llvm.loop.isvectorized", i32 1}
!127 = !{!"llvm.loop.unroll.runtime.disable"}
!128 = !{!"branch_weights", i32 8, i32 24}
!129 = distinct !{!129, !126, !127}
!130 = distinct !{!130, !127, !126}
!131 = distinct !{!131, !44}
!132 = distinct !{!132, !44}
!133 = distinct !{!133, !44}
!134 = distinct !{!134, !44}
!135 = distinct !{!135, !44}
!136 = distinct !{!136, !126, !127}
!137 = !{!"branch_weights", i32 4, i32 12}
!138 = distinct !{!138, !126, !127}
!139 = distinct !{!139, !127, !126}
!140 = !{!141}
!141 = distinct !{!141, !142, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx: %retptr"}
!142 = distinct !{!142, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx"}
!143 = !{!144}
!144 = distinct !{!144, !145, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx: %retptr"}
!145 = distinct !{!145, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx"}
!146 = !{!147}
!147 = distinct !{!147, !148, !"_ZN7vitrify6kernel5splitB3v20B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!148 = distinct !{!148, !"_ZN7vitrify6kernel5splitB3v20B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!149 = !{!150, !147}
!150 = distinct !{!150, !151, !"_ZN7vitrify6kernel4wakeB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx: %retptr"}
!151 = distinct !{!151, !"_ZN7vitrify6kernel4wakeB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx"}
!152 = !{!153, !155, !147}
!153 = distinct !{!153, !154, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!154 = distinct !{!154, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!155 = distinct !{!155, !154, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %excinfo"}
