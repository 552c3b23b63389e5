// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/character.hpp"

#include <gtest/gtest.h>
