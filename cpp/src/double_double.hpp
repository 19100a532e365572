#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// Arithmetic on unevaluated sums of two float64, with 106 bits. The error-free transformations are Dekker's (1971) and
/// Knuth's. They need a compiler that neither reorders nor contracts operations (-ffp-contract=off).
namespace posenc {

template <class T>
struct Sum {
  T high;
  T low;
};

/// a + b exactly.
template <class T>
inline Sum<T> two_sum(T a, T b) noexcept {
  const T sum = a + b;
  const T part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a + b exactly, if |a| >= |b|.
template <class T>
inline Sum<T> fast_two_sum(T a, T b) noexcept {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}

/// Splits a into two halves of 26 bits, whose products are exact.
template <class T>
inline Sum<T> split(T a) noexcept {
  const T shifted = a * T(134217729.0);  // 2^27 + 1
  const T high = shifted - (shifted - a);
  return {high, a - high};
}

/// a · b exactly, for magnitudes below 2^996.
template <class T>
inline Sum<T> two_product(T a, T b) noexcept {
  const T product = a * b;
  const Sum<T> x = split(a);
  const Sum<T> y = split(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

using DoubleDouble = Sum<double>;

[[gnu::noinline]] inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) noexcept {
  const auto [high, low] = two_sum(a.high, b.high);
  return fast_two_sum(high, low + a.low + b.low);
}

inline DoubleDouble operator-(DoubleDouble a) noexcept { return {-a.high, -a.low}; }

[[gnu::noinline]] inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) noexcept {
  const auto [high, low] = two_product(a.high, b.high);
  return fast_two_sum(high, low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator*(DoubleDouble a, double b) noexcept { return a * DoubleDouble{b, 0}; }

[[gnu::noinline]] inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) noexcept {
  const double first = a.high / b.high;
  const DoubleDouble rest = a + -(b * first);
  return fast_two_sum(first, rest.high / b.high);
}

inline DoubleDouble operator/(DoubleDouble a, double b) noexcept { return a / DoubleDouble{b, 0}; }

/// The largest integer that is at most x.
[[gnu::noinline]] inline DoubleDouble floor(DoubleDouble x) noexcept {
  const double high = std::floor(x.high);
  return high == x.high ? fast_two_sum(high, std::floor(x.low)) : DoubleDouble{high, 0};
}

inline constexpr DoubleDouble ln_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr DoubleDouble two_pi{0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};
inline constexpr DoubleDouble ln_two_pi{0x1.d67f1c864beb5p+0, -0x1.65b5a1b7ff5dfp-54};
inline constexpr DoubleDouble inverse_two_pi{0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57};

/// 2^k, for -1022 <= k <= 1023.
inline double power_of_two(int k) noexcept { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

/// e^x for |x| <= 100, relative error below 2^-100 for |x| <= 28 and 2^-97 beyond.
inline DoubleDouble exp(DoubleDouble x) noexcept {
  constexpr int halvings = 6;
  const double twos = std::nearbyint(x.high / ln_2.high);
  const DoubleDouble reduced = x + -(ln_2 * twos);  // at most ln(2) / 2
  const double scale = power_of_two(-halvings);
  const DoubleDouble small{reduced.high * scale, reduced.low * scale};
  // Taylor's e^r - 1 for |r| < 0.0055, nested: r (1 + r/2 (1 + r/3 (...))). The 12th term is below 2^-119.
  DoubleDouble nested{1, 0};
  for (int term = 11; term > 1; --term) nested = DoubleDouble{1, 0} + (small * nested) / term;
  DoubleDouble minus_one = small * nested;
  // (1 + m)^2 - 1 = 2m + m^2 keeps the bits that squaring 1 + m would lose.
  for (int i = 0; i < halvings; ++i) minus_one = minus_one + minus_one + minus_one * minus_one;
  const DoubleDouble result = DoubleDouble{1, 0} + minus_one;
  const double factor = power_of_two(static_cast<int>(twos));
  return {result.high * factor, result.low * factor};
}

/// ln x for normal x > 0, absolute error below 2^-98 up to 1e28.
inline DoubleDouble log(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = x * power_of_two(-exponent);
  if (mantissa > 1.5) {
    mantissa /= 2;
    ++exponent;
  }
  const double z = (mantissa - 1) / (mantissa + 1);  // |z| <= 0.2: ln(mantissa) = 2 (z + z^3/3 + ...)
  DoubleDouble y = two_sum(exponent * ln_2.high, 2 * z + z * z * z * (2.0 / 3.0));
  // Halley's step triples the number of correct digits: the error is 1e-4, then 1e-13, then below the target.
  for (int i = 0; i < 2; ++i) {
    const DoubleDouble power = exp(y);
    const DoubleDouble difference = DoubleDouble{x, 0} + -power;
    y = y + (difference + difference) / (DoubleDouble{x, 0} + power);
  }
  return y;
}

}  // namespace posenc
