; 543435e5c75074ed7d36537444e78eab54fda2d0f0f24e6ac7542d53048a84c4
; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@_ZN08NumbaEnv7vitrify6kernel7machineB2v1Ex = internal global ptr null
@numba.dynamic.globals.7fa418c579d0 = internal global ptr inttoptr (i64 140342766959056 to ptr)
@numba.dynamic.globals.7fa418c57cf0 = internal global ptr inttoptr (i64 140342766959856 to ptr)
@numba.dynamic.globals.7fa418c6d4f0 = internal global ptr inttoptr (i64 140342767047920 to ptr)
@numba.dynamic.globals.7fa418c6d810 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d810.1 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d4f0.1 = internal global ptr inttoptr (i64 140342767047920 to ptr)
@numba.dynamic.globals.7fa418c6d810.2 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6c050 = internal global ptr inttoptr (i64 140342767042640 to ptr)
@numba.dynamic.globals.7fa418c6d810.3 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6c5f0 = internal global ptr inttoptr (i64 140342767044080 to ptr)
@numba.dynamic.globals.7fa418c6d810.4 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6cb90 = internal global ptr inttoptr (i64 140342767045520 to ptr)
@numba.dynamic.globals.7fa418c6d810.5 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d810.6 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d810.7 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d810.8 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d810.9 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@numba.dynamic.globals.7fa418c6d810.10 = internal global ptr inttoptr (i64 140342767048720 to ptr)
@_ZN08NumbaEnv7vitrify6kernel6workerB2v2B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5sleepB3v13B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8withdrawB3v14B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5patchB3v15B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel6spreadB3v16B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5splitB3v17B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4wakeB3v18B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel9run_chunkB2v4B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8multiplyB2v7B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv5numba7cpython8builtins6ol_max12_3clocals_3e4implB2v8B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPoY6QNsqSYAE15StarArgUniTupleIxLi2EE = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv5numba7cpython8builtins6ol_min12_3clocals_3e4implB2v6B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPoY6QNsqSYAE15StarArgUniTupleIxLi2EE = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel12multiply_oneB2v9B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel15multiply_vectorB3v10B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxdxxxxdxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4pushB3v20B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv5numba7cpython8builtins6ol_max12_3clocals_3e4implB3v21B110c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPoY6QNsqSYAE15StarArgUniTupleIxLi3EE = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel3popB3v22B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4peekB3v23B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx = internal local_unnamed_addr global ptr null

define internal i32 @_ZN7vitrify6kernel7machineB2v1Ex(ptr noalias captures(none) %retptr, ptr noalias captures(none) %excinfo, i64 %arg.header) {
entry:
  %header = alloca i64, align 8
  store i64 0, ptr %header, align 8
  %code = alloca i64, align 8
  store i64 0, ptr %code, align 8
  %team = alloca i64, align 8
  store i64 0, ptr %team, align 8
  %pc = alloca i64, align 8
  store i64 0, ptr %pc, align 8
  %.39 = alloca i64, align 8
  store i64 0, ptr %.39, align 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %try_state = alloca i64, align 8
  store i64 0, ptr %try_state, align 8
  %.74 = alloca ptr, align 8
  store ptr null, ptr %.74, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %pc.2 = alloca i64, align 8
  store i64 0, ptr %pc.2, align 8
  %row = alloca i64, align 8
  store i64 0, ptr %row, align 8
  %opcode = alloca i64, align 8
  store i64 0, ptr %opcode, align 8
  %a = alloca i64, align 8
  store i64 0, ptr %a, align 8
  %b = alloca i64, align 8
  store i64 0, ptr %b, align 8
  %c = alloca i64, align 8
  store i64 0, ptr %c, align 8
  %target = alloca i64, align 8
  store i64 0, ptr %target, align 8
  %chunks = alloca i64, align 8
  store i64 0, ptr %chunks, align 8
  %target.4 = alloca i64, align 8
  store i64 0, ptr %target.4, align 8
  %.200 = alloca i8, align 1
  store i8 0, ptr %.200, align 1
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.215 = alloca i1, align 1
  store i1 false, ptr %.215, align 1
  %.247 = alloca i64, align 8
  store i64 0, ptr %.247, align 8
  %excinfo.4 = alloca ptr, align 8
  store ptr null, ptr %excinfo.4, align 8
  %.314 = alloca i64, align 8
  store i64 0, ptr %.314, align 8
  %excinfo.5 = alloca ptr, align 8
  store ptr null, ptr %excinfo.5, align 8
  %.348 = alloca i8, align 1
  store i8 0, ptr %.348, align 1
  %excinfo.6 = alloca ptr, align 8
  store ptr null, ptr %excinfo.6, align 8
  %.363 = alloca i1, align 1
  store i1 false, ptr %.363, align 1
  %.395 = alloca i64, align 8
  store i64 0, ptr %.395, align 8
  %excinfo.7 = alloca ptr, align 8
  store ptr null, ptr %excinfo.7, align 8
  %target.6 = alloca i64, align 8
  store i64 0, ptr %target.6, align 8
  %target.5 = alloca i64, align 8
  store i64 0, ptr %target.5, align 8
  %.639 = alloca i8, align 1
  store i8 0, ptr %.639, align 1
  %excinfo.8 = alloca ptr, align 8
  store ptr null, ptr %excinfo.8, align 8
  %.654 = alloca i1, align 1
  store i1 false, ptr %.654, align 1
  %.688 = alloca i64, align 8
  store i64 0, ptr %.688, align 8
  %excinfo.9 = alloca ptr, align 8
  store ptr null, ptr %excinfo.9, align 8
  %.735 = alloca i8, align 1
  store i8 0, ptr %.735, align 1
  %excinfo.10 = alloca ptr, align 8
  store ptr null, ptr %excinfo.10, align 8
  %.750 = alloca i1, align 1
  store i1 false, ptr %.750, align 1
  %.784 = alloca i64, align 8
  store i64 0, ptr %.784, align 8
  %excinfo.11 = alloca ptr, align 8
  store ptr null, ptr %excinfo.11, align 8
  %.837 = alloca i8, align 1
  store i8 0, ptr %.837, align 1
  %excinfo.12 = alloca ptr, align 8
  store ptr null, ptr %excinfo.12, align 8
  %.852 = alloca i1, align 1
  store i1 false, ptr %.852, align 1
  %.889 = alloca i64, align 8
  store i64 0, ptr %.889, align 8
  %excinfo.13 = alloca ptr, align 8
  store ptr null, ptr %excinfo.13, align 8
  %.967 = alloca i64, align 8
  store i64 0, ptr %.967, align 8
  %excinfo.14 = alloca ptr, align 8
  store ptr null, ptr %excinfo.14, align 8
  %.1022 = alloca i64, align 8
  store i64 0, ptr %.1022, align 8
  %excinfo.15 = alloca ptr, align 8
  store ptr null, ptr %excinfo.15, align 8
  %.1081 = alloca i64, align 8
  store i64 0, ptr %.1081, align 8
  %excinfo.16 = alloca ptr, align 8
  store ptr null, ptr %excinfo.16, align 8
  %.1113 = alloca i64, align 8
  store i64 0, ptr %.1113, align 8
  %excinfo.17 = alloca ptr, align 8
  store ptr null, ptr %excinfo.17, align 8
  %.1164 = alloca i64, align 8
  store i64 0, ptr %.1164, align 8
  %excinfo.18 = alloca ptr, align 8
  store ptr null, ptr %excinfo.18, align 8
  br label %B0

B0:                                               ; preds = %entry
  store i64 %arg.header, ptr %header, align 8
  %.7 = load i64, ptr %header, align 8
  %.8 = add nsw i64 %.7, 0
  %.9 = inttoptr i64 %.8 to ptr
  %.10 = load i64, ptr %.9, align 8
  %.12 = load i64, ptr %code, align 8
  store i64 %.10, ptr %code, align 8
  %.14 = load i64, ptr %header, align 8
  %.15 = add nsw i64 %.14, 64
  %.16 = inttoptr i64 %.15 to ptr
  %.17 = load i64, ptr %.16, align 8
  %.19 = load i64, ptr %team, align 8
  store i64 %.17, ptr %team, align 8
  %.21 = load i64, ptr %header, align 8
  %.22 = add nsw i64 %.21, 8
  %.23 = inttoptr i64 %.22 to ptr
  %.24 = load i64, ptr %.23, align 8
  %.26 = load i64, ptr %pc, align 8
  store i64 %.24, ptr %pc, align 8
  %.28 = load i64, ptr %pc, align 8
  %.29 = icmp slt i64 %.28, 0
  br i1 %.29, label %B154, label %B184

B154:                                             ; preds = %B0
  %.31 = load i64, ptr %pc, align 8
  store i64 0, ptr %pc, align 8
  %.33 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  %.35 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.37 = load ptr, ptr @numba.dynamic.globals.7fa418c579d0, align 8
  %.38 = load i64, ptr %team, align 8
  store i64 0, ptr %.39, align 8
  %.43 = call i32 @_ZN7vitrify6kernel6workerB2v2B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx(ptr %.39, ptr %excinfo.1, i64 %.38)
  %.44 = load ptr, ptr %excinfo.1, align 8
  %.45 = icmp eq i32 %.43, 0
  %.46 = icmp eq i32 %.43, -2
  %.47 = icmp eq i32 %.43, -1
  %.48 = icmp eq i32 %.43, -3
  %.49 = or i1 %.45, %.46
  %.50 = xor i1 %.49, true
  %.51 = icmp sge i32 %.43, 1
  %.52 = select i1 %.51, ptr %.44, ptr undef
  %.53 = load i64, ptr %.39, align 8
  br i1 %.50, label %B154.if, label %B154.endif, !prof !0

B184:                                             ; preds = %B0
  %.69 = load i64, ptr %pc, align 8
  %.70 = icmp eq i64 %.69, 0
  br i1 %.70, label %B196, label %B226

B196:                                             ; preds = %B184
  %.72 = load ptr, ptr @numba.dynamic.globals.7fa418c57cf0, align 8
  %.73 = load i64, ptr %header, align 8
  store ptr null, ptr %.74, align 8
  %.78 = call i32 @_ZN7vitrify6kernel5patchB3v15B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx(ptr %.74, ptr %excinfo.2, i64 %.73)
  %.79 = load ptr, ptr %excinfo.2, align 8
  %.80 = icmp eq i32 %.78, 0
  %.81 = icmp eq i32 %.78, -2
  %.82 = icmp eq i32 %.78, -1
  %.83 = icmp eq i32 %.78, -3
  %.84 = or i1 %.80, %.81
  %.85 = xor i1 %.84, true
  %.86 = icmp sge i32 %.78, 1
  %.87 = select i1 %.86, ptr %.79, ptr undef
  %.88 = load ptr, ptr %.74, align 8
  br i1 %.85, label %B196.if, label %B196.endif, !prof !0

B226:                                             ; preds = %B196.endif, %B184
  %.99 = load i64, ptr %pc, align 8
  %.101 = load i64, ptr %pc.2, align 8
  store i64 %.99, ptr %pc.2, align 8
  %.103 = load i64, ptr %pc, align 8
  store i64 0, ptr %pc, align 8
  br label %B228

B228:                                             ; preds = %B2208, %B226
  %.106 = load i64, ptr %pc.2, align 8
  %.107 = mul nsw i64 64, %.106
  %.108 = load i64, ptr %code, align 8
  %.109 = add nsw i64 %.108, %.107
  %.111 = load i64, ptr %row, align 8
  store i64 %.109, ptr %row, align 8
  %.113 = load i64, ptr %row, align 8
  %.114 = inttoptr i64 %.113 to ptr
  %.115 = load i64, ptr %.114, align 8
  %.117 = load i64, ptr %opcode, align 8
  store i64 %.115, ptr %opcode, align 8
  %.119 = load i64, ptr %row, align 8
  %.120 = add nsw i64 %.119, 8
  %.121 = inttoptr i64 %.120 to ptr
  %.122 = load i64, ptr %.121, align 8
  %.124 = load i64, ptr %a, align 8
  store i64 %.122, ptr %a, align 8
  %.126 = load i64, ptr %row, align 8
  %.127 = add nsw i64 %.126, 16
  %.128 = inttoptr i64 %.127 to ptr
  %.129 = load i64, ptr %.128, align 8
  %.131 = load i64, ptr %b, align 8
  store i64 %.129, ptr %b, align 8
  %.133 = load i64, ptr %row, align 8
  %.134 = add nsw i64 %.133, 24
  %.135 = inttoptr i64 %.134 to ptr
  %.136 = load i64, ptr %.135, align 8
  %.138 = load i64, ptr %c, align 8
  store i64 %.136, ptr %c, align 8
  %.140 = load i64, ptr %pc.2, align 8
  %.141 = add nsw i64 %.140, 1
  %.143 = load i64, ptr %target, align 8
  store i64 %.141, ptr %target, align 8
  %.145 = load i64, ptr %opcode, align 8
  %.146 = icmp eq i64 %.145, 1
  br i1 %.146, label %B414, label %B652

B414:                                             ; preds = %B228
  %.148 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.150 = load i64, ptr %row, align 8
  %.151 = add nsw i64 %.150, 48
  %.152 = inttoptr i64 %.151 to ptr
  %.153 = load i64, ptr %.152, align 8
  %.155 = load i64, ptr %chunks, align 8
  store i64 %.153, ptr %chunks, align 8
  %.157 = load i64, ptr %chunks, align 8
  %.158 = icmp sle i64 %.157, 1
  br i1 %.158, label %B462, label %B568

B462:                                             ; preds = %B414
  %.160 = load i64, ptr %chunks, align 8
  store i64 0, ptr %chunks, align 8
  %.162 = load i64, ptr %target, align 8
  %.164 = load i64, ptr %target.4, align 8
  store i64 %.162, ptr %target.4, align 8
  %.166 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.168 = load i64, ptr %row, align 8
  %.169 = add nsw i64 %.168, 32
  %.170 = inttoptr i64 %.169 to ptr
  %.171 = load i64, ptr %.170, align 8
  %.172 = load i64, ptr %row, align 8
  %.173 = add nsw i64 %.172, 40
  %.174 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.176 = inttoptr i64 %.173 to ptr
  %.177 = load i64, ptr %.176, align 8
  %.178 = load i64, ptr %a, align 8
  %.179 = load i64, ptr %b, align 8
  %.180 = load i64, ptr %c, align 8
  %.181 = inttoptr i64 %.178 to ptr
  call void %.181(i64 %.179, i64 %.180, i64 %.171, i64 %.177)
  %.183 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.185 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.187 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B2096

B568:                                             ; preds = %B414
  %.190 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.192 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.194 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.196 = load ptr, ptr @numba.dynamic.globals.7fa418c6d4f0, align 8
  %.197 = load i64, ptr %team, align 8
  %.198 = load i64, ptr %row, align 8
  %.199 = load i64, ptr %chunks, align 8
  store i8 0, ptr %.200, align 1
  %.204 = call i32 @_ZN7vitrify6kernel6spreadB3v16B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr %.200, ptr %excinfo.3, i64 %.197, i64 %.198, i64 %.199)
  %.205 = load ptr, ptr %excinfo.3, align 8
  %.206 = icmp eq i32 %.204, 0
  %.207 = icmp eq i32 %.204, -2
  %.208 = icmp eq i32 %.204, -1
  %.209 = icmp eq i32 %.204, -3
  %.210 = or i1 %.206, %.207
  %.211 = xor i1 %.210, true
  %.212 = icmp sge i32 %.204, 1
  %.213 = select i1 %.212, ptr %.205, ptr undef
  %.214 = load i8, ptr %.200, align 1
  %.217 = icmp eq i8 %.214, 0
  br i1 %.217, label %B568.if, label %B568.else

B602:                                             ; preds = %B568.endif.endif
  %.238 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.240 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.242 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.244 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810, align 8
  %.245 = load i64, ptr %header, align 8
  %.246 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.247, align 8
  %.251 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.247, ptr %excinfo.4, i64 %.245, i64 %.246, i64 4, i64 0)
  %.252 = load ptr, ptr %excinfo.4, align 8
  %.253 = icmp eq i32 %.251, 0
  %.254 = icmp eq i32 %.251, -2
  %.255 = icmp eq i32 %.251, -1
  %.256 = icmp eq i32 %.251, -3
  %.257 = or i1 %.253, %.254
  %.258 = xor i1 %.257, true
  %.259 = icmp sge i32 %.251, 1
  %.260 = select i1 %.259, ptr %.252, ptr undef
  %.261 = load i64, ptr %.247, align 8
  br i1 %.258, label %B602.if, label %B602.endif, !prof !0

B648:                                             ; preds = %B568.endif.endif
  %.277 = load i64, ptr %target, align 8
  %.278 = load i64, ptr %target.4, align 8
  store i64 %.277, ptr %target.4, align 8
  %.280 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B2096

B652:                                             ; preds = %B228
  %.283 = load i64, ptr %opcode, align 8
  %.284 = icmp eq i64 %.283, 2
  br i1 %.284, label %B696, label %B674

B674:                                             ; preds = %B652
  %.286 = load i64, ptr %opcode, align 8
  %.287 = icmp eq i64 %.286, 3
  br i1 %.287, label %B696, label %B880

B696:                                             ; preds = %B674, %B652
  %.289 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.291 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.293 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.295 = load i64, ptr %team, align 8
  %.296 = add nsw i64 %.295, 0
  %.297 = inttoptr i64 %.296 to ptr
  %.298 = load i64, ptr %.297, align 8
  %.299 = icmp eq i64 %.298, 0
  br i1 %.299, label %B750, label %B796

B750:                                             ; preds = %B696
  %.301 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.303 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.305 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.307 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.309 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.311 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.1, align 8
  %.312 = load i64, ptr %header, align 8
  %.313 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.314, align 8
  %.318 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.314, ptr %excinfo.5, i64 %.312, i64 %.313, i64 7, i64 0)
  %.319 = load ptr, ptr %excinfo.5, align 8
  %.320 = icmp eq i32 %.318, 0
  %.321 = icmp eq i32 %.318, -2
  %.322 = icmp eq i32 %.318, -1
  %.323 = icmp eq i32 %.318, -3
  %.324 = or i1 %.320, %.321
  %.325 = xor i1 %.324, true
  %.326 = icmp sge i32 %.318, 1
  %.327 = select i1 %.326, ptr %.319, ptr undef
  %.328 = load i64, ptr %.314, align 8
  br i1 %.325, label %B750.if, label %B750.endif, !prof !0

B796:                                             ; preds = %B696
  %.344 = load ptr, ptr @numba.dynamic.globals.7fa418c6d4f0.1, align 8
  %.345 = load i64, ptr %team, align 8
  %.346 = load i64, ptr %row, align 8
  %.347 = load i64, ptr %b, align 8
  store i8 0, ptr %.348, align 1
  %.352 = call i32 @_ZN7vitrify6kernel6spreadB3v16B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr %.348, ptr %excinfo.6, i64 %.345, i64 %.346, i64 %.347)
  %.353 = load ptr, ptr %excinfo.6, align 8
  %.354 = icmp eq i32 %.352, 0
  %.355 = icmp eq i32 %.352, -2
  %.356 = icmp eq i32 %.352, -1
  %.357 = icmp eq i32 %.352, -3
  %.358 = or i1 %.354, %.355
  %.359 = xor i1 %.358, true
  %.360 = icmp sge i32 %.352, 1
  %.361 = select i1 %.360, ptr %.353, ptr undef
  %.362 = load i8, ptr %.348, align 1
  %.365 = icmp eq i8 %.362, 0
  br i1 %.365, label %B796.if, label %B796.else

B830:                                             ; preds = %B796.endif.endif
  %.386 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.388 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.390 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.392 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.2, align 8
  %.393 = load i64, ptr %header, align 8
  %.394 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.395, align 8
  %.399 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.395, ptr %excinfo.7, i64 %.393, i64 %.394, i64 4, i64 0)
  %.400 = load ptr, ptr %excinfo.7, align 8
  %.401 = icmp eq i32 %.399, 0
  %.402 = icmp eq i32 %.399, -2
  %.403 = icmp eq i32 %.399, -1
  %.404 = icmp eq i32 %.399, -3
  %.405 = or i1 %.401, %.402
  %.406 = xor i1 %.405, true
  %.407 = icmp sge i32 %.399, 1
  %.408 = select i1 %.407, ptr %.400, ptr undef
  %.409 = load i64, ptr %.395, align 8
  br i1 %.406, label %B830.if, label %B830.endif, !prof !0

B876:                                             ; preds = %B796.endif.endif
  %.425 = load i64, ptr %target, align 8
  %.426 = load i64, ptr %target.4, align 8
  store i64 %.425, ptr %target.4, align 8
  %.428 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B2096

B880:                                             ; preds = %B674
  %.431 = load i64, ptr %opcode, align 8
  %.432 = icmp eq i64 %.431, 4
  br i1 %.432, label %B902, label %B940

B902:                                             ; preds = %B880
  %.434 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.436 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.438 = load i64, ptr %target, align 8
  %.439 = load i64, ptr %target.4, align 8
  store i64 %.438, ptr %target.4, align 8
  %.441 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.443 = load i64, ptr %a, align 8
  %.444 = load i64, ptr %b, align 8
  %.445 = load i64, ptr %c, align 8
  %.446 = inttoptr i64 %.443 to ptr
  %.447 = inttoptr i64 %.444 to ptr
  %.448 = mul i64 %.445, 1
  call void @llvm.memmove.p0.p0.i64(ptr %.446, ptr %.447, i64 %.448, i1 false)
  %.450 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.452 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.454 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B2096

B940:                                             ; preds = %B880
  %.457 = load i64, ptr %opcode, align 8
  %.458 = icmp eq i64 %.457, 5
  br i1 %.458, label %B962, label %B1000

B962:                                             ; preds = %B940
  %.460 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.462 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.464 = load i64, ptr %target, align 8
  %.465 = load i64, ptr %target.4, align 8
  store i64 %.464, ptr %target.4, align 8
  %.467 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.469 = load i64, ptr %a, align 8
  %.470 = load i64, ptr %b, align 8
  %.471 = load i64, ptr %c, align 8
  %.472 = inttoptr i64 %.469 to ptr
  %.473 = trunc i64 %.471 to i8
  call void @llvm.memset.p0.i64(ptr %.472, i8 %.473, i64 %.470, i1 false)
  %.475 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.477 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.479 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B2096

B1000:                                            ; preds = %B940
  %.482 = load i64, ptr %opcode, align 8
  %.483 = icmp eq i64 %.482, 6
  br i1 %.483, label %B1022, label %B1030

B1022:                                            ; preds = %B1000
  %.485 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.487 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.489 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.491 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.493 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.495 = load i64, ptr %a, align 8
  %.496 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.498 = load i64, ptr %target.4, align 8
  store i64 %.495, ptr %target.4, align 8
  br label %B2096

B1030:                                            ; preds = %B1000
  %.501 = load i64, ptr %opcode, align 8
  %.502 = icmp eq i64 %.501, 7
  br i1 %.502, label %B1052, label %B1098

B1052:                                            ; preds = %B1030
  %.504 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.506 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.508 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.510 = load i64, ptr %target, align 8
  %.512 = load i64, ptr %target.6, align 8
  store i64 %.510, ptr %target.6, align 8
  %.514 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.516 = load i64, ptr %a, align 8
  %.517 = inttoptr i64 %.516 to ptr
  %.518 = load i8, ptr %.517, align 1
  %.519 = zext i8 %.518 to i64
  %.520 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.522 = icmp eq i64 %.519, 0
  br i1 %.522, label %B1090, label %B1094

B1090:                                            ; preds = %B1052
  %.524 = load i64, ptr %b, align 8
  %.525 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.527 = load i64, ptr %target.6, align 8
  store i64 %.524, ptr %target.6, align 8
  br label %B1094

B1094:                                            ; preds = %B1090, %B1052
  %.530 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.532 = load i64, ptr %target.6, align 8
  %.533 = load i64, ptr %target.4, align 8
  store i64 %.532, ptr %target.4, align 8
  %.535 = load i64, ptr %target.6, align 8
  store i64 0, ptr %target.6, align 8
  br label %B2096

B1098:                                            ; preds = %B1030
  %.538 = load i64, ptr %opcode, align 8
  %.539 = icmp eq i64 %.538, 8
  br i1 %.539, label %B1120, label %B1192

B1120:                                            ; preds = %B1098
  %.541 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.543 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.545 = load i64, ptr %target, align 8
  %.547 = load i64, ptr %target.5, align 8
  store i64 %.545, ptr %target.5, align 8
  %.549 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.551 = load i64, ptr %a, align 8
  %.552 = inttoptr i64 %.551 to ptr
  %.553 = load i64, ptr %.552, align 8
  %.554 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.556 = load i64, ptr %b, align 8
  %.557 = inttoptr i64 %.556 to ptr
  %.558 = load i64, ptr %.557, align 8
  %.559 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.561 = icmp sge i64 %.553, %.558
  br i1 %.561, label %B1184, label %B1188

B1184:                                            ; preds = %B1120
  %.563 = load i64, ptr %c, align 8
  %.564 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.566 = load i64, ptr %target.5, align 8
  store i64 %.563, ptr %target.5, align 8
  br label %B1188

B1188:                                            ; preds = %B1184, %B1120
  %.569 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.571 = load i64, ptr %target.5, align 8
  %.572 = load i64, ptr %target.4, align 8
  store i64 %.571, ptr %target.4, align 8
  %.574 = load i64, ptr %target.5, align 8
  store i64 0, ptr %target.5, align 8
  br label %B2096

B1192:                                            ; preds = %B1098
  %.577 = load i64, ptr %opcode, align 8
  %.578 = icmp eq i64 %.577, 9
  br i1 %.578, label %B1214, label %B1250

B1214:                                            ; preds = %B1192
  %.580 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.582 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.584 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.586 = load i64, ptr %target, align 8
  %.587 = load i64, ptr %target.4, align 8
  store i64 %.586, ptr %target.4, align 8
  %.589 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.591 = load i64, ptr %a, align 8
  %.592 = load i64, ptr %b, align 8
  %.593 = inttoptr i64 %.591 to ptr
  store i64 %.592, ptr %.593, align 8
  %.595 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.597 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B2096

B1250:                                            ; preds = %B1192
  %.600 = load i64, ptr %opcode, align 8
  %.601 = icmp eq i64 %.600, 10
  br i1 %.601, label %B1272, label %B1340

B1272:                                            ; preds = %B1250
  %.603 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.605 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.607 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.609 = load i64, ptr %target, align 8
  %.610 = load i64, ptr %target.4, align 8
  store i64 %.609, ptr %target.4, align 8
  %.612 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.614 = load i64, ptr %a, align 8
  %.615 = inttoptr i64 %.614 to ptr
  %.616 = load i64, ptr %.615, align 8
  %.617 = load i64, ptr %b, align 8
  %.618 = add nsw i64 %.616, %.617
  %.619 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.621 = load i64, ptr %a, align 8
  %.622 = inttoptr i64 %.621 to ptr
  store i64 %.618, ptr %.622, align 8
  %.624 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B2096

B1340:                                            ; preds = %B1250
  %.627 = load i64, ptr %opcode, align 8
  %.628 = icmp eq i64 %.627, 11
  br i1 %.628, label %B1362, label %B1448

B1362:                                            ; preds = %B1340
  %.630 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.632 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.634 = load ptr, ptr @numba.dynamic.globals.7fa418c6c050, align 8
  %.635 = load i64, ptr %team, align 8
  %.636 = load i64, ptr %a, align 8
  %.637 = load i64, ptr %b, align 8
  %.638 = load i64, ptr %c, align 8
  store i8 0, ptr %.639, align 1
  %.643 = call i32 @_ZN7vitrify6kernel4pushB3v20B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.639, ptr %excinfo.8, i64 %.635, i64 %.636, i64 %.637, i64 %.638)
  %.644 = load ptr, ptr %excinfo.8, align 8
  %.645 = icmp eq i32 %.643, 0
  %.646 = icmp eq i32 %.643, -2
  %.647 = icmp eq i32 %.643, -1
  %.648 = icmp eq i32 %.643, -3
  %.649 = or i1 %.645, %.646
  %.650 = xor i1 %.649, true
  %.651 = icmp sge i32 %.643, 1
  %.652 = select i1 %.651, ptr %.644, ptr undef
  %.653 = load i8, ptr %.639, align 1
  %.656 = icmp eq i8 %.653, 0
  br i1 %.656, label %B1362.if, label %B1362.else

B1398:                                            ; preds = %B1362.endif.endif
  %.679 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.681 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.683 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.685 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.3, align 8
  %.686 = load i64, ptr %header, align 8
  %.687 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.688, align 8
  %.692 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.688, ptr %excinfo.9, i64 %.686, i64 %.687, i64 5, i64 0)
  %.693 = load ptr, ptr %excinfo.9, align 8
  %.694 = icmp eq i32 %.692, 0
  %.695 = icmp eq i32 %.692, -2
  %.696 = icmp eq i32 %.692, -1
  %.697 = icmp eq i32 %.692, -3
  %.698 = or i1 %.694, %.695
  %.699 = xor i1 %.698, true
  %.700 = icmp sge i32 %.692, 1
  %.701 = select i1 %.700, ptr %.693, ptr undef
  %.702 = load i64, ptr %.688, align 8
  br i1 %.699, label %B1398.if, label %B1398.endif, !prof !0

B1444:                                            ; preds = %B1362.endif.endif
  %.718 = load i64, ptr %target, align 8
  %.719 = load i64, ptr %target.4, align 8
  store i64 %.718, ptr %target.4, align 8
  %.721 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B2096

B1448:                                            ; preds = %B1340
  %.724 = load i64, ptr %opcode, align 8
  %.725 = icmp eq i64 %.724, 12
  br i1 %.725, label %B1470, label %B1554

B1470:                                            ; preds = %B1448
  %.727 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.729 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.731 = load ptr, ptr @numba.dynamic.globals.7fa418c6c5f0, align 8
  %.732 = load i64, ptr %a, align 8
  %.733 = load i64, ptr %b, align 8
  %.734 = load i64, ptr %c, align 8
  store i8 0, ptr %.735, align 1
  %.739 = call i32 @_ZN7vitrify6kernel3popB3v22B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr %.735, ptr %excinfo.10, i64 %.732, i64 %.733, i64 %.734)
  %.740 = load ptr, ptr %excinfo.10, align 8
  %.741 = icmp eq i32 %.739, 0
  %.742 = icmp eq i32 %.739, -2
  %.743 = icmp eq i32 %.739, -1
  %.744 = icmp eq i32 %.739, -3
  %.745 = or i1 %.741, %.742
  %.746 = xor i1 %.745, true
  %.747 = icmp sge i32 %.739, 1
  %.748 = select i1 %.747, ptr %.740, ptr undef
  %.749 = load i8, ptr %.735, align 1
  %.752 = icmp eq i8 %.749, 0
  br i1 %.752, label %B1470.if, label %B1470.else

B1504:                                            ; preds = %B1470.endif.endif
  %.775 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.777 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.779 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.781 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.4, align 8
  %.782 = load i64, ptr %header, align 8
  %.783 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.784, align 8
  %.788 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.784, ptr %excinfo.11, i64 %.782, i64 %.783, i64 6, i64 0)
  %.789 = load ptr, ptr %excinfo.11, align 8
  %.790 = icmp eq i32 %.788, 0
  %.791 = icmp eq i32 %.788, -2
  %.792 = icmp eq i32 %.788, -1
  %.793 = icmp eq i32 %.788, -3
  %.794 = or i1 %.790, %.791
  %.795 = xor i1 %.794, true
  %.796 = icmp sge i32 %.788, 1
  %.797 = select i1 %.796, ptr %.789, ptr undef
  %.798 = load i64, ptr %.784, align 8
  br i1 %.795, label %B1504.if, label %B1504.endif, !prof !0

B1550:                                            ; preds = %B1470.endif.endif
  %.814 = load i64, ptr %target, align 8
  %.815 = load i64, ptr %target.4, align 8
  store i64 %.814, ptr %target.4, align 8
  %.817 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B2096

B1554:                                            ; preds = %B1448
  %.820 = load i64, ptr %opcode, align 8
  %.821 = icmp eq i64 %.820, 13
  br i1 %.821, label %B1576, label %B1744

B1576:                                            ; preds = %B1554
  %.823 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.825 = load ptr, ptr @numba.dynamic.globals.7fa418c6cb90, align 8
  %.826 = load i64, ptr %b, align 8
  %.827 = inttoptr i64 %.826 to ptr
  %.828 = load i64, ptr %.827, align 8
  %.829 = load i64, ptr %row, align 8
  %.830 = add nsw i64 %.829, 32
  %.831 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.833 = inttoptr i64 %.830 to ptr
  %.834 = load i64, ptr %.833, align 8
  %.835 = load i64, ptr %a, align 8
  %.836 = load i64, ptr %c, align 8
  store i8 0, ptr %.837, align 1
  %.841 = call i32 @_ZN7vitrify6kernel4peekB3v23B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.837, ptr %excinfo.12, i64 %.835, i64 %.828, i64 %.836, i64 %.834)
  %.842 = load ptr, ptr %excinfo.12, align 8
  %.843 = icmp eq i32 %.841, 0
  %.844 = icmp eq i32 %.841, -2
  %.845 = icmp eq i32 %.841, -1
  %.846 = icmp eq i32 %.841, -3
  %.847 = or i1 %.843, %.844
  %.848 = xor i1 %.847, true
  %.849 = icmp sge i32 %.841, 1
  %.850 = select i1 %.849, ptr %.842, ptr undef
  %.851 = load i8, ptr %.837, align 1
  %.854 = icmp eq i8 %.851, 0
  br i1 %.854, label %B1576.if, label %B1576.else

B1670:                                            ; preds = %B1576.endif.endif
  %.875 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.877 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.879 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.881 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.5, align 8
  %.882 = load i64, ptr %b, align 8
  %.883 = inttoptr i64 %.882 to ptr
  %.884 = load i64, ptr %.883, align 8
  %.885 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.887 = load i64, ptr %header, align 8
  %.888 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.889, align 8
  %.893 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.889, ptr %excinfo.13, i64 %.887, i64 %.888, i64 6, i64 %.884)
  %.894 = load ptr, ptr %excinfo.13, align 8
  %.895 = icmp eq i32 %.893, 0
  %.896 = icmp eq i32 %.893, -2
  %.897 = icmp eq i32 %.893, -1
  %.898 = icmp eq i32 %.893, -3
  %.899 = or i1 %.895, %.896
  %.900 = xor i1 %.899, true
  %.901 = icmp sge i32 %.893, 1
  %.902 = select i1 %.901, ptr %.894, ptr undef
  %.903 = load i64, ptr %.889, align 8
  br i1 %.900, label %B1670.if, label %B1670.endif, !prof !0

B1742:                                            ; preds = %B1576.endif.endif
  %.919 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.921 = load i64, ptr %target, align 8
  %.922 = load i64, ptr %target.4, align 8
  store i64 %.921, ptr %target.4, align 8
  %.924 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B2096

B1744:                                            ; preds = %B1554
  %.927 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.929 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.931 = load i64, ptr %opcode, align 8
  %.932 = icmp eq i64 %.931, 14
  br i1 %.932, label %B1766, label %B1806

B1766:                                            ; preds = %B1744
  %.934 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.936 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.938 = load i64, ptr %target, align 8
  %.939 = load i64, ptr %target.4, align 8
  store i64 %.938, ptr %target.4, align 8
  %.941 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.943 = load i64, ptr %a, align 8
  %.944 = add nsw i64 %.943, 16
  %.945 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.947 = inttoptr i64 %.944 to ptr
  store i64 0, ptr %.947, align 8
  br label %B2096

B1806:                                            ; preds = %B1744
  %.950 = load i64, ptr %opcode, align 8
  %.951 = icmp eq i64 %.950, 15
  br i1 %.951, label %B1828, label %B1874

B1828:                                            ; preds = %B1806
  %.953 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.955 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.957 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.959 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.961 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.963 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.6, align 8
  %.964 = load i64, ptr %header, align 8
  %.965 = load i64, ptr %target, align 8
  %.966 = load i64, ptr %a, align 8
  store i64 0, ptr %.967, align 8
  %.971 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.967, ptr %excinfo.14, i64 %.964, i64 %.965, i64 1, i64 %.966)
  %.972 = load ptr, ptr %excinfo.14, align 8
  %.973 = icmp eq i32 %.971, 0
  %.974 = icmp eq i32 %.971, -2
  %.975 = icmp eq i32 %.971, -1
  %.976 = icmp eq i32 %.971, -3
  %.977 = or i1 %.973, %.974
  %.978 = xor i1 %.977, true
  %.979 = icmp sge i32 %.971, 1
  %.980 = select i1 %.979, ptr %.972, ptr undef
  %.981 = load i64, ptr %.967, align 8
  br i1 %.978, label %B1828.if, label %B1828.endif, !prof !0

B1874:                                            ; preds = %B1806
  %.999 = load i64, ptr %opcode, align 8
  %.1000 = icmp eq i64 %.999, 16
  br i1 %.1000, label %B1896, label %B1982

B1896:                                            ; preds = %B1874
  %.1002 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1004 = load i64, ptr %a, align 8
  %.1005 = inttoptr i64 %.1004 to ptr
  %.1006 = load i8, ptr %.1005, align 1
  %.1007 = zext i8 %.1006 to i64
  %.1008 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1010 = icmp eq i64 %.1007, 0
  br i1 %.1010, label %B1934, label %B1980

B1934:                                            ; preds = %B1896
  %.1012 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1014 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1016 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1018 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.7, align 8
  %.1019 = load i64, ptr %header, align 8
  %.1020 = load i64, ptr %target, align 8
  %.1021 = load i64, ptr %b, align 8
  store i64 0, ptr %.1022, align 8
  %.1026 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.1022, ptr %excinfo.15, i64 %.1019, i64 %.1020, i64 2, i64 %.1021)
  %.1027 = load ptr, ptr %excinfo.15, align 8
  %.1028 = icmp eq i32 %.1026, 0
  %.1029 = icmp eq i32 %.1026, -2
  %.1030 = icmp eq i32 %.1026, -1
  %.1031 = icmp eq i32 %.1026, -3
  %.1032 = or i1 %.1028, %.1029
  %.1033 = xor i1 %.1032, true
  %.1034 = icmp sge i32 %.1026, 1
  %.1035 = select i1 %.1034, ptr %.1027, ptr undef
  %.1036 = load i64, ptr %.1022, align 8
  br i1 %.1033, label %B1934.if, label %B1934.endif, !prof !0

B1980:                                            ; preds = %B1896
  %.1054 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1056 = load i64, ptr %target, align 8
  %.1057 = load i64, ptr %target.4, align 8
  store i64 %.1056, ptr %target.4, align 8
  %.1059 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B2096

B1982:                                            ; preds = %B1874
  %.1062 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1064 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1066 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1068 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1070 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1072 = load i64, ptr %opcode, align 8
  %.1073 = icmp eq i64 %.1072, 0
  br i1 %.1073, label %B2004, label %B2050

B2004:                                            ; preds = %B1982
  %.1075 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1077 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1079 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.8, align 8
  %.1080 = load i64, ptr %header, align 8
  store i64 0, ptr %.1081, align 8
  %.1085 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.1081, ptr %excinfo.16, i64 %.1080, i64 0, i64 0, i64 0)
  %.1086 = load ptr, ptr %excinfo.16, align 8
  %.1087 = icmp eq i32 %.1085, 0
  %.1088 = icmp eq i32 %.1085, -2
  %.1089 = icmp eq i32 %.1085, -1
  %.1090 = icmp eq i32 %.1085, -3
  %.1091 = or i1 %.1087, %.1088
  %.1092 = xor i1 %.1091, true
  %.1093 = icmp sge i32 %.1085, 1
  %.1094 = select i1 %.1093, ptr %.1086, ptr undef
  %.1095 = load i64, ptr %.1081, align 8
  br i1 %.1092, label %B2004.if, label %B2004.endif, !prof !0

B2050:                                            ; preds = %B1982
  %.1109 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.9, align 8
  %.1110 = load i64, ptr %header, align 8
  %.1111 = load i64, ptr %pc.2, align 8
  %.1112 = load i64, ptr %opcode, align 8
  store i64 0, ptr %.1113, align 8
  %.1117 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.1113, ptr %excinfo.17, i64 %.1110, i64 %.1111, i64 8, i64 %.1112)
  %.1118 = load ptr, ptr %excinfo.17, align 8
  %.1119 = icmp eq i32 %.1117, 0
  %.1120 = icmp eq i32 %.1117, -2
  %.1121 = icmp eq i32 %.1117, -1
  %.1122 = icmp eq i32 %.1117, -3
  %.1123 = or i1 %.1119, %.1120
  %.1124 = xor i1 %.1123, true
  %.1125 = icmp sge i32 %.1117, 1
  %.1126 = select i1 %.1125, ptr %.1118, ptr undef
  %.1127 = load i64, ptr %.1113, align 8
  br i1 %.1124, label %B2050.if, label %B2050.endif, !prof !0

B2096:                                            ; preds = %B1980, %B1766, %B1742, %B1550, %B1444, %B1272, %B1214, %B1188, %B1094, %B1022, %B962, %B902, %B876, %B648, %B462
  %.1145 = load i64, ptr %target.4, align 8
  %.1146 = load i64, ptr %pc.2, align 8
  %.1147 = icmp sle i64 %.1145, %.1146
  %.1148 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  br i1 %.1147, label %B2108, label %B2208

B2108:                                            ; preds = %B2096
  %.1151 = load i64, ptr %header, align 8
  %.1152 = add nsw i64 %.1151, 48
  %.1153 = inttoptr i64 %.1152 to ptr
  %.1154 = load i64, ptr %.1153, align 8
  %.1155 = icmp ne i64 %.1154, 0
  br i1 %.1155, label %B2162, label %B2208

B2162:                                            ; preds = %B2108
  %.1157 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1159 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1161 = load ptr, ptr @numba.dynamic.globals.7fa418c6d810.10, align 8
  %.1162 = load i64, ptr %header, align 8
  %.1163 = load i64, ptr %target.4, align 8
  store i64 0, ptr %.1164, align 8
  %.1168 = call i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr %.1164, ptr %excinfo.18, i64 %.1162, i64 %.1163, i64 3, i64 0)
  %.1169 = load ptr, ptr %excinfo.18, align 8
  %.1170 = icmp eq i32 %.1168, 0
  %.1171 = icmp eq i32 %.1168, -2
  %.1172 = icmp eq i32 %.1168, -1
  %.1173 = icmp eq i32 %.1168, -3
  %.1174 = or i1 %.1170, %.1171
  %.1175 = xor i1 %.1174, true
  %.1176 = icmp sge i32 %.1168, 1
  %.1177 = select i1 %.1176, ptr %.1169, ptr undef
  %.1178 = load i64, ptr %.1164, align 8
  br i1 %.1175, label %B2162.if, label %B2162.endif, !prof !0

B2208:                                            ; preds = %B2108, %B2096
  %.1194 = load i64, ptr %target.4, align 8
  %.1195 = load i64, ptr %target.4, align 8
  store i64 0, ptr %target.4, align 8
  %.1197 = load i64, ptr %pc.2, align 8
  store i64 %.1194, ptr %pc.2, align 8
  br label %B228

B154.if:                                          ; preds = %B154
  store i64 0, ptr %try_state, align 8
  %.57 = load i64, ptr %try_state, align 8
  %.58 = icmp ugt i64 %.57, 0
  %.59 = load ptr, ptr %excinfo, align 8
  store ptr %.52, ptr %excinfo, align 8
  %.61 = xor i1 %.58, true
  br i1 %.61, label %B154.if.if, label %B154.if.endif

B154.endif:                                       ; preds = %B154.if.endif, %B154
  %.65 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  store i64 0, ptr %retptr, align 8
  ret i32 0

B154.if.if:                                       ; preds = %B154.if
  ret i32 %.43

B154.if.endif:                                    ; preds = %B154.if
  br label %B154.endif

B196.if:                                          ; preds = %B196
  %.90 = load i64, ptr %try_state, align 8
  %.91 = icmp ugt i64 %.90, 0
  %.92 = load ptr, ptr %excinfo, align 8
  store ptr %.87, ptr %excinfo, align 8
  %.94 = xor i1 %.91, true
  br i1 %.94, label %B196.if.if, label %B196.if.endif

B196.endif:                                       ; preds = %B196.if.endif, %B196
  br label %B226

B196.if.if:                                       ; preds = %B196.if
  ret i32 %.78

B196.if.endif:                                    ; preds = %B196.if
  br label %B196.endif

B568.if:                                          ; preds = %B568
  store i1 false, ptr %.215, align 1
  br label %B568.endif

B568.else:                                        ; preds = %B568
  store i1 true, ptr %.215, align 1
  br label %B568.endif

B568.endif:                                       ; preds = %B568.else, %B568.if
  %.223 = load i1, ptr %.215, align 1
  br i1 %.211, label %B568.endif.if, label %B568.endif.endif, !prof !0

B568.endif.if:                                    ; preds = %B568.endif
  %.225 = load i64, ptr %try_state, align 8
  %.226 = icmp ugt i64 %.225, 0
  %.227 = load ptr, ptr %excinfo, align 8
  store ptr %.213, ptr %excinfo, align 8
  %.229 = xor i1 %.226, true
  br i1 %.229, label %B568.endif.if.if, label %B568.endif.if.endif

B568.endif.endif:                                 ; preds = %B568.endif.if.endif, %B568.endif
  %.233 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.235 = load i64, ptr %chunks, align 8
  store i64 0, ptr %chunks, align 8
  br i1 %.223, label %B648, label %B602

B568.endif.if.if:                                 ; preds = %B568.endif.if
  ret i32 %.204

B568.endif.if.endif:                              ; preds = %B568.endif.if
  br label %B568.endif.endif

B602.if:                                          ; preds = %B602
  %.263 = load i64, ptr %try_state, align 8
  %.264 = icmp ugt i64 %.263, 0
  %.265 = load ptr, ptr %excinfo, align 8
  store ptr %.260, ptr %excinfo, align 8
  %.267 = xor i1 %.264, true
  br i1 %.267, label %B602.if.if, label %B602.if.endif

B602.endif:                                       ; preds = %B602.if.endif, %B602
  %.271 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.273 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.261, ptr %retptr, align 8
  ret i32 0

B602.if.if:                                       ; preds = %B602.if
  ret i32 %.251

B602.if.endif:                                    ; preds = %B602.if
  br label %B602.endif

B750.if:                                          ; preds = %B750
  %.330 = load i64, ptr %try_state, align 8
  %.331 = icmp ugt i64 %.330, 0
  %.332 = load ptr, ptr %excinfo, align 8
  store ptr %.327, ptr %excinfo, align 8
  %.334 = xor i1 %.331, true
  br i1 %.334, label %B750.if.if, label %B750.if.endif

B750.endif:                                       ; preds = %B750.if.endif, %B750
  %.338 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.340 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.328, ptr %retptr, align 8
  ret i32 0

B750.if.if:                                       ; preds = %B750.if
  ret i32 %.318

B750.if.endif:                                    ; preds = %B750.if
  br label %B750.endif

B796.if:                                          ; preds = %B796
  store i1 false, ptr %.363, align 1
  br label %B796.endif

B796.else:                                        ; preds = %B796
  store i1 true, ptr %.363, align 1
  br label %B796.endif

B796.endif:                                       ; preds = %B796.else, %B796.if
  %.371 = load i1, ptr %.363, align 1
  br i1 %.359, label %B796.endif.if, label %B796.endif.endif, !prof !0

B796.endif.if:                                    ; preds = %B796.endif
  %.373 = load i64, ptr %try_state, align 8
  %.374 = icmp ugt i64 %.373, 0
  %.375 = load ptr, ptr %excinfo, align 8
  store ptr %.361, ptr %excinfo, align 8
  %.377 = xor i1 %.374, true
  br i1 %.377, label %B796.endif.if.if, label %B796.endif.if.endif

B796.endif.endif:                                 ; preds = %B796.endif.if.endif, %B796.endif
  %.381 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.383 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  br i1 %.371, label %B876, label %B830

B796.endif.if.if:                                 ; preds = %B796.endif.if
  ret i32 %.352

B796.endif.if.endif:                              ; preds = %B796.endif.if
  br label %B796.endif.endif

B830.if:                                          ; preds = %B830
  %.411 = load i64, ptr %try_state, align 8
  %.412 = icmp ugt i64 %.411, 0
  %.413 = load ptr, ptr %excinfo, align 8
  store ptr %.408, ptr %excinfo, align 8
  %.415 = xor i1 %.412, true
  br i1 %.415, label %B830.if.if, label %B830.if.endif

B830.endif:                                       ; preds = %B830.if.endif, %B830
  %.419 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.421 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.409, ptr %retptr, align 8
  ret i32 0

B830.if.if:                                       ; preds = %B830.if
  ret i32 %.399

B830.if.endif:                                    ; preds = %B830.if
  br label %B830.endif

B1362.if:                                         ; preds = %B1362
  store i1 false, ptr %.654, align 1
  br label %B1362.endif

B1362.else:                                       ; preds = %B1362
  store i1 true, ptr %.654, align 1
  br label %B1362.endif

B1362.endif:                                      ; preds = %B1362.else, %B1362.if
  %.662 = load i1, ptr %.654, align 1
  br i1 %.650, label %B1362.endif.if, label %B1362.endif.endif, !prof !0

B1362.endif.if:                                   ; preds = %B1362.endif
  %.664 = load i64, ptr %try_state, align 8
  %.665 = icmp ugt i64 %.664, 0
  %.666 = load ptr, ptr %excinfo, align 8
  store ptr %.652, ptr %excinfo, align 8
  %.668 = xor i1 %.665, true
  br i1 %.668, label %B1362.endif.if.if, label %B1362.endif.if.endif

B1362.endif.endif:                                ; preds = %B1362.endif.if.endif, %B1362.endif
  %.672 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.674 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.676 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.662, label %B1444, label %B1398

B1362.endif.if.if:                                ; preds = %B1362.endif.if
  ret i32 %.643

B1362.endif.if.endif:                             ; preds = %B1362.endif.if
  br label %B1362.endif.endif

B1398.if:                                         ; preds = %B1398
  %.704 = load i64, ptr %try_state, align 8
  %.705 = icmp ugt i64 %.704, 0
  %.706 = load ptr, ptr %excinfo, align 8
  store ptr %.701, ptr %excinfo, align 8
  %.708 = xor i1 %.705, true
  br i1 %.708, label %B1398.if.if, label %B1398.if.endif

B1398.endif:                                      ; preds = %B1398.if.endif, %B1398
  %.712 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.714 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.702, ptr %retptr, align 8
  ret i32 0

B1398.if.if:                                      ; preds = %B1398.if
  ret i32 %.692

B1398.if.endif:                                   ; preds = %B1398.if
  br label %B1398.endif

B1470.if:                                         ; preds = %B1470
  store i1 false, ptr %.750, align 1
  br label %B1470.endif

B1470.else:                                       ; preds = %B1470
  store i1 true, ptr %.750, align 1
  br label %B1470.endif

B1470.endif:                                      ; preds = %B1470.else, %B1470.if
  %.758 = load i1, ptr %.750, align 1
  br i1 %.746, label %B1470.endif.if, label %B1470.endif.endif, !prof !0

B1470.endif.if:                                   ; preds = %B1470.endif
  %.760 = load i64, ptr %try_state, align 8
  %.761 = icmp ugt i64 %.760, 0
  %.762 = load ptr, ptr %excinfo, align 8
  store ptr %.748, ptr %excinfo, align 8
  %.764 = xor i1 %.761, true
  br i1 %.764, label %B1470.endif.if.if, label %B1470.endif.if.endif

B1470.endif.endif:                                ; preds = %B1470.endif.if.endif, %B1470.endif
  %.768 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.770 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.772 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.758, label %B1550, label %B1504

B1470.endif.if.if:                                ; preds = %B1470.endif.if
  ret i32 %.739

B1470.endif.if.endif:                             ; preds = %B1470.endif.if
  br label %B1470.endif.endif

B1504.if:                                         ; preds = %B1504
  %.800 = load i64, ptr %try_state, align 8
  %.801 = icmp ugt i64 %.800, 0
  %.802 = load ptr, ptr %excinfo, align 8
  store ptr %.797, ptr %excinfo, align 8
  %.804 = xor i1 %.801, true
  br i1 %.804, label %B1504.if.if, label %B1504.if.endif

B1504.endif:                                      ; preds = %B1504.if.endif, %B1504
  %.808 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.810 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.798, ptr %retptr, align 8
  ret i32 0

B1504.if.if:                                      ; preds = %B1504.if
  ret i32 %.788

B1504.if.endif:                                   ; preds = %B1504.if
  br label %B1504.endif

B1576.if:                                         ; preds = %B1576
  store i1 false, ptr %.852, align 1
  br label %B1576.endif

B1576.else:                                       ; preds = %B1576
  store i1 true, ptr %.852, align 1
  br label %B1576.endif

B1576.endif:                                      ; preds = %B1576.else, %B1576.if
  %.860 = load i1, ptr %.852, align 1
  br i1 %.848, label %B1576.endif.if, label %B1576.endif.endif, !prof !0

B1576.endif.if:                                   ; preds = %B1576.endif
  %.862 = load i64, ptr %try_state, align 8
  %.863 = icmp ugt i64 %.862, 0
  %.864 = load ptr, ptr %excinfo, align 8
  store ptr %.850, ptr %excinfo, align 8
  %.866 = xor i1 %.863, true
  br i1 %.866, label %B1576.endif.if.if, label %B1576.endif.if.endif

B1576.endif.endif:                                ; preds = %B1576.endif.if.endif, %B1576.endif
  %.870 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.872 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.860, label %B1742, label %B1670

B1576.endif.if.if:                                ; preds = %B1576.endif.if
  ret i32 %.841

B1576.endif.if.endif:                             ; preds = %B1576.endif.if
  br label %B1576.endif.endif

B1670.if:                                         ; preds = %B1670
  %.905 = load i64, ptr %try_state, align 8
  %.906 = icmp ugt i64 %.905, 0
  %.907 = load ptr, ptr %excinfo, align 8
  store ptr %.902, ptr %excinfo, align 8
  %.909 = xor i1 %.906, true
  br i1 %.909, label %B1670.if.if, label %B1670.if.endif

B1670.endif:                                      ; preds = %B1670.if.endif, %B1670
  %.913 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.915 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.903, ptr %retptr, align 8
  ret i32 0

B1670.if.if:                                      ; preds = %B1670.if
  ret i32 %.893

B1670.if.endif:                                   ; preds = %B1670.if
  br label %B1670.endif

B1828.if:                                         ; preds = %B1828
  %.983 = load i64, ptr %try_state, align 8
  %.984 = icmp ugt i64 %.983, 0
  %.985 = load ptr, ptr %excinfo, align 8
  store ptr %.980, ptr %excinfo, align 8
  %.987 = xor i1 %.984, true
  br i1 %.987, label %B1828.if.if, label %B1828.if.endif

B1828.endif:                                      ; preds = %B1828.if.endif, %B1828
  %.991 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.993 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  %.995 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  store i64 %.981, ptr %retptr, align 8
  ret i32 0

B1828.if.if:                                      ; preds = %B1828.if
  ret i32 %.971

B1828.if.endif:                                   ; preds = %B1828.if
  br label %B1828.endif

B1934.if:                                         ; preds = %B1934
  %.1038 = load i64, ptr %try_state, align 8
  %.1039 = icmp ugt i64 %.1038, 0
  %.1040 = load ptr, ptr %excinfo, align 8
  store ptr %.1035, ptr %excinfo, align 8
  %.1042 = xor i1 %.1039, true
  br i1 %.1042, label %B1934.if.if, label %B1934.if.endif

B1934.endif:                                      ; preds = %B1934.if.endif, %B1934
  %.1046 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1048 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  %.1050 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  store i64 %.1036, ptr %retptr, align 8
  ret i32 0

B1934.if.if:                                      ; preds = %B1934.if
  ret i32 %.1026

B1934.if.endif:                                   ; preds = %B1934.if
  br label %B1934.endif

B2004.if:                                         ; preds = %B2004
  %.1097 = load i64, ptr %try_state, align 8
  %.1098 = icmp ugt i64 %.1097, 0
  %.1099 = load ptr, ptr %excinfo, align 8
  store ptr %.1094, ptr %excinfo, align 8
  %.1101 = xor i1 %.1098, true
  br i1 %.1101, label %B2004.if.if, label %B2004.if.endif

B2004.endif:                                      ; preds = %B2004.if.endif, %B2004
  %.1105 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1095, ptr %retptr, align 8
  ret i32 0

B2004.if.if:                                      ; preds = %B2004.if
  ret i32 %.1085

B2004.if.endif:                                   ; preds = %B2004.if
  br label %B2004.endif

B2050.if:                                         ; preds = %B2050
  %.1129 = load i64, ptr %try_state, align 8
  %.1130 = icmp ugt i64 %.1129, 0
  %.1131 = load ptr, ptr %excinfo, align 8
  store ptr %.1126, ptr %excinfo, align 8
  %.1133 = xor i1 %.1130, true
  br i1 %.1133, label %B2050.if.if, label %B2050.if.endif

B2050.endif:                                      ; preds = %B2050.if.endif, %B2050
  %.1137 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1139 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1141 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1127, ptr %retptr, align 8
  ret i32 0

B2050.if.if:                                      ; preds = %B2050.if
  ret i32 %.1117

B2050.if.endif:                                   ; preds = %B2050.if
  br label %B2050.endif

B2162.if:                                         ; preds = %B2162
  %.1180 = load i64, ptr %try_state, align 8
  %.1181 = icmp ugt i64 %.1180, 0
  %.1182 = load ptr, ptr %excinfo, align 8
  store ptr %.1177, ptr %excinfo, align 8
  %.1184 = xor i1 %.1181, true
  br i1 %.1184, label %B2162.if.if, label %B2162.if.endif

B2162.endif:                                      ; preds = %B2162.if.endif, %B2162
  %.1188 = load i64, ptr %target.4, align 8
  store i64 0, ptr %target.4, align 8
  %.1190 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1178, ptr %retptr, align 8
  ret i32 0

B2162.if.if:                                      ; preds = %B2162.if
  ret i32 %.1168

B2162.if.endif:                                   ; preds = %B2162.if
  br label %B2162.endif
}

define i64 @vitrify_shipped_entry(i64 %.1) {
.3:
  %.4 = alloca i64, align 8
  %.5 = alloca ptr, align 8
  %.6 = call i32 @_ZN7vitrify6kernel7machineB2v1Ex(ptr %.4, ptr %.5, i64 %.1)
  %.7 = load i64, ptr %.4, align 8
  ret i64 %.7
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr writeonly captures(none), ptr readonly captures(none), i64, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel6workerB2v2B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team) {
B0:
  %.63.i = alloca ptr, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.8 = add nsw i64 %arg.team, 104
  %.9 = inttoptr i64 %.8 to ptr
  %.10 = load atomic i64, ptr %.9 seq_cst, align 8
  %.11 = icmp eq i64 %.10, 0
  br i1 %.11, label %B58.preheader, label %B412

B58.preheader:                                    ; preds = %B0
  br label %B58

B58:                                              ; preds = %B358, %B58.preheader
  call void @llvm.lifetime.start.p0(ptr nonnull %.63.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %excinfo.1.i)
  store ptr null, ptr %.63.i, align 8, !noalias !1
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !1
  %sunkaddr = inttoptr i64 %arg.team to ptr
  %sunkaddr58 = getelementptr i8, ptr %sunkaddr, i64 128
  %.1125.i = load atomic i64, ptr %sunkaddr58 seq_cst, align 8, !noalias !1
  %.1626.i = lshr i64 %.1125.i, 16
  %.1727.i = and i64 %.1626.i, 65535
  %.2228.i = and i64 %.1125.i, 65535
  %.28.not29.i = icmp samesign ult i64 %.1727.i, %.2228.i
  br i1 %.28.not29.i, label %B94.i.preheader, label %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread

B94.i.preheader:                                  ; preds = %B58
  br label %B94.i

B94.i:                                            ; preds = %B280.i, %B94.i.preheader
  %.2232.i = phi i64 [ %.22.i, %B280.i ], [ %.2228.i, %B94.i.preheader ]
  %.1731.i = phi i64 [ %.17.i, %B280.i ], [ %.1727.i, %B94.i.preheader ]
  %.1130.i = phi i64 [ %.11.i, %B280.i ], [ %.1125.i, %B94.i.preheader ]
  %sunkaddr59 = inttoptr i64 %arg.team to ptr
  %sunkaddr60 = getelementptr i8, ptr %sunkaddr59, i64 120
  %.43.i = load atomic i64, ptr %sunkaddr60 seq_cst, align 8, !noalias !1
  %.50.i = add nsw i64 %.1130.i, 65536
  %sunkaddr61 = inttoptr i64 %arg.team to ptr
  %sunkaddr62 = getelementptr i8, ptr %sunkaddr61, i64 128
  %.53.i = cmpxchg ptr %sunkaddr62, i64 %.1130.i, i64 %.50.i seq_cst seq_cst, align 8, !noalias !1
  %.54.i = extractvalue { i64, i1 } %.53.i, 1
  br i1 %.54.i, label %B196.i, label %B280.i

B196.i:                                           ; preds = %B94.i
  store ptr null, ptr %.63.i, align 8, !noalias !1
  %.67.i = call i32 @_ZN7vitrify6kernel9run_chunkB2v4B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr nonnull %.63.i, ptr nonnull %excinfo.1.i, i64 %arg.team, i64 %.43.i, i64 %.1731.i, i64 %.2232.i), !noalias !1
  %cond.i = icmp eq i32 %.67.i, 0
  br i1 %cond.i, label %B196.endif.i, label %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit, !prof !5

B280.i:                                           ; preds = %B196.endif.i, %B94.i
  %sunkaddr63 = inttoptr i64 %arg.team to ptr
  %sunkaddr64 = getelementptr i8, ptr %sunkaddr63, i64 128
  %.11.i = load atomic i64, ptr %sunkaddr64 seq_cst, align 8, !noalias !1
  %.16.i = lshr i64 %.11.i, 16
  %.17.i = and i64 %.16.i, 65535
  %.22.i = and i64 %.11.i, 65535
  %.28.not.i = icmp samesign ult i64 %.17.i, %.22.i
  br i1 %.28.not.i, label %B94.i, label %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread

B196.endif.i:                                     ; preds = %B196.i
  %sunkaddr65 = inttoptr i64 %arg.team to ptr
  %sunkaddr66 = getelementptr i8, ptr %sunkaddr65, i64 192
  %.98.i = atomicrmw add ptr %sunkaddr66, i64 1 seq_cst, align 8, !noalias !1
  br label %B280.i

_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread: ; preds = %B280.i, %B58
  call void @llvm.lifetime.end.p0(ptr nonnull %.63.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %sunkaddr67 = inttoptr i64 %arg.team to ptr
  %sunkaddr68 = getelementptr i8, ptr %sunkaddr67, i64 112
  %.50 = load i64, ptr %sunkaddr68, align 8
  %.52 = icmp sgt i64 %.50, 0
  br i1 %.52, label %B146, label %B298

_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit: ; preds = %B196.i
  %.68.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !1
  call void @llvm.lifetime.end.p0(ptr nonnull %.63.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %.30 = icmp sgt i32 %.67.i, 0
  %.31 = select i1 %.30, ptr %.68.i, ptr undef
  store ptr %.31, ptr %excinfo, align 8
  br label %common.ret

B146:                                             ; preds = %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread
  %sunkaddr69 = inttoptr i64 %arg.team to ptr
  %sunkaddr70 = getelementptr i8, ptr %sunkaddr69, i64 128
  %.7.i.i = load atomic i64, ptr %sunkaddr70 seq_cst, align 8, !noalias !6
  %.8.i.i = lshr i64 %.7.i.i, 16
  %.9.i.i = and i64 %.8.i.i, 65535
  %.10.i.i = and i64 %.7.i.i, 65535
  %.11.i.not.i = icmp samesign ult i64 %.9.i.i, %.10.i.i
  br i1 %.11.i.not.i, label %B298, label %B146.endif.endif

B176:                                             ; preds = %B268.endif.endif, %B176.preheader
  %spins.2.1 = phi i64 [ %.101, %B268.endif.endif ], [ 0, %B176.preheader ]
  tail call void @llvm.x86.sse2.pause()
  %.101 = add nuw nsw i64 %spins.2.1, 1
  %sunkaddr71 = inttoptr i64 %arg.team to ptr
  %sunkaddr72 = getelementptr i8, ptr %sunkaddr71, i64 112
  %.110 = load i64, ptr %sunkaddr72, align 8
  %.112 = icmp slt i64 %.101, %.110
  br i1 %.112, label %B268, label %B298

B268:                                             ; preds = %B176
  %sunkaddr73 = inttoptr i64 %arg.team to ptr
  %sunkaddr74 = getelementptr i8, ptr %sunkaddr73, i64 128
  %.7.i.i13 = load atomic i64, ptr %sunkaddr74 seq_cst, align 8, !noalias !11
  %.8.i.i14 = lshr i64 %.7.i.i13, 16
  %.9.i.i15 = and i64 %.8.i.i14, 65535
  %.10.i.i16 = and i64 %.7.i.i13, 65535
  %.11.i.not.i17 = icmp samesign ult i64 %.9.i.i15, %.10.i.i16
  br i1 %.11.i.not.i17, label %B298, label %B268.endif.endif

B298:                                             ; preds = %B268.endif.endif, %B146.endif.endif, %B268, %B176, %B146, %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread
  %sunkaddr75 = inttoptr i64 %arg.team to ptr
  %sunkaddr76 = getelementptr i8, ptr %sunkaddr75, i64 128
  %.7.i.i27 = load atomic i64, ptr %sunkaddr76 seq_cst, align 8, !noalias !16
  %.8.i.i28 = lshr i64 %.7.i.i27, 16
  %.9.i.i29 = and i64 %.8.i.i28, 65535
  %.10.i.i30 = and i64 %.7.i.i27, 65535
  %.11.i.not.i31 = icmp samesign ult i64 %.9.i.i29, %.10.i.i30
  br i1 %.11.i.not.i31, label %B358, label %B298.endif.endif

B328:                                             ; preds = %B298.endif.endif
  %sunkaddr77 = inttoptr i64 %arg.team to ptr
  %sunkaddr78 = getelementptr i8, ptr %sunkaddr77, i64 64
  %.10.i40 = load i64, ptr %sunkaddr78, align 8, !noalias !21
  %.15.i = icmp eq i64 %.10.i40, 0
  br i1 %.15.i, label %B62.i, label %B182.i

B62.i:                                            ; preds = %B328
  %sunkaddr79 = inttoptr i64 %arg.team to ptr
  %sunkaddr80 = getelementptr i8, ptr %sunkaddr79, i64 72
  %.22.i42 = load i64, ptr %sunkaddr80, align 8, !noalias !21
  %sunkaddr81 = inttoptr i64 %arg.team to ptr
  %sunkaddr82 = getelementptr i8, ptr %sunkaddr81, i64 80
  %.28.i = load i64, ptr %sunkaddr82, align 8, !noalias !21
  %.29.i = inttoptr i64 %.22.i42 to ptr
  %.30.i = trunc i64 %.28.i to i32
  %.31.i = tail call i32 %.29.i(i32 %.30.i), !noalias !21
  br label %B358

B182.i:                                           ; preds = %B328
  %sunkaddr83 = inttoptr i64 %arg.team to ptr
  %sunkaddr84 = getelementptr i8, ptr %sunkaddr83, i64 320
  %.38.i = atomicrmw add ptr %sunkaddr84, i64 1 seq_cst, align 8, !noalias !21
  %sunkaddr85 = inttoptr i64 %arg.team to ptr
  %sunkaddr86 = getelementptr i8, ptr %sunkaddr85, i64 128
  %.7.i.i.i = load atomic i64, ptr %sunkaddr86 seq_cst, align 8, !noalias !24
  %.8.i.i.i = lshr i64 %.7.i.i.i, 16
  %.9.i.i.i = and i64 %.8.i.i.i, 65535
  %.10.i.i.i = and i64 %.7.i.i.i, 65535
  %.11.i.not.i.i = icmp samesign ult i64 %.9.i.i.i, %.10.i.i.i
  br i1 %.11.i.not.i.i, label %B6.i.i.preheader, label %_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.i

_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.i: ; preds = %B182.i
  %sunkaddr87 = inttoptr i64 %arg.team to ptr
  %sunkaddr88 = getelementptr i8, ptr %sunkaddr87, i64 104
  %.53.i.i = load atomic i64, ptr %sunkaddr88 seq_cst, align 8, !noalias !29
  %.54.i.not.i = icmp eq i64 %.53.i.i, 0
  br i1 %.54.i.not.i, label %B294.i, label %B6.i.i.preheader

B6.i.i.preheader:                                 ; preds = %_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.i, %B182.i
  br label %B6.i.i

B6.i.i:                                           ; preds = %B68.i.i, %B6.i.i.preheader
  %sunkaddr89 = inttoptr i64 %arg.team to ptr
  %sunkaddr90 = getelementptr i8, ptr %sunkaddr89, i64 320
  %.11.i.i = load atomic i64, ptr %sunkaddr90 seq_cst, align 8, !noalias !30
  %.16.i.i = icmp slt i64 %.11.i.i, 1
  br i1 %.16.i.i, label %B294.i, label %B68.i.i

B68.i.i:                                          ; preds = %B6.i.i
  %.28.i.i = add nsw i64 %.11.i.i, -1
  %sunkaddr91 = inttoptr i64 %arg.team to ptr
  %sunkaddr92 = getelementptr i8, ptr %sunkaddr91, i64 320
  %.31.i.i = cmpxchg ptr %sunkaddr92, i64 %.11.i.i, i64 %.28.i.i seq_cst seq_cst, align 8, !noalias !30
  %.32.i.i = extractvalue { i64, i1 } %.31.i.i, 1
  br i1 %.32.i.i, label %B358, label %B6.i.i

B294.i:                                           ; preds = %B6.i.i, %_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.i
  %sunkaddr93 = inttoptr i64 %arg.team to ptr
  %sunkaddr94 = getelementptr i8, ptr %sunkaddr93, i64 48
  %.122.i = load i64, ptr %sunkaddr94, align 8, !noalias !21
  %.124.i = inttoptr i64 %.122.i to ptr
  %.125.i = inttoptr i64 %.10.i40 to ptr
  %.126.i = tail call i32 %.124.i(ptr nonnull %.125.i), !noalias !21
  %.128.not.i = icmp eq i32 %.126.i, 0
  br i1 %.128.not.i, label %B358, label %B376.i.preheader

B376.i.preheader:                                 ; preds = %B294.i
  br label %B376.i

B376.i:                                           ; preds = %B376.i, %B376.i.preheader
  %0 = inttoptr i64 %.10.i40 to ptr
  %sunkaddr95 = inttoptr i64 %arg.team to ptr
  %sunkaddr96 = getelementptr i8, ptr %sunkaddr95, i64 48
  %.133.i = load i64, ptr %sunkaddr96, align 8, !noalias !21
  %.135.i = inttoptr i64 %.133.i to ptr
  %.137.i = tail call i32 %.135.i(ptr nonnull %0), !noalias !21
  %.139.not.i = icmp eq i32 %.137.i, 0
  br i1 %.139.not.i, label %B358, label %B376.i

B358:                                             ; preds = %B298.endif.endif, %B376.i, %B294.i, %B68.i.i, %B62.i, %B298
  %sunkaddr97 = inttoptr i64 %arg.team to ptr
  %sunkaddr98 = getelementptr i8, ptr %sunkaddr97, i64 104
  %.232 = load atomic i64, ptr %sunkaddr98 seq_cst, align 8
  %.233 = icmp eq i64 %.232, 0
  br i1 %.233, label %B58, label %B412

common.ret:                                       ; preds = %B412, %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit
  %common.ret.op = phi i32 [ 0, %B412 ], [ %.67.i, %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit ]
  ret i32 %common.ret.op

B412:                                             ; preds = %B358, %B0
  store i64 0, ptr %retptr, align 8
  br label %common.ret

B146.endif.endif:                                 ; preds = %B146
  %sunkaddr99 = inttoptr i64 %arg.team to ptr
  %sunkaddr100 = getelementptr i8, ptr %sunkaddr99, i64 104
  %.53.i9 = load atomic i64, ptr %sunkaddr100 seq_cst, align 8, !noalias !33
  %.54.i10.not = icmp eq i64 %.53.i9, 0
  br i1 %.54.i10.not, label %B176.preheader, label %B298

B176.preheader:                                   ; preds = %B146.endif.endif
  br label %B176

B268.endif.endif:                                 ; preds = %B268
  %sunkaddr101 = inttoptr i64 %arg.team to ptr
  %sunkaddr102 = getelementptr i8, ptr %sunkaddr101, i64 104
  %.53.i21 = load atomic i64, ptr %sunkaddr102 seq_cst, align 8, !noalias !34
  %.54.i22.not = icmp eq i64 %.53.i21, 0
  br i1 %.54.i22.not, label %B176, label %B298

B298.endif.endif:                                 ; preds = %B298
  %sunkaddr103 = inttoptr i64 %arg.team to ptr
  %sunkaddr104 = getelementptr i8, ptr %sunkaddr103, i64 104
  %.53.i35 = load atomic i64, ptr %sunkaddr104 seq_cst, align 8, !noalias !35
  %.54.i36.not = icmp eq i64 %.53.i35, 0
  br i1 %.54.i36.not, label %B328, label %B358
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel9run_chunkB2v4B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i64 %arg.row, i64 %arg.chunk, i64 %arg.chunks) local_unnamed_addr {
B0:
  %.128 = alloca ptr, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.17 = inttoptr i64 %arg.row to ptr
  %.18 = load i64, ptr %.17, align 8
  %.23 = icmp eq i64 %.18, 1
  br i1 %.23, label %B46, label %B308

B46:                                              ; preds = %B0
  %.31 = add nsw i64 %arg.row, 32
  %.32 = inttoptr i64 %.31 to ptr
  %.33 = load i64, ptr %.32, align 8
  %.35 = add nsw i64 %arg.row, 40
  %.36 = inttoptr i64 %.35 to ptr
  %.37 = load i64, ptr %.36, align 8
  %.19.i = xor i64 %.33, -1
  %.20.i = add i64 %arg.chunks, %.19.i
  %.21.i = add i64 %.20.i, %.37
  %.24.i = icmp eq i64 %arg.chunks, 0
  br i1 %.24.i, label %B46.endif, label %B0.else.i, !prof !0

B44.i:                                            ; preds = %B0.endif.i
  %.78.i = add nuw i64 %spec.select.i, 63
  %0 = icmp samesign ult i64 %spec.select.i, 4294967233
  br i1 %0, label %26, label %28

B0.else.i:                                        ; preds = %B46
  %const = bitcast i64 -9223372036854775808 to i64
  %.35.i = icmp ne i64 %.21.i, %const
  %.36.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i = or i1 %.36.i, %.35.i
  br i1 %.37.not.i, label %B0.else.if.i, label %B46.endif, !prof !36

B0.endif.i:                                       ; preds = %23, %16, %5
  %1 = phi i64 [ %10, %5 ], [ %21, %16 ], [ %24, %23 ]
  %2 = phi i64 [ %11, %5 ], [ %22, %16 ], [ %25, %23 ]
  %.42.i = xor i64 %2, %arg.chunks
  %.43.i = icmp slt i64 %.42.i, 0
  %.44.i = icmp ne i64 %2, 0
  %.45.i = and i1 %.44.i, %.43.i
  %.50.i = sext i1 %.45.i to i64
  %spec.select.i = add i64 %1, %.50.i
  %.71.not.i = icmp slt i64 %spec.select.i, 64
  br i1 %.71.not.i, label %B46.endif, label %B44.i

B0.else.if.i:                                     ; preds = %B0.else.i
  %3 = or i64 %.21.i, %arg.chunks
  %4 = icmp ult i64 %3, 4294967296
  br i1 %4, label %5, label %12

5:                                                ; preds = %B0.else.if.i
  %6 = trunc nuw i64 %arg.chunks to i32
  %7 = trunc nuw i64 %.21.i to i32
  %8 = udiv i32 %7, %6
  %9 = urem i32 %7, %6
  %10 = zext i32 %8 to i64
  %11 = zext i32 %9 to i64
  br label %B0.endif.i

12:                                               ; preds = %B0.else.if.i
  %13 = or i64 %.21.i, %arg.chunks
  %14 = and i64 %13, -4294967296
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %23

16:                                               ; preds = %12
  %17 = trunc i64 %arg.chunks to i32
  %18 = trunc i64 %.21.i to i32
  %19 = udiv i32 %18, %17
  %20 = urem i32 %18, %17
  %21 = zext i32 %19 to i64
  %22 = zext i32 %20 to i64
  br label %B0.endif.i

23:                                               ; preds = %12
  %24 = sdiv i64 %.21.i, %arg.chunks
  %25 = srem i64 %.21.i, %arg.chunks
  br label %B0.endif.i

26:                                               ; preds = %B44.i
  %27 = lshr i64 %.78.i, 6
  br label %33

28:                                               ; preds = %B44.i
  %29 = sdiv i64 %.78.i, 64
  %const_mat = add i64 %const, 63
  %30 = and i64 %.78.i, %const_mat
  %31 = icmp ugt i64 %30, %const
  %32 = sext i1 %31 to i64
  br label %33

33:                                               ; preds = %28, %26
  %34 = phi i64 [ %27, %26 ], [ %29, %28 ]
  %.101.i = phi i64 [ 0, %26 ], [ %32, %28 ]
  %spec.select22.i = add nsw i64 %.101.i, %34
  %35 = shl nsw i64 %spec.select22.i, 6
  br label %B46.endif

common.ret:                                       ; preds = %B308.if.if, %B308.endif, %B304, %B166
  %common.ret.op = phi i32 [ 0, %B166 ], [ 0, %B304 ], [ %.133, %B308.if.if ], [ 0, %B308.endif ]
  ret i32 %common.ret.op

B166:                                             ; preds = %B46.endif
  %.83 = add nsw i64 %arg.row, 8
  %.84 = inttoptr i64 %.83 to ptr
  %.85 = load i64, ptr %.84, align 8
  %.87 = add nsw i64 %arg.row, 16
  %.88 = inttoptr i64 %.87 to ptr
  %.89 = load i64, ptr %.88, align 8
  %.91 = add nsw i64 %arg.row, 24
  %.94 = inttoptr i64 %.91 to ptr
  %.95 = load i64, ptr %.94, align 8
  %.98 = inttoptr i64 %.85 to ptr
  tail call void %.98(i64 %.89, i64 %.95, i64 %.11.i.i, i64 %.11.i1.i)
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B304:                                             ; preds = %B46.endif
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B308:                                             ; preds = %B0
  %.116 = icmp eq i64 %.18, 2
  %.120 = add nsw i64 %arg.row, 8
  %.123 = inttoptr i64 %.120 to ptr
  %.124 = load i64, ptr %.123, align 8
  %.132 = zext i1 %.116 to i8
  %.133 = call i32 @_ZN7vitrify6kernel8multiplyB2v7B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxx(ptr nonnull %.128, ptr nonnull %excinfo.2, i64 %arg.team, i8 %.132, i64 %.124, i64 %arg.chunk, i64 %arg.chunks)
  %cond = icmp eq i32 %.133, 0
  br i1 %cond, label %B308.endif, label %B308.if.if, !prof !5

B46.endif:                                        ; preds = %33, %B0.endif.i, %B0.else.i, %B46
  %step.2.0.i = phi i64 [ %spec.select.i, %B0.endif.i ], [ %35, %33 ], [ 0, %B46 ], [ 0, %B0.else.i ]
  %.133.i = mul nsw i64 %step.2.0.i, %arg.chunk
  %.137.i = add nsw i64 %.133.i, %.33
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.37, i64 %.137.i)
  %.172.i = add nsw i64 %.11.i.i, %step.2.0.i
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %.37, i64 %.172.i)
  %.80 = icmp slt i64 %.137.i, %.11.i1.i
  br i1 %.80, label %B166, label %B304

B308.endif:                                       ; preds = %B308
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B308.if.if:                                       ; preds = %B308
  %.141 = icmp sgt i32 %.133, 0
  %.134 = load ptr, ptr %excinfo.2, align 8
  %.142 = select i1 %.141, ptr %.134, ptr undef
  store ptr %.142, ptr %excinfo, align 8
  br label %common.ret
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #3

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel8multiplyB2v7B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i8 %arg.single, i64 %arg.block, i64 %arg.chunk, i64 %arg.chunks) local_unnamed_addr {
entry:
  %const23 = bitcast i64 -9223372036854775808 to i64
  %.865 = alloca ptr, align 8
  %excinfo.6 = alloca ptr, align 8
  %.37 = inttoptr i64 %arg.block to ptr
  %.38 = load i64, ptr %.37, align 8
  %.43 = add nsw i64 %arg.block, 8
  %.44 = inttoptr i64 %.43 to ptr
  %.45 = load i64, ptr %.44, align 8
  %.50 = add nsw i64 %arg.block, 120
  %.51 = inttoptr i64 %.50 to ptr
  %.52 = load i64, ptr %.51, align 8
  %.57 = add nsw i64 %arg.block, 88
  %.58 = inttoptr i64 %.57 to ptr
  %.59 = load i64, ptr %.58, align 8
  %.61 = mul nsw i64 %.59, %.52
  %.92.not = icmp slt i64 %.61, %arg.chunks
  br i1 %.92.not, label %B244, label %B198

B198:                                             ; preds = %entry
  %0 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %arg.chunks, i64 1)
  %math = extractvalue { i64, i1 } %0, 0
  %ov = extractvalue { i64, i1 } %0, 1
  %.21.i = add i64 %.61, %math
  br i1 %ov, label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit, label %B0.else.i, !prof !0

B44.i:                                            ; preds = %B0.endif.i
  %.78.i = add nuw i64 %spec.select.i, %const
  %1 = and i64 %.78.i, -4611686018427387904
  br label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit

B0.else.i:                                        ; preds = %B198
  %.35.i = icmp ne i64 %.21.i, %const23
  %.36.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i = or i1 %.36.i, %.35.i
  br i1 %.37.not.i, label %B0.else.if.i, label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit, !prof !36

B0.endif.i:                                       ; preds = %24, %17, %6
  %2 = phi i64 [ %11, %6 ], [ %22, %17 ], [ %25, %24 ]
  %3 = phi i64 [ %12, %6 ], [ %23, %17 ], [ %26, %24 ]
  %const = bitcast i64 4611686018427387903 to i64
  %.42.i = xor i64 %3, %arg.chunks
  %.43.i = icmp slt i64 %.42.i, 0
  %.44.i = icmp ne i64 %3, 0
  %.45.i = and i1 %.44.i, %.43.i
  %.50.i = sext i1 %.45.i to i64
  %spec.select.i = add i64 %2, %.50.i
  %const_mat = add i64 %const, 1
  %.71.not.i = icmp slt i64 %spec.select.i, %const_mat
  br i1 %.71.not.i, label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit, label %B44.i

B0.else.if.i:                                     ; preds = %B0.else.i
  %4 = or i64 %.21.i, %arg.chunks
  %5 = icmp ult i64 %4, 4294967296
  br i1 %5, label %6, label %13

6:                                                ; preds = %B0.else.if.i
  %7 = trunc nuw i64 %arg.chunks to i32
  %8 = trunc nuw i64 %.21.i to i32
  %9 = udiv i32 %8, %7
  %10 = urem i32 %8, %7
  %11 = zext i32 %9 to i64
  %12 = zext i32 %10 to i64
  br label %B0.endif.i

13:                                               ; preds = %B0.else.if.i
  %14 = or i64 %.21.i, %arg.chunks
  %15 = and i64 %14, -4294967296
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %24

17:                                               ; preds = %13
  %18 = trunc i64 %arg.chunks to i32
  %19 = trunc i64 %.21.i to i32
  %20 = udiv i32 %19, %18
  %21 = urem i32 %19, %18
  %22 = zext i32 %20 to i64
  %23 = zext i32 %21 to i64
  br label %B0.endif.i

24:                                               ; preds = %13
  %25 = sdiv i64 %.21.i, %arg.chunks
  %26 = srem i64 %.21.i, %arg.chunks
  br label %B0.endif.i

_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit: ; preds = %B0.endif.i, %B0.else.i, %B44.i, %B198
  %step.2.0.i = phi i64 [ %spec.select.i, %B0.endif.i ], [ %1, %B44.i ], [ 0, %B198 ], [ 0, %B0.else.i ]
  %.133.i = mul nsw i64 %step.2.0.i, %arg.chunk
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.61, i64 %.133.i)
  %.172.i = add nsw i64 %.11.i.i, %step.2.0.i
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %.61, i64 %.172.i)
  br label %B464

B244:                                             ; preds = %entry
  %.172 = icmp sge i64 %.38, %.45
  %.175 = icmp sgt i64 %.38, 95
  %or.cond = or i1 %.175, %.172
  br i1 %or.cond, label %B268, label %B420

B268:                                             ; preds = %B244
  %.191 = icmp eq i64 %arg.chunks, 0
  br i1 %.191, label %B268.endif.endif.endif.endif, label %B268.else, !prof !0

B380:                                             ; preds = %B268.endif.endif.endif.endif
  %.348 = add nsw i64 %.11.i38, %.298
  %.11.i = tail call i64 @llvm.smin.i64(i64 %.348, i64 %.38)
  br label %B464

B420:                                             ; preds = %B244
  %27 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %arg.chunks, i64 1)
  %math70 = extractvalue { i64, i1 } %27, 0
  %ov71 = extractvalue { i64, i1 } %27, 1
  %.21.i6 = add i64 %.45, %math70
  br i1 %ov71, label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36, label %B0.else.i8, !prof !0

B44.i15:                                          ; preds = %B0.endif.i12
  %.78.i16 = add nuw i64 %spec.select.i35, 63
  %28 = icmp samesign ult i64 %spec.select.i35, 4294967233
  br i1 %28, label %54, label %56

B0.else.i8:                                       ; preds = %B420
  %.35.i9 = icmp ne i64 %.21.i6, %const23
  %.36.i10 = icmp ne i64 %arg.chunks, -1
  %.37.not.i11 = or i1 %.36.i10, %.35.i9
  br i1 %.37.not.i11, label %B0.else.if.i29, label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36, !prof !36

B0.endif.i12:                                     ; preds = %51, %44, %33
  %29 = phi i64 [ %38, %33 ], [ %49, %44 ], [ %52, %51 ]
  %30 = phi i64 [ %39, %33 ], [ %50, %44 ], [ %53, %51 ]
  %.42.i30 = xor i64 %30, %arg.chunks
  %.43.i31 = icmp slt i64 %.42.i30, 0
  %.44.i32 = icmp ne i64 %30, 0
  %.45.i33 = and i1 %.44.i32, %.43.i31
  %.50.i34 = sext i1 %.45.i33 to i64
  %spec.select.i35 = add i64 %29, %.50.i34
  %.71.not.i14 = icmp slt i64 %spec.select.i35, 64
  br i1 %.71.not.i14, label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36, label %B44.i15

B0.else.if.i29:                                   ; preds = %B0.else.i8
  %31 = or i64 %.21.i6, %arg.chunks
  %32 = icmp ult i64 %31, 4294967296
  br i1 %32, label %33, label %40

33:                                               ; preds = %B0.else.if.i29
  %34 = trunc nuw i64 %arg.chunks to i32
  %35 = trunc nuw i64 %.21.i6 to i32
  %36 = udiv i32 %35, %34
  %37 = urem i32 %35, %34
  %38 = zext i32 %36 to i64
  %39 = zext i32 %37 to i64
  br label %B0.endif.i12

40:                                               ; preds = %B0.else.if.i29
  %41 = or i64 %.21.i6, %arg.chunks
  %42 = and i64 %41, -4294967296
  %43 = icmp eq i64 %42, 0
  br i1 %43, label %44, label %51

44:                                               ; preds = %40
  %45 = trunc i64 %arg.chunks to i32
  %46 = trunc i64 %.21.i6 to i32
  %47 = udiv i32 %46, %45
  %48 = urem i32 %46, %45
  %49 = zext i32 %47 to i64
  %50 = zext i32 %48 to i64
  br label %B0.endif.i12

51:                                               ; preds = %40
  %52 = sdiv i64 %.21.i6, %arg.chunks
  %53 = srem i64 %.21.i6, %arg.chunks
  br label %B0.endif.i12

54:                                               ; preds = %B44.i15
  %55 = lshr i64 %.78.i16, 6
  br label %61

56:                                               ; preds = %B44.i15
  %57 = sdiv i64 %.78.i16, 64
  %const_mat24 = add i64 %const23, 63
  %58 = and i64 %.78.i16, %const_mat24
  %59 = icmp ugt i64 %58, %const23
  %60 = sext i1 %59 to i64
  br label %61

61:                                               ; preds = %56, %54
  %62 = phi i64 [ %55, %54 ], [ %57, %56 ]
  %.101.i25 = phi i64 [ 0, %54 ], [ %60, %56 ]
  %spec.select22.i28 = add nsw i64 %.101.i25, %62
  %63 = shl nsw i64 %spec.select22.i28, 6
  br label %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36

_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36: ; preds = %61, %B0.endif.i12, %B0.else.i8, %B420
  %step.2.0.i18 = phi i64 [ %spec.select.i35, %B0.endif.i12 ], [ %63, %61 ], [ 0, %B420 ], [ 0, %B0.else.i8 ]
  %.133.i19 = mul nsw i64 %step.2.0.i18, %arg.chunk
  %.11.i.i20 = tail call i64 @llvm.smin.i64(i64 %.45, i64 %.133.i19)
  %.172.i21 = add nsw i64 %.11.i.i20, %step.2.0.i18
  %.11.i1.i22 = tail call i64 @llvm.smin.i64(i64 %.45, i64 %.172.i21)
  br label %B464

B464:                                             ; preds = %B268.endif.endif.endif.endif, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36, %B380, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit
  %m_first.2.0 = phi i64 [ %.11.i38, %B268.endif.endif.endif.endif ], [ %.11.i38, %B380 ], [ 0, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit ], [ 0, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36 ]
  %m_last.2.0 = phi i64 [ %.38, %B268.endif.endif.endif.endif ], [ %.11.i, %B380 ], [ %.38, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit ], [ %.38, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36 ]
  %n_first.2.0 = phi i64 [ 0, %B268.endif.endif.endif.endif ], [ 0, %B380 ], [ 0, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit ], [ %.11.i.i20, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36 ]
  %n_last.2.0 = phi i64 [ %.45, %B268.endif.endif.endif.endif ], [ %.45, %B380 ], [ %.45, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit ], [ %.11.i1.i22, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36 ]
  %first.2.0 = phi i64 [ 0, %B268.endif.endif.endif.endif ], [ 0, %B380 ], [ %.11.i.i, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit ], [ 0, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36 ]
  %last.2.0 = phi i64 [ %.61, %B268.endif.endif.endif.endif ], [ %.61, %B380 ], [ %.11.i1.i, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit ], [ %.61, %_ZN7vitrify6kernel4partB2v5B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxxx.exit36 ]
  %.489 = icmp sle i64 %m_last.2.0, %m_first.2.0
  %.493 = icmp sle i64 %n_last.2.0, %n_first.2.0
  %or.cond218 = select i1 %.489, i1 true, i1 %.493
  br i1 %or.cond218, label %common.ret, label %B492

common.ret:                                       ; preds = %B892.backedge, %B894.endif.endif, %B892.backedge.us, %B894.us, %B660.endif, %B464
  %excinfo.sink = phi ptr [ %retptr, %B660.endif ], [ %retptr, %B464 ], [ %retptr, %B892.backedge.us ], [ %excinfo, %B894.us ], [ %retptr, %B892.backedge ], [ %excinfo, %B894.endif.endif ]
  %common.ret.op = phi i32 [ 0, %B660.endif ], [ 0, %B464 ], [ 0, %B892.backedge.us ], [ %.870.us, %B894.us ], [ 0, %B892.backedge ], [ %.870, %B894.endif.endif ]
  store ptr null, ptr %excinfo.sink, align 8
  ret i32 %common.ret.op

B492:                                             ; preds = %B464
  %.520 = add nsw i64 %arg.block, 40
  %.521 = inttoptr i64 %.520 to ptr
  %.522 = load i64, ptr %.521, align 8
  %.530 = add nsw i64 %arg.block, 24
  %.531 = inttoptr i64 %.530 to ptr
  %.532 = load i64, ptr %.531, align 8
  %.533.not = icmp eq i64 %.532, 0
  %spec.select219 = select i1 %.533.not, i64 %.522, i64 1
  %.545 = add nsw i64 %arg.block, 32
  %.546 = inttoptr i64 %.545 to ptr
  %.547 = load i64, ptr %.546, align 8
  %.548.not = icmp eq i64 %.547, 0
  br i1 %.548.not, label %B660.endif, label %B624

B624:                                             ; preds = %B492
  %.551 = add nsw i64 %arg.block, 48
  %.552 = inttoptr i64 %.551 to ptr
  %.553 = load i64, ptr %.552, align 8
  br label %B660.endif

B894:                                             ; preds = %B892.backedge, %B894.preheader
  %lsr.iv65 = phi i64 [ %95, %B894.preheader ], [ %lsr.iv.next66, %B892.backedge ]
  %.696224226 = phi i64 [ %first.2.0, %B894.preheader ], [ %.703, %B892.backedge ]
  %64 = icmp ne i64 %.52, -1
  %65 = add i64 %.696224226, %const23
  %.742 = icmp ne i64 %65, 0
  %.744.not = or i1 %64, %.742
  br i1 %.744.not, label %B894.endif.else.if, label %B894.endif.endif, !prof !36

B268.else:                                        ; preds = %B268
  %.202 = icmp ne i64 %.38, %const23
  %.203 = icmp ne i64 %arg.chunks, -1
  %.204.not = or i1 %.203, %.202
  br i1 %.204.not, label %B268.else.if, label %B268.endif.endif.endif.endif, !prof !36

B268.else.if:                                     ; preds = %B268.else
  %66 = or i64 %.38, %arg.chunks
  %67 = icmp ult i64 %66, 4294967296
  br i1 %67, label %68, label %75

68:                                               ; preds = %B268.else.if
  %69 = trunc nuw i64 %arg.chunks to i32
  %70 = trunc nuw i64 %.38 to i32
  %71 = udiv i32 %70, %69
  %72 = urem i32 %70, %69
  %73 = zext i32 %71 to i64
  %74 = zext i32 %72 to i64
  br label %89

75:                                               ; preds = %B268.else.if
  %76 = or i64 %.38, %arg.chunks
  %77 = and i64 %76, -4294967296
  %78 = icmp eq i64 %77, 0
  br i1 %78, label %79, label %86

79:                                               ; preds = %75
  %80 = trunc i64 %arg.chunks to i32
  %81 = trunc i64 %.38 to i32
  %82 = udiv i32 %81, %80
  %83 = urem i32 %81, %80
  %84 = zext i32 %82 to i64
  %85 = zext i32 %83 to i64
  br label %89

86:                                               ; preds = %75
  %87 = sdiv i64 %.38, %arg.chunks
  %88 = srem i64 %.38, %arg.chunks
  br label %89

89:                                               ; preds = %86, %79, %68
  %90 = phi i64 [ %73, %68 ], [ %84, %79 ], [ %87, %86 ]
  %91 = phi i64 [ %74, %68 ], [ %85, %79 ], [ %88, %86 ]
  %.209 = xor i64 %91, %arg.chunks
  %.210 = icmp slt i64 %.209, 0
  %.211 = icmp ne i64 %91, 0
  %.212 = and i1 %.211, %.210
  %.217 = sext i1 %.212 to i64
  %spec.select220 = add i64 %90, 24
  %92 = add i64 %spec.select220, %.217
  br label %B268.endif.endif.endif.endif

B268.endif.endif.endif.endif:                     ; preds = %89, %B268.else, %B268
  %quot.0 = phi i64 [ 24, %B268 ], [ 24, %B268.else ], [ %92, %89 ]
  %.248 = sdiv i64 %quot.0, 48
  %.249 = srem i64 %quot.0, 48
  %.249.lobit = ashr i64 %.249, 63
  %.237.1 = add nsw i64 %.249.lobit, %.248
  %.11.i37 = tail call i64 @llvm.smax.i64(i64 %.237.1, i64 1)
  %.298 = mul nuw nsw i64 %.11.i37, 48
  %.304 = mul nsw i64 %.298, %arg.chunk
  %.11.i38 = tail call i64 @llvm.smin.i64(i64 %.304, i64 %.38)
  %.338 = add nsw i64 %arg.chunk, 1
  %.342 = icmp slt i64 %.338, %arg.chunks
  br i1 %.342, label %B380, label %B464

B660.endif:                                       ; preds = %B624, %B492
  %b_column.2.0 = phi i64 [ %.553, %B624 ], [ 1, %B492 ]
  %.not = icmp eq i8 %arg.single, 0
  %.558 = add nsw i64 %arg.block, 64
  %.559 = inttoptr i64 %.558 to ptr
  %.560 = load i64, ptr %.559, align 8
  %93 = select i1 %.not, i64 3, i64 2
  %.563 = shl i64 %m_first.2.0, %93
  %.565 = mul nsw i64 %spec.select219, %.563
  %.568 = add nsw i64 %.560, %.565
  %.573 = add nsw i64 %arg.block, 72
  %.574 = inttoptr i64 %.573 to ptr
  %.575 = load i64, ptr %.574, align 8
  %.578 = shl i64 %n_first.2.0, %93
  %.580 = mul nsw i64 %b_column.2.0, %.578
  %.583 = add nsw i64 %.575, %.580
  %.588 = add nsw i64 %arg.block, 80
  %.589 = inttoptr i64 %.588 to ptr
  %.590 = load i64, ptr %.589, align 8
  %.592 = add nsw i64 %arg.block, 56
  %.593 = inttoptr i64 %.592 to ptr
  %.594 = load i64, ptr %.593, align 8
  %.596 = mul nsw i64 %.594, %m_first.2.0
  %.598 = add nsw i64 %.596, %n_first.2.0
  %.600 = shl i64 %.598, %93
  %.601 = add nsw i64 %.600, %.590
  %.647 = sub i64 %last.2.0, %first.2.0
  %.690225.not = icmp slt i64 %.647, 1
  br i1 %.690225.not, label %common.ret, label %B894.lr.ph

B894.lr.ph:                                       ; preds = %B660.endif
  %94 = icmp ne i8 %arg.single, 0
  %.731 = icmp eq i64 %.52, 0
  %.813 = sub nsw i64 %m_last.2.0, %m_first.2.0
  %.816 = sub nsw i64 %n_last.2.0, %n_first.2.0
  %.869 = zext i1 %94 to i8
  %95 = add nuw i64 %.647, 1
  br i1 %.731, label %B894.us.preheader, label %B894.preheader, !prof !0

B894.us.preheader:                                ; preds = %B894.lr.ph
  br label %B894.us

B894.preheader:                                   ; preds = %B894.lr.ph
  %96 = trunc nuw i64 %.52 to i32
  br label %B894

B894.us:                                          ; preds = %B892.backedge.us, %B894.us.preheader
  %lsr.iv = phi i64 [ %lsr.iv.next, %B892.backedge.us ], [ %95, %B894.us.preheader ]
  %.870.us = call i32 @_ZN7vitrify6kernel12multiply_oneB2v9B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxxxx(ptr nonnull %.865, ptr nonnull %excinfo.6, i64 %arg.team, i8 %.869, i64 %arg.block, i64 %.813, i64 %.816, i64 %.568, i64 %.583, i64 %.601)
  %cond = icmp eq i32 %.870.us, 0
  br i1 %cond, label %B892.backedge.us, label %common.ret, !prof !5

B892.backedge.us:                                 ; preds = %B894.us
  %lsr.iv.next = add i64 %lsr.iv, -1
  %.690.us = icmp sgt i64 %lsr.iv.next, 1
  br i1 %.690.us, label %B894.us, label %common.ret

B894.endif.endif:                                 ; preds = %120, %B894
  %.736.0238 = phi i64 [ %spec.select221, %120 ], [ 0, %B894 ]
  %rem.3.0 = phi i64 [ %spec.select222, %120 ], [ 0, %B894 ]
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr28 = getelementptr i8, ptr %sunkaddr, i64 96
  %.820 = load i64, ptr %sunkaddr28, align 8
  %.821 = mul nsw i64 %.820, %.736.0238
  %sunkaddr29 = inttoptr i64 %arg.block to ptr
  %sunkaddr30 = getelementptr i8, ptr %sunkaddr29, i64 128
  %.825 = load i64, ptr %sunkaddr30, align 8
  %.826 = mul nsw i64 %.825, %rem.3.0
  %.827 = add nsw i64 %.826, %.821
  %.829 = shl i64 %.827, %93
  %.831 = add nsw i64 %.829, %.568
  %sunkaddr31 = inttoptr i64 %arg.block to ptr
  %sunkaddr32 = getelementptr i8, ptr %sunkaddr31, i64 104
  %.835 = load i64, ptr %sunkaddr32, align 8
  %.836 = mul nsw i64 %.835, %.736.0238
  %sunkaddr33 = inttoptr i64 %arg.block to ptr
  %sunkaddr34 = getelementptr i8, ptr %sunkaddr33, i64 136
  %.840 = load i64, ptr %sunkaddr34, align 8
  %.841 = mul nsw i64 %.840, %rem.3.0
  %.842 = add nsw i64 %.841, %.836
  %.844 = shl i64 %.842, %93
  %.846 = add nsw i64 %.844, %.583
  %sunkaddr35 = inttoptr i64 %arg.block to ptr
  %sunkaddr36 = getelementptr i8, ptr %sunkaddr35, i64 112
  %.850 = load i64, ptr %sunkaddr36, align 8
  %.851 = mul nsw i64 %.850, %.736.0238
  %sunkaddr37 = inttoptr i64 %arg.block to ptr
  %sunkaddr38 = getelementptr i8, ptr %sunkaddr37, i64 144
  %.855 = load i64, ptr %sunkaddr38, align 8
  %.856 = mul nsw i64 %.855, %rem.3.0
  %.857 = add i64 %.851, %.598
  %97 = add i64 %.857, %.856
  %98 = shl i64 %97, %93
  %.861 = add i64 %98, %.590
  %.870 = call i32 @_ZN7vitrify6kernel12multiply_oneB2v9B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxxxx(ptr nonnull %.865, ptr nonnull %excinfo.6, i64 %arg.team, i8 %.869, i64 %arg.block, i64 %.813, i64 %.816, i64 %.831, i64 %.846, i64 %.861)
  %cond43 = icmp eq i32 %.870, 0
  br i1 %cond43, label %B892.backedge, label %common.ret, !prof !5

B892.backedge:                                    ; preds = %B894.endif.endif
  %lsr.iv.next66 = add i64 %lsr.iv65, -1
  %.703 = add i64 %.696224226, 1
  %.690 = icmp samesign ugt i64 %lsr.iv.next66, 1
  br i1 %.690, label %B894, label %common.ret

B894.endif.else.if:                               ; preds = %B894
  %99 = or i64 %.696224226, %.52
  %100 = icmp ult i64 %99, 4294967296
  br i1 %100, label %101, label %106

101:                                              ; preds = %B894.endif.else.if
  %tmp22 = trunc i64 %.696224226 to i32
  %102 = udiv i32 %tmp22, %96
  %tmp = trunc i64 %.696224226 to i32
  %103 = urem i32 %tmp, %96
  %104 = zext i32 %102 to i64
  %105 = zext i32 %103 to i64
  br label %120

106:                                              ; preds = %B894.endif.else.if
  %107 = or i64 %.696224226, %.52
  %108 = and i64 %107, -4294967296
  %109 = icmp eq i64 %108, 0
  br i1 %109, label %110, label %117

110:                                              ; preds = %106
  %111 = trunc i64 %.52 to i32
  %112 = trunc i64 %.696224226 to i32
  %113 = udiv i32 %112, %111
  %114 = urem i32 %112, %111
  %115 = zext i32 %113 to i64
  %116 = zext i32 %114 to i64
  br label %120

117:                                              ; preds = %106
  %118 = sdiv i64 %.696224226, %.52
  %119 = srem i64 %.696224226, %.52
  br label %120

120:                                              ; preds = %117, %110, %101
  %121 = phi i64 [ %104, %101 ], [ %115, %110 ], [ %118, %117 ]
  %122 = phi i64 [ %105, %101 ], [ %116, %110 ], [ %119, %117 ]
  %.749 = xor i64 %122, %.52
  %.750 = icmp slt i64 %.749, 0
  %.751 = icmp ne i64 %122, 0
  %.752 = and i1 %.751, %.750
  %.757 = sext i1 %.752 to i64
  %spec.select221 = add i64 %121, %.757
  %.800 = select i1 %.752, i64 %.52, i64 0
  %spec.select222 = add i64 %.800, %122
  br label %B894.endif.endif
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64) #4

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #4

define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel12multiply_oneB2v9B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxxxx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.team, i8 %arg.single, i64 %arg.block, i64 %arg.m, i64 %arg.n, i64 %arg.a, i64 %arg.b, i64 %arg.c) local_unnamed_addr {
entry:
  %.35 = add nsw i64 %arg.block, 16
  %.36 = inttoptr i64 %.35 to ptr
  %.37 = load i64, ptr %.36, align 8
  %.41 = add nsw i64 %arg.block, 24
  %.42 = inttoptr i64 %.41 to ptr
  %.43 = load i64, ptr %.42, align 8
  %.47 = add nsw i64 %arg.block, 32
  %.48 = inttoptr i64 %.47 to ptr
  %.49 = load i64, ptr %.48, align 8
  %.53 = add nsw i64 %arg.block, 40
  %.54 = inttoptr i64 %.53 to ptr
  %.55 = load i64, ptr %.54, align 8
  %.59 = add nsw i64 %arg.block, 48
  %.60 = inttoptr i64 %.59 to ptr
  %.61 = load i64, ptr %.60, align 8
  %.65 = add nsw i64 %arg.block, 56
  %.66 = inttoptr i64 %.65 to ptr
  %.67 = load i64, ptr %.66, align 8
  %.71 = add nsw i64 %arg.block, 152
  %.72 = inttoptr i64 %.71 to ptr
  %.73 = load double, ptr %.72, align 8
  %.77 = add nsw i64 %arg.block, 160
  %.78 = inttoptr i64 %.77 to ptr
  %.79 = load double, ptr %.78, align 8
  %.84 = icmp sgt i64 %.37, 0
  br i1 %.84, label %B304, label %B608

B304:                                             ; preds = %entry
  %.87 = icmp eq i64 %arg.n, 1
  br i1 %.87, label %B316, label %B462

B316:                                             ; preds = %B304
  %0 = icmp eq i8 %arg.single, 0
  %.103.not = icmp eq i64 %.43, 0
  %flag.4.0 = select i1 %.103.not, i64 111, i64 112
  %columns.4.0 = select i1 %.103.not, i64 %.37, i64 %arg.m
  %rows.4.0 = select i1 %.103.not, i64 %arg.m, i64 %.37
  %.131.not = icmp eq i64 %.49, 0
  %step.4.0 = select i1 %.131.not, i64 %.61, i64 1
  br i1 %0, label %B170.i, label %B8.i

B8.i:                                             ; preds = %B316
  %.52.i = add nsw i64 %arg.team, 16
  %.55.i = inttoptr i64 %.52.i to ptr
  %.56.i = load i64, ptr %.55.i, align 8, !noalias !37
  %.58.i = fptrunc double %.73 to float
  %.62.i = fptrunc double %.79 to float
  %.74.i = inttoptr i64 %.56.i to ptr
  %.76.i = trunc nuw nsw i64 %flag.4.0 to i32
  %.77.i = trunc i64 %rows.4.0 to i32
  %.78.i = trunc i64 %columns.4.0 to i32
  %.79.i = inttoptr i64 %arg.a to ptr
  %.80.i = trunc i64 %.55 to i32
  %.81.i = inttoptr i64 %arg.b to ptr
  %.82.i = trunc i64 %step.4.0 to i32
  %.83.i = inttoptr i64 %arg.c to ptr
  %.84.i = trunc i64 %.67 to i32
  tail call void %.74.i(i32 101, i32 %.76.i, i32 %.77.i, i32 %.78.i, float %.58.i, ptr %.79.i, i32 %.80.i, ptr %.81.i, i32 %.82.i, float %.62.i, ptr %.83.i, i32 %.84.i), !noalias !37
  br label %common.ret

B170.i:                                           ; preds = %B316
  %.107.i = add nsw i64 %arg.team, 24
  %.110.i = inttoptr i64 %.107.i to ptr
  %.111.i = load i64, ptr %.110.i, align 8, !noalias !37
  %.123.i = inttoptr i64 %.111.i to ptr
  %.125.i = trunc nuw nsw i64 %flag.4.0 to i32
  %.126.i = trunc i64 %rows.4.0 to i32
  %.127.i = trunc i64 %columns.4.0 to i32
  %.128.i = inttoptr i64 %arg.a to ptr
  %.129.i = trunc i64 %.55 to i32
  %.130.i = inttoptr i64 %arg.b to ptr
  %.131.i = trunc i64 %step.4.0 to i32
  %.132.i = inttoptr i64 %arg.c to ptr
  %.133.i = trunc i64 %.67 to i32
  tail call void %.123.i(i32 101, i32 %.125.i, i32 %.126.i, i32 %.127.i, double %.73, ptr %.128.i, i32 %.129.i, ptr %.130.i, i32 %.131.i, double %.79, ptr %.132.i, i32 %.133.i), !noalias !37
  br label %common.ret

B462:                                             ; preds = %B304
  %.211 = icmp eq i64 %arg.m, 1
  br i1 %.211, label %B474, label %B608

B474:                                             ; preds = %B462
  %1 = icmp eq i8 %arg.single, 0
  %.229.not = icmp eq i64 %.49, 0
  %flag.5.0 = select i1 %.229.not, i64 112, i64 111
  %columns.5.0 = select i1 %.229.not, i64 %arg.n, i64 %.37
  %rows.5.0 = select i1 %.229.not, i64 %.37, i64 %arg.n
  %.254.not = icmp eq i64 %.43, 0
  %step.5.0 = select i1 %.254.not, i64 1, i64 %.55
  br i1 %1, label %B170.i17, label %B8.i2

B8.i2:                                            ; preds = %B474
  %.52.i3 = add nsw i64 %arg.team, 16
  %.55.i4 = inttoptr i64 %.52.i3 to ptr
  %.56.i5 = load i64, ptr %.55.i4, align 8, !noalias !40
  %.58.i6 = fptrunc double %.73 to float
  %.62.i7 = fptrunc double %.79 to float
  %.74.i8 = inttoptr i64 %.56.i5 to ptr
  %.76.i9 = trunc nuw nsw i64 %flag.5.0 to i32
  %.77.i10 = trunc i64 %rows.5.0 to i32
  %.78.i11 = trunc i64 %columns.5.0 to i32
  %.79.i12 = inttoptr i64 %arg.b to ptr
  %.80.i13 = trunc i64 %.61 to i32
  %.81.i14 = inttoptr i64 %arg.a to ptr
  %.82.i15 = trunc i64 %step.5.0 to i32
  %.83.i16 = inttoptr i64 %arg.c to ptr
  tail call void %.74.i8(i32 101, i32 %.76.i9, i32 %.77.i10, i32 %.78.i11, float %.58.i6, ptr %.79.i12, i32 %.80.i13, ptr %.81.i14, i32 %.82.i15, float %.62.i7, ptr %.83.i16, i32 1), !noalias !40
  br label %common.ret

B170.i17:                                         ; preds = %B474
  %.107.i18 = add nsw i64 %arg.team, 24
  %.110.i19 = inttoptr i64 %.107.i18 to ptr
  %.111.i20 = load i64, ptr %.110.i19, align 8, !noalias !40
  %.123.i21 = inttoptr i64 %.111.i20 to ptr
  %.125.i22 = trunc nuw nsw i64 %flag.5.0 to i32
  %.126.i23 = trunc i64 %rows.5.0 to i32
  %.127.i24 = trunc i64 %columns.5.0 to i32
  %.128.i25 = inttoptr i64 %arg.b to ptr
  %.129.i26 = trunc i64 %.61 to i32
  %.130.i27 = inttoptr i64 %arg.a to ptr
  %.131.i28 = trunc i64 %step.5.0 to i32
  %.132.i29 = inttoptr i64 %arg.c to ptr
  tail call void %.123.i21(i32 101, i32 %.125.i22, i32 %.126.i23, i32 %.127.i24, double %.73, ptr %.128.i25, i32 %.129.i26, ptr %.130.i27, i32 %.131.i28, double %.79, ptr %.132.i29, i32 1), !noalias !40
  br label %common.ret

B608:                                             ; preds = %B462, %entry
  %2 = icmp eq i8 %arg.single, 0
  %.334.not = icmp eq i64 %.43, 0
  %spec.select132 = select i1 %.334.not, i64 111, i64 112
  %.345.not = icmp eq i64 %.49, 0
  %flag_b.2.0 = select i1 %.345.not, i64 111, i64 112
  br i1 %2, label %B858, label %B692

common.ret:                                       ; preds = %B858, %B692, %B170.i17, %B8.i2, %B170.i, %B8.i
  store ptr null, ptr %retptr, align 8
  ret i32 0

B692:                                             ; preds = %B608
  %.360 = inttoptr i64 %arg.team to ptr
  %.361 = load i64, ptr %.360, align 8
  %.363 = fptrunc double %.73 to float
  %.367 = fptrunc double %.79 to float
  %.381 = inttoptr i64 %.361 to ptr
  %.383 = trunc nuw nsw i64 %spec.select132 to i32
  %.384 = trunc nuw nsw i64 %flag_b.2.0 to i32
  %.385 = trunc i64 %arg.m to i32
  %.386 = trunc i64 %arg.n to i32
  %.387 = trunc i64 %.37 to i32
  %.388 = inttoptr i64 %arg.a to ptr
  %.389 = trunc i64 %.55 to i32
  %.390 = inttoptr i64 %arg.b to ptr
  %.391 = trunc i64 %.61 to i32
  %.392 = inttoptr i64 %arg.c to ptr
  %.393 = trunc i64 %.67 to i32
  tail call void %.381(i32 101, i32 %.383, i32 %.384, i32 %.385, i32 %.386, i32 %.387, float %.363, ptr %.388, i32 %.389, ptr %.390, i32 %.391, float %.367, ptr %.392, i32 %.393)
  br label %common.ret

B858:                                             ; preds = %B608
  %.420 = add nsw i64 %arg.team, 8
  %.423 = inttoptr i64 %.420 to ptr
  %.424 = load i64, ptr %.423, align 8
  %.438 = inttoptr i64 %.424 to ptr
  %.440 = trunc nuw nsw i64 %spec.select132 to i32
  %.441 = trunc nuw nsw i64 %flag_b.2.0 to i32
  %.442 = trunc i64 %arg.m to i32
  %.443 = trunc i64 %arg.n to i32
  %.444 = trunc i64 %.37 to i32
  %.445 = inttoptr i64 %arg.a to ptr
  %.446 = trunc i64 %.55 to i32
  %.447 = inttoptr i64 %arg.b to ptr
  %.448 = trunc i64 %.61 to i32
  %.449 = inttoptr i64 %arg.c to ptr
  %.450 = trunc i64 %.67 to i32
  tail call void %.438(i32 101, i32 %.440, i32 %.441, i32 %.442, i32 %.443, i32 %.444, double %.73, ptr %.445, i32 %.446, ptr %.447, i32 %.448, double %.79, ptr %.449, i32 %.450)
  br label %common.ret
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel5patchB3v15B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx(ptr noalias writeonly captures(none) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.header) #5 {
B0.endif:
  %.5 = add nsw i64 %arg.header, 16
  %.6 = inttoptr i64 %.5 to ptr
  %.7 = load i64, ptr %.6, align 8
  %.11 = add nsw i64 %arg.header, 32
  %.12 = inttoptr i64 %.11 to ptr
  %.13 = load i64, ptr %.12, align 8
  %.17 = add nsw i64 %arg.header, 40
  %.18 = inttoptr i64 %.17 to ptr
  %.19 = load i64, ptr %.18, align 8
  %.23 = add nsw i64 %arg.header, 72
  %.24 = inttoptr i64 %.23 to ptr
  %.25 = load i64, ptr %.24, align 8
  %.29 = add nsw i64 %arg.header, 24
  %.30 = inttoptr i64 %.29 to ptr
  %.31 = load i64, ptr %.30, align 8
  %.11369.not = icmp slt i64 %.31, 1
  br i1 %.11369.not, label %B556, label %B262.lr.ph

B262.lr.ph:                                       ; preds = %B0.endif
  %.176.not = icmp eq i64 %.19, 0
  br i1 %.176.not, label %B262.us.preheader, label %B262.preheader

B262.preheader:                                   ; preds = %B262.lr.ph
  %xtraiter = and i64 %.31, 3
  %0 = icmp ult i64 %.31, 4
  br i1 %0, label %B262.epil.preheader, label %B262.preheader.new

B262.preheader.new:                               ; preds = %B262.preheader
  %const = bitcast i64 9223372036854775804 to i64
  %unroll_iter = and i64 %.31, %const
  %1 = add i64 %.7, 88
  br label %B262

B262.us.preheader:                                ; preds = %B262.lr.ph
  %xtraiter8 = and i64 %.31, 3
  %2 = icmp ult i64 %.31, 4
  br i1 %2, label %B262.us.epil.preheader, label %B262.us.preheader.new

B262.us.preheader.new:                            ; preds = %B262.us.preheader
  %const28 = bitcast i64 9223372036854775804 to i64
  %unroll_iter12 = and i64 %.31, %const28
  %3 = add i64 %.7, 88
  br label %B262.us

B262.us:                                          ; preds = %B262.us, %B262.us.preheader.new
  %lsr.iv20 = phi i64 [ %lsr.iv.next21, %B262.us ], [ %3, %B262.us.preheader.new ]
  %.1196870.us = phi i64 [ 0, %B262.us.preheader.new ], [ %.126.us.3, %B262.us ]
  %4 = add i64 %lsr.iv20, -88
  %.158.us = inttoptr i64 %4 to ptr
  %.159.us = load i64, ptr %.158.us, align 8
  %.160.us = shl nsw i64 %.159.us, 3
  %.166.us = add nsw i64 %.160.us, %.13
  %.167.us = inttoptr i64 %.166.us to ptr
  %.168.us = load i64, ptr %.167.us, align 8
  %.201.us = add nsw i64 %.168.us, %.25
  %.204.us = inttoptr i64 %.201.us to ptr
  %.205.us = load i64, ptr %.204.us, align 8
  %5 = add i64 %lsr.iv20, -80
  %.213.us = inttoptr i64 %5 to ptr
  %.214.us = load i64, ptr %.213.us, align 8
  %6 = add i64 %lsr.iv20, -72
  %.219.us = inttoptr i64 %6 to ptr
  %.220.us = load i64, ptr %.219.us, align 8
  %.222.us = add nsw i64 %.220.us, %.205.us
  %.225.us = inttoptr i64 %.214.us to ptr
  store i64 %.222.us, ptr %.225.us, align 8
  %7 = add i64 %lsr.iv20, -64
  %.158.us.1 = inttoptr i64 %7 to ptr
  %.159.us.1 = load i64, ptr %.158.us.1, align 8
  %.160.us.1 = shl nsw i64 %.159.us.1, 3
  %.166.us.1 = add nsw i64 %.160.us.1, %.13
  %.167.us.1 = inttoptr i64 %.166.us.1 to ptr
  %.168.us.1 = load i64, ptr %.167.us.1, align 8
  %.201.us.1 = add nsw i64 %.168.us.1, %.25
  %.204.us.1 = inttoptr i64 %.201.us.1 to ptr
  %.205.us.1 = load i64, ptr %.204.us.1, align 8
  %8 = add i64 %lsr.iv20, -56
  %.213.us.1 = inttoptr i64 %8 to ptr
  %.214.us.1 = load i64, ptr %.213.us.1, align 8
  %9 = add i64 %lsr.iv20, -48
  %.219.us.1 = inttoptr i64 %9 to ptr
  %.220.us.1 = load i64, ptr %.219.us.1, align 8
  %.222.us.1 = add nsw i64 %.220.us.1, %.205.us.1
  %.225.us.1 = inttoptr i64 %.214.us.1 to ptr
  store i64 %.222.us.1, ptr %.225.us.1, align 8
  %10 = add i64 %lsr.iv20, -40
  %.158.us.2 = inttoptr i64 %10 to ptr
  %.159.us.2 = load i64, ptr %.158.us.2, align 8
  %.160.us.2 = shl nsw i64 %.159.us.2, 3
  %.166.us.2 = add nsw i64 %.160.us.2, %.13
  %.167.us.2 = inttoptr i64 %.166.us.2 to ptr
  %.168.us.2 = load i64, ptr %.167.us.2, align 8
  %.201.us.2 = add nsw i64 %.168.us.2, %.25
  %.204.us.2 = inttoptr i64 %.201.us.2 to ptr
  %.205.us.2 = load i64, ptr %.204.us.2, align 8
  %11 = add i64 %lsr.iv20, -32
  %.213.us.2 = inttoptr i64 %11 to ptr
  %.214.us.2 = load i64, ptr %.213.us.2, align 8
  %12 = add i64 %lsr.iv20, -24
  %.219.us.2 = inttoptr i64 %12 to ptr
  %.220.us.2 = load i64, ptr %.219.us.2, align 8
  %.222.us.2 = add nsw i64 %.220.us.2, %.205.us.2
  %.225.us.2 = inttoptr i64 %.214.us.2 to ptr
  store i64 %.222.us.2, ptr %.225.us.2, align 8
  %.126.us.3 = add nuw nsw i64 %.1196870.us, 4
  %13 = add i64 %lsr.iv20, -16
  %.158.us.3 = inttoptr i64 %13 to ptr
  %.159.us.3 = load i64, ptr %.158.us.3, align 8
  %.160.us.3 = shl nsw i64 %.159.us.3, 3
  %.166.us.3 = add nsw i64 %.160.us.3, %.13
  %.167.us.3 = inttoptr i64 %.166.us.3 to ptr
  %.168.us.3 = load i64, ptr %.167.us.3, align 8
  %.201.us.3 = add nsw i64 %.168.us.3, %.25
  %.204.us.3 = inttoptr i64 %.201.us.3 to ptr
  %.205.us.3 = load i64, ptr %.204.us.3, align 8
  %14 = add i64 %lsr.iv20, -8
  %.213.us.3 = inttoptr i64 %14 to ptr
  %.214.us.3 = load i64, ptr %.213.us.3, align 8
  %.219.us.3 = inttoptr i64 %lsr.iv20 to ptr
  %.220.us.3 = load i64, ptr %.219.us.3, align 8
  %.222.us.3 = add nsw i64 %.220.us.3, %.205.us.3
  %.225.us.3 = inttoptr i64 %.214.us.3 to ptr
  store i64 %.222.us.3, ptr %.225.us.3, align 8
  %lsr.iv.next21 = add i64 %lsr.iv20, 96
  %niter13.ncmp.3 = icmp eq i64 %unroll_iter12, %.126.us.3
  br i1 %niter13.ncmp.3, label %B556.loopexit.unr-lcssa, label %B262.us

B262:                                             ; preds = %B452.3, %B262.preheader.new
  %lsr.iv26 = phi i64 [ %lsr.iv.next27, %B452.3 ], [ %1, %B262.preheader.new ]
  %.1196870 = phi i64 [ 0, %B262.preheader.new ], [ %.126.3, %B452.3 ]
  %15 = add i64 %lsr.iv26, -88
  %.158 = inttoptr i64 %15 to ptr
  %.159 = load i64, ptr %.158, align 8
  %.160 = shl nsw i64 %.159, 3
  %.166 = add nsw i64 %.160, %.13
  %.167 = inttoptr i64 %.166 to ptr
  %.168 = load i64, ptr %.167, align 8
  %.180 = add nsw i64 %.160, %.19
  %.183 = inttoptr i64 %.180 to ptr
  %.184 = load i64, ptr %.183, align 8
  %.195.not = icmp eq i64 %.184, 0
  br i1 %.195.not, label %B452, label %B416

B416:                                             ; preds = %B262
  %.201 = add nsw i64 %.168, %.25
  %.204 = inttoptr i64 %.201 to ptr
  %.205 = load i64, ptr %.204, align 8
  br label %B452

B452:                                             ; preds = %B416, %B262
  %base.2.1 = phi i64 [ %.205, %B416 ], [ %.168, %B262 ]
  %16 = add i64 %lsr.iv26, -80
  %.213 = inttoptr i64 %16 to ptr
  %.214 = load i64, ptr %.213, align 8
  %17 = add i64 %lsr.iv26, -72
  %.219 = inttoptr i64 %17 to ptr
  %.220 = load i64, ptr %.219, align 8
  %.222 = add nsw i64 %.220, %base.2.1
  %.225 = inttoptr i64 %.214 to ptr
  store i64 %.222, ptr %.225, align 8
  %18 = add i64 %lsr.iv26, -64
  %.158.1 = inttoptr i64 %18 to ptr
  %.159.1 = load i64, ptr %.158.1, align 8
  %.160.1 = shl nsw i64 %.159.1, 3
  %.166.1 = add nsw i64 %.160.1, %.13
  %.167.1 = inttoptr i64 %.166.1 to ptr
  %.168.1 = load i64, ptr %.167.1, align 8
  %.180.1 = add nsw i64 %.160.1, %.19
  %.183.1 = inttoptr i64 %.180.1 to ptr
  %.184.1 = load i64, ptr %.183.1, align 8
  %.195.not.1 = icmp eq i64 %.184.1, 0
  br i1 %.195.not.1, label %B452.1, label %B416.1

B416.1:                                           ; preds = %B452
  %.201.1 = add nsw i64 %.168.1, %.25
  %.204.1 = inttoptr i64 %.201.1 to ptr
  %.205.1 = load i64, ptr %.204.1, align 8
  br label %B452.1

B452.1:                                           ; preds = %B416.1, %B452
  %base.2.1.1 = phi i64 [ %.205.1, %B416.1 ], [ %.168.1, %B452 ]
  %19 = add i64 %lsr.iv26, -56
  %.213.1 = inttoptr i64 %19 to ptr
  %.214.1 = load i64, ptr %.213.1, align 8
  %20 = add i64 %lsr.iv26, -48
  %.219.1 = inttoptr i64 %20 to ptr
  %.220.1 = load i64, ptr %.219.1, align 8
  %.222.1 = add nsw i64 %.220.1, %base.2.1.1
  %.225.1 = inttoptr i64 %.214.1 to ptr
  store i64 %.222.1, ptr %.225.1, align 8
  %21 = add i64 %lsr.iv26, -40
  %.158.2 = inttoptr i64 %21 to ptr
  %.159.2 = load i64, ptr %.158.2, align 8
  %.160.2 = shl nsw i64 %.159.2, 3
  %.166.2 = add nsw i64 %.160.2, %.13
  %.167.2 = inttoptr i64 %.166.2 to ptr
  %.168.2 = load i64, ptr %.167.2, align 8
  %.180.2 = add nsw i64 %.160.2, %.19
  %.183.2 = inttoptr i64 %.180.2 to ptr
  %.184.2 = load i64, ptr %.183.2, align 8
  %.195.not.2 = icmp eq i64 %.184.2, 0
  br i1 %.195.not.2, label %B452.2, label %B416.2

B416.2:                                           ; preds = %B452.1
  %.201.2 = add nsw i64 %.168.2, %.25
  %.204.2 = inttoptr i64 %.201.2 to ptr
  %.205.2 = load i64, ptr %.204.2, align 8
  br label %B452.2

B452.2:                                           ; preds = %B416.2, %B452.1
  %base.2.1.2 = phi i64 [ %.205.2, %B416.2 ], [ %.168.2, %B452.1 ]
  %22 = add i64 %lsr.iv26, -32
  %.213.2 = inttoptr i64 %22 to ptr
  %.214.2 = load i64, ptr %.213.2, align 8
  %23 = add i64 %lsr.iv26, -24
  %.219.2 = inttoptr i64 %23 to ptr
  %.220.2 = load i64, ptr %.219.2, align 8
  %.222.2 = add nsw i64 %.220.2, %base.2.1.2
  %.225.2 = inttoptr i64 %.214.2 to ptr
  store i64 %.222.2, ptr %.225.2, align 8
  %.126.3 = add nuw nsw i64 %.1196870, 4
  %24 = add i64 %lsr.iv26, -16
  %.158.3 = inttoptr i64 %24 to ptr
  %.159.3 = load i64, ptr %.158.3, align 8
  %.160.3 = shl nsw i64 %.159.3, 3
  %.166.3 = add nsw i64 %.160.3, %.13
  %.167.3 = inttoptr i64 %.166.3 to ptr
  %.168.3 = load i64, ptr %.167.3, align 8
  %.180.3 = add nsw i64 %.160.3, %.19
  %.183.3 = inttoptr i64 %.180.3 to ptr
  %.184.3 = load i64, ptr %.183.3, align 8
  %.195.not.3 = icmp eq i64 %.184.3, 0
  br i1 %.195.not.3, label %B452.3, label %B416.3

B416.3:                                           ; preds = %B452.2
  %.201.3 = add nsw i64 %.168.3, %.25
  %.204.3 = inttoptr i64 %.201.3 to ptr
  %.205.3 = load i64, ptr %.204.3, align 8
  br label %B452.3

B452.3:                                           ; preds = %B416.3, %B452.2
  %base.2.1.3 = phi i64 [ %.205.3, %B416.3 ], [ %.168.3, %B452.2 ]
  %25 = add i64 %lsr.iv26, -8
  %.213.3 = inttoptr i64 %25 to ptr
  %.214.3 = load i64, ptr %.213.3, align 8
  %.219.3 = inttoptr i64 %lsr.iv26 to ptr
  %.220.3 = load i64, ptr %.219.3, align 8
  %.222.3 = add nsw i64 %.220.3, %base.2.1.3
  %.225.3 = inttoptr i64 %.214.3 to ptr
  store i64 %.222.3, ptr %.225.3, align 8
  %lsr.iv.next27 = add i64 %lsr.iv26, 96
  %niter.ncmp.3 = icmp eq i64 %unroll_iter, %.126.3
  br i1 %niter.ncmp.3, label %B556.loopexit6.unr-lcssa, label %B262

B556.loopexit.unr-lcssa:                          ; preds = %B262.us
  %lcmp.mod10.not = icmp eq i64 %xtraiter8, 0
  br i1 %lcmp.mod10.not, label %B556, label %B262.us.epil.preheader

B262.us.epil.preheader:                           ; preds = %B556.loopexit.unr-lcssa, %B262.us.preheader
  %.1196870.us.epil.init = phi i64 [ 0, %B262.us.preheader ], [ %.126.us.3, %B556.loopexit.unr-lcssa ]
  %26 = mul i64 %.1196870.us.epil.init, 24
  %27 = add nsw i64 %.7, %26
  br label %B262.us.epil

B262.us.epil:                                     ; preds = %B262.us.epil, %B262.us.epil.preheader
  %lsr.iv18 = phi i64 [ %lsr.iv.next19, %B262.us.epil ], [ %xtraiter8, %B262.us.epil.preheader ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B262.us.epil ], [ %27, %B262.us.epil.preheader ]
  %.158.us.epil = inttoptr i64 %lsr.iv to ptr
  %.159.us.epil = load i64, ptr %.158.us.epil, align 8
  %.160.us.epil = shl nsw i64 %.159.us.epil, 3
  %.166.us.epil = add nsw i64 %.160.us.epil, %.13
  %.167.us.epil = inttoptr i64 %.166.us.epil to ptr
  %.168.us.epil = load i64, ptr %.167.us.epil, align 8
  %.201.us.epil = add nsw i64 %.168.us.epil, %.25
  %.204.us.epil = inttoptr i64 %.201.us.epil to ptr
  %.205.us.epil = load i64, ptr %.204.us.epil, align 8
  %28 = add i64 %lsr.iv, 8
  %.213.us.epil = inttoptr i64 %28 to ptr
  %.214.us.epil = load i64, ptr %.213.us.epil, align 8
  %29 = add i64 %lsr.iv, 16
  %.219.us.epil = inttoptr i64 %29 to ptr
  %.220.us.epil = load i64, ptr %.219.us.epil, align 8
  %.222.us.epil = add nsw i64 %.220.us.epil, %.205.us.epil
  %.225.us.epil = inttoptr i64 %.214.us.epil to ptr
  store i64 %.222.us.epil, ptr %.225.us.epil, align 8
  %lsr.iv.next = add i64 %lsr.iv, 24
  %lsr.iv.next19 = add nsw i64 %lsr.iv18, -1
  %epil.iter9.cmp.not = icmp eq i64 %lsr.iv.next19, 0
  br i1 %epil.iter9.cmp.not, label %B556, label %B262.us.epil, !llvm.loop !43

B556.loopexit6.unr-lcssa:                         ; preds = %B452.3
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B556, label %B262.epil.preheader

B262.epil.preheader:                              ; preds = %B556.loopexit6.unr-lcssa, %B262.preheader
  %.1196870.epil.init = phi i64 [ 0, %B262.preheader ], [ %.126.3, %B556.loopexit6.unr-lcssa ]
  %30 = mul i64 %.1196870.epil.init, 24
  %31 = add nsw i64 %.7, %30
  br label %B262.epil

B262.epil:                                        ; preds = %B452.epil, %B262.epil.preheader
  %lsr.iv24 = phi i64 [ %lsr.iv.next25, %B452.epil ], [ %xtraiter, %B262.epil.preheader ]
  %lsr.iv22 = phi i64 [ %lsr.iv.next23, %B452.epil ], [ %31, %B262.epil.preheader ]
  %.158.epil = inttoptr i64 %lsr.iv22 to ptr
  %.159.epil = load i64, ptr %.158.epil, align 8
  %.160.epil = shl nsw i64 %.159.epil, 3
  %.166.epil = add nsw i64 %.160.epil, %.13
  %.167.epil = inttoptr i64 %.166.epil to ptr
  %.168.epil = load i64, ptr %.167.epil, align 8
  %.180.epil = add nsw i64 %.160.epil, %.19
  %.183.epil = inttoptr i64 %.180.epil to ptr
  %.184.epil = load i64, ptr %.183.epil, align 8
  %.195.not.epil = icmp eq i64 %.184.epil, 0
  br i1 %.195.not.epil, label %B452.epil, label %B416.epil

B416.epil:                                        ; preds = %B262.epil
  %.201.epil = add nsw i64 %.168.epil, %.25
  %.204.epil = inttoptr i64 %.201.epil to ptr
  %.205.epil = load i64, ptr %.204.epil, align 8
  br label %B452.epil

B452.epil:                                        ; preds = %B416.epil, %B262.epil
  %base.2.1.epil = phi i64 [ %.205.epil, %B416.epil ], [ %.168.epil, %B262.epil ]
  %32 = add i64 %lsr.iv22, 8
  %.213.epil = inttoptr i64 %32 to ptr
  %.214.epil = load i64, ptr %.213.epil, align 8
  %33 = add i64 %lsr.iv22, 16
  %.219.epil = inttoptr i64 %33 to ptr
  %.220.epil = load i64, ptr %.219.epil, align 8
  %.222.epil = add nsw i64 %.220.epil, %base.2.1.epil
  %.225.epil = inttoptr i64 %.214.epil to ptr
  store i64 %.222.epil, ptr %.225.epil, align 8
  %lsr.iv.next23 = add i64 %lsr.iv22, 24
  %lsr.iv.next25 = add nsw i64 %lsr.iv24, -1
  %epil.iter.cmp.not = icmp eq i64 %lsr.iv.next25, 0
  br i1 %epil.iter.cmp.not, label %B556, label %B262.epil, !llvm.loop !45

B556:                                             ; preds = %B452.epil, %B556.loopexit6.unr-lcssa, %B262.us.epil, %B556.loopexit.unr-lcssa, %B0.endif
  store ptr null, ptr %retptr, align 8
  ret i32 0
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel6spreadB3v16B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i64 %arg.row, i64 %arg.wanted) {
B0.endif:
  %.72 = alloca i8, align 1
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.237 = alloca ptr, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.11.i = tail call i64 @llvm.smin.i64(i64 %arg.wanted, i64 65535)
  %.45 = icmp sgt i64 %arg.wanted, 1
  br i1 %.45, label %B48, label %B198.endif

B48:                                              ; preds = %B0.endif
  %.48 = add nsw i64 %arg.team, 88
  %.49 = inttoptr i64 %.48 to ptr
  %.50 = load i64, ptr %.49, align 8
  %.51 = icmp sgt i64 %.50, 1
  br i1 %.51, label %B102, label %B230.preheader

B102:                                             ; preds = %B48
  %.54 = add nsw i64 %arg.team, 96
  %.55 = inttoptr i64 %.54 to ptr
  %.56 = load i64, ptr %.55, align 8
  %.57 = icmp eq i64 %.56, 0
  br i1 %.57, label %B156, label %B160

common.ret:                                       ; preds = %B230.if.if, %B160.endif.if.if, %B270, %B194, %B156
  %common.ret.op = phi i32 [ 0, %B156 ], [ 0, %B194 ], [ 0, %B270 ], [ %.241, %B230.if.if ], [ %.76, %B160.endif.if.if ]
  ret i32 %common.ret.op

B156:                                             ; preds = %B102
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B160:                                             ; preds = %B102
  store i8 0, ptr %.72, align 1
  %.76 = call i32 @_ZN7vitrify6kernel5splitB3v17B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr nonnull %.72, ptr nonnull %excinfo.2, i64 %arg.team, i64 %arg.row, i64 %.11.i)
  %.77 = load ptr, ptr %excinfo.2, align 8
  %.84 = icmp sgt i32 %.76, 0
  %.85 = select i1 %.84, ptr %.77, ptr undef
  %.86 = load i8, ptr %.72, align 1
  %.89 = icmp eq i8 %.86, 0
  br i1 %.89, label %B160.endif.thread, label %B160.endif

B194:                                             ; preds = %B160.endif
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B230:                                             ; preds = %B230.preheader, %B228.backedge
  %.2016264 = phi i64 [ %.208, %B228.backedge ], [ 0, %B230.preheader ]
  %.241 = call i32 @_ZN7vitrify6kernel9run_chunkB2v4B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr nonnull %.237, ptr nonnull %excinfo.3, i64 %arg.team, i64 %arg.row, i64 %.2016264, i64 %.11.i)
  %cond2 = icmp eq i32 %.241, 0
  br i1 %cond2, label %B228.backedge, label %B230.if.if, !prof !5

B228.backedge:                                    ; preds = %B230
  %.208 = add nuw i64 %.2016264, 1
  %exitcond.not = icmp eq i64 %.11.i, %.208
  br i1 %exitcond.not, label %B270, label %B230

B270:                                             ; preds = %B198.endif, %B228.backedge
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B160.endif:                                       ; preds = %B160
  %0 = icmp eq i32 %.76, 0
  br i1 %0, label %B194, label %B160.endif.if.if, !prof !5

B160.endif.thread:                                ; preds = %B160
  %1 = icmp eq i32 %.76, 0
  br i1 %1, label %B230.preheader, label %B160.endif.if.if, !prof !5

B160.endif.if.if:                                 ; preds = %B160.endif.thread, %B160.endif
  store ptr %.85, ptr %excinfo, align 8
  br label %common.ret

B198.endif:                                       ; preds = %B0.endif
  %.19563.not.not = icmp eq i64 %arg.wanted, 1
  br i1 %.19563.not.not, label %B230.preheader, label %B270

B230.preheader:                                   ; preds = %B198.endif, %B160.endif.thread, %B48
  br label %B230

B230.if.if:                                       ; preds = %B230
  %.249 = icmp sgt i32 %.241, 0
  %.242 = load ptr, ptr %excinfo.3, align 8
  %.250 = select i1 %.249, ptr %.242, ptr undef
  store ptr %.250, ptr %excinfo, align 8
  br label %common.ret
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel5splitB3v17B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i64 %arg.row, i64 %arg.chunks) local_unnamed_addr {
B0:
  %.63.i = alloca ptr, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.14 = add nsw i64 %arg.team, 256
  %.15 = inttoptr i64 %.14 to ptr
  %.16 = cmpxchg ptr %.15, i64 0, i64 1 seq_cst seq_cst, align 8
  %.17 = extractvalue { i64, i1 } %.16, 1
  br i1 %.17, label %B58, label %B54

common.ret:                                       ; preds = %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit, %B582, %B54
  %common.ret.op = phi i32 [ 0, %B54 ], [ 0, %B582 ], [ %.67.i, %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit ]
  ret i32 %common.ret.op

B54:                                              ; preds = %B0
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B58:                                              ; preds = %B0
  %.29 = add nsw i64 %arg.team, 128
  %.30 = inttoptr i64 %.29 to ptr
  %.31 = load atomic i64, ptr %.30 seq_cst, align 8
  %.36 = add nsw i64 %arg.team, 120
  %.38 = inttoptr i64 %.36 to ptr
  store atomic i64 %arg.row, ptr %.38 seq_cst, align 8
  %.43 = add nsw i64 %arg.team, 192
  %.44 = inttoptr i64 %.43 to ptr
  store atomic i64 0, ptr %.44 seq_cst, align 8
  %0 = and i64 %.31, -4294967296
  %.48 = add i64 %0, 4294967296
  %.50 = or i64 %.48, %arg.chunks
  %.52 = atomicrmw xchg ptr %.30, i64 %.50 seq_cst, align 8
  %.55 = add nsw i64 %arg.chunks, -1
  br label %B10.endif.i

B104.i:                                           ; preds = %B10.endif.i
  %.70.i = sub nsw i64 %.14.i, %.11.i.i
  %sunkaddr = inttoptr i64 %arg.team to ptr
  %sunkaddr17 = getelementptr i8, ptr %sunkaddr, i64 320
  %.73.i = cmpxchg ptr %sunkaddr17, i64 %.14.i, i64 %.70.i seq_cst seq_cst, align 8, !noalias !46
  %.74.i = extractvalue { i64, i1 } %.73.i, 1
  br i1 %.74.i, label %B196.lr.ph.i, label %B10.endif.i

B196.i:                                           ; preds = %B196.lr.ph.i, %B196.i
  %lsr.iv.i = phi i64 [ %1, %B196.lr.ph.i ], [ %lsr.iv.next.i, %B196.i ]
  %sunkaddr18 = inttoptr i64 %arg.team to ptr
  %sunkaddr20 = getelementptr i8, ptr %sunkaddr18, i64 56
  %.207.i = load i64, ptr %sunkaddr20, align 8, !noalias !46
  %sunkaddr24 = inttoptr i64 %arg.team to ptr
  %sunkaddr26 = getelementptr i8, ptr %sunkaddr24, i64 64
  %.211.i = load i64, ptr %sunkaddr26, align 8, !noalias !46
  %.212.i = inttoptr i64 %.207.i to ptr
  %.213.i = inttoptr i64 %.211.i to ptr
  %.214.i = tail call i32 %.212.i(ptr %.213.i), !noalias !46
  %lsr.iv.next.i = add i64 %lsr.iv.i, -1
  %.166.i = icmp samesign ugt i64 %lsr.iv.next.i, 1
  br i1 %.166.i, label %B196.i, label %B58.endif

B10.endif.i:                                      ; preds = %B104.i, %B58
  %sunkaddr27 = inttoptr i64 %arg.team to ptr
  %sunkaddr28 = getelementptr i8, ptr %sunkaddr27, i64 320
  %.14.i = load atomic i64, ptr %sunkaddr28 seq_cst, align 8, !noalias !46
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.55, i64 %.14.i)
  %.54.i = icmp slt i64 %.11.i.i, 1
  br i1 %.54.i, label %B58.endif, label %B104.i

B196.lr.ph.i:                                     ; preds = %B104.i
  %1 = add nuw nsw i64 %.11.i.i, 1
  br label %B196.i

B404:                                             ; preds = %B404.preheader, %B528
  %spins.2.0 = phi i64 [ %.123, %B528 ], [ 0, %B404.preheader ]
  %.130 = icmp samesign ult i64 %spins.2.0, 1999
  br i1 %.130, label %B426, label %B456

B426:                                             ; preds = %B404
  tail call void @llvm.x86.sse2.pause()
  br label %B528

B456:                                             ; preds = %B404
  %sunkaddr30 = inttoptr i64 %arg.team to ptr
  %sunkaddr32 = getelementptr i8, ptr %sunkaddr30, i64 40
  %.137 = load i64, ptr %sunkaddr32, align 8
  %.138 = inttoptr i64 %.137 to ptr
  %.139 = tail call i32 %.138()
  br label %B528

B528:                                             ; preds = %B456, %B426
  %sunkaddr34 = inttoptr i64 %arg.team to ptr
  %sunkaddr35 = getelementptr i8, ptr %sunkaddr34, i64 192
  %.150 = load atomic i64, ptr %sunkaddr35 seq_cst, align 8
  %.152 = icmp slt i64 %.150, %arg.chunks
  %.123 = add nuw nsw i64 %spins.2.0, 1
  br i1 %.152, label %B404, label %B582

B582:                                             ; preds = %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread, %B528
  %2 = inttoptr i64 %arg.team to ptr
  %sunkaddr29 = getelementptr i8, ptr %2, i64 256
  store atomic i64 0, ptr %sunkaddr29 seq_cst, align 8
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B58.endif:                                        ; preds = %B10.endif.i, %B196.i
  %3 = inttoptr i64 %arg.team to ptr
  call void @llvm.lifetime.start.p0(ptr nonnull %.63.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %excinfo.1.i)
  store ptr null, ptr %.63.i, align 8, !noalias !49
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !49
  %sunkaddr31 = getelementptr i8, ptr %3, i64 128
  %.1125.i = load atomic i64, ptr %sunkaddr31 seq_cst, align 8, !noalias !49
  %.1626.i = lshr i64 %.1125.i, 16
  %.1727.i = and i64 %.1626.i, 65535
  %.2228.i = and i64 %.1125.i, 65535
  %.28.not29.i = icmp samesign ult i64 %.1727.i, %.2228.i
  br i1 %.28.not29.i, label %B94.i.preheader, label %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread

B94.i.preheader:                                  ; preds = %B58.endif
  br label %B94.i

B94.i:                                            ; preds = %B280.i, %B94.i.preheader
  %.2232.i = phi i64 [ %.22.i, %B280.i ], [ %.2228.i, %B94.i.preheader ]
  %.1731.i = phi i64 [ %.17.i, %B280.i ], [ %.1727.i, %B94.i.preheader ]
  %.1130.i = phi i64 [ %.11.i, %B280.i ], [ %.1125.i, %B94.i.preheader ]
  %sunkaddr36 = inttoptr i64 %arg.team to ptr
  %sunkaddr37 = getelementptr i8, ptr %sunkaddr36, i64 120
  %.43.i = load atomic i64, ptr %sunkaddr37 seq_cst, align 8, !noalias !49
  %.50.i = add nsw i64 %.1130.i, 65536
  %sunkaddr38 = inttoptr i64 %arg.team to ptr
  %sunkaddr40 = getelementptr i8, ptr %sunkaddr38, i64 128
  %.53.i = cmpxchg ptr %sunkaddr40, i64 %.1130.i, i64 %.50.i seq_cst seq_cst, align 8, !noalias !49
  %.54.i1 = extractvalue { i64, i1 } %.53.i, 1
  br i1 %.54.i1, label %B196.i2, label %B280.i

B196.i2:                                          ; preds = %B94.i
  store ptr null, ptr %.63.i, align 8, !noalias !49
  %.67.i = call i32 @_ZN7vitrify6kernel9run_chunkB2v4B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr nonnull %.63.i, ptr nonnull %excinfo.1.i, i64 %arg.team, i64 %.43.i, i64 %.1731.i, i64 %.2232.i), !noalias !49
  %cond.i = icmp eq i32 %.67.i, 0
  br i1 %cond.i, label %B196.endif.i, label %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit, !prof !5

B280.i:                                           ; preds = %B196.endif.i, %B94.i
  %sunkaddr42 = inttoptr i64 %arg.team to ptr
  %sunkaddr43 = getelementptr i8, ptr %sunkaddr42, i64 128
  %.11.i = load atomic i64, ptr %sunkaddr43 seq_cst, align 8, !noalias !49
  %.16.i = lshr i64 %.11.i, 16
  %.17.i = and i64 %.16.i, 65535
  %.22.i = and i64 %.11.i, 65535
  %.28.not.i = icmp samesign ult i64 %.17.i, %.22.i
  br i1 %.28.not.i, label %B94.i, label %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread

B196.endif.i:                                     ; preds = %B196.i2
  %sunkaddr44 = inttoptr i64 %arg.team to ptr
  %sunkaddr45 = getelementptr i8, ptr %sunkaddr44, i64 192
  %.98.i = atomicrmw add ptr %sunkaddr45, i64 1 seq_cst, align 8, !noalias !49
  br label %B280.i

_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread: ; preds = %B280.i, %B58.endif
  %4 = inttoptr i64 %arg.team to ptr
  call void @llvm.lifetime.end.p0(ptr nonnull %.63.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %sunkaddr41 = getelementptr i8, ptr %4, i64 192
  %.115 = load atomic i64, ptr %sunkaddr41 seq_cst, align 8
  %.117 = icmp slt i64 %.115, %arg.chunks
  br i1 %.117, label %B404.preheader, label %B582

B404.preheader:                                   ; preds = %_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit.thread
  br label %B404

_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx.exit: ; preds = %B196.i2
  %.68.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !49
  call void @llvm.lifetime.end.p0(ptr nonnull %.63.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %.97 = icmp sgt i32 %.67.i, 0
  %.98 = select i1 %.97, ptr %.68.i, ptr undef
  store ptr %.98, ptr %excinfo, align 8
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel5leaveB3v19B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.header, i64 %arg.pc, i64 %arg.status, i64 %arg.detail) #6 {
B0:
  %.8 = add nsw i64 %arg.header, 8
  %.9 = inttoptr i64 %.8 to ptr
  store i64 %arg.pc, ptr %.9, align 8
  %.11 = add nsw i64 %arg.header, 56
  %.12 = inttoptr i64 %.11 to ptr
  store i64 %arg.detail, ptr %.12, align 8
  store i64 %arg.status, ptr %retptr, align 8
  ret i32 0
}

define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel4pushB3v20B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.team, i64 %arg.block, i64 %arg.source, i64 %arg.count) {
B0:
  %.17 = add nsw i64 %arg.block, 16
  %.18 = inttoptr i64 %.17 to ptr
  %.19 = load i64, ptr %.18, align 8
  %.25 = add nsw i64 %.19, %arg.count
  %.30 = add nsw i64 %arg.block, 8
  %.31 = inttoptr i64 %.30 to ptr
  %.32 = load i64, ptr %.31, align 8
  %.34 = icmp sgt i64 %.25, %.32
  br i1 %.34, label %B94.endif, label %B0.B354_crit_edge

B0.B354_crit_edge:                                ; preds = %B0
  br label %B354

common.ret:                                       ; preds = %B94.endif, %B354
  %storemerge = phi i8 [ 1, %B354 ], [ 0, %B94.endif ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B284:                                             ; preds = %B94.endif
  %0 = inttoptr i64 %arg.block to ptr
  %.90 = ptrtoint ptr %.89 to i64
  store i64 %.90, ptr %0, align 8
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr1 = getelementptr i8, ptr %sunkaddr, i64 8
  store i64 %.16.i, ptr %sunkaddr1, align 8
  br label %B354

B354:                                             ; preds = %B284, %B0.B354_crit_edge
  %sunkaddr4 = inttoptr i64 %arg.block to ptr
  %.132 = load i64, ptr %sunkaddr4, align 8
  %.134 = add nsw i64 %.132, %.19
  %.139 = inttoptr i64 %.134 to ptr
  %.140 = inttoptr i64 %arg.source to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.139, ptr align 1 %.140, i64 %arg.count, i1 false)
  %sunkaddr2 = inttoptr i64 %arg.block to ptr
  %sunkaddr3 = getelementptr i8, ptr %sunkaddr2, i64 16
  store i64 %.25, ptr %sunkaddr3, align 8
  br label %common.ret

B94.endif:                                        ; preds = %B0
  %.40 = shl nsw i64 %.32, 1
  %.14.i = tail call i64 @llvm.smax.i64(i64 %.25, i64 %.40)
  %.16.i = tail call i64 @llvm.smax.i64(i64 %.14.i, i64 256)
  %.78 = add nsw i64 %arg.team, 32
  %.81 = inttoptr i64 %.78 to ptr
  %.82 = load i64, ptr %.81, align 8
  %.84 = inttoptr i64 %arg.block to ptr
  %.85 = load i64, ptr %.84, align 8
  %.87 = inttoptr i64 %.82 to ptr
  %.88 = inttoptr i64 %.85 to ptr
  %.89 = tail call ptr %.87(ptr %.88, i64 %.16.i)
  %.95 = icmp eq ptr %.89, null
  br i1 %.95, label %common.ret, label %B284
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel3popB3v22B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.block, i64 %arg.target, i64 %arg.count) #7 {
B0:
  %.14 = add nsw i64 %arg.block, 16
  %.15 = inttoptr i64 %.14 to ptr
  %.16 = load i64, ptr %.15, align 8
  %.18 = sub nsw i64 %.16, %arg.count
  %.23 = icmp slt i64 %.18, 0
  br i1 %.23, label %common.ret, label %B62

common.ret:                                       ; preds = %B62, %B0
  %storemerge = phi i8 [ 1, %B62 ], [ 0, %B0 ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B62:                                              ; preds = %B0
  %.37 = inttoptr i64 %arg.block to ptr
  %.38 = load i64, ptr %.37, align 8
  %.40 = add nsw i64 %.38, %.18
  %.43 = inttoptr i64 %arg.target to ptr
  %.44 = inttoptr i64 %.40 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.43, ptr align 1 %.44, i64 %arg.count, i1 false)
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr1 = getelementptr i8, ptr %sunkaddr, i64 16
  store i64 %.18, ptr %sunkaddr1, align 8
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel4peekB3v23B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.block, i64 %arg.index, i64 %arg.target, i64 %arg.count) #7 {
B0:
  %.17 = icmp slt i64 %arg.index, 0
  br i1 %.17, label %common.ret, label %B16

B16:                                              ; preds = %B0
  %.20 = add nuw nsw i64 %arg.index, 1
  %.22 = mul nsw i64 %arg.count, %.20
  %.24 = add nsw i64 %arg.block, 16
  %.25 = inttoptr i64 %.24 to ptr
  %.26 = load i64, ptr %.25, align 8
  %.27 = icmp sgt i64 %.22, %.26
  br i1 %.27, label %common.ret, label %B76

common.ret:                                       ; preds = %B76, %B16, %B0
  %storemerge = phi i8 [ 1, %B76 ], [ 0, %B16 ], [ 0, %B0 ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B76:                                              ; preds = %B16
  %.41 = inttoptr i64 %arg.block to ptr
  %.42 = load i64, ptr %.41, align 8
  %.47 = mul nsw i64 %arg.count, %arg.index
  %.50 = add nsw i64 %.42, %.47
  %.53 = inttoptr i64 %arg.target to ptr
  %.54 = inttoptr i64 %.50 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.53, ptr align 1 %.54, i64 %arg.count, i1 false)
  br label %common.ret
}

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }
attributes #4 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #6 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #7 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!2, !4}
!2 = distinct !{!2, !3, !"_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!3 = distinct !{!3, !"_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!4 = distinct !{!4, !3, !"_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %excinfo"}
!5 = !{!"branch_weights", i32 49, i32 1}
!6 = !{!7, !9}
!7 = distinct !{!7, !8, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!8 = distinct !{!8, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!9 = distinct !{!9, !10, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!10 = distinct !{!10, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!11 = !{!12, !14}
!12 = distinct !{!12, !13, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!13 = distinct !{!13, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!14 = distinct !{!14, !15, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!15 = distinct !{!15, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!16 = !{!17, !19}
!17 = distinct !{!17, !18, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!18 = distinct !{!18, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!19 = distinct !{!19, !20, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!20 = distinct !{!20, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!21 = !{!22}
!22 = distinct !{!22, !23, !"_ZN7vitrify6kernel5sleepB3v13B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!23 = distinct !{!23, !"_ZN7vitrify6kernel5sleepB3v13B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!24 = !{!25, !27, !22}
!25 = distinct !{!25, !26, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!26 = distinct !{!26, !"_ZN7vitrify6kernel8has_workB3v12B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!27 = distinct !{!27, !28, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!28 = distinct !{!28, !"_ZN7vitrify6kernel5rouseB3v11B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!29 = !{!27, !22}
!30 = !{!31, !22}
!31 = distinct !{!31, !32, !"_ZN7vitrify6kernel8withdrawB3v14B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!32 = distinct !{!32, !"_ZN7vitrify6kernel8withdrawB3v14B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!33 = !{!9}
!34 = !{!14}
!35 = !{!19}
!36 = !{!"branch_weights", i32 99, i32 1}
!37 = !{!38}
!38 = distinct !{!38, !39, !"_ZN7vitrify6kernel15multiply_vectorB3v10B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxdxxxxdxx: %retptr"}
!39 = distinct !{!39, !"_ZN7vitrify6kernel15multiply_vectorB3v10B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxdxxxxdxx"}
!40 = !{!41}
!41 = distinct !{!41, !42, !"_ZN7vitrify6kernel15multiply_vectorB3v10B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxdxxxxdxx: %retptr"}
!42 = distinct !{!42, !"_ZN7vitrify6kernel15multiply_vectorB3v10B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExbxxxdxxxxdxx"}
!43 = distinct !{!43, !44}
!44 = !{!"llvm.loop.unroll.disable"}
!45 = distinct !{!45, !44}
!46 = !{!47}
!47 = distinct !{!47, !48, !"_ZN7vitrify6kernel4wakeB3v18B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExx: %retptr"}
!48 = distinct !{!48, !"_ZN7vitrify6kernel4wakeB3v18B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dExx"}
!49 = !{!50, !52}
!50 = distinct !{!50, !51, !"_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %retptr"}
!51 = distinct !{!51, !"_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx"}
!52 = distinct !{!52, !51, !"_ZN7vitrify6kernel4workB2v3B120c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsCAgXrKFt1X1eqJaXnqOgrqecVVICo5P6_2bkKDG5BMQuAiar4vxkEDOxKLlAvVYTGPpoCQFqJWayAUtoAgA_3dEx: %excinfo"}
