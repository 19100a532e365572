#pragma once

#include <span>

namespace posenc {

/// out = values · factor, or +0 if the factor is 0, even for infinite values and NaN.
///
/// @param factors  not empty; each factor applies to values.size() / factors.size() consecutive values
/// @param out      as many as values; the values themselves, or memory that does not overlap them
void dropout(std::span<const float> factors, std::span<const float> values, std::span<float> out) noexcept;

}  // namespace posenc
