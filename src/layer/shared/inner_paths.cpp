// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/inner_paths.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::layer {

namespace {

// Where the bracket at `open` is closed; the end if nowhere.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return i;
  }
  return text.size();
}

}  // namespace

Path map_inner_paths(const Path& path, const std::function<Path(const Path&)>& map) {
  const std::string_view text = path.view();
  std::size_t open = text.find('[');
  if (open == std::string_view::npos) return path;
  std::string result;
  std::size_t copied = 0;
  for (; open != std::string_view::npos; open = text.find('[', copied)) {
    const std::size_t close = closing(text, open);
    const Path mapped =
        map(Path::from_trusted(std::string(text.substr(open + 1, close - open - 1))));
    if (mapped.empty()) return {};
    result += text.substr(copied, open + 1 - copied);
    result += mapped.view();
    copied = close;
  }
  result += text.substr(copied);
  return Path::from_trusted(std::move(result));
}

}  // namespace sinew::layer
