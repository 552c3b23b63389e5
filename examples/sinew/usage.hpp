// SPDX-License-Identifier: Apache-2.0
// What the tool takes, as plain data, and the texts made of it: completions and the manual page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::tool {

/// An option or a positional argument.
struct ShownOption {
  std::vector<std::string> names;  ///< With dashes, e.g. "-o", "--output"; none if positional.
  std::string value;               ///< What it takes, e.g. "T"; empty for a flag.
  std::string description;         ///< One line, without a full stop.
  bool required = false;
  bool repeated = false;  ///< Takes several values.
};

/// A subcommand, or the tool itself.
struct ShownCommand {
  std::string name;
  std::string description;           ///< One line, without a full stop.
  std::vector<ShownOption> options;  ///< In order, the positional ones last.
};

/// What `sinew` takes without a subcommand, and its subcommands in order.
struct Usage {
  ShownCommand tool;
  std::vector<ShownCommand> commands;
};

/// The text that makes a shell complete arguments of the tool: "bash", "zsh" or "fish".
/// @return The script; nothing for any other shell.
std::optional<std::string> shell_completion(const Usage& usage, std::string_view shell);

/// The manual page, in the language of man(7).
std::string manual_page(const Usage& usage, std::string_view version);

}  // namespace sinew::tool
