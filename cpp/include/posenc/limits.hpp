#pragma once

#include <cstddef>

/// The ranges that all functions of the library assume. Callers check them, and debug builds assert them.
namespace posenc::limits {

inline constexpr std::size_t dim = 65536;               ///< largest encoding dimension (d_model)
inline constexpr double min_base = 1.0001;              ///< smallest base
inline constexpr double max_base = 1e12;                ///< largest base
inline constexpr double position = 9007199254740991.0;  ///< largest |position|, 2^53 - 1
inline constexpr std::size_t frequencies = dim;         ///< largest number of frequencies of an encoding

}  // namespace posenc::limits
