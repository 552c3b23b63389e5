// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/mass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/large_pages.hpp"
#include "core/report.hpp"
#include "physics/mass_figures.hpp"
#include "physics/mesh_moments.hpp"
#include "physics/shared/indexed.hpp"
#include "sinew/physics/inertia.hpp"
#include "sinew/physics/units.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::physics {
namespace {

constexpr double kSmallSphereMeters = 0.1;

// A thing with mass in the body's frame. Empty: nothing has been added yet.
struct Part {
  bool empty = true;
  double mass = 0.0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
};

Matrix3d point_inertia(double mass, const Vector3d& offset) {
  return mass * (offset.squaredNorm() * Matrix3d::Identity() - offset * offset.transpose());
}

// Adds a part to a whole. Of two parts without mass the first keeps its centre.
void add(Part& whole, const Part& part) {
  if (part.empty) return;
  if (whole.empty) {
    whole = part;
    return;
  }
  const double total = whole.mass + part.mass;
  if (total == 0.0) {
    whole.inertia += part.inertia;  // Authored, for there is no volume.
    return;
  }
  const Vector3d apart = part.center - whole.center;
  // Both inertias move to the common centre; together that is the reduced mass at their distance.
  whole.inertia += part.inertia + point_inertia(whole.mass * part.mass / total, apart);
  whole.center += apart * (part.mass / total);
  whole.mass = total;
}

// In units that are no numbers nothing has a density: as if none were said.
StageUnits usable(StageUnits units) {
  const StageUnits none;
  const auto repair = [](double& unit, double otherwise) {
    if (unit == 0.0 || !std::isfinite(unit)) unit = otherwise;
  };
  repair(units.meters_per_unit, none.meters_per_unit);
  repair(units.kilograms_per_unit, none.kilograms_per_unit);
  return units;
}

class MassSolver {
 public:
  MassSolver(const PhysicsModel& model, Diagnostics& diagnostics, const MassOptions& options)
      : model_(model),
        diagnostics_(diagnostics),
        options_(options),
        documented_(model.rules == Rules::documented),
        units_(usable(model.units)),
        water_(static_cast<double>(default_density(units_))) {}

  BodyMass solve(std::int32_t body);

 private:
  BodyMass solve_once(std::int32_t body);
  void collect_figures(BodyMass& result);
  void resolve_density(BodyMass& result, std::size_t index);
  Part collider_part(BodyMass& result, std::size_t index);
  std::optional<MassInfo> info_of(const MassNode& node, const Shape* shape);
  std::optional<Solid> solid(const Shape& shape);
  void apply_authored(BodyMass& result, std::size_t index, Part& part) const;
  // OpenUSD holds masses in single precision: one that is too large for that is infinite.
  double held(double mass) const {
    const bool overflows = use_ == FiguresUse::literal &&
                           mass > static_cast<double>(std::numeric_limits<float>::max());
    return overflows ? std::numeric_limits<double>::infinity() : mass;
  }
  void lose_overflow(Part& whole) const;
  void finish(BodyMass& result, Part& whole);
  void settle_mass(BodyMass& result, Part& whole, bool& no_volume);
  void explain_shares(BodyMass& result) const;
  // Mass, inertia and centre are all authored on the body: nothing needs computing.
  bool is_given() const { return figures_[0].mass && figures_[0].inertia && figures_[0].center; }
  double small_sphere(double mass) const {
    const double radius = kSmallSphereMeters / units_.meters_per_unit;
    return 0.4 * mass * radius * radius;
  }
  void tell(Severity severity, std::string_view code, std::size_t index, std::string message,
            std::string_view hint = {}) {
    const std::string_view path = index < nodes_.size() ? model_.node_path(body_, nodes_[index])
                                                        : model_.body(body_).path.view();
    report(&diagnostics_, severity, code, {.path = path}, std::move(message), hint);
  }

  using MeshKey = std::tuple<const void*, const void*, const void*, const void*, std::size_t,
                             std::size_t, std::size_t, std::size_t, MeshApproximation, bool>;

  const PhysicsModel& model_;
  Diagnostics& diagnostics_;
  const MassOptions& options_;
  const bool documented_;
  const StageUnits units_;
  const double water_;
  std::map<MeshKey, MeshMoments> meshes_;

  // Of the body in hand.
  FiguresUse use_ = FiguresUse::finite;
  std::int32_t body_ = kNone;
  bool has_collider_ = false;
  std::span<const MassNode> nodes_;
  std::vector<MassFigures> figures_;
  std::vector<Part> parts_;
};

// Reads the authored figures and the tree: which step lies below which.
void MassSolver::collect_figures(BodyMass& result) {
  const std::size_t count = nodes_.size();
  result.steps.assign(std::max<std::size_t>(count, 1), MassStep{});
  figures_.assign(std::max<std::size_t>(count, 1), MassFigures{});
  parts_.assign(std::max<std::size_t>(count, 1), Part{});
  has_collider_ = false;
  for (std::size_t i = 0; i < count; ++i) {
    MassStep& step = result.steps[i];
    const MassNode& node = nodes_[i];
    figures_[i] = mass_figures(node, model_.units.inertia_threshold, use_);
    step.ignored = figures_[i].ignored;
    has_collider_ = has_collider_ || node.is_collider;
    if (i == 0) continue;
    // openusd: every collider hangs from the body; what lies between is not looked at.
    const bool known = node.parent >= 0 && static_cast<std::size_t>(node.parent) < i;
    step.parent = documented_ && known ? node.parent : 0;
    if (!documented_ && !node.is_collider) {
      if (node.has_mass_api) step.ignored |= kNotConsulted;
      figures_[i] = MassFigures{};
    }
  }
}

// The nearest density between collider and body (openusd: the collider's or the body's), else the
// material's, else water.
void MassSolver::resolve_density(BodyMass& result, std::size_t index) {
  MassStep& step = result.steps[index];
  for (auto node = static_cast<std::int32_t>(index); node != kNone;
       node = at(result.steps, node).parent) {
    if (const auto& density = at(figures_, node).density) {
      step.density = *density;
      step.density_source = DensitySource::mass_api;
      step.density_node = node;
      return;
    }
  }
  const Shape* shape = model_.node_shape(nodes_[index]);
  if (shape != nullptr && density_counts(shape->bound_material_density, use_)) {
    step.density = static_cast<double>(shape->bound_material_density);
    step.density_source = DensitySource::material;
    return;
  }
  step.density = water_;
  step.density_source = DensitySource::water;
}

std::optional<Solid> MassSolver::solid(const Shape& shape) {
  const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
  if (mesh == nullptr || mesh->geometry == nullptr || !shape.is_valid) {
    return solid_of(shape, diagnostics_);
  }
  // The integrals do not depend on the scale, so that instances of a mesh share them.
  const geom::Mesh& geometry = *mesh->geometry;
  const MeshApproximation approximation = mesh_approximation(mesh->approximation);
  const MeshKey key{
      geometry.points.data(),       geometry.face_counts.data(), geometry.face_indices.data(),
      geometry.hole_faces.data(),   geometry.points.size(),      geometry.face_counts.size(),
      geometry.face_indices.size(), geometry.hole_faces.size(),  approximation,
      is_subdivided(geometry)};
  auto [entry, inserted] = meshes_.try_emplace(key);
  if (inserted) entry->second = compute_mesh_moments(geometry, approximation);
  report_mesh_issues(entry->second.issues, shape.path, diagnostics_);
  const Solid result =
      scaled_solid(entry->second, geometry, approximation, mesh->mesh_scale.cast<double>());
  if (!std::isfinite(result.volume + result.center.sum() + result.inertia.sum())) {
    return std::nullopt;
  }
  return result;
}

std::optional<MassInfo> MassSolver::info_of(const MassNode& node, const Shape* shape) {
  if (options_.mass_info) {
    if (auto info = options_.mass_info(node, shape)) return info;
  }
  if (shape == nullptr) return std::nullopt;
  const std::optional<Solid> known = solid(*shape);
  if (!known) return std::nullopt;
  return MassInfo{
      known->volume,
      known->inertia,
      known->center,
      {node.local_pose.position.cast<double>(), node.local_pose.rotation.cast<double>()}};
}

// The collider alone: volume times density, in the body's frame. Empty if its volume is unknown.
Part MassSolver::collider_part(BodyMass& result, std::size_t index) {
  const MassNode& node = nodes_[index];
  MassStep& step = result.steps[index];
  const Shape* shape = model_.node_shape(node);
  if (shape != nullptr && !shape->collision_enabled) step.ignored |= kColliderDisabled;
  const std::optional<MassInfo> info = info_of(node, shape);
  const bool usable =
      info && info->volume >= 0.0 &&
      std::isfinite(info->volume + info->center.sum() + info->inertia.sum() +
                    info->local_pose.position.sum() + info->local_pose.rotation.coeffs().sum());
  if (!usable) {
    step.ignored |= kVolumeUnknown;
    tell(Severity::warning, "physics-invalid-mass-information", index,
         "The volume of the collider is not known; it adds nothing to the mass of its body.",
         "Give the collider a geometry, or the body a physics:mass.");
    return Part{};
  }
  if (shape != nullptr && shape->type() == ObjectType::plane_shape) {
    const RigidBody& body = model_.body(body_);
    if (body.rigid_body_enabled && !body.kinematic_body) {
      tell(Severity::warning, "physics-plane-on-dynamic-body", index,
           "An infinite plane has no volume and cannot be part of a moving body.");
    }
  }
  resolve_density(result, index);
  step.volume = info->volume;
  const Matrix3d rotation = info->local_pose.rotation.toRotationMatrix();
  Part part;
  part.empty = false;
  part.mass = held(info->volume * step.density);
  part.center = info->local_pose.position + rotation * info->center;
  // openusd: a mass of its own fills the volume, whatever the density.
  const bool has_own_mass = !documented_ && figures_[index].mass && info->volume > 0.0;
  const double density = has_own_mass ? *figures_[index].mass / info->volume : step.density;
  part.inertia = density * (rotation * info->inertia * rotation.transpose());
  return part;
}

// Replaces computed figures by those authored on the prim, for the prim and all below it.
void MassSolver::apply_authored(BodyMass& result, std::size_t index, Part& part) const {
  const MassFigures& figures = figures_[index];
  const MassNode& node = nodes_[index];
  MassStep& step = result.steps[index];
  if (part.empty && figures.mass) {
    part.empty = false;
    part.center = node.local_pose.position.cast<double>();
  }
  if (part.empty) return;
  if (figures.mass) {
    // openusd: the inertia is of that mass already.
    if (documented_ && part.mass > 0.0) part.inertia *= *figures.mass / part.mass;
    part.mass = *figures.mass;
  }
  const Matrix3d frame = node.local_pose.rotation.cast<double>().toRotationMatrix();
  if (figures.inertia) {
    part.inertia = frame * figures.inertia->asDiagonal() * frame.transpose();
    step.inertia_source = FigureSource::authored;
  }
  if (figures.axes) {
    const Matrix3d turn = frame * figures.axes->toRotationMatrix() * frame.transpose();
    part.inertia = turn * part.inertia * turn.transpose();
    step.axes_source = FigureSource::authored;
  }
  if (figures.center) {
    if (!figures.inertia) part.inertia += point_inertia(part.mass, *figures.center - part.center);
    part.center = *figures.center;
    step.center_source = FigureSource::authored;
  }
}

// Decides the mass of the body. no_volume: its inertia has to be made up.
void MassSolver::settle_mass(BodyMass& result, Part& whole, bool& no_volume) {
  const MassFigures& figures = figures_[0];
  MassStep& step = result.steps[0];
  step.parts_mass = whole.mass;
  no_volume = documented_ ? whole.inertia.isZero(0.0) : !has_collider_;
  if (whole.mass == 0.0) {
    whole.center.setZero();
    // What is authored on colliders without volume is of no mass that could be scaled.
    if (!documented_ && figures.mass) whole.inertia.setZero();
  }
  if (figures.mass) {
    step.mass_source = MassSource::authored;
    if (whole.mass > 0.0) {
      whole.inertia *= *figures.mass / whole.mass;
    } else if (has_collider_) {
      tell(Severity::warning, "physics-zero-volume-mass", 0,
           "physics:mass is given, but no collider of the body has a volume to spread it over.",
           "Give physics:diagonalInertia too.");
    }
    whole.mass = *figures.mass;
    return;
  }
  step.mass_source = MassSource::parts;
  if (whole.mass > 0.0 || (use_ == FiguresUse::literal && std::isnan(whole.mass))) return;
  if (documented_) {
    step.mass_source = MassSource::assumed;
    whole.mass = model_.units.assumed_mass;
    tell(Severity::warning, "physics-missing-mass", 0,
         "The body has neither a physics:mass nor a collider with a volume; its mass is taken to "
         "be 1.",
         "Author physics:mass on the body.");
  } else if (!has_collider_) {
    step.mass_source = MassSource::unset;
    whole.mass = -1.0;
    if (!figures.inertia) {
      tell(Severity::warning, "physics-missing-mass", 0,
           "The body has neither a physics:mass nor a collider; its mass is left at -1.",
           "Author physics:mass on the body.");
    }
  } else {
    tell(Severity::warning, "physics-zero-volume-mass", 0,
         "No collider of the body has a volume; its mass is 0.",
         "Author physics:mass on the body.");
  }
}

// openusd rules: without a finite mass there is no centre, nor an inertia about it.
void MassSolver::lose_overflow(Part& whole) const {
  whole.mass = held(whole.mass);
  if (std::isfinite(whole.mass)) return;
  whole.center.setConstant(std::numeric_limits<double>::quiet_NaN());
  whole.inertia.setConstant(std::numeric_limits<double>::quiet_NaN());
}

// From the sum of all parts to the figures of the body.
void MassSolver::finish(BodyMass& result, Part& whole) {
  const MassFigures& figures = figures_[0];
  MassStep& step = result.steps[0];
  if (is_given()) {
    step.mass_source = MassSource::authored;
    whole.mass = *figures.mass;
    whole.center = *figures.center;
    step.center_source = FigureSource::authored;
    step.inertia_source = FigureSource::authored;
    result.diagonal_inertia = *figures.inertia;
    if (figures.axes) step.axes_source = FigureSource::authored;
    result.principal_axes = figures.axes.value_or(Quatd(1.0, 0, 0, 0));
  } else {
    if (use_ == FiguresUse::literal) lose_overflow(whole);
    bool no_volume = false;
    settle_mass(result, whole, no_volume);
    if (figures.center) {
      whole.inertia += point_inertia(whole.mass, *figures.center - whole.center);
      whole.center = *figures.center;
      step.center_source = FigureSource::authored;
    }
    if (figures.inertia) {
      step.inertia_source = FigureSource::authored;
    } else if (no_volume && step.mass_source == MassSource::unset) {
      step.inertia_source = FigureSource::unit;
      whole.inertia.setIdentity();
    } else if (no_volume && whole.mass > 0.0) {
      step.inertia_source = FigureSource::small_sphere;
      whole.inertia = small_sphere(whole.mass) * Matrix3d::Identity();
      tell(Severity::warning, "physics-approximated-inertia", 0,
           "The body has a mass but no volume; its inertia is that of a ball of 0.1 m.",
           "Author physics:diagonalInertia on the body.");
    }
    if (no_volume && figures.inertia) whole.inertia.setZero();
    const PrincipalInertia principal = diagonalize(whole.inertia);
    result.diagonal_inertia = figures.inertia.value_or(principal.diagonal);
    if (figures.axes) step.axes_source = FigureSource::authored;
    result.principal_axes = figures.axes.value_or(principal.axes);
  }
  result.mass = whole.mass;
  result.center_of_mass = whole.center;
  step.mass = whole.mass;
  step.share = whole.mass;
  step.center = whole.center;
}

// What each prim finally adds, and which of its figures a prim above overrules.
void MassSolver::explain_shares(BodyMass& result) const {
  std::vector<MassStep>& steps = result.steps;
  const bool all_given = is_given();
  for (std::size_t i = 1; i < steps.size(); ++i) {
    MassStep& step = steps[i];
    const auto parent = static_cast<std::size_t>(step.parent);
    const MassStep& above = steps[parent];
    const double factor = above.parts_mass > 0.0 ? above.share / above.parts_mass : 0.0;
    step.share = all_given ? 0.0 : step.mass * factor;
    constexpr std::uint16_t kPassedDown = kMassOverruled | kCenterOverruled | kInertiaOverruled;
    std::uint16_t overruled = above.ignored & kPassedDown;
    if (figures_[parent].mass) overruled |= kMassOverruled;
    if (figures_[parent].center) overruled |= kCenterOverruled;
    if (figures_[parent].inertia) overruled |= kInertiaOverruled;
    step.ignored |= overruled;
    if (nodes_[i].is_collider && figures_[i].mass && figures_[i].density) {
      step.ignored |= kDensityOverruled;
    }
  }
  // Until here the bits say that a prim above overrules; now, that something here is overruled.
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (!figures_[i].mass) steps[i].ignored &= static_cast<std::uint16_t>(~kMassOverruled);
    if (!figures_[i].center) steps[i].ignored &= static_cast<std::uint16_t>(~kCenterOverruled);
    if (!figures_[i].inertia) steps[i].ignored &= static_cast<std::uint16_t>(~kInertiaOverruled);
  }
}

// openusd rules: as OpenUSD computes, with infinities and what they lead to. Where a body leaves
// its inertia to be computed, which would give no numbers, what is not finite is passed over
// instead.
BodyMass MassSolver::solve(std::int32_t body) {
  use_ = documented_ ? FiguresUse::finite : FiguresUse::literal;
  const std::size_t told = diagnostics_.size();
  BodyMass result = solve_once(body);
  const bool states_inertia = !nodes_.empty() && nodes_[0].authored.diagonal_inertia.has_value();
  if (use_ == FiguresUse::finite || !has_collider_ || states_inertia) return result;
  const double sum = result.mass + result.center_of_mass.sum() + result.diagonal_inertia.sum() +
                     result.principal_axes.coeffs().sum();
  if (std::isfinite(sum)) return result;
  use_ = FiguresUse::finite;
  diagnostics_.resize(told);
  return solve_once(body);
}

BodyMass MassSolver::solve_once(std::int32_t body) {
  BodyMass result;
  if (body < 0 || static_cast<std::size_t>(body) >= model_.rigid_bodies.size()) return result;
  result.body = body;
  body_ = body;
  nodes_ = model_.mass_nodes_of(body);
  collect_figures(result);
  const bool all_given = is_given();
  // Children come after their parents, so that walking backwards completes every subtree first.
  for (std::size_t i = nodes_.size(); i-- > 0 && !all_given;) {
    MassStep& step = result.steps[i];
    Part part = nodes_[i].is_collider ? collider_part(result, i) : Part{};
    const bool unknown = nodes_[i].is_collider && part.empty;
    // documented: a prim's figures cover what lies below it; openusd: its collider alone.
    if (documented_) {
      add(part, parts_[i]);
      parts_[i] = part;
    }
    const bool is_body = i == 0;
    if (!is_body) step.parts_mass = part.mass;
    // openusd leaves out a collider of unknown volume, whatever is authored on it.
    if (documented_ ? !is_body : (nodes_[i].is_collider && !unknown)) {
      apply_authored(result, i, part);
    }
    if (!is_body) {
      if (!part.empty) {
        step.mass_source = figures_[i].mass ? MassSource::authored : MassSource::parts;
      }
      step.mass = part.mass;
      step.center = part.center;
      add(at(parts_, step.parent), part);
    } else if (!documented_) {
      add(part, parts_[0]);
      parts_[0] = part;
    }
  }
  finish(result, parts_[0]);
  explain_shares(result);
  return result;
}

}  // namespace

BodyMass body_mass(const PhysicsModel& model, std::int32_t body, Diagnostics& diagnostics,
                   const MassOptions& options) {
  return MassSolver(model, diagnostics, options).solve(body);
}

std::vector<BodyMass> body_masses(const PhysicsModel& model, Diagnostics& diagnostics,
                                  const MassOptions& options) {
  MassSolver solver(model, diagnostics, options);
  std::vector<BodyMass> results;
  reserve_large(results, model.rigid_bodies.size());
  for (std::size_t body = 0; body < model.rigid_bodies.size(); ++body) {
    results.push_back(solver.solve(static_cast<std::int32_t>(body)));
  }
  return results;
}

}  // namespace sinew::physics
