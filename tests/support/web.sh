#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sourced after setup.sh and cross.sh: makes the npm folder build/web/sinew. Each step ends the
# program by skip() where something cannot be had, and returns 1 where something is wrong.
web=$root/build/web
mkdir -p "$web"

# npm packages of tests/web/package.json, into build/web/tools.
web_tools() {
  packages node:nodejs npm:npm
  local tools=$web/tools
  cmp -s "$root/tests/web/package.json" "$tools/.installed" && return
  mkdir -p "$tools" && cp "$root/tests/web/package.json" "$tools/package.json" || return 1
  say "Installing npm packages into build/web/tools"
  (cd "$tools" && npm install --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error) ||
    skip "cannot install from npm: three, jolt-physics, binaryen, typescript, puppeteer-core"
  cp "$tools/package.json" "$tools/.installed"
}

# The module, and the folder that is published.
web_package() {
  packages cmake:cmake ninja:ninja-build clang++-19:clang-19 wasm-ld-19:lld-19 llvm-ar-19:llvm-19 \
    :wasi-libc :libc++-19-dev-wasm32 :libc++abi-19-dev-wasm32 :libclang-rt-19-dev-wasm32 \
    :libeigen3-dev :libfast-float-dev :libfmt-dev :nlohmann-json3-dev :libcli11-dev
  prefix web "--toolchain=$root/src/cmake/wasi.cmake" "-DCMAKE_C_FLAGS_NONE=-Os -flto" \
    "-DCMAKE_CXX_FLAGS_NONE=-Os -flto" || return 1
  say "Building build/web/module"
  local launcher=()
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  # shellcheck disable=SC2086  # Several arguments in one variable.
  (cd "$root" && cmake --preset web -G Ninja "${launcher[@]}" ${SINEW_CMAKE_ARGS:-}) \
    >"$web/module.configure.log" 2>&1 || {
    cat "$web/module.configure.log" >&2
    return 1
  }
  cmake --build "$web/module" -j "$jobs" --target sinew_web || return 1
  node "$root/src/web/package.mjs" "$web/module/src/web/sinew.wasm" "$web/tools" "$web/sinew"
}

# The page of examples/web.
web_page() { node "$root/examples/web/build.mjs" "$web/sinew" "$web/tools" "$web/page"; }
