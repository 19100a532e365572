#include "posenc/half.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>

#include "lanes.hpp"

namespace posenc {
namespace {

using lanes::Floats;
using Words = xsimd::batch<std::uint32_t>;
static_assert(Words::size == lanes::floats);

/// Number of values in two registers. Their halves fill one register.
constexpr std::size_t step = 2 * lanes::floats;

// xsimd only converts between lanes of the same width.
#ifdef __wasm_simd128__

std::array<Words, 2> load_halves(const std::uint16_t* bits) noexcept {
  const v128_t halves = wasm_v128_load(bits);
  return {Words(wasm_u32x4_extend_low_u16x8(halves)), Words(wasm_u32x4_extend_high_u16x8(halves))};
}

void store_halves(const Words& low, const Words& high, std::uint16_t* out) noexcept {
  wasm_v128_store(out, wasm_u16x8_narrow_i32x4(low, high));
}

#else

using WordLanes [[gnu::vector_size(lanes::floats * sizeof(std::uint32_t))]] = std::uint32_t;
using HalfLanes [[gnu::vector_size(lanes::floats * sizeof(std::uint16_t))]] = std::uint16_t;

Words load_some(const std::uint16_t* bits) noexcept {
  HalfLanes halves;
  std::memcpy(&halves, bits, sizeof halves);
  return {std::bit_cast<Words::register_type>(__builtin_convertvector(halves, WordLanes))};
}

std::array<Words, 2> load_halves(const std::uint16_t* bits) noexcept {
  return {load_some(bits), load_some(bits + lanes::floats)};
}

void store_halves(const Words& low, const Words& high, std::uint16_t* out) noexcept {
  for (const Words& words : {low, high}) {
    const auto halves = __builtin_convertvector(std::bit_cast<WordLanes>(words.data), HalfLanes);
    std::memcpy(out, &halves, sizeof halves);
    out += lanes::floats;
  }
}

#endif

Words bits_of(const Floats& values) noexcept { return xsimd::bitwise_cast<std::uint32_t>(values); }
Floats floats_of(const Words& bits) noexcept { return xsimd::bitwise_cast<float>(bits); }

constexpr std::uint32_t infinity = 0x7f800000;
constexpr std::uint32_t sign_bit = 0x80000000;

template <Half type>
Floats widened(const Words& half) noexcept {
  if constexpr (type == Half::bfloat16) {
    return floats_of(half << 16);
  } else {
    // The exponent biases, 127 and 15, differ by 112. The product also makes subnormals normal.
    const Words shifted = (half & Words(0x7fff)) << 13;
    const Words finite = bits_of(floats_of(shifted) * Floats(0x1p112F));
    const auto special = (half & Words(0x7c00)) == Words(0x7c00);
    return floats_of(xsimd::select(special, shifted | Words(infinity), finite) | ((half & Words(0x8000)) << 16));
  }
}

template <Half type>
Words narrowed(const Floats& value) noexcept {
  using Integers = xsimd::batch<std::int32_t>;  // signed, which processors compare in one instruction
  constexpr int dropped = type == Half::bfloat16 ? 16 : 13;
  // The bound for larger values, which round to infinity, and for NaN, whose fraction is added. For float16 it is twice
  // the largest power of 2.
  constexpr std::uint32_t most = type == Half::bfloat16 ? infinity : 143U << 23;
  constexpr std::uint32_t rebias = type == Half::bfloat16 ? 0 : 112U << 23;
  constexpr std::uint32_t quiet = type == Half::bfloat16 ? 0x40 : 0x200;

  const Words bits = bits_of(value);
  const Words magnitude = bits & Words(~sign_bit);
  const Integers number = xsimd::bitwise_cast<std::int32_t>(magnitude);
  const Words bounded = xsimd::bitwise_cast<std::uint32_t>(xsimd::min(number, Integers(most)));
  const Words odd = (bounded >> dropped) & Words(1);
  Words rounded = (bounded + odd + Words((1U << (dropped - 1)) - 1 - rebias)) >> dropped;
  if constexpr (type == Half::float16) {
    // The last bit of 0.5F is the smallest subnormal of float16, so adding 0.5 rounds a value to a multiple of it.
    const Words subnormal = bits_of(floats_of(magnitude) + Floats(0.5F)) - Words(0x3f000000);
    const auto small = number < Integers(113 << 23);
    rounded = xsimd::select(xsimd::batch_bool_cast<std::uint32_t>(small), subnormal, rounded);
  }
  const auto not_a_number = xsimd::batch_bool_cast<std::uint32_t>(number > Integers(infinity));
  // A NaN that was widened gets its bits back. One without a fraction in the bits that are kept would become infinity.
  const Words kept = (bits >> dropped) & Words(2 * quiet - 1);
  const Words fraction = xsimd::select(kept == Words(0), Words(quiet), kept);
  return rounded | xsimd::select(not_a_number, fraction, Words(0)) | ((bits & Words(sign_bit)) >> 16);
}

/// Calls `each(from, to)` for consecutive steps of the values. An incomplete last step goes through padded arrays.
template <class From, class To, class Each>
void convert(std::span<const From> values, std::span<To> out, const Each& each) noexcept {
  assert(values.size() == out.size());
  std::array<From, step> from{};
  std::array<To, step> to{};
  for (std::size_t i = 0; i < values.size(); i += step) {
    const std::size_t count = values.size() - i;
    if (count >= step) [[likely]] {
      each(&values[i], &out[i]);
    } else {
      std::copy_n(&values[i], count, from.begin());
      each(from.data(), to.data());
      std::copy_n(to.begin(), count, &out[i]);
    }
  }
}

template <Half type>
void widen_all(std::span<const std::uint16_t> bits, std::span<float> out) noexcept {
  convert(bits, out, [](const std::uint16_t* from, float* to) {
    const auto [low, high] = load_halves(from);
    widened<type>(low).store_unaligned(to);
    widened<type>(high).store_unaligned(to + lanes::floats);
  });
}

template <Half type>
void narrow_all(std::span<const float> values, std::span<std::uint16_t> out) noexcept {
  convert(values, out, [](const float* from, std::uint16_t* to) {
    const Words low = narrowed<type>(Floats::load_unaligned(from));
    const Words high = narrowed<type>(Floats::load_unaligned(from + lanes::floats));
    store_halves(low, high, to);
  });
}

}  // namespace

void widen(Half type, std::span<const std::uint16_t> bits, std::span<float> out) noexcept {
  type == Half::float16 ? widen_all<Half::float16>(bits, out) : widen_all<Half::bfloat16>(bits, out);
}

void narrow(Half type, std::span<const float> values, std::span<std::uint16_t> out) noexcept {
  type == Half::float16 ? narrow_all<Half::float16>(values, out) : narrow_all<Half::bfloat16>(values, out);
}

}  // namespace posenc
