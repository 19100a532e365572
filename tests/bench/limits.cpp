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

/// The recurrence of sines, and nothing else: each row is factor · following - current, in float64, and is stored as
/// float32. So many rows are made in a pass over the columns, of which so many registers of float64 are taken at a
/// time.
template <std::size_t rows, std::size_t registers>
void recur(double* state, float* out, std::size_t length, std::size_t dim) {
  constexpr std::size_t columns = 2 * registers;
  for (std::size_t row = 0; row < length; row += rows) {
    double* factor = state;
    double* current = state + dim;
    double* following = current + dim;
    float* to = out + row * dim;
    for (const double* end = current; factor != end; factor += columns, current += columns, following += columns) {
      v128_t k[registers];
      v128_t a[registers];
      v128_t b[registers];
      for (std::size_t i = 0; i < registers; ++i) {
        k[i] = wasm_v128_load(factor + 2 * i);
        a[i] = wasm_v128_load(current + 2 * i);
        b[i] = wasm_v128_load(following + 2 * i);
      }
      float* at = to;
      for (std::size_t r = 0; r < rows; ++r, at += dim) {
        for (std::size_t i = 0; i < registers; i += 2) {
          const v128_t low = wasm_f32x4_demote_f64x2_zero(a[i]);
          const v128_t high = wasm_f32x4_demote_f64x2_zero(a[i + 1]);
          wasm_v128_store(at + 2 * i, wasm_i64x2_shuffle(low, high, 0, 2));
        }
        for (std::size_t i = 0; i < registers; ++i) {
          const v128_t next = wasm_f64x2_sub(wasm_f64x2_mul(k[i], b[i]), a[i]);
          a[i] = b[i];
          b[i] = next;
        }
      }
      for (std::size_t i = 0; i < registers; ++i) {
        wasm_v128_store(current + 2 * i, a[i]);
        wasm_v128_store(following + 2 * i, b[i]);
      }
      to += columns;
    }
  }
}

}  // namespace

extern "C" {

/// The fastest that were found: in cache, and in larger arrays.
EMSCRIPTEN_KEEPALIVE void recur_by_4(double* state, float* out, std::size_t length, std::size_t dim) {
  recur<4, 2>(state, out, length, dim);
}

EMSCRIPTEN_KEEPALIVE void recur_by_8(double* state, float* out, std::size_t length, std::size_t dim) {
  recur<8, 4>(state, out, length, dim);
}

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
