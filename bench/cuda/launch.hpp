// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of the kernels hand-written in CUDA, on the default stream.
#pragma once

namespace cuda {

void launch_daxpy(double* y, const double* x, double a, int n);
void launch_triad(double* a, const double* b, const double* c, double s, int n);
void launch_triad(float* a, const float* b, const float* c, float s, int n);
void launch_matmul(double* c, const double* a, const double* b, int n);  ///< n x n
void launch_heat(double* next, const double* now, double alpha, int n);  ///< the interior of n x n x n

}  // namespace cuda
