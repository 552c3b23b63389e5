// SPDX-License-Identifier: Apache-2.0
#include "sarif.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/version.hpp"

namespace sinew::tool {
namespace {

const char* level_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    default:
      return "note";
  }
}

// A relative reference with '/' between its parts; what a URI cannot hold is percent-encoded.
std::string to_uri(std::string_view file) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

Json location_of(const Diagnostic& diagnostic) {
  Json location = Json::object();
  if (!diagnostic.file.empty()) {
    Json& physical = location["physicalLocation"];
    physical["artifactLocation"]["uri"] = to_uri(diagnostic.file);
    if (diagnostic.line != 0) {
      physical["region"]["startLine"] = diagnostic.line;
      if (diagnostic.column != 0) physical["region"]["startColumn"] = diagnostic.column;
    }
  }
  if (!diagnostic.path.empty()) {
    location["logicalLocations"] =
        Json::array({Json{{"fullyQualifiedName", diagnostic.path}, {"kind", "object"}}});
  }
  return location;
}

Json result_of(const Diagnostic& diagnostic, std::size_t rule) {
  std::string text = diagnostic.message;
  if (!diagnostic.hint.empty()) text += " (" + diagnostic.hint + ")";
  Json result{{"ruleId", diagnostic.code},
              {"ruleIndex", rule},
              {"level", level_of(diagnostic.severity)},
              {"message", {{"text", std::move(text)}}}};
  Json location = location_of(diagnostic);
  if (!location.empty()) result["locations"] = Json::array({std::move(location)});
  return result;
}

Json text_of(const std::string& text) {
  return Json{{"text", text}};
}

// A rule is described by its id; what there is to say of it, results say.
Json rule_of(const Diagnostic& diagnostic) {
  std::string title(diagnostic.code);
  std::replace(title.begin(), title.end(), '-', ' ');
  return Json{{"id", diagnostic.code},
              {"shortDescription", text_of(title)},
              {"fullDescription", text_of(title)},
              {"help", text_of(title)}};
}

}  // namespace

Json to_sarif(std::span<const Diagnostic> diagnostics) {
  Json rules = Json::array();
  Json results = Json::array();
  std::map<std::string, std::size_t> index;
  for (const Diagnostic& diagnostic : diagnostics) {
    const auto [found, added] = index.try_emplace(diagnostic.code, index.size());
    if (added) rules.push_back(rule_of(diagnostic));
    results.push_back(result_of(diagnostic, found->second));
  }
  Json run;
  run["tool"]["driver"] =
      Json{{"name", "sinew"}, {"version", SINEW_VERSION}, {"rules", std::move(rules)}};
  run["results"] = std::move(results);
  return Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({std::move(run)})}};
}

}  // namespace sinew::tool
