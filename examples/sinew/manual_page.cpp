// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "usage.hpp"

namespace sinew::tool {

namespace {

// Text of a manual page: a dash is a minus, as in options, and a line begins with no control.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '-' || c == '\\') result += '\\';
    result += c;
    if (c == '\\') result.back() = 'e';
  }
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return result;
}

std::string manual_options(const ShownCommand& command) {
  std::string result;
  for (const ShownOption& option : command.options) {
    std::string line;
    for (const std::string& name : option.names) {
      line += fmt::format("{}\\fB{}\\fR", line.empty() ? "" : ", ", roff(name));
    }
    if (!option.value.empty()) {
      line += fmt::format("{}\\fI{}\\fR", line.empty() ? "" : " ", roff(option.value));
    }
    result += fmt::format(".TP\n{}\n{}.\n", line, roff(option.description));
  }
  return result;
}

}  // namespace

std::string manual_page(const Usage& usage, std::string_view version) {
  std::string page =
      fmt::format(R"(.\" Made by sinew --man.
.TH SINEW 1 "" "sinew {}" "User Commands"
.SH NAME
sinew \- USD characters and USD physics
.SH SYNOPSIS
.B sinew
.I COMMAND
.RI [ OPTION ]...
.SH DESCRIPTION
{}
.SH OPTIONS
{})",
                  roff(version), roff(usage.tool.description), manual_options(usage.tool));
  page += ".SH COMMANDS\n";
  for (const ShownCommand& command : usage.commands) {
    std::string line = fmt::format(".SS sinew {} [OPTION]...", command.name);
    for (const ShownOption& option : command.options) {
      if (!option.names.empty() && option.required) {
        line += fmt::format(" {} {}", roff(option.names.back()), option.value);
      } else if (option.names.empty()) {
        line += fmt::format(" {}{}", option.value, option.repeated ? "..." : "");
      }
    }
    page += fmt::format("{}\n{}.\n{}", line, roff(command.description), manual_options(command));
  }
  page += R"(.SH EXIT STATUS
.TP
0
Success.
.TP
1
The file has errors.
.TP
2
Wrong usage, or a file that cannot be read.
.SH EXAMPLES
.nf
sinew check scene.usda
sinew skin character.usda \-\-time 12 \-o character.obj
sinew mass robot.usdz \-\-explain
.fi
)";
  return page;
}

}  // namespace sinew::tool
