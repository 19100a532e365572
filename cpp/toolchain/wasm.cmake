# CMake's toolchain file for WebAssembly. It includes the one of the Emscripten that the set-up found or installed.
execute_process(
  COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/emscripten.sh" root
  OUTPUT_VARIABLE emscripten_root
  ERROR_VARIABLE emscripten_error
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT emscripten_root)
  message(FATAL_ERROR "No Emscripten 6.0 or newer was found. Install it with:\n  npm run setup -- build\n${emscripten_error}")
endif()

# Emscripten would prefer a program named `nodejs`, which may be another Node than the one that runs npm.
find_program(NODE node REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR "${NODE}")

include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
