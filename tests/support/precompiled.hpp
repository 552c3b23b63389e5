// SPDX-License-Identifier: Apache-2.0
// What most tests include, compiled once where SINEW_PRECOMPILED_HEADERS asks for it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sinew/physics.hpp"
#include "sinew/skel.hpp"
