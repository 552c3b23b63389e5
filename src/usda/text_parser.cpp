// SPDX-License-Identifier: Apache-2.0
// The layer as a whole: header, layer metadata, root prims, and the entry points.
#include "usda/text_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "layer/unicode.hpp"
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

}  // namespace

namespace {

SimdLevel usable(SimdLevel level) noexcept {
  return level == SimdLevel::best || !is_supported(level) ? best_simd_level() : level;
}

}  // namespace

TextParser::TextParser(std::string_view text, std::string identifier, Diagnostics& diagnostics,
                       const ParseOptions& options)
    : Scanner(text, usable(options.level)),
      diagnostics_(diagnostics),
      options_(options),
      level_(usable(options.level)),
      layer_(std::make_unique<LayerAccess::Impl>()),
      tokens_(options.tokens != nullptr ? *options.tokens
                                        : *(layer_->tokens = std::make_shared<TokenTable>())) {
  layer_->identifier = std::move(identifier);
  if (options.tokens != nullptr) layer_->tokens = options.tokens;
}

TextParser::~TextParser() = default;

void TextParser::warn(const char* at, std::string_view id, std::string message, std::string hint) {
  const LineColumn where = line_column(at);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::warning;
  diagnostic.code = id;
  diagnostic.message = std::move(message);
  diagnostic.file = layer_->identifier;
  diagnostic.line = where.line;
  diagnostic.column = where.column;
  if (!frames_.empty()) diagnostic.path = Layer::path_of(*frames_.back().prim).str();
  diagnostic.hint = std::move(hint);
  diagnostics_.push_back(std::move(diagnostic));
}

// Reports the scanner's error and turns it into the result.
Error TextParser::finish_error() {
  const std::string_view text(text_begin(), static_cast<std::size_t>(text_end() - text_begin()));
  if (bracket_suspected_at_ != nullptr && error().hint.empty()) {
    if (const char* const open = find_unclosed_bracket(text, bracket_suspected_at_)) {
      add_hint(fmt::format("the '{}' opened on line {} is not closed", *open, line(open)));
    }
  }
  const ScanError& scan = error();
  const LineColumn where = line_column(scan.at);
  Diagnostic diagnostic;
  diagnostic.severity = Severity::error;
  diagnostic.code = scan.id;
  diagnostic.message = scan.message;
  diagnostic.file = layer_->identifier;
  diagnostic.line = where.line;
  diagnostic.column = where.column;
  diagnostic.excerpt = excerpt_of(text, static_cast<std::size_t>(scan.at - text_begin()));
  diagnostic.hint = scan.hint;
  diagnostic.path = error_path_.str();
  Error result{scan.code, scan.message, where.line, where.column};
  diagnostics_.push_back(std::move(diagnostic));
  return result;
}

// "expected X, found Y" where a bracket may have been closed too late.
bool TextParser::expected_in_brackets(std::string_view what) {
  bracket_suspected_at_ = position();
  return expected(what);
}

// An item between brackets failed. If it did right away, it may be none, but what follows brackets
// that were not closed.
bool TextParser::suspect_bracket(const char* item_at) {
  const ScanError& scan = error();
  const bool at_once = scan.at == item_at || scan.at == text_end();
  if (bracket_suspected_at_ == nullptr && at_once && scan.id == "usda-syntax") {
    bracket_suspected_at_ = scan.at;
  }
  return false;
}

bool TextParser::header() {
  constexpr std::string_view kMagic = "#usda";
  const std::string_view text(text_begin(), static_cast<std::size_t>(text_end() - text_begin()));
  const auto bad = [&](const char* at, std::string message) {
    return fail(at, "usda-bad-header", std::move(message), "the first line must be '#usda 1.0'");
  };
  if (!text.starts_with(kMagic)) return bad(text_begin(), "this is not a .usda file");
  std::size_t i = kMagic.size();
  if (i >= text.size() || text[i] != ' ') {
    return bad(text_begin(), "expected a blank and a version after '#usda'");
  }
  while (i < text.size() && text[i] == ' ') ++i;
  unsigned version[3] = {0, 0, 0};
  std::size_t parts = 0;
  const char* const version_at = text_begin() + i;
  for (;; ++i) {
    unsigned number = 0;
    const std::size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && number <= 255) {
      number = 10 * number + static_cast<unsigned>(text[i++] - '0');
    }
    if (i == first || number > 255 || parts == 3) return bad(version_at, "malformed version");
    version[parts++] = number;
    if (i >= text.size() || text[i] != '.') break;
  }
  const bool ends =
      i >= text.size() || text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
  if (parts < 2 || !ends) return bad(version_at, "malformed version");
  const bool known = version[0] == 1 && (version[1] < 3 || (version[1] == 3 && version[2] == 0));
  if (!known) {
    return bad(version_at, fmt::format("version {}.{}.{} is not supported; 1.0 to 1.3 are",
                                       version[0], version[1], version[2]));
  }
  layer_->version = static_cast<int>(10 * version[0] + version[1]);
  // Whatever else stands on the line is ignored.
  const std::size_t end = text.find_first_of("\r\n", i);
  if (end == std::string_view::npos) {
    set_position(text_end());
    return true;
  }
  if (text[end] == '\r' && (end + 1 >= text.size() || text[end + 1] != '\n')) {
    return bad(text_begin() + end, "a lone carriage return cannot end the first line");
  }
  set_position(text_begin() + end);
  return true;
}

bool TextParser::layer() {
  const std::string_view text(text_begin(), static_cast<std::size_t>(text_end() - text_begin()));
  push_frame(layer_->root);
  const std::size_t ascii = ascii_prefix();
  const std::size_t bad = find_invalid_utf8(text.substr(ascii));
  if (bad != std::string_view::npos) {
    return fail(text_begin() + ascii + bad, "usda-invalid-utf8", "this byte is not valid UTF-8");
  }
  if (!header() || !multi_pad()) return false;
  if (take('(') && !(layer_metadata() && multi_pad())) return false;
  while (!at_end()) {
    if (!root_item() || !multi_pad()) return false;
  }
  return true;
}

bool TextParser::layer_metadata() {
  return statements(')', "';', a line break or ')'", [this] { return layer_item(); });
}

bool TextParser::layer_item() {
  if (take_word("subLayers")) return equals_sign() && sub_layers();
  if (take_word("relocates")) {
    return equals_sign() && relocates_map(Path::root(), layer_->relocates);
  }
  return metadata_item(fields_, 0, SpecKind::layer);
}

bool TextParser::layer_offset_item(LayerOffset& offset, bool& known) {
  known = true;
  if (take_word("offset")) return equals_sign() && plain_number(offset.offset);
  if (take_word("scale")) return equals_sign() && plain_number(offset.scale);
  known = false;
  return true;
}

bool TextParser::sub_layers() {
  layer_->sub_layers.clear();
  if (!require('[', "'['") || !multi_pad()) return false;
  if (take(']')) return true;
  return comma_list(']', "',' or ']'", [this] {
    SubLayer sub_layer;
    sub_layer.line = line(position());
    std::string_view text;
    if (!asset(text, scratch_) || !pad()) return false;
    sub_layer.asset = intern(text);
    if (take('(')) {
      const bool read = statements(')', "';', a line break or ')'", [&] {
        bool known = false;
        return layer_offset_item(sub_layer.offset, known) && (known || expected("offset or scale"));
      });
      if (!read) return false;
    }
    layer_->sub_layers.push_back(std::move(sub_layer));
    return true;
  });
}

bool TextParser::relocates_map(const Path& anchor, std::vector<Relocate>& relocates) {
  relocates.clear();
  if (!require('{', "'{'") || !multi_pad()) return false;
  if (take('}')) return true;
  const auto prim_path = [&](bool may_be_empty, Path& out) {
    const char* const at = position();
    std::string_view text;
    if (!path_text(text)) return false;
    if (text.empty() && may_be_empty) return true;
    Result<Path> path = Path::parse(text);
    if (path && text != "." && !text.empty()) path = path->make_absolute(anchor);
    if (!path || text == "." || !path->is_prim() || path->has_variant_selection()) {
      return fail(at, "usda-bad-path", "relocates need the path of a prim");
    }
    out = *std::move(path);
    return true;
  };
  return comma_list('}', "',' or '}'", [&] {
    Relocate relocate;
    if (!prim_path(false, relocate.source) || !pad() || !require(':', "':'") || !pad() ||
        !prim_path(true, relocate.target)) {
      return false;
    }
    relocates.push_back(std::move(relocate));
    return true;
  });
}

bool TextParser::root_item() {
  Specifier specifier = Specifier::over;
  if (take_word("reorder")) {
    if (!gap("rootPrims")) return false;
    if (!take_word("rootPrims")) return expected("rootPrims");
    if (!child_order(layer_->extra(*layer_->root).child_order) || !line_pad()) return false;
    return at_end() || take_separator() || expected("';' or a line break");
  }
  if (!take_specifier(specifier)) return expected("def, over or class");
  if (!prim(specifier) || !line_pad()) return false;
  if (at_end() || take('\n')) return true;
  if (peek() == '\r' && peek(1) == '\n') return true;
  return expected("a line break after '}'");
}

Result<LayerPtr> TextParser::run() {
  const bool read = layer();
  // Whatever is still open at an error is closed, so that what was read is kept.
  while (!frames_.empty()) {
    if (!read && frames_.size() == 1) break;
    pop_frame();
  }
  if (read) return LayerAccess::make(std::move(layer_));
  Error error = finish_error();
  if (options_.on_error == OnError::reject) return error;
  while (!frames_.empty()) pop_frame();
  layer_->complete = false;
  return LayerAccess::make(std::move(layer_));
}

Result<Value> TextParser::run_value(const ValueType& type) {
  push_frame(layer_->root);
  Value value;
  bool read = typed_value(type, value);
  if (read && !at_end()) read = expected("nothing more");
  if (read) return value;
  return finish_error();
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
         fmt::format("the text has {} bytes, more than the limit of {}", text.size(), limit)});
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
    return Error{ErrorCode::type_mismatch, fmt::format("'{}' is not a value type.", type_name)};
  }
  ParseOptions with_tokens = options;
  // The table is the caller's and outlives this call.
  with_tokens.tokens = std::shared_ptr<TokenTable>(&tokens, [](TokenTable*) {});
  Diagnostics diagnostics;
  return TextParser(text, {}, diagnostics, with_tokens).run_value(type);
}

}  // namespace sinew::usda
