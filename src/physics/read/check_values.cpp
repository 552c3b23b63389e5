// SPDX-License-Identifier: Apache-2.0
// The validation rules for mass, and those that look at one value.

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"
#include "physics/read/checker.hpp"

namespace sinew::physics {

using stage::Prim;

namespace {

// The numbers of a scalar value, widened; `count` is 0 for what is not made of floats.
struct Numbers {
  double values[4] = {};
  int count = 0;
};

Numbers numbers_of(const layer::Value& value) {
  Numbers result;
  const auto add = [&](double number) { result.values[result.count++] = number; };
  if (const auto f = value.get<float>()) {
    add(static_cast<double>(*f));
  } else if (const auto d = value.get<double>()) {
    add(*d);
  } else if (const auto v = value.get<Vector3f>()) {
    for (int i = 0; i < 3; ++i) add(static_cast<double>((*v)[i]));
  } else if (const auto w = value.get<Vector3d>()) {
    for (int i = 0; i < 3; ++i) add((*w)[i]);
  } else if (const auto q = value.get<Quatf>()) {
    for (int i = 0; i < 4; ++i) add(static_cast<double>(q->coeffs()[i]));
  } else if (const auto r = value.get<Quatd>()) {
    for (int i = 0; i < 4; ++i) add(r->coeffs()[i]);
  }
  return result;
}

template <typename Predicate>
bool any_number(const layer::Value& value, Predicate predicate) {
  const Numbers numbers = numbers_of(value);
  return std::any_of(numbers.values, numbers.values + numbers.count, predicate);
}

}  // namespace

void Checker::check_finite(const Prim& prim, const Name& name) {
  layer::Value made;
  const layer::Value* found = value(prim, name, made);
  if (found == nullptr || !any_number(*found, [](double x) { return !std::isfinite(x); })) return;
  report(Severity::error, "physics-non-finite-value", prim.attribute(name.token),
         format_text("'{}' is not finite.", name.view()),
         "Write a finite number, or remove the value.");
}

void Checker::check_not_nan(const Prim& prim, const Name& name) {
  layer::Value made;
  const layer::Value* found = value(prim, name, made);
  if (found == nullptr || !any_number(*found, [](double x) { return std::isnan(x); })) return;
  report(Severity::error, "physics-non-finite-value", prim.attribute(name.token),
         format_text("'{}' is not a number.", name.view()), "Write a number, or remove the value.");
}

void Checker::check_not_negative(const Prim& prim, const Name& name, std::string_view code,
                                 Severity severity) {
  const std::optional<float> number = value<float>(prim, name);
  if (!number || !(*number < 0.0F)) return;
  report(severity, code, prim.attribute(name.token),
         format_text("'{}' is {}, less than 0.", name.view(), *number),
         "Write 0 or more, or remove the value.");
}

void Checker::check_token(const Prim& prim, const Name& name,
                          std::initializer_list<std::string_view> allowed) {
  layer::Value made;
  const layer::Value* found = value(prim, name, made, stage::ValueTypes::scalar_of<Token>());
  const std::optional<std::string_view> text = found != nullptr ? found->text() : std::nullopt;
  if (!text || std::find(allowed.begin(), allowed.end(), *text) != allowed.end()) return;
  report(Severity::warning, "physics-unknown-token", prim.attribute(name.token),
         format_text("'{}' is \"{}\"; the schema allows {}.", name.view(), *text,
                     joined(allowed, ", ")));
}

void Checker::check_mass(const Prim& prim) {
  check_not_negative(prim, names_.mass, "physics-mass-invalid-values", Severity::error);
  check_not_negative(prim, names_.density, "physics-density-invalid-values", Severity::error);
  check_finite(prim, names_.mass);
  check_finite(prim, names_.density);
  check_not_nan(prim, names_.center_of_mass);
  check_finite(prim, names_.diagonal_inertia);
  check_finite(prim, names_.principal_axes);
  check_inertia(prim);
}

// Diagonal and axes belong together: either both mean something, or both are left to be computed.
void Checker::check_inertia(const Prim& prim) {
  constexpr std::string_view kId = "physics-inertia-invalid-values";
  if (!properties_.may_have(prim, names_.diagonal_inertia) &&
      !properties_.may_have(prim, names_.principal_axes)) {
    return;
  }
  const stage::Attribute diagonal = prim.attribute(names_.diagonal_inertia.token);
  const stage::Attribute axes = prim.attribute(names_.principal_axes.token);
  const bool has_diagonal = diagonal && diagonal.has_authored_value();
  const bool has_axes = axes && axes.has_authored_value();
  if (has_diagonal != has_axes) {
    report(Severity::error, kId, has_diagonal ? diagonal : axes,
           has_diagonal ? "'physics:diagonalInertia' is given without 'physics:principalAxes'."
                        : "'physics:principalAxes' is given without 'physics:diagonalInertia'.",
           has_diagonal ? "Add physics:principalAxes; (1, 0, 0, 0) for the prim's own axes."
                        : "Add physics:diagonalInertia, or remove the axes.");
    return;
  }
  if (!has_diagonal) return;
  const Vector3f i =
      value<Vector3f>(prim, names_.diagonal_inertia).value_or(Vector3f(0.0F, 0.0F, 0.0F));
  const Quatf q = value<Quatf>(prim, names_.principal_axes).value_or(Quatf(0.0F, 0.0F, 0.0F, 0.0F));
  const bool real_diagonal = !(i.x() == 0.0F && i.y() == 0.0F && i.z() == 0.0F);
  const bool real_axes = !(q.w() == 0.0F && q.vec().isZero(0.0F));
  if (real_diagonal != real_axes) {
    report(Severity::error, kId, real_diagonal ? axes : diagonal,
           real_diagonal
               ? "'physics:principalAxes' is zero while 'physics:diagonalInertia' is given."
               : "'physics:diagonalInertia' is zero while 'physics:principalAxes' is given.",
           "Give both, or leave both out.");
    return;
  }
  if (!real_diagonal) return;
  if (!(std::fabs(q.norm() - 1.0F) <= 1e-5F)) {
    report(Severity::error, kId, axes,
           format_text("'physics:principalAxes' has a length of {}, so it is not a rotation.",
                       q.norm()),
           "Normalise the quaternion.");
  }
  if (!(i.x() > 0.0F && i.y() > 0.0F && i.z() > 0.0F)) {
    report(Severity::error, kId, diagonal,
           format_text("'physics:diagonalInertia' is ({}, {}, {}); every entry must be above 0.",
                       i.x(), i.y(), i.z()));
    return;
  }
  const float largest = i.maxCoeff();
  const float others = i.sum() - largest;
  if (largest > others * 1.001F) {
    report(Severity::warning, "physics-inertia-triangle", diagonal,
           format_text("No solid has the moments ({}, {}, {}): the largest is above the sum of the "
                       "others.",
                       i.x(), i.y(), i.z()));
  }
}

}  // namespace sinew::physics
