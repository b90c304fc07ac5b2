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
 *   TAC_BARRIER_DEVICE()             the same, and device memory that the group wrote before is seen after
 *   TAC_FMA(a, b, c)                 a b + c rounded once
 *   TAC_SQRT(x), TAC_ABS(x), TAC_MAX(a, b), TAC_COPYSIGN(x, y)
 *   tac_u32, tac_i32, tac_u64, tac_i64
 *   TAC_UNROLL                       before a loop of a few fixed rounds
 *   TAC_REAL                         the real type, given by -DTAC_REAL=double or float; default double
 *   tac_vector                       TAC_LANES of them, for the forms of kernels that run on CPU devices; -DTAC_LANES=4 or 8
 *   TAC_VECTOR_LOAD(p), TAC_VECTOR_STORE(v, p), TAC_VECTOR_SPLAT(x)
 *   TAC_VECTOR_FMA(a, b, c), TAC_VECTOR_ADD(a, b), TAC_VECTOR_MULTIPLY(a, b) */
#ifndef TAC_REAL
#define TAC_REAL double
#endif
#ifndef TAC_LANES
#define TAC_LANES 4
#endif

#if defined(__OPENCL_VERSION__)
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
#define TAC_KERNEL(name)     __kernel void name
#define TAC_GLOBAL           __global
#define TAC_LOCAL            __local
#define TAC_LOCAL_POINTER    __local
#define TAC_INLINE           static inline
#define TAC_GROUP(d)         ((size_t)get_group_id(d))
#define TAC_ITEM(d)          ((size_t)get_local_id(d))
#define TAC_GROUPS(d)        ((size_t)get_num_groups(d))
#define TAC_ITEMS(d)         ((size_t)get_local_size(d))
#define TAC_BARRIER()        barrier(CLK_LOCAL_MEM_FENCE)
#define TAC_BARRIER_DEVICE() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define TAC_FMA(a, b, c)     fma((a), (b), (c))
#define TAC_SQRT(x)          sqrt(x)
#define TAC_ABS(x)           fabs(x)
#define TAC_MAX(a, b)        fmax((a), (b))
#define TAC_COPYSIGN(x, y)   copysign((x), (y))
typedef uint tac_u32;
typedef int tac_i32;
typedef ulong tac_u64;
typedef long tac_i64;
#define TAC_UNROLL              _Pragma("unroll")
#define TAC_JOIN_EXPANDED(a, b) a##b
#define TAC_JOIN(a, b)          TAC_JOIN_EXPANDED(a, b)
typedef TAC_JOIN(TAC_REAL, TAC_LANES) tac_vector;
#define TAC_VECTOR_LOAD(p)        TAC_JOIN(vload, TAC_LANES)(0, (p))
#define TAC_VECTOR_STORE(v, p)    TAC_JOIN(vstore, TAC_LANES)((v), 0, (p))
#define TAC_VECTOR_SPLAT(x)       ((tac_vector)(x))
#define TAC_VECTOR_FMA(a, b, c)   fma((a), (b), (c))
#define TAC_VECTOR_ADD(a, b)      ((a) + (b))
#define TAC_VECTOR_MULTIPLY(a, b) ((a) * (b))

#elif defined(__CUDACC__)
#pragma nv_diag_suppress 177 /* not every source uses every name */
#define TAC_KERNEL(name) extern "C" __global__ void name
#define TAC_GLOBAL
#define TAC_LOCAL __shared__
#define TAC_LOCAL_POINTER
#define TAC_INLINE           static __device__ __forceinline__
#define TAC_AXIS(v, d)       ((size_t)((d) == 0 ? (v).x : (d) == 1 ? (v).y : (v).z))
#define TAC_GROUP(d)         TAC_AXIS(blockIdx, d)
#define TAC_ITEM(d)          TAC_AXIS(threadIdx, d)
#define TAC_GROUPS(d)        TAC_AXIS(gridDim, d)
#define TAC_ITEMS(d)         TAC_AXIS(blockDim, d)
#define TAC_BARRIER()        __syncthreads()
#define TAC_BARRIER_DEVICE() __syncthreads()
#define TAC_FMA(a, b, c)     fma((a), (b), (c))
#define TAC_SQRT(x)          sqrt(x)
#define TAC_ABS(x)           fabs(x)
#define TAC_MAX(a, b)        fmax((a), (b))
#define TAC_COPYSIGN(x, y)   copysign((x), (y))
#define TAC_UNROLL           _Pragma("unroll")
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
#define TAC_INLINE           static inline
#define TAC_GROUP(d)         (tac_host_place.group[d])
#define TAC_ITEM(d)          (tac_host_place.item[d])
#define TAC_GROUPS(d)        (tac_host_place.groups[d])
#define TAC_ITEMS(d)         (tac_host_place.items[d])
#define TAC_BARRIER()        tac_host_barrier()
#define TAC_BARRIER_DEVICE() tac_host_barrier()
#define TAC_FMA(a, b, c)     fma((a), (b), (c))
#define TAC_SQRT(x)          sqrt(x)
#define TAC_ABS(x)           fabs(x)
#define TAC_MAX(a, b)        fmax((a), (b))
#define TAC_COPYSIGN(x, y)   copysign((x), (y))
#define TAC_UNROLL
typedef unsigned int tac_u32;
typedef int tac_i32;
typedef unsigned long long tac_u64;
typedef long long tac_i64;
#endif

#if !defined(__OPENCL_VERSION__)
typedef struct {
  TAC_REAL lane[TAC_LANES];
} tac_vector;
TAC_INLINE tac_vector tac_vector_load(const TAC_REAL *from) {
  tac_vector v;
  for (int i = 0; i < TAC_LANES; i++)
    v.lane[i] = from[i];
  return v;
}
TAC_INLINE void tac_vector_store(tac_vector v, TAC_REAL *to) {
  for (int i = 0; i < TAC_LANES; i++)
    to[i] = v.lane[i];
}
TAC_INLINE tac_vector tac_vector_splat(TAC_REAL x) {
  tac_vector v;
  for (int i = 0; i < TAC_LANES; i++)
    v.lane[i] = x;
  return v;
}
TAC_INLINE tac_vector tac_vector_fma(tac_vector a, tac_vector b, tac_vector c) {
  for (int i = 0; i < TAC_LANES; i++)
    c.lane[i] = TAC_FMA(a.lane[i], b.lane[i], c.lane[i]);
  return c;
}
TAC_INLINE tac_vector tac_vector_add(tac_vector a, tac_vector b) {
  for (int i = 0; i < TAC_LANES; i++)
    a.lane[i] += b.lane[i];
  return a;
}
TAC_INLINE tac_vector tac_vector_multiply(tac_vector a, tac_vector b) {
  for (int i = 0; i < TAC_LANES; i++)
    a.lane[i] *= b.lane[i];
  return a;
}
#define TAC_VECTOR_LOAD(p)        tac_vector_load(p)
#define TAC_VECTOR_STORE(v, p)    tac_vector_store((v), (p))
#define TAC_VECTOR_SPLAT(x)       tac_vector_splat(x)
#define TAC_VECTOR_FMA(a, b, c)   tac_vector_fma((a), (b), (c))
#define TAC_VECTOR_ADD(a, b)      tac_vector_add((a), (b))
#define TAC_VECTOR_MULTIPLY(a, b) tac_vector_multiply((a), (b))
#endif
