// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/path.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "layer/shared/inner_paths.hpp"

namespace sinew::layer {

namespace {

constexpr int kMaxTargetDepth = 32;  // Targets inside targets: "/A.r[/B.s[/C.t]]".

// Reads the path grammar. Every function moves past what it reads, so that where it stops is the
// first character that does not fit.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  // The whole text is one path.
  bool read_all() { return read_path(0) && at_ == text_.size(); }
  std::size_t position() const { return at_; }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool identifier() {
    const std::size_t length = identifier_length(text_.substr(at_));
    at_ += length;
    return length != 0;
  }
  bool identifier_next() const { return identifier_length(text_.substr(at_)) != 0; }

  bool read_path(int depth) {
    if (depth > kMaxTargetDepth) return false;
    if (take('/')) {
      if (!identifier_next()) return true;
      return prim_elements() && (peek() != '.' || property_elements(depth));
    }
    if (peek() == '.' && peek(1) == '.') {
      at_ += 2;
      while (peek() == '/' && peek(1) == '.' && peek(2) == '.') at_ += 3;
      if (!take('/')) return true;
      if (peek() == '.') return property_elements(depth);
      return prim_elements() && (peek() != '.' || property_elements(depth));
    }
    if (peek() == '.') {
      if (at_ + 1 == text_.size()) {
        ++at_;
        return true;  // "." alone: this prim.
      }
      return property_elements(depth);
    }
    return prim_elements() && (peek() != '.' || property_elements(depth));
  }

  bool prim_elements() {
    if (!identifier()) return false;
    for (;;) {
      if (selection_next()) {
        if (!variant_selections()) return false;
        if (!identifier_next()) return true;  // A child follows without '/', or nothing does.
        identifier();
      } else if (peek() == '/') {
        ++at_;
        if (!identifier()) return false;
      } else {
        return true;
      }
    }
  }

  void blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  bool selection_next() const {
    const std::size_t next = text_.find_first_not_of(" \t", at_);
    return next != std::string_view::npos && text_[next] == '{';
  }

  bool variant_selections() {
    while (selection_next()) {
      blanks();
      take('{');
      blanks();
      if (!set_name()) return false;
      blanks();
      if (!take('=')) return false;
      blanks();
      variant_name();
      blanks();
      if (!take('}')) return false;
    }
    blanks();
    return true;
  }

  bool set_name() {
    if (!identifier()) return false;
    for (;;) {
      if (peek() == '-') {
        ++at_;
      } else if (!continue_characters("")) {
        return true;
      }
    }
  }

  void variant_name() {
    take('.');
    while (continue_characters("|-")) {
    }
  }

  // One run of XID_Continue, or one of `extra`.
  bool continue_characters(std::string_view extra) {
    if (at_end()) return false;
    if (extra.find(text_[at_]) != std::string_view::npos) {
      ++at_;
      return true;
    }
    const CodePoint point = decode_utf8(text_.substr(at_));
    if (point.size == 0 || !is_xid_continue(point.value)) return false;
    at_ += point.size;
    return true;
  }

  bool property_name() {
    if (!identifier()) return false;
    while (peek() == ':') {
      ++at_;
      if (!identifier()) return false;
    }
    return true;
  }

  bool target(int depth) { return take('[') && read_path(depth + 1) && take(']'); }

  bool property_elements(int depth) {
    if (!take('.') || !property_name()) return false;
    if (peek() == '[') {
      if (!target(depth)) return false;
      if (peek() != '.') return true;
      ++at_;
      if (!property_name()) return false;
      if (peek() == '[') return target(depth);
      return peek() != '.' || tail(depth);
    }
    return peek() != '.' || tail(depth);
  }

  bool tail(int depth) {
    if (!take('.')) return false;
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("expression")) {
      at_ += 10;
      return true;
    }
    if (rest.starts_with("mapper")) {
      at_ += 6;
      if (!target(depth)) return false;
      return !take('.') || identifier();
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Start of the last prim element of an absolute or relative prim path: a name or a selection.
std::size_t last_element_start(std::string_view prim) noexcept {
  if (prim.ends_with('}')) return prim.rfind('{');
  const std::size_t at = prim.find_last_of("/}");
  return at == std::string_view::npos ? 0 : at + 1;
}

// What stands before a property: "/A" of "/A.x", ".." of "../.x", "/" of "/.x", and "." if nothing
// does.
std::string_view before_property(std::string_view text, std::size_t property) noexcept {
  if (property == 0) return ".";
  if (property == 1) return text.substr(0, 1);
  return text.substr(0, text[property - 1] == '/' ? property - 1 : property);
}

// The other way: what the name of a property follows, with its dot.
std::string with_room_for_dot(std::string_view prim) {
  if (prim == ".") return {};
  std::string text(prim);
  if (text.ends_with("..")) text += '/';
  return text;
}

// Removes "{...}" selections of a prim path; a child after one gets its '/' back.
std::string without_selections(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    i = text.find('}', i);
    if (i == std::string_view::npos) break;
    const bool more = i + 1 < text.size();
    if (more && text[i + 1] != '{' && text[i + 1] != '.' && text[i + 1] != ']') out += '/';
  }
  return out;
}

}  // namespace

Result<Path> Path::parse(std::string_view text) {
  if (text.empty()) return Path();
  PathReader reader(text);
  if (reader.read_all()) {
    if (text.find_first_of(" \t") == std::string_view::npos) return Path(std::string(text));
    // Blanks are allowed in and around variant selections only, and mean nothing.
    std::string compact(text);
    std::erase_if(compact, [](char c) { return c == ' ' || c == '\t'; });
    return Path(std::move(compact));
  }
  const std::size_t at = reader.position();
  Error error{ErrorCode::syntax, ""};
  error.column = static_cast<std::uint32_t>(at + 1);
  error.message =
      at < text.size()
          ? format_text("'{}' is not a path: '{}' at position {} does not fit.", text, text[at], at)
          : format_text("'{}' is not a path: it ends too early.", text);
  return error;
}

Path Path::root() {
  return Path("/");
}

std::size_t Path::property_start() const noexcept {
  // A '.' that is neither part of ".." nor inside a selection starts the property. Most paths have
  // none at all.
  if (text_.find('.') == std::string::npos) return std::string::npos;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '{') {
      i = text_.find('}', i);
      if (i == std::string::npos) return i;
    } else if (text_[i] == '.') {
      if (i + 1 < text_.size() && text_[i + 1] == '.') {
        ++i;
      } else if (text_.size() > 1) {
        return i;
      }
    }
  }
  return std::string::npos;
}

bool Path::is_prim() const noexcept {
  return !text_.empty() && !is_root() && !is_property();
}

std::string_view Path::name() const noexcept {
  const std::size_t property = property_start();
  const std::string_view text = text_;
  if (property != std::string::npos) {
    if (text.ends_with(']')) return text.substr(property + 1);
    const std::size_t dot = text.rfind('.');
    return text.substr(dot + 1);
  }
  if (is_root()) return {};
  return text.substr(last_element_start(text));
}

Path Path::parent() const {
  if (text_.empty() || is_root()) return {};
  if (const std::size_t property = property_start(); property != std::string::npos) {
    const std::string_view text = text_;
    if (text.ends_with(']')) {
      int depth = 0;
      for (std::size_t i = text.size(); i-- > 0;) {
        if (text[i] == ']') ++depth;
        if (text[i] == '[' && --depth == 0) return Path(std::string(text.substr(0, i)));
      }
    }
    const std::size_t close = text.rfind(']');
    const std::size_t dot = text.rfind('.');
    if (close != std::string_view::npos && dot == close + 1) {
      return Path(std::string(text.substr(0, dot)));
    }
    return Path(std::string(before_property(text, property)));
  }
  const std::size_t start = last_element_start(text_);
  if (start == 0) return {};
  if (text_[start] == '{' || text_[start - 1] == '}') return Path(text_.substr(0, start));
  return start == 1 ? root() : Path(text_.substr(0, start - 1));
}

Path Path::prim_path() const {
  const std::size_t property = property_start();
  if (property == std::string::npos) return *this;
  return Path(std::string(before_property(text_, property)));
}

Path Path::child(std::string_view name) const {
  std::string text;
  text.reserve(text_.size() + 1 + name.size());
  text += text_;
  if (!text.ends_with('/') && !text.ends_with('}') && !text.empty()) text += '/';
  text += name;
  return Path(std::move(text));
}

Path Path::property(std::string_view name) const {
  std::string text = with_room_for_dot(text_);
  text += '.';
  text += name;
  return Path(std::move(text));
}

bool Path::has_prefix(const Path& prefix) const noexcept {
  if (prefix.empty() || text_.empty()) return false;
  if (prefix.is_root()) return is_absolute();
  const std::size_t n = prefix.text_.size();
  // Paths differ in their ends rather than in their beginnings.
  if (text_.size() < n || text_[n - 1] != prefix.text_[n - 1]) return false;
  if (text_.compare(0, n, prefix.text_) != 0) return false;
  if (text_.size() == n || prefix.text_.back() == '}') return true;
  const char next = text_[n];
  return next == '/' || next == '.' || next == '{' || next == '[';
}

Path Path::replace_prefix(const Path& from, const Path& to) const {
  if (!has_prefix(from)) return *this;
  if (text_.size() == from.text_.size()) return to;
  std::string_view rest = std::string_view(text_).substr(from.text_.size());
  // A property of a prim above is written "../.x".
  if (rest.starts_with("/.") && !rest.starts_with("/..")) rest.remove_prefix(1);
  if (rest.front() == '.') return Path(with_room_for_dot(to.text_) + std::string(rest));
  if (rest.front() == '{' || rest.front() == '[') return Path(to.text_ + std::string(rest));
  // The separator before the rest depends on both prefixes: none after '/' and '}'.
  if (rest.front() == '/') rest.remove_prefix(1);
  return to.child(rest);
}

Result<Path> Path::make_absolute(const Path& anchor) const {
  const auto above_root = [&] {
    return Error{ErrorCode::syntax,
                 format_text("'{}' climbs above the root from '{}'.", text_, anchor.text_)};
  };
  std::string_view rest = text_;
  Path base;
  if (is_absolute()) {
    if (rest.find('[') == std::string_view::npos) return *this;
  } else {
    base = anchor.strip_variants();
    while (rest.starts_with("..")) {
      if (base.is_root() || base.empty()) return above_root();
      base = base.parent();
      rest.remove_prefix(2);
      if (rest.starts_with('/')) rest.remove_prefix(1);
    }
    if (rest == ".") rest = {};
  }
  std::string text = base.text_;
  if (!rest.empty()) {
    if (rest.front() != '.' && !base.empty() && !base.is_root()) text += '/';
    text += rest;
  }
  // Targets are paths of their own, relative to the same prim.
  Result<Path> result = Path();
  const Path whole = map_inner_paths(Path(std::move(text)), [&](const Path& inner) {
    result = inner.make_absolute(anchor);
    return result.value_or(Path());
  });
  if (result) result = whole;
  return result;
}

Path Path::strip_variants() const {
  return has_variant_selection() ? Path(without_selections(text_)) : *this;
}

std::strong_ordering operator<=>(const Path& a, const Path& b) noexcept {
  if (a.is_absolute() != b.is_absolute() && !a.empty() && !b.empty()) {
    return a.is_absolute() ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  // Separators sort before every character of a name, so that elements compare as wholes.
  const auto rank = [](char c) -> int {
    switch (c) {
      case '/':
        return 1;
      case '{':
        return 2;
      case '}':
      case ']':
        return 0;
      case '.':
        return 3;
      case '[':
        return 4;
      default:
        return static_cast<unsigned char>(c) + 8;
    }
  };
  const std::size_t n = std::min(a.text_.size(), b.text_.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (a.text_[i] != b.text_[i]) return rank(a.text_[i]) <=> rank(b.text_[i]);
  }
  return a.text_.size() <=> b.text_.size();
}

bool is_identifier(std::string_view text) noexcept {
  return !text.empty() && identifier_length(text) == text.size();
}

bool is_property_name(std::string_view text) noexcept {
  for (;;) {
    const std::size_t length = identifier_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
    if (text.empty()) return true;
    if (text.front() != ':') return false;
    text.remove_prefix(1);
  }
}

}  // namespace sinew::layer
