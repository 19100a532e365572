#pragma once

#include "double_double.hpp"
#include "lanes.hpp"

/// Angles as fractions of a turn. Reduction to one turn is a subtraction of an integer, which is exact at any position.
namespace posenc {

using lanes::Doubles;

struct SineCosine {
  Doubles sine;
  Doubles cosine;
};

/// The fractional part of a product in turns, given as a sum, within a turn of zero.
inline Doubles fraction(const Doubles& product, const Doubles& rest) noexcept {
  return (product - lanes::nearest(product)) + (rest - lanes::nearest(rest));
}

/// The fractional part of position · frequency in turns. Its error is below 2^-51 turns for products up to 2^53
/// radians.
inline Doubles turn_fraction(const Doubles& position, const Sum<Doubles>& frequency) noexcept {
  const auto [product, error] = two_product(position, frequency.high);
  return fraction(product, error + position * frequency.low);
}

inline Doubles turn_fraction(DoubleDouble position, const Sum<Doubles>& frequency) noexcept {
  const Doubles high(position.high);
  const auto [product, error] = two_product(high, frequency.high);
  return fraction(product, error + (high * frequency.low + position.low * frequency.high));
}

/// Sine and cosine of an angle in turns, |turns| <= 1; absolute error below 2^-52.
///
/// The polynomials in r² interpolate sin(2πr)/r and (cos(2πr) - 1)/r² at the Chebyshev nodes of an eighth of a turn.
/// The resulting errors of sine and cosine are 3e-17 and 2e-17.
inline SineCosine sine_cosine(const Doubles& turns) noexcept {
  // Float64 of this size are multiples of a quarter: the sum is rounded to one, and its last bits count the quarters.
  const Doubles aligned(0x3p49);
  const Doubles sum = turns + aligned;
  const Doubles r = turns - (sum - aligned);
  const Doubles square = r * r;

  Doubles s(3.7808689593022957);
  s = s * square - 15.093804209987114;
  s = s * square + 42.058685020160894;
  s = s * square - 76.70585970427454;
  s = s * square + 81.60524927594804;
  s = s * square - 41.341702240399634;
  s = s * square + 6.283185307179586;
  s = s * r;

  Doubles c(-1.6990343940660637);
  c = c * square + 7.903206911569678;
  c = c * square - 26.426253275854723;
  c = c * square + 60.24464135270201;
  c = c * square - 85.4568172066438;
  c = c * square + 64.93939402266824;
  c = c * square - 19.739208802178716;
  c = c * square + 1.0;

  // After an odd number of quarters, sine and cosine change places. The sine is negative after 2 and 3 of 4, the cosine
  // after 1 and 2.
  using Bits = xsimd::batch<std::uint64_t>;
  const Bits quarters = xsimd::bitwise_cast<std::uint64_t>(sum);
  const Doubles odd = xsimd::bitwise_cast<double>(Bits(0) - (quarters & Bits(1)));
  const Doubles exchange = (s ^ c) & odd;
  const Bits twos = quarters << 62;
  const Doubles sign(-0.0);
  return {s ^ exchange ^ (xsimd::bitwise_cast<double>(twos) & sign),
          c ^ exchange ^ (xsimd::bitwise_cast<double>(twos ^ (quarters << 63)) & sign)};
}

}  // namespace posenc
