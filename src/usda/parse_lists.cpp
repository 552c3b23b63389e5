// SPDX-License-Identifier: Apache-2.0
// Lists that edits can change: references, paths, names, and the list operations of metadata.
#include "usda/text_parser.hpp"

#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "layer/shared/list_edits.hpp"

namespace sinew::usda {

bool TextParser::reference_list(ListOp<Reference>& op, Edit edit, bool payloads) {
  const char* const at = scan_.position();
  std::vector<Reference> items;
  if (!edited_list(edit, [&] { return reference_item(items, payloads); })) return false;
  std::unordered_set<std::string> seen;
  for (const Reference& item : items) {
    if (items.size() == 1) break;
    const std::string key = format_text("{}\n{}\n{}\n{}", item.asset.view(), item.prim_path.view(),
                                        item.offset.offset, item.offset.scale);
    if (!seen.insert(key).second) {
      return scan_.fail(at, "usda-duplicate-item",
                        "The same reference or payload stands here twice.");
    }
  }
  set_list(op, edit, std::move(items));
  return true;
}

bool TextParser::reference_item(std::vector<Reference>& items, bool payload) {
  const char* const at = scan_.position();
  Reference item;
  item.line = scan_.line(at);
  bool has_path = scan_.peek() == '<';
  if (!has_path) {
    std::string_view text;
    if (!scan_.asset(text, scratch_)) return false;
    if (text.empty()) return scan_.fail(at, "usda-bad-reference", "The asset path is empty.");
    item.asset = intern(text);
    if (!scan_.pad()) return false;
    has_path = scan_.peek() == '<';
  }
  if (has_path) {
    const char* const path_at = scan_.position();
    std::string_view text;
    if (!scan_.path_text(text)) return false;
    Result<Path> path = Path::parse(text);
    const bool good = path && text != "." &&
                      (path->empty() ||
                       (path->is_absolute() && path->is_prim() && !path->has_variant_selection()));
    if (!good) {
      return scan_.fail(path_at, "usda-bad-path", "Expected the absolute path of a prim.",
                        "variant selections are not allowed here");
    }
    item.prim_path = *std::move(path);
  }
  if (!scan_.pad()) return false;
  if (scan_.take('(')) {
    const bool read = statements(')', "';', a line break or ')'", [&] {
      bool known = false;
      if (!layer_offset_item(item.offset, known)) return false;
      if (known) return true;
      if (!payload && scan_.take_word("customData")) {
        return equals_sign() && dictionary(item.custom_data, 0);
      }
      return scan_.expected(payload ? "offset or scale" : "offset, scale or customData");
    });
    if (!read) return false;
  }
  items.push_back(std::move(item));
  return true;
}

// Targets of inherits and specializes, of relationships, or connections.
bool TextParser::path_list(ListOp<Path>& op, Edit edit, PathUse use) {
  const char* const at = scan_.position();
  std::vector<Path> items;
  const auto read_item = [&] {
    return use == PathUse::arc ? arc_path_item(items)
                               : target_path_item(items, use == PathUse::connection);
  };
  if (!edited_list(edit, read_item)) return false;
  std::unordered_set<Path> seen;
  for (const Path& item : items) {
    if (items.size() == 1) break;
    if (!seen.insert(item).second) {
      return scan_.fail(at, "usda-duplicate-item",
                        format_text("<{}> stands in this list twice.", item.view()));
    }
  }
  set_list(op, edit, std::move(items));
  return true;
}

// A target of inherits or specializes.
bool TextParser::arc_path_item(std::vector<Path>& items) {
  const char* const at = scan_.position();
  std::string_view text;
  if (!scan_.path_text(text)) return false;
  Result<Path> path = Path::parse(text);
  if (path && !text.empty() && text != "." && !path->has_variant_selection() &&
      !make_absolute(at, *path, path)) {
    return false;
  }
  if (!path || text == "." || !path->is_prim() || path->has_variant_selection()) {
    return scan_.fail(at, "usda-bad-path", "Expected the path of a prim.",
                      "variant selections are not allowed here");
  }
  items.push_back(*std::move(path));
  return true;
}

bool TextParser::name_list(std::vector<Token>& names) {
  names.clear();
  Token name;
  if (scan_.at_string()) {
    if (!string_token(name)) return false;
    names.push_back(name);
    return true;
  }
  if (!scan_.require('[', "a string or '['") || !scan_.multi_pad()) return false;
  return comma_list(']', "',' or ']'", [&] {
    if (!string_token(name)) return false;
    names.push_back(name);
    return true;
  });
}

bool TextParser::list_op_value(const FieldType& type, std::string_view key, Edit edit,
                               const Value* existing, Value& out, bool& drop) {
  if (existing != nullptr || scan_.peek() != '[') {
    return list_op_items(type, key, edit, existing, out, drop);
  }
  const auto kind =
      static_cast<std::uint8_t>(16 * static_cast<int>(type.shape) + static_cast<int>(edit));
  // A list that is dropped is reported, so it is not remembered.
  return read_once(repeated_list_ops_, intern(key), {}, kind, out,
                   [&] { return list_op_items(type, key, edit, existing, out, drop); });
}

bool TextParser::list_op_items(const FieldType& type, std::string_view key, Edit edit,
                               const Value* existing, Value& out, bool& drop) {
  const char* const at = scan_.position();
  const bool is_token = type.shape == FieldType::Shape::token_list_op;
  const auto set_tokens = [&](std::vector<Token> tokens) {
    ListOp<Token> op;
    if (existing != nullptr && existing->as_token_list_op() != nullptr) {
      op = *existing->as_token_list_op();
    }
    set_list(op, edit, std::move(tokens));
    out = Value::token_list_op(std::move(op));
  };
  if (scan_.take_word("None")) {
    if (edit != Edit::explicit_) {
      drop = existing == nullptr;  // Alone it has no effect.
      if (drop) return true;
      if (is_token) {
        set_tokens({});
      } else {
        out = with_list(existing, edit, {});
      }
      return true;
    }
    ListOp<Token> tokens;
    ListOp<Value> values;
    tokens.is_explicit = values.is_explicit = true;
    out = is_token ? Value::token_list_op(tokens) : Value::list_op(values);
    return true;
  }
  if (scan_.peek() != '[') return scan_.expected(format_text("a list of {}", key));
  Value list;
  if (!array_value(is_token ? ElementType::token : ElementType::int64, list)) return false;
  if (list.size() == 0 && edit != Edit::explicit_) {
    return scan_.fail(at, "usda-bad-list", "This edit lists nothing.");
  }
  const auto repeated = [&] {
    warn(at, "usda-repeated-item",
         format_text("An item of '{}' is listed twice; the whole statement is dropped.", key));
    drop = true;
    return true;
  };
  if (is_token) {
    const std::span<const Token> tokens = list.as_array<Token>();
    if (has_repeats(tokens)) return repeated();
    set_tokens(std::vector<Token>(tokens.begin(), tokens.end()));
    return true;
  }
  const std::span<const std::int64_t> numbers = list.as_array<std::int64_t>();
  if (has_repeats(numbers)) return repeated();
  std::vector<Value> items;
  for (const std::int64_t number : numbers) {
    items.push_back(Value::scalar(ElementType::int64, number));
  }
  out = with_list(existing, edit, std::move(items));
  return true;
}

}  // namespace sinew::usda
