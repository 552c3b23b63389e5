// SPDX-License-Identifier: Apache-2.0
#include "export/robot_import/xml_tree.hpp"

#include <algorithm>
#include <functional>
#include <pugixml.hpp>
#include <utility>

#include "core/format_text.hpp"

namespace sinew::exporter::robot_import {

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const XmlAttribute& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

const XmlElement* XmlElement::child(std::string_view of_name) const {
  for (const XmlElement* one : children) {
    if (one->name == of_name) return one;
  }
  return nullptr;
}

XmlElement* XmlTree::add(const Bytes& bytes, std::string file, XmlError& error) {
  Source& source = sources_.emplace_back();
  source.file = std::move(file);
  source.text = std::string(bytes.text());
  source.lines.push_back(0);
  for (std::size_t i = 0; i < source.text.size(); ++i) {
    if (source.text[i] == '\n') source.lines.push_back(i + 1);
  }
  const auto refuse = [&](std::string message, std::size_t offset,
                          bool is_limit = false) -> XmlElement* {
    error = {std::move(message), place(source, offset), is_limit};
    return nullptr;
  };
  const std::size_t nul = source.text.find('\0');
  if (nul != std::string::npos) return refuse("The file is no text: it holds a NUL.", nul);

  // Names and values stay where they are in the text, which is how their places are known.
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer_inplace(
      source.text.data(), source.text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset));
    return refuse(format_text("The file is not XML: {}.", parsed.description()),
                  std::min(offset, source.text.size()));
  }
  const auto offset_of = [&](const char* text) {
    return static_cast<std::size_t>(text - source.text.data());
  };
  const pugi::xml_node outermost = document.document_element();
  for (pugi::xml_node other = outermost.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() != pugi::node_element) continue;
    return refuse("The file is not XML: it has two outermost elements.", offset_of(other.name()));
  }
  const auto make = [&](const pugi::xml_node& from, XmlElement* parent) {
    XmlElement& element = elements_.emplace_back();
    element.name = from.name();
    element.parent = parent;
    for (const pugi::xml_attribute attribute : from.attributes()) {
      element.attributes.push_back({attribute.name(), attribute.value()});
    }
    if (parent != nullptr) parent->children.push_back(&element);
    return &element;
  };
  const auto element_from = [](pugi::xml_node from) {
    while (from && from.type() != pugi::node_element) from = from.next_sibling();
    return from;
  };
  XmlElement* const root = make(outermost, nullptr);
  XmlElement* element = root;
  pugi::xml_node node = outermost;
  std::size_t depth = 1;
  while (true) {
    pugi::xml_node next = element_from(node.first_child());
    XmlElement* parent = element;
    if (next) {
      ++depth;
    } else {
      // Upwards, to the next that has something beside it.
      while (node != outermost && !(next = element_from(node.next_sibling()))) {
        node = node.parent();
        element = element->parent;
        --depth;
      }
      if (node == outermost) break;
      parent = element->parent;
    }
    if (depth > nesting_) {
      return refuse(format_text("Elements are nested deeper than {}.", nesting_),
                    offset_of(next.name()), true);
    }
    if (elements_left_ == 0) {
      return refuse("There are more elements than ImportRobotOptions::elements allows.",
                    offset_of(next.name()), true);
    }
    --elements_left_;
    element = make(next, parent);
    node = next;
  }
  return root;
}

Where XmlTree::place(const Source& source, std::size_t offset) const {
  const auto line = std::upper_bound(source.lines.begin(), source.lines.end(), offset) - 1;
  return {source.file, static_cast<std::uint32_t>(line - source.lines.begin() + 1),
          static_cast<std::uint32_t>(offset - *line + 1)};
}

Where XmlTree::where(std::string_view text) const {
  const std::less_equal<> before;  // Of pointers into different texts, too.
  for (const Source& source : sources_) {
    const char* const first = source.text.data();
    if (before(first, text.data()) && before(text.data(), first + source.text.size())) {
      return place(source, static_cast<std::size_t>(text.data() - first));
    }
  }
  return {};
}

Where XmlTree::where(const XmlElement& element) const {
  Where found = where(element.name);
  if (found.column > 1) --found.column;  // At its '<'.
  return found;
}

}  // namespace sinew::exporter::robot_import
