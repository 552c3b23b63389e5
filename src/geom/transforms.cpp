// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/transforms.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/format_text.hpp"
#include "core/full_inverse.hpp"
#include "core/sort.hpp"
#include "geom/shared/transform_reader.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/stage.hpp"
#include "stage/shared/local_value.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;

constexpr std::string_view kReset = "!resetXformStack!";
constexpr std::string_view kInvert = "!invert!";
constexpr std::string_view kOpPrefix = "xformOp:";

// An entry of xformOpOrder taken apart.
struct Operation {
  std::string_view attribute;  // "xformOp:rotateX:hinge".
  std::string_view kind;       // "rotateX".
  bool inverted = false;
};

std::optional<Operation> take_apart(std::string_view entry) {
  Operation operation;
  operation.inverted = entry.starts_with(kInvert);
  if (operation.inverted) entry.remove_prefix(kInvert.size());
  if (!entry.starts_with(kOpPrefix)) return std::nullopt;
  operation.attribute = entry;
  entry.remove_prefix(kOpPrefix.size());
  operation.kind = entry.substr(0, entry.find(':'));
  return operation;
}

std::optional<double> scalar(const layer::Value& value) {
  if (const auto d = value.get<double>()) return *d;
  if (const auto f = value.get<float>()) return static_cast<double>(*f);
  if (const auto h = value.get<Half>()) return static_cast<double>(static_cast<float>(*h));
  return std::nullopt;
}

std::optional<Vector3d> vector(const layer::Value& value) {
  if (const auto d = value.get<Vector3d>()) return *d;
  if (const auto f = value.get<Vector3f>()) return Vector3d(f->cast<double>());
  if (const auto h = value.get<Vector3h>()) return Vector3d(h->cast<float>().cast<double>());
  return std::nullopt;
}

std::optional<Quatd> quaternion(const layer::Value& value) {
  if (const auto d = value.get<Quatd>()) return *d;
  if (const auto f = value.get<Quatf>()) {
    return Quatd(static_cast<double>(f->w()), static_cast<double>(f->x()),
                 static_cast<double>(f->y()), static_cast<double>(f->z()));
  }
  if (const auto h = value.get<Quath>()) {
    const auto wide = [](Half x) { return static_cast<double>(static_cast<float>(x)); };
    return Quatd(wide(h->w()), wide(h->x()), wide(h->y()), wide(h->z()));
  }
  return std::nullopt;
}

Matrix4d affine(const Eigen::Matrix3d& linear) {
  Matrix4d result = Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = linear;
  return result;
}

Matrix4d translation(const Vector3d& offset) {
  Matrix4d result = Matrix4d::Identity();
  result.topRightCorner<3, 1>() = offset;
  return result;
}

int axis_of(char letter) {
  return letter == 'X' ? 0 : letter == 'Y' ? 1 : letter == 'Z' ? 2 : -1;
}

Eigen::Matrix3d rotation(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, Vector3d::Unit(axis))
      .toRotationMatrix();
}

// An axis that is no longer has no direction: GF_MIN_VECTOR_LENGTH of OpenUSD.
constexpr double kShortestAxis = 1e-10;

// A quaternion stands for the rotation by twice the arc cosine of its real part about its imaginary
// part, so one that is not of unit length is not simply normalised.
Eigen::Matrix3d rotation(const Quatd& q) {
  const Vector3d imaginary(q.x(), q.y(), q.z());
  const double length = imaginary.norm();
  if (!(length > kShortestAxis)) return Eigen::Matrix3d::Identity();
  const double angle = 2.0 * std::acos(std::clamp(q.w(), -1.0, 1.0));
  return Eigen::AngleAxisd(angle, imaginary / length).toRotationMatrix();
}

// What an operation does, without its value.
enum class Form : std::uint8_t {
  unknown,
  translate,
  scale,
  orient,
  transform,
  translate_axis,
  scale_axis,
  rotate_axis,
  rotate_euler,
};

struct Kind {
  Form form = Form::unknown;
  int axis = 0;
  std::array<int, 3> order{};  // Of rotate_euler: the axes, the first one turned about first.
};

Kind kind_of(std::string_view kind) {
  if (kind == "translate") return {Form::translate, 0, {}};
  if (kind == "scale") return {Form::scale, 0, {}};
  if (kind == "orient") return {Form::orient, 0, {}};
  if (kind == "transform") return {Form::transform, 0, {}};
  const auto single_axis = [&](std::string_view name) {
    return kind.size() == name.size() + 1 && kind.starts_with(name) ? axis_of(kind.back()) : -1;
  };
  if (const int axis = single_axis("translate"); axis >= 0) return {Form::translate_axis, axis, {}};
  if (const int axis = single_axis("scale"); axis >= 0) return {Form::scale_axis, axis, {}};
  if (const int axis = single_axis("rotate"); axis >= 0) return {Form::rotate_axis, axis, {}};
  constexpr std::string_view kRotate = "rotate";
  if (!kind.starts_with(kRotate) || kind.size() != kRotate.size() + 3) return {};
  Kind euler{Form::rotate_euler, 0, {}};
  int seen = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = axis_of(kind[kRotate.size() + i]);
    if (axis < 0) return {};
    euler.order[i] = axis;
    seen |= 1 << axis;
  }
  return seen == 7 ? euler : Kind{};
}

// Column vectors: what turns first is on the right.
Eigen::Matrix3d rotation(const std::array<int, 3>& order, const Vector3d& degrees) {
  Eigen::Matrix3d result = Eigen::Matrix3d::Identity();
  for (const int axis : order) result = rotation(axis, degrees[axis]) * result;
  return result;
}

enum class Problem : std::uint8_t { none, unknown_kind, bad_value };

// The matrix of one operation.
Problem evaluate(const Kind& kind, const layer::Value& value, bool inverted, Matrix4d& result) {
  const auto fit = [&](const auto& found, const auto& make) {
    if (!found) return Problem::bad_value;
    result = make(*found);
    return Problem::none;
  };
  const double sign = inverted ? -1.0 : 1.0;
  const auto factor = [&](double s) { return inverted ? 1.0 / s : s; };
  const auto turn = [&](const Eigen::Matrix3d& r) {
    return affine(inverted ? Eigen::Matrix3d(r.transpose()) : r);
  };
  switch (kind.form) {
    case Form::translate:
      return fit(vector(value), [&](const Vector3d& v) { return translation(sign * v); });
    case Form::scale:
      return fit(vector(value), [&](const Vector3d& v) {
        const Vector3d scale(factor(v[0]), factor(v[1]), factor(v[2]));
        return affine(scale.asDiagonal().toDenseMatrix());
      });
    case Form::orient:
      return fit(quaternion(value), [&](const Quatd& q) { return turn(rotation(q)); });
    case Form::transform:
      return fit(value.get<Matrix4d>(),
                 [&](const Matrix4d& m) -> Matrix4d { return inverted ? full_inverse(m) : m; });
    case Form::translate_axis:
      return fit(scalar(value),
                 [&](double d) { return translation(sign * d * Vector3d::Unit(kind.axis)); });
    case Form::scale_axis:
      return fit(scalar(value), [&](double s) {
        Vector3d scale = Vector3d::Ones();
        scale[kind.axis] = factor(s);
        return affine(scale.asDiagonal().toDenseMatrix());
      });
    case Form::rotate_axis:
      return fit(scalar(value), [&](double d) { return affine(rotation(kind.axis, sign * d)); });
    case Form::rotate_euler:
      return fit(vector(value), [&](const Vector3d& v) { return turn(rotation(kind.order, v)); });
    case Form::unknown:
      break;
  }
  return Problem::unknown_kind;
}

void report(const Prim& prim, std::string_view code, std::string message,
            Diagnostics* diagnostics) {
  const Severity severity = code == "geom-xform-op-missing" ? Severity::warning : Severity::error;
  stage::Reporter(prim, diagnostics).add(severity, code, prim, std::move(message));
}

// An order that is no list of tokens.
void check_order_type(const Prim& prim, Diagnostics& diagnostics) {
  const stage::Attribute attribute = prim.attribute("xformOpOrder");
  if (!attribute || !prim.is_a(stage::SchemaType::xformable)) return;
  const layer::Value value = attribute.value();
  if (!value.has_value() || value.is_block()) return;
  report(prim, "geom-xform-op-type",
         format_text("The attribute xformOpOrder is of type {}, not token[]: no operation counts.",
                     stage::told_type(attribute, value)),
         &diagnostics);
}

bool cancels(std::string_view a, std::string_view b) {
  if (a.starts_with(kInvert)) std::swap(a, b);
  return b.starts_with(kInvert) && !a.starts_with(kInvert) && b.substr(kInvert.size()) == a;
}

// The entries that count: what follows the last reset.
std::span<const Token> after_reset(std::span<const Token> entries) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].view() == kReset) first = i + 1;
  }
  return entries.subspan(first);
}

stage::Attribute attribute_of(const Prim& prim, Token entry) {
  const std::optional<Operation> operation = take_apart(entry.view());
  return operation ? prim.attribute(operation->attribute) : stage::Attribute();
}

// Keeps the value that the order's tokens live in.
layer::Value order_value(const Prim& prim) {
  if (!prim.is_a(stage::SchemaType::xformable)) return {};
  const stage::Attribute attribute = prim.attribute("xformOpOrder");
  if (!attribute) return {};
  return attribute.value(stage::Time(), stage::ValueTypes::array_of<Token>());
}

// A listed operation that exists, with its value.
struct FoundOperation {
  Token entry;
  Operation operation;
  layer::Value held;
  const layer::Value* value = nullptr;  // `held`, or one of the layer's.
};

bool find_operation(const Prim& prim, Token entry, stage::Time time, FoundOperation& found,
                    Diagnostics* diagnostics) {
  const std::optional<Operation> operation = take_apart(entry.view());
  if (!operation) {
    report(prim, "geom-xform-op-unknown",
           format_text("The xformOpOrder lists \"{}\", which is not a transform operation.",
                       entry.view()),
           diagnostics);
    return false;
  }
  found.entry = entry;
  found.operation = *operation;
  found.held = {};
  // Most operations have a default of the right type, which is read in one look.
  found.value = time.is_default() && !operation->inverted
                    ? stage::default_value(prim, entry, found.held)
                    : nullptr;
  if (found.value != nullptr) return true;
  const stage::Attribute attribute = prim.attribute(operation->attribute);
  if (!attribute) {
    report(prim, "geom-xform-op-missing",
           format_text("The xformOpOrder lists {}, which does not exist.", operation->attribute),
           diagnostics);
    return false;
  }
  found.held = attribute.value(time);
  found.value = &found.held;
  return true;
}

// The matrix of an operation that has a value that fits.
bool evaluate_found(const Prim& prim, const FoundOperation& found, Matrix4d& matrix,
                    Diagnostics* diagnostics) {
  const layer::Value& value = *found.value;
  if (!value.has_value() || value.is_block()) return false;
  const std::string_view name = found.operation.attribute;
  switch (evaluate(kind_of(found.operation.kind), value, found.operation.inverted, matrix)) {
    case Problem::none:
      return true;
    case Problem::unknown_kind:
      report(prim, "geom-xform-op-unknown",
             format_text("The attribute {} is not a known transform operation.", name),
             diagnostics);
      break;
    case Problem::bad_value:
      report(prim, "geom-xform-op-type",
             format_text("The attribute {} is of type {}, which does not fit.", name,
                         stage::told_type(prim.attribute(name), value)),
             diagnostics);
      break;
  }
  return false;
}

struct Variation {
  bool varies = false;
  bool resets_stack = false;
};

Variation variation_of(const Prim& prim) {
  const layer::Value order = order_value(prim);
  const std::span<const Token> listed = order.as_array<Token>();
  const std::span<const Token> entries = after_reset(listed);
  const bool varies = std::any_of(entries.begin(), entries.end(), [&](Token entry) {
    const stage::Attribute attribute = attribute_of(prim, entry);
    return attribute && attribute.might_be_time_varying();
  });
  return {varies, entries.size() != listed.size()};
}

}  // namespace

LocalTransform local_transform(const Prim& prim, stage::Time time, Diagnostics* diagnostics) {
  LocalTransform result;
  const layer::Value order = order_value(prim);
  if (!order.has_value() && diagnostics != nullptr) check_order_type(prim, *diagnostics);
  const std::span<const Token> listed = order.as_array<Token>();
  const std::span<const Token> entries = after_reset(listed);
  result.resets_stack = entries.size() != listed.size();
  // An operation waits until the next one that exists is known not to undo it.
  std::array<FoundOperation, 2> found;
  std::size_t next = 0;
  bool waits = false;
  bool first = true;
  const auto apply = [&](const FoundOperation& one) {
    Matrix4d matrix = Matrix4d::Identity();
    if (!evaluate_found(prim, one, matrix, diagnostics)) return;
    result.parent_from_prim = first ? matrix : Matrix4d(result.parent_from_prim * matrix);
    first = false;
  };
  for (const Token entry : entries) {
    if (!find_operation(prim, entry, time, found[next], diagnostics)) continue;
    if (waits && cancels(found[1 - next].entry.view(), entry.view())) {
      waits = false;
      continue;
    }
    if (waits) apply(found[1 - next]);
    waits = true;
    next = 1 - next;
  }
  if (waits) apply(found[1 - next]);
  return result;
}

Matrix4d world_from_prim(const Prim& prim, stage::Time time, Diagnostics* diagnostics) {
  Matrix4d result = Matrix4d::Identity();
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    const LocalTransform local = local_transform(p, time, diagnostics);
    result = local.parent_from_prim * result;
    if (local.resets_stack) break;
  }
  return result;
}

Matrix4d world_from_parent(const Prim& prim, stage::Time time, Diagnostics* diagnostics) {
  const Prim parent = prim.parent();
  if (!parent || local_transform(prim, time).resets_stack) return Matrix4d::Identity();
  return world_from_prim(parent, time, diagnostics);
}

bool local_transform_might_vary(const Prim& prim) {
  return variation_of(prim).varies;
}

bool world_transform_might_vary(const Prim& prim) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    const Variation variation = variation_of(p);
    if (variation.varies) return true;
    if (variation.resets_stack) break;
  }
  return false;
}

std::vector<double> local_transform_samples(const Prim& prim) {
  std::vector<double> times;
  const layer::Value order = order_value(prim);
  for (const Token entry : after_reset(order.as_array<Token>())) {
    const stage::Attribute attribute = attribute_of(prim, entry);
    if (!attribute) continue;
    std::vector<double> own = attribute.time_samples();
    if (own.empty()) own = attribute.spline_sample_times();
    times.insert(times.end(), own.begin(), own.end());
  }
  sort_range(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

struct TransformReader::Known {
  Token entry;
  Kind kind;
};

TransformReader::TransformReader(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}
TransformReader::~TransformReader() = default;

const TransformReader::Known* TransformReader::know(Token entry) {
  for (const Known& known : known_) {
    if (known.entry == entry) return &known;
  }
  if (known_.size() >= kMostKnown) return nullptr;
  const std::optional<Operation> operation = take_apart(entry.view());
  const bool plain = operation && !operation->inverted;
  return &known_.emplace_back(Known{entry, plain ? kind_of(operation->kind) : Kind{}});
}

// What is not of the usual kind, and told once of each composed prim.
LocalTransform TransformReader::read_unusual(const Prim& prim) {
  Diagnostics found;
  LocalTransform result = local_transform(prim, {}, diagnostics_ != nullptr ? &found : nullptr);
  if (found.empty()) return result;
  if (told_.size() <= prim.node()) told_.resize(prim.node() + std::size_t{1});
  if (told_[prim.node()]) return result;
  told_[prim.node()] = true;
  for (Diagnostic& diagnostic : found) diagnostics_->push_back(std::move(diagnostic));
  return result;
}

LocalTransform TransformReader::read(const Prim& prim, const layer::Value& order) {
  LocalTransform result;
  bool first = true;
  if (order.as_array<Token>().empty()) return read_unusual(prim);
  for (const Token entry : order.as_array<Token>()) {
    const Known* known = know(entry);
    if (known == nullptr || known->kind.form == Form::unknown) return read_unusual(prim);
    layer::Value made;
    const layer::Value* value = stage::default_value(prim, entry, made);
    Matrix4d matrix = Matrix4d::Identity();
    if (value == nullptr || evaluate(known->kind, *value, false, matrix) != Problem::none) {
      return read_unusual(prim);
    }
    result.parent_from_prim = first ? matrix : Matrix4d(result.parent_from_prim * matrix);
    first = false;
  }
  return result;
}

}  // namespace sinew::geom
