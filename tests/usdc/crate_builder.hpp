// SPDX-License-Identifier: Apache-2.0
// Makes small binary files byte by byte, of any version, for tests of the reader. It knows nothing
// of the reader or the writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::test {}

/// Beside what all tests share.
namespace sinew::usdc::test {
using namespace sinew::test;

template <typename T>
void append(std::string& bytes, const T& number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <typename T>
std::string bytes_of(std::initializer_list<T> numbers) {
  std::string bytes;
  for (const T number : numbers) append(bytes, number);
  return bytes;
}

/// A count before what is counted.
inline std::string counted(std::uint64_t count, std::string_view items) {
  return bytes_of({count}).append(items);
}

/// An LZ4 block of literals only.
inline std::string lz4_block(std::string_view plain) {
  std::string block;
  std::size_t size = plain.size();
  block += static_cast<char>((size < 15 ? size : 15) << 4);
  if (size >= 15) {
    for (size -= 15; size >= 255; size -= 255) block += '\xFF';
    block += static_cast<char>(size);
  }
  return block.append(plain);
}

inline std::string lz4(std::string_view plain) {
  return std::string(1, '\0') + lz4_block(plain);
}

/// The coding of integers with differences of full width throughout.
inline std::string run_of(const std::vector<std::uint32_t>& integers) {
  std::string plain(4, '\0');
  plain.append((integers.size() + 3) / 4, '\xFF');
  std::uint32_t last = 0;
  for (const std::uint32_t integer : integers) {
    append(plain, integer - last);
    last = integer;
  }
  const std::string packed = integers.empty() ? std::string(2, '\0') : lz4(plain);
  std::string run;
  append(run, std::uint64_t{packed.size()});
  return run + packed;
}

inline std::uint64_t rep(unsigned type, std::uint64_t payload, std::uint64_t flags = 0) {
  return (flags << 56) | (std::uint64_t{type} << 48) | payload;
}
inline constexpr std::uint64_t kArray = 0x80;
inline constexpr std::uint64_t kInline = 0x40;
inline constexpr std::uint64_t kPacked = 0x20;
inline constexpr std::uint64_t kEdit = 0x10;

class CrateBuilder {
 public:
  explicit CrateBuilder(unsigned minor = 8, unsigned patch = 0) : minor_(minor), patch_(patch) {
    bytes_.assign(88, '\0');
    token(";-)");
    path_tokens_.push_back(0);  // The root.
    path_children_.emplace_back();
    marks_.push_back(false);
  }

  unsigned minor() const { return minor_; }

  std::uint32_t token(const std::string& text) {
    const auto [found, is_new] =
        tokens_.try_emplace(text, static_cast<std::uint32_t>(token_texts_.size()));
    if (is_new) token_texts_.push_back(text);
    return found->second;
  }
  std::uint32_t string(const std::string& text) {
    strings_.push_back(token(text));
    return static_cast<std::uint32_t>(strings_.size() - 1);
  }
  /// The same text once more, under another number.
  std::uint32_t repeated_token(const std::string& text) {
    token_texts_.push_back(text);
    return static_cast<std::uint32_t>(token_texts_.size() - 1);
  }
  std::uint32_t path(std::uint32_t parent, const std::string& element, bool is_property = false) {
    return path_of_token(parent, token(element), is_property);
  }
  std::uint32_t path_of_token(std::uint32_t parent, std::uint32_t element,
                              bool is_property = false) {
    path_tokens_.push_back(element);
    path_children_.emplace_back();
    marks_.push_back(is_property);
    const auto index = static_cast<std::uint32_t>(path_tokens_.size() - 1);
    path_children_[parent].push_back(index);
    return index;
  }
  /// Stores a value; its offset.
  std::uint64_t put(std::string_view value, std::size_t alignment = 1) {
    while (bytes_.size() % alignment != 0) bytes_ += '\0';
    const std::uint64_t offset = bytes_.size();
    bytes_ += value;
    return offset;
  }
  /// The count word, and the rank before it, that the version puts before an array.
  std::string array_head(std::uint64_t count) const {
    std::string head;
    if (minor_ >= 7) {
      append(head, count);
    } else {
      if (minor_ < 5) append(head, std::uint32_t{1});
      append(head, static_cast<std::uint32_t>(count));
    }
    return head;
  }
  template <typename T>
  std::uint64_t array(unsigned type, const std::vector<T>& elements, std::size_t alignment = 8) {
    std::string bytes = array_head(elements.size());
    for (const T& element : elements) append(bytes, element);
    return rep(type, put(bytes, alignment), kArray);
  }
  std::uint64_t token_vector(const std::vector<std::string>& texts) {
    std::vector<std::uint32_t> tokens;
    for (const std::string& text : texts) tokens.push_back(token(text));
    return token_vector_of(tokens);
  }
  std::uint64_t token_vector_of(const std::vector<std::uint32_t>& tokens) {
    std::string bytes;
    append(bytes, std::uint64_t{tokens.size()});
    for (const std::uint32_t index : tokens) append(bytes, index);
    return rep(41, put(bytes));
  }
  std::uint64_t token_value(const std::string& text) { return rep(11, token(text), kInline); }

  using Fields = std::vector<std::pair<std::string, std::uint64_t>>;
  void spec(std::uint32_t path, std::uint32_t type, const Fields& fields) {
    specs_.push_back({path, static_cast<std::uint32_t>(field_sets_.size()), type});
    for (const auto& [name, value] : fields) {
      field_sets_.push_back(static_cast<std::uint32_t>(field_names_.size()));
      field_names_.push_back(token(name));
      field_values_.push_back(value);
    }
    field_sets_.push_back(0xFFFFFFFF);
  }

  /// One more field of the last spec.
  void extend_spec(std::uint32_t name, std::uint64_t value) {
    field_sets_.back() = static_cast<std::uint32_t>(field_names_.size());
    field_names_.push_back(name);
    field_values_.push_back(value);
    field_sets_.push_back(0xFFFFFFFF);
  }

  /// A spec whose list of fields is that of all others with the same fields.
  void shared_spec(std::uint32_t path, std::uint32_t type, const Fields& fields) {
    const auto [found, is_new] = shared_.try_emplace(fields, field_sets_.size());
    if (is_new) {
      spec(path, type, fields);
    } else {
      specs_.push_back({path, static_cast<std::uint32_t>(found->second), type});
    }
  }

  /// A prim `/A` with one attribute `x`, below the root.
  void one_attribute(const std::string& type_name, std::uint64_t value) {
    const std::uint32_t a = path(0, "A");
    const std::uint32_t x = path(a, "x", true);
    spec(0, 7, {{"primChildren", token_vector({"A"})}});
    spec(a, 6, {{"specifier", rep(42, 0, kInline)}, {"properties", token_vector({"x"})}});
    spec(x, 1, {{"typeName", token_value(type_name)}, {"default", value}});
  }

  std::string build() {
    std::string file = bytes_;
    std::string contents;
    append(contents, std::uint64_t{6});
    const auto section = [&](const char* name, const std::string& content) {
      char field[16] = {};
      std::strncpy(field, name, sizeof field - 1);
      contents.append(field, sizeof field);
      append(contents, std::uint64_t{file.size()});
      append(contents, std::uint64_t{content.size()});
      file += content;
    };
    // Paths may still add tokens.
    const std::string paths = path_section(file.size());
    section("TOKENS", token_section());
    section("STRINGS", string_section());
    section("FIELDS", field_section());
    section("FIELDSETS", field_set_section());
    section("PATHS", minor_ >= 4 ? paths : path_section(file.size()));
    section("SPECS", spec_section());
    std::memcpy(file.data(), "PXR-USDC", 8);
    file[9] = static_cast<char>(minor_);
    file[10] = static_cast<char>(patch_);
    const std::uint64_t offset = file.size();
    std::memcpy(file.data() + 16, &offset, sizeof offset);
    return file + contents;
  }

 private:
  struct Spec {
    std::uint32_t path, field_set, type;
  };

  std::string token_section() const {
    std::string chars;
    for (const std::string& text : token_texts_) chars += text + '\0';
    std::string section;
    append(section, std::uint64_t{token_texts_.size()});
    append(section, std::uint64_t{chars.size()});
    if (minor_ < 4) return section + chars;
    const std::string packed = lz4(chars);
    append(section, std::uint64_t{packed.size()});
    return section + packed;
  }
  std::string string_section() const {
    std::string section;
    append(section, std::uint64_t{strings_.size()});
    for (const std::uint32_t index : strings_) append(section, index);
    return section;
  }
  std::string field_section() const {
    std::string section;
    append(section, std::uint64_t{field_names_.size()});
    if (minor_ >= 4) {
      std::string values;
      for (const std::uint64_t value : field_values_) append(values, value);
      const std::string packed = lz4(values);
      section += run_of(field_names_);
      append(section, std::uint64_t{packed.size()});
      return section + packed;
    }
    for (std::size_t i = 0; i < field_names_.size(); ++i) {
      append(section, std::uint32_t{0xDDDDDDDD});  // Garbage in real files.
      append(section, field_names_[i]);
      append(section, field_values_[i]);
    }
    return section;
  }
  std::string field_set_section() const {
    std::string section;
    append(section, std::uint64_t{field_sets_.size()});
    if (minor_ >= 4) return section + run_of(field_sets_);
    for (const std::uint32_t index : field_sets_) append(section, index);
    return section;
  }
  std::string spec_section() const {
    std::string section;
    append(section, std::uint64_t{specs_.size()});
    std::vector<std::uint32_t> parts[3];
    for (const Spec& spec : specs_) {
      parts[0].push_back(spec.path);
      parts[1].push_back(spec.field_set);
      parts[2].push_back(spec.type);
      if (minor_ >= 4) continue;
      if (minor_ == 0) append(section, std::uint32_t{0xDDDDDDDD});
      append(section, spec);
    }
    if (minor_ < 4) return section;
    return section + run_of(parts[0]) + run_of(parts[1]) + run_of(parts[2]);
  }

  const std::vector<std::uint32_t>& children_of(std::uint32_t parent) const {
    return path_children_[parent];
  }
  std::string path_section(std::size_t start) const {
    std::string section;
    append(section, std::uint64_t{path_tokens_.size()});
    if (minor_ < 4) {
      plain_paths(0, false, start, section);
      return section;
    }
    std::vector<std::uint32_t> paths, elements, jumps;
    packed_paths(0, false, paths, elements, jumps);
    append(section, std::uint64_t{paths.size()});
    return section + run_of(paths) + run_of(elements) + run_of(jumps);
  }
  void plain_paths(std::uint32_t path, bool has_sibling, std::size_t start,
                   std::string& section) const {
    const std::vector<std::uint32_t>& children = children_of(path);
    if (minor_ == 0) append(section, std::uint32_t{0xDDDDDDDD});
    append(section, path);
    append(section, path_tokens_[path]);
    const unsigned bits =
        (children.empty() ? 0U : 1U) | (has_sibling ? 2U : 0U) | (marks_[path] ? 4U : 0U);
    append(section, std::uint32_t{bits});
    const std::size_t patch_at = section.size();
    const bool has_offset = has_sibling && !children.empty();
    if (has_offset) append(section, std::uint64_t{0});
    for (std::size_t i = 0; i < children.size(); ++i) {
      plain_paths(children[i], i + 1 < children.size(), start, section);
    }
    if (!has_offset) return;
    const std::uint64_t sibling = start + section.size();
    std::memcpy(section.data() + patch_at, &sibling, sizeof sibling);
  }
  void packed_paths(std::uint32_t path, bool has_sibling, std::vector<std::uint32_t>& paths,
                    std::vector<std::uint32_t>& elements, std::vector<std::uint32_t>& jumps) const {
    const std::vector<std::uint32_t>& children = children_of(path);
    const std::size_t self = paths.size();
    paths.push_back(path);
    elements.push_back(marks_[path] ? 0 - path_tokens_[path] : path_tokens_[path]);
    jumps.push_back(has_sibling ? 0U : children.empty() ? 0U - 2 : 0U - 1);
    for (std::size_t i = 0; i < children.size(); ++i) {
      packed_paths(children[i], i + 1 < children.size(), paths, elements, jumps);
    }
    if (has_sibling && !children.empty()) {
      jumps[self] = static_cast<std::uint32_t>(paths.size() - self);
    }
  }

  unsigned minor_;
  unsigned patch_;
  std::string bytes_;
  std::map<std::string, std::uint32_t> tokens_;
  std::vector<std::string> token_texts_;
  std::vector<std::uint32_t> strings_;
  std::vector<std::uint32_t> path_tokens_;
  std::vector<std::vector<std::uint32_t>> path_children_;
  std::vector<bool> marks_;
  std::vector<std::uint32_t> field_names_;
  std::vector<std::uint64_t> field_values_;
  std::vector<std::uint32_t> field_sets_;
  std::vector<Spec> specs_;
  std::map<Fields, std::size_t> shared_;
};

}  // namespace sinew::usdc::test
