/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The common subset of OpenCL C, CUDA C and, for tests, C11, by a few names. Every kernel source is compiled behind this text:
 * by OpenCL's compiler, by NVRTC or nvcc, and by the host's compiler where a test runs work-groups on the host.
 *
 *   TAC_KERNEL(name)(arguments)      a kernel
 *   TAC_GLOBAL type *                device memory in arguments
 *   TAC_LOCAL type array[n];         memory of a work-group, at the outermost level of a kernel
 *   TAC_LOCAL_POINTER type *         to that, in arguments of functions
 *   TAC_INLINE                       before a function that kernels call
 *   TAC_GROUP(d), TAC_ITEM(d)        number of this work-group, and of this work-item in it, along axis d
 *   TAC_GROUPS(d), TAC_ITEMS(d)      how many there are
 *   TAC_BARRIER()                    work-items of a group meet; local memory written before is seen after
 *   TAC_FMA(a, b, c)                 a b + c rounded once
 *   TAC_SQRT(x), TAC_ABS(x), TAC_MAX(a, b), TAC_COPYSIGN(x, y)
 *   tac_u32, tac_i32, tac_u64, tac_i64
 *   TAC_REAL                         the real type, given by -DTAC_REAL=double or float; default double */
#ifndef TAC_REAL
#define TAC_REAL double
#endif

#if defined(__OPENCL_VERSION__)
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
#define TAC_KERNEL(name)   __kernel void name
#define TAC_GLOBAL         __global
#define TAC_LOCAL          __local
#define TAC_LOCAL_POINTER  __local
#define TAC_INLINE         static inline
#define TAC_GROUP(d)       ((size_t)get_group_id(d))
#define TAC_ITEM(d)        ((size_t)get_local_id(d))
#define TAC_GROUPS(d)      ((size_t)get_num_groups(d))
#define TAC_ITEMS(d)       ((size_t)get_local_size(d))
#define TAC_BARRIER()      barrier(CLK_LOCAL_MEM_FENCE)
#define TAC_FMA(a, b, c)   fma((a), (b), (c))
#define TAC_SQRT(x)        sqrt(x)
#define TAC_ABS(x)         fabs(x)
#define TAC_MAX(a, b)      fmax((a), (b))
#define TAC_COPYSIGN(x, y) copysign((x), (y))
typedef uint tac_u32;
typedef int tac_i32;
typedef ulong tac_u64;
typedef long tac_i64;

#elif defined(__CUDACC__)
#define TAC_KERNEL(name) extern "C" __global__ void name
#define TAC_GLOBAL
#define TAC_LOCAL __shared__
#define TAC_LOCAL_POINTER
#define TAC_INLINE         static __device__ __forceinline__
#define TAC_AXIS(v, d)     ((size_t)((d) == 0 ? (v).x : (d) == 1 ? (v).y : (v).z))
#define TAC_GROUP(d)       TAC_AXIS(blockIdx, d)
#define TAC_ITEM(d)        TAC_AXIS(threadIdx, d)
#define TAC_GROUPS(d)      TAC_AXIS(gridDim, d)
#define TAC_ITEMS(d)       TAC_AXIS(blockDim, d)
#define TAC_BARRIER()      __syncthreads()
#define TAC_FMA(a, b, c)   fma((a), (b), (c))
#define TAC_SQRT(x)        sqrt(x)
#define TAC_ABS(x)         fabs(x)
#define TAC_MAX(a, b)      fmax((a), (b))
#define TAC_COPYSIGN(x, y) copysign((x), (y))
#define restrict __restrict__
typedef unsigned int tac_u32;
typedef int tac_i32;
typedef unsigned long long tac_u64;
typedef long long tac_i64;

#else /* C11: tests/support/host_kernel.h says what a work-group is */
#define TAC_KERNEL(name) void name
#define TAC_GLOBAL
#define TAC_LOCAL static _Thread_local
#define TAC_LOCAL_POINTER
#define TAC_INLINE         static inline
#define TAC_GROUP(d)       (tac_host_place.group[d])
#define TAC_ITEM(d)        (tac_host_place.item[d])
#define TAC_GROUPS(d)      (tac_host_place.groups[d])
#define TAC_ITEMS(d)       (tac_host_place.items[d])
#define TAC_BARRIER()      tac_host_barrier()
#define TAC_FMA(a, b, c)   fma((a), (b), (c))
#define TAC_SQRT(x)        sqrt(x)
#define TAC_ABS(x)         fabs(x)
#define TAC_MAX(a, b)      fmax((a), (b))
#define TAC_COPYSIGN(x, y) copysign((x), (y))
typedef unsigned int tac_u32;
typedef int tac_i32;
typedef unsigned long long tac_u64;
typedef long long tac_i64;
#endif
