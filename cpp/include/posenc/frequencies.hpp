#pragma once

#include <cstdint>
#include <span>

namespace posenc {

/// Frequencies in turns (not radians) per position. Each is an unevaluated sum high + low of 106 bits, which keeps the
/// phase exact up to position 2^53 - 1.
struct Turns {
  std::span<const double> high;
  std::span<const double> low;
};

/// NTK-aware scaling of the base for longer texts. With s = 1 + factor · more / length, the base is multiplied by
/// s^(steps / (steps - 1)), which divides the lowest frequency by s and keeps the highest.
struct Stretch {
  double factor = 0;  ///< not negative; 0 changes nothing
  double more = 1;    ///< not negative
  double length = 1;  ///< positive; all three at most 2^53, and s at most 1e28
};

/// Computes the geometric frequencies of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5): frequency i is
/// max_frequency · base^(-i / steps) radians per position. In the paper steps = dim / 2 and max_frequency = 1.
///
/// @param base   in [limits::min_base, limits::max_base]
/// @param steps  positive; the number of frequencies, possibly fractional, over which they fall by the factor base
/// @param max_frequency  positive, at most 1e12
/// @param stretch  needs steps > 1
/// @param radians    radians per position, correctly rounded except within 2^-98 of a tie
/// @param high, low  the same over 2π, a double-double of relative error below 2^-96; all three of equal size, at most
///                   limits::frequencies
void frequencies(double base, double steps, double max_frequency, std::span<double> radians, std::span<double> high,
                 std::span<double> low, const Stretch& stretch = {}) noexcept;

/// Divides custom frequencies by 2π, to a double-double of relative error below 2^-102.
///
/// @param radians    per position, finite, at most 1e12 in magnitude
/// @param high, low  as many
void turns(std::span<const double> radians, std::span<double> high, std::span<double> low) noexcept;

/// The quantity along which the effect of a frequency's divisor rises from 0 to 1.
enum class Ramp : std::uint8_t {
  none,   ///< the effect is 1 for all frequencies
  index,  ///< the index of the frequency, between those that turn `fast` and `slow` times in `length` (YaRN)
  turns,  ///< how often the frequency turns in `length`, from `fast` down to `slow` (Llama 3.1)
};

/// Division of frequencies for texts longer than those a model was trained on.
struct Scaling {
  Ramp ramp = Ramp::none;
  double length = 1;    ///< positions of the original texts; 1 to 2^53
  double fast = 2;      ///< turns, positive, at most 1e12
  double slow = 1;      ///< likewise; at most `fast`. For Ramp::turns equal ones are a step
  bool whole = true;    ///< for Ramp::index: the ends are rounded outwards to integers
  double base = 10000;  ///< for Ramp::index: the base of the frequencies
  double steps = 1;     ///< for Ramp::index: the steps of the frequencies
};

/// Multiplies each frequency by 1 - r + r / divisor, where r is the ramp's value (Peng et al. 2023, "YaRN",
/// section 3.2). As in transformers, the ends are clamped to 0 and 2 · steps - 1, and equal ends are separated by
/// 0.001.
///
/// @param radians    in: the divisors, from 1e-12 to 1e12; out: the frequencies in radians, as exact as those of
///                   `frequencies`
/// @param high, low  the frequencies in turns; scaling adds a relative error below 2^-90. Between ends that are not
///                   equal, but differ by less than a ten-thousandth, it is about 2^-100 divided by their relative
///                   distance.
void scale(const Scaling& scaling, std::span<double> radians, std::span<double> high, std::span<double> low) noexcept;

}  // namespace posenc
