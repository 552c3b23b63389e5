// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/time.hpp"
#include "sinew/stage/value_types.hpp"
#include "stage/shared/reporter.hpp"

namespace sinew::skel {

using stage::Reporter;

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
