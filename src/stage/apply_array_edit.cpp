// SPDX-License-Identifier: Apache-2.0
#include "stage/apply_array_edit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layer/shared/array_edit_fill.hpp"

namespace sinew::stage {

namespace {

using layer::ArrayEdit;

// Elements in chunks, so that putting one in or taking one out moves few of them, however long the
// array is: small texts can do either thousands of times to an array that they fill.
class Elements {
 public:
  Elements(std::span<const std::byte> bytes, std::size_t element_size) : size_(element_size) {
    append(bytes);
  }

  std::int64_t count() const { return static_cast<std::int64_t>(bytes_ / size_); }

  std::byte* at(std::int64_t index) {
    const Place place = find(index);
    return chunks_[place.chunk].data() + place.offset;
  }

  void insert(std::int64_t index, std::span<const std::byte> element) {
    if (index == count()) return append(element);
    const Place place = find(index);
    Chunk& chunk = chunks_[place.chunk];
    chunk.insert(chunk.begin() + static_cast<std::ptrdiff_t>(place.offset), element.begin(),
                 element.end());
    bytes_ += size_;
    if (chunk.size() < 2 * most()) return;
    Chunk rest(chunk.begin() + static_cast<std::ptrdiff_t>(most()), chunk.end());
    chunk.resize(most());
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk) + 1, std::move(rest));
  }

  void erase(std::int64_t index) {
    const Place place = find(index);
    Chunk& chunk = chunks_[place.chunk];
    const auto first = chunk.begin() + static_cast<std::ptrdiff_t>(place.offset);
    chunk.erase(first, first + static_cast<std::ptrdiff_t>(size_));
    if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk));
    bytes_ -= size_;
  }

  void truncate(std::int64_t count) {
    while (this->count() > count) {
      const std::size_t surplus = bytes_ - static_cast<std::size_t>(count) * size_;
      const std::size_t last = chunks_.back().size();
      if (surplus < last) {
        chunks_.back().resize(last - surplus);
      } else {
        chunks_.pop_back();
      }
      bytes_ -= std::min(surplus, last);
    }
  }

  /// Appends copies of `element`, or zeros if it is empty, until there are `count`.
  void fill(std::int64_t count, std::span<const std::byte> element) {
    Chunk chunk(most());
    for (std::size_t at = 0; !element.empty() && at < chunk.size(); at += size_) {
      std::memcpy(chunk.data() + at, element.data(), size_);
    }
    const std::size_t wanted = static_cast<std::size_t>(count) * size_;
    while (bytes_ < wanted) {
      append(std::span<const std::byte>(chunk).first(std::min(chunk.size(), wanted - bytes_)));
    }
  }

  Buffer buffer() const {
    std::vector<std::byte> all;
    all.reserve(bytes_);
    for (const Chunk& chunk : chunks_) all.insert(all.end(), chunk.begin(), chunk.end());
    return Buffer::copy_of(all);
  }

 private:
  using Chunk = std::vector<std::byte>;

  struct Place {
    std::size_t chunk;
    std::size_t offset;
  };

  // Bytes of a chunk that is filled at once: a whole number of elements.
  std::size_t most() const { return kChunk / size_ * size_; }

  Place find(std::int64_t index) const {
    std::size_t offset = static_cast<std::size_t>(index) * size_;
    std::size_t chunk = 0;
    for (; offset >= chunks_[chunk].size(); ++chunk) offset -= chunks_[chunk].size();
    return {chunk, offset};
  }

  void append(std::span<const std::byte> bytes) {
    bytes_ += bytes.size();
    while (!bytes.empty()) {
      if (chunks_.empty() || chunks_.back().size() >= most()) chunks_.emplace_back();
      Chunk& chunk = chunks_.back();
      const std::size_t part = std::min(bytes.size(), most() - chunk.size());
      chunk.insert(chunk.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part));
      bytes = bytes.subspan(part);
    }
  }

  static constexpr std::size_t kChunk = std::size_t{16} << 10;
  std::size_t size_;
  std::size_t bytes_ = 0;
  std::vector<Chunk> chunks_;  // None is empty.
};

class Editor {
 public:
  Editor(const ArrayEdit& edit, const layer::Value& weaker)
      : size_(layer::element_size(edit.element)),
        elements_(weaker.is_array() && weaker.type() == edit.element ? weaker.bytes()
                                                                     : std::span<const std::byte>(),
                  size_) {}

  void apply(const ArrayEdit::Instruction& instruction) {
    using Kind = ArrayEdit::Kind;
    switch (instruction.kind) {
      case Kind::prepend:
        insert(0, instruction);
        break;
      case Kind::append:
        insert(count(), instruction);
        break;
      case Kind::insert:
        insert(instruction.index < 0 ? instruction.index + count() : instruction.index,
               instruction);
        break;
      case Kind::write:
        write(instruction);
        break;
      case Kind::erase:
        if (const auto at = position(instruction.index)) elements_.erase(*at);
        break;
      case Kind::min_size:
        if (count() < instruction.index) resize(instruction);
        break;
      case Kind::max_size:
        if (count() > instruction.index) resize(instruction);
        break;
      case Kind::resize:
        resize(instruction);
        break;
    }
  }

  layer::Value value(layer::ElementType type) const {
    return layer::Value::array_from_buffer(type, elements_.buffer());
  }

 private:
  std::int64_t count() const { return elements_.count(); }

  std::optional<std::int64_t> position(std::int64_t index) const {
    if (index < 0) index += count();
    if (index < 0 || index >= count()) return std::nullopt;
    return index;
  }

  // The bytes of the element to put in, or nothing if it names one that does not exist.
  std::vector<std::byte> element(const ArrayEdit::Instruction& instruction) {
    if (instruction.source) {
      const auto at = position(*instruction.source);
      if (!at) return {};
      const std::byte* const first = elements_.at(*at);
      return {first, first + size_};
    }
    const std::span<const std::byte> literal = instruction.literal.bytes();
    return {literal.begin(), literal.end()};
  }

  void insert(std::int64_t at, const ArrayEdit::Instruction& instruction) {
    const std::vector<std::byte> bytes = element(instruction);
    if (bytes.size() != size_ || at < 0 || at > count()) return;
    elements_.insert(at, bytes);
  }

  void write(const ArrayEdit::Instruction& instruction) {
    const std::vector<std::byte> bytes = element(instruction);
    const auto at = position(instruction.index);
    if (bytes.size() != size_ || !at) return;
    std::memcpy(elements_.at(*at), bytes.data(), size_);
  }

  void resize(const ArrayEdit::Instruction& instruction) {
    if (instruction.index < 0) return;
    if (instruction.index <= count()) return elements_.truncate(instruction.index);
    if (static_cast<std::uint64_t>(instruction.index) > layer::kMaxFill / size_) return;
    const std::span<const std::byte> fill = instruction.literal.bytes();
    elements_.fill(instruction.index, fill.size() == size_ ? fill : std::span<const std::byte>());
  }

  std::size_t size_;
  Elements elements_;
};

bool is_filled(const ArrayEdit::Instruction& instruction) {
  using Kind = ArrayEdit::Kind;
  return instruction.literal.has_value() &&
         (instruction.kind == Kind::min_size || instruction.kind == Kind::resize);
}

// An edit whose fills are the literals that have their numbers among those of weaker edits and its
// own. Its own are added to `literals`.
ArrayEdit with_numbered_fills(ArrayEdit edit, std::vector<layer::Value>& literals) {
  for (const ArrayEdit::Instruction& instruction : edit.instructions) {
    if (instruction.literal.has_value()) literals.push_back(instruction.literal);
  }
  std::size_t number = 0;
  for (ArrayEdit::Instruction& instruction : edit.instructions) {
    if (is_filled(instruction)) instruction.literal = literals[number];
    number += instruction.literal.has_value() ? 1 : 0;
  }
  return edit;
}

// Anything that is not an array of the edit's type counts as the empty array.
layer::Value apply_array_edit(const ArrayEdit& edit, const layer::Value& weaker) {
  if (layer::element_size(edit.element) == 0) return {};
  Editor editor(edit, weaker);
  for (const ArrayEdit::Instruction& instruction : edit.instructions) editor.apply(instruction);
  return editor.value(edit.element);
}

}  // namespace

layer::Value apply_array_edits(std::span<const layer::Value> edits, layer::Value weaker,
                               Rules rules) {
  std::vector<layer::Value> literals;
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    const ArrayEdit& authored = *edit->as_array_edit();
    weaker = edits.size() > 1 && rules == Rules::openusd
                 ? apply_array_edit(with_numbered_fills(authored, literals), weaker)
                 : apply_array_edit(authored, weaker);
  }
  return weaker;
}

}  // namespace sinew::stage
