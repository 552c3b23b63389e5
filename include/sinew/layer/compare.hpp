// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::layer {

/// One thing that two layers say differently.
struct Difference {
  std::string path;   ///< Of the prim, variant or property; "/" for the layer itself.
  std::string field;  ///< E.g. "default"; empty if only one layer has the prim or property.
  std::string a;      ///< What the first layer says, in short; "-" if nothing.
  std::string b;      ///< What the second layer says; "-" if nothing.
};

/// How differences are told.
struct DifferenceOptions {
  std::size_t most = 100;  ///< No more differences than these.
  /// Spells a value for Difference::a and b; usda::write_value() is made for it. Without it values
  /// are told by type and size alone.
  std::string (*spell_value)(const Value&) = nullptr;
};

/// What two layers say differently, in the order of prims.
///
/// Long texts are cut in the middle. Arrays as long as each other are told by their first element
/// that is not the same, and so are time samples.
///
/// Layers of text and of binary files compare alike. Unlike equal() it passes over what only one of
/// the formats keeps: the order of properties, variants, fields, variant selections and entries of
/// dictionaries; type names in dictionaries; old spellings of type names; payloads of NaN; spline
/// settings that are those of an absent one; widths of Hermite curves; custom data without entries;
/// edits that edit nothing; types of unregistered metadata.
SINEW_API std::vector<Difference> differences(const Layer& a, const Layer& b,
                                              const DifferenceOptions& options = {});

/// Whether two values are the same by the same rules.
SINEW_API bool same_value(const Value& a, const Value& b) noexcept;

}  // namespace sinew::layer
