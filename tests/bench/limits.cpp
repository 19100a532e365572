#include <emscripten/emscripten.h>
#include <wasm_simd128.h>

#include <cstddef>

// The least work on memory that a kernel can do: the limits that the benchmarks compare the kernels with. Each loop
// works on one or four parts of the array in turn, because which is faster depends on the processor.
namespace {

constexpr std::size_t together = 4;  // registers of a part that are loaded before any of them is stored

/// Calls `each(first)` for every `together` registers. The number of registers is a multiple of all that a turn takes.
template <std::size_t parts, class Each>
void run(std::size_t registers, const Each& each) {
  const std::size_t part = registers / parts;
  for (std::size_t i = 0; i < part; i += together) {
    for (std::size_t k = 0; k < parts; ++k) each(k * part + i);
  }
}

template <class Each>
void run(std::size_t registers, std::size_t parts, const Each& each) {
  parts == 1 ? run<1>(registers, each) : run<4>(registers, each);
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void store(v128_t* out, std::size_t registers, std::size_t parts) {
  run(registers, parts, [=](std::size_t first) {
    for (std::size_t k = 0; k < together; ++k) out[first + k] = wasm_i64x2_const(0, 0);
  });
}

/// Copies; or loads and stores in place, if both are the same. Without the mask, a compiler would leave that out.
EMSCRIPTEN_KEEPALIVE void copy(const v128_t* from, v128_t* to, std::size_t registers, std::size_t parts, int mask) {
  run(registers, parts, [=, all = wasm_i32x4_splat(mask)](std::size_t first) {
    v128_t values[together];
    for (std::size_t k = 0; k < together; ++k) values[k] = wasm_v128_xor(from[first + k], all);
    for (std::size_t k = 0; k < together; ++k) to[first + k] = values[k];
  });
}
}
