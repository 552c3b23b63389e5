// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// Reports what is worth knowing about the prims and properties of a stage, each with the file,
/// line and column of the opinion that is meant. Cheap to make.
class Reporter {
 public:
  enum class Repeats : std::uint8_t {
    all,  ///< Everything is reported whenever it is met.
    /// A code is reported once for each composed prim, or property of it, so that ten thousand
    /// instances of one character complain once.
    once_per_prim,
  };

  /// @param diagnostics  Null: nothing is reported.
  Reporter(const Stage& stage, Diagnostics* diagnostics, Repeats repeats = Repeats::all) noexcept
      : stage_(&stage), diagnostics_(diagnostics), repeats_(repeats) {}
  Reporter(const Stage& stage, Diagnostics& diagnostics, Repeats repeats = Repeats::all) noexcept
      : Reporter(stage, &diagnostics, repeats) {}

  /// Of the stage of a prim; of none, nothing is reported.
  Reporter(const Prim& prim, Diagnostics* diagnostics, Repeats repeats = Repeats::all) noexcept;
  Reporter(const Prim& prim, Diagnostics& diagnostics, Repeats repeats = Repeats::all) noexcept
      : Reporter(prim, &diagnostics, repeats) {}

  /// Precondition: not made of a prim that is none.
  const Stage& stage() const noexcept { return *stage_; }
  Rules rules() const noexcept;
  bool documented() const noexcept { return rules() == Rules::documented; }
  /// For what reports by itself; null if nothing is reported.
  Diagnostics* diagnostics() const noexcept { return diagnostics_; }

  /// About a prim: the place of its strongest opinion; of one without any, the root layer.
  void add(Severity severity, std::string_view code, const Prim& prim, std::string message,
           std::string_view hint = {});
  /// About a property: the place of the opinion that supplies the default, else of the strongest.
  void add(Severity severity, std::string_view code, const Property& property, std::string message,
           std::string_view hint = {});
  /// About what is at a path: the place of the property or prim, where there is one.
  void add(Severity severity, std::string_view code, const layer::Path& path, std::string message,
           std::string_view hint = {});

 private:
  /// Whether this is new, as far as that counts.
  bool is_told_now(std::string_view code, const Prim& prim, std::string_view property);

  const Stage* stage_;
  Diagnostics* diagnostics_;
  Repeats repeats_;
  std::set<std::tuple<std::uint32_t, std::string, std::string>> told_;  // Node, code, property.
};

}  // namespace sinew::stage
