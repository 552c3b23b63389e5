// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/core/export.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// What the attribute `visibility` says: there is no way to be visible below something invisible.
enum class Visibility : std::uint8_t {
  inherited,  ///< As visible as the parent; at the top, visible.
  invisible,  ///< Hidden with everything below.
};

/// What a prim is for; renderers, viewers and bounds choose which purposes they show.
enum class Purpose : std::uint8_t {
  default_,  ///< Everything: shown always.
  render,    ///< The final picture.
  proxy,     ///< A light stand-in for what is rendered.
  guide,     ///< Aids for the eye, not part of the scene.
  unknown,  ///< A token that the schema does not have; belongs to no purpose that can be asked for.
};

/// "default", "render", "proxy", "guide"; empty for unknown.
SINEW_API std::string_view to_string(Purpose purpose) noexcept;

/// What the prim itself says. inherited where nothing is authored, where a token is authored that
/// the schema does not have, and for prims that are not Imageable.
SINEW_API Visibility own_visibility(const stage::Prim& prim, stage::Time time = {});

/// Whether own_visibility() may differ between times.
/// @par Cost    O(1): one look-up, no value is read.
SINEW_API bool own_visibility_might_vary(const stage::Prim& prim);

/// invisible if the prim or any ancestor is; prims that are not Imageable neither hide nor show.
/// @par Cost    O(depth) look-ups.
/// @par Source  UsdGeomImageable::ComputeVisibility.
SINEW_API Visibility compute_visibility(const stage::Prim& prim, stage::Time time = {});

/// The same from the parent's computed visibility: for walking down a tree.
SINEW_API Visibility compute_visibility(const stage::Prim& prim, Visibility of_parent,
                                        stage::Time time = {});

/// A purpose, and whether children without one of their own inherit it: authored purposes are
/// inherited (`default` too), the fallback is not. The empty token counts as not authored.
struct PurposeInfo {
  Purpose purpose = Purpose::default_;  ///< Of the prim, own or inherited.
  bool inheritable = false;             ///< Whether it comes from an opinion.

  /// Whether both are equal.
  friend bool operator==(const PurposeInfo&, const PurposeInfo&) = default;
};

/// The purpose in force: the prim's own, else that of the nearest ancestor that has one authored,
/// else default. Prims that are not Imageable are passed over. Purposes do not vary with time.
/// @par Cost    O(depth) look-ups.
/// @par Source  UsdGeomImageable::ComputePurposeInfo.
SINEW_API PurposeInfo compute_purpose(const stage::Prim& prim);

/// The same from what holds for the parent: for walking down a tree.
SINEW_API PurposeInfo compute_purpose(const stage::Prim& prim, PurposeInfo of_parent);

}  // namespace sinew::geom
