// SPDX-License-Identifier: Apache-2.0
// MJCF: included files, settings, classes of defaults, and the tree of bodies.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/robot_import/mjcf_reader.hpp"
#include "sinew/physics/inertia.hpp"

namespace sinew::exporter::robot_import {

namespace {

// What is read, and what means nothing for how things move: how they are shown and named.
// clang-format off
constexpr std::string_view kKnownMjcf[] = {
    "mujoco", "mujoco.model", "mujocoinclude", "include", "include.file",
    "compiler", "compiler.angle", "compiler.autolimits", "compiler.eulerseq", "compiler.meshdir",
    "compiler.assetdir", "compiler.texturedir", "compiler.strippath", "compiler.inertiafromgeom",
    "compiler.inertiagrouprange", "compiler.boundmass", "compiler.boundinertia",
    "compiler.settotalmass", "compiler.coordinate", "compiler.balanceinertia",
    "compiler.convexhull", "compiler.usethread", "compiler.discardvisual", "compiler.fusestatic",
    "compiler.exactmeshinertia", "compiler.fitaabb",
    "option", "option.gravity", "option.timestep", "option.integrator", "option.cone",
    "option.jacobian", "option.solver", "option.iterations", "option.tolerance",
    "option.ls_iterations", "option.ls_tolerance", "option.noslip_iterations",
    "option.noslip_tolerance", "option.mpr_iterations", "option.mpr_tolerance",
    "option.impratio", "option.apirate", "option.ccd_iterations", "option.ccd_tolerance",
    "option.collision",
    "flag", "flag.gravity", "flag.filterparent", "flag.warmstart", "flag.energy", "flag.eulerdamp",
    "flag.multiccd", "flag.island", "flag.nativeccd", "flag.fwdinv", "flag.midphase",
    "flag.autoreset",
    "size", "size.njmax", "size.nconmax", "size.nstack", "size.nkey", "size.nuserdata",
    "size.nuser_body", "size.nuser_jnt", "size.nuser_geom", "size.nuser_site", "size.nuser_cam",
    "size.nuser_tendon", "size.nuser_actuator", "size.nuser_sensor", "size.memory",
    "default", "default.class", "equality.active", "equality.solref", "equality.solimp", "tendon.limited", "tendon.range",
    "tendon.rgba", "tendon.width", "tendon.material", "tendon.group",
    "asset", "mesh", "mesh.name", "mesh.class", "mesh.file", "mesh.scale", "mesh.vertex",
    "mesh.face", "mesh.refpos", "mesh.refquat", "mesh.normal", "mesh.texcoord",
    "mesh.smoothnormal", "mesh.content_type", "mesh.inertia", "mesh.maxhullvert",
    "material", "material.name", "material.class", "material.rgba", "material.texture",
    "material.specular", "material.shininess", "material.reflectance", "material.emission",
    "material.metallic", "material.roughness", "material.texrepeat", "material.texuniform",
    "worldbody", "body", "body.name", "body.childclass", "body.pos", "body.quat",
    "body.axisangle", "body.xyaxes", "body.zaxis", "body.euler", "body.mocap", "body.gravcomp",
    "body.user",
    "frame", "frame.name", "frame.childclass", "frame.pos", "frame.quat", "frame.axisangle",
    "frame.xyaxes", "frame.zaxis", "frame.euler",
    "inertial", "inertial.pos", "inertial.quat", "inertial.axisangle", "inertial.xyaxes",
    "inertial.zaxis", "inertial.euler", "inertial.mass", "inertial.diaginertia",
    "inertial.fullinertia",
    "freejoint", "freejoint.name", "freejoint.group", "freejoint.align",
    "joint", "joint.name", "joint.class", "joint.type", "joint.pos", "joint.axis", "joint.range",
    "joint.limited", "joint.ref", "joint.springref", "joint.stiffness", "joint.damping",
    "joint.armature", "joint.frictionloss", "joint.group", "joint.user",
    "joint.solreflimit", "joint.solimplimit",
    "joint.joint1", "joint.joint2", "joint.polycoef", "joint.active", "joint.solref",
    "joint.solimp",
    "geom", "geom.name", "geom.class", "geom.type", "geom.size", "geom.pos", "geom.quat",
    "geom.axisangle", "geom.xyaxes", "geom.zaxis", "geom.euler", "geom.fromto", "geom.mesh",
    "geom.contype", "geom.conaffinity", "geom.group", "geom.friction", "geom.margin", "geom.gap",
    "geom.condim", "geom.priority", "geom.solmix", "geom.solref", "geom.solimp",
    "geom.mass", "geom.density", "geom.rgba", "geom.material", "geom.user",
    "site", "site.name", "site.class", "site.pos", "site.quat", "site.axisangle", "site.xyaxes",
    "site.zaxis", "site.euler", "site.fromto", "site.type", "site.size", "site.rgba",
    "site.material", "site.group", "site.user",
    "contact", "exclude", "exclude.name", "exclude.body1", "exclude.body2",
    "equality", "weld", "weld.name", "weld.class", "weld.body1", "weld.body2", "weld.relpose",
    "weld.anchor", "weld.active", "weld.solref", "weld.solimp", "weld.torquescale", "connect", "connect.name", "connect.class", "connect.body1",
    "connect.body2", "connect.anchor", "connect.active", "connect.solref", "connect.solimp",
    "tendon", "spatial", "spatial.name", "spatial.class", "spatial.limited", "spatial.range",
    "spatial.rgba", "spatial.width", "spatial.material", "spatial.group", "site.site",
    "actuator", "general", "motor", "position", "velocity", "intvelocity", "damper", "muscle",
    "general.name", "general.class", "general.joint", "general.gear", "general.ctrllimited",
    "general.ctrlrange", "general.forcelimited", "general.forcerange", "general.gaintype",
    "general.gainprm", "general.biastype", "general.biasprm", "general.dyntype",
    "general.dynprm", "general.actlimited", "general.actrange", "general.actearly",
    "general.lengthrange", "general.group", "general.user",
    "motor.name", "motor.class", "motor.joint", "motor.gear", "motor.ctrllimited",
    "motor.ctrlrange", "motor.forcelimited", "motor.forcerange", "motor.group", "motor.user",
    "position.name", "position.class", "position.joint", "position.gear",
    "position.ctrllimited", "position.ctrlrange", "position.forcelimited",
    "position.forcerange", "position.kp", "position.kv", "position.group", "position.user",
    "velocity.name", "velocity.class", "velocity.joint", "velocity.gear",
    "velocity.ctrllimited", "velocity.ctrlrange", "velocity.forcelimited",
    "velocity.forcerange", "velocity.kv", "velocity.group", "velocity.user",
    "intvelocity.name", "intvelocity.class", "intvelocity.joint", "intvelocity.gear",
    "intvelocity.ctrllimited", "intvelocity.ctrlrange", "intvelocity.forcelimited",
    "intvelocity.forcerange", "intvelocity.actlimited", "intvelocity.actrange", "intvelocity.kp",
    "intvelocity.kv", "intvelocity.group", "intvelocity.user",
    "damper.name", "damper.class", "damper.joint", "damper.gear", "damper.ctrllimited",
    "damper.ctrlrange", "damper.forcelimited", "damper.forcerange", "damper.kv", "damper.group",
    "damper.user",
    "muscle.name", "muscle.class", "muscle.joint", "muscle.gear", "muscle.ctrllimited",
    "muscle.ctrlrange", "muscle.forcelimited", "muscle.forcerange", "muscle.actlimited",
    "muscle.actrange", "muscle.lengthrange", "muscle.timeconst", "muscle.tausmooth",
    "muscle.range", "muscle.force", "muscle.scale", "muscle.lmin", "muscle.lmax", "muscle.vmax",
    "muscle.fpmax", "muscle.fvmax", "muscle.group", "muscle.user",
    "keyframe", "key", "key.name", "key.time", "key.qpos", "key.qvel", "key.act", "key.ctrl",
    "custom", "numeric", "numeric.name", "numeric.data", "numeric.size", "text", "text.name",
    "text.data",
};
// clang-format on

constexpr std::size_t kClassNesting = 64;
constexpr std::size_t kIncludedFiles = 1000;

// The engine has one set of defaults for all actuators, one for all equalities and one for all
// tendons, whichever of their elements gives them.
std::string_view default_of(const XmlElement& element) {
  const std::string_view name = element.name;
  const std::string_view section = element.parent == nullptr ? "" : element.parent->name;
  if (section == "equality" || name == "weld" || name == "connect") return "equality";
  if (name == "spatial" || name == "fixed") return "tendon";
  return is_one_of(name, kActuatorShortcuts) ? "general" : name;
}

// What a class itself says of an attribute, or null.
template <typename Class>
const XmlAttribute* given_by(const Class& at, const XmlElement& element, std::string_view name) {
  const auto found = at.attributes.find(default_of(element));
  if (found == at.attributes.end()) return nullptr;
  const auto given = found->second.find(name);
  return given == found->second.end() ? nullptr : given->second;
}

// What an element says of itself, then what its classes say, the nearest first, until `visit`
// returns true.
template <typename Class, typename Visit>
void visit_given(const XmlElement& element, const Class* defaults, std::string_view name,
                 Visit visit) {
  if (const XmlAttribute* own = element.find(name); own != nullptr && visit(own)) return;
  for (const Class* at = defaults; at != nullptr; at = at->parent) {
    const XmlAttribute* const given = given_by(*at, element, name);
    if (given != nullptr && visit(given)) return;
  }
}

}  // namespace

std::vector<const XmlAttribute*> MjcfReader::View::find_all(std::string_view name) const {
  std::vector<const XmlAttribute*> all;
  visit_given(*element, defaults, name, [&](const XmlAttribute* given) {
    all.push_back(given);
    return false;
  });
  return all;
}

const XmlAttribute* MjcfReader::View::find(std::string_view name) const {
  const XmlAttribute* nearest = nullptr;
  visit_given(*element, defaults, name, [&](const XmlAttribute* given) {
    nearest = given;
    return true;
  });
  return nearest;
}

std::optional<std::string_view> MjcfReader::View::nearest(
    std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (element->find(name) != nullptr) return name;
  }
  for (const DefaultsClass* at = defaults; at != nullptr; at = at->parent) {
    for (const std::string_view name : names) {
      if (given_by(*at, *element, name) != nullptr) return name;
    }
  }
  return std::nullopt;
}

std::string_view MjcfReader::View::text(std::string_view name, std::string_view fallback) const {
  const XmlAttribute* found = find(name);
  return found == nullptr ? fallback : found->value;
}

// An <include> stands for what is in the outermost element of its file. As in the engine each file
// comes in once.
bool MjcfReader::include_files(XmlElement& root) {
  std::vector<XmlElement*> open = {&root};
  std::set<std::string> seen;
  while (!open.empty()) {
    XmlElement& element = *open.back();
    open.pop_back();
    std::vector<XmlElement*> children;
    bool has_included = false;
    for (XmlElement* child : element.children) {
      if (child->name != "include") {
        children.push_back(child);
        continue;
      }
      const XmlAttribute* file = child->find("file");
      const Where where = in_.where(*child);
      const auto refuse = [&](std::string message) {
        in_.faults->error("robot-include", where, std::move(message));
      };
      if (file == nullptr) {
        refuse("An <include> names no file.");
        continue;
      }
      const std::string name(file->value);
      if (in_.options->resolver == nullptr) {
        refuse(format_text("Nothing reads '{}'; it is left out.", name));
        continue;
      }
      const auto found = in_.options->resolver->resolve(name, in_.options->file);
      if (!found || seen.size() >= kIncludedFiles) {
        refuse(format_text("'{}' is not found; it is left out.", name));
        continue;
      }
      if (*found == in_.options->file || !seen.insert(*found).second) {
        refuse(format_text("'{}' is included twice; it is read once.", name));
        continue;
      }
      const auto bytes = in_.options->resolver->read(*found, in_.options->limits.file_bytes);
      if (bytes) in_.budget->add_file(*found, bytes->size());
      if (!bytes) {
        refuse(format_text("'{}': {}", name, bytes.error().message));
        continue;
      }
      XmlError error;
      XmlElement* const included = in_.tree->add(*bytes, *found, error);
      if (included == nullptr) {
        in_.faults->error("robot-xml", error.where, error.message);
        continue;
      }
      for (XmlElement* one : included->children) one->parent = &element;
      children.insert(children.end(), included->children.begin(), included->children.end());
      has_included = true;
    }
    element.children = std::move(children);
    // What was included may include more.
    if (has_included) {
      open.push_back(&element);
    } else {
      open.insert(open.end(), element.children.begin(), element.children.end());
    }
  }
  return true;
}

bool MjcfReader::run(XmlElement& root) {
  include_files(root);
  tell_unread(in_, root, kKnownMjcf);
  if (const XmlAttribute* model = root.find("model"); model != nullptr) {
    robot_.name = model->value;
  }
  for (const XmlElement* section : root.children) {
    if (section->name == "compiler") read_compiler(*section);
    if (section->name == "option") read_option(*section);
  }
  if (!has_gravity_) robot_.gravity.setZero();
  class_by_name_.emplace("main", &classes_.emplace_back());
  for (const XmlElement* section : root.children) {
    if (section->name == "default") read_defaults(*section);
  }
  robot_.has_masks = true;
  RobotBody& world = robot_.bodies.emplace_back();
  world.name = "world";
  bodies_by_name_.emplace("world", 0);
  has_inertial_.push_back(false);
  read_assets(root);
  read_bodies(root);
  finish_masses();
  finish_bodies(in_);
  read_contacts(root);
  read_equalities(root);
  read_tendons(root);
  read_actuators(root);
  read_keyframes(root);
  make_drives();
  return true;
}

void MjcfReader::read_compiler(const XmlElement& compiler) {
  const View view{&compiler, nullptr};
  degrees_ = view.text("angle", degrees_ ? "degree" : "radian") != "radian";
  auto_limits_ = flag(view, "autolimits", auto_limits_);
  strip_path_ = flag(view, "strippath", strip_path_);
  if (const XmlAttribute* order = view.find("eulerseq"); order != nullptr) {
    const bool is_order = order->value.size() == 3 &&
                          order->value.find_first_not_of("xyzXYZ") == std::string_view::npos;
    if (is_order) {
      euler_order_ = order->value;
    } else {
      in_.faults->error("robot-value", in_.where(*order),
                        format_text("'eulerseq' is \"{}\", not three of x, y and z.",
                                    order->value.substr(0, 20)));
    }
  }
  if (const XmlAttribute* folder = view.find("assetdir"); folder != nullptr) {
    mesh_folder_ = folder->value;
  }
  if (const XmlAttribute* folder = view.find("meshdir"); folder != nullptr) {
    mesh_folder_ = folder->value;
  }
  const std::string_view mode = view.text("inertiafromgeom");
  if (mode == "true") inertia_mode_ = InertiaMode::from_geoms;
  if (mode == "false") inertia_mode_ = InertiaMode::as_stated;
  if (mode == "auto") inertia_mode_ = InertiaMode::automatic;
  if (const auto groups = several(view, "inertiagrouprange", 2, 2)) {
    first_group_ = static_cast<int>(std::clamp((*groups)[0], -1e6, 1e6));
    last_group_ = static_cast<int>(std::clamp((*groups)[1], -1e6, 1e6));
  }
  least_mass_ = number(view, "boundmass").value_or(least_mass_);
  least_inertia_ = number(view, "boundinertia").value_or(least_inertia_);
  balances_ = flag(view, "balanceinertia", balances_);
  weighing_ = flag(view, "exactmeshinertia", weighing_ == MeshWeighing::exact)
                  ? MeshWeighing::exact
                  : MeshWeighing::legacy;
  if (const auto total = number(view, "settotalmass"); total && *total > 0.0) total_mass_ = total;
  if (const XmlAttribute* how = view.find("coordinate"); how != nullptr && how->value != "local") {
    in_.faults->error("robot-value", in_.where(*how),
                      "Only coordinates that are local are read; these are taken as local.");
  }
}

void MjcfReader::read_option(const XmlElement& option) {
  const View view{&option, nullptr};
  robot_.gravity = vector(view, "gravity").value_or(robot_.gravity);
  if (const auto step = number(view, "timestep"); step && *step > 0.0) robot_.time_step = step;
  const auto refuse = [&](std::string_view name) {
    in_.faults->error("robot-value", in_.where(*view.find(name)),
                      format_text("'{}' of <option> is \"{}\"; it is passed over.", name,
                                  view.text(name).substr(0, 20)));
  };
  if (const XmlAttribute* cone = view.find("cone"); cone != nullptr) {
    if (cone->value == "elliptic" || cone->value == "pyramidal") {
      robot_.friction.elliptic = cone->value == "elliptic";
    } else {
      refuse("cone");
    }
  }
  if (const auto ratio = number(view, "impratio")) {
    if (*ratio > 0.0) {
      robot_.friction.impratio = *ratio;
    } else {
      refuse("impratio");
    }
  }
  if (const auto steps = number(view, "noslip_iterations")) {
    if (*steps >= 0.0 && *steps <= 1e9 && *steps == std::floor(*steps)) {
      robot_.friction.noslip_iterations = static_cast<std::int32_t>(*steps);
    } else {
      refuse("noslip_iterations");
    }
  }
  // What the solver is told besides has no place in the layer.
  const auto tell = [&](const View& of, std::string_view name, std::string_view fallback) {
    const XmlAttribute* const said = of.find(name);
    if (said == nullptr || said->value == fallback) return;
    in_.faults->counted("robot-unread", in_.where(*said),
                        format_text("'{}' of <{}> is passed over: things move as by '{}'", name,
                                    of.element->name, fallback));
  };
  for (const XmlElement* flags : option.children) {
    if (flags->name != "flag") continue;
    const View flag_view{flags, nullptr};
    tell(flag_view, "eulerdamp", "enable");
    tell(flag_view, "multiccd", "disable");
    has_gravity_ = flag_view.text("gravity", has_gravity_ ? "enable" : "disable") != "disable";
    robot_.neighbours_collide =
        flag_view.text("filterparent", robot_.neighbours_collide ? "disable" : "enable") ==
        "disable";
  }
}

void MjcfReader::read_defaults(const XmlElement& outermost) {
  struct Open {
    const XmlElement* element;
    DefaultsClass* parent;
    std::size_t depth;
  };
  std::vector<Open> open = {{&outermost, nullptr, 0}};
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    const XmlAttribute* name = next.element->find("class");
    DefaultsClass* defaults = &classes_.front();  // That of the outermost, whatever its name.
    if (next.parent != nullptr) {
      const Where where = in_.where(*next.element);
      if (name == nullptr || next.depth > kClassNesting) {
        in_.faults->error("robot-value", where,
                          name == nullptr ? "A <default> inside another one needs a class."
                                          : "Classes are nested too deep.");
        continue;
      }
      defaults = &classes_.emplace_back();
      defaults->parent = next.parent;
      defaults->actuator = next.parent->actuator;
    }
    // The outermost of several sections are one class.
    if (name != nullptr &&
        class_by_name_.emplace(name->value, defaults).first->second != defaults) {
      in_.faults->error("robot-duplicate", in_.where(*name),
                        format_text("There are two classes '{}'; the first counts.", name->value));
    }
    for (const XmlElement* child : next.element->children) {
      if (child->name == "default") {
        open.push_back({child, defaults, next.depth + 1});
        continue;
      }
      for (const XmlAttribute& attribute : child->attributes) {
        defaults->attributes[default_of(*child)][attribute.name] = &attribute;
      }
      read_numbers(*child, defaults->actuator);
    }
  }
}

const MjcfReader::DefaultsClass* MjcfReader::class_of(const XmlElement& element,
                                                      const DefaultsClass* around) const {
  const XmlAttribute* name = element.find("class");
  if (name == nullptr) return around;
  const auto found = class_by_name_.find(name->value);
  if (found != class_by_name_.end()) return found->second;
  in_.faults->error("robot-reference", in_.where(*name),
                    format_text("There is no class '{}'.", name->value));
  return around;
}

void MjcfReader::read_bodies(const XmlElement& root) {
  for (const XmlElement* section : root.children) {
    if (section->name != "worldbody") continue;
    for (auto child = section->children.rbegin(); child != section->children.rend(); ++child) {
      pending_.push_back({*child, 0, Posed{}, &classes_.front()});
    }
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      read_element(next);
    }
  }
}

void MjcfReader::read_element(const Pending& pending) {
  const std::string_view name = pending.element->name;
  if (name == "geom") return read_geom(pending);
  if (name == "joint" || name == "freejoint") return read_joint(pending);
  if (name == "inertial") return read_inertial(pending);
  if (name == "site") return read_site(pending);
  if (name == "body" || name == "frame") read_body(pending);
}

void MjcfReader::read_body(const Pending& pending) {
  const XmlElement& element = *pending.element;
  Pending inside = pending;
  if (const XmlAttribute* childclass = element.find("childclass"); childclass != nullptr) {
    const auto found = class_by_name_.find(childclass->value);
    if (found != class_by_name_.end()) {
      inside.defaults = found->second;
    } else {
      in_.faults->error("robot-reference", in_.where(*childclass),
                        format_text("There is no class '{}'.", childclass->value));
    }
  }
  const View view{&element, nullptr};
  const Posed own = compose_poses(pending.offset, pose(view));
  inside.offset = own;
  if (element.name == "body") {
    if (!in_.budget->spend(sizeof(RobotBody))) return;
    inside.offset = Posed{};
    inside.body = static_cast<std::int32_t>(robot_.bodies.size());
    RobotBody& body = robot_.bodies.emplace_back();
    has_inertial_.push_back(false);
    body.where = in_.where(element);
    body.parent = pending.body;
    body.pose = own;
    body.name = view.text("name");
    if (!body.name.empty() &&
        !bodies_by_name_.emplace(element.find("name")->value, inside.body).second) {
      in_.faults->error(
          "robot-duplicate", in_.where(*element.find("name")),
          format_text("There are two bodies '{}'; the first is meant by others.", body.name));
    }
    const double lifted = number(view, "gravcomp").value_or(0.0);
    body.floats = lifted == 1.0;
    if (lifted != 0.0 && lifted != 1.0) {
      in_.faults->warning("robot-unread", in_.where(*view.find("gravcomp")),
                          format_text("Gravity that acts {} times is not written: it acts fully.",
                                      rounded_text(1.0 - lifted)));
    }
    if (flag(view, "mocap", false)) {
      if (pending.body == 0) {
        body.state = BodyState::kinematic;
      } else {
        in_.faults->error("robot-value", in_.where(*element.find("mocap")),
                          "A mocap body must lie in the world; it is taken as an ordinary one.");
      }
    }
  }
  for (auto child = element.children.rbegin(); child != element.children.rend(); ++child) {
    inside.element = *child;
    pending_.push_back(inside);
  }
}

// Bounds hold for every body, be it without any mass, and for its principal moments; moments that
// no solid has are then made equal, if the file wants that.
void MjcfReader::bound_mass(RobotBody& body) const {
  if (!body.has_mass && !(least_mass_ > 0.0)) return;
  body.has_mass = true;
  body.mass.mass = std::max(body.mass.mass, least_mass_);
  const physics::PrincipalInertia principal = physics::diagonalize(body.mass.inertia);
  Vector3d moments = principal.diagonal.cwiseMax(least_inertia_);
  constexpr double kNoise = 1e-9;  // Of flat things, whose largest moment is the sum of the others.
  const double largest = moments.maxCoeff();
  if (balances_ && largest > (moments.sum() - largest) * (1.0 + kNoise)) {
    moments.setConstant(moments.mean());
  }
  if (moments == principal.diagonal) return;
  const Matrix3d axes = principal.axes.normalized().toRotationMatrix();
  body.mass.inertia = axes * moments.asDiagonal() * axes.transpose();
}

// What MuJoCo does for bodies that do not say what they weigh.
void MjcfReader::finish_masses() {
  double sum = 0.0;
  for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
    RobotBody& body = robot_.bodies[i];
    const bool from_geoms = inertia_mode_ == InertiaMode::from_geoms ||
                            (inertia_mode_ == InertiaMode::automatic && !has_inertial_[i]);
    if (from_geoms) {
      std::vector<RobotMass> parts;
      for (const std::int32_t index : body.geoms) {
        const RobotGeom& geom = at(robot_.geoms, index);
        if (geom.group < first_group_ || geom.group > last_group_) continue;
        if (const auto part = mass_of(robot_, geom)) parts.push_back(*part);
      }
      body.has_mass = !parts.empty();
      if (body.has_mass) body.mass = sum_of(parts);
    }
    bound_mass(body);
    if (!body.has_mass) continue;
    sum += body.mass.mass;
  }
  if (!total_mass_ || !(sum > 0.0)) return;
  for (RobotBody& body : robot_.bodies) {
    body.mass.mass *= *total_mass_ / sum;
    body.mass.inertia *= *total_mass_ / sum;
  }
}

bool read_mjcf(const RobotInput& input, XmlElement& root) {
  return MjcfReader(input).run(root);
}

}  // namespace sinew::exporter::robot_import
