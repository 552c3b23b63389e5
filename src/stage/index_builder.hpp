// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "stage/layer_registry.hpp"
#include "stage/prim_index.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// Items of all edits of a list.
template <typename T>
std::size_t edits_in(const layer::ListOp<T>& op) noexcept {
  return op.explicit_items.size() + op.deleted.size() + op.added.size() + op.prepended.size() +
         op.appended.size() + op.ordered.size();
}

/// Finds the sites that a prim composes from.
///
/// An index starts from that of the parent, with the child's name added to every site. Then arcs
/// are followed kind by kind until no site brings another one. Arcs to prims below the root need
/// what the ancestors of the target bring; their index is built apart, and put in place as a whole.
/// What depends on opinions anywhere waits until then: which variants are entered, those of the
/// target's ancestors too, and where what is specialized stands.
class IndexBuilder {
 public:
  IndexBuilder(const OpenOptions& options, LayerRegistry& registry);

  /// The index of a layer stack's root.
  PrimIndex root_index(const LayerStack& stack);
  /// The index of a child, arcs included.
  PrimIndex child_index(const PrimIndex& parent, Token name);
  /// The index of a prim that has one spec and ancestors without arcs.
  PrimIndex simple_index(const LayerStack& stack, const layer::PrimSpec& spec,
                         std::uint32_t stack_layer);

  /// Steps that composing may take, and whether it has taken more: nothing is followed any more
  /// then.
  std::uint64_t step_limit() const noexcept;
  bool is_exhausted() const noexcept {
    return steps_ + looks_ / kLooksPerStep > known_limit_ && exceeds_limit();
  }

  /// Counts what is read of one spec for a prim that arcs reach, and items of a list that is put
  /// together for it: small files repeat both for hundreds of thousands of prims.
  void count_reading(const layer::PrimSpec& spec) {
    look(spec.fields.size() + kLooksPerItem * spec.properties.size());
    if (spec.extra != nullptr) count_items(spec.extra->property_order.size());
    if (is_repetitive(++specs_brought_)) {
      steps_ += steps_of_values(spec);
    } else if (registry_.has_fills()) {
      steps_ += steps_of_fills(spec);
    }
  }
  void count_items(std::size_t items) const noexcept { look(kLooksPerItem * items); }

  /// Whether so many prims or specs are a multiple of what was read: arcs or instances repeat it.
  bool is_repetitive(std::uint64_t count) const noexcept {
    return count > kUsualPrims + kUsualRepetitions * registry_.prims_read();
  }
  /// Steps that the values of a spec take besides, by their bytes, where they are repeated: who
  /// reads the stage makes something of them each time.
  std::uint64_t steps_of_values(const layer::PrimSpec& spec);
  /// Of what its array edits fill alone: one of them may fill more than a file holds.
  std::uint64_t steps_of_fills(const layer::PrimSpec& spec) const;

  /// Counts lookups of a name in all but the first of a site's specs.
  void count_lookups(std::size_t specs) const noexcept {
    if (specs > 1) look(kLooksPerItem * (specs - 1));
  }

  /// Whether to tell of a limit that cuts what is composed: the first one that is met is enough.
  bool tells_limit() noexcept {
    const bool is_first = !limit_told_;
    limit_told_ = true;
    return is_first;
  }

  /// The mapping of a node of an index of the stage itself; made when first asked for.
  std::uint32_t mapping_of(PrimIndex& index, std::uint32_t node);

  std::vector<Mapping> mappings;  ///< The first is the identity; outer ones come before inner ones.

 private:
  // What is still to be looked at, in this order.
  enum class Task : std::uint8_t {
    relocates,
    implied_relocates,
    references,
    payloads,
    inherits,
    specializes,
    implied_specializes,
    implied_classes,
    // Of the ancestors of an arc's target, then of the prim itself: which sets there are, what
    // someone selected, what is to be taken else, and sets that wait for somebody to select.
    ancestral_variant_sets,
    ancestral_authored_variant,
    ancestral_fallback_variant,
    ancestral_no_variant,
    variant_sets,
    authored_variant,
    fallback_variant,
    no_variant,
  };
  struct Job {
    Task task;
    std::uint32_t node;
    std::uint32_t order = 0;  // Of a variant set among those of its site.
    Token set{};
    std::uint32_t levels_up = 0;  // Elements from the node's site up to the one that has the set.
  };

  // An index that is being built. One for the target of an arc refers to the build that the arc is
  // in.
  struct Build {
    PrimIndex* index = nullptr;
    const Build* outer = nullptr;
    std::uint32_t arc_parent = 0;  // The node of the outer index that has the arc.
    Arc arc = Arc::root;
    bool skip_duplicates = false;  // Sites that the outer index has are left out.
    std::string rest{};            // From the prim of this index to the arc's target.
    bool is_full = false;          // A limit of arcs was met: no further one is followed.
    std::vector<Job> jobs{};       // A heap.
  };
  // A node of an index, or of one that it is built for.
  struct Place {
    const Build* build;
    std::uint32_t node;

    const IndexNode& get() const { return build->index->nodes[node]; }
    // The kind of arc that it will have when its index is in place.
    Arc arc() const { return node == 0 && build->outer != nullptr ? build->arc : get().arc; }
    bool goes_up();
  };

  // What is looked at in passing costs less than a step, but not nothing.
  static constexpr std::uint64_t kLooksPerStep = 64;
  // Paths of usual length are part of their site's step; long ones take memory of their own.
  static constexpr std::uint64_t kLettersPerStep = 128;
  static constexpr std::uint64_t kLooksPerArc = 4;    // Of an arc as authored, followed or not.
  static constexpr std::uint64_t kLooksPerItem = 4;   // Of a list, and for a name looked up.
  static constexpr std::uint64_t kLooksPerSpec = 16;  // Of a further spec of one site: it is kept.
  static constexpr std::uint64_t kStepsPerPair = 4;   // Of a map of paths that relocates change.
  static constexpr std::size_t kUsualPairs = 16;      // Maps of more are composed once.
  static constexpr std::uint64_t kUsualPrims = 1'000;
  static constexpr std::uint64_t kUsualRepetitions = 8;  // Of each prim that was read.
  // Of values that are repeated. The more there is to repeat, the more may be: what one level of
  // arcs brings grows with the square of a file.
  static constexpr std::uint64_t kBytesPerStep = 64;
  static constexpr std::uint64_t kSquaresPerByte = std::uint64_t{1} << 27;
  static constexpr std::uint64_t kBytesPerPrim = 64;
  void look(std::uint64_t count) const noexcept { looks_ += count; }
  void look_at_specialized(const PrimIndex& index) const noexcept;

  bool exceeds_limit() const noexcept;

  struct ArcTarget {
    const LayerStack* stack = nullptr;
    layer::Path path{};
    std::shared_ptr<const PathMap> map{};
    std::uint32_t order = 0;
    std::optional<std::uint32_t> depth{};  ///< Where the arc is; else at the prim itself.
    bool contributes = true;               ///< Whether the opinions of the site itself count.
    bool has_ancestors = false;            ///< Whether those of its ancestors are followed.
    bool skip_duplicates = false;
    bool is_placeholder = false;  ///< Nothing follows from it where it is.
    bool is_propagated = false;   ///< As ancestral as its origin.
    bool implied = false;
  };

  PrimIndex descend(const PrimIndex& parent, Token name, bool& has_arcs);
  static void drop_ended(PrimIndex& index);
  bool take_away_if_moved(PrimIndex& index) const;
  void run(Build& build);
  void run_job(Build& build, const Job& job);
  bool is_later(const PrimIndex& index, const Job& a, const Job& b) const;
  struct Later {  // The order of the heap of jobs.
    const IndexBuilder& builder;
    const PrimIndex& index;
    bool operator()(const Job& a, const Job& b) const { return builder.is_later(index, a, b); }
  };
  void add_job(Build& build, const Job& job);
  Job take_job(Build& build);
  void retry_variants(Build& build);
  void add_jobs(Build& build, std::uint32_t node, bool arcs_known, bool ancestral_variants);
  void add_jobs_below(Build& build, std::uint32_t top, bool arcs_known, bool ancestral_variants);
  void add_implied_classes(Build& build, std::uint32_t node);
  std::uint32_t add_arc(Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                        const ArcTarget& target);
  bool has_room(Build& build, std::uint32_t node);
  std::uint32_t place(Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                      const ArcTarget& target, PrimIndex sub);
  /// The index of an arc's target with what its ancestors bring.
  PrimIndex target_index(const Build& outer, std::uint32_t parent, Arc arc, const ArcTarget& target,
                         bool& is_moved);
  std::shared_ptr<const PathMap> arc_map(const LayerStack& stack, const layer::Path& parent,
                                         const layer::Path& source,
                                         const layer::LayerOffset& offset, bool root_identity);
  std::shared_ptr<const PathMap> compose_maps(const std::shared_ptr<const PathMap>& outer,
                                              const std::shared_ptr<const PathMap>& inner);
  std::uint32_t keep(std::shared_ptr<const PathMap> map);
  std::shared_ptr<const PathMap> map_to_root(const PrimIndex& index, std::uint32_t node);

  void evaluate_references(Build& build, std::uint32_t node, bool payloads);
  void drop_found_targets(PrimIndex& index) const;
  void check_targets(Build& build);
  bool has_specs_at_arc(const PrimIndex& index, std::uint32_t node) const;
  void evaluate_classes(Build& build, std::uint32_t node, Arc arc);
  void evaluate_implied_classes(Build& build, std::uint32_t node);
  void imply_class_tree(Build& build, std::uint32_t to, std::uint32_t from, const PathMap& transfer,
                        bool is_start);
  std::uint32_t find_class(const Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                           const layer::Path& path, const PathMap& map) const;
  std::uint32_t add_class_arc(Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                              const layer::Path& path, std::shared_ptr<const PathMap> map,
                              std::uint32_t order);
  static bool stands_for_moved(const PrimIndex& index, std::uint32_t node);
  std::uint32_t propagate(Build& build, std::uint32_t node);
  void propagate_specialized(Build& build, std::uint32_t top);
  void evaluate_relocates(Build& build, std::uint32_t node);
  void evaluate_implied_relocates(Build& build, std::uint32_t node);
  void find_variant_sets(Build& build, std::uint32_t node, const layer::Path& site,
                         std::uint32_t levels_up);
  static layer::Path site_of(const PrimIndex& index, const Job& job);
  void find_ancestral_variant_sets(Build& build, std::uint32_t node);
  void enter_authored_variant(Build& build, const Job& job);
  void enter_fallback_variant(Build& build, const Job& job);
  void add_variant(Build& build, const Job& job, Token selection);
  std::optional<Token> selection_of(const PrimIndex& index, const Job& job);
  std::optional<Token> entered_selection(const PrimIndex& index,
                                         const std::vector<std::uint32_t>& order,
                                         const std::vector<layer::Path>& paths, Token set);
  std::optional<Token> selection_at(const IndexNode& node, const layer::Path& site, Token set);
  bool may_select(const LayerStack& stack, const layer::Path& site) const;

  bool is_instance(const PrimIndex& index) const;
  bool is_instance_above(const Build& outer, const PrimIndex& index) const;
  bool is_cycle(const Build& build, std::uint32_t parent, std::uint32_t origin, Arc arc,
                const ArcTarget& target) const;
  bool is_duplicate(const Build& build, const ArcTarget& target) const;
  std::string chain_of(const Build& build, std::uint32_t node) const;
  void find_specs(IndexNode& node) const;
  void find_clips(IndexNode& node) const;
  template <typename Visitor>
  void visit_specs(const LayerStack& stack, const layer::Path& site, const Visitor& visit) const;
  /// At a node's site, or where it was `levels_up` above the prim.
  void report(const Build& build, std::uint32_t node, std::string_view code, std::string message,
              std::uint32_t stack_layer, std::uint32_t line, std::uint32_t levels_up = 0);

  const OpenOptions& options_;
  LayerRegistry& registry_;
  std::shared_ptr<const PathMap> identity_;
  // Of arcs where relocates move something below, and of maps with many pairs: what they are made
  // of in bytes, and where they are kept.
  std::unordered_map<std::string, std::uint32_t> made_maps_;
  std::vector<std::shared_ptr<const PathMap>> kept_maps_;
  std::uint64_t arc_count_ = 0;
  mutable std::uint64_t steps_ = 0;
  mutable std::uint64_t looks_ = 0;
  std::uint64_t specs_brought_ = 0;
  std::unordered_map<const layer::PrimSpec*, std::uint64_t> value_bytes_;  // What is repeated.
  std::uint64_t authored_bytes_ = 0;                                       // All of those as read.
  mutable std::uint64_t known_limit_ = 0;  // The limit as of late: layers read since then raise it.
  bool limit_told_ = false;
  // One report for one failing arc of one site, and not too many with one code: in small files
  // every prim can have an arc to every other.
  static constexpr std::uint32_t kMostOfACode = 1'000;
  std::unordered_set<std::string> reported_;
  std::unordered_map<std::string, std::uint32_t> told_;
};

}  // namespace sinew::stage
