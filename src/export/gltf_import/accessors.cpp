// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/accessors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/format_text.hpp"

namespace sinew::exporter::gltf_import {

namespace {

constexpr std::uint64_t kMostElements = std::numeric_limits<std::uint32_t>::max();

struct Shape {
  std::string_view name;
  std::size_t width;
  std::size_t rows;  // Of a matrix.
};
constexpr std::array<Shape, 7> kShapes = {{{"SCALAR", 1, 0},
                                           {"VEC2", 2, 0},
                                           {"VEC3", 3, 0},
                                           {"VEC4", 4, 0},
                                           {"MAT2", 4, 2},
                                           {"MAT3", 9, 3},
                                           {"MAT4", 16, 4}}};

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// Matrices keep their columns at multiples of 4 bytes.
std::size_t offset_of(std::size_t i, std::size_t rows, std::size_t size) {
  if (rows == 0) return i * size;
  const std::size_t column = (rows * size + 3) / 4 * 4;
  return i / rows * column + i % rows * size;
}

std::size_t element_bytes(std::size_t width, std::size_t rows, std::size_t size) {
  if (rows == 0) return width * size;
  return width / rows * ((rows * size + 3) / 4 * 4);
}

template <typename Stored, typename T>
T convert(Stored value, bool normalized) {
  if constexpr (std::is_same_v<T, float> && std::is_integral_v<Stored>) {
    if (!normalized) return static_cast<float>(value);
    constexpr auto kMost = static_cast<float>(std::numeric_limits<Stored>::max());
    return std::max(static_cast<float>(value) / kMost, -1.0F);
  } else {
    return static_cast<T>(value);
  }
}

template <typename Stored, typename T>
void copy(const std::byte* bytes, std::size_t count, std::size_t stride, std::size_t width,
          std::size_t rows, bool normalized, T* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* element = bytes + i * stride;
    for (std::size_t k = 0; k < width; ++k) {
      const auto value = load<Stored>(element + offset_of(k, rows, sizeof(Stored)));
      out[i * width + k] = convert<Stored, T>(value, normalized);
    }
  }
}

// A number of elements, which is told if it is none from 1 to `most`.
std::optional<std::size_t> element_count(const JsonReader& reader, const Cursor& at,
                                         std::uint64_t most, std::string_view code,
                                         std::string_view what) {
  const auto count = at ? reader.count(at, most) : std::optional<std::uint64_t>(0);
  if (!count) return std::nullopt;
  if (*count == 0) {
    reader.faults().error(at.pointer(), code,
                          format_text("The number of {} is missing or 0.", what));
    return std::nullopt;
  }
  return static_cast<std::size_t>(*count);
}

}  // namespace

Accessors::Accessors(const Cursor& root, const Container& container,
                     const ImportGlbOptions& options, JsonReader& reader, Budget& budget)
    : root_(root),
      container_(&container),
      options_(&options),
      reader_(&reader),
      budget_(&budget),
      buffers_(reader.list(root["buffers"])),
      entries_(reader.list(root["accessors"])) {}

std::size_t Accessors::size_of(Component component) {
  switch (component) {
    case Component::i8:
    case Component::u8:
      return 1;
    case Component::i16:
    case Component::u16:
      return 2;
    case Component::u32:
    case Component::f32:
      return 4;
  }
  return 4;
}

std::optional<Accessors::Component> Accessors::component(const Cursor& at) {
  if (!at) {
    reader_->faults().error(at.pointer(), "gltf-missing", "The type of the numbers is missing.");
    return std::nullopt;
  }
  const auto code = reader_->count(at, 65535);
  if (!code) return std::nullopt;
  switch (*code) {
    case 5120:
      return Component::i8;
    case 5121:
      return Component::u8;
    case 5122:
      return Component::i16;
    case 5123:
      return Component::u16;
    case 5125:
      return Component::u32;
    case 5126:
      return Component::f32;
    default:
      reader_->faults().error(at.pointer(), "gltf-component-type",
                              format_text("{} is no type of numbers.", *code));
      return std::nullopt;
  }
}

std::optional<Bytes> Accessors::read_buffer(const Cursor& at, std::size_t index) {
  Faults& faults = reader_->faults();
  const auto length = reader_->count(at["byteLength"], std::numeric_limits<std::int64_t>::max());
  if (!length) {
    if (!at["byteLength"]) {
      faults.error(at["byteLength"].pointer(), "gltf-missing", "The length is missing.");
    }
    return std::nullopt;
  }
  std::optional<Bytes> bytes;
  const Cursor uri = at["uri"];
  if (!uri) {
    if (index == 0) bytes = container_->binary;
    if (!bytes) {
      faults.error(at.pointer(), "gltf-buffer", "The buffer has neither bytes nor a URI.");
      return std::nullopt;
    }
  } else {
    const auto text = reader_->text(uri);
    if (!text) return std::nullopt;
    if (is_data_uri(*text)) {
      const auto decoded = decode_data_uri(*text);
      if (!decoded) {
        faults.error(uri.pointer(), "gltf-uri", "The data URI is not well-formed base64.");
        return std::nullopt;
      }
      bytes = decoded->bytes;
    } else {
      const std::string path = path_of_uri(*text);
      if (options_->resolver == nullptr) {
        faults.error(uri.pointer(), "gltf-buffer",
                     format_text("The buffer lies in the file '{}', which was not given.", path));
        return std::nullopt;
      }
      Result<std::string> found = options_->resolver->resolve(path, options_->file);
      Result<Bytes> read = found ? options_->resolver->read(*found, options_->limits.file_bytes)
                                 : Result<Bytes>(found.error());
      if (!read) {
        faults.error(uri.pointer(), "gltf-buffer", read.error().message);
        return std::nullopt;
      }
      bytes = *std::move(read);
      budget_->add_file(*found, bytes->size());
    }
  }
  if (*length > bytes->size()) {
    faults.error(
        at["byteLength"].pointer(), "gltf-buffer",
        format_text("The buffer should have {} bytes, there are {}.", *length, bytes->size()));
    return std::nullopt;
  }
  return bytes->slice(0, static_cast<std::size_t>(*length));
}

const std::optional<Bytes>& Accessors::buffer(std::size_t index) {
  BufferEntry& entry = buffers_[index];
  if (!entry.is_read) {
    entry.is_read = true;
    entry.bytes = read_buffer(root_["buffers"][index], index);
  }
  return entry.bytes;
}

std::optional<Bytes> Accessors::view_bytes(const Cursor& user) {
  const Cursor views = root_["bufferViews"];
  const auto index = reader_->index(user, reader_->list(views), "buffer views");
  if (!index) return std::nullopt;
  const Cursor view = views[*index];
  if (!reader_->object(view)) return std::nullopt;
  const auto owner = reader_->index(view["buffer"], buffers_.size(), "buffers");
  if (!owner) {
    if (!view["buffer"]) {
      reader_->faults().error(view["buffer"].pointer(), "gltf-missing", "The buffer is missing.");
    }
    return std::nullopt;
  }
  const std::optional<Bytes>& bytes = buffer(*owner);
  if (!bytes) return std::nullopt;
  constexpr std::uint64_t kLast = std::numeric_limits<std::int64_t>::max();
  const Cursor offset_at = view["byteOffset"];
  const auto offset = offset_at ? reader_->count(offset_at, kLast) : std::uint64_t{0};
  const auto length = reader_->count(view["byteLength"], kLast);
  if (!offset || !length) {
    if (!view["byteLength"]) {
      reader_->faults().error(view["byteLength"].pointer(), "gltf-missing",
                              "The length is missing.");
    }
    return std::nullopt;
  }
  if (*offset > bytes->size() || *length > bytes->size() - *offset) {
    reader_->faults().error(view.pointer(), "gltf-buffer-view",
                            format_text("{} bytes from byte {} on leave its buffer of {}.", *length,
                                        *offset, bytes->size()));
    return std::nullopt;
  }
  return bytes->slice(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*length));
}

std::optional<Accessors::Place> Accessors::place(const Cursor& view_user, const Cursor& offset_at,
                                                 std::size_t count, std::size_t size,
                                                 bool may_stride) {
  const auto bytes = view_bytes(view_user);
  if (!bytes) {
    if (!view_user) {
      reader_->faults().error(view_user.pointer(), "gltf-missing", "The buffer view is missing.");
    }
    return std::nullopt;
  }
  const auto offset =
      offset_at ? reader_->count(offset_at, kMostElements) : std::optional<std::uint64_t>(0);
  if (!offset) return std::nullopt;
  Place place;
  place.stride = size;
  // The view was found, so the index is good.
  const Cursor view = root_["bufferViews"][static_cast<std::size_t>(view_user.value()->number())];
  if (const Cursor stride_at = view["byteStride"]; may_stride && stride_at) {
    const auto stride = reader_->count(stride_at, 65536);
    if (!stride) return std::nullopt;
    if (*stride < size) {
      reader_->faults().error(
          stride_at.pointer(), "gltf-stride",
          format_text("A stride of {} is less than the {} bytes of an element.", *stride, size));
      return std::nullopt;
    }
    place.stride = static_cast<std::size_t>(*stride);
  }
  // count is at least 1 and less than 2^32, as the stride is at most 2^16: nothing overflows.
  const std::uint64_t needed = (count - 1) * std::uint64_t{place.stride} + size;
  if (*offset > bytes->size() || needed > bytes->size() - *offset) {
    reader_->faults().error(
        view_user.pointer(), "gltf-accessor",
        format_text("{} elements from byte {} on need {} bytes; the buffer view has {}.", count,
                    *offset, needed, bytes->size()));
    return std::nullopt;
  }
  place.bytes = bytes->slice(static_cast<std::size_t>(*offset), static_cast<std::size_t>(needed));
  return place;
}

bool Accessors::read_sparse(const Cursor& at, std::size_t element_size, Layout& layout) {
  if (!reader_->object(at)) return false;
  const auto count =
      element_count(*reader_, at["count"], layout.count, "gltf-sparse", "sparse elements");
  if (!count) return false;
  layout.sparse_count = *count;
  const Cursor indices = at["indices"];
  const auto type = component(indices["componentType"]);
  if (!type) return false;
  if (*type != Component::u8 && *type != Component::u16 && *type != Component::u32) {
    reader_->faults().error(indices["componentType"].pointer(), "gltf-component-type",
                            "Indices are unsigned.");
    return false;
  }
  layout.sparse_component = *type;
  const auto index_place = place(indices["bufferView"], indices["byteOffset"], layout.sparse_count,
                                 size_of(*type), false);
  const Cursor values = at["values"];
  const auto value_place =
      place(values["bufferView"], values["byteOffset"], layout.sparse_count, element_size, false);
  if (!index_place || !value_place) return false;
  layout.sparse_indices = *index_place;
  layout.sparse_values = *value_place;
  return true;
}

std::optional<Accessors::Layout> Accessors::read_layout(const Cursor& at) {
  if (!reader_->object(at)) return std::nullopt;
  Layout layout;
  const auto type = reader_->text(at["type"]);
  if (!type) {
    if (!at["type"]) {
      reader_->faults().error(at["type"].pointer(), "gltf-missing", "The type is missing.");
    }
    return std::nullopt;
  }
  const auto shape = std::find_if(kShapes.begin(), kShapes.end(),
                                  [&](const Shape& known) { return known.name == *type; });
  if (shape == kShapes.end()) {
    reader_->faults().error(at["type"].pointer(), "gltf-accessor-type",
                            format_text("'{}' is no type of elements.", *type));
    return std::nullopt;
  }
  layout.type = *type;
  layout.width = shape->width;
  layout.rows = shape->rows;
  const auto of_numbers = component(at["componentType"]);
  if (!of_numbers) return std::nullopt;
  layout.component = *of_numbers;
  const auto count =
      element_count(*reader_, at["count"], kMostElements, "gltf-accessor", "elements");
  if (!count) return std::nullopt;
  layout.count = *count;
  layout.normalized = reader_->boolean(at["normalized"]).value_or(false);
  const std::size_t size = element_bytes(layout.width, layout.rows, size_of(layout.component));
  if (at["bufferView"]) {
    layout.place = place(at["bufferView"], at["byteOffset"], layout.count, size, true);
    if (!layout.place) return std::nullopt;
  }
  if (at["sparse"] && !read_sparse(at["sparse"], size, layout)) return std::nullopt;
  return layout;
}

Accessors::Entry* Accessors::entry(const Cursor& user) {
  const auto index = reader_->index(user, entries_.size(), "accessors");
  if (!index) return nullptr;
  Entry& entry = entries_[*index];
  if (!entry.is_read) {
    entry.is_read = true;
    entry.layout = read_layout(root_["accessors"][*index]);
  }
  return entry.layout ? &entry : nullptr;
}

template <typename T>
std::optional<Elements<T>> Accessors::read(const Cursor& at, const Layout& layout) {
  if (!budget_->spend(layout.count, layout.width * sizeof(T))) {
    reader_->faults().error(at.pointer(), "gltf-limit",
                            "What the file asks for is more than Limits allow.");
    return std::nullopt;
  }
  std::vector<T> values(layout.count * layout.width);
  const auto copy_from = [&](const Place& place, std::size_t count, T* out) {
    const std::byte* bytes = place.bytes.data();
    const auto run = [&]<typename Stored>(Stored) {
      copy<Stored, T>(bytes, count, place.stride, layout.width, layout.rows, layout.normalized,
                      out);
    };
    switch (layout.component) {
      case Component::i8:
        return run(std::int8_t());
      case Component::u8:
        return run(std::uint8_t());
      case Component::i16:
        return run(std::int16_t());
      case Component::u16:
        return run(std::uint16_t());
      case Component::u32:
        return run(std::uint32_t());
      case Component::f32:
        if constexpr (std::is_same_v<T, float>) run(float());
        return;
    }
  };
  if (layout.place) copy_from(*layout.place, layout.count, values.data());
  Elements<T> result;
  result.width = layout.width;
  if (layout.sparse_count > 0) {
    std::vector<T> stated(layout.sparse_count * layout.width);
    copy_from(layout.sparse_values, layout.sparse_count, stated.data());
    std::vector<std::uint32_t> where(layout.sparse_count);
    const std::byte* bytes = layout.sparse_indices.bytes.data();
    for (std::size_t i = 0; i < where.size(); ++i) {
      switch (layout.sparse_component) {
        case Component::u8:
          where[i] = load<std::uint8_t>(bytes + i);
          break;
        case Component::u16:
          where[i] = load<std::uint16_t>(bytes + 2 * i);
          break;
        default:
          where[i] = load<std::uint32_t>(bytes + 4 * i);
      }
      if (where[i] >= layout.count || (i > 0 && where[i] <= where[i - 1])) {
        reader_->faults().error(
            at["sparse"]["indices"].pointer(), "gltf-sparse",
            format_text("Sparse index {} (number {}) is not ascending below {}.", where[i], i,
                        layout.count));
        return std::nullopt;
      }
      std::copy_n(stated.data() + i * layout.width, layout.width,
                  values.data() + where[i] * layout.width);
    }
    if (!layout.place) {
      result.stated = std::make_shared<const std::vector<std::uint32_t>>(std::move(where));
    }
  }
  result.values = std::make_shared<const std::vector<T>>(std::move(values));
  return result;
}

std::optional<Floats> Accessors::floats(const Cursor& user,
                                        std::span<const std::string_view> types) {
  Entry* const found = entry(user);
  if (found == nullptr) return std::nullopt;
  if (std::find(types.begin(), types.end(), found->layout->type) == types.end()) {
    reader_->faults().error(
        user.pointer(), "gltf-accessor-type",
        format_text("An accessor of type {} is of no use here.", found->layout->type));
    return std::nullopt;
  }
  if (!found->floats) {
    const auto index = static_cast<std::size_t>(user.value()->number());
    found->floats = read<float>(root_["accessors"][index], *found->layout);
  }
  return found->floats;
}

std::optional<Integers> Accessors::integers(const Cursor& user, std::string_view type) {
  Entry* const found = entry(user);
  if (found == nullptr) return std::nullopt;
  const Layout& layout = *found->layout;
  const bool is_unsigned = layout.component == Component::u8 ||
                           layout.component == Component::u16 || layout.component == Component::u32;
  if (layout.type != type || !is_unsigned) {
    reader_->faults().error(
        user.pointer(), "gltf-accessor-type",
        format_text("Here should be an accessor of type {} of unsigned numbers.", type));
    return std::nullopt;
  }
  if (!found->integers) {
    const auto index = static_cast<std::size_t>(user.value()->number());
    found->integers = read<std::uint32_t>(root_["accessors"][index], layout);
  }
  return found->integers;
}

}  // namespace sinew::exporter::gltf_import
