// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/result.hpp"

namespace sinew::exporter::robot_import {

/// A place in one of the files, lines and columns from 1.
struct Where {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// An attribute. Both texts lie in the file's own, where character references are decoded.
struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

/// An element of a file.
struct XmlElement {
  std::string_view name;
  XmlElement* parent = nullptr;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement*> children;

  const XmlAttribute* find(std::string_view attribute) const;
  /// The first child of that name, or null.
  const XmlElement* child(std::string_view of_name) const;
};

/// What went wrong with an XML text.
struct XmlError {
  std::string message;
  Where where;
  bool is_limit = false;  ///< The text is well-formed and too large.
};

/// XML files as elements and attributes alone. Document types are skipped and entities of their own
/// never expanded. Nothing here recurses.
class XmlTree {
 public:
  XmlTree(std::size_t elements, std::size_t nesting)
      : elements_left_(elements), nesting_(nesting) {}

  /// Adds a file.
  /// @return Its outermost element; null with an error.
  XmlElement* add(const Bytes& bytes, std::string file, XmlError& error);
  /// Where a name or a value begins. Cost: O(files + log lines).
  Where where(std::string_view text) const;
  Where where(const XmlElement& element) const;

 private:
  struct Source {
    std::string file;
    std::string text;
    std::vector<std::size_t> lines;  // Where each begins.
  };
  Where place(const Source& source, std::size_t offset) const;

  std::size_t elements_left_;
  std::size_t nesting_;
  std::deque<Source> sources_;
  std::deque<XmlElement> elements_;
};

}  // namespace sinew::exporter::robot_import
