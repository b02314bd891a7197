// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime: devices, buffers, queues, events and launches.
#pragma once

#include <selvage/error.hpp>
#include <selvage/runtime/bound_kernel.hpp>
#include <selvage/runtime/buffer.hpp>
#include <selvage/runtime/device.hpp>
#include <selvage/runtime/event.hpp>
#include <selvage/runtime/launch.hpp>
#include <selvage/runtime/queue.hpp>
#include <selvage/runtime/view.hpp>
