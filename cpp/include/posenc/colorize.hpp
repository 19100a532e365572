#pragma once

#include <cstdint>
#include <span>

namespace posenc {

/// Looks up the colour of each value: entry clamp(floor((value - low) / (high - low) · n), 0, n - 1) of n colours,
/// computed in float64.
///
/// @param low, high  finite, low < high
/// @param colors     n >= 1 colours of 4 bytes each, followed by the colour of NaN
/// @param out        as many as values
void colorize(std::span<const float> values, double low, double high, std::span<const std::uint32_t> colors,
              std::span<std::uint32_t> out) noexcept;

}  // namespace posenc
