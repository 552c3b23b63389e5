# SPDX-License-Identifier: Apache-2.0
# Sourced by tests/run, examples/run, bench/run and .ci/run (bash). Finds or installs what a build
# needs, then offers configure and build steps that behave the same everywhere.
#
# On Debian and Ubuntu missing packages are installed with apt-get, as root or through sudo; on
# other systems the list of what to install is printed. ccache and ninja are used if present.
# SINEW_CMAKE_ARGS is handed to every configure step.

set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
export CCACHE_COMMENTS=1 # What it hands out was made of the very same text.

# Packages every command needs: "program:package" or, for libraries, ":package".
base_packages=(c++:g++ cmake:cmake make:make :libeigen3-dev :libfast-float-dev :libfmt-dev :libhwy-dev :liblz4-dev :libpugixml-dev :libqhull-dev
  :libgtest-dev :libgmock-dev :libcli11-dev :nlohmann-json3-dev)

# Engines that read what is exported: their tests and examples count as skipped without them.
engine_packages=(:libmujoco-dev :libbullet-dev check_urdf:liburdfdom-tools)

say() { printf '\n== %s\n' "$*"; }

# What to install where apt-get is not at hand.
print_requirements() {
  cat >&2 <<'TEXT'

Sinew needs, installed by whatever means your system has:
  CMake 3.22 or later, a C++20 compiler (GCC 12, Clang 14 or later), make or ninja
  Eigen 3.4, fast_float 3.9 or later, fmt 9 or later, Google Highway 1.0.3 or later, LZ4 1.9 or later,
  Qhull 2020 (reentrant, qhull_r), pugixml 1.11, nlohmann-json 3.11 or later
  for the tests:      GoogleTest and GoogleMock 1.12 or later
  for the examples:   CLI11 2.1 or later
  for the benchmarks: Google Benchmark 1.7 or later
  optional:           oneTBB, ccache, ninja; MuJoCo, Bullet and check_urdf (liburdfdom)
Fedora:   dnf install gcc-c++ cmake eigen3-devel fast_float-devel fmt-devel google-highway-devel lz4-devel \
            pugixml-devel qhull-devel gtest-devel gmock-devel cli11-devel json-devel google-benchmark-devel tbb-devel
Homebrew: brew install cmake eigen fast_float fmt highway lz4 pugixml qhull googletest cli11 nlohmann-json \
            google-benchmark tbb
Or let CMake download them: SINEW_CMAKE_ARGS=-DSINEW_FETCH_DEPS=ON before this command.
TEXT
}

# need PROGRAM:PACKAGE...  Installs what is missing; nothing happens if all is there.
need() {
  local missing=() missing_programs=() entry program package
  local debian=no
  if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then debian=yes; fi
  for entry in "$@"; do
    program=${entry%%:*} package=${entry#*:}
    if [ -n "$program" ]; then
      command -v "$program" >/dev/null && continue
      missing_programs+=("$program")
    elif [ "$debian" = yes ]; then
      case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in *" installed") continue ;; esac
    else
      continue # Libraries are CMake's to find; configure() prints the list if it cannot.
    fi
    missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  if [ "$debian" = no ]; then
    echo "Not found: ${missing_programs[*]}" >&2
    print_requirements
    return 1
  fi
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages. As root, run: apt-get install ${missing[*]}" >&2
      [ ${#missing_programs[@]} -eq 0 ] # Libraries may come from elsewhere; programs must exist.
      return
    fi
    as_root=(sudo)
    [ -t 0 ] || as_root=(sudo -n)
  fi
  say "Installing ${missing[*]}"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q
    --no-install-recommends "${missing[@]}")
  if ! "${install[@]}" >/dev/null 2>&1; then
    "${as_root[@]}" apt-get update -q >/dev/null
    if ! "${install[@]}"; then
      echo "Could not install. As root, run: apt-get install ${missing[*]}" >&2
      return 1
    fi
  fi
}

# What makes the first build quick: many files at a time, so that what they include is read once; the
# library optimised less than CMake does for a release, in two thirds of the compiler's time (kernels
# are written in vectors), tests not at all; GCC without collecting its garbage, a twelfth of its time,
# where there is memory for it; kernels for AVX-512, a third of them, only where the processor has it.
# No precompiled headers: ccache has handed out ones of other states of the headers, and GCC then takes
# what they declare for new. SINEW_QUICK_LEVEL is another level for the library, SINEW_AVX512=ON has
# all kernels compiled.
quick=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=48 -DSINEW_PRECOMPILED_HEADERS=OFF
  "-DCMAKE_CXX_FLAGS_RELEASE=${SINEW_QUICK_LEVEL:--O1} -DNDEBUG" -DSINEW_PROGRAM_OPTIONS=-O1
  -DSINEW_TEST_OPTIONS=-O0)
memory=$(awk '/^MemTotal/ { print $2 }' /proc/meminfo 2>/dev/null)
limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null) # In bytes, or "max".
case $limit in *[!0-9]* | "") ;; *) [ $((limit / 1024)) -ge "${memory:-0}" ] || memory=$((limit / 1024)) ;; esac
if [ "${memory:-0}" -gt $((jobs * 5000000)) ]; then
  quick+=(-DSINEW_GCC_HEAP=2000000)
else
  quick+=(-DSINEW_GCC_HEAP=)
fi
avx512=ON
grep -q '^flags.* avx512f ' /proc/cpuinfo 2>/dev/null || avx512=OFF
quick+=("-DSINEW_AVX512=${SINEW_AVX512:-$avx512}")

# configure DIRECTORY [CMAKE ARGUMENT]...  DIRECTORY is relative to build/.
configure() {
  local directory=$root/build/$1
  shift
  local arguments=(-S "$root" -B "$directory" "${quick[@]}" "$@")
  if [ ! -e "$directory/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    arguments+=(-G Ninja)
  fi
  if command -v ccache >/dev/null; then
    arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  # shellcheck disable=SC2086  # Several arguments in one variable.
  if ! cmake "${arguments[@]}" ${SINEW_CMAKE_ARGS:-} >"$directory.configure.log" 2>&1; then
    cat "$directory.configure.log" >&2
    print_requirements
    return 1
  fi
}

# build DIRECTORY [TARGET]...  Quiet where it can be: the last lines of ninja or make are shown.
build() {
  local directory=$root/build/$1
  shift
  cmake --build "$directory" -j "$jobs" ${@:+--target "$@"}
}

mkdir -p "$root/build"
