// SPDX-License-Identifier: Apache-2.0
// The tool where there are neither exceptions nor threads: what describes a single file.
//   sinew.wasm skel|physics|stage|mass FILE [--json] [--time T] [--simd LEVEL] [--rules RULES]
//              [--fast] [--si] [--explain]
// wasi.mjs runs it under Node.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "words.hpp"

namespace sinew::tool {

namespace {

struct Arguments {
  std::string command;
  std::string file;
  CommonOptions common;
  stage::Time time;
  SimdLevel simd = SimdLevel::best;
  bool json = false, fast = false, si = false, explain = false;
};

/// A sentence if `value` is not what the option takes.
std::string take_value(Arguments& a, std::string_view option, const std::string& value) {
  if (option == "--rules") return parse_rules(value, a.common.rules);
  if (option == "--time") return parse_time(value, a.time);
  if (option == "--simd") return parse_simd(value, a.simd);
  return "there is no option " + std::string(option) + " here";
}

std::string take(Arguments& a, const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--json") {
      a.json = true;
    } else if (word == "--fast") {
      a.fast = true;
    } else if (word == "--si") {
      a.si = true;
    } else if (word == "--explain") {
      a.explain = true;
    } else if (word.starts_with("--")) {
      if (i + 1 == words.size()) return std::string(word) + " needs a value";
      if (std::string wrong = take_value(a, word, std::string(words[++i])); !wrong.empty())
        return wrong;
    } else {
      (a.command.empty() ? a.command : a.file) = std::string(word);
    }
  }
  return a.file.empty() ? "a command and a file are wanted" : std::string();
}

ExitStatus run(const std::vector<std::string_view>& words) {
  Arguments a;
  Reporter reporter(false);
  if (const std::string wrong = take(a, words); !wrong.empty()) return reporter.usage_error(wrong);
  if (a.command == "skel") {
    return run_skel({.common = a.common,
                     .file = a.file,
                     .time = a.time,
                     .simd = a.simd,
                     .fast = a.fast,
                     .json = a.json},
                    reporter);
  }
  if (a.command == "physics") {
    return run_physics({.common = a.common, .file = a.file, .json = a.json, .si = a.si}, reporter);
  }
  if (a.command == "stage") {
    return run_stage(
        {.common = a.common, .file = a.file, .explain = {}, .time = a.time, .json = a.json},
        reporter);
  }
  if (a.command == "mass") {
    return run_mass({.common = a.common, .file = a.file, .explain = a.explain}, reporter);
  }
  return reporter.usage_error("there is no '" + a.command + "' here");
}

}  // namespace

}  // namespace sinew::tool

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(sinew::tool::run(words));
}
