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

/// The fractional part of position · frequency in turns, within half a turn of zero. Its error is below 2^-51 turns for
/// products up to 2^53 radians.
inline Doubles turn_fraction(const Sum<Doubles>& position, const Sum<Doubles>& frequency) noexcept {
  const auto [product, error] = two_product(position.high, frequency.high);
  const Doubles rest = error + (position.high * frequency.low + position.low * frequency.high);
  const Doubles fraction = (product - lanes::nearest(product)) + (rest - lanes::nearest(rest));
  return fraction - lanes::nearest(fraction);
}

inline Doubles turn_fraction(DoubleDouble position, const Sum<Doubles>& frequency) noexcept {
  return turn_fraction(Sum<Doubles>{Doubles(position.high), Doubles(position.low)}, frequency);
}

inline Doubles turn_fraction(const Doubles& position, DoubleDouble frequency) noexcept {
  return turn_fraction(Sum<Doubles>{position, Doubles(0.0)},
                       Sum<Doubles>{Doubles(frequency.high), Doubles(frequency.low)});
}

/// Sine and cosine of an angle in turns, |turns| <= 1/2; absolute error below 2^-52.
///
/// The polynomials in r² interpolate sin(2πr)/r and (cos(2πr) - 1)/r² at the Chebyshev nodes of an eighth of a turn.
/// The resulting errors of sine and cosine are 3e-17 and 2e-17.
inline SineCosine sine_cosine(const Doubles& turns) noexcept {
  const Doubles quarters = lanes::nearest(turns * 4.0);
  const Doubles r = turns - quarters * 0.25;
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

  const Doubles distance = xsimd::abs(quarters);  // 0, 1 or 2 quarter turns from zero
  const auto odd = distance == 1.0;
  const auto half = distance == 2.0;
  const Doubles sine = xsimd::select(odd, c, s);
  const Doubles cosine = xsimd::select(odd, s, c);
  return {xsimd::select(half || quarters == -1.0, -sine, sine),
          xsimd::select(half || quarters == 1.0, -cosine, cosine)};
}

}  // namespace posenc
