// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/stage/stage.hpp"
#include "stage/variable_expression.hpp"

namespace sinew::stage {

/// A layer in a layer stack; times of the layer map to times of the stack by `offset`.
struct StackLayer {
  std::uint32_t layer = 0;          ///< Into LayerRegistry::layers().
  layer::LayerOffset offset;        ///< Of its references and payloads.
  layer::LayerOffset value_offset;  ///< Of its values: where it stands first, if more than once.
};

/// A layer with its sublayers, strongest first: what one site composes from.
struct LayerStack {
  std::vector<StackLayer> layers;
  std::uint32_t root = 0;
  double rate = 24.0;  ///< Time codes per second.
  /// Valid relocates: source -> target (empty: removed), and target -> source.
  std::map<layer::Path, layer::Path> relocates;
  std::map<layer::Path, layer::Path> relocate_sources;
  /// The same, and with sources as they are before anything is moved; what is removed is left out.
  std::vector<std::pair<layer::Path, layer::Path>> full_relocates;
  /// Of those that move what others moved: source -> source as it is before anything is moved.
  std::map<layer::Path, layer::Path> nested_relocates;
  std::map<std::string, ExpressionValue, std::less<>> variables;
  const LayerStack* variables_source = nullptr;  ///< The outermost stack with these variables.
};

/// Reads each layer once, and makes layer stacks.
class LayerRegistry {
 public:
  LayerRegistry(const OpenOptions& options, AssetResolver& resolver,
                std::shared_ptr<TokenTable> tokens, Diagnostics& diagnostics)
      : options_(options),
        resolver_(resolver),
        tokens_(std::move(tokens)),
        diagnostics_(diagnostics) {}

  const std::vector<layer::LayerPtr>& layers() const noexcept { return layers_; }

  /// Prim specs of all layers read so far.
  std::uint64_t prims_read() const noexcept { return prims_read_; }
  /// Whether any layer has array edits whose sizes fill arrays.
  bool has_fills() const noexcept { return has_fills_; }

  /// Takes a layer that was read elsewhere.
  std::uint32_t adopt(layer::LayerPtr layer);

  /// The layer that `asset_path`, written in layer `anchor`, means; reads it if it is new. Errors
  /// name what led there: `context`.
  Result<std::uint32_t> load(std::string_view asset_path, std::uint32_t anchor);
  /// Whether `asset_path` can be found; it is not read.
  bool exists(std::string_view asset_path, std::uint32_t anchor);
  Result<std::uint32_t> load_resolved(const std::string& identifier);

  /// The stack of a root layer, and of a session layer if there is one. `variables` are those of
  /// the referencing stack, which win. Null if there are too many.
  const LayerStack* stack(std::uint32_t root, const LayerStack* referencing,
                          const std::uint32_t* session = nullptr);

  /// Whether an asset path that layer `anchor` wrote, and that led to `found`, was looked for and
  /// found elsewhere than beside that layer.
  bool is_found_elsewhere(std::string_view asset_path, std::uint32_t anchor,
                          const std::string& found);

  /// Time codes per second of a layer by itself.
  double rate_of(std::uint32_t layer) const;

  /// The text with a variable expression evaluated; nothing (and reported) if that fails.
  std::optional<std::string> evaluate(std::string_view text, const LayerStack& stack,
                                      std::uint32_t layer);

  Token find_token(std::string_view text) const noexcept { return tokens_->find(text); }
  Token intern(std::string_view text) { return tokens_->intern(text); }

  void report(Severity severity, std::string_view code, std::string message, std::uint32_t layer,
              std::uint32_t line, std::string_view path = {});

 private:
  void add_layer(LayerStack& stack, std::uint32_t layer, const layer::LayerOffset& offset,
                 std::vector<std::uint32_t>& open);
  void read_relocates(LayerStack& stack);
  void read_variables(LayerStack& stack, const LayerStack* referencing,
                      const std::uint32_t* session);

  const OpenOptions& options_;
  AssetResolver& resolver_;
  std::shared_ptr<TokenTable> tokens_;
  Diagnostics& diagnostics_;
  std::vector<layer::LayerPtr> layers_;
  std::uint64_t prims_read_ = 0;
  bool has_fills_ = false;
  std::unordered_map<std::string, std::uint32_t> by_identifier_;
  std::map<std::string, Error> failed_;  // What could not be read before.
  std::map<std::string, std::unique_ptr<LayerStack>> stacks_;
  std::vector<std::uint32_t> first_places_;  // In the stack being made, by layer; 1 for the first.
  bool stack_limit_told_ = false;
};

}  // namespace sinew::stage
