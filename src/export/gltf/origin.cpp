// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/origin.hpp"

#include "sinew/layer/value.hpp"

namespace sinew::exporter {

namespace {

/// Entries of the dictionary, by their expected types.
class Entries {
 public:
  explicit Entries(const layer::Dictionary& dictionary) : dictionary_(dictionary) {}

  void read(std::string_view key, bool& out) const {
    if (const layer::Value* const value = find(key)) out = value->get<bool>().value_or(out);
  }
  void read(std::string_view key, std::string& out) const {
    const layer::Value* const value = find(key);
    if (value == nullptr || value->type() != layer::ElementType::string) return;
    if (const auto text = value->text()) out = *text;
  }
  void read(std::string_view key, std::optional<std::string>& out) const {
    const layer::Value* const value = find(key);
    if (value == nullptr || value->type() != layer::ElementType::string) return;
    if (const auto text = value->text()) out = std::string(*text);
  }
  void read(std::string_view key, std::optional<std::vector<std::string>>& out) const {
    const layer::Value* const value = find(key);
    if (value == nullptr || !value->is_array() || value->type() != layer::ElementType::string) {
      return;
    }
    out.emplace();
    for (const Token& token : value->as_array<Token>()) out->push_back(std::string(token.view()));
  }

 private:
  const layer::Value* find(std::string_view key) const {
    const layer::DictionaryEntry* const entry = layer::find(dictionary_, key);
    return entry == nullptr ? nullptr : &entry->value;
  }

  const layer::Dictionary& dictionary_;
};

}  // namespace

Origin read_origin(const stage::Prim& prim) {
  Origin result;
  const layer::Value data = prim.metadata("customData");
  const layer::Dictionary* const all = data.as_dictionary();
  const layer::DictionaryEntry* const own =
      all == nullptr ? nullptr : layer::find(*all, origin::kDictionary);
  if (own == nullptr || own->value.as_dictionary() == nullptr) return result;
  const Entries entries(*own->value.as_dictionary());
  entries.read(origin::kPart, result.part);
  entries.read(origin::kEmpty, result.empty);
  entries.read(origin::kColors, result.colors);
  entries.read(origin::kCollider, result.collider);
  entries.read(origin::kBlend, result.blend);
  entries.read(origin::kOnBody0, result.on_body[0]);
  entries.read(origin::kOnBody1, result.on_body[1]);
  entries.read(origin::kName, result.name);
  entries.read(origin::kMesh, result.mesh);
  entries.read(origin::kSkin, result.skin);
  entries.read(origin::kConnected, result.connected);
  entries.read(origin::kScene, result.scene);
  entries.read(origin::kClip, result.clip);
  entries.read(origin::kTargets, result.targets);
  entries.read(origin::kJoints, result.joints);
  entries.read(origin::kJoint, result.joint);
  entries.read(origin::kSkeleton, result.skeleton);
  entries.read(origin::kExtras, result.extras);
  entries.read(origin::kMeshExtras, result.mesh_extras);
  return result;
}

void add_extras(Json& object, const std::string& text) {
  if (text.empty()) return;
  constexpr std::size_t kDeepest = 64;  // What writes it recurses.
  if (json_nesting(text) > kDeepest) return;
  const ParsedJson extras = parse_json(text);
  if (extras.fault) return;
  for (const auto& [key, value] : extras.document.members()) object["extras"][key] = value;
}

}  // namespace sinew::exporter
