#!/bin/sh
# tools/check_install.sh BUILD - install into a temporary folder and build a program against it, by
# pkg-config and by find_package.
set -eu
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cmake --install "$build" --prefix "$dir/prefix" >/dev/null
cat >"$dir/main.c" <<'PROGRAM'
#include <string.h>
#include <trammel/trammel.h>

int main(void)
{
    return strcmp(tml_version(), TML_VERSION) == 0 ? 0 : 1;
}
PROGRAM

PKG_CONFIG_PATH=$(dirname "$(find "$dir/prefix" -name trammel.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# shellcheck disable=SC2046
cc "$dir/main.c" -o "$dir/by_pkgconfig" $(pkg-config --cflags --libs trammel)
"$dir/by_pkgconfig"

cat >"$dir/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(Trammel 0.1 REQUIRED)
add_executable(by_package main.c)
target_link_libraries(by_package PRIVATE Trammel::trammel)
PROJECT
cmake -S "$dir" -B "$dir/build" -G Ninja -DCMAKE_PREFIX_PATH="$dir/prefix" >/dev/null
cmake --build "$dir/build" >/dev/null
"$dir/build/by_package"

"$dir/prefix/bin/trammel" --version >/dev/null
