// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/types.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/stage/time.hpp"
#include "sinew/stage/value_types.hpp"

namespace sinew::skel {

/// Collects what is worth telling about a stage, each thing once per composed prim, so that ten
/// thousand instances of one character complain once.
class Reporter {
 public:
  enum class Repeats { once_per_prim };
  Reporter(const stage::Stage& stage, Diagnostics* diagnostics, Repeats)
      : rules_(stage.rules()), diagnostics_(diagnostics) {}
  Reporter(const stage::Stage& stage, Diagnostics& diagnostics, Repeats r)
      : Reporter(stage, &diagnostics, r) {}

  Rules rules() const noexcept { return rules_; }
  bool documented() const noexcept { return rules_ == Rules::documented; }

  void add(Severity severity, std::string_view code, const stage::Prim& prim, std::string message,
           std::string hint = {});
  void add(Severity severity, std::string_view code, const stage::Property& property,
           std::string message, std::string hint = {});

 private:
  void push(Severity severity, std::string_view code, const stage::Prim& prim,
            const stage::Property* property, std::string message, std::string hint);

  Rules rules_;
  Diagnostics* diagnostics_;
  std::set<std::tuple<std::uint32_t, std::string, std::string>> seen_;
};

/// The value of the strongest opinion of the wanted types; no value if there is none. A stronger
/// opinion of another type is passed over with a warning that names `schema_type`.
layer::Value read_value(const stage::Attribute& attribute, stage::Time time,
                        stage::ValueTypes wanted, std::string_view schema_type, Reporter& reporter);

/// The array at `time` as elements of type T. An array of another numeric precision is converted
/// with a warning, unless the rules say that it cannot be used; what cannot be used is passed over
/// for a weaker opinion. Nothing if there is no value.
template <typename T>
std::optional<stage::ArrayValue<T>> read_array(const stage::Attribute& attribute, stage::Time time,
                                               Reporter& reporter);

extern template std::optional<stage::ArrayValue<Vector3f>> read_array(const stage::Attribute&,
                                                                      stage::Time, Reporter&);
extern template std::optional<stage::ArrayValue<Vector3h>> read_array(const stage::Attribute&,
                                                                      stage::Time, Reporter&);
extern template std::optional<stage::ArrayValue<Quatf>> read_array(const stage::Attribute&,
                                                                   stage::Time, Reporter&);
extern template std::optional<stage::ArrayValue<Matrix4d>> read_array(const stage::Attribute&,
                                                                      stage::Time, Reporter&);
extern template std::optional<stage::ArrayValue<float>> read_array(const stage::Attribute&,
                                                                   stage::Time, Reporter&);
extern template std::optional<stage::ArrayValue<std::int32_t>> read_array(const stage::Attribute&,
                                                                          stage::Time, Reporter&);

/// The texts of a token array; string arrays are read too, with a warning, unless the rules say
/// that they cannot be used. What cannot be used is passed over for a weaker opinion. Nothing if
/// there is no value.
std::optional<std::vector<std::string>> read_tokens(const stage::Attribute& attribute,
                                                    Reporter& reporter);

}  // namespace sinew::skel
