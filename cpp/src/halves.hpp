#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "lanes.hpp"
#include "posenc/half.hpp"

/// Registers of 16-bit numbers, each in the lower half of a word, as many as a register has of float32.
namespace posenc::lanes {

using Words = xsimd::batch<std::uint32_t>;
using Integers = xsimd::batch<std::int32_t>;  // which processors compare in one instruction
using Shorts = xsimd::batch<std::uint16_t>;
static_assert(Words::size == floats);

// xsimd only converts between lanes of the same width.
#ifdef __wasm_simd128__

inline Words load_halves(const std::uint16_t* bits) noexcept { return {wasm_u32x4_load16x4(bits)}; }

/// Words with the signs of 16-bit integers.
inline std::array<Integers, 2> signed_words(const Shorts& halves) noexcept {
  return {wasm_i32x4_extend_low_i16x8(halves), wasm_i32x4_extend_high_i16x8(halves)};
}

/// Stores magnitudes with the signs of numbers, whose bit `sign` has. As an integer a negative number is below those of
/// 16 bits.
inline void store_halves(const Integers& low, const Integers& high, const Floats& low_sign, const Floats& high_sign,
                         const Shorts& sign, std::uint16_t* out) noexcept {
  const v128_t signs = wasm_i16x8_narrow_i32x4(low_sign, high_sign) & sign;
  wasm_v128_store(out, wasm_i16x8_narrow_i32x4(low, high) | signs);
}

inline void store_halves(const Words& words, std::uint16_t* out) noexcept {
  wasm_v128_store64_lane(out, wasm_u16x8_narrow_i32x4(words, words), 0);
}

/// The upper words of two registers of float64: sign, exponent, and 20 bits of the fraction.
inline Words upper_words(const Doubles& low, const Doubles& high) noexcept {
  return {wasm_i32x4_shuffle(low, high, 1, 3, 5, 7)};
}

inline Words lower_words(const Doubles& low, const Doubles& high) noexcept {
  return {wasm_i32x4_shuffle(low, high, 0, 2, 4, 6)};
}

#else

using WordLanes [[gnu::vector_size(floats * sizeof(std::uint32_t))]] = std::uint32_t;
using ShortLanes [[gnu::vector_size(floats * sizeof(std::uint16_t))]] = std::uint16_t;

inline Words load_halves(const std::uint16_t* bits) noexcept {
  ShortLanes halves;
  std::memcpy(&halves, bits, sizeof halves);
  return {std::bit_cast<Words::register_type>(__builtin_convertvector(halves, WordLanes))};
}

inline void store_halves(const Words& words, std::uint16_t* out) noexcept {
  const auto halves = __builtin_convertvector(std::bit_cast<WordLanes>(words.data), ShortLanes);
  std::memcpy(out, &halves, sizeof halves);
}

/// Every second word of two registers of float64.
template <std::size_t first>
Words every_second_word(const Doubles& low, const Doubles& high) noexcept {
  using Pairs = std::array<std::uint32_t, 2 * floats>;
  const auto pairs = std::bit_cast<Pairs>(std::array{low.data, high.data});
  std::array<std::uint32_t, floats> words;
  for (std::size_t i = 0; i < floats; ++i) words[i] = pairs[2 * i + first];
  return {std::bit_cast<Words::register_type>(words)};
}

inline std::array<Integers, 2> signed_words(const Shorts& halves) noexcept {
  std::array<std::uint16_t, Shorts::size> bits;
  halves.store_unaligned(bits.data());
  const auto extended = [](const Words& words) { return xsimd::bitwise_cast<std::int32_t>(words << 16) >> 16; };
  return {extended(load_halves(bits.data())), extended(load_halves(bits.data() + floats))};
}

inline void store_halves(const Integers& low, const Integers& high, const Floats& low_sign, const Floats& high_sign,
                         const Shorts& sign, std::uint16_t* out) noexcept {
  const Words bit(sign.get(0));
  const auto store = [&](const Integers& magnitude, const Floats& number, std::uint16_t* to) {
    const auto bits = (xsimd::bitwise_cast<std::uint32_t>(number) >> 16) & bit;
    store_halves(xsimd::bitwise_cast<std::uint32_t>(magnitude) | bits, to);
  };
  store(low, low_sign, out);
  store(high, high_sign, out + floats);
}

inline Words upper_words(const Doubles& low, const Doubles& high) noexcept { return every_second_word<1>(low, high); }
inline Words lower_words(const Doubles& low, const Doubles& high) noexcept { return every_second_word<0>(low, high); }

#endif

[[gnu::noinline]] inline void store_halves_rest(const Words& words, std::uint16_t* out, std::size_t count) noexcept {
  std::array<std::uint16_t, floats> padded;
  store_halves(words, padded.data());
  std::copy_n(padded.begin(), count, out);
}

/// Stores the first `count` values of a register.
inline void store_halves_part(const Words& words, std::uint16_t* out, std::size_t count) noexcept {
  if (count >= floats) {
    store_halves(words, out);
  } else {
    store_halves_rest(words, out, count);
  }
}

inline Words bits_of(const Floats& values) noexcept { return xsimd::bitwise_cast<std::uint32_t>(values); }
inline Floats floats_of(const Words& bits) noexcept { return xsimd::bitwise_cast<float>(bits); }

inline constexpr std::int32_t infinity = 0x7f800000;

template <Half type>
inline Floats widened(const Words& half) noexcept {
  if constexpr (type == Half::bfloat16) {
    return floats_of(half << 16);
  } else {
    // The exponent biases, 127 and 15, differ by 112. The product also makes subnormals normal.
    const Words shifted = (half & Words(0x7fff)) << 13;
    const Words finite = bits_of(floats_of(shifted) * Floats(0x1p112F));
    const auto special = (half & Words(0x7c00)) == Words(0x7c00);
    return floats_of(xsimd::select(special, shifted | Words(0x7f800000), finite) | ((half & Words(0x8000)) << 16));
  }
}

/// Rounds two registers to nearest, ties to even, and stores them as float16. Returns false, and stores nothing, if a
/// value is not a number.
struct Float16Narrowing {
  Integers unsigned_bits = held<Integers, 0x7fffffff>();
  Integers most = held<Integers, 143 << 23>();  // 2^16, which becomes infinite
  Integers exponent = held<Integers, infinity>();
  Integers least = held<Integers, 113 << 23>();  // exponent of normal numbers
  Integers offset = held<Integers, (13 << 23) + 2048>();
  Integers bits = held<Integers, 0x7fff>();
  Shorts sign = held<Shorts, 0x8000>();

  bool operator()(const Floats& low, const Floats& high, std::uint16_t* out) const noexcept {
    const Integers a = xsimd::bitwise_cast<std::int32_t>(low) & unsigned_bits;
    const Integers b = xsimd::bitwise_cast<std::int32_t>(high) & unsigned_bits;
    if (xsimd::any(xsimd::max(a, b) > exponent)) return false;
    store_halves(rounded(a), rounded(b), low, high, sign, out);
    return true;
  }

  [[nodiscard]] Integers rounded(const Integers& magnitude) const noexcept {
    // Adding 2^13 times a value's power of 2, at least that of subnormals, rounds the value to its last bit in float16,
    // and leaves the multiple of it in the last bits and the exponent in the first ones. Their sum needs an offset,
    // because both count the fraction's highest bit and the biases differ.
    const Integers bounded = xsimd::min(magnitude, most);
    const Integers power = xsimd::max(bounded & exponent, least) + offset;
    const auto sum = xsimd::bitwise_cast<float>(bounded) + xsimd::bitwise_cast<float>(power);
    const auto parts = xsimd::bitwise_cast<std::int32_t>(sum);
    return (parts + (parts >> 13)) & bits;
  }
};

/// The same for bfloat16.
struct Bfloat16Narrowing {
  Words below_half = held<Words, 0x7fff>();
  Words one = held<Words, 1>();

  bool operator()(const Floats& low, const Floats& high, std::uint16_t* out) const noexcept {
    if (xsimd::any(xsimd::isnan(low) || xsimd::isnan(high))) return false;
    store_halves(rounded(low), out);
    store_halves(rounded(high), out + floats);
    return true;
  }

  [[nodiscard]] Words rounded(const Floats& value) const noexcept {
    const Words bits = bits_of(value);
    return (bits + below_half + ((bits >> 16) & one)) >> 16;
  }
};

/// A 16-bit type in numbers, so that one kernel serves both.
struct Format {
  std::int32_t fraction;  // number of its bits
  std::int32_t bias;      // of the exponent

  [[nodiscard]] constexpr std::int32_t dropped() const noexcept { return 20 - fraction; }  // of an upper word
};

constexpr Format format_of(Half type) noexcept { return type == Half::float16 ? Format{10, 15} : Format{7, 127}; }

/// Rounds float64 once to nearest, ties to even.
[[gnu::noinline]] inline Words narrowed(Half type, const Doubles& low, const Doubles& high) noexcept {
  using Bits = xsimd::batch<std::uint64_t>;
  constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52;
  const Format format = format_of(type);
  const std::int32_t fraction = format.fraction;
  const std::int32_t bias = format.bias;
  const auto power = [](std::int32_t k) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + k) << 52); };
  // Adding 2^(52 - fraction) times a value's power of 2, at least that of subnormals, rounds the value to its last bit
  // in the type, and leaves the multiple of it in the lower word and the exponent in the upper one. Their sum needs an
  // offset, because both count the fraction's highest bit and the biases differ.
  const std::int32_t offset = ((fraction + bias - 1076) * (1 << fraction)) & 0x7fff;
  const Bits added((static_cast<std::uint64_t>(52 - fraction) << 52) + static_cast<std::uint64_t>(offset));
  const auto rounded = [&](const Doubles& value) {
    const Doubles magnitude = xsimd::min(xsimd::abs(value), Doubles(power(bias + 1)));
    const auto largest = xsimd::bitwise_cast<double>(xsimd::bitwise_cast<std::uint64_t>(magnitude) & Bits(exponent));
    const Doubles most = xsimd::max(largest, Doubles(power(1 - bias)));
    return magnitude + xsimd::bitwise_cast<double>(xsimd::bitwise_cast<std::uint64_t>(most) + added);
  };
  const Doubles a = rounded(low);
  const Doubles b = rounded(high);
  const Words sum = lower_words(a, b) + (upper_words(a, b) >> format.dropped());
  return (sum & Words(0x7fff)) | ((upper_words(low, high) >> 16) & Words(0x8000));
}

/// The least magnitude of numbers that are normal in the type.
constexpr std::int32_t least_normal(Format format) noexcept { return (1024 - format.bias) << 20; }

/// The same as `narrowed` for the upper words of numbers that are normal in the type, also when rounded, and no ties: a
/// tie would go to the larger magnitude. Measured: less than a third of the time.
inline Words narrowed_normal(Format format, const Words& upper, const Integers& magnitude, const Words& sign) noexcept {
  const std::int32_t rebias = (1023 - format.bias) << 20;
  const std::int32_t half_step = 1 << (format.dropped() - 1);
  const Integers rounded = (magnitude - Integers(rebias - half_step)) >> format.dropped();
  return xsimd::bitwise_cast<std::uint32_t>(rounded) | ((upper >> 16) & sign);
}

}  // namespace posenc::lanes
