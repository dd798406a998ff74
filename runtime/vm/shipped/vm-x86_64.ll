; b58ff500742419660a85b5e23b3d851b83c18b0898aac4ef16723c4664da7ae6
; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@_ZN08NumbaEnv7vitrify6kernel2vmB2v1Ex = internal global ptr null
@numba.dynamic.globals.7f6b0b463610 = internal global ptr inttoptr (i64 140097727378960 to ptr)
@numba.dynamic.globals.7f6b0b460cd0 = internal global ptr inttoptr (i64 140097727368400 to ptr)
@numba.dynamic.globals.7f6b0b462f30 = internal global ptr inttoptr (i64 140097727377200 to ptr)
@numba.dynamic.globals.7f6b0b463930 = internal global ptr inttoptr (i64 140097727379760 to ptr)
@numba.dynamic.globals.7f6b0b461630 = internal global ptr inttoptr (i64 140097727370800 to ptr)
@numba.dynamic.globals.7f6b0b463250 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.1 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b461630.1 = internal global ptr inttoptr (i64 140097727370800 to ptr)
@numba.dynamic.globals.7f6b0b463250.2 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b455130 = internal global ptr inttoptr (i64 140097727320368 to ptr)
@numba.dynamic.globals.7f6b0b463250.3 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b455590 = internal global ptr inttoptr (i64 140097727321488 to ptr)
@numba.dynamic.globals.7f6b0b463250.4 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b455ef0 = internal global ptr inttoptr (i64 140097727323888 to ptr)
@numba.dynamic.globals.7f6b0b463250.5 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b456210 = internal global ptr inttoptr (i64 140097727324688 to ptr)
@numba.dynamic.globals.7f6b0b463250.6 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b4558b0 = internal global ptr inttoptr (i64 140097727322288 to ptr)
@numba.dynamic.globals.7f6b0b4558b0.1 = internal global ptr inttoptr (i64 140097727322288 to ptr)
@numba.dynamic.globals.7f6b0b463250.7 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b456ad0 = internal global ptr inttoptr (i64 140097727326928 to ptr)
@numba.dynamic.globals.7f6b0b463250.8 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.9 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b457070 = internal global ptr inttoptr (i64 140097727328368 to ptr)
@numba.dynamic.globals.7f6b0b463250.10 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b456530 = internal global ptr inttoptr (i64 140097727325488 to ptr)
@numba.dynamic.globals.7f6b0b463250.11 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.12 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b4576b0 = internal global ptr inttoptr (i64 140097727329968 to ptr)
@numba.dynamic.globals.7f6b0b463250.13 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.14 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b462c10 = internal global ptr inttoptr (i64 140097727376400 to ptr)
@numba.dynamic.globals.7f6b0b463250.15 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.16 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.17 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.18 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463250.19 = internal global ptr inttoptr (i64 140097727378000 to ptr)
@numba.dynamic.globals.7f6b0b463c50 = internal global ptr inttoptr (i64 140097727380560 to ptr)
@_ZN08NumbaEnv7vitrify6kernel9header_ofB2v2B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel6workerB2v3B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5sleepB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8withdrawB3v16B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5patchB3v17B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel12before_stepsB3v18B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5splitB3v20B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4wakeB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel16multiply_plainlyB3v11B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEbxxxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8bytes_ofB3v29B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5boundB3v35B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv5numba7cpython8builtins6ol_min12_3clocals_3e4implB2v7B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE15StarArgUniTupleIxLi2EE = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv5numba7cpython8builtins6ol_max12_3clocals_3e4implB2v9B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE15StarArgUniTupleIxLi2EE = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv5numba7cpython8builtins6ol_max12_3clocals_3e4implB3v25B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE15StarArgUniTupleIxLi3EE = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel8exchangeB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel3askB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel9is_agreedB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel4joinB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx = internal local_unnamed_addr global ptr null
@_ZN08NumbaEnv7vitrify6kernel10after_stepB3v43B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx = internal local_unnamed_addr global ptr null

define internal i32 @_ZN7vitrify6kernel2vmB2v1Ex(ptr noalias captures(none) %retptr, ptr noalias captures(none) %excinfo, i64 %arg.task) {
entry:
  %task = alloca i64, align 8
  store i64 0, ptr %task, align 8
  %.9 = alloca i64, align 8
  store i64 0, ptr %.9, align 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %try_state = alloca i64, align 8
  store i64 0, ptr %try_state, align 8
  %header = alloca i64, align 8
  store i64 0, ptr %header, align 8
  %code = alloca i64, align 8
  store i64 0, ptr %code, align 8
  %team = alloca i64, align 8
  store i64 0, ptr %team, align 8
  %pc = alloca i64, align 8
  store i64 0, ptr %pc, align 8
  %.75 = alloca ptr, align 8
  store ptr null, ptr %.75, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.108 = alloca ptr, align 8
  store ptr null, ptr %.108, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %pc.2 = alloca i64, align 8
  store i64 0, ptr %pc.2, align 8
  %.141 = alloca i64, align 8
  store i64 0, ptr %.141, align 8
  %excinfo.4 = alloca ptr, align 8
  store ptr null, ptr %excinfo.4, align 8
  %moment.2 = alloca i64, align 8
  store i64 0, ptr %moment.2, align 8
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
  %.270 = alloca i8, align 1
  store i8 0, ptr %.270, align 1
  %excinfo.5 = alloca ptr, align 8
  store ptr null, ptr %excinfo.5, align 8
  %.285 = alloca i1, align 1
  store i1 false, ptr %.285, align 1
  %.321 = alloca i64, align 8
  store i64 0, ptr %.321, align 8
  %excinfo.6 = alloca ptr, align 8
  store ptr null, ptr %excinfo.6, align 8
  %.393 = alloca i64, align 8
  store i64 0, ptr %.393, align 8
  %excinfo.7 = alloca ptr, align 8
  store ptr null, ptr %excinfo.7, align 8
  %.427 = alloca i8, align 1
  store i8 0, ptr %.427, align 1
  %excinfo.8 = alloca ptr, align 8
  store ptr null, ptr %excinfo.8, align 8
  %.442 = alloca i1, align 1
  store i1 false, ptr %.442, align 1
  %.478 = alloca i64, align 8
  store i64 0, ptr %.478, align 8
  %excinfo.9 = alloca ptr, align 8
  store ptr null, ptr %excinfo.9, align 8
  %target.6 = alloca i64, align 8
  store i64 0, ptr %target.6, align 8
  %target.5 = alloca i64, align 8
  store i64 0, ptr %target.5, align 8
  %.722 = alloca i8, align 1
  store i8 0, ptr %.722, align 1
  %excinfo.10 = alloca ptr, align 8
  store ptr null, ptr %excinfo.10, align 8
  %.737 = alloca i1, align 1
  store i1 false, ptr %.737, align 1
  %.775 = alloca i64, align 8
  store i64 0, ptr %.775, align 8
  %excinfo.11 = alloca ptr, align 8
  store ptr null, ptr %excinfo.11, align 8
  %.822 = alloca i8, align 1
  store i8 0, ptr %.822, align 1
  %excinfo.12 = alloca ptr, align 8
  store ptr null, ptr %excinfo.12, align 8
  %.837 = alloca i1, align 1
  store i1 false, ptr %.837, align 1
  %.875 = alloca i64, align 8
  store i64 0, ptr %.875, align 8
  %excinfo.13 = alloca ptr, align 8
  store ptr null, ptr %excinfo.13, align 8
  %.934 = alloca i8, align 1
  store i8 0, ptr %.934, align 1
  %excinfo.14 = alloca ptr, align 8
  store ptr null, ptr %excinfo.14, align 8
  %.949 = alloca i1, align 1
  store i1 false, ptr %.949, align 1
  %.990 = alloca i64, align 8
  store i64 0, ptr %.990, align 8
  %excinfo.15 = alloca ptr, align 8
  store ptr null, ptr %excinfo.15, align 8
  %.1046 = alloca i8, align 1
  store i8 0, ptr %.1046, align 1
  %excinfo.16 = alloca ptr, align 8
  store ptr null, ptr %excinfo.16, align 8
  %.1061 = alloca i1, align 1
  store i1 false, ptr %.1061, align 1
  %.1102 = alloca i64, align 8
  store i64 0, ptr %.1102, align 8
  %excinfo.17 = alloca ptr, align 8
  store ptr null, ptr %excinfo.17, align 8
  %start.2 = alloca i64, align 8
  store i64 0, ptr %start.2, align 8
  %.1162 = alloca i64, align 8
  store i64 0, ptr %.1162, align 8
  %excinfo.18 = alloca ptr, align 8
  store ptr null, ptr %excinfo.18, align 8
  %count.2 = alloca i64, align 8
  store i64 0, ptr %count.2, align 8
  %.1223 = alloca i64, align 8
  store i64 0, ptr %.1223, align 8
  %excinfo.19 = alloca ptr, align 8
  store ptr null, ptr %excinfo.19, align 8
  %.1289 = alloca i64, align 8
  store i64 0, ptr %.1289, align 8
  %excinfo.20 = alloca ptr, align 8
  store ptr null, ptr %excinfo.20, align 8
  %.1325 = alloca i8, align 1
  store i8 0, ptr %.1325, align 1
  %excinfo.21 = alloca ptr, align 8
  store ptr null, ptr %excinfo.21, align 8
  %.1340 = alloca i1, align 1
  store i1 false, ptr %.1340, align 1
  %.1380 = alloca i64, align 8
  store i64 0, ptr %.1380, align 8
  %excinfo.22 = alloca ptr, align 8
  store ptr null, ptr %excinfo.22, align 8
  %.1450 = alloca i64, align 8
  store i64 0, ptr %.1450, align 8
  %excinfo.23 = alloca ptr, align 8
  store ptr null, ptr %excinfo.23, align 8
  %.1496 = alloca i8, align 1
  store i8 0, ptr %.1496, align 1
  %excinfo.24 = alloca ptr, align 8
  store ptr null, ptr %excinfo.24, align 8
  %.1511 = alloca i1, align 1
  store i1 false, ptr %.1511, align 1
  %.1547 = alloca i64, align 8
  store i64 0, ptr %.1547, align 8
  %excinfo.25 = alloca ptr, align 8
  store ptr null, ptr %excinfo.25, align 8
  %.1596 = alloca i8, align 1
  store i8 0, ptr %.1596, align 1
  %excinfo.26 = alloca ptr, align 8
  store ptr null, ptr %excinfo.26, align 8
  %.1611 = alloca i1, align 1
  store i1 false, ptr %.1611, align 1
  %.1652 = alloca i64, align 8
  store i64 0, ptr %.1652, align 8
  %excinfo.27 = alloca ptr, align 8
  store ptr null, ptr %excinfo.27, align 8
  %.1731 = alloca i64, align 8
  store i64 0, ptr %.1731, align 8
  %excinfo.28 = alloca ptr, align 8
  store ptr null, ptr %excinfo.28, align 8
  %.1797 = alloca i8, align 1
  store i8 0, ptr %.1797, align 1
  %excinfo.29 = alloca ptr, align 8
  store ptr null, ptr %excinfo.29, align 8
  %.1812 = alloca i1, align 1
  store i1 false, ptr %.1812, align 1
  %.1848 = alloca i64, align 8
  store i64 0, ptr %.1848, align 8
  %excinfo.30 = alloca ptr, align 8
  store ptr null, ptr %excinfo.30, align 8
  %quot = alloca i64, align 8
  store i64 0, ptr %quot, align 8
  %rem = alloca i64, align 8
  store i64 0, ptr %rem, align 8
  %.1911 = alloca i64, align 8
  store i64 0, ptr %.1911, align 8
  %.1914 = alloca i64, align 8
  store i64 0, ptr %.1914, align 8
  %.2001 = alloca i64, align 8
  store i64 0, ptr %.2001, align 8
  %excinfo.31 = alloca ptr, align 8
  store ptr null, ptr %excinfo.31, align 8
  %.2042 = alloca i8, align 1
  store i8 0, ptr %.2042, align 1
  %excinfo.32 = alloca ptr, align 8
  store ptr null, ptr %excinfo.32, align 8
  %.2057 = alloca i1, align 1
  store i1 false, ptr %.2057, align 1
  %.2102 = alloca i64, align 8
  store i64 0, ptr %.2102, align 8
  %excinfo.33 = alloca ptr, align 8
  store ptr null, ptr %excinfo.33, align 8
  %.2171 = alloca i64, align 8
  store i64 0, ptr %.2171, align 8
  %excinfo.34 = alloca ptr, align 8
  store ptr null, ptr %excinfo.34, align 8
  %.2234 = alloca i64, align 8
  store i64 0, ptr %.2234, align 8
  %excinfo.35 = alloca ptr, align 8
  store ptr null, ptr %excinfo.35, align 8
  %.2266 = alloca i64, align 8
  store i64 0, ptr %.2266, align 8
  %excinfo.36 = alloca ptr, align 8
  store ptr null, ptr %excinfo.36, align 8
  %.2322 = alloca i64, align 8
  store i64 0, ptr %.2322, align 8
  %excinfo.37 = alloca ptr, align 8
  store ptr null, ptr %excinfo.37, align 8
  %.2356 = alloca i64, align 8
  store i64 0, ptr %.2356, align 8
  %excinfo.38 = alloca ptr, align 8
  store ptr null, ptr %excinfo.38, align 8
  br label %B0

B0:                                               ; preds = %entry
  store i64 %arg.task, ptr %task, align 8
  %.7 = load ptr, ptr @numba.dynamic.globals.7f6b0b463610, align 8
  %.8 = load i64, ptr %task, align 8
  store i64 0, ptr %.9, align 8
  %.13 = call i32 @_ZN7vitrify6kernel9header_ofB2v2B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr %.9, ptr %excinfo.1, i64 %.8)
  %.14 = load ptr, ptr %excinfo.1, align 8
  %.15 = icmp eq i32 %.13, 0
  %.16 = icmp eq i32 %.13, -2
  %.17 = icmp eq i32 %.13, -1
  %.18 = icmp eq i32 %.13, -3
  %.19 = or i1 %.15, %.16
  %.20 = xor i1 %.19, true
  %.21 = icmp sge i32 %.13, 1
  %.22 = select i1 %.21, ptr %.14, ptr undef
  %.23 = load i64, ptr %.9, align 8
  br i1 %.20, label %B0.if, label %B0.endif, !prof !0

B280:                                             ; preds = %B0.endif
  %.65 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.67 = load i64, ptr %pc, align 8
  store i64 0, ptr %pc, align 8
  %.69 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  %.71 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.73 = load ptr, ptr @numba.dynamic.globals.7f6b0b460cd0, align 8
  %.74 = load i64, ptr %team, align 8
  store ptr null, ptr %.75, align 8
  %.79 = call i32 @_ZN7vitrify6kernel6workerB2v3B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr %.75, ptr %excinfo.2, i64 %.74)
  %.80 = load ptr, ptr %excinfo.2, align 8
  %.81 = icmp eq i32 %.79, 0
  %.82 = icmp eq i32 %.79, -2
  %.83 = icmp eq i32 %.79, -1
  %.84 = icmp eq i32 %.79, -3
  %.85 = or i1 %.81, %.82
  %.86 = xor i1 %.85, true
  %.87 = icmp sge i32 %.79, 1
  %.88 = select i1 %.87, ptr %.80, ptr undef
  %.89 = load ptr, ptr %.75, align 8
  br i1 %.86, label %B280.if, label %B280.endif, !prof !0

B334:                                             ; preds = %B0.endif
  %.103 = load i64, ptr %pc, align 8
  %.104 = icmp eq i64 %.103, 0
  br i1 %.104, label %B346, label %B376

B346:                                             ; preds = %B334
  %.106 = load ptr, ptr @numba.dynamic.globals.7f6b0b462f30, align 8
  %.107 = load i64, ptr %header, align 8
  store ptr null, ptr %.108, align 8
  %.112 = call i32 @_ZN7vitrify6kernel5patchB3v17B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr %.108, ptr %excinfo.3, i64 %.107)
  %.113 = load ptr, ptr %excinfo.3, align 8
  %.114 = icmp eq i32 %.112, 0
  %.115 = icmp eq i32 %.112, -2
  %.116 = icmp eq i32 %.112, -1
  %.117 = icmp eq i32 %.112, -3
  %.118 = or i1 %.114, %.115
  %.119 = xor i1 %.118, true
  %.120 = icmp sge i32 %.112, 1
  %.121 = select i1 %.120, ptr %.113, ptr undef
  %.122 = load ptr, ptr %.108, align 8
  br i1 %.119, label %B346.if, label %B346.endif, !prof !0

B376:                                             ; preds = %B346.endif, %B334
  %.133 = load i64, ptr %pc, align 8
  %.135 = load i64, ptr %pc.2, align 8
  store i64 %.133, ptr %pc.2, align 8
  %.137 = load i64, ptr %pc, align 8
  store i64 0, ptr %pc, align 8
  %.139 = load ptr, ptr @numba.dynamic.globals.7f6b0b463930, align 8
  %.140 = load i64, ptr %task, align 8
  store i64 0, ptr %.141, align 8
  %.145 = call i32 @_ZN7vitrify6kernel12before_stepsB3v18B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr %.141, ptr %excinfo.4, i64 %.140)
  %.146 = load ptr, ptr %excinfo.4, align 8
  %.147 = icmp eq i32 %.145, 0
  %.148 = icmp eq i32 %.145, -2
  %.149 = icmp eq i32 %.145, -1
  %.150 = icmp eq i32 %.145, -3
  %.151 = or i1 %.147, %.148
  %.152 = xor i1 %.151, true
  %.153 = icmp sge i32 %.145, 1
  %.154 = select i1 %.153, ptr %.146, ptr undef
  %.155 = load i64, ptr %.141, align 8
  br i1 %.152, label %B376.if, label %B376.endif, !prof !0

B408:                                             ; preds = %B5424.endif, %B376.endif
  %.169 = load i64, ptr %pc.2, align 8
  %.170 = mul nsw i64 8, %.169
  %.171 = load i64, ptr %code, align 8
  %.172 = mul nsw i64 %.170, 8
  %.173 = add nsw i64 %.171, %.172
  %.175 = load i64, ptr %row, align 8
  store i64 %.173, ptr %row, align 8
  %.177 = load i64, ptr %row, align 8
  %.178 = inttoptr i64 %.177 to ptr
  %.179 = load i64, ptr %.178, align 8
  %.181 = load i64, ptr %opcode, align 8
  store i64 %.179, ptr %opcode, align 8
  %.183 = load i64, ptr %row, align 8
  %.184 = mul nsw i64 1, 8
  %.185 = add nsw i64 %.183, %.184
  %.186 = inttoptr i64 %.185 to ptr
  %.187 = load i64, ptr %.186, align 8
  %.189 = load i64, ptr %a, align 8
  store i64 %.187, ptr %a, align 8
  %.191 = load i64, ptr %row, align 8
  %.192 = mul nsw i64 2, 8
  %.193 = add nsw i64 %.191, %.192
  %.194 = inttoptr i64 %.193 to ptr
  %.195 = load i64, ptr %.194, align 8
  %.197 = load i64, ptr %b, align 8
  store i64 %.195, ptr %b, align 8
  %.199 = load i64, ptr %row, align 8
  %.200 = mul nsw i64 3, 8
  %.201 = add nsw i64 %.199, %.200
  %.202 = inttoptr i64 %.201 to ptr
  %.203 = load i64, ptr %.202, align 8
  %.205 = load i64, ptr %c, align 8
  store i64 %.203, ptr %c, align 8
  %.207 = load i64, ptr %pc.2, align 8
  %.208 = add nsw i64 %.207, 1
  %.210 = load i64, ptr %target, align 8
  store i64 %.208, ptr %target, align 8
  %.212 = load i64, ptr %opcode, align 8
  %.213 = icmp eq i64 %.212, 1
  br i1 %.213, label %B702, label %B1076

B702:                                             ; preds = %B408
  %.215 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.217 = load i64, ptr %row, align 8
  %.218 = mul nsw i64 6, 8
  %.219 = add nsw i64 %.217, %.218
  %.220 = inttoptr i64 %.219 to ptr
  %.221 = load i64, ptr %.220, align 8
  %.223 = load i64, ptr %chunks, align 8
  store i64 %.221, ptr %chunks, align 8
  %.225 = load i64, ptr %chunks, align 8
  %.226 = icmp sle i64 %.225, 1
  br i1 %.226, label %B792, label %B982

B792:                                             ; preds = %B702
  %.228 = load i64, ptr %chunks, align 8
  store i64 0, ptr %chunks, align 8
  %.230 = load i64, ptr %target, align 8
  %.232 = load i64, ptr %target.4, align 8
  store i64 %.230, ptr %target.4, align 8
  %.234 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.236 = load i64, ptr %row, align 8
  %.237 = mul nsw i64 4, 8
  %.238 = add nsw i64 %.236, %.237
  %.239 = inttoptr i64 %.238 to ptr
  %.240 = load i64, ptr %.239, align 8
  %.241 = load i64, ptr %row, align 8
  %.242 = mul nsw i64 5, 8
  %.243 = add nsw i64 %.241, %.242
  %.244 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.246 = inttoptr i64 %.243 to ptr
  %.247 = load i64, ptr %.246, align 8
  %.248 = load i64, ptr %a, align 8
  %.249 = load i64, ptr %b, align 8
  %.250 = load i64, ptr %c, align 8
  %.251 = inttoptr i64 %.248 to ptr
  call void %.251(i64 %.249, i64 %.250, i64 %.240, i64 %.247)
  %.253 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.255 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.257 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B5270

B982:                                             ; preds = %B702
  %.260 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.262 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.264 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.266 = load ptr, ptr @numba.dynamic.globals.7f6b0b461630, align 8
  %.267 = load i64, ptr %team, align 8
  %.268 = load i64, ptr %row, align 8
  %.269 = load i64, ptr %chunks, align 8
  store i8 0, ptr %.270, align 1
  %.274 = call i32 @_ZN7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.270, ptr %excinfo.5, i64 %.267, i64 %.268, i64 %.269)
  %.275 = load ptr, ptr %excinfo.5, align 8
  %.276 = icmp eq i32 %.274, 0
  %.277 = icmp eq i32 %.274, -2
  %.278 = icmp eq i32 %.274, -1
  %.279 = icmp eq i32 %.274, -3
  %.280 = or i1 %.276, %.277
  %.281 = xor i1 %.280, true
  %.282 = icmp sge i32 %.274, 1
  %.283 = select i1 %.282, ptr %.275, ptr undef
  %.284 = load i8, ptr %.270, align 1
  %.287 = icmp eq i8 %.284, 0
  br i1 %.287, label %B982.if, label %B982.else

B1016:                                            ; preds = %B982.endif.endif
  %.308 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.310 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.312 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.314 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.316 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.318 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250, align 8
  %.319 = load i64, ptr %header, align 8
  %.320 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.321, align 8
  %.325 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.321, ptr %excinfo.6, i64 %.319, i64 %.320, i64 4, i64 0)
  %.326 = load ptr, ptr %excinfo.6, align 8
  %.327 = icmp eq i32 %.325, 0
  %.328 = icmp eq i32 %.325, -2
  %.329 = icmp eq i32 %.325, -1
  %.330 = icmp eq i32 %.325, -3
  %.331 = or i1 %.327, %.328
  %.332 = xor i1 %.331, true
  %.333 = icmp sge i32 %.325, 1
  %.334 = select i1 %.333, ptr %.326, ptr undef
  %.335 = load i64, ptr %.321, align 8
  br i1 %.332, label %B1016.if, label %B1016.endif, !prof !0

B1072:                                            ; preds = %B982.endif.endif
  %.351 = load i64, ptr %target, align 8
  %.352 = load i64, ptr %target.4, align 8
  store i64 %.351, ptr %target.4, align 8
  %.354 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B1076:                                            ; preds = %B408
  %.357 = load i64, ptr %opcode, align 8
  %.358 = icmp eq i64 %.357, 2
  br i1 %.358, label %B1140, label %B1108

B1108:                                            ; preds = %B1076
  %.360 = load i64, ptr %opcode, align 8
  %.361 = icmp eq i64 %.360, 3
  br i1 %.361, label %B1140, label %B1376

B1140:                                            ; preds = %B1108, %B1076
  %.363 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.365 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.367 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.369 = load i64, ptr %team, align 8
  %.370 = mul nsw i64 0, 8
  %.371 = add nsw i64 %.369, %.370
  %.372 = inttoptr i64 %.371 to ptr
  %.373 = load i64, ptr %.372, align 8
  %.374 = icmp eq i64 %.373, 0
  br i1 %.374, label %B1226, label %B1282

B1226:                                            ; preds = %B1140
  %.376 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.378 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.380 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.382 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.384 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.386 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.388 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.390 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.1, align 8
  %.391 = load i64, ptr %header, align 8
  %.392 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.393, align 8
  %.397 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.393, ptr %excinfo.7, i64 %.391, i64 %.392, i64 7, i64 0)
  %.398 = load ptr, ptr %excinfo.7, align 8
  %.399 = icmp eq i32 %.397, 0
  %.400 = icmp eq i32 %.397, -2
  %.401 = icmp eq i32 %.397, -1
  %.402 = icmp eq i32 %.397, -3
  %.403 = or i1 %.399, %.400
  %.404 = xor i1 %.403, true
  %.405 = icmp sge i32 %.397, 1
  %.406 = select i1 %.405, ptr %.398, ptr undef
  %.407 = load i64, ptr %.393, align 8
  br i1 %.404, label %B1226.if, label %B1226.endif, !prof !0

B1282:                                            ; preds = %B1140
  %.423 = load ptr, ptr @numba.dynamic.globals.7f6b0b461630.1, align 8
  %.424 = load i64, ptr %team, align 8
  %.425 = load i64, ptr %row, align 8
  %.426 = load i64, ptr %b, align 8
  store i8 0, ptr %.427, align 1
  %.431 = call i32 @_ZN7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.427, ptr %excinfo.8, i64 %.424, i64 %.425, i64 %.426)
  %.432 = load ptr, ptr %excinfo.8, align 8
  %.433 = icmp eq i32 %.431, 0
  %.434 = icmp eq i32 %.431, -2
  %.435 = icmp eq i32 %.431, -1
  %.436 = icmp eq i32 %.431, -3
  %.437 = or i1 %.433, %.434
  %.438 = xor i1 %.437, true
  %.439 = icmp sge i32 %.431, 1
  %.440 = select i1 %.439, ptr %.432, ptr undef
  %.441 = load i8, ptr %.427, align 1
  %.444 = icmp eq i8 %.441, 0
  br i1 %.444, label %B1282.if, label %B1282.else

B1316:                                            ; preds = %B1282.endif.endif
  %.465 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.467 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.469 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.471 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.473 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.475 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.2, align 8
  %.476 = load i64, ptr %header, align 8
  %.477 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.478, align 8
  %.482 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.478, ptr %excinfo.9, i64 %.476, i64 %.477, i64 4, i64 0)
  %.483 = load ptr, ptr %excinfo.9, align 8
  %.484 = icmp eq i32 %.482, 0
  %.485 = icmp eq i32 %.482, -2
  %.486 = icmp eq i32 %.482, -1
  %.487 = icmp eq i32 %.482, -3
  %.488 = or i1 %.484, %.485
  %.489 = xor i1 %.488, true
  %.490 = icmp sge i32 %.482, 1
  %.491 = select i1 %.490, ptr %.483, ptr undef
  %.492 = load i64, ptr %.478, align 8
  br i1 %.489, label %B1316.if, label %B1316.endif, !prof !0

B1372:                                            ; preds = %B1282.endif.endif
  %.508 = load i64, ptr %target, align 8
  %.509 = load i64, ptr %target.4, align 8
  store i64 %.508, ptr %target.4, align 8
  %.511 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B1376:                                            ; preds = %B1108
  %.514 = load i64, ptr %opcode, align 8
  %.515 = icmp eq i64 %.514, 4
  br i1 %.515, label %B1408, label %B1446

B1408:                                            ; preds = %B1376
  %.517 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.519 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.521 = load i64, ptr %target, align 8
  %.522 = load i64, ptr %target.4, align 8
  store i64 %.521, ptr %target.4, align 8
  %.524 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.526 = load i64, ptr %a, align 8
  %.527 = load i64, ptr %b, align 8
  %.528 = load i64, ptr %c, align 8
  %.529 = inttoptr i64 %.526 to ptr
  %.530 = inttoptr i64 %.527 to ptr
  %.531 = mul i64 %.528, 1
  call void @llvm.memmove.p0.p0.i64(ptr %.529, ptr %.530, i64 %.531, i1 false)
  %.533 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.535 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.537 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B5270

B1446:                                            ; preds = %B1376
  %.540 = load i64, ptr %opcode, align 8
  %.541 = icmp eq i64 %.540, 5
  br i1 %.541, label %B1478, label %B1516

B1478:                                            ; preds = %B1446
  %.543 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.545 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.547 = load i64, ptr %target, align 8
  %.548 = load i64, ptr %target.4, align 8
  store i64 %.547, ptr %target.4, align 8
  %.550 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.552 = load i64, ptr %a, align 8
  %.553 = load i64, ptr %b, align 8
  %.554 = load i64, ptr %c, align 8
  %.555 = inttoptr i64 %.552 to ptr
  %.556 = trunc i64 %.554 to i8
  call void @llvm.memset.p0.i64(ptr %.555, i8 %.556, i64 %.553, i1 false)
  %.558 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.560 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.562 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B5270

B1516:                                            ; preds = %B1446
  %.565 = load i64, ptr %opcode, align 8
  %.566 = icmp eq i64 %.565, 6
  br i1 %.566, label %B1548, label %B1556

B1548:                                            ; preds = %B1516
  %.568 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.570 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.572 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.574 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.576 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.578 = load i64, ptr %a, align 8
  %.579 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.581 = load i64, ptr %target.4, align 8
  store i64 %.578, ptr %target.4, align 8
  br label %B5270

B1556:                                            ; preds = %B1516
  %.584 = load i64, ptr %opcode, align 8
  %.585 = icmp eq i64 %.584, 7
  br i1 %.585, label %B1588, label %B1634

B1588:                                            ; preds = %B1556
  %.587 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.589 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.591 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.593 = load i64, ptr %target, align 8
  %.595 = load i64, ptr %target.6, align 8
  store i64 %.593, ptr %target.6, align 8
  %.597 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.599 = load i64, ptr %a, align 8
  %.600 = inttoptr i64 %.599 to ptr
  %.601 = load i8, ptr %.600, align 1
  %.602 = zext i8 %.601 to i64
  %.603 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.605 = icmp eq i64 %.602, 0
  br i1 %.605, label %B1626, label %B1630

B1626:                                            ; preds = %B1588
  %.607 = load i64, ptr %b, align 8
  %.608 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.610 = load i64, ptr %target.6, align 8
  store i64 %.607, ptr %target.6, align 8
  br label %B1630

B1630:                                            ; preds = %B1626, %B1588
  %.613 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.615 = load i64, ptr %target.6, align 8
  %.616 = load i64, ptr %target.4, align 8
  store i64 %.615, ptr %target.4, align 8
  %.618 = load i64, ptr %target.6, align 8
  store i64 0, ptr %target.6, align 8
  br label %B5270

B1634:                                            ; preds = %B1556
  %.621 = load i64, ptr %opcode, align 8
  %.622 = icmp eq i64 %.621, 8
  br i1 %.622, label %B1666, label %B1738

B1666:                                            ; preds = %B1634
  %.624 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.626 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.628 = load i64, ptr %target, align 8
  %.630 = load i64, ptr %target.5, align 8
  store i64 %.628, ptr %target.5, align 8
  %.632 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.634 = load i64, ptr %a, align 8
  %.635 = inttoptr i64 %.634 to ptr
  %.636 = load i64, ptr %.635, align 8
  %.637 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.639 = load i64, ptr %b, align 8
  %.640 = inttoptr i64 %.639 to ptr
  %.641 = load i64, ptr %.640, align 8
  %.642 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.644 = icmp sge i64 %.636, %.641
  br i1 %.644, label %B1730, label %B1734

B1730:                                            ; preds = %B1666
  %.646 = load i64, ptr %c, align 8
  %.647 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.649 = load i64, ptr %target.5, align 8
  store i64 %.646, ptr %target.5, align 8
  br label %B1734

B1734:                                            ; preds = %B1730, %B1666
  %.652 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.654 = load i64, ptr %target.5, align 8
  %.655 = load i64, ptr %target.4, align 8
  store i64 %.654, ptr %target.4, align 8
  %.657 = load i64, ptr %target.5, align 8
  store i64 0, ptr %target.5, align 8
  br label %B5270

B1738:                                            ; preds = %B1634
  %.660 = load i64, ptr %opcode, align 8
  %.661 = icmp eq i64 %.660, 9
  br i1 %.661, label %B1770, label %B1806

B1770:                                            ; preds = %B1738
  %.663 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.665 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.667 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.669 = load i64, ptr %target, align 8
  %.670 = load i64, ptr %target.4, align 8
  store i64 %.669, ptr %target.4, align 8
  %.672 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.674 = load i64, ptr %a, align 8
  %.675 = load i64, ptr %b, align 8
  %.676 = inttoptr i64 %.674 to ptr
  store i64 %.675, ptr %.676, align 8
  %.678 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.680 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B5270

B1806:                                            ; preds = %B1738
  %.683 = load i64, ptr %opcode, align 8
  %.684 = icmp eq i64 %.683, 10
  br i1 %.684, label %B1838, label %B1906

B1838:                                            ; preds = %B1806
  %.686 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.688 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.690 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.692 = load i64, ptr %target, align 8
  %.693 = load i64, ptr %target.4, align 8
  store i64 %.692, ptr %target.4, align 8
  %.695 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.697 = load i64, ptr %a, align 8
  %.698 = inttoptr i64 %.697 to ptr
  %.699 = load i64, ptr %.698, align 8
  %.700 = load i64, ptr %b, align 8
  %.701 = add nsw i64 %.699, %.700
  %.702 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.704 = load i64, ptr %a, align 8
  %.705 = inttoptr i64 %.704 to ptr
  store i64 %.701, ptr %.705, align 8
  %.707 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br label %B5270

B1906:                                            ; preds = %B1806
  %.710 = load i64, ptr %opcode, align 8
  %.711 = icmp eq i64 %.710, 11
  br i1 %.711, label %B1938, label %B2034

B1938:                                            ; preds = %B1906
  %.713 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.715 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.717 = load ptr, ptr @numba.dynamic.globals.7f6b0b455130, align 8
  %.718 = load i64, ptr %team, align 8
  %.719 = load i64, ptr %a, align 8
  %.720 = load i64, ptr %b, align 8
  %.721 = load i64, ptr %c, align 8
  store i8 0, ptr %.722, align 1
  %.726 = call i32 @_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.722, ptr %excinfo.10, i64 %.718, i64 %.719, i64 %.720, i64 %.721)
  %.727 = load ptr, ptr %excinfo.10, align 8
  %.728 = icmp eq i32 %.726, 0
  %.729 = icmp eq i32 %.726, -2
  %.730 = icmp eq i32 %.726, -1
  %.731 = icmp eq i32 %.726, -3
  %.732 = or i1 %.728, %.729
  %.733 = xor i1 %.732, true
  %.734 = icmp sge i32 %.726, 1
  %.735 = select i1 %.734, ptr %.727, ptr undef
  %.736 = load i8, ptr %.722, align 1
  %.739 = icmp eq i8 %.736, 0
  br i1 %.739, label %B1938.if, label %B1938.else

B1974:                                            ; preds = %B1938.endif.endif
  %.762 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.764 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.766 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.768 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.770 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.772 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.3, align 8
  %.773 = load i64, ptr %header, align 8
  %.774 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.775, align 8
  %.779 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.775, ptr %excinfo.11, i64 %.773, i64 %.774, i64 5, i64 0)
  %.780 = load ptr, ptr %excinfo.11, align 8
  %.781 = icmp eq i32 %.779, 0
  %.782 = icmp eq i32 %.779, -2
  %.783 = icmp eq i32 %.779, -1
  %.784 = icmp eq i32 %.779, -3
  %.785 = or i1 %.781, %.782
  %.786 = xor i1 %.785, true
  %.787 = icmp sge i32 %.779, 1
  %.788 = select i1 %.787, ptr %.780, ptr undef
  %.789 = load i64, ptr %.775, align 8
  br i1 %.786, label %B1974.if, label %B1974.endif, !prof !0

B2030:                                            ; preds = %B1938.endif.endif
  %.805 = load i64, ptr %target, align 8
  %.806 = load i64, ptr %target.4, align 8
  store i64 %.805, ptr %target.4, align 8
  %.808 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B2034:                                            ; preds = %B1906
  %.811 = load i64, ptr %opcode, align 8
  %.812 = icmp eq i64 %.811, 12
  br i1 %.812, label %B2066, label %B2160

B2066:                                            ; preds = %B2034
  %.814 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.816 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.818 = load ptr, ptr @numba.dynamic.globals.7f6b0b455590, align 8
  %.819 = load i64, ptr %a, align 8
  %.820 = load i64, ptr %b, align 8
  %.821 = load i64, ptr %c, align 8
  store i8 0, ptr %.822, align 1
  %.826 = call i32 @_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.822, ptr %excinfo.12, i64 %.819, i64 %.820, i64 %.821)
  %.827 = load ptr, ptr %excinfo.12, align 8
  %.828 = icmp eq i32 %.826, 0
  %.829 = icmp eq i32 %.826, -2
  %.830 = icmp eq i32 %.826, -1
  %.831 = icmp eq i32 %.826, -3
  %.832 = or i1 %.828, %.829
  %.833 = xor i1 %.832, true
  %.834 = icmp sge i32 %.826, 1
  %.835 = select i1 %.834, ptr %.827, ptr undef
  %.836 = load i8, ptr %.822, align 1
  %.839 = icmp eq i8 %.836, 0
  br i1 %.839, label %B2066.if, label %B2066.else

B2100:                                            ; preds = %B2066.endif.endif
  %.862 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.864 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.866 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.868 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.870 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.872 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.4, align 8
  %.873 = load i64, ptr %header, align 8
  %.874 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.875, align 8
  %.879 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.875, ptr %excinfo.13, i64 %.873, i64 %.874, i64 6, i64 0)
  %.880 = load ptr, ptr %excinfo.13, align 8
  %.881 = icmp eq i32 %.879, 0
  %.882 = icmp eq i32 %.879, -2
  %.883 = icmp eq i32 %.879, -1
  %.884 = icmp eq i32 %.879, -3
  %.885 = or i1 %.881, %.882
  %.886 = xor i1 %.885, true
  %.887 = icmp sge i32 %.879, 1
  %.888 = select i1 %.887, ptr %.880, ptr undef
  %.889 = load i64, ptr %.875, align 8
  br i1 %.886, label %B2100.if, label %B2100.endif, !prof !0

B2156:                                            ; preds = %B2066.endif.endif
  %.905 = load i64, ptr %target, align 8
  %.906 = load i64, ptr %target.4, align 8
  store i64 %.905, ptr %target.4, align 8
  %.908 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B2160:                                            ; preds = %B2034
  %.911 = load i64, ptr %opcode, align 8
  %.912 = icmp eq i64 %.911, 13
  br i1 %.912, label %B2192, label %B2450

B2192:                                            ; preds = %B2160
  %.914 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.916 = load ptr, ptr @numba.dynamic.globals.7f6b0b455ef0, align 8
  %.917 = load i64, ptr %b, align 8
  %.918 = inttoptr i64 %.917 to ptr
  %.919 = load i64, ptr %.918, align 8
  %.920 = load i64, ptr %row, align 8
  %.921 = mul nsw i64 4, 8
  %.922 = add nsw i64 %.920, %.921
  %.923 = inttoptr i64 %.922 to ptr
  %.924 = load i64, ptr %.923, align 8
  %.925 = load i64, ptr %row, align 8
  %.926 = mul nsw i64 5, 8
  %.927 = add nsw i64 %.925, %.926
  %.928 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.930 = inttoptr i64 %.927 to ptr
  %.931 = load i64, ptr %.930, align 8
  %.932 = load i64, ptr %a, align 8
  %.933 = load i64, ptr %c, align 8
  store i8 0, ptr %.934, align 1
  %.938 = call i32 @_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr %.934, ptr %excinfo.14, i64 %.932, i64 %.919, i64 %.933, i64 %.924, i64 %.931)
  %.939 = load ptr, ptr %excinfo.14, align 8
  %.940 = icmp eq i32 %.938, 0
  %.941 = icmp eq i32 %.938, -2
  %.942 = icmp eq i32 %.938, -1
  %.943 = icmp eq i32 %.938, -3
  %.944 = or i1 %.940, %.941
  %.945 = xor i1 %.944, true
  %.946 = icmp sge i32 %.938, 1
  %.947 = select i1 %.946, ptr %.939, ptr undef
  %.948 = load i8, ptr %.934, align 1
  %.951 = icmp eq i8 %.948, 0
  br i1 %.951, label %B2192.if, label %B2192.else

B2364:                                            ; preds = %B2192.endif.endif
  %.972 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.974 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.976 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.978 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.980 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.982 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.5, align 8
  %.983 = load i64, ptr %b, align 8
  %.984 = inttoptr i64 %.983 to ptr
  %.985 = load i64, ptr %.984, align 8
  %.986 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.988 = load i64, ptr %header, align 8
  %.989 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.990, align 8
  %.994 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.990, ptr %excinfo.15, i64 %.988, i64 %.989, i64 6, i64 %.985)
  %.995 = load ptr, ptr %excinfo.15, align 8
  %.996 = icmp eq i32 %.994, 0
  %.997 = icmp eq i32 %.994, -2
  %.998 = icmp eq i32 %.994, -1
  %.999 = icmp eq i32 %.994, -3
  %.1000 = or i1 %.996, %.997
  %.1001 = xor i1 %.1000, true
  %.1002 = icmp sge i32 %.994, 1
  %.1003 = select i1 %.1002, ptr %.995, ptr undef
  %.1004 = load i64, ptr %.990, align 8
  br i1 %.1001, label %B2364.if, label %B2364.endif, !prof !0

B2446:                                            ; preds = %B2192.endif.endif
  %.1020 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1022 = load i64, ptr %target, align 8
  %.1023 = load i64, ptr %target.4, align 8
  store i64 %.1022, ptr %target.4, align 8
  %.1025 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B2450:                                            ; preds = %B2160
  %.1028 = load i64, ptr %opcode, align 8
  %.1029 = icmp eq i64 %.1028, 17
  br i1 %.1029, label %B2482, label %B2684

B2482:                                            ; preds = %B2450
  %.1031 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1033 = load ptr, ptr @numba.dynamic.globals.7f6b0b456210, align 8
  %.1034 = load i64, ptr %b, align 8
  %.1035 = inttoptr i64 %.1034 to ptr
  %.1036 = load i64, ptr %.1035, align 8
  %.1037 = load i64, ptr %row, align 8
  %.1038 = mul nsw i64 4, 8
  %.1039 = add nsw i64 %.1037, %.1038
  %.1040 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1042 = inttoptr i64 %.1039 to ptr
  %.1043 = load i64, ptr %.1042, align 8
  %.1044 = load i64, ptr %a, align 8
  %.1045 = load i64, ptr %c, align 8
  store i8 0, ptr %.1046, align 1
  %.1050 = call i32 @_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1046, ptr %excinfo.16, i64 %.1044, i64 %.1036, i64 %.1045, i64 %.1043)
  %.1051 = load ptr, ptr %excinfo.16, align 8
  %.1052 = icmp eq i32 %.1050, 0
  %.1053 = icmp eq i32 %.1050, -2
  %.1054 = icmp eq i32 %.1050, -1
  %.1055 = icmp eq i32 %.1050, -3
  %.1056 = or i1 %.1052, %.1053
  %.1057 = xor i1 %.1056, true
  %.1058 = icmp sge i32 %.1050, 1
  %.1059 = select i1 %.1058, ptr %.1051, ptr undef
  %.1060 = load i8, ptr %.1046, align 1
  %.1063 = icmp eq i8 %.1060, 0
  br i1 %.1063, label %B2482.if, label %B2482.else

B2598:                                            ; preds = %B2482.endif.endif
  %.1084 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1086 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1088 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1090 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1092 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1094 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.6, align 8
  %.1095 = load i64, ptr %b, align 8
  %.1096 = inttoptr i64 %.1095 to ptr
  %.1097 = load i64, ptr %.1096, align 8
  %.1098 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1100 = load i64, ptr %header, align 8
  %.1101 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1102, align 8
  %.1106 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1102, ptr %excinfo.17, i64 %.1100, i64 %.1101, i64 6, i64 %.1097)
  %.1107 = load ptr, ptr %excinfo.17, align 8
  %.1108 = icmp eq i32 %.1106, 0
  %.1109 = icmp eq i32 %.1106, -2
  %.1110 = icmp eq i32 %.1106, -1
  %.1111 = icmp eq i32 %.1106, -3
  %.1112 = or i1 %.1108, %.1109
  %.1113 = xor i1 %.1112, true
  %.1114 = icmp sge i32 %.1106, 1
  %.1115 = select i1 %.1114, ptr %.1107, ptr undef
  %.1116 = load i64, ptr %.1102, align 8
  br i1 %.1113, label %B2598.if, label %B2598.endif, !prof !0

B2680:                                            ; preds = %B2482.endif.endif
  %.1132 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1134 = load i64, ptr %target, align 8
  %.1135 = load i64, ptr %target.4, align 8
  store i64 %.1134, ptr %target.4, align 8
  %.1137 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B2684:                                            ; preds = %B2450
  %.1140 = load i64, ptr %opcode, align 8
  %.1141 = icmp eq i64 %.1140, 18
  br i1 %.1141, label %B2718, label %B3432

B2718:                                            ; preds = %B2684
  %.1143 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1146 = load i64, ptr %start.2, align 8
  store i64 0, ptr %start.2, align 8
  %.1148 = load i64, ptr %c, align 8
  %.1149 = icmp ne i64 %.1148, 0
  br i1 %.1149, label %B2734, label %B2846

B2734:                                            ; preds = %B2718
  %.1151 = load ptr, ptr @numba.dynamic.globals.7f6b0b4558b0, align 8
  %.1152 = load i64, ptr %c, align 8
  %.1153 = inttoptr i64 %.1152 to ptr
  %.1154 = load i64, ptr %.1153, align 8
  %.1155 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1157 = load i64, ptr %row, align 8
  %.1158 = mul nsw i64 5, 8
  %.1159 = add nsw i64 %.1157, %.1158
  %.1160 = inttoptr i64 %.1159 to ptr
  %.1161 = load i64, ptr %.1160, align 8
  store i64 0, ptr %.1162, align 8
  %.1166 = call i32 @_ZN7vitrify6kernel8bytes_ofB3v29B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx(ptr %.1162, ptr %excinfo.18, i64 %.1154, i64 %.1161)
  %.1167 = load ptr, ptr %excinfo.18, align 8
  %.1168 = icmp eq i32 %.1166, 0
  %.1169 = icmp eq i32 %.1166, -2
  %.1170 = icmp eq i32 %.1166, -1
  %.1171 = icmp eq i32 %.1166, -3
  %.1172 = or i1 %.1168, %.1169
  %.1173 = xor i1 %.1172, true
  %.1174 = icmp sge i32 %.1166, 1
  %.1175 = select i1 %.1174, ptr %.1167, ptr undef
  %.1176 = load i64, ptr %.1162, align 8
  br i1 %.1173, label %B2734.if, label %B2734.endif, !prof !0

B2846:                                            ; preds = %B2734.endif, %B2718
  %.1189 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1191 = load i64, ptr %b, align 8
  %.1192 = mul nsw i64 2, 8
  %.1193 = add nsw i64 %.1191, %.1192
  %.1194 = inttoptr i64 %.1193 to ptr
  %.1195 = load i64, ptr %.1194, align 8
  %.1196 = load i64, ptr %start.2, align 8
  %.1197 = sub nsw i64 %.1195, %.1196
  %.1199 = load i64, ptr %count.2, align 8
  store i64 %.1197, ptr %count.2, align 8
  %.1201 = load i64, ptr %row, align 8
  %.1202 = mul nsw i64 4, 8
  %.1203 = add nsw i64 %.1201, %.1202
  %.1204 = inttoptr i64 %.1203 to ptr
  %.1205 = load i64, ptr %.1204, align 8
  %.1206 = icmp ne i64 %.1205, 0
  br i1 %.1206, label %B2996, label %B3162

B2996:                                            ; preds = %B2846
  %.1208 = load ptr, ptr @numba.dynamic.globals.7f6b0b4558b0.1, align 8
  %.1209 = load i64, ptr %row, align 8
  %.1210 = mul nsw i64 4, 8
  %.1211 = add nsw i64 %.1209, %.1210
  %.1212 = inttoptr i64 %.1211 to ptr
  %.1213 = load i64, ptr %.1212, align 8
  %.1214 = inttoptr i64 %.1213 to ptr
  %.1215 = load i64, ptr %.1214, align 8
  %.1216 = load i64, ptr %row, align 8
  %.1217 = mul nsw i64 5, 8
  %.1218 = add nsw i64 %.1216, %.1217
  %.1219 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1221 = inttoptr i64 %.1218 to ptr
  %.1222 = load i64, ptr %.1221, align 8
  store i64 0, ptr %.1223, align 8
  %.1227 = call i32 @_ZN7vitrify6kernel8bytes_ofB3v29B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx(ptr %.1223, ptr %excinfo.19, i64 %.1215, i64 %.1222)
  %.1228 = load ptr, ptr %excinfo.19, align 8
  %.1229 = icmp eq i32 %.1227, 0
  %.1230 = icmp eq i32 %.1227, -2
  %.1231 = icmp eq i32 %.1227, -1
  %.1232 = icmp eq i32 %.1227, -3
  %.1233 = or i1 %.1229, %.1230
  %.1234 = xor i1 %.1233, true
  %.1235 = icmp sge i32 %.1227, 1
  %.1236 = select i1 %.1235, ptr %.1228, ptr undef
  %.1237 = load i64, ptr %.1223, align 8
  br i1 %.1234, label %B2996.if, label %B2996.endif, !prof !0

B3162:                                            ; preds = %B2996.endif, %B2846
  %.1250 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1252 = load i64, ptr %start.2, align 8
  %.1253 = icmp slt i64 %.1252, 0
  br i1 %.1253, label %B3278, label %B3174

B3174:                                            ; preds = %B3162
  %.1255 = load i64, ptr %count.2, align 8
  %.1256 = icmp slt i64 %.1255, 0
  br i1 %.1256, label %B3278, label %B3186

B3186:                                            ; preds = %B3174
  %.1258 = load i64, ptr %start.2, align 8
  %.1259 = load i64, ptr %count.2, align 8
  %.1260 = add nsw i64 %.1258, %.1259
  %.1261 = load i64, ptr %b, align 8
  %.1262 = mul nsw i64 2, 8
  %.1263 = add nsw i64 %.1261, %.1262
  %.1264 = inttoptr i64 %.1263 to ptr
  %.1265 = load i64, ptr %.1264, align 8
  %.1266 = icmp sgt i64 %.1260, %.1265
  br i1 %.1266, label %B3278, label %B3334

B3278:                                            ; preds = %B3186, %B3174, %B3162
  %.1268 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1270 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1272 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1274 = load i64, ptr %start.2, align 8
  store i64 0, ptr %start.2, align 8
  %.1276 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1278 = load i64, ptr %count.2, align 8
  store i64 0, ptr %count.2, align 8
  %.1280 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1282 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1284 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1286 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.7, align 8
  %.1287 = load i64, ptr %header, align 8
  %.1288 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1289, align 8
  %.1293 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1289, ptr %excinfo.20, i64 %.1287, i64 %.1288, i64 6, i64 0)
  %.1294 = load ptr, ptr %excinfo.20, align 8
  %.1295 = icmp eq i32 %.1293, 0
  %.1296 = icmp eq i32 %.1293, -2
  %.1297 = icmp eq i32 %.1293, -1
  %.1298 = icmp eq i32 %.1293, -3
  %.1299 = or i1 %.1295, %.1296
  %.1300 = xor i1 %.1299, true
  %.1301 = icmp sge i32 %.1293, 1
  %.1302 = select i1 %.1301, ptr %.1294, ptr undef
  %.1303 = load i64, ptr %.1289, align 8
  br i1 %.1300, label %B3278.if, label %B3278.endif, !prof !0

B3334:                                            ; preds = %B3186
  %.1319 = load ptr, ptr @numba.dynamic.globals.7f6b0b456ad0, align 8
  %.1320 = load i64, ptr %team, align 8
  %.1321 = load i64, ptr %a, align 8
  %.1322 = load i64, ptr %b, align 8
  %.1323 = load i64, ptr %start.2, align 8
  %.1324 = load i64, ptr %count.2, align 8
  store i8 0, ptr %.1325, align 1
  %.1329 = call i32 @_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr %.1325, ptr %excinfo.21, i64 %.1320, i64 %.1321, i64 %.1322, i64 %.1323, i64 %.1324)
  %.1330 = load ptr, ptr %excinfo.21, align 8
  %.1331 = icmp eq i32 %.1329, 0
  %.1332 = icmp eq i32 %.1329, -2
  %.1333 = icmp eq i32 %.1329, -1
  %.1334 = icmp eq i32 %.1329, -3
  %.1335 = or i1 %.1331, %.1332
  %.1336 = xor i1 %.1335, true
  %.1337 = icmp sge i32 %.1329, 1
  %.1338 = select i1 %.1337, ptr %.1330, ptr undef
  %.1339 = load i8, ptr %.1325, align 1
  %.1342 = icmp eq i8 %.1339, 0
  br i1 %.1342, label %B3334.if, label %B3334.else

B3372:                                            ; preds = %B3334.endif.endif
  %.1367 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1369 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1371 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1373 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1375 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1377 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.8, align 8
  %.1378 = load i64, ptr %header, align 8
  %.1379 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1380, align 8
  %.1384 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1380, ptr %excinfo.22, i64 %.1378, i64 %.1379, i64 5, i64 0)
  %.1385 = load ptr, ptr %excinfo.22, align 8
  %.1386 = icmp eq i32 %.1384, 0
  %.1387 = icmp eq i32 %.1384, -2
  %.1388 = icmp eq i32 %.1384, -1
  %.1389 = icmp eq i32 %.1384, -3
  %.1390 = or i1 %.1386, %.1387
  %.1391 = xor i1 %.1390, true
  %.1392 = icmp sge i32 %.1384, 1
  %.1393 = select i1 %.1392, ptr %.1385, ptr undef
  %.1394 = load i64, ptr %.1380, align 8
  br i1 %.1391, label %B3372.if, label %B3372.endif, !prof !0

B3428:                                            ; preds = %B3334.endif.endif
  %.1410 = load i64, ptr %target, align 8
  %.1411 = load i64, ptr %target.4, align 8
  store i64 %.1410, ptr %target.4, align 8
  %.1413 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B3432:                                            ; preds = %B2684
  %.1416 = load i64, ptr %opcode, align 8
  %.1417 = icmp eq i64 %.1416, 19
  br i1 %.1417, label %B3464, label %B3762

B3464:                                            ; preds = %B3432
  %.1419 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1421 = load i64, ptr %b, align 8
  %.1422 = inttoptr i64 %.1421 to ptr
  %.1423 = load i64, ptr %.1422, align 8
  %.1424 = icmp slt i64 %.1423, 0
  br i1 %.1424, label %B3502, label %B3584

B3502:                                            ; preds = %B3464
  %.1426 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1428 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1430 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1432 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1434 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1436 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1438 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1440 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1442 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.9, align 8
  %.1443 = load i64, ptr %b, align 8
  %.1444 = inttoptr i64 %.1443 to ptr
  %.1445 = load i64, ptr %.1444, align 8
  %.1446 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1448 = load i64, ptr %header, align 8
  %.1449 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1450, align 8
  %.1454 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1450, ptr %excinfo.23, i64 %.1448, i64 %.1449, i64 6, i64 %.1445)
  %.1455 = load ptr, ptr %excinfo.23, align 8
  %.1456 = icmp eq i32 %.1454, 0
  %.1457 = icmp eq i32 %.1454, -2
  %.1458 = icmp eq i32 %.1454, -1
  %.1459 = icmp eq i32 %.1454, -3
  %.1460 = or i1 %.1456, %.1457
  %.1461 = xor i1 %.1460, true
  %.1462 = icmp sge i32 %.1454, 1
  %.1463 = select i1 %.1462, ptr %.1455, ptr undef
  %.1464 = load i64, ptr %.1450, align 8
  br i1 %.1461, label %B3502.if, label %B3502.endif, !prof !0

B3584:                                            ; preds = %B3464
  %.1480 = load ptr, ptr @numba.dynamic.globals.7f6b0b457070, align 8
  %.1481 = load i64, ptr %row, align 8
  %.1482 = mul nsw i64 4, 8
  %.1483 = add nsw i64 %.1481, %.1482
  %.1484 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1486 = inttoptr i64 %.1483 to ptr
  %.1487 = load i64, ptr %.1486, align 8
  %.1488 = load i64, ptr %b, align 8
  %.1489 = inttoptr i64 %.1488 to ptr
  %.1490 = load i64, ptr %.1489, align 8
  %.1491 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1493 = load i64, ptr %team, align 8
  %.1494 = load i64, ptr %a, align 8
  %.1495 = load i64, ptr %c, align 8
  store i8 0, ptr %.1496, align 1
  %.1500 = call i32 @_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr %.1496, ptr %excinfo.24, i64 %.1493, i64 %.1494, i64 %.1495, i64 %.1487, i64 %.1490)
  %.1501 = load ptr, ptr %excinfo.24, align 8
  %.1502 = icmp eq i32 %.1500, 0
  %.1503 = icmp eq i32 %.1500, -2
  %.1504 = icmp eq i32 %.1500, -1
  %.1505 = icmp eq i32 %.1500, -3
  %.1506 = or i1 %.1502, %.1503
  %.1507 = xor i1 %.1506, true
  %.1508 = icmp sge i32 %.1500, 1
  %.1509 = select i1 %.1508, ptr %.1501, ptr undef
  %.1510 = load i8, ptr %.1496, align 1
  %.1513 = icmp eq i8 %.1510, 0
  br i1 %.1513, label %B3584.if, label %B3584.else

B3702:                                            ; preds = %B3584.endif.endif
  %.1534 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1536 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1538 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1540 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1542 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1544 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.10, align 8
  %.1545 = load i64, ptr %header, align 8
  %.1546 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1547, align 8
  %.1551 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1547, ptr %excinfo.25, i64 %.1545, i64 %.1546, i64 5, i64 0)
  %.1552 = load ptr, ptr %excinfo.25, align 8
  %.1553 = icmp eq i32 %.1551, 0
  %.1554 = icmp eq i32 %.1551, -2
  %.1555 = icmp eq i32 %.1551, -1
  %.1556 = icmp eq i32 %.1551, -3
  %.1557 = or i1 %.1553, %.1554
  %.1558 = xor i1 %.1557, true
  %.1559 = icmp sge i32 %.1551, 1
  %.1560 = select i1 %.1559, ptr %.1552, ptr undef
  %.1561 = load i64, ptr %.1547, align 8
  br i1 %.1558, label %B3702.if, label %B3702.endif, !prof !0

B3758:                                            ; preds = %B3584.endif.endif
  %.1577 = load i64, ptr %target, align 8
  %.1578 = load i64, ptr %target.4, align 8
  store i64 %.1577, ptr %target.4, align 8
  %.1580 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B3762:                                            ; preds = %B3432
  %.1583 = load i64, ptr %opcode, align 8
  %.1584 = icmp eq i64 %.1583, 20
  br i1 %.1584, label %B3794, label %B3940

B3794:                                            ; preds = %B3762
  %.1586 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1588 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1590 = load ptr, ptr @numba.dynamic.globals.7f6b0b456530, align 8
  %.1591 = load i64, ptr %b, align 8
  %.1592 = inttoptr i64 %.1591 to ptr
  %.1593 = load i64, ptr %.1592, align 8
  %.1594 = load i64, ptr %a, align 8
  %.1595 = load i64, ptr %c, align 8
  store i8 0, ptr %.1596, align 1
  %.1600 = call i32 @_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.1596, ptr %excinfo.26, i64 %.1594, i64 %.1593, i64 %.1595)
  %.1601 = load ptr, ptr %excinfo.26, align 8
  %.1602 = icmp eq i32 %.1600, 0
  %.1603 = icmp eq i32 %.1600, -2
  %.1604 = icmp eq i32 %.1600, -1
  %.1605 = icmp eq i32 %.1600, -3
  %.1606 = or i1 %.1602, %.1603
  %.1607 = xor i1 %.1606, true
  %.1608 = icmp sge i32 %.1600, 1
  %.1609 = select i1 %.1608, ptr %.1601, ptr undef
  %.1610 = load i8, ptr %.1596, align 1
  %.1613 = icmp eq i8 %.1610, 0
  br i1 %.1613, label %B3794.if, label %B3794.else

B3854:                                            ; preds = %B3794.endif.endif
  %.1634 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1636 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1638 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1640 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1642 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1644 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.11, align 8
  %.1645 = load i64, ptr %b, align 8
  %.1646 = inttoptr i64 %.1645 to ptr
  %.1647 = load i64, ptr %.1646, align 8
  %.1648 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1650 = load i64, ptr %header, align 8
  %.1651 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1652, align 8
  %.1656 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1652, ptr %excinfo.27, i64 %.1650, i64 %.1651, i64 6, i64 %.1647)
  %.1657 = load ptr, ptr %excinfo.27, align 8
  %.1658 = icmp eq i32 %.1656, 0
  %.1659 = icmp eq i32 %.1656, -2
  %.1660 = icmp eq i32 %.1656, -1
  %.1661 = icmp eq i32 %.1656, -3
  %.1662 = or i1 %.1658, %.1659
  %.1663 = xor i1 %.1662, true
  %.1664 = icmp sge i32 %.1656, 1
  %.1665 = select i1 %.1664, ptr %.1657, ptr undef
  %.1666 = load i64, ptr %.1652, align 8
  br i1 %.1663, label %B3854.if, label %B3854.endif, !prof !0

B3936:                                            ; preds = %B3794.endif.endif
  %.1682 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1684 = load i64, ptr %target, align 8
  %.1685 = load i64, ptr %target.4, align 8
  store i64 %.1684, ptr %target.4, align 8
  %.1687 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B3940:                                            ; preds = %B3762
  %.1690 = load i64, ptr %opcode, align 8
  %.1691 = icmp eq i64 %.1690, 21
  br i1 %.1691, label %B3972, label %B4176

B3972:                                            ; preds = %B3940
  %.1693 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1695 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1697 = load i64, ptr %b, align 8
  %.1698 = inttoptr i64 %.1697 to ptr
  %.1699 = load i64, ptr %.1698, align 8
  %.1700 = load i64, ptr %c, align 8
  %.1701 = mul nsw i64 %.1699, %.1700
  %.1702 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1704 = load i64, ptr %a, align 8
  %.1705 = mul nsw i64 2, 8
  %.1706 = add nsw i64 %.1704, %.1705
  %.1707 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1709 = inttoptr i64 %.1706 to ptr
  %.1710 = load i64, ptr %.1709, align 8
  %.1711 = icmp ne i64 %.1701, %.1710
  br i1 %.1711, label %B4090, label %B4172

B4090:                                            ; preds = %B3972
  %.1713 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1715 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1717 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1719 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1721 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1723 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.12, align 8
  %.1724 = load i64, ptr %b, align 8
  %.1725 = inttoptr i64 %.1724 to ptr
  %.1726 = load i64, ptr %.1725, align 8
  %.1727 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1729 = load i64, ptr %header, align 8
  %.1730 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1731, align 8
  %.1735 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1731, ptr %excinfo.28, i64 %.1729, i64 %.1730, i64 6, i64 %.1726)
  %.1736 = load ptr, ptr %excinfo.28, align 8
  %.1737 = icmp eq i32 %.1735, 0
  %.1738 = icmp eq i32 %.1735, -2
  %.1739 = icmp eq i32 %.1735, -1
  %.1740 = icmp eq i32 %.1735, -3
  %.1741 = or i1 %.1737, %.1738
  %.1742 = xor i1 %.1741, true
  %.1743 = icmp sge i32 %.1735, 1
  %.1744 = select i1 %.1743, ptr %.1736, ptr undef
  %.1745 = load i64, ptr %.1731, align 8
  br i1 %.1742, label %B4090.if, label %B4090.endif, !prof !0

B4172:                                            ; preds = %B3972
  %.1761 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1763 = load i64, ptr %target, align 8
  %.1764 = load i64, ptr %target.4, align 8
  store i64 %.1763, ptr %target.4, align 8
  %.1766 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B4176:                                            ; preds = %B3940
  %.1769 = load i64, ptr %opcode, align 8
  %.1770 = icmp eq i64 %.1769, 23
  br i1 %.1770, label %B4208, label %B4468

B4208:                                            ; preds = %B4176
  %.1772 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1774 = load ptr, ptr @numba.dynamic.globals.7f6b0b4576b0, align 8
  %.1775 = load i64, ptr %c, align 8
  %.1776 = inttoptr i64 %.1775 to ptr
  %.1777 = load i64, ptr %.1776, align 8
  %.1778 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1780 = load i64, ptr %row, align 8
  %.1781 = mul nsw i64 4, 8
  %.1782 = add nsw i64 %.1780, %.1781
  %.1783 = inttoptr i64 %.1782 to ptr
  %.1784 = load i64, ptr %.1783, align 8
  %.1785 = inttoptr i64 %.1784 to ptr
  %.1786 = load i64, ptr %.1785, align 8
  %.1787 = load i64, ptr %row, align 8
  %.1788 = mul nsw i64 5, 8
  %.1789 = add nsw i64 %.1787, %.1788
  %.1790 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1792 = inttoptr i64 %.1789 to ptr
  %.1793 = load i64, ptr %.1792, align 8
  %.1794 = load i64, ptr %team, align 8
  %.1795 = load i64, ptr %a, align 8
  %.1796 = load i64, ptr %b, align 8
  store i8 0, ptr %.1797, align 1
  %.1801 = call i32 @_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx(ptr %.1797, ptr %excinfo.29, i64 %.1794, i64 %.1795, i64 %.1796, i64 %.1777, i64 %.1786, i64 %.1793)
  %.1802 = load ptr, ptr %excinfo.29, align 8
  %.1803 = icmp eq i32 %.1801, 0
  %.1804 = icmp eq i32 %.1801, -2
  %.1805 = icmp eq i32 %.1801, -1
  %.1806 = icmp eq i32 %.1801, -3
  %.1807 = or i1 %.1803, %.1804
  %.1808 = xor i1 %.1807, true
  %.1809 = icmp sge i32 %.1801, 1
  %.1810 = select i1 %.1809, ptr %.1802, ptr undef
  %.1811 = load i8, ptr %.1797, align 1
  %.1814 = icmp eq i8 %.1811, 0
  br i1 %.1814, label %B4208.if, label %B4208.else

B4408:                                            ; preds = %B4208.endif.endif
  %.1835 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1837 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1839 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1841 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1843 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1845 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.13, align 8
  %.1846 = load i64, ptr %header, align 8
  %.1847 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %.1848, align 8
  %.1852 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.1848, ptr %excinfo.30, i64 %.1846, i64 %.1847, i64 5, i64 0)
  %.1853 = load ptr, ptr %excinfo.30, align 8
  %.1854 = icmp eq i32 %.1852, 0
  %.1855 = icmp eq i32 %.1852, -2
  %.1856 = icmp eq i32 %.1852, -1
  %.1857 = icmp eq i32 %.1852, -3
  %.1858 = or i1 %.1854, %.1855
  %.1859 = xor i1 %.1858, true
  %.1860 = icmp sge i32 %.1852, 1
  %.1861 = select i1 %.1860, ptr %.1853, ptr undef
  %.1862 = load i64, ptr %.1848, align 8
  br i1 %.1859, label %B4408.if, label %B4408.endif, !prof !0

B4464:                                            ; preds = %B4208.endif.endif
  %.1878 = load i64, ptr %target, align 8
  %.1879 = load i64, ptr %target.4, align 8
  store i64 %.1878, ptr %target.4, align 8
  %.1881 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B4468:                                            ; preds = %B4176
  %.1884 = load i64, ptr %opcode, align 8
  %.1885 = icmp eq i64 %.1884, 22
  br i1 %.1885, label %B4500, label %B4616

B4500:                                            ; preds = %B4468
  %.1887 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1889 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1891 = load i64, ptr %target, align 8
  %.1892 = load i64, ptr %target.4, align 8
  store i64 %.1891, ptr %target.4, align 8
  %.1894 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1896 = load i64, ptr %a, align 8
  %.1897 = mul nsw i64 2, 8
  %.1898 = add nsw i64 %.1896, %.1897
  %.1899 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1901 = inttoptr i64 %.1898 to ptr
  %.1902 = load i64, ptr %.1901, align 8
  %.1903 = load i64, ptr %c, align 8
  %.1906 = icmp eq i64 %.1903, 0
  br i1 %.1906, label %B4500.if, label %B4500.else, !prof !0

B4616:                                            ; preds = %B4468
  %.1952 = load i64, ptr %opcode, align 8
  %.1953 = icmp eq i64 %.1952, 14
  br i1 %.1953, label %B4648, label %B4732

B4648:                                            ; preds = %B4616
  %.1955 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1957 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1959 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1961 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1963 = load i64, ptr %target, align 8
  %.1964 = load i64, ptr %target.4, align 8
  store i64 %.1963, ptr %target.4, align 8
  %.1966 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.1968 = load i64, ptr %a, align 8
  %.1969 = mul nsw i64 2, 8
  %.1970 = add nsw i64 %.1968, %.1969
  %.1971 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.1973 = inttoptr i64 %.1970 to ptr
  store i64 0, ptr %.1973, align 8
  br label %B5270

B4732:                                            ; preds = %B4616
  %.1976 = load i64, ptr %opcode, align 8
  %.1977 = icmp eq i64 %.1976, 15
  br i1 %.1977, label %B4764, label %B4820

B4764:                                            ; preds = %B4732
  %.1979 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.1981 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.1983 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.1985 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1987 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.1989 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.1991 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.1993 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1995 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1997 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.14, align 8
  %.1998 = load i64, ptr %header, align 8
  %.1999 = load i64, ptr %target, align 8
  %.2000 = load i64, ptr %a, align 8
  store i64 0, ptr %.2001, align 8
  %.2005 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.2001, ptr %excinfo.31, i64 %.1998, i64 %.1999, i64 1, i64 %.2000)
  %.2006 = load ptr, ptr %excinfo.31, align 8
  %.2007 = icmp eq i32 %.2005, 0
  %.2008 = icmp eq i32 %.2005, -2
  %.2009 = icmp eq i32 %.2005, -1
  %.2010 = icmp eq i32 %.2005, -3
  %.2011 = or i1 %.2007, %.2008
  %.2012 = xor i1 %.2011, true
  %.2013 = icmp sge i32 %.2005, 1
  %.2014 = select i1 %.2013, ptr %.2006, ptr undef
  %.2015 = load i64, ptr %.2001, align 8
  br i1 %.2012, label %B4764.if, label %B4764.endif, !prof !0

B4820:                                            ; preds = %B4732
  %.2033 = load i64, ptr %opcode, align 8
  %.2034 = icmp eq i64 %.2033, 24
  br i1 %.2034, label %B4852, label %B4998

B4852:                                            ; preds = %B4820
  %.2036 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.2038 = load ptr, ptr @numba.dynamic.globals.7f6b0b462c10, align 8
  %.2039 = load i64, ptr %a, align 8
  %.2040 = load i64, ptr %b, align 8
  %.2041 = load i64, ptr %c, align 8
  store i8 0, ptr %.2042, align 1
  %.2046 = call i32 @_ZN7vitrify6kernel8exchangeB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.2042, ptr %excinfo.32, i64 %.2039, i64 %.2040, i64 %.2041)
  %.2047 = load ptr, ptr %excinfo.32, align 8
  %.2048 = icmp eq i32 %.2046, 0
  %.2049 = icmp eq i32 %.2046, -2
  %.2050 = icmp eq i32 %.2046, -1
  %.2051 = icmp eq i32 %.2046, -3
  %.2052 = or i1 %.2048, %.2049
  %.2053 = xor i1 %.2052, true
  %.2054 = icmp sge i32 %.2046, 1
  %.2055 = select i1 %.2054, ptr %.2047, ptr undef
  %.2056 = load i8, ptr %.2042, align 1
  %.2059 = icmp eq i8 %.2056, 0
  br i1 %.2059, label %B4852.if, label %B4852.else

B4886:                                            ; preds = %B4852.endif.endif
  %.2082 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.2084 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.2086 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.2088 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.2090 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.2092 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.15, align 8
  %.2093 = load i64, ptr %row, align 8
  %.2094 = mul nsw i64 4, 8
  %.2095 = add nsw i64 %.2093, %.2094
  %.2096 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.2098 = inttoptr i64 %.2095 to ptr
  %.2099 = load i64, ptr %.2098, align 8
  %.2100 = load i64, ptr %header, align 8
  %.2101 = load i64, ptr %target, align 8
  store i64 0, ptr %.2102, align 8
  %.2106 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.2102, ptr %excinfo.33, i64 %.2100, i64 %.2101, i64 1, i64 %.2099)
  %.2107 = load ptr, ptr %excinfo.33, align 8
  %.2108 = icmp eq i32 %.2106, 0
  %.2109 = icmp eq i32 %.2106, -2
  %.2110 = icmp eq i32 %.2106, -1
  %.2111 = icmp eq i32 %.2106, -3
  %.2112 = or i1 %.2108, %.2109
  %.2113 = xor i1 %.2112, true
  %.2114 = icmp sge i32 %.2106, 1
  %.2115 = select i1 %.2114, ptr %.2107, ptr undef
  %.2116 = load i64, ptr %.2102, align 8
  br i1 %.2113, label %B4886.if, label %B4886.endif, !prof !0

B4996:                                            ; preds = %B4852.endif.endif
  %.2132 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.2134 = load i64, ptr %target, align 8
  %.2135 = load i64, ptr %target.4, align 8
  store i64 %.2134, ptr %target.4, align 8
  %.2137 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B4998:                                            ; preds = %B4820
  %.2140 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.2142 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.2144 = load i64, ptr %opcode, align 8
  %.2145 = icmp eq i64 %.2144, 16
  br i1 %.2145, label %B5030, label %B5126

B5030:                                            ; preds = %B4998
  %.2147 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.2149 = load i64, ptr %a, align 8
  %.2150 = inttoptr i64 %.2149 to ptr
  %.2151 = load i8, ptr %.2150, align 1
  %.2152 = zext i8 %.2151 to i64
  %.2153 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.2155 = icmp eq i64 %.2152, 0
  br i1 %.2155, label %B5068, label %B5124

B5068:                                            ; preds = %B5030
  %.2157 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.2159 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.2161 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.2163 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.2165 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.2167 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.16, align 8
  %.2168 = load i64, ptr %header, align 8
  %.2169 = load i64, ptr %target, align 8
  %.2170 = load i64, ptr %b, align 8
  store i64 0, ptr %.2171, align 8
  %.2175 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.2171, ptr %excinfo.34, i64 %.2168, i64 %.2169, i64 2, i64 %.2170)
  %.2176 = load ptr, ptr %excinfo.34, align 8
  %.2177 = icmp eq i32 %.2175, 0
  %.2178 = icmp eq i32 %.2175, -2
  %.2179 = icmp eq i32 %.2175, -1
  %.2180 = icmp eq i32 %.2175, -3
  %.2181 = or i1 %.2177, %.2178
  %.2182 = xor i1 %.2181, true
  %.2183 = icmp sge i32 %.2175, 1
  %.2184 = select i1 %.2183, ptr %.2176, ptr undef
  %.2185 = load i64, ptr %.2171, align 8
  br i1 %.2182, label %B5068.if, label %B5068.endif, !prof !0

B5124:                                            ; preds = %B5030
  %.2203 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.2205 = load i64, ptr %target, align 8
  %.2206 = load i64, ptr %target.4, align 8
  store i64 %.2205, ptr %target.4, align 8
  %.2208 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  br label %B5270

B5126:                                            ; preds = %B4998
  %.2211 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.2213 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.2215 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.2217 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.2219 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.2221 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.2223 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  %.2225 = load i64, ptr %opcode, align 8
  %.2226 = icmp eq i64 %.2225, 0
  br i1 %.2226, label %B5158, label %B5214

B5158:                                            ; preds = %B5126
  %.2228 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.2230 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.2232 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.17, align 8
  %.2233 = load i64, ptr %header, align 8
  store i64 0, ptr %.2234, align 8
  %.2238 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.2234, ptr %excinfo.35, i64 %.2233, i64 0, i64 0, i64 0)
  %.2239 = load ptr, ptr %excinfo.35, align 8
  %.2240 = icmp eq i32 %.2238, 0
  %.2241 = icmp eq i32 %.2238, -2
  %.2242 = icmp eq i32 %.2238, -1
  %.2243 = icmp eq i32 %.2238, -3
  %.2244 = or i1 %.2240, %.2241
  %.2245 = xor i1 %.2244, true
  %.2246 = icmp sge i32 %.2238, 1
  %.2247 = select i1 %.2246, ptr %.2239, ptr undef
  %.2248 = load i64, ptr %.2234, align 8
  br i1 %.2245, label %B5158.if, label %B5158.endif, !prof !0

B5214:                                            ; preds = %B5126
  %.2262 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.18, align 8
  %.2263 = load i64, ptr %header, align 8
  %.2264 = load i64, ptr %pc.2, align 8
  %.2265 = load i64, ptr %opcode, align 8
  store i64 0, ptr %.2266, align 8
  %.2270 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.2266, ptr %excinfo.36, i64 %.2263, i64 %.2264, i64 8, i64 %.2265)
  %.2271 = load ptr, ptr %excinfo.36, align 8
  %.2272 = icmp eq i32 %.2270, 0
  %.2273 = icmp eq i32 %.2270, -2
  %.2274 = icmp eq i32 %.2270, -1
  %.2275 = icmp eq i32 %.2270, -3
  %.2276 = or i1 %.2272, %.2273
  %.2277 = xor i1 %.2276, true
  %.2278 = icmp sge i32 %.2270, 1
  %.2279 = select i1 %.2278, ptr %.2271, ptr undef
  %.2280 = load i64, ptr %.2266, align 8
  br i1 %.2277, label %B5214.if, label %B5214.endif, !prof !0

B5270:                                            ; preds = %B4500.endif, %B5124, %B4996, %B4648, %B4464, %B4172, %B3936, %B3758, %B3428, %B2680, %B2446, %B2156, %B2030, %B1838, %B1770, %B1734, %B1630, %B1548, %B1478, %B1408, %B1372, %B1072, %B792
  %.2298 = load i64, ptr %target.4, align 8
  %.2299 = load i64, ptr %pc.2, align 8
  %.2300 = icmp sle i64 %.2298, %.2299
  br i1 %.2300, label %B5282, label %B5424

B5282:                                            ; preds = %B5270
  %.2302 = load i64, ptr %header, align 8
  %.2303 = mul nsw i64 6, 8
  %.2304 = add nsw i64 %.2302, %.2303
  %.2305 = inttoptr i64 %.2304 to ptr
  %.2306 = load i64, ptr %.2305, align 8
  %.2307 = icmp ne i64 %.2306, 0
  br i1 %.2307, label %B5368, label %B5424

B5368:                                            ; preds = %B5282
  %.2309 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  %.2311 = load i64, ptr %task, align 8
  store i64 0, ptr %task, align 8
  %.2313 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.2315 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %moment.2, align 8
  %.2317 = load i64, ptr %code, align 8
  store i64 0, ptr %code, align 8
  %.2319 = load ptr, ptr @numba.dynamic.globals.7f6b0b463250.19, align 8
  %.2320 = load i64, ptr %header, align 8
  %.2321 = load i64, ptr %target.4, align 8
  store i64 0, ptr %.2322, align 8
  %.2326 = call i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr %.2322, ptr %excinfo.37, i64 %.2320, i64 %.2321, i64 3, i64 0)
  %.2327 = load ptr, ptr %excinfo.37, align 8
  %.2328 = icmp eq i32 %.2326, 0
  %.2329 = icmp eq i32 %.2326, -2
  %.2330 = icmp eq i32 %.2326, -1
  %.2331 = icmp eq i32 %.2326, -3
  %.2332 = or i1 %.2328, %.2329
  %.2333 = xor i1 %.2332, true
  %.2334 = icmp sge i32 %.2326, 1
  %.2335 = select i1 %.2334, ptr %.2327, ptr undef
  %.2336 = load i64, ptr %.2322, align 8
  br i1 %.2333, label %B5368.if, label %B5368.endif, !prof !0

B5424:                                            ; preds = %B5282, %B5270
  %.2352 = load ptr, ptr @numba.dynamic.globals.7f6b0b463c50, align 8
  %.2353 = load i64, ptr %task, align 8
  %.2354 = load i64, ptr %pc.2, align 8
  %.2355 = load i64, ptr %moment.2, align 8
  store i64 0, ptr %.2356, align 8
  %.2360 = call i32 @_ZN7vitrify6kernel10after_stepB3v43B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr %.2356, ptr %excinfo.38, i64 %.2353, i64 %.2354, i64 0)
  %.2361 = load ptr, ptr %excinfo.38, align 8
  %.2362 = icmp eq i32 %.2360, 0
  %.2363 = icmp eq i32 %.2360, -2
  %.2364 = icmp eq i32 %.2360, -1
  %.2365 = icmp eq i32 %.2360, -3
  %.2366 = or i1 %.2362, %.2363
  %.2367 = xor i1 %.2366, true
  %.2368 = icmp sge i32 %.2360, 1
  %.2369 = select i1 %.2368, ptr %.2361, ptr undef
  %.2370 = load i64, ptr %.2356, align 8
  br i1 %.2367, label %B5424.if, label %B5424.endif, !prof !0

B0.if:                                            ; preds = %B0
  store i64 0, ptr %try_state, align 8
  %.27 = load i64, ptr %try_state, align 8
  %.28 = icmp ugt i64 %.27, 0
  %.29 = load ptr, ptr %excinfo, align 8
  store ptr %.22, ptr %excinfo, align 8
  %.31 = xor i1 %.28, true
  br i1 %.31, label %B0.if.if, label %B0.if.endif

B0.endif:                                         ; preds = %B0.if.endif, %B0
  %.36 = load i64, ptr %header, align 8
  store i64 %.23, ptr %header, align 8
  %.38 = load i64, ptr %header, align 8
  %.39 = mul nsw i64 0, 8
  %.40 = add nsw i64 %.38, %.39
  %.41 = inttoptr i64 %.40 to ptr
  %.42 = load i64, ptr %.41, align 8
  %.44 = load i64, ptr %code, align 8
  store i64 %.42, ptr %code, align 8
  %.46 = load i64, ptr %header, align 8
  %.47 = mul nsw i64 8, 8
  %.48 = add nsw i64 %.46, %.47
  %.49 = inttoptr i64 %.48 to ptr
  %.50 = load i64, ptr %.49, align 8
  %.52 = load i64, ptr %team, align 8
  store i64 %.50, ptr %team, align 8
  %.54 = load i64, ptr %header, align 8
  %.55 = mul nsw i64 1, 8
  %.56 = add nsw i64 %.54, %.55
  %.57 = inttoptr i64 %.56 to ptr
  %.58 = load i64, ptr %.57, align 8
  %.60 = load i64, ptr %pc, align 8
  store i64 %.58, ptr %pc, align 8
  %.62 = load i64, ptr %pc, align 8
  %.63 = icmp slt i64 %.62, 0
  br i1 %.63, label %B280, label %B334

B0.if.if:                                         ; preds = %B0.if
  ret i32 %.13

B0.if.endif:                                      ; preds = %B0.if
  br label %B0.endif

B280.if:                                          ; preds = %B280
  %.91 = load i64, ptr %try_state, align 8
  %.92 = icmp ugt i64 %.91, 0
  %.93 = load ptr, ptr %excinfo, align 8
  store ptr %.88, ptr %excinfo, align 8
  %.95 = xor i1 %.92, true
  br i1 %.95, label %B280.if.if, label %B280.if.endif

B280.endif:                                       ; preds = %B280.if.endif, %B280
  %.99 = load i64, ptr %team, align 8
  store i64 0, ptr %team, align 8
  store i64 0, ptr %retptr, align 8
  ret i32 0

B280.if.if:                                       ; preds = %B280.if
  ret i32 %.79

B280.if.endif:                                    ; preds = %B280.if
  br label %B280.endif

B346.if:                                          ; preds = %B346
  %.124 = load i64, ptr %try_state, align 8
  %.125 = icmp ugt i64 %.124, 0
  %.126 = load ptr, ptr %excinfo, align 8
  store ptr %.121, ptr %excinfo, align 8
  %.128 = xor i1 %.125, true
  br i1 %.128, label %B346.if.if, label %B346.if.endif

B346.endif:                                       ; preds = %B346.if.endif, %B346
  br label %B376

B346.if.if:                                       ; preds = %B346.if
  ret i32 %.112

B346.if.endif:                                    ; preds = %B346.if
  br label %B346.endif

B376.if:                                          ; preds = %B376
  %.157 = load i64, ptr %try_state, align 8
  %.158 = icmp ugt i64 %.157, 0
  %.159 = load ptr, ptr %excinfo, align 8
  store ptr %.154, ptr %excinfo, align 8
  %.161 = xor i1 %.158, true
  br i1 %.161, label %B376.if.if, label %B376.if.endif

B376.endif:                                       ; preds = %B376.if.endif, %B376
  %.166 = load i64, ptr %moment.2, align 8
  store i64 %.155, ptr %moment.2, align 8
  br label %B408

B376.if.if:                                       ; preds = %B376.if
  ret i32 %.145

B376.if.endif:                                    ; preds = %B376.if
  br label %B376.endif

B982.if:                                          ; preds = %B982
  store i1 false, ptr %.285, align 1
  br label %B982.endif

B982.else:                                        ; preds = %B982
  store i1 true, ptr %.285, align 1
  br label %B982.endif

B982.endif:                                       ; preds = %B982.else, %B982.if
  %.293 = load i1, ptr %.285, align 1
  br i1 %.281, label %B982.endif.if, label %B982.endif.endif, !prof !0

B982.endif.if:                                    ; preds = %B982.endif
  %.295 = load i64, ptr %try_state, align 8
  %.296 = icmp ugt i64 %.295, 0
  %.297 = load ptr, ptr %excinfo, align 8
  store ptr %.283, ptr %excinfo, align 8
  %.299 = xor i1 %.296, true
  br i1 %.299, label %B982.endif.if.if, label %B982.endif.if.endif

B982.endif.endif:                                 ; preds = %B982.endif.if.endif, %B982.endif
  %.303 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.305 = load i64, ptr %chunks, align 8
  store i64 0, ptr %chunks, align 8
  br i1 %.293, label %B1072, label %B1016

B982.endif.if.if:                                 ; preds = %B982.endif.if
  ret i32 %.274

B982.endif.if.endif:                              ; preds = %B982.endif.if
  br label %B982.endif.endif

B1016.if:                                         ; preds = %B1016
  %.337 = load i64, ptr %try_state, align 8
  %.338 = icmp ugt i64 %.337, 0
  %.339 = load ptr, ptr %excinfo, align 8
  store ptr %.334, ptr %excinfo, align 8
  %.341 = xor i1 %.338, true
  br i1 %.341, label %B1016.if.if, label %B1016.if.endif

B1016.endif:                                      ; preds = %B1016.if.endif, %B1016
  %.345 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.347 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.335, ptr %retptr, align 8
  ret i32 0

B1016.if.if:                                      ; preds = %B1016.if
  ret i32 %.325

B1016.if.endif:                                   ; preds = %B1016.if
  br label %B1016.endif

B1226.if:                                         ; preds = %B1226
  %.409 = load i64, ptr %try_state, align 8
  %.410 = icmp ugt i64 %.409, 0
  %.411 = load ptr, ptr %excinfo, align 8
  store ptr %.406, ptr %excinfo, align 8
  %.413 = xor i1 %.410, true
  br i1 %.413, label %B1226.if.if, label %B1226.if.endif

B1226.endif:                                      ; preds = %B1226.if.endif, %B1226
  %.417 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.419 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.407, ptr %retptr, align 8
  ret i32 0

B1226.if.if:                                      ; preds = %B1226.if
  ret i32 %.397

B1226.if.endif:                                   ; preds = %B1226.if
  br label %B1226.endif

B1282.if:                                         ; preds = %B1282
  store i1 false, ptr %.442, align 1
  br label %B1282.endif

B1282.else:                                       ; preds = %B1282
  store i1 true, ptr %.442, align 1
  br label %B1282.endif

B1282.endif:                                      ; preds = %B1282.else, %B1282.if
  %.450 = load i1, ptr %.442, align 1
  br i1 %.438, label %B1282.endif.if, label %B1282.endif.endif, !prof !0

B1282.endif.if:                                   ; preds = %B1282.endif
  %.452 = load i64, ptr %try_state, align 8
  %.453 = icmp ugt i64 %.452, 0
  %.454 = load ptr, ptr %excinfo, align 8
  store ptr %.440, ptr %excinfo, align 8
  %.456 = xor i1 %.453, true
  br i1 %.456, label %B1282.endif.if.if, label %B1282.endif.if.endif

B1282.endif.endif:                                ; preds = %B1282.endif.if.endif, %B1282.endif
  %.460 = load i64, ptr %row, align 8
  store i64 0, ptr %row, align 8
  %.462 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  br i1 %.450, label %B1372, label %B1316

B1282.endif.if.if:                                ; preds = %B1282.endif.if
  ret i32 %.431

B1282.endif.if.endif:                             ; preds = %B1282.endif.if
  br label %B1282.endif.endif

B1316.if:                                         ; preds = %B1316
  %.494 = load i64, ptr %try_state, align 8
  %.495 = icmp ugt i64 %.494, 0
  %.496 = load ptr, ptr %excinfo, align 8
  store ptr %.491, ptr %excinfo, align 8
  %.498 = xor i1 %.495, true
  br i1 %.498, label %B1316.if.if, label %B1316.if.endif

B1316.endif:                                      ; preds = %B1316.if.endif, %B1316
  %.502 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.504 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.492, ptr %retptr, align 8
  ret i32 0

B1316.if.if:                                      ; preds = %B1316.if
  ret i32 %.482

B1316.if.endif:                                   ; preds = %B1316.if
  br label %B1316.endif

B1938.if:                                         ; preds = %B1938
  store i1 false, ptr %.737, align 1
  br label %B1938.endif

B1938.else:                                       ; preds = %B1938
  store i1 true, ptr %.737, align 1
  br label %B1938.endif

B1938.endif:                                      ; preds = %B1938.else, %B1938.if
  %.745 = load i1, ptr %.737, align 1
  br i1 %.733, label %B1938.endif.if, label %B1938.endif.endif, !prof !0

B1938.endif.if:                                   ; preds = %B1938.endif
  %.747 = load i64, ptr %try_state, align 8
  %.748 = icmp ugt i64 %.747, 0
  %.749 = load ptr, ptr %excinfo, align 8
  store ptr %.735, ptr %excinfo, align 8
  %.751 = xor i1 %.748, true
  br i1 %.751, label %B1938.endif.if.if, label %B1938.endif.if.endif

B1938.endif.endif:                                ; preds = %B1938.endif.if.endif, %B1938.endif
  %.755 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.757 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.759 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.745, label %B2030, label %B1974

B1938.endif.if.if:                                ; preds = %B1938.endif.if
  ret i32 %.726

B1938.endif.if.endif:                             ; preds = %B1938.endif.if
  br label %B1938.endif.endif

B1974.if:                                         ; preds = %B1974
  %.791 = load i64, ptr %try_state, align 8
  %.792 = icmp ugt i64 %.791, 0
  %.793 = load ptr, ptr %excinfo, align 8
  store ptr %.788, ptr %excinfo, align 8
  %.795 = xor i1 %.792, true
  br i1 %.795, label %B1974.if.if, label %B1974.if.endif

B1974.endif:                                      ; preds = %B1974.if.endif, %B1974
  %.799 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.801 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.789, ptr %retptr, align 8
  ret i32 0

B1974.if.if:                                      ; preds = %B1974.if
  ret i32 %.779

B1974.if.endif:                                   ; preds = %B1974.if
  br label %B1974.endif

B2066.if:                                         ; preds = %B2066
  store i1 false, ptr %.837, align 1
  br label %B2066.endif

B2066.else:                                       ; preds = %B2066
  store i1 true, ptr %.837, align 1
  br label %B2066.endif

B2066.endif:                                      ; preds = %B2066.else, %B2066.if
  %.845 = load i1, ptr %.837, align 1
  br i1 %.833, label %B2066.endif.if, label %B2066.endif.endif, !prof !0

B2066.endif.if:                                   ; preds = %B2066.endif
  %.847 = load i64, ptr %try_state, align 8
  %.848 = icmp ugt i64 %.847, 0
  %.849 = load ptr, ptr %excinfo, align 8
  store ptr %.835, ptr %excinfo, align 8
  %.851 = xor i1 %.848, true
  br i1 %.851, label %B2066.endif.if.if, label %B2066.endif.if.endif

B2066.endif.endif:                                ; preds = %B2066.endif.if.endif, %B2066.endif
  %.855 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.857 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.859 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.845, label %B2156, label %B2100

B2066.endif.if.if:                                ; preds = %B2066.endif.if
  ret i32 %.826

B2066.endif.if.endif:                             ; preds = %B2066.endif.if
  br label %B2066.endif.endif

B2100.if:                                         ; preds = %B2100
  %.891 = load i64, ptr %try_state, align 8
  %.892 = icmp ugt i64 %.891, 0
  %.893 = load ptr, ptr %excinfo, align 8
  store ptr %.888, ptr %excinfo, align 8
  %.895 = xor i1 %.892, true
  br i1 %.895, label %B2100.if.if, label %B2100.if.endif

B2100.endif:                                      ; preds = %B2100.if.endif, %B2100
  %.899 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.901 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.889, ptr %retptr, align 8
  ret i32 0

B2100.if.if:                                      ; preds = %B2100.if
  ret i32 %.879

B2100.if.endif:                                   ; preds = %B2100.if
  br label %B2100.endif

B2192.if:                                         ; preds = %B2192
  store i1 false, ptr %.949, align 1
  br label %B2192.endif

B2192.else:                                       ; preds = %B2192
  store i1 true, ptr %.949, align 1
  br label %B2192.endif

B2192.endif:                                      ; preds = %B2192.else, %B2192.if
  %.957 = load i1, ptr %.949, align 1
  br i1 %.945, label %B2192.endif.if, label %B2192.endif.endif, !prof !0

B2192.endif.if:                                   ; preds = %B2192.endif
  %.959 = load i64, ptr %try_state, align 8
  %.960 = icmp ugt i64 %.959, 0
  %.961 = load ptr, ptr %excinfo, align 8
  store ptr %.947, ptr %excinfo, align 8
  %.963 = xor i1 %.960, true
  br i1 %.963, label %B2192.endif.if.if, label %B2192.endif.if.endif

B2192.endif.endif:                                ; preds = %B2192.endif.if.endif, %B2192.endif
  %.967 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.969 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.957, label %B2446, label %B2364

B2192.endif.if.if:                                ; preds = %B2192.endif.if
  ret i32 %.938

B2192.endif.if.endif:                             ; preds = %B2192.endif.if
  br label %B2192.endif.endif

B2364.if:                                         ; preds = %B2364
  %.1006 = load i64, ptr %try_state, align 8
  %.1007 = icmp ugt i64 %.1006, 0
  %.1008 = load ptr, ptr %excinfo, align 8
  store ptr %.1003, ptr %excinfo, align 8
  %.1010 = xor i1 %.1007, true
  br i1 %.1010, label %B2364.if.if, label %B2364.if.endif

B2364.endif:                                      ; preds = %B2364.if.endif, %B2364
  %.1014 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1016 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1004, ptr %retptr, align 8
  ret i32 0

B2364.if.if:                                      ; preds = %B2364.if
  ret i32 %.994

B2364.if.endif:                                   ; preds = %B2364.if
  br label %B2364.endif

B2482.if:                                         ; preds = %B2482
  store i1 false, ptr %.1061, align 1
  br label %B2482.endif

B2482.else:                                       ; preds = %B2482
  store i1 true, ptr %.1061, align 1
  br label %B2482.endif

B2482.endif:                                      ; preds = %B2482.else, %B2482.if
  %.1069 = load i1, ptr %.1061, align 1
  br i1 %.1057, label %B2482.endif.if, label %B2482.endif.endif, !prof !0

B2482.endif.if:                                   ; preds = %B2482.endif
  %.1071 = load i64, ptr %try_state, align 8
  %.1072 = icmp ugt i64 %.1071, 0
  %.1073 = load ptr, ptr %excinfo, align 8
  store ptr %.1059, ptr %excinfo, align 8
  %.1075 = xor i1 %.1072, true
  br i1 %.1075, label %B2482.endif.if.if, label %B2482.endif.if.endif

B2482.endif.endif:                                ; preds = %B2482.endif.if.endif, %B2482.endif
  %.1079 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1081 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.1069, label %B2680, label %B2598

B2482.endif.if.if:                                ; preds = %B2482.endif.if
  ret i32 %.1050

B2482.endif.if.endif:                             ; preds = %B2482.endif.if
  br label %B2482.endif.endif

B2598.if:                                         ; preds = %B2598
  %.1118 = load i64, ptr %try_state, align 8
  %.1119 = icmp ugt i64 %.1118, 0
  %.1120 = load ptr, ptr %excinfo, align 8
  store ptr %.1115, ptr %excinfo, align 8
  %.1122 = xor i1 %.1119, true
  br i1 %.1122, label %B2598.if.if, label %B2598.if.endif

B2598.endif:                                      ; preds = %B2598.if.endif, %B2598
  %.1126 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1128 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1116, ptr %retptr, align 8
  ret i32 0

B2598.if.if:                                      ; preds = %B2598.if
  ret i32 %.1106

B2598.if.endif:                                   ; preds = %B2598.if
  br label %B2598.endif

B2734.if:                                         ; preds = %B2734
  %.1178 = load i64, ptr %try_state, align 8
  %.1179 = icmp ugt i64 %.1178, 0
  %.1180 = load ptr, ptr %excinfo, align 8
  store ptr %.1175, ptr %excinfo, align 8
  %.1182 = xor i1 %.1179, true
  br i1 %.1182, label %B2734.if.if, label %B2734.if.endif

B2734.endif:                                      ; preds = %B2734.if.endif, %B2734
  %.1186 = load i64, ptr %start.2, align 8
  store i64 %.1176, ptr %start.2, align 8
  br label %B2846

B2734.if.if:                                      ; preds = %B2734.if
  ret i32 %.1166

B2734.if.endif:                                   ; preds = %B2734.if
  br label %B2734.endif

B2996.if:                                         ; preds = %B2996
  %.1239 = load i64, ptr %try_state, align 8
  %.1240 = icmp ugt i64 %.1239, 0
  %.1241 = load ptr, ptr %excinfo, align 8
  store ptr %.1236, ptr %excinfo, align 8
  %.1243 = xor i1 %.1240, true
  br i1 %.1243, label %B2996.if.if, label %B2996.if.endif

B2996.endif:                                      ; preds = %B2996.if.endif, %B2996
  %.1247 = load i64, ptr %count.2, align 8
  store i64 %.1237, ptr %count.2, align 8
  br label %B3162

B2996.if.if:                                      ; preds = %B2996.if
  ret i32 %.1227

B2996.if.endif:                                   ; preds = %B2996.if
  br label %B2996.endif

B3278.if:                                         ; preds = %B3278
  %.1305 = load i64, ptr %try_state, align 8
  %.1306 = icmp ugt i64 %.1305, 0
  %.1307 = load ptr, ptr %excinfo, align 8
  store ptr %.1302, ptr %excinfo, align 8
  %.1309 = xor i1 %.1306, true
  br i1 %.1309, label %B3278.if.if, label %B3278.if.endif

B3278.endif:                                      ; preds = %B3278.if.endif, %B3278
  %.1313 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1315 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1303, ptr %retptr, align 8
  ret i32 0

B3278.if.if:                                      ; preds = %B3278.if
  ret i32 %.1293

B3278.if.endif:                                   ; preds = %B3278.if
  br label %B3278.endif

B3334.if:                                         ; preds = %B3334
  store i1 false, ptr %.1340, align 1
  br label %B3334.endif

B3334.else:                                       ; preds = %B3334
  store i1 true, ptr %.1340, align 1
  br label %B3334.endif

B3334.endif:                                      ; preds = %B3334.else, %B3334.if
  %.1348 = load i1, ptr %.1340, align 1
  br i1 %.1336, label %B3334.endif.if, label %B3334.endif.endif, !prof !0

B3334.endif.if:                                   ; preds = %B3334.endif
  %.1350 = load i64, ptr %try_state, align 8
  %.1351 = icmp ugt i64 %.1350, 0
  %.1352 = load ptr, ptr %excinfo, align 8
  store ptr %.1338, ptr %excinfo, align 8
  %.1354 = xor i1 %.1351, true
  br i1 %.1354, label %B3334.endif.if.if, label %B3334.endif.if.endif

B3334.endif.endif:                                ; preds = %B3334.endif.if.endif, %B3334.endif
  %.1358 = load i64, ptr %start.2, align 8
  store i64 0, ptr %start.2, align 8
  %.1360 = load i64, ptr %count.2, align 8
  store i64 0, ptr %count.2, align 8
  %.1362 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1364 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.1348, label %B3428, label %B3372

B3334.endif.if.if:                                ; preds = %B3334.endif.if
  ret i32 %.1329

B3334.endif.if.endif:                             ; preds = %B3334.endif.if
  br label %B3334.endif.endif

B3372.if:                                         ; preds = %B3372
  %.1396 = load i64, ptr %try_state, align 8
  %.1397 = icmp ugt i64 %.1396, 0
  %.1398 = load ptr, ptr %excinfo, align 8
  store ptr %.1393, ptr %excinfo, align 8
  %.1400 = xor i1 %.1397, true
  br i1 %.1400, label %B3372.if.if, label %B3372.if.endif

B3372.endif:                                      ; preds = %B3372.if.endif, %B3372
  %.1404 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1406 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1394, ptr %retptr, align 8
  ret i32 0

B3372.if.if:                                      ; preds = %B3372.if
  ret i32 %.1384

B3372.if.endif:                                   ; preds = %B3372.if
  br label %B3372.endif

B3502.if:                                         ; preds = %B3502
  %.1466 = load i64, ptr %try_state, align 8
  %.1467 = icmp ugt i64 %.1466, 0
  %.1468 = load ptr, ptr %excinfo, align 8
  store ptr %.1463, ptr %excinfo, align 8
  %.1470 = xor i1 %.1467, true
  br i1 %.1470, label %B3502.if.if, label %B3502.if.endif

B3502.endif:                                      ; preds = %B3502.if.endif, %B3502
  %.1474 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1476 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1464, ptr %retptr, align 8
  ret i32 0

B3502.if.if:                                      ; preds = %B3502.if
  ret i32 %.1454

B3502.if.endif:                                   ; preds = %B3502.if
  br label %B3502.endif

B3584.if:                                         ; preds = %B3584
  store i1 false, ptr %.1511, align 1
  br label %B3584.endif

B3584.else:                                       ; preds = %B3584
  store i1 true, ptr %.1511, align 1
  br label %B3584.endif

B3584.endif:                                      ; preds = %B3584.else, %B3584.if
  %.1519 = load i1, ptr %.1511, align 1
  br i1 %.1507, label %B3584.endif.if, label %B3584.endif.endif, !prof !0

B3584.endif.if:                                   ; preds = %B3584.endif
  %.1521 = load i64, ptr %try_state, align 8
  %.1522 = icmp ugt i64 %.1521, 0
  %.1523 = load ptr, ptr %excinfo, align 8
  store ptr %.1509, ptr %excinfo, align 8
  %.1525 = xor i1 %.1522, true
  br i1 %.1525, label %B3584.endif.if.if, label %B3584.endif.if.endif

B3584.endif.endif:                                ; preds = %B3584.endif.if.endif, %B3584.endif
  %.1529 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1531 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.1519, label %B3758, label %B3702

B3584.endif.if.if:                                ; preds = %B3584.endif.if
  ret i32 %.1500

B3584.endif.if.endif:                             ; preds = %B3584.endif.if
  br label %B3584.endif.endif

B3702.if:                                         ; preds = %B3702
  %.1563 = load i64, ptr %try_state, align 8
  %.1564 = icmp ugt i64 %.1563, 0
  %.1565 = load ptr, ptr %excinfo, align 8
  store ptr %.1560, ptr %excinfo, align 8
  %.1567 = xor i1 %.1564, true
  br i1 %.1567, label %B3702.if.if, label %B3702.if.endif

B3702.endif:                                      ; preds = %B3702.if.endif, %B3702
  %.1571 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1573 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1561, ptr %retptr, align 8
  ret i32 0

B3702.if.if:                                      ; preds = %B3702.if
  ret i32 %.1551

B3702.if.endif:                                   ; preds = %B3702.if
  br label %B3702.endif

B3794.if:                                         ; preds = %B3794
  store i1 false, ptr %.1611, align 1
  br label %B3794.endif

B3794.else:                                       ; preds = %B3794
  store i1 true, ptr %.1611, align 1
  br label %B3794.endif

B3794.endif:                                      ; preds = %B3794.else, %B3794.if
  %.1619 = load i1, ptr %.1611, align 1
  br i1 %.1607, label %B3794.endif.if, label %B3794.endif.endif, !prof !0

B3794.endif.if:                                   ; preds = %B3794.endif
  %.1621 = load i64, ptr %try_state, align 8
  %.1622 = icmp ugt i64 %.1621, 0
  %.1623 = load ptr, ptr %excinfo, align 8
  store ptr %.1609, ptr %excinfo, align 8
  %.1625 = xor i1 %.1622, true
  br i1 %.1625, label %B3794.endif.if.if, label %B3794.endif.if.endif

B3794.endif.endif:                                ; preds = %B3794.endif.if.endif, %B3794.endif
  %.1629 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1631 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.1619, label %B3936, label %B3854

B3794.endif.if.if:                                ; preds = %B3794.endif.if
  ret i32 %.1600

B3794.endif.if.endif:                             ; preds = %B3794.endif.if
  br label %B3794.endif.endif

B3854.if:                                         ; preds = %B3854
  %.1668 = load i64, ptr %try_state, align 8
  %.1669 = icmp ugt i64 %.1668, 0
  %.1670 = load ptr, ptr %excinfo, align 8
  store ptr %.1665, ptr %excinfo, align 8
  %.1672 = xor i1 %.1669, true
  br i1 %.1672, label %B3854.if.if, label %B3854.if.endif

B3854.endif:                                      ; preds = %B3854.if.endif, %B3854
  %.1676 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1678 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1666, ptr %retptr, align 8
  ret i32 0

B3854.if.if:                                      ; preds = %B3854.if
  ret i32 %.1656

B3854.if.endif:                                   ; preds = %B3854.if
  br label %B3854.endif

B4090.if:                                         ; preds = %B4090
  %.1747 = load i64, ptr %try_state, align 8
  %.1748 = icmp ugt i64 %.1747, 0
  %.1749 = load ptr, ptr %excinfo, align 8
  store ptr %.1744, ptr %excinfo, align 8
  %.1751 = xor i1 %.1748, true
  br i1 %.1751, label %B4090.if.if, label %B4090.if.endif

B4090.endif:                                      ; preds = %B4090.if.endif, %B4090
  %.1755 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1757 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1745, ptr %retptr, align 8
  ret i32 0

B4090.if.if:                                      ; preds = %B4090.if
  ret i32 %.1735

B4090.if.endif:                                   ; preds = %B4090.if
  br label %B4090.endif

B4208.if:                                         ; preds = %B4208
  store i1 false, ptr %.1812, align 1
  br label %B4208.endif

B4208.else:                                       ; preds = %B4208
  store i1 true, ptr %.1812, align 1
  br label %B4208.endif

B4208.endif:                                      ; preds = %B4208.else, %B4208.if
  %.1820 = load i1, ptr %.1812, align 1
  br i1 %.1808, label %B4208.endif.if, label %B4208.endif.endif, !prof !0

B4208.endif.if:                                   ; preds = %B4208.endif
  %.1822 = load i64, ptr %try_state, align 8
  %.1823 = icmp ugt i64 %.1822, 0
  %.1824 = load ptr, ptr %excinfo, align 8
  store ptr %.1810, ptr %excinfo, align 8
  %.1826 = xor i1 %.1823, true
  br i1 %.1826, label %B4208.endif.if.if, label %B4208.endif.if.endif

B4208.endif.endif:                                ; preds = %B4208.endif.if.endif, %B4208.endif
  %.1830 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.1832 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.1820, label %B4464, label %B4408

B4208.endif.if.if:                                ; preds = %B4208.endif.if
  ret i32 %.1801

B4208.endif.if.endif:                             ; preds = %B4208.endif.if
  br label %B4208.endif.endif

B4408.if:                                         ; preds = %B4408
  %.1864 = load i64, ptr %try_state, align 8
  %.1865 = icmp ugt i64 %.1864, 0
  %.1866 = load ptr, ptr %excinfo, align 8
  store ptr %.1861, ptr %excinfo, align 8
  %.1868 = xor i1 %.1865, true
  br i1 %.1868, label %B4408.if.if, label %B4408.if.endif

B4408.endif:                                      ; preds = %B4408.if.endif, %B4408
  %.1872 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.1874 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.1862, ptr %retptr, align 8
  ret i32 0

B4408.if.if:                                      ; preds = %B4408.if
  ret i32 %.1852

B4408.if.endif:                                   ; preds = %B4408.if
  br label %B4408.endif

B4500.if:                                         ; preds = %B4500
  store i64 %.1903, ptr %quot, align 8
  store i64 %.1903, ptr %rem, align 8
  br label %B4500.endif

B4500.else:                                       ; preds = %B4500
  store i64 0, ptr %.1911, align 8
  store i64 0, ptr %.1914, align 8
  %.1917 = icmp eq i64 %.1902, -9223372036854775808
  %.1918 = icmp eq i64 %.1903, -1
  %.1919 = and i1 %.1917, %.1918
  %.1920 = xor i1 %.1919, true
  br i1 %.1920, label %B4500.else.if, label %B4500.else.endif, !prof !1

B4500.endif:                                      ; preds = %B4500.else.endif, %B4500.if
  %.1943 = load i64, ptr %quot, align 8
  %.1944 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.1946 = load i64, ptr %b, align 8
  %.1947 = inttoptr i64 %.1946 to ptr
  store i64 %.1943, ptr %.1947, align 8
  %.1949 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  br label %B5270

B4500.else.if:                                    ; preds = %B4500.else
  %.1922 = sdiv i64 %.1902, %.1903
  %.1923 = srem i64 %.1902, %.1903
  %.1924 = xor i64 %.1903, %.1923
  %.1925 = icmp slt i64 %.1924, 0
  %.1926 = icmp ne i64 %.1923, 0
  %.1927 = and i1 %.1926, %.1925
  br i1 %.1927, label %B4500.else.if.if, label %B4500.else.if.else

B4500.else.endif:                                 ; preds = %B4500.else.if.endif, %B4500.else
  %.1938 = load i64, ptr %.1911, align 8
  %.1939 = load i64, ptr %.1914, align 8
  store i64 %.1938, ptr %quot, align 8
  store i64 %.1939, ptr %rem, align 8
  br label %B4500.endif

B4500.else.if.if:                                 ; preds = %B4500.else.if
  %.1932 = sub i64 %.1922, 1
  store i64 %.1932, ptr %.1911, align 8
  %.1934 = add i64 %.1923, %.1903
  store i64 %.1934, ptr %.1914, align 8
  br label %B4500.else.if.endif

B4500.else.if.else:                               ; preds = %B4500.else.if
  store i64 %.1922, ptr %.1911, align 8
  store i64 %.1923, ptr %.1914, align 8
  br label %B4500.else.if.endif

B4500.else.if.endif:                              ; preds = %B4500.else.if.else, %B4500.else.if.if
  br label %B4500.else.endif

B4764.if:                                         ; preds = %B4764
  %.2017 = load i64, ptr %try_state, align 8
  %.2018 = icmp ugt i64 %.2017, 0
  %.2019 = load ptr, ptr %excinfo, align 8
  store ptr %.2014, ptr %excinfo, align 8
  %.2021 = xor i1 %.2018, true
  br i1 %.2021, label %B4764.if.if, label %B4764.if.endif

B4764.endif:                                      ; preds = %B4764.if.endif, %B4764
  %.2025 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.2027 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  %.2029 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  store i64 %.2015, ptr %retptr, align 8
  ret i32 0

B4764.if.if:                                      ; preds = %B4764.if
  ret i32 %.2005

B4764.if.endif:                                   ; preds = %B4764.if
  br label %B4764.endif

B4852.if:                                         ; preds = %B4852
  store i1 false, ptr %.2057, align 1
  br label %B4852.endif

B4852.else:                                       ; preds = %B4852
  store i1 true, ptr %.2057, align 1
  br label %B4852.endif

B4852.endif:                                      ; preds = %B4852.else, %B4852.if
  %.2065 = load i1, ptr %.2057, align 1
  br i1 %.2053, label %B4852.endif.if, label %B4852.endif.endif, !prof !0

B4852.endif.if:                                   ; preds = %B4852.endif
  %.2067 = load i64, ptr %try_state, align 8
  %.2068 = icmp ugt i64 %.2067, 0
  %.2069 = load ptr, ptr %excinfo, align 8
  store ptr %.2055, ptr %excinfo, align 8
  %.2071 = xor i1 %.2068, true
  br i1 %.2071, label %B4852.endif.if.if, label %B4852.endif.if.endif

B4852.endif.endif:                                ; preds = %B4852.endif.if.endif, %B4852.endif
  %.2075 = load i64, ptr %c, align 8
  store i64 0, ptr %c, align 8
  %.2077 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  %.2079 = load i64, ptr %a, align 8
  store i64 0, ptr %a, align 8
  br i1 %.2065, label %B4996, label %B4886

B4852.endif.if.if:                                ; preds = %B4852.endif.if
  ret i32 %.2046

B4852.endif.if.endif:                             ; preds = %B4852.endif.if
  br label %B4852.endif.endif

B4886.if:                                         ; preds = %B4886
  %.2118 = load i64, ptr %try_state, align 8
  %.2119 = icmp ugt i64 %.2118, 0
  %.2120 = load ptr, ptr %excinfo, align 8
  store ptr %.2115, ptr %excinfo, align 8
  %.2122 = xor i1 %.2119, true
  br i1 %.2122, label %B4886.if.if, label %B4886.if.endif

B4886.endif:                                      ; preds = %B4886.if.endif, %B4886
  %.2126 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.2128 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.2116, ptr %retptr, align 8
  ret i32 0

B4886.if.if:                                      ; preds = %B4886.if
  ret i32 %.2106

B4886.if.endif:                                   ; preds = %B4886.if
  br label %B4886.endif

B5068.if:                                         ; preds = %B5068
  %.2187 = load i64, ptr %try_state, align 8
  %.2188 = icmp ugt i64 %.2187, 0
  %.2189 = load ptr, ptr %excinfo, align 8
  store ptr %.2184, ptr %excinfo, align 8
  %.2191 = xor i1 %.2188, true
  br i1 %.2191, label %B5068.if.if, label %B5068.if.endif

B5068.endif:                                      ; preds = %B5068.if.endif, %B5068
  %.2195 = load i64, ptr %target, align 8
  store i64 0, ptr %target, align 8
  %.2197 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  %.2199 = load i64, ptr %b, align 8
  store i64 0, ptr %b, align 8
  store i64 %.2185, ptr %retptr, align 8
  ret i32 0

B5068.if.if:                                      ; preds = %B5068.if
  ret i32 %.2175

B5068.if.endif:                                   ; preds = %B5068.if
  br label %B5068.endif

B5158.if:                                         ; preds = %B5158
  %.2250 = load i64, ptr %try_state, align 8
  %.2251 = icmp ugt i64 %.2250, 0
  %.2252 = load ptr, ptr %excinfo, align 8
  store ptr %.2247, ptr %excinfo, align 8
  %.2254 = xor i1 %.2251, true
  br i1 %.2254, label %B5158.if.if, label %B5158.if.endif

B5158.endif:                                      ; preds = %B5158.if.endif, %B5158
  %.2258 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.2248, ptr %retptr, align 8
  ret i32 0

B5158.if.if:                                      ; preds = %B5158.if
  ret i32 %.2238

B5158.if.endif:                                   ; preds = %B5158.if
  br label %B5158.endif

B5214.if:                                         ; preds = %B5214
  %.2282 = load i64, ptr %try_state, align 8
  %.2283 = icmp ugt i64 %.2282, 0
  %.2284 = load ptr, ptr %excinfo, align 8
  store ptr %.2279, ptr %excinfo, align 8
  %.2286 = xor i1 %.2283, true
  br i1 %.2286, label %B5214.if.if, label %B5214.if.endif

B5214.endif:                                      ; preds = %B5214.if.endif, %B5214
  %.2290 = load i64, ptr %pc.2, align 8
  store i64 0, ptr %pc.2, align 8
  %.2292 = load i64, ptr %opcode, align 8
  store i64 0, ptr %opcode, align 8
  %.2294 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.2280, ptr %retptr, align 8
  ret i32 0

B5214.if.if:                                      ; preds = %B5214.if
  ret i32 %.2270

B5214.if.endif:                                   ; preds = %B5214.if
  br label %B5214.endif

B5368.if:                                         ; preds = %B5368
  %.2338 = load i64, ptr %try_state, align 8
  %.2339 = icmp ugt i64 %.2338, 0
  %.2340 = load ptr, ptr %excinfo, align 8
  store ptr %.2335, ptr %excinfo, align 8
  %.2342 = xor i1 %.2339, true
  br i1 %.2342, label %B5368.if.if, label %B5368.if.endif

B5368.endif:                                      ; preds = %B5368.if.endif, %B5368
  %.2346 = load i64, ptr %target.4, align 8
  store i64 0, ptr %target.4, align 8
  %.2348 = load i64, ptr %header, align 8
  store i64 0, ptr %header, align 8
  store i64 %.2336, ptr %retptr, align 8
  ret i32 0

B5368.if.if:                                      ; preds = %B5368.if
  ret i32 %.2326

B5368.if.endif:                                   ; preds = %B5368.if
  br label %B5368.endif

B5424.if:                                         ; preds = %B5424
  %.2372 = load i64, ptr %try_state, align 8
  %.2373 = icmp ugt i64 %.2372, 0
  %.2374 = load ptr, ptr %excinfo, align 8
  store ptr %.2369, ptr %excinfo, align 8
  %.2376 = xor i1 %.2373, true
  br i1 %.2376, label %B5424.if.if, label %B5424.if.endif

B5424.endif:                                      ; preds = %B5424.if.endif, %B5424
  %.2380 = load i64, ptr %moment.2, align 8
  store i64 %.2370, ptr %moment.2, align 8
  %.2382 = load i64, ptr %target.4, align 8
  %.2383 = load i64, ptr %target.4, align 8
  store i64 0, ptr %target.4, align 8
  %.2385 = load i64, ptr %pc.2, align 8
  store i64 %.2382, ptr %pc.2, align 8
  br label %B408

B5424.if.if:                                      ; preds = %B5424.if
  ret i32 %.2360

B5424.if.endif:                                   ; preds = %B5424.if
  br label %B5424.endif
}

define i64 @vitrify_shipped_entry(i64 %.1) {
.3:
  %.4 = alloca i64, align 8
  %.5 = alloca ptr, align 8
  %.6 = call i32 @_ZN7vitrify6kernel2vmB2v1Ex(ptr %.4, ptr %.5, i64 %.1)
  %.7 = load i64, ptr %.4, align 8
  ret i64 %.7
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr writeonly captures(none), ptr readonly captures(none), i64, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define internal noundef i32 @_ZN7vitrify6kernel9header_ofB2v2B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.task) #2 {
B0:
  store i64 %arg.task, ptr %retptr, align 8
  ret i32 0
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel6workerB2v3B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team) {
B0:
  %.66.i = alloca ptr, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.9 = add nsw i64 %arg.team, 104
  %.10 = inttoptr i64 %.9 to ptr
  %.11 = load atomic i64, ptr %.10 seq_cst, align 8
  %.12 = icmp eq i64 %.11, 0
  br i1 %.12, label %B90.preheader, label %B544

B90.preheader:                                    ; preds = %B0
  br label %B90

B90:                                              ; preds = %B454, %B90.preheader
  call void @llvm.lifetime.start.p0(ptr nonnull %.66.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %excinfo.1.i)
  store ptr null, ptr %.66.i, align 8, !noalias !2
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !2
  %sunkaddr = inttoptr i64 %arg.team to ptr
  %sunkaddr57 = getelementptr i8, ptr %sunkaddr, i64 128
  %.1225.i = load atomic i64, ptr %sunkaddr57 seq_cst, align 8, !noalias !2
  %.1726.i = lshr i64 %.1225.i, 16
  %.1827.i = and i64 %.1726.i, 65535
  %.2328.i = and i64 %.1225.i, 65535
  %.29.not29.i = icmp samesign ult i64 %.1827.i, %.2328.i
  br i1 %.29.not29.i, label %B156.i.preheader, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread

B156.i.preheader:                                 ; preds = %B90
  br label %B156.i

B156.i:                                           ; preds = %B448.i, %B156.i.preheader
  %.2332.i = phi i64 [ %.23.i, %B448.i ], [ %.2328.i, %B156.i.preheader ]
  %.1831.i = phi i64 [ %.18.i, %B448.i ], [ %.1827.i, %B156.i.preheader ]
  %.1230.i = phi i64 [ %.12.i, %B448.i ], [ %.1225.i, %B156.i.preheader ]
  %sunkaddr58 = inttoptr i64 %arg.team to ptr
  %sunkaddr59 = getelementptr i8, ptr %sunkaddr58, i64 120
  %.45.i = load atomic i64, ptr %sunkaddr59 seq_cst, align 8, !noalias !2
  %.53.i = add nsw i64 %.1230.i, 65536
  %sunkaddr60 = inttoptr i64 %arg.team to ptr
  %sunkaddr61 = getelementptr i8, ptr %sunkaddr60, i64 128
  %.56.i = cmpxchg ptr %sunkaddr61, i64 %.1230.i, i64 %.53.i seq_cst seq_cst, align 8, !noalias !2
  %.57.i = extractvalue { i64, i1 } %.56.i, 1
  br i1 %.57.i, label %B332.i, label %B448.i

B332.i:                                           ; preds = %B156.i
  store ptr null, ptr %.66.i, align 8, !noalias !2
  %.70.i = call i32 @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr nonnull %.66.i, ptr nonnull %excinfo.1.i, i64 %arg.team, i64 %.45.i, i64 %.1831.i, i64 %.2332.i), !noalias !2
  %cond.i = icmp eq i32 %.70.i, 0
  br i1 %cond.i, label %B332.endif.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit, !prof !6

B448.i:                                           ; preds = %B332.endif.i, %B156.i
  %sunkaddr62 = inttoptr i64 %arg.team to ptr
  %sunkaddr63 = getelementptr i8, ptr %sunkaddr62, i64 128
  %.12.i = load atomic i64, ptr %sunkaddr63 seq_cst, align 8, !noalias !2
  %.17.i = lshr i64 %.12.i, 16
  %.18.i = and i64 %.17.i, 65535
  %.23.i = and i64 %.12.i, 65535
  %.29.not.i = icmp samesign ult i64 %.18.i, %.23.i
  br i1 %.29.not.i, label %B156.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread

B332.endif.i:                                     ; preds = %B332.i
  %sunkaddr64 = inttoptr i64 %arg.team to ptr
  %sunkaddr65 = getelementptr i8, ptr %sunkaddr64, i64 192
  %.102.i = atomicrmw add ptr %sunkaddr65, i64 1 seq_cst, align 8, !noalias !2
  br label %B448.i

_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread: ; preds = %B448.i, %B90
  call void @llvm.lifetime.end.p0(ptr nonnull %.66.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %sunkaddr66 = inttoptr i64 %arg.team to ptr
  %sunkaddr67 = getelementptr i8, ptr %sunkaddr66, i64 112
  %.52 = load i64, ptr %sunkaddr67, align 8
  %.54 = icmp sgt i64 %.52, 0
  br i1 %.54, label %B210, label %B394

_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit: ; preds = %B332.i
  %.71.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !2
  call void @llvm.lifetime.end.p0(ptr nonnull %.66.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %.31 = icmp sgt i32 %.70.i, 0
  %.32 = select i1 %.31, ptr %.71.i, ptr undef
  store ptr %.32, ptr %excinfo, align 8
  br label %common.ret

B210:                                             ; preds = %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread
  %sunkaddr68 = inttoptr i64 %arg.team to ptr
  %sunkaddr69 = getelementptr i8, ptr %sunkaddr68, i64 128
  %.8.i.i = load atomic i64, ptr %sunkaddr69 seq_cst, align 8, !noalias !7
  %.9.i.i = lshr i64 %.8.i.i, 16
  %.10.i.i = and i64 %.9.i.i, 65535
  %.11.i.i = and i64 %.8.i.i, 65535
  %.12.i.not.i = icmp samesign ult i64 %.10.i.i, %.11.i.i
  br i1 %.12.i.not.i, label %B394, label %B210.endif.endif

B240:                                             ; preds = %B364.endif.endif, %B240.preheader
  %spins.2.1 = phi i64 [ %.103, %B364.endif.endif ], [ 0, %B240.preheader ]
  tail call void @llvm.x86.sse2.pause()
  %.103 = add nuw nsw i64 %spins.2.1, 1
  %sunkaddr70 = inttoptr i64 %arg.team to ptr
  %sunkaddr71 = getelementptr i8, ptr %sunkaddr70, i64 112
  %.113 = load i64, ptr %sunkaddr71, align 8
  %.115 = icmp slt i64 %.103, %.113
  br i1 %.115, label %B364, label %B394

B364:                                             ; preds = %B240
  %sunkaddr72 = inttoptr i64 %arg.team to ptr
  %sunkaddr73 = getelementptr i8, ptr %sunkaddr72, i64 128
  %.8.i.i12 = load atomic i64, ptr %sunkaddr73 seq_cst, align 8, !noalias !12
  %.9.i.i13 = lshr i64 %.8.i.i12, 16
  %.10.i.i14 = and i64 %.9.i.i13, 65535
  %.11.i.i15 = and i64 %.8.i.i12, 65535
  %.12.i.not.i16 = icmp samesign ult i64 %.10.i.i14, %.11.i.i15
  br i1 %.12.i.not.i16, label %B394, label %B364.endif.endif

B394:                                             ; preds = %B364.endif.endif, %B210.endif.endif, %B364, %B240, %B210, %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread
  %sunkaddr74 = inttoptr i64 %arg.team to ptr
  %sunkaddr75 = getelementptr i8, ptr %sunkaddr74, i64 128
  %.8.i.i26 = load atomic i64, ptr %sunkaddr75 seq_cst, align 8, !noalias !17
  %.9.i.i27 = lshr i64 %.8.i.i26, 16
  %.10.i.i28 = and i64 %.9.i.i27, 65535
  %.11.i.i29 = and i64 %.8.i.i26, 65535
  %.12.i.not.i30 = icmp samesign ult i64 %.10.i.i28, %.11.i.i29
  br i1 %.12.i.not.i30, label %B454, label %B394.endif.endif

B424:                                             ; preds = %B394.endif.endif
  %sunkaddr76 = inttoptr i64 %arg.team to ptr
  %sunkaddr77 = getelementptr i8, ptr %sunkaddr76, i64 64
  %.11.i39 = load i64, ptr %sunkaddr77, align 8, !noalias !22
  %.16.i = icmp eq i64 %.11.i39, 0
  br i1 %.16.i, label %B94.i, label %B278.i

B94.i:                                            ; preds = %B424
  %sunkaddr78 = inttoptr i64 %arg.team to ptr
  %sunkaddr79 = getelementptr i8, ptr %sunkaddr78, i64 72
  %.24.i = load i64, ptr %sunkaddr79, align 8, !noalias !22
  %sunkaddr80 = inttoptr i64 %arg.team to ptr
  %sunkaddr81 = getelementptr i8, ptr %sunkaddr80, i64 80
  %.31.i = load i64, ptr %sunkaddr81, align 8, !noalias !22
  %.32.i = inttoptr i64 %.24.i to ptr
  %.33.i = trunc i64 %.31.i to i32
  %.34.i = tail call i32 %.32.i(i32 %.33.i), !noalias !22
  br label %B454

B278.i:                                           ; preds = %B424
  %sunkaddr82 = inttoptr i64 %arg.team to ptr
  %sunkaddr83 = getelementptr i8, ptr %sunkaddr82, i64 320
  %.42.i = atomicrmw add ptr %sunkaddr83, i64 1 seq_cst, align 8, !noalias !22
  %sunkaddr84 = inttoptr i64 %arg.team to ptr
  %sunkaddr85 = getelementptr i8, ptr %sunkaddr84, i64 128
  %.8.i.i.i = load atomic i64, ptr %sunkaddr85 seq_cst, align 8, !noalias !25
  %.9.i.i.i = lshr i64 %.8.i.i.i, 16
  %.10.i.i.i = and i64 %.9.i.i.i, 65535
  %.11.i.i.i = and i64 %.8.i.i.i, 65535
  %.12.i.not.i.i = icmp samesign ult i64 %.10.i.i.i, %.11.i.i.i
  br i1 %.12.i.not.i.i, label %B6.i.i.preheader, label %_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i

_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i: ; preds = %B278.i
  %sunkaddr86 = inttoptr i64 %arg.team to ptr
  %sunkaddr87 = getelementptr i8, ptr %sunkaddr86, i64 104
  %.54.i.i = load atomic i64, ptr %sunkaddr87 seq_cst, align 8, !noalias !30
  %.55.i.not.i = icmp eq i64 %.54.i.i, 0
  br i1 %.55.i.not.i, label %B422.i, label %B6.i.i.preheader

B6.i.i.preheader:                                 ; preds = %_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i, %B278.i
  br label %B6.i.i

B6.i.i:                                           ; preds = %B100.i.i, %B6.i.i.preheader
  %sunkaddr88 = inttoptr i64 %arg.team to ptr
  %sunkaddr89 = getelementptr i8, ptr %sunkaddr88, i64 320
  %.12.i.i = load atomic i64, ptr %sunkaddr89 seq_cst, align 8, !noalias !31
  %.17.i.i = icmp slt i64 %.12.i.i, 1
  br i1 %.17.i.i, label %B422.i, label %B100.i.i

B100.i.i:                                         ; preds = %B6.i.i
  %.30.i.i = add nsw i64 %.12.i.i, -1
  %sunkaddr90 = inttoptr i64 %arg.team to ptr
  %sunkaddr91 = getelementptr i8, ptr %sunkaddr90, i64 320
  %.33.i.i = cmpxchg ptr %sunkaddr91, i64 %.12.i.i, i64 %.30.i.i seq_cst seq_cst, align 8, !noalias !31
  %.34.i.i = extractvalue { i64, i1 } %.33.i.i, 1
  br i1 %.34.i.i, label %B454, label %B6.i.i

B422.i:                                           ; preds = %B6.i.i, %_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.i
  %sunkaddr92 = inttoptr i64 %arg.team to ptr
  %sunkaddr93 = getelementptr i8, ptr %sunkaddr92, i64 48
  %.127.i = load i64, ptr %sunkaddr93, align 8, !noalias !22
  %.129.i = inttoptr i64 %.127.i to ptr
  %.130.i = inttoptr i64 %.11.i39 to ptr
  %.131.i = tail call i32 %.129.i(ptr nonnull %.130.i), !noalias !22
  %.133.not.i = icmp eq i32 %.131.i, 0
  br i1 %.133.not.i, label %B454, label %B536.i.preheader

B536.i.preheader:                                 ; preds = %B422.i
  br label %B536.i

B536.i:                                           ; preds = %B536.i, %B536.i.preheader
  %0 = inttoptr i64 %.11.i39 to ptr
  %sunkaddr94 = inttoptr i64 %arg.team to ptr
  %sunkaddr95 = getelementptr i8, ptr %sunkaddr94, i64 48
  %.139.i = load i64, ptr %sunkaddr95, align 8, !noalias !22
  %.141.i = inttoptr i64 %.139.i to ptr
  %.143.i = tail call i32 %.141.i(ptr nonnull %0), !noalias !22
  %.145.not.i = icmp eq i32 %.143.i, 0
  br i1 %.145.not.i, label %B454, label %B536.i

B454:                                             ; preds = %B394.endif.endif, %B536.i, %B422.i, %B100.i.i, %B94.i, %B394
  %sunkaddr96 = inttoptr i64 %arg.team to ptr
  %sunkaddr97 = getelementptr i8, ptr %sunkaddr96, i64 104
  %.236 = load atomic i64, ptr %sunkaddr97 seq_cst, align 8
  %.237 = icmp eq i64 %.236, 0
  br i1 %.237, label %B90, label %B540

common.ret:                                       ; preds = %B544, %B540, %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit
  %common.ret.op = phi i32 [ 0, %B540 ], [ 0, %B544 ], [ %.70.i, %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit ]
  ret i32 %common.ret.op

B540:                                             ; preds = %B454
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B544:                                             ; preds = %B0
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B210.endif.endif:                                 ; preds = %B210
  %sunkaddr98 = inttoptr i64 %arg.team to ptr
  %sunkaddr99 = getelementptr i8, ptr %sunkaddr98, i64 104
  %.54.i = load atomic i64, ptr %sunkaddr99 seq_cst, align 8, !noalias !34
  %.55.i.not = icmp eq i64 %.54.i, 0
  br i1 %.55.i.not, label %B240.preheader, label %B394

B240.preheader:                                   ; preds = %B210.endif.endif
  br label %B240

B364.endif.endif:                                 ; preds = %B364
  %sunkaddr100 = inttoptr i64 %arg.team to ptr
  %sunkaddr101 = getelementptr i8, ptr %sunkaddr100, i64 104
  %.54.i20 = load atomic i64, ptr %sunkaddr101 seq_cst, align 8, !noalias !35
  %.55.i21.not = icmp eq i64 %.54.i20, 0
  br i1 %.55.i21.not, label %B240, label %B394

B394.endif.endif:                                 ; preds = %B394
  %sunkaddr102 = inttoptr i64 %arg.team to ptr
  %sunkaddr103 = getelementptr i8, ptr %sunkaddr102, i64 104
  %.54.i34 = load atomic i64, ptr %sunkaddr103 seq_cst, align 8, !noalias !36
  %.55.i35.not = icmp eq i64 %.54.i34, 0
  br i1 %.55.i35.not, label %B424, label %B454
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i64 %arg.row, i64 %arg.chunk, i64 %arg.chunks) local_unnamed_addr {
B0:
  %.134 = alloca ptr, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
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
  br i1 %.24.i, label %B66.endif, label %B0.else.i, !prof !0

B44.i:                                            ; preds = %B0.endif.i
  %.78.i = add nuw i64 %spec.select.i, 63
  %0 = icmp samesign ult i64 %spec.select.i, 4294967233
  br i1 %0, label %26, label %28

B0.else.i:                                        ; preds = %B66
  %const = bitcast i64 -9223372036854775808 to i64
  %.35.i = icmp ne i64 %.21.i, %const
  %.36.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i = or i1 %.36.i, %.35.i
  br i1 %.37.not.i, label %B0.else.if.i, label %B66.endif, !prof !1

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
  br i1 %.71.not.i, label %B66.endif, label %B44.i

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
  br label %B66.endif

common.ret:                                       ; preds = %B546.if.if, %B546.endif, %B542, %B270
  %common.ret.op = phi i32 [ 0, %B270 ], [ 0, %B542 ], [ %.139, %B546.if.if ], [ 0, %B546.endif ]
  ret i32 %common.ret.op

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
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B542:                                             ; preds = %B66.endif
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B546:                                             ; preds = %B0
  %.121 = icmp eq i64 %.18, 2
  %.126 = add nsw i64 %arg.row, 8
  %.129 = inttoptr i64 %.126 to ptr
  %.130 = load i64, ptr %.129, align 8
  %.138 = zext i1 %.121 to i8
  %.139 = call i32 @_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx(ptr nonnull %.134, ptr nonnull %excinfo.2, i64 %arg.team, i8 %.138, i64 %.130, i64 %arg.chunk, i64 %arg.chunks)
  %cond = icmp eq i32 %.139, 0
  br i1 %cond, label %B546.endif, label %B546.if.if, !prof !6

B66.endif:                                        ; preds = %33, %B0.endif.i, %B0.else.i, %B66
  %step.2.0.i = phi i64 [ %spec.select.i, %B0.endif.i ], [ %35, %33 ], [ 0, %B66 ], [ 0, %B0.else.i ]
  %.133.i = mul nsw i64 %step.2.0.i, %arg.chunk
  %.137.i = add nsw i64 %.133.i, %.34
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.39, i64 %.137.i)
  %.172.i = add nsw i64 %.11.i.i, %step.2.0.i
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %.39, i64 %.172.i)
  %.82 = icmp slt i64 %.137.i, %.11.i1.i
  br i1 %.82, label %B270, label %B542

B546.endif:                                       ; preds = %B546
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B546.if.if:                                       ; preds = %B546
  %.147 = icmp sgt i32 %.139, 0
  %.140 = load ptr, ptr %excinfo.2, align 8
  %.148 = select i1 %.147, ptr %.140, ptr undef
  store ptr %.148, ptr %excinfo, align 8
  br label %common.ret
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #4

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel8multiplyB2v8B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i8 %arg.single, i64 %arg.block, i64 %arg.chunk, i64 %arg.chunks) local_unnamed_addr {
entry:
  %const30 = bitcast i64 -9223372036854775808 to i64
  %.885 = alloca ptr, align 8
  %excinfo.6 = alloca ptr, align 8
  store ptr null, ptr %excinfo.6, align 8
  %.39 = inttoptr i64 %arg.block to ptr
  %.40 = load i64, ptr %.39, align 8
  %.46 = add nsw i64 %arg.block, 8
  %.47 = inttoptr i64 %.46 to ptr
  %.48 = load i64, ptr %.47, align 8
  %.54 = add nsw i64 %arg.block, 120
  %.55 = inttoptr i64 %.54 to ptr
  %.56 = load i64, ptr %.55, align 8
  %.62 = add nsw i64 %arg.block, 88
  %.63 = inttoptr i64 %.62 to ptr
  %.64 = load i64, ptr %.63, align 8
  %.66 = mul nsw i64 %.64, %.56
  %.97.not = icmp slt i64 %.66, %arg.chunks
  br i1 %.97.not, label %B418, label %B372

B372:                                             ; preds = %entry
  %0 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %arg.chunks, i64 1)
  %math = extractvalue { i64, i1 } %0, 0
  %ov = extractvalue { i64, i1 } %0, 1
  %.21.i = add i64 %.66, %math
  br i1 %ov, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit, label %B0.else.i, !prof !0

B44.i:                                            ; preds = %B0.endif.i
  %.78.i = add nuw i64 %spec.select.i, %const
  %1 = and i64 %.78.i, -4611686018427387904
  br label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit

B0.else.i:                                        ; preds = %B372
  %.35.i = icmp ne i64 %.21.i, %const30
  %.36.i = icmp ne i64 %arg.chunks, -1
  %.37.not.i = or i1 %.36.i, %.35.i
  br i1 %.37.not.i, label %B0.else.if.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit, !prof !1

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
  br i1 %.71.not.i, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit, label %B44.i

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

_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit: ; preds = %B0.endif.i, %B0.else.i, %B44.i, %B372
  %step.2.0.i = phi i64 [ %spec.select.i, %B0.endif.i ], [ %1, %B44.i ], [ 0, %B372 ], [ 0, %B0.else.i ]
  %.133.i = mul nsw i64 %step.2.0.i, %arg.chunk
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.66, i64 %.133.i)
  %.172.i = add nsw i64 %.11.i.i, %step.2.0.i
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %.66, i64 %.172.i)
  br label %B638

B418:                                             ; preds = %entry
  %.177 = icmp sge i64 %.40, %.48
  %.180 = icmp sgt i64 %.40, 95
  %or.cond = or i1 %.180, %.177
  br i1 %or.cond, label %B442, label %B594

B442:                                             ; preds = %B418
  %.196 = icmp eq i64 %arg.chunks, 0
  br i1 %.196, label %B442.endif.endif.endif.endif, label %B442.else, !prof !0

B554:                                             ; preds = %B442.endif.endif.endif.endif
  %.353 = add nsw i64 %.11.i38, %.303
  %.11.i = tail call i64 @llvm.smin.i64(i64 %.353, i64 %.40)
  br label %B638

B594:                                             ; preds = %B418
  %27 = tail call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %arg.chunks, i64 1)
  %math73 = extractvalue { i64, i1 } %27, 0
  %ov74 = extractvalue { i64, i1 } %27, 1
  %.21.i6 = add i64 %.48, %math73
  br i1 %ov74, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36, label %B0.else.i8, !prof !0

B44.i15:                                          ; preds = %B0.endif.i12
  %.78.i16 = add nuw i64 %spec.select.i35, 63
  %28 = icmp samesign ult i64 %spec.select.i35, 4294967233
  br i1 %28, label %54, label %56

B0.else.i8:                                       ; preds = %B594
  %.35.i9 = icmp ne i64 %.21.i6, %const30
  %.36.i10 = icmp ne i64 %arg.chunks, -1
  %.37.not.i11 = or i1 %.36.i10, %.35.i9
  br i1 %.37.not.i11, label %B0.else.if.i29, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36, !prof !1

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
  br i1 %.71.not.i14, label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36, label %B44.i15

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
  %const_mat31 = add i64 %const30, 63
  %58 = and i64 %.78.i16, %const_mat31
  %59 = icmp ugt i64 %58, %const30
  %60 = sext i1 %59 to i64
  br label %61

61:                                               ; preds = %56, %54
  %62 = phi i64 [ %55, %54 ], [ %57, %56 ]
  %.101.i25 = phi i64 [ 0, %54 ], [ %60, %56 ]
  %spec.select22.i28 = add nsw i64 %.101.i25, %62
  %63 = shl nsw i64 %spec.select22.i28, 6
  br label %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36

_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36: ; preds = %61, %B0.endif.i12, %B0.else.i8, %B594
  %step.2.0.i18 = phi i64 [ %spec.select.i35, %B0.endif.i12 ], [ %63, %61 ], [ 0, %B594 ], [ 0, %B0.else.i8 ]
  %.133.i19 = mul nsw i64 %step.2.0.i18, %arg.chunk
  %.11.i.i20 = tail call i64 @llvm.smin.i64(i64 %.48, i64 %.133.i19)
  %.172.i21 = add nsw i64 %.11.i.i20, %step.2.0.i18
  %.11.i1.i22 = tail call i64 @llvm.smin.i64(i64 %.48, i64 %.172.i21)
  br label %B638

B638:                                             ; preds = %B442.endif.endif.endif.endif, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36, %B554, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit
  %m_first.2.0 = phi i64 [ %.11.i38, %B442.endif.endif.endif.endif ], [ %.11.i38, %B554 ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36 ]
  %m_last.2.0 = phi i64 [ %.40, %B442.endif.endif.endif.endif ], [ %.11.i, %B554 ], [ %.40, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit ], [ %.40, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36 ]
  %n_first.2.0 = phi i64 [ 0, %B442.endif.endif.endif.endif ], [ 0, %B554 ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit ], [ %.11.i.i20, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36 ]
  %n_last.2.0 = phi i64 [ %.48, %B442.endif.endif.endif.endif ], [ %.48, %B554 ], [ %.48, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit ], [ %.11.i1.i22, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36 ]
  %first.2.0 = phi i64 [ 0, %B442.endif.endif.endif.endif ], [ 0, %B554 ], [ %.11.i.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit ], [ 0, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36 ]
  %last.2.0 = phi i64 [ %.66, %B442.endif.endif.endif.endif ], [ %.66, %B554 ], [ %.11.i1.i, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit ], [ %.66, %_ZN7vitrify6kernel4partB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx.exit36 ]
  %.494 = icmp sle i64 %m_last.2.0, %m_first.2.0
  %.498 = icmp sle i64 %n_last.2.0, %n_first.2.0
  %or.cond218 = select i1 %.494, i1 true, i1 %.498
  br i1 %or.cond218, label %B662, label %B666

common.ret:                                       ; preds = %B1406.endif.endif.if.if, %B2022, %B662
  %common.ret.op = phi i32 [ 0, %B662 ], [ 0, %B2022 ], [ %.us-phi230, %B1406.endif.endif.if.if ]
  ret i32 %common.ret.op

B662:                                             ; preds = %B638
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B666:                                             ; preds = %B638
  %.526 = add nsw i64 %arg.block, 40
  %.527 = inttoptr i64 %.526 to ptr
  %.528 = load i64, ptr %.527, align 8
  %.537 = add nsw i64 %arg.block, 24
  %.538 = inttoptr i64 %.537 to ptr
  %.539 = load i64, ptr %.538, align 8
  %.540.not = icmp eq i64 %.539, 0
  %spec.select219 = select i1 %.540.not, i64 %.528, i64 1
  %.553 = add nsw i64 %arg.block, 32
  %.554 = inttoptr i64 %.553 to ptr
  %.555 = load i64, ptr %.554, align 8
  %.556.not = icmp eq i64 %.555, 0
  br i1 %.556.not, label %B1002.endif, label %B924

B924:                                             ; preds = %B666
  %.560 = add nsw i64 %arg.block, 48
  %.561 = inttoptr i64 %.560 to ptr
  %.562 = load i64, ptr %.561, align 8
  br label %B1002.endif

B1406:                                            ; preds = %B1404.backedge, %B1406.preheader
  %lsr.iv68 = phi i64 [ %95, %B1406.preheader ], [ %lsr.iv.next69, %B1404.backedge ]
  %.710224226 = phi i64 [ %first.2.0, %B1406.preheader ], [ %.717, %B1404.backedge ]
  %64 = icmp ne i64 %.56, -1
  %65 = add i64 %.710224226, %const30
  %.756 = icmp ne i64 %65, 0
  %.758.not = or i1 %64, %.756
  br i1 %.758.not, label %B1406.endif.else.if, label %B1406.endif.endif, !prof !1

B2022:                                            ; preds = %B1404.backedge, %B1404.backedge.us, %B1002.endif
  store ptr null, ptr %retptr, align 8
  br label %common.ret

B442.else:                                        ; preds = %B442
  %.207 = icmp ne i64 %.40, %const30
  %.208 = icmp ne i64 %arg.chunks, -1
  %.209.not = or i1 %.208, %.207
  br i1 %.209.not, label %B442.else.if, label %B442.endif.endif.endif.endif, !prof !1

B442.else.if:                                     ; preds = %B442.else
  %66 = or i64 %.40, %arg.chunks
  %67 = icmp ult i64 %66, 4294967296
  br i1 %67, label %68, label %75

68:                                               ; preds = %B442.else.if
  %69 = trunc nuw i64 %arg.chunks to i32
  %70 = trunc nuw i64 %.40 to i32
  %71 = udiv i32 %70, %69
  %72 = urem i32 %70, %69
  %73 = zext i32 %71 to i64
  %74 = zext i32 %72 to i64
  br label %89

75:                                               ; preds = %B442.else.if
  %76 = or i64 %.40, %arg.chunks
  %77 = and i64 %76, -4294967296
  %78 = icmp eq i64 %77, 0
  br i1 %78, label %79, label %86

79:                                               ; preds = %75
  %80 = trunc i64 %arg.chunks to i32
  %81 = trunc i64 %.40 to i32
  %82 = udiv i32 %81, %80
  %83 = urem i32 %81, %80
  %84 = zext i32 %82 to i64
  %85 = zext i32 %83 to i64
  br label %89

86:                                               ; preds = %75
  %87 = sdiv i64 %.40, %arg.chunks
  %88 = srem i64 %.40, %arg.chunks
  br label %89

89:                                               ; preds = %86, %79, %68
  %90 = phi i64 [ %73, %68 ], [ %84, %79 ], [ %87, %86 ]
  %91 = phi i64 [ %74, %68 ], [ %85, %79 ], [ %88, %86 ]
  %.214 = xor i64 %91, %arg.chunks
  %.215 = icmp slt i64 %.214, 0
  %.216 = icmp ne i64 %91, 0
  %.217 = and i1 %.216, %.215
  %.222 = sext i1 %.217 to i64
  %spec.select220 = add i64 %90, 24
  %92 = add i64 %spec.select220, %.222
  br label %B442.endif.endif.endif.endif

B442.endif.endif.endif.endif:                     ; preds = %89, %B442.else, %B442
  %quot.0 = phi i64 [ 24, %B442 ], [ 24, %B442.else ], [ %92, %89 ]
  %.253 = sdiv i64 %quot.0, 48
  %.254 = srem i64 %quot.0, 48
  %.254.lobit = ashr i64 %.254, 63
  %.242.1 = add nsw i64 %.254.lobit, %.253
  %.11.i37 = tail call i64 @llvm.smax.i64(i64 %.242.1, i64 1)
  %.303 = mul nuw nsw i64 %.11.i37, 48
  %.309 = mul nsw i64 %.303, %arg.chunk
  %.11.i38 = tail call i64 @llvm.smin.i64(i64 %.309, i64 %.40)
  %.343 = add nsw i64 %arg.chunk, 1
  %.347 = icmp slt i64 %.343, %arg.chunks
  br i1 %.347, label %B554, label %B638

B1002.endif:                                      ; preds = %B924, %B666
  %b_column.2.0 = phi i64 [ %.562, %B924 ], [ 1, %B666 ]
  %.not = icmp eq i8 %arg.single, 0
  %.568 = add nsw i64 %arg.block, 64
  %.569 = inttoptr i64 %.568 to ptr
  %.570 = load i64, ptr %.569, align 8
  %93 = select i1 %.not, i64 3, i64 2
  %.573 = shl i64 %m_first.2.0, %93
  %.575 = mul nsw i64 %spec.select219, %.573
  %.578 = add nsw i64 %.570, %.575
  %.584 = add nsw i64 %arg.block, 72
  %.585 = inttoptr i64 %.584 to ptr
  %.586 = load i64, ptr %.585, align 8
  %.589 = shl i64 %n_first.2.0, %93
  %.591 = mul nsw i64 %b_column.2.0, %.589
  %.594 = add nsw i64 %.586, %.591
  %.600 = add nsw i64 %arg.block, 80
  %.601 = inttoptr i64 %.600 to ptr
  %.602 = load i64, ptr %.601, align 8
  %.605 = add nsw i64 %arg.block, 56
  %.606 = inttoptr i64 %.605 to ptr
  %.607 = load i64, ptr %.606, align 8
  %.609 = mul nsw i64 %.607, %m_first.2.0
  %.611 = add nsw i64 %.609, %n_first.2.0
  %.613 = shl i64 %.611, %93
  %.614 = add nsw i64 %.613, %.602
  %.660 = sub i64 %last.2.0, %first.2.0
  %.704225.not = icmp slt i64 %.660, 1
  br i1 %.704225.not, label %B2022, label %B1406.lr.ph

B1406.lr.ph:                                      ; preds = %B1002.endif
  %94 = icmp ne i8 %arg.single, 0
  %.745 = icmp eq i64 %.56, 0
  %.827 = sub nsw i64 %m_last.2.0, %m_first.2.0
  %.830 = sub nsw i64 %n_last.2.0, %n_first.2.0
  %.889 = zext i1 %94 to i8
  %95 = add nuw i64 %.660, 1
  br i1 %.745, label %B1406.us.preheader, label %B1406.preheader, !prof !0

B1406.us.preheader:                               ; preds = %B1406.lr.ph
  br label %B1406.us

B1406.preheader:                                  ; preds = %B1406.lr.ph
  %96 = trunc nuw i64 %.56 to i32
  br label %B1406

B1406.us:                                         ; preds = %B1404.backedge.us, %B1406.us.preheader
  %lsr.iv = phi i64 [ %lsr.iv.next, %B1404.backedge.us ], [ %95, %B1406.us.preheader ]
  %.890.us = call i32 @_ZN7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx(ptr nonnull %.885, ptr nonnull %excinfo.6, i64 %arg.team, i8 %.889, i64 %arg.block, i64 %.827, i64 %.830, i64 %.578, i64 %.594, i64 %.614)
  %cond = icmp eq i32 %.890.us, 0
  br i1 %cond, label %B1404.backedge.us, label %B1406.endif.endif.if.if, !prof !6

B1404.backedge.us:                                ; preds = %B1406.us
  %lsr.iv.next = add i64 %lsr.iv, -1
  %.704.us = icmp sgt i64 %lsr.iv.next, 1
  br i1 %.704.us, label %B1406.us, label %B2022

B1406.endif.endif:                                ; preds = %120, %B1406
  %.750.0238 = phi i64 [ %spec.select221, %120 ], [ 0, %B1406 ]
  %rem.3.0 = phi i64 [ %spec.select222, %120 ], [ 0, %B1406 ]
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr35 = getelementptr i8, ptr %sunkaddr, i64 96
  %.835 = load i64, ptr %sunkaddr35, align 8
  %.836 = mul nsw i64 %.835, %.750.0238
  %sunkaddr36 = inttoptr i64 %arg.block to ptr
  %sunkaddr37 = getelementptr i8, ptr %sunkaddr36, i64 128
  %.841 = load i64, ptr %sunkaddr37, align 8
  %.842 = mul nsw i64 %.841, %rem.3.0
  %.843 = add nsw i64 %.842, %.836
  %.845 = shl i64 %.843, %93
  %.847 = add nsw i64 %.845, %.578
  %sunkaddr38 = inttoptr i64 %arg.block to ptr
  %sunkaddr39 = getelementptr i8, ptr %sunkaddr38, i64 104
  %.852 = load i64, ptr %sunkaddr39, align 8
  %.853 = mul nsw i64 %.852, %.750.0238
  %sunkaddr40 = inttoptr i64 %arg.block to ptr
  %sunkaddr41 = getelementptr i8, ptr %sunkaddr40, i64 136
  %.858 = load i64, ptr %sunkaddr41, align 8
  %.859 = mul nsw i64 %.858, %rem.3.0
  %.860 = add nsw i64 %.859, %.853
  %.862 = shl i64 %.860, %93
  %.864 = add nsw i64 %.862, %.594
  %sunkaddr42 = inttoptr i64 %arg.block to ptr
  %sunkaddr43 = getelementptr i8, ptr %sunkaddr42, i64 112
  %.869 = load i64, ptr %sunkaddr43, align 8
  %.870 = mul nsw i64 %.869, %.750.0238
  %sunkaddr44 = inttoptr i64 %arg.block to ptr
  %sunkaddr45 = getelementptr i8, ptr %sunkaddr44, i64 144
  %.875 = load i64, ptr %sunkaddr45, align 8
  %.876 = mul nsw i64 %.875, %rem.3.0
  %.877 = add i64 %.870, %.611
  %97 = add i64 %.877, %.876
  %98 = shl i64 %97, %93
  %.881 = add i64 %98, %.602
  %.890 = call i32 @_ZN7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx(ptr nonnull %.885, ptr nonnull %excinfo.6, i64 %arg.team, i8 %.889, i64 %arg.block, i64 %.827, i64 %.830, i64 %.847, i64 %.864, i64 %.881)
  %cond43 = icmp eq i32 %.890, 0
  br i1 %cond43, label %B1404.backedge, label %B1406.endif.endif.if.if, !prof !6

B1404.backedge:                                   ; preds = %B1406.endif.endif
  %lsr.iv.next69 = add i64 %lsr.iv68, -1
  %.717 = add i64 %.710224226, 1
  %.704 = icmp samesign ugt i64 %lsr.iv.next69, 1
  br i1 %.704, label %B1406, label %B2022

B1406.endif.else.if:                              ; preds = %B1406
  %99 = or i64 %.710224226, %.56
  %100 = icmp ult i64 %99, 4294967296
  br i1 %100, label %101, label %106

101:                                              ; preds = %B1406.endif.else.if
  %tmp29 = trunc i64 %.710224226 to i32
  %102 = udiv i32 %tmp29, %96
  %tmp = trunc i64 %.710224226 to i32
  %103 = urem i32 %tmp, %96
  %104 = zext i32 %102 to i64
  %105 = zext i32 %103 to i64
  br label %120

106:                                              ; preds = %B1406.endif.else.if
  %107 = or i64 %.710224226, %.56
  %108 = and i64 %107, -4294967296
  %109 = icmp eq i64 %108, 0
  br i1 %109, label %110, label %117

110:                                              ; preds = %106
  %111 = trunc i64 %.56 to i32
  %112 = trunc i64 %.710224226 to i32
  %113 = udiv i32 %112, %111
  %114 = urem i32 %112, %111
  %115 = zext i32 %113 to i64
  %116 = zext i32 %114 to i64
  br label %120

117:                                              ; preds = %106
  %118 = sdiv i64 %.710224226, %.56
  %119 = srem i64 %.710224226, %.56
  br label %120

120:                                              ; preds = %117, %110, %101
  %121 = phi i64 [ %104, %101 ], [ %115, %110 ], [ %118, %117 ]
  %122 = phi i64 [ %105, %101 ], [ %116, %110 ], [ %119, %117 ]
  %.763 = xor i64 %122, %.56
  %.764 = icmp slt i64 %.763, 0
  %.765 = icmp ne i64 %122, 0
  %.766 = and i1 %.765, %.764
  %.771 = sext i1 %.766 to i64
  %spec.select221 = add i64 %121, %.771
  %.814 = select i1 %.766, i64 %.56, i64 0
  %spec.select222 = add i64 %.814, %122
  br label %B1406.endif.endif

B1406.endif.endif.if.if:                          ; preds = %B1406.endif.endif, %B1406.us
  %.us-phi230 = phi i32 [ %.890.us, %B1406.us ], [ %.890, %B1406.endif.endif ]
  %.898 = icmp sgt i32 %.us-phi230, 0
  %.891 = load ptr, ptr %excinfo.6, align 8
  %.899 = select i1 %.898, ptr %.891, ptr undef
  store ptr %.899, ptr %excinfo, align 8
  br label %common.ret
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #5

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64) #5

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #5

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel12multiply_oneB3v10B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i8 %arg.single, i64 %arg.block, i64 %arg.m, i64 %arg.n, i64 %arg.a, i64 %arg.b, i64 %arg.c) local_unnamed_addr {
entry:
  %.54 = alloca ptr, align 8
  %excinfo.1 = alloca ptr, align 8
  %.39 = add nsw i64 %arg.block, 168
  %.40 = inttoptr i64 %.39 to ptr
  %.41 = load i64, ptr %.40, align 8
  %.42.not = icmp eq i64 %.41, 0
  br i1 %.42.not, label %B136, label %B90

B90:                                              ; preds = %entry
  %0 = icmp ne i8 %arg.single, 0
  %.58 = zext i1 %0 to i8
  %.59 = call i32 @_ZN7vitrify6kernel16multiply_plainlyB3v11B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEbxxxxxx(ptr nonnull %.54, ptr nonnull %excinfo.1, i8 %.58, i64 %arg.block, i64 %arg.m, i64 %arg.n, i64 %arg.a, i64 %arg.b, i64 %arg.c)
  switch i32 %.59, label %B90.if.if [
    i32 -2, label %common.ret
    i32 0, label %common.ret
  ], !prof !37

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
  %.123 = add nsw i64 %arg.block, 40
  %.124 = inttoptr i64 %.123 to ptr
  %.125 = load i64, ptr %.124, align 8
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
  %.57.i = load i64, ptr %.56.i, align 8, !noalias !38
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
  tail call void %.75.i(i32 101, i32 %.77.i, i32 %.78.i, i32 %.79.i, float %.59.i, ptr %.80.i, i32 %.81.i, ptr %.82.i, i32 %.83.i, float %.63.i, ptr %.84.i, i32 %.85.i), !noalias !38
  br label %common.ret

B206.i:                                           ; preds = %B784
  %.109.i = add nsw i64 %arg.team, 24
  %.112.i = inttoptr i64 %.109.i to ptr
  %.113.i = load i64, ptr %.112.i, align 8, !noalias !38
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
  tail call void %.125.i(i32 101, i32 %.127.i, i32 %.128.i, i32 %.129.i, double %.149, ptr %.130.i, i32 %.131.i, ptr %.132.i, i32 %.133.i, double %.159, ptr %.134.i, i32 %.135.i), !noalias !38
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
  %.57.i5 = load i64, ptr %.56.i4, align 8, !noalias !41
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
  tail call void %.75.i8(i32 101, i32 %.77.i9, i32 %.78.i10, i32 %.79.i11, float %.59.i6, ptr %.80.i12, i32 %.81.i13, ptr %.82.i14, i32 %.83.i15, float %.63.i7, ptr %.84.i16, i32 1), !noalias !41
  br label %common.ret

B206.i17:                                         ; preds = %B942
  %.109.i18 = add nsw i64 %arg.team, 24
  %.112.i19 = inttoptr i64 %.109.i18 to ptr
  %.113.i20 = load i64, ptr %.112.i19, align 8, !noalias !41
  %.125.i21 = inttoptr i64 %.113.i20 to ptr
  %.127.i22 = trunc nuw nsw i64 %flag.5.0 to i32
  %.128.i23 = trunc i64 %rows.5.0 to i32
  %.129.i24 = trunc i64 %columns.5.0 to i32
  %.130.i25 = inttoptr i64 %arg.b to ptr
  %.131.i26 = trunc i64 %.133 to i32
  %.132.i27 = inttoptr i64 %arg.a to ptr
  %.133.i28 = trunc i64 %step.5.0 to i32
  %.134.i29 = inttoptr i64 %arg.c to ptr
  tail call void %.125.i21(i32 101, i32 %.127.i22, i32 %.128.i23, i32 %.129.i24, double %.149, ptr %.130.i25, i32 %.131.i26, ptr %.132.i27, i32 %.133.i28, double %.159, ptr %.134.i29, i32 1), !noalias !41
  br label %common.ret

B1076:                                            ; preds = %B930, %B136
  %.not = icmp eq i8 %arg.single, 0
  %.412.not = icmp eq i64 %.109, 0
  %spec.select155 = select i1 %.412.not, i64 111, i64 112
  %.423.not = icmp eq i64 %.117, 0
  %flag_b.2.0 = select i1 %.423.not, i64 111, i64 112
  br i1 %.not, label %B1362, label %B1160

common.ret:                                       ; preds = %B90.if.if, %B1362, %B1160, %B206.i17, %B8.i2, %B206.i, %B8.i, %B90, %B90
  %retptr.sink = phi ptr [ %retptr, %B8.i ], [ %retptr, %B90 ], [ %excinfo, %B90.if.if ], [ %retptr, %B1160 ], [ %retptr, %B1362 ], [ %retptr, %B90 ], [ %retptr, %B206.i ], [ %retptr, %B206.i17 ], [ %retptr, %B8.i2 ]
  %common.ret.op = phi i32 [ 0, %B8.i ], [ 0, %B90 ], [ %.59, %B90.if.if ], [ 0, %B1160 ], [ 0, %B1362 ], [ 0, %B90 ], [ 0, %B206.i ], [ 0, %B206.i17 ], [ 0, %B8.i2 ]
  store ptr null, ptr %retptr.sink, align 8
  ret i32 %common.ret.op

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

B90.if.if:                                        ; preds = %B90
  br label %common.ret
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel16multiply_plainlyB3v11B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEbxxxxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias readnone captures(none) %excinfo, i8 %arg.single, i64 %arg.block, i64 %arg.m, i64 %arg.n, i64 %arg.a, i64 %arg.b, i64 %arg.c) local_unnamed_addr #6 {
entry:
  %.44 = add nsw i64 %arg.block, 56
  %.45 = inttoptr i64 %.44 to ptr
  %.46 = load i64, ptr %.45, align 8
  %.52 = add nsw i64 %arg.block, 152
  %.53 = inttoptr i64 %.52 to ptr
  %.54 = load double, ptr %.53, align 8
  %.60 = add nsw i64 %arg.block, 160
  %.61 = inttoptr i64 %.60 to ptr
  %.62 = load double, ptr %.61, align 8
  %.68 = add nsw i64 %arg.block, 40
  %.69 = inttoptr i64 %.68 to ptr
  %.70 = load i64, ptr %.69, align 8
  %.83 = add nsw i64 %arg.block, 24
  %.84 = inttoptr i64 %.83 to ptr
  %.85 = load i64, ptr %.84, align 8
  %.86.not = icmp eq i64 %.85, 0
  %a_row.2.0 = select i1 %.86.not, i64 %.70, i64 1
  %factor.op.mul329 = shl i64 %a_row.2.0, 2
  %factor.op.mul330 = shl i64 %a_row.2.0, 3
  %.217341.not = icmp slt i64 %arg.m, 1
  br i1 %.217341.not, label %B1442, label %B702.endif.lr.ph

B702.endif.lr.ph:                                 ; preds = %entry
  %0 = icmp eq i64 %.85, 0
  %.115 = add nsw i64 %arg.block, 32
  %.118 = inttoptr i64 %.115 to ptr
  %.119 = load i64, ptr %.118, align 8
  %.100 = add nsw i64 %arg.block, 48
  %.101 = inttoptr i64 %.100 to ptr
  %.102 = load i64, ptr %.101, align 8
  %.36 = add nsw i64 %arg.block, 16
  %.37 = inttoptr i64 %.36 to ptr
  %.38 = load i64, ptr %.37, align 8
  %.120.not = icmp eq i64 %.119, 0
  %b_row.2.0 = select i1 %.120.not, i64 %.102, i64 1
  %b_step.2.0 = select i1 %.120.not, i64 1, i64 %.102
  %a_step.2.0 = select i1 %0, i64 1, i64 %.70
  %factor.op.mul = shl i64 %b_step.2.0, 2
  %factor.op.mul249 = shl i64 %b_step.2.0, 3
  %.339264.not = icmp slt i64 %arg.n, 1
  %factor.op.mul220 = shl i64 %a_step.2.0, 2
  %factor.op.mul222 = shl i64 %b_row.2.0, 2
  %.557 = fptrunc double %.62 to float
  %.566 = fptrunc double %.54 to float
  %factor.op.mul233 = shl i64 %a_step.2.0, 3
  %factor.op.mul235 = shl i64 %b_row.2.0, 3
  %.568 = fmul float %.566, 0.000000e+00
  %.572 = fadd float %.568, 0.000000e+00
  br i1 %.339264.not, label %B1442, label %B702.endif.lr.ph.split.us

B702.endif.lr.ph.split.us:                        ; preds = %B702.endif.lr.ph
  %1 = icmp eq i8 %arg.single, 0
  br i1 %1, label %B702.endif.lr.ph.split.us.split.us, label %B702.endif.lr.ph.split.us.split

B702.endif.lr.ph.split.us.split.us:               ; preds = %B702.endif.lr.ph.split.us
  %2 = icmp slt i64 %.38, 1
  %const168 = bitcast i64 9223372036854775800 to i64
  %.763.us.us.us = fmul double %.54, 0.000000e+00
  %.767.us.us.us = fadd double %.763.us.us.us, 0.000000e+00
  br i1 %2, label %B702.endif.lr.ph.split.us.split.us.split, label %B702.endif.lr.ph.split.us.split.us.split.us

B702.endif.lr.ph.split.us.split.us.split.us:      ; preds = %B702.endif.lr.ph.split.us.split.us
  %3 = fcmp une double %.62, 0.000000e+00
  %xtraiter131 = and i64 %.38, 7
  %unroll_iter136 = and i64 %.38, %const168
  br i1 %3, label %B702.endif.us.us.us.us.preheader, label %B702.endif.us.us.us.preheader

B702.endif.us.us.us.preheader:                    ; preds = %B702.endif.lr.ph.split.us.split.us.split.us
  %4 = icmp ult i64 %.38, 8
  br i1 %4, label %B702.endif.us.us.us.us27.preheader, label %B702.endif.us.us.us.preheader44

B702.endif.us.us.us.us27.preheader:               ; preds = %B702.endif.us.us.us.preheader
  %xtraiter184 = and i64 %arg.n, 3
  %const_mat170 = add i64 %const168, 4
  %unroll_iter188 = and i64 %arg.n, %const_mat170
  br label %B702.endif.us.us.us.us27

B702.endif.us.us.us.preheader44:                  ; preds = %B702.endif.us.us.us.preheader
  %5 = mul i64 %unroll_iter136, %factor.op.mul235
  %6 = mul i64 %unroll_iter136, %factor.op.mul233
  %7 = add nsw i64 %.38, -8
  %8 = lshr i64 %7, 3
  %9 = add nuw nsw i64 %8, 1
  %10 = lshr i64 %9, 1
  %11 = shl nuw nsw i64 %10, 1
  br label %B702.endif.us.us.us

B702.endif.us.us.us.us27:                         ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us, %B702.endif.us.us.us.us27.preheader
  %lsr.iv191.us = phi i64 [ %lsr.iv.next192.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us ], [ %arg.a, %B702.endif.us.us.us.us27.preheader ]
  %.223332346.us.us.us.us28 = phi i64 [ %.230.us.us.us.us30, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us ], [ 0, %B702.endif.us.us.us.us27.preheader ]
  %12 = icmp ult i64 %arg.n, 4
  %.736.us.us.us.us29 = mul nsw i64 %.223332346.us.us.us.us28, %.46
  br i1 %12, label %B738.us.us.us.us.us.us.us31.epil.preheader, label %B738.us.us.us.us.us.us.us31.preheader

B738.us.us.us.us.us.us.us31.preheader:            ; preds = %B702.endif.us.us.us.us27
  %.352.us.us.us.us.us.us.us33 = add i64 %.736.us.us.us.us29, 1
  %.352.us.us.us.us.us.us.us33.1 = add i64 %.736.us.us.us.us29, 2
  %.352.us.us.us.us.us.us.us33.2 = add i64 %.736.us.us.us.us29, 3
  br label %B738.us.us.us.us.us.us.us31

B738.us.us.us.us.us.us.us31:                      ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3, %B738.us.us.us.us.us.us.us31.preheader
  %lsr.iv187.us.us = phi i64 [ %lsr.iv.next188.us.us.3, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3 ], [ %arg.b, %B738.us.us.us.us.us.us.us31.preheader ]
  %.345251269.us.us.us.us.us.us.us32 = phi i64 [ %.352.us.us.us.us.us.us.us33.3, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3 ], [ 0, %B738.us.us.us.us.us.us.us31.preheader ]
  br label %B1178.us.us.us.us.us.epil.us.us

B1178.us.us.us.us.us.epil.us.us:                  ; preds = %B1178.us.us.us.us.us.epil.us.us, %B738.us.us.us.us.us.us.us31
  %lsr.iv199.us.us = phi i64 [ %lsr.iv.next200.us.us, %B1178.us.us.us.us.us.epil.us.us ], [ %xtraiter131, %B738.us.us.us.us.us.us.us31 ]
  %lsr.iv197.us.us = phi i64 [ %lsr.iv.next198.us.us, %B1178.us.us.us.us.us.epil.us.us ], [ %lsr.iv191.us, %B738.us.us.us.us.us.us.us31 ]
  %lsr.iv195.us.us = phi i64 [ %lsr.iv.next196.us.us, %B1178.us.us.us.us.us.epil.us.us ], [ %lsr.iv187.us.us, %B738.us.us.us.us.us.us.us31 ]
  %sums.2.3241.us.us.us.us.us.epil.us.us = phi double [ %.726.us.us.us.us.us.epil.us.us, %B1178.us.us.us.us.us.epil.us.us ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us31 ]
  %.711.us.us.us.us.us.epil.us.us = inttoptr i64 %lsr.iv197.us.us to ptr
  %.712.us.us.us.us.us.epil.us.us = load double, ptr %.711.us.us.us.us.us.epil.us.us, align 8
  %.722.us.us.us.us.us.epil.us.us = inttoptr i64 %lsr.iv195.us.us to ptr
  %.723.us.us.us.us.us.epil.us.us = load double, ptr %.722.us.us.us.us.us.epil.us.us, align 8
  %.724.us.us.us.us.us.epil.us.us = fmul double %.712.us.us.us.us.us.epil.us.us, %.723.us.us.us.us.us.epil.us.us
  %.726.us.us.us.us.us.epil.us.us = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us, %.724.us.us.us.us.us.epil.us.us
  %lsr.iv.next196.us.us = add i64 %lsr.iv195.us.us, %factor.op.mul235
  %lsr.iv.next198.us.us = add i64 %lsr.iv197.us.us, %factor.op.mul233
  %lsr.iv.next200.us.us = add nsw i64 %lsr.iv199.us.us, -1
  %epil.iter125.cmp.not.us.us = icmp eq i64 %lsr.iv.next200.us.us, 0
  br i1 %epil.iter125.cmp.not.us.us, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us, label %B1178.us.us.us.us.us.epil.us.us, !llvm.loop !44

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us: ; preds = %B1178.us.us.us.us.us.epil.us.us
  %.738.us.us.us.us.us.us.us34 = add nsw i64 %.345251269.us.us.us.us.us.us.us32, %.736.us.us.us.us29
  %.741.us.us.us.us.us.us.us35 = shl nsw i64 %.738.us.us.us.us.us.us.us34, 3
  %.743.us.us.us.us.us.us.us36 = add nsw i64 %.741.us.us.us.us.us.us.us35, %arg.c
  %.763.us.us.us.us.us.us.us37 = fmul double %.54, %.726.us.us.us.us.us.epil.us.us
  %.767.us.us.us.us.us.us.us38 = fadd double %.763.us.us.us.us.us.us.us37, 0.000000e+00
  %.771.us.us.us.us.us.us.us = inttoptr i64 %.743.us.us.us.us.us.us.us36 to ptr
  store double %.767.us.us.us.us.us.us.us38, ptr %.771.us.us.us.us.us.us.us, align 8
  %lsr.iv.next188.us.us = add i64 %lsr.iv187.us.us, %factor.op.mul249
  br label %B1178.us.us.us.us.us.epil.us.us.1

B1178.us.us.us.us.us.epil.us.us.1:                ; preds = %B1178.us.us.us.us.us.epil.us.us.1, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us
  %lsr.iv199.us.us.1 = phi i64 [ %lsr.iv.next200.us.us.1, %B1178.us.us.us.us.us.epil.us.us.1 ], [ %xtraiter131, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %lsr.iv197.us.us.1 = phi i64 [ %lsr.iv.next198.us.us.1, %B1178.us.us.us.us.us.epil.us.us.1 ], [ %lsr.iv191.us, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %lsr.iv195.us.us.1 = phi i64 [ %lsr.iv.next196.us.us.1, %B1178.us.us.us.us.us.epil.us.us.1 ], [ %lsr.iv.next188.us.us, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.1 = phi double [ %.726.us.us.us.us.us.epil.us.us.1, %B1178.us.us.us.us.us.epil.us.us.1 ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %.711.us.us.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv197.us.us.1 to ptr
  %.712.us.us.us.us.us.epil.us.us.1 = load double, ptr %.711.us.us.us.us.us.epil.us.us.1, align 8
  %.722.us.us.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv195.us.us.1 to ptr
  %.723.us.us.us.us.us.epil.us.us.1 = load double, ptr %.722.us.us.us.us.us.epil.us.us.1, align 8
  %.724.us.us.us.us.us.epil.us.us.1 = fmul double %.712.us.us.us.us.us.epil.us.us.1, %.723.us.us.us.us.us.epil.us.us.1
  %.726.us.us.us.us.us.epil.us.us.1 = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.1, %.724.us.us.us.us.us.epil.us.us.1
  %lsr.iv.next196.us.us.1 = add i64 %lsr.iv195.us.us.1, %factor.op.mul235
  %lsr.iv.next198.us.us.1 = add i64 %lsr.iv197.us.us.1, %factor.op.mul233
  %lsr.iv.next200.us.us.1 = add nsw i64 %lsr.iv199.us.us.1, -1
  %epil.iter125.cmp.not.us.us.1 = icmp eq i64 %lsr.iv.next200.us.us.1, 0
  br i1 %epil.iter125.cmp.not.us.us.1, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1, label %B1178.us.us.us.us.us.epil.us.us.1, !llvm.loop !44

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1: ; preds = %B1178.us.us.us.us.us.epil.us.us.1
  %.738.us.us.us.us.us.us.us34.1 = add i64 %.352.us.us.us.us.us.us.us33, %.345251269.us.us.us.us.us.us.us32
  %.741.us.us.us.us.us.us.us35.1 = shl nsw i64 %.738.us.us.us.us.us.us.us34.1, 3
  %.743.us.us.us.us.us.us.us36.1 = add nsw i64 %.741.us.us.us.us.us.us.us35.1, %arg.c
  %.763.us.us.us.us.us.us.us37.1 = fmul double %.54, %.726.us.us.us.us.us.epil.us.us.1
  %.767.us.us.us.us.us.us.us38.1 = fadd double %.763.us.us.us.us.us.us.us37.1, 0.000000e+00
  %.771.us.us.us.us.us.us.us.1 = inttoptr i64 %.743.us.us.us.us.us.us.us36.1 to ptr
  store double %.767.us.us.us.us.us.us.us38.1, ptr %.771.us.us.us.us.us.us.us.1, align 8
  %lsr.iv.next188.us.us.1 = add i64 %lsr.iv.next188.us.us, %factor.op.mul249
  br label %B1178.us.us.us.us.us.epil.us.us.2

B1178.us.us.us.us.us.epil.us.us.2:                ; preds = %B1178.us.us.us.us.us.epil.us.us.2, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1
  %lsr.iv199.us.us.2 = phi i64 [ %lsr.iv.next200.us.us.2, %B1178.us.us.us.us.us.epil.us.us.2 ], [ %xtraiter131, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %lsr.iv197.us.us.2 = phi i64 [ %lsr.iv.next198.us.us.2, %B1178.us.us.us.us.us.epil.us.us.2 ], [ %lsr.iv191.us, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %lsr.iv195.us.us.2 = phi i64 [ %lsr.iv.next196.us.us.2, %B1178.us.us.us.us.us.epil.us.us.2 ], [ %lsr.iv.next188.us.us.1, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.2 = phi double [ %.726.us.us.us.us.us.epil.us.us.2, %B1178.us.us.us.us.us.epil.us.us.2 ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %.711.us.us.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv197.us.us.2 to ptr
  %.712.us.us.us.us.us.epil.us.us.2 = load double, ptr %.711.us.us.us.us.us.epil.us.us.2, align 8
  %.722.us.us.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv195.us.us.2 to ptr
  %.723.us.us.us.us.us.epil.us.us.2 = load double, ptr %.722.us.us.us.us.us.epil.us.us.2, align 8
  %.724.us.us.us.us.us.epil.us.us.2 = fmul double %.712.us.us.us.us.us.epil.us.us.2, %.723.us.us.us.us.us.epil.us.us.2
  %.726.us.us.us.us.us.epil.us.us.2 = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.2, %.724.us.us.us.us.us.epil.us.us.2
  %lsr.iv.next196.us.us.2 = add i64 %lsr.iv195.us.us.2, %factor.op.mul235
  %lsr.iv.next198.us.us.2 = add i64 %lsr.iv197.us.us.2, %factor.op.mul233
  %lsr.iv.next200.us.us.2 = add nsw i64 %lsr.iv199.us.us.2, -1
  %epil.iter125.cmp.not.us.us.2 = icmp eq i64 %lsr.iv.next200.us.us.2, 0
  br i1 %epil.iter125.cmp.not.us.us.2, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2, label %B1178.us.us.us.us.us.epil.us.us.2, !llvm.loop !44

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2: ; preds = %B1178.us.us.us.us.us.epil.us.us.2
  %.738.us.us.us.us.us.us.us34.2 = add i64 %.352.us.us.us.us.us.us.us33.1, %.345251269.us.us.us.us.us.us.us32
  %.741.us.us.us.us.us.us.us35.2 = shl nsw i64 %.738.us.us.us.us.us.us.us34.2, 3
  %.743.us.us.us.us.us.us.us36.2 = add nsw i64 %.741.us.us.us.us.us.us.us35.2, %arg.c
  %.763.us.us.us.us.us.us.us37.2 = fmul double %.54, %.726.us.us.us.us.us.epil.us.us.2
  %.767.us.us.us.us.us.us.us38.2 = fadd double %.763.us.us.us.us.us.us.us37.2, 0.000000e+00
  %.771.us.us.us.us.us.us.us.2 = inttoptr i64 %.743.us.us.us.us.us.us.us36.2 to ptr
  store double %.767.us.us.us.us.us.us.us38.2, ptr %.771.us.us.us.us.us.us.us.2, align 8
  %lsr.iv.next188.us.us.2 = add i64 %lsr.iv.next188.us.us.1, %factor.op.mul249
  br label %B1178.us.us.us.us.us.epil.us.us.3

B1178.us.us.us.us.us.epil.us.us.3:                ; preds = %B1178.us.us.us.us.us.epil.us.us.3, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2
  %lsr.iv199.us.us.3 = phi i64 [ %lsr.iv.next200.us.us.3, %B1178.us.us.us.us.us.epil.us.us.3 ], [ %xtraiter131, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %lsr.iv197.us.us.3 = phi i64 [ %lsr.iv.next198.us.us.3, %B1178.us.us.us.us.us.epil.us.us.3 ], [ %lsr.iv191.us, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %lsr.iv195.us.us.3 = phi i64 [ %lsr.iv.next196.us.us.3, %B1178.us.us.us.us.us.epil.us.us.3 ], [ %lsr.iv.next188.us.us.2, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.3 = phi double [ %.726.us.us.us.us.us.epil.us.us.3, %B1178.us.us.us.us.us.epil.us.us.3 ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %.711.us.us.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv197.us.us.3 to ptr
  %.712.us.us.us.us.us.epil.us.us.3 = load double, ptr %.711.us.us.us.us.us.epil.us.us.3, align 8
  %.722.us.us.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv195.us.us.3 to ptr
  %.723.us.us.us.us.us.epil.us.us.3 = load double, ptr %.722.us.us.us.us.us.epil.us.us.3, align 8
  %.724.us.us.us.us.us.epil.us.us.3 = fmul double %.712.us.us.us.us.us.epil.us.us.3, %.723.us.us.us.us.us.epil.us.us.3
  %.726.us.us.us.us.us.epil.us.us.3 = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.3, %.724.us.us.us.us.us.epil.us.us.3
  %lsr.iv.next196.us.us.3 = add i64 %lsr.iv195.us.us.3, %factor.op.mul235
  %lsr.iv.next198.us.us.3 = add i64 %lsr.iv197.us.us.3, %factor.op.mul233
  %lsr.iv.next200.us.us.3 = add nsw i64 %lsr.iv199.us.us.3, -1
  %epil.iter125.cmp.not.us.us.3 = icmp eq i64 %lsr.iv.next200.us.us.3, 0
  br i1 %epil.iter125.cmp.not.us.us.3, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3, label %B1178.us.us.us.us.us.epil.us.us.3, !llvm.loop !44

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3: ; preds = %B1178.us.us.us.us.us.epil.us.us.3
  %.352.us.us.us.us.us.us.us33.3 = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us32, 4
  %.738.us.us.us.us.us.us.us34.3 = add i64 %.352.us.us.us.us.us.us.us33.2, %.345251269.us.us.us.us.us.us.us32
  %.741.us.us.us.us.us.us.us35.3 = shl nsw i64 %.738.us.us.us.us.us.us.us34.3, 3
  %.743.us.us.us.us.us.us.us36.3 = add nsw i64 %.741.us.us.us.us.us.us.us35.3, %arg.c
  %.763.us.us.us.us.us.us.us37.3 = fmul double %.54, %.726.us.us.us.us.us.epil.us.us.3
  %.767.us.us.us.us.us.us.us38.3 = fadd double %.763.us.us.us.us.us.us.us37.3, 0.000000e+00
  %.771.us.us.us.us.us.us.us.3 = inttoptr i64 %.743.us.us.us.us.us.us.us36.3 to ptr
  store double %.767.us.us.us.us.us.us.us38.3, ptr %.771.us.us.us.us.us.us.us.3, align 8
  %lsr.iv.next188.us.us.3 = add i64 %lsr.iv.next188.us.us.2, %factor.op.mul249
  %niter189.ncmp.3 = icmp eq i64 %.352.us.us.us.us.us.us.us33.3, %unroll_iter188
  br i1 %niter189.ncmp.3, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa, label %B738.us.us.us.us.us.us.us31

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.3
  %13 = icmp eq i64 %xtraiter184, 0
  br i1 %13, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us, label %B738.us.us.us.us.us.us.us31.epil.preheader

B738.us.us.us.us.us.us.us31.epil.preheader:       ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa, %B702.endif.us.us.us.us27
  %lsr.iv187.us.us.epil.ph = phi i64 [ %arg.b, %B702.endif.us.us.us.us27 ], [ %lsr.iv.next188.us.us.3, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa ]
  %.345251269.us.us.us.us.us.us.us32.epil.ph = phi i64 [ 0, %B702.endif.us.us.us.us27 ], [ %unroll_iter188, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa ]
  br label %B738.us.us.us.us.us.us.us31.epil

B738.us.us.us.us.us.us.us31.epil:                 ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil, %B738.us.us.us.us.us.us.us31.epil.preheader
  %lsr.iv187.us.us.epil = phi i64 [ %lsr.iv.next188.us.us.epil, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil ], [ %lsr.iv187.us.us.epil.ph, %B738.us.us.us.us.us.us.us31.epil.preheader ]
  %.345251269.us.us.us.us.us.us.us32.epil = phi i64 [ %.352.us.us.us.us.us.us.us33.epil, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil ], [ %.345251269.us.us.us.us.us.us.us32.epil.ph, %B738.us.us.us.us.us.us.us31.epil.preheader ]
  %epil.iter185 = phi i64 [ %epil.iter185.next, %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil ], [ 0, %B738.us.us.us.us.us.us.us31.epil.preheader ]
  br label %B1178.us.us.us.us.us.epil.us.us.epil

B1178.us.us.us.us.us.epil.us.us.epil:             ; preds = %B1178.us.us.us.us.us.epil.us.us.epil, %B738.us.us.us.us.us.us.us31.epil
  %lsr.iv199.us.us.epil = phi i64 [ %lsr.iv.next200.us.us.epil, %B1178.us.us.us.us.us.epil.us.us.epil ], [ %xtraiter131, %B738.us.us.us.us.us.us.us31.epil ]
  %lsr.iv197.us.us.epil = phi i64 [ %lsr.iv.next198.us.us.epil, %B1178.us.us.us.us.us.epil.us.us.epil ], [ %lsr.iv191.us, %B738.us.us.us.us.us.us.us31.epil ]
  %lsr.iv195.us.us.epil = phi i64 [ %lsr.iv.next196.us.us.epil, %B1178.us.us.us.us.us.epil.us.us.epil ], [ %lsr.iv187.us.us.epil, %B738.us.us.us.us.us.us.us31.epil ]
  %sums.2.3241.us.us.us.us.us.epil.us.us.epil = phi double [ %.726.us.us.us.us.us.epil.us.us.epil, %B1178.us.us.us.us.us.epil.us.us.epil ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us31.epil ]
  %.711.us.us.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv197.us.us.epil to ptr
  %.712.us.us.us.us.us.epil.us.us.epil = load double, ptr %.711.us.us.us.us.us.epil.us.us.epil, align 8
  %.722.us.us.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv195.us.us.epil to ptr
  %.723.us.us.us.us.us.epil.us.us.epil = load double, ptr %.722.us.us.us.us.us.epil.us.us.epil, align 8
  %.724.us.us.us.us.us.epil.us.us.epil = fmul double %.712.us.us.us.us.us.epil.us.us.epil, %.723.us.us.us.us.us.epil.us.us.epil
  %.726.us.us.us.us.us.epil.us.us.epil = fadd double %sums.2.3241.us.us.us.us.us.epil.us.us.epil, %.724.us.us.us.us.us.epil.us.us.epil
  %lsr.iv.next196.us.us.epil = add i64 %lsr.iv195.us.us.epil, %factor.op.mul235
  %lsr.iv.next198.us.us.epil = add i64 %lsr.iv197.us.us.epil, %factor.op.mul233
  %lsr.iv.next200.us.us.epil = add nsw i64 %lsr.iv199.us.us.epil, -1
  %epil.iter125.cmp.not.us.us.epil = icmp eq i64 %lsr.iv.next200.us.us.epil, 0
  br i1 %epil.iter125.cmp.not.us.us.epil, label %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil, label %B1178.us.us.us.us.us.epil.us.us.epil, !llvm.loop !44

B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil: ; preds = %B1178.us.us.us.us.us.epil.us.us.epil
  %.352.us.us.us.us.us.us.us33.epil = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us32.epil, 1
  %.738.us.us.us.us.us.us.us34.epil = add nsw i64 %.345251269.us.us.us.us.us.us.us32.epil, %.736.us.us.us.us29
  %.741.us.us.us.us.us.us.us35.epil = shl nsw i64 %.738.us.us.us.us.us.us.us34.epil, 3
  %.743.us.us.us.us.us.us.us36.epil = add nsw i64 %.741.us.us.us.us.us.us.us35.epil, %arg.c
  %.763.us.us.us.us.us.us.us37.epil = fmul double %.54, %.726.us.us.us.us.us.epil.us.us.epil
  %.767.us.us.us.us.us.us.us38.epil = fadd double %.763.us.us.us.us.us.us.us37.epil, 0.000000e+00
  %.771.us.us.us.us.us.us.us.epil = inttoptr i64 %.743.us.us.us.us.us.us.us36.epil to ptr
  store double %.767.us.us.us.us.us.us.us38.epil, ptr %.771.us.us.us.us.us.us.us.epil, align 8
  %lsr.iv.next188.us.us.epil = add i64 %lsr.iv187.us.us.epil, %factor.op.mul249
  %epil.iter185.next = add i64 %epil.iter185, 1
  %epil.iter185.cmp.not = icmp eq i64 %epil.iter185.next, %xtraiter184
  br i1 %epil.iter185.cmp.not, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us, label %B738.us.us.us.us.us.us.us31.epil, !llvm.loop !46

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.loopexit.us.us.epil, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us.unr-lcssa
  %.230.us.us.us.us30 = add nuw nsw i64 %.223332346.us.us.us.us28, 1
  %lsr.iv.next192.us = add i64 %lsr.iv191.us, %factor.op.mul330
  %exitcond540.not.us = icmp eq i64 %arg.m, %.230.us.us.us.us30
  br i1 %exitcond540.not.us, label %B1442, label %B702.endif.us.us.us.us27

B702.endif.us.us.us.us.preheader:                 ; preds = %B702.endif.lr.ph.split.us.split.us.split.us
  %14 = icmp ult i64 %.38, 8
  br i1 %14, label %B702.endif.us.us.us.us.us.preheader, label %B702.endif.us.us.us.us.preheader41

B702.endif.us.us.us.us.us.preheader:              ; preds = %B702.endif.us.us.us.us.preheader
  %xtraiter212 = and i64 %arg.n, 3
  %const_mat171 = add i64 %const168, 4
  %unroll_iter216 = and i64 %arg.n, %const_mat171
  br label %B702.endif.us.us.us.us.us

B702.endif.us.us.us.us.preheader41:               ; preds = %B702.endif.us.us.us.us.preheader
  %15 = mul i64 %unroll_iter136, %factor.op.mul235
  %16 = mul i64 %unroll_iter136, %factor.op.mul233
  %17 = add nsw i64 %.38, -8
  %18 = lshr i64 %17, 3
  %19 = add nuw nsw i64 %18, 1
  %20 = lshr i64 %19, 1
  %21 = shl nuw nsw i64 %20, 1
  br label %B702.endif.us.us.us.us

B702.endif.us.us.us.us.us:                        ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us, %B702.endif.us.us.us.us.us.preheader
  %lsr.iv177.us = phi i64 [ %lsr.iv.next178.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us ], [ %arg.a, %B702.endif.us.us.us.us.us.preheader ]
  %.223332346.us.us.us.us.us = phi i64 [ %.230.us.us.us.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us ], [ 0, %B702.endif.us.us.us.us.us.preheader ]
  %22 = icmp ult i64 %arg.n, 4
  %.736.us.us.us.us.us = mul nsw i64 %.223332346.us.us.us.us.us, %.46
  br i1 %22, label %B738.us.us.us.us.us.us.us.us.us.epil.preheader, label %B738.us.us.us.us.us.us.us.us.us.preheader

B738.us.us.us.us.us.us.us.us.us.preheader:        ; preds = %B702.endif.us.us.us.us.us
  %.352.us.us.us.us.us.us.us.us.us = add i64 %.736.us.us.us.us.us, 1
  %.352.us.us.us.us.us.us.us.us.us.1 = add i64 %.736.us.us.us.us.us, 2
  %.352.us.us.us.us.us.us.us.us.us.2 = add i64 %.736.us.us.us.us.us, 3
  br label %B738.us.us.us.us.us.us.us.us.us

B738.us.us.us.us.us.us.us.us.us:                  ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3, %B738.us.us.us.us.us.us.us.us.us.preheader
  %lsr.iv173.us.us = phi i64 [ %lsr.iv.next174.us.us.3, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3 ], [ %arg.b, %B738.us.us.us.us.us.us.us.us.us.preheader ]
  %.345251269.us.us.us.us.us.us.us.us.us = phi i64 [ %.352.us.us.us.us.us.us.us.us.us.3, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3 ], [ 0, %B738.us.us.us.us.us.us.us.us.us.preheader ]
  br label %B1178.us.us.us.us.us.us.us.epil.us.us

B1178.us.us.us.us.us.us.us.epil.us.us:            ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us, %B738.us.us.us.us.us.us.us.us.us
  %lsr.iv185.us.us = phi i64 [ %lsr.iv.next186.us.us, %B1178.us.us.us.us.us.us.us.epil.us.us ], [ %xtraiter131, %B738.us.us.us.us.us.us.us.us.us ]
  %lsr.iv183.us.us = phi i64 [ %lsr.iv.next184.us.us, %B1178.us.us.us.us.us.us.us.epil.us.us ], [ %lsr.iv177.us, %B738.us.us.us.us.us.us.us.us.us ]
  %lsr.iv181.us.us = phi i64 [ %lsr.iv.next182.us.us, %B1178.us.us.us.us.us.us.us.epil.us.us ], [ %lsr.iv173.us.us, %B738.us.us.us.us.us.us.us.us.us ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us, %B1178.us.us.us.us.us.us.us.epil.us.us ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us.us.us ]
  %.711.us.us.us.us.us.us.us.epil.us.us = inttoptr i64 %lsr.iv183.us.us to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us, align 8
  %.722.us.us.us.us.us.us.us.epil.us.us = inttoptr i64 %lsr.iv181.us.us to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us, align 8
  %.724.us.us.us.us.us.us.us.epil.us.us = fmul double %.712.us.us.us.us.us.us.us.epil.us.us, %.723.us.us.us.us.us.us.us.epil.us.us
  %.726.us.us.us.us.us.us.us.epil.us.us = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us, %.724.us.us.us.us.us.us.us.epil.us.us
  %lsr.iv.next182.us.us = add i64 %lsr.iv181.us.us, %factor.op.mul235
  %lsr.iv.next184.us.us = add i64 %lsr.iv183.us.us, %factor.op.mul233
  %lsr.iv.next186.us.us = add nsw i64 %lsr.iv185.us.us, -1
  %epil.iter132.cmp.not.us.us = icmp eq i64 %lsr.iv.next186.us.us, 0
  br i1 %epil.iter132.cmp.not.us.us, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us, label %B1178.us.us.us.us.us.us.us.epil.us.us, !llvm.loop !47

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us
  %.738.us.us.us.us.us.us.us.us.us = add nsw i64 %.345251269.us.us.us.us.us.us.us.us.us, %.736.us.us.us.us.us
  %.741.us.us.us.us.us.us.us.us.us = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us, 3
  %.743.us.us.us.us.us.us.us.us.us = add nsw i64 %.741.us.us.us.us.us.us.us.us.us, %arg.c
  %.754.us.us.us.us.us.us.us.us.us = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us to ptr
  %.755.us.us.us.us.us.us.us.us.us = load double, ptr %.754.us.us.us.us.us.us.us.us.us, align 8
  %.757.us.us.us.us.us.us.us.us.us = fmul double %.62, %.755.us.us.us.us.us.us.us.us.us
  %.763.us.us.us.us.us.us.us.us.us = fmul double %.54, %.726.us.us.us.us.us.us.us.epil.us.us
  %.767.us.us.us.us.us.us.us.us.us = fadd double %.763.us.us.us.us.us.us.us.us.us, %.757.us.us.us.us.us.us.us.us.us
  store double %.767.us.us.us.us.us.us.us.us.us, ptr %.754.us.us.us.us.us.us.us.us.us, align 8
  %lsr.iv.next174.us.us = add i64 %lsr.iv173.us.us, %factor.op.mul249
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.1

B1178.us.us.us.us.us.us.us.epil.us.us.1:          ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.1, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us
  %lsr.iv185.us.us.1 = phi i64 [ %lsr.iv.next186.us.us.1, %B1178.us.us.us.us.us.us.us.epil.us.us.1 ], [ %xtraiter131, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us ]
  %lsr.iv183.us.us.1 = phi i64 [ %lsr.iv.next184.us.us.1, %B1178.us.us.us.us.us.us.us.epil.us.us.1 ], [ %lsr.iv177.us, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us ]
  %lsr.iv181.us.us.1 = phi i64 [ %lsr.iv.next182.us.us.1, %B1178.us.us.us.us.us.us.us.epil.us.us.1 ], [ %lsr.iv.next174.us.us, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.1 = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.1, %B1178.us.us.us.us.us.us.us.epil.us.us.1 ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us ]
  %.711.us.us.us.us.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv183.us.us.1 to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.1 = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.1, align 8
  %.722.us.us.us.us.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv181.us.us.1 to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.1 = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.1, align 8
  %.724.us.us.us.us.us.us.us.epil.us.us.1 = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.1, %.723.us.us.us.us.us.us.us.epil.us.us.1
  %.726.us.us.us.us.us.us.us.epil.us.us.1 = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.1, %.724.us.us.us.us.us.us.us.epil.us.us.1
  %lsr.iv.next182.us.us.1 = add i64 %lsr.iv181.us.us.1, %factor.op.mul235
  %lsr.iv.next184.us.us.1 = add i64 %lsr.iv183.us.us.1, %factor.op.mul233
  %lsr.iv.next186.us.us.1 = add nsw i64 %lsr.iv185.us.us.1, -1
  %epil.iter132.cmp.not.us.us.1 = icmp eq i64 %lsr.iv.next186.us.us.1, 0
  br i1 %epil.iter132.cmp.not.us.us.1, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1, label %B1178.us.us.us.us.us.us.us.epil.us.us.1, !llvm.loop !47

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.1
  %.738.us.us.us.us.us.us.us.us.us.1 = add i64 %.352.us.us.us.us.us.us.us.us.us, %.345251269.us.us.us.us.us.us.us.us.us
  %.741.us.us.us.us.us.us.us.us.us.1 = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.1, 3
  %.743.us.us.us.us.us.us.us.us.us.1 = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.1, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.1 = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.1 to ptr
  %.755.us.us.us.us.us.us.us.us.us.1 = load double, ptr %.754.us.us.us.us.us.us.us.us.us.1, align 8
  %.757.us.us.us.us.us.us.us.us.us.1 = fmul double %.62, %.755.us.us.us.us.us.us.us.us.us.1
  %.763.us.us.us.us.us.us.us.us.us.1 = fmul double %.54, %.726.us.us.us.us.us.us.us.epil.us.us.1
  %.767.us.us.us.us.us.us.us.us.us.1 = fadd double %.763.us.us.us.us.us.us.us.us.us.1, %.757.us.us.us.us.us.us.us.us.us.1
  store double %.767.us.us.us.us.us.us.us.us.us.1, ptr %.754.us.us.us.us.us.us.us.us.us.1, align 8
  %lsr.iv.next174.us.us.1 = add i64 %lsr.iv.next174.us.us, %factor.op.mul249
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.2

B1178.us.us.us.us.us.us.us.epil.us.us.2:          ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.2, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1
  %lsr.iv185.us.us.2 = phi i64 [ %lsr.iv.next186.us.us.2, %B1178.us.us.us.us.us.us.us.epil.us.us.2 ], [ %xtraiter131, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1 ]
  %lsr.iv183.us.us.2 = phi i64 [ %lsr.iv.next184.us.us.2, %B1178.us.us.us.us.us.us.us.epil.us.us.2 ], [ %lsr.iv177.us, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1 ]
  %lsr.iv181.us.us.2 = phi i64 [ %lsr.iv.next182.us.us.2, %B1178.us.us.us.us.us.us.us.epil.us.us.2 ], [ %lsr.iv.next174.us.us.1, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1 ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.2 = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.2, %B1178.us.us.us.us.us.us.us.epil.us.us.2 ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.1 ]
  %.711.us.us.us.us.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv183.us.us.2 to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.2 = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.2, align 8
  %.722.us.us.us.us.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv181.us.us.2 to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.2 = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.2, align 8
  %.724.us.us.us.us.us.us.us.epil.us.us.2 = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.2, %.723.us.us.us.us.us.us.us.epil.us.us.2
  %.726.us.us.us.us.us.us.us.epil.us.us.2 = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.2, %.724.us.us.us.us.us.us.us.epil.us.us.2
  %lsr.iv.next182.us.us.2 = add i64 %lsr.iv181.us.us.2, %factor.op.mul235
  %lsr.iv.next184.us.us.2 = add i64 %lsr.iv183.us.us.2, %factor.op.mul233
  %lsr.iv.next186.us.us.2 = add nsw i64 %lsr.iv185.us.us.2, -1
  %epil.iter132.cmp.not.us.us.2 = icmp eq i64 %lsr.iv.next186.us.us.2, 0
  br i1 %epil.iter132.cmp.not.us.us.2, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2, label %B1178.us.us.us.us.us.us.us.epil.us.us.2, !llvm.loop !47

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.2
  %.738.us.us.us.us.us.us.us.us.us.2 = add i64 %.352.us.us.us.us.us.us.us.us.us.1, %.345251269.us.us.us.us.us.us.us.us.us
  %.741.us.us.us.us.us.us.us.us.us.2 = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.2, 3
  %.743.us.us.us.us.us.us.us.us.us.2 = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.2, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.2 = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.2 to ptr
  %.755.us.us.us.us.us.us.us.us.us.2 = load double, ptr %.754.us.us.us.us.us.us.us.us.us.2, align 8
  %.757.us.us.us.us.us.us.us.us.us.2 = fmul double %.62, %.755.us.us.us.us.us.us.us.us.us.2
  %.763.us.us.us.us.us.us.us.us.us.2 = fmul double %.54, %.726.us.us.us.us.us.us.us.epil.us.us.2
  %.767.us.us.us.us.us.us.us.us.us.2 = fadd double %.763.us.us.us.us.us.us.us.us.us.2, %.757.us.us.us.us.us.us.us.us.us.2
  store double %.767.us.us.us.us.us.us.us.us.us.2, ptr %.754.us.us.us.us.us.us.us.us.us.2, align 8
  %lsr.iv.next174.us.us.2 = add i64 %lsr.iv.next174.us.us.1, %factor.op.mul249
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.3

B1178.us.us.us.us.us.us.us.epil.us.us.3:          ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.3, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2
  %lsr.iv185.us.us.3 = phi i64 [ %lsr.iv.next186.us.us.3, %B1178.us.us.us.us.us.us.us.epil.us.us.3 ], [ %xtraiter131, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2 ]
  %lsr.iv183.us.us.3 = phi i64 [ %lsr.iv.next184.us.us.3, %B1178.us.us.us.us.us.us.us.epil.us.us.3 ], [ %lsr.iv177.us, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2 ]
  %lsr.iv181.us.us.3 = phi i64 [ %lsr.iv.next182.us.us.3, %B1178.us.us.us.us.us.us.us.epil.us.us.3 ], [ %lsr.iv.next174.us.us.2, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2 ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.3 = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.3, %B1178.us.us.us.us.us.us.us.epil.us.us.3 ], [ 0.000000e+00, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.2 ]
  %.711.us.us.us.us.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv183.us.us.3 to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.3 = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.3, align 8
  %.722.us.us.us.us.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv181.us.us.3 to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.3 = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.3, align 8
  %.724.us.us.us.us.us.us.us.epil.us.us.3 = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.3, %.723.us.us.us.us.us.us.us.epil.us.us.3
  %.726.us.us.us.us.us.us.us.epil.us.us.3 = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.3, %.724.us.us.us.us.us.us.us.epil.us.us.3
  %lsr.iv.next182.us.us.3 = add i64 %lsr.iv181.us.us.3, %factor.op.mul235
  %lsr.iv.next184.us.us.3 = add i64 %lsr.iv183.us.us.3, %factor.op.mul233
  %lsr.iv.next186.us.us.3 = add nsw i64 %lsr.iv185.us.us.3, -1
  %epil.iter132.cmp.not.us.us.3 = icmp eq i64 %lsr.iv.next186.us.us.3, 0
  br i1 %epil.iter132.cmp.not.us.us.3, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3, label %B1178.us.us.us.us.us.us.us.epil.us.us.3, !llvm.loop !47

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.3
  %.352.us.us.us.us.us.us.us.us.us.3 = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us.us.us, 4
  %.738.us.us.us.us.us.us.us.us.us.3 = add i64 %.352.us.us.us.us.us.us.us.us.us.2, %.345251269.us.us.us.us.us.us.us.us.us
  %.741.us.us.us.us.us.us.us.us.us.3 = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.3, 3
  %.743.us.us.us.us.us.us.us.us.us.3 = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.3, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.3 = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.3 to ptr
  %.755.us.us.us.us.us.us.us.us.us.3 = load double, ptr %.754.us.us.us.us.us.us.us.us.us.3, align 8
  %.757.us.us.us.us.us.us.us.us.us.3 = fmul double %.62, %.755.us.us.us.us.us.us.us.us.us.3
  %.763.us.us.us.us.us.us.us.us.us.3 = fmul double %.54, %.726.us.us.us.us.us.us.us.epil.us.us.3
  %.767.us.us.us.us.us.us.us.us.us.3 = fadd double %.763.us.us.us.us.us.us.us.us.us.3, %.757.us.us.us.us.us.us.us.us.us.3
  store double %.767.us.us.us.us.us.us.us.us.us.3, ptr %.754.us.us.us.us.us.us.us.us.us.3, align 8
  %lsr.iv.next174.us.us.3 = add i64 %lsr.iv.next174.us.us.2, %factor.op.mul249
  %niter217.ncmp.3 = icmp eq i64 %.352.us.us.us.us.us.us.us.us.us.3, %unroll_iter216
  br i1 %niter217.ncmp.3, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa, label %B738.us.us.us.us.us.us.us.us.us

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.3
  %23 = icmp eq i64 %xtraiter212, 0
  br i1 %23, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us, label %B738.us.us.us.us.us.us.us.us.us.epil.preheader

B738.us.us.us.us.us.us.us.us.us.epil.preheader:   ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa, %B702.endif.us.us.us.us.us
  %lsr.iv173.us.us.epil.ph = phi i64 [ %arg.b, %B702.endif.us.us.us.us.us ], [ %lsr.iv.next174.us.us.3, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa ]
  %.345251269.us.us.us.us.us.us.us.us.us.epil.ph = phi i64 [ 0, %B702.endif.us.us.us.us.us ], [ %unroll_iter216, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa ]
  br label %B738.us.us.us.us.us.us.us.us.us.epil

B738.us.us.us.us.us.us.us.us.us.epil:             ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil, %B738.us.us.us.us.us.us.us.us.us.epil.preheader
  %lsr.iv173.us.us.epil = phi i64 [ %lsr.iv.next174.us.us.epil, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil ], [ %lsr.iv173.us.us.epil.ph, %B738.us.us.us.us.us.us.us.us.us.epil.preheader ]
  %.345251269.us.us.us.us.us.us.us.us.us.epil = phi i64 [ %.352.us.us.us.us.us.us.us.us.us.epil, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil ], [ %.345251269.us.us.us.us.us.us.us.us.us.epil.ph, %B738.us.us.us.us.us.us.us.us.us.epil.preheader ]
  %epil.iter213 = phi i64 [ %epil.iter213.next, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil ], [ 0, %B738.us.us.us.us.us.us.us.us.us.epil.preheader ]
  br label %B1178.us.us.us.us.us.us.us.epil.us.us.epil

B1178.us.us.us.us.us.us.us.epil.us.us.epil:       ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.epil, %B738.us.us.us.us.us.us.us.us.us.epil
  %lsr.iv185.us.us.epil = phi i64 [ %lsr.iv.next186.us.us.epil, %B1178.us.us.us.us.us.us.us.epil.us.us.epil ], [ %xtraiter131, %B738.us.us.us.us.us.us.us.us.us.epil ]
  %lsr.iv183.us.us.epil = phi i64 [ %lsr.iv.next184.us.us.epil, %B1178.us.us.us.us.us.us.us.epil.us.us.epil ], [ %lsr.iv177.us, %B738.us.us.us.us.us.us.us.us.us.epil ]
  %lsr.iv181.us.us.epil = phi i64 [ %lsr.iv.next182.us.us.epil, %B1178.us.us.us.us.us.us.us.epil.us.us.epil ], [ %lsr.iv173.us.us.epil, %B738.us.us.us.us.us.us.us.us.us.epil ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.epil = phi double [ %.726.us.us.us.us.us.us.us.epil.us.us.epil, %B1178.us.us.us.us.us.us.us.epil.us.us.epil ], [ 0.000000e+00, %B738.us.us.us.us.us.us.us.us.us.epil ]
  %.711.us.us.us.us.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv183.us.us.epil to ptr
  %.712.us.us.us.us.us.us.us.epil.us.us.epil = load double, ptr %.711.us.us.us.us.us.us.us.epil.us.us.epil, align 8
  %.722.us.us.us.us.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv181.us.us.epil to ptr
  %.723.us.us.us.us.us.us.us.epil.us.us.epil = load double, ptr %.722.us.us.us.us.us.us.us.epil.us.us.epil, align 8
  %.724.us.us.us.us.us.us.us.epil.us.us.epil = fmul double %.712.us.us.us.us.us.us.us.epil.us.us.epil, %.723.us.us.us.us.us.us.us.epil.us.us.epil
  %.726.us.us.us.us.us.us.us.epil.us.us.epil = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.us.us.epil, %.724.us.us.us.us.us.us.us.epil.us.us.epil
  %lsr.iv.next182.us.us.epil = add i64 %lsr.iv181.us.us.epil, %factor.op.mul235
  %lsr.iv.next184.us.us.epil = add i64 %lsr.iv183.us.us.epil, %factor.op.mul233
  %lsr.iv.next186.us.us.epil = add nsw i64 %lsr.iv185.us.us.epil, -1
  %epil.iter132.cmp.not.us.us.epil = icmp eq i64 %lsr.iv.next186.us.us.epil, 0
  br i1 %epil.iter132.cmp.not.us.us.epil, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil, label %B1178.us.us.us.us.us.us.us.epil.us.us.epil, !llvm.loop !47

B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil: ; preds = %B1178.us.us.us.us.us.us.us.epil.us.us.epil
  %.352.us.us.us.us.us.us.us.us.us.epil = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us.us.us.epil, 1
  %.738.us.us.us.us.us.us.us.us.us.epil = add nsw i64 %.345251269.us.us.us.us.us.us.us.us.us.epil, %.736.us.us.us.us.us
  %.741.us.us.us.us.us.us.us.us.us.epil = shl nsw i64 %.738.us.us.us.us.us.us.us.us.us.epil, 3
  %.743.us.us.us.us.us.us.us.us.us.epil = add nsw i64 %.741.us.us.us.us.us.us.us.us.us.epil, %arg.c
  %.754.us.us.us.us.us.us.us.us.us.epil = inttoptr i64 %.743.us.us.us.us.us.us.us.us.us.epil to ptr
  %.755.us.us.us.us.us.us.us.us.us.epil = load double, ptr %.754.us.us.us.us.us.us.us.us.us.epil, align 8
  %.757.us.us.us.us.us.us.us.us.us.epil = fmul double %.62, %.755.us.us.us.us.us.us.us.us.us.epil
  %.763.us.us.us.us.us.us.us.us.us.epil = fmul double %.54, %.726.us.us.us.us.us.us.us.epil.us.us.epil
  %.767.us.us.us.us.us.us.us.us.us.epil = fadd double %.763.us.us.us.us.us.us.us.us.us.epil, %.757.us.us.us.us.us.us.us.us.us.epil
  store double %.767.us.us.us.us.us.us.us.us.us.epil, ptr %.754.us.us.us.us.us.us.us.us.us.epil, align 8
  %lsr.iv.next174.us.us.epil = add i64 %lsr.iv173.us.us.epil, %factor.op.mul249
  %epil.iter213.next = add i64 %epil.iter213, 1
  %epil.iter213.cmp.not = icmp eq i64 %epil.iter213.next, %xtraiter212
  br i1 %epil.iter213.cmp.not, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us, label %B738.us.us.us.us.us.us.us.us.us.epil, !llvm.loop !48

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.loopexit.us.us.epil, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us.unr-lcssa
  %.230.us.us.us.us.us = add nuw nsw i64 %.223332346.us.us.us.us.us, 1
  %lsr.iv.next178.us = add i64 %lsr.iv177.us, %factor.op.mul330
  %exitcond543.not.us = icmp eq i64 %arg.m, %.230.us.us.us.us.us
  br i1 %exitcond543.not.us, label %B1442, label %B702.endif.us.us.us.us.us

B702.endif.us.us.us.us:                           ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split, %B702.endif.us.us.us.us.preheader41
  %lsr.iv177 = phi i64 [ %lsr.iv.next178, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split ], [ %arg.a, %B702.endif.us.us.us.us.preheader41 ]
  %.223332346.us.us.us.us = phi i64 [ %.230.us.us.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split ], [ 0, %B702.endif.us.us.us.us.preheader41 ]
  %.736.us.us.us.us = mul nsw i64 %.223332346.us.us.us.us, %.46
  %24 = add i64 %lsr.iv177, %16
  br label %B738.us.us.us.us.us.us.us

B738.us.us.us.us.us.us.us:                        ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us, %B702.endif.us.us.us.us
  %lsr.iv173 = phi i64 [ %lsr.iv.next174, %B1176.B1310_crit_edge.us.us.us.us.us.us.us ], [ %arg.b, %B702.endif.us.us.us.us ]
  %.345251269.us.us.us.us.us.us.us = phi i64 [ %.352.us.us.us.us.us.us.us, %B1176.B1310_crit_edge.us.us.us.us.us.us.us ], [ 0, %B702.endif.us.us.us.us ]
  %25 = icmp eq i64 %18, 0
  br i1 %25, label %B1178.us.us.us.us.us.us.us.epil.preheader190, label %B1178.us.us.us.us.us.us.us.preheader

B1178.us.us.us.us.us.us.us.preheader:             ; preds = %B738.us.us.us.us.us.us.us
  br label %B1178.us.us.us.us.us.us.us

B1178.us.us.us.us.us.us.us:                       ; preds = %B1178.us.us.us.us.us.us.us, %B1178.us.us.us.us.us.us.us.preheader
  %lsr.iv133 = phi i64 [ %21, %B1178.us.us.us.us.us.us.us.preheader ], [ %lsr.iv.next134, %B1178.us.us.us.us.us.us.us ]
  %lsr.iv179 = phi i64 [ %88, %B1178.us.us.us.us.us.us.us ], [ %lsr.iv177, %B1178.us.us.us.us.us.us.us.preheader ]
  %lsr.iv175 = phi i64 [ %89, %B1178.us.us.us.us.us.us.us ], [ %lsr.iv173, %B1178.us.us.us.us.us.us.us.preheader ]
  %sums.2.3241.us.us.us.us.us.us.us = phi double [ %.726.us.us.us.us.us.us.us.7.1, %B1178.us.us.us.us.us.us.us ], [ 0.000000e+00, %B1178.us.us.us.us.us.us.us.preheader ]
  %.711.us.us.us.us.us.us.us = inttoptr i64 %lsr.iv179 to ptr
  %.712.us.us.us.us.us.us.us = load double, ptr %.711.us.us.us.us.us.us.us, align 8
  %.722.us.us.us.us.us.us.us = inttoptr i64 %lsr.iv175 to ptr
  %.723.us.us.us.us.us.us.us = load double, ptr %.722.us.us.us.us.us.us.us, align 8
  %.724.us.us.us.us.us.us.us = fmul double %.712.us.us.us.us.us.us.us, %.723.us.us.us.us.us.us.us
  %.726.us.us.us.us.us.us.us = fadd double %sums.2.3241.us.us.us.us.us.us.us, %.724.us.us.us.us.us.us.us
  %26 = add i64 %lsr.iv179, %factor.op.mul233
  %27 = add i64 %factor.op.mul233, %lsr.iv179
  %.711.us.us.us.us.us.us.us.1 = inttoptr i64 %27 to ptr
  %.712.us.us.us.us.us.us.us.1 = load double, ptr %.711.us.us.us.us.us.us.us.1, align 8
  %28 = add i64 %lsr.iv175, %factor.op.mul235
  %29 = add i64 %factor.op.mul235, %lsr.iv175
  %.722.us.us.us.us.us.us.us.1 = inttoptr i64 %29 to ptr
  %.723.us.us.us.us.us.us.us.1 = load double, ptr %.722.us.us.us.us.us.us.us.1, align 8
  %.724.us.us.us.us.us.us.us.1 = fmul double %.712.us.us.us.us.us.us.us.1, %.723.us.us.us.us.us.us.us.1
  %.726.us.us.us.us.us.us.us.1 = fadd double %.726.us.us.us.us.us.us.us, %.724.us.us.us.us.us.us.us.1
  %30 = add i64 %26, %factor.op.mul233
  %31 = add i64 %factor.op.mul233, %27
  %.711.us.us.us.us.us.us.us.2 = inttoptr i64 %31 to ptr
  %.712.us.us.us.us.us.us.us.2 = load double, ptr %.711.us.us.us.us.us.us.us.2, align 8
  %32 = add i64 %28, %factor.op.mul235
  %33 = add i64 %factor.op.mul235, %29
  %.722.us.us.us.us.us.us.us.2 = inttoptr i64 %33 to ptr
  %.723.us.us.us.us.us.us.us.2 = load double, ptr %.722.us.us.us.us.us.us.us.2, align 8
  %.724.us.us.us.us.us.us.us.2 = fmul double %.712.us.us.us.us.us.us.us.2, %.723.us.us.us.us.us.us.us.2
  %.726.us.us.us.us.us.us.us.2 = fadd double %.726.us.us.us.us.us.us.us.1, %.724.us.us.us.us.us.us.us.2
  %34 = add i64 %30, %factor.op.mul233
  %35 = add i64 %factor.op.mul233, %31
  %.711.us.us.us.us.us.us.us.3 = inttoptr i64 %35 to ptr
  %.712.us.us.us.us.us.us.us.3 = load double, ptr %.711.us.us.us.us.us.us.us.3, align 8
  %36 = add i64 %32, %factor.op.mul235
  %37 = add i64 %factor.op.mul235, %33
  %.722.us.us.us.us.us.us.us.3 = inttoptr i64 %37 to ptr
  %.723.us.us.us.us.us.us.us.3 = load double, ptr %.722.us.us.us.us.us.us.us.3, align 8
  %.724.us.us.us.us.us.us.us.3 = fmul double %.712.us.us.us.us.us.us.us.3, %.723.us.us.us.us.us.us.us.3
  %.726.us.us.us.us.us.us.us.3 = fadd double %.726.us.us.us.us.us.us.us.2, %.724.us.us.us.us.us.us.us.3
  %38 = add i64 %34, %factor.op.mul233
  %39 = add i64 %factor.op.mul233, %35
  %.711.us.us.us.us.us.us.us.4 = inttoptr i64 %39 to ptr
  %.712.us.us.us.us.us.us.us.4 = load double, ptr %.711.us.us.us.us.us.us.us.4, align 8
  %40 = add i64 %36, %factor.op.mul235
  %41 = add i64 %factor.op.mul235, %37
  %.722.us.us.us.us.us.us.us.4 = inttoptr i64 %41 to ptr
  %.723.us.us.us.us.us.us.us.4 = load double, ptr %.722.us.us.us.us.us.us.us.4, align 8
  %.724.us.us.us.us.us.us.us.4 = fmul double %.712.us.us.us.us.us.us.us.4, %.723.us.us.us.us.us.us.us.4
  %.726.us.us.us.us.us.us.us.4 = fadd double %.726.us.us.us.us.us.us.us.3, %.724.us.us.us.us.us.us.us.4
  %42 = add i64 %38, %factor.op.mul233
  %43 = add i64 %factor.op.mul233, %39
  %.711.us.us.us.us.us.us.us.5 = inttoptr i64 %43 to ptr
  %.712.us.us.us.us.us.us.us.5 = load double, ptr %.711.us.us.us.us.us.us.us.5, align 8
  %44 = add i64 %40, %factor.op.mul235
  %45 = add i64 %factor.op.mul235, %41
  %.722.us.us.us.us.us.us.us.5 = inttoptr i64 %45 to ptr
  %.723.us.us.us.us.us.us.us.5 = load double, ptr %.722.us.us.us.us.us.us.us.5, align 8
  %.724.us.us.us.us.us.us.us.5 = fmul double %.712.us.us.us.us.us.us.us.5, %.723.us.us.us.us.us.us.us.5
  %.726.us.us.us.us.us.us.us.5 = fadd double %.726.us.us.us.us.us.us.us.4, %.724.us.us.us.us.us.us.us.5
  %46 = add i64 %42, %factor.op.mul233
  %47 = add i64 %factor.op.mul233, %43
  %.711.us.us.us.us.us.us.us.6 = inttoptr i64 %47 to ptr
  %.712.us.us.us.us.us.us.us.6 = load double, ptr %.711.us.us.us.us.us.us.us.6, align 8
  %48 = add i64 %44, %factor.op.mul235
  %49 = add i64 %factor.op.mul235, %45
  %.722.us.us.us.us.us.us.us.6 = inttoptr i64 %49 to ptr
  %.723.us.us.us.us.us.us.us.6 = load double, ptr %.722.us.us.us.us.us.us.us.6, align 8
  %.724.us.us.us.us.us.us.us.6 = fmul double %.712.us.us.us.us.us.us.us.6, %.723.us.us.us.us.us.us.us.6
  %.726.us.us.us.us.us.us.us.6 = fadd double %.726.us.us.us.us.us.us.us.5, %.724.us.us.us.us.us.us.us.6
  %50 = add i64 %46, %factor.op.mul233
  %51 = add i64 %factor.op.mul233, %47
  %.711.us.us.us.us.us.us.us.7 = inttoptr i64 %51 to ptr
  %.712.us.us.us.us.us.us.us.7 = load double, ptr %.711.us.us.us.us.us.us.us.7, align 8
  %52 = add i64 %48, %factor.op.mul235
  %53 = add i64 %factor.op.mul235, %49
  %.722.us.us.us.us.us.us.us.7 = inttoptr i64 %53 to ptr
  %.723.us.us.us.us.us.us.us.7 = load double, ptr %.722.us.us.us.us.us.us.us.7, align 8
  %.724.us.us.us.us.us.us.us.7 = fmul double %.712.us.us.us.us.us.us.us.7, %.723.us.us.us.us.us.us.us.7
  %.726.us.us.us.us.us.us.us.7 = fadd double %.726.us.us.us.us.us.us.us.6, %.724.us.us.us.us.us.us.us.7
  %54 = add i64 %50, %factor.op.mul233
  %55 = add i64 %factor.op.mul233, %51
  %.711.us.us.us.us.us.us.us.1206 = inttoptr i64 %55 to ptr
  %.712.us.us.us.us.us.us.us.1207 = load double, ptr %.711.us.us.us.us.us.us.us.1206, align 8
  %56 = add i64 %52, %factor.op.mul235
  %57 = add i64 %factor.op.mul235, %53
  %.722.us.us.us.us.us.us.us.1208 = inttoptr i64 %57 to ptr
  %.723.us.us.us.us.us.us.us.1209 = load double, ptr %.722.us.us.us.us.us.us.us.1208, align 8
  %.724.us.us.us.us.us.us.us.1210 = fmul double %.712.us.us.us.us.us.us.us.1207, %.723.us.us.us.us.us.us.us.1209
  %.726.us.us.us.us.us.us.us.1211 = fadd double %.726.us.us.us.us.us.us.us.7, %.724.us.us.us.us.us.us.us.1210
  %58 = add i64 %54, %factor.op.mul233
  %59 = add i64 %factor.op.mul233, %55
  %.711.us.us.us.us.us.us.us.1.1 = inttoptr i64 %59 to ptr
  %.712.us.us.us.us.us.us.us.1.1 = load double, ptr %.711.us.us.us.us.us.us.us.1.1, align 8
  %60 = add i64 %56, %factor.op.mul235
  %61 = add i64 %factor.op.mul235, %57
  %.722.us.us.us.us.us.us.us.1.1 = inttoptr i64 %61 to ptr
  %.723.us.us.us.us.us.us.us.1.1 = load double, ptr %.722.us.us.us.us.us.us.us.1.1, align 8
  %.724.us.us.us.us.us.us.us.1.1 = fmul double %.712.us.us.us.us.us.us.us.1.1, %.723.us.us.us.us.us.us.us.1.1
  %.726.us.us.us.us.us.us.us.1.1 = fadd double %.726.us.us.us.us.us.us.us.1211, %.724.us.us.us.us.us.us.us.1.1
  %62 = add i64 %58, %factor.op.mul233
  %63 = add i64 %factor.op.mul233, %59
  %.711.us.us.us.us.us.us.us.2.1 = inttoptr i64 %63 to ptr
  %.712.us.us.us.us.us.us.us.2.1 = load double, ptr %.711.us.us.us.us.us.us.us.2.1, align 8
  %64 = add i64 %60, %factor.op.mul235
  %65 = add i64 %factor.op.mul235, %61
  %.722.us.us.us.us.us.us.us.2.1 = inttoptr i64 %65 to ptr
  %.723.us.us.us.us.us.us.us.2.1 = load double, ptr %.722.us.us.us.us.us.us.us.2.1, align 8
  %.724.us.us.us.us.us.us.us.2.1 = fmul double %.712.us.us.us.us.us.us.us.2.1, %.723.us.us.us.us.us.us.us.2.1
  %.726.us.us.us.us.us.us.us.2.1 = fadd double %.726.us.us.us.us.us.us.us.1.1, %.724.us.us.us.us.us.us.us.2.1
  %66 = add i64 %62, %factor.op.mul233
  %67 = add i64 %factor.op.mul233, %63
  %.711.us.us.us.us.us.us.us.3.1 = inttoptr i64 %67 to ptr
  %.712.us.us.us.us.us.us.us.3.1 = load double, ptr %.711.us.us.us.us.us.us.us.3.1, align 8
  %68 = add i64 %64, %factor.op.mul235
  %69 = add i64 %factor.op.mul235, %65
  %.722.us.us.us.us.us.us.us.3.1 = inttoptr i64 %69 to ptr
  %.723.us.us.us.us.us.us.us.3.1 = load double, ptr %.722.us.us.us.us.us.us.us.3.1, align 8
  %.724.us.us.us.us.us.us.us.3.1 = fmul double %.712.us.us.us.us.us.us.us.3.1, %.723.us.us.us.us.us.us.us.3.1
  %.726.us.us.us.us.us.us.us.3.1 = fadd double %.726.us.us.us.us.us.us.us.2.1, %.724.us.us.us.us.us.us.us.3.1
  %70 = add i64 %66, %factor.op.mul233
  %71 = add i64 %factor.op.mul233, %67
  %.711.us.us.us.us.us.us.us.4.1 = inttoptr i64 %71 to ptr
  %.712.us.us.us.us.us.us.us.4.1 = load double, ptr %.711.us.us.us.us.us.us.us.4.1, align 8
  %72 = add i64 %68, %factor.op.mul235
  %73 = add i64 %factor.op.mul235, %69
  %.722.us.us.us.us.us.us.us.4.1 = inttoptr i64 %73 to ptr
  %.723.us.us.us.us.us.us.us.4.1 = load double, ptr %.722.us.us.us.us.us.us.us.4.1, align 8
  %.724.us.us.us.us.us.us.us.4.1 = fmul double %.712.us.us.us.us.us.us.us.4.1, %.723.us.us.us.us.us.us.us.4.1
  %.726.us.us.us.us.us.us.us.4.1 = fadd double %.726.us.us.us.us.us.us.us.3.1, %.724.us.us.us.us.us.us.us.4.1
  %74 = add i64 %70, %factor.op.mul233
  %75 = add i64 %factor.op.mul233, %71
  %.711.us.us.us.us.us.us.us.5.1 = inttoptr i64 %75 to ptr
  %.712.us.us.us.us.us.us.us.5.1 = load double, ptr %.711.us.us.us.us.us.us.us.5.1, align 8
  %76 = add i64 %72, %factor.op.mul235
  %77 = add i64 %factor.op.mul235, %73
  %.722.us.us.us.us.us.us.us.5.1 = inttoptr i64 %77 to ptr
  %.723.us.us.us.us.us.us.us.5.1 = load double, ptr %.722.us.us.us.us.us.us.us.5.1, align 8
  %.724.us.us.us.us.us.us.us.5.1 = fmul double %.712.us.us.us.us.us.us.us.5.1, %.723.us.us.us.us.us.us.us.5.1
  %.726.us.us.us.us.us.us.us.5.1 = fadd double %.726.us.us.us.us.us.us.us.4.1, %.724.us.us.us.us.us.us.us.5.1
  %78 = add i64 %74, %factor.op.mul233
  %79 = add i64 %factor.op.mul233, %75
  %.711.us.us.us.us.us.us.us.6.1 = inttoptr i64 %79 to ptr
  %.712.us.us.us.us.us.us.us.6.1 = load double, ptr %.711.us.us.us.us.us.us.us.6.1, align 8
  %80 = add i64 %76, %factor.op.mul235
  %81 = add i64 %factor.op.mul235, %77
  %.722.us.us.us.us.us.us.us.6.1 = inttoptr i64 %81 to ptr
  %.723.us.us.us.us.us.us.us.6.1 = load double, ptr %.722.us.us.us.us.us.us.us.6.1, align 8
  %.724.us.us.us.us.us.us.us.6.1 = fmul double %.712.us.us.us.us.us.us.us.6.1, %.723.us.us.us.us.us.us.us.6.1
  %.726.us.us.us.us.us.us.us.6.1 = fadd double %.726.us.us.us.us.us.us.us.5.1, %.724.us.us.us.us.us.us.us.6.1
  %82 = add i64 %78, %factor.op.mul233
  %83 = add i64 %factor.op.mul233, %79
  %.711.us.us.us.us.us.us.us.7.1 = inttoptr i64 %83 to ptr
  %.712.us.us.us.us.us.us.us.7.1 = load double, ptr %.711.us.us.us.us.us.us.us.7.1, align 8
  %84 = add i64 %80, %factor.op.mul235
  %85 = add i64 %factor.op.mul235, %81
  %.722.us.us.us.us.us.us.us.7.1 = inttoptr i64 %85 to ptr
  %.723.us.us.us.us.us.us.us.7.1 = load double, ptr %.722.us.us.us.us.us.us.us.7.1, align 8
  %.724.us.us.us.us.us.us.us.7.1 = fmul double %.712.us.us.us.us.us.us.us.7.1, %.723.us.us.us.us.us.us.us.7.1
  %.726.us.us.us.us.us.us.us.7.1 = fadd double %.726.us.us.us.us.us.us.us.6.1, %.724.us.us.us.us.us.us.us.7.1
  %86 = add i64 %82, %factor.op.mul233
  %87 = add i64 %84, %factor.op.mul235
  %lsr.iv.next134 = add i64 %lsr.iv133, -2
  %niter205.ncmp.1 = icmp eq i64 %lsr.iv.next134, 0
  %88 = add i64 %factor.op.mul233, %83
  %89 = add i64 %factor.op.mul235, %85
  br i1 %niter205.ncmp.1, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa, label %B1178.us.us.us.us.us.us.us

B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa: ; preds = %B1178.us.us.us.us.us.us.us
  %90 = and i64 %17, 8
  %91 = icmp eq i64 %90, 0
  br i1 %91, label %B1178.us.us.us.us.us.us.us.epil.preheader190, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa

B1178.us.us.us.us.us.us.us.epil.preheader190:     ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa, %B738.us.us.us.us.us.us.us
  %lsr.iv179.epil.init = phi i64 [ %lsr.iv177, %B738.us.us.us.us.us.us.us ], [ %86, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %lsr.iv175.epil.init = phi i64 [ %lsr.iv173, %B738.us.us.us.us.us.us.us ], [ %87, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %sums.2.3241.us.us.us.us.us.us.us.epil.init = phi double [ 0.000000e+00, %B738.us.us.us.us.us.us.us ], [ %.726.us.us.us.us.us.us.us.7.1, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %.711.us.us.us.us.us.us.us.epil194 = inttoptr i64 %lsr.iv179.epil.init to ptr
  %.712.us.us.us.us.us.us.us.epil195 = load double, ptr %.711.us.us.us.us.us.us.us.epil194, align 8
  %.722.us.us.us.us.us.us.us.epil196 = inttoptr i64 %lsr.iv175.epil.init to ptr
  %.723.us.us.us.us.us.us.us.epil197 = load double, ptr %.722.us.us.us.us.us.us.us.epil196, align 8
  %.724.us.us.us.us.us.us.us.epil198 = fmul double %.712.us.us.us.us.us.us.us.epil195, %.723.us.us.us.us.us.us.us.epil197
  %.726.us.us.us.us.us.us.us.epil199 = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil.init, %.724.us.us.us.us.us.us.us.epil198
  %92 = add i64 %lsr.iv179.epil.init, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.1.epil = inttoptr i64 %92 to ptr
  %.712.us.us.us.us.us.us.us.1.epil = load double, ptr %.711.us.us.us.us.us.us.us.1.epil, align 8
  %93 = add i64 %lsr.iv175.epil.init, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.1.epil = inttoptr i64 %93 to ptr
  %.723.us.us.us.us.us.us.us.1.epil = load double, ptr %.722.us.us.us.us.us.us.us.1.epil, align 8
  %.724.us.us.us.us.us.us.us.1.epil = fmul double %.712.us.us.us.us.us.us.us.1.epil, %.723.us.us.us.us.us.us.us.1.epil
  %.726.us.us.us.us.us.us.us.1.epil = fadd double %.726.us.us.us.us.us.us.us.epil199, %.724.us.us.us.us.us.us.us.1.epil
  %94 = add i64 %92, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.2.epil = inttoptr i64 %94 to ptr
  %.712.us.us.us.us.us.us.us.2.epil = load double, ptr %.711.us.us.us.us.us.us.us.2.epil, align 8
  %95 = add i64 %93, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.2.epil = inttoptr i64 %95 to ptr
  %.723.us.us.us.us.us.us.us.2.epil = load double, ptr %.722.us.us.us.us.us.us.us.2.epil, align 8
  %.724.us.us.us.us.us.us.us.2.epil = fmul double %.712.us.us.us.us.us.us.us.2.epil, %.723.us.us.us.us.us.us.us.2.epil
  %.726.us.us.us.us.us.us.us.2.epil = fadd double %.726.us.us.us.us.us.us.us.1.epil, %.724.us.us.us.us.us.us.us.2.epil
  %96 = add i64 %94, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.3.epil = inttoptr i64 %96 to ptr
  %.712.us.us.us.us.us.us.us.3.epil = load double, ptr %.711.us.us.us.us.us.us.us.3.epil, align 8
  %97 = add i64 %95, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.3.epil = inttoptr i64 %97 to ptr
  %.723.us.us.us.us.us.us.us.3.epil = load double, ptr %.722.us.us.us.us.us.us.us.3.epil, align 8
  %.724.us.us.us.us.us.us.us.3.epil = fmul double %.712.us.us.us.us.us.us.us.3.epil, %.723.us.us.us.us.us.us.us.3.epil
  %.726.us.us.us.us.us.us.us.3.epil = fadd double %.726.us.us.us.us.us.us.us.2.epil, %.724.us.us.us.us.us.us.us.3.epil
  %98 = add i64 %96, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.4.epil = inttoptr i64 %98 to ptr
  %.712.us.us.us.us.us.us.us.4.epil = load double, ptr %.711.us.us.us.us.us.us.us.4.epil, align 8
  %99 = add i64 %97, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.4.epil = inttoptr i64 %99 to ptr
  %.723.us.us.us.us.us.us.us.4.epil = load double, ptr %.722.us.us.us.us.us.us.us.4.epil, align 8
  %.724.us.us.us.us.us.us.us.4.epil = fmul double %.712.us.us.us.us.us.us.us.4.epil, %.723.us.us.us.us.us.us.us.4.epil
  %.726.us.us.us.us.us.us.us.4.epil = fadd double %.726.us.us.us.us.us.us.us.3.epil, %.724.us.us.us.us.us.us.us.4.epil
  %100 = add i64 %98, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.5.epil = inttoptr i64 %100 to ptr
  %.712.us.us.us.us.us.us.us.5.epil = load double, ptr %.711.us.us.us.us.us.us.us.5.epil, align 8
  %101 = add i64 %99, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.5.epil = inttoptr i64 %101 to ptr
  %.723.us.us.us.us.us.us.us.5.epil = load double, ptr %.722.us.us.us.us.us.us.us.5.epil, align 8
  %.724.us.us.us.us.us.us.us.5.epil = fmul double %.712.us.us.us.us.us.us.us.5.epil, %.723.us.us.us.us.us.us.us.5.epil
  %.726.us.us.us.us.us.us.us.5.epil = fadd double %.726.us.us.us.us.us.us.us.4.epil, %.724.us.us.us.us.us.us.us.5.epil
  %102 = add i64 %100, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.6.epil = inttoptr i64 %102 to ptr
  %.712.us.us.us.us.us.us.us.6.epil = load double, ptr %.711.us.us.us.us.us.us.us.6.epil, align 8
  %103 = add i64 %101, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.6.epil = inttoptr i64 %103 to ptr
  %.723.us.us.us.us.us.us.us.6.epil = load double, ptr %.722.us.us.us.us.us.us.us.6.epil, align 8
  %.724.us.us.us.us.us.us.us.6.epil = fmul double %.712.us.us.us.us.us.us.us.6.epil, %.723.us.us.us.us.us.us.us.6.epil
  %.726.us.us.us.us.us.us.us.6.epil = fadd double %.726.us.us.us.us.us.us.us.5.epil, %.724.us.us.us.us.us.us.us.6.epil
  %104 = add i64 %102, %factor.op.mul233
  %.711.us.us.us.us.us.us.us.7.epil = inttoptr i64 %104 to ptr
  %.712.us.us.us.us.us.us.us.7.epil = load double, ptr %.711.us.us.us.us.us.us.us.7.epil, align 8
  %105 = add i64 %103, %factor.op.mul235
  %.722.us.us.us.us.us.us.us.7.epil = inttoptr i64 %105 to ptr
  %.723.us.us.us.us.us.us.us.7.epil = load double, ptr %.722.us.us.us.us.us.us.us.7.epil, align 8
  %.724.us.us.us.us.us.us.us.7.epil = fmul double %.712.us.us.us.us.us.us.us.7.epil, %.723.us.us.us.us.us.us.us.7.epil
  %.726.us.us.us.us.us.us.us.7.epil = fadd double %.726.us.us.us.us.us.us.us.6.epil, %.724.us.us.us.us.us.us.us.7.epil
  br label %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa

B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa: ; preds = %B1178.us.us.us.us.us.us.us.epil.preheader190, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa
  %.726.us.us.us.us.us.us.us.7.lcssa = phi double [ %.726.us.us.us.us.us.us.us.7.1, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa.unr-lcssa ], [ %.726.us.us.us.us.us.us.us.7.epil, %B1178.us.us.us.us.us.us.us.epil.preheader190 ]
  %106 = icmp eq i64 %xtraiter131, 0
  br i1 %106, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us, label %B1178.us.us.us.us.us.us.us.epil.preheader

B1178.us.us.us.us.us.us.us.epil.preheader:        ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa
  %107 = add i64 %lsr.iv173, %15
  br label %B1178.us.us.us.us.us.us.us.epil

B1178.us.us.us.us.us.us.us.epil:                  ; preds = %B1178.us.us.us.us.us.us.us.epil, %B1178.us.us.us.us.us.us.us.epil.preheader
  %lsr.iv185 = phi i64 [ %lsr.iv.next186, %B1178.us.us.us.us.us.us.us.epil ], [ %xtraiter131, %B1178.us.us.us.us.us.us.us.epil.preheader ]
  %lsr.iv183 = phi i64 [ %lsr.iv.next184, %B1178.us.us.us.us.us.us.us.epil ], [ %24, %B1178.us.us.us.us.us.us.us.epil.preheader ]
  %lsr.iv181 = phi i64 [ %lsr.iv.next182, %B1178.us.us.us.us.us.us.us.epil ], [ %107, %B1178.us.us.us.us.us.us.us.epil.preheader ]
  %sums.2.3241.us.us.us.us.us.us.us.epil = phi double [ %.726.us.us.us.us.us.us.us.epil, %B1178.us.us.us.us.us.us.us.epil ], [ %.726.us.us.us.us.us.us.us.7.lcssa, %B1178.us.us.us.us.us.us.us.epil.preheader ]
  %.711.us.us.us.us.us.us.us.epil = inttoptr i64 %lsr.iv183 to ptr
  %.712.us.us.us.us.us.us.us.epil = load double, ptr %.711.us.us.us.us.us.us.us.epil, align 8
  %.722.us.us.us.us.us.us.us.epil = inttoptr i64 %lsr.iv181 to ptr
  %.723.us.us.us.us.us.us.us.epil = load double, ptr %.722.us.us.us.us.us.us.us.epil, align 8
  %.724.us.us.us.us.us.us.us.epil = fmul double %.712.us.us.us.us.us.us.us.epil, %.723.us.us.us.us.us.us.us.epil
  %.726.us.us.us.us.us.us.us.epil = fadd double %sums.2.3241.us.us.us.us.us.us.us.epil, %.724.us.us.us.us.us.us.us.epil
  %lsr.iv.next182 = add i64 %lsr.iv181, %factor.op.mul235
  %lsr.iv.next184 = add i64 %lsr.iv183, %factor.op.mul233
  %lsr.iv.next186 = add nsw i64 %lsr.iv185, -1
  %epil.iter132.cmp.not = icmp eq i64 %lsr.iv.next186, 0
  br i1 %epil.iter132.cmp.not, label %B1176.B1310_crit_edge.us.us.us.us.us.us.us, label %B1178.us.us.us.us.us.us.us.epil, !llvm.loop !47

B1176.B1310_crit_edge.us.us.us.us.us.us.us:       ; preds = %B1178.us.us.us.us.us.us.us.epil, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa
  %.726.us.us.us.us.us.us.us.lcssa = phi double [ %.726.us.us.us.us.us.us.us.7.lcssa, %B1176.B1310_crit_edge.us.us.us.us.us.us.us.unr-lcssa ], [ %.726.us.us.us.us.us.us.us.epil, %B1178.us.us.us.us.us.us.us.epil ]
  %.352.us.us.us.us.us.us.us = add nuw nsw i64 %.345251269.us.us.us.us.us.us.us, 1
  %.738.us.us.us.us.us.us.us = add nsw i64 %.345251269.us.us.us.us.us.us.us, %.736.us.us.us.us
  %.741.us.us.us.us.us.us.us = shl nsw i64 %.738.us.us.us.us.us.us.us, 3
  %.743.us.us.us.us.us.us.us = add nsw i64 %.741.us.us.us.us.us.us.us, %arg.c
  %.754.us.us.us.us.us.us.us = inttoptr i64 %.743.us.us.us.us.us.us.us to ptr
  %.755.us.us.us.us.us.us.us = load double, ptr %.754.us.us.us.us.us.us.us, align 8
  %.757.us.us.us.us.us.us.us = fmul double %.62, %.755.us.us.us.us.us.us.us
  %.763.us.us.us.us.us.us.us = fmul double %.54, %.726.us.us.us.us.us.us.us.lcssa
  %.767.us.us.us.us.us.us.us = fadd double %.763.us.us.us.us.us.us.us, %.757.us.us.us.us.us.us.us
  store double %.767.us.us.us.us.us.us.us, ptr %.754.us.us.us.us.us.us.us, align 8
  %lsr.iv.next174 = add i64 %lsr.iv173, %factor.op.mul249
  %exitcond542.not = icmp eq i64 %arg.n, %.352.us.us.us.us.us.us.us
  br i1 %exitcond542.not, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split, label %B738.us.us.us.us.us.us.us

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.us.us
  %.230.us.us.us.us = add nuw nsw i64 %.223332346.us.us.us.us, 1
  %lsr.iv.next178 = add i64 %lsr.iv177, %factor.op.mul330
  %exitcond543.not = icmp eq i64 %arg.m, %.230.us.us.us.us
  br i1 %exitcond543.not, label %B1442, label %B702.endif.us.us.us.us

B702.endif.us.us.us:                              ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split, %B702.endif.us.us.us.preheader44
  %lsr.iv191 = phi i64 [ %lsr.iv.next192, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split ], [ %arg.a, %B702.endif.us.us.us.preheader44 ]
  %.223332346.us.us.us = phi i64 [ %.230.us.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split ], [ 0, %B702.endif.us.us.us.preheader44 ]
  %.736.us.us.us = mul nsw i64 %.223332346.us.us.us, %.46
  %108 = add i64 %lsr.iv191, %6
  br label %B738.us.us.us.us.us

B738.us.us.us.us.us:                              ; preds = %B1176.B1310_crit_edge.us.us.us.us.us, %B702.endif.us.us.us
  %lsr.iv187 = phi i64 [ %lsr.iv.next188, %B1176.B1310_crit_edge.us.us.us.us.us ], [ %arg.b, %B702.endif.us.us.us ]
  %.345251269.us.us.us.us.us = phi i64 [ %.352.us.us.us.us.us, %B1176.B1310_crit_edge.us.us.us.us.us ], [ 0, %B702.endif.us.us.us ]
  %109 = icmp eq i64 %8, 0
  br i1 %109, label %B1178.us.us.us.us.us.epil.preheader162, label %B1178.us.us.us.us.us.preheader

B1178.us.us.us.us.us.preheader:                   ; preds = %B738.us.us.us.us.us
  br label %B1178.us.us.us.us.us

B1178.us.us.us.us.us:                             ; preds = %B1178.us.us.us.us.us, %B1178.us.us.us.us.us.preheader
  %lsr.iv136 = phi i64 [ %11, %B1178.us.us.us.us.us.preheader ], [ %lsr.iv.next137, %B1178.us.us.us.us.us ]
  %lsr.iv193 = phi i64 [ %172, %B1178.us.us.us.us.us ], [ %lsr.iv191, %B1178.us.us.us.us.us.preheader ]
  %lsr.iv189 = phi i64 [ %173, %B1178.us.us.us.us.us ], [ %lsr.iv187, %B1178.us.us.us.us.us.preheader ]
  %sums.2.3241.us.us.us.us.us = phi double [ %.726.us.us.us.us.us.7.1, %B1178.us.us.us.us.us ], [ 0.000000e+00, %B1178.us.us.us.us.us.preheader ]
  %.711.us.us.us.us.us = inttoptr i64 %lsr.iv193 to ptr
  %.712.us.us.us.us.us = load double, ptr %.711.us.us.us.us.us, align 8
  %.722.us.us.us.us.us = inttoptr i64 %lsr.iv189 to ptr
  %.723.us.us.us.us.us = load double, ptr %.722.us.us.us.us.us, align 8
  %.724.us.us.us.us.us = fmul double %.712.us.us.us.us.us, %.723.us.us.us.us.us
  %.726.us.us.us.us.us = fadd double %sums.2.3241.us.us.us.us.us, %.724.us.us.us.us.us
  %110 = add i64 %lsr.iv193, %factor.op.mul233
  %111 = add i64 %factor.op.mul233, %lsr.iv193
  %.711.us.us.us.us.us.1 = inttoptr i64 %111 to ptr
  %.712.us.us.us.us.us.1 = load double, ptr %.711.us.us.us.us.us.1, align 8
  %112 = add i64 %lsr.iv189, %factor.op.mul235
  %113 = add i64 %factor.op.mul235, %lsr.iv189
  %.722.us.us.us.us.us.1 = inttoptr i64 %113 to ptr
  %.723.us.us.us.us.us.1 = load double, ptr %.722.us.us.us.us.us.1, align 8
  %.724.us.us.us.us.us.1 = fmul double %.712.us.us.us.us.us.1, %.723.us.us.us.us.us.1
  %.726.us.us.us.us.us.1 = fadd double %.726.us.us.us.us.us, %.724.us.us.us.us.us.1
  %114 = add i64 %110, %factor.op.mul233
  %115 = add i64 %factor.op.mul233, %111
  %.711.us.us.us.us.us.2 = inttoptr i64 %115 to ptr
  %.712.us.us.us.us.us.2 = load double, ptr %.711.us.us.us.us.us.2, align 8
  %116 = add i64 %112, %factor.op.mul235
  %117 = add i64 %factor.op.mul235, %113
  %.722.us.us.us.us.us.2 = inttoptr i64 %117 to ptr
  %.723.us.us.us.us.us.2 = load double, ptr %.722.us.us.us.us.us.2, align 8
  %.724.us.us.us.us.us.2 = fmul double %.712.us.us.us.us.us.2, %.723.us.us.us.us.us.2
  %.726.us.us.us.us.us.2 = fadd double %.726.us.us.us.us.us.1, %.724.us.us.us.us.us.2
  %118 = add i64 %114, %factor.op.mul233
  %119 = add i64 %factor.op.mul233, %115
  %.711.us.us.us.us.us.3 = inttoptr i64 %119 to ptr
  %.712.us.us.us.us.us.3 = load double, ptr %.711.us.us.us.us.us.3, align 8
  %120 = add i64 %116, %factor.op.mul235
  %121 = add i64 %factor.op.mul235, %117
  %.722.us.us.us.us.us.3 = inttoptr i64 %121 to ptr
  %.723.us.us.us.us.us.3 = load double, ptr %.722.us.us.us.us.us.3, align 8
  %.724.us.us.us.us.us.3 = fmul double %.712.us.us.us.us.us.3, %.723.us.us.us.us.us.3
  %.726.us.us.us.us.us.3 = fadd double %.726.us.us.us.us.us.2, %.724.us.us.us.us.us.3
  %122 = add i64 %118, %factor.op.mul233
  %123 = add i64 %factor.op.mul233, %119
  %.711.us.us.us.us.us.4 = inttoptr i64 %123 to ptr
  %.712.us.us.us.us.us.4 = load double, ptr %.711.us.us.us.us.us.4, align 8
  %124 = add i64 %120, %factor.op.mul235
  %125 = add i64 %factor.op.mul235, %121
  %.722.us.us.us.us.us.4 = inttoptr i64 %125 to ptr
  %.723.us.us.us.us.us.4 = load double, ptr %.722.us.us.us.us.us.4, align 8
  %.724.us.us.us.us.us.4 = fmul double %.712.us.us.us.us.us.4, %.723.us.us.us.us.us.4
  %.726.us.us.us.us.us.4 = fadd double %.726.us.us.us.us.us.3, %.724.us.us.us.us.us.4
  %126 = add i64 %122, %factor.op.mul233
  %127 = add i64 %factor.op.mul233, %123
  %.711.us.us.us.us.us.5 = inttoptr i64 %127 to ptr
  %.712.us.us.us.us.us.5 = load double, ptr %.711.us.us.us.us.us.5, align 8
  %128 = add i64 %124, %factor.op.mul235
  %129 = add i64 %factor.op.mul235, %125
  %.722.us.us.us.us.us.5 = inttoptr i64 %129 to ptr
  %.723.us.us.us.us.us.5 = load double, ptr %.722.us.us.us.us.us.5, align 8
  %.724.us.us.us.us.us.5 = fmul double %.712.us.us.us.us.us.5, %.723.us.us.us.us.us.5
  %.726.us.us.us.us.us.5 = fadd double %.726.us.us.us.us.us.4, %.724.us.us.us.us.us.5
  %130 = add i64 %126, %factor.op.mul233
  %131 = add i64 %factor.op.mul233, %127
  %.711.us.us.us.us.us.6 = inttoptr i64 %131 to ptr
  %.712.us.us.us.us.us.6 = load double, ptr %.711.us.us.us.us.us.6, align 8
  %132 = add i64 %128, %factor.op.mul235
  %133 = add i64 %factor.op.mul235, %129
  %.722.us.us.us.us.us.6 = inttoptr i64 %133 to ptr
  %.723.us.us.us.us.us.6 = load double, ptr %.722.us.us.us.us.us.6, align 8
  %.724.us.us.us.us.us.6 = fmul double %.712.us.us.us.us.us.6, %.723.us.us.us.us.us.6
  %.726.us.us.us.us.us.6 = fadd double %.726.us.us.us.us.us.5, %.724.us.us.us.us.us.6
  %134 = add i64 %130, %factor.op.mul233
  %135 = add i64 %factor.op.mul233, %131
  %.711.us.us.us.us.us.7 = inttoptr i64 %135 to ptr
  %.712.us.us.us.us.us.7 = load double, ptr %.711.us.us.us.us.us.7, align 8
  %136 = add i64 %132, %factor.op.mul235
  %137 = add i64 %factor.op.mul235, %133
  %.722.us.us.us.us.us.7 = inttoptr i64 %137 to ptr
  %.723.us.us.us.us.us.7 = load double, ptr %.722.us.us.us.us.us.7, align 8
  %.724.us.us.us.us.us.7 = fmul double %.712.us.us.us.us.us.7, %.723.us.us.us.us.us.7
  %.726.us.us.us.us.us.7 = fadd double %.726.us.us.us.us.us.6, %.724.us.us.us.us.us.7
  %138 = add i64 %134, %factor.op.mul233
  %139 = add i64 %factor.op.mul233, %135
  %.711.us.us.us.us.us.1178 = inttoptr i64 %139 to ptr
  %.712.us.us.us.us.us.1179 = load double, ptr %.711.us.us.us.us.us.1178, align 8
  %140 = add i64 %136, %factor.op.mul235
  %141 = add i64 %factor.op.mul235, %137
  %.722.us.us.us.us.us.1180 = inttoptr i64 %141 to ptr
  %.723.us.us.us.us.us.1181 = load double, ptr %.722.us.us.us.us.us.1180, align 8
  %.724.us.us.us.us.us.1182 = fmul double %.712.us.us.us.us.us.1179, %.723.us.us.us.us.us.1181
  %.726.us.us.us.us.us.1183 = fadd double %.726.us.us.us.us.us.7, %.724.us.us.us.us.us.1182
  %142 = add i64 %138, %factor.op.mul233
  %143 = add i64 %factor.op.mul233, %139
  %.711.us.us.us.us.us.1.1 = inttoptr i64 %143 to ptr
  %.712.us.us.us.us.us.1.1 = load double, ptr %.711.us.us.us.us.us.1.1, align 8
  %144 = add i64 %140, %factor.op.mul235
  %145 = add i64 %factor.op.mul235, %141
  %.722.us.us.us.us.us.1.1 = inttoptr i64 %145 to ptr
  %.723.us.us.us.us.us.1.1 = load double, ptr %.722.us.us.us.us.us.1.1, align 8
  %.724.us.us.us.us.us.1.1 = fmul double %.712.us.us.us.us.us.1.1, %.723.us.us.us.us.us.1.1
  %.726.us.us.us.us.us.1.1 = fadd double %.726.us.us.us.us.us.1183, %.724.us.us.us.us.us.1.1
  %146 = add i64 %142, %factor.op.mul233
  %147 = add i64 %factor.op.mul233, %143
  %.711.us.us.us.us.us.2.1 = inttoptr i64 %147 to ptr
  %.712.us.us.us.us.us.2.1 = load double, ptr %.711.us.us.us.us.us.2.1, align 8
  %148 = add i64 %144, %factor.op.mul235
  %149 = add i64 %factor.op.mul235, %145
  %.722.us.us.us.us.us.2.1 = inttoptr i64 %149 to ptr
  %.723.us.us.us.us.us.2.1 = load double, ptr %.722.us.us.us.us.us.2.1, align 8
  %.724.us.us.us.us.us.2.1 = fmul double %.712.us.us.us.us.us.2.1, %.723.us.us.us.us.us.2.1
  %.726.us.us.us.us.us.2.1 = fadd double %.726.us.us.us.us.us.1.1, %.724.us.us.us.us.us.2.1
  %150 = add i64 %146, %factor.op.mul233
  %151 = add i64 %factor.op.mul233, %147
  %.711.us.us.us.us.us.3.1 = inttoptr i64 %151 to ptr
  %.712.us.us.us.us.us.3.1 = load double, ptr %.711.us.us.us.us.us.3.1, align 8
  %152 = add i64 %148, %factor.op.mul235
  %153 = add i64 %factor.op.mul235, %149
  %.722.us.us.us.us.us.3.1 = inttoptr i64 %153 to ptr
  %.723.us.us.us.us.us.3.1 = load double, ptr %.722.us.us.us.us.us.3.1, align 8
  %.724.us.us.us.us.us.3.1 = fmul double %.712.us.us.us.us.us.3.1, %.723.us.us.us.us.us.3.1
  %.726.us.us.us.us.us.3.1 = fadd double %.726.us.us.us.us.us.2.1, %.724.us.us.us.us.us.3.1
  %154 = add i64 %150, %factor.op.mul233
  %155 = add i64 %factor.op.mul233, %151
  %.711.us.us.us.us.us.4.1 = inttoptr i64 %155 to ptr
  %.712.us.us.us.us.us.4.1 = load double, ptr %.711.us.us.us.us.us.4.1, align 8
  %156 = add i64 %152, %factor.op.mul235
  %157 = add i64 %factor.op.mul235, %153
  %.722.us.us.us.us.us.4.1 = inttoptr i64 %157 to ptr
  %.723.us.us.us.us.us.4.1 = load double, ptr %.722.us.us.us.us.us.4.1, align 8
  %.724.us.us.us.us.us.4.1 = fmul double %.712.us.us.us.us.us.4.1, %.723.us.us.us.us.us.4.1
  %.726.us.us.us.us.us.4.1 = fadd double %.726.us.us.us.us.us.3.1, %.724.us.us.us.us.us.4.1
  %158 = add i64 %154, %factor.op.mul233
  %159 = add i64 %factor.op.mul233, %155
  %.711.us.us.us.us.us.5.1 = inttoptr i64 %159 to ptr
  %.712.us.us.us.us.us.5.1 = load double, ptr %.711.us.us.us.us.us.5.1, align 8
  %160 = add i64 %156, %factor.op.mul235
  %161 = add i64 %factor.op.mul235, %157
  %.722.us.us.us.us.us.5.1 = inttoptr i64 %161 to ptr
  %.723.us.us.us.us.us.5.1 = load double, ptr %.722.us.us.us.us.us.5.1, align 8
  %.724.us.us.us.us.us.5.1 = fmul double %.712.us.us.us.us.us.5.1, %.723.us.us.us.us.us.5.1
  %.726.us.us.us.us.us.5.1 = fadd double %.726.us.us.us.us.us.4.1, %.724.us.us.us.us.us.5.1
  %162 = add i64 %158, %factor.op.mul233
  %163 = add i64 %factor.op.mul233, %159
  %.711.us.us.us.us.us.6.1 = inttoptr i64 %163 to ptr
  %.712.us.us.us.us.us.6.1 = load double, ptr %.711.us.us.us.us.us.6.1, align 8
  %164 = add i64 %160, %factor.op.mul235
  %165 = add i64 %factor.op.mul235, %161
  %.722.us.us.us.us.us.6.1 = inttoptr i64 %165 to ptr
  %.723.us.us.us.us.us.6.1 = load double, ptr %.722.us.us.us.us.us.6.1, align 8
  %.724.us.us.us.us.us.6.1 = fmul double %.712.us.us.us.us.us.6.1, %.723.us.us.us.us.us.6.1
  %.726.us.us.us.us.us.6.1 = fadd double %.726.us.us.us.us.us.5.1, %.724.us.us.us.us.us.6.1
  %166 = add i64 %162, %factor.op.mul233
  %167 = add i64 %factor.op.mul233, %163
  %.711.us.us.us.us.us.7.1 = inttoptr i64 %167 to ptr
  %.712.us.us.us.us.us.7.1 = load double, ptr %.711.us.us.us.us.us.7.1, align 8
  %168 = add i64 %164, %factor.op.mul235
  %169 = add i64 %factor.op.mul235, %165
  %.722.us.us.us.us.us.7.1 = inttoptr i64 %169 to ptr
  %.723.us.us.us.us.us.7.1 = load double, ptr %.722.us.us.us.us.us.7.1, align 8
  %.724.us.us.us.us.us.7.1 = fmul double %.712.us.us.us.us.us.7.1, %.723.us.us.us.us.us.7.1
  %.726.us.us.us.us.us.7.1 = fadd double %.726.us.us.us.us.us.6.1, %.724.us.us.us.us.us.7.1
  %170 = add i64 %166, %factor.op.mul233
  %171 = add i64 %168, %factor.op.mul235
  %lsr.iv.next137 = add i64 %lsr.iv136, -2
  %niter177.ncmp.1 = icmp eq i64 %lsr.iv.next137, 0
  %172 = add i64 %factor.op.mul233, %167
  %173 = add i64 %factor.op.mul235, %169
  br i1 %niter177.ncmp.1, label %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa, label %B1178.us.us.us.us.us

B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa: ; preds = %B1178.us.us.us.us.us
  %174 = and i64 %7, 8
  %175 = icmp eq i64 %174, 0
  br i1 %175, label %B1178.us.us.us.us.us.epil.preheader162, label %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa

B1178.us.us.us.us.us.epil.preheader162:           ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa, %B738.us.us.us.us.us
  %lsr.iv193.epil.init = phi i64 [ %lsr.iv191, %B738.us.us.us.us.us ], [ %170, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %lsr.iv189.epil.init = phi i64 [ %lsr.iv187, %B738.us.us.us.us.us ], [ %171, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %sums.2.3241.us.us.us.us.us.epil.init = phi double [ 0.000000e+00, %B738.us.us.us.us.us ], [ %.726.us.us.us.us.us.7.1, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %.711.us.us.us.us.us.epil166 = inttoptr i64 %lsr.iv193.epil.init to ptr
  %.712.us.us.us.us.us.epil167 = load double, ptr %.711.us.us.us.us.us.epil166, align 8
  %.722.us.us.us.us.us.epil168 = inttoptr i64 %lsr.iv189.epil.init to ptr
  %.723.us.us.us.us.us.epil169 = load double, ptr %.722.us.us.us.us.us.epil168, align 8
  %.724.us.us.us.us.us.epil170 = fmul double %.712.us.us.us.us.us.epil167, %.723.us.us.us.us.us.epil169
  %.726.us.us.us.us.us.epil171 = fadd double %sums.2.3241.us.us.us.us.us.epil.init, %.724.us.us.us.us.us.epil170
  %176 = add i64 %lsr.iv193.epil.init, %factor.op.mul233
  %.711.us.us.us.us.us.1.epil = inttoptr i64 %176 to ptr
  %.712.us.us.us.us.us.1.epil = load double, ptr %.711.us.us.us.us.us.1.epil, align 8
  %177 = add i64 %lsr.iv189.epil.init, %factor.op.mul235
  %.722.us.us.us.us.us.1.epil = inttoptr i64 %177 to ptr
  %.723.us.us.us.us.us.1.epil = load double, ptr %.722.us.us.us.us.us.1.epil, align 8
  %.724.us.us.us.us.us.1.epil = fmul double %.712.us.us.us.us.us.1.epil, %.723.us.us.us.us.us.1.epil
  %.726.us.us.us.us.us.1.epil = fadd double %.726.us.us.us.us.us.epil171, %.724.us.us.us.us.us.1.epil
  %178 = add i64 %176, %factor.op.mul233
  %.711.us.us.us.us.us.2.epil = inttoptr i64 %178 to ptr
  %.712.us.us.us.us.us.2.epil = load double, ptr %.711.us.us.us.us.us.2.epil, align 8
  %179 = add i64 %177, %factor.op.mul235
  %.722.us.us.us.us.us.2.epil = inttoptr i64 %179 to ptr
  %.723.us.us.us.us.us.2.epil = load double, ptr %.722.us.us.us.us.us.2.epil, align 8
  %.724.us.us.us.us.us.2.epil = fmul double %.712.us.us.us.us.us.2.epil, %.723.us.us.us.us.us.2.epil
  %.726.us.us.us.us.us.2.epil = fadd double %.726.us.us.us.us.us.1.epil, %.724.us.us.us.us.us.2.epil
  %180 = add i64 %178, %factor.op.mul233
  %.711.us.us.us.us.us.3.epil = inttoptr i64 %180 to ptr
  %.712.us.us.us.us.us.3.epil = load double, ptr %.711.us.us.us.us.us.3.epil, align 8
  %181 = add i64 %179, %factor.op.mul235
  %.722.us.us.us.us.us.3.epil = inttoptr i64 %181 to ptr
  %.723.us.us.us.us.us.3.epil = load double, ptr %.722.us.us.us.us.us.3.epil, align 8
  %.724.us.us.us.us.us.3.epil = fmul double %.712.us.us.us.us.us.3.epil, %.723.us.us.us.us.us.3.epil
  %.726.us.us.us.us.us.3.epil = fadd double %.726.us.us.us.us.us.2.epil, %.724.us.us.us.us.us.3.epil
  %182 = add i64 %180, %factor.op.mul233
  %.711.us.us.us.us.us.4.epil = inttoptr i64 %182 to ptr
  %.712.us.us.us.us.us.4.epil = load double, ptr %.711.us.us.us.us.us.4.epil, align 8
  %183 = add i64 %181, %factor.op.mul235
  %.722.us.us.us.us.us.4.epil = inttoptr i64 %183 to ptr
  %.723.us.us.us.us.us.4.epil = load double, ptr %.722.us.us.us.us.us.4.epil, align 8
  %.724.us.us.us.us.us.4.epil = fmul double %.712.us.us.us.us.us.4.epil, %.723.us.us.us.us.us.4.epil
  %.726.us.us.us.us.us.4.epil = fadd double %.726.us.us.us.us.us.3.epil, %.724.us.us.us.us.us.4.epil
  %184 = add i64 %182, %factor.op.mul233
  %.711.us.us.us.us.us.5.epil = inttoptr i64 %184 to ptr
  %.712.us.us.us.us.us.5.epil = load double, ptr %.711.us.us.us.us.us.5.epil, align 8
  %185 = add i64 %183, %factor.op.mul235
  %.722.us.us.us.us.us.5.epil = inttoptr i64 %185 to ptr
  %.723.us.us.us.us.us.5.epil = load double, ptr %.722.us.us.us.us.us.5.epil, align 8
  %.724.us.us.us.us.us.5.epil = fmul double %.712.us.us.us.us.us.5.epil, %.723.us.us.us.us.us.5.epil
  %.726.us.us.us.us.us.5.epil = fadd double %.726.us.us.us.us.us.4.epil, %.724.us.us.us.us.us.5.epil
  %186 = add i64 %184, %factor.op.mul233
  %.711.us.us.us.us.us.6.epil = inttoptr i64 %186 to ptr
  %.712.us.us.us.us.us.6.epil = load double, ptr %.711.us.us.us.us.us.6.epil, align 8
  %187 = add i64 %185, %factor.op.mul235
  %.722.us.us.us.us.us.6.epil = inttoptr i64 %187 to ptr
  %.723.us.us.us.us.us.6.epil = load double, ptr %.722.us.us.us.us.us.6.epil, align 8
  %.724.us.us.us.us.us.6.epil = fmul double %.712.us.us.us.us.us.6.epil, %.723.us.us.us.us.us.6.epil
  %.726.us.us.us.us.us.6.epil = fadd double %.726.us.us.us.us.us.5.epil, %.724.us.us.us.us.us.6.epil
  %188 = add i64 %186, %factor.op.mul233
  %.711.us.us.us.us.us.7.epil = inttoptr i64 %188 to ptr
  %.712.us.us.us.us.us.7.epil = load double, ptr %.711.us.us.us.us.us.7.epil, align 8
  %189 = add i64 %187, %factor.op.mul235
  %.722.us.us.us.us.us.7.epil = inttoptr i64 %189 to ptr
  %.723.us.us.us.us.us.7.epil = load double, ptr %.722.us.us.us.us.us.7.epil, align 8
  %.724.us.us.us.us.us.7.epil = fmul double %.712.us.us.us.us.us.7.epil, %.723.us.us.us.us.us.7.epil
  %.726.us.us.us.us.us.7.epil = fadd double %.726.us.us.us.us.us.6.epil, %.724.us.us.us.us.us.7.epil
  br label %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa

B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa:   ; preds = %B1178.us.us.us.us.us.epil.preheader162, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa
  %.726.us.us.us.us.us.7.lcssa = phi double [ %.726.us.us.us.us.us.7.1, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ], [ %.726.us.us.us.us.us.7.epil, %B1178.us.us.us.us.us.epil.preheader162 ]
  %190 = icmp eq i64 %xtraiter131, 0
  br i1 %190, label %B1176.B1310_crit_edge.us.us.us.us.us, label %B1178.us.us.us.us.us.epil.preheader

B1178.us.us.us.us.us.epil.preheader:              ; preds = %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa
  %191 = add i64 %lsr.iv187, %5
  br label %B1178.us.us.us.us.us.epil

B1178.us.us.us.us.us.epil:                        ; preds = %B1178.us.us.us.us.us.epil, %B1178.us.us.us.us.us.epil.preheader
  %lsr.iv199 = phi i64 [ %lsr.iv.next200, %B1178.us.us.us.us.us.epil ], [ %xtraiter131, %B1178.us.us.us.us.us.epil.preheader ]
  %lsr.iv197 = phi i64 [ %lsr.iv.next198, %B1178.us.us.us.us.us.epil ], [ %108, %B1178.us.us.us.us.us.epil.preheader ]
  %lsr.iv195 = phi i64 [ %lsr.iv.next196, %B1178.us.us.us.us.us.epil ], [ %191, %B1178.us.us.us.us.us.epil.preheader ]
  %sums.2.3241.us.us.us.us.us.epil = phi double [ %.726.us.us.us.us.us.epil, %B1178.us.us.us.us.us.epil ], [ %.726.us.us.us.us.us.7.lcssa, %B1178.us.us.us.us.us.epil.preheader ]
  %.711.us.us.us.us.us.epil = inttoptr i64 %lsr.iv197 to ptr
  %.712.us.us.us.us.us.epil = load double, ptr %.711.us.us.us.us.us.epil, align 8
  %.722.us.us.us.us.us.epil = inttoptr i64 %lsr.iv195 to ptr
  %.723.us.us.us.us.us.epil = load double, ptr %.722.us.us.us.us.us.epil, align 8
  %.724.us.us.us.us.us.epil = fmul double %.712.us.us.us.us.us.epil, %.723.us.us.us.us.us.epil
  %.726.us.us.us.us.us.epil = fadd double %sums.2.3241.us.us.us.us.us.epil, %.724.us.us.us.us.us.epil
  %lsr.iv.next196 = add i64 %lsr.iv195, %factor.op.mul235
  %lsr.iv.next198 = add i64 %lsr.iv197, %factor.op.mul233
  %lsr.iv.next200 = add nsw i64 %lsr.iv199, -1
  %epil.iter125.cmp.not = icmp eq i64 %lsr.iv.next200, 0
  br i1 %epil.iter125.cmp.not, label %B1176.B1310_crit_edge.us.us.us.us.us, label %B1178.us.us.us.us.us.epil, !llvm.loop !44

B1176.B1310_crit_edge.us.us.us.us.us:             ; preds = %B1178.us.us.us.us.us.epil, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa
  %.726.us.us.us.us.us.lcssa = phi double [ %.726.us.us.us.us.us.7.lcssa, %B1176.B1310_crit_edge.us.us.us.us.us.unr-lcssa ], [ %.726.us.us.us.us.us.epil, %B1178.us.us.us.us.us.epil ]
  %.352.us.us.us.us.us = add nuw nsw i64 %.345251269.us.us.us.us.us, 1
  %.738.us.us.us.us.us = add nsw i64 %.345251269.us.us.us.us.us, %.736.us.us.us
  %.741.us.us.us.us.us = shl nsw i64 %.738.us.us.us.us.us, 3
  %.743.us.us.us.us.us = add nsw i64 %.741.us.us.us.us.us, %arg.c
  %.763.us.us.us.us.us = fmul double %.54, %.726.us.us.us.us.us.lcssa
  %.767.us.us.us.us.us = fadd double %.763.us.us.us.us.us, 0.000000e+00
  %.771.us.us.us.us.us = inttoptr i64 %.743.us.us.us.us.us to ptr
  store double %.767.us.us.us.us.us, ptr %.771.us.us.us.us.us, align 8
  %lsr.iv.next188 = add i64 %lsr.iv187, %factor.op.mul249
  %exitcond539.not = icmp eq i64 %arg.n, %.352.us.us.us.us.us
  br i1 %exitcond539.not, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split, label %B738.us.us.us.us.us

B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split: ; preds = %B1176.B1310_crit_edge.us.us.us.us.us
  %.230.us.us.us = add nuw nsw i64 %.223332346.us.us.us, 1
  %lsr.iv.next192 = add i64 %lsr.iv191, %factor.op.mul330
  %exitcond540.not = icmp eq i64 %arg.m, %.230.us.us.us
  br i1 %exitcond540.not, label %B1442, label %B702.endif.us.us.us

B702.endif.lr.ph.split.us.split.us.split:         ; preds = %B702.endif.lr.ph.split.us.split.us
  %192 = fcmp une double %.62, 0.000000e+00
  br i1 %192, label %B702.endif.us.us.us486.preheader, label %iter.check59.preheader

iter.check59.preheader:                           ; preds = %B702.endif.lr.ph.split.us.split.us.split
  %const_mat169 = add i64 %const168, -24
  %n.vec64 = and i64 %arg.n, %const_mat169
  %broadcast.splatinsert67 = insertelement <8 x i64> poison, i64 %arg.c, i64 0
  %broadcast.splat68 = shufflevector <8 x i64> %broadcast.splatinsert67, <8 x i64> poison, <8 x i32> zeroinitializer
  %broadcast.splatinsert69 = insertelement <8 x double> poison, double %.767.us.us.us, i64 0
  %broadcast.splat70 = shufflevector <8 x double> %broadcast.splatinsert69, <8 x double> poison, <8 x i32> zeroinitializer
  %n.vec84 = and i64 %arg.n, %const168
  %193 = lshr i64 %arg.n, 5
  %194 = trunc i64 %193 to i58
  %195 = zext i58 %194 to i64
  %196 = mul nsw i64 %195, -32
  br label %iter.check59

B702.endif.us.us.us486.preheader:                 ; preds = %B702.endif.lr.ph.split.us.split.us.split
  %xtraiter138 = and i64 %arg.n, 7
  %unroll_iter142 = and i64 %arg.n, %const168
  %197 = add i64 %arg.c, 56
  %198 = shl i64 %.46, 3
  %199 = add nsw i64 %arg.n, -8
  %200 = lshr i64 %199, 3
  %201 = add nuw nsw i64 %200, 1
  %202 = add i64 %arg.c, 64
  %203 = lshr i64 %201, 1
  %204 = shl nuw nsw i64 %203, 1
  br label %B702.endif.us.us.us486

B702.endif.us.us.us486:                           ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us, %B702.endif.us.us.us486.preheader
  %lsr.iv249 = phi i64 [ %lsr.iv.next250, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us ], [ %202, %B702.endif.us.us.us486.preheader ]
  %lsr.iv157 = phi i64 [ %lsr.iv.next158, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us ], [ 0, %B702.endif.us.us.us486.preheader ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us ], [ %197, %B702.endif.us.us.us486.preheader ]
  %.223332346.us.us.us488 = phi i64 [ %.230.us.us.us490, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us ], [ 0, %B702.endif.us.us.us486.preheader ]
  %205 = icmp ult i64 %arg.n, 8
  br i1 %205, label %B738.us.us.us.us453.us.epil.preheader, label %B738.us.us.us.us453.us.preheader

B738.us.us.us.us453.us.preheader:                 ; preds = %B702.endif.us.us.us486
  %206 = icmp eq i64 %200, 0
  br i1 %206, label %B738.us.us.us.us453.us.epil.preheader218, label %B738.us.us.us.us453.us.preheader114

B738.us.us.us.us453.us.preheader114:              ; preds = %B738.us.us.us.us453.us.preheader
  br label %B738.us.us.us.us453.us

B738.us.us.us.us453.us:                           ; preds = %B738.us.us.us.us453.us, %B738.us.us.us.us453.us.preheader114
  %lsr.iv127 = phi i64 [ %204, %B738.us.us.us.us453.us.preheader114 ], [ %lsr.iv.next128, %B738.us.us.us.us453.us ]
  %lsr.iv251 = phi i64 [ %lsr.iv.next252, %B738.us.us.us.us453.us ], [ %lsr.iv249, %B738.us.us.us.us453.us.preheader114 ]
  %207 = add i64 %lsr.iv251, -8
  %208 = add i64 %lsr.iv251, -64
  %.754.us.us.us.us462.us = inttoptr i64 %208 to ptr
  %.755.us.us.us.us463.us = load double, ptr %.754.us.us.us.us462.us, align 8
  %.757.us.us.us.us464.us = fmul double %.62, %.755.us.us.us.us463.us
  %.767.us.us.us.us467.us = fadd double %.763.us.us.us, %.757.us.us.us.us464.us
  store double %.767.us.us.us.us467.us, ptr %.754.us.us.us.us462.us, align 8
  %209 = add i64 %lsr.iv251, -56
  %.754.us.us.us.us462.us.1 = inttoptr i64 %209 to ptr
  %.755.us.us.us.us463.us.1 = load double, ptr %.754.us.us.us.us462.us.1, align 8
  %.757.us.us.us.us464.us.1 = fmul double %.62, %.755.us.us.us.us463.us.1
  %.767.us.us.us.us467.us.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.1
  store double %.767.us.us.us.us467.us.1, ptr %.754.us.us.us.us462.us.1, align 8
  %210 = add i64 %lsr.iv251, -48
  %.754.us.us.us.us462.us.2 = inttoptr i64 %210 to ptr
  %.755.us.us.us.us463.us.2 = load double, ptr %.754.us.us.us.us462.us.2, align 8
  %.757.us.us.us.us464.us.2 = fmul double %.62, %.755.us.us.us.us463.us.2
  %.767.us.us.us.us467.us.2 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.2
  store double %.767.us.us.us.us467.us.2, ptr %.754.us.us.us.us462.us.2, align 8
  %211 = add i64 %lsr.iv251, -40
  %.754.us.us.us.us462.us.3 = inttoptr i64 %211 to ptr
  %.755.us.us.us.us463.us.3 = load double, ptr %.754.us.us.us.us462.us.3, align 8
  %.757.us.us.us.us464.us.3 = fmul double %.62, %.755.us.us.us.us463.us.3
  %.767.us.us.us.us467.us.3 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.3
  store double %.767.us.us.us.us467.us.3, ptr %.754.us.us.us.us462.us.3, align 8
  %212 = add i64 %lsr.iv251, -32
  %.754.us.us.us.us462.us.4 = inttoptr i64 %212 to ptr
  %.755.us.us.us.us463.us.4 = load double, ptr %.754.us.us.us.us462.us.4, align 8
  %.757.us.us.us.us464.us.4 = fmul double %.62, %.755.us.us.us.us463.us.4
  %.767.us.us.us.us467.us.4 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.4
  store double %.767.us.us.us.us467.us.4, ptr %.754.us.us.us.us462.us.4, align 8
  %213 = add i64 %lsr.iv251, -24
  %.754.us.us.us.us462.us.5 = inttoptr i64 %213 to ptr
  %.755.us.us.us.us463.us.5 = load double, ptr %.754.us.us.us.us462.us.5, align 8
  %.757.us.us.us.us464.us.5 = fmul double %.62, %.755.us.us.us.us463.us.5
  %.767.us.us.us.us467.us.5 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.5
  store double %.767.us.us.us.us467.us.5, ptr %.754.us.us.us.us462.us.5, align 8
  %214 = add i64 %lsr.iv251, -16
  %.754.us.us.us.us462.us.6 = inttoptr i64 %214 to ptr
  %.755.us.us.us.us463.us.6 = load double, ptr %.754.us.us.us.us462.us.6, align 8
  %.757.us.us.us.us464.us.6 = fmul double %.62, %.755.us.us.us.us463.us.6
  %.767.us.us.us.us467.us.6 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.6
  store double %.767.us.us.us.us467.us.6, ptr %.754.us.us.us.us462.us.6, align 8
  %.754.us.us.us.us462.us.7 = inttoptr i64 %207 to ptr
  %.755.us.us.us.us463.us.7 = load double, ptr %.754.us.us.us.us462.us.7, align 8
  %.757.us.us.us.us464.us.7 = fmul double %.62, %.755.us.us.us.us463.us.7
  %.767.us.us.us.us467.us.7 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.7
  store double %.767.us.us.us.us467.us.7, ptr %.754.us.us.us.us462.us.7, align 8
  %215 = add i64 %lsr.iv251, 56
  %.754.us.us.us.us462.us.1231 = inttoptr i64 %lsr.iv251 to ptr
  %.755.us.us.us.us463.us.1232 = load double, ptr %.754.us.us.us.us462.us.1231, align 8
  %.757.us.us.us.us464.us.1233 = fmul double %.62, %.755.us.us.us.us463.us.1232
  %.767.us.us.us.us467.us.1234 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.1233
  store double %.767.us.us.us.us467.us.1234, ptr %.754.us.us.us.us462.us.1231, align 8
  %216 = add i64 %lsr.iv251, 8
  %.754.us.us.us.us462.us.1.1 = inttoptr i64 %216 to ptr
  %.755.us.us.us.us463.us.1.1 = load double, ptr %.754.us.us.us.us462.us.1.1, align 8
  %.757.us.us.us.us464.us.1.1 = fmul double %.62, %.755.us.us.us.us463.us.1.1
  %.767.us.us.us.us467.us.1.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.1.1
  store double %.767.us.us.us.us467.us.1.1, ptr %.754.us.us.us.us462.us.1.1, align 8
  %217 = add i64 %lsr.iv251, 16
  %.754.us.us.us.us462.us.2.1 = inttoptr i64 %217 to ptr
  %.755.us.us.us.us463.us.2.1 = load double, ptr %.754.us.us.us.us462.us.2.1, align 8
  %.757.us.us.us.us464.us.2.1 = fmul double %.62, %.755.us.us.us.us463.us.2.1
  %.767.us.us.us.us467.us.2.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.2.1
  store double %.767.us.us.us.us467.us.2.1, ptr %.754.us.us.us.us462.us.2.1, align 8
  %218 = add i64 %lsr.iv251, 24
  %.754.us.us.us.us462.us.3.1 = inttoptr i64 %218 to ptr
  %.755.us.us.us.us463.us.3.1 = load double, ptr %.754.us.us.us.us462.us.3.1, align 8
  %.757.us.us.us.us464.us.3.1 = fmul double %.62, %.755.us.us.us.us463.us.3.1
  %.767.us.us.us.us467.us.3.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.3.1
  store double %.767.us.us.us.us467.us.3.1, ptr %.754.us.us.us.us462.us.3.1, align 8
  %219 = add i64 %lsr.iv251, 32
  %.754.us.us.us.us462.us.4.1 = inttoptr i64 %219 to ptr
  %.755.us.us.us.us463.us.4.1 = load double, ptr %.754.us.us.us.us462.us.4.1, align 8
  %.757.us.us.us.us464.us.4.1 = fmul double %.62, %.755.us.us.us.us463.us.4.1
  %.767.us.us.us.us467.us.4.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.4.1
  store double %.767.us.us.us.us467.us.4.1, ptr %.754.us.us.us.us462.us.4.1, align 8
  %220 = add i64 %lsr.iv251, 40
  %.754.us.us.us.us462.us.5.1 = inttoptr i64 %220 to ptr
  %.755.us.us.us.us463.us.5.1 = load double, ptr %.754.us.us.us.us462.us.5.1, align 8
  %.757.us.us.us.us464.us.5.1 = fmul double %.62, %.755.us.us.us.us463.us.5.1
  %.767.us.us.us.us467.us.5.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.5.1
  store double %.767.us.us.us.us467.us.5.1, ptr %.754.us.us.us.us462.us.5.1, align 8
  %221 = add i64 %lsr.iv251, 48
  %.754.us.us.us.us462.us.6.1 = inttoptr i64 %221 to ptr
  %.755.us.us.us.us463.us.6.1 = load double, ptr %.754.us.us.us.us462.us.6.1, align 8
  %.757.us.us.us.us464.us.6.1 = fmul double %.62, %.755.us.us.us.us463.us.6.1
  %.767.us.us.us.us467.us.6.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.6.1
  store double %.767.us.us.us.us467.us.6.1, ptr %.754.us.us.us.us462.us.6.1, align 8
  %.754.us.us.us.us462.us.7.1 = inttoptr i64 %215 to ptr
  %.755.us.us.us.us463.us.7.1 = load double, ptr %.754.us.us.us.us462.us.7.1, align 8
  %.757.us.us.us.us464.us.7.1 = fmul double %.62, %.755.us.us.us.us463.us.7.1
  %.767.us.us.us.us467.us.7.1 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.7.1
  store double %.767.us.us.us.us467.us.7.1, ptr %.754.us.us.us.us462.us.7.1, align 8
  %lsr.iv.next252 = add i64 %lsr.iv251, 128
  %lsr.iv.next128 = add i64 %lsr.iv127, -2
  %niter230.ncmp.1 = icmp eq i64 %lsr.iv.next128, 0
  br i1 %niter230.ncmp.1, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa, label %B738.us.us.us.us453.us

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa: ; preds = %B738.us.us.us.us453.us
  %222 = and i64 %199, 8
  %223 = icmp eq i64 %222, 0
  %224 = add i64 %lsr.iv.next252, -8
  br i1 %223, label %B738.us.us.us.us453.us.epil.preheader218, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa

B738.us.us.us.us453.us.epil.preheader218:         ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa, %B738.us.us.us.us453.us.preheader
  %lsr.iv155.epil.init = phi i64 [ %lsr.iv, %B738.us.us.us.us453.us.preheader ], [ %224, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa ]
  %225 = add i64 %lsr.iv155.epil.init, -56
  %.754.us.us.us.us462.us.epil221 = inttoptr i64 %225 to ptr
  %.755.us.us.us.us463.us.epil222 = load double, ptr %.754.us.us.us.us462.us.epil221, align 8
  %.757.us.us.us.us464.us.epil223 = fmul double %.62, %.755.us.us.us.us463.us.epil222
  %.767.us.us.us.us467.us.epil224 = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.epil223
  store double %.767.us.us.us.us467.us.epil224, ptr %.754.us.us.us.us462.us.epil221, align 8
  %226 = add i64 %lsr.iv155.epil.init, -48
  %.754.us.us.us.us462.us.1.epil = inttoptr i64 %226 to ptr
  %.755.us.us.us.us463.us.1.epil = load double, ptr %.754.us.us.us.us462.us.1.epil, align 8
  %.757.us.us.us.us464.us.1.epil = fmul double %.62, %.755.us.us.us.us463.us.1.epil
  %.767.us.us.us.us467.us.1.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.1.epil
  store double %.767.us.us.us.us467.us.1.epil, ptr %.754.us.us.us.us462.us.1.epil, align 8
  %227 = add i64 %lsr.iv155.epil.init, -40
  %.754.us.us.us.us462.us.2.epil = inttoptr i64 %227 to ptr
  %.755.us.us.us.us463.us.2.epil = load double, ptr %.754.us.us.us.us462.us.2.epil, align 8
  %.757.us.us.us.us464.us.2.epil = fmul double %.62, %.755.us.us.us.us463.us.2.epil
  %.767.us.us.us.us467.us.2.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.2.epil
  store double %.767.us.us.us.us467.us.2.epil, ptr %.754.us.us.us.us462.us.2.epil, align 8
  %228 = add i64 %lsr.iv155.epil.init, -32
  %.754.us.us.us.us462.us.3.epil = inttoptr i64 %228 to ptr
  %.755.us.us.us.us463.us.3.epil = load double, ptr %.754.us.us.us.us462.us.3.epil, align 8
  %.757.us.us.us.us464.us.3.epil = fmul double %.62, %.755.us.us.us.us463.us.3.epil
  %.767.us.us.us.us467.us.3.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.3.epil
  store double %.767.us.us.us.us467.us.3.epil, ptr %.754.us.us.us.us462.us.3.epil, align 8
  %229 = add i64 %lsr.iv155.epil.init, -24
  %.754.us.us.us.us462.us.4.epil = inttoptr i64 %229 to ptr
  %.755.us.us.us.us463.us.4.epil = load double, ptr %.754.us.us.us.us462.us.4.epil, align 8
  %.757.us.us.us.us464.us.4.epil = fmul double %.62, %.755.us.us.us.us463.us.4.epil
  %.767.us.us.us.us467.us.4.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.4.epil
  store double %.767.us.us.us.us467.us.4.epil, ptr %.754.us.us.us.us462.us.4.epil, align 8
  %230 = add i64 %lsr.iv155.epil.init, -16
  %.754.us.us.us.us462.us.5.epil = inttoptr i64 %230 to ptr
  %.755.us.us.us.us463.us.5.epil = load double, ptr %.754.us.us.us.us462.us.5.epil, align 8
  %.757.us.us.us.us464.us.5.epil = fmul double %.62, %.755.us.us.us.us463.us.5.epil
  %.767.us.us.us.us467.us.5.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.5.epil
  store double %.767.us.us.us.us467.us.5.epil, ptr %.754.us.us.us.us462.us.5.epil, align 8
  %231 = add i64 %lsr.iv155.epil.init, -8
  %.754.us.us.us.us462.us.6.epil = inttoptr i64 %231 to ptr
  %.755.us.us.us.us463.us.6.epil = load double, ptr %.754.us.us.us.us462.us.6.epil, align 8
  %.757.us.us.us.us464.us.6.epil = fmul double %.62, %.755.us.us.us.us463.us.6.epil
  %.767.us.us.us.us467.us.6.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.6.epil
  store double %.767.us.us.us.us467.us.6.epil, ptr %.754.us.us.us.us462.us.6.epil, align 8
  %.754.us.us.us.us462.us.7.epil = inttoptr i64 %lsr.iv155.epil.init to ptr
  %.755.us.us.us.us463.us.7.epil = load double, ptr %.754.us.us.us.us462.us.7.epil, align 8
  %.757.us.us.us.us464.us.7.epil = fmul double %.62, %.755.us.us.us.us463.us.7.epil
  %.767.us.us.us.us467.us.7.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.7.epil
  store double %.767.us.us.us.us467.us.7.epil, ptr %.754.us.us.us.us462.us.7.epil, align 8
  br label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa: ; preds = %B738.us.us.us.us453.us.epil.preheader218, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa.unr-lcssa
  %232 = icmp eq i64 %xtraiter138, 0
  br i1 %232, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us, label %B738.us.us.us.us453.us.epil.preheader

B738.us.us.us.us453.us.epil.preheader:            ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa, %B702.endif.us.us.us486
  %.345251269.us.us.us.us455.us.epil.init = phi i64 [ 0, %B702.endif.us.us.us486 ], [ %unroll_iter142, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa ]
  %233 = add nsw i64 %.345251269.us.us.us.us455.us.epil.init, %lsr.iv157
  %234 = shl i64 %233, 3
  %235 = add nsw i64 %234, %arg.c
  br label %B738.us.us.us.us453.us.epil

B738.us.us.us.us453.us.epil:                      ; preds = %B738.us.us.us.us453.us.epil, %B738.us.us.us.us453.us.epil.preheader
  %lsr.iv161 = phi i64 [ %lsr.iv.next162, %B738.us.us.us.us453.us.epil ], [ %xtraiter138, %B738.us.us.us.us453.us.epil.preheader ]
  %lsr.iv159 = phi i64 [ %lsr.iv.next160, %B738.us.us.us.us453.us.epil ], [ %235, %B738.us.us.us.us453.us.epil.preheader ]
  %.754.us.us.us.us462.us.epil = inttoptr i64 %lsr.iv159 to ptr
  %.755.us.us.us.us463.us.epil = load double, ptr %.754.us.us.us.us462.us.epil, align 8
  %.757.us.us.us.us464.us.epil = fmul double %.62, %.755.us.us.us.us463.us.epil
  %.767.us.us.us.us467.us.epil = fadd double %.763.us.us.us, %.757.us.us.us.us464.us.epil
  store double %.767.us.us.us.us467.us.epil, ptr %.754.us.us.us.us462.us.epil, align 8
  %lsr.iv.next160 = add i64 %lsr.iv159, 8
  %lsr.iv.next162 = add nsw i64 %lsr.iv161, -1
  %epil.iter139.cmp.not = icmp eq i64 %lsr.iv.next162, 0
  br i1 %epil.iter139.cmp.not, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us, label %B738.us.us.us.us453.us.epil, !llvm.loop !49

B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us: ; preds = %B738.us.us.us.us453.us.epil, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us.unr-lcssa
  %.230.us.us.us490 = add nuw nsw i64 %.223332346.us.us.us488, 1
  %lsr.iv.next = add i64 %lsr.iv, %198
  %lsr.iv.next158 = add i64 %lsr.iv157, %.46
  %lsr.iv.next250 = add i64 %lsr.iv249, %198
  %exitcond547.not = icmp eq i64 %arg.m, %.230.us.us.us490
  br i1 %exitcond547.not, label %B1442, label %B702.endif.us.us.us486

iter.check59:                                     ; preds = %B736.B700.loopexit_crit_edge.split.us.us.us.split.split, %iter.check59.preheader
  %lsr.iv167 = phi i64 [ 0, %iter.check59.preheader ], [ %lsr.iv.next168, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split ]
  %.223332346.us.us = phi i64 [ 0, %iter.check59.preheader ], [ %.230.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split ]
  %236 = icmp ult i64 %arg.n, 8
  br i1 %236, label %B738.us.us.us.preheader, label %vector.main.loop.iter.check61

vector.main.loop.iter.check61:                    ; preds = %iter.check59
  %237 = icmp ult i64 %arg.n, 32
  %.736.us.us = mul nsw i64 %.223332346.us.us, %.46
  %.pre = insertelement <8 x i64> poison, i64 %.736.us.us, i64 0
  %.pre54 = shufflevector <8 x i64> %.pre, <8 x i64> poison, <8 x i32> zeroinitializer
  br i1 %237, label %vec.epilog.ph82, label %vector.ph62

vector.ph62:                                      ; preds = %vector.main.loop.iter.check61
  %invariant.op = add <8 x i64> %.pre54, splat (i64 8)
  %invariant.op144 = add <8 x i64> %.pre54, splat (i64 16)
  %invariant.op146 = add <8 x i64> %.pre54, splat (i64 24)
  br label %vector.body71

vector.body71:                                    ; preds = %vector.body71, %vector.ph62
  %lsr.iv129 = phi i64 [ %lsr.iv.next130, %vector.body71 ], [ %196, %vector.ph62 ]
  %vec.ind73 = phi <8 x i64> [ %vec.ind.next75, %vector.body71 ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %vector.ph62 ]
  %238 = add nsw <8 x i64> %vec.ind73, %.pre54
  %.reass = add <8 x i64> %invariant.op, %vec.ind73
  %.reass145 = add <8 x i64> %invariant.op144, %vec.ind73
  %.reass147 = add <8 x i64> %invariant.op146, %vec.ind73
  %239 = shl nsw <8 x i64> %238, splat (i64 3)
  %240 = shl nsw <8 x i64> %.reass, splat (i64 3)
  %241 = shl nsw <8 x i64> %.reass145, splat (i64 3)
  %242 = shl nsw <8 x i64> %.reass147, splat (i64 3)
  %243 = add nsw <8 x i64> %239, %broadcast.splat68
  %244 = add nsw <8 x i64> %240, %broadcast.splat68
  %245 = add nsw <8 x i64> %241, %broadcast.splat68
  %246 = add nsw <8 x i64> %242, %broadcast.splat68
  %247 = inttoptr <8 x i64> %243 to <8 x ptr>
  %248 = inttoptr <8 x i64> %244 to <8 x ptr>
  %249 = inttoptr <8 x i64> %245 to <8 x ptr>
  %250 = inttoptr <8 x i64> %246 to <8 x ptr>
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70, <8 x ptr> align 8 %247, <8 x i1> splat (i1 true))
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70, <8 x ptr> align 8 %248, <8 x i1> splat (i1 true))
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70, <8 x ptr> align 8 %249, <8 x i1> splat (i1 true))
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70, <8 x ptr> align 8 %250, <8 x i1> splat (i1 true))
  %vec.ind.next75 = add <8 x i64> %vec.ind73, splat (i64 32)
  %lsr.iv.next130 = add nsw i64 %lsr.iv129, 32
  %251 = icmp eq i64 %lsr.iv.next130, 0
  br i1 %251, label %middle.block76, label %vector.body71, !llvm.loop !50

middle.block76:                                   ; preds = %vector.body71
  %252 = icmp eq i64 %arg.n, %n.vec64
  br i1 %252, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split, label %vec.epilog.iter.check80

vec.epilog.iter.check80:                          ; preds = %middle.block76
  %253 = and i64 %arg.n, 24
  %254 = icmp eq i64 %253, 0
  br i1 %254, label %B738.us.us.us.preheader, label %vec.epilog.ph82, !prof !53

vec.epilog.ph82:                                  ; preds = %vec.epilog.iter.check80, %vector.main.loop.iter.check61
  %bc.resume.val78 = phi i64 [ %n.vec64, %vec.epilog.iter.check80 ], [ 0, %vector.main.loop.iter.check61 ]
  %broadcast.splatinsert91 = insertelement <8 x i64> poison, i64 %bc.resume.val78, i64 0
  %broadcast.splat92 = shufflevector <8 x i64> %broadcast.splatinsert91, <8 x i64> poison, <8 x i32> zeroinitializer
  %induction93 = or disjoint <8 x i64> %broadcast.splat92, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %255 = sub nsw i64 %bc.resume.val78, %n.vec84
  br label %vec.epilog.vector.body94

vec.epilog.vector.body94:                         ; preds = %vec.epilog.vector.body94, %vec.epilog.ph82
  %lsr.iv165 = phi i64 [ %lsr.iv.next166, %vec.epilog.vector.body94 ], [ %255, %vec.epilog.ph82 ]
  %vec.ind96 = phi <8 x i64> [ %vec.ind.next98, %vec.epilog.vector.body94 ], [ %induction93, %vec.epilog.ph82 ]
  %256 = add nsw <8 x i64> %vec.ind96, %.pre54
  %257 = shl nsw <8 x i64> %256, splat (i64 3)
  %258 = add nsw <8 x i64> %257, %broadcast.splat68
  %259 = inttoptr <8 x i64> %258 to <8 x ptr>
  tail call void @llvm.masked.scatter.v8f64.v8p0(<8 x double> %broadcast.splat70, <8 x ptr> align 8 %259, <8 x i1> splat (i1 true))
  %vec.ind.next98 = add nuw nsw <8 x i64> %vec.ind96, splat (i64 8)
  %lsr.iv.next166 = add i64 %lsr.iv165, 8
  %260 = icmp eq i64 %lsr.iv.next166, 0
  br i1 %260, label %vec.epilog.middle.block99, label %vec.epilog.vector.body94, !llvm.loop !54

vec.epilog.middle.block99:                        ; preds = %vec.epilog.vector.body94
  %261 = icmp eq i64 %arg.n, %n.vec84
  br i1 %261, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split, label %B738.us.us.us.preheader

B738.us.us.us.preheader:                          ; preds = %vec.epilog.middle.block99, %vec.epilog.iter.check80, %iter.check59
  %.345251269.us.us.us.ph = phi i64 [ 0, %iter.check59 ], [ %n.vec64, %vec.epilog.iter.check80 ], [ %n.vec84, %vec.epilog.middle.block99 ]
  %262 = add nsw i64 %.345251269.us.us.us.ph, %lsr.iv167
  %263 = shl i64 %262, 3
  %264 = add nsw i64 %263, %arg.c
  %265 = sub i64 %.345251269.us.us.us.ph, %arg.n
  br label %B738.us.us.us

B738.us.us.us:                                    ; preds = %B738.us.us.us, %B738.us.us.us.preheader
  %lsr.iv131 = phi i64 [ %lsr.iv.next132, %B738.us.us.us ], [ %265, %B738.us.us.us.preheader ]
  %lsr.iv169 = phi i64 [ %lsr.iv.next170, %B738.us.us.us ], [ %264, %B738.us.us.us.preheader ]
  %.771.us.us.us = inttoptr i64 %lsr.iv169 to ptr
  store double %.767.us.us.us, ptr %.771.us.us.us, align 8
  %lsr.iv.next170 = add i64 %lsr.iv169, 8
  %266 = tail call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %lsr.iv131, i64 1)
  %ov174 = extractvalue { i64, i1 } %266, 1
  %lsr.iv.next132 = add i64 %lsr.iv131, 1
  br i1 %ov174, label %B736.B700.loopexit_crit_edge.split.us.us.us.split.split, label %B738.us.us.us, !llvm.loop !55

B736.B700.loopexit_crit_edge.split.us.us.us.split.split: ; preds = %B738.us.us.us, %vec.epilog.middle.block99, %middle.block76
  %.230.us.us = add nuw nsw i64 %.223332346.us.us, 1
  %lsr.iv.next168 = add i64 %lsr.iv167, %.46
  %exitcond545.not = icmp eq i64 %arg.m, %.230.us.us
  br i1 %exitcond545.not, label %B1442, label %iter.check59

B702.endif.lr.ph.split.us.split:                  ; preds = %B702.endif.lr.ph.split.us
  %267 = icmp slt i64 %.38, 1
  br i1 %267, label %B702.endif.lr.ph.split.us.split.split, label %B702.endif.lr.ph.split.us.split.split.us

B702.endif.lr.ph.split.us.split.split.us:         ; preds = %B702.endif.lr.ph.split.us.split
  %268 = fcmp une double %.62, 0.000000e+00
  %const = bitcast i64 9223372036854775800 to i64
  %xtraiter111 = and i64 %.38, 7
  %unroll_iter116 = and i64 %.38, %const
  br i1 %268, label %B702.endif.us.us389.us.preheader, label %B702.endif.us.us389.preheader

B702.endif.us.us389.preheader:                    ; preds = %B702.endif.lr.ph.split.us.split.split.us
  %269 = icmp ult i64 %.38, 8
  br i1 %269, label %B702.endif.us.us389.us15.preheader, label %B702.endif.us.us389.preheader52

B702.endif.us.us389.us15.preheader:               ; preds = %B702.endif.us.us389.preheader
  %xtraiter105 = and i64 %arg.n, 3
  %const_mat = add i64 %const, 4
  %unroll_iter108 = and i64 %arg.n, %const_mat
  br label %B702.endif.us.us389.us15

B702.endif.us.us389.preheader52:                  ; preds = %B702.endif.us.us389.preheader
  %270 = mul i64 %unroll_iter116, %factor.op.mul222
  %271 = mul i64 %unroll_iter116, %factor.op.mul220
  %272 = add nsw i64 %.38, -8
  %273 = lshr i64 %272, 3
  %274 = add nuw nsw i64 %273, 1
  %275 = lshr i64 %274, 1
  %276 = shl nuw nsw i64 %275, 1
  br label %B702.endif.us.us389

B702.endif.us.us389.us15:                         ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us, %B702.endif.us.us389.us15.preheader
  %lsr.iv239.us = phi i64 [ %lsr.iv.next240.us, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us ], [ %arg.a, %B702.endif.us.us389.us15.preheader ]
  %.223332346.us.us391.us16 = phi i64 [ %.230.us.us393.us18, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us ], [ 0, %B702.endif.us.us389.us15.preheader ]
  %277 = icmp ult i64 %arg.n, 4
  %.538.us.us396.us17 = mul nsw i64 %.223332346.us.us391.us16, %.46
  br i1 %277, label %B738.us282.us.us.us.us19.epil.preheader, label %B738.us282.us.us.us.us19.preheader

B738.us282.us.us.us.us19.preheader:               ; preds = %B702.endif.us.us389.us15
  %.352.us286.us.us.us.us21 = add i64 %.538.us.us396.us17, 1
  %.352.us286.us.us.us.us21.1 = add i64 %.538.us.us396.us17, 2
  %.352.us286.us.us.us.us21.2 = add i64 %.538.us.us396.us17, 3
  br label %B738.us282.us.us.us.us19

B738.us282.us.us.us.us19:                         ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.3, %B738.us282.us.us.us.us19.preheader
  %lsr.iv235.us.us = phi i64 [ %lsr.iv.next236.us.us.3, %B804.B938_crit_edge.us.us.us.loopexit.us.us.3 ], [ %arg.b, %B738.us282.us.us.us.us19.preheader ]
  %.345251269.us284.us.us.us.us20 = phi i64 [ %.352.us286.us.us.us.us21.3, %B804.B938_crit_edge.us.us.us.loopexit.us.us.3 ], [ 0, %B738.us282.us.us.us.us19.preheader ]
  br label %B806.us.us.us.epil.us.us

B806.us.us.us.epil.us.us:                         ; preds = %B806.us.us.us.epil.us.us, %B738.us282.us.us.us.us19
  %lsr.iv247.us.us = phi i64 [ %lsr.iv.next248.us.us, %B806.us.us.us.epil.us.us ], [ %xtraiter111, %B738.us282.us.us.us.us19 ]
  %lsr.iv245.us.us = phi i64 [ %lsr.iv.next246.us.us, %B806.us.us.us.epil.us.us ], [ %lsr.iv239.us, %B738.us282.us.us.us.us19 ]
  %lsr.iv243.us.us = phi i64 [ %lsr.iv.next244.us.us, %B806.us.us.us.epil.us.us ], [ %lsr.iv235.us.us, %B738.us282.us.us.us.us19 ]
  %total.2.2228.us.us.us.epil.us.us = phi float [ %.528.us.us.us.epil.us.us, %B806.us.us.us.epil.us.us ], [ 0.000000e+00, %B738.us282.us.us.us.us19 ]
  %.513.us.us.us.epil.us.us = inttoptr i64 %lsr.iv245.us.us to ptr
  %.514.us.us.us.epil.us.us = load float, ptr %.513.us.us.us.epil.us.us, align 4
  %.524.us.us.us.epil.us.us = inttoptr i64 %lsr.iv243.us.us to ptr
  %.525.us.us.us.epil.us.us = load float, ptr %.524.us.us.us.epil.us.us, align 4
  %.526.us.us.us.epil.us.us = fmul float %.514.us.us.us.epil.us.us, %.525.us.us.us.epil.us.us
  %.528.us.us.us.epil.us.us = fadd float %total.2.2228.us.us.us.epil.us.us, %.526.us.us.us.epil.us.us
  %lsr.iv.next244.us.us = add i64 %lsr.iv243.us.us, %factor.op.mul222
  %lsr.iv.next246.us.us = add i64 %lsr.iv245.us.us, %factor.op.mul220
  %lsr.iv.next248.us.us = add nsw i64 %lsr.iv247.us.us, -1
  %epil.iter.cmp.not.us.us = icmp eq i64 %lsr.iv.next248.us.us, 0
  br i1 %epil.iter.cmp.not.us.us, label %B804.B938_crit_edge.us.us.us.loopexit.us.us, label %B806.us.us.us.epil.us.us, !llvm.loop !56

B804.B938_crit_edge.us.us.us.loopexit.us.us:      ; preds = %B806.us.us.us.epil.us.us
  %.540.us.us.us.us.us22 = add nsw i64 %.345251269.us284.us.us.us.us20, %.538.us.us396.us17
  %.543.us.us.us.us.us23 = shl nsw i64 %.540.us.us.us.us.us22, 2
  %.545.us.us.us.us.us24 = add nsw i64 %.543.us.us.us.us.us23, %arg.c
  %.568.us.us.us.us.us25 = fmul float %.528.us.us.us.epil.us.us, %.566
  %.572.us.us.us.us.us26 = fadd float %.568.us.us.us.us.us25, 0.000000e+00
  %.576.us.us.us.us.us = inttoptr i64 %.545.us.us.us.us.us24 to ptr
  store float %.572.us.us.us.us.us26, ptr %.576.us.us.us.us.us, align 4
  %lsr.iv.next236.us.us = add i64 %lsr.iv235.us.us, %factor.op.mul
  br label %B806.us.us.us.epil.us.us.1

B806.us.us.us.epil.us.us.1:                       ; preds = %B806.us.us.us.epil.us.us.1, %B804.B938_crit_edge.us.us.us.loopexit.us.us
  %lsr.iv247.us.us.1 = phi i64 [ %lsr.iv.next248.us.us.1, %B806.us.us.us.epil.us.us.1 ], [ %xtraiter111, %B804.B938_crit_edge.us.us.us.loopexit.us.us ]
  %lsr.iv245.us.us.1 = phi i64 [ %lsr.iv.next246.us.us.1, %B806.us.us.us.epil.us.us.1 ], [ %lsr.iv239.us, %B804.B938_crit_edge.us.us.us.loopexit.us.us ]
  %lsr.iv243.us.us.1 = phi i64 [ %lsr.iv.next244.us.us.1, %B806.us.us.us.epil.us.us.1 ], [ %lsr.iv.next236.us.us, %B804.B938_crit_edge.us.us.us.loopexit.us.us ]
  %total.2.2228.us.us.us.epil.us.us.1 = phi float [ %.528.us.us.us.epil.us.us.1, %B806.us.us.us.epil.us.us.1 ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.loopexit.us.us ]
  %.513.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv245.us.us.1 to ptr
  %.514.us.us.us.epil.us.us.1 = load float, ptr %.513.us.us.us.epil.us.us.1, align 4
  %.524.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv243.us.us.1 to ptr
  %.525.us.us.us.epil.us.us.1 = load float, ptr %.524.us.us.us.epil.us.us.1, align 4
  %.526.us.us.us.epil.us.us.1 = fmul float %.514.us.us.us.epil.us.us.1, %.525.us.us.us.epil.us.us.1
  %.528.us.us.us.epil.us.us.1 = fadd float %total.2.2228.us.us.us.epil.us.us.1, %.526.us.us.us.epil.us.us.1
  %lsr.iv.next244.us.us.1 = add i64 %lsr.iv243.us.us.1, %factor.op.mul222
  %lsr.iv.next246.us.us.1 = add i64 %lsr.iv245.us.us.1, %factor.op.mul220
  %lsr.iv.next248.us.us.1 = add nsw i64 %lsr.iv247.us.us.1, -1
  %epil.iter.cmp.not.us.us.1 = icmp eq i64 %lsr.iv.next248.us.us.1, 0
  br i1 %epil.iter.cmp.not.us.us.1, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.1, label %B806.us.us.us.epil.us.us.1, !llvm.loop !56

B804.B938_crit_edge.us.us.us.loopexit.us.us.1:    ; preds = %B806.us.us.us.epil.us.us.1
  %.540.us.us.us.us.us22.1 = add i64 %.352.us286.us.us.us.us21, %.345251269.us284.us.us.us.us20
  %.543.us.us.us.us.us23.1 = shl nsw i64 %.540.us.us.us.us.us22.1, 2
  %.545.us.us.us.us.us24.1 = add nsw i64 %.543.us.us.us.us.us23.1, %arg.c
  %.568.us.us.us.us.us25.1 = fmul float %.528.us.us.us.epil.us.us.1, %.566
  %.572.us.us.us.us.us26.1 = fadd float %.568.us.us.us.us.us25.1, 0.000000e+00
  %.576.us.us.us.us.us.1 = inttoptr i64 %.545.us.us.us.us.us24.1 to ptr
  store float %.572.us.us.us.us.us26.1, ptr %.576.us.us.us.us.us.1, align 4
  %lsr.iv.next236.us.us.1 = add i64 %lsr.iv.next236.us.us, %factor.op.mul
  br label %B806.us.us.us.epil.us.us.2

B806.us.us.us.epil.us.us.2:                       ; preds = %B806.us.us.us.epil.us.us.2, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1
  %lsr.iv247.us.us.2 = phi i64 [ %lsr.iv.next248.us.us.2, %B806.us.us.us.epil.us.us.2 ], [ %xtraiter111, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1 ]
  %lsr.iv245.us.us.2 = phi i64 [ %lsr.iv.next246.us.us.2, %B806.us.us.us.epil.us.us.2 ], [ %lsr.iv239.us, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1 ]
  %lsr.iv243.us.us.2 = phi i64 [ %lsr.iv.next244.us.us.2, %B806.us.us.us.epil.us.us.2 ], [ %lsr.iv.next236.us.us.1, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1 ]
  %total.2.2228.us.us.us.epil.us.us.2 = phi float [ %.528.us.us.us.epil.us.us.2, %B806.us.us.us.epil.us.us.2 ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.loopexit.us.us.1 ]
  %.513.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv245.us.us.2 to ptr
  %.514.us.us.us.epil.us.us.2 = load float, ptr %.513.us.us.us.epil.us.us.2, align 4
  %.524.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv243.us.us.2 to ptr
  %.525.us.us.us.epil.us.us.2 = load float, ptr %.524.us.us.us.epil.us.us.2, align 4
  %.526.us.us.us.epil.us.us.2 = fmul float %.514.us.us.us.epil.us.us.2, %.525.us.us.us.epil.us.us.2
  %.528.us.us.us.epil.us.us.2 = fadd float %total.2.2228.us.us.us.epil.us.us.2, %.526.us.us.us.epil.us.us.2
  %lsr.iv.next244.us.us.2 = add i64 %lsr.iv243.us.us.2, %factor.op.mul222
  %lsr.iv.next246.us.us.2 = add i64 %lsr.iv245.us.us.2, %factor.op.mul220
  %lsr.iv.next248.us.us.2 = add nsw i64 %lsr.iv247.us.us.2, -1
  %epil.iter.cmp.not.us.us.2 = icmp eq i64 %lsr.iv.next248.us.us.2, 0
  br i1 %epil.iter.cmp.not.us.us.2, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.2, label %B806.us.us.us.epil.us.us.2, !llvm.loop !56

B804.B938_crit_edge.us.us.us.loopexit.us.us.2:    ; preds = %B806.us.us.us.epil.us.us.2
  %.540.us.us.us.us.us22.2 = add i64 %.352.us286.us.us.us.us21.1, %.345251269.us284.us.us.us.us20
  %.543.us.us.us.us.us23.2 = shl nsw i64 %.540.us.us.us.us.us22.2, 2
  %.545.us.us.us.us.us24.2 = add nsw i64 %.543.us.us.us.us.us23.2, %arg.c
  %.568.us.us.us.us.us25.2 = fmul float %.528.us.us.us.epil.us.us.2, %.566
  %.572.us.us.us.us.us26.2 = fadd float %.568.us.us.us.us.us25.2, 0.000000e+00
  %.576.us.us.us.us.us.2 = inttoptr i64 %.545.us.us.us.us.us24.2 to ptr
  store float %.572.us.us.us.us.us26.2, ptr %.576.us.us.us.us.us.2, align 4
  %lsr.iv.next236.us.us.2 = add i64 %lsr.iv.next236.us.us.1, %factor.op.mul
  br label %B806.us.us.us.epil.us.us.3

B806.us.us.us.epil.us.us.3:                       ; preds = %B806.us.us.us.epil.us.us.3, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2
  %lsr.iv247.us.us.3 = phi i64 [ %lsr.iv.next248.us.us.3, %B806.us.us.us.epil.us.us.3 ], [ %xtraiter111, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2 ]
  %lsr.iv245.us.us.3 = phi i64 [ %lsr.iv.next246.us.us.3, %B806.us.us.us.epil.us.us.3 ], [ %lsr.iv239.us, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2 ]
  %lsr.iv243.us.us.3 = phi i64 [ %lsr.iv.next244.us.us.3, %B806.us.us.us.epil.us.us.3 ], [ %lsr.iv.next236.us.us.2, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2 ]
  %total.2.2228.us.us.us.epil.us.us.3 = phi float [ %.528.us.us.us.epil.us.us.3, %B806.us.us.us.epil.us.us.3 ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.loopexit.us.us.2 ]
  %.513.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv245.us.us.3 to ptr
  %.514.us.us.us.epil.us.us.3 = load float, ptr %.513.us.us.us.epil.us.us.3, align 4
  %.524.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv243.us.us.3 to ptr
  %.525.us.us.us.epil.us.us.3 = load float, ptr %.524.us.us.us.epil.us.us.3, align 4
  %.526.us.us.us.epil.us.us.3 = fmul float %.514.us.us.us.epil.us.us.3, %.525.us.us.us.epil.us.us.3
  %.528.us.us.us.epil.us.us.3 = fadd float %total.2.2228.us.us.us.epil.us.us.3, %.526.us.us.us.epil.us.us.3
  %lsr.iv.next244.us.us.3 = add i64 %lsr.iv243.us.us.3, %factor.op.mul222
  %lsr.iv.next246.us.us.3 = add i64 %lsr.iv245.us.us.3, %factor.op.mul220
  %lsr.iv.next248.us.us.3 = add nsw i64 %lsr.iv247.us.us.3, -1
  %epil.iter.cmp.not.us.us.3 = icmp eq i64 %lsr.iv.next248.us.us.3, 0
  br i1 %epil.iter.cmp.not.us.us.3, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.3, label %B806.us.us.us.epil.us.us.3, !llvm.loop !56

B804.B938_crit_edge.us.us.us.loopexit.us.us.3:    ; preds = %B806.us.us.us.epil.us.us.3
  %.352.us286.us.us.us.us21.3 = add nuw nsw i64 %.345251269.us284.us.us.us.us20, 4
  %.540.us.us.us.us.us22.3 = add i64 %.352.us286.us.us.us.us21.2, %.345251269.us284.us.us.us.us20
  %.543.us.us.us.us.us23.3 = shl nsw i64 %.540.us.us.us.us.us22.3, 2
  %.545.us.us.us.us.us24.3 = add nsw i64 %.543.us.us.us.us.us23.3, %arg.c
  %.568.us.us.us.us.us25.3 = fmul float %.528.us.us.us.epil.us.us.3, %.566
  %.572.us.us.us.us.us26.3 = fadd float %.568.us.us.us.us.us25.3, 0.000000e+00
  %.576.us.us.us.us.us.3 = inttoptr i64 %.545.us.us.us.us.us24.3 to ptr
  store float %.572.us.us.us.us.us26.3, ptr %.576.us.us.us.us.us.3, align 4
  %lsr.iv.next236.us.us.3 = add i64 %lsr.iv.next236.us.us.2, %factor.op.mul
  %niter109.ncmp.3 = icmp eq i64 %.352.us286.us.us.us.us21.3, %unroll_iter108
  br i1 %niter109.ncmp.3, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa, label %B738.us282.us.us.us.us19

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa: ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.3
  %278 = icmp eq i64 %xtraiter105, 0
  br i1 %278, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us, label %B738.us282.us.us.us.us19.epil.preheader

B738.us282.us.us.us.us19.epil.preheader:          ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa, %B702.endif.us.us389.us15
  %lsr.iv235.us.us.epil.ph = phi i64 [ %arg.b, %B702.endif.us.us389.us15 ], [ %lsr.iv.next236.us.us.3, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa ]
  %.345251269.us284.us.us.us.us20.epil.ph = phi i64 [ 0, %B702.endif.us.us389.us15 ], [ %unroll_iter108, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa ]
  br label %B738.us282.us.us.us.us19.epil

B738.us282.us.us.us.us19.epil:                    ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil, %B738.us282.us.us.us.us19.epil.preheader
  %lsr.iv235.us.us.epil = phi i64 [ %lsr.iv.next236.us.us.epil, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil ], [ %lsr.iv235.us.us.epil.ph, %B738.us282.us.us.us.us19.epil.preheader ]
  %.345251269.us284.us.us.us.us20.epil = phi i64 [ %.352.us286.us.us.us.us21.epil, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil ], [ %.345251269.us284.us.us.us.us20.epil.ph, %B738.us282.us.us.us.us19.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil ], [ 0, %B738.us282.us.us.us.us19.epil.preheader ]
  br label %B806.us.us.us.epil.us.us.epil

B806.us.us.us.epil.us.us.epil:                    ; preds = %B806.us.us.us.epil.us.us.epil, %B738.us282.us.us.us.us19.epil
  %lsr.iv247.us.us.epil = phi i64 [ %lsr.iv.next248.us.us.epil, %B806.us.us.us.epil.us.us.epil ], [ %xtraiter111, %B738.us282.us.us.us.us19.epil ]
  %lsr.iv245.us.us.epil = phi i64 [ %lsr.iv.next246.us.us.epil, %B806.us.us.us.epil.us.us.epil ], [ %lsr.iv239.us, %B738.us282.us.us.us.us19.epil ]
  %lsr.iv243.us.us.epil = phi i64 [ %lsr.iv.next244.us.us.epil, %B806.us.us.us.epil.us.us.epil ], [ %lsr.iv235.us.us.epil, %B738.us282.us.us.us.us19.epil ]
  %total.2.2228.us.us.us.epil.us.us.epil = phi float [ %.528.us.us.us.epil.us.us.epil, %B806.us.us.us.epil.us.us.epil ], [ 0.000000e+00, %B738.us282.us.us.us.us19.epil ]
  %.513.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv245.us.us.epil to ptr
  %.514.us.us.us.epil.us.us.epil = load float, ptr %.513.us.us.us.epil.us.us.epil, align 4
  %.524.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv243.us.us.epil to ptr
  %.525.us.us.us.epil.us.us.epil = load float, ptr %.524.us.us.us.epil.us.us.epil, align 4
  %.526.us.us.us.epil.us.us.epil = fmul float %.514.us.us.us.epil.us.us.epil, %.525.us.us.us.epil.us.us.epil
  %.528.us.us.us.epil.us.us.epil = fadd float %total.2.2228.us.us.us.epil.us.us.epil, %.526.us.us.us.epil.us.us.epil
  %lsr.iv.next244.us.us.epil = add i64 %lsr.iv243.us.us.epil, %factor.op.mul222
  %lsr.iv.next246.us.us.epil = add i64 %lsr.iv245.us.us.epil, %factor.op.mul220
  %lsr.iv.next248.us.us.epil = add nsw i64 %lsr.iv247.us.us.epil, -1
  %epil.iter.cmp.not.us.us.epil = icmp eq i64 %lsr.iv.next248.us.us.epil, 0
  br i1 %epil.iter.cmp.not.us.us.epil, label %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil, label %B806.us.us.us.epil.us.us.epil, !llvm.loop !56

B804.B938_crit_edge.us.us.us.loopexit.us.us.epil: ; preds = %B806.us.us.us.epil.us.us.epil
  %.352.us286.us.us.us.us21.epil = add nuw nsw i64 %.345251269.us284.us.us.us.us20.epil, 1
  %.540.us.us.us.us.us22.epil = add nsw i64 %.345251269.us284.us.us.us.us20.epil, %.538.us.us396.us17
  %.543.us.us.us.us.us23.epil = shl nsw i64 %.540.us.us.us.us.us22.epil, 2
  %.545.us.us.us.us.us24.epil = add nsw i64 %.543.us.us.us.us.us23.epil, %arg.c
  %.568.us.us.us.us.us25.epil = fmul float %.528.us.us.us.epil.us.us.epil, %.566
  %.572.us.us.us.us.us26.epil = fadd float %.568.us.us.us.us.us25.epil, 0.000000e+00
  %.576.us.us.us.us.us.epil = inttoptr i64 %.545.us.us.us.us.us24.epil to ptr
  store float %.572.us.us.us.us.us26.epil, ptr %.576.us.us.us.us.us.epil, align 4
  %lsr.iv.next236.us.us.epil = add i64 %lsr.iv235.us.us.epil, %factor.op.mul
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not235 = icmp eq i64 %epil.iter.next, %xtraiter105
  br i1 %epil.iter.cmp.not235, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us, label %B738.us282.us.us.us.us19.epil, !llvm.loop !57

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us: ; preds = %B804.B938_crit_edge.us.us.us.loopexit.us.us.epil, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us.unr-lcssa
  %.230.us.us393.us18 = add nuw nsw i64 %.223332346.us.us391.us16, 1
  %lsr.iv.next240.us = add i64 %lsr.iv239.us, %factor.op.mul329
  %exitcond530.not.us = icmp eq i64 %arg.m, %.230.us.us393.us18
  br i1 %exitcond530.not.us, label %B1442, label %B702.endif.us.us389.us15

B702.endif.us.us389.us.preheader:                 ; preds = %B702.endif.lr.ph.split.us.split.split.us
  %279 = icmp ult i64 %.38, 8
  br i1 %279, label %B702.endif.us.us389.us.us.preheader, label %B702.endif.us.us389.us.preheader49

B702.endif.us.us389.us.us.preheader:              ; preds = %B702.endif.us.us389.us.preheader
  %xtraiter133 = and i64 %arg.n, 3
  %const_mat162 = add i64 %const, 4
  %unroll_iter137 = and i64 %arg.n, %const_mat162
  br label %B702.endif.us.us389.us.us

B702.endif.us.us389.us.preheader49:               ; preds = %B702.endif.us.us389.us.preheader
  %280 = mul i64 %unroll_iter116, %factor.op.mul222
  %281 = mul i64 %unroll_iter116, %factor.op.mul220
  %282 = add nsw i64 %.38, -8
  %283 = lshr i64 %282, 3
  %284 = add nuw nsw i64 %283, 1
  %285 = lshr i64 %284, 1
  %286 = shl nuw nsw i64 %285, 1
  br label %B702.endif.us.us389.us

B702.endif.us.us389.us.us:                        ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us, %B702.endif.us.us389.us.us.preheader
  %lsr.iv225.us = phi i64 [ %lsr.iv.next226.us, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us ], [ %arg.a, %B702.endif.us.us389.us.us.preheader ]
  %.223332346.us.us391.us.us = phi i64 [ %.230.us.us393.us.us, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us ], [ 0, %B702.endif.us.us389.us.us.preheader ]
  %287 = icmp ult i64 %arg.n, 4
  %.538.us.us396.us.us = mul nsw i64 %.223332346.us.us391.us.us, %.46
  br i1 %287, label %B738.us282.us.us.us.us.us.us.epil.preheader, label %B738.us282.us.us.us.us.us.us.preheader

B738.us282.us.us.us.us.us.us.preheader:           ; preds = %B702.endif.us.us389.us.us
  %.352.us286.us.us.us.us.us.us = add i64 %.538.us.us396.us.us, 1
  %.352.us286.us.us.us.us.us.us.1 = add i64 %.538.us.us396.us.us, 2
  %.352.us286.us.us.us.us.us.us.2 = add i64 %.538.us.us396.us.us, 3
  br label %B738.us282.us.us.us.us.us.us

B738.us282.us.us.us.us.us.us:                     ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3, %B738.us282.us.us.us.us.us.us.preheader
  %lsr.iv221.us.us = phi i64 [ %lsr.iv.next222.us.us.3, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3 ], [ %arg.b, %B738.us282.us.us.us.us.us.us.preheader ]
  %.345251269.us284.us.us.us.us.us.us = phi i64 [ %.352.us286.us.us.us.us.us.us.3, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3 ], [ 0, %B738.us282.us.us.us.us.us.us.preheader ]
  br label %B806.us.us.us.us.us.epil.us.us

B806.us.us.us.us.us.epil.us.us:                   ; preds = %B806.us.us.us.us.us.epil.us.us, %B738.us282.us.us.us.us.us.us
  %lsr.iv233.us.us = phi i64 [ %lsr.iv.next234.us.us, %B806.us.us.us.us.us.epil.us.us ], [ %xtraiter111, %B738.us282.us.us.us.us.us.us ]
  %lsr.iv231.us.us = phi i64 [ %lsr.iv.next232.us.us, %B806.us.us.us.us.us.epil.us.us ], [ %lsr.iv225.us, %B738.us282.us.us.us.us.us.us ]
  %lsr.iv229.us.us = phi i64 [ %lsr.iv.next230.us.us, %B806.us.us.us.us.us.epil.us.us ], [ %lsr.iv221.us.us, %B738.us282.us.us.us.us.us.us ]
  %total.2.2228.us.us.us.us.us.epil.us.us = phi float [ %.528.us.us.us.us.us.epil.us.us, %B806.us.us.us.us.us.epil.us.us ], [ 0.000000e+00, %B738.us282.us.us.us.us.us.us ]
  %.513.us.us.us.us.us.epil.us.us = inttoptr i64 %lsr.iv231.us.us to ptr
  %.514.us.us.us.us.us.epil.us.us = load float, ptr %.513.us.us.us.us.us.epil.us.us, align 4
  %.524.us.us.us.us.us.epil.us.us = inttoptr i64 %lsr.iv229.us.us to ptr
  %.525.us.us.us.us.us.epil.us.us = load float, ptr %.524.us.us.us.us.us.epil.us.us, align 4
  %.526.us.us.us.us.us.epil.us.us = fmul float %.514.us.us.us.us.us.epil.us.us, %.525.us.us.us.us.us.epil.us.us
  %.528.us.us.us.us.us.epil.us.us = fadd float %total.2.2228.us.us.us.us.us.epil.us.us, %.526.us.us.us.us.us.epil.us.us
  %lsr.iv.next230.us.us = add i64 %lsr.iv229.us.us, %factor.op.mul222
  %lsr.iv.next232.us.us = add i64 %lsr.iv231.us.us, %factor.op.mul220
  %lsr.iv.next234.us.us = add nsw i64 %lsr.iv233.us.us, -1
  %epil.iter112.cmp.not.us.us = icmp eq i64 %lsr.iv.next234.us.us, 0
  br i1 %epil.iter112.cmp.not.us.us, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us, label %B806.us.us.us.us.us.epil.us.us, !llvm.loop !58

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us: ; preds = %B806.us.us.us.us.us.epil.us.us
  %.540.us.us.us.us.us.us.us = add nsw i64 %.345251269.us284.us.us.us.us.us.us, %.538.us.us396.us.us
  %.543.us.us.us.us.us.us.us = shl nsw i64 %.540.us.us.us.us.us.us.us, 2
  %.545.us.us.us.us.us.us.us = add nsw i64 %.543.us.us.us.us.us.us.us, %arg.c
  %.559.us.us.us.us.us.us.us = inttoptr i64 %.545.us.us.us.us.us.us.us to ptr
  %.560.us.us.us.us.us.us.us = load float, ptr %.559.us.us.us.us.us.us.us, align 4
  %.561.us.us.us.us.us.us.us = fmul float %.560.us.us.us.us.us.us.us, %.557
  %.568.us.us.us.us.us.us.us = fmul float %.528.us.us.us.us.us.epil.us.us, %.566
  %.572.us.us.us.us.us.us.us = fadd float %.568.us.us.us.us.us.us.us, %.561.us.us.us.us.us.us.us
  store float %.572.us.us.us.us.us.us.us, ptr %.559.us.us.us.us.us.us.us, align 4
  %lsr.iv.next222.us.us = add i64 %lsr.iv221.us.us, %factor.op.mul
  br label %B806.us.us.us.us.us.epil.us.us.1

B806.us.us.us.us.us.epil.us.us.1:                 ; preds = %B806.us.us.us.us.us.epil.us.us.1, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us
  %lsr.iv233.us.us.1 = phi i64 [ %lsr.iv.next234.us.us.1, %B806.us.us.us.us.us.epil.us.us.1 ], [ %xtraiter111, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %lsr.iv231.us.us.1 = phi i64 [ %lsr.iv.next232.us.us.1, %B806.us.us.us.us.us.epil.us.us.1 ], [ %lsr.iv225.us, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %lsr.iv229.us.us.1 = phi i64 [ %lsr.iv.next230.us.us.1, %B806.us.us.us.us.us.epil.us.us.1 ], [ %lsr.iv.next222.us.us, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %total.2.2228.us.us.us.us.us.epil.us.us.1 = phi float [ %.528.us.us.us.us.us.epil.us.us.1, %B806.us.us.us.us.us.epil.us.us.1 ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us ]
  %.513.us.us.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv231.us.us.1 to ptr
  %.514.us.us.us.us.us.epil.us.us.1 = load float, ptr %.513.us.us.us.us.us.epil.us.us.1, align 4
  %.524.us.us.us.us.us.epil.us.us.1 = inttoptr i64 %lsr.iv229.us.us.1 to ptr
  %.525.us.us.us.us.us.epil.us.us.1 = load float, ptr %.524.us.us.us.us.us.epil.us.us.1, align 4
  %.526.us.us.us.us.us.epil.us.us.1 = fmul float %.514.us.us.us.us.us.epil.us.us.1, %.525.us.us.us.us.us.epil.us.us.1
  %.528.us.us.us.us.us.epil.us.us.1 = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.1, %.526.us.us.us.us.us.epil.us.us.1
  %lsr.iv.next230.us.us.1 = add i64 %lsr.iv229.us.us.1, %factor.op.mul222
  %lsr.iv.next232.us.us.1 = add i64 %lsr.iv231.us.us.1, %factor.op.mul220
  %lsr.iv.next234.us.us.1 = add nsw i64 %lsr.iv233.us.us.1, -1
  %epil.iter112.cmp.not.us.us.1 = icmp eq i64 %lsr.iv.next234.us.us.1, 0
  br i1 %epil.iter112.cmp.not.us.us.1, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1, label %B806.us.us.us.us.us.epil.us.us.1, !llvm.loop !58

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1: ; preds = %B806.us.us.us.us.us.epil.us.us.1
  %.540.us.us.us.us.us.us.us.1 = add i64 %.352.us286.us.us.us.us.us.us, %.345251269.us284.us.us.us.us.us.us
  %.543.us.us.us.us.us.us.us.1 = shl nsw i64 %.540.us.us.us.us.us.us.us.1, 2
  %.545.us.us.us.us.us.us.us.1 = add nsw i64 %.543.us.us.us.us.us.us.us.1, %arg.c
  %.559.us.us.us.us.us.us.us.1 = inttoptr i64 %.545.us.us.us.us.us.us.us.1 to ptr
  %.560.us.us.us.us.us.us.us.1 = load float, ptr %.559.us.us.us.us.us.us.us.1, align 4
  %.561.us.us.us.us.us.us.us.1 = fmul float %.560.us.us.us.us.us.us.us.1, %.557
  %.568.us.us.us.us.us.us.us.1 = fmul float %.528.us.us.us.us.us.epil.us.us.1, %.566
  %.572.us.us.us.us.us.us.us.1 = fadd float %.568.us.us.us.us.us.us.us.1, %.561.us.us.us.us.us.us.us.1
  store float %.572.us.us.us.us.us.us.us.1, ptr %.559.us.us.us.us.us.us.us.1, align 4
  %lsr.iv.next222.us.us.1 = add i64 %lsr.iv.next222.us.us, %factor.op.mul
  br label %B806.us.us.us.us.us.epil.us.us.2

B806.us.us.us.us.us.epil.us.us.2:                 ; preds = %B806.us.us.us.us.us.epil.us.us.2, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1
  %lsr.iv233.us.us.2 = phi i64 [ %lsr.iv.next234.us.us.2, %B806.us.us.us.us.us.epil.us.us.2 ], [ %xtraiter111, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %lsr.iv231.us.us.2 = phi i64 [ %lsr.iv.next232.us.us.2, %B806.us.us.us.us.us.epil.us.us.2 ], [ %lsr.iv225.us, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %lsr.iv229.us.us.2 = phi i64 [ %lsr.iv.next230.us.us.2, %B806.us.us.us.us.us.epil.us.us.2 ], [ %lsr.iv.next222.us.us.1, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %total.2.2228.us.us.us.us.us.epil.us.us.2 = phi float [ %.528.us.us.us.us.us.epil.us.us.2, %B806.us.us.us.us.us.epil.us.us.2 ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.1 ]
  %.513.us.us.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv231.us.us.2 to ptr
  %.514.us.us.us.us.us.epil.us.us.2 = load float, ptr %.513.us.us.us.us.us.epil.us.us.2, align 4
  %.524.us.us.us.us.us.epil.us.us.2 = inttoptr i64 %lsr.iv229.us.us.2 to ptr
  %.525.us.us.us.us.us.epil.us.us.2 = load float, ptr %.524.us.us.us.us.us.epil.us.us.2, align 4
  %.526.us.us.us.us.us.epil.us.us.2 = fmul float %.514.us.us.us.us.us.epil.us.us.2, %.525.us.us.us.us.us.epil.us.us.2
  %.528.us.us.us.us.us.epil.us.us.2 = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.2, %.526.us.us.us.us.us.epil.us.us.2
  %lsr.iv.next230.us.us.2 = add i64 %lsr.iv229.us.us.2, %factor.op.mul222
  %lsr.iv.next232.us.us.2 = add i64 %lsr.iv231.us.us.2, %factor.op.mul220
  %lsr.iv.next234.us.us.2 = add nsw i64 %lsr.iv233.us.us.2, -1
  %epil.iter112.cmp.not.us.us.2 = icmp eq i64 %lsr.iv.next234.us.us.2, 0
  br i1 %epil.iter112.cmp.not.us.us.2, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2, label %B806.us.us.us.us.us.epil.us.us.2, !llvm.loop !58

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2: ; preds = %B806.us.us.us.us.us.epil.us.us.2
  %.540.us.us.us.us.us.us.us.2 = add i64 %.352.us286.us.us.us.us.us.us.1, %.345251269.us284.us.us.us.us.us.us
  %.543.us.us.us.us.us.us.us.2 = shl nsw i64 %.540.us.us.us.us.us.us.us.2, 2
  %.545.us.us.us.us.us.us.us.2 = add nsw i64 %.543.us.us.us.us.us.us.us.2, %arg.c
  %.559.us.us.us.us.us.us.us.2 = inttoptr i64 %.545.us.us.us.us.us.us.us.2 to ptr
  %.560.us.us.us.us.us.us.us.2 = load float, ptr %.559.us.us.us.us.us.us.us.2, align 4
  %.561.us.us.us.us.us.us.us.2 = fmul float %.560.us.us.us.us.us.us.us.2, %.557
  %.568.us.us.us.us.us.us.us.2 = fmul float %.528.us.us.us.us.us.epil.us.us.2, %.566
  %.572.us.us.us.us.us.us.us.2 = fadd float %.568.us.us.us.us.us.us.us.2, %.561.us.us.us.us.us.us.us.2
  store float %.572.us.us.us.us.us.us.us.2, ptr %.559.us.us.us.us.us.us.us.2, align 4
  %lsr.iv.next222.us.us.2 = add i64 %lsr.iv.next222.us.us.1, %factor.op.mul
  br label %B806.us.us.us.us.us.epil.us.us.3

B806.us.us.us.us.us.epil.us.us.3:                 ; preds = %B806.us.us.us.us.us.epil.us.us.3, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2
  %lsr.iv233.us.us.3 = phi i64 [ %lsr.iv.next234.us.us.3, %B806.us.us.us.us.us.epil.us.us.3 ], [ %xtraiter111, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %lsr.iv231.us.us.3 = phi i64 [ %lsr.iv.next232.us.us.3, %B806.us.us.us.us.us.epil.us.us.3 ], [ %lsr.iv225.us, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %lsr.iv229.us.us.3 = phi i64 [ %lsr.iv.next230.us.us.3, %B806.us.us.us.us.us.epil.us.us.3 ], [ %lsr.iv.next222.us.us.2, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %total.2.2228.us.us.us.us.us.epil.us.us.3 = phi float [ %.528.us.us.us.us.us.epil.us.us.3, %B806.us.us.us.us.us.epil.us.us.3 ], [ 0.000000e+00, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.2 ]
  %.513.us.us.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv231.us.us.3 to ptr
  %.514.us.us.us.us.us.epil.us.us.3 = load float, ptr %.513.us.us.us.us.us.epil.us.us.3, align 4
  %.524.us.us.us.us.us.epil.us.us.3 = inttoptr i64 %lsr.iv229.us.us.3 to ptr
  %.525.us.us.us.us.us.epil.us.us.3 = load float, ptr %.524.us.us.us.us.us.epil.us.us.3, align 4
  %.526.us.us.us.us.us.epil.us.us.3 = fmul float %.514.us.us.us.us.us.epil.us.us.3, %.525.us.us.us.us.us.epil.us.us.3
  %.528.us.us.us.us.us.epil.us.us.3 = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.3, %.526.us.us.us.us.us.epil.us.us.3
  %lsr.iv.next230.us.us.3 = add i64 %lsr.iv229.us.us.3, %factor.op.mul222
  %lsr.iv.next232.us.us.3 = add i64 %lsr.iv231.us.us.3, %factor.op.mul220
  %lsr.iv.next234.us.us.3 = add nsw i64 %lsr.iv233.us.us.3, -1
  %epil.iter112.cmp.not.us.us.3 = icmp eq i64 %lsr.iv.next234.us.us.3, 0
  br i1 %epil.iter112.cmp.not.us.us.3, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3, label %B806.us.us.us.us.us.epil.us.us.3, !llvm.loop !58

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3: ; preds = %B806.us.us.us.us.us.epil.us.us.3
  %.352.us286.us.us.us.us.us.us.3 = add nuw nsw i64 %.345251269.us284.us.us.us.us.us.us, 4
  %.540.us.us.us.us.us.us.us.3 = add i64 %.352.us286.us.us.us.us.us.us.2, %.345251269.us284.us.us.us.us.us.us
  %.543.us.us.us.us.us.us.us.3 = shl nsw i64 %.540.us.us.us.us.us.us.us.3, 2
  %.545.us.us.us.us.us.us.us.3 = add nsw i64 %.543.us.us.us.us.us.us.us.3, %arg.c
  %.559.us.us.us.us.us.us.us.3 = inttoptr i64 %.545.us.us.us.us.us.us.us.3 to ptr
  %.560.us.us.us.us.us.us.us.3 = load float, ptr %.559.us.us.us.us.us.us.us.3, align 4
  %.561.us.us.us.us.us.us.us.3 = fmul float %.560.us.us.us.us.us.us.us.3, %.557
  %.568.us.us.us.us.us.us.us.3 = fmul float %.528.us.us.us.us.us.epil.us.us.3, %.566
  %.572.us.us.us.us.us.us.us.3 = fadd float %.568.us.us.us.us.us.us.us.3, %.561.us.us.us.us.us.us.us.3
  store float %.572.us.us.us.us.us.us.us.3, ptr %.559.us.us.us.us.us.us.us.3, align 4
  %lsr.iv.next222.us.us.3 = add i64 %lsr.iv.next222.us.us.2, %factor.op.mul
  %niter138.ncmp.3 = icmp eq i64 %.352.us286.us.us.us.us.us.us.3, %unroll_iter137
  br i1 %niter138.ncmp.3, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa, label %B738.us282.us.us.us.us.us.us

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa: ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.3
  %288 = icmp eq i64 %xtraiter133, 0
  br i1 %288, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us, label %B738.us282.us.us.us.us.us.us.epil.preheader

B738.us282.us.us.us.us.us.us.epil.preheader:      ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa, %B702.endif.us.us389.us.us
  %lsr.iv221.us.us.epil.ph = phi i64 [ %arg.b, %B702.endif.us.us389.us.us ], [ %lsr.iv.next222.us.us.3, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa ]
  %.345251269.us284.us.us.us.us.us.us.epil.ph = phi i64 [ 0, %B702.endif.us.us389.us.us ], [ %unroll_iter137, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa ]
  br label %B738.us282.us.us.us.us.us.us.epil

B738.us282.us.us.us.us.us.us.epil:                ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil, %B738.us282.us.us.us.us.us.us.epil.preheader
  %lsr.iv221.us.us.epil = phi i64 [ %lsr.iv.next222.us.us.epil, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil ], [ %lsr.iv221.us.us.epil.ph, %B738.us282.us.us.us.us.us.us.epil.preheader ]
  %.345251269.us284.us.us.us.us.us.us.epil = phi i64 [ %.352.us286.us.us.us.us.us.us.epil, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil ], [ %.345251269.us284.us.us.us.us.us.us.epil.ph, %B738.us282.us.us.us.us.us.us.epil.preheader ]
  %epil.iter134 = phi i64 [ %epil.iter134.next, %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil ], [ 0, %B738.us282.us.us.us.us.us.us.epil.preheader ]
  br label %B806.us.us.us.us.us.epil.us.us.epil

B806.us.us.us.us.us.epil.us.us.epil:              ; preds = %B806.us.us.us.us.us.epil.us.us.epil, %B738.us282.us.us.us.us.us.us.epil
  %lsr.iv233.us.us.epil = phi i64 [ %lsr.iv.next234.us.us.epil, %B806.us.us.us.us.us.epil.us.us.epil ], [ %xtraiter111, %B738.us282.us.us.us.us.us.us.epil ]
  %lsr.iv231.us.us.epil = phi i64 [ %lsr.iv.next232.us.us.epil, %B806.us.us.us.us.us.epil.us.us.epil ], [ %lsr.iv225.us, %B738.us282.us.us.us.us.us.us.epil ]
  %lsr.iv229.us.us.epil = phi i64 [ %lsr.iv.next230.us.us.epil, %B806.us.us.us.us.us.epil.us.us.epil ], [ %lsr.iv221.us.us.epil, %B738.us282.us.us.us.us.us.us.epil ]
  %total.2.2228.us.us.us.us.us.epil.us.us.epil = phi float [ %.528.us.us.us.us.us.epil.us.us.epil, %B806.us.us.us.us.us.epil.us.us.epil ], [ 0.000000e+00, %B738.us282.us.us.us.us.us.us.epil ]
  %.513.us.us.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv231.us.us.epil to ptr
  %.514.us.us.us.us.us.epil.us.us.epil = load float, ptr %.513.us.us.us.us.us.epil.us.us.epil, align 4
  %.524.us.us.us.us.us.epil.us.us.epil = inttoptr i64 %lsr.iv229.us.us.epil to ptr
  %.525.us.us.us.us.us.epil.us.us.epil = load float, ptr %.524.us.us.us.us.us.epil.us.us.epil, align 4
  %.526.us.us.us.us.us.epil.us.us.epil = fmul float %.514.us.us.us.us.us.epil.us.us.epil, %.525.us.us.us.us.us.epil.us.us.epil
  %.528.us.us.us.us.us.epil.us.us.epil = fadd float %total.2.2228.us.us.us.us.us.epil.us.us.epil, %.526.us.us.us.us.us.epil.us.us.epil
  %lsr.iv.next230.us.us.epil = add i64 %lsr.iv229.us.us.epil, %factor.op.mul222
  %lsr.iv.next232.us.us.epil = add i64 %lsr.iv231.us.us.epil, %factor.op.mul220
  %lsr.iv.next234.us.us.epil = add nsw i64 %lsr.iv233.us.us.epil, -1
  %epil.iter112.cmp.not.us.us.epil = icmp eq i64 %lsr.iv.next234.us.us.epil, 0
  br i1 %epil.iter112.cmp.not.us.us.epil, label %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil, label %B806.us.us.us.us.us.epil.us.us.epil, !llvm.loop !58

B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil: ; preds = %B806.us.us.us.us.us.epil.us.us.epil
  %.352.us286.us.us.us.us.us.us.epil = add nuw nsw i64 %.345251269.us284.us.us.us.us.us.us.epil, 1
  %.540.us.us.us.us.us.us.us.epil = add nsw i64 %.345251269.us284.us.us.us.us.us.us.epil, %.538.us.us396.us.us
  %.543.us.us.us.us.us.us.us.epil = shl nsw i64 %.540.us.us.us.us.us.us.us.epil, 2
  %.545.us.us.us.us.us.us.us.epil = add nsw i64 %.543.us.us.us.us.us.us.us.epil, %arg.c
  %.559.us.us.us.us.us.us.us.epil = inttoptr i64 %.545.us.us.us.us.us.us.us.epil to ptr
  %.560.us.us.us.us.us.us.us.epil = load float, ptr %.559.us.us.us.us.us.us.us.epil, align 4
  %.561.us.us.us.us.us.us.us.epil = fmul float %.560.us.us.us.us.us.us.us.epil, %.557
  %.568.us.us.us.us.us.us.us.epil = fmul float %.528.us.us.us.us.us.epil.us.us.epil, %.566
  %.572.us.us.us.us.us.us.us.epil = fadd float %.568.us.us.us.us.us.us.us.epil, %.561.us.us.us.us.us.us.us.epil
  store float %.572.us.us.us.us.us.us.us.epil, ptr %.559.us.us.us.us.us.us.us.epil, align 4
  %lsr.iv.next222.us.us.epil = add i64 %lsr.iv221.us.us.epil, %factor.op.mul
  %epil.iter134.next = add i64 %epil.iter134, 1
  %epil.iter134.cmp.not = icmp eq i64 %epil.iter134.next, %xtraiter133
  br i1 %epil.iter134.cmp.not, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us, label %B738.us282.us.us.us.us.us.us.epil, !llvm.loop !59

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us: ; preds = %B804.B938_crit_edge.us.us.us.us.us.loopexit.us.us.epil, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us.unr-lcssa
  %.230.us.us393.us.us = add nuw nsw i64 %.223332346.us.us391.us.us, 1
  %lsr.iv.next226.us = add i64 %lsr.iv225.us, %factor.op.mul329
  %exitcond533.not.us = icmp eq i64 %arg.m, %.230.us.us393.us.us
  br i1 %exitcond533.not.us, label %B1442, label %B702.endif.us.us389.us.us

B702.endif.us.us389.us:                           ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split, %B702.endif.us.us389.us.preheader49
  %lsr.iv225 = phi i64 [ %lsr.iv.next226, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split ], [ %arg.a, %B702.endif.us.us389.us.preheader49 ]
  %.223332346.us.us391.us = phi i64 [ %.230.us.us393.us, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split ], [ 0, %B702.endif.us.us389.us.preheader49 ]
  %.538.us.us396.us = mul nsw i64 %.223332346.us.us391.us, %.46
  %289 = add i64 %lsr.iv225, %281
  br label %B738.us282.us.us.us.us

B738.us282.us.us.us.us:                           ; preds = %B804.B938_crit_edge.us.us.us.us.us, %B702.endif.us.us389.us
  %lsr.iv221 = phi i64 [ %lsr.iv.next222, %B804.B938_crit_edge.us.us.us.us.us ], [ %arg.b, %B702.endif.us.us389.us ]
  %.345251269.us284.us.us.us.us = phi i64 [ %.352.us286.us.us.us.us, %B804.B938_crit_edge.us.us.us.us.us ], [ 0, %B702.endif.us.us389.us ]
  %290 = icmp eq i64 %283, 0
  br i1 %290, label %B806.us.us.us.us.us.epil.preheader110, label %B806.us.us.us.us.us.preheader

B806.us.us.us.us.us.preheader:                    ; preds = %B738.us282.us.us.us.us
  br label %B806.us.us.us.us.us

B806.us.us.us.us.us:                              ; preds = %B806.us.us.us.us.us, %B806.us.us.us.us.us.preheader
  %lsr.iv154 = phi i64 [ %286, %B806.us.us.us.us.us.preheader ], [ %lsr.iv.next155, %B806.us.us.us.us.us ]
  %lsr.iv227 = phi i64 [ %353, %B806.us.us.us.us.us ], [ %lsr.iv225, %B806.us.us.us.us.us.preheader ]
  %lsr.iv223 = phi i64 [ %354, %B806.us.us.us.us.us ], [ %lsr.iv221, %B806.us.us.us.us.us.preheader ]
  %total.2.2228.us.us.us.us.us = phi float [ %.528.us.us.us.us.us.7.1, %B806.us.us.us.us.us ], [ 0.000000e+00, %B806.us.us.us.us.us.preheader ]
  %.513.us.us.us.us.us = inttoptr i64 %lsr.iv227 to ptr
  %.514.us.us.us.us.us = load float, ptr %.513.us.us.us.us.us, align 4
  %.524.us.us.us.us.us = inttoptr i64 %lsr.iv223 to ptr
  %.525.us.us.us.us.us = load float, ptr %.524.us.us.us.us.us, align 4
  %.526.us.us.us.us.us = fmul float %.514.us.us.us.us.us, %.525.us.us.us.us.us
  %.528.us.us.us.us.us = fadd float %total.2.2228.us.us.us.us.us, %.526.us.us.us.us.us
  %291 = add i64 %lsr.iv227, %factor.op.mul220
  %292 = add i64 %factor.op.mul220, %lsr.iv227
  %.513.us.us.us.us.us.1 = inttoptr i64 %292 to ptr
  %.514.us.us.us.us.us.1 = load float, ptr %.513.us.us.us.us.us.1, align 4
  %293 = add i64 %lsr.iv223, %factor.op.mul222
  %294 = add i64 %factor.op.mul222, %lsr.iv223
  %.524.us.us.us.us.us.1 = inttoptr i64 %294 to ptr
  %.525.us.us.us.us.us.1 = load float, ptr %.524.us.us.us.us.us.1, align 4
  %.526.us.us.us.us.us.1 = fmul float %.514.us.us.us.us.us.1, %.525.us.us.us.us.us.1
  %.528.us.us.us.us.us.1 = fadd float %.528.us.us.us.us.us, %.526.us.us.us.us.us.1
  %295 = add i64 %291, %factor.op.mul220
  %296 = add i64 %factor.op.mul220, %292
  %.513.us.us.us.us.us.2 = inttoptr i64 %296 to ptr
  %.514.us.us.us.us.us.2 = load float, ptr %.513.us.us.us.us.us.2, align 4
  %297 = add i64 %293, %factor.op.mul222
  %298 = add i64 %factor.op.mul222, %294
  %.524.us.us.us.us.us.2 = inttoptr i64 %298 to ptr
  %.525.us.us.us.us.us.2 = load float, ptr %.524.us.us.us.us.us.2, align 4
  %.526.us.us.us.us.us.2 = fmul float %.514.us.us.us.us.us.2, %.525.us.us.us.us.us.2
  %.528.us.us.us.us.us.2 = fadd float %.528.us.us.us.us.us.1, %.526.us.us.us.us.us.2
  %299 = add i64 %295, %factor.op.mul220
  %300 = add i64 %factor.op.mul220, %296
  %.513.us.us.us.us.us.3 = inttoptr i64 %300 to ptr
  %.514.us.us.us.us.us.3 = load float, ptr %.513.us.us.us.us.us.3, align 4
  %301 = add i64 %297, %factor.op.mul222
  %302 = add i64 %factor.op.mul222, %298
  %.524.us.us.us.us.us.3 = inttoptr i64 %302 to ptr
  %.525.us.us.us.us.us.3 = load float, ptr %.524.us.us.us.us.us.3, align 4
  %.526.us.us.us.us.us.3 = fmul float %.514.us.us.us.us.us.3, %.525.us.us.us.us.us.3
  %.528.us.us.us.us.us.3 = fadd float %.528.us.us.us.us.us.2, %.526.us.us.us.us.us.3
  %303 = add i64 %299, %factor.op.mul220
  %304 = add i64 %factor.op.mul220, %300
  %.513.us.us.us.us.us.4 = inttoptr i64 %304 to ptr
  %.514.us.us.us.us.us.4 = load float, ptr %.513.us.us.us.us.us.4, align 4
  %305 = add i64 %301, %factor.op.mul222
  %306 = add i64 %factor.op.mul222, %302
  %.524.us.us.us.us.us.4 = inttoptr i64 %306 to ptr
  %.525.us.us.us.us.us.4 = load float, ptr %.524.us.us.us.us.us.4, align 4
  %.526.us.us.us.us.us.4 = fmul float %.514.us.us.us.us.us.4, %.525.us.us.us.us.us.4
  %.528.us.us.us.us.us.4 = fadd float %.528.us.us.us.us.us.3, %.526.us.us.us.us.us.4
  %307 = add i64 %303, %factor.op.mul220
  %308 = add i64 %factor.op.mul220, %304
  %.513.us.us.us.us.us.5 = inttoptr i64 %308 to ptr
  %.514.us.us.us.us.us.5 = load float, ptr %.513.us.us.us.us.us.5, align 4
  %309 = add i64 %305, %factor.op.mul222
  %310 = add i64 %factor.op.mul222, %306
  %.524.us.us.us.us.us.5 = inttoptr i64 %310 to ptr
  %.525.us.us.us.us.us.5 = load float, ptr %.524.us.us.us.us.us.5, align 4
  %.526.us.us.us.us.us.5 = fmul float %.514.us.us.us.us.us.5, %.525.us.us.us.us.us.5
  %.528.us.us.us.us.us.5 = fadd float %.528.us.us.us.us.us.4, %.526.us.us.us.us.us.5
  %311 = add i64 %307, %factor.op.mul220
  %312 = add i64 %factor.op.mul220, %308
  %.513.us.us.us.us.us.6 = inttoptr i64 %312 to ptr
  %.514.us.us.us.us.us.6 = load float, ptr %.513.us.us.us.us.us.6, align 4
  %313 = add i64 %309, %factor.op.mul222
  %314 = add i64 %factor.op.mul222, %310
  %.524.us.us.us.us.us.6 = inttoptr i64 %314 to ptr
  %.525.us.us.us.us.us.6 = load float, ptr %.524.us.us.us.us.us.6, align 4
  %.526.us.us.us.us.us.6 = fmul float %.514.us.us.us.us.us.6, %.525.us.us.us.us.us.6
  %.528.us.us.us.us.us.6 = fadd float %.528.us.us.us.us.us.5, %.526.us.us.us.us.us.6
  %315 = add i64 %311, %factor.op.mul220
  %316 = add i64 %factor.op.mul220, %312
  %.513.us.us.us.us.us.7 = inttoptr i64 %316 to ptr
  %.514.us.us.us.us.us.7 = load float, ptr %.513.us.us.us.us.us.7, align 4
  %317 = add i64 %313, %factor.op.mul222
  %318 = add i64 %factor.op.mul222, %314
  %.524.us.us.us.us.us.7 = inttoptr i64 %318 to ptr
  %.525.us.us.us.us.us.7 = load float, ptr %.524.us.us.us.us.us.7, align 4
  %.526.us.us.us.us.us.7 = fmul float %.514.us.us.us.us.us.7, %.525.us.us.us.us.us.7
  %.528.us.us.us.us.us.7 = fadd float %.528.us.us.us.us.us.6, %.526.us.us.us.us.us.7
  %319 = add i64 %315, %factor.op.mul220
  %320 = add i64 %factor.op.mul220, %316
  %.513.us.us.us.us.us.1127 = inttoptr i64 %320 to ptr
  %.514.us.us.us.us.us.1128 = load float, ptr %.513.us.us.us.us.us.1127, align 4
  %321 = add i64 %317, %factor.op.mul222
  %322 = add i64 %factor.op.mul222, %318
  %.524.us.us.us.us.us.1129 = inttoptr i64 %322 to ptr
  %.525.us.us.us.us.us.1130 = load float, ptr %.524.us.us.us.us.us.1129, align 4
  %.526.us.us.us.us.us.1131 = fmul float %.514.us.us.us.us.us.1128, %.525.us.us.us.us.us.1130
  %.528.us.us.us.us.us.1132 = fadd float %.528.us.us.us.us.us.7, %.526.us.us.us.us.us.1131
  %323 = add i64 %319, %factor.op.mul220
  %324 = add i64 %factor.op.mul220, %320
  %.513.us.us.us.us.us.1.1 = inttoptr i64 %324 to ptr
  %.514.us.us.us.us.us.1.1 = load float, ptr %.513.us.us.us.us.us.1.1, align 4
  %325 = add i64 %321, %factor.op.mul222
  %326 = add i64 %factor.op.mul222, %322
  %.524.us.us.us.us.us.1.1 = inttoptr i64 %326 to ptr
  %.525.us.us.us.us.us.1.1 = load float, ptr %.524.us.us.us.us.us.1.1, align 4
  %.526.us.us.us.us.us.1.1 = fmul float %.514.us.us.us.us.us.1.1, %.525.us.us.us.us.us.1.1
  %.528.us.us.us.us.us.1.1 = fadd float %.528.us.us.us.us.us.1132, %.526.us.us.us.us.us.1.1
  %327 = add i64 %323, %factor.op.mul220
  %328 = add i64 %factor.op.mul220, %324
  %.513.us.us.us.us.us.2.1 = inttoptr i64 %328 to ptr
  %.514.us.us.us.us.us.2.1 = load float, ptr %.513.us.us.us.us.us.2.1, align 4
  %329 = add i64 %325, %factor.op.mul222
  %330 = add i64 %factor.op.mul222, %326
  %.524.us.us.us.us.us.2.1 = inttoptr i64 %330 to ptr
  %.525.us.us.us.us.us.2.1 = load float, ptr %.524.us.us.us.us.us.2.1, align 4
  %.526.us.us.us.us.us.2.1 = fmul float %.514.us.us.us.us.us.2.1, %.525.us.us.us.us.us.2.1
  %.528.us.us.us.us.us.2.1 = fadd float %.528.us.us.us.us.us.1.1, %.526.us.us.us.us.us.2.1
  %331 = add i64 %327, %factor.op.mul220
  %332 = add i64 %factor.op.mul220, %328
  %.513.us.us.us.us.us.3.1 = inttoptr i64 %332 to ptr
  %.514.us.us.us.us.us.3.1 = load float, ptr %.513.us.us.us.us.us.3.1, align 4
  %333 = add i64 %329, %factor.op.mul222
  %334 = add i64 %factor.op.mul222, %330
  %.524.us.us.us.us.us.3.1 = inttoptr i64 %334 to ptr
  %.525.us.us.us.us.us.3.1 = load float, ptr %.524.us.us.us.us.us.3.1, align 4
  %.526.us.us.us.us.us.3.1 = fmul float %.514.us.us.us.us.us.3.1, %.525.us.us.us.us.us.3.1
  %.528.us.us.us.us.us.3.1 = fadd float %.528.us.us.us.us.us.2.1, %.526.us.us.us.us.us.3.1
  %335 = add i64 %331, %factor.op.mul220
  %336 = add i64 %factor.op.mul220, %332
  %.513.us.us.us.us.us.4.1 = inttoptr i64 %336 to ptr
  %.514.us.us.us.us.us.4.1 = load float, ptr %.513.us.us.us.us.us.4.1, align 4
  %337 = add i64 %333, %factor.op.mul222
  %338 = add i64 %factor.op.mul222, %334
  %.524.us.us.us.us.us.4.1 = inttoptr i64 %338 to ptr
  %.525.us.us.us.us.us.4.1 = load float, ptr %.524.us.us.us.us.us.4.1, align 4
  %.526.us.us.us.us.us.4.1 = fmul float %.514.us.us.us.us.us.4.1, %.525.us.us.us.us.us.4.1
  %.528.us.us.us.us.us.4.1 = fadd float %.528.us.us.us.us.us.3.1, %.526.us.us.us.us.us.4.1
  %339 = add i64 %335, %factor.op.mul220
  %340 = add i64 %factor.op.mul220, %336
  %.513.us.us.us.us.us.5.1 = inttoptr i64 %340 to ptr
  %.514.us.us.us.us.us.5.1 = load float, ptr %.513.us.us.us.us.us.5.1, align 4
  %341 = add i64 %337, %factor.op.mul222
  %342 = add i64 %factor.op.mul222, %338
  %.524.us.us.us.us.us.5.1 = inttoptr i64 %342 to ptr
  %.525.us.us.us.us.us.5.1 = load float, ptr %.524.us.us.us.us.us.5.1, align 4
  %.526.us.us.us.us.us.5.1 = fmul float %.514.us.us.us.us.us.5.1, %.525.us.us.us.us.us.5.1
  %.528.us.us.us.us.us.5.1 = fadd float %.528.us.us.us.us.us.4.1, %.526.us.us.us.us.us.5.1
  %343 = add i64 %339, %factor.op.mul220
  %344 = add i64 %factor.op.mul220, %340
  %.513.us.us.us.us.us.6.1 = inttoptr i64 %344 to ptr
  %.514.us.us.us.us.us.6.1 = load float, ptr %.513.us.us.us.us.us.6.1, align 4
  %345 = add i64 %341, %factor.op.mul222
  %346 = add i64 %factor.op.mul222, %342
  %.524.us.us.us.us.us.6.1 = inttoptr i64 %346 to ptr
  %.525.us.us.us.us.us.6.1 = load float, ptr %.524.us.us.us.us.us.6.1, align 4
  %.526.us.us.us.us.us.6.1 = fmul float %.514.us.us.us.us.us.6.1, %.525.us.us.us.us.us.6.1
  %.528.us.us.us.us.us.6.1 = fadd float %.528.us.us.us.us.us.5.1, %.526.us.us.us.us.us.6.1
  %347 = add i64 %343, %factor.op.mul220
  %348 = add i64 %factor.op.mul220, %344
  %.513.us.us.us.us.us.7.1 = inttoptr i64 %348 to ptr
  %.514.us.us.us.us.us.7.1 = load float, ptr %.513.us.us.us.us.us.7.1, align 4
  %349 = add i64 %345, %factor.op.mul222
  %350 = add i64 %factor.op.mul222, %346
  %.524.us.us.us.us.us.7.1 = inttoptr i64 %350 to ptr
  %.525.us.us.us.us.us.7.1 = load float, ptr %.524.us.us.us.us.us.7.1, align 4
  %.526.us.us.us.us.us.7.1 = fmul float %.514.us.us.us.us.us.7.1, %.525.us.us.us.us.us.7.1
  %.528.us.us.us.us.us.7.1 = fadd float %.528.us.us.us.us.us.6.1, %.526.us.us.us.us.us.7.1
  %351 = add i64 %347, %factor.op.mul220
  %352 = add i64 %349, %factor.op.mul222
  %lsr.iv.next155 = add i64 %lsr.iv154, -2
  %niter126.ncmp.1 = icmp eq i64 %lsr.iv.next155, 0
  %353 = add i64 %factor.op.mul220, %348
  %354 = add i64 %factor.op.mul222, %350
  br i1 %niter126.ncmp.1, label %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa, label %B806.us.us.us.us.us

B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa: ; preds = %B806.us.us.us.us.us
  %355 = and i64 %282, 8
  %356 = icmp eq i64 %355, 0
  br i1 %356, label %B806.us.us.us.us.us.epil.preheader110, label %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa

B806.us.us.us.us.us.epil.preheader110:            ; preds = %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa, %B738.us282.us.us.us.us
  %lsr.iv227.epil.init = phi i64 [ %lsr.iv225, %B738.us282.us.us.us.us ], [ %351, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %lsr.iv223.epil.init = phi i64 [ %lsr.iv221, %B738.us282.us.us.us.us ], [ %352, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %total.2.2228.us.us.us.us.us.epil.init = phi float [ 0.000000e+00, %B738.us282.us.us.us.us ], [ %.528.us.us.us.us.us.7.1, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ]
  %.513.us.us.us.us.us.epil115 = inttoptr i64 %lsr.iv227.epil.init to ptr
  %.514.us.us.us.us.us.epil116 = load float, ptr %.513.us.us.us.us.us.epil115, align 4
  %.524.us.us.us.us.us.epil117 = inttoptr i64 %lsr.iv223.epil.init to ptr
  %.525.us.us.us.us.us.epil118 = load float, ptr %.524.us.us.us.us.us.epil117, align 4
  %.526.us.us.us.us.us.epil119 = fmul float %.514.us.us.us.us.us.epil116, %.525.us.us.us.us.us.epil118
  %.528.us.us.us.us.us.epil120 = fadd float %total.2.2228.us.us.us.us.us.epil.init, %.526.us.us.us.us.us.epil119
  %357 = add i64 %lsr.iv227.epil.init, %factor.op.mul220
  %.513.us.us.us.us.us.1.epil = inttoptr i64 %357 to ptr
  %.514.us.us.us.us.us.1.epil = load float, ptr %.513.us.us.us.us.us.1.epil, align 4
  %358 = add i64 %lsr.iv223.epil.init, %factor.op.mul222
  %.524.us.us.us.us.us.1.epil = inttoptr i64 %358 to ptr
  %.525.us.us.us.us.us.1.epil = load float, ptr %.524.us.us.us.us.us.1.epil, align 4
  %.526.us.us.us.us.us.1.epil = fmul float %.514.us.us.us.us.us.1.epil, %.525.us.us.us.us.us.1.epil
  %.528.us.us.us.us.us.1.epil = fadd float %.528.us.us.us.us.us.epil120, %.526.us.us.us.us.us.1.epil
  %359 = add i64 %357, %factor.op.mul220
  %.513.us.us.us.us.us.2.epil = inttoptr i64 %359 to ptr
  %.514.us.us.us.us.us.2.epil = load float, ptr %.513.us.us.us.us.us.2.epil, align 4
  %360 = add i64 %358, %factor.op.mul222
  %.524.us.us.us.us.us.2.epil = inttoptr i64 %360 to ptr
  %.525.us.us.us.us.us.2.epil = load float, ptr %.524.us.us.us.us.us.2.epil, align 4
  %.526.us.us.us.us.us.2.epil = fmul float %.514.us.us.us.us.us.2.epil, %.525.us.us.us.us.us.2.epil
  %.528.us.us.us.us.us.2.epil = fadd float %.528.us.us.us.us.us.1.epil, %.526.us.us.us.us.us.2.epil
  %361 = add i64 %359, %factor.op.mul220
  %.513.us.us.us.us.us.3.epil = inttoptr i64 %361 to ptr
  %.514.us.us.us.us.us.3.epil = load float, ptr %.513.us.us.us.us.us.3.epil, align 4
  %362 = add i64 %360, %factor.op.mul222
  %.524.us.us.us.us.us.3.epil = inttoptr i64 %362 to ptr
  %.525.us.us.us.us.us.3.epil = load float, ptr %.524.us.us.us.us.us.3.epil, align 4
  %.526.us.us.us.us.us.3.epil = fmul float %.514.us.us.us.us.us.3.epil, %.525.us.us.us.us.us.3.epil
  %.528.us.us.us.us.us.3.epil = fadd float %.528.us.us.us.us.us.2.epil, %.526.us.us.us.us.us.3.epil
  %363 = add i64 %361, %factor.op.mul220
  %.513.us.us.us.us.us.4.epil = inttoptr i64 %363 to ptr
  %.514.us.us.us.us.us.4.epil = load float, ptr %.513.us.us.us.us.us.4.epil, align 4
  %364 = add i64 %362, %factor.op.mul222
  %.524.us.us.us.us.us.4.epil = inttoptr i64 %364 to ptr
  %.525.us.us.us.us.us.4.epil = load float, ptr %.524.us.us.us.us.us.4.epil, align 4
  %.526.us.us.us.us.us.4.epil = fmul float %.514.us.us.us.us.us.4.epil, %.525.us.us.us.us.us.4.epil
  %.528.us.us.us.us.us.4.epil = fadd float %.528.us.us.us.us.us.3.epil, %.526.us.us.us.us.us.4.epil
  %365 = add i64 %363, %factor.op.mul220
  %.513.us.us.us.us.us.5.epil = inttoptr i64 %365 to ptr
  %.514.us.us.us.us.us.5.epil = load float, ptr %.513.us.us.us.us.us.5.epil, align 4
  %366 = add i64 %364, %factor.op.mul222
  %.524.us.us.us.us.us.5.epil = inttoptr i64 %366 to ptr
  %.525.us.us.us.us.us.5.epil = load float, ptr %.524.us.us.us.us.us.5.epil, align 4
  %.526.us.us.us.us.us.5.epil = fmul float %.514.us.us.us.us.us.5.epil, %.525.us.us.us.us.us.5.epil
  %.528.us.us.us.us.us.5.epil = fadd float %.528.us.us.us.us.us.4.epil, %.526.us.us.us.us.us.5.epil
  %367 = add i64 %365, %factor.op.mul220
  %.513.us.us.us.us.us.6.epil = inttoptr i64 %367 to ptr
  %.514.us.us.us.us.us.6.epil = load float, ptr %.513.us.us.us.us.us.6.epil, align 4
  %368 = add i64 %366, %factor.op.mul222
  %.524.us.us.us.us.us.6.epil = inttoptr i64 %368 to ptr
  %.525.us.us.us.us.us.6.epil = load float, ptr %.524.us.us.us.us.us.6.epil, align 4
  %.526.us.us.us.us.us.6.epil = fmul float %.514.us.us.us.us.us.6.epil, %.525.us.us.us.us.us.6.epil
  %.528.us.us.us.us.us.6.epil = fadd float %.528.us.us.us.us.us.5.epil, %.526.us.us.us.us.us.6.epil
  %369 = add i64 %367, %factor.op.mul220
  %.513.us.us.us.us.us.7.epil = inttoptr i64 %369 to ptr
  %.514.us.us.us.us.us.7.epil = load float, ptr %.513.us.us.us.us.us.7.epil, align 4
  %370 = add i64 %368, %factor.op.mul222
  %.524.us.us.us.us.us.7.epil = inttoptr i64 %370 to ptr
  %.525.us.us.us.us.us.7.epil = load float, ptr %.524.us.us.us.us.us.7.epil, align 4
  %.526.us.us.us.us.us.7.epil = fmul float %.514.us.us.us.us.us.7.epil, %.525.us.us.us.us.us.7.epil
  %.528.us.us.us.us.us.7.epil = fadd float %.528.us.us.us.us.us.6.epil, %.526.us.us.us.us.us.7.epil
  br label %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa

B804.B938_crit_edge.us.us.us.us.us.unr-lcssa:     ; preds = %B806.us.us.us.us.us.epil.preheader110, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa
  %.528.us.us.us.us.us.7.lcssa = phi float [ %.528.us.us.us.us.us.7.1, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa.unr-lcssa ], [ %.528.us.us.us.us.us.7.epil, %B806.us.us.us.us.us.epil.preheader110 ]
  %371 = icmp eq i64 %xtraiter111, 0
  br i1 %371, label %B804.B938_crit_edge.us.us.us.us.us, label %B806.us.us.us.us.us.epil.preheader

B806.us.us.us.us.us.epil.preheader:               ; preds = %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa
  %372 = add i64 %lsr.iv221, %280
  br label %B806.us.us.us.us.us.epil

B806.us.us.us.us.us.epil:                         ; preds = %B806.us.us.us.us.us.epil, %B806.us.us.us.us.us.epil.preheader
  %lsr.iv233 = phi i64 [ %lsr.iv.next234, %B806.us.us.us.us.us.epil ], [ %xtraiter111, %B806.us.us.us.us.us.epil.preheader ]
  %lsr.iv231 = phi i64 [ %lsr.iv.next232, %B806.us.us.us.us.us.epil ], [ %289, %B806.us.us.us.us.us.epil.preheader ]
  %lsr.iv229 = phi i64 [ %lsr.iv.next230, %B806.us.us.us.us.us.epil ], [ %372, %B806.us.us.us.us.us.epil.preheader ]
  %total.2.2228.us.us.us.us.us.epil = phi float [ %.528.us.us.us.us.us.epil, %B806.us.us.us.us.us.epil ], [ %.528.us.us.us.us.us.7.lcssa, %B806.us.us.us.us.us.epil.preheader ]
  %.513.us.us.us.us.us.epil = inttoptr i64 %lsr.iv231 to ptr
  %.514.us.us.us.us.us.epil = load float, ptr %.513.us.us.us.us.us.epil, align 4
  %.524.us.us.us.us.us.epil = inttoptr i64 %lsr.iv229 to ptr
  %.525.us.us.us.us.us.epil = load float, ptr %.524.us.us.us.us.us.epil, align 4
  %.526.us.us.us.us.us.epil = fmul float %.514.us.us.us.us.us.epil, %.525.us.us.us.us.us.epil
  %.528.us.us.us.us.us.epil = fadd float %total.2.2228.us.us.us.us.us.epil, %.526.us.us.us.us.us.epil
  %lsr.iv.next230 = add i64 %lsr.iv229, %factor.op.mul222
  %lsr.iv.next232 = add i64 %lsr.iv231, %factor.op.mul220
  %lsr.iv.next234 = add nsw i64 %lsr.iv233, -1
  %epil.iter112.cmp.not = icmp eq i64 %lsr.iv.next234, 0
  br i1 %epil.iter112.cmp.not, label %B804.B938_crit_edge.us.us.us.us.us, label %B806.us.us.us.us.us.epil, !llvm.loop !58

B804.B938_crit_edge.us.us.us.us.us:               ; preds = %B806.us.us.us.us.us.epil, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa
  %.528.us.us.us.us.us.lcssa = phi float [ %.528.us.us.us.us.us.7.lcssa, %B804.B938_crit_edge.us.us.us.us.us.unr-lcssa ], [ %.528.us.us.us.us.us.epil, %B806.us.us.us.us.us.epil ]
  %.352.us286.us.us.us.us = add nuw nsw i64 %.345251269.us284.us.us.us.us, 1
  %.540.us.us.us.us.us = add nsw i64 %.345251269.us284.us.us.us.us, %.538.us.us396.us
  %.543.us.us.us.us.us = shl nsw i64 %.540.us.us.us.us.us, 2
  %.545.us.us.us.us.us = add nsw i64 %.543.us.us.us.us.us, %arg.c
  %.559.us.us.us.us.us = inttoptr i64 %.545.us.us.us.us.us to ptr
  %.560.us.us.us.us.us = load float, ptr %.559.us.us.us.us.us, align 4
  %.561.us.us.us.us.us = fmul float %.560.us.us.us.us.us, %.557
  %.568.us.us.us.us.us = fmul float %.528.us.us.us.us.us.lcssa, %.566
  %.572.us.us.us.us.us = fadd float %.568.us.us.us.us.us, %.561.us.us.us.us.us
  store float %.572.us.us.us.us.us, ptr %.559.us.us.us.us.us, align 4
  %lsr.iv.next222 = add i64 %lsr.iv221, %factor.op.mul
  %exitcond532.not = icmp eq i64 %arg.n, %.352.us286.us.us.us.us
  br i1 %exitcond532.not, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split, label %B738.us282.us.us.us.us

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split: ; preds = %B804.B938_crit_edge.us.us.us.us.us
  %.230.us.us393.us = add nuw nsw i64 %.223332346.us.us391.us, 1
  %lsr.iv.next226 = add i64 %lsr.iv225, %factor.op.mul329
  %exitcond533.not = icmp eq i64 %arg.m, %.230.us.us393.us
  br i1 %exitcond533.not, label %B1442, label %B702.endif.us.us389.us

B702.endif.us.us389:                              ; preds = %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split, %B702.endif.us.us389.preheader52
  %lsr.iv239 = phi i64 [ %lsr.iv.next240, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split ], [ %arg.a, %B702.endif.us.us389.preheader52 ]
  %.223332346.us.us391 = phi i64 [ %.230.us.us393, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split ], [ 0, %B702.endif.us.us389.preheader52 ]
  %.538.us.us396 = mul nsw i64 %.223332346.us.us391, %.46
  %373 = add i64 %lsr.iv239, %271
  br label %B738.us282.us.us

B738.us282.us.us:                                 ; preds = %B804.B938_crit_edge.us.us.us, %B702.endif.us.us389
  %lsr.iv235 = phi i64 [ %lsr.iv.next236, %B804.B938_crit_edge.us.us.us ], [ %arg.b, %B702.endif.us.us389 ]
  %.345251269.us284.us.us = phi i64 [ %.352.us286.us.us, %B804.B938_crit_edge.us.us.us ], [ 0, %B702.endif.us.us389 ]
  %374 = icmp eq i64 %273, 0
  br i1 %374, label %B806.us.us.us.epil.preheader88, label %B806.us.us.us.preheader

B806.us.us.us.preheader:                          ; preds = %B738.us282.us.us
  br label %B806.us.us.us

B806.us.us.us:                                    ; preds = %B806.us.us.us, %B806.us.us.us.preheader
  %lsr.iv158 = phi i64 [ %276, %B806.us.us.us.preheader ], [ %lsr.iv.next159, %B806.us.us.us ]
  %lsr.iv241 = phi i64 [ %437, %B806.us.us.us ], [ %lsr.iv239, %B806.us.us.us.preheader ]
  %lsr.iv237 = phi i64 [ %438, %B806.us.us.us ], [ %lsr.iv235, %B806.us.us.us.preheader ]
  %total.2.2228.us.us.us = phi float [ %.528.us.us.us.7.1, %B806.us.us.us ], [ 0.000000e+00, %B806.us.us.us.preheader ]
  %.513.us.us.us = inttoptr i64 %lsr.iv241 to ptr
  %.514.us.us.us = load float, ptr %.513.us.us.us, align 4
  %.524.us.us.us = inttoptr i64 %lsr.iv237 to ptr
  %.525.us.us.us = load float, ptr %.524.us.us.us, align 4
  %.526.us.us.us = fmul float %.514.us.us.us, %.525.us.us.us
  %.528.us.us.us = fadd float %total.2.2228.us.us.us, %.526.us.us.us
  %375 = add i64 %lsr.iv241, %factor.op.mul220
  %376 = add i64 %factor.op.mul220, %lsr.iv241
  %.513.us.us.us.1 = inttoptr i64 %376 to ptr
  %.514.us.us.us.1 = load float, ptr %.513.us.us.us.1, align 4
  %377 = add i64 %lsr.iv237, %factor.op.mul222
  %378 = add i64 %factor.op.mul222, %lsr.iv237
  %.524.us.us.us.1 = inttoptr i64 %378 to ptr
  %.525.us.us.us.1 = load float, ptr %.524.us.us.us.1, align 4
  %.526.us.us.us.1 = fmul float %.514.us.us.us.1, %.525.us.us.us.1
  %.528.us.us.us.1 = fadd float %.528.us.us.us, %.526.us.us.us.1
  %379 = add i64 %375, %factor.op.mul220
  %380 = add i64 %factor.op.mul220, %376
  %.513.us.us.us.2 = inttoptr i64 %380 to ptr
  %.514.us.us.us.2 = load float, ptr %.513.us.us.us.2, align 4
  %381 = add i64 %377, %factor.op.mul222
  %382 = add i64 %factor.op.mul222, %378
  %.524.us.us.us.2 = inttoptr i64 %382 to ptr
  %.525.us.us.us.2 = load float, ptr %.524.us.us.us.2, align 4
  %.526.us.us.us.2 = fmul float %.514.us.us.us.2, %.525.us.us.us.2
  %.528.us.us.us.2 = fadd float %.528.us.us.us.1, %.526.us.us.us.2
  %383 = add i64 %379, %factor.op.mul220
  %384 = add i64 %factor.op.mul220, %380
  %.513.us.us.us.3 = inttoptr i64 %384 to ptr
  %.514.us.us.us.3 = load float, ptr %.513.us.us.us.3, align 4
  %385 = add i64 %381, %factor.op.mul222
  %386 = add i64 %factor.op.mul222, %382
  %.524.us.us.us.3 = inttoptr i64 %386 to ptr
  %.525.us.us.us.3 = load float, ptr %.524.us.us.us.3, align 4
  %.526.us.us.us.3 = fmul float %.514.us.us.us.3, %.525.us.us.us.3
  %.528.us.us.us.3 = fadd float %.528.us.us.us.2, %.526.us.us.us.3
  %387 = add i64 %383, %factor.op.mul220
  %388 = add i64 %factor.op.mul220, %384
  %.513.us.us.us.4 = inttoptr i64 %388 to ptr
  %.514.us.us.us.4 = load float, ptr %.513.us.us.us.4, align 4
  %389 = add i64 %385, %factor.op.mul222
  %390 = add i64 %factor.op.mul222, %386
  %.524.us.us.us.4 = inttoptr i64 %390 to ptr
  %.525.us.us.us.4 = load float, ptr %.524.us.us.us.4, align 4
  %.526.us.us.us.4 = fmul float %.514.us.us.us.4, %.525.us.us.us.4
  %.528.us.us.us.4 = fadd float %.528.us.us.us.3, %.526.us.us.us.4
  %391 = add i64 %387, %factor.op.mul220
  %392 = add i64 %factor.op.mul220, %388
  %.513.us.us.us.5 = inttoptr i64 %392 to ptr
  %.514.us.us.us.5 = load float, ptr %.513.us.us.us.5, align 4
  %393 = add i64 %389, %factor.op.mul222
  %394 = add i64 %factor.op.mul222, %390
  %.524.us.us.us.5 = inttoptr i64 %394 to ptr
  %.525.us.us.us.5 = load float, ptr %.524.us.us.us.5, align 4
  %.526.us.us.us.5 = fmul float %.514.us.us.us.5, %.525.us.us.us.5
  %.528.us.us.us.5 = fadd float %.528.us.us.us.4, %.526.us.us.us.5
  %395 = add i64 %391, %factor.op.mul220
  %396 = add i64 %factor.op.mul220, %392
  %.513.us.us.us.6 = inttoptr i64 %396 to ptr
  %.514.us.us.us.6 = load float, ptr %.513.us.us.us.6, align 4
  %397 = add i64 %393, %factor.op.mul222
  %398 = add i64 %factor.op.mul222, %394
  %.524.us.us.us.6 = inttoptr i64 %398 to ptr
  %.525.us.us.us.6 = load float, ptr %.524.us.us.us.6, align 4
  %.526.us.us.us.6 = fmul float %.514.us.us.us.6, %.525.us.us.us.6
  %.528.us.us.us.6 = fadd float %.528.us.us.us.5, %.526.us.us.us.6
  %399 = add i64 %395, %factor.op.mul220
  %400 = add i64 %factor.op.mul220, %396
  %.513.us.us.us.7 = inttoptr i64 %400 to ptr
  %.514.us.us.us.7 = load float, ptr %.513.us.us.us.7, align 4
  %401 = add i64 %397, %factor.op.mul222
  %402 = add i64 %factor.op.mul222, %398
  %.524.us.us.us.7 = inttoptr i64 %402 to ptr
  %.525.us.us.us.7 = load float, ptr %.524.us.us.us.7, align 4
  %.526.us.us.us.7 = fmul float %.514.us.us.us.7, %.525.us.us.us.7
  %.528.us.us.us.7 = fadd float %.528.us.us.us.6, %.526.us.us.us.7
  %403 = add i64 %399, %factor.op.mul220
  %404 = add i64 %factor.op.mul220, %400
  %.513.us.us.us.199 = inttoptr i64 %404 to ptr
  %.514.us.us.us.1100 = load float, ptr %.513.us.us.us.199, align 4
  %405 = add i64 %401, %factor.op.mul222
  %406 = add i64 %factor.op.mul222, %402
  %.524.us.us.us.1101 = inttoptr i64 %406 to ptr
  %.525.us.us.us.1102 = load float, ptr %.524.us.us.us.1101, align 4
  %.526.us.us.us.1103 = fmul float %.514.us.us.us.1100, %.525.us.us.us.1102
  %.528.us.us.us.1104 = fadd float %.528.us.us.us.7, %.526.us.us.us.1103
  %407 = add i64 %403, %factor.op.mul220
  %408 = add i64 %factor.op.mul220, %404
  %.513.us.us.us.1.1 = inttoptr i64 %408 to ptr
  %.514.us.us.us.1.1 = load float, ptr %.513.us.us.us.1.1, align 4
  %409 = add i64 %405, %factor.op.mul222
  %410 = add i64 %factor.op.mul222, %406
  %.524.us.us.us.1.1 = inttoptr i64 %410 to ptr
  %.525.us.us.us.1.1 = load float, ptr %.524.us.us.us.1.1, align 4
  %.526.us.us.us.1.1 = fmul float %.514.us.us.us.1.1, %.525.us.us.us.1.1
  %.528.us.us.us.1.1 = fadd float %.528.us.us.us.1104, %.526.us.us.us.1.1
  %411 = add i64 %407, %factor.op.mul220
  %412 = add i64 %factor.op.mul220, %408
  %.513.us.us.us.2.1 = inttoptr i64 %412 to ptr
  %.514.us.us.us.2.1 = load float, ptr %.513.us.us.us.2.1, align 4
  %413 = add i64 %409, %factor.op.mul222
  %414 = add i64 %factor.op.mul222, %410
  %.524.us.us.us.2.1 = inttoptr i64 %414 to ptr
  %.525.us.us.us.2.1 = load float, ptr %.524.us.us.us.2.1, align 4
  %.526.us.us.us.2.1 = fmul float %.514.us.us.us.2.1, %.525.us.us.us.2.1
  %.528.us.us.us.2.1 = fadd float %.528.us.us.us.1.1, %.526.us.us.us.2.1
  %415 = add i64 %411, %factor.op.mul220
  %416 = add i64 %factor.op.mul220, %412
  %.513.us.us.us.3.1 = inttoptr i64 %416 to ptr
  %.514.us.us.us.3.1 = load float, ptr %.513.us.us.us.3.1, align 4
  %417 = add i64 %413, %factor.op.mul222
  %418 = add i64 %factor.op.mul222, %414
  %.524.us.us.us.3.1 = inttoptr i64 %418 to ptr
  %.525.us.us.us.3.1 = load float, ptr %.524.us.us.us.3.1, align 4
  %.526.us.us.us.3.1 = fmul float %.514.us.us.us.3.1, %.525.us.us.us.3.1
  %.528.us.us.us.3.1 = fadd float %.528.us.us.us.2.1, %.526.us.us.us.3.1
  %419 = add i64 %415, %factor.op.mul220
  %420 = add i64 %factor.op.mul220, %416
  %.513.us.us.us.4.1 = inttoptr i64 %420 to ptr
  %.514.us.us.us.4.1 = load float, ptr %.513.us.us.us.4.1, align 4
  %421 = add i64 %417, %factor.op.mul222
  %422 = add i64 %factor.op.mul222, %418
  %.524.us.us.us.4.1 = inttoptr i64 %422 to ptr
  %.525.us.us.us.4.1 = load float, ptr %.524.us.us.us.4.1, align 4
  %.526.us.us.us.4.1 = fmul float %.514.us.us.us.4.1, %.525.us.us.us.4.1
  %.528.us.us.us.4.1 = fadd float %.528.us.us.us.3.1, %.526.us.us.us.4.1
  %423 = add i64 %419, %factor.op.mul220
  %424 = add i64 %factor.op.mul220, %420
  %.513.us.us.us.5.1 = inttoptr i64 %424 to ptr
  %.514.us.us.us.5.1 = load float, ptr %.513.us.us.us.5.1, align 4
  %425 = add i64 %421, %factor.op.mul222
  %426 = add i64 %factor.op.mul222, %422
  %.524.us.us.us.5.1 = inttoptr i64 %426 to ptr
  %.525.us.us.us.5.1 = load float, ptr %.524.us.us.us.5.1, align 4
  %.526.us.us.us.5.1 = fmul float %.514.us.us.us.5.1, %.525.us.us.us.5.1
  %.528.us.us.us.5.1 = fadd float %.528.us.us.us.4.1, %.526.us.us.us.5.1
  %427 = add i64 %423, %factor.op.mul220
  %428 = add i64 %factor.op.mul220, %424
  %.513.us.us.us.6.1 = inttoptr i64 %428 to ptr
  %.514.us.us.us.6.1 = load float, ptr %.513.us.us.us.6.1, align 4
  %429 = add i64 %425, %factor.op.mul222
  %430 = add i64 %factor.op.mul222, %426
  %.524.us.us.us.6.1 = inttoptr i64 %430 to ptr
  %.525.us.us.us.6.1 = load float, ptr %.524.us.us.us.6.1, align 4
  %.526.us.us.us.6.1 = fmul float %.514.us.us.us.6.1, %.525.us.us.us.6.1
  %.528.us.us.us.6.1 = fadd float %.528.us.us.us.5.1, %.526.us.us.us.6.1
  %431 = add i64 %427, %factor.op.mul220
  %432 = add i64 %factor.op.mul220, %428
  %.513.us.us.us.7.1 = inttoptr i64 %432 to ptr
  %.514.us.us.us.7.1 = load float, ptr %.513.us.us.us.7.1, align 4
  %433 = add i64 %429, %factor.op.mul222
  %434 = add i64 %factor.op.mul222, %430
  %.524.us.us.us.7.1 = inttoptr i64 %434 to ptr
  %.525.us.us.us.7.1 = load float, ptr %.524.us.us.us.7.1, align 4
  %.526.us.us.us.7.1 = fmul float %.514.us.us.us.7.1, %.525.us.us.us.7.1
  %.528.us.us.us.7.1 = fadd float %.528.us.us.us.6.1, %.526.us.us.us.7.1
  %435 = add i64 %431, %factor.op.mul220
  %436 = add i64 %433, %factor.op.mul222
  %lsr.iv.next159 = add i64 %lsr.iv158, -2
  %niter.ncmp.1 = icmp eq i64 %lsr.iv.next159, 0
  %437 = add i64 %factor.op.mul220, %432
  %438 = add i64 %factor.op.mul222, %434
  br i1 %niter.ncmp.1, label %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa, label %B806.us.us.us

B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa: ; preds = %B806.us.us.us
  %439 = and i64 %272, 8
  %440 = icmp eq i64 %439, 0
  br i1 %440, label %B806.us.us.us.epil.preheader88, label %B804.B938_crit_edge.us.us.us.unr-lcssa

B806.us.us.us.epil.preheader88:                   ; preds = %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa, %B738.us282.us.us
  %lsr.iv241.epil.init = phi i64 [ %lsr.iv239, %B738.us282.us.us ], [ %435, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa ]
  %lsr.iv237.epil.init = phi i64 [ %lsr.iv235, %B738.us282.us.us ], [ %436, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa ]
  %total.2.2228.us.us.us.epil.init = phi float [ 0.000000e+00, %B738.us282.us.us ], [ %.528.us.us.us.7.1, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa ]
  %.513.us.us.us.epil91 = inttoptr i64 %lsr.iv241.epil.init to ptr
  %.514.us.us.us.epil92 = load float, ptr %.513.us.us.us.epil91, align 4
  %.524.us.us.us.epil93 = inttoptr i64 %lsr.iv237.epil.init to ptr
  %.525.us.us.us.epil94 = load float, ptr %.524.us.us.us.epil93, align 4
  %.526.us.us.us.epil95 = fmul float %.514.us.us.us.epil92, %.525.us.us.us.epil94
  %.528.us.us.us.epil96 = fadd float %total.2.2228.us.us.us.epil.init, %.526.us.us.us.epil95
  %441 = add i64 %lsr.iv241.epil.init, %factor.op.mul220
  %.513.us.us.us.1.epil = inttoptr i64 %441 to ptr
  %.514.us.us.us.1.epil = load float, ptr %.513.us.us.us.1.epil, align 4
  %442 = add i64 %lsr.iv237.epil.init, %factor.op.mul222
  %.524.us.us.us.1.epil = inttoptr i64 %442 to ptr
  %.525.us.us.us.1.epil = load float, ptr %.524.us.us.us.1.epil, align 4
  %.526.us.us.us.1.epil = fmul float %.514.us.us.us.1.epil, %.525.us.us.us.1.epil
  %.528.us.us.us.1.epil = fadd float %.528.us.us.us.epil96, %.526.us.us.us.1.epil
  %443 = add i64 %441, %factor.op.mul220
  %.513.us.us.us.2.epil = inttoptr i64 %443 to ptr
  %.514.us.us.us.2.epil = load float, ptr %.513.us.us.us.2.epil, align 4
  %444 = add i64 %442, %factor.op.mul222
  %.524.us.us.us.2.epil = inttoptr i64 %444 to ptr
  %.525.us.us.us.2.epil = load float, ptr %.524.us.us.us.2.epil, align 4
  %.526.us.us.us.2.epil = fmul float %.514.us.us.us.2.epil, %.525.us.us.us.2.epil
  %.528.us.us.us.2.epil = fadd float %.528.us.us.us.1.epil, %.526.us.us.us.2.epil
  %445 = add i64 %443, %factor.op.mul220
  %.513.us.us.us.3.epil = inttoptr i64 %445 to ptr
  %.514.us.us.us.3.epil = load float, ptr %.513.us.us.us.3.epil, align 4
  %446 = add i64 %444, %factor.op.mul222
  %.524.us.us.us.3.epil = inttoptr i64 %446 to ptr
  %.525.us.us.us.3.epil = load float, ptr %.524.us.us.us.3.epil, align 4
  %.526.us.us.us.3.epil = fmul float %.514.us.us.us.3.epil, %.525.us.us.us.3.epil
  %.528.us.us.us.3.epil = fadd float %.528.us.us.us.2.epil, %.526.us.us.us.3.epil
  %447 = add i64 %445, %factor.op.mul220
  %.513.us.us.us.4.epil = inttoptr i64 %447 to ptr
  %.514.us.us.us.4.epil = load float, ptr %.513.us.us.us.4.epil, align 4
  %448 = add i64 %446, %factor.op.mul222
  %.524.us.us.us.4.epil = inttoptr i64 %448 to ptr
  %.525.us.us.us.4.epil = load float, ptr %.524.us.us.us.4.epil, align 4
  %.526.us.us.us.4.epil = fmul float %.514.us.us.us.4.epil, %.525.us.us.us.4.epil
  %.528.us.us.us.4.epil = fadd float %.528.us.us.us.3.epil, %.526.us.us.us.4.epil
  %449 = add i64 %447, %factor.op.mul220
  %.513.us.us.us.5.epil = inttoptr i64 %449 to ptr
  %.514.us.us.us.5.epil = load float, ptr %.513.us.us.us.5.epil, align 4
  %450 = add i64 %448, %factor.op.mul222
  %.524.us.us.us.5.epil = inttoptr i64 %450 to ptr
  %.525.us.us.us.5.epil = load float, ptr %.524.us.us.us.5.epil, align 4
  %.526.us.us.us.5.epil = fmul float %.514.us.us.us.5.epil, %.525.us.us.us.5.epil
  %.528.us.us.us.5.epil = fadd float %.528.us.us.us.4.epil, %.526.us.us.us.5.epil
  %451 = add i64 %449, %factor.op.mul220
  %.513.us.us.us.6.epil = inttoptr i64 %451 to ptr
  %.514.us.us.us.6.epil = load float, ptr %.513.us.us.us.6.epil, align 4
  %452 = add i64 %450, %factor.op.mul222
  %.524.us.us.us.6.epil = inttoptr i64 %452 to ptr
  %.525.us.us.us.6.epil = load float, ptr %.524.us.us.us.6.epil, align 4
  %.526.us.us.us.6.epil = fmul float %.514.us.us.us.6.epil, %.525.us.us.us.6.epil
  %.528.us.us.us.6.epil = fadd float %.528.us.us.us.5.epil, %.526.us.us.us.6.epil
  %453 = add i64 %451, %factor.op.mul220
  %.513.us.us.us.7.epil = inttoptr i64 %453 to ptr
  %.514.us.us.us.7.epil = load float, ptr %.513.us.us.us.7.epil, align 4
  %454 = add i64 %452, %factor.op.mul222
  %.524.us.us.us.7.epil = inttoptr i64 %454 to ptr
  %.525.us.us.us.7.epil = load float, ptr %.524.us.us.us.7.epil, align 4
  %.526.us.us.us.7.epil = fmul float %.514.us.us.us.7.epil, %.525.us.us.us.7.epil
  %.528.us.us.us.7.epil = fadd float %.528.us.us.us.6.epil, %.526.us.us.us.7.epil
  br label %B804.B938_crit_edge.us.us.us.unr-lcssa

B804.B938_crit_edge.us.us.us.unr-lcssa:           ; preds = %B806.us.us.us.epil.preheader88, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa
  %.528.us.us.us.7.lcssa = phi float [ %.528.us.us.us.7.1, %B804.B938_crit_edge.us.us.us.unr-lcssa.unr-lcssa ], [ %.528.us.us.us.7.epil, %B806.us.us.us.epil.preheader88 ]
  %455 = icmp eq i64 %xtraiter111, 0
  br i1 %455, label %B804.B938_crit_edge.us.us.us, label %B806.us.us.us.epil.preheader

B806.us.us.us.epil.preheader:                     ; preds = %B804.B938_crit_edge.us.us.us.unr-lcssa
  %456 = add i64 %lsr.iv235, %270
  br label %B806.us.us.us.epil

B806.us.us.us.epil:                               ; preds = %B806.us.us.us.epil, %B806.us.us.us.epil.preheader
  %lsr.iv247 = phi i64 [ %lsr.iv.next248, %B806.us.us.us.epil ], [ %xtraiter111, %B806.us.us.us.epil.preheader ]
  %lsr.iv245 = phi i64 [ %lsr.iv.next246, %B806.us.us.us.epil ], [ %373, %B806.us.us.us.epil.preheader ]
  %lsr.iv243 = phi i64 [ %lsr.iv.next244, %B806.us.us.us.epil ], [ %456, %B806.us.us.us.epil.preheader ]
  %total.2.2228.us.us.us.epil = phi float [ %.528.us.us.us.epil, %B806.us.us.us.epil ], [ %.528.us.us.us.7.lcssa, %B806.us.us.us.epil.preheader ]
  %.513.us.us.us.epil = inttoptr i64 %lsr.iv245 to ptr
  %.514.us.us.us.epil = load float, ptr %.513.us.us.us.epil, align 4
  %.524.us.us.us.epil = inttoptr i64 %lsr.iv243 to ptr
  %.525.us.us.us.epil = load float, ptr %.524.us.us.us.epil, align 4
  %.526.us.us.us.epil = fmul float %.514.us.us.us.epil, %.525.us.us.us.epil
  %.528.us.us.us.epil = fadd float %total.2.2228.us.us.us.epil, %.526.us.us.us.epil
  %lsr.iv.next244 = add i64 %lsr.iv243, %factor.op.mul222
  %lsr.iv.next246 = add i64 %lsr.iv245, %factor.op.mul220
  %lsr.iv.next248 = add nsw i64 %lsr.iv247, -1
  %epil.iter.cmp.not = icmp eq i64 %lsr.iv.next248, 0
  br i1 %epil.iter.cmp.not, label %B804.B938_crit_edge.us.us.us, label %B806.us.us.us.epil, !llvm.loop !56

B804.B938_crit_edge.us.us.us:                     ; preds = %B806.us.us.us.epil, %B804.B938_crit_edge.us.us.us.unr-lcssa
  %.528.us.us.us.lcssa = phi float [ %.528.us.us.us.7.lcssa, %B804.B938_crit_edge.us.us.us.unr-lcssa ], [ %.528.us.us.us.epil, %B806.us.us.us.epil ]
  %.352.us286.us.us = add nuw nsw i64 %.345251269.us284.us.us, 1
  %.540.us.us.us = add nsw i64 %.345251269.us284.us.us, %.538.us.us396
  %.543.us.us.us = shl nsw i64 %.540.us.us.us, 2
  %.545.us.us.us = add nsw i64 %.543.us.us.us, %arg.c
  %.568.us.us.us = fmul float %.528.us.us.us.lcssa, %.566
  %.572.us.us.us = fadd float %.568.us.us.us, 0.000000e+00
  %.576.us.us.us = inttoptr i64 %.545.us.us.us to ptr
  store float %.572.us.us.us, ptr %.576.us.us.us, align 4
  %lsr.iv.next236 = add i64 %lsr.iv235, %factor.op.mul
  %exitcond529.not = icmp eq i64 %arg.n, %.352.us286.us.us
  br i1 %exitcond529.not, label %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split, label %B738.us282.us.us

B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split: ; preds = %B804.B938_crit_edge.us.us.us
  %.230.us.us393 = add nuw nsw i64 %.223332346.us.us391, 1
  %lsr.iv.next240 = add i64 %lsr.iv239, %factor.op.mul329
  %exitcond530.not = icmp eq i64 %arg.m, %.230.us.us393
  br i1 %exitcond530.not, label %B1442, label %B702.endif.us.us389

B702.endif.lr.ph.split.us.split.split:            ; preds = %B702.endif.lr.ph.split.us.split
  %457 = fcmp une double %.62, 0.000000e+00
  br i1 %457, label %B702.endif.us.us414.preheader, label %iter.check.preheader

iter.check.preheader:                             ; preds = %B702.endif.lr.ph.split.us.split.split
  %const163 = bitcast i64 9223372036854775800 to i64
  %const_mat164 = add i64 %const163, -8
  %n.vec = and i64 %arg.n, %const_mat164
  %broadcast.splatinsert37 = insertelement <16 x i64> poison, i64 %arg.c, i64 0
  %broadcast.splat38 = shufflevector <16 x i64> %broadcast.splatinsert37, <16 x i64> poison, <16 x i32> zeroinitializer
  %broadcast.splatinsert39 = insertelement <16 x float> poison, float %.572, i64 0
  %broadcast.splat40 = shufflevector <16 x float> %broadcast.splatinsert39, <16 x float> poison, <16 x i32> zeroinitializer
  %const_mat165 = add i64 %const163, 4
  %n.vec42 = and i64 %arg.n, %const_mat165
  %broadcast.splatinsert45 = insertelement <4 x i64> poison, i64 %arg.c, i64 0
  %broadcast.splat46 = shufflevector <4 x i64> %broadcast.splatinsert45, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert47 = insertelement <4 x float> poison, float %.572, i64 0
  %broadcast.splat48 = shufflevector <4 x float> %broadcast.splatinsert47, <4 x float> poison, <4 x i32> zeroinitializer
  %458 = icmp eq i64 %arg.m, 1
  br i1 %458, label %iter.check.epil.preheader, label %iter.check.preheader.new

iter.check.preheader.new:                         ; preds = %iter.check.preheader
  %const_mat166 = add i64 %const163, 6
  %unroll_iter143 = and i64 %arg.m, %const_mat166
  %459 = lshr i64 %arg.n, 4
  %460 = trunc i64 %459 to i59
  %461 = zext i59 %460 to i64
  %462 = mul i64 %461, -16
  br label %iter.check

B702.endif.us.us414.preheader:                    ; preds = %B702.endif.lr.ph.split.us.split.split
  %const167 = bitcast i64 9223372036854775800 to i64
  %xtraiter118 = and i64 %arg.n, 7
  %unroll_iter122 = and i64 %arg.n, %const167
  %463 = add i64 %arg.c, 28
  %464 = shl i64 %.46, 2
  %465 = add nsw i64 %arg.n, -8
  %466 = lshr i64 %465, 3
  %467 = add nuw nsw i64 %466, 1
  %468 = add i64 %arg.c, 32
  %469 = lshr i64 %467, 1
  %470 = shl nuw nsw i64 %469, 1
  br label %B702.endif.us.us414

B702.endif.us.us414:                              ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us.us.us, %B702.endif.us.us414.preheader
  %lsr.iv263 = phi i64 [ %lsr.iv.next264, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us ], [ %468, %B702.endif.us.us414.preheader ]
  %lsr.iv205 = phi i64 [ %lsr.iv.next206, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us ], [ 0, %B702.endif.us.us414.preheader ]
  %lsr.iv201 = phi i64 [ %lsr.iv.next202, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us ], [ %463, %B702.endif.us.us414.preheader ]
  %.223332346.us.us416 = phi i64 [ %.230.us.us418, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us ], [ 0, %B702.endif.us.us414.preheader ]
  %471 = icmp ult i64 %arg.n, 8
  br i1 %471, label %B738.us300.us.us.epil.preheader, label %B738.us300.us.us.preheader

B738.us300.us.us.preheader:                       ; preds = %B702.endif.us.us414
  %472 = icmp eq i64 %466, 0
  br i1 %472, label %B738.us300.us.us.epil.preheader145, label %B738.us300.us.us.preheader120

B738.us300.us.us.preheader120:                    ; preds = %B738.us300.us.us.preheader
  br label %B738.us300.us.us

B738.us300.us.us:                                 ; preds = %B738.us300.us.us, %B738.us300.us.us.preheader120
  %lsr.iv140 = phi i64 [ %470, %B738.us300.us.us.preheader120 ], [ %lsr.iv.next141, %B738.us300.us.us ]
  %lsr.iv265 = phi i64 [ %lsr.iv.next266, %B738.us300.us.us ], [ %lsr.iv263, %B738.us300.us.us.preheader120 ]
  %473 = add i64 %lsr.iv265, -4
  %474 = add i64 %lsr.iv265, -32
  %.559.us309.us.us = inttoptr i64 %474 to ptr
  %.560.us310.us.us = load float, ptr %.559.us309.us.us, align 4
  %.561.us311.us.us = fmul float %.560.us310.us.us, %.557
  %.572.us314.us.us = fadd float %.568, %.561.us311.us.us
  store float %.572.us314.us.us, ptr %.559.us309.us.us, align 4
  %475 = add i64 %lsr.iv265, -28
  %.559.us309.us.us.1 = inttoptr i64 %475 to ptr
  %.560.us310.us.us.1 = load float, ptr %.559.us309.us.us.1, align 4
  %.561.us311.us.us.1 = fmul float %.560.us310.us.us.1, %.557
  %.572.us314.us.us.1 = fadd float %.568, %.561.us311.us.us.1
  store float %.572.us314.us.us.1, ptr %.559.us309.us.us.1, align 4
  %476 = add i64 %lsr.iv265, -24
  %.559.us309.us.us.2 = inttoptr i64 %476 to ptr
  %.560.us310.us.us.2 = load float, ptr %.559.us309.us.us.2, align 4
  %.561.us311.us.us.2 = fmul float %.560.us310.us.us.2, %.557
  %.572.us314.us.us.2 = fadd float %.568, %.561.us311.us.us.2
  store float %.572.us314.us.us.2, ptr %.559.us309.us.us.2, align 4
  %477 = add i64 %lsr.iv265, -20
  %.559.us309.us.us.3 = inttoptr i64 %477 to ptr
  %.560.us310.us.us.3 = load float, ptr %.559.us309.us.us.3, align 4
  %.561.us311.us.us.3 = fmul float %.560.us310.us.us.3, %.557
  %.572.us314.us.us.3 = fadd float %.568, %.561.us311.us.us.3
  store float %.572.us314.us.us.3, ptr %.559.us309.us.us.3, align 4
  %478 = add i64 %lsr.iv265, -16
  %.559.us309.us.us.4 = inttoptr i64 %478 to ptr
  %.560.us310.us.us.4 = load float, ptr %.559.us309.us.us.4, align 4
  %.561.us311.us.us.4 = fmul float %.560.us310.us.us.4, %.557
  %.572.us314.us.us.4 = fadd float %.568, %.561.us311.us.us.4
  store float %.572.us314.us.us.4, ptr %.559.us309.us.us.4, align 4
  %479 = add i64 %lsr.iv265, -12
  %.559.us309.us.us.5 = inttoptr i64 %479 to ptr
  %.560.us310.us.us.5 = load float, ptr %.559.us309.us.us.5, align 4
  %.561.us311.us.us.5 = fmul float %.560.us310.us.us.5, %.557
  %.572.us314.us.us.5 = fadd float %.568, %.561.us311.us.us.5
  store float %.572.us314.us.us.5, ptr %.559.us309.us.us.5, align 4
  %480 = add i64 %lsr.iv265, -8
  %.559.us309.us.us.6 = inttoptr i64 %480 to ptr
  %.560.us310.us.us.6 = load float, ptr %.559.us309.us.us.6, align 4
  %.561.us311.us.us.6 = fmul float %.560.us310.us.us.6, %.557
  %.572.us314.us.us.6 = fadd float %.568, %.561.us311.us.us.6
  store float %.572.us314.us.us.6, ptr %.559.us309.us.us.6, align 4
  %.559.us309.us.us.7 = inttoptr i64 %473 to ptr
  %.560.us310.us.us.7 = load float, ptr %.559.us309.us.us.7, align 4
  %.561.us311.us.us.7 = fmul float %.560.us310.us.us.7, %.557
  %.572.us314.us.us.7 = fadd float %.568, %.561.us311.us.us.7
  store float %.572.us314.us.us.7, ptr %.559.us309.us.us.7, align 4
  %481 = add i64 %lsr.iv265, 28
  %.559.us309.us.us.1158 = inttoptr i64 %lsr.iv265 to ptr
  %.560.us310.us.us.1159 = load float, ptr %.559.us309.us.us.1158, align 4
  %.561.us311.us.us.1160 = fmul float %.560.us310.us.us.1159, %.557
  %.572.us314.us.us.1161 = fadd float %.568, %.561.us311.us.us.1160
  store float %.572.us314.us.us.1161, ptr %.559.us309.us.us.1158, align 4
  %482 = add i64 %lsr.iv265, 4
  %.559.us309.us.us.1.1 = inttoptr i64 %482 to ptr
  %.560.us310.us.us.1.1 = load float, ptr %.559.us309.us.us.1.1, align 4
  %.561.us311.us.us.1.1 = fmul float %.560.us310.us.us.1.1, %.557
  %.572.us314.us.us.1.1 = fadd float %.568, %.561.us311.us.us.1.1
  store float %.572.us314.us.us.1.1, ptr %.559.us309.us.us.1.1, align 4
  %483 = add i64 %lsr.iv265, 8
  %.559.us309.us.us.2.1 = inttoptr i64 %483 to ptr
  %.560.us310.us.us.2.1 = load float, ptr %.559.us309.us.us.2.1, align 4
  %.561.us311.us.us.2.1 = fmul float %.560.us310.us.us.2.1, %.557
  %.572.us314.us.us.2.1 = fadd float %.568, %.561.us311.us.us.2.1
  store float %.572.us314.us.us.2.1, ptr %.559.us309.us.us.2.1, align 4
  %484 = add i64 %lsr.iv265, 12
  %.559.us309.us.us.3.1 = inttoptr i64 %484 to ptr
  %.560.us310.us.us.3.1 = load float, ptr %.559.us309.us.us.3.1, align 4
  %.561.us311.us.us.3.1 = fmul float %.560.us310.us.us.3.1, %.557
  %.572.us314.us.us.3.1 = fadd float %.568, %.561.us311.us.us.3.1
  store float %.572.us314.us.us.3.1, ptr %.559.us309.us.us.3.1, align 4
  %485 = add i64 %lsr.iv265, 16
  %.559.us309.us.us.4.1 = inttoptr i64 %485 to ptr
  %.560.us310.us.us.4.1 = load float, ptr %.559.us309.us.us.4.1, align 4
  %.561.us311.us.us.4.1 = fmul float %.560.us310.us.us.4.1, %.557
  %.572.us314.us.us.4.1 = fadd float %.568, %.561.us311.us.us.4.1
  store float %.572.us314.us.us.4.1, ptr %.559.us309.us.us.4.1, align 4
  %486 = add i64 %lsr.iv265, 20
  %.559.us309.us.us.5.1 = inttoptr i64 %486 to ptr
  %.560.us310.us.us.5.1 = load float, ptr %.559.us309.us.us.5.1, align 4
  %.561.us311.us.us.5.1 = fmul float %.560.us310.us.us.5.1, %.557
  %.572.us314.us.us.5.1 = fadd float %.568, %.561.us311.us.us.5.1
  store float %.572.us314.us.us.5.1, ptr %.559.us309.us.us.5.1, align 4
  %487 = add i64 %lsr.iv265, 24
  %.559.us309.us.us.6.1 = inttoptr i64 %487 to ptr
  %.560.us310.us.us.6.1 = load float, ptr %.559.us309.us.us.6.1, align 4
  %.561.us311.us.us.6.1 = fmul float %.560.us310.us.us.6.1, %.557
  %.572.us314.us.us.6.1 = fadd float %.568, %.561.us311.us.us.6.1
  store float %.572.us314.us.us.6.1, ptr %.559.us309.us.us.6.1, align 4
  %.559.us309.us.us.7.1 = inttoptr i64 %481 to ptr
  %.560.us310.us.us.7.1 = load float, ptr %.559.us309.us.us.7.1, align 4
  %.561.us311.us.us.7.1 = fmul float %.560.us310.us.us.7.1, %.557
  %.572.us314.us.us.7.1 = fadd float %.568, %.561.us311.us.us.7.1
  store float %.572.us314.us.us.7.1, ptr %.559.us309.us.us.7.1, align 4
  %lsr.iv.next266 = add i64 %lsr.iv265, 64
  %lsr.iv.next141 = add i64 %lsr.iv140, -2
  %niter157.ncmp.1 = icmp eq i64 %lsr.iv.next141, 0
  br i1 %niter157.ncmp.1, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa, label %B738.us300.us.us

B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa: ; preds = %B738.us300.us.us
  %488 = and i64 %465, 8
  %489 = icmp eq i64 %488, 0
  %490 = add i64 %lsr.iv.next266, -4
  br i1 %489, label %B738.us300.us.us.epil.preheader145, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa

B738.us300.us.us.epil.preheader145:               ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa, %B738.us300.us.us.preheader
  %lsr.iv203.epil.init = phi i64 [ %lsr.iv201, %B738.us300.us.us.preheader ], [ %490, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa ]
  %491 = add i64 %lsr.iv203.epil.init, -28
  %.559.us309.us.us.epil148 = inttoptr i64 %491 to ptr
  %.560.us310.us.us.epil149 = load float, ptr %.559.us309.us.us.epil148, align 4
  %.561.us311.us.us.epil150 = fmul float %.560.us310.us.us.epil149, %.557
  %.572.us314.us.us.epil151 = fadd float %.568, %.561.us311.us.us.epil150
  store float %.572.us314.us.us.epil151, ptr %.559.us309.us.us.epil148, align 4
  %492 = add i64 %lsr.iv203.epil.init, -24
  %.559.us309.us.us.1.epil = inttoptr i64 %492 to ptr
  %.560.us310.us.us.1.epil = load float, ptr %.559.us309.us.us.1.epil, align 4
  %.561.us311.us.us.1.epil = fmul float %.560.us310.us.us.1.epil, %.557
  %.572.us314.us.us.1.epil = fadd float %.568, %.561.us311.us.us.1.epil
  store float %.572.us314.us.us.1.epil, ptr %.559.us309.us.us.1.epil, align 4
  %493 = add i64 %lsr.iv203.epil.init, -20
  %.559.us309.us.us.2.epil = inttoptr i64 %493 to ptr
  %.560.us310.us.us.2.epil = load float, ptr %.559.us309.us.us.2.epil, align 4
  %.561.us311.us.us.2.epil = fmul float %.560.us310.us.us.2.epil, %.557
  %.572.us314.us.us.2.epil = fadd float %.568, %.561.us311.us.us.2.epil
  store float %.572.us314.us.us.2.epil, ptr %.559.us309.us.us.2.epil, align 4
  %494 = add i64 %lsr.iv203.epil.init, -16
  %.559.us309.us.us.3.epil = inttoptr i64 %494 to ptr
  %.560.us310.us.us.3.epil = load float, ptr %.559.us309.us.us.3.epil, align 4
  %.561.us311.us.us.3.epil = fmul float %.560.us310.us.us.3.epil, %.557
  %.572.us314.us.us.3.epil = fadd float %.568, %.561.us311.us.us.3.epil
  store float %.572.us314.us.us.3.epil, ptr %.559.us309.us.us.3.epil, align 4
  %495 = add i64 %lsr.iv203.epil.init, -12
  %.559.us309.us.us.4.epil = inttoptr i64 %495 to ptr
  %.560.us310.us.us.4.epil = load float, ptr %.559.us309.us.us.4.epil, align 4
  %.561.us311.us.us.4.epil = fmul float %.560.us310.us.us.4.epil, %.557
  %.572.us314.us.us.4.epil = fadd float %.568, %.561.us311.us.us.4.epil
  store float %.572.us314.us.us.4.epil, ptr %.559.us309.us.us.4.epil, align 4
  %496 = add i64 %lsr.iv203.epil.init, -8
  %.559.us309.us.us.5.epil = inttoptr i64 %496 to ptr
  %.560.us310.us.us.5.epil = load float, ptr %.559.us309.us.us.5.epil, align 4
  %.561.us311.us.us.5.epil = fmul float %.560.us310.us.us.5.epil, %.557
  %.572.us314.us.us.5.epil = fadd float %.568, %.561.us311.us.us.5.epil
  store float %.572.us314.us.us.5.epil, ptr %.559.us309.us.us.5.epil, align 4
  %497 = add i64 %lsr.iv203.epil.init, -4
  %.559.us309.us.us.6.epil = inttoptr i64 %497 to ptr
  %.560.us310.us.us.6.epil = load float, ptr %.559.us309.us.us.6.epil, align 4
  %.561.us311.us.us.6.epil = fmul float %.560.us310.us.us.6.epil, %.557
  %.572.us314.us.us.6.epil = fadd float %.568, %.561.us311.us.us.6.epil
  store float %.572.us314.us.us.6.epil, ptr %.559.us309.us.us.6.epil, align 4
  %.559.us309.us.us.7.epil = inttoptr i64 %lsr.iv203.epil.init to ptr
  %.560.us310.us.us.7.epil = load float, ptr %.559.us309.us.us.7.epil, align 4
  %.561.us311.us.us.7.epil = fmul float %.560.us310.us.us.7.epil, %.557
  %.572.us314.us.us.7.epil = fadd float %.568, %.561.us311.us.us.7.epil
  store float %.572.us314.us.us.7.epil, ptr %.559.us309.us.us.7.epil, align 4
  br label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa

B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa: ; preds = %B738.us300.us.us.epil.preheader145, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa.unr-lcssa
  %498 = icmp eq i64 %xtraiter118, 0
  br i1 %498, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us, label %B738.us300.us.us.epil.preheader

B738.us300.us.us.epil.preheader:                  ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa, %B702.endif.us.us414
  %.345251269.us302.us.us.epil.init = phi i64 [ 0, %B702.endif.us.us414 ], [ %unroll_iter122, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa ]
  %499 = add nsw i64 %.345251269.us302.us.us.epil.init, %lsr.iv205
  %500 = shl i64 %499, 2
  %501 = add nsw i64 %500, %arg.c
  br label %B738.us300.us.us.epil

B738.us300.us.us.epil:                            ; preds = %B738.us300.us.us.epil, %B738.us300.us.us.epil.preheader
  %lsr.iv209 = phi i64 [ %lsr.iv.next210, %B738.us300.us.us.epil ], [ %xtraiter118, %B738.us300.us.us.epil.preheader ]
  %lsr.iv207 = phi i64 [ %lsr.iv.next208, %B738.us300.us.us.epil ], [ %501, %B738.us300.us.us.epil.preheader ]
  %.559.us309.us.us.epil = inttoptr i64 %lsr.iv207 to ptr
  %.560.us310.us.us.epil = load float, ptr %.559.us309.us.us.epil, align 4
  %.561.us311.us.us.epil = fmul float %.560.us310.us.us.epil, %.557
  %.572.us314.us.us.epil = fadd float %.568, %.561.us311.us.us.epil
  store float %.572.us314.us.us.epil, ptr %.559.us309.us.us.epil, align 4
  %lsr.iv.next208 = add i64 %lsr.iv207, 4
  %lsr.iv.next210 = add nsw i64 %lsr.iv209, -1
  %epil.iter119.cmp.not = icmp eq i64 %lsr.iv.next210, 0
  br i1 %epil.iter119.cmp.not, label %B736.B700.loopexit_crit_edge.split.split.split.us.us.us, label %B738.us300.us.us.epil, !llvm.loop !60

B736.B700.loopexit_crit_edge.split.split.split.us.us.us: ; preds = %B738.us300.us.us.epil, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us.unr-lcssa
  %.230.us.us418 = add nuw nsw i64 %.223332346.us.us416, 1
  %lsr.iv.next202 = add i64 %lsr.iv201, %464
  %lsr.iv.next206 = add i64 %lsr.iv205, %.46
  %lsr.iv.next264 = add i64 %lsr.iv263, %464
  %exitcond537.not = icmp eq i64 %arg.m, %.230.us.us418
  br i1 %exitcond537.not, label %B1442, label %B702.endif.us.us414

iter.check:                                       ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us365.1, %iter.check.preheader.new
  %lsr.iv215 = phi i64 [ 0, %iter.check.preheader.new ], [ %lsr.iv.next216.1, %B736.B700.loopexit_crit_edge.split.split.split.us365.1 ]
  %.223332346.us = phi i64 [ 0, %iter.check.preheader.new ], [ %.230.us.1, %B736.B700.loopexit_crit_edge.split.split.split.us365.1 ]
  %502 = icmp ult i64 %arg.n, 4
  %.538.us = mul nsw i64 %.223332346.us, %.46
  br i1 %502, label %B738.us355.preheader, label %vector.main.loop.iter.check

vector.main.loop.iter.check:                      ; preds = %iter.check
  %503 = icmp ult i64 %arg.n, 16
  br i1 %503, label %vec.epilog.ph, label %vector.ph

vector.ph:                                        ; preds = %vector.main.loop.iter.check
  %broadcast.splatinsert = insertelement <16 x i64> poison, i64 %.538.us, i64 0
  %broadcast.splat = shufflevector <16 x i64> %broadcast.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %lsr.iv146 = phi i64 [ %lsr.iv.next147, %vector.body ], [ %462, %vector.ph ]
  %vec.ind = phi <16 x i64> [ %vec.ind.next, %vector.body ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %vector.ph ]
  %504 = add nsw <16 x i64> %vec.ind, %broadcast.splat
  %505 = shl nsw <16 x i64> %504, splat (i64 2)
  %506 = add nsw <16 x i64> %505, %broadcast.splat38
  %507 = inttoptr <16 x i64> %506 to <16 x ptr>
  tail call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %broadcast.splat40, <16 x ptr> align 4 %507, <16 x i1> splat (i1 true))
  %vec.ind.next = add nuw nsw <16 x i64> %vec.ind, splat (i64 16)
  %lsr.iv.next147 = add nsw i64 %lsr.iv146, 16
  %508 = icmp eq i64 %lsr.iv.next147, 0
  br i1 %508, label %middle.block, label %vector.body, !llvm.loop !61

middle.block:                                     ; preds = %vector.body
  %509 = icmp eq i64 %arg.n, %n.vec
  br i1 %509, label %B736.B700.loopexit_crit_edge.split.split.split.us365.thread, label %vec.epilog.iter.check

vec.epilog.iter.check:                            ; preds = %middle.block
  %510 = and i64 %arg.n, 12
  %511 = icmp eq i64 %510, 0
  br i1 %511, label %B738.us355.preheader, label %vec.epilog.ph, !prof !62

vec.epilog.ph:                                    ; preds = %vec.epilog.iter.check, %vector.main.loop.iter.check
  %bc.resume.val = phi i64 [ %n.vec, %vec.epilog.iter.check ], [ 0, %vector.main.loop.iter.check ]
  %broadcast.splatinsert43 = insertelement <4 x i64> poison, i64 %.538.us, i64 0
  %broadcast.splat44 = shufflevector <4 x i64> %broadcast.splatinsert43, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49 = insertelement <4 x i64> poison, i64 %bc.resume.val, i64 0
  %broadcast.splat50 = shufflevector <4 x i64> %broadcast.splatinsert49, <4 x i64> poison, <4 x i32> zeroinitializer
  %induction = or disjoint <4 x i64> %broadcast.splat50, <i64 0, i64 1, i64 2, i64 3>
  %512 = sub nsw i64 %bc.resume.val, %n.vec42
  br label %vec.epilog.vector.body

vec.epilog.vector.body:                           ; preds = %vec.epilog.vector.body, %vec.epilog.ph
  %lsr.iv213 = phi i64 [ %lsr.iv.next214, %vec.epilog.vector.body ], [ %512, %vec.epilog.ph ]
  %vec.ind52 = phi <4 x i64> [ %vec.ind.next54, %vec.epilog.vector.body ], [ %induction, %vec.epilog.ph ]
  %513 = add nsw <4 x i64> %vec.ind52, %broadcast.splat44
  %514 = shl nsw <4 x i64> %513, splat (i64 2)
  %515 = add nsw <4 x i64> %514, %broadcast.splat46
  %516 = inttoptr <4 x i64> %515 to <4 x ptr>
  tail call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %broadcast.splat48, <4 x ptr> align 4 %516, <4 x i1> splat (i1 true))
  %vec.ind.next54 = add nuw nsw <4 x i64> %vec.ind52, splat (i64 4)
  %lsr.iv.next214 = add i64 %lsr.iv213, 4
  %517 = icmp eq i64 %lsr.iv.next214, 0
  br i1 %517, label %vec.epilog.middle.block, label %vec.epilog.vector.body, !llvm.loop !63

vec.epilog.middle.block:                          ; preds = %vec.epilog.vector.body
  %518 = icmp eq i64 %arg.n, %n.vec42
  br i1 %518, label %B736.B700.loopexit_crit_edge.split.split.split.us365.thread, label %B738.us355.preheader

B738.us355.preheader:                             ; preds = %vec.epilog.middle.block, %vec.epilog.iter.check, %iter.check
  %.345251269.us357.ph = phi i64 [ 0, %iter.check ], [ %n.vec, %vec.epilog.iter.check ], [ %n.vec42, %vec.epilog.middle.block ]
  %519 = add nsw i64 %.345251269.us357.ph, %lsr.iv215
  %520 = shl i64 %519, 2
  %521 = add nsw i64 %520, %arg.c
  %522 = sub i64 %.345251269.us357.ph, %arg.n
  br label %B738.us355

B738.us355:                                       ; preds = %B738.us355, %B738.us355.preheader
  %lsr.iv148 = phi i64 [ %lsr.iv.next149, %B738.us355 ], [ %522, %B738.us355.preheader ]
  %lsr.iv217 = phi i64 [ %lsr.iv.next218, %B738.us355 ], [ %521, %B738.us355.preheader ]
  %.576.us363 = inttoptr i64 %lsr.iv217 to ptr
  store float %.572, ptr %.576.us363, align 4
  %lsr.iv.next218 = add i64 %lsr.iv217, 4
  %523 = tail call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %lsr.iv148, i64 1)
  %ov = extractvalue { i64, i1 } %523, 1
  %lsr.iv.next149 = add i64 %lsr.iv148, 1
  br i1 %ov, label %B736.B700.loopexit_crit_edge.split.split.split.us365, label %B738.us355, !llvm.loop !64

B736.B700.loopexit_crit_edge.split.split.split.us365.thread: ; preds = %vec.epilog.middle.block, %middle.block
  %lsr.iv.next21625 = add i64 %lsr.iv215, %.46
  br label %vector.main.loop.iter.check.1

B736.B700.loopexit_crit_edge.split.split.split.us365: ; preds = %B738.us355
  %524 = icmp ult i64 %arg.n, 4
  %lsr.iv.next216 = add i64 %lsr.iv215, %.46
  br i1 %524, label %B738.us355.preheader.1, label %vector.main.loop.iter.check.1

vector.main.loop.iter.check.1:                    ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us365, %B736.B700.loopexit_crit_edge.split.split.split.us365.thread
  %lsr.iv.next21627 = phi i64 [ %lsr.iv.next21625, %B736.B700.loopexit_crit_edge.split.split.split.us365.thread ], [ %lsr.iv.next216, %B736.B700.loopexit_crit_edge.split.split.split.us365 ]
  %525 = icmp ult i64 %arg.n, 16
  %.230.us24.pn = or disjoint i64 %.223332346.us, 1
  %.538.us.130 = mul nsw i64 %.230.us24.pn, %.46
  br i1 %525, label %vec.epilog.ph.1, label %vector.ph.1

vector.ph.1:                                      ; preds = %vector.main.loop.iter.check.1
  %broadcast.splatinsert.1 = insertelement <16 x i64> poison, i64 %.538.us.130, i64 0
  %broadcast.splat.1 = shufflevector <16 x i64> %broadcast.splatinsert.1, <16 x i64> poison, <16 x i32> zeroinitializer
  br label %vector.body.1

vector.body.1:                                    ; preds = %vector.body.1, %vector.ph.1
  %lsr.iv150 = phi i64 [ %lsr.iv.next151, %vector.body.1 ], [ %462, %vector.ph.1 ]
  %vec.ind.1 = phi <16 x i64> [ %vec.ind.next.1, %vector.body.1 ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %vector.ph.1 ]
  %526 = add nsw <16 x i64> %vec.ind.1, %broadcast.splat.1
  %527 = shl nsw <16 x i64> %526, splat (i64 2)
  %528 = add nsw <16 x i64> %527, %broadcast.splat38
  %529 = inttoptr <16 x i64> %528 to <16 x ptr>
  tail call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %broadcast.splat40, <16 x ptr> align 4 %529, <16 x i1> splat (i1 true))
  %vec.ind.next.1 = add nuw nsw <16 x i64> %vec.ind.1, splat (i64 16)
  %lsr.iv.next151 = add nsw i64 %lsr.iv150, 16
  %530 = icmp eq i64 %lsr.iv.next151, 0
  br i1 %530, label %middle.block.1, label %vector.body.1, !llvm.loop !61

middle.block.1:                                   ; preds = %vector.body.1
  %531 = icmp eq i64 %arg.n, %n.vec
  br i1 %531, label %B736.B700.loopexit_crit_edge.split.split.split.us365.1, label %vec.epilog.iter.check.1

vec.epilog.iter.check.1:                          ; preds = %middle.block.1
  %532 = and i64 %arg.n, 12
  %533 = icmp eq i64 %532, 0
  br i1 %533, label %B738.us355.preheader.1, label %vec.epilog.ph.1, !prof !62

vec.epilog.ph.1:                                  ; preds = %vec.epilog.iter.check.1, %vector.main.loop.iter.check.1
  %bc.resume.val.1 = phi i64 [ %n.vec, %vec.epilog.iter.check.1 ], [ 0, %vector.main.loop.iter.check.1 ]
  %broadcast.splatinsert43.1 = insertelement <4 x i64> poison, i64 %.538.us.130, i64 0
  %broadcast.splat44.1 = shufflevector <4 x i64> %broadcast.splatinsert43.1, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49.1 = insertelement <4 x i64> poison, i64 %bc.resume.val.1, i64 0
  %broadcast.splat50.1 = shufflevector <4 x i64> %broadcast.splatinsert49.1, <4 x i64> poison, <4 x i32> zeroinitializer
  %induction.1 = or disjoint <4 x i64> %broadcast.splat50.1, <i64 0, i64 1, i64 2, i64 3>
  %534 = sub nsw i64 %bc.resume.val.1, %n.vec42
  br label %vec.epilog.vector.body.1

vec.epilog.vector.body.1:                         ; preds = %vec.epilog.vector.body.1, %vec.epilog.ph.1
  %lsr.iv213.1 = phi i64 [ %lsr.iv.next214.1, %vec.epilog.vector.body.1 ], [ %534, %vec.epilog.ph.1 ]
  %vec.ind52.1 = phi <4 x i64> [ %vec.ind.next54.1, %vec.epilog.vector.body.1 ], [ %induction.1, %vec.epilog.ph.1 ]
  %535 = add nsw <4 x i64> %vec.ind52.1, %broadcast.splat44.1
  %536 = shl nsw <4 x i64> %535, splat (i64 2)
  %537 = add nsw <4 x i64> %536, %broadcast.splat46
  %538 = inttoptr <4 x i64> %537 to <4 x ptr>
  tail call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %broadcast.splat48, <4 x ptr> align 4 %538, <4 x i1> splat (i1 true))
  %vec.ind.next54.1 = add nuw nsw <4 x i64> %vec.ind52.1, splat (i64 4)
  %lsr.iv.next214.1 = add i64 %lsr.iv213.1, 4
  %539 = icmp eq i64 %lsr.iv.next214.1, 0
  br i1 %539, label %vec.epilog.middle.block.1, label %vec.epilog.vector.body.1, !llvm.loop !63

vec.epilog.middle.block.1:                        ; preds = %vec.epilog.vector.body.1
  %540 = icmp eq i64 %arg.n, %n.vec42
  br i1 %540, label %B736.B700.loopexit_crit_edge.split.split.split.us365.1, label %B738.us355.preheader.1

B738.us355.preheader.1:                           ; preds = %vec.epilog.middle.block.1, %vec.epilog.iter.check.1, %B736.B700.loopexit_crit_edge.split.split.split.us365
  %lsr.iv.next21628 = phi i64 [ %lsr.iv.next216, %B736.B700.loopexit_crit_edge.split.split.split.us365 ], [ %lsr.iv.next21627, %vec.epilog.iter.check.1 ], [ %lsr.iv.next21627, %vec.epilog.middle.block.1 ]
  %.345251269.us357.ph.1 = phi i64 [ 0, %B736.B700.loopexit_crit_edge.split.split.split.us365 ], [ %n.vec, %vec.epilog.iter.check.1 ], [ %n.vec42, %vec.epilog.middle.block.1 ]
  %541 = add nsw i64 %.345251269.us357.ph.1, %lsr.iv.next21628
  %542 = shl i64 %541, 2
  %543 = add nsw i64 %542, %arg.c
  %544 = sub i64 %.345251269.us357.ph.1, %arg.n
  br label %B738.us355.1

B738.us355.1:                                     ; preds = %B738.us355.1, %B738.us355.preheader.1
  %lsr.iv152 = phi i64 [ %lsr.iv.next153, %B738.us355.1 ], [ %544, %B738.us355.preheader.1 ]
  %lsr.iv217.1 = phi i64 [ %lsr.iv.next218.1, %B738.us355.1 ], [ %543, %B738.us355.preheader.1 ]
  %.576.us363.1 = inttoptr i64 %lsr.iv217.1 to ptr
  store float %.572, ptr %.576.us363.1, align 4
  %lsr.iv.next218.1 = add i64 %lsr.iv217.1, 4
  %545 = tail call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %lsr.iv152, i64 1)
  %ov177 = extractvalue { i64, i1 } %545, 1
  %lsr.iv.next153 = add i64 %lsr.iv152, 1
  br i1 %ov177, label %B736.B700.loopexit_crit_edge.split.split.split.us365.1, label %B738.us355.1, !llvm.loop !64

B736.B700.loopexit_crit_edge.split.split.split.us365.1: ; preds = %B738.us355.1, %vec.epilog.middle.block.1, %middle.block.1
  %lsr.iv.next21629 = phi i64 [ %lsr.iv.next21627, %middle.block.1 ], [ %lsr.iv.next21627, %vec.epilog.middle.block.1 ], [ %lsr.iv.next21628, %B738.us355.1 ]
  %.230.us.1 = add nuw i64 %.223332346.us, 2
  %lsr.iv.next216.1 = add i64 %lsr.iv.next21629, %.46
  %niter144.ncmp.1 = icmp eq i64 %.230.us.1, %unroll_iter143
  br i1 %niter144.ncmp.1, label %B1442.loopexit83.unr-lcssa, label %iter.check

B1442.loopexit83.unr-lcssa:                       ; preds = %B736.B700.loopexit_crit_edge.split.split.split.us365.1
  %546 = and i64 %arg.m, 1
  %lcmp.mod141.not = icmp eq i64 %546, 0
  br i1 %lcmp.mod141.not, label %B1442, label %iter.check.epil.preheader

iter.check.epil.preheader:                        ; preds = %B1442.loopexit83.unr-lcssa, %iter.check.preheader
  %lsr.iv215.epil.init = phi i64 [ 0, %iter.check.preheader ], [ %lsr.iv.next216.1, %B1442.loopexit83.unr-lcssa ]
  %.223332346.us.epil.init = phi i64 [ 0, %iter.check.preheader ], [ %unroll_iter143, %B1442.loopexit83.unr-lcssa ]
  %547 = icmp ult i64 %arg.n, 4
  %.538.us.epil = mul nsw i64 %.223332346.us.epil.init, %.46
  br i1 %547, label %B738.us355.preheader.epil, label %vector.main.loop.iter.check.epil

vector.main.loop.iter.check.epil:                 ; preds = %iter.check.epil.preheader
  %548 = icmp ult i64 %arg.n, 16
  br i1 %548, label %vec.epilog.ph.epil, label %vector.ph.epil

vector.ph.epil:                                   ; preds = %vector.main.loop.iter.check.epil
  %broadcast.splatinsert.epil = insertelement <16 x i64> poison, i64 %.538.us.epil, i64 0
  %broadcast.splat.epil = shufflevector <16 x i64> %broadcast.splatinsert.epil, <16 x i64> poison, <16 x i32> zeroinitializer
  %549 = lshr i64 %arg.n, 4
  %550 = trunc i64 %549 to i59
  %551 = zext i59 %550 to i64
  %552 = mul nsw i64 %551, -16
  br label %vector.body.epil

vector.body.epil:                                 ; preds = %vector.body.epil, %vector.ph.epil
  %lsr.iv144 = phi i64 [ %lsr.iv.next145, %vector.body.epil ], [ %552, %vector.ph.epil ]
  %vec.ind.epil = phi <16 x i64> [ %vec.ind.next.epil, %vector.body.epil ], [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %vector.ph.epil ]
  %553 = add nsw <16 x i64> %vec.ind.epil, %broadcast.splat.epil
  %554 = shl nsw <16 x i64> %553, splat (i64 2)
  %555 = add nsw <16 x i64> %554, %broadcast.splat38
  %556 = inttoptr <16 x i64> %555 to <16 x ptr>
  tail call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %broadcast.splat40, <16 x ptr> align 4 %556, <16 x i1> splat (i1 true))
  %vec.ind.next.epil = add nuw nsw <16 x i64> %vec.ind.epil, splat (i64 16)
  %lsr.iv.next145 = add i64 %lsr.iv144, 16
  %557 = icmp eq i64 %lsr.iv.next145, 0
  br i1 %557, label %middle.block.epil, label %vector.body.epil, !llvm.loop !61

middle.block.epil:                                ; preds = %vector.body.epil
  %558 = icmp eq i64 %arg.n, %n.vec
  br i1 %558, label %B1442, label %vec.epilog.iter.check.epil

vec.epilog.iter.check.epil:                       ; preds = %middle.block.epil
  %559 = and i64 %arg.n, 12
  %560 = icmp eq i64 %559, 0
  br i1 %560, label %B738.us355.preheader.epil, label %vec.epilog.ph.epil, !prof !62

vec.epilog.ph.epil:                               ; preds = %vec.epilog.iter.check.epil, %vector.main.loop.iter.check.epil
  %bc.resume.val.epil = phi i64 [ %n.vec, %vec.epilog.iter.check.epil ], [ 0, %vector.main.loop.iter.check.epil ]
  %broadcast.splatinsert43.epil = insertelement <4 x i64> poison, i64 %.538.us.epil, i64 0
  %broadcast.splat44.epil = shufflevector <4 x i64> %broadcast.splatinsert43.epil, <4 x i64> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert49.epil = insertelement <4 x i64> poison, i64 %bc.resume.val.epil, i64 0
  %broadcast.splat50.epil = shufflevector <4 x i64> %broadcast.splatinsert49.epil, <4 x i64> poison, <4 x i32> zeroinitializer
  %induction.epil = or disjoint <4 x i64> %broadcast.splat50.epil, <i64 0, i64 1, i64 2, i64 3>
  %561 = sub nsw i64 %bc.resume.val.epil, %n.vec42
  br label %vec.epilog.vector.body.epil

vec.epilog.vector.body.epil:                      ; preds = %vec.epilog.vector.body.epil, %vec.epilog.ph.epil
  %lsr.iv213.epil = phi i64 [ %lsr.iv.next214.epil, %vec.epilog.vector.body.epil ], [ %561, %vec.epilog.ph.epil ]
  %vec.ind52.epil = phi <4 x i64> [ %vec.ind.next54.epil, %vec.epilog.vector.body.epil ], [ %induction.epil, %vec.epilog.ph.epil ]
  %562 = add nsw <4 x i64> %vec.ind52.epil, %broadcast.splat44.epil
  %563 = shl nsw <4 x i64> %562, splat (i64 2)
  %564 = add nsw <4 x i64> %563, %broadcast.splat46
  %565 = inttoptr <4 x i64> %564 to <4 x ptr>
  tail call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %broadcast.splat48, <4 x ptr> align 4 %565, <4 x i1> splat (i1 true))
  %vec.ind.next54.epil = add nuw nsw <4 x i64> %vec.ind52.epil, splat (i64 4)
  %lsr.iv.next214.epil = add i64 %lsr.iv213.epil, 4
  %566 = icmp eq i64 %lsr.iv.next214.epil, 0
  br i1 %566, label %vec.epilog.middle.block.epil, label %vec.epilog.vector.body.epil, !llvm.loop !63

vec.epilog.middle.block.epil:                     ; preds = %vec.epilog.vector.body.epil
  %567 = icmp eq i64 %arg.n, %n.vec42
  br i1 %567, label %B1442, label %B738.us355.preheader.epil

B738.us355.preheader.epil:                        ; preds = %vec.epilog.middle.block.epil, %vec.epilog.iter.check.epil, %iter.check.epil.preheader
  %.345251269.us357.ph.epil = phi i64 [ 0, %iter.check.epil.preheader ], [ %n.vec, %vec.epilog.iter.check.epil ], [ %n.vec42, %vec.epilog.middle.block.epil ]
  %568 = add nsw i64 %.345251269.us357.ph.epil, %lsr.iv215.epil.init
  %569 = shl i64 %568, 2
  %570 = add nsw i64 %569, %arg.c
  %571 = sub i64 %.345251269.us357.ph.epil, %arg.n
  br label %B738.us355.epil

B738.us355.epil:                                  ; preds = %B738.us355.epil, %B738.us355.preheader.epil
  %lsr.iv142 = phi i64 [ %lsr.iv.next143, %B738.us355.epil ], [ %571, %B738.us355.preheader.epil ]
  %lsr.iv217.epil = phi i64 [ %lsr.iv.next218.epil, %B738.us355.epil ], [ %570, %B738.us355.preheader.epil ]
  %.576.us363.epil = inttoptr i64 %lsr.iv217.epil to ptr
  store float %.572, ptr %.576.us363.epil, align 4
  %lsr.iv.next218.epil = add i64 %lsr.iv217.epil, 4
  %572 = tail call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %lsr.iv142, i64 1)
  %ov179 = extractvalue { i64, i1 } %572, 1
  %lsr.iv.next143 = add i64 %lsr.iv142, 1
  br i1 %ov179, label %B1442, label %B738.us355.epil, !llvm.loop !64

B1442:                                            ; preds = %B738.us355.epil, %vec.epilog.middle.block.epil, %middle.block.epil, %B1442.loopexit83.unr-lcssa, %B736.B700.loopexit_crit_edge.split.split.split.us.us.us, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.us.us.split.us.us, %B736.B700.loopexit_crit_edge.split.split.us.us.us.split.split.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split, %B736.B700.loopexit_crit_edge.split.us.us.us.split.split.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.us.us.split.us.us, %B736.B700.loopexit_crit_edge.split.us.us.us.split.us.us.split.split.us.us, %B702.endif.lr.ph, %entry
  store ptr null, ptr %retptr, align 8
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v8f64.v8p0(<8 x double>, <8 x ptr>, <8 x i1>) #7

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v16f32.v16p0(<16 x float>, <16 x ptr>, <16 x i1>) #7

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, <4 x i1>) #7

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel5patchB3v17B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr noalias writeonly captures(none) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.header) #6 {
B0.endif:
  %.6 = add nsw i64 %arg.header, 16
  %.7 = inttoptr i64 %.6 to ptr
  %.8 = load i64, ptr %.7, align 8
  %.13 = add nsw i64 %arg.header, 32
  %.14 = inttoptr i64 %.13 to ptr
  %.15 = load i64, ptr %.14, align 8
  %.20 = add nsw i64 %arg.header, 40
  %.21 = inttoptr i64 %.20 to ptr
  %.22 = load i64, ptr %.21, align 8
  %.27 = add nsw i64 %arg.header, 72
  %.28 = inttoptr i64 %.27 to ptr
  %.29 = load i64, ptr %.28, align 8
  %.34 = add nsw i64 %arg.header, 24
  %.35 = inttoptr i64 %.34 to ptr
  %.36 = load i64, ptr %.35, align 8
  %.11869.not = icmp slt i64 %.36, 1
  br i1 %.11869.not, label %B928, label %B422.lr.ph

B422.lr.ph:                                       ; preds = %B0.endif
  %.184.not = icmp eq i64 %.22, 0
  br i1 %.184.not, label %B422.us.preheader, label %B422.preheader

B422.preheader:                                   ; preds = %B422.lr.ph
  %xtraiter = and i64 %.36, 3
  %0 = icmp ult i64 %.36, 4
  br i1 %0, label %B422.epil.preheader, label %B422.preheader.new

B422.preheader.new:                               ; preds = %B422.preheader
  %const = bitcast i64 9223372036854775804 to i64
  %unroll_iter = and i64 %.36, %const
  %1 = add i64 %.8, 88
  br label %B422

B422.us.preheader:                                ; preds = %B422.lr.ph
  %xtraiter8 = and i64 %.36, 3
  %2 = icmp ult i64 %.36, 4
  br i1 %2, label %B422.us.epil.preheader, label %B422.us.preheader.new

B422.us.preheader.new:                            ; preds = %B422.us.preheader
  %const28 = bitcast i64 9223372036854775804 to i64
  %unroll_iter12 = and i64 %.36, %const28
  %3 = add i64 %.8, 88
  br label %B422.us

B422.us:                                          ; preds = %B422.us, %B422.us.preheader.new
  %lsr.iv20 = phi i64 [ %lsr.iv.next21, %B422.us ], [ %3, %B422.us.preheader.new ]
  %.1246870.us = phi i64 [ 0, %B422.us.preheader.new ], [ %.131.us.3, %B422.us ]
  %4 = add i64 %lsr.iv20, -88
  %.166.us = inttoptr i64 %4 to ptr
  %.167.us = load i64, ptr %.166.us, align 8
  %.173.us = shl nsw i64 %.167.us, 3
  %.174.us = add nsw i64 %.173.us, %.15
  %.175.us = inttoptr i64 %.174.us to ptr
  %.176.us = load i64, ptr %.175.us, align 8
  %.210.us = add nsw i64 %.176.us, %.29
  %.213.us = inttoptr i64 %.210.us to ptr
  %.214.us = load i64, ptr %.213.us, align 8
  %5 = add i64 %lsr.iv20, -80
  %.223.us = inttoptr i64 %5 to ptr
  %.224.us = load i64, ptr %.223.us, align 8
  %6 = add i64 %lsr.iv20, -72
  %.230.us = inttoptr i64 %6 to ptr
  %.231.us = load i64, ptr %.230.us, align 8
  %.233.us = add nsw i64 %.231.us, %.214.us
  %.236.us = inttoptr i64 %.224.us to ptr
  store i64 %.233.us, ptr %.236.us, align 8
  %7 = add i64 %lsr.iv20, -64
  %.166.us.1 = inttoptr i64 %7 to ptr
  %.167.us.1 = load i64, ptr %.166.us.1, align 8
  %.173.us.1 = shl nsw i64 %.167.us.1, 3
  %.174.us.1 = add nsw i64 %.173.us.1, %.15
  %.175.us.1 = inttoptr i64 %.174.us.1 to ptr
  %.176.us.1 = load i64, ptr %.175.us.1, align 8
  %.210.us.1 = add nsw i64 %.176.us.1, %.29
  %.213.us.1 = inttoptr i64 %.210.us.1 to ptr
  %.214.us.1 = load i64, ptr %.213.us.1, align 8
  %8 = add i64 %lsr.iv20, -56
  %.223.us.1 = inttoptr i64 %8 to ptr
  %.224.us.1 = load i64, ptr %.223.us.1, align 8
  %9 = add i64 %lsr.iv20, -48
  %.230.us.1 = inttoptr i64 %9 to ptr
  %.231.us.1 = load i64, ptr %.230.us.1, align 8
  %.233.us.1 = add nsw i64 %.231.us.1, %.214.us.1
  %.236.us.1 = inttoptr i64 %.224.us.1 to ptr
  store i64 %.233.us.1, ptr %.236.us.1, align 8
  %10 = add i64 %lsr.iv20, -40
  %.166.us.2 = inttoptr i64 %10 to ptr
  %.167.us.2 = load i64, ptr %.166.us.2, align 8
  %.173.us.2 = shl nsw i64 %.167.us.2, 3
  %.174.us.2 = add nsw i64 %.173.us.2, %.15
  %.175.us.2 = inttoptr i64 %.174.us.2 to ptr
  %.176.us.2 = load i64, ptr %.175.us.2, align 8
  %.210.us.2 = add nsw i64 %.176.us.2, %.29
  %.213.us.2 = inttoptr i64 %.210.us.2 to ptr
  %.214.us.2 = load i64, ptr %.213.us.2, align 8
  %11 = add i64 %lsr.iv20, -32
  %.223.us.2 = inttoptr i64 %11 to ptr
  %.224.us.2 = load i64, ptr %.223.us.2, align 8
  %12 = add i64 %lsr.iv20, -24
  %.230.us.2 = inttoptr i64 %12 to ptr
  %.231.us.2 = load i64, ptr %.230.us.2, align 8
  %.233.us.2 = add nsw i64 %.231.us.2, %.214.us.2
  %.236.us.2 = inttoptr i64 %.224.us.2 to ptr
  store i64 %.233.us.2, ptr %.236.us.2, align 8
  %.131.us.3 = add nuw nsw i64 %.1246870.us, 4
  %13 = add i64 %lsr.iv20, -16
  %.166.us.3 = inttoptr i64 %13 to ptr
  %.167.us.3 = load i64, ptr %.166.us.3, align 8
  %.173.us.3 = shl nsw i64 %.167.us.3, 3
  %.174.us.3 = add nsw i64 %.173.us.3, %.15
  %.175.us.3 = inttoptr i64 %.174.us.3 to ptr
  %.176.us.3 = load i64, ptr %.175.us.3, align 8
  %.210.us.3 = add nsw i64 %.176.us.3, %.29
  %.213.us.3 = inttoptr i64 %.210.us.3 to ptr
  %.214.us.3 = load i64, ptr %.213.us.3, align 8
  %14 = add i64 %lsr.iv20, -8
  %.223.us.3 = inttoptr i64 %14 to ptr
  %.224.us.3 = load i64, ptr %.223.us.3, align 8
  %.230.us.3 = inttoptr i64 %lsr.iv20 to ptr
  %.231.us.3 = load i64, ptr %.230.us.3, align 8
  %.233.us.3 = add nsw i64 %.231.us.3, %.214.us.3
  %.236.us.3 = inttoptr i64 %.224.us.3 to ptr
  store i64 %.233.us.3, ptr %.236.us.3, align 8
  %lsr.iv.next21 = add i64 %lsr.iv20, 96
  %niter13.ncmp.3 = icmp eq i64 %unroll_iter12, %.131.us.3
  br i1 %niter13.ncmp.3, label %B928.loopexit.unr-lcssa, label %B422.us

B422:                                             ; preds = %B740.3, %B422.preheader.new
  %lsr.iv26 = phi i64 [ %lsr.iv.next27, %B740.3 ], [ %1, %B422.preheader.new ]
  %.1246870 = phi i64 [ 0, %B422.preheader.new ], [ %.131.3, %B740.3 ]
  %15 = add i64 %lsr.iv26, -88
  %.166 = inttoptr i64 %15 to ptr
  %.167 = load i64, ptr %.166, align 8
  %.173 = shl nsw i64 %.167, 3
  %.174 = add nsw i64 %.173, %.15
  %.175 = inttoptr i64 %.174 to ptr
  %.176 = load i64, ptr %.175, align 8
  %.189 = add nsw i64 %.173, %.22
  %.192 = inttoptr i64 %.189 to ptr
  %.193 = load i64, ptr %.192, align 8
  %.204.not = icmp eq i64 %.193, 0
  br i1 %.204.not, label %B740, label %B704

B704:                                             ; preds = %B422
  %.210 = add nsw i64 %.176, %.29
  %.213 = inttoptr i64 %.210 to ptr
  %.214 = load i64, ptr %.213, align 8
  br label %B740

B740:                                             ; preds = %B704, %B422
  %base.2.1 = phi i64 [ %.214, %B704 ], [ %.176, %B422 ]
  %16 = add i64 %lsr.iv26, -80
  %.223 = inttoptr i64 %16 to ptr
  %.224 = load i64, ptr %.223, align 8
  %17 = add i64 %lsr.iv26, -72
  %.230 = inttoptr i64 %17 to ptr
  %.231 = load i64, ptr %.230, align 8
  %.233 = add nsw i64 %.231, %base.2.1
  %.236 = inttoptr i64 %.224 to ptr
  store i64 %.233, ptr %.236, align 8
  %18 = add i64 %lsr.iv26, -64
  %.166.1 = inttoptr i64 %18 to ptr
  %.167.1 = load i64, ptr %.166.1, align 8
  %.173.1 = shl nsw i64 %.167.1, 3
  %.174.1 = add nsw i64 %.173.1, %.15
  %.175.1 = inttoptr i64 %.174.1 to ptr
  %.176.1 = load i64, ptr %.175.1, align 8
  %.189.1 = add nsw i64 %.173.1, %.22
  %.192.1 = inttoptr i64 %.189.1 to ptr
  %.193.1 = load i64, ptr %.192.1, align 8
  %.204.not.1 = icmp eq i64 %.193.1, 0
  br i1 %.204.not.1, label %B740.1, label %B704.1

B704.1:                                           ; preds = %B740
  %.210.1 = add nsw i64 %.176.1, %.29
  %.213.1 = inttoptr i64 %.210.1 to ptr
  %.214.1 = load i64, ptr %.213.1, align 8
  br label %B740.1

B740.1:                                           ; preds = %B704.1, %B740
  %base.2.1.1 = phi i64 [ %.214.1, %B704.1 ], [ %.176.1, %B740 ]
  %19 = add i64 %lsr.iv26, -56
  %.223.1 = inttoptr i64 %19 to ptr
  %.224.1 = load i64, ptr %.223.1, align 8
  %20 = add i64 %lsr.iv26, -48
  %.230.1 = inttoptr i64 %20 to ptr
  %.231.1 = load i64, ptr %.230.1, align 8
  %.233.1 = add nsw i64 %.231.1, %base.2.1.1
  %.236.1 = inttoptr i64 %.224.1 to ptr
  store i64 %.233.1, ptr %.236.1, align 8
  %21 = add i64 %lsr.iv26, -40
  %.166.2 = inttoptr i64 %21 to ptr
  %.167.2 = load i64, ptr %.166.2, align 8
  %.173.2 = shl nsw i64 %.167.2, 3
  %.174.2 = add nsw i64 %.173.2, %.15
  %.175.2 = inttoptr i64 %.174.2 to ptr
  %.176.2 = load i64, ptr %.175.2, align 8
  %.189.2 = add nsw i64 %.173.2, %.22
  %.192.2 = inttoptr i64 %.189.2 to ptr
  %.193.2 = load i64, ptr %.192.2, align 8
  %.204.not.2 = icmp eq i64 %.193.2, 0
  br i1 %.204.not.2, label %B740.2, label %B704.2

B704.2:                                           ; preds = %B740.1
  %.210.2 = add nsw i64 %.176.2, %.29
  %.213.2 = inttoptr i64 %.210.2 to ptr
  %.214.2 = load i64, ptr %.213.2, align 8
  br label %B740.2

B740.2:                                           ; preds = %B704.2, %B740.1
  %base.2.1.2 = phi i64 [ %.214.2, %B704.2 ], [ %.176.2, %B740.1 ]
  %22 = add i64 %lsr.iv26, -32
  %.223.2 = inttoptr i64 %22 to ptr
  %.224.2 = load i64, ptr %.223.2, align 8
  %23 = add i64 %lsr.iv26, -24
  %.230.2 = inttoptr i64 %23 to ptr
  %.231.2 = load i64, ptr %.230.2, align 8
  %.233.2 = add nsw i64 %.231.2, %base.2.1.2
  %.236.2 = inttoptr i64 %.224.2 to ptr
  store i64 %.233.2, ptr %.236.2, align 8
  %.131.3 = add nuw nsw i64 %.1246870, 4
  %24 = add i64 %lsr.iv26, -16
  %.166.3 = inttoptr i64 %24 to ptr
  %.167.3 = load i64, ptr %.166.3, align 8
  %.173.3 = shl nsw i64 %.167.3, 3
  %.174.3 = add nsw i64 %.173.3, %.15
  %.175.3 = inttoptr i64 %.174.3 to ptr
  %.176.3 = load i64, ptr %.175.3, align 8
  %.189.3 = add nsw i64 %.173.3, %.22
  %.192.3 = inttoptr i64 %.189.3 to ptr
  %.193.3 = load i64, ptr %.192.3, align 8
  %.204.not.3 = icmp eq i64 %.193.3, 0
  br i1 %.204.not.3, label %B740.3, label %B704.3

B704.3:                                           ; preds = %B740.2
  %.210.3 = add nsw i64 %.176.3, %.29
  %.213.3 = inttoptr i64 %.210.3 to ptr
  %.214.3 = load i64, ptr %.213.3, align 8
  br label %B740.3

B740.3:                                           ; preds = %B704.3, %B740.2
  %base.2.1.3 = phi i64 [ %.214.3, %B704.3 ], [ %.176.3, %B740.2 ]
  %25 = add i64 %lsr.iv26, -8
  %.223.3 = inttoptr i64 %25 to ptr
  %.224.3 = load i64, ptr %.223.3, align 8
  %.230.3 = inttoptr i64 %lsr.iv26 to ptr
  %.231.3 = load i64, ptr %.230.3, align 8
  %.233.3 = add nsw i64 %.231.3, %base.2.1.3
  %.236.3 = inttoptr i64 %.224.3 to ptr
  store i64 %.233.3, ptr %.236.3, align 8
  %lsr.iv.next27 = add i64 %lsr.iv26, 96
  %niter.ncmp.3 = icmp eq i64 %unroll_iter, %.131.3
  br i1 %niter.ncmp.3, label %B928.loopexit6.unr-lcssa, label %B422

B928.loopexit.unr-lcssa:                          ; preds = %B422.us
  %lcmp.mod10.not = icmp eq i64 %xtraiter8, 0
  br i1 %lcmp.mod10.not, label %B928, label %B422.us.epil.preheader

B422.us.epil.preheader:                           ; preds = %B928.loopexit.unr-lcssa, %B422.us.preheader
  %.1246870.us.epil.init = phi i64 [ 0, %B422.us.preheader ], [ %.131.us.3, %B928.loopexit.unr-lcssa ]
  %26 = mul i64 %.1246870.us.epil.init, 24
  %27 = add nsw i64 %.8, %26
  br label %B422.us.epil

B422.us.epil:                                     ; preds = %B422.us.epil, %B422.us.epil.preheader
  %lsr.iv18 = phi i64 [ %lsr.iv.next19, %B422.us.epil ], [ %xtraiter8, %B422.us.epil.preheader ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B422.us.epil ], [ %27, %B422.us.epil.preheader ]
  %.166.us.epil = inttoptr i64 %lsr.iv to ptr
  %.167.us.epil = load i64, ptr %.166.us.epil, align 8
  %.173.us.epil = shl nsw i64 %.167.us.epil, 3
  %.174.us.epil = add nsw i64 %.173.us.epil, %.15
  %.175.us.epil = inttoptr i64 %.174.us.epil to ptr
  %.176.us.epil = load i64, ptr %.175.us.epil, align 8
  %.210.us.epil = add nsw i64 %.176.us.epil, %.29
  %.213.us.epil = inttoptr i64 %.210.us.epil to ptr
  %.214.us.epil = load i64, ptr %.213.us.epil, align 8
  %28 = add i64 %lsr.iv, 8
  %.223.us.epil = inttoptr i64 %28 to ptr
  %.224.us.epil = load i64, ptr %.223.us.epil, align 8
  %29 = add i64 %lsr.iv, 16
  %.230.us.epil = inttoptr i64 %29 to ptr
  %.231.us.epil = load i64, ptr %.230.us.epil, align 8
  %.233.us.epil = add nsw i64 %.231.us.epil, %.214.us.epil
  %.236.us.epil = inttoptr i64 %.224.us.epil to ptr
  store i64 %.233.us.epil, ptr %.236.us.epil, align 8
  %lsr.iv.next = add i64 %lsr.iv, 24
  %lsr.iv.next19 = add nsw i64 %lsr.iv18, -1
  %epil.iter9.cmp.not = icmp eq i64 %lsr.iv.next19, 0
  br i1 %epil.iter9.cmp.not, label %B928, label %B422.us.epil, !llvm.loop !65

B928.loopexit6.unr-lcssa:                         ; preds = %B740.3
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B928, label %B422.epil.preheader

B422.epil.preheader:                              ; preds = %B928.loopexit6.unr-lcssa, %B422.preheader
  %.1246870.epil.init = phi i64 [ 0, %B422.preheader ], [ %.131.3, %B928.loopexit6.unr-lcssa ]
  %30 = mul i64 %.1246870.epil.init, 24
  %31 = add nsw i64 %.8, %30
  br label %B422.epil

B422.epil:                                        ; preds = %B740.epil, %B422.epil.preheader
  %lsr.iv24 = phi i64 [ %lsr.iv.next25, %B740.epil ], [ %xtraiter, %B422.epil.preheader ]
  %lsr.iv22 = phi i64 [ %lsr.iv.next23, %B740.epil ], [ %31, %B422.epil.preheader ]
  %.166.epil = inttoptr i64 %lsr.iv22 to ptr
  %.167.epil = load i64, ptr %.166.epil, align 8
  %.173.epil = shl nsw i64 %.167.epil, 3
  %.174.epil = add nsw i64 %.173.epil, %.15
  %.175.epil = inttoptr i64 %.174.epil to ptr
  %.176.epil = load i64, ptr %.175.epil, align 8
  %.189.epil = add nsw i64 %.173.epil, %.22
  %.192.epil = inttoptr i64 %.189.epil to ptr
  %.193.epil = load i64, ptr %.192.epil, align 8
  %.204.not.epil = icmp eq i64 %.193.epil, 0
  br i1 %.204.not.epil, label %B740.epil, label %B704.epil

B704.epil:                                        ; preds = %B422.epil
  %.210.epil = add nsw i64 %.176.epil, %.29
  %.213.epil = inttoptr i64 %.210.epil to ptr
  %.214.epil = load i64, ptr %.213.epil, align 8
  br label %B740.epil

B740.epil:                                        ; preds = %B704.epil, %B422.epil
  %base.2.1.epil = phi i64 [ %.214.epil, %B704.epil ], [ %.176.epil, %B422.epil ]
  %32 = add i64 %lsr.iv22, 8
  %.223.epil = inttoptr i64 %32 to ptr
  %.224.epil = load i64, ptr %.223.epil, align 8
  %33 = add i64 %lsr.iv22, 16
  %.230.epil = inttoptr i64 %33 to ptr
  %.231.epil = load i64, ptr %.230.epil, align 8
  %.233.epil = add nsw i64 %.231.epil, %base.2.1.epil
  %.236.epil = inttoptr i64 %.224.epil to ptr
  store i64 %.233.epil, ptr %.236.epil, align 8
  %lsr.iv.next23 = add i64 %lsr.iv22, 24
  %lsr.iv.next25 = add nsw i64 %lsr.iv24, -1
  %epil.iter.cmp.not = icmp eq i64 %lsr.iv.next25, 0
  br i1 %epil.iter.cmp.not, label %B928, label %B422.epil, !llvm.loop !66

B928:                                             ; preds = %B740.epil, %B928.loopexit6.unr-lcssa, %B422.us.epil, %B928.loopexit.unr-lcssa, %B0.endif
  store ptr null, ptr %retptr, align 8
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define internal noundef i32 @_ZN7vitrify6kernel12before_stepsB3v18B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.task) #2 {
B0:
  store i64 0, ptr %retptr, align 8
  ret i32 0
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel6spreadB3v19B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i64 %arg.row, i64 %arg.wanted) {
B0.endif:
  %.74 = alloca i8, align 1
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.239 = alloca ptr, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.11.i = tail call i64 @llvm.smin.i64(i64 %arg.wanted, i64 65535)
  %.45 = icmp sgt i64 %arg.wanted, 1
  br i1 %.45, label %B58, label %B272.endif

B58:                                              ; preds = %B0.endif
  %.49 = add nsw i64 %arg.team, 88
  %.50 = inttoptr i64 %.49 to ptr
  %.51 = load i64, ptr %.50, align 8
  %.52 = icmp sgt i64 %.51, 1
  br i1 %.52, label %B144, label %B304.preheader

B144:                                             ; preds = %B58
  %.56 = add nsw i64 %arg.team, 96
  %.57 = inttoptr i64 %.56 to ptr
  %.58 = load i64, ptr %.57, align 8
  %.59 = icmp eq i64 %.58, 0
  br i1 %.59, label %B230, label %B234

common.ret:                                       ; preds = %B304.if.if, %B234.endif.if.if, %B344, %B268, %B230
  %common.ret.op = phi i32 [ 0, %B230 ], [ 0, %B268 ], [ 0, %B344 ], [ %.243, %B304.if.if ], [ %.78, %B234.endif.if.if ]
  ret i32 %common.ret.op

B230:                                             ; preds = %B144
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B234:                                             ; preds = %B144
  store i8 0, ptr %.74, align 1
  %.78 = call i32 @_ZN7vitrify6kernel5splitB3v20B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr nonnull %.74, ptr nonnull %excinfo.2, i64 %arg.team, i64 %arg.row, i64 %.11.i)
  %.79 = load ptr, ptr %excinfo.2, align 8
  %.86 = icmp sgt i32 %.78, 0
  %.87 = select i1 %.86, ptr %.79, ptr undef
  %.88 = load i8, ptr %.74, align 1
  %.91 = icmp eq i8 %.88, 0
  br i1 %.91, label %B234.endif.thread, label %B234.endif

B268:                                             ; preds = %B234.endif
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B304:                                             ; preds = %B304.preheader, %B302.backedge
  %.2036264 = phi i64 [ %.210, %B302.backedge ], [ 0, %B304.preheader ]
  %.243 = call i32 @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr nonnull %.239, ptr nonnull %excinfo.3, i64 %arg.team, i64 %arg.row, i64 %.2036264, i64 %.11.i)
  %cond2 = icmp eq i32 %.243, 0
  br i1 %cond2, label %B302.backedge, label %B304.if.if, !prof !6

B302.backedge:                                    ; preds = %B304
  %.210 = add nuw i64 %.2036264, 1
  %exitcond.not = icmp eq i64 %.11.i, %.210
  br i1 %exitcond.not, label %B344, label %B304

B344:                                             ; preds = %B272.endif, %B302.backedge
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B234.endif:                                       ; preds = %B234
  %0 = icmp eq i32 %.78, 0
  br i1 %0, label %B268, label %B234.endif.if.if, !prof !6

B234.endif.thread:                                ; preds = %B234
  %1 = icmp eq i32 %.78, 0
  br i1 %1, label %B304.preheader, label %B234.endif.if.if, !prof !6

B234.endif.if.if:                                 ; preds = %B234.endif.thread, %B234.endif
  store ptr %.87, ptr %excinfo, align 8
  br label %common.ret

B272.endif:                                       ; preds = %B0.endif
  %.19763.not.not = icmp eq i64 %arg.wanted, 1
  br i1 %.19763.not.not, label %B304.preheader, label %B344

B304.preheader:                                   ; preds = %B272.endif, %B234.endif.thread, %B58
  br label %B304

B304.if.if:                                       ; preds = %B304
  %.251 = icmp sgt i32 %.243, 0
  %.244 = load ptr, ptr %excinfo.3, align 8
  %.252 = select i1 %.251, ptr %.244, ptr undef
  store ptr %.252, ptr %excinfo, align 8
  br label %common.ret
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel5splitB3v20B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.team, i64 %arg.row, i64 %arg.chunks) local_unnamed_addr {
B0:
  %.66.i = alloca ptr, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.15 = add nsw i64 %arg.team, 256
  %.16 = inttoptr i64 %.15 to ptr
  %.17 = cmpxchg ptr %.16, i64 0, i64 1 seq_cst seq_cst, align 8
  %.18 = extractvalue { i64, i1 } %.17, 1
  br i1 %.18, label %B90, label %B86

common.ret:                                       ; preds = %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit, %B858, %B86
  %common.ret.op = phi i32 [ 0, %B86 ], [ 0, %B858 ], [ %.70.i, %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit ]
  ret i32 %common.ret.op

B86:                                              ; preds = %B0
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B90:                                              ; preds = %B0
  %.31 = add nsw i64 %arg.team, 128
  %.32 = inttoptr i64 %.31 to ptr
  %.33 = load atomic i64, ptr %.32 seq_cst, align 8
  %.39 = add nsw i64 %arg.team, 120
  %.41 = inttoptr i64 %.39 to ptr
  store atomic i64 %arg.row, ptr %.41 seq_cst, align 8
  %.47 = add nsw i64 %arg.team, 192
  %.48 = inttoptr i64 %.47 to ptr
  store atomic i64 0, ptr %.48 seq_cst, align 8
  %0 = and i64 %.33, -4294967296
  %.53 = add i64 %0, 4294967296
  %.55 = or i64 %.53, %arg.chunks
  %.57 = atomicrmw xchg ptr %.32, i64 %.55 seq_cst, align 8
  %.60 = add nsw i64 %arg.chunks, -1
  br label %B10.endif.i

B136.i:                                           ; preds = %B10.endif.i
  %.72.i = sub nsw i64 %.15.i, %.11.i.i
  %sunkaddr = inttoptr i64 %arg.team to ptr
  %sunkaddr18 = getelementptr i8, ptr %sunkaddr, i64 320
  %.75.i = cmpxchg ptr %sunkaddr18, i64 %.15.i, i64 %.72.i seq_cst seq_cst, align 8, !noalias !67
  %.76.i = extractvalue { i64, i1 } %.75.i, 1
  br i1 %.76.i, label %B260.lr.ph.i, label %B10.endif.i

B260.i:                                           ; preds = %B260.lr.ph.i, %B260.i
  %lsr.iv.i = phi i64 [ %1, %B260.lr.ph.i ], [ %lsr.iv.next.i, %B260.i ]
  %sunkaddr22 = inttoptr i64 %arg.team to ptr
  %sunkaddr24 = getelementptr i8, ptr %sunkaddr22, i64 56
  %.210.i = load i64, ptr %sunkaddr24, align 8, !noalias !67
  %sunkaddr25 = inttoptr i64 %arg.team to ptr
  %sunkaddr26 = getelementptr i8, ptr %sunkaddr25, i64 64
  %.215.i = load i64, ptr %sunkaddr26, align 8, !noalias !67
  %.216.i = inttoptr i64 %.210.i to ptr
  %.217.i = inttoptr i64 %.215.i to ptr
  %.218.i = tail call i32 %.216.i(ptr %.217.i), !noalias !67
  %lsr.iv.next.i = add i64 %lsr.iv.i, -1
  %.168.i = icmp samesign ugt i64 %lsr.iv.next.i, 1
  br i1 %.168.i, label %B260.i, label %B90.endif

B10.endif.i:                                      ; preds = %B136.i, %B90
  %sunkaddr28 = inttoptr i64 %arg.team to ptr
  %sunkaddr30 = getelementptr i8, ptr %sunkaddr28, i64 320
  %.15.i = load atomic i64, ptr %sunkaddr30 seq_cst, align 8, !noalias !67
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.60, i64 %.15.i)
  %.55.i = icmp slt i64 %.11.i.i, 1
  br i1 %.55.i, label %B90.endif, label %B136.i

B260.lr.ph.i:                                     ; preds = %B136.i
  %1 = add nuw nsw i64 %.11.i.i, 1
  br label %B260.i

B616:                                             ; preds = %B616.preheader, %B772
  %spins.2.0 = phi i64 [ %.129, %B772 ], [ 0, %B616.preheader ]
  %.136 = icmp samesign ult i64 %spins.2.0, 1999
  br i1 %.136, label %B638, label %B668

B638:                                             ; preds = %B616
  tail call void @llvm.x86.sse2.pause()
  br label %B772

B668:                                             ; preds = %B616
  %sunkaddr32 = inttoptr i64 %arg.team to ptr
  %sunkaddr33 = getelementptr i8, ptr %sunkaddr32, i64 40
  %.144 = load i64, ptr %sunkaddr33, align 8
  %.145 = inttoptr i64 %.144 to ptr
  %.146 = tail call i32 %.145()
  br label %B772

B772:                                             ; preds = %B668, %B638
  %sunkaddr34 = inttoptr i64 %arg.team to ptr
  %sunkaddr35 = getelementptr i8, ptr %sunkaddr34, i64 192
  %.158 = load atomic i64, ptr %sunkaddr35 seq_cst, align 8
  %.160 = icmp slt i64 %.158, %arg.chunks
  %.129 = add nuw nsw i64 %spins.2.0, 1
  br i1 %.160, label %B616, label %B858

B858:                                             ; preds = %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread, %B772
  %2 = inttoptr i64 %arg.team to ptr
  %sunkaddr27 = getelementptr i8, ptr %2, i64 256
  store atomic i64 0, ptr %sunkaddr27 seq_cst, align 8
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B90.endif:                                        ; preds = %B10.endif.i, %B260.i
  %3 = inttoptr i64 %arg.team to ptr
  call void @llvm.lifetime.start.p0(ptr nonnull %.66.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %excinfo.1.i)
  store ptr null, ptr %.66.i, align 8, !noalias !70
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !70
  %sunkaddr29 = getelementptr i8, ptr %3, i64 128
  %.1225.i = load atomic i64, ptr %sunkaddr29 seq_cst, align 8, !noalias !70
  %.1726.i = lshr i64 %.1225.i, 16
  %.1827.i = and i64 %.1726.i, 65535
  %.2328.i = and i64 %.1225.i, 65535
  %.29.not29.i = icmp samesign ult i64 %.1827.i, %.2328.i
  br i1 %.29.not29.i, label %B156.i.preheader, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread

B156.i.preheader:                                 ; preds = %B90.endif
  br label %B156.i

B156.i:                                           ; preds = %B448.i, %B156.i.preheader
  %.2332.i = phi i64 [ %.23.i, %B448.i ], [ %.2328.i, %B156.i.preheader ]
  %.1831.i = phi i64 [ %.18.i, %B448.i ], [ %.1827.i, %B156.i.preheader ]
  %.1230.i = phi i64 [ %.12.i, %B448.i ], [ %.1225.i, %B156.i.preheader ]
  %sunkaddr36 = inttoptr i64 %arg.team to ptr
  %sunkaddr38 = getelementptr i8, ptr %sunkaddr36, i64 120
  %.45.i = load atomic i64, ptr %sunkaddr38 seq_cst, align 8, !noalias !70
  %.53.i = add nsw i64 %.1230.i, 65536
  %sunkaddr40 = inttoptr i64 %arg.team to ptr
  %sunkaddr41 = getelementptr i8, ptr %sunkaddr40, i64 128
  %.56.i = cmpxchg ptr %sunkaddr41, i64 %.1230.i, i64 %.53.i seq_cst seq_cst, align 8, !noalias !70
  %.57.i = extractvalue { i64, i1 } %.56.i, 1
  br i1 %.57.i, label %B332.i, label %B448.i

B332.i:                                           ; preds = %B156.i
  store ptr null, ptr %.66.i, align 8, !noalias !70
  %.70.i = call i32 @_ZN7vitrify6kernel9run_chunkB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr nonnull %.66.i, ptr nonnull %excinfo.1.i, i64 %arg.team, i64 %.45.i, i64 %.1831.i, i64 %.2332.i), !noalias !70
  %cond.i = icmp eq i32 %.70.i, 0
  br i1 %cond.i, label %B332.endif.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit, !prof !6

B448.i:                                           ; preds = %B332.endif.i, %B156.i
  %sunkaddr42 = inttoptr i64 %arg.team to ptr
  %sunkaddr43 = getelementptr i8, ptr %sunkaddr42, i64 128
  %.12.i = load atomic i64, ptr %sunkaddr43 seq_cst, align 8, !noalias !70
  %.17.i = lshr i64 %.12.i, 16
  %.18.i = and i64 %.17.i, 65535
  %.23.i = and i64 %.12.i, 65535
  %.29.not.i = icmp samesign ult i64 %.18.i, %.23.i
  br i1 %.29.not.i, label %B156.i, label %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread

B332.endif.i:                                     ; preds = %B332.i
  %sunkaddr44 = inttoptr i64 %arg.team to ptr
  %sunkaddr45 = getelementptr i8, ptr %sunkaddr44, i64 192
  %.102.i = atomicrmw add ptr %sunkaddr45, i64 1 seq_cst, align 8, !noalias !70
  br label %B448.i

_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread: ; preds = %B448.i, %B90.endif
  %4 = inttoptr i64 %arg.team to ptr
  call void @llvm.lifetime.end.p0(ptr nonnull %.66.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %sunkaddr39 = getelementptr i8, ptr %4, i64 192
  %.121 = load atomic i64, ptr %sunkaddr39 seq_cst, align 8
  %.123 = icmp slt i64 %.121, %arg.chunks
  br i1 %.123, label %B616.preheader, label %B858

B616.preheader:                                   ; preds = %_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit.thread
  br label %B616

_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx.exit: ; preds = %B332.i
  %.71.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !70
  call void @llvm.lifetime.end.p0(ptr nonnull %.66.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %excinfo.1.i)
  %.102 = icmp sgt i32 %.70.i, 0
  %.103 = select i1 %.102, ptr %.71.i, ptr undef
  store ptr %.103, ptr %excinfo, align 8
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(write, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel5leaveB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.header, i64 %arg.pc, i64 %arg.status, i64 %arg.detail) #8 {
B0:
  %.9 = add nsw i64 %arg.header, 8
  %.10 = inttoptr i64 %.9 to ptr
  store i64 %arg.pc, ptr %.10, align 8
  %.13 = add nsw i64 %arg.header, 56
  %.14 = inttoptr i64 %.13 to ptr
  store i64 %arg.detail, ptr %.14, align 8
  store i64 %arg.status, ptr %retptr, align 8
  ret i32 0
}

define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel4pushB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.team, i64 %arg.block, i64 %arg.source, i64 %arg.count) {
B0:
  %.16 = add nsw i64 %arg.block, 16
  %.17 = inttoptr i64 %.16 to ptr
  %.18 = load i64, ptr %.17, align 8
  %.25 = add nsw i64 %.18, %arg.count
  %.15.i = add nsw i64 %arg.block, 8
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !74
  %.19.i = icmp sgt i64 %.25, %.17.i
  br i1 %.19.i, label %B90.endif.i, label %B0.B126_crit_edge

B0.B126_crit_edge:                                ; preds = %B0
  br label %B126

B402.i:                                           ; preds = %B90.endif.i
  %0 = inttoptr i64 %arg.block to ptr
  %.81.i = ptrtoint ptr %.80.i to i64
  store i64 %.81.i, ptr %0, align 8, !noalias !74
  %sunkaddr2.i = getelementptr i8, ptr %0, i64 8
  store i64 %.16.i.i, ptr %sunkaddr2.i, align 8, !noalias !74
  br label %B126

B90.endif.i:                                      ; preds = %B0
  %.26.i = shl nsw i64 %.17.i, 1
  %.14.i.i = tail call i64 @llvm.smax.i64(i64 %.25, i64 %.26.i)
  %.16.i.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i, i64 256)
  %.67.i = add nsw i64 %arg.team, 32
  %.70.i = inttoptr i64 %.67.i to ptr
  %.71.i = load i64, ptr %.70.i, align 8, !noalias !74
  %.75.i = inttoptr i64 %arg.block to ptr
  %.76.i = load i64, ptr %.75.i, align 8, !noalias !74
  %.78.i = inttoptr i64 %.71.i to ptr
  %.79.i = inttoptr i64 %.76.i to ptr
  %.80.i = tail call ptr %.78.i(ptr %.79.i, i64 %.16.i.i), !noalias !74
  %.86.i = icmp eq ptr %.80.i, null
  br i1 %.86.i, label %common.ret, label %B402.i

common.ret:                                       ; preds = %B126, %B90.endif.i
  %storemerge = phi i8 [ 1, %B126 ], [ 0, %B90.endif.i ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B126:                                             ; preds = %B402.i, %B0.B126_crit_edge
  %sunkaddr4 = inttoptr i64 %arg.block to ptr
  %.78 = load i64, ptr %sunkaddr4, align 8
  %.80 = add nsw i64 %.78, %.18
  %.83 = inttoptr i64 %.80 to ptr
  %.84 = inttoptr i64 %arg.source to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.83, ptr align 1 %.84, i64 %arg.count, i1 false)
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr3 = getelementptr i8, ptr %sunkaddr, i64 16
  store i64 %.25, ptr %sunkaddr3, align 8
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel3popB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.block, i64 %arg.target, i64 %arg.count) #9 {
B0:
  %.15 = add nsw i64 %arg.block, 16
  %.16 = inttoptr i64 %.15 to ptr
  %.17 = load i64, ptr %.16, align 8
  %.19 = sub nsw i64 %.17, %arg.count
  %.24 = icmp slt i64 %.19, 0
  br i1 %.24, label %common.ret, label %B104

common.ret:                                       ; preds = %B104, %B0
  %storemerge = phi i8 [ 1, %B104 ], [ 0, %B0 ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B104:                                             ; preds = %B0
  %.40 = inttoptr i64 %arg.block to ptr
  %.41 = load i64, ptr %.40, align 8
  %.43 = add nsw i64 %.41, %.19
  %.46 = inttoptr i64 %arg.target to ptr
  %.47 = inttoptr i64 %.43 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.46, ptr align 1 %.47, i64 %arg.count, i1 false)
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr1 = getelementptr i8, ptr %sunkaddr, i64 16
  store i64 %.19, ptr %sunkaddr1, align 8
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel4peekB3v27B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.block, i64 %arg.index, i64 %arg.target, i64 %arg.row, i64 %arg.count) #9 {
B0:
  %.15.i = add nsw i64 %arg.block, 16
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !77
  %.22.i = icmp slt i64 %arg.index, 0
  br i1 %.22.i, label %B94.i, label %B16.i2.i

B94.i:                                            ; preds = %B0
  %.26.i = sub i64 0, %arg.index
  %.11.i.i = icmp slt i64 %.26.i, 0
  br i1 %.11.i.i, label %common.ret, label %B16.i.i

B16.i.i:                                          ; preds = %B94.i
  %.14.i.i = icmp sgt i64 %arg.row, 0
  br i1 %.14.i.i, label %B28.else.if.i.i, label %B94.endif.i

B28.else.if.i.i:                                  ; preds = %B16.i.i
  %.359.i.i = udiv i64 281474976710656, %arg.row
  %.58.i.i = icmp samesign ult i64 %.359.i.i, %.26.i
  br i1 %.58.i.i, label %common.ret, label %B94.endif.i

B140.i:                                           ; preds = %B94.endif.i
  %.66.i = sub nsw i64 %.17.i, %.68.i.i
  br label %B188.i

B16.i2.i:                                         ; preds = %B0
  %.14.i3.i = icmp sgt i64 %arg.row, 0
  br i1 %.14.i3.i, label %B28.else.if.i7.i, label %B50.i4.i

B50.i4.i:                                         ; preds = %B28.else.if.i7.i, %B16.i2.i
  %.68.i5.i = mul nsw i64 %arg.row, %arg.index
  br label %B188.i

B28.else.if.i7.i:                                 ; preds = %B16.i2.i
  %.359.i8.i = udiv i64 281474976710656, %arg.row
  %.58.i9.i = icmp samesign ugt i64 %arg.index, %.359.i8.i
  br i1 %.58.i9.i, label %common.ret, label %B50.i4.i

B188.i:                                           ; preds = %B50.i4.i, %B140.i
  %start.2.0.i = phi i64 [ %.66.i, %B140.i ], [ %.68.i5.i, %B50.i4.i ]
  %.120.i = icmp slt i64 %start.2.0.i, 0
  %.124.i = add nsw i64 %start.2.0.i, %arg.count
  %.128.i = icmp sgt i64 %.124.i, %.17.i
  %or.cond.i = select i1 %.120.i, i1 true, i1 %.128.i
  br i1 %or.cond.i, label %common.ret, label %B56

B94.endif.i:                                      ; preds = %B28.else.if.i.i, %B16.i.i
  %.68.i.i = mul nsw i64 %arg.row, %.26.i
  %.62.i = icmp sgt i64 %.68.i.i, -1
  br i1 %.62.i, label %B140.i, label %common.ret

common.ret:                                       ; preds = %B56, %B94.endif.i, %B188.i, %B28.else.if.i7.i, %B28.else.if.i.i, %B94.i
  %storemerge = phi i8 [ 1, %B56 ], [ 0, %B188.i ], [ 0, %B94.i ], [ 0, %B28.else.if.i.i ], [ 0, %B28.else.if.i7.i ], [ 0, %B94.endif.i ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B56:                                              ; preds = %B188.i
  %.66 = inttoptr i64 %arg.block to ptr
  %.67 = load i64, ptr %.66, align 8
  %.69 = add nsw i64 %.67, %start.2.0.i
  %.74 = inttoptr i64 %arg.target to ptr
  %.75 = inttoptr i64 %.69 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.74, ptr align 1 %.75, i64 %arg.count, i1 false)
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel4pokeB3v30B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.block, i64 %arg.index, i64 %arg.source, i64 %arg.row) #9 {
B0:
  %.15.i = add nsw i64 %arg.block, 16
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !80
  %.22.i = icmp slt i64 %arg.index, 0
  br i1 %.22.i, label %B94.i, label %B16.i2.i

B94.i:                                            ; preds = %B0
  %.26.i = sub i64 0, %arg.index
  %.11.i.i = icmp slt i64 %.26.i, 0
  br i1 %.11.i.i, label %common.ret, label %B16.i.i

B16.i.i:                                          ; preds = %B94.i
  %.14.i.i = icmp sgt i64 %arg.row, 0
  br i1 %.14.i.i, label %B28.else.if.i.i, label %B94.endif.i

B28.else.if.i.i:                                  ; preds = %B16.i.i
  %.359.i.i = udiv i64 281474976710656, %arg.row
  %.58.i.i = icmp samesign ult i64 %.359.i.i, %.26.i
  br i1 %.58.i.i, label %common.ret, label %B94.endif.i

B140.i:                                           ; preds = %B94.endif.i
  %.66.i = sub nsw i64 %.17.i, %.68.i.i
  br label %B188.i

B16.i2.i:                                         ; preds = %B0
  %.14.i3.i = icmp sgt i64 %arg.row, 0
  br i1 %.14.i3.i, label %B28.else.if.i7.i, label %B50.i4.i

B50.i4.i:                                         ; preds = %B28.else.if.i7.i, %B16.i2.i
  %.68.i5.i = mul nsw i64 %arg.row, %arg.index
  br label %B188.i

B28.else.if.i7.i:                                 ; preds = %B16.i2.i
  %.359.i8.i = udiv i64 281474976710656, %arg.row
  %.58.i9.i = icmp samesign ugt i64 %arg.index, %.359.i8.i
  br i1 %.58.i9.i, label %common.ret, label %B50.i4.i

B188.i:                                           ; preds = %B50.i4.i, %B140.i
  %start.2.0.i = phi i64 [ %.66.i, %B140.i ], [ %.68.i5.i, %B50.i4.i ]
  %.120.i = icmp slt i64 %start.2.0.i, 0
  %.124.i = add nsw i64 %start.2.0.i, %arg.row
  %.128.i = icmp sgt i64 %.124.i, %.17.i
  %or.cond.i = select i1 %.120.i, i1 true, i1 %.128.i
  br i1 %or.cond.i, label %common.ret, label %B56

B94.endif.i:                                      ; preds = %B28.else.if.i.i, %B16.i.i
  %.68.i.i = mul nsw i64 %arg.row, %.26.i
  %.62.i = icmp sgt i64 %.68.i.i, -1
  br i1 %.62.i, label %B140.i, label %common.ret

common.ret:                                       ; preds = %B56, %B94.endif.i, %B188.i, %B28.else.if.i7.i, %B28.else.if.i.i, %B94.i
  %storemerge = phi i8 [ 1, %B56 ], [ 0, %B188.i ], [ 0, %B94.i ], [ 0, %B28.else.if.i.i ], [ 0, %B28.else.if.i7.i ], [ 0, %B94.endif.i ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B56:                                              ; preds = %B188.i
  %.66 = inttoptr i64 %arg.block to ptr
  %.67 = load i64, ptr %.66, align 8
  %.69 = add nsw i64 %.67, %start.2.0.i
  %.74 = inttoptr i64 %.69 to ptr
  %.75 = inttoptr i64 %arg.source to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.74, ptr align 1 %.75, i64 %arg.row, i1 false)
  br label %common.ret
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define internal noundef i32 @_ZN7vitrify6kernel8bytes_ofB3v29B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.count, i64 %arg.row) #2 {
B0:
  %.11 = icmp slt i64 %arg.count, 0
  br i1 %.11, label %common.ret, label %B16

B16:                                              ; preds = %B0
  %.14 = icmp sgt i64 %arg.row, 0
  br i1 %.14, label %B28.else.if, label %B50

common.ret:                                       ; preds = %B28.else.if, %B50, %B0
  %storemerge = phi i64 [ %.68, %B50 ], [ -1, %B28.else.if ], [ -1, %B0 ]
  store i64 %storemerge, ptr %retptr, align 8
  ret i32 0

B50:                                              ; preds = %B28.else.if, %B16
  %.68 = mul nsw i64 %arg.row, %arg.count
  br label %common.ret

B28.else.if:                                      ; preds = %B16
  %.359 = udiv i64 281474976710656, %arg.row
  %.58 = icmp samesign ugt i64 %arg.count, %.359
  br i1 %.58, label %common.ret, label %B50
}

define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel6extendB3v31B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.team, i64 %arg.block, i64 %arg.other, i64 %arg.start, i64 %arg.count) {
B0:
  %.19 = add nsw i64 %arg.block, 16
  %.20 = inttoptr i64 %.19 to ptr
  %.21 = load i64, ptr %.20, align 8
  %.28 = add nsw i64 %.21, %arg.count
  %.15.i = add nsw i64 %arg.block, 8
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !83
  %.19.i = icmp sgt i64 %.28, %.17.i
  br i1 %.19.i, label %B90.endif.i, label %B0.B126_crit_edge

B0.B126_crit_edge:                                ; preds = %B0
  br label %B126

B402.i:                                           ; preds = %B90.endif.i
  %0 = inttoptr i64 %arg.block to ptr
  %.81.i = ptrtoint ptr %.80.i to i64
  store i64 %.81.i, ptr %0, align 8, !noalias !83
  %sunkaddr2.i = getelementptr i8, ptr %0, i64 8
  store i64 %.16.i.i, ptr %sunkaddr2.i, align 8, !noalias !83
  br label %B126

B90.endif.i:                                      ; preds = %B0
  %.26.i = shl nsw i64 %.17.i, 1
  %.14.i.i = tail call i64 @llvm.smax.i64(i64 %.28, i64 %.26.i)
  %.16.i.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i, i64 256)
  %.67.i = add nsw i64 %arg.team, 32
  %.70.i = inttoptr i64 %.67.i to ptr
  %.71.i = load i64, ptr %.70.i, align 8, !noalias !83
  %.75.i = inttoptr i64 %arg.block to ptr
  %.76.i = load i64, ptr %.75.i, align 8, !noalias !83
  %.78.i = inttoptr i64 %.71.i to ptr
  %.79.i = inttoptr i64 %.76.i to ptr
  %.80.i = tail call ptr %.78.i(ptr %.79.i, i64 %.16.i.i), !noalias !83
  %.86.i = icmp eq ptr %.80.i, null
  br i1 %.86.i, label %common.ret, label %B402.i

common.ret:                                       ; preds = %B126, %B90.endif.i
  %storemerge = phi i8 [ 1, %B126 ], [ 0, %B90.endif.i ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B126:                                             ; preds = %B402.i, %B0.B126_crit_edge
  %sunkaddr4 = inttoptr i64 %arg.block to ptr
  %.83 = load i64, ptr %sunkaddr4, align 8
  %.85 = add nsw i64 %.83, %.21
  %.91 = inttoptr i64 %arg.other to ptr
  %.92 = load i64, ptr %.91, align 8
  %.94 = add nsw i64 %.92, %arg.start
  %.98 = inttoptr i64 %.85 to ptr
  %.99 = inttoptr i64 %.94 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.98, ptr align 1 %.99, i64 %arg.count, i1 false)
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr3 = getelementptr i8, ptr %sunkaddr, i64 16
  store i64 %.28, ptr %sunkaddr3, align 8
  br label %common.ret
}

define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel6repeatB3v32B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.team, i64 %arg.block, i64 %arg.source, i64 %arg.row, i64 %arg.count) {
B0:
  %.21 = add nsw i64 %arg.block, 16
  %.22 = inttoptr i64 %.21 to ptr
  %.23 = load i64, ptr %.22, align 8
  %.11.i = icmp slt i64 %arg.count, 0
  br i1 %.11.i, label %common.ret, label %B16.i

B16.i:                                            ; preds = %B0
  %.14.i = icmp sgt i64 %arg.row, 0
  br i1 %.14.i, label %B28.else.if.i, label %B0.endif

B28.else.if.i:                                    ; preds = %B16.i
  %.359.i = udiv i64 281474976710656, %arg.row
  %.58.i = icmp samesign ugt i64 %arg.count, %.359.i
  br i1 %.58.i, label %common.ret, label %B0.endif

B126:                                             ; preds = %B0.endif
  %.65 = add nsw i64 %.23, %.68.i
  %.15.i = add nsw i64 %arg.block, 8
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !86
  %.19.i = icmp sgt i64 %.65, %.17.i
  br i1 %.19.i, label %B90.endif.i, label %B126.B170.endif_crit_edge

B126.B170.endif_crit_edge:                        ; preds = %B126
  %.pre = inttoptr i64 %arg.block to ptr
  br label %B170.endif

B402.i:                                           ; preds = %B90.endif.i
  %0 = inttoptr i64 %arg.block to ptr
  %.81.i = ptrtoint ptr %.80.i to i64
  store i64 %.81.i, ptr %0, align 8, !noalias !86
  %sunkaddr2.i = getelementptr i8, ptr %0, i64 8
  store i64 %.16.i.i, ptr %sunkaddr2.i, align 8, !noalias !86
  br label %B170.endif

B90.endif.i:                                      ; preds = %B126
  %.26.i = shl nsw i64 %.17.i, 1
  %.14.i.i = tail call i64 @llvm.smax.i64(i64 %.65, i64 %.26.i)
  %.16.i.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i, i64 256)
  %.67.i = add nsw i64 %arg.team, 32
  %.70.i = inttoptr i64 %.67.i to ptr
  %.71.i = load i64, ptr %.70.i, align 8, !noalias !86
  %.75.i = inttoptr i64 %arg.block to ptr
  %.76.i = load i64, ptr %.75.i, align 8, !noalias !86
  %.78.i = inttoptr i64 %.71.i to ptr
  %.79.i = inttoptr i64 %.76.i to ptr
  %.80.i = tail call ptr %.78.i(ptr %.79.i, i64 %.16.i.i), !noalias !86
  %.86.i = icmp eq ptr %.80.i, null
  br i1 %.86.i, label %common.ret, label %B402.i

common.ret:                                       ; preds = %B0.endif, %B336, %B90.endif.i, %B28.else.if.i, %B0
  %storemerge = phi i8 [ 1, %B336 ], [ 0, %B0 ], [ 0, %B28.else.if.i ], [ 0, %B90.endif.i ], [ 0, %B0.endif ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B286:                                             ; preds = %B286.lr.ph.new, %B286
  %lsr.iv9 = phi i64 [ %lsr.iv.next10, %B286 ], [ %14, %B286.lr.ph.new ]
  %.2197274 = phi i64 [ 0, %B286.lr.ph.new ], [ %.226.7, %B286 ]
  %1 = inttoptr i64 %arg.source to ptr
  %.257 = inttoptr i64 %lsr.iv9 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257, ptr align 1 %1, i64 %arg.row, i1 false)
  %2 = add i64 %arg.row, %lsr.iv9
  %.257.1 = inttoptr i64 %2 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.1, ptr align 1 %1, i64 %arg.row, i1 false)
  %3 = add i64 %arg.row, %2
  %.257.2 = inttoptr i64 %3 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.2, ptr align 1 %1, i64 %arg.row, i1 false)
  %4 = add i64 %arg.row, %3
  %.257.3 = inttoptr i64 %4 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.3, ptr align 1 %1, i64 %arg.row, i1 false)
  %5 = add i64 %arg.row, %4
  %.257.4 = inttoptr i64 %5 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.4, ptr align 1 %1, i64 %arg.row, i1 false)
  %6 = add i64 %arg.row, %5
  %.257.5 = inttoptr i64 %6 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.5, ptr align 1 %1, i64 %arg.row, i1 false)
  %7 = add i64 %arg.row, %6
  %.257.6 = inttoptr i64 %7 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.6, ptr align 1 %1, i64 %arg.row, i1 false)
  %.226.7 = add nuw i64 %.2197274, 8
  %8 = add i64 %arg.row, %7
  %.257.7 = inttoptr i64 %8 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.7, ptr align 1 %1, i64 %arg.row, i1 false)
  %lsr.iv.next10 = add i64 %lsr.iv9, %15
  %niter.ncmp.7 = icmp eq i64 %unroll_iter, %.226.7
  br i1 %niter.ncmp.7, label %B336.loopexit.unr-lcssa, label %B286

B336.loopexit.unr-lcssa:                          ; preds = %B286
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B336, label %B286.epil.preheader

B286.epil.preheader:                              ; preds = %B286.lr.ph, %B336.loopexit.unr-lcssa
  %.2197274.epil.init = phi i64 [ 0, %B286.lr.ph ], [ %.226.7, %B336.loopexit.unr-lcssa ]
  %9 = add i64 %.125, %.23
  %10 = mul i64 %.2197274.epil.init, %arg.row
  %11 = add i64 %9, %10
  br label %B286.epil

B286.epil:                                        ; preds = %B286.epil, %B286.epil.preheader
  %lsr.iv7 = phi i64 [ %lsr.iv.next8, %B286.epil ], [ %xtraiter, %B286.epil.preheader ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B286.epil ], [ %11, %B286.epil.preheader ]
  %12 = inttoptr i64 %arg.source to ptr
  %.257.epil = inttoptr i64 %lsr.iv to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.257.epil, ptr align 1 %12, i64 %arg.row, i1 false)
  %lsr.iv.next = add i64 %lsr.iv, %arg.row
  %lsr.iv.next8 = add nsw i64 %lsr.iv7, -1
  %epil.iter.cmp.not = icmp eq i64 %lsr.iv.next8, 0
  br i1 %epil.iter.cmp.not, label %B336, label %B286.epil, !llvm.loop !89

B336:                                             ; preds = %B170.endif, %B286.epil, %B336.loopexit.unr-lcssa
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr11 = getelementptr i8, ptr %sunkaddr, i64 16
  store i64 %.65, ptr %sunkaddr11, align 8
  br label %common.ret

B0.endif:                                         ; preds = %B28.else.if.i, %B16.i
  %.68.i = mul nsw i64 %arg.count, %arg.row
  %.60 = icmp slt i64 %.68.i, 0
  br i1 %.60, label %common.ret, label %B126

B170.endif:                                       ; preds = %B402.i, %B126.B170.endif_crit_edge
  %.124.pre-phi = phi ptr [ %.pre, %B126.B170.endif_crit_edge ], [ %0, %B402.i ]
  %.125 = load i64, ptr %.124.pre-phi, align 8
  %.21373.not = icmp eq i64 %arg.count, 0
  br i1 %.21373.not, label %B336, label %B286.lr.ph

B286.lr.ph:                                       ; preds = %B170.endif
  %xtraiter = and i64 %arg.count, 7
  %13 = icmp ult i64 %arg.count, 8
  br i1 %13, label %B286.epil.preheader, label %B286.lr.ph.new

B286.lr.ph.new:                                   ; preds = %B286.lr.ph
  %unroll_iter = and i64 %arg.count, 9223372036854775800
  %14 = add i64 %.125, %.23
  %15 = shl i64 %arg.row, 3
  br label %B286
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel4trimB3v33B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.block, i64 %arg.count, i64 %arg.row) #9 {
B0:
  %.11.i = icmp slt i64 %arg.count, 0
  br i1 %.11.i, label %common.ret, label %B16.i

B16.i:                                            ; preds = %B0
  %.14.i = icmp sgt i64 %arg.row, 0
  br i1 %.14.i, label %B28.else.if.i, label %B0.endif

B28.else.if.i:                                    ; preds = %B16.i
  %.359.i = udiv i64 281474976710656, %arg.row
  %.58.i = icmp samesign ugt i64 %arg.count, %.359.i
  br i1 %.58.i, label %common.ret, label %B0.endif

B48:                                              ; preds = %B0.endif
  %.44 = add nsw i64 %arg.block, 16
  %.45 = inttoptr i64 %.44 to ptr
  %.46 = load i64, ptr %.45, align 8
  %.48 = icmp sgt i64 %.68.i, %.46
  br i1 %.48, label %common.ret, label %B138

common.ret:                                       ; preds = %B0.endif, %B138, %B48, %B28.else.if.i, %B0
  %storemerge = phi i8 [ 1, %B138 ], [ 0, %B0 ], [ 0, %B28.else.if.i ], [ 0, %B0.endif ], [ 0, %B48 ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B138:                                             ; preds = %B48
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %sunkaddr3 = getelementptr i8, ptr %sunkaddr, i64 16
  store i64 %.68.i, ptr %sunkaddr3, align 8
  br label %common.ret

B0.endif:                                         ; preds = %B28.else.if.i, %B16.i
  %.68.i = mul nsw i64 %arg.row, %arg.count
  %.40 = icmp slt i64 %.68.i, 0
  br i1 %.40, label %common.ret, label %B48
}

define internal noundef range(i32 -1, -2) i32 @_ZN7vitrify6kernel3cutB3v34B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxxx(ptr noalias writeonly captures(none) initializes((0, 1)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.team, i64 %arg.block, i64 %arg.other, i64 %arg.first, i64 %arg.last, i64 %arg.row) {
B0:
  %const = bitcast i64 -9223372036854775807 to i64
  %.18 = add nsw i64 %arg.other, 16
  %.19 = inttoptr i64 %.18 to ptr
  %.20 = load i64, ptr %.19, align 8
  %.24 = icmp eq i64 %arg.row, 0
  br i1 %.24, label %B0.endif, label %B0.else, !prof !0

common.ret:                                       ; preds = %B90.endif.i, %B234
  %storemerge = phi i8 [ 1, %B234 ], [ 0, %B90.endif.i ]
  store i8 %storemerge, ptr %retptr, align 1
  ret i32 0

B234:                                             ; preds = %B402.i, %B0.endif.endif.endif.endif.B234_crit_edge
  %sunkaddr = inttoptr i64 %arg.block to ptr
  %.206 = load i64, ptr %sunkaddr, align 8
  %.212 = inttoptr i64 %arg.other to ptr
  %.213 = load i64, ptr %.212, align 8
  %.216 = mul nsw i64 %.11.i1.sink.i, %arg.row
  %.221 = add nsw i64 %.213, %.216
  %.223 = inttoptr i64 %.206 to ptr
  %.224 = inttoptr i64 %.221 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.223, ptr align 1 %.224, i64 %.148, i1 false)
  %.229 = add nsw i64 %arg.block, 16
  %.233 = inttoptr i64 %.229 to ptr
  store i64 %.148, ptr %.233, align 8
  br label %common.ret

B0.else:                                          ; preds = %B0
  %const_mat = add i64 %const, -1
  %.35 = icmp ne i64 %.20, %const_mat
  %.36 = icmp ne i64 %arg.row, -1
  %.37.not = or i1 %.36, %.35
  br i1 %.37.not, label %B0.else.if, label %B0.endif, !prof !1

B0.endif:                                         ; preds = %13, %B0.else, %B0
  %quot.0 = phi i64 [ 0, %B0 ], [ 0, %B0.else ], [ %spec.select, %13 ]
  %arg.index.off.i = add i64 %arg.first, %const
  %switch.i = icmp ult i64 %arg.index.off.i, 2
  br i1 %switch.i, label %B0.endif.endif, label %B32.i

B32.i:                                            ; preds = %B0.endif
  %.31.i = icmp slt i64 %arg.first, 0
  br i1 %.31.i, label %B44.endif.i, label %B82.endif.i

B44.endif.i:                                      ; preds = %B32.i
  %.35.i = add nsw i64 %quot.0, %arg.first
  %.11.i.i = tail call i64 @llvm.smax.i64(i64 %.35.i, i64 0)
  br label %B0.endif.endif

B82.endif.i:                                      ; preds = %B32.i
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %quot.0, i64 %arg.first)
  br label %B0.endif.endif

B0.else.if:                                       ; preds = %B0.else
  %0 = or i64 %.20, %arg.row
  %1 = and i64 %0, -4294967296
  %2 = icmp eq i64 %1, 0
  br i1 %2, label %3, label %10

3:                                                ; preds = %B0.else.if
  %4 = trunc i64 %arg.row to i32
  %5 = trunc i64 %.20 to i32
  %6 = udiv i32 %5, %4
  %7 = urem i32 %5, %4
  %8 = zext i32 %6 to i64
  %9 = zext i32 %7 to i64
  br label %13

10:                                               ; preds = %B0.else.if
  %11 = sdiv i64 %.20, %arg.row
  %12 = srem i64 %.20, %arg.row
  br label %13

13:                                               ; preds = %10, %3
  %14 = phi i64 [ %8, %3 ], [ %11, %10 ]
  %15 = phi i64 [ %9, %3 ], [ %12, %10 ]
  %.42 = xor i64 %15, %arg.row
  %.43 = icmp slt i64 %.42, 0
  %.44 = icmp ne i64 %15, 0
  %.45 = and i1 %.44, %.43
  %.50 = sext i1 %.45 to i64
  %spec.select = add i64 %14, %.50
  br label %B0.endif

B0.endif.endif:                                   ; preds = %B82.endif.i, %B44.endif.i, %B0.endif
  %.11.i1.sink.i = phi i64 [ %.11.i1.i, %B82.endif.i ], [ %.11.i.i, %B44.endif.i ], [ 0, %B0.endif ]
  %arg.index.off.i1 = add i64 %arg.last, %const
  %switch.i2 = icmp ult i64 %arg.index.off.i1, 2
  br i1 %switch.i2, label %B0.endif.endif.endif.endif, label %B32.i3

B32.i3:                                           ; preds = %B0.endif.endif
  %.31.i4 = icmp slt i64 %arg.last, 0
  br i1 %.31.i4, label %B44.endif.i8, label %B82.endif.i5

B44.endif.i8:                                     ; preds = %B32.i3
  %.35.i9 = add nsw i64 %quot.0, %arg.last
  %.11.i.i10 = tail call i64 @llvm.smax.i64(i64 %.35.i9, i64 0)
  br label %B0.endif.endif.endif.endif

B82.endif.i5:                                     ; preds = %B32.i3
  %.11.i1.i6 = tail call i64 @llvm.smin.i64(i64 %quot.0, i64 %arg.last)
  br label %B0.endif.endif.endif.endif

B0.endif.endif.endif.endif:                       ; preds = %B82.endif.i5, %B44.endif.i8, %B0.endif.endif
  %.11.i1.sink.i7 = phi i64 [ %.11.i1.i6, %B82.endif.i5 ], [ %.11.i.i10, %B44.endif.i8 ], [ %quot.0, %B0.endif.endif ]
  %.118 = sub nsw i64 %.11.i1.sink.i7, %.11.i1.sink.i
  %.11.i = tail call i64 @llvm.smax.i64(i64 %.118, i64 0)
  %.148 = mul nsw i64 %.11.i, %arg.row
  %.15.i = add nsw i64 %arg.block, 8
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !90
  %.19.i = icmp sgt i64 %.148, %.17.i
  br i1 %.19.i, label %B90.endif.i, label %B0.endif.endif.endif.endif.B234_crit_edge

B0.endif.endif.endif.endif.B234_crit_edge:        ; preds = %B0.endif.endif.endif.endif
  br label %B234

B402.i:                                           ; preds = %B90.endif.i
  %.81.i = ptrtoint ptr %.80.i to i64
  %sunkaddr15 = inttoptr i64 %arg.block to ptr
  store i64 %.81.i, ptr %sunkaddr15, align 8, !noalias !90
  %sunkaddr16 = inttoptr i64 %arg.block to ptr
  %sunkaddr17 = getelementptr i8, ptr %sunkaddr16, i64 8
  store i64 %.16.i.i, ptr %sunkaddr17, align 8, !noalias !90
  br label %B234

B90.endif.i:                                      ; preds = %B0.endif.endif.endif.endif
  %.26.i = shl nsw i64 %.17.i, 1
  %.14.i.i = tail call i64 @llvm.smax.i64(i64 %.148, i64 %.26.i)
  %.16.i.i = tail call i64 @llvm.smax.i64(i64 %.14.i.i, i64 256)
  %.67.i = add nsw i64 %arg.team, 32
  %.70.i = inttoptr i64 %.67.i to ptr
  %.71.i = load i64, ptr %.70.i, align 8, !noalias !90
  %.75.i = inttoptr i64 %arg.block to ptr
  %.76.i = load i64, ptr %.75.i, align 8, !noalias !90
  %.78.i = inttoptr i64 %.71.i to ptr
  %.79.i = inttoptr i64 %.76.i to ptr
  %.80.i = tail call ptr %.78.i(ptr %.79.i, i64 %.16.i.i), !noalias !90
  %.86.i = icmp eq ptr %.80.i, null
  br i1 %.86.i, label %common.ret, label %B402.i
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel8exchangeB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.cell, i64 %arg.source, i64 %arg.target) {
B0:
  %.322 = alloca i8, align 1
  %excinfo.4 = alloca ptr, align 8
  %.528 = alloca i64, align 8
  %excinfo.6 = alloca ptr, align 8
  store ptr null, ptr %excinfo.6, align 8
  %.11 = inttoptr i64 %arg.cell to ptr
  %.12 = load i64, ptr %.11, align 8
  %.17 = icmp eq i64 %.12, 0
  br i1 %.17, label %B46, label %B50

common.ret:                                       ; preds = %B1498.endif.endif, %B1324.if.if, %B1164.endif.endif, %B1134.endif.if.if, %B1080.endif.endif, %B718.endif.endif, %B1558, %B300, %B46
  %common.ret.op = phi i32 [ 0, %B46 ], [ 0, %B300 ], [ 0, %B1558 ], [ 0, %B1164.endif.endif ], [ 0, %B718.endif.endif ], [ 0, %B1498.endif.endif ], [ 0, %B1080.endif.endif ], [ %.532, %B1324.if.if ], [ %.326, %B1134.endif.if.if ]
  ret i32 %common.ret.op

B46:                                              ; preds = %B0
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B50:                                              ; preds = %B0
  %.30 = add nsw i64 %.12, 24
  %.31 = inttoptr i64 %.30 to ptr
  %.32 = load i64, ptr %.31, align 8
  %.39 = inttoptr i64 %.32 to ptr
  %.40 = load i64, ptr %.39, align 8
  %.41 = icmp eq i64 %.40, 0
  br i1 %.41, label %B300, label %B214

B214:                                             ; preds = %B50
  %.45 = add nsw i64 %.32, 8
  %.46 = inttoptr i64 %.45 to ptr
  %.47 = load i64, ptr %.46, align 8
  %.48.not = icmp eq i64 %.47, 0
  br i1 %.48.not, label %B304.endif, label %B300

B300:                                             ; preds = %B214, %B50
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B706:                                             ; preds = %B706.preheader, %B1030
  %lsr.iv31 = phi i64 [ %4, %B706.preheader ], [ %lsr.iv.next32, %B1030 ]
  %lsr.iv.next32 = add i64 %lsr.iv31, -1
  %.154 = icmp eq i64 %lsr.iv.next32, 0
  br i1 %.154, label %B718.endif.endif, label %B772

B772:                                             ; preds = %B706
  %0 = inttoptr i64 %.114 to ptr
  %1 = inttoptr i64 %.63.i to ptr
  %sunkaddr = inttoptr i64 %.32 to ptr
  %sunkaddr33 = getelementptr i8, ptr %sunkaddr, i64 24
  %.213 = load i64, ptr %sunkaddr33, align 8
  %sunkaddr34 = inttoptr i64 %.32 to ptr
  %sunkaddr35 = getelementptr i8, ptr %sunkaddr34, i64 40
  %.218 = load i64, ptr %sunkaddr35, align 8
  %.223 = inttoptr i64 %.218 to ptr
  %.226 = inttoptr i64 %.213 to ptr
  %.227 = tail call i32 %.223(ptr %1, ptr nonnull %0, ptr %.226)
  %.236 = icmp eq i32 %.227, 0
  br i1 %.236, label %B1030, label %B1080.endif.endif

B1030:                                            ; preds = %B772
  %2 = inttoptr i64 %.114 to ptr
  %.250 = load i64, ptr %2, align 8
  %.251 = icmp eq i64 %.250, 0
  br i1 %.251, label %B706, label %B1134

B1134:                                            ; preds = %B1030
  store i8 0, ptr %.322, align 1
  %.326 = call i32 @_ZN7vitrify6kernel9is_agreedB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr nonnull %.322, ptr nonnull %excinfo.4, i64 %.12)
  %.336 = load i8, ptr %.322, align 1
  %.339 = icmp eq i8 %.336, 0
  br i1 %.339, label %B1134.endif.thread, label %B1134.endif

B1322:                                            ; preds = %B1324.endif, %B1218.endif
  %lsr.iv29 = phi i64 [ %lsr.iv.next30, %B1324.endif ], [ %5, %B1218.endif ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B1324.endif ], [ 0, %B1218.endif ]
  %lsr.iv.next = add i64 %lsr.iv, 64
  %lsr.iv.next30 = add i64 %lsr.iv29, -1
  %exitcond.not = icmp eq i64 %lsr.iv.next30, 0
  br i1 %exitcond.not, label %B1558, label %B1324

B1324:                                            ; preds = %B1322
  %sunkaddr36 = inttoptr i64 %.12 to ptr
  %sunkaddr37 = getelementptr i8, ptr %sunkaddr36, i64 152
  %.523 = load i64, ptr %sunkaddr37, align 8
  %3 = add i64 %lsr.iv, %.523
  store i64 0, ptr %.528, align 8
  %.532 = call i32 @_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx(ptr nonnull %.528, ptr nonnull %excinfo.6, i64 %.12, i64 %3)
  %cond = icmp eq i32 %.532, 0
  br i1 %cond, label %B1324.endif, label %B1324.if.if, !prof !6

B1558:                                            ; preds = %B1322
  store i8 1, ptr %retptr, align 1
  br label %common.ret

B304.endif:                                       ; preds = %B214
  %.63 = add nsw i64 %.12, 8
  %.65 = inttoptr i64 %.63 to ptr
  store i64 %arg.source, ptr %.65, align 8
  %.71 = add nsw i64 %.12, 16
  %.73 = inttoptr i64 %.71 to ptr
  store i64 %arg.target, ptr %.73, align 8
  %sunkaddr38 = inttoptr i64 %.12 to ptr
  %sunkaddr39 = getelementptr i8, ptr %sunkaddr38, i64 24
  %.8.i = load i64, ptr %sunkaddr39, align 8, !noalias !93
  %.10.i = add nsw i64 %.12, 96
  %.11.i = inttoptr i64 %.10.i to ptr
  %.12.i = load i64, ptr %.11.i, align 8, !noalias !93
  %.14.i = add nsw i64 %.12, 112
  %.15.i = inttoptr i64 %.14.i to ptr
  %.16.i = load i64, ptr %.15.i, align 8, !noalias !93
  %.18.i = add nsw i64 %.12, 72
  %.19.i = inttoptr i64 %.18.i to ptr
  %.20.i = load i64, ptr %.19.i, align 8, !noalias !93
  %.22.i = add nsw i64 %.8.i, 16
  %.23.i = inttoptr i64 %.22.i to ptr
  %.24.i = load i64, ptr %.23.i, align 8, !noalias !93
  %.25.i = inttoptr i64 %.20.i to ptr
  %.26.i = load i64, ptr %.25.i, align 8, !noalias !93
  %.27.i = add nsw i64 %.26.i, 1
  store i64 %.27.i, ptr %.25.i, align 8, !noalias !93
  %.31.i = add nsw i64 %.12, 80
  %.32.i = inttoptr i64 %.31.i to ptr
  %.33.i = load i64, ptr %.32.i, align 8, !noalias !93
  %.34.i = inttoptr i64 %.12.i to ptr
  store i64 %.33.i, ptr %.34.i, align 8, !noalias !93
  %.37.i = add nsw i64 %.12.i, 8
  %.41.i = load i64, ptr %.65, align 8, !noalias !93
  %.43.i = add nsw i64 %.12, 88
  %.44.i = inttoptr i64 %.43.i to ptr
  %.45.i = load i64, ptr %.44.i, align 8, !noalias !93
  %.46.i = inttoptr i64 %.37.i to ptr
  %.47.i = inttoptr i64 %.41.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.46.i, ptr align 1 %.47.i, i64 %.45.i, i1 false), !noalias !93
  %.51.i = add nsw i64 %.8.i, 32
  %.52.i = inttoptr i64 %.51.i to ptr
  %.53.i = load i64, ptr %.52.i, align 8, !noalias !93
  %.55.i = add nsw i64 %.12, 104
  %.56.i = inttoptr i64 %.55.i to ptr
  %.57.i = load i64, ptr %.56.i, align 8, !noalias !93
  %.59.i = add nsw i64 %.12, 56
  %.60.i = inttoptr i64 %.59.i to ptr
  %.61.i = load i64, ptr %.60.i, align 8, !noalias !93
  %.63.i = add nsw i64 %.12, 120
  %.64.i = inttoptr i64 %.53.i to ptr
  %.66.i = trunc i64 %.16.i to i32
  %.67.i = inttoptr i64 %.57.i to ptr
  %.69.i = inttoptr i64 %.63.i to ptr
  %.70.i = tail call i32 %.64.i(ptr nonnull %.34.i, i32 %.66.i, i64 %.24.i, ptr %.67.i, i32 %.66.i, i64 %.24.i, i64 %.61.i, ptr %.69.i), !noalias !93
  %.114 = add nsw i64 %.12, 128
  %.117 = add nsw i64 %.12, 136
  %.118 = inttoptr i64 %.117 to ptr
  %.119 = load i64, ptr %.118, align 8
  %.127 = inttoptr i64 %.114 to ptr
  store i64 0, ptr %.127, align 8
  %.130 = icmp eq i32 %.70.i, 0
  br i1 %.130, label %B706.preheader, label %B1080.endif.endif

B706.preheader:                                   ; preds = %B304.endif
  %4 = add i64 %.119, 1
  br label %B706

B718.endif.endif:                                 ; preds = %B706
  %.8.i3 = add nsw i64 %.12, 32
  %.9.i = inttoptr i64 %.8.i3 to ptr
  store i64 1, ptr %.9.i, align 8, !noalias !96
  %.12.i4 = add nsw i64 %.12, 40
  %.13.i = inttoptr i64 %.12.i4 to ptr
  store i64 0, ptr %.13.i, align 8, !noalias !96
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B1080.endif.endif:                                ; preds = %B304.endif, %B772
  %error.3.1125.in = phi i32 [ %.70.i, %B304.endif ], [ %.227, %B772 ]
  %error.3.1125 = sext i32 %error.3.1125.in to i64
  %.8.i5 = add nsw i64 %.12, 32
  %.9.i6 = inttoptr i64 %.8.i5 to ptr
  store i64 3, ptr %.9.i6, align 8, !noalias !99
  %.12.i7 = add nsw i64 %.12, 40
  %.13.i8 = inttoptr i64 %.12.i7 to ptr
  store i64 %error.3.1125, ptr %.13.i8, align 8, !noalias !99
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B1134.endif:                                      ; preds = %B1134
  switch i32 %.326, label %B1134.endif.if.if [
    i32 -2, label %B1218.endif
    i32 0, label %B1218.endif
  ], !prof !37

B1134.endif.thread:                               ; preds = %B1134
  switch i32 %.326, label %B1134.endif.if.if [
    i32 -2, label %B1164.endif.endif
    i32 0, label %B1164.endif.endif
  ], !prof !37

B1134.endif.if.if:                                ; preds = %B1134.endif.thread, %B1134.endif
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B1164.endif.endif:                                ; preds = %B1134.endif.thread, %B1134.endif.thread
  %.8.i9 = add nsw i64 %.12, 32
  %.9.i10 = inttoptr i64 %.8.i9 to ptr
  store i64 2, ptr %.9.i10, align 8, !noalias !102
  %.12.i11 = add nsw i64 %.12, 40
  %.13.i12 = inttoptr i64 %.12.i11 to ptr
  store i64 0, ptr %.13.i12, align 8, !noalias !102
  store i8 0, ptr %retptr, align 1
  br label %common.ret

B1218.endif:                                      ; preds = %B1134.endif, %B1134.endif
  %.398 = add nsw i64 %.12, 160
  %.399 = inttoptr i64 %.398 to ptr
  %.400 = load i64, ptr %.399, align 8
  %..400 = tail call i64 @llvm.smax.i64(i64 %.400, i64 0)
  %5 = add nuw i64 %..400, 1
  br label %B1322

B1324.endif:                                      ; preds = %B1324
  %.542 = load i64, ptr %.528, align 8
  %.556.not = icmp eq i64 %.542, 0
  br i1 %.556.not, label %B1322, label %B1498.endif.endif

B1324.if.if:                                      ; preds = %B1324
  %.540 = icmp sgt i32 %.532, 0
  %.533 = load ptr, ptr %excinfo.6, align 8
  %.541 = select i1 %.540, ptr %.533, ptr undef
  store ptr %.541, ptr %excinfo, align 8
  br label %common.ret

B1498.endif.endif:                                ; preds = %B1324.endif
  %.8.i13 = add nsw i64 %.12, 32
  %.9.i14 = inttoptr i64 %.8.i13 to ptr
  store i64 3, ptr %.9.i14, align 8, !noalias !105
  %.12.i15 = add nsw i64 %.12, 40
  %.13.i16 = inttoptr i64 %.12.i15 to ptr
  store i64 %.542, ptr %.13.i16, align 8, !noalias !105
  store i8 0, ptr %retptr, align 1
  br label %common.ret
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal noundef i32 @_ZN7vitrify6kernel9is_agreedB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx(ptr noalias writeonly captures(none) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.route) local_unnamed_addr #10 {
B0.endif:
  %.6 = add nsw i64 %arg.route, 80
  %.7 = inttoptr i64 %.6 to ptr
  %.8 = load i64, ptr %.7, align 8
  %.10 = add nsw i64 %arg.route, 104
  %.11 = inttoptr i64 %.10 to ptr
  %.12 = load i64, ptr %.11, align 8
  %.20 = add nsw i64 %arg.route, 112
  %.21 = inttoptr i64 %.20 to ptr
  %.22 = load i64, ptr %.21, align 8
  %.24 = add nsw i64 %arg.route, 144
  %.25 = inttoptr i64 %.24 to ptr
  %.26 = load i64, ptr %.25, align 8
  %.34 = add nsw i64 %arg.route, 48
  %.35 = inttoptr i64 %.34 to ptr
  %.36 = load i64, ptr %.35, align 8
  %.26.fr = freeze i64 %.26
  %.172.not = icmp eq i64 %.26.fr, 0
  br i1 %.172.not, label %B0.endif.split.us, label %B420.preheader

B420.preheader:                                   ; preds = %B0.endif
  %..36 = tail call i64 @llvm.smax.i64(i64 %.36, i64 0)
  %0 = add nuw i64 %..36, 1
  br label %B420

B0.endif.split.us:                                ; preds = %B0.endif
  %.118.us69.not = icmp slt i64 %.36, 1
  br i1 %.118.us69.not, label %common.ret, label %B422.us.preheader

B422.us.preheader:                                ; preds = %B0.endif.split.us
  br label %B422.us

B420.us:                                          ; preds = %B422.us
  %lsr.iv.next = add i64 %lsr.iv, -1
  %lsr.iv.next16 = add i64 %lsr.iv15, %.22
  %exitcond79.not = icmp eq i64 %lsr.iv.next, 0
  br i1 %exitcond79.not, label %common.ret, label %B422.us

B422.us:                                          ; preds = %B420.us, %B422.us.preheader
  %lsr.iv15 = phi i64 [ %lsr.iv.next16, %B420.us ], [ %.12, %B422.us.preheader ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B420.us ], [ %.36, %B422.us.preheader ]
  %.160.us = inttoptr i64 %lsr.iv15 to ptr
  %.161.us = load i64, ptr %.160.us, align 8
  %.169.not.unshifted.us = xor i64 %.161.us, %.8
  %.169.not.us = icmp ult i64 %.169.not.unshifted.us, 2
  br i1 %.169.not.us, label %B420.us, label %common.ret

B420:                                             ; preds = %B422, %B420.preheader
  %lsr.iv19 = phi i64 [ %0, %B420.preheader ], [ %lsr.iv.next20, %B422 ]
  %lsr.iv17 = phi i64 [ %.12, %B420.preheader ], [ %lsr.iv.next18, %B422 ]
  %lsr.iv.next20 = add i64 %lsr.iv19, -1
  %exitcond.not = icmp eq i64 %lsr.iv.next20, 0
  br i1 %exitcond.not, label %common.ret, label %B422

B422:                                             ; preds = %B420
  %lsr.iv.next18 = add i64 %lsr.iv17, %.22
  %.160 = inttoptr i64 %lsr.iv17 to ptr
  %.161 = load i64, ptr %.160, align 8
  %.176.not = icmp eq i64 %.161, %.8
  br i1 %.176.not, label %B420, label %common.ret

common.ret:                                       ; preds = %B422, %B420, %B422.us, %B420.us, %B0.endif.split.us
  %.us-phi68 = phi i8 [ 1, %B420.us ], [ 1, %B0.endif.split.us ], [ 0, %B422.us ], [ 0, %B422 ], [ 1, %B420 ]
  store i8 %.us-phi68, ptr %retptr, align 1
  ret i32 0
}

define internal range(i32 -1, -2) i32 @_ZN7vitrify6kernel5carryB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx(ptr noalias writeonly captures(none) %retptr, ptr noalias writeonly captures(none) %excinfo, i64 %arg.route, i64 %arg.move) local_unnamed_addr {
B0.endif.endif:
  %.334 = alloca ptr, align 8
  %excinfo.3 = alloca ptr, align 8
  %.12 = add nsw i64 %arg.route, 24
  %.13 = inttoptr i64 %.12 to ptr
  %.14 = load i64, ptr %.13, align 8
  %.21 = inttoptr i64 %arg.move to ptr
  %.22 = load i64, ptr %.21, align 8
  %.8.i = add i64 %arg.move, 8
  %.9.i = inttoptr i64 %.8.i to ptr
  %.10.i = load i64, ptr %.9.i, align 8, !noalias !108
  %.11.i = shl nsw i64 %.10.i, 3
  %.12.i = add nsw i64 %.11.i, %arg.route
  %.13.i = inttoptr i64 %.12.i to ptr
  %.14.i = load i64, ptr %.13.i, align 8, !noalias !108
  %.17.i = add i64 %arg.move, 16
  %.18.i = inttoptr i64 %.17.i to ptr
  %.19.i = load i64, ptr %.18.i, align 8, !noalias !108
  %.20.i = add i64 %.19.i, %.14.i
  %.8.i1 = add i64 %arg.move, 24
  %.9.i2 = inttoptr i64 %.8.i1 to ptr
  %.10.i3 = load i64, ptr %.9.i2, align 8, !noalias !111
  %.11.i4 = shl nsw i64 %.10.i3, 3
  %.12.i5 = add nsw i64 %.11.i4, %arg.route
  %.13.i6 = inttoptr i64 %.12.i5 to ptr
  %.14.i7 = load i64, ptr %.13.i6, align 8, !noalias !111
  %.17.i8 = add i64 %arg.move, 32
  %.18.i9 = inttoptr i64 %.17.i8 to ptr
  %.19.i10 = load i64, ptr %.18.i9, align 8, !noalias !111
  %.20.i11 = add i64 %.19.i10, %.14.i7
  %.90 = add nsw i64 %arg.move, 40
  %.91 = inttoptr i64 %.90 to ptr
  %.92 = load i64, ptr %.91, align 8
  %.95 = add nsw i64 %arg.move, 48
  %.96 = inttoptr i64 %.95 to ptr
  %.97 = load i64, ptr %.96, align 8
  %.106 = add nsw i64 %.14, 16
  %.107 = inttoptr i64 %.106 to ptr
  %.108 = load i64, ptr %.107, align 8
  %.111 = add nsw i64 %arg.route, 64
  %.112 = inttoptr i64 %.111 to ptr
  %.113 = load i64, ptr %.112, align 8
  switch i64 %.22, label %B1448 [
    i64 0, label %B612
    i64 1, label %B682.endif
    i64 2, label %B886
    i64 3, label %B960
    i64 4, label %B1110
    i64 5, label %B1260
  ]

B612:                                             ; preds = %B0.endif.endif
  %.140 = inttoptr i64 %.20.i11 to ptr
  %.141 = inttoptr i64 %.20.i to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.140, ptr align 1 %.141, i64 %.92, i1 false)
  br label %B1448

B788:                                             ; preds = %B788.preheader.new.new, %B788
  %lsr.iv20 = phi i64 [ %lsr.iv.next21, %B788 ], [ %unroll_iter8, %B788.preheader.new.new ]
  %lsr.iv19 = phi i64 [ %.20.i, %B788.preheader.new.new ], [ %63, %B788 ]
  %lsr.iv17 = phi i64 [ %.20.i11, %B788.preheader.new.new ], [ %62, %B788 ]
  %.297 = inttoptr i64 %lsr.iv17 to ptr
  %.298 = inttoptr i64 %lsr.iv19 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297, ptr align 1 %.298, i64 %.92, i1 false)
  %0 = add i64 %.92, %lsr.iv17
  %.297.1 = inttoptr i64 %0 to ptr
  %1 = add i64 %.97, %lsr.iv19
  %.298.1 = inttoptr i64 %1 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1, ptr align 1 %.298.1, i64 %.92, i1 false)
  %2 = add i64 %.92, %0
  %.297.2 = inttoptr i64 %2 to ptr
  %3 = add i64 %.97, %1
  %.298.2 = inttoptr i64 %3 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2, ptr align 1 %.298.2, i64 %.92, i1 false)
  %4 = add i64 %.92, %2
  %.297.3 = inttoptr i64 %4 to ptr
  %5 = add i64 %.97, %3
  %.298.3 = inttoptr i64 %5 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3, ptr align 1 %.298.3, i64 %.92, i1 false)
  %6 = add i64 %.92, %4
  %.297.4 = inttoptr i64 %6 to ptr
  %7 = add i64 %.97, %5
  %.298.4 = inttoptr i64 %7 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4, ptr align 1 %.298.4, i64 %.92, i1 false)
  %8 = add i64 %.92, %6
  %.297.5 = inttoptr i64 %8 to ptr
  %9 = add i64 %.97, %7
  %.298.5 = inttoptr i64 %9 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5, ptr align 1 %.298.5, i64 %.92, i1 false)
  %10 = add i64 %.92, %8
  %.297.6 = inttoptr i64 %10 to ptr
  %11 = add i64 %.97, %9
  %.298.6 = inttoptr i64 %11 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6, ptr align 1 %.298.6, i64 %.92, i1 false)
  %12 = add i64 %.92, %10
  %.297.7 = inttoptr i64 %12 to ptr
  %13 = add i64 %.97, %11
  %.298.7 = inttoptr i64 %13 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7, ptr align 1 %.298.7, i64 %.92, i1 false)
  %lsr.iv.next18 = add i64 %lsr.iv17, %85
  %lsr.iv.next20 = add i64 %lsr.iv19, %86
  %14 = add i64 %.92, %12
  %.297.19 = inttoptr i64 %14 to ptr
  %15 = add i64 %.97, %13
  %.298.110 = inttoptr i64 %15 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.19, ptr align 1 %.298.110, i64 %.92, i1 false)
  %16 = add i64 %.92, %14
  %.297.1.1 = inttoptr i64 %16 to ptr
  %17 = add i64 %.97, %15
  %.298.1.1 = inttoptr i64 %17 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.1, ptr align 1 %.298.1.1, i64 %.92, i1 false)
  %18 = add i64 %.92, %16
  %.297.2.1 = inttoptr i64 %18 to ptr
  %19 = add i64 %.97, %17
  %.298.2.1 = inttoptr i64 %19 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.1, ptr align 1 %.298.2.1, i64 %.92, i1 false)
  %20 = add i64 %.92, %18
  %.297.3.1 = inttoptr i64 %20 to ptr
  %21 = add i64 %.97, %19
  %.298.3.1 = inttoptr i64 %21 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.1, ptr align 1 %.298.3.1, i64 %.92, i1 false)
  %22 = add i64 %.92, %20
  %.297.4.1 = inttoptr i64 %22 to ptr
  %23 = add i64 %.97, %21
  %.298.4.1 = inttoptr i64 %23 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.1, ptr align 1 %.298.4.1, i64 %.92, i1 false)
  %24 = add i64 %.92, %22
  %.297.5.1 = inttoptr i64 %24 to ptr
  %25 = add i64 %.97, %23
  %.298.5.1 = inttoptr i64 %25 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.1, ptr align 1 %.298.5.1, i64 %.92, i1 false)
  %26 = add i64 %.92, %24
  %.297.6.1 = inttoptr i64 %26 to ptr
  %27 = add i64 %.97, %25
  %.298.6.1 = inttoptr i64 %27 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.1, ptr align 1 %.298.6.1, i64 %.92, i1 false)
  %28 = add i64 %.92, %26
  %.297.7.1 = inttoptr i64 %28 to ptr
  %29 = add i64 %.97, %27
  %.298.7.1 = inttoptr i64 %29 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.1, ptr align 1 %.298.7.1, i64 %.92, i1 false)
  %lsr.iv.next18.1 = add i64 %lsr.iv.next18, %85
  %lsr.iv.next20.1 = add i64 %lsr.iv.next20, %86
  %30 = add i64 %.92, %28
  %.297.211 = inttoptr i64 %30 to ptr
  %31 = add i64 %.97, %29
  %.298.212 = inttoptr i64 %31 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.211, ptr align 1 %.298.212, i64 %.92, i1 false)
  %32 = add i64 %.92, %30
  %.297.1.2 = inttoptr i64 %32 to ptr
  %33 = add i64 %.97, %31
  %.298.1.2 = inttoptr i64 %33 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.2, ptr align 1 %.298.1.2, i64 %.92, i1 false)
  %34 = add i64 %.92, %32
  %.297.2.2 = inttoptr i64 %34 to ptr
  %35 = add i64 %.97, %33
  %.298.2.2 = inttoptr i64 %35 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.2, ptr align 1 %.298.2.2, i64 %.92, i1 false)
  %36 = add i64 %.92, %34
  %.297.3.2 = inttoptr i64 %36 to ptr
  %37 = add i64 %.97, %35
  %.298.3.2 = inttoptr i64 %37 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.2, ptr align 1 %.298.3.2, i64 %.92, i1 false)
  %38 = add i64 %.92, %36
  %.297.4.2 = inttoptr i64 %38 to ptr
  %39 = add i64 %.97, %37
  %.298.4.2 = inttoptr i64 %39 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.2, ptr align 1 %.298.4.2, i64 %.92, i1 false)
  %40 = add i64 %.92, %38
  %.297.5.2 = inttoptr i64 %40 to ptr
  %41 = add i64 %.97, %39
  %.298.5.2 = inttoptr i64 %41 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.2, ptr align 1 %.298.5.2, i64 %.92, i1 false)
  %42 = add i64 %.92, %40
  %.297.6.2 = inttoptr i64 %42 to ptr
  %43 = add i64 %.97, %41
  %.298.6.2 = inttoptr i64 %43 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.2, ptr align 1 %.298.6.2, i64 %.92, i1 false)
  %44 = add i64 %.92, %42
  %.297.7.2 = inttoptr i64 %44 to ptr
  %45 = add i64 %.97, %43
  %.298.7.2 = inttoptr i64 %45 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.2, ptr align 1 %.298.7.2, i64 %.92, i1 false)
  %lsr.iv.next18.2 = add i64 %lsr.iv.next18.1, %85
  %lsr.iv.next20.2 = add i64 %lsr.iv.next20.1, %86
  %46 = add i64 %.92, %44
  %.297.313 = inttoptr i64 %46 to ptr
  %47 = add i64 %.97, %45
  %.298.314 = inttoptr i64 %47 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.313, ptr align 1 %.298.314, i64 %.92, i1 false)
  %48 = add i64 %.92, %46
  %.297.1.3 = inttoptr i64 %48 to ptr
  %49 = add i64 %.97, %47
  %.298.1.3 = inttoptr i64 %49 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.3, ptr align 1 %.298.1.3, i64 %.92, i1 false)
  %50 = add i64 %.92, %48
  %.297.2.3 = inttoptr i64 %50 to ptr
  %51 = add i64 %.97, %49
  %.298.2.3 = inttoptr i64 %51 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.3, ptr align 1 %.298.2.3, i64 %.92, i1 false)
  %52 = add i64 %.92, %50
  %.297.3.3 = inttoptr i64 %52 to ptr
  %53 = add i64 %.97, %51
  %.298.3.3 = inttoptr i64 %53 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.3, ptr align 1 %.298.3.3, i64 %.92, i1 false)
  %54 = add i64 %.92, %52
  %.297.4.3 = inttoptr i64 %54 to ptr
  %55 = add i64 %.97, %53
  %.298.4.3 = inttoptr i64 %55 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.3, ptr align 1 %.298.4.3, i64 %.92, i1 false)
  %56 = add i64 %.92, %54
  %.297.5.3 = inttoptr i64 %56 to ptr
  %57 = add i64 %.97, %55
  %.298.5.3 = inttoptr i64 %57 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.3, ptr align 1 %.298.5.3, i64 %.92, i1 false)
  %58 = add i64 %.92, %56
  %.297.6.3 = inttoptr i64 %58 to ptr
  %59 = add i64 %.97, %57
  %.298.6.3 = inttoptr i64 %59 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.3, ptr align 1 %.298.6.3, i64 %.92, i1 false)
  %60 = add i64 %.92, %58
  %.297.7.3 = inttoptr i64 %60 to ptr
  %61 = add i64 %.97, %59
  %.298.7.3 = inttoptr i64 %61 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.3, ptr align 1 %.298.7.3, i64 %.92, i1 false)
  %lsr.iv.next18.3 = add i64 %lsr.iv.next18.2, %85
  %lsr.iv.next20.3 = add i64 %lsr.iv.next20.2, %86
  %lsr.iv.next21 = add i64 %lsr.iv20, -4
  %niter.ncmp.3 = icmp eq i64 %lsr.iv.next21, 0
  %62 = add i64 %.92, %60
  %63 = add i64 %.97, %61
  br i1 %niter.ncmp.3, label %B1448.loopexit.unr-lcssa.unr-lcssa, label %B788

B886:                                             ; preds = %B0.endif.endif
  %.338 = call i32 @_ZN7vitrify6kernel4joinB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr nonnull %.334, ptr nonnull %excinfo.3, i64 %arg.route, i64 %.20.i, i64 %.97, i64 %.20.i11, i64 %.92)
  switch i32 %.338, label %B886.if.if [
    i32 -2, label %B1448
    i32 0, label %B1448
  ], !prof !37

common.ret:                                       ; preds = %B886.if.if, %B1448, %B1260, %B1110, %B960
  %common.ret.op = phi i32 [ 0, %B960 ], [ 0, %B1110 ], [ 0, %B1260 ], [ 0, %B1448 ], [ %.338, %B886.if.if ]
  ret i32 %common.ret.op

B960:                                             ; preds = %B0.endif.endif
  %.382 = add nsw i64 %.14, 48
  %.385 = inttoptr i64 %.382 to ptr
  %.386 = load i64, ptr %.385, align 8
  %.394 = inttoptr i64 %.386 to ptr
  %.395 = inttoptr i64 %.20.i to ptr
  %.396 = trunc i64 %.92 to i32
  %.397 = inttoptr i64 %.20.i11 to ptr
  %.399 = tail call i32 %.394(ptr %.395, i32 %.396, i64 %.108, ptr %.397, i32 %.396, i64 %.108, i64 %.113)
  %.400 = sext i32 %.399 to i64
  store i64 %.400, ptr %retptr, align 8
  br label %common.ret

B1110:                                            ; preds = %B0.endif.endif
  %.422 = add nsw i64 %.14, 56
  %.425 = inttoptr i64 %.422 to ptr
  %.426 = load i64, ptr %.425, align 8
  %.434 = inttoptr i64 %.426 to ptr
  %.435 = inttoptr i64 %.20.i to ptr
  %.436 = trunc i64 %.92 to i32
  %.437 = inttoptr i64 %.20.i11 to ptr
  %.439 = tail call i32 %.434(ptr %.435, i32 %.436, i64 %.108, ptr %.437, i32 %.436, i64 %.108, i64 %.113)
  %.440 = sext i32 %.439 to i64
  store i64 %.440, ptr %retptr, align 8
  br label %common.ret

B1260:                                            ; preds = %B0.endif.endif
  %.462 = add nsw i64 %.14, 64
  %.465 = inttoptr i64 %.462 to ptr
  %.466 = load i64, ptr %.465, align 8
  %.469 = add nsw i64 %arg.move, 56
  %.472 = inttoptr i64 %.469 to ptr
  %.473 = load i64, ptr %.472, align 8
  %.478 = inttoptr i64 %.466 to ptr
  %.479 = inttoptr i64 %.20.i11 to ptr
  %.480 = trunc i64 %.92 to i32
  %.481 = trunc i64 %.473 to i32
  %.482 = tail call i32 %.478(ptr %.479, i32 %.480, i64 %.108, i32 %.481, i64 %.113)
  %.483 = sext i32 %.482 to i64
  store i64 %.483, ptr %retptr, align 8
  br label %common.ret

B1448.loopexit.unr-lcssa.unr-lcssa:               ; preds = %B788
  %lcmp.mod.not15 = icmp eq i64 %xtraiter2, 0
  br i1 %lcmp.mod.not15, label %B1448.loopexit.unr-lcssa, label %B788.epil.preheader1

B788.epil.preheader1:                             ; preds = %B788.preheader.new, %B1448.loopexit.unr-lcssa.unr-lcssa
  %lsr.iv19.epil.init = phi i64 [ %.20.i, %B788.preheader.new ], [ %lsr.iv.next20.3, %B1448.loopexit.unr-lcssa.unr-lcssa ]
  %lsr.iv17.epil.init = phi i64 [ %.20.i11, %B788.preheader.new ], [ %lsr.iv.next18.3, %B1448.loopexit.unr-lcssa.unr-lcssa ]
  br label %B788.epil3

B788.epil3:                                       ; preds = %B788.epil3, %B788.epil.preheader1
  %lsr.iv18 = phi i64 [ %lsr.iv.next19, %B788.epil3 ], [ %xtraiter2, %B788.epil.preheader1 ]
  %lsr.iv19.epil = phi i64 [ %79, %B788.epil3 ], [ %lsr.iv19.epil.init, %B788.epil.preheader1 ]
  %lsr.iv17.epil = phi i64 [ %78, %B788.epil3 ], [ %lsr.iv17.epil.init, %B788.epil.preheader1 ]
  %.297.epil4 = inttoptr i64 %lsr.iv17.epil to ptr
  %.298.epil5 = inttoptr i64 %lsr.iv19.epil to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.epil4, ptr align 1 %.298.epil5, i64 %.92, i1 false)
  %64 = add i64 %.92, %lsr.iv17.epil
  %.297.1.epil = inttoptr i64 %64 to ptr
  %65 = add i64 %.97, %lsr.iv19.epil
  %.298.1.epil = inttoptr i64 %65 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.1.epil, ptr align 1 %.298.1.epil, i64 %.92, i1 false)
  %66 = add i64 %.92, %64
  %.297.2.epil = inttoptr i64 %66 to ptr
  %67 = add i64 %.97, %65
  %.298.2.epil = inttoptr i64 %67 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.2.epil, ptr align 1 %.298.2.epil, i64 %.92, i1 false)
  %68 = add i64 %.92, %66
  %.297.3.epil = inttoptr i64 %68 to ptr
  %69 = add i64 %.97, %67
  %.298.3.epil = inttoptr i64 %69 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.3.epil, ptr align 1 %.298.3.epil, i64 %.92, i1 false)
  %70 = add i64 %.92, %68
  %.297.4.epil = inttoptr i64 %70 to ptr
  %71 = add i64 %.97, %69
  %.298.4.epil = inttoptr i64 %71 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.4.epil, ptr align 1 %.298.4.epil, i64 %.92, i1 false)
  %72 = add i64 %.92, %70
  %.297.5.epil = inttoptr i64 %72 to ptr
  %73 = add i64 %.97, %71
  %.298.5.epil = inttoptr i64 %73 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.5.epil, ptr align 1 %.298.5.epil, i64 %.92, i1 false)
  %74 = add i64 %.92, %72
  %.297.6.epil = inttoptr i64 %74 to ptr
  %75 = add i64 %.97, %73
  %.298.6.epil = inttoptr i64 %75 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.6.epil, ptr align 1 %.298.6.epil, i64 %.92, i1 false)
  %76 = add i64 %.92, %74
  %.297.7.epil = inttoptr i64 %76 to ptr
  %77 = add i64 %.97, %75
  %.298.7.epil = inttoptr i64 %77 to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.7.epil, ptr align 1 %.298.7.epil, i64 %.92, i1 false)
  %lsr.iv.next19 = add nsw i64 %lsr.iv18, -1
  %epil.iter.cmp.not16 = icmp eq i64 %lsr.iv.next19, 0
  %78 = add i64 %.92, %76
  %79 = add i64 %.97, %77
  br i1 %epil.iter.cmp.not16, label %B1448.loopexit.unr-lcssa, label %B788.epil3, !llvm.loop !114

B1448.loopexit.unr-lcssa:                         ; preds = %B788.epil3, %B1448.loopexit.unr-lcssa.unr-lcssa
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B1448, label %B788.epil.preheader

B788.epil.preheader:                              ; preds = %B788.preheader, %B1448.loopexit.unr-lcssa
  %.256154156.epil.init = phi i64 [ 0, %B788.preheader ], [ %unroll_iter, %B1448.loopexit.unr-lcssa ]
  %80 = mul i64 %.256154156.epil.init, %.97
  %81 = add i64 %80, %.20.i
  %82 = mul i64 %.256154156.epil.init, %.92
  %83 = add i64 %82, %.20.i11
  br label %B788.epil

B788.epil:                                        ; preds = %B788.epil, %B788.epil.preheader
  %lsr.iv15 = phi i64 [ %lsr.iv.next16, %B788.epil ], [ %xtraiter, %B788.epil.preheader ]
  %lsr.iv13 = phi i64 [ %lsr.iv.next14, %B788.epil ], [ %83, %B788.epil.preheader ]
  %lsr.iv = phi i64 [ %lsr.iv.next, %B788.epil ], [ %81, %B788.epil.preheader ]
  %.297.epil = inttoptr i64 %lsr.iv13 to ptr
  %.298.epil = inttoptr i64 %lsr.iv to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.297.epil, ptr align 1 %.298.epil, i64 %.92, i1 false)
  %lsr.iv.next = add i64 %lsr.iv, %.97
  %lsr.iv.next14 = add i64 %lsr.iv13, %.92
  %lsr.iv.next16 = add nsw i64 %lsr.iv15, -1
  %epil.iter.cmp.not = icmp eq i64 %lsr.iv.next16, 0
  br i1 %epil.iter.cmp.not, label %B1448, label %B788.epil, !llvm.loop !115

B1448:                                            ; preds = %B682.endif, %B788.epil, %B1448.loopexit.unr-lcssa, %B886, %B886, %B612, %B0.endif.endif
  store i64 0, ptr %retptr, align 8
  br label %common.ret

B682.endif:                                       ; preds = %B0.endif.endif
  %.166 = add nsw i64 %arg.route, 48
  %.169 = inttoptr i64 %.166 to ptr
  %.170 = load i64, ptr %.169, align 8
  %.250155.not = icmp slt i64 %.170, 1
  br i1 %.250155.not, label %B1448, label %B788.preheader

B788.preheader:                                   ; preds = %B682.endif
  %xtraiter = and i64 %.170, 7
  %84 = icmp samesign ult i64 %.170, 8
  br i1 %84, label %B788.epil.preheader, label %B788.preheader.new

B788.preheader.new:                               ; preds = %B788.preheader
  %unroll_iter = and i64 %.170, 9223372036854775800
  %85 = shl i64 %.92, 3
  %86 = shl i64 %.97, 3
  %87 = add nsw i64 %.170, -8
  %88 = lshr i64 %87, 3
  %89 = add nuw nsw i64 %88, 1
  %xtraiter2 = and i64 %89, 3
  %90 = icmp ult i64 %87, 24
  br i1 %90, label %B788.epil.preheader1, label %B788.preheader.new.new

B788.preheader.new.new:                           ; preds = %B788.preheader.new
  %unroll_iter8 = and i64 %89, 4611686018427387900
  br label %B788

B886.if.if:                                       ; preds = %B886
  store ptr null, ptr %excinfo, align 8
  br label %common.ret
}

define internal noundef i32 @_ZN7vitrify6kernel4joinB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxxx(ptr noalias writeonly captures(none) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.route, i64 %arg.parts, i64 %arg.stride, i64 %arg.to, i64 %arg.size) local_unnamed_addr {
B0:
  %.21 = add nsw i64 %arg.route, 208
  %.22 = inttoptr i64 %.21 to ptr
  %.23 = load i64, ptr %.22, align 8
  %.26 = add nsw i64 %arg.route, 48
  %.27 = inttoptr i64 %.26 to ptr
  %.28 = load i64, ptr %.27, align 8
  %.34 = add nsw i64 %arg.route, 216
  %.37 = add nsw i64 %arg.route, 240
  %.40 = add nsw i64 %arg.route, 248
  %.53 = icmp eq i64 %.23, 0
  br i1 %.53, label %B0.endif, label %B0.else, !prof !0

B644.endif.thread:                                ; preds = %B0.endif
  %.123 = inttoptr i64 %arg.to to ptr
  %.124 = inttoptr i64 %arg.parts to ptr
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %.123, ptr align 1 %.124, i64 %arg.size, i1 false)
  br label %B972

B678:                                             ; preds = %B678.lr.ph, %B678
  %lsr.iv1 = phi i64 [ %.171, %B678.lr.ph ], [ %lsr.iv.next2, %B678 ]
  %lsr.iv = phi i64 [ %32, %B678.lr.ph ], [ %lsr.iv.next, %B678 ]
  %0 = inttoptr i64 %.34 to ptr
  %1 = inttoptr i64 %.40 to ptr
  %2 = inttoptr i64 %.37 to ptr
  %sunkaddr = inttoptr i64 %arg.route to ptr
  %sunkaddr2 = getelementptr i8, ptr %sunkaddr, i64 224
  store i64 %lsr.iv, ptr %sunkaddr2, align 8
  %sunkaddr4 = inttoptr i64 %arg.route to ptr
  %sunkaddr6 = getelementptr i8, ptr %sunkaddr4, i64 168
  %.267 = load i64, ptr %sunkaddr6, align 8
  %sunkaddr7 = inttoptr i64 %arg.route to ptr
  %sunkaddr8 = getelementptr i8, ptr %sunkaddr7, i64 176
  %.272 = load i64, ptr %sunkaddr8, align 8
  %.276 = inttoptr i64 %.267 to ptr
  %.280 = inttoptr i64 %.272 to ptr
  tail call void %.276(ptr nonnull %0, ptr nonnull %2, ptr nonnull %1, ptr %.280)
  %sunkaddr9 = inttoptr i64 %arg.route to ptr
  %sunkaddr10 = getelementptr i8, ptr %sunkaddr9, i64 216
  store i64 %arg.to, ptr %sunkaddr10, align 8
  %lsr.iv.next = add i64 %lsr.iv, %arg.stride
  %lsr.iv.next2 = add i64 %lsr.iv1, -1
  %exitcond.not = icmp eq i64 %lsr.iv.next2, 0
  br i1 %exitcond.not, label %B972, label %B678

B972:                                             ; preds = %B644.endif, %B678, %B644.endif.thread
  %.297 = add nsw i64 %arg.route, 184
  %.298 = inttoptr i64 %.297 to ptr
  %.299 = load i64, ptr %.298, align 8
  %.300.not = icmp eq i64 %.299, 0
  br i1 %.300.not, label %common.ret, label %B1058

common.ret:                                       ; preds = %B1058, %B972
  store ptr null, ptr %retptr, align 8
  ret i32 0

B1058:                                            ; preds = %B972
  %3 = inttoptr i64 %.34 to ptr
  %4 = inttoptr i64 %.40 to ptr
  %5 = inttoptr i64 %.37 to ptr
  %sunkaddr12 = inttoptr i64 %arg.route to ptr
  %sunkaddr14 = getelementptr i8, ptr %sunkaddr12, i64 216
  store i64 %arg.to, ptr %sunkaddr14, align 8
  %.310 = add nsw i64 %arg.route, 224
  %.313 = add nsw i64 %arg.route, 200
  %.314 = inttoptr i64 %.313 to ptr
  %.315 = load i64, ptr %.314, align 8
  %.316 = inttoptr i64 %.310 to ptr
  store i64 %.315, ptr %.316, align 8
  %sunkaddr15 = inttoptr i64 %arg.route to ptr
  %sunkaddr18 = getelementptr i8, ptr %sunkaddr15, i64 256
  store i64 0, ptr %sunkaddr18, align 8
  %sunkaddr20 = inttoptr i64 %arg.route to ptr
  %sunkaddr22 = getelementptr i8, ptr %sunkaddr20, i64 184
  %.327 = load i64, ptr %sunkaddr22, align 8
  %.330 = add nsw i64 %arg.route, 192
  %.333 = inttoptr i64 %.330 to ptr
  %.334 = load i64, ptr %.333, align 8
  %.338 = inttoptr i64 %.327 to ptr
  %.342 = inttoptr i64 %.334 to ptr
  tail call void %.338(ptr nonnull %3, ptr nonnull %5, ptr nonnull %4, ptr %.342)
  br label %common.ret

B0.else:                                          ; preds = %B0
  %.64 = icmp ne i64 %arg.size, -9223372036854775808
  %.65 = icmp ne i64 %.23, -1
  %.66.not = or i1 %.64, %.65
  br i1 %.66.not, label %B0.else.if, label %B0.endif, !prof !1

B0.endif:                                         ; preds = %29, %B0.else, %B0
  %quot.0 = phi i64 [ 0, %B0 ], [ 0, %B0.else ], [ %spec.select, %29 ]
  %sunkaddr16 = inttoptr i64 %arg.route to ptr
  %sunkaddr17 = getelementptr i8, ptr %sunkaddr16, i64 240
  store i64 %quot.0, ptr %sunkaddr17, align 8
  %sunkaddr19 = getelementptr i8, ptr %sunkaddr16, i64 248
  store i64 %.23, ptr %sunkaddr19, align 8
  %.99 = add nsw i64 %arg.route, 256
  %.100 = inttoptr i64 %.99 to ptr
  store i64 %.23, ptr %.100, align 8
  %.104 = add nsw i64 %arg.route, 264
  %.105 = inttoptr i64 %.104 to ptr
  store i64 %.23, ptr %.105, align 8
  %.109 = add nsw i64 %arg.route, 232
  %.111 = inttoptr i64 %.109 to ptr
  store i64 %arg.to, ptr %.111, align 8
  %sunkaddr21 = getelementptr i8, ptr %sunkaddr16, i64 216
  store i64 %arg.parts, ptr %sunkaddr21, align 8
  %.118 = icmp eq i64 %.28, 1
  br i1 %.118, label %B644.endif.thread, label %B644.endif

B0.else.if:                                       ; preds = %B0.else
  %6 = or i64 %.23, %arg.size
  %7 = icmp ult i64 %6, 4294967296
  br i1 %7, label %8, label %15

8:                                                ; preds = %B0.else.if
  %9 = trunc nuw i64 %.23 to i32
  %10 = trunc nuw i64 %arg.size to i32
  %11 = udiv i32 %10, %9
  %12 = urem i32 %10, %9
  %13 = zext i32 %11 to i64
  %14 = zext i32 %12 to i64
  br label %29

15:                                               ; preds = %B0.else.if
  %16 = or i64 %arg.size, %.23
  %17 = and i64 %16, -4294967296
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %19, label %26

19:                                               ; preds = %15
  %20 = trunc i64 %.23 to i32
  %21 = trunc i64 %arg.size to i32
  %22 = udiv i32 %21, %20
  %23 = urem i32 %21, %20
  %24 = zext i32 %22 to i64
  %25 = zext i32 %23 to i64
  br label %29

26:                                               ; preds = %15
  %27 = sdiv i64 %arg.size, %.23
  %28 = srem i64 %arg.size, %.23
  br label %29

29:                                               ; preds = %26, %19, %8
  %30 = phi i64 [ %13, %8 ], [ %24, %19 ], [ %27, %26 ]
  %31 = phi i64 [ %14, %8 ], [ %25, %19 ], [ %28, %26 ]
  %.71 = xor i64 %31, %.23
  %.72 = icmp slt i64 %.71, 0
  %.73 = icmp ne i64 %31, 0
  %.74 = and i1 %.73, %.72
  %.79 = sext i1 %.74 to i64
  %spec.select = add i64 %30, %.79
  br label %B0.endif

B644.endif:                                       ; preds = %B0.endif
  %.171 = add i64 %.28, -1
  %.21690.not = icmp slt i64 %.171, 1
  br i1 %.21690.not, label %B972, label %B678.lr.ph

B678.lr.ph:                                       ; preds = %B644.endif
  %32 = add i64 %arg.stride, %arg.parts
  br label %B678
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define internal noundef i32 @_ZN7vitrify6kernel10after_stepB3v43B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx(ptr noalias writeonly captures(none) initializes((0, 8)) %retptr, ptr noalias readnone captures(none) %excinfo, i64 %arg.task, i64 %arg.row, i64 %arg.moment) #2 {
B0:
  store i64 0, ptr %retptr, align 8
  ret i32 0
}

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nounwind }
attributes #5 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #7 = { mustprogress nocallback nofree nosync nounwind willreturn memory(write) }
attributes #8 = { mustprogress nofree norecurse nosync nounwind willreturn memory(write, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #9 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #10 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!"branch_weights", i32 99, i32 1}
!2 = !{!3, !5}
!3 = distinct !{!3, !4, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!4 = distinct !{!4, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!5 = distinct !{!5, !4, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %excinfo"}
!6 = !{!"branch_weights", i32 49, i32 1}
!7 = !{!8, !10}
!8 = distinct !{!8, !9, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!9 = distinct !{!9, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!10 = distinct !{!10, !11, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!11 = distinct !{!11, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!12 = !{!13, !15}
!13 = distinct !{!13, !14, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!14 = distinct !{!14, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!15 = distinct !{!15, !16, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!16 = distinct !{!16, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!17 = !{!18, !20}
!18 = distinct !{!18, !19, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!19 = distinct !{!19, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!20 = distinct !{!20, !21, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!21 = distinct !{!21, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!22 = !{!23}
!23 = distinct !{!23, !24, !"_ZN7vitrify6kernel5sleepB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!24 = distinct !{!24, !"_ZN7vitrify6kernel5sleepB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!25 = !{!26, !28, !23}
!26 = distinct !{!26, !27, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!27 = distinct !{!27, !"_ZN7vitrify6kernel8has_workB3v14B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!28 = distinct !{!28, !29, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!29 = distinct !{!29, !"_ZN7vitrify6kernel5rouseB3v13B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!30 = !{!28, !23}
!31 = !{!32, !23}
!32 = distinct !{!32, !33, !"_ZN7vitrify6kernel8withdrawB3v16B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!33 = distinct !{!33, !"_ZN7vitrify6kernel8withdrawB3v16B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!34 = !{!10}
!35 = !{!15}
!36 = !{!20}
!37 = !{!"branch_weights", i32 1, i32 49, i32 49}
!38 = !{!39}
!39 = distinct !{!39, !40, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx: %retptr"}
!40 = distinct !{!40, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx"}
!41 = !{!42}
!42 = distinct !{!42, !43, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx: %retptr"}
!43 = distinct !{!43, !"_ZN7vitrify6kernel15multiply_vectorB3v12B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExbxxxdxxxxdxx"}
!44 = distinct !{!44, !45}
!45 = !{!"llvm.loop.unroll.disable"}
!46 = distinct !{!46, !45}
!47 = distinct !{!47, !45}
!48 = distinct !{!48, !45}
!49 = distinct !{!49, !45}
!50 = distinct !{!50, !51, !52}
!51 = !{!"llvm.loop.isvectorized", i32 1}
!52 = !{!"llvm.loop.unroll.runtime.disable"}
!53 = !{!"branch_weights", i32 8, i32 24}
!54 = distinct !{!54, !51, !52}
!55 = distinct !{!55, !52, !51}
!56 = distinct !{!56, !45}
!57 = distinct !{!57, !45}
!58 = distinct !{!58, !45}
!59 = distinct !{!59, !45}
!60 = distinct !{!60, !45}
!61 = distinct !{!61, !51, !52}
!62 = !{!"branch_weights", i32 4, i32 12}
!63 = distinct !{!63, !51, !52}
!64 = distinct !{!64, !52, !51}
!65 = distinct !{!65, !45}
!66 = distinct !{!66, !45}
!67 = !{!68}
!68 = distinct !{!68, !69, !"_ZN7vitrify6kernel4wakeB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx: %retptr"}
!69 = distinct !{!69, !"_ZN7vitrify6kernel4wakeB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExx"}
!70 = !{!71, !73}
!71 = distinct !{!71, !72, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!72 = distinct !{!72, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!73 = distinct !{!73, !72, !"_ZN7vitrify6kernel4workB2v4B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %excinfo"}
!74 = !{!75}
!75 = distinct !{!75, !76, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!76 = distinct !{!76, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!77 = !{!78}
!78 = distinct !{!78, !79, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx: %retptr"}
!79 = distinct !{!79, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx"}
!80 = !{!81}
!81 = distinct !{!81, !82, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx: %retptr"}
!82 = distinct !{!82, !"_ZN7vitrify6kernel8place_ofB3v28B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxxx"}
!83 = !{!84}
!84 = distinct !{!84, !85, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!85 = distinct !{!85, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!86 = !{!87}
!87 = distinct !{!87, !88, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!88 = distinct !{!88, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!89 = distinct !{!89, !45}
!90 = !{!91}
!91 = distinct !{!91, !92, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!92 = distinct !{!92, !"_ZN7vitrify6kernel8has_roomB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!93 = !{!94}
!94 = distinct !{!94, !95, !"_ZN7vitrify6kernel3askB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx: %retptr"}
!95 = distinct !{!95, !"_ZN7vitrify6kernel3askB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAEx"}
!96 = !{!97}
!97 = distinct !{!97, !98, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!98 = distinct !{!98, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!99 = !{!100}
!100 = distinct !{!100, !101, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!101 = distinct !{!101, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!102 = !{!103}
!103 = distinct !{!103, !104, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!104 = distinct !{!104, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!105 = !{!106}
!106 = distinct !{!106, !107, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!107 = distinct !{!107, !"_ZN7vitrify6kernel4leftB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!108 = !{!109}
!109 = distinct !{!109, !110, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!110 = distinct !{!110, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!111 = !{!112}
!112 = distinct !{!112, !113, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx: %retptr"}
!113 = distinct !{!113, !"_ZN7vitrify6kernel6end_ofB3v41B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAQ4s_2fqErM2AZLaAIAExxx"}
!114 = distinct !{!114, !45}
!115 = distinct !{!115, !45}
