// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// What the layers of a clip set say about one attribute.
struct ClipAttribute {
  struct Source {
    std::uint32_t clip = 0;  ///< Into ClipSet::layers.
    const layer::PropertySpec* spec = nullptr;
  };
  /// In the manifest; null if the manifest is made up of what the clips have samples for.
  const layer::PropertySpec* declared = nullptr;
  bool uniform = false;         ///< In the first clip, without a manifest: clips do not count.
  std::vector<Source> sources;  ///< Those with samples, ascending by clip.

  /// The spec with samples in a clip, or null.
  const layer::PropertySpec* find(std::uint32_t clip) const noexcept;
};

using ClipAttributes = std::unordered_map<Token, ClipAttribute>;

/// What a manifest and clips hold from one prim down. Shared by sets that read the same layers.
struct ClipContents {
  struct Prim {
    std::uint32_t parent = kNoNode;  ///< Into `prims`.
    Token name;
    ClipAttributes attributes;  ///< Those that are declared.
    std::unordered_map<Token, std::uint32_t> children;
  };
  std::string top;          ///< Path of the first prim, in the clips.
  std::vector<Prim> prims;  ///< Parents first.
  std::size_t attribute_count = 0;
  std::size_t max_samples = 0;  ///< Of one attribute in one clip.
};

/// A clip set, ready to be read. Times are those of the layer that places the set; prims that
/// compose the same set under other offsets share it. Without `times` they are those of the stage,
/// which are those of the clips then.
struct ClipSet {
  /// From `time` on, the clip; the first one also before its time.
  struct Active {
    double time = 0.0;
    std::uint32_t clip = 0;  ///< Into `layers`.
  };
  /// The clip's time at a time of the set.
  struct Knot {
    double time = 0.0;
    double clip_time = 0.0;
  };

  std::string name;
  std::vector<Active> active;         ///< Ascending, distinct; never empty.
  std::vector<std::uint32_t> layers;  ///< Into Stage::Impl::layers; kNoNode: could not be read.
  std::uint32_t manifest = kNoNode;   ///< Likewise; also if there is none.
  /// Ascending; two of one time are a jump. Empty: times stay as they are.
  std::vector<Knot> times;
  bool interpolate_missing = false;
  std::shared_ptr<const ClipContents> contents;

  /// The place in `active` that is in force at a time.
  std::size_t active_at(double time) const noexcept;
};

/// A clip set at the place where it is anchored: the strongest opinion that names its clips.
struct ClipBinding {
  std::shared_ptr<const ClipSet> set;
  layer::LayerOffset offset;  ///< Stage time = set time * scale + offset.
  std::uint32_t layer = 0;    ///< Of the opinion, into Stage::Impl::layers.
  std::uint32_t mapping = 0;  ///< Of the opinion's site, into Stage::Impl::mappings.
  layer::Path site;           ///< The prim that holds the opinion, in its layer.
};

/// A binding among the opinions about one prim.
struct ClipUse {
  std::uint32_t node = 0;
  std::uint32_t sites_before = 0;  ///< Sites of the node that are stronger.
  std::uint32_t binding = 0;       ///< Into ClipTable::bindings.
  std::uint32_t prim = 0;          ///< Into ClipContents::prims.
};

/// All clips of a stage.
struct ClipTable {
  std::vector<ClipBinding> bindings;
  std::vector<ClipUse> uses;  ///< Ascending by node, then strongest first.

  std::span<const ClipUse> uses_of(std::uint32_t node) const noexcept;
  /// What the clips say about an attribute, or null if it is not declared.
  const ClipAttribute* find(const ClipUse& use, Token name) const noexcept;
  /// The prim in the clips.
  layer::Path path_of(const ClipUse& use) const;
};

/// A value that clips give, and which of them it is from.
struct ClipValue {
  layer::Value value;  ///< No value where the clips block it.
  std::uint32_t clip = 0;
};

/// The value at a time of the stage, which is set time * scale + offset: interpolated between the
/// sample times that list_clip_times() gives, across clips too. Time codes come as times of the
/// set.
/// @par Cost  O(log n) of clips, times and samples; O(n) of clips if missing values interpolate.
ClipValue read_clip_value(const ClipSet& set, const ClipAttribute& attribute, double stage_time,
                          const layer::LayerOffset& offset, Interpolation mode);

/// The times at which the set has samples: where clips become active, the time pairs, just before
/// jumps, and samples of clips while they are active. Ascending, distinct, never empty.
std::vector<double> list_clip_times(const ClipSet& set, const ClipAttribute& attribute);

}  // namespace sinew::stage
