// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "sinew/core/assert.hpp"
#include "sinew/core/buffer.hpp"

#if defined(__unix__) || defined(__APPLE__)
#define SINEW_HAS_MMAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define SINEW_HAS_MMAP 0
#endif

namespace sinew {

namespace {

// Reading costs less than a mapping of its own up to about here.
[[maybe_unused]] constexpr std::uint64_t kSmallestMapping = 64 * 1024;

Error failed(const std::string& file, int reason) {
  return {ErrorCode::io_failed, format_text("cannot read '{}': {}.", file, std::strerror(reason))};
}

Error too_large(const std::string& file, std::uint64_t size, std::uint64_t limit) {
  return {ErrorCode::limit_exceeded,
          format_text("'{}' has {} bytes, more than the limit of {}.", file, size, limit)};
}

// Reads all of the file into one buffer, straight from the operating system, but little more than
// `limit` bytes. Files without a known size (pipes) grow the buffer.
bool read_all(std::FILE* file, std::uint64_t known_size, std::uint64_t limit, Buffer& buffer) {
  std::setvbuf(file, nullptr, _IONBF, 0);
  std::size_t size = 0;
  auto capacity = static_cast<std::size_t>(std::min(known_size, limit));
  for (;;) {
    ++capacity;  // A byte left unused shows that the end was reached.
    buffer.resize(capacity);
    size += std::fread(buffer.mutable_data() + size, 1, capacity - size, file);
    if (size < capacity || size > limit) break;
    const std::uint64_t twice = std::max<std::uint64_t>(2 * std::uint64_t{capacity}, 64 * 1024);
    capacity = static_cast<std::size_t>(std::min(twice, limit));
  }
  buffer.resize(size);
  return std::ferror(file) == 0;
}

}  // namespace

Bytes::Bytes(Buffer buffer) {
  if (buffer.empty()) return;
  bytes_ = {buffer.data(), buffer.size()};
  owner_ = std::make_shared<const Buffer>(std::move(buffer));
}

Bytes::Bytes(std::string text) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  bytes_ = std::as_bytes(std::span(*owned));
  owner_ = std::move(owned);
}

Bytes Bytes::copy_of(std::span<const std::byte> bytes) {
  return Buffer::copy_of(bytes);
}

Bytes Bytes::slice(std::size_t offset, std::size_t size) const {
  SINEW_ASSERT(offset <= bytes_.size() && size <= bytes_.size() - offset);
  return {bytes_.subspan(offset, size), owner_};
}

Result<Bytes> read_file(const std::string& file, std::uint64_t max_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> handle(open_file(file, "rb"), &std::fclose);
  if (handle == nullptr) return failed(file, errno);
  const std::uint64_t size = file_size(handle.get());
  if (size > max_bytes) return too_large(file, size, max_bytes);
  Buffer buffer;
  if (!read_all(handle.get(), size, max_bytes, buffer)) return failed(file, errno);
  if (buffer.size() > max_bytes) return too_large(file, buffer.size(), max_bytes);
  return Bytes(std::move(buffer));
}

#if SINEW_HAS_MMAP

namespace {

// Unmaps with the last owner.
struct Mapping {
  void* address = MAP_FAILED;
  std::size_t size = 0;
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (address != MAP_FAILED) ::munmap(address, size);
  }
};

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

Result<Bytes> map_file(const std::string& file, std::uint64_t max_bytes) {
  const Descriptor descriptor{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status;
  if (descriptor.number < 0 || ::fstat(descriptor.number, &status) != 0 ||
      !S_ISREG(status.st_mode)) {
    return read_file(file, max_bytes);
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) return too_large(file, size, max_bytes);
  if (size < kSmallestMapping || size > std::numeric_limits<std::size_t>::max()) {
    return read_file(file, max_bytes);
  }
  auto mapping = std::make_shared<Mapping>();
  mapping->size = static_cast<std::size_t>(size);
  mapping->address = ::mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
  // A process has a limited number of mappings.
  if (mapping->address == MAP_FAILED) return read_file(file, max_bytes);
  const std::span<const std::byte> bytes(static_cast<const std::byte*>(mapping->address),
                                         mapping->size);
  return Bytes(bytes, std::move(mapping));
}

#else

Result<Bytes> map_file(const std::string& file, std::uint64_t max_bytes) {
  return read_file(file, max_bytes);
}

#endif

}  // namespace sinew
