// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/simd.hpp"

namespace sinew::tool {

namespace {

// The values of what options call their type; none for those that are free.
std::vector<std::string> values_of(std::string_view type) {
  if (type == "RULES") return {"documented", "openusd"};
  if (type == "EXTENSION") return {"usda", "usdc", "usdz", "usd", "obj"};
  if (type != "LEVEL") return {};
  // Of every machine: the completions may be installed on another one.
  std::vector<std::string> levels;
  for (std::uint8_t level = 0;; ++level) {
    const std::string_view name = to_string(static_cast<SimdLevel>(level));
    if (name == "unknown") return levels;
    levels.emplace_back(name);
  }
}

bool takes_file(const ShownOption& option) {
  return option.names.empty() || option.value.starts_with("OUT");
}

// Text within quotes of a shell, whose escapes differ.
std::string escaped(std::string_view text, std::string_view special, std::string_view quote) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += quote;
      continue;
    }
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::vector<std::string> names_of(const std::vector<ShownOption>& options) {
  std::vector<std::string> names;
  for (const ShownOption& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::string for_bash(const Usage& usage) {
  std::vector<std::string> commands;
  std::string options;
  std::string values;
  std::vector<std::string> known;  // Options whose values are listed already.
  for (const ShownCommand& command : usage.commands) {
    commands.push_back(command.name);
    options += fmt::format("    {}) options='{}' ;;\n", command.name,
                           fmt::join(names_of(command.options), " "));
    for (const ShownOption& option : command.options) {
      if (values_of(option.value).empty() || option.names.empty()) continue;
      const std::string names = fmt::format("{}", fmt::join(option.names, "|"));
      if (std::find(known.begin(), known.end(), names) != known.end()) continue;
      known.push_back(names);
      values +=
          fmt::format("    {}) words='{}' ;;\n", names, fmt::join(values_of(option.value), " "));
    }
  }
  return fmt::format(R"(# Completes arguments of sinew in bash. Made by sinew --completion bash.
_sinew() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command='' options='{0}' words='' word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
    case $word in {1}) command=$word; break ;; esac
  done
  case $command in
    '') words='{2}' ;;
{3}  esac
  case $previous in
{4}  esac
  case $current in -*) words=$options ;; esac
  # Nothing of ours: names of files.
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _sinew sinew
)",
                     fmt::join(names_of(usage.tool.options), " "), fmt::join(commands, "|"),
                     fmt::join(commands, " "), options, values);
}

std::string for_zsh(const Usage& usage) {
  // Within single quotes; brackets and colons mean something to _arguments.
  const auto text = [](std::string_view t) { return escaped(t, "[]:\\", "'\\''"); };
  const auto arguments = [&](const ShownCommand& command) {
    std::string result;
    for (const ShownOption& option : command.options) {
      std::string action;
      if (!option.value.empty()) {
        const std::string choice =
            values_of(option.value).empty()
                ? (takes_file(option) ? "_files" : " ")
                : fmt::format("({})", fmt::join(values_of(option.value), " "));
        action = fmt::format(":{}:{}", text(option.value), choice);
      }
      if (option.names.empty()) {
        result += fmt::format(" \\\n        '{}{}'", option.repeated ? "*" : "", action);
      }
      for (const std::string& name : option.names) {
        result += fmt::format(" \\\n        '{}[{}]{}'", name, text(option.description), action);
      }
    }
    return result;
  };
  std::string commands;
  std::string cases;
  for (const ShownCommand& command : usage.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, text(command.description));
    cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name, arguments(command));
  }
  return fmt::format(R"(#compdef sinew
# Completes arguments of sinew in zsh. Made by sinew --completion zsh.
_sinew() {{
  local -a commands
  commands=(
{})
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments{}
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
_sinew "$@"
)",
                     commands, arguments(usage.tool), cases);
}

std::string for_fish(const Usage& usage) {
  const auto text = [](std::string_view t) { return escaped(t, "\\", "\\'"); };
  std::string result = "# Completes arguments of sinew in fish. Made by sinew --completion fish.\n";
  const auto add_options = [&](const ShownCommand& command, const std::string& when) {
    for (const ShownOption& option : command.options) {
      if (option.names.empty()) continue;  // Names of files, as by default.
      result += fmt::format("complete -c sinew -n '{}'", when);
      for (const std::string& name : option.names) {
        const bool is_long = name.starts_with("--");
        result += fmt::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
      }
      if (!values_of(option.value).empty()) {
        result += fmt::format(" -x -a '{}'", fmt::join(values_of(option.value), " "));
      } else if (!option.value.empty()) {
        result += takes_file(option) ? " -r" : " -x";
      }
      result += fmt::format(" -d '{}'\n", text(option.description));
    }
  };
  add_options(usage.tool, "__fish_use_subcommand");
  for (const ShownCommand& command : usage.commands) {
    result += fmt::format("complete -c sinew -f -n __fish_use_subcommand -a {} -d '{}'\n",
                          command.name, text(command.description));
    add_options(command, "__fish_seen_subcommand_from " + command.name);
  }
  return result;
}

}  // namespace

std::optional<std::string> shell_completion(const Usage& usage, std::string_view shell) {
  if (shell == "bash") return for_bash(usage);
  if (shell == "zsh") return for_zsh(usage);
  if (shell == "fish") return for_fish(usage);
  return std::nullopt;
}

}  // namespace sinew::tool
