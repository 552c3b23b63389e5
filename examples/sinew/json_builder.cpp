// SPDX-License-Identifier: Apache-2.0
#include "json_builder.hpp"

#include <utility>

namespace sinew::tool {

JsonBuilder::JsonBuilder(Json& document) : next_(&document) {
  if (document.is_structured()) {
    open_.push_back(&document);
    next_ = nullptr;
  }
}

void JsonBuilder::begin_array(std::size_t count) {
  Json& list = place(Json::array());
  list.get_ref<Json::array_t&>().reserve(count);
  open_.push_back(&list);
}

Json& JsonBuilder::place(Json value) {
  if (next_ != nullptr) return *std::exchange(next_, nullptr) = std::move(value);
  open_.back()->push_back(std::move(value));
  return open_.back()->back();
}

Json to_json(const layer::Value& value) {
  Json document;
  JsonBuilder builder(document);
  exporter::write_value_json(builder, value);
  return document;
}

}  // namespace sinew::tool
