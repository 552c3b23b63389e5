// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/gltf_import/container.hpp"
#include "export/gltf_import/json_reader.hpp"
#include "sinew/export/import_glb.hpp"

namespace sinew::exporter::gltf_import {

/// Elements of an accessor, one after the other: shared by all that use it.
template <typename T>
struct Elements {
  std::shared_ptr<const std::vector<T>> values;
  std::size_t width = 0;  ///< Numbers in one element.
  /// Sparse without anything below: the elements that are not zero, ascending. Empty otherwise.
  std::shared_ptr<const std::vector<std::uint32_t>> stated;

  std::size_t size() const { return width == 0 ? 0 : values->size() / width; }
  explicit operator bool() const { return values != nullptr; }
  const T* operator[](std::size_t i) const { return values->data() + i * width; }
};
using Floats = Elements<float>;
using Integers = Elements<std::uint32_t>;

// Types of accessors that an attribute or a channel may have.
inline constexpr std::array<std::string_view, 1> kVec2 = {"VEC2"};
inline constexpr std::array<std::string_view, 1> kVec3 = {"VEC3"};
inline constexpr std::array<std::string_view, 1> kVec4 = {"VEC4"};

/// Reads the accessors of a file. Offsets, strides, counts and types are checked against the bytes
/// that are there before any is read.
class Accessors {
 public:
  Accessors(const Cursor& root, const Container& container, const ImportGlbOptions& options,
            JsonReader& reader, Budget& budget);

  /// The accessor that the index at `user` names, as floats; normalised integers become 0 to 1 or
  /// -1 to 1. Nothing if it is broken, or not of one of the types, "SCALAR", "VEC3" and so on;
  /// that is reported.
  std::optional<Floats> floats(const Cursor& user, std::span<const std::string_view> types);
  /// The same of an accessor of whole numbers that are not normalised.
  std::optional<Integers> integers(const Cursor& user, std::string_view type);

  /// The bytes of a buffer view, for images.
  std::optional<Bytes> view_bytes(const Cursor& user);

 private:
  enum class Component : std::uint8_t { i8, u8, i16, u16, u32, f32 };
  struct Place {  // Of elements in a buffer.
    Bytes bytes;
    std::size_t stride = 0;
  };
  struct Layout {
    std::string type;
    std::size_t width = 0;
    std::size_t rows = 0;  // Of a column of a matrix, which begins at a multiple of 4 bytes.
    std::size_t count = 0;
    Component component = Component::f32;
    bool normalized = false;
    std::optional<Place> place;  // Nothing: zeros.
    std::size_t sparse_count = 0;
    Component sparse_component = Component::u16;
    Place sparse_indices;
    Place sparse_values;
  };
  struct Entry {
    bool is_read = false;
    std::optional<Layout> layout;
    std::optional<Floats> floats;
    std::optional<Integers> integers;
  };

  static std::size_t size_of(Component component);
  std::optional<Component> component(const Cursor& at);
  const std::optional<Bytes>& buffer(std::size_t index);
  std::optional<Bytes> read_buffer(const Cursor& at, std::size_t index);
  /// `count` elements of `size` bytes each, from `offset` of a view on.
  std::optional<Place> place(const Cursor& view_user, const Cursor& offset, std::size_t count,
                             std::size_t size, bool may_stride);
  std::optional<Layout> read_layout(const Cursor& at);
  bool read_sparse(const Cursor& at, std::size_t element_size, Layout& layout);
  Entry* entry(const Cursor& user);
  template <typename T>
  std::optional<Elements<T>> read(const Cursor& at, const Layout& layout);

  Cursor root_;
  const Container* container_;
  const ImportGlbOptions* options_;
  JsonReader* reader_;
  Budget* budget_;
  struct BufferEntry {
    bool is_read = false;
    std::optional<Bytes> bytes;
  };
  std::vector<BufferEntry> buffers_;
  std::vector<Entry> entries_;
};

}  // namespace sinew::exporter::gltf_import
