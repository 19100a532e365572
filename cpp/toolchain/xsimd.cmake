# Defines the target `xsimd`: an installed one, the private prefix's first, else the release's sources.
set(XSIMD_ENABLE_XTL_COMPLEX OFF) # nothing here is complex, and xtl would be one more need

execute_process(
  COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/emscripten.sh" xsimd
  OUTPUT_VARIABLE xsimd_prefix
  OUTPUT_STRIP_TRAILING_WHITESPACE)
# Headers alone serve every target, so a cross build may look outside its sysroot.
find_package(xsimd 14.3 CONFIG QUIET HINTS "${xsimd_prefix}" CMAKE_FIND_ROOT_PATH_BOTH)
if(NOT xsimd_FOUND)
  include(FetchContent)
  FetchContent_Declare(
    xsimd
    URL https://github.com/xtensor-stack/xsimd/archive/refs/tags/14.3.0.tar.gz
    URL_HASH SHA256=b3d50e7a73fbf4642ceef30131c93414901d69eee41c2a5302db650b03e2c792
    DOWNLOAD_EXTRACT_TIMESTAMP ON)
  FetchContent_MakeAvailable(xsimd)
  set_target_properties(xsimd PROPERTIES SYSTEM ON)
endif()
