// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stage/clips.hpp"
#include "stage/layer_registry.hpp"

namespace sinew::stage {

/// The specs that one site of a prim has, as the clip loader needs them.
struct ClipSite {
  struct Opinion {
    const layer::PrimSpec* spec = nullptr;
    std::uint32_t stack_layer = 0;  ///< Into stack->layers.
    std::uint32_t layer = 0;        ///< Into LayerRegistry::layers().
    std::uint32_t mapping = 0;      ///< Into Stage::Impl::mappings.
    layer::LayerOffset offset;      ///< Of that mapping.
  };
  const LayerStack* stack = nullptr;
  layer::Path path;               ///< With variant selections.
  std::vector<Opinion> opinions;  ///< Strongest first; may be empty.
};

/// Finds the value clips of prims while a stage is composed, and reads their layers.
class ClipLoader {
 public:
  /// The clip sets that apply to a prim and to what is below it; 0: none.
  using Scope = std::uint32_t;

  ClipLoader(const OpenOptions& options, LayerRegistry& registry)
      : options_(options), registry_(registry) {}

  /// The scope of a prim with `clips` metadata, whose parent has the scope `outer`.
  /// @param sites  All that count, strongest first.
  Scope enter(Scope outer, std::span<const ClipSite> sites);

  /// The scope of what is below an instance, whose own scope is `scope` and that of its parent
  /// `outer`: the clips of its ancestors do not reach there.
  Scope below_instance(Scope scope, Scope outer);

  /// Puts the clips of a scope among the opinions about a node. Nodes come in ascending order.
  void attach(std::uint32_t node, Scope scope, std::span<const ClipSite> sites);

  /// Names the clips of a scope that reach what is below a site: equal exactly if they are.
  std::string key_of(Scope scope, const LayerStack& stack, const layer::Path& path) const;

  /// All that was attached; null if nothing was.
  std::shared_ptr<const ClipTable> take();

 private:
  enum Key : std::uint8_t {
    kAssetPaths,
    kPrimPath,
    kManifest,
    kActive,
    kTimes,
    kInterpolate,
    kTemplate,
    kTemplateStart,
    kTemplateEnd,
    kTemplateStride,
    kTemplateOffset,
    kKeyCount,
  };
  static constexpr std::array<std::string_view, kKeyCount> kKeyNames = {
      "assetPaths",
      "primPath",
      "manifestAssetPath",
      "active",
      "times",
      "interpolateMissingClipValues",
      "templateAssetPath",
      "templateStartTime",
      "templateEndTime",
      "templateStride",
      "templateActiveOffset"};

  // The strongest opinion about one entry of a clip set.
  struct Entry {
    const layer::Value* value = nullptr;
    const ClipSite* site = nullptr;
    const ClipSite::Opinion* opinion = nullptr;
    std::uint32_t line = 0;
  };
  // One opinion about a clip set; its value is the dictionary of its entries.
  struct Part {
    Entry at;
    std::uint32_t site_rank = 0;  // Which site, strongest first.
    std::uint32_t list_rank = 0;  // The set's place in that site's list.
  };
  struct Definition {
    Token name;
    std::vector<Part> parts;               // Strongest first.
    std::array<Entry, kKeyCount> entries;  // The strongest of each.
    Part anchor;                           // The strongest that names clips; no value if none does.
    layer::LayerOffset frame;              // Stage time = time in `active` * scale + offset.
    layer::LayerOffset times_from;         // The offset of the times in `times`,
    layer::LayerOffset times_to;           // and that of `active` beside them.
  };
  // Where a binding is anchored, in the terms of composition.
  struct Anchor {
    const LayerStack* stack = nullptr;
    layer::Path path;
    std::uint32_t stack_layer = 0;
  };
  struct ScopeEntry {
    Scope outer = 0;
    std::vector<std::uint32_t> bindings;  // Strongest first.
  };
  // Clips as they are listed, before anything is opened.
  struct Plan {
    std::vector<std::string> assets;
    std::vector<ClipSet::Active> active;  // `clip` is a place in `assets`.
    std::vector<ClipSet::Knot> times;
  };

  std::vector<Definition> compose(std::span<const ClipSite> sites);
  void place(Definition& definition) const;
  static const layer::Value* entry_of(const Part& part, Key key);
  bool names_clips(const Part& part) const;
  const layer::LayerOffset* frame_at(const Definition& definition, const ClipSite* site,
                                     Key key) const;
  static bool keeps_stage_times(const Definition& definition);
  std::optional<std::uint32_t> bind(const Definition& definition);
  std::shared_ptr<const ClipSet> load(const Definition& definition);
  bool plan_explicit(const Definition& definition, Plan& plan);
  bool plan_template(const Definition& definition, Plan& plan);
  bool fits(const Entry& anchor, const ClipSet& set);
  std::uint32_t open(const std::string& asset, const Entry& from, std::string_view set);
  std::shared_ptr<const ClipContents> contents(const std::vector<std::uint32_t>& layers,
                                               const std::string& prim_path,
                                               std::optional<std::uint32_t> manifest);

  std::optional<std::uint32_t> find_prim(const ClipContents& contents, const layer::Path& anchor,
                                         const layer::Path& path) const;

  std::optional<std::string> text(const Definition& definition, Key key,
                                  layer::ElementType expected);
  std::optional<double> number(const Definition& definition, Key key);
  // An empty array may have lost its type.
  static bool is_array_of(const layer::Value& value, layer::ElementType expected) {
    return value.is_array() && (value.type() == expected || value.size() == 0);
  }
  bool is_array(const Definition& definition, Key key, layer::ElementType expected,
                Severity severity);
  bool spend(std::uint64_t entries) noexcept;
  void report(const Entry& at, Severity severity, std::string_view code, std::string message);
  bool report_limit(const Entry& at, std::string message);
  void report_spent(std::uint32_t layer, std::uint32_t line);

  const OpenOptions& options_;
  LayerRegistry& registry_;
  ClipTable table_;
  std::vector<Anchor> anchors_;            // Parallel to table_.bindings.
  std::vector<ScopeEntry> scopes_ = {{}};  // The first is "none".
  std::unordered_map<std::string, std::shared_ptr<const ClipSet>> sets_;
  std::unordered_map<std::string, std::shared_ptr<const ClipContents>> contents_;
  std::unordered_map<std::string, std::uint32_t> bindings_;
  std::unordered_map<std::string, std::uint32_t> opened_;  // Anchor and asset -> layer.
  std::uint64_t spent_ = 0;                                // Of Limits::clip_entries.
  bool spent_reported_ = false;
  bool missing_reported_ = false;
};

}  // namespace sinew::stage
