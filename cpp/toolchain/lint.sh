#!/usr/bin/env bash
# Checks the format of the C++ code, then runs clang-tidy on it.
#   lint.sh [--fix]   --fix only formats the code
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

format=(clang-format --dry-run --Werror)
if [[ ${1:-} == --fix ]]; then
  format=(clang-format -i)
fi
find cpp tests/bench tests/cpp tests/fuzz/cpp \( -name '*.cpp' -o -name '*.hpp' \) -exec "${format[@]}" {} +
[[ ${1:-} != --fix ]] || exit 0

# This uses a separate build folder. Without the tests it needs no GoogleTest, and without -march=native every machine
# checks the same code.
cmake --preset native -B build/lint -D BUILD_TESTING=OFF -D CMAKE_CXX_FLAGS= >/dev/null
# Headers are checked through the sources that include them. The flags are for g++.
printf '%s\0' cpp/src/*.cpp |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option 2>&1 |
  { grep -v ' warnings\? generated\.$' || true; } # in headers of others
