// SPDX-License-Identifier: Apache-2.0
#include "stage/apply_array_edit.hpp"

#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

namespace sinew::stage {

namespace {

using layer::ArrayEdit;

// Sizes that text can ask for without writing the elements.
constexpr std::int64_t kMaxFill = 1 << 24;

class Editor {
 public:
  Editor(const ArrayEdit& edit, const layer::Value& weaker)
      : size_(layer::element_size(edit.element)) {
    if (weaker.is_array() && weaker.type() == edit.element) {
      const std::span<const std::byte> bytes = weaker.bytes();
      bytes_.assign(bytes.begin(), bytes.end());
    }
  }

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
        if (const auto at = position(instruction.index)) {
          const auto first = bytes_.begin() + *at * static_cast<std::ptrdiff_t>(size_);
          bytes_.erase(first, first + static_cast<std::ptrdiff_t>(size_));
        }
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
    return layer::Value::array_from_buffer(type, Buffer::copy_of(bytes_));
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(bytes_.size() / size_); }

  std::optional<std::int64_t> position(std::int64_t index) const {
    if (index < 0) index += count();
    if (index < 0 || index >= count()) return std::nullopt;
    return index;
  }

  // The bytes of the element to put in, or nothing if it names one that does not exist.
  std::vector<std::byte> element(const ArrayEdit::Instruction& instruction) const {
    if (instruction.source) {
      const auto at = position(*instruction.source);
      if (!at) return {};
      const auto first = bytes_.begin() + *at * static_cast<std::ptrdiff_t>(size_);
      return {first, first + static_cast<std::ptrdiff_t>(size_)};
    }
    const std::span<const std::byte> literal = instruction.literal.bytes();
    return {literal.begin(), literal.end()};
  }

  void insert(std::int64_t at, const ArrayEdit::Instruction& instruction) {
    const std::vector<std::byte> bytes = element(instruction);
    if (bytes.size() != size_ || at < 0 || at > count()) return;
    bytes_.insert(bytes_.begin() + at * static_cast<std::ptrdiff_t>(size_), bytes.begin(),
                  bytes.end());
  }

  void write(const ArrayEdit::Instruction& instruction) {
    const std::vector<std::byte> bytes = element(instruction);
    const auto at = position(instruction.index);
    if (bytes.size() != size_ || !at) return;
    std::memcpy(bytes_.data() + static_cast<std::size_t>(*at) * size_, bytes.data(), size_);
  }

  void resize(const ArrayEdit::Instruction& instruction) {
    if (instruction.index < 0 || instruction.index > kMaxFill) return;
    const std::size_t old = bytes_.size();
    bytes_.resize(static_cast<std::size_t>(instruction.index) * size_);
    const std::span<const std::byte> fill = instruction.literal.bytes();
    if (fill.size() != size_) return;
    for (std::size_t at = old; at < bytes_.size(); at += size_) {
      std::memcpy(bytes_.data() + at, fill.data(), size_);
    }
  }

  std::size_t size_;
  std::vector<std::byte> bytes_;
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

layer::Value apply_array_edit(const ArrayEdit& edit, const layer::Value& weaker) {
  if (layer::element_size(edit.element) == 0) return {};
  Editor editor(edit, weaker);
  for (const ArrayEdit::Instruction& instruction : edit.instructions) editor.apply(instruction);
  return editor.value(edit.element);
}

}  // namespace sinew::stage
