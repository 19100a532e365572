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

/// Rounds two registers of float64 to one of float32. A value that float32 does not have becomes the neighbour whose
/// last bit is 1; below 2^-126, where float32 has fewer bits, it is rounded as by `demote`. Rounding the result to a
/// narrower type is then the same as rounding the float64 (Boldo and Melquiond 2008, "Emulation of FMA and correctly
/// rounded sums").
inline lanes::Floats demote_to_odd(const lanes::Doubles& low, const lanes::Doubles& high) noexcept {
  using Bits = xsimd::batch<std::uint64_t>;
  const auto to_odd = [](const lanes::Doubles& value) {
    constexpr std::uint64_t dropped = (std::uint64_t{1} << (53 - 24)) - 1;
    const auto raw = xsimd::bitwise_cast<std::uint64_t>(value);
    const Bits inexact = (raw & Bits(dropped)) + Bits(dropped);  // carries into float32's last bit
    return xsimd::bitwise_cast<double>((raw | (inexact & Bits(dropped + 1))) & Bits(~dropped));
  };
  return lanes::demote(to_odd(low), to_odd(high));
}

}  // namespace posenc
