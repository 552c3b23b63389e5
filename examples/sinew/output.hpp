// SPDX-License-Identifier: Apache-2.0
// What the subcommands share for printing: diagnostics to standard error, JSON to standard output.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/value.hpp"

namespace sinew::tool {

enum class ExitStatus : int {
  success = 0,
  file_error = 1,  ///< The file has errors.
  usage = 2,       ///< An unknown option, a missing file, an output that cannot be written.
};

/// Prints diagnostics as compilers do, and counts them. Colour and progress appear only when
/// standard error is a terminal.
class Reporter {
 public:
  explicit Reporter(bool quiet);

  /// Prints each diagnostic on a line of its own (warnings not if quiet), hints below. Of infos
  /// with one code the first 20, and how many more there are. Those that name no file are about
  /// `file`: the input, or the output if that is what they are about.
  void report(std::span<const Diagnostic> diagnostics, const std::string& file);

  /// Counts without printing.
  void count(std::span<const Diagnostic> diagnostics);

  /// Prints "sinew: MESSAGE" and returns ExitStatus::usage.
  ExitStatus usage_error(std::string_view message) const;

  /// Says why nothing came of a file, unless one of its diagnostics, which have been reported, is
  /// an error. A file that cannot be read or written is a usage error, one with bad contents a file
  /// error.
  ExitStatus failed(const std::string& file, const Error& error,
                    std::span<const Diagnostic> diagnostics) const;

  /// Reports that a stage could not be opened.
  ExitStatus open_failed(const std::string& file, const Error& error,
                         std::span<const Diagnostic> diagnostics);

  /// Shows "LABEL done/total" on one line of a terminal; nothing elsewhere. What is reported takes
  /// the place of the line.
  void progress(std::string_view label, std::size_t done, std::size_t total) const;

  /// Makes room on the terminal for a result.
  void clear_progress() const;

  std::size_t error_count() const { return errors_; }

 private:
  bool quiet_;
  bool terminal_;
  bool colours_;  ///< Of messages, on the terminal.
  mutable bool shows_progress_ = false;
  std::size_t errors_ = 0;
};

/// The diagnostic, about `file` if it names none, which it calls by the name that was given.
Diagnostic about(const std::string& file, Diagnostic diagnostic);

/// Whether there is an error whose code begins so: one of a part of the library.
bool has_error(std::span<const Diagnostic> diagnostics, std::string_view prefix);

/// Adds what is not among `diagnostics` yet: files that are read again are told of again.
void add_new(Diagnostics&& more, Diagnostics& diagnostics);

/// Why nothing came of a file, as a diagnostic.
Diagnostic to_diagnostic(const std::string& file, const Error& error);

/// Keeps keys in the order they were added.
using Json = nlohmann::ordered_json;

/// A number that reads back to the same value; "inf", "-inf", "nan" for those JSON lacks.
Json to_json(double value);
Json to_json(float value);  ///< The shortest text that reads back to the same float.
Json to_json(Half value);

/// A list of the elements.
template <typename Scalar, int Rows, int Options>
Json to_json(const Eigen::Matrix<Scalar, Rows, 1, Options>& vector) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < Rows; ++i) {
    if constexpr (std::is_integral_v<Scalar>) {
      list.push_back(vector[i]);
    } else {
      list.push_back(to_json(vector[i]));
    }
  }
  return list;
}

/// [w, x, y, z].
template <typename Scalar, int Options>
Json to_json(const Eigen::Quaternion<Scalar, Options>& q) {
  return Json::array({to_json(q.w()), to_json(q.x()), to_json(q.y()), to_json(q.z())});
}

/// The numbers of a square matrix in the order in which usda writes them.
template <typename Scalar, int Size, int Options>
Json to_json(const Eigen::Matrix<Scalar, Size, Size, Options>& matrix) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < matrix.size(); ++i) list.push_back(to_json(matrix.data()[i]));
  return list;
}

/// A list of anything that to_json() takes.
template <typename T>
Json list_to_json(std::span<const T> values) {
  Json list = Json::array();
  list.get_ref<Json::array_t&>().reserve(values.size());
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

/// Any value of a layer or stage: arrays are lists, dictionaries objects, a block is null.
Json to_json(const layer::Value& value);

/// The document, objects one key per line, lists of numbers on one line, with a line break at the
/// end. The same document gives the same bytes.
std::string to_text(const Json& document);

/// to_text() to standard output.
void print_json(const Json& document);

/// The same with `next()`, which tells whether it made one more object, called for each item of the
/// empty list `key` of the document: the text of a long list is never in memory as a whole.
void print_json(const Json& document, std::string_view key,
                const std::function<bool(Json& item)>& next);

/// Adds a member that an object does not have yet, without looking for it.
void add_member(Json& object, std::string key, Json value);

}  // namespace sinew::tool
