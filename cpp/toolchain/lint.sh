#!/usr/bin/env bash
# Checks the format of the C++ code, then looks for mistakes in it.
#   lint.sh [--fix]   --fix writes the format instead of checking it, and looks no further
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

format=(clang-format --dry-run --Werror)
if [[ ${1:-} == --fix ]]; then
  format=(clang-format -i)
fi
find cpp tests/cpp tests/fuzz/cpp \( -name '*.cpp' -o -name '*.hpp' \) -exec "${format[@]}" {} +
[[ ${1:-} != --fix ]] || exit 0

# A build folder of its own: without the tests no GoogleTest is needed, and without -march=native every machine reads
# the same code.
cmake --preset native -B build/lint -D BUILD_TESTING=OFF -D CMAKE_CXX_FLAGS= >/dev/null
# Headers are read through the sources that include them. The flags are g++'s.
printf '%s\0' cpp/src/*.cpp |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option 2>&1 |
  { grep -v ' warnings\? generated\.$' || true; } # in headers of others
