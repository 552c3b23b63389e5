// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "core/format_text.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/writer.hpp"

namespace sinew::exporter {

using stage::Prim;

namespace {

void tell_lost_attributes(Writer& w, const Prim& prim) {
  std::string lost;
  for (const char* said :
       {"horizontalApertureOffset", "verticalApertureOffset", "fStop", "exposure"}) {
    const stage::Attribute attribute = prim.attribute(said);
    if (!attribute || (!attribute.might_be_time_varying() &&
                       attribute.get<float>(w.shown).value_or(0.0F) == 0.0F)) {
      continue;
    }
    append_item(lost, said);
  }
  if (lost.empty()) return;
  w.warn("gltf-camera-attribute", prim,
         format_text("glTF has no place for what {} says of {}; it is left out.",
                     prim.path().view(), lost));
}

}  // namespace

void add_camera(Writer& w, PlanNode& node, const Prim& prim) {
  const Origin origin = read_origin(prim);
  const auto number = [&](const char* name, double fallback) {
    const stage::Attribute attribute = prim.attribute(name);
    if (!attribute) return fallback;
    w.tell_if_animated(attribute);
    const auto value = attribute.get<float>(w.shown);
    return value && std::isfinite(*value) ? static_cast<double>(*value) : fallback;
  };
  const double horizontal = number("horizontalAperture", 20.955);
  const double vertical = number("verticalAperture", 15.2908);
  const double focal = number("focalLength", 50.0);
  Vector2f range(1.0F, 1e6F);
  if (const stage::Attribute attribute = prim.attribute("clippingRange")) {
    w.tell_if_animated(attribute);
    range = attribute.get<Vector2f>(w.shown).value_or(range);
  }
  const double near_plane = static_cast<double>(range.x()) * w.meters;
  const double far_plane = static_cast<double>(range.y()) * w.meters;
  const stage::Attribute projection = prim.attribute("projection");
  const bool is_flat = projection && projection.get_text(w.shown) == "orthographic";
  Json camera = Json::object();
  const std::string name = origin.mesh.value_or(std::string(prim.name().view()));
  if (!name.empty()) camera["name"] = name;
  const auto rounded = [](double value) { return json_number(static_cast<float>(value)); };
  // Apertures are tenths of units.
  const double width = is_flat ? horizontal / 20.0 * w.meters : horizontal / vertical;
  const double height =
      is_flat ? vertical / 20.0 * w.meters : 2.0 * std::atan(vertical / (2.0 * focal));
  const auto fits = [](double value) {
    const auto written = static_cast<float>(value);
    return written > 0.0F && std::isfinite(written);
  };
  const bool good_near = fits(near_plane) || (is_flat && near_plane == 0.0);
  const bool good_range = good_near && fits(far_plane) &&
                          static_cast<float>(far_plane) > static_cast<float>(near_plane);
  if (!(horizontal > 0.0) || !(vertical > 0.0) || (!is_flat && !(focal > 0.0)) || !good_range ||
      !fits(width) || !fits(height)) {
    w.warn("gltf-camera", prim,
           format_text("The camera {} has an aperture, focal length or clipping range that glTF "
                       "does not allow; it is left out.",
                       prim.path().view()));
    return;
  }
  if (is_flat) {
    camera["type"] = "orthographic";
    Json& data = camera["orthographic"] = Json::object();
    data["xmag"] = rounded(width);
    data["ymag"] = rounded(height);
    data["zfar"] = rounded(far_plane);
    data["znear"] = rounded(near_plane);
  } else {
    camera["type"] = "perspective";
    Json& data = camera["perspective"] = Json::object();
    data["aspectRatio"] = rounded(width);
    data["yfov"] = rounded(height);
    data["zfar"] = rounded(far_plane);
    data["znear"] = rounded(near_plane);
  }
  tell_lost_attributes(w, prim);
  if (w.options.extras) add_source_path(camera, prim.path().view());
  node.camera = static_cast<std::int32_t>(w.document.cameras.size());
  w.document.cameras.push_back(std::move(camera));
  node.needed = true;
}

}  // namespace sinew::exporter
