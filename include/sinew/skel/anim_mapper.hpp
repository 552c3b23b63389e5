// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// Carries per-joint (or per-shape) values from one order of names to another: from the joints of
/// an animation to those of a skeleton, from a skeleton to a mesh with joints of its own, from the
/// blend shapes of an animation to those of a mesh.
///
/// Names are compared as they are written: "A" and "/A" differ. Names that follow each other in
/// both orders are copied together: the mapper keeps runs, not elements.
///
/// Immutable after construction; safe to share between threads.
class SINEW_API AnimMapper {
 public:
  /// Maps nothing to nothing; is_null().
  AnimMapper() = default;

  /// The identity of `size` elements.
  explicit AnimMapper(std::size_t size);

  /// @par Cost    O(n) expected; no allocation where the source is a run of the target.
  /// @par Source  UsdSkelAnimMapper.
  AnimMapper(std::span<const std::string> source_order, std::span<const std::string> target_order);

  /// Elements of the target.
  std::size_t size() const noexcept { return target_size_; }
  /// Source and target are the same.
  bool is_identity() const noexcept { return all_ && covers_target_ && ordered_; }
  /// Some elements of the target get no value.
  bool is_sparse() const noexcept { return !covers_target_; }
  /// One of the orders is empty. Two orders without a common name are sparse, but not null.
  bool is_null() const noexcept { return !some_ && !all_; }

  /// Copies blocks of `element_size` values to where they belong; the rest of the target is left
  /// alone. A source that is too short fills what it can; where the source is one run of the
  /// target, surplus values spill into the elements after the run.
  /// @param target  size() * element_size values; must not overlap the source.
  /// @return ok, invalid_argument if `element_size` is 0, or size_mismatch.
  template <typename T>
  Status remap(std::span<const T> source, std::span<T> target, std::size_t element_size = 1) const {
    static_assert(std::is_trivially_copyable_v<T> || std::is_same_v<T, Matrix4d>);
    return remap_bytes(std::as_bytes(source), std::as_writable_bytes(target), sizeof(T),
                       element_size);
  }

  /// The same into a vector that is resized first: what it holds is kept, and new elements are
  /// `fallback`.
  template <typename T>
  Status remap_resized(std::span<const T> source, std::vector<T>& target,
                       std::size_t element_size = 1,
                       const std::type_identity_t<T>& fallback = T()) const {
    if (is_identity() && source.size() == target_size_ * element_size) {
      target.assign(source.begin(), source.end());
      return {};
    }
    target.resize(target_size_ * element_size, fallback);
    return remap(source, std::span<T>(target), element_size);
  }

  /// The values in the target's order, copied only if they must be: where source and target are the
  /// same, the result is `source` itself, otherwise `storage` after remap_resized().
  /// @param storage  Reuse one from frame to frame to save the memory being allocated.
  template <typename T>
  std::span<const T> remapped(std::span<const T> source, std::vector<T>& storage,
                              const std::type_identity_t<T>& fallback = T()) const {
    if (is_identity() && source.size() == target_size_) return source;
    (void)remap_resized(source, storage, 1, fallback);  // Fails for an element size of 0 only.
    return storage;
  }

  /// Whether both map in the same way.
  friend bool operator==(const AnimMapper&, const AnimMapper&) = default;

 private:
  // Elements that follow each other in source and target.
  struct Run {
    std::size_t source = 0;
    std::size_t target = 0;
    std::size_t count = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };

  Status remap_bytes(std::span<const std::byte> source, std::span<std::byte> target,
                     std::size_t value_size, std::size_t element_size) const;

  std::size_t target_size_ = 0;
  std::size_t offset_ = 0;  // Of the only run, if ordered_.
  std::vector<Run> runs_;   // Otherwise; in the order of the source, because later ones win.
  bool some_ = false;
  bool all_ = false;
  bool covers_target_ = false;
  bool ordered_ = false;
};

/// remap_resized() for transforms: elements that get no value and were not there are identity.
SINEW_API void remap_transforms(const AnimMapper& mapper, std::span<const Matrix4d> source,
                                std::vector<Matrix4d>& target);

}  // namespace sinew::skel
