#pragma once

#include <cstdint>
#include <span>

namespace posenc {

/// The 16-bit number types, stored as their bits.
enum class Half : std::uint8_t {
  float16,   ///< IEEE 754 binary16: 5 bits of exponent, 10 of fraction
  bfloat16,  ///< the upper half of a float32: 8 bits of exponent, 7 of fraction
};

/// Widens to float32, which holds every value exactly.
///
/// @param out  as many as bits
void widen(Half type, std::span<const std::uint16_t> bits, std::span<float> out) noexcept;

/// Rounds to nearest, ties to even. Subnormals are kept, too large values become infinite, and NaN stays NaN.
///
/// @param out  as many as values
void narrow(Half type, std::span<const float> values, std::span<std::uint16_t> out) noexcept;

}  // namespace posenc
