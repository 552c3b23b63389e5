// SPDX-License-Identifier: Apache-2.0
// Children are found by names that mostly occur once; in any other file too they have to be those
// that a plain search finds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"
#include "support/random.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::listed_names_test {
namespace {

using namespace test;

using Names = std::vector<std::string>;

// A file of a few prims whose lists of properties and of children name what there is, what there
// is not, and the same more than once; some texts have several numbers.
class RandomLists {
 public:
  explicit RandomLists(std::uint64_t seed) : random_(seed) {
    const std::size_t count = random_.chance(20) ? 40 : 6;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = random_.chance(8) ? "no name " + std::to_string(i)
                                                 : std::string(i % 20 + 1, 'n') + std::to_string(i);
      for (int k = random_.chance(20) ? 3 : 1; k > 0; --k) {
        names_.push_back({k == 1 ? crate_.token(name) : crate_.repeated_token(name), name});
      }
    }
    Names prims;
    for (int i = 0; i < 5; ++i) prims.push_back("P" + std::to_string(i));
    crate_.spec(0, 7, {{"primChildren", crate_.token_vector(prims)}});
    for (const std::string& prim : prims) add_prim(prim);
  }

  std::string build() { return crate_.build(); }
  const std::vector<std::pair<Names, Names>>& expected() const { return expected_; }

 private:
  struct Name {
    std::uint32_t token;
    std::string text;
  };

  void add_prim(const std::string& name) {
    const std::uint32_t prim = crate_.path(0, name);
    // Children with their specs, by token; properties come first, as files have them.
    std::vector<Name> children[2];
    CrateBuilder::Fields fields;
    std::pair<Names, Names> found;
    for (const bool is_property : {true, false}) {
      for (const Name& each : names_) {
        if (random_.chance(60)) children[is_property ? 1 : 0].push_back(each);
      }
      std::vector<Name> listed;
      for (const Name& child : children[is_property ? 1 : 0]) {
        if (!random_.chance(10)) listed.push_back(child);
      }
      for (int extra = random_.between(0, 3); extra > 0; --extra) {
        listed.insert(
            listed.begin() + static_cast<std::ptrdiff_t>(random_.below(listed.size() + 1)),
            random_.of(names_));
      }
      std::vector<std::uint32_t> tokens;
      for (const Name& each : listed) tokens.push_back(each.token);
      fields.emplace_back(is_property ? "properties" : "primChildren",
                          crate_.token_vector_of(tokens));
      (is_property ? found.first : found.second) = search(children[is_property ? 1 : 0], listed);
    }
    crate_.spec(prim, 6, fields);
    for (const bool is_property : {true, false}) {
      for (const Name& child : children[is_property ? 1 : 0]) {
        crate_.spec(crate_.path_of_token(prim, child.token, is_property), is_property ? 8 : 6, {});
      }
    }
    expected_.push_back(std::move(found));
  }

  // The child of that number, else the first of that text, each once; and each text once.
  static Names search(const std::vector<Name>& children, const std::vector<Name>& listed) {
    Names found;
    std::vector<bool> taken(children.size());
    for (const Name& name : listed) {
      auto child = std::find_if(children.begin(), children.end(),
                                [&](const Name& c) { return c.token == name.token; });
      if (child == children.end()) {
        child = std::find_if(children.begin(), children.end(),
                             [&](const Name& c) { return c.text == name.text; });
      }
      if (child == children.end() || name.text.find(' ') != std::string::npos) continue;
      if (taken[static_cast<std::size_t>(child - children.begin())]) continue;
      taken[static_cast<std::size_t>(child - children.begin())] = true;
      if (std::find(found.begin(), found.end(), name.text) == found.end()) {
        found.push_back(name.text);
      }
    }
    return found;
  }

  sinew::test::Random random_;
  CrateBuilder crate_;
  std::vector<Name> names_;
  std::vector<std::pair<Names, Names>> expected_;
};

class ListedNames : public ReadCrate {};

TEST_F(ListedNames, AreFoundAsByAPlainSearch) {
  options_.on_error = OnError::keep_what_was_read;
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    RandomLists lists(seed);
    const layer::LayerPtr layer = read_layer(lists.build());
    ASSERT_NE(layer, nullptr);
    std::vector<std::pair<Names, Names>> read;
    for (const layer::PrimSpec* prim : layer->root().children) {
      auto& [properties, prims] = read.emplace_back();
      for (const auto& property : prim->properties) properties.push_back(property.name.str());
      for (const auto* child : prim->children) prims.push_back(child->name.str());
      found += properties.size() + prims.size();
    }
    ASSERT_EQ(read, lists.expected());
  }
  EXPECT_GT(found, 15'000U);
}

}  // namespace
}  // namespace sinew::usdc::listed_names_test
