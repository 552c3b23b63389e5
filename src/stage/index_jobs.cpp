// SPDX-License-Identifier: Apache-2.0
// What is done for the nodes of an index, and in which order.
#include <algorithm>
#include <utility>

#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

// Items of the lists that are gone through for every site a spec is brought to.
std::size_t items_in(const layer::PrimExtra& extra) noexcept {
  return edits_in(extra.inherits) + edits_in(extra.specializes) +
         edits_in(extra.variant_set_names) + extra.variant_selections.size() +
         extra.child_order.size();
}

}  // namespace

void IndexBuilder::run_job(Build& build, const Job& job) {
  const bool counts = build.index->nodes[job.node].counts();
  switch (job.task) {
    case Task::relocates:
      if (counts) evaluate_relocates(build, job.node);
      break;
    case Task::implied_relocates:
      evaluate_implied_relocates(build, job.node);
      break;
    case Task::references:
      if (counts) evaluate_references(build, job.node, false);
      break;
    case Task::payloads:
      if (counts) evaluate_references(build, job.node, true);
      break;
    case Task::inherits:
      if (counts) evaluate_classes(build, job.node, Arc::inherit);
      break;
    case Task::specializes:
      if (counts) evaluate_classes(build, job.node, Arc::specialize);
      break;
    case Task::implied_specializes:
      propagate_specialized(build, job.node);
      break;
    case Task::implied_classes:
      evaluate_implied_classes(build, job.node);
      break;
    case Task::ancestral_variant_sets:
      find_ancestral_variant_sets(build, job.node);
      break;
    case Task::variant_sets:
      if (counts) find_variant_sets(build, job.node, build.index->nodes[job.node].path, 0);
      break;
    case Task::ancestral_authored_variant:
    case Task::authored_variant:
      enter_authored_variant(build, job);
      break;
    case Task::ancestral_fallback_variant:
    case Task::fallback_variant:
      enter_fallback_variant(build, job);
      break;
    case Task::ancestral_no_variant:
    case Task::no_variant:
      break;  // Until something is entered that may select one.
  }
}

// Which of two jobs is done first matters where what is done depends on what is there.
bool IndexBuilder::is_later(const PrimIndex& index, const Job& a, const Job& b) const {
  if (a.task != b.task) return a.task > b.task;
  switch (a.task) {
    case Task::ancestral_authored_variant:
    case Task::ancestral_fallback_variant:
    case Task::authored_variant:
    case Task::fallback_variant:
      look(1);
      if (a.node != b.node) return index.compare(a.node, b.node) > 0;
      return a.levels_up != b.levels_up ? a.levels_up < b.levels_up : a.order > b.order;
    case Task::ancestral_no_variant:
    case Task::no_variant:
      if (a.node != b.node) return a.node > b.node;
      return a.levels_up != b.levels_up ? a.levels_up < b.levels_up : a.order > b.order;
    case Task::implied_classes: {
      // What is further in first; else the stronger one, whose classes stand for those of others.
      const auto is_above = [&](std::uint32_t above, std::uint32_t node) {
        while (node != kNoIndexNode && node != above) node = index.nodes[node].parent;
        return node == above;
      };
      look(1);
      if (is_above(a.node, b.node)) return a.node != b.node;
      if (is_above(b.node, a.node)) return false;
      return index.compare(a.node, b.node) > 0;
    }
    default:
      return a.node > b.node;
  }
}

void IndexBuilder::add_job(Build& build, const Job& job) {
  IndexNode& node = build.index->nodes[job.node];
  if (job.task == Task::implied_classes && std::exchange(node.implies_classes, true)) return;
  if (job.task == Task::implied_specializes && std::exchange(node.implies_specialized, true))
    return;
  build.jobs.push_back(job);
  std::push_heap(build.jobs.begin(), build.jobs.end(), Later{*this, *build.index});
}

IndexBuilder::Job IndexBuilder::take_job(Build& build) {
  std::pop_heap(build.jobs.begin(), build.jobs.end(), Later{*this, *build.index});
  const Job job = build.jobs.back();
  build.jobs.pop_back();
  if (job.task == Task::implied_classes) build.index->nodes[job.node].implies_classes = false;
  if (job.task == Task::implied_specializes) {
    build.index->nodes[job.node].implies_specialized = false;
  }
  return job;
}

// Notes what is to be looked at for a node. With `arcs_known` the node comes from an index that was
// built apart, where its arcs were followed already, but no variants were entered.
void IndexBuilder::add_jobs(Build& build, std::uint32_t node, bool arcs_known,
                            bool ancestral_variants) {
  const IndexNode& at = build.index->nodes[node];
  if (at.specs.size() > 1) look(kLooksPerSpec * (at.specs.size() - 1));
  std::array<bool, 5> has{};
  if (at.counts()) {
    for (const IndexNode::Spec& spec : at.specs) {
      const layer::PrimExtra* extra = spec.prim->extra;
      if (extra == nullptr) continue;
      has[0] = has[0] || !extra->references.empty();
      has[1] = has[1] || !extra->payloads.empty();
      has[2] = has[2] || !extra->inherits.empty();
      has[3] = has[3] || !extra->specializes.empty();
      has[4] = has[4] || !extra->variant_set_names.empty();
      count_items(items_in(*extra));
    }
  }
  const bool has_sets = has[4] && build.outer == nullptr;
  const bool has_relocates = !arcs_known && at.counts() && !at.stack->relocate_sources.empty();
  const bool has_outer_sets = ancestral_variants && at.below_variants && at.restricted != 1;
  const bool is_relocate = at.arc == Arc::relocate;
  if (has_sets) add_job(build, {Task::variant_sets, node});
  if (has_outer_sets) add_job(build, {Task::ancestral_variant_sets, node});
  if (!arcs_known) {
    if (has[3]) add_job(build, {Task::specializes, node});
    if (has[2]) add_job(build, {Task::inherits, node});
    if (has[1]) add_job(build, {Task::payloads, node});
    if (has[0]) add_job(build, {Task::references, node});
  }
  if (has_relocates) add_job(build, {Task::relocates, node});
  if (is_relocate) add_job(build, {Task::implied_relocates, node});
}

void IndexBuilder::add_jobs_below(Build& build, std::uint32_t top, bool arcs_known,
                                  bool ancestral_variants) {
  if (build.index->nodes[top].first_child == kNoIndexNode) {
    return add_jobs(build, top, arcs_known, ancestral_variants);
  }
  // Children first.
  std::vector<std::uint32_t> open{top};
  std::vector<std::uint32_t> order;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    order.push_back(node);
    for (std::uint32_t c = build.index->nodes[node].first_child; c != kNoIndexNode;
         c = build.index->nodes[c].next_sibling) {
      open.push_back(c);
    }
  }
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    add_jobs(build, *node, arcs_known, ancestral_variants);
  }
}

// Sets that nobody had selected a variant of are looked at again.
void IndexBuilder::retry_variants(Build& build) {
  for (auto job = build.jobs.begin(); job != build.jobs.end(); ++job) {
    switch (job->task) {
      case Task::fallback_variant:
      case Task::no_variant:
        job->task = Task::authored_variant;
        break;
      case Task::ancestral_fallback_variant:
      case Task::ancestral_no_variant:
        job->task = Task::ancestral_authored_variant;
        break;
      default:
        continue;
    }
    std::push_heap(build.jobs.begin(), job + 1, Later{*this, *build.index});
  }
}

}  // namespace sinew::stage
