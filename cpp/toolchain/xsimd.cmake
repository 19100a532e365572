# Defines the target `xsimd` from the private prefix, from an installed xsimd, or else from the sources of a release.
set(XSIMD_ENABLE_XTL_COMPLEX OFF) # no complex numbers are used, and xtl would be another dependency

execute_process(
  COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/emscripten.sh" xsimd
  OUTPUT_VARIABLE xsimd_prefix
  OUTPUT_STRIP_TRAILING_WHITESPACE)
# xsimd has only headers, which fit every target, so a cross build may look outside its sysroot.
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
