#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <xsimd/xsimd.hpp>

/// The registers that kernels compute in: 2 float64 lanes in WebAssembly and SSE2, 4 in AVX, 8 in AVX-512.
namespace posenc::lanes {

using Doubles = xsimd::batch<double>;
using Floats = xsimd::batch<float>;

inline constexpr std::size_t doubles = Doubles::size;
inline constexpr std::size_t floats = Floats::size;
static_assert(floats == 2 * doubles);

/// A constant that stays in a register throughout a loop. V8 makes any other one anew in each turn, but doesn't know
/// the value of this one, which is a variable in memory. Measured in Chromium 156: sums in float16 take 0.6 of the
/// time.
template <class Batch, typename Batch::value_type value>
inline Batch held() noexcept {
  static volatile typename Batch::value_type kept = value;
  return Batch(kept);
}

/// Incomplete registers are rare, so these are calls that keep the loops around them small.
template <class Batch>
[[gnu::noinline]] inline Batch load_rest(const typename Batch::value_type* values, std::size_t count) noexcept {
  std::array<typename Batch::value_type, Batch::size> padded{};
  std::copy_n(values, count, padded.begin());
  return Batch::load_unaligned(padded.data());
}

template <class Batch>
[[gnu::noinline]] inline void store_rest(const Batch& batch, typename Batch::value_type* out,
                                         std::size_t count) noexcept {
  std::array<typename Batch::value_type, Batch::size> padded{};
  batch.store_unaligned(padded.data());
  std::copy_n(padded.begin(), count, out);
}

/// Loads the first `count` values of a register, and zeros after them.
template <class Batch>
inline Batch load_part(const typename Batch::value_type* values, std::size_t count) noexcept {
  return count >= Batch::size ? Batch::load_unaligned(values) : load_rest<Batch>(values, count);
}

template <class Batch>
inline void store_part(const Batch& batch, typename Batch::value_type* out, std::size_t count) noexcept {
  if (count >= Batch::size) {
    batch.store_unaligned(out);
  } else {
    store_rest(batch, out, count);
  }
}

template <std::uint32_t first>
struct EverySecond {
  static constexpr std::uint32_t get(std::uint32_t lane, std::uint32_t /*lanes*/) noexcept { return 2 * lane + first; }
};

/// Every second lane of two concatenated registers, from lane `first` on.
template <std::uint32_t first, class Batch>
inline Batch every_second(const Batch& low, const Batch& high) noexcept {
  using Arch = typename Batch::arch_type;
  return xsimd::shuffle(low, high, xsimd::make_batch_constant<std::uint32_t, EverySecond<first>, Arch>());
}

/// Calls `each(first, count)` for consecutive registers of `size` values. Only the last count may be less than a
/// register's.
template <class Each>
inline void for_registers(std::size_t size, const Each& each) noexcept {
  const std::size_t whole = size - size % floats;
  for (std::size_t i = 0; i < whole; i += floats) each(i, floats);
  if (whole < size) each(whole, size - whole);
}

/// A register's place in an array: a multiple of a turn's values, and a rest. Because they are added one after the
/// other, the rest becomes a constant in the address of the load; a single sum would cost an instruction for each load.
struct Place {
  std::size_t turn;
  std::size_t rest;
};

inline const float* operator+(const float* values, Place place) noexcept { return values + place.turn + place.rest; }

/// Number of registers that are loaded before any of them is stored.
inline constexpr std::size_t together = 4;
inline constexpr std::size_t turn = together * floats;

/// Stores `value(place, count)` at the places of a turn.
template <class Value>
inline void fill_turn(std::size_t first, float* out, const Value& value) noexcept {
  std::array<Floats, together> values;
  for (std::size_t k = 0; k < together; ++k) values[k] = value(Place{first, k * floats}, floats);
  for (std::size_t k = 0; k < together; ++k) values[k].store_unaligned(out + first + k * floats);
}

/// Stores `value(place, count)` at the places [from, size) of `out`, a register at a time.
template <class Value>
inline void fill_rest(std::size_t from, std::size_t size, float* out, const Value& value) noexcept {
#pragma GCC unroll 1
  for (std::size_t i = from; i < size; i += floats) store_part(value(Place{i, 0}, size - i), out + i, size - i);
}

/// Stores `value(place, count)` at each place of a row.
template <class Value>
inline void fill_row(std::size_t dim, float* out, const Value& value) noexcept {
  const std::size_t whole = dim - dim % turn;
  for (std::size_t i = 0; i != whole; i += turn) fill_turn(i, out, value);
  fill_rest(whole, dim, out, value);
}

/// Calls `each(row)` for all rows, in two parts in turn. Measured on arrays larger than the caches: several parts take
/// half the time of one, because a processor prefetches only up to the end of a page.
template <class Each>
inline void for_parts(std::size_t rows, const Each& each) noexcept {
  const std::size_t part = (rows + 1) / 2;
  for (std::size_t row = 0; row < part; ++row) {
    each(row);
    if (part + row < rows) each(part + row);
  }
}

/// Number of rows that are processed together.
inline constexpr std::size_t streams = 4;

/// Stores rows from four parts of `out`, a turn of each at a time: `value(row)(place, count)` at each place of a row.
/// Measured on rows that are read at random: 0.6 of the time of one after the other.
template <class Value>
inline void fill_rows(std::size_t rows, std::size_t dim, float* out, const Value& value) noexcept {
  const std::size_t whole = dim - dim % turn;
  const std::size_t part = rows / streams;
  for (std::size_t row = 0; row < part; ++row) {
    const auto at = [=](std::size_t stream) { return stream * part + row; };
    const std::array values{value(at(0)), value(at(1)), value(at(2)), value(at(3))};
    for (std::size_t i = 0; i != whole; i += turn) {
      for (std::size_t stream = 0; stream < streams; ++stream) fill_turn(i, out + at(stream) * dim, values[stream]);
    }
  }
  // The last columns of all rows, and all columns of the remaining rows.
#pragma GCC unroll 1
  for (std::size_t row = whole < dim ? 0 : streams * part; row < rows; ++row) {
    fill_rest(row < streams * part ? whole : 0, dim, out + row * dim, value(row));
  }
}

#ifdef __wasm_simd128__

// xsimd takes ten instructions for what WebAssembly has one for.
/// The nearest integers; halfway between two, the even one.
inline Doubles nearest(const Doubles& x) noexcept { return wasm_f64x2_nearest(x); }

// xsimd only converts between lanes of the same width.

/// Rounds two registers of float64 to one of float32.
inline Floats demote(const Doubles& low, const Doubles& high) noexcept {
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
}

/// Widens float32 values to a register of float64.
inline Doubles promote(const float* values) noexcept {
  return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(values));
}

#else

inline Doubles nearest(const Doubles& x) noexcept { return xsimd::nearbyint(x); }

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
