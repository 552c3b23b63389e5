// SPDX-License-Identifier: Apache-2.0
// Numbers as text.
#pragma once

#include <string>

namespace sinew {

/// The shortest text that reads back to the same number, without an exponent from 1e-4 up to 1e16,
/// with one elsewhere.
std::string shortest_text(float value);
std::string shortest_text(double value);

/// The same, whichever form is shorter, but whole numbers below 2^63 with all their digits. Finite
/// numbers.
std::string shortest_literal(float value);
std::string shortest_literal(double value);

/// At most so many significant digits, with an exponent below 1e-4 and where there are more digits
/// before the point.
std::string rounded_text(double value, int digits = 6);

/// Without an exponent and with so many digits after the point.
std::string fixed_text(double value, int decimals);

}  // namespace sinew
