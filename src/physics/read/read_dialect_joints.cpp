// SPDX-License-Identifier: Apache-2.0
// What dialects say of the freedoms of joints, of joints that follow others, and of actuators.

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/angles.hpp"
#include "core/format_text.hpp"
#include "physics/read/dialect_reader.hpp"
#include "physics/shared/actuator_words.hpp"
#include "physics/shared/indexed.hpp"
#include "physics/shared/one_axis.hpp"

namespace sinew::physics {

using stage::Prim;

namespace {

// What stands in place of the '*' of a row.
std::string_view instance_of(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return {};
  return name.substr(star, name.size() - (pattern.size() - 1));
}

// "angular" and "linear" are the only freedom of a joint.
std::optional<JointDof> dof_of(std::string_view instance) {
  if (instance.empty() || instance == "angular" || instance == "linear" ||
      instance == to_string(JointDof::distance)) {
    return JointDof::distance;
  }
  constexpr std::string_view kOfIsaac[] = {"Tr_X", "Tr_Y", "Tr_Z", "Rot_X", "Rot_Y", "Rot_Z"};
  for (std::size_t i = 0; i < std::size(kOfIsaac); ++i) {
    const auto dof =
        static_cast<JointDof>(static_cast<int>(JointDof::trans_x) + static_cast<int>(i));
    if (instance == to_string(dof) || instance == kOfIsaac[i]) return dof;
  }
  return std::nullopt;
}

bool is_rotation(const Joint& joint, JointDof dof) {
  if (dof != JointDof::distance) return dof >= JointDof::rot_x;
  return !std::holds_alternative<PrismaticJoint>(joint.kind);
}

}  // namespace

void DialectReader::read_dof(const Prim& prim, const Place& place, const DialectAttribute& row,
                             Token name) {
  if (place.joint == kNone) return;
  std::optional<JointDof> dof = dof_of(instance_of(row.name, name.view()));
  if (!dof) {
    return report(Severity::warning, "dialect-value", prim,
                  format_text("'{}' names no degree of freedom; it is ignored.", name.view()),
                  "Use angular, linear, transX to transZ or rotX to rotZ.");
  }
  const std::optional<double> read = value_of(prim, name);
  if (!read || (!std::isfinite(*read) && row.lands.field != "limit_stiffness")) return;
  double value = *read;
  const bool turns = is_rotation(model_.joint(place.joint), *dof);
  if (row.radians && turns) value /= kDegreesPerRadian;  // Per radian to per degree.
  // The only freedom of a joint, whichever axis Isaac names.
  if (row.dialect == Dialect::isaac && has_one_axis(model_.joint(place.joint))) {
    dof = JointDof::distance;
  }
  std::vector<DofExtras>& all = at(model_.joint_extras, place.joint).dofs;
  auto extras =
      std::find_if(all.begin(), all.end(), [&](const DofExtras& e) { return e.dof == *dof; });
  if (extras == all.end()) {
    all.emplace_back().dof = *dof;
    extras = all.end() - 1;
  }
  const std::string_view field = row.lands.field;
  if (field == "start") fill(extras->start, value);
  if (field == "start_velocity") fill(extras->start_velocity, value);
  if (field == "armature") fill(extras->armature, value);
  if (field == "damping") fill(extras->damping, value);
  if (field == "stiffness") fill(extras->stiffness, value);
  if (field == "spring_rest") fill(extras->spring_rest, value);
  if (field == "friction") fill(extras->friction, value);
  if (field == "velocity_limit") fill(extras->velocity_limit, value);
  if (field == "limit_stiffness") fill(extras->limit_stiffness, value);
  if (field == "limit_damping") fill(extras->limit_damping, value);
  if (field == "acceleration_limit") fill(extras->acceleration_limit, value);
  if (field == "jerk_limit") fill(extras->jerk_limit, value);
  if (field == "order" && value >= 0.0 && value < 1e9) fill(extras->order, value);
}

std::int32_t DialectReader::joint_named(const Prim& prim, Token name) const {
  const stage::Relationship relation = prim.relationship(name);
  if (!relation) return kNone;
  const std::vector<layer::Path> targets = relation.targets();
  return targets.empty() ? kNone : lookup_.joint(targets.front().view());
}

void DialectReader::read_mimic(const Prim& prim, const DialectAttribute& row, Token name,
                               Coupling& coupling) {
  Mimic& mimic = coupling.mimic;
  coupling.follows = true;
  const std::string_view field = row.lands.field;
  const bool physx = row.dialect == Dialect::physx;
  if (physx)
    mimic.follower_dof = dof_of(instance_of(row.name, name.view())).value_or(JointDof::distance);
  if (field == "leader" && mimic.leader == kNone) mimic.leader = joint_named(prim, name);
  if (field == "leader_dof") {
    const layer::Value dof = text_of(prim, name);
    if (dof.text()) mimic.leader_dof = dof_of(*dof.text()).value_or(JointDof::distance);
  }
  if (field != "ratio" && field != "offset" && field != "enabled") return;
  const std::optional<double> value = value_of(prim, name);
  if (!value || !std::isfinite(*value)) return;
  if (field == "enabled") coupling.is_enabled = *value != 0.0;
  if (field == "ratio") fill(coupling.ratio, physx ? -*value : *value);
  if (field == "offset") {
    double offset = physx ? -*value : *value;
    const bool turns =
        mimic.follower != kNone && is_rotation(model_.joint(mimic.follower), mimic.follower_dof);
    if (row.radians && turns) offset *= kDegreesPerRadian;
    fill(coupling.offset, offset);
  }
}

void DialectReader::add_mimic(const Prim& prim, Mimic mimic) {
  if (mimic.leader == kNone) {  // Of an equality of MuJoCo: its target.
    mimic.leader = joint_named(prim, stage_.find_token("mjc:target"));
  }
  if (mimic.leader == kNone) {
    return report(Severity::warning, "dialect-mimic", prim,
                  "The joint follows no joint of the stage; it moves on its own.");
  }
  // A revolute or prismatic joint has one freedom, whatever instance names it.
  const auto only = [&](std::int32_t joint, JointDof& dof) {
    if (!std::holds_alternative<D6Joint>(model_.joint(joint).kind)) dof = JointDof::distance;
  };
  only(mimic.follower, mimic.follower_dof);
  only(mimic.leader, mimic.leader_dof);
  if (is_rotation(model_.joint(mimic.follower), mimic.follower_dof) !=
      is_rotation(model_.joint(mimic.leader), mimic.leader_dof)) {
    return report(Severity::warning, "dialect-mimic", prim,
                  "A turn that follows a translation, or the other way round, is not read.");
  }
  model_.mimics.push_back(mimic);
}

void DialectReader::read_actuator(const Prim& prim, const DialectAttribute& row, Token name,
                                  Actuator& actuator) {
  const std::string_view field = row.lands.field;
  if (field == "joint") {
    actuator.joint = joint_named(prim, name);
    return;
  }
  // Words; see read_kind() and obey_limited().
  if (name.view().ends_with("Type") || name.view().ends_with("Limited")) return;
  const std::vector<double> values = numbers_of(prim, name);
  // An end of a range may be open.
  if (values.empty() || std::isnan(values[0])) return;
  if (std::isinf(values[0]) && !field.ends_with("_range")) return;
  const auto range = [&](std::optional<std::array<float, 2>>& both) {
    if (!both) both.emplace(std::array<float, 2>{0.0F, 0.0F});
    (*both)[name.view().ends_with("max") ? 1 : 0] = static_cast<float>(values[0]);
  };
  if (field == "gear") actuator.gear = static_cast<float>(values[0]);
  if (field == "time_constant") actuator.time_constant = static_cast<float>(values[0]);
  if (field == "acts_early") actuator.acts_early = values[0] != 0.0;
  if (field == "activation_range") range(actuator.activation_range);
  if (field == "length_range") range(actuator.length_range);
  if (field == "gain") {
    actuator.gain = static_cast<float>(values[0]);
    if (word_of(prim, "mjc:gainType", "fixed") != "affine") return;
    for (std::size_t i = 1; i < 3 && i < values.size(); ++i) {
      actuator.gain_slopes[i - 1] = static_cast<float>(values[i]);
    }
  }
  if (field == "control_range") range(actuator.control_range);
  if (field == "force_range") range(actuator.force_range);
  if (field == "bias") {
    if (word_of(prim, "mjc:biasType", "none") != "affine") return;
    for (std::size_t i = 0; i < 3 && i < values.size(); ++i) {
      actuator.bias[i] = static_cast<float>(values[i]);
    }
  }
}

std::string DialectReader::word_of(const Prim& prim, std::string_view name,
                                   std::string_view fallback) {
  const Token token = stage_.find_token(name);
  if (token.view() != name) return std::string(fallback);
  return std::string(text_of(prim, token).text().value_or(fallback));
}

bool DialectReader::read_kind(const Prim& prim, Actuator& actuator) {
  const auto refuse = [&](std::string_view attribute, std::string_view word) {
    report(
        Severity::warning, "dialect-actuator", prim,
        format_text("{} is \"{}\", which is not read: the actuator is left out.", attribute, word));
    return false;
  };
  const std::string gain = word_of(prim, "mjc:gainType", "fixed");
  const std::string bias = word_of(prim, "mjc:biasType", "none");
  const std::string dynamics = word_of(prim, "mjc:dynType", "none");
  actuator.dynamics = parse_actuator_dynamics(dynamics).value_or(ActuatorDynamics::none);
  switch (read_actuator_words(gain, bias, dynamics)) {
    case ActuatorWords::linear:
      return true;
    case ActuatorWords::own_law:
      actuator.law = ActuatorLaw{gain,     law_numbers_of(prim, "mjc:gainPrm"),
                                 bias,     law_numbers_of(prim, "mjc:biasPrm"),
                                 dynamics, law_numbers_of(prim, "mjc:dynPrm")};
      return true;
    case ActuatorWords::unknown_dynamics:
      return refuse("mjc:dynType", dynamics);
    case ActuatorWords::unknown_gain:
      return refuse("mjc:gainType", gain);
    case ActuatorWords::unknown_bias:
      return refuse("mjc:biasType", bias);
  }
  return false;
}

std::vector<double> DialectReader::law_numbers_of(const Prim& prim, std::string_view name) {
  const Token token = stage_.find_token(name);
  if (token.view() != name) return {};
  std::vector<double> numbers = numbers_of(prim, token);
  const auto finite = std::find_if_not(numbers.begin(), numbers.end(),
                                       [](double number) { return std::isfinite(number); });
  numbers.erase(finite, numbers.end());
  numbers.resize(std::min(numbers.size(), kMostLawNumbers));
  return numbers;
}

void DialectReader::obey_limited(const Prim& prim, Actuator& actuator) {
  if (word_of(prim, "mjc:ctrlLimited", "auto") == "false") actuator.control_range.reset();
  if (word_of(prim, "mjc:forceLimited", "auto") == "false") actuator.force_range.reset();
  const bool is_open = word_of(prim, "mjc:actLimited", "auto") == "false";
  if (is_open || !actuator.has_activation()) actuator.activation_range.reset();
}

}  // namespace sinew::physics
