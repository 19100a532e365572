#!/usr/bin/env bash
# Finds or installs what a command of package.json needs. It is quick if nothing is missing.
#   setup.sh build|test|all|hosts|lint
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=needs.sh
source cpp/toolchain/needs.sh

needs_of_build() {
  need python3 at_least 3.10 python3
  need cmake at_least 3.25 cmake
  need ninja-build on_path ninja
}
needs_of_test() {
  needs_of_build
  need g++ on_path g++
  # GoogleTest's sources are compiled to WebAssembly.
  need libgtest-dev exists /usr/include/gtest/gtest.h /usr/src/googletest/CMakeLists.txt
  need chromium-headless-shell on_path chromium-headless-shell
  need fonts-liberation exists /usr/share/fonts/truetype/liberation/Liberation{Sans,Mono}-{Regular,Bold}.ttf
  need fonts-dejavu-core exists /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono,Mono-Bold}.ttf
  need fonts-lmodern exists /usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf
}
needs_of_all() {
  needs_of_test
  # The benchmarks run in the whole browser.
  need chromium on_path chromium
  need firefox-esr on_path firefox-esr
  # The tests read the package's files with them, run the code that the page shows, and compare with them.
  need python3-numpy python_has numpy
  need python3-torch python_has torch
  # The wheel is built and checked in an environment of its own.
  need python3-venv python_has ensurepip
}
needs_of_hosts() {
  need fonts-liberation exists /usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf
  needs_of_build
  need chromium on_path chromium
  # Notebooks are installed in separate environments, with a NumPy that needs this Python.
  need python3 at_least 3.11 python3
  need python3-venv python_has ensurepip
}
needs_of_lint() {
  needs_of_build
  need g++ on_path g++
  need clang-format on_path clang-format
  need clang-tidy on_path clang-tidy
}

case ${1:-} in
  build | test | all | hosts | lint) ;;
  *) fail "usage: $0 build|test|all|hosts|lint" ;;
esac
node web/publish/packages.mjs
settle "needs_of_$1"
bash "$toolchain/emscripten.sh" install
# CMake can't go on with a build that was configured in another folder, as in a copy of this one.
for cache in build/*/CMakeCache.txt; do
  if [[ -f $cache && ! $(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache") -ef . ]]; then rm -r "${cache%/*}"; fi
done
