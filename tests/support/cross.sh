#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sourced after setup.sh, by what builds for other processors and systems: what Sinew needs there, built
# from the sources of Debian's packages below build/platforms.
work=$root/build/platforms
mkdir -p "$work"

# Ends a row as skipped; the caller sees 77 and prints the reason, the last line of the log.
skip() {
  echo "$*"
  exit 77
}

# packages ENTRY...: as need(), but a row goes without.
packages() { need "$@" || skip "cannot install: $*"; }

# The sources of Debian's packages, without touching the lists of this machine.
sources() {
  local folder=$work/sources
  [ -e "$folder/.complete_sources" ] && return
  command -v apt-get >/dev/null || skip "no apt-get to fetch sources with"
  packages dpkg-source:dpkg-dev
  mkdir -p "$folder/parts" "$folder/lists/partial"
  sed -n 's/^\(Types:\).*/\1 deb-src/p; /^\(URIs\|Suites\|Components\|Signed-By\):/p; /^$/p' \
    /etc/apt/sources.list.d/debian.sources >"$folder/parts/sources.sources" 2>/dev/null ||
    skip "no Debian sources known"
  local apt=(apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$folder/parts"
    -o "Dir::State::lists=$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  (cd "$folder" && "${apt[@]}" update && "${apt[@]}" source highway lz4 pugixml qhull &&
    touch .complete_sources) ||
    skip "cannot fetch the sources of highway, lz4, pugixml and qhull"
}

# prefix NAME [CMAKE ARGUMENT]...: what Sinew needs, for a toolchain file among the arguments, into
# build/platforms/NAME/prefix.
prefix() {
  local name=$1
  shift
  [ -e "$work/$name/prefix/.complete" ] && return
  sources
  cmake -G Ninja -S "$root/src/cmake/cross" -B "$work/$name/dependencies" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS_NONE=-O1 -DCMAKE_CXX_FLAGS_NONE=-O1 "-DSOURCES=$work/sources" \
    "-DCMAKE_INSTALL_PREFIX=$work/$name/prefix" "$@" &&
    cmake --build "$work/$name/dependencies" -j "$jobs" --target install &&
    touch "$work/$name/prefix/.complete"
}
