#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <xsimd/xsimd.hpp>

/// The registers that kernels compute in: 2 float64 lanes in WebAssembly and SSE2, 4 in AVX, 8 in AVX-512.
namespace posenc::lanes {

using Doubles = xsimd::batch<double>;
using Floats = xsimd::batch<float>;

inline constexpr std::size_t doubles = Doubles::size;
inline constexpr std::size_t floats = Floats::size;
static_assert(floats == 2 * doubles);

/// The first `count` values of a register, zeros after them.
template <class Batch>
inline Batch load_part(const typename Batch::value_type* values, std::size_t count) noexcept {
  if (count >= Batch::size) return Batch::load_unaligned(values);
  std::array<typename Batch::value_type, Batch::size> padded{};
  std::copy_n(values, count, padded.begin());
  return Batch::load_unaligned(padded.data());
}

template <class Batch>
inline void store_part(const Batch& batch, typename Batch::value_type* out, std::size_t count) noexcept {
  if (count >= Batch::size) {
    batch.store_unaligned(out);
    return;
  }
  std::array<typename Batch::value_type, Batch::size> padded{};
  batch.store_unaligned(padded.data());
  std::copy_n(padded.begin(), count, out);
}

/// Calls `each(first, count)` for consecutive registers of `size` values; only the last count may be less than a
/// register's.
template <class Each>
inline void for_registers(std::size_t size, const Each& each) noexcept {
  const std::size_t whole = size - size % floats;
  for (std::size_t i = 0; i < whole; i += floats) each(i, floats);
  if (whole < size) each(whole, size - whole);
}

// xsimd converts between lanes of one width only.
#ifdef __wasm_simd128__

/// Rounds two registers of float64 to one of float32.
inline Floats demote(const Doubles& low, const Doubles& high) noexcept {
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
}

/// Widens as many float32 values as a register has float64 lanes.
inline Doubles promote(const float* values) noexcept {
  return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(values));
}

#else

using DoubleLanes [[gnu::vector_size(doubles * sizeof(double))]] = double;
using HalfLanes [[gnu::vector_size(doubles * sizeof(float))]] = float;

inline Floats demote(const Doubles& low, const Doubles& high) noexcept {
  const std::array halves{__builtin_convertvector(std::bit_cast<DoubleLanes>(low.data), HalfLanes),
                          __builtin_convertvector(std::bit_cast<DoubleLanes>(high.data), HalfLanes)};
  return {std::bit_cast<Floats::register_type>(halves)};
}

inline Doubles promote(const float* values) noexcept {
  HalfLanes half;
  std::memcpy(&half, values, sizeof half);
  return {std::bit_cast<Doubles::register_type>(__builtin_convertvector(half, DoubleLanes))};
}

#endif

}  // namespace posenc::lanes
