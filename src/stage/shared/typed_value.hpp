// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/rules.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/time.hpp"
#include "sinew/stage/value_types.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::stage {

// How the attributes of schemas are read, whose types are known. A value of the schema's type
// counts. Under Rules::documented numbers of another precision count too, converted; under
// Rules::openusd they do not. What does not count is passed over for a weaker opinion.

/// Scalars that count as a T: bool, float, double, Vector3f or Quatf. Whole numbers count as
/// numbers of any kind, and four floats as a quaternion, its real part first.
template <typename T>
ValueTypes scalars_read_as(Rules rules) noexcept;

/// A scalar as a T; nothing if it does not count as one.
template <typename T>
std::optional<T> scalar_as(const layer::Value& value, Rules rules);

/// Arrays that count as one of T: float, Vector3f, Vector3h, Quatf, Matrix4d or int32. Whole
/// numbers do not count as others, nor others as whole numbers.
template <typename T>
ValueTypes arrays_read_as(Rules rules) noexcept;

/// An array as one of T, shared where nothing has to be converted; nothing if it does not count as
/// one. A whole number that does not fit becomes -1, which no index can be.
template <typename T>
std::optional<ArrayValue<T>> array_as(layer::Value value, Rules rules);

/// Tokens, and under Rules::documented strings.
ValueTypes tokens_read(Rules rules) noexcept;
ValueTypes token_arrays_read(Rules rules) noexcept;

/// What type a value has, for messages: as its attribute is declared, or what it is stored as where
/// that is something else. Lives as long as the stage.
std::string_view told_type(const Attribute& attribute, const layer::Value& value) noexcept;

/// Reads attributes of schemas, and warns of values of other types: that they are converted, or
/// that they are passed over.
class TypedReader {
 public:
  /// What holds instead of a strongest opinion of another type.
  enum class Instead : std::uint8_t { weaker, nothing };

  /// @param code  What the warnings are called; must outlive the reader.
  TypedReader(Reporter& reporter, std::string_view code, Instead instead = Instead::weaker)
      : reporter_(&reporter), code_(code), instead_(instead) {}

  Reporter& reporter() const noexcept { return *reporter_; }

  /// The value of the strongest opinion of the wanted types; none if there is none.
  /// @param schema_type  What is said to be wanted, e.g. "token".
  layer::Value value(const Attribute& attribute, Time time, ValueTypes wanted,
                     std::string_view schema_type) const;

  template <typename T>
  std::optional<T> scalar(const Attribute& attribute, Time time) const;
  template <typename T>
  std::optional<ArrayValue<T>> array(const Attribute& attribute, Time time) const;
  std::optional<std::string> token(const Attribute& attribute, Time time = {}) const;
  std::optional<std::vector<std::string>> tokens(const Attribute& attribute, Time time = {}) const;

 private:
  layer::Value strongest(const Attribute& attribute, Time time, ValueTypes exact, ValueTypes wanted,
                         std::string_view schema_type) const;

  Reporter* reporter_;
  std::string_view code_;
  Instead instead_;
};

}  // namespace sinew::stage
