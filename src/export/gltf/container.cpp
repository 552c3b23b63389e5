// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/container.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "core/sort.hpp"

namespace sinew::exporter {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;

std::uint64_t padded(std::uint64_t size) {
  return (size + 3) / 4 * 4;
}

// Two multiplications for each 16 bytes; to find equal arrays, which are then compared.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t a = seed ^ bytes.size() * kFactor;
  std::uint64_t b = ~seed;
  const auto mix = [](std::uint64_t value, std::uint64_t word) {
    value = (value ^ word) * kFactor;
    return value ^ (value >> 29);
  };
  std::size_t i = 0;
  for (; i + 16 <= bytes.size(); i += 16) {
    std::uint64_t words[2];
    std::memcpy(words, bytes.data() + i, 16);
    a = mix(a, words[0]);
    b = mix(b, words[1]);
  }
  std::uint64_t rest[2] = {0, 0};
  if (i < bytes.size()) std::memcpy(rest, bytes.data() + i, bytes.size() - i);
  return mix(mix(a, rest[0]), mix(b, rest[1]));
}

std::string_view type_name(std::size_t width) {
  switch (width) {
    case 1:
      return "SCALAR";
    case 2:
      return "VEC2";
    case 3:
      return "VEC3";
    case 4:
      return "VEC4";
    default:
      return "MAT4";
  }
}

// Exactly the float, since readers compare it with the array.
void add_bounds(Json& accessor, std::size_t width, std::span<const float> values, bool with_zero) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::array<float, 16> low;
  std::array<float, 16> high;
  low.fill(with_zero ? 0.0F : kInfinity);
  high.fill(with_zero ? 0.0F : -kInfinity);
  for (std::size_t i = 0; i < values.size(); i += width) {
    for (std::size_t c = 0; c < width; ++c) {
      low[c] = std::min(low[c], values[i + c]);
      high[c] = std::max(high[c], values[i + c]);
    }
  }
  Json least = Json::array(), most = Json::array();
  for (std::size_t c = 0; c < width; ++c) {
    least.push_back(static_cast<double>(low[c]) + 0.0);
    most.push_back(static_cast<double>(high[c]) + 0.0);
  }
  accessor["min"] = std::move(least);
  accessor["max"] = std::move(most);
}

Json describe(const GlbContainer::Elements& elements) {
  Json accessor = Json::object();
  accessor["componentType"] = static_cast<std::uint16_t>(elements.component);
  if (elements.normalized) accessor["normalized"] = true;
  accessor["count"] = elements.count;
  accessor["type"] = type_name(elements.width);
  return accessor;
}

}  // namespace

Buffer copy_in_pages(std::span<const std::byte> bytes) {
  Buffer copy = Buffer::in_pages(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.mutable_data(), bytes.data(), bytes.size());
  return copy;
}

std::int32_t GlbContainer::add_view(GlbUse use, Buffer bytes, std::string read_as) {
  const std::span<const std::byte> content(bytes.data(), bytes.size());
  const std::uint64_t hash = hash_bytes(content, static_cast<std::uint64_t>(use));
  const auto [first, last] = known_views_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const View& known = views_[static_cast<std::size_t>(it->second)];
    if (known.use == use && known.read_as == read_as && known.bytes.size() == content.size() &&
        std::memcmp(known.bytes.data(), content.data(), content.size()) == 0) {
      saved_ += content.size();
      return it->second;
    }
  }
  const auto index = static_cast<std::int32_t>(views_.size());
  known_views_.emplace(hash, index);
  views_.push_back({use, std::move(bytes), std::move(read_as)});
  return index;
}

std::int32_t GlbContainer::add_accessor(Json accessor) {
  const auto [it, is_new] = known_accessors_.try_emplace(
      json_text(accessor), static_cast<std::uint32_t>(accessors_.size()));
  if (is_new) accessors_.push_back(std::move(accessor));
  return static_cast<std::int32_t>(it->second);
}

std::int32_t GlbContainer::add(const Elements& elements, Buffer bytes) {
  Json accessor = describe(elements);
  if (elements.bounds) {
    add_bounds(accessor, elements.width,
               {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)}, false);
  }
  Json whole = Json::object();
  // Two accessors of vertices may not share a view that says no stride.
  std::string read_as = elements.use == GlbUse::vertices ? json_text(accessor) : std::string();
  whole["bufferView"] = add_view(elements.use, std::move(bytes), std::move(read_as));
  for (const auto& [key, value] : accessor.members()) whole[key] = value;
  return add_accessor(std::move(whole));
}

std::int32_t GlbContainer::add_sparse(const Elements& elements, std::span<const std::uint32_t> rows,
                                      std::span<const float> values) {
  Json accessor = describe(elements);
  if (elements.bounds) {
    add_bounds(accessor, elements.width, values, rows.size() < elements.count);
  }
  if (rows.empty()) return add_accessor(std::move(accessor));  // All zeros.
  Json indices = Json::object();
  if (elements.count <= 65536) {
    std::vector<std::uint16_t> shorts(rows.begin(), rows.end());
    indices["bufferView"] =
        add_view(GlbUse::other, copy_in_pages(std::as_bytes(std::span(shorts))));
    indices["componentType"] = static_cast<std::uint16_t>(GlbComponent::uint16);
  } else {
    indices["bufferView"] = add_view(GlbUse::other, copy_in_pages(std::as_bytes(rows)));
    indices["componentType"] = static_cast<std::uint16_t>(GlbComponent::uint32);
  }
  Json sparse = Json::object();
  sparse["count"] = rows.size();
  sparse["indices"] = std::move(indices);
  sparse["values"]["bufferView"] = add_view(GlbUse::other, copy_in_pages(std::as_bytes(values)));
  accessor["sparse"] = std::move(sparse);
  return add_accessor(std::move(accessor));
}

bool GlbContainer::weights_fit(std::size_t input, std::size_t output, std::size_t targets) const {
  const auto count = [this](std::size_t accessor) {
    return static_cast<std::uint64_t>(accessors_[accessor].find("count")->integer());
  };
  return count(input) * targets == count(output);
}

// Views keep their numbers; their bytes are sorted by use.
std::uint64_t GlbContainer::place_views(Json& views, std::vector<std::uint64_t>& offsets,
                                        GltfSummary& summary) {
  std::vector<std::size_t> order(views_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stable_sort_range(order.begin(), order.end(),
                    [this](std::size_t a, std::size_t b) { return views_[a].use < views_[b].use; });
  offsets.resize(views_.size());
  std::uint64_t offset = 0;
  for (const std::size_t i : order) {
    offsets[i] = offset;
    offset += padded(views_[i].bytes.size());
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const std::uint64_t size = views_[i].bytes.size();
    Json view = Json::object();
    view["buffer"] = 0;
    view["byteOffset"] = offsets[i];
    view["byteLength"] = size;
    switch (views_[i].use) {
      case GlbUse::indices:
        view["target"] = 34963;
        summary.index_bytes += size;
        break;
      case GlbUse::vertices:
        view["target"] = 34962;
        summary.vertex_bytes += size;
        break;
      case GlbUse::other:
        summary.other_bytes += size;
        break;
      case GlbUse::images:
        summary.image_bytes += size;
        break;
    }
    views.push_back(std::move(view));
  }
  return offset;
}

Status GlbContainer::write(Json& document, GltfSummary& summary, GlbOutput& output) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t binary = 0;
  if (!accessors_.empty()) document["accessors"] = std::move(accessors_);
  if (!views_.empty()) {
    Json views = Json::array();
    binary = place_views(views, offsets, summary);
    document["bufferViews"] = std::move(views);
    Json buffer = Json::object();
    buffer["byteLength"] = binary;
    document["buffers"] = Json::list({std::move(buffer)});
  }
  summary.saved_bytes = saved_;
  std::string json = json_text(document);
  document = Json();
  json.resize(padded(json.size()), ' ');
  summary.json_bytes = json.size();
  const std::uint64_t total = kHeaderBytes + kChunkHeaderBytes + json.size() +
                              (binary > 0 ? kChunkHeaderBytes + binary : 0);
  if (total > most_bytes_) {
    return {ErrorCode::limit_exceeded,
            "The file would have more than " + std::to_string(most_bytes_) + " bytes."};
  }
  if (total >= std::numeric_limits<std::uint32_t>::max()) {
    return {ErrorCode::limit_exceeded,
            "A .glb file holds less than 4 GiB, and this one would have " + std::to_string(total) +
                " bytes."};
  }

  Status status = output.begin(total);
  std::size_t at = 0;
  const auto put = [&](const void* data, std::size_t size) {
    if (status && size > 0) status = output.put(at, {static_cast<const std::byte*>(data), size});
    at += size;
  };
  // All machines that this runs on are little-endian, as the format is.
  const std::uint32_t header[5] = {kMagic, 2, static_cast<std::uint32_t>(total),
                                   static_cast<std::uint32_t>(json.size()), kJsonChunk};
  put(header, sizeof header);
  put(json.data(), json.size());
  if (binary > 0) {
    const std::uint32_t chunk[2] = {static_cast<std::uint32_t>(binary), kBinChunk};
    put(chunk, sizeof chunk);
  }
  // What was made last is let go first where that may be: allocators give back the end of what they
  // have, and what is written takes its place.
  std::vector<std::size_t> order(views_.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  if (output.is_sequential()) {
    sort_range(order.begin(), order.end(),
               [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
  }
  const std::size_t start = at;
  for (const std::size_t i : order) {
    Buffer bytes = std::exchange(views_[i].bytes, Buffer());
    const std::size_t size = bytes.size();
    const std::size_t begin = start + offsets[i];
    // What is written goes piece by piece, from its end, or the largest array would be there twice.
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    while (!output.is_sequential() && bytes.unique() && bytes.size() > kPiece) {
      const std::size_t rest = bytes.size() - kPiece;
      at = begin + rest;
      put(bytes.data() + rest, kPiece);
      bytes.resize(rest);
    }
    at = begin;
    put(bytes.data(), bytes.size());
    at = begin + size;
    constexpr std::byte kZeros[3] = {};
    put(kZeros, padded(size) - size);
  }
  *this = GlbContainer();
  return status;
}

}  // namespace sinew::exporter
