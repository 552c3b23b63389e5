// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

namespace sinew::tool {

namespace fs = std::filesystem;

namespace {

bool is_layer_name(const fs::path& path) {
  const std::string extension = path.extension().string();
  const auto is = [&](std::string_view known) {
    return std::equal(extension.begin(), extension.end(), known.begin(), known.end(),
                      [](char a, char b) { return (a | 0x20) == b || a == b; });
  };
  return is(".usd") || is(".usda") || is(".usdc") || is(".usdz");
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.') || path.filename() == "__MACOSX";
}

void add_folder(const fs::path& folder, std::vector<std::string>& files) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (is_hidden(entry->path())) {
      entry.disable_recursion_pending();
    } else if (std::error_code ignored;
               entry->is_regular_file(ignored) && is_layer_name(entry->path())) {
      found.push_back(entry->path().string());
    }
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

}  // namespace

std::vector<std::string> find_files(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (std::error_code ignored; fs::is_directory(name, ignored)) {
      add_folder(name, files);
    } else {
      files.push_back(name);
    }
  }
  return files;
}

void for_each_file(std::size_t count, std::string_view label, const Reporter& reporter,
                   const std::function<void(std::size_t)>& work,
                   const std::function<void(std::size_t)>& finish) {
  const std::size_t workers =
      std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  if (workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
      finish(i);
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::condition_variable ready;
  std::vector<bool> done(count);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < workers; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
        work(i);
        {
          const std::lock_guard<std::mutex> lock(mutex);
          done[i] = true;
        }
        ready.notify_one();
      }
    });
  }
  for (std::size_t i = 0; i < count; ++i) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      ready.wait(lock, [&] { return done[i]; });
    }
    finish(i);
    reporter.progress(label, i + 1, count);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace sinew::tool
