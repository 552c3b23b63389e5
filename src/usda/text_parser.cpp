// SPDX-License-Identifier: Apache-2.0
// The layer as a whole: header, layer metadata, root prims, and the entry points.
#include "usda/text_parser.hpp"

#include <algorithm>
#include <memory>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "sinew/core/bytes.hpp"
#include "usda/number_list.hpp"
#include "usda/unclosed_bracket.hpp"

namespace sinew::usda {

namespace {

constexpr std::size_t kExcerptBytes = 60;

// The line around `at`, shortened, without control characters.
std::string excerpt_of(std::string_view text, std::size_t at) {
  std::size_t first = at;
  while (first > 0 && at - first < kExcerptBytes / 2 && text[first - 1] != '\n' &&
         text[first - 1] != '\r') {
    --first;
  }
  std::size_t last = at;
  while (last < text.size() && last - first < kExcerptBytes && text[last] != '\n' &&
         text[last] != '\r') {
    ++last;
  }
  std::string excerpt(text.substr(first, last - first));
  for (char& c : excerpt) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return excerpt;
}

SimdLevel usable(SimdLevel level) noexcept {
  return level == SimdLevel::best || !is_supported(level) ? best_simd_level() : level;
}

}  // namespace

TextParser::TextParser(std::string_view text, std::string identifier, Diagnostics& diagnostics,
                       const ParseOptions& options)
    : scan_(text, usable(options.level)),
      diagnostics_(diagnostics),
      options_(options),
      level_(usable(options.level)),
      assembly_(std::move(identifier), options.tokens, options.limits) {}

void TextParser::warn(const char* at, std::string_view id, std::string message, std::string hint) {
  const Scanner::LineColumn where = scan_.line_column(at);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::warning;
  diagnostic.code = id;
  diagnostic.message = std::move(message);
  diagnostic.file = assembly_.identifier();
  diagnostic.line = where.line;
  diagnostic.column = where.column;
  diagnostic.path = spec_path().str();
  diagnostic.excerpt = excerpt_of(scan_.text(), static_cast<std::size_t>(at - scan_.text_begin()));
  diagnostic.hint = std::move(hint);
  diagnostics_.push_back(std::move(diagnostic));
}

// Fails with the reason why the assembly refused a statement.
bool TextParser::refused(const char* at) {
  using Reason = LayerAssembly::Refusal::Reason;
  const LayerAssembly::Refusal& refusal = assembly_.refusal();
  switch (refusal.reason) {
    case Reason::duplicate_name:
      return scan_.fail(at, "usda-duplicate-prim", refusal.message);
    case Reason::other_kind:
      return scan_.fail(at, "usda-redefinition", refusal.message);
    case Reason::limit:
      break;
  }
  return scan_.fail_limit(at, refusal.message);
}

// Reports the scanner's error and turns it into the result.
Error TextParser::finish_error() {
  if (bracket_suspected_at_ != nullptr && scan_.error().hint.empty()) {
    if (const char* const open = find_unclosed_bracket(scan_.text(), bracket_suspected_at_)) {
      scan_.add_hint(
          format_text("the '{}' opened on line {} is not closed", *open, scan_.line(open)));
    }
  }
  const ScanError& scan = scan_.error();
  const Scanner::LineColumn where = scan_.line_column(scan.at);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::error;
  diagnostic.code = scan.id;
  diagnostic.message = scan.message;
  diagnostic.file = assembly_.identifier();
  diagnostic.line = where.line;
  diagnostic.column = where.column;
  diagnostic.excerpt =
      excerpt_of(scan_.text(), static_cast<std::size_t>(scan.at - scan_.text_begin()));
  diagnostic.hint = scan.hint;
  diagnostic.path = error_path_.str();
  Error result{scan.code, scan.message, where.line, where.column};
  diagnostics_.push_back(std::move(diagnostic));
  return result;
}

// "expected X, found Y" where a bracket may have been closed too late.
bool TextParser::expected_in_brackets(std::string_view what) {
  bracket_suspected_at_ = scan_.position();
  return scan_.expected(what);
}

// An item between brackets failed. If it did right away, it may be none, but what follows brackets
// that were not closed.
bool TextParser::suspect_bracket(const char* item_at) {
  const ScanError& scan = scan_.error();
  const bool at_once = scan.at == item_at || scan.at == scan_.text_end();
  if (bracket_suspected_at_ == nullptr && at_once && scan.id == "usda-syntax") {
    bracket_suspected_at_ = scan.at;
  }
  return false;
}

bool TextParser::header() {
  constexpr std::string_view kMagic = "#usda";
  const std::string_view text = scan_.text();
  const auto bad = [&](const char* at, std::string message) {
    return scan_.fail(at, "usda-bad-header", std::move(message),
                      "the first line must be '#usda 1.0'");
  };
  if (!text.starts_with(kMagic)) return bad(scan_.text_begin(), "This is not a .usda file.");
  std::size_t i = kMagic.size();
  if (i >= text.size() || text[i] != ' ') {
    return bad(scan_.text_begin(), "Expected a blank and a version after '#usda'.");
  }
  while (i < text.size() && text[i] == ' ') ++i;
  unsigned version[3] = {0, 0, 0};
  std::size_t parts = 0;
  const char* const version_at = scan_.text_begin() + i;
  for (;; ++i) {
    unsigned number = 0;
    const std::size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && number <= 255) {
      number = 10 * number + static_cast<unsigned>(text[i++] - '0');
    }
    if (i == first || number > 255 || parts == 3) return bad(version_at, "Malformed version.");
    version[parts++] = number;
    if (i >= text.size() || text[i] != '.') break;
  }
  const bool ends =
      i >= text.size() || text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
  if (parts < 2 || !ends) return bad(version_at, "Malformed version.");
  const bool known = version[0] == 1 && (version[1] < 3 || (version[1] == 3 && version[2] == 0));
  if (!known) {
    return bad(version_at, format_text("Version {}.{}.{} is not supported; 1.0 to 1.3 are.",
                                       version[0], version[1], version[2]));
  }
  assembly_.set_version(static_cast<int>(10 * version[0] + version[1]));
  // The rest of the line is ignored.
  const std::size_t end = text.find_first_of("\r\n", i);
  if (end == std::string_view::npos) {
    scan_.set_position(scan_.text_end());
    return true;
  }
  if (text[end] == '\r' && (end + 1 >= text.size() || text[end + 1] != '\n')) {
    return bad(scan_.text_begin() + end, "A lone carriage return cannot end the first line.");
  }
  scan_.set_position(scan_.text_begin() + end);
  return true;
}

bool TextParser::layer() {
  if (!header()) return false;
  // The rest of the first line may hold any bytes.
  const char* const from = std::max(scan_.position(), scan_.text_begin() + scan_.ascii_prefix());
  const std::size_t bad =
      find_invalid_utf8({from, static_cast<std::size_t>(scan_.text_end() - from)});
  if (bad != std::string_view::npos) {
    return scan_.fail(from + bad, "usda-invalid-utf8", "This byte is not valid UTF-8.");
  }
  if (!scan_.multi_pad()) return false;
  if (scan_.take('(') && !(layer_metadata() && scan_.multi_pad())) return false;
  while (!scan_.at_end()) {
    if (!root_item() || !scan_.multi_pad()) return false;
  }
  return true;
}

bool TextParser::layer_metadata() {
  return statements(')', "';', a line break or ')'", [this] { return layer_item(); });
}

bool TextParser::layer_item() {
  if (scan_.take_word("subLayers")) return equals_sign() && sub_layers();
  if (scan_.take_word("relocates")) {
    return equals_sign() && relocates_map(Path::root(), assembly_.relocates());
  }
  return metadata_item(SpecKind::layer);
}

bool TextParser::layer_offset_item(LayerOffset& offset, bool& known) {
  known = true;
  if (scan_.take_word("offset")) return equals_sign() && plain_number(offset.offset);
  if (scan_.take_word("scale")) return equals_sign() && plain_number(offset.scale);
  known = false;
  return true;
}

bool TextParser::sub_layers() {
  if (!scan_.require('[', "'['") || !scan_.multi_pad()) return false;
  if (scan_.take(']')) return true;  // What was stated before stays.
  assembly_.sub_layers().clear();
  return comma_list(']', "',' or ']'", [this] {
    SubLayer sub_layer;
    sub_layer.line = scan_.line(scan_.position());
    std::string_view text;
    if (!scan_.asset(text, scratch_) || !scan_.pad()) return false;
    sub_layer.asset = intern(text);
    if (scan_.take('(')) {
      const bool read = statements(')', "';', a line break or ')'", [&] {
        bool known = false;
        return layer_offset_item(sub_layer.offset, known) &&
               (known || scan_.expected("offset or scale"));
      });
      if (!read) return false;
    }
    assembly_.sub_layers().push_back(sub_layer);
    return true;
  });
}

bool TextParser::relocates_map(const Path& anchor, std::vector<Relocate>& relocates) {
  relocates.clear();
  if (!scan_.require('{', "'{'") || !scan_.multi_pad()) return false;
  if (scan_.take('}')) return true;
  // Empty if it climbs out of the layer, where no prim is.
  const auto prim_path = [&](bool is_target, Path& out) {
    const char* const at = scan_.position();
    std::string_view text;
    if (!scan_.path_text(text)) return false;
    if (text.empty() && is_target) return true;
    const Result<Path> path = Path::parse(text);
    if (!path || text == "." || !path->is_prim() || path->has_variant_selection()) {
      return scan_.fail(at, "usda-bad-path", "Relocates need the path of a prim.");
    }
    out = path->make_absolute(anchor).value_or(Path());
    if (!out.is_prim()) {
      out = Path();
      warn(at, "usda-path-above-root",
           is_target ? "The path leads above the prims of the layer: the source is removed."
                     : "The path leads above the prims of the layer; it is left out.");
    }
    return true;
  };
  return comma_list('}', "',' or '}'", [&] {
    Relocate relocate;
    if (!prim_path(false, relocate.source) || !scan_.pad() || !scan_.require(':', "':'") ||
        !scan_.pad() || !prim_path(true, relocate.target)) {
      return false;
    }
    if (!relocate.source.empty()) relocates.push_back(std::move(relocate));
    return true;
  });
}

bool TextParser::root_item() {
  Specifier specifier = Specifier::over;
  if (scan_.take_word("reorder")) {
    if (!scan_.gap("rootPrims")) return false;
    if (!scan_.take_word("rootPrims")) return scan_.expected("rootPrims");
    if (!child_order(assembly_.extra().child_order) || !scan_.line_pad()) return false;
    return scan_.at_end() || scan_.take_separator() || scan_.expected("';' or a line break");
  }
  if (!take_specifier(specifier)) return scan_.expected("def, over or class");
  if (!prim(specifier) || !scan_.line_pad()) return false;
  if (scan_.at_end() || scan_.take('\n')) return true;
  if (scan_.peek() == '\r' && scan_.peek(1) == '\n') return true;
  return scan_.expected("a line break after '}'");
}

Result<LayerPtr> TextParser::run() {
  if (layer()) return assembly_.finish();
  Error error = finish_error();
  if (options_.on_error == OnError::reject) return error;
  return assembly_.finish(false);
}

Result<Value> TextParser::run_value(const ValueType& type) {
  Value value;
  bool read = typed_value(type, value);
  if (read && !scan_.at_end()) read = scan_.expected("nothing more");
  if (read) return value;
  return finish_error();
}

std::optional<Value> TextParser::run_field(SpecKind kind, std::string_view key) {
  bool read = false;
  if (kind == SpecKind::layer) {
    read = layer_item();
  } else {
    read = kind == SpecKind::prim ? prim_item() : metadata_item(kind);
  }
  const Value* const value = assembly_.find_field(intern(key));
  if (!read || !scan_.at_end() || value == nullptr) return std::nullopt;
  return *value;
}

namespace {

Error report(Diagnostics& diagnostics, const std::string& file, std::string_view id, Error error) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::error;
  diagnostic.code = id;
  diagnostic.message = error.message;
  diagnostic.file = file;
  diagnostics.push_back(std::move(diagnostic));
  return error;
}

}  // namespace

Result<LayerPtr> parse(std::string_view text, std::string identifier, Diagnostics& diagnostics,
                       const ParseOptions& options) {
  const std::uint64_t limit = options.limits.file_bytes;
  if (text.size() > limit) {
    return report(
        diagnostics, identifier, "usda-limit",
        {ErrorCode::limit_exceeded,
         format_text("the text has {} bytes, more than the limit of {}", text.size(), limit)});
  }
  return TextParser(text, std::move(identifier), diagnostics, options).run();
}

Result<LayerPtr> parse_file(const std::string& file, Diagnostics& diagnostics,
                            const ParseOptions& options) {
  Result<Bytes> bytes = map_file(file, options.limits.file_bytes);
  if (!bytes) {
    const bool limit = bytes.error().code == ErrorCode::limit_exceeded;
    return report(diagnostics, file, limit ? "usda-limit" : "io-failed", std::move(bytes).error());
  }
  return parse(bytes->text(), file, diagnostics, options);
}

Result<Value> parse_value(std::string_view type_name, std::string_view text, TokenTable& tokens,
                          const ParseOptions& options) {
  const ValueType type = find_value_type(type_name);
  if (!type.known() || type.is_opaque) {
    return Error{ErrorCode::type_mismatch, format_text("'{}' is not a value type.", type_name)};
  }
  ParseOptions with_tokens = options;
  // The table is the caller's and outlives this call.
  with_tokens.tokens = std::shared_ptr<TokenTable>(&tokens, [](TokenTable*) {});
  Diagnostics diagnostics;
  return TextParser(text, {}, diagnostics, with_tokens).run_value(type);
}

}  // namespace sinew::usda
