// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/result.hpp"

namespace sinew {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::ok:
      return "ok";
    case ErrorCode::io_failed:
      return "io_failed";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::syntax:
      return "syntax";
    case ErrorCode::corrupt:
      return "corrupt";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::size_mismatch:
      return "size_mismatch";
    case ErrorCode::index_out_of_range:
      return "index_out_of_range";
    case ErrorCode::type_mismatch:
      return "type_mismatch";
    case ErrorCode::no_value:
      return "no_value";
    case ErrorCode::bad_topology:
      return "bad_topology";
    case ErrorCode::not_invertible:
      return "not_invertible";
    case ErrorCode::limit_exceeded:
      return "limit_exceeded";
  }
  return "unknown";
}

}  // namespace sinew
