// SPDX-License-Identifier: Apache-2.0
// The tool where there are neither exceptions nor threads: what describes a single file.
//   sinew.wasm skel|physics|stage|mass FILE [--json] [--time T] [--simd LEVEL] [--rules RULES]
//              [--fast] [--si] [--explain]
// wasi.mjs runs it under Node.

#include <fast_float/fast_float.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"

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
std::string take_value(Arguments& a, std::string_view option, std::string_view value) {
  if (option == "--rules" && (value == "openusd" || value == "documented")) {
    a.common.rules = value == "openusd" ? Rules::openusd : Rules::documented;
    return {};
  }
  if (option == "--time" && value == "default") return {};
  if (option == "--time") {
    double code = 0.0;
    const auto [end, error] =
        fast_float::from_chars(value.data(), value.data() + value.size(), code);
    if (error == std::errc() && end == value.data() + value.size()) {
      a.time = stage::Time(code);
      return {};
    }
  }
  std::string known = "best";
  if (option == "--simd") {
    if (value == known) return {};
    for (const SimdLevel level : supported_simd_levels()) {
      known += ", " + std::string(to_string(level));
      if (value != to_string(level)) continue;
      a.simd = level;
      return {};
    }
    return "--simd takes one of " + known + " on this machine, not '" + std::string(value) + "'";
  }
  return std::string(option) + " does not take '" + std::string(value) + "'";
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
      if (std::string wrong = take_value(a, word, words[++i]); !wrong.empty()) return wrong;
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
    SkelOptions options;
    options.common = a.common;
    options.file = a.file;
    options.time = a.time;
    options.simd = a.simd;
    options.fast = a.fast;
    options.json = a.json;
    return run_skel(options, reporter);
  }
  if (a.command == "physics") {
    PhysicsOptions options;
    options.common = a.common;
    options.file = a.file;
    options.json = a.json;
    options.si = a.si;
    return run_physics(options, reporter);
  }
  if (a.command == "stage") {
    StageOptions options;
    options.common = a.common;
    options.file = a.file;
    options.time = a.time;
    options.json = a.json;
    return run_stage(options, reporter);
  }
  if (a.command == "mass") {
    MassOptions options;
    options.common = a.common;
    options.file = a.file;
    options.explain = a.explain;
    return run_mass(options, reporter);
  }
  return reporter.usage_error("there is no '" + a.command + "' here");
}

}  // namespace

}  // namespace sinew::tool

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(sinew::tool::run(words));
}
