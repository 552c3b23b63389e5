// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "sinew/export/physics_json.hpp"

namespace sinew::exporter {

namespace {

using namespace physics;

std::string_view name_of(MassSource source) {
  constexpr std::array<std::string_view, 5> kNames = {"none", "authored", "parts", "assumed",
                                                      "unset"};
  return kNames[static_cast<std::size_t>(source)];
}

std::string_view name_of(DensitySource source) {
  constexpr std::array<std::string_view, 4> kNames = {"none", "massApi", "material", "water"};
  return kNames[static_cast<std::size_t>(source)];
}

std::string_view name_of(FigureSource source) {
  constexpr std::array<std::string_view, 4> kNames = {"computed", "authored", "smallSphere",
                                                      "unit"};
  return kNames[static_cast<std::size_t>(source)];
}

constexpr std::pair<IgnoredFigure, std::string_view> kIgnored[] = {
    {kMassNotPositive, "massNotPositive"},
    {kDensityNotPositive, "densityNotPositive"},
    {kCenterNotFinite, "centerNotFinite"},
    {kInertiaTooSmall, "inertiaTooSmall"},
    {kAxesZero, "axesZero"},
    {kNotConsulted, "notConsulted"},
    {kMassOverruled, "massOverruled"},
    {kDensityOverruled, "densityOverruled"},
    {kCenterOverruled, "centerOverruled"},
    {kInertiaOverruled, "inertiaOverruled"},
    {kVolumeUnknown, "volumeUnknown"},
    {kColliderDisabled, "colliderDisabled"},
};

void write_step(JsonSink& json, std::string_view path, bool is_collider, const MassStep& step) {
  json.begin_object();
  json.member("path", path);
  json.member("parent", step.parent);
  json.member("collider", is_collider);
  json.member("massSource", name_of(step.mass_source));
  json.member("densitySource", name_of(step.density_source));
  json.member("centerSource", name_of(step.center_source));
  json.member("inertiaSource", name_of(step.inertia_source));
  json.member("axesSource", name_of(step.axes_source));
  json.key("ignored");
  json.begin_array();
  for (const auto& [bit, name] : kIgnored) {
    if ((step.ignored & bit) != 0) json.value(name);
  }
  json.end_array();
  json.member("densityStep", step.density_node);
  json.member("volume", step.volume);
  json.member("density", step.density);
  json.member("partsMass", step.parts_mass);
  json.member("mass", step.mass);
  json.member("share", step.share);
  json.member("center", step.center);
  json.end_object();
}

}  // namespace

void write_masses_json(JsonSink& json, const PhysicsModel& model,
                       std::span<const BodyMass> masses) {
  json.begin_array();
  for (const BodyMass& mass : masses) {
    json.begin_object();
    json.member("path", model.body(mass.body).path.view());
    json.member("mass", mass.mass);
    json.member("centerOfMass", mass.center_of_mass);
    json.member("diagonalInertia", mass.diagonal_inertia);
    json.member("principalAxes", mass.principal_axes);
    json.key("steps");
    json.begin_array();
    const std::span<const MassNode> nodes = model.mass_nodes_of(mass.body);
    for (std::size_t i = 0; i < mass.steps.size() && i < nodes.size(); ++i) {
      write_step(json, model.node_path(mass.body, nodes[i]), nodes[i].is_collider, mass.steps[i]);
    }
    json.end_array();
    json.member("text", explain_mass(model, mass));
    json.end_object();
  }
  json.end_array();
}

}  // namespace sinew::exporter
