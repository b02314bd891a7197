// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of bench/run/cuda_ratio.cpp written by hand in CUDA: the same algorithms, one work-item an element, with
// everything that makes CUDA fast here (__restrict__, 32-bit indices, constant group shapes).
#include "launch.hpp"

namespace {

constexpr int line = 256;
constexpr int tile_x = 32;
constexpr int tile_y = 8;

constexpr unsigned groups(int n, int size) {
  return static_cast<unsigned>((n + size - 1) / size);
}

__global__ void daxpy(double* __restrict__ y, const double* __restrict__ x, double a, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += a * x[i];
}

template <class T>
__global__ void triad(T* __restrict__ a, const T* __restrict__ b, const T* __restrict__ c, T s, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) a[i] = b[i] + s * c[i];
}

__global__ void matmul(double* __restrict__ c, const double* __restrict__ a, const double* __restrict__ b, int n) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= n || j >= n) return;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

__global__ void heat(double* __restrict__ next, const double* __restrict__ now, double alpha, int n) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) + 1;
  const int i = static_cast<int>(blockIdx.z) + 1;
  if (j >= n - 1 || k >= n - 1) return;
  const int at = (i * n + j) * n + k;
  const double neighbours = now[at - n * n] + now[at + n * n] + now[at - n] + now[at + n] + now[at - 1] + now[at + 1];
  next[at] = now[at] + alpha * (neighbours - 6.0 * now[at]);
}

}  // namespace

namespace cuda {

void launch_daxpy(double* y, const double* x, double a, int n) {
  daxpy<<<groups(n, line), line>>>(y, x, a, n);
}

void launch_triad(double* a, const double* b, const double* c, double s, int n) {
  triad<<<groups(n, line), line>>>(a, b, c, s, n);
}

void launch_triad(float* a, const float* b, const float* c, float s, int n) {
  triad<<<groups(n, line), line>>>(a, b, c, s, n);
}

void launch_matmul(double* c, const double* a, const double* b, int n) {
  matmul<<<dim3(groups(n, tile_x), groups(n, tile_y)), dim3(tile_x, tile_y)>>>(c, a, b, n);
}

void launch_heat(double* next, const double* now, double alpha, int n) {
  heat<<<dim3(groups(n - 2, tile_x), groups(n - 2, tile_y), static_cast<unsigned>(n - 2)), dim3(tile_x, tile_y)>>>(
      next, now, alpha, n);
}

}  // namespace cuda
