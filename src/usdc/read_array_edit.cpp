// SPDX-License-Identifier: Apache-2.0
// Array edits: literals and a program of 64-bit words that uses them.

#include <limits>
#include <utility>

#include "core/format_text.hpp"
#include "layer/shared/array_edit_fill.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

using layer::ArrayEdit;
using layer::ElementType;
using layer::Value;

namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::min();

using EditKind = ArrayEdit::Kind;
using Instruction = ArrayEdit::Instruction;

// What the operands of an operation are, in their order.
struct EditForm {
  EditKind kind;
  bool has_literal_first = false;
  bool has_source_first = false;
  bool has_literal_last = false;
  bool has_size = false;
};

constexpr EditForm kForms[] = {
    {EditKind::write, true, false, false, false},   {EditKind::write, false, true, false, false},
    {EditKind::insert, true, false, false, false},  {EditKind::insert, false, true, false, false},
    {EditKind::erase, false, false, false, false},  {EditKind::min_size, false, false, false, true},
    {EditKind::min_size, false, false, true, true}, {EditKind::resize, false, false, false, true},
    {EditKind::resize, false, false, true, true},   {EditKind::max_size, false, false, false, true},
};

Value element(const Value& literals, std::uint64_t index) {
  const std::size_t size = layer::element_size(literals.type());
  return Value::scalar_of(literals.type(),
                          literals.bytes().subspan(static_cast<std::size_t>(index) * size, size));
}

// The text has words of their own for insertions at either end.
void name_ends(Instruction& instruction) {
  if (instruction.kind != EditKind::insert) return;
  if (instruction.index == 0) instruction.kind = EditKind::prepend;
  if (instruction.index == kEnd) instruction.kind = EditKind::append;
  if (instruction.kind != EditKind::insert) instruction.index = 0;
}

}  // namespace

bool ValueReader::edit_program(std::span<const std::int64_t> program, const Value& literals,
                               std::uint64_t at, ArrayEdit& edit) {
  const auto wrong = [&] { return fail(at, "the edit of an array is damaged"); };
  const std::size_t literal_count = literals.size();
  for (std::size_t i = 0; i < program.size();) {
    const auto word = static_cast<std::uint64_t>(program[i++]);
    const std::uint64_t operation = word >> kEditOperationShift;
    // The repeat count is signed.
    const auto count = static_cast<std::int64_t>(word << 8) >> 8;
    if (operation >= std::size(kForms) || count < 1) return wrong();
    const EditForm& form = kForms[operation];
    const std::size_t operands =
        1 + (form.has_literal_first || form.has_source_first || form.has_literal_last ? 1 : 0);
    if (static_cast<std::uint64_t>(count) > (program.size() - i) / operands) return wrong();
    for (std::int64_t k = 0; k < count; ++k, i += operands) {
      Instruction instruction;
      instruction.kind = form.kind;
      const std::int64_t first = program[i];
      const std::int64_t last = program[i + operands - 1];
      instruction.index = form.has_size ? first : last;
      if (form.has_size && first < 0) return wrong();
      if (form.has_source_first) instruction.source = first;
      if (form.has_literal_first || form.has_literal_last) {
        const std::int64_t literal = form.has_literal_first ? first : last;
        if (literal < 0 || static_cast<std::uint64_t>(literal) >= literal_count) return wrong();
        instruction.literal = element(literals, static_cast<std::uint64_t>(literal));
      }
      name_ends(instruction);
      edit.instructions.push_back(std::move(instruction));
    }
  }
  return true;
}

bool ValueReader::charge_edit(std::uint64_t at, Value& out) {
  const ArrayEdit* const edit = out.as_array_edit();
  if (edit == nullptr) return true;
  std::uint64_t bytes = 0;
  for (const Instruction& i : edit->instructions) {
    bytes += layer::filled_bytes(*edit, i);
    if (layer::fills_too_much(*edit, i) && !std::exchange(has_fill_too_large_, true)) {
      warn("usdc-limit",
           format_text("no array edit makes an array longer than {} bytes: one for {} "
                       "elements, and others as large, do nothing to shorter arrays",
                       layer::kMaxFill, i.index));
    }
  }
  if (c_.budget->take_fill(bytes)) return true;
  out = Value();
  return fail(at, "the sizes of array edits fill more than the limit of bytes", "usdc-limit",
              ErrorCode::limit_exceeded);
}

bool ValueReader::array_edit(Representation rep, Value& out) {
  ArrayEdit edit;
  edit.element = info_of(rep.type()).element;
  if (rep.payload() == 0) {
    out = Value::array_edit(std::move(edit));
    return true;
  }
  ByteReader reader = c_.file.value_at(rep.payload());
  const std::uint64_t at = reader.position();
  std::uint64_t literal_bits = 0;
  std::uint64_t program_bits = 0;
  std::uint8_t unused = 0;
  if (rep.is_inlined() || !reader.read(literal_bits) || !reader.read(program_bits) ||
      !reader.read(unused)) {
    return fail(at, "the edit of an array does not lie in the file");
  }
  const Representation literal_rep{literal_bits};
  const Representation program_rep{program_bits};
  if (literal_rep.type() != rep.type() || !literal_rep.is_array() ||
      program_rep.type() != Type::int64 || !program_rep.is_array()) {
    return fail(at, "the edit of an array is damaged");
  }
  Value literals;
  Value program;
  if (!read(literal_bits, literals) || !read(program_bits, program)) return false;
  const bool is_packed = program.is_waiting();
  const auto words = program.as_array<std::int64_t>();
  if (is_packed && words.empty()) return fail(at, "the edit of an array is damaged", "usdc-ints");
  return charge_items(at, words.size(), sizeof(Instruction)) &&
         edit_program(words, literals, at, edit) &&
         (out = Value::array_edit(std::move(edit)), true);
}

}  // namespace sinew::usdc
