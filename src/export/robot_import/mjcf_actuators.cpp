// SPDX-License-Identifier: Apache-2.0
// MJCF: actuators, and the drives that some of them are.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/robot_import/mjcf_reader.hpp"

namespace sinew::exporter::robot_import {

namespace {

// Adds a spring to one that pulls with `gain` to `target`: together they pull to a place between.
void add_pull(double& target, double& gain, double more_target, double more_gain) {
  if (more_gain == 0.0) return;
  target =
      gain == 0.0 ? more_target : (gain * target + more_gain * more_target) / (gain + more_gain);
  gain += more_gain;
}

}  // namespace

void MjcfReader::read_actuators(const XmlElement& root) {
  for (const XmlElement* section : root.children) {
    if (section->name != "actuator") continue;
    for (const XmlElement* element : section->children) {
      const View view{element, class_of(*element, &classes_.front())};
      ActuatorNumbers numbers = view.defaults->actuator;
      read_numbers(*element, numbers);
      const std::size_t before = robot_.actuators.size();
      read_actuator(view, numbers);
      const bool is_read = robot_.actuators.size() > before;
      actuator_order_.push_back(is_read ? static_cast<std::int32_t>(before) : kNothing);
      const bool has_activation =
          is_read ? robot_.actuators.back().has_activation()
                  : numbers.dynamics_type != "none" || element->name == "cylinder";
      if (has_activation) activated_.push_back(actuator_order_.back());
    }
  }
  controls_.assign(robot_.actuators.size(), 0.0);
}

void MjcfReader::read_actuator(const View& view, const ActuatorNumbers& numbers) {
  const XmlElement& element = *view.element;
  RobotActuator actuator;
  actuator.name = view.text("name");
  const auto refuse = [&](std::string_view what) {
    in_.faults->error("robot-actuator", in_.where(element),
                      format_text("The actuator '{}' {}; it is left out.", actuator.name, what));
  };
  if (element.name != "general" && !is_one_of(element.name, kActuatorShortcuts)) {
    return in_.faults->error(
        "robot-actuator", in_.where(element),
        format_text("There is nothing for a <{}>; it is left out.", element.name));
  }
  if (const std::string_view wrong = read_law(numbers, actuator); !wrong.empty()) {
    return refuse(wrong);
  }
  actuator.acts_early = flag(view, "actearly", false);
  if (view.find("joint") == nullptr) return refuse("drives no joint");
  actuator.joint = joint_named(view, "joint");
  if (actuator.joint == kNothing) return;
  if (at(robot_.joints, actuator.joint).kind == JointKind::ball)
    return refuse("drives a ball joint");
  if (const auto gear = several(view, "gear", 1, 6)) {
    actuator.gear = (*gear)[0];
    if (std::any_of(gear->begin() + 1, gear->end(), [](double g) { return g != 0.0; })) {
      return refuse("has a gear of more than one number");
    }
  }
  actuator.control_range = actuator_range(view, "ctrllimited", "ctrlrange");
  actuator.force_range = actuator_range(view, "forcelimited", "forcerange");
  if (actuator.has_activation()) {
    actuator.activation_range = actuator_range(view, "actlimited", "actrange");
  }
  if (const auto lengths = several(view, "lengthrange", 2, 2);
      lengths && (*lengths)[0] < (*lengths)[1]) {
    actuator.length_range = {(*lengths)[0], (*lengths)[1]};
  }
  if (!in_.budget->spend(sizeof(RobotActuator))) return;
  robot_.actuators.push_back(std::move(actuator));
}

void MjcfReader::read_numbers(const XmlElement& element, ActuatorNumbers& numbers) const {
  const View view{&element, nullptr};
  const std::string_view type = element.name;
  const auto read = [&](std::string_view name, auto& list) {
    const auto given = several(view, name, 1, list.size());
    if (given) std::copy(given->begin(), given->end(), list.begin());
  };
  const auto imply = [&](std::string_view gain, std::string_view bias, std::string_view dynamics) {
    numbers.gain_type = gain;
    numbers.bias_type = bias;
    numbers.dynamics_type = dynamics;
  };
  if (type == "general") {
    imply(view.text("gaintype", numbers.gain_type), view.text("biastype", numbers.bias_type),
          view.text("dyntype", numbers.dynamics_type));
    read("gainprm", numbers.gain);
    read("biasprm", numbers.bias);
    read("dynprm", numbers.time);
  } else if (type == "motor") {  // Its force is its control.
    numbers.gain[0] = 1.0;
    imply("fixed", "none", "none");
  } else if (type == "position" || type == "intvelocity") {
    numbers.gain[0] = number(view, "kp").value_or(numbers.gain[0]);
    // Of the bias what it does not say stays, as in MuJoCo 3; older ones clear it.
    numbers.bias[1] = -numbers.gain[0];
    if (const auto damping = number(view, "kv")) numbers.bias[2] = 0.0 - *damping;
    // That of a speed is a servo whose target moves as fast as the control.
    imply("fixed", "affine", type == "position" ? "none" : "integrator");
  } else if (type == "velocity") {
    numbers.gain[0] = number(view, "kv").value_or(numbers.gain[0]);
    numbers.bias = {0.0, 0.0, -numbers.gain[0]};
    imply("fixed", "affine", "none");
  } else if (type == "damper") {
    numbers.gain = {0.0, 0.0, 0.0 - number(view, "kv").value_or(0.0)};
    imply("affine", "none", "none");
  } else if (type == "muscle") {
    read_muscle(view, numbers);
    imply("muscle", "muscle", "muscle");
  }
}

// The numbers have names, and values of their own where the engine's are those of any actuator.
void MjcfReader::read_muscle(const View& view, ActuatorNumbers& numbers) const {
  constexpr std::pair<const char*, double> kNamed[] = {
      {nullptr, 0.75}, {nullptr, 1.05}, {"force", -1.0}, {"scale", 200.0}, {"lmin", 0.5},
      {"lmax", 1.6},   {"vmax", 1.5},   {"fpmax", 1.3},  {"fvmax", 1.2}};
  const auto say = [](double& number, double of_any, double own) {
    if (number == of_any) number = own;
  };
  const auto range = several(view, "range", 2, 2);
  for (std::size_t i = 0; i < std::size(kNamed); ++i) {
    const auto& [name, own] = kNamed[i];
    say(numbers.gain[i], i == 0 ? 1.0 : 0.0, own);
    if (range && i < 2) numbers.gain[i] = (*range)[i];
    if (name != nullptr) numbers.gain[i] = number(view, name).value_or(numbers.gain[i]);
  }
  numbers.bias = numbers.gain;
  say(numbers.time[0], 1.0, 0.01);
  say(numbers.time[1], 0.0, 0.04);
  if (const auto times = several(view, "timeconst", 2, 2)) {
    std::copy(times->begin(), times->end(), numbers.time.begin());
  }
  numbers.time[2] = number(view, "tausmooth").value_or(numbers.time[2]);
}

std::string_view MjcfReader::read_law(const ActuatorNumbers& numbers, RobotActuator& actuator) {
  const physics::ActuatorWords words =
      physics::read_actuator_words(numbers.gain_type, numbers.bias_type, numbers.dynamics_type);
  if (words == physics::ActuatorWords::unknown_dynamics) {
    return "has an activation of its own kind";
  }
  if (words == physics::ActuatorWords::unknown_gain) return "has a gain that is not affine";
  if (words == physics::ActuatorWords::unknown_bias) return "has a bias that is not affine";
  if (words == physics::ActuatorWords::own_law) {
    // Without what is not said: the engine's own numbers, and the zeros at their ends.
    constexpr ActuatorNumbers kOwn;
    const auto list = [](const auto& all, const auto& own) {
      if (all == own) return std::vector<double>();
      std::vector<double> values(all.begin(), all.end());
      while (values.size() > 1 && values.back() == 0.0) values.pop_back();
      return values;
    };
    actuator.law = physics::ActuatorLaw{numbers.gain_type,     list(numbers.gain, kOwn.gain),
                                        numbers.bias_type,     list(numbers.bias, kOwn.bias),
                                        numbers.dynamics_type, list(numbers.time, kOwn.time)};
    return {};
  }
  actuator.dynamics = *physics::parse_actuator_dynamics(numbers.dynamics_type);
  actuator.time_constant = numbers.time[0];
  actuator.gain = numbers.gain[0];
  if (numbers.gain_type == "affine") actuator.gain_slopes = {numbers.gain[1], numbers.gain[2]};
  if (numbers.bias_type == "affine") {
    std::copy_n(numbers.bias.begin(), actuator.bias.size(), actuator.bias.begin());
  }
  return {};
}

std::optional<std::array<double, 2>> MjcfReader::actuator_range(const View& view,
                                                                const char* limited,
                                                                const char* name) const {
  const auto values = several(view, name, 2, 2);
  if (!values || !is_limited(view, limited, *values)) return std::nullopt;
  if (!((*values)[0] < (*values)[1])) {
    in_.faults->error("robot-value", in_.where(*view.find(name)),
                      format_text("'{}' of an actuator is {} to {}; it is passed over.", name,
                                  rounded_text((*values)[0]), rounded_text((*values)[1])));
    return std::nullopt;
  }
  return std::array<double, 2>{(*values)[0], (*values)[1]};
}

// A servo is also a drive, and nothing else if the drive says all of it. With a gear g the force on
// the joint is g (gain c + b0 + b1 g q + b2 g v): a spring of -g^2 b1 that pulls to c / g.
void MjcfReader::make_drives() {
  std::vector<int> uses(robot_.joints.size(), 0);
  std::vector<double> limits(robot_.joints.size(), 0.0);  // Of all servos of each joint together.
  for (const RobotActuator& actuator : robot_.actuators) ++at(uses, actuator.joint);
  std::vector<RobotActuator> kept;
  for (std::size_t i = 0; i < robot_.actuators.size(); ++i) {
    RobotActuator& actuator = robot_.actuators[i];
    RobotJoint& joint = at(robot_.joints, actuator.joint);
    const double square = actuator.gear * actuator.gear;
    const auto& [constant, of_position, of_speed] = actuator.bias;
    const bool is_direct = !actuator.law && !actuator.has_activation() &&
                           actuator.gain_slopes == std::array<double, 2>{0.0, 0.0};
    const bool is_servo = is_direct && actuator.gain > 0.0 && constant == 0.0 && of_speed <= 0.0 &&
                          actuator.gear != 0.0;
    const bool to_position = is_servo && of_position == -actuator.gain;
    const bool to_speed = is_servo && of_position == 0.0 && of_speed == -actuator.gain;
    const bool is_even =
        !actuator.force_range || (*actuator.force_range)[0] == -(*actuator.force_range)[1];
    if ((to_position || to_speed) && is_even) {
      RobotDrive& drive = joint.drive ? *joint.drive : joint.drive.emplace();
      const double control = controls_[i] / actuator.gear;
      if (to_position) add_pull(drive.target, drive.stiffness, control, actuator.gain * square);
      add_pull(drive.speed, drive.damping, to_speed ? control : 0.0, -of_speed * square);
      double& limit = at(limits, actuator.joint);
      limit +=
          actuator.force_range ? (*actuator.force_range)[1] * std::abs(actuator.gear) : kInfinity;
      drive.force_limit.reset();
      if (std::isfinite(limit)) drive.force_limit = limit;
      const bool says_all =
          actuator.gear == 1.0 && !actuator.control_range && at(uses, actuator.joint) == 1;
      if (says_all) continue;
    }
    joint.has_actuator = true;
    actuator.control = controls_[i];
    kept.push_back(std::move(actuator));
  }
  robot_.actuators = std::move(kept);
}

}  // namespace sinew::exporter::robot_import
