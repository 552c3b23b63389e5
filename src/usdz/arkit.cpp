// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/arkit.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "usdz/package_reader.hpp"
#include "usdz/small_letters.hpp"

namespace sinew::usdz {

namespace {

using layer::Path;
using layer::PrimSpec;
using layer::PropertySpec;

// The types that come with USD and that viewers may know; point instancers are named separately.
constexpr auto kCoreTypes = std::to_array<std::string_view>({
    "BasisCurves",
    "BlendShape",
    "Camera",
    "Capsule",
    "Capsule_1",
    "Cone",
    "Cube",
    "Cylinder",
    "CylinderLight",
    "Cylinder_1",
    "DiskLight",
    "DistantLight",
    "DomeLight",
    "DomeLight_1",
    "Field3DAsset",
    "GenerativeProcedural",
    "GeomSubset",
    "GeometryLight",
    "HermiteCurves",
    "LightFilter",
    "Material",
    "Mesh",
    "NodeGraph",
    "NurbsCurves",
    "NurbsPatch",
    "OpenVDBAsset",
    "PhysicsCollisionGroup",
    "PhysicsDistanceJoint",
    "PhysicsFixedJoint",
    "PhysicsJoint",
    "PhysicsPrismaticJoint",
    "PhysicsRevoluteJoint",
    "PhysicsScene",
    "PhysicsSphericalJoint",
    "Plane",
    "PluginLight",
    "PluginLightFilter",
    "Points",
    "PortalLight",
    "RectLight",
    "RenderPass",
    "RenderProduct",
    "RenderSettings",
    "RenderVar",
    "Scope",
    "Shader",
    "SkelAnimation",
    "SkelRoot",
    "Skeleton",
    "SpatialAudio",
    "Sphere",
    "SphereLight",
    "TetMesh",
    "Volume",
    "Xform",
});

static_assert(std::is_sorted(kCoreTypes.begin(), kCoreTypes.end()));

constexpr std::string_view kUdim = "<UDIM>";

bool is_image_for_viewers(std::string_view name) {
  return name.ends_with(".png") || name.ends_with(".jpg") || name.ends_with(".jpeg");
}

bool is_known_shader(std::string_view id) {
  return id == "UsdPreviewSurface" || id == "UsdUVTexture" || id == "UsdTransform2d" ||
         id.starts_with("UsdPrimvarReader_");
}

template <typename T>
std::vector<T> items_of(const layer::ListOp<T>& op) {
  std::vector<T> items;
  layer::apply_list_op(op, items);
  return items;
}

// "a/./b/../c" as "a/c"; "../" stays in front of what leaves the package.
std::string plain(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string result;
  for (const std::string_view part : parts) {
    if (!result.empty()) result += '/';
    result += part;
  }
  return result;
}

class ArkitCheck {
 public:
  ArkitCheck(const layer::Layer& layer, std::span<const std::string_view> names,
             Diagnostics& diagnostics)
      : layer_(layer), names_(names), diagnostics_(diagnostics) {}

  void run() {
    check_metadata();
    for (const layer::SubLayer& sub_layer : layer_.sub_layers()) {
      warn(Path::root(), sub_layer.line, format_text("the sublayer @{}@", sub_layer.asset.view()),
           "is another file; viewers want one layer without arcs to others");
    }
    // No recursion: layers that were built in memory nest as deep as they like.
    std::vector<const PrimSpec*> open = {&layer_.root()};
    while (!open.empty()) {
      const PrimSpec& prim = *open.back();
      open.pop_back();
      if (prim.parent != nullptr) check_prim(prim);
      if (prim.extra != nullptr) {
        for (auto set = prim.extra->variant_sets.rbegin(); set != prim.extra->variant_sets.rend();
             ++set) {
          for (auto variant = set->variants.rbegin(); variant != set->variants.rend(); ++variant) {
            open.push_back(variant->prim);
          }
        }
      }
      open.insert(open.end(), prim.children.rbegin(), prim.children.rend());
    }
  }

 private:
  void warn(const Path& path, std::uint32_t line, std::string_view what, std::string_view problem) {
    Diagnostic diagnostic;
    diagnostic.code = "usdz-arkit";
    diagnostic.message = sentence(format_text("{} {}", what, problem));
    diagnostic.file = layer_.identifier();
    diagnostic.line = line;
    if (!path.empty() && !path.is_root()) diagnostic.path = path.str();
    diagnostics_.push_back(std::move(diagnostic));
  }

  void check_metadata() {
    const layer::Value* const prim = layer_.field("defaultPrim");
    if (prim == nullptr || prim->text().value_or("").empty()) {
      warn({}, 0, "the layer", "has no defaultPrim");
    }
    const layer::Value* const axis = layer_.field("upAxis");
    if (axis == nullptr || axis->text().value_or("") != "Y") {
      warn({}, 0, "the layer", "does not say upAxis = \"Y\"");
    }
    if (layer_.field("metersPerUnit") == nullptr) warn({}, 0, "the layer", "has no metersPerUnit");
  }

  void check_prim(const PrimSpec& prim) {
    check_type(prim);
    if (prim.extra != nullptr) {
      check_arcs(prim, prim.extra->references, "reference");
      check_arcs(prim, prim.extra->payloads, "payload");
    }
    bool has_rest = false;
    for (const PropertySpec& property : prim.properties) {
      has_rest = has_rest || property.name.view() == "restTransforms";
      check_property(prim, property);
    }
    const bool is_def = prim.specifier == layer::Specifier::def;
    if (is_def && prim.type_name.view() == "Skeleton" && !has_rest) {
      warn(layer_.path_of(prim), prim.line, "the skeleton", "has no restTransforms");
    }
    if (is_def && prim.type_name.view() == "Shader") check_shader(prim);
  }

  void check_type(const PrimSpec& prim) {
    const std::string_view type = prim.type_name.view();
    const bool is_known = type.empty() ||
                          std::binary_search(kCoreTypes.begin(), kCoreTypes.end(), type) ||
                          !types_.insert(type).second;
    if (is_known) return;
    warn(layer_.path_of(prim), prim.line, format_text("prims of the type '{}'", shown(type)),
         type == "PointInstancer" ? "are not shown" : "are not part of USD");
  }

  void check_arcs(const PrimSpec& prim, const layer::ListOp<layer::Reference>& arcs,
                  std::string_view kind) {
    for (const auto* const list :
         {&arcs.explicit_items, &arcs.added, &arcs.prepended, &arcs.appended}) {
      for (const layer::Reference& arc : *list) {
        if (arc.asset.view().empty()) continue;
        warn(layer_.path_of(prim), arc.line,
             format_text("the {} @{}@", kind, shown(arc.asset.view())),
             "leads to another file; viewers want one layer without arcs to others");
      }
    }
  }

  void check_property(const PrimSpec& prim, const PropertySpec& property) {
    check_assets(prim, property, property.default_value);
    if (const layer::TimeSamples* const samples = property.time_samples()) {
      for (const layer::Value& value : samples->values) check_assets(prim, property, value);
    }
    const std::string_view name = property.name.view();
    const layer::ListOp<Path>* const op = property.targets();
    if (op == nullptr) return;
    const bool is_binding = name == "material:binding" || name.starts_with("material:binding:");
    const bool is_connection = property.is_attribute();
    const std::vector<Path> targets = items_of(*op);
    if (name == "skel:animationSource" && targets.size() > 1) {
      complain(prim, property, "names more than one animation");
    }
    if (is_connection && targets.size() > 1) complain(prim, property, "has more than one source");
    if (!is_binding && !is_connection) return;
    for (const Path& target : targets) {
      if (!leads_somewhere(prim, target)) {
        complain(prim, property,
                 format_text("leads to <{}>, which is not in the layer", shown(target.view())));
      }
    }
  }

  // What comes in through references inside the layer cannot be seen here.
  bool leads_somewhere(const PrimSpec& prim, const Path& target) const {
    const Result<Path> absolute = target.make_absolute(layer_.path_of(prim).strip_variants());
    if (!absolute) return false;
    for (Path path = absolute->prim_path(); path.is_prim(); path = path.parent()) {
      const PrimSpec* const found = layer_.find_prim(path.view());
      if (found == nullptr) continue;
      if (path == absolute->prim_path()) return true;
      return found->extra != nullptr;  // Arcs or variants may bring the rest.
    }
    return false;
  }

  void check_assets(const PrimSpec& prim, const PropertySpec& property, const layer::Value& value) {
    if (value.type() != layer::ElementType::asset) return;
    if (!value.is_array()) return check_asset(prim, property, value.text().value_or(""));
    for (const Token asset : value.as_array<Token>()) check_asset(prim, property, asset.view());
  }

  void check_asset(const PrimSpec& prim, const PropertySpec& property, std::string_view asset) {
    if (asset.empty()) return;
    const std::string shown_asset = format_text("@{}@", shown(asset));
    if (asset.find(kUdim) != std::string_view::npos) {
      return complain(prim, property, "names UDIM tiles, " + shown_asset);
    }
    const std::string lower = in_small_letters(asset);
    if (prim.type_name.view() == "Shader" && !is_image_for_viewers(lower)) {
      complain(prim, property,
               format_text("names {}, neither a png nor a jpeg image", shown_asset));
    }
    if (!is_packed(asset)) {
      complain(prim, property, format_text("names {}, which is not in the package", shown_asset));
    }
  }

  // By the rules of paths in packages: from the layer's own directory.
  bool is_packed(std::string_view asset) const {
    if (names_.empty() || asset.starts_with('/')) return false;
    const std::string_view layer = names_.front();
    const std::size_t slash = layer.rfind('/');
    const std::string directory(slash == std::string_view::npos ? std::string_view()
                                                                : layer.substr(0, slash + 1));
    return std::find(names_.begin(), names_.end(), plain(directory + std::string(asset))) !=
           names_.end();
  }

  void check_shader(const PrimSpec& prim) {
    for (const PropertySpec& property : prim.properties) {
      if (property.name.view() != "info:id") continue;
      const std::string_view id = property.default_value.text().value_or("");
      if (is_known_shader(id)) return;
      return complain(prim, property,
                      format_text("is '{}', a shader that viewers do not know", shown(id)));
    }
    warn(layer_.path_of(prim), prim.line, "the shader", "has no info:id");
  }

  void complain(const PrimSpec& prim, const PropertySpec& property, std::string_view problem) {
    warn(layer_.path_of(prim), property.line, property.name.view(), problem);
  }

  const layer::Layer& layer_;
  std::span<const std::string_view> names_;
  Diagnostics& diagnostics_;
  std::set<std::string_view> types_;  // Complained about.
};

}  // namespace

void check_arkit(const layer::Layer& layer, std::span<const std::string_view> names,
                 Diagnostics& diagnostics) {
  ArkitCheck(layer, names, diagnostics).run();
}

}  // namespace sinew::usdz
