#include "posenc/colorize.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "lanes.hpp"

namespace posenc {

using lanes::Doubles;

void colorize(std::span<const float> values, double low, double high, std::span<const std::uint32_t> colors,
              std::span<std::uint32_t> out) noexcept {
  assert(std::isfinite(low) && std::isfinite(high) && low < high);
  assert(colors.size() >= 2 && out.size() == values.size());

  const auto entries = static_cast<double>(colors.size() - 1);
  const double range = high - low;
  const auto colorize_block = [&](const float* from, std::size_t count, std::uint32_t* to) {
    const Doubles value = lanes::promote(from);
    const Doubles place = xsimd::floor((value - low) / range * entries);
    const Doubles within = xsimd::max(Doubles(0.0), xsimd::min(place, Doubles(entries - 1)));
    const Doubles entry = xsimd::select(xsimd::isnan(value), Doubles(entries), within);
    // Adding 2^52 moves an integer below 2^52 to the low bits.
    std::array<double, lanes::doubles> shifted;
    (entry + 0x1p52).store_unaligned(shifted.data());
    for (std::size_t lane = 0; lane < count; ++lane) {
      to[lane] = colors[static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(shifted[lane]))];
    }
  };
  const std::size_t rest = values.size() % lanes::doubles;
  const std::size_t whole = values.size() - rest;
  for (std::size_t i = 0; i < whole; i += lanes::doubles) colorize_block(&values[i], lanes::doubles, &out[i]);
  if (rest > 0) {
    std::array<float, lanes::doubles> padded{};
    std::copy_n(&values[whole], rest, padded.begin());
    colorize_block(padded.data(), rest, &out[whole]);
  }
}

}  // namespace posenc
