#pragma once

#include <span>

namespace posenc {

/// Frequencies in turns (not radians) per position, each an unevaluated sum high + low of 106 bits:
/// what keeps the phase of position 2^53 - 1 exact.
struct Turns {
  std::span<const double> high;
  std::span<const double> low;
};

/// Fills the geometric frequencies of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5):
/// frequency i is max_frequency · base^(-i / steps) radians per position; in the paper steps = dim / 2, max_frequency
/// = 1.
///
/// @param base   in [limits::min_base, limits::max_base]
/// @param steps  positive; the number of frequencies (it may be fractional) in which they fall by a factor of base
/// @param max_frequency  positive, at most 1e12
/// @param radians, high, low  of equal size, at most limits::frequencies: radians per position, correctly rounded but
///               for cases within 2^-98 of a tie, and the same over 2π as a double-double of relative error below 2^-96
void frequencies(double base, double steps, double max_frequency, std::span<double> radians, std::span<double> high,
                 std::span<double> low) noexcept;

/// Frequencies of one's own, over 2π: a double-double of relative error below 2^-102.
///
/// @param radians    per position, finite, at most 1e12 in magnitude
/// @param high, low  as many
void turns(std::span<const double> radians, std::span<double> high, std::span<double> low) noexcept;

}  // namespace posenc
