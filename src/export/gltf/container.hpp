// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/json.hpp"
#include "sinew/core/buffer.hpp"
#include "sinew/core/result.hpp"
#include "sinew/export/glb_builder.hpp"

namespace sinew::exporter {

/// What lies in a view of the buffer; views stand in this order.
enum class GlbUse : std::uint8_t { indices, vertices, other, images };

enum class GlbComponent : std::uint16_t {
  uint8 = 5121,
  uint16 = 5123,
  uint32 = 5125,
  float32 = 5126,
};

/// Takes a file as it comes into being.
class GlbOutput {
 public:
  virtual ~GlbOutput() = default;
  /// Whether pieces have to come in the order of the file.
  virtual bool is_sequential() const = 0;
  /// Before all others.
  virtual Status begin(std::size_t total) = 0;
  virtual Status put(std::size_t offset, std::span<const std::byte> bytes) = 0;
};

/// A copy that goes back to the system as soon as it is written, so that a file takes its memory.
Buffer copy_in_pages(std::span<const std::byte> bytes);

/// The binary half of a file: arrays that were added, each once.
class GlbContainer {
 public:
  /// What is in an array.
  struct Elements {
    GlbUse use = GlbUse::other;
    GlbComponent component = GlbComponent::float32;
    std::size_t width = 1;  ///< Components of an element; 16: a matrix.
    std::size_t count = 0;
    bool normalized = false;
    bool bounds = false;  ///< min and max; of floats.
  };

  /// Takes an array.
  /// @return The accessor.
  std::int32_t add(const Elements& elements, Buffer bytes);
  template <typename T>
  std::int32_t add_copy(const Elements& elements, std::span<const T> values) {
    return add(elements, copy_in_pages(std::as_bytes(values)));
  }

  /// Zeros but for some elements.
  /// @param rows    Which, ascending.
  /// @param values  `elements.width` floats for each of them.
  std::int32_t add_sparse(const Elements& elements, std::span<const std::uint32_t> rows,
                          std::span<const float> values);

  /// @return The view; of an image.
  std::int32_t add_view(GlbUse use, Buffer bytes, std::string read_as = {});

  /// Whether an output has `targets` numbers for each of an input.
  bool weights_fit(std::size_t input, std::size_t output, std::size_t targets) const;

  std::size_t accessor_count() const noexcept { return accessors_.size(); }
  std::size_t view_count() const noexcept { return views_.size(); }
  std::uint64_t saved_bytes() const noexcept { return saved_; }

  /// How long the file may be.
  void limit_bytes(std::uint64_t most) { most_bytes_ = most; }

  /// Completes the document by accessors, views and the buffer, and writes the file. Arrays are let
  /// go as they are written, and the container is empty afterwards.
  Status write(Json& document, GltfSummary& summary, GlbOutput& output);

 private:
  struct View {
    GlbUse use;
    Buffer bytes;
    std::string read_as;
  };

  std::int32_t add_accessor(Json accessor);
  /// Where each view stands in the binary chunk, and how long that is.
  std::uint64_t place_views(Json& views, std::vector<std::uint64_t>& offsets, GltfSummary& summary);

  std::vector<View> views_;
  std::unordered_multimap<std::uint64_t, std::int32_t> known_views_;
  std::vector<Json> accessors_;
  std::unordered_map<std::string, std::uint32_t> known_accessors_;
  std::uint64_t most_bytes_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t saved_ = 0;
};

}  // namespace sinew::exporter
