#pragma once

#include <span>

namespace posenc {

/// out = values · factor, but +0 where the factor is 0, whatever the value.
///
/// @param factors  not empty: one for each run of values.size() / factors.size() values
/// @param out      as many as values; the values themselves, or no part of them
void dropout(std::span<const float> factors, std::span<const float> values, std::span<float> out) noexcept;

}  // namespace posenc
