// SPDX-License-Identifier: Apache-2.0
// What is done with the attributes of vendors that the table in dialects.cpp lists.
#include "sinew/physics/read/read_dialects.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "core/angles.hpp"
#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "core/sort.hpp"
#include "physics/read/dialect_reader.hpp"
#include "physics/shared/indexed.hpp"
#include "sinew/physics/link_joint.hpp"

namespace sinew::physics {

using stage::Prim;

void DialectReader::run() {
  model_.joint_extras.assign(model_.joints.size(), {});
  model_.body_extras.assign(model_.rigid_bodies.size(), {});
  model_.shape_extras.assign(model_.shapes.size(), {});
  model_.material_extras.assign(model_.materials.size(), {});
  model_.scene_extras.assign(model_.scenes.size(), {});
  model_.articulation_extras.assign(model_.articulations.size(), {});
  for (std::size_t i = 0; i < model_.articulations.size(); ++i) {
    articulations_.emplace(model_.articulations[i].path.str(), static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < model_.sites.size(); ++i) {
    sites_.emplace(model_.sites[i].path.str(), static_cast<std::int32_t>(i));
  }
  for (const Prim prim : stage_.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (!prim.is_root()) read(prim);
  }
  finish();
}

void DialectReader::read(const Prim& prim) {
  FoundAttributes found;
  for (const Token name : prim.property_names()) {
    const std::optional<Dialect> dialect = dialect_of(name.view());
    if (!dialect || !asks_for(*dialect)) continue;
    const DialectAttribute* row = find_dialect_attribute(name.view());
    if (row == nullptr) {
      tell_unknown(prim, name.view());
    } else {
      found.emplace_back(row, name);
    }
  }
  const bool is_mjc = asks_for(Dialect::mjc) && prim.type_name().view() == "MjcActuator";
  const Place place = place_of(prim);
  if (asks_for(Dialect::mjc)) read_mjc_schemas(prim, place);
  if (asks_for(Dialect::apple)) read_apple(prim, place);
  if (found.empty() && !is_mjc) return;
  const auto rank = [&](const auto& entry) {
    return std::find(dialects_.begin(), dialects_.end(), entry.first->dialect);
  };
  stable_sort_range(found.begin(), found.end(),
                    [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  Coupling coupling;
  coupling.mimic.follower = place.joint;
  coupling.follows =
      place.joint != kNone && asks_for(Dialect::mjc) && prim.has_api("MjcEqualityJointAPI");
  Actuator actuator;
  if (is_mjc) actuator.path = place.path;
  Robot robot;
  for (const auto& [row, name] : found) {
    tell_schema(prim, *row, name.view());
    if (row->name.starts_with("physxTendon")) {
      tell_once(Severity::error, "dialect-tendon", prim, "tendon",
                "Tendons are not read: the joints that they couple move without them.");
    }
    if (row->lands.extras == "DofExtras") read_dof(prim, place, *row, name);
    if (row->lands.extras == "Mimic") read_mimic(prim, *row, name, coupling);
    if (row->lands.extras == "Actuator" && is_mjc) read_actuator(prim, *row, name, actuator);
    if (row->lands.extras == "Robot") read_robot(prim, *row, name, robot);
    read_object(prim, place, *row, name);
    if (row->name == "mjc:ref") {
      tell_unless_zero(prim, name, "dialect-ref-offset",
                       "limits of the standard schema may be off by as much; they are read as "
                       "they are.");
    }
    if (row->name.starts_with("mjc:coef") && row->lands.empty()) {
      tell_unless_zero(prim, name, "dialect-mimic",
                       "a joint that follows another one is read as linear, without higher "
                       "powers.");
    }
  }
  if (coupling.follows && coupling.is_enabled && place.joint != kNone) {
    add_mimic(prim, coupling.finished());
  }
  if (is_mjc) {
    const bool is_read = read_kind(prim, actuator);
    actuators_.push_back(is_read ? static_cast<std::int32_t>(model_.actuators.size()) : kNone);
    if (word_of(prim, "mjc:dynType", "none") != "none") activated_.push_back(actuators_.back());
    if (is_read) {
      obey_limited(prim, actuator);
      model_.actuators.push_back(std::move(actuator));
    }
  }
  if (!robot.link_paths.empty() || !robot.joint_paths.empty()) {
    robot.path = place.path;
    model_.robots.push_back(std::move(robot));
  }
  if (place.shape != kNone) read_distances(prim, found, at(model_.shape_extras, place.shape));
}

// Where contact pushes, and how far beyond that it is looked for. PhysX measures both from the
// surface; MuJoCo looks within its margin and pushes within what the gap leaves of that.
void DialectReader::read_distances(const Prim& prim, const FoundAttributes& found,
                                   ShapeExtras& extras) {
  for (const Dialect dialect : dialects_) {
    std::optional<double> margin;
    std::optional<double> gap;
    for (const auto& [row, name] : found) {
      if (row->dialect != dialect || row->lands.extras != "ShapeExtras") continue;
      const std::string_view field = row->lands.field;
      if (field != "margin" && field != "gap") continue;
      const std::optional<double> value = value_of(prim, name);
      if (value && std::isfinite(*value)) (field == "gap" ? gap : margin) = value;
    }
    if (gap && dialect == Dialect::physx) *gap -= margin.value_or(0.0);
    if (gap && dialect == Dialect::mjc) margin = margin.value_or(0.0) - *gap;
    if (margin) fill(extras.margin, *margin);
    if (gap) fill(extras.gap, *gap);
  }
}

DialectReader::Place DialectReader::place_of(const Prim& prim) const {
  Place place;
  place.path = prim.path().str();
  place.joint = lookup_.joint(place.path);
  place.body = lookup_.body(place.path);
  place.shape = lookup_.shape(place.path);
  place.material = lookup_.material(place.path);
  place.scene = lookup_.scene(place.path);
  const auto found = articulations_.find(place.path);
  if (found != articulations_.end()) place.articulation = found->second;
  const auto site = sites_.find(place.path);
  if (site != sites_.end()) place.site = site->second;
  return place;
}

void DialectReader::read_mjc_schemas(const Prim& prim, const Place& place) {
  if (place.joint == kNone) return;
  JointExtras& extras = at(model_.joint_extras, place.joint);
  for (const Token api : prim.authored_api_schemas()) {
    const std::string_view name = api.view();
    extras.stacks = extras.stacks || name == "MjcJointAPI";
    // That of two joints is the joint which follows, and holds its body like any other.
    extras.is_equality =
        extras.is_equality || name == "MjcEqualityConnectAPI" || name == "MjcEqualityWeldAPI";
  }
}

void DialectReader::read_object(const Prim& prim, const Place& place, const DialectAttribute& row,
                                Token name) {
  const auto& [object, field] = row.lands;
  if (field.ends_with("_combine")) {
    if (place.material == kNone) return;
    MaterialExtras& extras = at(model_.material_extras, place.material);
    Text& said = field == "friction_combine" ? extras.friction_combine : extras.restitution_combine;
    const layer::Value mode = text_of(prim, name);
    if (said.empty() && mode.text()) said = Text(*mode.text());
    return;
  }
  if (row.name == "mjc:ctrl" || row.name == "mjc:act") return read_keyframe(prim, row, name);
  if (object == "MjcFriction") {
    if (place.scene != kNone) {
      read_friction_solver(prim, field, name, at(model_.scene_extras, place.scene).friction);
    }
    return;
  }
  if (object == "MjcContact") {
    if (place.shape != kNone) {
      read_contact(prim, field, name, at(model_.shape_extras, place.shape).contact);
    } else if (place.site != kNone && field == "group") {
      MjcContact contact;
      read_contact(prim, field, name, contact);
      at(model_.sites, place.site).group = contact.group.value_or(0);
    } else if (place.joint != kNone) {
      read_solver(prim, field, name, at(model_.joint_extras, place.joint).equality);
    }
    return;
  }
  if (object == "MjcSolver") {
    if (place.joint != kNone) {
      read_solver(prim, field, name, at(model_.joint_extras, place.joint).limit);
    }
    return;
  }
  if (field == "margin" || field == "gap") return;  // See read_distances().
  constexpr std::string_view kObjects[] = {"BodyExtras",         "ShapeExtras", "SceneExtras",
                                           "ArticulationExtras", "JointExtras", "MaterialExtras"};
  if (std::find(std::begin(kObjects), std::end(kObjects), object) == std::end(kObjects)) return;
  const std::optional<double> value = value_of(prim, name);
  if (!value || !std::isfinite(*value)) return;
  if (row.name == "newton:gravityEnabled" && place.scene != kNone) {
    if (*value == 0.0) at(model_.scenes, place.scene).gravity_magnitude = 0.0F;
  } else if (object == "BodyExtras" && place.body != kNone) {
    BodyExtras& extras = at(model_.body_extras, place.body);
    if (field == "linear_damping") fill(extras.linear_damping, *value);
    if (field == "angular_damping") fill(extras.angular_damping, *value);
    if (field == "gravity_scale") {
      const bool acts = (row.dialect == Dialect::physx) != (*value != 0.0);
      fill(extras.gravity_scale, acts ? 1.0 : 0.0);
    }
    if (field == "inertia" && !extras.inertia) {
      const std::vector<double> six = all_numbers_of(prim.attribute(name).value());
      if (six.size() != 6) {
        return report(Severity::warning, "dialect-value", prim,
                      format_text("'{}' has {} numbers and needs 6; it is ignored.", name.view(),
                                  six.size()));
      }
      extras.inertia.emplace();
      for (std::size_t i = 0; i < 6; ++i) (*extras.inertia)[i] = static_cast<float>(six[i]);
    }
  } else if (object == "MaterialExtras") {
    if (place.material != kNone)
      read_friction(at(model_.material_extras, place.material), field, *value);
    if (place.shape != kNone) read_friction(at(model_.shape_extras, place.shape), field, *value);
  } else if (object == "ShapeExtras" && place.shape != kNone) {
    fill(at(model_.shape_extras, place.shape).max_hull_vertices, *value);
  } else if (object == "SceneExtras" && field == "time_step" && place.scene != kNone &&
             *value > 0.0) {
    const bool rate = row.unit == "1 / s";
    fill(at(model_.scene_extras, place.scene).time_step, rate ? 1.0 / *value : *value);
  } else if (object == "ArticulationExtras" && field == "self_collision" &&
             place.articulation != kNone) {
    std::optional<bool>& said = at(model_.articulation_extras, place.articulation).self_collision;
    if (!said) said = *value != 0.0;
  } else if (field == "torque_scale" && place.joint != kNone) {
    fill(at(model_.joint_extras, place.joint).torque_scale, *value);
  } else if (object == "JointExtras" && field == "stacks" && place.articulation != kNone &&
             *value != 0.0) {
    for (const std::int32_t joint : at(model_.articulations, place.articulation).joints) {
      if (model_.has_joint(joint)) at(model_.joint_extras, joint).stacks = true;
    }
  }
}

void DialectReader::read_solver(const Prim& prim, std::string_view field, Token name,
                                MjcSolver& solver) {
  if (field == "solref") solver.solref = mjc_numbers(prim, name, 2);
  if (field == "solimp") solver.solimp = mjc_numbers(prim, name, 5);
}

void DialectReader::read_friction_solver(const Prim& prim, std::string_view field, Token name,
                                         MjcFriction& friction) {
  if (field == "elliptic") {
    const layer::Value cone = text_of(prim, name);
    if (!cone.text()) return;  // Which is told.
    const std::string_view word = *cone.text();
    if (word != "elliptic" && word != "pyramidal") return tell_refused(prim, name);
    friction.elliptic = word == "elliptic";
    return;
  }
  const std::vector<double> values = mjc_numbers(prim, name, 1);
  if (values.empty()) return;
  const double value = values[0];
  const bool is_ratio = field == "impratio";
  constexpr double kFar = 1e9;
  const bool is_good = is_ratio ? value > 0.0 && std::isfinite(value)
                                : value >= 0.0 && value <= kFar && value == std::floor(value);
  if (!is_good) return tell_refused(prim, name);
  if (is_ratio) {
    friction.impratio = value;
  } else {
    friction.noslip_iterations = static_cast<std::int32_t>(value);
  }
}

void DialectReader::read_contact(const Prim& prim, std::string_view field, Token name,
                                 MjcContact& contact) {
  if (field == "solref" || field == "solimp") return read_solver(prim, field, name, contact.solver);
  const std::vector<double> values = mjc_numbers(prim, name, 1);
  if (values.empty()) return;
  const double value = values[0];
  if (field == "solmix") {
    contact.solmix = value;
    return;
  }
  constexpr double kFar = 1e9;
  const bool is_whole = std::abs(value) <= kFar && value == std::floor(value);
  const bool is_condim = value == 1.0 || value == 3.0 || value == 4.0 || value == 6.0;
  if (!is_whole || (field == "condim" && !is_condim)) return tell_refused(prim, name);
  const auto whole = static_cast<std::int32_t>(value);
  if (field == "condim") contact.condim = whole;
  if (field == "group") contact.group = whole;
  if (field == "priority") contact.priority = whole;
}

// The keyframe that a stage starts from is called "start", as in the files that are exported.
void DialectReader::read_keyframe(const Prim& prim, const DialectAttribute& row, Token name) {
  if (prim.type_name().view() != "MjcKeyframe" || prim.name().view() != "start") return;
  if (keyframe_ && keyframe_ != prim) return;
  keyframe_ = prim;
  (row.lands.field == "control" ? controls_ : activations_) = numbers_of(prim, name);
}

void DialectReader::read_robot(const Prim& prim, const DialectAttribute& row, Token name,
                               Robot& robot) {
  const stage::Relationship relationship = prim.relationship(name);
  if (!relationship) return;
  for (const layer::Path& path : relationship.forwarded_targets()) {
    (row.lands.field == "link_paths" ? robot.link_paths : robot.joint_paths)
        .emplace_back(path.str());
    if (stage_.prim(path.view())) continue;
    report(Severity::warning, "dialect-target", prim,
           format_text("'{}' names <{}>, which is not there.", name.view(), path.view()));
  }
}

void DialectReader::finish_keyframe() {
  const auto finish = [&](std::string_view name, const std::vector<double>& numbers,
                          const std::vector<std::int32_t>& actuators, std::string_view which,
                          std::optional<float> Actuator::*field) {
    if (numbers.empty()) return;
    if (numbers.size() != actuators.size()) {
      return report(Severity::warning, "dialect-value", keyframe_,
                    format_text("'{}' has {} numbers for {} actuators{}; it is ignored.", name,
                                numbers.size(), actuators.size(), which));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (actuators[i] == kNone || !std::isfinite(numbers[i])) continue;
      at(model_.actuators, actuators[i]).*field = static_cast<float>(numbers[i]);
    }
  };
  finish("mjc:ctrl", controls_, actuators_, "", &Actuator::control);
  finish("mjc:act", activations_, activated_, " with an activation", &Actuator::activation);
}

// Tells of joints that are to start elsewhere than where the bodies stand. Of several joints in a
// chain between the same bodies poses say nothing.
void DialectReader::compare_starts() {
  constexpr double kApart = 1e-3;  // Metres, or radians.
  const auto bodies_of = [](const Joint& joint) {
    return std::minmax({joint.ends[0].body, joint.ends[1].body});
  };
  std::map<std::pair<std::int32_t, std::int32_t>, int> chains;
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    if (model_.joint_extras[j].stacks) ++chains[bodies_of(model_.joints[j])];
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const JointExtras& extras = model_.joint_extras[j];
    const Joint& joint = model_.joints[j];
    const bool says_start = std::any_of(extras.dofs.begin(), extras.dofs.end(),
                                        [](const DofExtras& dof) { return dof.start.has_value(); });
    if (!says_start || !joint.is_valid) continue;
    if (extras.stacks && chains[bodies_of(joint)] > 1) continue;
    const std::int32_t child = joint.ends[joint.ends[1].body == kNone ? 0 : 1].body;
    for (const LinkDof& dof : link_joint(model_, static_cast<std::int32_t>(j), child).dofs) {
      const std::optional<float> start = extras.of(dof.dof).start;
      if (!start) continue;
      const bool turns = dof.is_rotation();
      const double unit = turns ? kRadiansPerDegree : model_.units.meters_per_unit;
      const auto said = static_cast<double>(*start);
      if (!(std::abs(said - dof.start) * unit > kApart)) continue;
      report(Severity::info, "dialect-state-differs", stage_.prim(joint.path.view()),
             format_text("{} is to start at {}{}, and the bodies stand at {}.", to_string(dof.dof),
                         rounded_text(said), turns ? " degrees" : "", rounded_text(dof.start)));
    }
  }
}

void DialectReader::finish() {
  finish_keyframe();
  compare_starts();
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    const std::int32_t bound = model_.shapes[i].bound_material;
    if (bound < 0 || static_cast<std::size_t>(bound) >= model_.material_extras.size()) continue;
    const MaterialExtras& material = at(model_.material_extras, bound);
    ShapeExtras& extras = model_.shape_extras[i];
    if (!extras.torsional_friction) extras.torsional_friction = material.torsional_friction;
    if (!extras.rolling_friction) extras.rolling_friction = material.rolling_friction;
  }
  for (std::size_t i = 0; i < model_.articulations.size(); ++i) {
    if (model_.articulation_extras[i].self_collision.value_or(true)) continue;
    // As a filtered pair of the root with itself.
    Articulation& articulation = model_.articulations[i];
    articulation.filtered_collision_paths.push_back(articulation.path);
  }
}

namespace {

void count(const layer::PrimSpec& root, std::map<std::string, DialectCount>& counts) {
  std::vector<const layer::PrimSpec*> stack = {&root};
  while (!stack.empty()) {
    const layer::PrimSpec& prim = *stack.back();
    stack.pop_back();
    for (const layer::PropertySpec& property : prim.properties) {
      const std::string_view name = property.name.view();
      const std::optional<Dialect> dialect = dialect_of(name);
      if (!dialect) continue;
      const DialectAttribute* row = find_dialect_attribute(name);
      const std::string key(row != nullptr ? row->name : name);
      DialectCount& entry = counts[key];
      entry.name = key;
      entry.dialect = *dialect;
      entry.is_known = row != nullptr;
      ++entry.count;
    }
    for (const layer::PrimSpec* child : prim.children) stack.push_back(child);
    if (prim.extra == nullptr) continue;
    for (const layer::VariantSetSpec& set : prim.extra->variant_sets) {
      for (const layer::VariantSpec& variant : set.variants) {
        if (variant.prim != nullptr) stack.push_back(variant.prim);
      }
    }
  }
}

}  // namespace

void read_dialects(const stage::Stage& stage, std::span<const Dialect> dialects,
                   PhysicsModel& model, Diagnostics& diagnostics) {
  if (dialects.empty()) return;
  DialectReader(stage, dialects, model, diagnostics).run();
}

std::vector<DialectCount> count_dialects(const layer::Layer& layer) {
  std::map<std::string, DialectCount> counts;
  count(layer.root(), counts);
  std::vector<DialectCount> result;
  for (auto& [name, entry] : counts) result.push_back(std::move(entry));
  return result;
}

}  // namespace sinew::physics
