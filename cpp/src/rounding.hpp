#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace posenc {

/// Rounds float64 once to this many significant bits, ties to even. Exponents keep float64's range, so float32 and
/// bfloat16 only differ from the result below 2^-126, where they have fewer bits.
inline lanes::Doubles round_to_bits(int bits, const lanes::Doubles& value) noexcept {
  using Bits = xsimd::batch<std::uint64_t>;
  const int dropped = 53 - bits;
  const auto raw = xsimd::bitwise_cast<std::uint64_t>(value);
  const Bits odd = (raw >> dropped) & Bits(1);
  const Bits half = odd + Bits((std::uint64_t{1} << (dropped - 1)) - 1);
  return xsimd::bitwise_cast<double>((raw + half) & Bits(~((std::uint64_t{1} << dropped) - 1)));
}

}  // namespace posenc
