// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "paths.hpp"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace sinew::tool {

namespace {

constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kMagenta = "\033[1;35m";
constexpr std::string_view kReset = "\033[0m";
constexpr std::string_view kClearLine = "\r\033[K";

std::string coloured(const Diagnostic& diagnostic) {
  std::string line = format(diagnostic);
  const std::string word = std::string(to_string(diagnostic.severity)) + ": ";
  const std::size_t at = line.find(word);
  if (at == std::string::npos) return line;
  const std::string_view colour = diagnostic.severity == Severity::error ? kRed : kMagenta;
  return line.substr(0, at) + std::string(colour) + word + std::string(kReset) +
         line.substr(at + word.size());
}

bool errors_go_to_a_terminal() {
#if defined(_WIN32)
  return false;  // Its terminals show colours only when asked in a way of their own.
#else
  return ::isatty(STDERR_FILENO) == 1;
#endif
}

// By the convention of no-color.org.
bool wants_colours() {
  const char* const no = std::getenv("NO_COLOR");
  return no == nullptr || *no == '\0';
}

Json non_finite(double value) {
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

bool holds_objects(const Json& value) {
  if (value.is_object()) return true;
  if (!value.is_array()) return false;
  for (const Json& element : value) {
    if (element.is_object()) return true;
    if (element.is_array() && holds_objects(element)) return true;
    if (!element.is_array()) break;  // Lists of plain values are never mixed with objects.
  }
  return false;
}

void append_text(std::string& out, const Json& value, std::size_t indent) {
  if (!holds_objects(value) || value.empty()) {
    out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  const std::string line = "\n" + std::string(indent + 2, ' ');
  const bool object = value.is_object();
  out += object ? '{' : '[';
  bool first = true;
  for (const auto& [key, element] : value.items()) {
    if (!first) out += ',';
    first = false;
    out += line;
    if (object) out += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    append_text(out, element, indent + 2);
  }
  out += '\n';
  out.append(indent, ' ');
  out += object ? '}' : ']';
}

}  // namespace

Reporter::Reporter(bool quiet)
    : quiet_(quiet), terminal_(errors_go_to_a_terminal()), colours_(terminal_ && wants_colours()) {}

void Reporter::count(std::span<const Diagnostic> diagnostics) {
  errors_ += sinew::count(diagnostics, Severity::error);
}

void Reporter::report(std::span<const Diagnostic> diagnostics, const std::string& file) {
  // What is worth knowing of one prim is said of each like it.
  constexpr std::size_t kInfosOfAKind = 20;
  count(diagnostics);
  std::map<std::string_view, std::size_t> infos;
  const auto print = [this](const Diagnostic& told) {
    std::cerr << (colours_ ? coloured(told) : format(told)) << '\n';
  };
  for (const Diagnostic& diagnostic : diagnostics) {
    if (quiet_ && diagnostic.severity != Severity::error) continue;
    if (diagnostic.severity == Severity::info && ++infos[diagnostic.code] > kInfosOfAKind) continue;
    clear_progress();
    print(about(file, diagnostic));
  }
  for (const auto& [code, told] : infos) {
    if (told <= kInfosOfAKind) continue;
    Diagnostic rest;
    rest.severity = Severity::info;
    rest.code = code;
    rest.message = "the same of " + std::to_string(told - kInfosOfAKind) + " more.";
    rest.file = file;
    print(rest);
  }
}

ExitStatus Reporter::usage_error(std::string_view message) const {
  clear_progress();
  std::cerr << "sinew: " << message << '\n';
  return ExitStatus::usage;
}

ExitStatus Reporter::failed(const std::string& file, const Error& error,
                            std::span<const Diagnostic> diagnostics) const {
  if (error.code == ErrorCode::io_failed || error.code == ErrorCode::not_found ||
      error.code == ErrorCode::invalid_argument) {
    return usage_error(error.message);
  }
  if (sinew::count(diagnostics, Severity::error) == 0) {
    clear_progress();
    std::cerr << format(to_diagnostic(file, error)) << '\n';
  }
  return ExitStatus::file_error;
}

ExitStatus Reporter::open_failed(const std::string& file, const Error& error,
                                 std::span<const Diagnostic> diagnostics) {
  // The error says the same as the diagnostics of a file that is not there.
  if (error.code == ErrorCode::io_failed || error.code == ErrorCode::not_found) {
    return usage_error(error.message);
  }
  report(diagnostics, file);
  return failed(file, error, diagnostics);
}

void Reporter::progress(std::string_view label, std::size_t done, std::size_t total) const {
  if (!terminal_ || quiet_) return;
  std::cerr << '\r' << label << ' ' << done << '/' << total;
  shows_progress_ = done != total;
  if (!shows_progress_) std::cerr << '\n';
  std::cerr.flush();
}

void Reporter::clear_progress() const {
  if (shows_progress_) std::cerr << kClearLine << std::flush;
  shows_progress_ = false;
}

Diagnostic about(const std::string& file, Diagnostic diagnostic) {
  if (diagnostic.file.empty()) diagnostic.file = file;
  // Layers know where they are; whoever gave a shorter name knows the file by that.
  const std::string whole = absolute_name(file);
  const std::string_view told = diagnostic.file;
  const bool is_within = told.size() > whole.size() && told[whole.size()] == '[';
  if (told.starts_with(whole) && (told.size() == whole.size() || is_within)) {
    diagnostic.file.replace(0, whole.size(), file);
  }
  return diagnostic;
}

bool has_error(std::span<const Diagnostic> diagnostics, std::string_view prefix) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.code.starts_with(prefix);
  });
}

void add_new(Diagnostics&& more, Diagnostics& diagnostics) {
  std::set<std::string> known;
  for (const Diagnostic& diagnostic : diagnostics) known.insert(format(diagnostic));
  for (Diagnostic& diagnostic : more) {
    if (known.insert(format(diagnostic)).second) diagnostics.push_back(std::move(diagnostic));
  }
}

Diagnostic to_diagnostic(const std::string& file, const Error& error) {
  return {.severity = Severity::error,
          .code = std::string(to_string(error.code)),
          .message = error.message,
          .file = file,
          .line = error.line,
          .column = error.column,
          .path = {},
          .excerpt = {},
          .hint = {}};
}

Json to_json(double value) {
  if (!std::isfinite(value)) return non_finite(value);
  return value;
}

Json to_json(float value) {
  if (!std::isfinite(value)) return non_finite(static_cast<double>(value));
  // The double nearest to the shortest text of the float prints as that text.
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  double result = 0.0;
  fast_float::from_chars(text, end.ptr, result);
  return result;
}

Json to_json(Half value) {
  return to_json(static_cast<float>(value));
}

std::string to_text(const Json& document) {
  std::string text;
  append_text(text, document, 0);
  text += '\n';
  return text;
}

void print_json(const Json& document) {
  const std::string text = to_text(document);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_json(const Json& document, std::string_view key,
                const std::function<bool(Json& item)>& next) {
  const std::string text = to_text(document);
  const std::string empty = "\n  \"" + std::string(key) + "\": []";
  const std::size_t at = text.find(empty) + empty.size() - 1;  // Between the brackets.
  std::fwrite(text.data(), 1, at, stdout);
  Json item;
  std::string line;
  bool is_first = true;
  for (; next(item); is_first = false) {
    line = is_first ? "\n    " : ",\n    ";
    append_text(line, item, 4);
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
  if (!is_first) std::fputs("\n  ", stdout);
  std::fwrite(text.data() + at, 1, text.size() - at, stdout);
  std::fflush(stdout);
}

void add_member(Json& object, std::string key, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(std::move(key), std::move(value));
}

}  // namespace sinew::tool
